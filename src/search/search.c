/* A run from its options to its result: store, reduction, loop, figures. */

#include "search/search.h"

#include "base/alloc.h"
#include "base/system/usage.h"
#include "search/checkpoint/checkpoint.h"
#include "search/disk/disk.h"
#include "search/ranks/fleet.h"
#include "search/search_internal.h"
#include "store/tree/collapse_tree.h"

#include <assert.h>
#include <string.h>

static const search_loop *const loops[STORE_LOOPS] = {
#define STORE(x) [STORE_BY_##x] = &loop_##x,
    STORES(STORE, STORE)
#undef STORE
};

search_options search_defaults(void)
{
  return (search_options){.asked = {.max_errors = 1,
                                    .deadlocks = true,
                                    .liveness = true,
                                    .algorithm = NUT_ALGORITHM_AUTO}};
}

reduce_kind search_reduction_of(const search_options *o)
{
  if (o->asked.shortest)
    return REDUCE_OFF;
  switch (o->asked.por) {
  case NUT_POR_OFF:
    return REDUCE_OFF;
  case NUT_POR_AMPLE:
    return REDUCE_AMPLE;
  case NUT_POR_ON:
  case NUT_POR_STUBBORN:
    return REDUCE_STUBBORN;
  }
  return REDUCE_OFF;
}

set_settings search_set_of(const search_options *o)
{
  return (set_settings){.buffer_bytes = o->asked.buffer_bytes,
                        .reduce_every = o->asked.reduce_every,
                        .hashes = o->asked.hashes};
}

/* The order of elements in a store; by itself it is that of the model. */
static element_order elements_of(nut_order order)
{
  switch (order) {
  case NUT_ORDER_FORCE:
  case NUT_ORDER_DECLARED:
  case NUT_ORDER_BANDWIDTH:
    return ELEMENTS_DECLARATION;
  case NUT_ORDER_DEPENDENCY:
    return ELEMENTS_DEPENDENCY;
  case NUT_ORDER_VARYING:
    return ELEMENTS_VARYING;
  case NUT_ORDER_LEARNED:
    return ELEMENTS_LEARNED;
  case NUT_ORDER_INTERLEAVED:
    return ELEMENTS_INTERLEAVED;
  }
  return ELEMENTS_DECLARATION;
}

void search_note_stuck(search *r)
{
  search_result *result = r->result;
  if (result->stuck && !r->batch->abandoned)
    return;
  result->stuck = true;
  result->endless = !r->batch->abandoned;
  result->stuck_edge = r->batch->stuck_edge;
  result->stuck_process = r->batch->stuck_process;
}

/* Memory ran out inside an atomic sequence, which may have been the reason. */
static void note_inside(search *r)
{
  search_result *result = r->result;
  if (!r->worker || result->stuck)
    return;
  result->stuck =
      worker_was_inside(r->worker, &result->stuck_edge, &result->stuck_process);
}

/* ---- reduction ---------------------------------------------------------- */

static bool is_on_stack(const search *r, size_t i)
{
  const successor *next = r->batches[0].list.data + i;
  return onstack_has(
      &r->onstack,
      onstack_fingerprint(r->batches[0].bytes.data + next->start + r->hidden,
                          next->length - r->hidden));
}

/* A new state is expanded after this one, and depth first is done with before
** it.  A state that is neither new nor on the stack is done with already.  So
** on the way from one state to the next that keeps a promise one comes to a
** state that was expanded with all its successors. */
bool search_keeps_promise(const search *r, size_t chosen)
{
  size_t fresh = 0;
  bool depth_first = r->result->order == NUT_DFS;
  for (size_t i = 0; i < chosen; i++) {
    bool is_fresh = fresh < r->fresh.len && r->fresh.data[fresh].index == i;
    fresh += is_fresh;
    if (!reduce_leads_on(r->reduction, i))
      continue;
    if (is_fresh || (depth_first && !is_on_stack(r, i)))
      return true;
  }
  return false;
}

size_t search_choose(search *r, const uint8_t *state, uint32_t length, batch *b)
{
  size_t chosen = reduce_choose(r->reduction, state, length, b);
  r->claim_broken = reduce_claim_broken(r->reduction);
  if (r->claim_broken)
    watch_stop(&r->watch, REASON_NONE);
  return chosen;
}

/* Expansions after which a reduction must leave out much; where it is there by
** default it is asked before whether it leaves out anything. */
enum { RECKON_AFTER = 10000, RECKON_FIRST = RECKON_AFTER / 16 };

