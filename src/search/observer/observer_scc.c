/* Finds the components of formulas by their automaton, those of claims by
** reachability. */

#include "search/observer/observer_scc.h"

#include "base/alloc.h"

#include <string.h>

/* Claims with more places are not looked into: their places are taken for one
** component that may accept. */
enum { CLAIM_PLACES_MOST = 512, ROW_WORDS = CLAIM_PLACES_MOST / 64 };

static void find_formula(place_scc_list *sccs, const observer *o)
{
  for (uint32_t i = 0; i < o->places; i++) {
    const buchi_state *s = o->automaton->states + i;
    sccs->data[i] =
        (place_scc){s->scc, !s->no_cycle, s->all_cycles && !s->no_cycle};
  }
}

/* Which places can be reached from each; a row of bits for each place. */
typedef struct reach {
  uint64_t rows[CLAIM_PLACES_MOST][ROW_WORDS];
} reach;

static bool reaches(const reach *r, uint32_t from, uint32_t to)
{
  return r->rows[from][to / 64] >> to % 64 & 1;
}

static void find_reach(reach *r, const process_type *claim)
{
  size_t n = claim->locations.len;
  for (size_t i = 0; i < n; i++) {
    const location *at = claim->locations.data + i;
    for (uint32_t k = 0; k < at->edge_count; k++) {
      uint32_t to = claim->order.data[at->first_edge + k]->target;
      r->rows[i][to / 64] |= UINT64_C(1) << to % 64;
    }
  }
  for (uint32_t via = 0; via < n; via++)
    for (uint32_t from = 0; from < n; from++)
      if (reaches(r, from, via))
        for (uint32_t w = 0; w < ROW_WORDS; w++)
          r->rows[from][w] |= r->rows[via][w];
}

/* Whether processes, too, have labels that make a state accepting. */
static bool has_labels(const model *m)
{
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    if (p->kind == PROCESS_NORMAL || p->kind == PROCESS_INIT)
      for (size_t k = 0; k < p->locations.len; k++)
        if (p->locations.data[k].flags & LOC_ACCEPT)
          return true;
  }
  return false;
}

/* An edge inside an atomic sequence of the claim is no move by itself.  That
** only makes components larger than they are. */
static void describe_place(place_scc *made, const reach *r,
                           const process_type *claim, uint32_t place,
                           bool labels)
{
  *made = (place_scc){place, labels, true};
  for (uint32_t k = 0; k < claim->locations.len; k++) {
    if (k != place && !(reaches(r, place, k) && reaches(r, k, place)))
      continue;
    bool accepts = claim->locations.data[k].flags & LOC_ACCEPT;
    made->scc = k < made->scc ? k : made->scc;
    made->accepts |= accepts;
    made->all_loops &= accepts;
  }
}

static void find_claim(place_scc_list *sccs, const observer *o, const model *m)
{
  size_t n = o->claim->locations.len;
  bool labels = has_labels(m);
  if (n > CLAIM_PLACES_MOST) {
    for (size_t i = 0; i < sccs->len; i++)
      sccs->data[i].accepts = true;
    return;
  }
  reach *r = mem_alloc(sizeof *r);
  find_reach(r, o->claim);
  for (uint32_t i = 0; i < n; i++)
    describe_place(sccs->data + i, r, o->claim, i, labels);
  mem_free(r, sizeof *r);
  sccs->data[o->failed] = (place_scc){o->failed, true, false};
}

void observer_scc_find(place_scc_list *sccs, const observer *o, const model *m)
{
  vec_resize(sccs, o->places);
  switch (o->kind) {
  case PROPERTY_LTL:
    find_formula(sccs, o);
    return;
  case PROPERTY_NEVER:
    find_claim(sccs, o, m);
    return;
  case PROPERTY_NON_PROGRESS: /* waiting, then stuck: see observer.c */
    sccs->data[1] = (place_scc){1, true, true};
    return;
  default:
    for (size_t i = 0; i < sccs->len; i++)
      sccs->data[i].accepts = true;
  }
}
