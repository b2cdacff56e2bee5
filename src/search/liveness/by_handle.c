/* The path, its successors and the numbers of states, by handles; the searches
** are in by_handle_nested.c and by_handle_scc.c. */

#include "search/liveness/by_handle.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* A search under strong fairness notes handles for itself, so that they must
** not change while it looks at a component. */
bool by_handle_suits(const live *l)
{
  return l->result.store == &store_collapse_tree && !l->product.hidden &&
         (l->product.map.fixed || l->fairness != NUT_FAIR_STRONG);
}

bool by_handle_create(live *l)
{
  by_handle *w = l->by_handle = mem_alloc(sizeof *w);
  w->tree = collapse_tree_of(l->watch.store);
  w->seed = SIZE_MAX;
  observer_scc_find(&w->sccs, &l->observer, program_model(l->product.program));
  vec_resize(&w->hits, w->sccs.len);
  if (roots_create(&w->red, l->watch.room))
    return true;
  watch_full(&l->watch);
  return false;
}

void by_handle_free(live *l)
{
  by_handle *w = l->by_handle;
  if (!w)
    return;
  path_index_free(&w->cyan);
  roots_destroy(&w->red);
  vec_free(&w->sccs);
  vec_free(&w->hits);
  vec_free(&w->frames);
  vec_free(&w->edges);
  vec_free(&w->enabled);
  vec_free(&w->targets);
  vec_free(&w->bytes);
  mem_free(w, sizeof *w);
  l->by_handle = NULL;
}

size_t by_handle_bytes(const live *l)
{
  return l->by_handle ? roots_bytes(&l->by_handle->red) : 0;
}

/* ---- handles that change ------------------------------------------------- */

/* All states on the path are stored, so that their handles can be translated;
** those that wait need not be. */
static void take_new_names(live *l)
{
  by_handle *w = l->by_handle;
  for (size_t i = 0; i < w->frames.len; i++) {
    by_handle_frame *f = w->frames.data + i;
    size_t end = i + 1 < w->frames.len ? f[1].first_edge : w->edges.len;
    f->handle = collapse_tree_translate(w->tree, f->handle);
    f->stale |= end > f->first_edge;
    f->first_edge = 0;
  }
  vec_clear(&w->edges);
  by_handle_nested_moved(l);
  by_handle_scc_moved(l);
  collapse_tree_forget(w->tree);
}

/* Encodes states together.  False: there is no memory. */
static bool prepare(live *l, const store_offer *offers,
                    collapse_tree_probe *probes, uint32_t count, bool *moved)
{
  by_handle *w = l->by_handle;
  bool done = collapse_tree_prepare(w->tree, offers, probes, count);
  *moved = collapse_tree_moved(w->tree);
  if (*moved)
    take_new_names(l);
  if (!done)
    watch_full(&l->watch);
  return done && !l->watch.stop;
}

bool by_handle_store(live *l, const uint8_t *state, uint32_t length,
                     bool *fresh, store_handle *handle)
{
  by_handle *w = l->by_handle;
  bool moved;
  collapse_tree_probe probe;
  vec_clear(&w->bytes);
  vec_grow(&w->bytes, length + CODEC_SLACK);
  if (length)
    memcpy(w->bytes.data, state, length);
  store_offer offer = {
      .state = w->bytes.data, .length = length, .changed = UINT64_MAX};
  uint64_t learn_at = w->tree->learn_at;
  w->tree->learn_at = UINT64_MAX;
  bool prepared = prepare(l, &offer, &probe, 1, &moved);
  w->tree->learn_at = learn_at;
  if (!prepared)
    return false;
  store_result result = collapse_tree_insert(w->tree, probe, &offer, handle);
  *fresh = result == STORE_NEW;
  if (result == STORE_FULL)
    watch_full(&l->watch);
  return result != STORE_FULL;
}

bool by_handle_initial(live *l, store_handle *handle)
{
  live_frame first;
  bool fresh;
  return live_initial(l, &first) &&
         by_handle_store(l, live_key(l, &first), live_key_length(l, &first),
                         &fresh, handle);
}

/* ---- the path ---------------------------------------------------------- */

void by_handle_push(live *l, store_handle handle, uint32_t via)
{
  by_handle *w = l->by_handle;
  statistics *stats = &l->result.stats;
  uint64_t limit = l->watch.options->asked.depth;
  by_handle_frame f = {
      .handle = handle, .first_edge = w->edges.len, .via = via};
  l->watch.depth = w->frames.len;
  if (stats->depth < l->watch.depth)
    stats->depth = l->watch.depth;
  if (limit && l->watch.depth >= limit)
    f.cut = l->watch.truncated = true;
  vec_push(&w->frames, f);
}

void by_handle_pop(live *l)
{
  by_handle *w = l->by_handle;
  by_handle_frame f = vec_pop(&w->frames);
  assert(w->edges.len == f.first_edge);
  (void)f;
}

bool by_handle_path(live *l, live_frame *last)
{
  by_handle *w = l->by_handle;
  uint32_t length;
  const uint8_t *state = collapse_tree_view(
      w->tree, vec_last(&w->frames).handle, 0, NULL, &length);
  by_handle_found(l, NULL, LIVE_NO_LOOP);
  l->found = false;
  if (!live_room(l, length))
    return false;
  memcpy(l->bytes.base + l->used, state, length);
  *last = (live_frame){.start = l->used, .length = length};
  return true;
}

