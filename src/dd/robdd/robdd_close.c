/* Saturation over pairs of bits (robdd_steps.h).  What a call needs later lies
** in slots that are registered with the manager, because firing an event may
** collect. */

#include "dd/robdd/robdd_internal.h"
#include "dd/robdd/robdd_steps.h"

#include "base/alloc.h"

#include <assert.h>

/* For each call: the set it began with, and two that it works on. */
enum { SLOTS = 3 };

typedef struct closing {
  robdd_manager *m;
  const robdd_events *events;
  size_t top; /* slots of the manager that are in use */
} closing;

static robdd close_inner(closing *c, robdd set, uint32_t first);

static uint32_t close_key(const closing *c, uint32_t first)
{
  return (c->events->key + first) << ROBDD_OP_BITS | ROBDD_OP_CLOSE;
}

/* Fires the events of the list that begin at one level, from 'first' up to
** 'end', until nothing changes. */
static robdd close_level(closing *c, robdd *set, robdd *before, uint32_t first,
                         uint32_t end)
{
  const robdd_events *e = c->events;
  do {
    *before = *set;
    *set = close_inner(c, *set, end);
    for (uint32_t i = first; i < end && *set != ROBDD_FULL; i++) {
      robdd more = e->fire(e->context, e->list[i], *set);
      *set = robdd_or(c->m, *set, more);
    }
  } while (*set != ROBDD_FULL && *before != *set);
  return *set;
}

static robdd close_halves(closing *c, robdd set, robdd *low, uint32_t first)
{
  robdd_manager *m = c->m;
  uint32_t level = robdd_level(m, set);
  *low = close_inner(c, robdd_low_at(m, set, level), first);
  if (*low == ROBDD_FULL)
    return ROBDD_FULL;
  robdd high = close_inner(c, robdd_high_at(m, set, level), first);
  return high == ROBDD_FULL ? ROBDD_FULL : robdd_make(m, level, *low, high);
}

static robdd close_inner(closing *c, robdd set, uint32_t first)
{
  robdd_manager *m = c->m;
  const robdd_events *e = c->events;
  if (set <= ROBDD_TRUE || set == ROBDD_FULL || first == e->count)
    return set;
  uint32_t key = close_key(c, first);
  robdd result = dd_cache_get(&m->cache, set, ROBDD_FALSE, key);
  if (result != DD_CACHE_NONE)
    return result;
  assert(c->top + SLOTS <= m->slot_count);
  robdd *slot = m->slots + c->top;
  c->top += SLOTS;
  slot[0] = slot[1] = set;
  if (e->tops[first] <= robdd_level(m, set)) {
    uint32_t end = first + 1;
    while (end < e->count && e->tops[end] == e->tops[first])
      end++;
    result = close_level(c, &slot[1], &slot[2], first, end);
  } else {
    result = close_halves(c, set, &slot[1], first);
  }
  if (result != ROBDD_FULL)
    dd_cache_put(&m->cache, set, ROBDD_FALSE, key, result);
  slot[0] = slot[1] = slot[2] = ROBDD_FALSE;
  c->top -= SLOTS;
  return result;
}

bool robdd_take_keys(robdd_manager *m, uint32_t count, uint32_t *first)
{
  if (count > (UINT32_MAX >> ROBDD_OP_BITS) - m->next_key)
    return false;
  *first = m->next_key;
  m->next_key += count;
  return true;
}

/* Slots stay with the manager, which alone knows them when an event leaves by
** the memory guard. */
static bool have_slots(robdd_manager *m, size_t count)
{
  if (count > m->slot_count) {
    robdd *new = mem_try_alloc(count * sizeof *new);
    if (!new)
      return false;
    if (m->slots)
      robdd_unprotect(m, m->slots);
    mem_free(m->slots, m->slot_count * sizeof *new);
    m->slots = new;
    m->slot_count = count;
    if (!robdd_protect(m, new, count)) {
      mem_free(new, count * sizeof *new);
      m->slots = NULL;
      m->slot_count = 0;
      return false;
    }
  }
  return true;
}

robdd robdd_close(robdd_manager *m, robdd set, const robdd_events *events,
                  uint32_t first)
{
  closing c = {.m = m, .events = events};
  /* A call goes one level down or one event on. */
  if (set == ROBDD_FULL ||
      !have_slots(m, SLOTS * ((size_t)m->variables + events->count + 1)))
    return ROBDD_FULL;
  bool reorders = m->reorders;
  m->reorders = false;
  robdd result = close_inner(&c, set, first);
  m->reorders = reorders;
  return result;
}
