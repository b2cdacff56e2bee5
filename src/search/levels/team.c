/* Walkers and their threads: how a job is given to all, and how they meet. */

#include "search/levels/levels_internal.h"

#include "base/alloc.h"
#include "base/system/usage.h"
#include "search/checkpoint/checkpoint.h"
#include "search/disk/kept_disk.h"
#include "search/ranks/fleet.h"
#include "search/runs/runs.h"

#include <signal.h>
#include <string.h>
#include <time.h>

enum { WAIT_MILLISECONDS = 100 }; /* between two looks of who waits */

/* ---- the first walker looks at the limits -------------------------------- */

void team_stop(team *t)
{
  atomic_store(&t->stop, true);
  atomic_store(&t->wanted, true);
}

void team_pause(team *t, bool refused)
{
  if (refused)
    atomic_store(&t->refused, true);
  atomic_store(&t->sleeps, false);
  atomic_store(&t->paused, true);
  atomic_store(&t->wanted, true);
}

/* A file is to be written as soon as all are between two cohorts. */
static void want_file(team *t)
{
  atomic_store(&t->saves, true);
  atomic_store(&t->wanted, true);
}

/* Looks at the limits and reports progress, with what all have found so far. */
void team_look(team *t)
{
  search *r = t->asker;
  if (t->finishes)
    return;
  const statistics kept = r->result->stats;
  for (uint32_t i = 0; i < t->count; i++) {
    const walker *w = &t->walkers[i];
    r->result->stats.states +=
        atomic_load_explicit(&w->states, memory_order_relaxed);
    r->result->stats.transitions +=
        atomic_load_explicit(&w->transitions, memory_order_relaxed);
  }
  if (r->fleet && r->fleet->is_spread)
    fleet_add_progress(t, &r->result->stats);
  r->result->stats.states += t->handed.states;
  r->result->stats.transitions += t->handed.transitions;
  watch_look(&r->watch);
  r->result->stats = kept;
  if (t->by_rounds)
    fleet_look(t);
  if (r->watch.stop)
    team_stop(t);
  else if (t->checkpoint && t->expands && checkpoint_is_due(t->checkpoint))
    want_file(t);
}

/* For workers inside long atomic sequences. */
static bool is_impatient(void *context)
{
  walker *w = context;
  if (!w->index)
    team_look(w->team);
  return atomic_load_explicit(&w->team->stop, memory_order_relaxed) ||
         fleet_is_impatient(w->team);
}

/* ---- help ---------------------------------------------------------------- */

/* Does parts of the work that nobody has; the lock is let go meanwhile. */
static void take_help(team *t)
{
  helpers_part *part = t->help;
  void *work = t->help_work;
  uint32_t parts = t->help_parts, mine;
  t->helping++;
  pthread_mutex_unlock(&t->lock);
  while ((mine = atomic_fetch_add(&t->help_taken, 1)) < parts)
    part(work, mine);
  pthread_mutex_lock(&t->lock);
  t->help = NULL;
  if (!--t->helping)
    pthread_cond_broadcast(&t->changed);
}

/* For who leads a meeting, with the lock: all others wait there. */
static void share_help(void *context, helpers_part *part, void *work,
                       uint32_t parts)
{
  team *t = context;
  t->help = part;
  t->help_work = work;
  t->help_parts = parts;
  t->is_helped = true;
  atomic_store(&t->help_taken, 0);
  pthread_cond_broadcast(&t->changed);
  take_help(t);
  while (t->helping)
    pthread_cond_wait(&t->changed, &t->lock);
  t->is_helped = false;
}

/* ---- meetings ------------------------------------------------------------ */

typedef struct settling {
  team *team;
  bool done;
} settling;

static void settle(void *work)
{
  settling *s = work;
  team *t = s->team;
  search_result *result = t->asker->result;
  double begun = usage_seconds();
  s->done = result->store->sharing->settle(t->asker->watch.store, &t->helpers);
  if (t->asker->loop->level_settle && !t->asker->loop->level_settle(t->asker))
    s->done = false;
  result->growths++;
  result->growing += usage_seconds() - begun;
}

