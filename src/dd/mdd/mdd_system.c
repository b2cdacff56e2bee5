/* Events added and extended, and the images of a set under one of them.
** Closures are in mdd_saturate.c. */

#include "dd/mdd/mdd_system_internal.h"

#include "base/alloc.h"
#include "base/system/address_space.h"

#include <assert.h>
#include <string.h>

#define FRAME_SPACE ((size_t)1 << 29) /* bytes of address space */

enum { LEAST_PART = 1 << 17, CLOSE_GARBAGE_WORDS = 1 << 25 };

/* ---- systems ------------------------------------------------------------ */

/* What a closure has found out about garbage is worth keeping for long. */
static void keep_garbage(mdd_manager *m)
{
  size_t part = m->max_bytes / sizeof *m->words / 16;
  mdd_set_garbage(m, 100);
  if (part > CLOSE_GARBAGE_WORDS)
    part = CLOSE_GARBAGE_WORDS;
  if (part > LEAST_PART)
    mdd_set_least_garbage(m, (uint32_t)part);
}

mdd_system *mdd_system_create(mdd_manager *m, uint32_t levels,
                              const mdd_system_options *o)
{
  assert(m->width == 2 && levels);
  mdd_system *s = mem_try_alloc(sizeof *s);
  if (!s)
    return NULL;
  *s = (mdd_system){.manager = m, .levels = levels, .options = *o};
  s->countdown = MDD_LOOK_EVERY;
  m->closes = true;
  keep_garbage(m);
  s->first_at = mem_try_alloc(levels * sizeof *s->first_at);
  if (!s->first_at || !mdd_take_keys(m, 1, &s->key) ||
      !space_reserve(&s->child_memory, FRAME_SPACE) ||
      !space_reserve(&s->value_memory, FRAME_SPACE)) {
    mdd_system_destroy(s);
    return NULL;
  }
  s->children = (mdd *)s->child_memory.base;
  s->values = (uint32_t *)s->value_memory.base;
  return s;
}

void mdd_system_destroy(mdd_system *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->event_count; i++) {
    mdd_event *e = &s->events[i];
    mem_free(e->shifts, e->shift_count * sizeof *e->shifts);
    mdd_shape_destroy(e->shape);
    mdd_shape_destroy(e->reads);
    mdd_unref(s->manager, e->relation);
    mdd_unref(s->manager, e->known);
  }
  mem_free(s->events, s->event_cap * sizeof *s->events);
  mem_free(s->first_at, s->levels * sizeof *s->first_at);
  if (s->room)
    mdd_unprotect(s->manager, s->children);
  reserve_destroy(&s->child_memory);
  reserve_destroy(&s->value_memory);
  mem_free(s, sizeof *s);
}

bool mdd_system_outgrown(const mdd_system *s)
{
  return s->outgrown;
}

bool mdd_system_look(mdd_system *s)
{
  s->countdown = MDD_LOOK_EVERY;
  if (s->options.impatient && s->options.impatient(s->options.context))
    s->ended = true;
  return !s->ended;
}

static mdd_event *add_event(mdd_system *s)
{
  if (s->event_count == s->event_cap) {
    size_t old = s->event_cap * sizeof *s->events;
    size_t cap = s->event_cap ? 2 * s->event_cap : 16;
    mdd_event *more = mem_try_resize(s->events, old, cap * sizeof *more);
    if (!more)
      return NULL;
    s->events = more;
    s->event_cap = cap;
  }
  mdd_event *e = &s->events[s->event_count];
  *e = (mdd_event){.relation = MDD_EMPTY, .known = MDD_EMPTY};
  return e;
}

static void link_event(mdd_system *s, mdd_event *e, uint32_t top)
{
  e->top = top;
  e->next_at_top = s->first_at[top];
  s->first_at[top] = (uint32_t)++s->event_count;
}

bool mdd_system_add_shift(mdd_system *s, const mdd_shift *shifts,
                          uint32_t count)
{
  assert(count && shifts[count - 1].level < s->levels);
  mdd_event *e = add_event(s);
  if (!e || !mdd_take_keys(s->manager, 1, &e->key))
    return false;
  e->shifts = mem_try_alloc(count * sizeof *shifts);
  if (!e->shifts)
    return false;
  memcpy(e->shifts, shifts, count * sizeof *shifts);
  e->shift_count = count;
  link_event(s, e, shifts[0].level);
  return true;
}

bool mdd_system_add_relation(mdd_system *s, const mdd_touch *touch)
{
  mdd_event *e = add_event(s);
  mdd_touch *reads = mem_try_alloc(s->levels * sizeof *reads);
  uint32_t top = s->levels;
  if (!e || !reads) {
    mem_free(reads, s->levels * sizeof *reads);
    return false;
  }
  for (uint32_t i = s->levels; i-- > 0;)
    if (touch[i] != MDD_SKIP) {
      assert(touch[i] != MDD_WRITE);
      reads[i] = MDD_READ;
      top = i;
    }
  assert(top < s->levels);
  e->shape = mdd_shape_create(s->manager, touch, s->levels);
  e->reads = mdd_shape_create(s->manager, reads, s->levels);
  mem_free(reads, s->levels * sizeof *reads);
  if (!e->shape || !e->reads) {
    mdd_shape_destroy(e->shape);
    mdd_shape_destroy(e->reads);
    return false;
  }
  link_event(s, e, top);
  return true;
}

