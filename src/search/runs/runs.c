/* From a search of one thread that has become long to an answer by all. */

#include "search/runs/runs_internal.h"

#include "base/alloc.h"
#include "base/system/cores.h"
#include "search/disk/disk.h"
#include "search/liveness/by_handle.h"

/* ---- whether -------------------------------------------------------------- */

static const char *trouble_of_search(const live *l)
{
  const nut_options *o = &l->watch.options->asked;
  if (l->product.hidden)
    return "hidden variables hold what the first path brought";
  if (program_model(l->product.program)->flags & MODEL_HAS_C)
    return "embedded C is called by one";
  if (l->result.store != &store_collapse_tree)
    return "the store cannot be shared";
  if (o->algorithm != NUT_ALGORITHM_AUTO)
    return "the search that was asked for uses one";
  if (o->depth)
    return "a limit of depth is for searches of one";
  if (o->shortest)
    return "short loops are looked for by one";
  if (!l->by_handle)
    return "strong fairness is looked at by one where processes come and go";
  return NULL;
}

static bool is_settled(live *l)
{
  batch *b = &l->product.batch;
  if (!l->product.reduction)
    return true;
  program_initial(l->product.worker, b);
  const successor *s = b->list.data;
  return reduce_is_settled(l->product.reduction, b->bytes.data + s->start,
                           s->length);
}

const char *runs_why_alone(live *l)
{
  const char *why = trouble_of_search(l);
  return why             ? why
         : is_settled(l) ? NULL
                         : "what is left out of infinite runs depends on the "
                           "order in which processes are met";
}

uint32_t runs_threads(const search_options *o)
{
  uint32_t asked = o->asked.threads;
  if (!asked || asked == NUT_THREADS_AUTO)
    asked = cores_available();
  return asked < CORES_MOST ? asked : CORES_MOST;
}

/* Steps are computed once for the product, and again by each pass: about once
** more where the observer accepts every loop, twice where it has marks, three
** times with fairness. */
uint32_t runs_worth(const live *l)
{
  const by_handle *w = l->by_handle;
  if (l->watch.options->share_after)
    return 2;
  if (l->fairness != NUT_FAIR_NONE)
    return 4;
  for (size_t i = 0; i < w->sccs.len; i++)
    if (w->sccs.data[i].accepts && !w->sccs.data[i].all_loops)
      return 3;
  return 2;
}

/* ---- the product ----------------------------------------------------------- */

static bool make_store(runs *r)
{
  const live *l = r->live;
  const search_options *o = r->search.options;
  store_settings settings = {
      .map = &l->product.map,
      .max_bytes = o->disk_bytes ? o->disk_bytes : r->search.watch.room,
      .set = search_set_of(o),
      .learn_at = o->learn_at ? o->learn_at : SEARCH_LEARN_AT};
  const store_class *class = r->result.store;
  r->search.watch.store = class->create(class, &settings);
  return r->search.watch.store;
}

static void make_search(runs *r, search *asker)
{
  const search_options *o = asker->options;
  r->result = (search_result){
      .store = &store_collapse_tree, .order = NUT_BFS, .threads = 1};
  r->search = (search){.program = asker->program,
                       .worker = asker->worker,
                       .options = o,
                       .loop = &loop_collapse_tree,
                       .result = &r->result,
                       .cohort_after = o->cohort_after ? o->cohort_after
                                                       : SEARCH_GROUP_AFTER,
                       .shallow = {.due = UINT64_MAX},
                       .threads = runs_threads(o),
                       .row = asker->row,
                       .row_phase = asker->row_phase,
                       .runs = r};
  if (asker->row_phase == ROW_LEVELS || asker->row_phase == ROW_SWEEPS)
    r->search.resume = asker->resume;
  watch_start(&r->search.watch, asker->watch.limits, o, &r->result);
  r->search.fleet = fleet_create(o->ranks);
}

static void keep_initial(runs *r)
{
  batch *b = &r->live->product.batch;
  program_initial(r->live->product.worker, b);
  const successor *s = b->list.data;
  for (uint32_t i = 0; i < s->length; i++)
    vec_push(&r->initial, b->bytes.data[s->start + i]);
}

