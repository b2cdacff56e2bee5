/* A fair run that stays in a set: the lasso of an observer with one place,
** whose marks are the constraints. */

#include "base/alloc.h"
#include "symbolic/liveness/live_sets_internal.h"

/* One move that is always allowed, and one for each constraint. */
static bool make_moves(live_sets *l, const fair_question *q)
{
  symbolic_space *s = l->space;
  l->start = q->start;
  l->places = 1;
  l->same_needs = true;
  l->scc = ARENA_ARRAY(s->arena, uint32_t, 1);
  l->labels = live_array(l, q->count + 1);
  if (!l->labels || !live_make_arrays(l))
    return false;
  l->labels[0] = l->core[0] = l->begins[0] = q->states;
  l->stays[0] = q->stuck;
  vec_push(&l->moves, ((live_move){0, 0, 0}));
  for (uint32_t i = 0; i < q->count; i++) {
    l->labels[i + 1] = set_intersect(s->library, q->states, q->constraints[i]);
    if (l->labels[i + 1] == SET_FULL)
      return false;
    vec_push(&l->moves, ((live_move){0, 0, UINT64_C(1) << i}));
    vec_push(&l->needs, ((live_need){.number = i}));
  }
  return true;
}

static bool make_run(live_sets *l, const fair_question *q, ctl_run *way)
{
  size_t loop, n = 0, before = ctl_run_states(way) - 1;
  if (!make_moves(l, q) || !live_find_route(l, &loop))
    return false;
  way->loop = before + loop;
  for (bool stays = false; n < l->route.len && !stays; n++) {
    symbolic_set at = l->route.data[n].state;
    stays = set_intersect(l->space->library, at, q->stuck) != SET_EMPTY;
    if (stays)
      way->loop = before + n;
    else if (n + 1 == l->route.len)
      break; /* where the loop began */
    if (n && !symbolic_run_add(l->space, way, at))
      return false;
  }
  return true;
}

typedef struct run_job {
  live_sets *live;
  const fair_question *question;
  ctl_run *way;
  bool found;
} run_job;

static void do_run(void *job)
{
  run_job *j = job;
  j->found = make_run(j->live, j->question, j->way);
}

static void tidy_run(void *job)
{
  live_sets_destroy(((run_job *)job)->live);
}

bool symbolic_fair_run(symbolic_space *s, const fair_question *q, ctl_run *way)
{
  if (q->count > 64)
    return false;
  run_job job = {mem_alloc(sizeof *job.live), q, way, false};
  job.live->space = s;
  mem_protect_tidy(do_run, tidy_run, &job);
  return job.found;
}
