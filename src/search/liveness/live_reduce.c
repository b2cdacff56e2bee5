/* Reduction for infinite runs: whether the property allows it, what is visible
** to it, and whether it is worth while. */

#include "search/liveness/live.h"

#include "search/observer/stutter.h"

enum { SAMPLE = 400 }; /* states in which a choice is tried before the search */

/* ---- what is visible ---------------------------------------------------- */

static void see_claim(live *l, const process_type *claim)
{
  for (size_t i = 0; i < claim->edges.len; i++) {
    const edge *e = claim->edges.data[i];
    if (e->guard)
      vec_push(&l->seen, e->guard);
    for (size_t k = 0; k < e->effects.len; k++)
      if (e->effects.data[k]->kind == EFFECT_ASSERT)
        vec_push(&l->seen, e->effects.data[k]->value);
  }
}

static uint32_t visible_labels(const observer *o)
{
  switch (o->kind) {
  case PROPERTY_LTL:
    return 0;
  case PROPERTY_NON_PROGRESS:
    return LOC_PROGRESS;
  default:
    return LOC_ACCEPT;
  }
}

/* ---- whether it pays ---------------------------------------------------- */

/* The choice must be the same whenever a state is met, so the search cannot
** stop looking for it later on.  Some states tell before it begins. */
static bool pays(live *l)
{
  product *p = &l->product;
  preview *sample = &l->preview;
  preview_take(sample, p->program, SAMPLE, watch_is_over, &l->watch);
  for (size_t i = 0; i + 1 < sample->starts.len && !l->watch.stop; i++) {
    const uint8_t *state = sample->bytes.data + sample->starts.data[i];
    uint32_t length =
        (uint32_t)(sample->starts.data[i + 1] - sample->starts.data[i]);
    program_successors(p->worker, state, length, &p->batch);
    reduce_choose(p->reduction, state, length, &p->batch);
  }
  preview_free(sample);
  return reduce_pays(p->reduction);
}

/* ------------------------------------------------------------------------- */

/* Why infinite runs are not reduced, or NULL; then the product has a
** reduction. */
static const char *make_reduction(live *l, search *r)
{
  observer *o = &l->observer;
  const char *why = l->fairness != NUT_FAIR_NONE
                        ? "fairness looks at what every process can do"
                        : stutter_trouble(o);
  if (why)
    return why;
  for (size_t i = 0; i < o->conditions.len; i++)
    vec_push(&l->seen, o->conditions.data[i]);
  if (o->claim)
    see_claim(l, o->claim);
  reduce_options options = {.kind = search_reduction_of(r->options),
                            .visible = l->seen.data,
                            .visible_count = l->seen.len,
                            .visible_labels = visible_labels(o),
                            .liveness = true,
                            .doubts_claims = r->doubts_claims};
  l->product.reduction = reduce_create(r->program, &options, &why);
  if (!l->product.reduction || pays(l))
    return why;
  reduce_destroy(l->product.reduction);
  l->product.reduction = NULL;
  return "hardly any step can be left out";
}

void live_reduce(live *l, search *r)
{
  if (search_reduction_of(r->options) == REDUCE_OFF)
    return;
  l->result.por_off = make_reduction(l, r);
  if (!l->result.por_off)
    l->result.por = search_reduction_of(r->options);
}