/* What was expanded up to here is as it is: of a circle of states from which
** something was left out all are on the stack, or were, and one has kept the
** promise to the others; and from now on nothing is left out. */
void search_reckon(search *r)
{
  r->reckon_at *= 2;
  const statistics *stats = &r->result->stats;
  if (reduce_is_worth(r->reduction, stats->expanded, stats->transitions))
    return;
  r->gave_up = stats->expanded < RECKON_AFTER;
  reduce_destroy(r->reduction);
  r->reduction = NULL;
  r->reckon_at = UINT64_MAX;
  onstack_free(&r->onstack);
}

void search_make_reduction(search *r)
{
  const search_options *options = r->options;
  r->reckon_at = UINT64_MAX;
  reduce_kind kind = search_reduction_of(options);
  if (kind == REDUCE_OFF || options->count)
    return;
  if (options->on_state) {
    r->result->por_off = "every state is looked at";
    return;
  }
  vec_clear(&r->visible);
  for (size_t i = 0; i < r->checks.len; i++)
    vec_push(&r->visible, r->checks.data[i].expr);
  reduce_options o = {.kind = kind,
                      .visible = r->visible.data,
                      .visible_count = r->visible.len,
                      .must_pay = options->asked.por == NUT_POR_ON,
                      .doubts_claims = r->doubts_claims};
  r->reduction = reduce_create(r->program, &o, &r->result->por_off);
  if (r->reduction) {
    r->reckon_at = options->reckon_after ? options->reckon_after
                   : o.must_pay          ? RECKON_FIRST
                                         : RECKON_AFTER;
    r->result->por = kind;
  }
  if (r->gave_up) {
    reduce_destroy(r->reduction);
    r->reduction = NULL;
    r->reckon_at = UINT64_MAX;
  }
}

/* ---- the store ---------------------------------------------------------- */

/* States at which the store looks for a better way to keep them.  Where states go
** to a disk, what it learns must be learned before. */
static uint64_t states_to_learn_from(const search *r)
{
  enum { LEAST = 1 << 12, BYTES_EACH = 128 };
  uint64_t usual = SEARCH_LEARN_AT, few = r->watch.room / BYTES_EACH;
  if (r->options->learn_at)
    return r->options->learn_at;
  if (!r->options->asked.disk || few > usual)
    return usual;
  return few > LEAST ? few : LEAST;
}

store *search_make_store(search *r)
{
  enum { SAMPLE = 1500 };
  const store_class *class = r->result->store;
  element_order order = elements_of(r->options->asked.order);
  bool learns =
      class->learns || (class->codec_class && class->codec_class->learn);
  bool orders = class->set_class && class->set_class->insert &&
                order != ELEMENTS_DECLARATION;
  if (learns || orders)
    preview_take(&r->preview, r->program, SAMPLE, watch_is_over, &r->watch);
  store_settings settings = {
      .map = program_map(r->program),
      .fields = program_fields(r->program),
      .max_bytes =
          r->options->disk_bytes ? r->options->disk_bytes : r->watch.room,
      .asked_bytes = r->watch.limits->asked.memory_bytes ? r->watch.room : 0,
      .sample = r->preview.states.data,
      .sample_count = r->preview.states.len,
      .order = order,
      .footprints = orders ? program_footprints(r->program) : NULL,
      .set = search_set_of(r->options),
      .learn_at = states_to_learn_from(r)};
  store *made = class->create(class, &settings);
  preview_free(&r->preview);
  return made;
}

/* From a store that has all states. */
static void show_stored(search *r)
{
  if (r->options->on_stored && r->team && r->watch.store && !r->watch.stop &&
      r->result->store == &store_collapse_tree)
    levels_show(r);
}

/* The walk over the states is in the file; what is left are infinite runs. */
static void restore_walk(search *r)
{
  search_result *result = r->result;
  if (r->options->asked.coverage)
    vec_resize(&result->executed, result->reached.len);
  if (checkpoint_restore_ledger(r, r->resume))
    return;
  result->not_resumed = block_problem(r->resume);
  if (result->not_resumed)
    watch_stop(&r->watch, REASON_NOT_CHECKED);
}

