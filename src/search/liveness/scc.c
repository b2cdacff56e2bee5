/* Search by strongly connected components, on the fly and with any number of
** marks, after Couvreur, "On-the-fly verification of linear temporal logic"
** (1999) and Geldenhuys & Valmari (2005): states that are discovered and not
** yet known to lie in a finished component are active; active components are
** kept as a stack of roots, each with what the steps inside it give.  A step to
** an active state melts all components above the one of that state.  Once one
** has everything, a loop exists.
**
** Weak fairness is part of this: a process that moves, or cannot move, has its
** turn.  Strong fairness is not local to steps: it is looked at when a
** component is finished (fairness.c).
**
** The index of an active state is its place in live.active plus 1.  It is found
** by the store's number of the state, where those are sure never to change;
** otherwise a table keeps the states once more, to number them. */

#include "search/liveness/scc.h"

#include "search/liveness/by_handle.h"

#include <string.h>

/* ---- numbers ----------------------------------------------------------- */

/* Numbers of states can be trusted when they are dense, or the store keeps them
** while all states have the same components. */
static bool needs_twin(const live *l)
{
  const store_class *c = l->result.store;
  return !c->fetch || !(c->dense || (c->keeps_numbers && l->product.map.fixed));
}

static bool prepare_numbers(live *l)
{
  l->indices.dense = l->result.store->dense;
  if (!needs_twin(l))
    return true;
  l->indices.dense = true;
  l->twin_class = store_find("raw+table");
  l->twin = store_create(l->twin_class, &l->product.map, l->watch.room);
  if (!l->twin)
    watch_full(&l->watch);
  return l->twin;
}

bool scc_number(live *l, const live_frame *f, bool *fresh, store_handle *number)
{
  if (l->by_handle)
    return by_handle_store(l, live_key(l, f), live_key_length(l, f), fresh,
                           number);
  if (!live_store(l, f, 0, fresh, number))
    return false;
  if (!l->twin)
    return true;
  if (l->twin_class->insert(l->twin, live_key(l, f), live_key_length(l, f),
                            STORE_NO_HANDLE, UINT64_MAX, number) != STORE_FULL)
    return true;
  watch_full(&l->watch);
  return false;
}

bool scc_compose(live *l, const product_edge *e, const uint8_t *state,
                 uint32_t length, live_frame *f)
{
  const product *p = &l->product;
  live_edge step_to = {.edge = *e};
  const uint8_t *target = product_target(p, e, state, length, &step_to.length);
  if (!live_room(l, 2 * (size_t)step_to.length + p->tail))
    return false;
  /* Behind the place where the whole state will be. */
  step_to.start = l->used + step_to.length + p->tail;
  if (step_to.length)
    memcpy(l->bytes.base + step_to.start, target, step_to.length);
  return live_compose(l, &step_to, f);
}

uint32_t scc_fetch(const live *l, store_handle number, uint8_t *out)
{
  return l->twin ? l->twin_class->fetch(l->twin, number, out)
                 : l->result.store->fetch(l->watch.store, number, out);
}

uint32_t scc_longest(const live *l)
{
  return l->result.store->max_length(l->watch.store);
}

/* ---- the search -------------------------------------------------------- */

uint32_t scc_open(live *l, store_handle number, const gains *entering)
{
  live_root root = {.entering_marks = entering->marks,
                    .entering_turns = entering->turns};
  vec_push(&l->active, number);
  root.index = (uint32_t)l->active.len;
  *number_map_at(&l->indices, number) = root.index;
  vec_push(&l->roots, root);
  return root.index;
}

static bool push(live *l, const live_frame *f, store_handle number,
                 const gains *entering)
{
  uint32_t index = scc_open(l, number, entering);
  l->result.stats.states++;
  if (!live_push(l, f))
    return false;
  vec_last(&l->frames).index = index;
  return true;
}

/* Whether a component that accepts is to be seen as a whole first: the lasso to
** be found in it shall be short.  Not for ever: an endless one is known to
** accept, and that is the answer. */
static bool waits_for_more(live *l)
{
  enum { LEAST = 100000 };
  uint64_t states = l->result.stats.states;
  if (!l->shortest)
    return false;
  if (!l->patience)
    l->patience = LEAST + 2 * states;
  return states < l->patience;
}

static bool accepts(const live *l, gains have)
{
  gains all = scc_all(l);
  gains_remove(&all, &have);
  return gains_empty(&all);
}

bool scc_melt(live *l, uint32_t index, gains gain)
{
  for (; vec_last(&l->roots).index > index; (void)vec_pop(&l->roots)) {
    const live_root *r = &vec_last(&l->roots);
    gains inner = {r->marks, r->turns};
    gains entering = {r->entering_marks, r->entering_turns};
    gains_add(&gain, &inner);
    gains_add(&gain, &entering);
  }
  live_root *root = &vec_last(&l->roots);
  gains have = {root->marks, root->turns};
  gains_add(&have, &gain);
  root->marks = have.marks;
  root->turns = have.turns;
  root->has_loop = true;
  if (l->fairness == NUT_FAIR_STRONG || !accepts(l, have) || waits_for_more(l))
    return true;
  territory where = {.least = root->index};
  scc_lasso(l, &where, scc_all(l));
  return false;
}

static bool take_edge(live *l, const live_edge *e)
{
  live_frame next;
  bool fresh;
  store_handle number;
  gains gain = scc_gain(l, &e->edge, &vec_last(&l->frames).enabled);
  if (!live_compose(l, e, &next))
    return false;
  if (!live_is_near(l, &next))
    return true;
  if (!scc_number(l, &next, &fresh, &number))
    return false;
  if (fresh)
    return push(l, &next, number, &gain);
  uint32_t index = number_map_get(&l->indices, number);
  return !index || index == LIVE_DONE || scc_melt(l, index, gain);
}

/* The states of the finished component, which are the active ones from 'index'
** on, are active no more. */
static void retire(live *l, uint32_t index)
{
  for (size_t i = index - 1; i < l->active.len; i++)
    if (l->by_handle)
      number_map_remove(&l->indices, l->active.data[i]);
    else
      *number_map_at(&l->indices, l->active.data[i]) = LIVE_DONE;
  l->active.len = index - 1;
}

bool scc_close(live *l, uint32_t index)
{
  if (vec_last(&l->roots).index != index)
    return true;
  live_root root = vec_pop(&l->roots);
  gains have = {root.marks, root.turns};
  if (l->shortest && l->fairness != NUT_FAIR_STRONG && root.has_loop &&
      accepts(l, have)) {
    territory where = {.least = root.index};
    scc_lasso(l, &where, scc_all(l));
    return false;
  }
  if (l->fairness == NUT_FAIR_STRONG && root.has_loop &&
      root.marks == scc_all(l).marks &&
      (scc_find_fair(l, index - 1) || l->watch.stop))
    return false;
  retire(l, index);
  return true;
}

/* All steps of the top frame have been taken. */
static bool leave(live *l)
{
  if (!scc_close(l, vec_last(&l->frames).index))
    return false;
  live_pop(l);
  return true;
}

void live_scc(live *l)
{
  live_frame first;
  store_handle number;
  bool fresh;
  gains none = {0};
  if (l->fairness == NUT_FAIR_STRONG && l->product.hidden) {
    watch_stop(&l->watch, REASON_HIDDEN);
    return;
  }
  if (!prepare_numbers(l) || !live_initial(l, &first) ||
      !scc_number(l, &first, &fresh, &number) ||
      !push(l, &first, number, &none))
    return;
  live_walk(l, take_edge, leave);
}