/* ---- learning ----------------------------------------------------------- */

/* Unites a counted set with another, in its place. */
static bool extend(mdd_manager *m, mdd *set, mdd more)
{
  mdd both = mdd_union(m, *set, more);
  if (mdd_ref(m, both) == MDD_FULL)
    return false;
  mdd_unref(m, *set);
  *set = both;
  return true;
}

bool mdd_system_learn_from(mdd_system *s, mdd_event *e, mdd set, uint32_t level)
{
  mdd_manager *m = s->manager;
  mdd part = mdd_project_from(m, set, e->reads, level);
  mdd fresh = mdd_minus(m, part, e->known);
  if (fresh == MDD_EMPTY)
    return true;
  if (mdd_ref(m, fresh) == MDD_FULL)
    return false;
  mdd more =
      s->options.learn(s->options.context, (uint32_t)(e - s->events), fresh);
  bool good = more != MDD_FULL && extend(m, &e->relation, more) &&
              extend(m, &e->known, fresh);
  mdd_unref(m, fresh);
  return good;
}

bool mdd_system_learn(mdd_system *s, uint32_t event, mdd set)
{
  mdd_event *e = &s->events[event];
  if (set == MDD_FULL)
    return false;
  return e->shifts || mdd_system_learn_from(s, e, set, 0);
}

/* ---- images ------------------------------------------------------------- */

typedef struct shift_context {
  mdd_system *system;
  const mdd_event *event;
  mdd_operation op;
} shift_context;

/* The value that a value becomes; false: the event cannot happen with it. */
static bool shift_value(mdd_system *s, const mdd_shift *x, mdd_operation op,
                        uint32_t *value)
{
  if (op == MDD_OP_UNSHIFT) {
    int64_t before = (int64_t)*value - x->change;
    *value = (uint32_t)before;
    return before >= x->least && before <= x->most;
  }
  if (*value < x->least || *value > x->most)
    return false;
  if (op == MDD_OP_ENABLED)
    return true;
  int64_t after = (int64_t)*value + x->change;
  if (after > MDD_SHIFT_MOST)
    s->outgrown = s->ended = true;
  *value = (uint32_t)after;
  return true;
}

static mdd shift_inner(mdd_manager *m, const shift_context *c, mdd node,
                       uint32_t place, uint32_t level)
{
  const mdd_event *e = c->event;
  if (node == MDD_EMPTY || place == e->shift_count)
    return node;
  uint32_t key = mdd_event_key(e, c->op);
  mdd result = dd_cache_get(&m->cache, node, MDD_EMPTY, key);
  if (result != DD_CACHE_NONE)
    return result;
  size_t base = m->stack_top;
  const mdd_shift *here =
      e->shifts[place].level == level ? &e->shifts[place] : NULL;
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    uint32_t value = a.lo;
    if (here && !shift_value(c->system, here, c->op, &value))
      continue;
    mdd child = c->system->ended
                    ? MDD_FULL
                    : shift_inner(m, c, a.child, place + !!here, level + 1);
    if (child == MDD_FULL || !mdd_push(m, base, value, value, child))
      return mdd_give_up(m, base);
  }
  result = mdd_make(m, base);
  if (result != MDD_FULL)
    dd_cache_put(&m->cache, node, MDD_EMPTY, key, result);
  return result;
}

static mdd do_shift(mdd_manager *m, mdd a, mdd b, const void *context)
{
  (void)b;
  return shift_inner(m, context, a, 0, 0);
}

static mdd shift_set(mdd_system *s, uint32_t event, mdd set, mdd_operation op)
{
  shift_context c = {s, &s->events[event], op};
  if (set == MDD_FULL || !mdd_system_look(s))
    return MDD_FULL;
  return mdd_run(s->manager, do_shift, set, MDD_EMPTY, &c);
}

mdd mdd_system_image(mdd_system *s, uint32_t event, mdd set)
{
  const mdd_event *e = &s->events[event];
  if (e->shifts)
    return shift_set(s, event, set, MDD_OP_SHIFT);
  if (!mdd_system_learn(s, event, set) || !mdd_system_look(s))
    return MDD_FULL;
  return mdd_image(s->manager, set, e->relation, e->shape, 0);
}

mdd mdd_system_preimage(mdd_system *s, uint32_t event, mdd set, mdd within)
{
  const mdd_event *e = &s->events[event];
  mdd before;
  if (e->shifts)
    before = shift_set(s, event, set, MDD_OP_UNSHIFT);
  else if (!mdd_system_look(s))
    return MDD_FULL;
  else
    before = mdd_preimage(s->manager, set, e->relation, e->shape, 0);
  return mdd_intersect(s->manager, before, within);
}

mdd mdd_system_enabled(mdd_system *s, uint32_t event, mdd set)
{
  assert(s->events[event].shifts);
  return shift_set(s, event, set, MDD_OP_ENABLED);
}