/* Writes the moment.  The store is as one thread would have it meanwhile. */
static void save(void *work)
{
  settling *s = work;
  team *t = s->team;
  const store_class *class = t->asker->result->store;
  store *shared = t->asker->watch.store;
  s->done = class->sharing->close(shared);
  if (s->done && disk_can_be_told(t->disk, false))
    checkpoint_save(t->checkpoint, t, false);
  s->done = s->done && class->sharing->open(shared);
}

/* What is to be done while all stand still. */
static void settle_or_save(team *t, settling *s)
{
  bool saves = t->expands && atomic_load(&t->saves);
  bool done = mem_protect(saves && !t->inside ? save : settle, s);
  if (saves && !t->inside)
    atomic_store(&t->saves, false);
  else if (saves) /* soon again, when nobody is in the middle of a cohort */
    atomic_store(&t->wanted, true);
  s->done = s->done && done;
}

/* There is no memory: with a disk there will be. */
static void find_no_room(team *t)
{
  if (t->disk) {
    team_pause(t, true);
    return;
  }
  atomic_store(&t->full, true);
  team_stop(t);
}

/* All are here; who came last makes room for all.  A job is over when all have
** done their part, also when the run ends: nobody is in the middle of it. */
static void lead(team *t)
{
  settling s = {t, false};
  t->over = t->done == t->count;
  if (!t->over && !atomic_load(&t->stop) && !atomic_load(&t->paused)) {
    atomic_store(&t->wanted, false);
    settle_or_save(t, &s);
    if (!s.done)
      find_no_room(t);
  }
  t->arrived = t->done = t->inside = 0;
  t->meetings++;
  pthread_cond_broadcast(&t->changed);
}

/* Waits for a change; the first walker looks at the limits meanwhile. */
static void wait_a_while(walker *w)
{
  team *t = w->team;
  if (w->index) {
    pthread_cond_wait(&t->changed, &t->lock);
    return;
  }
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += WAIT_MILLISECONDS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  if (!pthread_cond_timedwait(&t->changed, &t->lock, &until))
    return;
  if (!t->is_helped) /* with the lock: nobody changes the store meanwhile */
    team_look(t);
}

/* Meets all others; whether the job is over then. */
static bool meet(walker *w, bool is_done, bool is_inside)
{
  team *t = w->team;
  double begun = usage_seconds();
  pthread_mutex_lock(&t->lock);
  uint64_t meeting = t->meetings;
  t->arrived++;
  t->done += is_done;
  t->inside += is_inside;
  if (t->arrived == t->count)
    lead(t);
  while (t->meetings == meeting)
    if (t->help)
      take_help(t);
    else
      wait_a_while(w);
  bool over = t->over; /* no meeting can end before this walker comes */
  w->waited += usage_seconds() - begun;
  pthread_mutex_unlock(&t->lock);
  return over;
}

bool walker_make_room(walker *w)
{
  team *t = w->team;
  const store_class *class = t->asker->result->store;
  if (!t->is_shared || !class->sharing->wants_room(w->view)) {
    if (t->disk)
      team_pause(t, true);
    return false;
  }
  atomic_store(&t->wanted, true);
  meet(w, false, true);
  return !atomic_load(&t->stop) && !atomic_load(&t->paused);
}

/* One walker alone; others stand still. */
static void save_alone(team *t)
{
  atomic_store(&t->saves, false);
  atomic_store(&t->wanted, false);
  if (disk_can_be_told(t->disk, false))
    checkpoint_save(t->checkpoint, t, false);
}

static size_t executed_bytes(const walker *w)
{
  return program_model(w->own.program)->edges.len * sizeof *w->executed;
}

