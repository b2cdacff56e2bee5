/* A moment of a search by levels, written while all walkers stand still.  Nothing
** here takes memory: there may be none left.
**
** A walker that was in the middle of a cohort when the run ended, because memory
** or time ran out there, has not expanded it: its figures are those before, and
** the states that it has stored are named, so that they do not count.  They are
** found again when the cohort is expanded again. */

#include "search/checkpoint/checkpoint_internal.h"
#include "search/disk/disk.h"
#include "search/ranks/fleet.h"
#include "search/runs/runs.h"
#include "store/tree/tree_image.h"

static const statistics *level_stats(const walker *w)
{
  return w->busy ? &w->before : &w->result.stats;
}

uint64_t moment_states(const team *t)
{
  uint64_t states = t->asker->result->stats.states;
  for (uint32_t i = 0; i < t->count; i++)
    states += level_stats(&t->walkers[i])->states;
  return states + t->handed.states;
}

size_t moment_next_count(const walker *w)
{
  return w->busy ? w->next_before : w->next.count;
}

/* ---- the level ----------------------------------------------------------- */

/* Whether some walker has taken it and not expanded it. */
static bool is_held(const team *t, const store_handle *at)
{
  for (uint32_t i = 0; i < t->count; i++) {
    const walker *w = &t->walkers[i];
    if (w->rest_count && at >= w->rest && at < w->rest + w->rest_count)
      return true;
  }
  return false;
}

bool moment_is_expanded(const team *t, const frontier *f, size_t i)
{
  return i < atomic_load_explicit(&f->taken, memory_order_relaxed) &&
         !is_held(t, frontier_handles(f) + i);
}

static uint64_t count_expanded(const team *t)
{
  uint64_t count = 0;
  for (uint32_t k = 0; k < t->count; k++) {
    const frontier *f = &t->walkers[k].here;
    size_t taken = atomic_load_explicit(&f->taken, memory_order_relaxed);
    count += taken < f->count ? taken : f->count;
    count -= t->walkers[k].rest_count;
  }
  return count;
}

static void write_here(const team *t, block_writer *w, bool expanded)
{
  for (uint32_t k = 0; k < t->count; k++) {
    const frontier *f = &t->walkers[k].here;
    for (size_t i = 0; i < f->count; i++)
      if (moment_is_expanded(t, f, i) == expanded)
        block_put_number(w, frontier_handles(f)[i]);
  }
}

/* States of this level that were expanded, which only a reduction needs; those
** that were not; and those of the next level. */
static void write_frontiers(const team *t, block_writer *w)
{
  uint64_t all = 0, expanded = count_expanded(t), next = 0;
  for (uint32_t k = 0; k < t->count; k++) {
    all += t->walkers[k].here.count;
    next += moment_next_count(&t->walkers[k]);
  }
  uint64_t waiting = all - expanded;
  if (!t->reductions) /* otherwise they are on a disk of some rank */
    expanded += team_gone(t);
  block_put_number(w, expanded);
  block_put_number(w, waiting);
  block_put_number(w, next);
  if (t->reductions)
    write_here(t, w, true);
  write_here(t, w, false);
  for (uint32_t k = 0; k < t->count; k++)
    for (size_t i = 0; i < moment_next_count(&t->walkers[k]); i++)
      block_put_number(w, frontier_handles(&t->walkers[k].next)[i]);
}

/* ---- figures ------------------------------------------------------------- */

void stats_write(block_writer *w, const statistics *s)
{
  for (size_t i = 0; i < statistic_count; i++)
    block_put_number(w, statistic_value(s, &statistic_table[i]));
}

static void write_figures(const team *t, block_writer *w)
{
  const search *r = t->asker;
  const search_result *result = r->result;
  block_put_number(w, r->watch.depth);
  block_put_number(w, r->shallow.due);
  block_put_number(w, r->shallow.size);
  block_put_number(w, r->shallow.spent);
  block_put_number(w, r->deep.due);
  block_put_number(w, r->deep.size);
  block_put_number(w, result->stuck);
  block_put_number(w, result->endless);
  block_put_number(w, result->stuck_edge);
  block_put_number(w, result->stuck_process);
  stats_write(w, &result->stats);
  block_put_number(w, t->count + 1);
  for (uint32_t i = 0; i < t->count; i++)
    stats_write(w, level_stats(&t->walkers[i]));
  stats_write(w, &t->handed);
  block_put_number(w, t->outlook.forecast.met.len);
  for (size_t i = 0; i < t->outlook.forecast.met.len; i++)
    block_put_number(w, t->outlook.forecast.met.data[i]);
}

static bool is_reached(const team *t, size_t index)
{
  bool reached = index < t->reached.len && t->reached.data[index];
  for (uint32_t i = 0; i < t->count && !reached; i++)
    reached = worker_reached(t->walkers[i].own.worker)[index];
  return reached;
}

