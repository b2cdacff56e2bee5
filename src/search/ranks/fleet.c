/* Levels of several ranks: who owns what, when a level is over, and what all
** know then. */

#include "search/ranks/fleet_internal.h"

#include "base/alloc.h"
#include "base/system/usage.h"
#include "search/disk/disk.h"
#include "search/ranks/letters.h"
#include <string.h>

/* Where all ranks meet. */
enum {
  POINT_BEGIN = 1,
  POINT_LEVEL,   /* nobody sends states of this level any more */
  POINT_ANSWERS, /* nor answers; */
  POINT_REST,    /* nor those that were left out before the answers came */
  POINT_JOIN,
  POINT_BACK,
  POINT_END,
  POINT_FIGURES,
  POINT_SWEEP, /* nobody sends steps of this sweep any more */
  POINT_SWEPT,
  POINT_BITS,
  POINT_GREATEST,
  POINT_DIVE,
  POINT_DISKS
};

#define FIGURES_SECONDS 0.2

fleet *fleet_create(ranks *others)
{
  if (!others || ranks_count(others) < 2)
    return NULL;
  fleet *f = mem_alloc(sizeof *f);
  f->ranks = others;
  f->own = ranks_own(others);
  f->count = ranks_count(others);
  mail_create(&f->in);
  mail_create(&f->out);
  return f;
}

void fleet_destroy(fleet *f)
{
  if (!f)
    return;
  desks_free(f);
  mail_free(&f->in);
  mail_free(&f->out);
  vec_free(&f->letter);
  mem_free(f, sizeof *f);
}

/* ---- meeting ------------------------------------------------------------- */

/* Some rank left, or is elsewhere: this one ends, too. */
static void stop_broken(team *t)
{
  enum { NO_REASON = REASON_NONE + 1 };
  fleet *f = t->asker->fleet;
  uint32_t why = ranks_why_broken(f->ranks);
  if (why <= NO_REASON) /* it may have said why it would be elsewhere */
    why = ranks_told_stop(f->ranks);
  watch_stop(&t->asker->watch,
             why > NO_REASON ? (reason)(why - 1) : REASON_RANK);
  team_stop(t);
}

bool fleet_meet(team *t, uint32_t point)
{
  fleet *f = t->asker->fleet;
  if (ranks_are_broken(f->ranks))
    return false;
  if (ranks_meet(f->ranks, point, f->letter.data, f->letter.len))
    return true;
  stop_broken(t);
  return false;
}

letter_reader fleet_word(const fleet *f, uint32_t rank)
{
  size_t length;
  const uint8_t *word = ranks_word(f->ranks, rank, &length);
  return (letter_reader){.at = word, .end = word + length};
}

static void put_question(rank_bytes *to, const team *t)
{
  const search *r = t->asker;
  const uint64_t same[] = {t->kinds,
                           program_model(r->program)->edges.len,
                           r->options->count,
                           r->result->por,
                           t->judges,
                           r->doubts_claims,
                           r->row,
                           ranks_cost(r->fleet->ranks).words};
  uint32_t length;
  const uint8_t *state;
  letter_put(to, same, sizeof same);
  if (r->fresh.len) {
    length = r->batches[0].list.data[0].length;
    state = r->batches[0].bytes.data + r->batches[0].list.data[0].start;
    letter_put_bytes(to, state, length);
  }
}

void fleet_begin(team *t)
{
  fleet *f = t->asker->fleet;
  f->is_spread = false;
  f->is_forced = false;
  atomic_store(&f->ends, 0);
  atomic_store(&f->discards, false);
  desks_forget_sent(f);
  vec_clear(&f->letter);
  put_question(&f->letter, t);
  if (!fleet_meet(t, POINT_BEGIN))
    return;
  ranks_forget_stop(f->ranks);
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    if ((size_t)(l.end - l.at) != f->letter.len ||
        memcmp(l.at, f->letter.data, f->letter.len) != 0) {
      watch_stop(&t->asker->watch, REASON_RANK);
      team_stop(t);
    }
  }
}

