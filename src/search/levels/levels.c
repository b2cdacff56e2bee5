/* Level after level: expanded by one walker or by all, joined, judged. */

#include "base/alloc.h"
#include "base/system/cores.h"
#include "search/checkpoint/checkpoint.h"
#include "search/disk/kept_disk.h"
#include "search/levels/levels_internal.h"
#include "search/ranks/fleet.h"
#include "search/runs/runs.h"

enum {
  ALONE_BELOW = 512 /* states of a level that are not worth a meeting */
};

bool levels_suit(const program *p, const search_options *o,
                 const search_loop *loop)
{
  return loop->level_share && !program_hidden(p) && !o->on_state &&
         !o->prefix && !(program_model(p)->flags & MODEL_HAS_C);
}

static const char *why_alone(const search *r)
{
  const search_options *o = r->options;
  if (r->hidden)
    return "hidden variables hold what the first path brought";
  if (program_model(r->program)->flags & MODEL_HAS_C)
    return "embedded C is called by one";
  if (o->on_state)
    return "states are looked at one after the other";
  if (!r->loop->level_share || !r->result->store->sharing)
    return "the store cannot be shared";
  if (o->asked.search == NUT_DFS && !o->asked.shortest)
    return "depth-first searches use one";
  return NULL;
}

void levels_count_threads(search *r)
{
  uint32_t asked = r->options->asked.threads;
  if (r->options->prefix)
    return;
  const char *why = why_alone(r);
  if (asked)
    r->result->threads_off = why;
  if (why || r->result->order == NUT_DFS)
    return;
  if (!asked || asked == NUT_THREADS_AUTO)
    asked = cores_available();
  r->threads = asked < CORES_MOST ? asked : CORES_MOST;
}

uint64_t team_level_size(const team *t)
{
  const fleet *f = t->asker->fleet;
  uint64_t size = 0;
  for (uint32_t i = 0; i < t->count; i++)
    size += t->walkers[i].here.count;
  return f && f->is_spread ? f->size : size + disk_level_size(t->disk);
}

uint64_t team_gone(const team *t)
{
  const fleet *f = t->asker->fleet;
  return f && f->own ? 0 : t->gone;
}

void team_turn_over(team *t)
{
  for (uint32_t i = 0; i < t->count; i++) {
    walker *w = &t->walkers[i];
    frontier done = w->here;
    w->here = w->next;
    w->next = done;
    frontier_clear(&w->next);
    atomic_store_explicit(&w->here.taken, 0, memory_order_relaxed);
    t->own_parts[i] = &w->here;
  }
  t->parts = t->own_parts;
  t->part_count = t->count;
}

/* What each thread did, for those who ask.  Some may not have noted yet how long
** they waited at the end of the level: that is told with the next. */
static void tell_threads(team *t)
{
  search_result *result = t->asker->result;
  if (result->team.len < t->count)
    vec_resize(&result->team, t->count);
  pthread_mutex_lock(&t->lock);
  for (uint32_t i = 0; i < t->count; i++) {
    const statistics *s = &t->walkers[i].result.stats;
    thread_figures *told = &result->team.data[i];
    told->expanded += s->expanded;
    told->states += s->states;
    told->transitions += s->transitions;
    told->waited += t->walkers[i].waited;
    t->walkers[i].waited = 0;
  }
  pthread_mutex_unlock(&t->lock);
}

/* The figures of a level become part of the run's. */
static void join(team *t)
{
  search *r = t->asker;
  statistics *stats = &r->result->stats, level = t->handed;
  uint64_t waiting = team_gone(t);
  t->gone = 0;
  t->handed = (statistics){0};
  if (t->judges)
    tell_threads(t);
  for (uint32_t i = 0; i < t->count; i++) {
    walker *w = &t->walkers[i];
    least_add_aside(w);
    statistics_merge(&level, &w->result.stats);
    waiting += w->here.count + w->next.count;
    if (w->own.watch.stop)
      watch_stop(&r->watch, w->result.reason);
  }
  if (disk_has_spilled(t->disk))
    waiting = disk_waiting(t->disk);
  if (atomic_load(&t->full))
    watch_full(&r->watch);
  if (r->fleet && r->fleet->is_spread)
    fleet_join(t, &level, &waiting);
  statistics_merge(stats, &level);
  if (stats->frontier < waiting)
    stats->frontier = waiting;
  least_join(t);
  for (uint32_t i = 0; i < t->count; i++) {
    t->walkers[i].result.stats = (statistics){0};
    atomic_store_explicit(&t->walkers[i].states, 0, memory_order_relaxed);
    atomic_store_explicit(&t->walkers[i].transitions, 0, memory_order_relaxed);
  }
}

