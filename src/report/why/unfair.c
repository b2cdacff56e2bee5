/* Looks at who can move in every state of a loop, and who does. */

#include "report/why/unfair.h"

enum {
  LONGEST = 100000, /* steps of a loop that are looked at */
  NAMED = 3
};

typedef struct turns {
  bool always[POSITIONS_MAX + 1], sometimes[POSITIONS_MAX + 1];
  bool moved[POSITIONS_MAX + 1];
} turns;

/* Who can move in a state of the loop. */
static void look(story *s, size_t at, turns *t)
{
  uint32_t length = 0;
  bool able[POSITIONS_MAX + 1] = {0};
  const uint8_t *state = trace_state(s->trace, at, &length);
  next_find(&s->ahead, s->asked, state, length);
  for (size_t i = 0; i < s->ahead.list.len; i++)
    if (s->ahead.list.data[i].process <= POSITIONS_MAX)
      able[s->ahead.list.data[i].process] = true;
  for (size_t p = 0; p <= POSITIONS_MAX; p++) {
    t->always[p] = t->always[p] && able[p];
    t->sometimes[p] = t->sometimes[p] || able[p];
  }
}

static void look_at_loop(story *s, turns *t)
{
  const trace *r = s->trace;
  for (size_t p = 0; p <= POSITIONS_MAX; p++)
    t->always[p] = true;
  for (size_t i = r->loop + 1; i < r->steps.len; i++) {
    const trace_step *one = &r->steps.data[i];
    if (one->process <= POSITIONS_MAX)
      t->moved[one->process] = true;
    if (one->rest)
      look(s, i, t);
  }
}

/* Names come from the state in which the loop begins. */
static void list_forgotten(story *s, const turns *t, unfair_loop *to)
{
  uint32_t length = 0;
  const uint8_t *state = trace_state(s->trace, s->trace->loop, &length);
  view_read(s->program, state, length, &s->next);
  to->list = ARENA_ARRAY(s->arena, forgotten, POSITIONS_MAX + 1);
  for (size_t i = 0; i < s->next.items.len; i++) {
    const item *it = &s->next.items.data[i];
    if (it->kind != ITEM_LOCATION || it->type->kind > PROCESS_INIT ||
        it->process > POSITIONS_MAX || t->moved[it->process])
      continue;
    unfair_kind kind = t->always[it->process]      ? UNFAIR_WEAK
                       : t->sometimes[it->process] ? UNFAIR_STRONG
                                                   : UNFAIR_NO;
    if (kind > to->kind) {
      to->kind = kind;
      to->count = 0;
    }
    if (kind && kind == to->kind)
      to->list[to->count++] = (forgotten){(uint32_t)it->process, it->type};
  }
}

unfair_loop unfair_find(story *s)
{
  unfair_loop found = {0};
  turns t = {0};
  const trace *r = s->trace;
  if (s->end != TRACE_LOOP || r->loop == TRACE_NO_LOOP ||
      r->steps.len - r->loop > LONGEST)
    return found;
  if (!s->asked)
    s->asked = worker_create(s->program);
  look_at_loop(s, &t);
  list_forgotten(s, &t, &found);
  return found;
}

const char *unfair_word(unfair_kind kind)
{
  return kind == UNFAIR_WEAK ? "weak" : "strong";
}

void unfair_add(story *s, text *out)
{
  unfair_loop u = unfair_find(s);
  if (!u.kind)
    return;
  for (size_t i = 0; i < u.count && i < NAMED; i++)
    text_printf(out, "%s%s(%u)",
                !i                 ? ""
                : i + 1 == u.count ? " and "
                                   : ", ",
                u.list[i].type->name, u.list[i].process);
  if (u.count > NAMED)
    text_printf(out, " and %zu more", u.count - NAMED);
  text_printf(out,
              " could %s in this loop: with --fair %s such runs do not count",
              u.kind == UNFAIR_WEAK ? "always move" : "move again and again",
              unfair_word(u.kind));
}
