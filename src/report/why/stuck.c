/* The processes that are stuck where a story ends, found and told. */

#include "base/source/shown.h"
#include "report/why/waiting.h"
#include <string.h>

enum { FEW = 5 }; /* statements of one process that are told */

const char waiting_hint[] =
    "a server may wait for ever where its loop begins if that has a label: "
    "'end: do ...'";

/* ---- servers ------------------------------------------------------------ */

typedef struct flood {
  const process_type *type;
  bool *seen; /* by location */
  uint32_t *todo, count;
} flood;

static flood new_flood(story *s, const process_type *t)
{
  size_t n = t->locations.len;
  return (flood){.type = t,
                 .seen = ARENA_ARRAY(s->arena, bool, n),
                 .todo = ARENA_ARRAY(s->arena, uint32_t, n)};
}

static void reach(flood *f, uint32_t place)
{
  if (f->seen[place])
    return;
  f->seen[place] = true;
  f->todo[f->count++] = place;
}

static void reach_targets(flood *f, uint32_t place)
{
  const location *l = &f->type->locations.data[place];
  for (uint32_t i = 0; i < l->edge_count; i++)
    reach(f, f->type->order.data[l->first_edge + i]->target);
}

/* Everything that can be reached without leaving 'wall'. */
static void spread(flood *f, uint32_t wall)
{
  while (f->count) {
    uint32_t place = f->todo[--f->count];
    if (place != wall)
      reach_targets(f, place);
  }
}

/* Whether a loop leads back to the location, and what is in that loop cannot be
** reached but through it. */
static bool is_loop_head(story *s, const process_type *t, uint32_t place)
{
  size_t n = t->locations.len;
  flood before = new_flood(s, t), after = new_flood(s, t);
  reach(&before, t->start);
  spread(&before, place);
  reach_targets(&after, place);
  spread(&after, place);
  for (uint32_t i = 0; i < n; i++)
    if (i != place && before.seen[i] && after.seen[i])
      return false;
  return after.seen[place];
}

static bool receives(const process_type *t, uint32_t place)
{
  const location *l = &t->locations.data[place];
  for (uint32_t i = 0; i < l->edge_count; i++) {
    const edge *e = t->order.data[l->first_edge + i];
    if (e->comm && e->comm->kind == COMM_RECEIVE)
      return true;
  }
  return false;
}

/* ---- finding them ------------------------------------------------------- */

static const char *keep(story *s)
{
  const char *copy =
      arena_copy(s->arena, text_string(&s->scratch), s->scratch.len);
  text_clear(&s->scratch);
  return copy;
}

static void add_waiting(story *s, const blocked_step *b, stuck_processes *to)
{
  const edge *e = s->model->edges.data[b->edge];
  waiting_scratch with = {&s->words[0], &s->words[1]};
  waiting w = {.process = b->process, .type = e->process, .kind = b->kind};
  w.at = source_position(s->model->sources, e->where);
  if (!e->text)
    edge_print(s->model, e, &s->scratch);
  w.text = e->text ? e->text : keep(s);
  w.words = e->written ? e->written : w.text;
  waiting_add_cause(s->model, &s->next, b, &s->scratch);
  w.cause = keep(s);
  waiting_add_values(s->model, &s->next, b, &s->scratch, with.one);
  w.values = keep(s);
  waiting_add_reason(s->model, &s->next, b, with, &s->scratch);
  w.because = keep(s);
  to->list[to->count++] = w;
}

/* The statements of one process, at the location that the item tells. */
static void add_process(story *s, const item *it, size_t most,
                        stuck_processes *to)
{
  const blocked_steps *from = &s->blocked;
  size_t before = to->count;
  uint32_t at = (uint32_t)it->value;
  const location *l = &it->type->locations.data[at];
  if (it->type->kind > PROCESS_INIT || l->flags & LOC_END)
    return;
  for (size_t i = 0; i < from->list.len; i++) {
    if (from->list.data[i].process != (uint32_t)it->process)
      continue;
    if (to->count < before + most)
      add_waiting(s, &from->list.data[i], to);
    else
      to->list[to->count - 1].more++;
  }
  if (to->count == before)
    to->list[to->count++] =
        (waiting){.process = (uint32_t)it->process,
                  .type = it->type,
                  .at = source_position(s->model->sources, l->where)};
  to->servers =
      to->servers && receives(it->type, at) && is_loop_head(s, it->type, at);
}