static bool is_over(const runs *r)
{
  const team *t = r->search.team;
  bool over = r->gives_up;
  for (uint32_t i = 0; t && i < t->count; i++)
    over |= t->walkers[i].own.runner && t->walkers[i].own.runner->is_over;
  return over;
}

static bool has_met(const runs *r)
{
  const team *t = r->search.team;
  bool met = false;
  for (uint32_t i = 0; t && i < t->count; i++)
    met |= t->walkers[i].own.runner && t->walkers[i].own.runner->has_met;
  return met;
}

static bool is_sure(const runs *r)
{
  const team *t = r->search.team;
  bool sure = false;
  for (uint32_t i = 0; t && i < t->count; i++)
    sure |= t->walkers[i].own.runner && t->walkers[i].own.runner->is_sure;
  return sure;
}

/* With other ranks: who can move is known to all, and whether one gives up. */
static void join_ranks(runs *r)
{
  team *t = r->search.team;
  process_set able = runs_find_able(r);
  if (!runs_is_spread(r))
    return;
  r->gives_up = is_over(r);
  fleet_join_bits(t, able.words, PROCESS_WORDS, &r->gives_up);
  t->walkers[0].own.runner->enabled = able;
}

/* All states of the product; false: the run has ended. */
static bool walk(runs *r)
{
  search *s = &r->search;
  keep_initial(r);
  if (!make_store(r))
    return false;
  team_create(s);
  if (!s->loop->level_begin(s) || !levels_restore(s))
    return false;
  r->live->asker->resume = NULL; /* what is found from now on is more */
  if (!r->is_inside)
    levels_walk(s->team, UINT64_MAX);
  join_ranks(r);
  return !s->watch.stop;
}

/* ---- what loops need ------------------------------------------------------- */

static bool some_loop_counts(const runs *r)
{
  for (size_t i = 0; i < r->sccs.len; i++)
    if (r->sccs.data[i].accepts)
      return true;
  return false;
}

/* Whether a loop may lack a mark. */
static bool marks_count(const runs *r)
{
  for (size_t i = 0; i < r->sccs.len; i++)
    if (r->sccs.data[i].accepts && !r->sccs.data[i].all_loops)
      return true;
  return r->live->by_scc;
}

bool runs_find_needs(runs *r)
{
  const live *l = r->live;
  process_set able = runs_find_able(r);
  r->needs = r->marks = marks_count(r) ? l->observer.marks : 0;
  for (uint32_t p = 0; p < 64 * PROCESS_WORDS; p++) {
    if (l->fairness == NUT_FAIR_NONE || !(able.words[p / 64] >> p % 64 & 1))
      continue;
    if (r->needs >= RUNS_NEEDS_MOST)
      return false;
    r->processes[r->needs++] = p;
  }
  return r->needs <= RUNS_NEEDS_MOST;
}

/* ---- notes by slot ---------------------------------------------------------- */

static void do_nothing(search *own)
{
  (void)own;
}

/* From now on nothing is stored, so that slots stay.  Opening the store for all
** may make room for more, once. */
static void freeze(runs *r)
{
  collapse_tree *now = collapse_tree_of(r->search.watch.store);
  now->learn_at = UINT64_MAX;
  team_run(r->search.team, do_nothing,
           levels_is_for_all(&r->search, r->result.stats.states));
  const roots *states = &now->now.tree.roots;
  r->slots = roots_slots(states);
  r->shape = states->shape;
  r->parts = roots_parts(states);
}

static void set_mask_bytes(runs *r)
{
  r->mask_bytes = r->needs <= 8    ? 1
                  : r->needs <= 16 ? 2
                  : r->needs <= 32 ? 4
                                   : 8;
}

static void make_notes(runs *r)
{
  r->alive = mem_alloc(runs_bits_size(r));
  r->steps = mem_alloc(r->slots * sizeof *r->steps);
  set_mask_bytes(r);
  if (!r->needs)
    return;
  r->masks = mem_alloc(r->slots * r->mask_bytes);
  r->swept = mem_alloc(runs_bits_size(r));
  r->waiting = mem_alloc(runs_bits_size(r));
}

