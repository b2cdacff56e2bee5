#include "report/story.h"
#include "report/evaluate.h"
#include "report/talk.h"
#include <assert.h>
#include <string.h>

/* ---- what became different ---------------------------------------------- */

/* Items stand in the order: globals, processes by number, channels. */
static int64_t rank_of(const item *i)
{
  if (i->kind == ITEM_CHANNEL)
    return (INT64_C(1) << 32) + i->channel;
  return i->process;
}

static bool same_thing(const item *a, const item *b)
{
  return a->kind == b->kind && rank_of(a) == rank_of(b) && a->type == b->type &&
         a->channel_type == b->channel_type;
}

static const char *keep(story *s, text *t)
{
  const char *copy = arena_copy(s->arena, text_string(t), t->len);
  text_clear(t);
  return copy;
}

static change *new_change(story *s, change_kind kind, const item *i)
{
  vec_push(&s->changes, ((change){.kind = kind}));
  change *c = &vec_last(&s->changes);
  c->process = i->kind == ITEM_CHANNEL ? -1 : i->process;
  c->owner = c->process >= 0 ? i->type->name : NULL;
  return c;
}

static void note_value(story *s, const item *a, const item *b)
{
  if (a->value == b->value || !story_shows(b))
    return;
  text t = {0};
  change *c = new_change(s, CHANGE_VALUE, b);
  c->name = arena_copy(s->arena, b->name, strlen(b->name));
  c->var = b->var;
  c->old_value = a->value;
  c->new_value = b->value;
  story_add_value(s->model, a, a->value, &t);
  c->before = keep(s, &t);
  story_add_value(s->model, b, b->value, &t);
  c->after = keep(s, &t);
  text_free(&t);
}

static void note_channel(story *s, const view *next, const item *a,
                         const item *b)
{
  if (a->count == b->count &&
      memcmp(s->now.fields.data + a->first, next->fields.data + b->first,
             a->count * sizeof(int32_t)) == 0)
    return;
  text t = {0};
  change *c = new_change(s, CHANGE_CHANNEL, b);
  story_add_channel_name(next, b, &t);
  c->name = keep(s, &t);
  story_add_channel(s->model, &s->now, a, &t);
  c->before = keep(s, &t);
  story_add_channel(s->model, next, b, &t);
  c->after = keep(s, &t);
  text_free(&t);
}

/* 'i' is the location of a process that was not there before: tells its
** parameters.  Returns the number of items that belong to the process. */
static size_t note_start(story *s, const view *next, size_t i)
{
  const item *it = &next->items.data[i];
  int32_t process = it->process;
  text t = {0};
  size_t n = 0;
  change *c = new_change(s, CHANGE_START, it);
  c->name = "";
  for (; i + n < next->items.len; n++) {
    it = &next->items.data[i + n];
    if (it->kind == ITEM_CHANNEL || it->process != process)
      break;
    if (it->kind != ITEM_VARIABLE || !(it->var->flags & VAR_PARAM))
      continue;
    text_printf(&t, "%s%s = ", t.len ? ", " : "", it->name);
    story_add_value(s->model, it, it->value, &t);
  }
  c->before = "";
  c->after = keep(s, &t);
  text_free(&t);
  return n;
}

static size_t note_end(story *s, size_t i)
{
  int32_t process = s->now.items.data[i].process;
  size_t n = 0;
  change *c = new_change(s, CHANGE_END, &s->now.items.data[i]);
  c->name = c->before = c->after = "";
  while (i + n < s->now.items.len &&
         s->now.items.data[i + n].process == process &&
         s->now.items.data[i + n].kind != ITEM_CHANNEL)
    n++;
  return n;
}

static void label_changes(story *s, size_t first, uint32_t moved)
{
  for (size_t i = first; i < s->changes.len; i++) {
    change *c = &s->changes.data[i];
    if (c->kind == CHANGE_START || c->kind == CHANGE_END)
      c->label = arena_printf(s->arena, "%s(%d)", c->owner, c->process);
    else if (c->process >= 0 && (uint32_t)c->process != moved)
      c->label =
          arena_printf(s->arena, "%s(%d):%s", c->owner, c->process, c->name);
    else
      c->label = c->name;
  }
}