bool levels_is_for_all(const search *r, uint64_t size)
{
  uint64_t states = r->result->stats.states;
  return r->options->share_after
             ? size > 1 && states >= r->options->share_after
             : size >= ALONE_BELOW && states >= SEARCH_SHARE_AFTER;
}

static void expand_level(team *t, bool by_all)
{
  search *r = t->asker;
  uint64_t states = r->result->stats.states, before = states;
  if (by_all)
    team_fill(t);
  for (uint32_t i = 0; i < t->count; i++) {
    t->walkers[i].rest_count = 0;
    t->walkers[i].busy = false;
    t->walkers[i].own.watch.depth = r->watch.depth;
    t->walkers[i].own.cohort_after = states >= r->cohort_after ? 0 : UINT64_MAX;
    before -=
        t->walkers[i].next.count; /* a file may be of the middle of a level */
  }
  if (r->runs)
    runs_begin_level(r->runs, before);
  t->expands = true;
  if (r->fleet && r->fleet->is_spread)
    fleet_expand(t, by_all);
  else if (t->disk)
    disk_expand(t, by_all);
  else
    team_run(t, r->loop->level_share, by_all);
  team_save_last(t);
  t->expands = false;
}

/* Memory ran out while errors were noted: such a moment cannot be told, and the
** last file stays. */
static bool can_be_told(const team *t)
{
  for (uint32_t i = 0; i < t->count; i++)
    if (t->walkers[i].busy && t->walkers[i].judged)
      return false;
  return (!t->asker->runs || runs_can_be_told(t->asker->runs)) &&
         disk_can_be_told(t->disk, true);
}

void team_save_last(team *t)
{
  if (!t->checkpoint || !t->expands || !atomic_load(&t->stop))
    return;
  t->was_saved = true;
  if (can_be_told(t))
    checkpoint_save(t->checkpoint, t, true);
}

/* The same behind a level. */
static void save_behind(team *t)
{
  search *r = t->asker;
  reason why = r->result->reason;
  if (!t->checkpoint || !r->watch.stop || r->claim_broken || t->was_saved ||
      (why != REASON_TIME_LIMIT && why != REASON_INTERRUPTED))
    return;
  for (uint32_t i = 0; i < t->count; i++)
    t->walkers[i].rest_count = 0;
  if (disk_can_be_told(t->disk, true))
    checkpoint_save(t->checkpoint, t, true);
}

/* The store may look for a better way to keep its states, all of which are known
** to be those up to this level. */
static void learn(team *t)
{
  search *r = t->asker;
  const store_sharing *sharing = r->result->store->sharing;
  for (uint32_t i = 0; sharing && i < t->count && !r->watch.stop; i++)
    if (t->walkers[i].here.count) {
      sharing->learn(r->watch.store, frontier_handles(&t->walkers[i].here)[0]);
      if (r->loop->level_settle && !r->loop->level_settle(r))
        watch_full(&r->watch);
      return;
    }
}

/* Rounds beside the search that are due. */
static void look_around(search *r)
{
  while (r->result->stats.states >= r->shallow.due && !r->watch.stop)
    shallow_step(r);
  deep_step(r);
}

/* The parts of a file that ranks have read are not all there were. */
static void lack_states(team *t)
{
  search *r = t->asker;
  if (r->watch.stop)
    return;
  r->result->not_resumed = "it has another number of states than it says";
  watch_stop(&r->watch, REASON_NONE);
}