void fleet_end(team *t)
{
  fleet *f = t->asker->fleet;
  size_t edges = program_model(t->asker->program)->edges.len;
  if (!f->is_spread || ranks_are_broken(f->ranks))
    return;
  vec_clear(&f->letter);
  vec_resize(&f->letter, edges);
  for (uint32_t i = 0; i < t->count; i++) {
    const uint8_t *own = worker_reached(t->walkers[i].own.worker);
    for (size_t k = 0; k < edges; k++)
      f->letter.data[k] |= own[k];
  }
  if (!fleet_meet(t, POINT_END))
    return;
  vec_resize(&t->reached, edges);
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    for (size_t k = 0; k < edges && l.at < l.end; k++)
      t->reached.data[k] |= *l.at++;
  }
}

void fleet_spread(team *t)
{
  search *r = t->asker;
  fleet *f = r->fleet;
  uint64_t after = ranks_spread_after(f->ranks);
  if (!after)
    after = SEARCH_SHARE_AFTER;
  if (f->is_spread || r->result->stats.states < after)
    return;
  f->size = team_level_size(t);
  f->is_spread = true;
  desks_fill(f, t);
  t->walkers[0].own.watch.store = r->watch.store;
  r->loop->level_spread(&t->walkers[0].own);
  disk_spread(t->disk);
}

/* ---- a level ------------------------------------------------------------- */

void fleet_obey(team *t)
{
  ranks *others = t->asker->fleet->ranks;
  uint32_t why = ranks_told_stop(others);
  if (atomic_load(&t->stop))
    return;
  if (ranks_are_broken(others))
    stop_broken(t);
  if (ranks_told_halt(others))
    round_halt(t);
  if (!why)
    return;
  if (round_can_wait(t, (reason)(why - 1))) {
    round_end_run(t, (reason)(why - 1));
    return;
  }
  watch_stop(&t->asker->watch, (reason)(why - 1));
  team_stop(t);
}

/* Why this rank ends the run. */
static reason find_reason(const team *t)
{
  const search *r = t->asker;
  uint32_t ends = atomic_load(&r->fleet->ends);
  if (r->watch.stop)
    return r->result->reason;
  if (ends)
    return (reason)(ends - 1);
  for (uint32_t i = 0; i < t->count; i++)
    if (t->walkers[i].own.watch.stop)
      return t->walkers[i].result.reason;
  return atomic_load(&t->full) ? REASON_OUT_OF_MEMORY
                               : limits_why(r->watch.limits);
}

/* Others are told when this rank ends the run. */
static void tell_stop(team *t)
{
  const fleet *f = t->asker->fleet;
  ranks *others = f->ranks;
  if ((atomic_load(&t->stop) || atomic_load(&f->ends)) &&
      !ranks_told_stop(others))
    ranks_tell_stop(others, (uint32_t)find_reason(t) + 1);
}

void fleet_tell_end(team *t)
{
  const search *r = t->asker;
  reason why = r->result->reason;
  bool is_own = why == REASON_TIME_LIMIT || why == REASON_INTERRUPTED ||
                why == REASON_MEMORY_LIMIT || why == REASON_OUT_OF_MEMORY ||
                why == REASON_DISK;
  if (r->watch.stop && is_own && !ranks_told_stop(r->fleet->ranks))
    ranks_tell_stop(r->fleet->ranks, (uint32_t)why + 1);
}

typedef struct part {
  team *team;
  team_job *job;
  bool by_all;
  uint32_t point;
} part;

static void do_part(void *work)
{
  part *p = work;
  bool expands = p->team->disk && p->point != POINT_SWEEP;
  if (expands && p->point == POINT_REST)
    disk_expand_rest(p->team, p->by_all);
  else if (expands)
    disk_expand(p->team, p->by_all);
  else
    team_run(p->team, p->job, p->by_all);
}

