/* A net is not live when a marking can be reached from which some transition
** never fires again.  Walks find markings; the net and the state equation, which
** starts there, tell what can never happen again. */

#include "net/lasting.h"
#include "verify/nets/front_internal.h"
#include <string.h>

typedef struct lasting {
  verification *verification;
  arena *arena;
  equation *equation;
  bool *may;         /* by transition */
  uint32_t *fired;   /* by transition: in the second half of the path */
  int32_t *replayed; /* a marking */
  uint32_t left;     /* runs whose last marking may be asked about in full */
  bool found;
} lasting;

/* Whether no transition of some group of the file can fire. */
static bool has_lost_group(const lasting *x)
{
  const pnml_net *net = x->verification->net->net;
  for (uint32_t g = 0; g < net->transition_group_count; g++) {
    const pnml_group *group = &net->transition_groups[g];
    uint32_t i = 0;
    while (i < group->count && !x->may[group->first + i])
      i++;
    if (i == group->count && group->count)
      return true;
  }
  return false;
}

static const claim *group_fires(lasting *x, const petri *n, const pnml_group *g)
{
  const claim **parts = ARENA_ARRAY(x->arena, const claim *, g->count + 1);
  for (uint32_t i = 0; i < g->count; i++)
    parts[i] = claim_fireable(x->arena, n, g->first + i);
  return claim_join(x->arena, CLAIM_OR, parts, g->count);
}

static bool has_fired(const lasting *x, const pnml_group *g)
{
  for (uint32_t i = 0; i < g->count; i++)
    if (x->fired[g->first + i])
      return true;
  return false;
}

/* Those that did not fire for a long time, if any, are asked about. */
static bool is_refuted_from(lasting *x, const int32_t *marking)
{
  enum { ASKED = 60 };
  verification *v = x->verification;
  front *f = v->net->front;
  const pnml_net *net = v->net->net;
  uint32_t asked = 0;
  petri *there =
      petri_make(x->arena, f->net->place_count, marking,
                 f->net->transition_count, f->net->arcs, f->net->first);
  equation_destroy(x->equation);
  x->equation =
      equation_create(there, v->limits, f->steps & 1u << FRONT_EQUATION);
  for (uint32_t g = 0; x->equation && g < net->transition_group_count &&
                       asked < ASKED && !limits_reached(v->limits);
       g++) {
    const pnml_group *group = &net->transition_groups[g];
    if (!group->count || has_fired(x, group))
      continue;
    asked++;
    if (front_refutes(v, x->equation, x->arena, group_fires(x, there, group)))
      return true;
  }
  return false;
}

/* Only where the path really leads counts. */
static bool look(void *context, const int32_t *marking, const uint32_t *path,
                 size_t length)
{
  lasting *x = context;
  front *f = x->verification->net->front;
  if (!petri_replay(f->net, path, length, x->replayed) ||
      memcmp(x->replayed, marking, f->net->place_count * sizeof *marking))
    return false;
  arena *scratch = x->arena;
  lasting_may_fire(scratch, f->net, x->replayed, x->may);
  x->found = has_lost_group(x);
  if (x->found || !x->left || !front_proves(f))
    return x->found;
  x->left--;
  memset(x->fired, 0, f->net->transition_count * sizeof *x->fired);
  for (size_t i = length / 2; i < length; i++)
    x->fired[path[i]]++;
  x->found = is_refuted_from(x, x->replayed);
  return x->found;
}

static void do_look(void *context)
{
  lasting *x = context;
  verification *v = x->verification;
  front *f = v->net->front;
  enum { STEPS = 1 << 17, ASKED_RUNS = 3 };
  x->arena = arena_create();
  x->may = ARENA_ARRAY(x->arena, bool, f->net->transition_count + 1);
  x->fired = ARENA_ARRAY(x->arena, uint32_t, f->net->transition_count + 1);
  x->replayed = ARENA_ARRAY(x->arena, int32_t, f->net->place_count + 1);
  walk_looking(f->walk, STEPS, look, x, v->limits);
  x->left = ASKED_RUNS;
  if (!x->found && !limits_reached(v->limits))
    walk_looking(f->walk, STEPS, look, x, v->limits);
}

static void tidy_look(void *context)
{
  lasting *x = context;
  equation_destroy(x->equation);
  arena_destroy(x->arena);
}

bool front_loses_transition(verification *v)
{
  front *f = v->net->front;
  lasting job = {.verification = v};
  if (!f->walk || limits_reached(v->limits))
    return false;
  bool polled = limits_set_polled(v->limits, true);
  mem_protect_tidy(do_look, tidy_look, &job);
  limits_set_polled(v->limits, polled);
  return job.found;
}
