/* Search by strongly connected components, by names: the algorithm of
** components.c.  Only states that are active have an index; one that is stored
** and has none lies in a finished component, or where the observer cannot be
** accepted (parts.h), so that memory for indices is needed for the path and
** what hangs on it, and not for the whole space. */

#include "search/components.h"
#include "search/named.h"

void named_components_moved(live *l)
{
  if (!l->by_components)
    return;
  numbers_free(&l->indices);
  for (size_t i = 0; i < l->active.len; i++) {
    store_handle *name = l->active.data + i;
    *name = collapse_tree_translate(l->named->tree, *name);
    *numbers_at(&l->indices, *name) = (uint32_t)i + 1;
  }
}

static gains gain_of(const live *l, const named_edge *e)
{
  static const process_set nobody;
  const named *w = l->named;
  product_edge via = {
      .successor = e->via, .process = e->process, .marks = e->marks};
  return components_gain(l, &via,
                         w->enabled.len ? &vec_last(&w->enabled) : &nobody);
}

/* Looks at the successors of the top frame. */
static bool look(live *l)
{
  named *w = l->named;
  const place_part *parts = w->parts.data, *here = parts + w->place;
  for (size_t i = w->targets.len; i--;) {
    const named_target *t = w->targets.data + i;
    if (!collapse_tree_has(w->tree, t->probe)) {
      named_keep(w, t);
      continue;
    }
    if (!here->accepts || parts[t->place].component != here->component)
      continue;
    uint32_t index = numbers_get(&l->indices, t->edge.name);
    if (index && !components_melt(l, index, gain_of(l, &t->edge)))
      return false;
  }
  return true;
}

/* Expands the top frame, whose successors were forgotten. */
static bool expand_again(live *l)
{
  return named_expand(l, true) && look(l);
}

/* A new state: it goes on the path, and is expanded. */
static bool push(live *l, store_handle name, uint32_t via, const gains *gain)
{
  named *w = l->named;
  named_push(l, name, via);
  if (l->fairness != FAIR_NONE)
    vec_push(&w->enabled, ((process_set){{0}}));
  if (vec_last(&w->frames).cut)
    return true;
  if (!named_expand(l, false))
    return false;
  named_frame *top = &vec_last(&w->frames);
  if (l->fairness != FAIR_NONE)
    vec_last(&w->enabled) = l->product.enabled;
  if (w->parts.data[w->place].accepts)
    top->index = components_open(l, top->name, gain);
  return look(l);
}

static bool take_edge(live *l)
{
  named_edge e;
  bool fresh;
  if (!named_take(l, &e, &fresh))
    return false;
  uint32_t index = fresh ? 0 : numbers_get(&l->indices, e.name);
  if (!fresh && !index)
    return true;
  gains gain = gain_of(l, &e);
  return fresh ? push(l, e.name, e.via, &gain)
               : components_melt(l, index, gain);
}

/* All steps of the top frame have been taken. */
static bool leave(live *l)
{
  named *w = l->named;
  uint32_t index = vec_last(&w->frames).index;
  if (index && !components_close(l, index))
    return false;
  if (l->fairness != FAIR_NONE)
    (void)vec_pop(&w->enabled);
  named_pop(l);
  return true;
}

void named_components(live *l)
{
  named *w = l->named;
  store_handle first;
  gains none = {0};
  if (!named_initial(l, &first))
    return;
  l->result.stats.states++;
  if (!push(l, first, PRODUCT_STAYS, &none))
    return;
  while (w->frames.len) {
    const named_frame *top = &vec_last(&w->frames);
    bool goes_on = top->stale                       ? expand_again(l)
                   : w->edges.len > top->first_edge ? take_edge(l)
                                                    : leave(l);
    if (!goes_on)
      return;
  }
}