static void do_drain(void *work)
{
  part *p = work;
  search *own = &p->team->walkers[0].own;
  own->watch.store = p->team->asker->watch.store;
  p->team->asker->fleet->drain(own);
}

static void begin_part(team *t, uint32_t point, fleet_job *drain)
{
  fleet *f = t->asker->fleet;
  desks_fill(f, t);
  f->point = point;
  f->drain = drain;
  f->is_said = f->is_heard = f->has_more = false;
  atomic_store(&f->is_over, false);
  atomic_store(&f->done, 0);
}

void fleet_begin_job(fleet *f, bool has_more)
{
  f->has_more = has_more;
  if (!f->is_said) /* who has said it has expanded all */
    atomic_store(&f->done, 0);
}

uint64_t fleet_stored(const fleet *f)
{
  uint64_t stored = 0;
  for (uint32_t i = 0; i < f->desk_count; i++)
    stored += f->desks[i]->stored;
  return stored;
}

void fleet_say_part(fleet *f, const team *t)
{
  const uint64_t word[] = {desks_doubts(f), atomic_load(&t->stop)};
  ranks_say(f->ranks, f->point, word, sizeof word);
  f->is_said = true;
}

/* This rank has done its part up to a point, or has left it: takes what comes
** until all have. */
static void end_part(team *t)
{
  fleet *f = t->asker->fleet;
  part p = {.team = t};
  f->has_more = false;
  tell_stop(t);
  if (!f->is_said) {
    desks_send_all(f);
    fleet_say_part(f, t);
  }
  if (atomic_load(&f->is_over))
    return;
  mail_forget_open(&f->in);
  if (!mem_protect(do_drain, &p)) {
    /* A rank without memory goes on taking, and losing, what comes; the little
    ** that this needs is not counted. */
    mem_budget *budget = mem_use_budget(NULL);
    desk_discard(f->desks[0], t);
    mail_forget_open(&f->in);
    do_drain(&p);
    mem_use_budget(budget);
  }
}

/* Has a part done by the team. */
static void run_part(team *t, uint32_t point, team_job *job, fleet_job *drain,
                     bool by_all)
{
  fleet *f = t->asker->fleet;
  part p = {t, job, by_all, point};
  begin_part(t, point, drain);
  if (!atomic_load(&t->stop) && !mem_protect(do_part, &p))
    desk_discard(f->desks[0], t);
  if (atomic_load(&t->full))
    desk_discard(f->desks[0], t);
  end_part(t);
  if (ranks_are_broken(f->ranks))
    stop_broken(t);
}

/* Whether some rank has asked something; not when the run ends. */
static bool is_something_open(team *t)
{
  fleet *f = t->asker->fleet;
  uint64_t open = 0, stops = 0;
  for (uint32_t i = 0; i < f->count && !ranks_are_broken(f->ranks); i++) {
    letter_reader l = fleet_word(f, i);
    open += letter_get_number(&l);
    stops += letter_get_number(&l);
  }
  return open && !stops;
}

/* Answers what others asked; then all successors of those states are expanded for
** which nobody spoke. */
static void resolve_doubts(team *t, bool by_all)
{
  const search_loop *loop = t->asker->loop;
  fleet *f = t->asker->fleet;
  begin_part(t, POINT_ANSWERS, loop->level_drain);
  desks_send_answers(f);
  end_part(t);
  run_part(t, POINT_REST, loop->level_doubts, loop->level_drain, by_all);
}

static void do_end_level(void *work)
{
  part *p = work;
  disk_end_level(p->team);
}

void fleet_expand(team *t, bool by_all)
{
  part p = {.team = t};
  const search_loop *loop = t->asker->loop;
  fleet *f = t->asker->fleet;
  desks_fill(f, t);
  for (f->is_later = false;; f->is_later = true) {
    desks_clear(f);
    round_begin(t);
    run_part(t, POINT_LEVEL, loop->level_share, loop->level_drain, by_all);
    round_end_part(t);
    if (is_something_open(t))
      resolve_doubts(t, by_all);
    if (!round_end(t))
      break;
  }
  if (t->disk && !atomic_load(&t->stop) && !mem_protect(do_end_level, &p))
    desk_discard(f->desks[0], t);
}