static uint64_t note_bytes(const runs *r)
{
  if (!r->alive)
    return 0;
  return r->slots * (2 + (r->needs ? r->mask_bytes : 0)) +
         runs_bits_size(r) * (r->needs ? 3 : 1);
}

/* ---- the answer -------------------------------------------------------------- */

bool runs_prepare(runs *r)
{
  if (r->is_prepared)
    return true;
  if (!runs_find_needs(r))
    return false;
  freeze(r);
  make_notes(r);
  r->is_prepared = true;
  return true;
}

/* With a disk: the notes find no room beside the states. */
static bool lacks_room_for_notes(const runs *r)
{
  enum { EACH = 3 }; /* bytes of a note without gains, about */
  const search *s = &r->search;
  const collapse_tree *now = collapse_tree_of(s->watch.store);
  uint64_t bytes =
      roots_slots(&now->now.tree.roots) * (EACH + (r->needs ? 8 : 0));
  size_t limit = s->options->disk_bytes;
  return limit ? s->result->store->bytes(s->watch.store) + bytes > limit
               : bytes > limits_room(s->watch.limits) / 4 * 3;
}

/* Whether the product is on disk, or goes there now; false: all is in memory.  Other
** ranks may have it otherwise. */
static bool is_on_disk(const runs *r)
{
  const disk *d = r->search.team->disk;
  return d && !r->is_prepared &&
         (disk_has_spilled(d) || lacks_room_for_notes(r));
}

/* In memory nobody notes on the way that the steps to a state are too many. */
static bool has_too_many_steps(const runs *r)
{
  for (uint64_t slot = 0; r->steps && slot < r->slots; slot++)
    if (r->steps[slot] == RUNS_STEPS_MOST)
      return true;
  return false;
}

/* Something is left, in some rank: whether it is certain that there is a violating
** run.  Who has no disk will look for it in any case. */
static bool is_certain(runs *r)
{
  uint64_t is_vague = r->is_vague || has_too_many_steps(r);
  if (runs_is_spread(r))
    fleet_join_bits(r->search.team, &is_vague, 1, &r->gives_up);
  return !is_vague && !r->search.watch.stop;
}

/* Whether no loop is left. */
static bool is_without_loops(runs *r)
{
  team *t = r->search.team;
  bool done = false, is_away;
  if (!some_loop_counts(r))
    return true;
  if (t->disk && !runs_find_needs(r))
    return false;
  if (runs_is_spread(r))
    fleet_end_states(r->search.fleet);
  is_away = is_on_disk(r);
  if (is_away) {
    set_mask_bytes(r);
    done = runs_take_away_on_disk(r);
  } else {
    t->expands =
        true; /* if there is no memory for notes, all states are kept */
    done = runs_prepare(r);
    t->expands = false;
    done = done && runs_take_away(r);
  }
  if (done && r->left && (is_away || runs_is_spread(r)))
    r->live->is_violated = is_certain(r) && t->disk;
  return done && !r->left;
}

/* The product as a whole is what was searched. */
static void adopt(runs *r)
{
  live *l = r->live;
  statistics *mine = &l->result.stats;
  const statistics *all = &r->result.stats;
  uint64_t held = levels_bytes(r->search.team) + note_bytes(r);
  mine->states = all->states;
  mine->transitions = all->transitions - 1; /* that to the initial state */
  mine->expanded = all->expanded;
  if (mine->search_bytes < held)
    mine->search_bytes = held;
  by_handle_free(l);
  levels_leave_store(&r->search);
  if (l->watch.store)
    l->result.store->destroy(l->watch.store);
  l->watch.store = r->search.watch.store;
  r->search.watch.store = NULL;
}