static void run_loop(void *work)
{
  search *r = work;
  search_result *result = r->result;
  search_take_questions(r);
  vec_resize(&result->reached, program_model(r->program)->edges.len);
  r->worker = worker_create(r->program);
  between_lend(&r->between, r->program, r->watch.room, r->worker);
  worker_set_patience(r->worker, watch_is_over, &r->watch);
  result->walked = search_wants_states(r);
  if (r->resumes_runs) {
    restore_walk(r);
    return;
  }
  if (!result->walked)
    return; /* searches for infinite runs follow, which reduce nothing */
  if (r->options->asked.coverage) {
    worker_count(r->worker);
    vec_resize(&result->executed, result->reached.len);
  }
  search_make_reduction(r);
  levels_count_threads(r);
  shallow_start(r);
  r->watch.store = search_make_store(r);
  if (!r->watch.store)
    watch_full(&r->watch);
  else if (result->order == NUT_DFS)
    r->loop->depth_first(r);
  else if (levels_suit(r->program, r->options, r->loop)) {
    r->fleet = fleet_create(r->options->ranks);
    deep_start(r);
    levels_run(r);
  } else
    r->loop->breadth_first(r);
  show_stored(r);
  watch_end_growth(&r->watch);
  if (r->watch.store && r->options->drawing && result->store->draw)
    result->store->draw(r->watch.store, r->options->teller,
                        r->options->drawing);
}

/* Before anything is executed once more, for traces or in products. */
static void collect_executed(search *r)
{
  const uint64_t *own = r->worker ? worker_executed(r->worker) : NULL;
  for (size_t i = 0; own && i < r->result->executed.len; i++)
    r->result->executed.data[i] = own[i];
  levels_add_executed(r);
}

static void collect_figures(search *r)
{
  search_result *result = r->result;
  statistics *stats = &result->stats;
  if (r->watch.store) {
    stats->store_bytes = result->store->bytes(r->watch.store);
    stats->state_bytes = result->store->max_length(r->watch.store);
    if (result->store->figures)
      result->store_figures = result->store->figures(r->watch.store);
  }
  uint64_t other = r->parents.used / 8 + r->level_used[0] + r->level_used[1] +
                   r->ordinals.committed + r->hidden_bytes.committed +
                   r->numbers.committed + onstack_bytes(&r->onstack) +
                   levels_bytes(r->team);
  if (stats->search_bytes < other)
    stats->search_bytes = other;
  if (r->team) {
    disk_tell(r->team->disk);
    stats->store_bytes += disk_dense_bytes(r->team->disk);
  }
  if (r->fleet)
    fleet_join_figures(r);
}

static void collect_last_figures(search *r)
{
  search_result *result = r->result;
  size_t edges = program_model(r->program)->edges.len;
  if (r->worker && edges && result->reached.len == edges)
    for (size_t i = 0; i < edges; i++)
      result->reached.data[i] |= worker_reached(r->worker)[i];
  levels_add_reached(r);
  result->stats.memory_bytes = usage_resident_peak();
  result->seconds = limits_seconds(r->watch.limits);
}

/* Gives back what the walk over the states needed: searches for infinite runs
** come after it and want the memory. */
static void free_space(search *r)
{
  levels_leave_store(r);
  if (r->watch.store)
    r->result->store->destroy(r->watch.store);
  r->watch.store = NULL;
  stack_destroy(&r->stack);
  path_destroy(&r->path);
  reserve_destroy(&r->parents.bits);
  reserve_destroy(&r->hidden_bytes);
  reserve_destroy(&r->levels[0]);
  reserve_destroy(&r->levels[1]);
  reserve_destroy(&r->ordinals);
  reserve_destroy(&r->numbers);
}

static void run_free(search *r)
{
  levels_free(r);
  fleet_destroy(r->fleet);
  free_space(r);
  preview_free(&r->preview);
  worker_destroy(r->worker);
  worker_destroy(r->replayer);
  worker_destroy(r->teller);
  for (size_t i = 0; i < COHORT_MAX; i++)
    batch_free(&r->batches[i]);
  vec_free(&r->fresh);
  vec_free(&r->asked.list);
  vec_free(&r->cohorts.bytes);
  vec_free(&r->checks);
  vec_free(&r->places);
  vec_free(&r->visible);
  vec_free(&r->handles);
  vec_free(&r->leads);
  vec_free(&r->choices);
  mem_free(r->buffer, r->buffer_bytes);
  reduce_destroy(r->reduction);
  onstack_free(&r->onstack);
  arena_destroy(r->claims);
}

typedef enum {
  RUN_COUNTS,
  RUN_DOUBTS, /* it relied on claims that are broken */
  RUN_PASSES  /* as a depth-first search it was to be short, and is not over */
} run_end;

typedef struct run_way {
  nut_search order;
  bool doubts;          /* claims of 'xr' and 'xs' */
  bool gave_up;         /* the reduction, when next to nothing was left out */
  uint64_t first;       /* states after which the run passes; 0: never */
  block_reader *resume; /* goes on from this file; NULL: begins */
  bool at_runs;         /* which is behind the walk over the states */
} run_way;