void fleet_end_states(fleet *f)
{
  for (uint32_t i = 0; i < f->desk_count; i++)
    sent_free(&f->desks[i]->sent);
}

void fleet_sweep(team *t, fleet_job *job, fleet_job *drain, bool by_all)
{
  run_part(t, POINT_SWEEP, job, drain, by_all);
}

/* ---- joining ------------------------------------------------------------- */

/* How the level ended in a rank, as far as it is a number. */
typedef struct level_end {
  statistics stats;
  uint64_t waiting, next;
  uint64_t stops, reason;
  uint64_t is_stuck, is_endless, stuck_edge, stuck_process;
} level_end;

/* What reductions have learned. */
void fleet_put_news(rank_bytes *to, const team *t)
{
  reduce_news n = {0};
  if (!t->reductions)
    return;
  reduce_tell(t->reductions, t->count, &n);
  letter_put(to, &n.tally, sizeof n.tally);
  letter_put_number(to, n.has_breach);
  letter_put_number(to, n.relies);
  letter_put_bytes(to, (const uint8_t *)n.wanted.data,
                   n.wanted.len * sizeof *n.wanted.data);
  vec_free(&n.wanted);
}

void fleet_get_news(letter_reader *l, team *t, bool is_own, bool is_early)
{
  reduce_news n = {0};
  if (!t->reductions)
    return;
  letter_get(l, &n.tally, sizeof n.tally);
  n.has_breach = letter_get_number(l);
  n.relies = letter_get_number(l);
  vec_resize(&n.wanted, letter_get_number(l) / sizeof *n.wanted.data);
  if (n.wanted.len)
    letter_get(l, n.wanted.data, n.wanted.len * sizeof *n.wanted.data);
  if (is_early)
    reduce_take_over(t->reductions[0], &n);
  else if (!is_own)
    reduce_hear(t->reductions[0], &n);
  vec_free(&n.wanted);
}

static void put_level(rank_bytes *to, const team *t, const statistics *level,
                      uint64_t waiting)
{
  const search *r = t->asker;
  const search_result *own = &t->walkers[0].result;
  level_end e = {.stats = *level,
                 .waiting = waiting,
                 .stops = r->watch.stop,
                 .reason = r->result->reason,
                 .is_stuck = own->stuck,
                 .is_endless = own->endless,
                 .stuck_edge = own->stuck_edge,
                 .stuck_process = own->stuck_process};
  for (uint32_t i = 0; i < t->count; i++)
    e.next += t->walkers[i].next.count;
  e.next += disk_next_size(t->disk);
  letter_put(to, &e, sizeof e);
  fleet_put_news(to, t);
  letter_put_findings(to, t);
}

/* What one rank tells; of those that stop the first one's reason counts. */
static void add_level(team *t, uint32_t rank, statistics *level,
                      uint64_t *waiting, bool *stops)
{
  search *r = t->asker;
  fleet *f = r->fleet;
  letter_reader l = fleet_word(f, rank);
  search_result *own = &t->walkers[0].result;
  level_end e;
  letter_get(&l, &e, sizeof e);
  f->size += e.next;
  *waiting += e.waiting;
  if (e.stops && !*stops) {
    watch_stop(&r->watch, (reason)e.reason);
    r->result->reason = (reason)e.reason;
    *stops = true;
  }
  fleet_get_news(&l, t, rank == f->own, false);
  if (rank == f->own)
    return;
  statistics_merge(level, &e.stats);
  if (e.is_stuck && !own->stuck) {
    own->stuck = true;
    own->endless = e.is_endless;
    own->stuck_edge = (uint32_t)e.stuck_edge;
    own->stuck_process = (uint32_t)e.stuck_process;
  }
  letter_get_findings(&l, t);
}

