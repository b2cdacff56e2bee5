/* When all states are there they are shown to who wants to see them, by all
** walkers, in any order. */

#include "search/levels/levels_internal.h"
#include "search/ranks/fleet.h"
#include "store/tree/collapse_tree.h"

enum { SOON = 8 }; /* states that memory is asked for in advance */

static void collect(void *context, uint64_t slot, uint32_t left, uint32_t right)
{
  search *own = context;
  (void)slot;
  vec_push(&own->handles, (store_handle)left << 32 | right);
}

/* Nothing is inserted, so the states of a part stay where they are. */
static void show_part(search *own, collapse_tree *s, uint64_t number)
{
  vec_clear(&own->handles);
  roots_each_of(&s->now.tree.roots, number, collect, own);
  for (size_t i = 0; i < own->handles.len && i < SOON; i++)
    collapse_tree_foresee(s, own->handles.data[i]);
  for (size_t i = 0; i < own->handles.len; i++) {
    uint32_t length;
    if (i + SOON < own->handles.len)
      collapse_tree_foresee(s, own->handles.data[i + SOON]);
    const uint8_t *state =
        collapse_tree_view(s, own->handles.data[i], 0, NULL, &length);
    own->options->on_stored(own->walker->viewer, state, length);
  }
}

static void show_parts(search *own)
{
  collapse_tree *s = collapse_tree_of(own->watch.store);
  uint64_t parts = roots_parts(&s->now.tree.roots), next;
  while ((next = atomic_fetch_add(&own->team->shown, 1)) < parts) {
    show_part(own, s, next);
    if (!walker_goes_on(own->walker, (uint32_t)own->handles.len))
      return;
  }
}

void levels_show(search *r)
{
  team *t = r->team;
  const search_options *o = r->options;
  bool by_all = levels_is_for_all(r, r->result->stats.states);
  if (by_all)
    team_fill(t);
  for (uint32_t i = 0; i < t->count; i++)
    t->walkers[i].viewer = o->split_viewer(o->state_context);
  atomic_store(&t->shown, 0);
  team_run(t, show_parts, by_all);
  for (uint32_t i = 0; i < t->count; i++)
    o->join_viewer(o->state_context, t->walkers[i].viewer);
  if (atomic_load(&t->full))
    watch_full(&r->watch);
  uint64_t *list[SEARCH_GREATEST];
  if (r->fleet && r->fleet->is_spread)
    fleet_join_greatest(t, list, o->greatest(o->state_context, list));
}