static run_end run_once(program *p, const search_options *options,
                        const store_class *class, const search_loop *loop,
                        search_result *result, run_way *way)
{
  *result = (search_result){.store = class, .order = way->order, .threads = 1};
  search r = {
      .program = p,
      .options = options,
      .loop = loop,
      .result = result,
      .hidden = program_hidden(p),
      .cohort_after =
          options->cohort_after ? options->cohort_after : SEARCH_GROUP_AFTER,
      .doubts_claims = way->doubts,
      .gave_up = way->gave_up,
      .shallow = {.due = UINT64_MAX, .size = SHALLOW_FIRST},
      .first = way->first,
      .resume = way->resume,
      .resumes_runs = way->at_runs,
      .threads = 1,
  };
  if (options->ranks)
    result->ranks.count = ranks_count(options->ranks);
  limits none;
  limits_start(&none, &(limits_asked){0});
  watch_start(&r.watch, options->limits ? options->limits : &none, options,
              result);
  r.watch.limits->keeps_tables |= search_keeper(&r) != NULL;
  bool polled = limits_set_polled(r.watch.limits, true);
  if (!mem_protect(run_loop, &r)) {
    watch_left(&r.watch);
    levels_leave(&r);
    note_inside(&r);
  }
  limits_set_polled(r.watch.limits, polled);
  if (r.claim_broken || r.passes) {
    way->gave_up = r.gave_up;
    run_free(&r);
    return r.claim_broken ? RUN_DOUBTS : RUN_PASSES;
  }
  collect_executed(&r);
  collect_figures(&r);
  free_space(&r);
  levels_tell(&r);
  if (options->asked.disk) { /* which the next search wants */
    levels_add_reached(&r);
    levels_free(&r);
    fleet_destroy(r.fleet);
    r.fleet = NULL;
  }
  live_check(&r);
  search_decide(&r);
  if (options->ranks)
    ranks_set_farewell(options->ranks, r.watch.stop ? result->reason + 1u : 0);
  collect_last_figures(&r);
  run_free(&r);
  return RUN_COUNTS;
}

/* Where it is left to us: depth first, which finds deep errors soon, and if that
** takes long, level by level.  Where levels do not suit it stays so. */
static run_way way_of(const program *p, const search_options *o,
                      const search_loop *loop)
{
  bool by_levels = levels_suit(p, o, loop);
  if (o->asked.shortest)
    return (run_way){.order = NUT_BFS};
  if (o->asked.search != NUT_SEARCH_AUTO)
    return (run_way){.order = o->asked.search};
  if (by_levels && o->count)
    return (run_way){.order = NUT_BFS};
  uint64_t first = o->first ? o->first : SEARCH_FIRST;
  return (run_way){.order = NUT_DFS, .first = by_levels ? first : 0};
}

/* A file of a search that was under way goes on by levels; one from before it
** began has nothing more to say. */
static void take_resume(const search_options *o, run_way *way)
{
  bool doubts, gave_up;
  checkpoint_stage stage =
      o->resume ? checkpoint_stage_of(o->resume, &doubts, &gave_up)
                : CHECKPOINT_START;
  if (stage != CHECKPOINT_START)
    *way = (run_way){.order = NUT_BFS,
                     .doubts = doubts,
                     .gave_up = gave_up,
                     .resume = o->resume,
                     .at_runs = stage == CHECKPOINT_RUNS};
}

void search_run_loop(program *p, const search_options *options,
                     const store_class *class, const search_loop *loop,
                     search_result *result)
{
  run_way way = way_of(p, options, loop ? loop : loops[class->loop]);
  take_resume(options, &way);
  for (;;) {
    const store_class *used = class;
    if (!loop && way.order == NUT_DFS && class->moving)
      used = class->moving;
    run_end end = run_once(p, options, used, loop ? loop : loops[used->loop],
                           result, &way);
    if (end == RUN_COUNTS)
      return;
    search_result_free(result);
    way.doubts |= end == RUN_DOUBTS;
    way.resume = NULL;
    way.at_runs = false;
    if (end == RUN_PASSES)
      way = (run_way){
          .order = NUT_BFS, .doubts = way.doubts, .gave_up = way.gave_up};
  }
}

void search_run(program *p, const search_options *options,
                search_result *result)
{
  assert(p && options && result);
  const char *name = options->asked.store;
  const store_class *class = name ? store_find(name) : store_classes[0];
  assert(class);
  search_run_loop(p, options, class, NULL, result);
}

void search_result_free(search_result *result)
{
  answers_free(&result->answers);
  questions_free(&result->own);
  arena_destroy(result->arena);
  vec_free(&result->reached);
  vec_free(&result->executed);
  vec_free(&result->team);
  trace_destroy(result->overflow);
  *result = (search_result){0};
}