void walker_begin_cohort(walker *w, const store_handle *piece, size_t left)
{
  w->rest = piece;
  w->rest_count = left;
  w->before = w->result.stats;
  w->next_before = w->next.count;
  if (w->own.reduction)
    w->tally = reduce_tally_of(w->own.reduction);
  if (w->executed)
    memcpy(w->executed, worker_executed(w->own.worker), executed_bytes(w));
  w->judged = false;
  w->waiting_before = w->waiting.len;
  vec_clear(&w->own.fresh);
  w->busy = true;
}

void walker_begin_packet(walker *w, size_t states)
{
  w->before = w->result.stats;
  w->next_before = w->next.count;
  w->waiting_before = w->waiting.len;
  if (w->own.reduction)
    w->tally = reduce_tally_of(w->own.reduction);
  w->judged = false;
  vec_grow(&w->own.fresh, states);
  w->busy = true;
}

void walker_end_packet(walker *w)
{
  team *t = w->team;
  w->busy = w->judged = false;
  if (disk_wants_pause(w))
    team_pause(t, disk_lacks_memory(t->disk));
}

void walker_undo(walker *w)
{
  w->result.stats = w->before;
  w->next.count = w->next_before;
  w->waiting.len = w->waiting_before;
  if (w->own.reduction)
    reduce_set_tally(w->own.reduction, w->tally);
  w->busy = false;
}

/* What it stored is still in 'own.fresh'. */
bool walker_abandon(walker *w)
{
  bool busy = w->busy;
  walker_undo(w);
  w->busy = busy;
  w->result.reason = REASON_NONE;
  w->own.watch.stop = false;
  team_pause(w->team, true);
  return false;
}

/* Puts the handles of the piece, which lies in this part, before those that
** nobody has taken.  What lies behind the piece is done, or was put there. */
static void give_back(frontier *f, const store_handle *piece, size_t count)
{
  size_t first = (size_t)(piece - frontier_handles(f));
  size_t taken = atomic_load_explicit(&f->taken, memory_order_relaxed);
  for (size_t i = first + count; i-- > first;)
    frontier_swap(f, i, --taken);
  atomic_store_explicit(&f->taken, taken, memory_order_relaxed);
}

/* Whose piece in this part is the last one; NULL: nobody's. */
static walker *last_piece(team *t, const frontier *f)
{
  walker *last = NULL;
  const store_handle *all = frontier_handles(f);
  for (uint32_t i = 0; i < t->count; i++) {
    walker *w = &t->walkers[i];
    if (w->rest_count && w->rest >= all && w->rest < all + f->count &&
        (!last || w->rest > last->rest))
      last = w;
  }
  return last;
}

void team_give_back_pieces(team *t)
{
  for (uint32_t i = 0; i < t->part_count; i++) {
    frontier *f = t->parts[i];
    if (atomic_load_explicit(&f->taken, memory_order_relaxed) > f->count)
      atomic_store_explicit(&f->taken, f->count, memory_order_relaxed);
    for (walker *w; (w = last_piece(t, f)); w->rest_count = 0)
      give_back(f, w->rest, w->rest_count);
  }
}

void walker_end_cohort(walker *w, uint32_t cohort)
{
  w->rest += cohort;
  w->rest_count -= cohort;
  w->busy = w->judged = false;
}

bool walker_is_whole(const walker *w, uint32_t cohort)
{
  for (uint32_t i = 0; i < cohort; i++)
    if (w->own.batches[i].abandoned)
      return false;
  return true;
}