static void write_reached(const team *t, block_writer *w)
{
  size_t edges = program_model(t->asker->program)->edges.len;
  block_put_number(w, edges);
  for (size_t i = 0; i < edges; i += 8) {
    uint8_t byte = 0;
    for (size_t k = i; k < edges && k < i + 8; k++)
      byte |= (uint8_t)(is_reached(t, k) << (k - i));
    block_put(w, &byte, 1);
  }
}

/* How often edges were executed; who left a cohort in the middle, before it. */
static uint64_t executed_at(const team *t, size_t index)
{
  uint64_t executed = t->executed.len ? t->executed.data[index] : 0;
  for (uint32_t i = 0; i < t->count; i++) {
    const walker *w = &t->walkers[i];
    executed +=
        w->busy ? w->executed[index] : worker_executed(w->own.worker)[index];
  }
  return executed;
}

static void write_executed(const team *t, block_writer *w)
{
  bool counts = t->walkers[0].executed && !t->asker->runs;
  size_t edges = counts ? program_model(t->asker->program)->edges.len : 0;
  block_put_number(w, edges);
  for (size_t i = 0; i < edges; i++)
    block_put_number(w, executed_at(t, i));
}

/* ---- all of it ----------------------------------------------------------- */

static uint32_t longest_state(const team *t)
{
  const search *r = t->asker;
  uint32_t longest = r->result->store->max_length(r->watch.store);
  return t->disk && t->disk->longest > longest ? t->disk->longest : longest;
}

static void write_unmade(const team *t, block_writer *w)
{
  uint64_t count = 0;
  bool is_whole = disk_has_spilled(t->disk);
  block_kind_begin(w, CHECKPOINT_UNMADE);
  block_put_number(w, is_whole);
  block_put_number(w, longest_state(t));
  for (uint32_t i = 0; i < t->count; i++)
    if (t->walkers[i].busy)
      count += t->walkers[i].own.fresh.len;
  block_put_number(w, is_whole ? 0 : count);
  if (is_whole)
    return;
  for (uint32_t i = 0; i < t->count; i++) {
    const search *own = &t->walkers[i].own;
    for (size_t k = 0; t->walkers[i].busy && k < own->fresh.len; k++)
      block_put_number(w, own->fresh.data[k].number);
  }
}

static void write_reductions(const team *t, block_writer *w)
{
  block_put_number(w, t->reductions != NULL);
  for (uint32_t i = 0; t->reductions && i < t->count; i++)
    if (t->walkers[i].busy)
      reduce_set_tally(t->reductions[i], t->walkers[i].tally);
  if (t->reductions)
    reduce_remember(t->reductions, t->count, w);
}

/* While states are swept no level is at hand: what waits belongs to the sweep. */
static void write_no_level(block_writer *w)
{
  for (int i = 0; i < 3; i++)
    block_put_number(w, 0);
}

void moment_write(const team *t, block_writer *w)
{
  const search *r = t->asker;
  bool sweeps = r->runs && runs_is_sweeping(r->runs);
  bool is_whole = disk_has_spilled(t->disk);
  write_unmade(t, w);
  if (!is_whole)
    tree_image_write(collapse_tree_of(r->watch.store), t->reductions, w,
                     CHECKPOINT_ROWS, CHECKPOINT_ROOTS);
  block_kind_begin(w, CHECKPOINT_LEVEL);
  if (sweeps || is_whole)
    write_no_level(w);
  else
    write_frontiers(t, w);
  write_figures(t, w);
  write_reached(t, w);
  write_executed(t, w);
  findings_write(t, w);
  write_reductions(t, w);
  if (r->runs)
    runs_write_able(r->runs, w);
  if (is_whole)
    whole_write(t, w);
  if (!sweeps)
    return;
  block_kind_begin(w, CHECKPOINT_SWEEP);
  if (!is_whole) /* otherwise they are among the notes */
    write_frontiers(t, w);
  runs_write_notes(r->runs, w);
}

void moment_write_part(const team *t, block_writer *w)
{
  const search *r = t->asker;
  bool is_whole = disk_has_spilled(t->disk);
  write_unmade(t, w);
  if (!is_whole)
    tree_image_write(collapse_tree_of(r->watch.store), t->reductions, w,
                     CHECKPOINT_ROWS, CHECKPOINT_ROOTS);
  block_kind_begin(w, CHECKPOINT_LEVEL);
  if (is_whole)
    write_no_level(w);
  else
    write_frontiers(t, w);
  write_reached(t, w);
  if (r->runs)
    runs_write_able(r->runs, w);
  if (is_whole)
    whole_write(t, w);
}

void checkpoint_finish_marks(team *t, bool here, bool next)
{
  collapse_tree *s = collapse_tree_of(t->asker->watch.store);
  for (uint32_t k = 0; k < t->count; k++) {
    const frontier *now = &t->walkers[k].here, *then = &t->walkers[k].next;
    for (size_t i = 0; here && i < now->count; i++)
      if (frontier_handles(now)[i] & FRONTIER_FULL)
        collapse_tree_mark(s, frontier_handles(now)[i] & ~FRONTIER_FULL, true);
    for (size_t i = 0; next && i < then->count; i++)
      collapse_tree_mark(s, frontier_handles(then)[i], false);
  }
}
