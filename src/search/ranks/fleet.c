/* Levels of several ranks: who owns what, when a level is over, and what all
** know then. */

#include "search/ranks/fleet.h"

#include "base/alloc.h"
#include "base/system/usage.h"
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
  POINT_FIGURES
};

#define LOOK_SECONDS 0.1
#define FIGURES_SECONDS 0.2

fleet *fleet_create(ranks *others)
{
  if (!others || ranks_count(others) < 2)
    return NULL;
  fleet *f = mem_alloc(sizeof *f);
  f->ranks = others;
  f->own = ranks_own(others);
  f->count = ranks_count(others);
  f->packers = mem_alloc(f->count * sizeof *f->packers);
  f->questions = mem_alloc(f->count * sizeof *f->questions);
  f->answered = mem_alloc(f->count * sizeof *f->answered);
  f->answers = mem_alloc(f->count * sizeof *f->answers);
  return f;
}

void fleet_destroy(fleet *f)
{
  if (!f)
    return;
  for (uint32_t i = 0; i < f->count; i++) {
    packer_free(&f->packers[i]);
    vec_free(&f->questions[i]);
    vec_free(&f->answers[i]);
  }
  mem_free(f->packers, f->count * sizeof *f->packers);
  mem_free(f->questions, f->count * sizeof *f->questions);
  mem_free(f->answered, f->count * sizeof *f->answered);
  mem_free(f->answers, f->count * sizeof *f->answers);
  vec_free(&f->doubts);
  vec_free(&f->hashes);
  sent_free(&f->sent);
  vec_free(&f->letter);
  mem_free(f, sizeof *f);
}

/* ---- meeting ------------------------------------------------------------- */

/* Some rank left, or is elsewhere: this one ends, too. */
static void stop_broken(team *t)
{
  fleet *f = t->asker->fleet;
  uint32_t why = ranks_why_broken(f->ranks);
  watch_stop(&t->asker->watch, why ? (reason)(why - 1) : REASON_RANK);
  team_stop(t);
}

/* Says the letter and hears those of all others; false: the run ends. */
static bool meet(team *t, uint32_t point)
{
  fleet *f = t->asker->fleet;
  if (ranks_meet(f->ranks, point, f->letter.data, f->letter.len))
    return true;
  stop_broken(t);
  return false;
}

static letter_reader read_word(const fleet *f, uint32_t rank)
{
  size_t length;
  const uint8_t *word = ranks_word(f->ranks, rank, &length);
  return (letter_reader){.at = word, .end = word + length};
}

static void put_question(rank_bytes *to, const team *t)
{
  const search *r = t->asker;
  const uint64_t same[] = {
      t->kinds,          program_model(r->program)->edges.len,
      r->options->count, r->result->por,
      t->judges,         r->doubts_claims};
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
  f->is_spread = f->discards = false;
  sent_forget(&f->sent);
  vec_clear(&f->letter);
  put_question(&f->letter, t);
  if (!meet(t, POINT_BEGIN))
    return;
  ranks_forget_stop(f->ranks);
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = read_word(f, i);
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
  const uint8_t *own = worker_reached(t->asker->worker);
  size_t edges = program_model(t->asker->program)->edges.len;
  if (!f->is_spread || ranks_are_broken(f->ranks))
    return;
  vec_clear(&f->letter);
  letter_put(&f->letter, own, edges);
  if (!meet(t, POINT_END))
    return;
  vec_resize(&t->reached, edges);
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = read_word(f, i);
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
  for (uint32_t i = 0; i < t->count; i++)
    t->walkers[i].own.fleet = f;
  t->walkers[0].own.watch.store = r->watch.store;
  r->loop->level_spread(&t->walkers[0].own);
}

/* ---- a level ------------------------------------------------------------- */

/* The first byte of data. */
enum { DATA_STATES, DATA_ANSWERS };

static void send_data(fleet *f, uint32_t to, uint8_t kind,
                      const rank_bytes *data)
{
  uint8_t *room = ranks_put(f->ranks, to, 1 + data->len);
  room[0] = kind;
  memcpy(room + 1, data->data, data->len);
}

static void send_packet(fleet *f, uint32_t to)
{
  send_data(f, to, DATA_STATES, &f->packers[to].packet);
  packer_clear(&f->packers[to]);
}

