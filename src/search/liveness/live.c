/* The path of both searches, and the way of a property through observer,
** product, search and answer. */

#include "search/liveness/live.h"

#include "search/liveness/by_handle.h"
#include "search/liveness/live_ranks.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/system/address_space.h"
#include "search/observer/claim_unfold.h"
#include "search/runs/runs.h"

#include <assert.h>
#include <string.h>

/* ---- the path ---------------------------------------------------------- */

bool live_room(live *l, size_t more)
{
  if (l->used + more <= l->bytes.committed ||
      reserve_commit(&l->bytes, l->used + more))
    return true;
  watch_full(&l->watch);
  return false;
}

/* The state of the program lies above 'used' already. */
static void finish_frame(live *l, uint32_t plain, uint32_t place,
                         uint32_t round, live_frame *f)
{
  uint8_t *at = l->bytes.base + l->used;
  product_put_tail(&l->product, at + plain, place, round, 0);
  *f = (live_frame){.start = l->used, .length = plain + l->product.tail};
  f->hash = hash_bytes(live_key(l, f), live_key_length(l, f));
}

bool live_compose(live *l, const live_edge *e, live_frame *next)
{
  if (!live_room(l, e->length + l->product.tail))
    return false;
  if (e->length)
    memcpy(l->bytes.base + l->used, l->bytes.base + e->start, e->length);
  finish_frame(l, e->length, e->edge.place, e->edge.round, next);
  next->via = e->edge.successor;
  return true;
}

bool live_initial(live *l, live_frame *first)
{
  batch *b = &l->product.batch;
  program_initial(l->product.worker, b);
  assert(b->list.len == 1);
  const successor *s = b->list.data;
  if (!live_room(l, s->length + l->product.tail))
    return false;
  if (s->length)
    memcpy(l->bytes.base + l->used, b->bytes.data + s->start, s->length);
  finish_frame(l, s->length, l->observer.initial, 0, first);
  first->via = PRODUCT_STAYS;
  if (!observer_is_sure(&l->observer, l->observer.initial))
    return true;
  live_found(l, NULL, LIVE_NO_LOOP);
  return false;
}

/* Keeps the edges of the last expansion in the frame; those with the same
** state of the program share its bytes. */
static bool keep_edges(live *l, const live_frame *f)
{
  product *p = &l->product;
  size_t first = l->edges.len, steps = p->steps;
  for (size_t i = 0; i < p->edges.len; i++) {
    live_edge e = {.edge = p->edges.data[i]};
    const uint8_t *state = l->bytes.base + f->start;
    const uint8_t *target =
        product_target(p, &e.edge, state, f->length, &e.length);
    if (i >= steps) {
      e.start = l->edges.data[first + i % steps].start;
    } else {
      if (!live_room(l, e.length))
        return false;
      e.start = l->used;
      if (e.length)
        memcpy(l->bytes.base + l->used, target, e.length);
      l->used += e.length;
    }
    vec_push(&l->edges, e);
  }
  return true;
}

/* Whether a value did not fit, so that the run must end. */
static bool has_outgrown(live *l)
{
  const batch *b = &l->product.batch;
  for (size_t i = 0; i < b->faults.len; i++)
    if (b->faults.data[i].kind == FAULT_OVERFLOW) {
      l->result.outgrown = b->faults.data[i].where;
      watch_stop(&l->watch, REASON_OUTGROWN);
      return true;
    }
  return false;
}

bool live_goes_on(live *l)
{
  watch *w = &l->watch;
  if (l->product.fault) {
    watch_stop(w, REASON_PROPOSITION);
    return false;
  }
  if (w->options->stop_at_overflow && has_outgrown(l))
    return false;
  l->claim_broken =
      l->product.reduction && reduce_claim_broken(l->product.reduction);
  if (l->claim_broken)
    watch_stop(w, REASON_NONE);
  if (!--w->countdown || limits_interrupted(w->limits))
    watch_look(w);
  if (l->result.stats.states >= l->shallow.due && shallow_step_live(l))
    return false;
  return !w->stop;
}

/* Expands the top frame. */
static bool expand_top(live *l)
{
  live_frame *f = &vec_last(&l->frames);
  product *p = &l->product;
  statistics *stats = &l->result.stats;
  product_expand(p, l->bytes.base + f->start, f->length);
  stats->expanded++;
  if (!p->fault && p->sure) {
    live_found(l, NULL, LIVE_NO_LOOP);
    return false;
  }
  if (!live_goes_on(l))
    return false;
  f->enabled = p->enabled;
  stats->transitions += p->edges.len;
  return keep_edges(l, f);
}