void levels_walk(team *t, uint64_t deepest)
{
  search *r = t->asker;
  if (r->fleet)
    fleet_begin(t);
  if (r->fleet && t->is_resumed && !r->watch.stop && !fleet_take_over(t))
    lack_states(t);
  if (r->result->store->sharing && !t->is_resumed)
    r->result->store->sharing->learn_when_told(r->watch.store);
  if (t->reductions && !t->is_resumed)
    reduce_settle(t->reductions, t->count);
  if (t->is_resumed && !t->gone) /* a limit may have ended the last one */
    look_around(r);
  for (uint64_t size; (size = team_level_size(t) + t->gone) && !r->watch.stop;
       r->watch.depth++) {
    if (t->keeps && !ways_keep_level(t)) {
      watch_full(&r->watch);
      return;
    }
    if (r->watch.depth >= deepest) {
      r->watch.truncated = true;
      return;
    }
    if (r->fleet)
      fleet_spread(t);
    bool by_all = levels_is_for_all(r, size);
    r->watch.frontier = size;
    expand_level(t, by_all);
    join(t);
    bool is_known = r->watch.stop;
    team_settle_reduction(t, by_all);
    disk_turn_over(t->disk);
    team_turn_over(t);
    learn(t);
    outlook_add(t, team_level_size(t));
    look_around(r);
    if (r->fleet && r->fleet->is_spread && !is_known)
      fleet_tell_end(t);
  }
  save_behind(t);
  if (r->fleet)
    fleet_end(t);
}

static void save_last(void *work)
{
  team_save_last(work);
}

/* What waits on a disk takes memory to be brought to its end, which may not be
** there: then the last file stays. */
void levels_leave(search *r)
{
  team *t = r->team;
  bool stop = r->watch.stop;
  reason why = r->result->reason;
  if (!t)
    return;
  team_stop(t);
  if (!mem_protect(save_last, t)) {
    t->finishes = false;
    r->watch.stop = stop;
    r->result->reason = why;
    team_stop(t);
  }
  t->expands = false;
}

bool levels_restore(search *r)
{
  if (!r->resume)
    return true;
  r->team->is_resumed = checkpoint_restore(r->team, r->resume);
  const char *problem = block_problem(r->resume);
  if (problem) {
    r->result->not_resumed = problem;
    watch_stop(&r->watch, REASON_NONE);
  }
  return r->team->is_resumed;
}

void levels_run(search *r)
{
  team_create(r);
  r->team->judges = true;
  outlook_begin(r->team);
  uint64_t depth = r->options->asked.depth;
  if (r->loop->level_begin(r) && levels_restore(r))
    levels_walk(r->team, depth ? depth : UINT64_MAX);
  outlook_conclude(r->team);
}

void levels_leave_store(search *r)
{
  if (r->team)
    team_end_views(r->team);
}

void levels_add_reached(search *r)
{
  uint8_t *reached = r->result->reached.data;
  for (size_t k = 0; r->team && k < r->team->reached.len; k++)
    reached[k] |= r->team->reached.data[k];
  for (uint32_t i = 1; r->team && i < r->team->count; i++) {
    const worker *w = r->team->walkers[i].own.worker;
    const uint8_t *own = w ? worker_reached(w) : NULL;
    for (size_t k = 0; own && k < r->result->reached.len; k++)
      reached[k] |= own[k];
  }
}

void levels_add_executed(search *r)
{
  uint64_t *executed = r->result->executed.data;
  for (size_t k = 0; r->team && k < r->team->executed.len; k++)
    executed[k] += r->team->executed.data[k];
  for (uint32_t i = 1; r->team && i < r->team->count; i++) {
    const worker *w = r->team->walkers[i].own.worker;
    const uint64_t *own = w ? worker_executed(w) : NULL;
    for (size_t k = 0; own && k < r->result->executed.len; k++)
      executed[k] += own[k];
  }
}

uint64_t levels_bytes(const team *t)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; t && i < t->count; i++)
    bytes += t->walkers[i].here.memory.committed +
             t->walkers[i].next.memory.committed +
             t->walkers[i].here.asleep.committed +
             t->walkers[i].next.asleep.committed;
  return bytes;
}

void levels_free(search *r)
{
  team_destroy(r->team);
  r->team = NULL;
}
