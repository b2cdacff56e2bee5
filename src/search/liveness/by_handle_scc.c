/* Search by strongly connected components, by handles: the algorithm of
** scc.c.  Only states that are active have an index; one that is stored
** and has none lies in a finished component, or where the observer cannot be
** accepted (observer_scc.h), so that memory for indices is needed for the path
** and what hangs on it, and not for the whole space. */

#include "search/liveness/by_handle.h"
#include "search/liveness/scc.h"

void by_handle_scc_moved(live *l)
{
  if (!l->by_scc)
    return;
  number_map_free(&l->indices);
  for (size_t i = 0; i < l->active.len; i++) {
    store_handle *handle = l->active.data + i;
    *handle = collapse_tree_translate(l->by_handle->tree, *handle);
    *number_map_at(&l->indices, *handle) = (uint32_t)i + 1;
  }
}

static gains gain_of(const live *l, const by_handle_edge *e)
{
  static const process_set nobody;
  const by_handle *w = l->by_handle;
  product_edge via = {
      .successor = e->via, .movers = e->movers, .marks = e->marks};
  return scc_gain(l, &via, w->enabled.len ? &vec_last(&w->enabled) : &nobody);
}

/* Looks at the successors of the top frame. */
static bool look(live *l)
{
  by_handle *w = l->by_handle;
  const place_scc *sccs = w->sccs.data, *here = sccs + w->place;
  for (size_t i = w->targets.len; i--;) {
    const by_handle_target *t = w->targets.data + i;
    if (!collapse_tree_has(w->tree, t->probe)) {
      by_handle_keep(w, t);
      continue;
    }
    if (!here->accepts || sccs[t->place].scc != here->scc)
      continue;
    uint32_t index = number_map_get(&l->indices, t->edge.handle);
    if (index && !scc_melt(l, index, gain_of(l, &t->edge)))
      return false;
  }
  return true;
}

/* Expands the top frame, whose successors were forgotten. */
static bool expand_again(live *l)
{
  return by_handle_expand(l, true) && look(l);
}

/* A new state: it goes on the path, and is expanded. */
static bool push(live *l, store_handle handle, uint32_t via, const gains *gain)
{
  by_handle *w = l->by_handle;
  by_handle_push(l, handle, via);
  if (l->fairness != NUT_FAIR_NONE)
    vec_push(&w->enabled, ((process_set){{0}}));
  if (vec_last(&w->frames).cut)
    return true;
  if (!by_handle_expand(l, false))
    return false;
  by_handle_frame *top = &vec_last(&w->frames);
  if (l->fairness != NUT_FAIR_NONE)
    vec_last(&w->enabled) = l->product.enabled;
  if (w->sccs.data[w->place].accepts)
    top->index = scc_open(l, top->handle, gain);
  return look(l);
}

static bool take_edge(live *l)
{
  by_handle_edge e;
  bool fresh;
  if (!by_handle_take(l, &e, &fresh))
    return false;
  uint32_t index = fresh ? 0 : number_map_get(&l->indices, e.handle);
  if (!fresh && !index)
    return true;
  gains gain = gain_of(l, &e);
  return fresh ? push(l, e.handle, e.via, &gain) : scc_melt(l, index, gain);
}

/* All steps of the top frame have been taken. */
static bool leave(live *l)
{
  by_handle *w = l->by_handle;
  uint32_t index = vec_last(&w->frames).index;
  if (index && !scc_close(l, index))
    return false;
  if (l->fairness != NUT_FAIR_NONE)
    (void)vec_pop(&w->enabled);
  by_handle_pop(l);
  return true;
}

static bool begin(live *l)
{
  store_handle first;
  gains none = {0};
  if (!by_handle_initial(l, &first))
    return false;
  l->begun = true;
  l->result.stats.states++;
  return push(l, first, PRODUCT_STAYS, &none);
}

void by_handle_scc(live *l)
{
  by_handle *w = l->by_handle;
  if (!l->begun && !begin(l))
    return;
  while (w->frames.len && !by_handle_pauses(l)) {
    const by_handle_frame *top = &vec_last(&w->frames);
    bool goes_on = top->stale                       ? expand_again(l)
                   : w->edges.len > top->first_edge ? take_edge(l)
                                                    : leave(l);
    if (!goes_on)
      return;
  }
}