bool live_push(live *l, const live_frame *f)
{
  uint64_t limit = l->watch.options->asked.depth;
  statistics *stats = &l->result.stats;
  assert(f->start == l->used);
  vec_push(&l->frames, *f);
  live_frame *top = &vec_last(&l->frames);
  top->first_edge = top->next_edge = l->edges.len;
  l->used += f->length;
  l->watch.depth = l->frames.len - 1;
  if (stats->depth < l->watch.depth)
    stats->depth = l->watch.depth;
  if (limit && l->watch.depth >= limit) {
    l->watch.truncated = true;
    return true;
  }
  if (!expand_top(l))
    return false;
  uint64_t held = l->used + l->frames.cap * sizeof *l->frames.data +
                  l->edges.cap * sizeof *l->edges.data;
  if (stats->search_bytes < held)
    stats->search_bytes = held;
  return true;
}

void live_pop(live *l)
{
  live_frame f = vec_pop(&l->frames);
  l->edges.len = f.first_edge;
  l->used = f.start;
}

bool live_store(live *l, const live_frame *f, uint32_t colour, bool *fresh,
                store_handle *number)
{
  store_handle handle;
  uint8_t *state = l->bytes.base + f->start;
  product_set_colour(&l->product, state, f->length, colour);
  store_result result = l->result.store->insert(
      l->watch.store, live_key(l, f), live_key_length(l, f), STORE_NO_HANDLE,
      UINT64_MAX, number ? number : &handle);
  product_set_colour(&l->product, state, f->length, 0);
  if (result == STORE_FULL) {
    watch_full(&l->watch);
    return false;
  }
  *fresh = result == STORE_NEW;
  return true;
}

void live_found(live *l, const product_edge *last, size_t back)
{
  l->found = true;
  l->path.loop = back;
  vec_clear(&l->path.steps);
  for (size_t i = 1; i < l->frames.len; i++)
    vec_push(&l->path.steps, l->frames.data[i].via);
  if (last)
    vec_push(&l->path.steps, last->successor);
}

bool live_search_path(live *l, live_frame *last)
{
  if (l->by_handle)
    return by_handle_path(l, last);
  vec_clear(&l->path.steps);
  for (size_t i = 1; i < l->frames.len; i++)
    vec_push(&l->path.steps, l->frames.data[i].via);
  *last = vec_last(&l->frames);
  return true;
}

/* ---- one property ------------------------------------------------------ */

/* Which search: the nested one knows neither several marks nor strong
** fairness, and needs several rounds, with states of their own, for the weak
** one.  Its lassos are as long as its stack. */
static bool wants_scc(const search *r)
{
  const nut_options *o = &r->options->asked;
  return o->algorithm == NUT_COMPONENTS || o->fair == NUT_FAIR_STRONG ||
         (o->algorithm == NUT_ALGORITHM_AUTO &&
          (o->fair == NUT_FAIR_WEAK || o->shortest) && r->result->store->exact);
}

/* ---- claims ------------------------------------------------------------- */

/* The property, whose claim has no variables. */
static const property *plain_property(live *l, search *r)
{
  const process_type *claim = l->property->observer;
  if (l->property->kind != PROPERTY_NEVER || !claim ||
      !claim_has_variables(claim))
    return l->property;
  if (!r->claims)
    r->claims = arena_create();
  claim = claim_unfold(r->claims, program_model(r->program), claim);
  if (!claim)
    return l->property;
  l->unfolded = *l->property;
  l->unfolded.observer = claim;
  return &l->unfolded;
}

static void make_store(live *l, const search_options *o)
{
  watch *w = &l->watch;
  store_settings settings = {.map = &l->product.map,
                             .max_bytes =
                                 o->disk_bytes ? o->disk_bytes : w->room,
                             .set = search_set_of(o)};
  bool by_names = by_handle_suits(l);
  if (by_names)
    settings.learn_at = o->learn_at ? o->learn_at : SEARCH_LEARN_AT;
  w->store = l->result.store->create(l->result.store, &settings);
  if (!w->store || (by_names && !by_handle_create(l)))
    watch_full(w);
}

