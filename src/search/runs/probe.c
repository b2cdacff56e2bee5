/* Looks for a loop on the way.
**
** That a run is accepted is known, by taking away, only when the whole product is
** stored; and then another search has to find it (runs.h).  So while states are
** stored, from some of them a *probe* goes a few steps ahead, to an scc of the observer
** in which loops may be accepted, and looks there at every step whether it leads back
** to the way of the probe.  Such a loop, if it is accepted, is reason enough to leave the rest to that search.
** A probe that finds none says nothing.
**
** From which states, and which way, follows from the states alone.  They are known
** by fingerprints: where two share one the other search goes on for nothing, and
** has the same answer. */

#include "search/runs/runs_internal.h"

#include "base/hash.h"

#include <string.h>

enum {
  ONE_IN = 512,  /* of the first states; a power of two */
  AS_MANY = 128, /* whenever there are twice as many states */
  STEPS_MOST = 128
};

/* Whether fairness can be left out of account. */
static bool is_wanted(const runs *r)
{
  return r->live->fairness == NUT_FAIR_NONE && !r->search.fleet &&
         !r->live->is_on_disk;
}

/* From one in so many states, a power of two: as many probes again for twice as
** many states, so that a long search is not slower for them.  By the states of the
** levels before, as all else. */
static uint64_t one_in(const runs *r)
{
  uint64_t n = r->search.options->share_after ? 4 : ONE_IN;
  while (n < r->states_before / AS_MANY)
    n *= 2;
  return n;
}

/* Figures of the run are shown, and changed, while a level is expanded; so it is
** noted before. */
void runs_begin_level(runs *r, uint64_t states)
{
  r->states_before = states;
}

/* The marks that a loop in the scc of this place needs. */
static uint64_t marks_needed(const runs *r, const place_scc *at)
{
  bool all_loops = !r->live->by_scc && at->all_loops;
  return all_loops ? 0 : (UINT64_C(1) << r->live->observer.marks) - 1;
}

/* Whether a step with these marks to the state with this fingerprint closes a loop
** that has all that is needed. */
static bool closes_loop(const runs_probe *p, uint64_t hash, uint64_t marks,
                        uint64_t needed)
{
  for (size_t i = p->way.len; i--;) {
    if (p->way.data[i].hash == hash)
      return !(needed & ~marks);
    marks |= p->way.data[i].marks;
  }
  return false;
}

static void put(runs_bytes *to, const uint8_t *from, size_t length)
{
  vec_clear(to);
  vec_grow(to, length + CODEC_SLACK);
  to->len = length;
  if (length)
    memcpy(to->data, from, length);
}

static bool is_on_way(const runs_probe *p, uint64_t hash)
{
  for (size_t i = 0; i < p->way.len; i++)
    if (p->way.data[i].hash == hash)
      return true;
  return false;
}

/* The state behind an edge, in 'there'; its fingerprint. */
static uint64_t compose(runs_walker *w, const product_edge *e)
{
  runs_probe *p = &w->probe;
  uint32_t length = (uint32_t)p->here.len, made;
  vec_clear(&p->there);
  vec_grow(&p->there, product_length(&w->product, e, length) + CODEC_SLACK);
  product_compose(&w->product, e, p->here.data, length, 0, p->there.data,
                  &made);
  p->there.len = made;
  return hash_bytes(p->there.data, made);
}

/* Where no loop is accepted: any step, by the fingerprint of the state, best of all
** one to where some loop may be.  False: there is none. */
static bool go_ahead(runs_walker *w)
{
  const place_scc *sccs = w->of->sccs.data;
  const product *p = &w->product;
  runs_probe *probe = &w->probe;
  size_t n = p->edges.len;
  const product_edge *best = NULL;
  size_t first = n ? hash_mix(probe->hash) % n : 0;
  for (size_t i = 0; i < n && !(best && sccs[best->place].accepts); i++) {
    const product_edge *e = p->edges.data + (first + i) % n;
    if (!best || sccs[e->place].accepts)
      best = e;
  }
  if (!best)
    return false;
  probe->hash = compose(w, best);
  vec_clear(&probe->way);
  vec_push(&probe->way, ((runs_way){probe->hash, 0}));
  put(&probe->here, probe->there.data, probe->there.len);
  return true;
}

/* Elsewhere: looks at all steps that stay in the scc, and goes to the state with the
** least fingerprint that is not on the way.  False: there is none, or a loop. */
static bool go_round(runs_walker *w, const place_scc *at)
{
  const product *p = &w->product;
  runs_probe *probe = &w->probe;
  runs_way next = {UINT64_MAX, 0};
  for (size_t i = 0; i < p->edges.len; i++) {
    const product_edge *e = &p->edges.data[i];
    if (w->of->sccs.data[e->place].scc != at->scc)
      continue;
    uint64_t hash = compose(w, e);
    probe->found = closes_loop(probe, hash, e->marks, marks_needed(w->of, at));
    if (probe->found)
      return false;
    if (hash >= next.hash || is_on_way(probe, hash))
      continue;
    next = (runs_way){hash, e->marks};
    put(&probe->best, probe->there.data, probe->there.len);
  }
  if (next.hash == UINT64_MAX)
    return false;
  vec_push(&probe->way, next);
  probe->hash = next.hash;
  put(&probe->here, probe->best.data, probe->best.len);
  return true;
}

/* One step.  False: the probe ends. */
static bool go_on(runs_walker *w)
{
  const product *p = &w->product;
  runs_probe *probe = &w->probe;
  uint32_t length = (uint32_t)probe->here.len;
  uint32_t place = product_place(p, probe->here.data, length);
  const place_scc *at = &w->of->sccs.data[place];
  product_expand(&w->product, probe->here.data, length);
  if (p->fault || p->sure || p->batch.abandoned) {
    probe->found = !p->fault && p->sure;
    return false;
  }
  return at->accepts ? go_round(w, at) : go_ahead(w);
}

bool runs_probe_from(runs_walker *w, const uint8_t *state, uint32_t length)
{
  const runs *r = w->of;
  runs_probe *p = &w->probe;
  if (!is_wanted(r))
    return false;
  p->hash = hash_bytes(state, length);
  if (p->hash & (one_in(r) - 1))
    return false;
  p->found = false;
  vec_clear(&p->way);
  vec_push(&p->way, ((runs_way){p->hash, 0}));
  put(&p->here, state, length);
  for (uint32_t i = 0; i < STEPS_MOST && go_on(w); i++)
    ;
  w->has_met |= p->found;
  return p->found;
}