stuck_processes waiting_find(story *s, size_t most)
{
  uint32_t length = 0;
  stuck_processes to = {0};
  /* What follows the state is known: nothing. */
  batch nothing = {.blocked = true, .invalid_end = true};
  const view *v = &s->next;
  if (s->end != TRACE_INVALID_END || !s->trace->steps.len)
    return to;
  const uint8_t *state =
      trace_state(s->trace, s->trace->steps.len - 1, &length);
  if (!s->asked)
    s->asked = worker_create(s->program);
  blocked_find(s->asked, state, length, &nothing, &s->blocked);
  view_read(s->program, state, length, &s->next);
  to.list =
      ARENA_ARRAY(s->arena, waiting, s->blocked.list.len + POSITIONS_MAX + 1);
  to.servers = s->model->language->has_ends;
  for (size_t i = 0; i < v->items.len; i++)
    if (v->items.data[i].kind == ITEM_LOCATION)
      add_process(s, &v->items.data[i], most, &to);
  to.servers = to.servers && to.count;
  return to;
}

/* ---- lines -------------------------------------------------------------- */

typedef struct widths {
  size_t process, where;
  text *part;
} widths;

static const char *who_waits(widths *c, const waiting *w)
{
  text_clear(c->part);
  text_printf(c->part, "%.60s(%u)", w->type->name, w->process);
  return text_string(c->part);
}

static const char *where_it_waits(widths *c, const waiting *w)
{
  text_clear(c->part);
  if (w->at.name)
    text_printf(c->part, "%s:%u", w->at.name, w->at.line);
  return text_string(c->part);
}

static void measure(const stuck_processes *found, widths *c)
{
  for (size_t i = 0; i < found->count; i++) {
    size_t name = strlen(who_waits(c, &found->list[i]));
    size_t where = strlen(where_it_waits(c, &found->list[i]));
    c->process = name > c->process ? name : c->process;
    c->where = where > c->where ? where : c->where;
  }
}

/* Shown, and cut where it is longer than anybody reads. */
static void add_words(const char *words, text *out)
{
  enum { LONGEST = 400 };
  size_t length = strlen(words), n = length < LONGEST ? length : LONGEST;
  while (n < length && n && ((unsigned char)words[n] & 0xc0) == 0x80)
    n--; /* not inside of a character */
  text_add_shown(out, words, n);
  text_add(out, n < length ? "..." : "");
}

static void add_line(const waiting *w, bool first, widths *c, text *out)
{
  text_printf(out, "  %-*s  ", (int)c->process, first ? who_waits(c, w) : "");
  text_printf(out, "%-*s  ", (int)c->where, where_it_waits(c, w));
  if (!w->text) {
    text_add(out, "has nothing to execute\n");
    return;
  }
  text_add(out, first ? "waits at " : "   or at ");
  add_words(w->words, out);
  text_add(out, " (");
  add_words(w->because, out);
  text_add(out, ")\n");
}

void waiting_print(story *s, bool all, text *out)
{
  stuck_processes found = waiting_find(s, all ? WAITING_MOST : FEW);
  widths c = {.part = &s->words[0]};
  measure(&found, &c);
  for (size_t i = 0; i < found.count; i++) {
    const waiting *w = &found.list[i];
    add_line(w, !i || w[-1].process != w->process, &c, out);
    if (w->more)
      text_printf(out, "  %*s  %*s     or at %u more%s\n", (int)c.process, "",
                  (int)c.where, "", w->more, all ? "" : ": --verbose");
  }
  if (found.servers)
    text_printf(out, "  hint: %s\n", waiting_hint);
}