bool walker_goes_on(walker *w, uint32_t expansions)
{
  team *t = w->team;
  search *r = t->asker;
  const statistics *stats = &w->result.stats;
  atomic_store_explicit(&w->states, stats->states, memory_order_relaxed);
  atomic_store_explicit(&w->transitions, stats->transitions,
                        memory_order_relaxed);
  if (!w->index) {
    if (r->watch.countdown <= expansions || limits_interrupted(r->watch.limits))
      team_look(t);
    else
      r->watch.countdown -= expansions;
    if (t->checkpoint && t->expands && checkpoint_is_forced(t->checkpoint))
      want_file(t);
    if (t->by_rounds && expansions)
      fleet_count_batch(t);
  }
  if (atomic_load_explicit(&t->halts, memory_order_relaxed))
    return false;
  if (!atomic_load_explicit(&t->wanted, memory_order_relaxed))
    return true;
  if (atomic_load(&t->paused))
    return false;
  if (!atomic_load(&t->stop) && t->is_shared)
    meet(w, false, false);
  else if (!atomic_load(&t->stop) && t->expands && atomic_load(&t->saves))
    save_alone(t);
  return !atomic_load(&t->stop) && !atomic_load(&t->paused);
}

size_t team_take(walker *w, store_handle **piece)
{
  team *t = w->team;
  size_t n = 0;
  if (atomic_load_explicit(&t->stop, memory_order_relaxed) ||
      atomic_load_explicit(&t->paused, memory_order_relaxed) ||
      atomic_load_explicit(&t->halts, memory_order_relaxed))
    return 0;
  if (t->disk && t->expands && disk_wants_pause(w)) {
    team_pause(t, disk_lacks_memory(t->disk));
    return 0;
  }
  for (uint32_t i = 0; i < t->part_count && !n; i++)
    n = frontier_take(t->parts[(w->index + i) % t->part_count], piece);
  return n;
}

const uint16_t *team_asleep(const team *t, const store_handle *piece)
{
  for (uint32_t i = 0; i < t->part_count && atomic_load(&t->sleeps); i++) {
    const frontier *f = t->parts[i];
    const store_handle *first = frontier_handles(f);
    if (f->asleep.base && piece >= first && piece < first + f->count)
      return frontier_asleep(f) + (piece - first);
  }
  return NULL;
}

bool team_has_expanded(const team *t, const store_handle *piece)
{
  for (uint32_t i = 0; i < t->count; i++) {
    const frontier *here = &t->walkers[i].here;
    const store_handle *first = frontier_handles(here);
    if (piece >= first && piece < first + here->count)
      return true;
  }
  return false;
}

/* ---- threads ------------------------------------------------------------- */

static void do_job(void *work)
{
  walker *w = work;
  w->team->job(&w->own);
}

/* A walker's part in a job of all, up to the end of it. */
static void take_part(walker *w)
{
  team *t = w->team;
  if (!mem_protect(do_job, w)) {
    atomic_store(&t->full, true);
    team_stop(t);
  }
  while (!meet(w, true, false))
    ;
}

static void *run_thread(void *work)
{
  walker *w = work;
  team *t = w->team;
  mem_use_budget(t->budget);
  for (uint64_t rounds = 0;; rounds++) {
    pthread_mutex_lock(&t->lock);
    while (t->rounds == rounds && !t->quits)
      pthread_cond_wait(&t->changed, &t->lock);
    bool quits = t->quits;
    pthread_mutex_unlock(&t->lock);
    if (quits)
      return NULL;
    take_part(w);
  }
}

/* Signals are for the thread that called us. */
static bool start_thread(walker *w)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  w->has_thread = !pthread_create(&w->thread, NULL, run_thread, w);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return w->has_thread;
}

/* Has all threads and views that a job for all needs.  Without them the first
** walker goes on alone. */
static bool start_threads(team *t)
{
  for (uint32_t i = 1; i < t->count; i++)
    if (!t->walkers[i].has_thread && !start_thread(&t->walkers[i]))
      return false;
  return true;
}

static bool share_store(team *t)
{
  const store_class *class = t->asker->result->store;
  store *shared = t->asker->watch.store;
  for (uint32_t i = 0; i < t->count; i++) {
    walker *w = &t->walkers[i];
    if (!w->view && !(w->view = class->sharing->view(shared)))
      return false;
    w->own.watch.store = w->view;
  }
  return class->sharing->open(shared);
}