/* With other ranks: bytes are those of all, as for any search. */
static void join_figures(runs *r)
{
  statistics *all = &r->result.stats;
  search_result *told = r->live->asker->result;
  const store_class *class = r->result.store;
  if (!runs_is_spread(r))
    return;
  all->store_bytes = class->bytes(r->search.watch.store);
  all->state_bytes = class->max_length(r->search.watch.store);
  fleet_join_figures(&r->search);
  r->live->result.stats.state_bytes = all->state_bytes;
  r->result.ranks.count = told->ranks.count;
  if (r->result.ranks.most_states < told->ranks.most_states)
    r->result.ranks.most_states = told->ranks.most_states;
  told->ranks = r->result.ranks;
}

/* Why the run ends.  What was met that this search does not decide is left to the
** other one, unless it was met because time or memory ran out, and the run goes
** on from a file. */
static void tell_end(const runs *r)
{
  live *l = r->live;
  search_result *all = l->asker->result;
  reason why = r->result.reason;
  bool is_told = search_keeper(l->asker) && why != REASON_NONE;
  /* Another rank may have met it, whose limit is not this one's. */
  is_told |= runs_is_spread(r) &&
             (why == REASON_TIME_LIMIT || why == REASON_INTERRUPTED);
  if (r->result.not_resumed) {
    all->not_resumed = r->result.not_resumed;
    watch_stop(&l->watch, REASON_NOT_CHECKED);
  } else if (r->search.watch.stop && (!is_over(r) || is_told)) {
    watch_stop(&l->watch, r->result.reason);
  }
}

/* What was done with the disk for this property, by all ranks, is a part of all that
** was. */
static void tell_disk(runs *r)
{
  team *t = r->search.team;
  disk_figures *figures = &r->result.disk;
  if (!t)
    return;
  disk_tell(t->disk);
  if (runs_is_spread(r))
    fleet_join_disks(t, figures);
  if (t->disk)
    disk_figures_add(&r->live->asker->result->disk, figures);
}

bool runs_hold(live *l)
{
  search *asker = l->asker;
  runs *r = l->runs = mem_alloc(sizeof *r);
  r->live = l;
  l->is_kept = true;
  make_search(r, asker);
  observer_scc_find(&r->sccs, &l->observer, program_model(asker->program));
  bool holds = walk(r) && is_without_loops(r);
  if (asker->result->threads < r->result.threads)
    asker->result->threads = r->result.threads;
  runs_figures *told = &asker->result->runs;
  told->told += holds;
  told->iterations += r->figures.iterations;
  told->sweeps += r->figures.sweeps;
  told->met += has_met(r);
  l->is_violated |= is_sure(r);
  tell_disk(r);
  if (holds) {
    join_figures(r);
    adopt(r);
  } else {
    tell_end(r);
  }
  l->is_kept = l->watch.stop;
  runs_free(l);
  worker_set_patience(asker->worker, watch_is_over, &l->watch);
  return holds;
}

void runs_leave(live *l)
{
  if (l->runs)
    levels_leave(&l->runs->search);
}

void runs_free(live *l)
{
  runs *r = l->runs;
  if (!r)
    return;
  runs_free_stash(r);
  runs_free_disk(r);
  levels_free(&r->search);
  fleet_destroy(r->search.fleet);
  if (r->search.watch.store)
    r->result.store->destroy(r->search.watch.store);
  for (size_t i = 0; i < COHORT_MAX; i++)
    batch_free(&r->search.batches[i]);
  vec_free(&r->search.fresh);
  vec_free(&r->search.handles);
  mem_free(r->search.buffer, r->search.buffer_bytes);
  vec_free(&r->sccs);
  vec_free(&r->initial);
  mem_free(r->done, r->done ? runs_bits_size(r) : 0);
  mem_free(r->alive, r->alive ? runs_bits_size(r) : 0);
  mem_free(r->steps, r->steps ? r->slots * sizeof *r->steps : 0);
  mem_free(r->masks, r->masks ? r->slots * r->mask_bytes : 0);
  mem_free(r->swept, r->swept ? runs_bits_size(r) : 0);
  mem_free(r->waiting, r->waiting ? runs_bits_size(r) : 0);
  mem_free(r, sizeof *r);
  l->runs = NULL;
}
