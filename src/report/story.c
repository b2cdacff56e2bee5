/* Compares states before and after a step to tell what changed, only for steps
** that are shown. */

#include "report/story.h"
#include "report/chart/message_pairs.h"
#include "report/evaluate.h"
#include "report/why/note.h"
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

/* The scratch text as a text of the story; the scratch is empty again. */
static const char *keep(story *s)
{
  text *t = &s->scratch;
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
  change *c = new_change(s, CHANGE_VALUE, b);
  c->name = arena_copy(s->arena, b->name, strlen(b->name));
  c->var = b->var;
  c->old_value = a->value;
  c->new_value = b->value;
  story_add_value(s->model, a, a->value, &s->scratch);
  c->before = keep(s);
  story_add_value(s->model, b, b->value, &s->scratch);
  c->after = keep(s);
}

static bool same_messages(const view *va, const item *a, const view *vb,
                          const item *b)
{
  if (a->count != b->count || a->count == 0)
    return a->count == b->count;
  return memcmp(va->fields.data + a->first, vb->fields.data + b->first,
                a->count * sizeof(int32_t)) == 0;
}

static void note_channel(story *s, const view *next, const item *a,
                         const item *b)
{
  if (same_messages(&s->now, a, next, b))
    return;
  change *c = new_change(s, CHANGE_CHANNEL, b);
  story_add_channel_name(next, b, &s->scratch);
  c->name = keep(s);
  story_add_channel(s->model, &s->now, a, &s->scratch);
  c->before = keep(s);
  story_add_channel(s->model, next, b, &s->scratch);
  c->after = keep(s);
}

/* 'i' is the location of a process that was not there before: tells its
** parameters.  Returns the number of items that belong to the process. */
static size_t note_start(story *s, const view *next, size_t i)
{
  const item *it = &next->items.data[i];
  int32_t process = it->process;
  size_t n = 0;
  change *c = new_change(s, CHANGE_START, it);
  c->name = "";
  for (; i + n < next->items.len; n++) {
    it = &next->items.data[i + n];
    if (it->kind == ITEM_CHANNEL || it->process != process)
      break;
    if (it->kind != ITEM_VARIABLE || !(it->var->flags & VAR_PARAM))
      continue;
    text_printf(&s->scratch, "%s%s = ", s->scratch.len ? ", " : "", it->name);
    story_add_value(s->model, it, it->value, &s->scratch);
  }
  c->before = "";
  c->after = keep(s);
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

story *story_create(program *p)
{
  story *s = mem_alloc(sizeof *s);
  s->program = p;
  s->model = program_model(p);
  s->loop = STORY_NO_LOOP;
  return s;
}

/* What the step printed, or NULL. */
static const char *printed(story *s, size_t i)
{
  const trace_step *from = &s->trace->steps.data[i];
  if (!from->output_length)
    return NULL;
  text_add_bytes(&s->scratch, s->trace->output.data + from->output,
                 from->output_length);
  return keep(s);
}

static const char *statement(story *s, const edge *e)
{
  if (e->text)
    return e->text;
  edge_print(s->model, e, &s->scratch);
  return keep(s);
}

static void add_step(story *s, const trace_step *from)
{
  const edge *e = s->model->edges.data[from->edge];
  telling t = {.process = from->process, .edge = e, .flags = from->flags};
  t.type = e->process;
  t.at = source_position(s->model->sources, e->where);
  t.text = statement(s, e);
  t.words = e->written ? e->written : t.text;
  t.partner = -1;
  t.channel = t.message = "";
  t.seen = !(e->flags & EDGE_UNSEEN) && !(from->flags & STEP_INNER);
  s->shown += t.seen;
  t.number = s->shown;
  vec_push(&s->steps, t);
}

static const char *ending_text(story *s, const trace *t)
{
  if (t->end == TRACE_FAULT)
    return fault_text(t->fault);
  if (t->end == TRACE_OPEN || t->end == TRACE_FINISHED)
    return NULL;
  if (!t->expr)
    return trace_end_text(t->end);
  text_printf(&s->scratch, "%s: ", trace_end_text(t->end));
  expr_print(s->model, t->expr, &s->scratch);
  return keep(s);
}

void story_tell(story *s, const trace *t)
{
  s->trace = t;
  s->arena = arena_create();
  s->channels = ARENA_NEW(s->arena, story_channels);
  for (size_t i = 1; i < t->steps.len; i++) {
    if (t->loop != TRACE_NO_LOOP && i == t->loop + 1)
      s->loop = (int64_t)s->steps.len;
    add_step(s, &t->steps.data[i]);
  }
  if (t->end == TRACE_STAYS)
    s->loop = (int64_t)s->steps.len;
  s->end = t->end;
  s->fault = t->fault;
  s->ending = ending_text(s, t);
  s->where = source_position(s->model->sources, t->where);
}

/* ---- details ------------------------------------------------------------ */

/* Where in the trace the state after 'i' of its steps is.  A d_step is recorded
** with the state at its end, followed by the steps inside: those tell what
** changed, and the d_step itself keeps the state before it. */
static size_t state_after(const trace *t, size_t i)
{
  bool opens = i > 0 && i + 1 < t->steps.len &&
               t->steps.data[i + 1].flags & STEP_INNER &&
               !(t->steps.data[i].flags & STEP_INNER);
  return opens ? i - 1 : i;
}

static void read_state(const story *s, size_t i, view *into)
{
  uint32_t length = 0;
  const uint8_t *state =
      trace_state(s->trace, state_after(s->trace, i), &length);
  view_read(s->program, state, length, into);
}

/* story.now is the state before the step, story.next the one after. */
static void detail_step(story *s, size_t i, bool talks)
{
  telling *t = &s->steps.data[i];
  if (!t->detailed) {
    t->output = printed(s, i + 1);
    t->first_change = (uint32_t)s->changes.len;
    note_changes(s, &s->next);
    label_changes(s, t->first_change, t->process);
    t->change_count = (uint32_t)s->changes.len - t->first_change;
    t->note = note_step(s, i);
    t->detailed = true;
  }
  if (talks)
    talk_note(s, &s->next, i);
}

static void detail_steps(story *s, size_t first, size_t end, bool talks)
{
  if (s->trace->steps.len == 0)
    return;
  read_state(s, first, &s->now);
  for (size_t i = first; i < end; i++) {
    read_state(s, i + 1, &s->next);
    detail_step(s, i, talks);
    view before = s->now;
    s->now = s->next;
    s->next = before;
  }
}

void story_details(story *s, size_t first, size_t end)
{
  detail_steps(s, first, end, false);
}

void story_complete(story *s)
{
  if (!s->complete)
    detail_steps(s, 0, s->steps.len, true);
  s->complete = true;
}

/* ---- the whole ---------------------------------------------------------- */

void story_destroy(story *s)
{
  if (!s)
    return;
  if (s->channels)
    talk_free(s->channels);
  vec_free(&s->steps);
  vec_free(&s->changes);
  vec_free(&s->fields);
  view_free(&s->now);
  view_free(&s->next);
  worker_destroy(s->asked);
  blocked_free(&s->blocked);
  next_free(&s->ahead);
  text_free(&s->words[0]);
  text_free(&s->words[1]);
  text_free(&s->parts[0]);
  text_free(&s->parts[1]);
  vec_free(&s->told);
  text_free(&s->scratch);
  arena_destroy(s->arena);
  mem_free(s, sizeof *s);
}