static void run_shared(team *t)
{
  const store_class *class = t->asker->result->store;
  pthread_mutex_lock(&t->lock);
  t->is_shared = true;
  t->rounds++;
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->lock);
  take_part(&t->walkers[0]);
  t->is_shared = false;
  if (!class->sharing->close(t->asker->watch.store)) {
    atomic_store(&t->full, true);
    team_stop(t);
  }
}

/* ---- a team -------------------------------------------------------------- */

static void take_reduction(team *t, uint32_t index)
{
  search *own = &t->walkers[index].own;
  if (!t->reductions)
    return;
  own->reduction =
      index ? reduce_share(t->asker->reduction) : t->asker->reduction;
  t->reductions[index] = own->reduction;
  reduce_by_levels(own->reduction);
}

/* Written for every state that this walker expands. */
static void lend_touch_list(batch *b)
{
  size_t bytes = POSITIONS_MAX * sizeof *b->touches.data;
  b->touches.data = mem_alloc_apart(bytes);
  b->touches.len = b->touches.cap = POSITIONS_MAX;
}

/* One of two orders is left out where all steps are taken (asleep.h) and native code
** may tell. */
static void lend_touches(const team *t, walker *w)
{
  const search *r = t->asker;
  if (r->runs || r->reduction ||
      r->options->asked.engine == NUT_ENGINE_INTERPRETED)
    return;
  if (!space_reserve(&w->here.asleep, r->watch.room) ||
      !space_reserve(&w->next.asleep, r->watch.room))
    mem_give_up();
  for (uint32_t i = 0; i < COHORT_MAX; i++)
    lend_touch_list(&w->own.batches[i]);
}

/* A walker's search: as the asker's, with nothing of it but what is read. */
static void make_walker(team *t, uint32_t index)
{
  search *r = t->asker;
  walker *w = &t->walkers[index];
  w->team = t;
  w->index = index;
  w->own = (search){.program = r->program,
                    .options = r->options,
                    .loop = r->loop,
                    .result = &w->result,
                    .watch = r->watch,
                    .judges_states = r->judges_states,
                    .shallow = {.due = UINT64_MAX},
                    .team = t,
                    .walker = w};
  w->own.checks.data = r->checks.data;
  w->own.checks.len = r->checks.len;
  for (size_t i = 0; i < sizeof r->property_of / sizeof *r->property_of; i++)
    w->own.property_of[i] = r->property_of[i];
  w->own.watch.result = &w->result;
  w->found = mem_alloc(t->kinds * sizeof *w->found);
  if (team_keeps_track(t))
    w->late = mem_alloc(t->kinds * sizeof *w->late);
  take_reduction(t, index);
  w->own.runs = r->runs;
  w->own.worker = index ? worker_create(r->program) : r->worker;
  if (index)
    between_lend(&w->own.between, r->program, r->watch.room, w->own.worker);
  worker_set_patience(w->own.worker, is_impatient, w);
  if (r->options->asked.coverage)
    worker_count(w->own.worker);
  if (r->options->asked.coverage && t->checkpoint)
    w->executed = mem_alloc(executed_bytes(w));
  if (!space_reserve(&w->here.memory, r->watch.room) ||
      !space_reserve(&w->next.memory, r->watch.room))
    mem_give_up();
  lend_touches(t, w);
  t->own_parts[index] = &w->here;
  if (r->runs)
    runs_take_walker(r->runs, &w->own);
}

/* It counts at once, so that what it has is given back. */
static void add_walker(team *t)
{
  uint32_t index = t->count++;
  make_walker(t, index);
}

/* Workers compile an expression when they meet it first, which is no thing to
** do in several threads. */
static void teach_expressions(const team *t)
{
  search *r = t->asker;
  batch *b = &r->batches[0];
  program_initial(r->worker, b);
  const successor *initial = &b->list.data[0];
  for (uint32_t i = 0; i < t->count; i++)
    for (size_t k = 0; k < r->checks.len; k++) {
      trace_claim claim = search_claim_of(r, &r->checks.data[k]);
      (void)trace_claim_holds(t->walkers[i].own.worker, &claim,
                              b->bytes.data + initial->start, initial->length);
    }
}