static void prepare(live *l, search *r)
{
  watch *w = &l->watch;
  worker_set_patience(r->worker, watch_is_over, w);
  bool by_scc = wants_scc(r);
  l->by_scc = by_scc;
  l->fairness = r->options->asked.fair;
  l->shortest = r->options->asked.shortest;
  shallow_start_live(l);
  reason why =
      observer_create(&l->observer, r->worker, plain_property(l, r), by_scc);
  if (why != REASON_NONE) {
    watch_stop(w, why);
    return;
  }
  product_create(&l->product, r->program, r->worker, &l->observer, l->fairness,
                 !by_scc && l->fairness == NUT_FAIR_WEAK);
  live_reduce(l, r);
  if (!space_reserve(&l->bytes, w->room))
    watch_full(w);
  else
    make_store(l, r->options);
}

static void run_search(live *l)
{
  if (l->by_scc)
    l->by_handle ? by_handle_scc(l) : live_scc(l);
  else
    l->by_handle ? by_handle_nested(l) : live_nested(l);
}

/* ---- by levels ----------------------------------------------------------- */

/* Writes that the property is as far as this, of which nothing else is kept. */
static void keep_row(const search *r, row_phase phase)
{
  checkpoint *c = search_keeper(r);
  if (c && !r->resume)
    checkpoint_save_row(c, r, phase, false);
}

static bool is_ranked(const search *r)
{
  return r->options->ranks && ranks_count(r->options->ranks) > 1;
}

/* The search pauses when it is long, if others can help. */
static void plan_pause(live *l)
{
  search *r = l->asker;
  const search_options *o = r->options;
  l->pause_at = UINT64_MAX;
  if (o->prefix || l->watch.stop)
    return;
  const char *why = runs_why_alone(l);
  uint64_t spread = o->ranks ? ranks_spread_after(o->ranks) : 0;
  l->may_use_disk = !why;
  l->asks_ranks = !why && is_ranked(r);
  if (!why)
    l->pause_at = o->first ? o->first : spread ? spread : LIVE_FIRST;
  else if (o->asked.threads && !r->result->threads_off)
    r->result->threads_off = why;
  if (why && search_keeper(r))
    r->result->not_kept = why;
}

static bool is_paused(const live *l)
{
  return l->pause_at != UINT64_MAX && l->result.stats.states >= l->pause_at &&
         l->by_handle->frames.len && !l->found && !l->watch.stop;
}

/* One thread does it all: it is not kept in a file, nor divided between ranks. */
static bool is_better_alone(const live *l)
{
  const search *r = l->asker;
  return !search_keeper(r) && !is_ranked(r) &&
         runs_threads(r->options) < runs_worth(l);
}

/* Whether all threads, which may be one, tell that there is nothing to be
** found. */
static bool is_told_by_levels(live *l)
{
  search *r = l->asker;
  l->is_violated |= r->row_phase == ROW_VIOLATED;
  if (r->row_phase == ROW_UNTOLD || r->row_phase == ROW_VIOLATED)
    return false;
  keep_row(r, ROW_BEGINS);
  if (runs_hold(l))
    return true;
  if (!l->watch.stop)
    keep_row(r, r->row_phase = l->is_violated ? ROW_VIOLATED : ROW_UNTOLD);
  return false;
}

/* All threads find out whether there is anything to be found.  If so, which run
** it is does not depend on them: the search goes on.  So does it by itself where
** they are too few, as its report is the same: figures of what else it did end
** with the pause. */
static void go_on(live *l)
{
  statistics *stats = &l->result.stats;
  uint64_t depth = stats->depth;
  l->pause_at = UINT64_MAX;
  l->shallow = (shallow){.due = UINT64_MAX};
  if (l->asker->options->asked.disk && !is_better_alone(l)) {
    l->is_on_disk = true;
    return;
  }
  if (!live_ranks_agree(l, true))
    return;
  if (!is_better_alone(l) && is_told_by_levels(l))
    return;
  if (!l->watch.stop)
    run_search(l);
  stats->depth = depth;
}

/* The run that was found is made, and judged. */
static void make_trace(live *l)
{
  search *r = l->asker;
  if (!l->found || l->trace)
    return;
  if (!r->replayer)
    r->replayer = worker_create(r->program);
  limits_set_polled(r->watch.limits, false);
  l->traced = lasso_trace(l, r->replayer, &l->trace);
}

static void run_one(void *work)
{
  live *l = work;
  search *r = l->asker;
  if (!r->worker)
    r->worker = worker_create(r->program);
  /* Translating the property does not ask for its limits. */
  limits_set_polled(r->watch.limits, false);
  prepare(l, r);
  plan_pause(l);
  limits_set_polled(r->watch.limits, true);
  if (l->watch.stop)
    return;
  if (l->pause_at == UINT64_MAX)
    keep_row(r, ROW_BEGINS);
  if (r->options->prefix && !live_gather_prefix(l)) {
    watch_stop(&l->watch, REASON_DEPTH_LIMIT);
    return;
  }
  run_search(l);
  if (is_paused(l))
    go_on(l);
  else if (!l->watch.stop) /* more memory than before: no file is needed */
    r->resume = NULL;
  make_trace(l);
}

