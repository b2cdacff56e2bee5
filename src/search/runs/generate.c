/* The product for the engine of levels: batches of its states. */

#include "search/runs/runs_internal.h"

#include "base/alloc.h"

#include <string.h>

/* ---- walkers ------------------------------------------------------------ */

void runs_take_walker(runs *r, search *own)
{
  const live *l = r->live;
  runs_walker *w = own->runner = mem_alloc(sizeof *w);
  w->of = r;
  w->own = own;
  w->part = UINT64_MAX;
  observer_share(&w->observer, &l->observer, own->worker);
  observer_teach(&w->observer, r->initial.data, (uint32_t)r->initial.len);
  product_create(&w->product, own->program, own->worker, &w->observer,
                 l->fairness, false);
  if (!l->product.reduction)
    return;
  w->product.reduction = reduce_share(l->product.reduction);
  reduce_by_levels(w->product.reduction);
}

void runs_free_walker(runs_walker *w)
{
  if (!w)
    return;
  reduce_destroy(w->product.reduction);
  product_free(&w->product);
  observer_free(&w->observer);
  vec_free(&w->list);
  vec_free(&w->bytes);
  vec_free(&w->targets);
  vec_free(&w->probe.way);
  vec_free(&w->probe.here);
  vec_free(&w->probe.there);
  vec_free(&w->probe.best);
  mem_free(w, sizeof *w);
}

bool runs_is_over(const runs_walker *w)
{
  return w->is_over;
}

/* ---- states -------------------------------------------------------------- */

void runs_begin(runs *r, batch *b)
{
  const product *p = &r->live->product;
  successor *s = b->list.data;
  vec_grow(&b->bytes, p->tail + CODEC_SLACK);
  product_put_tail(p, b->bytes.data + s->start + s->length,
                   r->live->observer.initial, 0, 0);
  b->bytes.len += p->tail;
  s->length += p->tail;
  s->changed = UINT64_MAX;
}

static bool has_outgrown(const runs_walker *w)
{
  const batch *b = &w->product.batch;
  if (!w->own->options->stop_at_overflow)
    return false;
  for (size_t i = 0; i < b->faults.len; i++)
    if (b->faults.data[i].kind == FAULT_OVERFLOW)
      return true;
  return false;
}

void runs_generate(runs_walker *w, const uint8_t *state, uint32_t length,
                   uint32_t tail, batch *b)
{
  product *p = &w->product;
  vec_clear(&b->bytes);
  vec_clear(&b->list);
  if (runs_probe_from(w, state, length)) {
    w->is_over = true;
    return;
  }
  p->batch.faults.len = 0;
  product_expand(p, state, length);
  if (p->fault || p->sure || p->batch.abandoned || has_outgrown(w)) {
    w->is_over = true;
    w->was_abandoned = p->batch.abandoned;
    w->is_sure = !p->fault && p->sure;
    return;
  }
  for (size_t i = 0; i < PROCESS_WORDS; i++)
    w->enabled.words[i] |= p->enabled.words[i];
  for (size_t i = 0; i < p->edges.len; i++) {
    const product_edge *e = p->edges.data + i;
    successor next = {.start = (uint32_t)b->bytes.len};
    vec_grow(&b->bytes, product_length(p, e, length) + CODEC_SLACK);
    next.changed = product_compose(p, e, state, length, tail,
                                   b->bytes.data + b->bytes.len, &next.length);
    b->bytes.len += next.length;
    vec_push(&b->list, next);
  }
}