void team_create(search *r)
{
  team *t = r->team = mem_alloc(sizeof *t);
  t->asker = r;
  t->budget = mem_use_budget(NULL);
  mem_use_budget(t->budget);
  /* Numbers are right only when there are as many. */
  size_t kinds = r->result->answers.len + FOUND_KINDS;
  t->found = mem_alloc(kinds * sizeof *t->found);
  t->kinds = kinds;
  t->most = r->threads;
  /* Several ranks write their files together. */
  t->checkpoint =
      r->fleet ? NULL : search_keeper(r->runs ? runs_asker(r->runs) : r);
  t->by_rounds = r->fleet && r->options->checkpoint && !r->options->prefix;
  disk_create(t);
  t->walkers = mem_alloc_apart(t->most * sizeof *t->walkers);
  t->own_parts = mem_alloc(2 * (size_t)t->most * sizeof *t->own_parts);
  if (r->reduction)
    t->reductions = mem_alloc(t->most * sizeof *t->reductions);
  t->has_lock = !pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->changed, NULL);
  t->helpers = (helpers){t->most, t, share_help};
  atomic_store(&t->sleeps, true);
  add_walker(t);
  t->parts = t->own_parts;
  t->part_count = t->count;
}

void team_fill(team *t)
{
  if (t->count == t->most || !t->asker->result->store->sharing)
    return;
  while (t->count < t->most)
    add_walker(t);
  teach_expressions(t);
}

/* ---- a job --------------------------------------------------------------- */

void team_run(team *t, team_job *job, bool by_all)
{
  const store_class *class = t->asker->result->store;
  t->job = job;
  by_all = by_all && t->most > 1 && class->sharing;
  if (by_all)
    team_fill(t);
  if (by_all && start_threads(t) && share_store(t)) {
    t->asker->result->threads = t->count;
    run_shared(t);
    return;
  }
  t->walkers[0].own.watch.store = t->asker->watch.store;
  job(&t->walkers[0].own);
}

/* The same choices are made again only by who knows as little as before. */
static void make_reductions_again(team *t)
{
  search *r = t->asker;
  for (uint32_t i = 0; i < t->count; i++) {
    if (i)
      reduce_destroy(t->walkers[i].own.reduction);
    t->walkers[i].own.reduction = NULL;
  }
  reduce_destroy(r->reduction);
  r->reduction = NULL;
  search_make_reduction(r);
  for (uint32_t i = 0; i < t->count; i++)
    take_reduction(t, i);
}

void team_settle_reduction(team *t, bool by_all)
{
  search *r = t->asker;
  if (!t->reductions)
    return;
  bool rested = reduce_rests(r->reduction);
  reduce_settle(t->reductions, t->count);
  r->claim_broken = reduce_claim_broken(r->reduction);
  if (r->claim_broken)
    watch_stop(&r->watch, REASON_NONE);
  if (r->watch.stop)
    return;
  bool rests = reduce_rests(r->reduction);
  t->part_count = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    walker *w = &t->walkers[i];
    atomic_store_explicit(&w->here.taken, 0, memory_order_relaxed);
    if (!rested)
      t->own_parts[t->part_count++] = &w->here;
    if (!rests)
      t->own_parts[t->part_count++] = &w->next;
  }
  if (t->part_count)
    team_run(t, r->loop->level_mark, by_all);
  if (t->checkpoint && atomic_load(&t->stop))
    checkpoint_finish_marks(t, !rested, !rests);
}

