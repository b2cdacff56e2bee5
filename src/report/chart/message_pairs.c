/* Follows the messages of each channel along a story. */

#include "report/chart/message_pairs.h"
#include "report/evaluate.h"
#include <string.h>

static const item *find_channel(const view *v, int32_t number)
{
  for (size_t i = v->items.len; i-- > 0;) {
    const item *it = &v->items.data[i];
    if (it->kind != ITEM_CHANNEL)
      break;
    if (it->channel == number)
      return it;
  }
  return NULL;
}

/* Forgets the messages of channels that are gone, so that a later channel of
** the same number starts empty. */
static void forget_dead(story_channels *c, const view *next)
{
  for (int n = 0; n < CHANNEL_NUMBERS; n++)
    if (c->senders[n].len > 0 && !find_channel(next, n))
      vec_clear(&c->senders[n]);
}

/* The place of the first message in which the two contents differ, moved back
** over equal messages: 'longer' has one message more. */
static size_t place_of(const view *lv, const item *longer, const view *sv,
                       const item *shorter)
{
  size_t width = longer->channel_type->fields.len;
  if (shorter->count == 0)
    return 0;
  const int32_t *l = lv->fields.data + longer->first;
  const int32_t *s = sv->fields.data + shorter->first;
  size_t at = 0, bytes = width * sizeof *l;
  while ((at + 1) * width <= shorter->count &&
         memcmp(l + at * width, s + at * width, bytes) == 0)
    at++;
  while (at > 0 && memcmp(l + at * width, l + (at - 1) * width, bytes) == 0)
    at--;
  return at;
}

static void note_send(story *s, const view *next, size_t index, int32_t number)
{
  const telling *t = &s->steps.data[index];
  const item *a = find_channel(&s->now, number);
  const item *b = find_channel(next, number);
  int64_t here = (int64_t)index;
  if (!a || !b || b->count <= a->count || number >= CHANNEL_NUMBERS)
    return;
  step_list *list = &s->channels->senders[number];
  size_t at = t->edge->comm->sorted ? place_of(next, b, &s->now, a) : list->len;
  if (at > list->len)
    at = list->len;
  vec_push(list, here);
  memmove(list->data + at + 1, list->data + at,
          (list->len - 1 - at) * sizeof here);
  list->data[at] = here;
}

static int64_t find_sender(story *s, const view *next, size_t index,
                           int32_t number)
{
  const telling *t = &s->steps.data[index];
  const item *a = find_channel(&s->now, number);
  const item *b = find_channel(next, number);
  const comm *c = t->edge->comm;
  if (t->flags & STEP_PARTNER)
    return (int64_t)index - 1;
  if (!a || !b || number >= CHANNEL_NUMBERS)
    return -1;
  step_list *list = &s->channels->senders[number];
  if (c->copy || b->count >= a->count)
    return !c->anywhere && list->len ? list->data[0] : -1;
  size_t at = c->anywhere ? place_of(&s->now, a, next, b) : 0;
  if (at >= list->len)
    return -1;
  int64_t sender = list->data[at];
  memmove(list->data + at, list->data + at + 1,
          (list->len - 1 - at) * sizeof sender);
  list->len--;
  return sender;
}

/* The message as the arguments of a send give it. */
static void add_arguments(story *s, const telling *t, const channel_type *of)
{
  const comm *c = t->edge->comm;
  vec_clear(&s->fields);
  for (size_t i = 0; i < c->args.len; i++) {
    int32_t value;
    if (!evaluate(&s->now, t->process, c->args.data[i].value, &value))
      break;
    vec_push(&s->fields, value);
  }
  if (of && s->fields.len == of->fields.len) {
    story_add_message(s->model, of, s->fields.data, &s->scratch);
    return;
  }
  for (size_t i = 0; i < c->args.len; i++) {
    text_add(&s->scratch, i ? ", " : "");
    if (c->args.data[i].value)
      expr_print(s->model, c->args.data[i].value, &s->scratch);
  }
}

static const char *keep(story *s)
{
  const char *copy =
      arena_copy(s->arena, text_string(&s->scratch), s->scratch.len);
  text_clear(&s->scratch);
  return copy;
}

void talk_note(story *s, const view *next, size_t index)
{
  telling *t = &s->steps.data[index];
  const comm *c = t->edge->comm;
  int32_t number = 0;
  forget_dead(s->channels, next);
  if (!c || (c->kind != COMM_SEND && c->kind != COMM_RECEIVE))
    return;
  evaluate(&s->now, t->process, c->channel, &number);
  const item *channel = find_channel(&s->now, number);
  if (channel) {
    story_add_channel_name(&s->now, channel, &s->scratch);
    t->channel = keep(s);
  }
  if (c->kind == COMM_SEND) {
    t->talk = TALK_SEND;
    add_arguments(s, t, channel ? channel->channel_type : NULL);
    t->message = keep(s);
    note_send(s, next, index, number);
  } else {
    t->talk = TALK_RECEIVE;
    t->partner = find_sender(s, next, index, number);
    if (t->partner >= 0)
      t->message = s->steps.data[t->partner].message;
  }
}

void talk_free(story_channels *c)
{
  for (int n = 0; n < CHANNEL_NUMBERS; n++)
    vec_free(&c->senders[n]);
}