void fleet_send(fleet *f, uint64_t hash, const uint8_t *state, uint32_t length,
                bool asks)
{
  uint32_t to = fleet_owner(f, hash);
  if (sent_before(&f->sent, hash, state, length) && !asks)
    return;
  packer_add(&f->packers[to], state, length, asks);
  if (asks)
    vec_push(&f->questions[to], (uint32_t)f->doubts.len - 1);
  if (packer_is_full(&f->packers[to]))
    send_packet(f, to);
}

/* What another rank says of the states that it was asked about. */
static void hear_answers(fleet *f, uint32_t from, const uint8_t *answers,
                         size_t count)
{
  const doubt_numbers *asked = &f->questions[from];
  for (size_t i = 0; i < count && f->answered[from] < asked->len; i++)
    f->doubts.data[asked->data[f->answered[from]++]].is_kept |= answers[i];
}

bool fleet_take(fleet *f, batch *b, uint32_t *from)
{
  size_t length;
  const uint8_t *data = ranks_take(f->ranks, from, &length);
  if (!data)
    return false;
  vec_clear(&b->list);
  if (data[0] == DATA_ANSWERS)
    hear_answers(f, *from, data + 1, length - 1);
  else if (!f->discards)
    packet_unpack(data + 1, length - 1, b);
  return true;
}

void fleet_answer(fleet *f, uint32_t to, bool keeps)
{
  vec_push(&f->answers[to], keeps);
}

void fleet_doubt(fleet *f, store_handle *piece, size_t left_out)
{
  vec_push(&f->doubts, ((doubt){piece, (uint32_t)left_out, false}));
}

void fleet_discard(team *t)
{
  t->asker->fleet->discards = true;
  watch_full(&t->walkers[0].own.watch);
  team_stop(t);
}

/* Another rank wants the run to end. */
static void obey(team *t)
{
  uint32_t why = ranks_told_stop(t->asker->fleet->ranks);
  if (!why || atomic_load(&t->stop))
    return;
  watch_stop(&t->asker->watch, (reason)(why - 1));
  team_stop(t);
}

void fleet_wait(team *t)
{
  fleet *f = t->asker->fleet;
  double now = usage_seconds();
  obey(t);
  if (now >= f->next_look) {
    f->next_look = now + LOOK_SECONDS;
    if (!atomic_load(&t->stop))
      team_look(t);
  }
  ranks_rest(f->ranks);
}

bool fleet_goes_on(team *t)
{
  fleet *f = t->asker->fleet;
  obey(t);
  if (atomic_load(&t->stop) || !ranks_are_crowded(f->ranks))
    return true;
  fleet_wait(t);
  return false;
}

bool fleet_has_ended(fleet *f)
{
  return ranks_have_heard(f->ranks);
}

/* Others are told when this rank ends the run. */
static void tell_stop(team *t)
{
  search *r = t->asker;
  const walker *w = &t->walkers[0];
  if (!atomic_load(&t->stop) || ranks_told_stop(r->fleet->ranks))
    return;
  reason why = r->watch.stop       ? r->result->reason
               : w->own.watch.stop ? w->result.reason
                                   : limits_why(r->watch.limits);
  ranks_tell_stop(r->fleet->ranks, (uint32_t)why + 1);
}

typedef struct part {
  team *team;
  team_job *job;
  bool by_all;
} part;

static void do_part(void *work)
{
  part *p = work;
  team_run(p->team, p->job, p->by_all);
}

static void do_drain(void *work)
{
  part *p = work;
  search *own = &p->team->walkers[0].own;
  own->watch.store = p->team->asker->watch.store;
  p->team->asker->loop->level_drain(own);
}

/* This rank has done its part up to a point, with so many questions open; takes
** what comes until all have. */
static void end_part(team *t, uint32_t point, uint64_t open)
{
  fleet *f = t->asker->fleet;
  part p = {.team = t};
  tell_stop(t);
  for (uint32_t i = 0; i < f->count; i++)
    if (i != f->own && f->packers[i].packet.len)
      send_packet(f, i);
  const uint64_t word[] = {open, atomic_load(&t->stop)};
  ranks_say(f->ranks, point, word, sizeof word);
  if (!mem_protect(do_drain, &p)) {
    /* A rank without memory goes on taking, and losing, what comes; the little
    ** that this needs is not counted. */
    mem_budget *budget = mem_use_budget(NULL);
    fleet_discard(t);
    do_drain(&p);
    mem_use_budget(budget);
  }
  if (ranks_are_broken(f->ranks))
    stop_broken(t);
}