void team_begin_again(team *t)
{
  search *r = t->asker;
  if (t->reductions)
    make_reductions_again(t);
  t->judges = false;
  t->keeps = true;
  atomic_store(&t->sleeps, false); /* levels that are kept are sorted */
  t->checkpoint = NULL;
  t->by_rounds = false;
  for (uint32_t i = 0; i < t->count; i++)
    t->walkers[i].own.desk = NULL;
  t->is_resumed = false;
  atomic_store(&t->stop, false);
  atomic_store(&t->wanted, false);
  atomic_store(&t->full, false);
  disk_begin_again(t);
  for (uint32_t i = 0; i < t->count; i++) {
    walker *w = &t->walkers[i];
    frontier_clear(&w->here);
    frontier_clear(&w->next);
    vec_clear(&w->own.fresh);
    vec_clear(&w->own.handles);
    w->own.watch.stop = false;
    w->result.stats = (statistics){0};
    t->own_parts[i] = &w->here;
  }
  t->parts = t->own_parts;
  t->part_count = t->count;
  if (!t->kept.memory.base && !space_reserve(&t->kept.memory, r->watch.room))
    mem_give_up();
  if (!t->packed.memory.base &&
      !space_reserve(&t->packed.memory, r->watch.room))
    mem_give_up();
}

static void end_threads(team *t)
{
  pthread_mutex_lock(&t->lock);
  t->quits = true;
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->lock);
  for (uint32_t i = 1; t->walkers && i < t->count; i++)
    if (t->walkers[i].has_thread)
      pthread_join(t->walkers[i].thread, NULL);
}

static void destroy_walker(team *t, walker *w)
{
  for (size_t k = 0; w->found && k < t->kinds; k++)
    finding_free(&w->found[k]);
  mem_free(w->found, t->kinds * sizeof *w->found);
  for (size_t k = 0; w->late && k < t->kinds; k++)
    finding_free(&w->late[k]);
  mem_free(w->late, t->kinds * sizeof *w->late);
  places_free(&w->late_places);
  mem_free(w->executed, w->executed ? executed_bytes(w) : 0);
  finding_free(&w->back);
  places_free(&w->places);
  vec_free(&w->waiting);
  vec_free(&w->key);
  reserve_destroy(&w->here.memory);
  reserve_destroy(&w->next.memory);
  reserve_destroy(&w->here.asleep);
  reserve_destroy(&w->next.asleep);
  for (size_t i = 0; i < COHORT_MAX; i++)
    batch_free(&w->own.batches[i]);
  vec_free(&w->own.fresh);
  vec_free(&w->own.handles);
  vec_free(&w->own.leads);
  if (w->index)
    reduce_destroy(w->own.reduction);
  runs_free_walker(w->own.runner);
  mem_free(w->own.buffer, w->own.buffer_bytes);
  if (w->index)
    worker_destroy(w->own.worker);
}

void team_end_views(team *t)
{
  const store_class *class = t->asker->result->store;
  for (uint32_t i = 0; t->walkers && i < t->count; i++) {
    if (t->walkers[i].view)
      class->sharing->view_destroy(t->walkers[i].view);
    t->walkers[i].view = NULL;
  }
}

void team_destroy(team *t)
{
  if (!t)
    return;
  if (t->has_lock)
    end_threads(t);
  team_end_views(t);
  disk_destroy(t);
  for (uint32_t i = 0; t->walkers && i < t->count; i++)
    destroy_walker(t, &t->walkers[i]);
  for (size_t k = 0; t->found && k < t->kinds; k++)
    finding_free(&t->found[k]);
  mem_free(t->found, t->kinds * sizeof *t->found);
  places_free(&t->places);
  mem_free(t->own_parts, 2 * (size_t)t->most * sizeof *t->own_parts);
  mem_free(t->reductions, t->most * sizeof *t->reductions);
  vec_free(&t->reached);
  vec_free(&t->executed);
  outlook_free(&t->outlook);
  mem_free(t->walkers, t->most * sizeof *t->walkers);
  reserve_destroy(&t->kept.memory);
  reserve_destroy(&t->packed.memory);
  vec_free(&t->starts);
  vec_free(&t->path);
  vec_free(&t->ends);
  vec_free(&t->last);
  if (t->has_lock) {
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
  }
  mem_free(t, sizeof *t);
}