/* Walks both states side by side; both are in the same order. */
static void note_changes(story *s, const view *next)
{
  size_t i = 0, j = 0, n = s->now.items.len, m = next->items.len;
  while (i < n || j < m) {
    const item *a = i < n ? &s->now.items.data[i] : NULL;
    const item *b = j < m ? &next->items.data[j] : NULL;
    if (a && b && same_thing(a, b)) {
      if (a->kind == ITEM_VARIABLE)
        note_value(s, a, b);
      else if (a->kind == ITEM_CHANNEL)
        note_channel(s, next, a, b);
      i++, j++;
    } else if (a && (!b || rank_of(a) <= rank_of(b))) {
      i += a->kind == ITEM_CHANNEL ? 1 : note_end(s, i);
    } else {
      j += b->kind == ITEM_CHANNEL ? 1 : note_start(s, next, j);
    }
  }
}

/* ---- steps -------------------------------------------------------------- */

story *story_create(const program *p, const uint8_t *state, uint32_t length)
{
  story *s = mem_alloc(sizeof *s);
  s->program = p;
  s->model = program_model(p);
  s->arena = arena_create();
  s->loop = STORY_NO_LOOP;
  s->channels = mem_alloc(sizeof *s->channels);
  if (state)
    view_read(p, state, length, &s->now);
  return s;
}

static const char *printed(story *s, uint32_t process, const edge *e)
{
  text t = {0};
  const char *result = NULL;
  for (size_t i = 0; i < e->effects.len; i++)
    evaluate_print(s->model, &s->now, process, e->effects.data[i], &t);
  if (t.len > 0)
    result = keep(s, &t);
  text_free(&t);
  return result;
}

static const char *statement(story *s, const edge *e)
{
  if (e->text)
    return e->text;
  text t = {0};
  edge_print(s->model, e, &t);
  const char *result = keep(s, &t);
  text_free(&t);
  return result;
}

void story_add(story *s, const trace_step *from, const uint8_t *state,
               uint32_t length)
{
  view next = {0};
  const edge *e = s->model->edges.data[from->edge];
  telling t = {.process = from->process, .edge = e, .flags = from->flags};
  t.type = e->process;
  t.at = source_position(s->model->sources, e->where);
  t.text = statement(s, e);
  t.output = printed(s, from->process, e);
  t.first_change = (uint32_t)s->changes.len;
  t.partner = -1;
  t.seen = !(e->flags & EDGE_UNSEEN) && !(from->flags & STEP_INNER);
  s->shown += t.seen;
  t.number = s->shown;
  view_read(s->program, state, length, &next);
  note_changes(s, &next);
  label_changes(s, t.first_change, t.process);
  t.change_count = (uint32_t)s->changes.len - t.first_change;
  talk_note(s, &next, &t);
  vec_push(&s->steps, t);
  view_free(&s->now);
  s->now = next;
}

static const char *ending_text(story *s, const trace *t)
{
  if (t->end == TRACE_FAULT)
    return fault_text(t->fault);
  if (t->end == TRACE_OPEN || t->end == TRACE_FINISHED || t->end == TRACE_LOOP)
    return NULL;
  if (!t->expr)
    return trace_end_text(t->end);
  text out = {0};
  text_printf(&out, "%s: ", trace_end_text(t->end));
  expr_print(s->model, t->expr, &out);
  const char *result = keep(s, &out);
  text_free(&out);
  return result;
}

/* The state a step is told with.  A d_step is recorded with the state at its
** end, followed by the steps inside: then those tell what changed. */
static size_t state_of(const trace *t, size_t i)
{
  bool opens = i + 1 < t->steps.len &&
               t->steps.data[i + 1].flags & STEP_INNER &&
               !(t->steps.data[i].flags & STEP_INNER);
  return opens ? i - 1 : i;
}

story *story_of_trace(const program *p, const trace *t)
{
  uint32_t length = 0;
  const uint8_t *state = t->steps.len ? trace_state(t, 0, &length) : NULL;
  story *s = story_create(p, state, length);
  for (size_t i = 1; i < t->steps.len; i++) {
    if (t->loop != TRACE_NO_LOOP && i == t->loop + 1)
      s->loop = (int64_t)s->steps.len;
    state = trace_state(t, state_of(t, i), &length);
    story_add(s, &t->steps.data[i], state, length);
  }
  s->end = t->end;
  s->ending = ending_text(s, t);
  s->where = source_position(s->model->sources, t->where);
  return s;
}

void story_destroy(story *s)
{
  if (!s)
    return;
  talk_free(s->channels);
  mem_free(s->channels, sizeof *s->channels);
  vec_free(&s->steps);
  vec_free(&s->changes);
  view_free(&s->now);
  arena_destroy(s->arena);
  mem_free(s, sizeof *s);
}