/* ---- with a disk ----------------------------------------------------------- */

static bool is_about_memory(reason why)
{
  return why == REASON_MEMORY_LIMIT || why == REASON_OUT_OF_MEMORY;
}

/* The search of one thread has become too large for the memory, or all threads are
** to help, who need it. */
static bool wants_disk(const live *l)
{
  const search *r = l->asker;
  return r->options->asked.disk && l->may_use_disk && !l->found && !l->runs &&
         (l->is_on_disk ||
          (l->watch.stop && is_about_memory(l->result.reason)));
}

/* The search of one thread gives back what it has, and has not begun. */
static void leave_memory(live *l)
{
  by_handle_free(l);
  if (l->watch.store)
    l->result.store->destroy(l->watch.store);
  l->watch.store = NULL;
  number_map_free(&l->indices);
  vec_free(&l->active);
  vec_free(&l->roots);
  l->used = 0;
  reserve_shrink(&l->bytes, 0);
  l->begun = l->watch.stop = false;
  l->result.reason = REASON_NONE;
  l->result.stats = (statistics){.depth = l->result.stats.depth};
}

/* Infinite runs by levels, whose states go to the disk.  If there may be one it is
** looked for once more, in what memory there is. */
static void run_on_disk(void *work)
{
  live *l = work;
  uint64_t depth = l->result.stats.depth;
  l->pause_at = UINT64_MAX;
  l->shallow = (shallow){.due = UINT64_MAX};
  l->is_on_disk = true;
  if (is_told_by_levels(l) || l->watch.stop)
    return;
  make_store(l, l->asker->options);
  if (!l->watch.stop)
    run_search(l);
  l->result.stats.depth = depth;
  make_trace(l);
}

/* That there is such a run is known, if not which: also if the search of one
** thread came to its end without it, which it cannot. */
static void enter_untold(live *l)
{
  if (!l->is_violated || l->found ||
      (l->watch.stop && !is_about_memory(l->result.reason)))
    return;
  l->found = true;
  l->traced = TRACE_NO_MEMORY;
}

static void live_free(live *l)
{
  runs_free(l);
  by_handle_free(l);
  if (l->watch.store)
    l->result.store->destroy(l->watch.store);
  path_index_free(&l->cyan);
  number_map_free(&l->near);
  if (l->twin)
    l->twin_class->destroy(l->twin);
  number_map_free(&l->indices);
  vec_free(&l->seen);
  vec_free(&l->active);
  vec_free(&l->roots);
  reduce_destroy(l->product.reduction);
  preview_free(&l->preview);
  product_free(&l->product);
  observer_free(&l->observer);
  reserve_destroy(&l->bytes);
  vec_free(&l->frames);
  vec_free(&l->edges);
  vec_free(&l->path.steps);
}

/* ---- all of them ------------------------------------------------------- */

static void enter_violation(const live *l, search *r, answer *row)
{
  row->errors = 1;
  row->verdict = VERDICT_VIOLATED;
  row->trace = l->trace;
  r->result->stats.errors++;
  answer_traced(row, l->traced, r->watch.limits);
}

/* The automaton is that of the negation. */
static const char *trivial_value(const live *l)
{
  const buchi *negation = l->observer.automaton;
  if (!negation || !(negation->empty || negation->universal))
    return NULL;
  return negation->empty ? "true" : "false";
}

static void enter_result(live *l, search *r, answer *row)
{
  const statistics *mine = &l->result.stats;
  statistics told = {.search_bytes = mine->search_bytes};
  row->por = l->result.por;
  row->por_off = l->result.por_off;
  row->trivial = trivial_value(l);
  /* Without a walk over the program's own states these are all there are. */
  if (!r->result->walked) {
    r->result->por = r->result->por ? r->result->por : l->result.por;
    told = *mine;
  }
  told.product_states = mine->states;
  told.product_transitions = mine->transitions;
  if (l->watch.store) {
    told.store_bytes =
        l->result.store->bytes(l->watch.store) + by_handle_bytes(l);
    told.state_bytes = l->result.store->max_length(l->watch.store);
    if (told.state_bytes < mine->state_bytes) /* in other ranks */
      told.state_bytes = mine->state_bytes;
  }
  statistics_merge(&r->result->stats, &told);
  if (l->found) {
    enter_violation(l, r, row);
    return;
  }
  row->reason = l->watch.stop             ? l->result.reason
                : l->watch.truncated      ? REASON_DEPTH_LIMIT
                : !l->result.store->exact ? REASON_LOSSY_STORE
                                          : REASON_NONE;
  bool is_over = row->reason == REASON_NONE && !l->watch.stop;
  row->verdict = is_over ? VERDICT_HOLDS : VERDICT_UNKNOWN;
}