void by_handle_found(live *l, const by_handle_edge *last, size_t back)
{
  const by_handle *w = l->by_handle;
  l->found = true;
  l->path.loop = back;
  vec_clear(&l->path.steps);
  for (size_t i = 1; i < w->frames.len; i++)
    vec_push(&l->path.steps, w->frames.data[i].via);
  if (last)
    vec_push(&l->path.steps, last->via);
}

/* Asks memory for what the next step will need, when the top frame has one. */
static void foresee_next(const by_handle *w)
{
  if (w->edges.len == vec_last(&w->frames).first_edge)
    return;
  store_handle handle = vec_last(&w->edges).handle;
  collapse_tree_probe probe = collapse_tree_probe_of(w->tree, handle);
  roots_prefetch(&w->tree->now.tree.roots, probe.place);
  collapse_tree_foresee(w->tree, handle);
}

bool by_handle_take(live *l, by_handle_edge *e, bool *fresh)
{
  by_handle *w = l->by_handle;
  store_handle handle;
  *e = vec_pop(&w->edges);
  foresee_next(w);
  store_result result = collapse_tree_insert(
      w->tree, collapse_tree_probe_of(w->tree, e->handle), NULL, &handle);
  *fresh = result == STORE_NEW;
  l->result.stats.states += *fresh;
  if (result == STORE_FULL)
    watch_full(&l->watch);
  return result != STORE_FULL;
}

/* ---- expansion --------------------------------------------------------- */

/* Composes the states behind some of the product's edges, and what may have
** changed in them. */
static void compose(live *l, size_t first, uint32_t count, const uint8_t *state,
                    uint32_t length, store_offer *offers)
{
  by_handle *w = l->by_handle;
  const product *p = &l->product;
  uint32_t tail = collapse_tree_last_slice(w->tree, 0);
  size_t starts[TREE_TOGETHER];
  vec_clear(&w->bytes);
  for (uint32_t i = 0; i < count; i++) {
    const product_edge *e = p->edges.data + first + i;
    vec_grow(&w->bytes, product_length(p, e, length) + CODEC_SLACK);
    offers[i] = (store_offer){0};
    offers[i].changed =
        product_compose(p, e, state, length, tail, w->bytes.data + w->bytes.len,
                        &offers[i].length);
    starts[i] = w->bytes.len;
    w->bytes.len += offers[i].length;
  }
  for (uint32_t i = 0; i < count; i++)
    offers[i].state = w->bytes.data + starts[i];
}

/* Finds the handles of all successors.  'moved': start over. */
static bool find_targets(live *l, const uint8_t *state, uint32_t length,
                         bool *moved)
{
  by_handle *w = l->by_handle;
  const product *p = &l->product;
  size_t n = p->edges.len;
  *moved = false;
  vec_clear(&w->targets);
  vec_grow(&w->targets, n);
  for (size_t first = 0; first < n && !*moved; first += TREE_TOGETHER) {
    store_offer offers[TREE_TOGETHER];
    collapse_tree_probe probes[TREE_TOGETHER];
    uint32_t count =
        n - first < TREE_TOGETHER ? (uint32_t)(n - first) : TREE_TOGETHER;
    compose(l, first, count, state, length, offers);
    if (!prepare(l, offers, probes, count, moved))
      return false;
    for (uint32_t i = 0; i < count; i++) {
      const product_edge *e = p->edges.data + first + i;
      by_handle_target t = {
          .edge = {probes[i].handle, e->marks, e->successor, e->movers},
          .probe = probes[i],
          .place = e->place};
      vec_push(&w->targets, t);
    }
  }
  return true;
}

/* What the expansion of a state shows, before its successors are looked at. */
static bool judge(live *l, bool again)
{
  const product *p = &l->product;
  statistics *stats = &l->result.stats;
  if (!p->fault && p->sure) {
    by_handle_found(l, NULL, LIVE_NO_LOOP);
    return false;
  }
  if (!live_goes_on(l))
    return false;
  if (!again) {
    stats->expanded++;
    stats->transitions += p->edges.len;
  }
  return true;
}

static void note_memory(live *l)
{
  const by_handle *w = l->by_handle;
  uint64_t held = w->frames.cap * sizeof *w->frames.data +
                  w->edges.cap * sizeof *w->edges.data +
                  w->enabled.cap * sizeof *w->enabled.data +
                  l->active.cap * sizeof *l->active.data +
                  number_map_bytes(&l->indices) + path_index_bytes(&w->cyan);
  if (l->result.stats.search_bytes < held)
    l->result.stats.search_bytes = held;
}

bool by_handle_expand(live *l, bool again)
{
  by_handle *w = l->by_handle;
  product *p = &l->product;
  bool moved;
  do {
    uint32_t length;
    const uint8_t *state = collapse_tree_view(
        w->tree, vec_last(&w->frames).handle, 0, NULL, &length);
    product_expand(p, state, length);
    if (!judge(l, again))
      return false;
    again = true;
    w->place = product_place(p, state, length);
    w->accepting = !l->by_scc && product_accepts(p, state, length);
    if (!find_targets(l, state, length, &moved))
      return false;
  } while (moved);
  vec_last(&w->frames).stale = false;
  note_memory(l);
  return true;
}