void fleet_join(team *t, statistics *level, uint64_t *waiting)
{
  fleet *f = t->asker->fleet;
  bool stops = false;
  vec_clear(&f->letter);
  put_level(&f->letter, t, level, *waiting);
  f->size = 0;
  if (!fleet_meet(t, POINT_JOIN))
    return;
  ranks_clear_figures(f->ranks);
  *waiting = 0;
  for (uint32_t i = 0; i < f->count; i++)
    add_level(t, i, level, waiting, &stops);
}

/* How a sweep ended in a rank. */
typedef struct sweep_end {
  runs_sums sums;
  uint64_t gives_up, stops, reason;
} sweep_end;

void fleet_join_sweep(team *t, runs_sums *sums, bool *gives_up)
{
  search *r = t->asker;
  fleet *f = r->fleet;
  bool stops = false;
  sweep_end e = {.sums = *sums,
                 .gives_up = *gives_up,
                 .stops = r->watch.stop,
                 .reason = r->result->reason};
  vec_clear(&f->letter);
  letter_put(&f->letter, &e, sizeof e);
  if (!fleet_meet(t, POINT_SWEPT))
    return;
  *sums = (runs_sums){0};
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    letter_get(&l, &e, sizeof e);
    sums->counted += e.sums.counted;
    sums->waiting += e.sums.waiting;
    sums->owned += e.sums.owned;
    *gives_up |= e.gives_up;
    if (e.stops && !stops) {
      watch_stop(&r->watch, (reason)e.reason);
      r->result->reason = (reason)e.reason;
      stops = true;
    }
  }
  f->size = sums->waiting;
}

void fleet_join_bits(team *t, uint64_t *words, size_t count, bool *gives_up)
{
  fleet *f = t->asker->fleet;
  vec_clear(&f->letter);
  letter_put_number(&f->letter, *gives_up);
  letter_put(&f->letter, words, count * sizeof *words);
  if (!fleet_meet(t, POINT_BITS))
    return;
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    *gives_up |= letter_get_number(&l) != 0;
    for (size_t k = 0; k < count; k++)
      words[k] |= letter_get_number(&l);
  }
}

void fleet_join_dive(team *t, bool *is_found)
{
  search *r = t->asker;
  fleet *f = r->fleet;
  vec_clear(&f->letter);
  letter_put_number(&f->letter, *is_found);
  letter_put_number(&f->letter, r->watch.stop);
  letter_put_number(&f->letter, r->result->reason);
  if (!fleet_meet(t, POINT_DIVE)) {
    *is_found = false;
    return;
  }
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    *is_found &= letter_get_number(&l) != 0;
    bool stops = letter_get_number(&l) != 0;
    reason why = (reason)letter_get_number(&l);
    if (stops)
      watch_stop(&r->watch, why);
  }
}

void fleet_join_greatest(team *t, uint64_t *const *list, uint32_t count)
{
  fleet *f = t->asker->fleet;
  vec_clear(&f->letter);
  for (uint32_t k = 0; k < count; k++)
    letter_put_number(&f->letter, *list[k]);
  if (!fleet_meet(t, POINT_GREATEST))
    return;
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    for (uint32_t k = 0; k < count; k++) {
      uint64_t other = letter_get_number(&l);
      *list[k] = other > *list[k] ? other : *list[k];
    }
  }
}

finding *fleet_join_back(team *t, finding *best)
{
  search *r = t->asker;
  fleet *f = r->fleet;
  finding *joined = &t->walkers[0].back;
  finding none = {0};
  if (ranks_are_broken(f->ranks))
    return NULL;
  vec_clear(&f->letter);
  letter_put_number(&f->letter, r->watch.stop);
  letter_put_finding(&f->letter, best ? best : &none);
  if (!fleet_meet(t, POINT_BACK))
    return NULL;
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    finding other = {0};
    if (letter_get_number(&l) && !r->watch.stop)
      watch_stop(&r->watch, REASON_INTERRUPTED);
    letter_get_finding(&l, t, t->kinds, &other);
    finding_add(joined, &other);
    finding_free(&other);
  }
  return joined->is_known ? joined : NULL;
}