/* Whether a reason concerns the run as a whole, and not one property.  A run that
** is kept goes on from where memory ran out. */
static bool ends_all(const search *r, reason why)
{
  return why == REASON_TIME_LIMIT || why == REASON_INTERRUPTED ||
         why == REASON_OUTGROWN || (search_keeper(r) && is_about_memory(why));
}

/* The run ends here.  What the engine of levels has written, or what this run was
** to go on from, says more. */
static void keep_end(const search *r, const live *l, reason why)
{
  checkpoint *c = search_keeper(r);
  if (c && !l->is_kept && !r->resume && ends_all(r, why) &&
      why != REASON_OUTGROWN)
    checkpoint_save_row(c, r, r->row_phase, true);
}

/* Where the property begins, a file is written if it is time. */
static void keep_begin(search *r)
{
  checkpoint *c = search_keeper(r);
  if (c && !r->resume && (checkpoint_is_due(c) || checkpoint_is_forced(c)))
    checkpoint_save_row(c, r, ROW_BEGINS, false);
}

static void check_row(search *r, answer *row)
{
  live l = {.question = row->question,
            .property = row->question->property,
            .traced = TRACE_NO_MEMORY, /* until there is a trace */
            .asker = r};
  const store_class *class =
      r->options->prefix ? store_find("raw+table") : r->result->store;
  l.result.store = class->lasting ? class->lasting : class;
  watch_start(&l.watch, r->watch.limits, r->options, &l.result);
  bool polled = limits_set_polled(r->watch.limits, true);
  if (!mem_protect(run_one, &l)) {
    watch_left(&l.watch);
    runs_leave(&l);
  }
  bool goes_on = wants_disk(&l);
  if (goes_on) /* other ranks may be waited for */
    leave_memory(&l);
  if (live_ranks_agree(&l, goes_on) && !mem_protect(run_on_disk, &l))
    watch_left(&l.watch);
  enter_untold(&l);
  limits_set_polled(r->watch.limits, polled);
  if (l.claim_broken) {
    live_free(&l);
    r->doubts_claims = true;
    check_row(r, row);
    return;
  }
  if (!l.found && l.watch.stop)
    keep_end(r, &l, l.result.reason);
  enter_result(&l, r, row);
  if (ends_all(r, row->reason))
    r->live_reason = row->reason;
  if (row->reason == REASON_OUTGROWN)
    r->result->outgrown = l.result.outgrown;
  live_free(&l);
}

/* The file that the run goes on from is at some property, and has nothing more to
** say of the next. */
static void begin_row(search *r, size_t index)
{
  bool goes_on = r->resumes_runs && r->row == index;
  if (!goes_on) {
    r->resume = NULL;
    r->row_phase = ROW_BEGINS;
  }
  r->row = index;
  keep_begin(r);
  check_row(r, r->result->answers.data + index);
  r->resume = NULL;
  r->row_phase = ROW_BEGINS;
  r->resumes_runs = false;
}

/* Every property gets its verdict, whatever was found for the others:
** 'max_errors' ends the walk over single states alone. */
void live_check(search *r)
{
  if (r->watch.stop && ends_all(r, r->result->reason))
    r->live_reason = r->result->reason;
  if (r->result->not_resumed)
    r->live_reason = REASON_NOT_CHECKED;
  for (size_t i = 0; i < r->result->answers.len; i++) {
    answer *row = r->result->answers.data + i;
    if (property_about(row->question->kind) != ABOUT_RUNS ||
        row->verdict != VERDICT_UNKNOWN || row->reason != REASON_NONE)
      continue;
    if (!r->options->asked.liveness)
      row->reason = REASON_NOT_CHECKED;
    else if (r->live_reason == REASON_NONE)
      begin_row(r, i);
    else
      row->reason = r->live_reason;
  }
  if (!r->result->walked && r->result->stats.errors &&
      r->live_reason == REASON_NONE)
    r->live_reason = REASON_ERRORS;
  if (r->worker)
    worker_set_patience(r->worker, NULL, NULL);
}