/* Whether some rank has asked something; not when the run ends. */
static bool is_something_open(team *t)
{
  fleet *f = t->asker->fleet;
  uint64_t open = 0, stops = 0;
  for (uint32_t i = 0; i < f->count && !ranks_are_broken(f->ranks); i++) {
    letter_reader l = read_word(f, i);
    open += letter_get_number(&l);
    stops += letter_get_number(&l);
  }
  return open && !stops;
}

static void clear_doubts(fleet *f)
{
  vec_clear(&f->doubts);
  for (uint32_t i = 0; i < f->count; i++) {
    vec_clear(&f->questions[i]);
    vec_clear(&f->answers[i]);
    f->answered[i] = 0;
  }
}

/* Answers what others asked; then all successors of those states are expanded for
** which nobody spoke. */
static void resolve_doubts(team *t)
{
  search *r = t->asker;
  fleet *f = r->fleet;
  for (uint32_t i = 0; i < f->count; i++)
    if (f->answers[i].len)
      send_data(f, i, DATA_ANSWERS, &f->answers[i]);
  end_part(t, POINT_ANSWERS, 0);
  part p = {t, r->loop->level_doubts, false};
  if (!atomic_load(&t->stop) && !mem_protect(do_part, &p))
    fleet_discard(t);
  end_part(t, POINT_REST, 0);
}

void fleet_expand(team *t, bool by_all)
{
  fleet *f = t->asker->fleet;
  part p = {t, t->asker->loop->level_share, by_all};
  clear_doubts(f);
  if (!mem_protect(do_part, &p))
    fleet_discard(t);
  end_part(t, POINT_LEVEL, f->doubts.len);
  if (is_something_open(t))
    resolve_doubts(t);
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
static void put_news(rank_bytes *to, const team *t)
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

static void get_news(letter_reader *l, team *t, bool is_own)
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
  if (!is_own)
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
  letter_put(to, &e, sizeof e);
  put_news(to, t);
  letter_put_findings(to, t);
}

/* What one rank tells; of those that stop the first one's reason counts. */
static void add_level(team *t, uint32_t rank, statistics *level,
                      uint64_t *waiting, bool *stops)
{
  search *r = t->asker;
  fleet *f = r->fleet;
  letter_reader l = read_word(f, rank);
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
  get_news(&l, t, rank == f->own);
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
  if (ranks_are_broken(f->ranks) || !meet(t, POINT_JOIN))
    return;
  ranks_clear_figures(f->ranks);
  *waiting = 0;
  for (uint32_t i = 0; i < f->count; i++)
    add_level(t, i, level, waiting, &stops);
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
  if (!meet(t, POINT_BACK))
    return NULL;
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = read_word(f, i);
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
  double rested;
} end_figures;

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
      cost.rested};
  if (!f->is_spread || !r->team || ranks_are_broken(f->ranks))
    return;
  vec_clear(&f->letter);
  letter_put(&f->letter, &e, sizeof e);
  if (!meet(r->team, POINT_FIGURES))
    return;
  stats->store_bytes = stats->search_bytes = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    letter_reader l = read_word(f, i);
    letter_get(&l, &e, sizeof e);
    stats->store_bytes += e.store_bytes;
    stats->search_bytes += e.search_bytes;
    if (stats->state_bytes < e.state_bytes)
      stats->state_bytes = e.state_bytes;
    if (told->most_states < e.states)
      told->most_states = e.states;
    told->messages += e.messages;
    told->bytes += e.bytes;
    if (told->rested < e.rested)
      told->rested = e.rested;
  }
}

void fleet_add_progress(team *t, statistics *stats)
{
  fleet *f = t->asker->fleet;
  const walker *w = &t->walkers[0];
  double now = usage_seconds();
  uint64_t figures[RANKS_FIGURES] = {w->result.stats.states,
                                     w->result.stats.transitions};
  if (f->own && now >= f->next_figures) {
    f->next_figures = now + FIGURES_SECONDS;
    ranks_tell_figures(f->ranks, figures);
  }
  uint64_t sums[RANKS_FIGURES] = {0};
  ranks_add_figures(f->ranks, sums);
  stats->states += sums[0];
  stats->transitions += sums[1];
}
