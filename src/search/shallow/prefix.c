/* The first states of a product, level by level: those that a search with
** search_options.prefix is confined to.
**
** They are gathered together with their steps, so that one can tell without
** expanding a state again whether some strongly connected component has all
** marks (prefix_scc.c): only then is it worth while to search.  States are
** known by fingerprints.  Where two share one the graph is not that of the
** product; at worst a loop is missed, or looked for in vain. */

#include "search/shallow/prefix.h"

#include "base/alloc.h"
#include <string.h>

/* States of a level, one behind the other: length and bytes. */
typedef struct level {
  VEC(uint8_t) bytes;
  size_t read;
} level;

typedef struct gathering {
  live *live;
  prefix graph;
  level levels[2]; /* this one, and the next */
  bool found;
} gathering;

bool live_is_near(const live *l, const live_frame *f)
{
  return !l->asker->options->prefix || number_map_get(&l->near, f->hash >> 1);
}

/* The number of the composed frame's state, from 1; a new one becomes part of
** the next level.  0: there are enough. */
static uint32_t number_of(gathering *g, const live_frame *f)
{
  live *l = g->live;
  uint32_t known = number_map_get(&l->near, f->hash >> 1);
  if (known || g->graph.count >= l->asker->options->prefix)
    return known;
  *number_map_at(&l->near, f->hash >> 1) = ++g->graph.count;
  level *next = &g->levels[1];
  size_t at = next->bytes.len;
  vec_resize(&next->bytes, at + sizeof f->length + f->length);
  memcpy(next->bytes.data + at, &f->length, sizeof f->length);
  memcpy(next->bytes.data + at + sizeof f->length, l->bytes.base + f->start,
         f->length);
  return g->graph.count;
}

/* Takes the next state of this level, above 'used', and expands it.  False:
** the level, or the run, has ended. */
static bool expand_next(gathering *g, live_frame *f)
{
  live *l = g->live;
  level *this = &g->levels[0];
  if (this->read == this->bytes.len)
    return false;
  memcpy(&f->length, this->bytes.data + this->read, sizeof f->length);
  this->read += sizeof f->length;
  f->start = l->used;
  if (!live_room(l, f->length))
    return false;
  memcpy(l->bytes.base + f->start, this->bytes.data + this->read, f->length);
  this->read += f->length;
  product_expand(&l->product, l->bytes.base + f->start, f->length);
  l->result.stats.expanded++;
  return live_goes_on(l);
}

static bool note_steps(gathering *g, const live_frame *f)
{
  live *l = g->live;
  prefix *p = &g->graph;
  g->found |= l->product.sure;
  vec_push(&p->first_steps, p->steps.len);
  if (l->fairness == NUT_FAIR_WEAK)
    vec_push(&p->enabled, l->product.enabled);
  l->used = f->start + f->length;
  for (size_t i = 0; i < l->product.edges.len; i++) {
    const product_edge *e = l->product.edges.data + i;
    live_frame next;
    if (!scc_compose(l, e, l->bytes.base + f->start, f->length, &next))
      return false;
    uint32_t number = number_of(g, &next);
    if (number)
      vec_push(&p->steps, ((prefix_step){e->marks, number - 1, e->movers}));
  }
  l->used = f->start;
  return true;
}

static void gather(void *work)
{
  gathering *g = work;
  live *l = g->live;
  live_frame f;
  if (!live_initial(l, &f)) {
    g->found = l->found;
    return;
  }
  number_of(g, &f);
  while (g->levels[1].bytes.len) {
    level done = g->levels[0];
    g->levels[0] = g->levels[1];
    g->levels[1] = done;
    g->levels[0].read = 0;
    vec_clear(&g->levels[1].bytes);
    while (expand_next(g, &f))
      if (!note_steps(g, &f))
        return;
    if (l->watch.stop)
      return;
  }
  vec_push(&g->graph.first_steps, g->graph.steps.len);
  l->result.stats.states += g->graph.count;
  g->found = g->found || prefix_has_loop(l, &g->graph);
}

static void tidy(void *work)
{
  gathering *g = work;
  vec_free(&g->levels[0].bytes);
  vec_free(&g->levels[1].bytes);
  prefix_free(&g->graph);
}

bool live_gather_prefix(live *l)
{
  gathering g = {.live = l};
  mem_protect_tidy(gather, tidy, &g);
  l->used = 0;
  l->found = false;
  return g.found && !l->watch.stop;
}