/* ---- figures ------------------------------------------------------------- */

typedef struct end_figures {
  uint64_t store_bytes, state_bytes, search_bytes, states, messages, bytes;
  uint64_t sent;
  double rested;
  disk_figures disk;
} end_figures;

static uint64_t count_packed(const fleet *f)
{
  uint64_t packed = 0;
  for (uint32_t i = 0; i < f->desk_count; i++)
    packed += f->desks[i]->packed;
  return packed;
}

static void begin_disks(disk_figures *all)
{
  *all = (disk_figures){.is_used = all->is_used};
}

static void add_disk(disk_figures *all, const disk_figures *of_rank)
{
  uint32_t needed = all->ranks + (of_rank->spills > 0);
  disk_figures_add(all, of_rank);
  all->ranks = needed;
}

void fleet_join_figures(search *r)
{
  fleet *f = r->fleet;
  statistics *stats = &r->result->stats;
  rank_figures *told = &r->result->ranks;
  rank_cost cost = ranks_cost(f->ranks);
  const store_class *class = r->result->store;
  end_figures e = {
      stats->store_bytes,  stats->state_bytes,
      stats->search_bytes, r->watch.store ? class->count(r->watch.store) : 0,
      cost.messages,       cost.bytes,
      count_packed(f),     cost.rested,
      r->result->disk};
  if (!f->is_spread || !r->team || ranks_are_broken(f->ranks))
    return;
  vec_clear(&f->letter);
  letter_put(&f->letter, &e, sizeof e);
  if (!fleet_meet(r->team, POINT_FIGURES))
    return;
  stats->store_bytes = stats->search_bytes = 0;
  begin_disks(&r->result->disk);
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    letter_get(&l, &e, sizeof e);
    stats->store_bytes += e.store_bytes;
    stats->search_bytes += e.search_bytes;
    if (stats->state_bytes < e.state_bytes)
      stats->state_bytes = e.state_bytes;
    if (told->most_states < e.states)
      told->most_states = e.states;
    add_disk(&r->result->disk, &e.disk);
    told->messages += e.messages;
    told->sent += e.sent;
    told->bytes += e.bytes;
    if (told->rested < e.rested)
      told->rested = e.rested;
  }
}

void fleet_join_disks(team *t, disk_figures *own)
{
  fleet *f = t->asker->fleet;
  if (ranks_are_broken(f->ranks))
    return;
  vec_clear(&f->letter);
  letter_put(&f->letter, own, sizeof *own);
  if (!fleet_meet(t, POINT_DISKS))
    return;
  begin_disks(own);
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = fleet_word(f, i);
    disk_figures other;
    letter_get(&l, &other, sizeof other);
    add_disk(own, &other);
  }
}

void fleet_add_progress(team *t, statistics *stats)
{
  fleet *f = t->asker->fleet;
  double now = usage_seconds();
  uint64_t figures[RANKS_FIGURES] = {0};
  for (uint32_t i = 0; i < t->count; i++) {
    const walker *w = &t->walkers[i];
    figures[0] += atomic_load_explicit(&w->states, memory_order_relaxed);
    figures[1] += atomic_load_explicit(&w->transitions, memory_order_relaxed);
  }
  if (f->own && now >= f->next_figures) {
    f->next_figures = now + FIGURES_SECONDS;
    ranks_tell_figures(f->ranks, figures);
  }
  uint64_t sums[RANKS_FIGURES] = {0};
  ranks_add_figures(f->ranks, sums);
  stats->states += sums[0];
  stats->transitions += sums[1];
}
