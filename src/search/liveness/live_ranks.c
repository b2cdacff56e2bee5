/* With other ranks: the search of one thread has ended or paused in each of them, by
** itself.  It is the same search everywhere, but one rank may have less memory than
** another, or be stopped: so before they go on by levels, which all of them must, all
** tell how it ended. */

#include "search/liveness/live_ranks.h"

#include "base/alloc.h"
#include "base/ranks/ranks.h"

#include <string.h>

enum { POINT_FIRST = 70 }; /* where ranks meet; see search/ranks/fleet.c */

/* The worst last; what lies before FIRST_WAITS is an answer. */
typedef enum {
  FIRST_HOLDS,
  FIRST_VIOLATED,
  FIRST_WAITS, /* to go on by levels */
  FIRST_STOPPED,
  FIRST_DOUBTS /* claims: it begins anew */
} first_end;

typedef struct first_word {
  uint64_t row; /* the property */
  uint64_t end, reason;
  statistics stats;
} first_word;

static bool is_full(const live *l)
{
  return l->watch.stop && (l->result.reason == REASON_MEMORY_LIMIT ||
                           l->result.reason == REASON_OUT_OF_MEMORY);
}

static first_end end_of(const live *l, bool waits)
{
  if (l->claim_broken)
    return FIRST_DOUBTS;
  if (l->found)
    return FIRST_VIOLATED;
  if (waits)
    return FIRST_WAITS;
  return l->watch.stop ? FIRST_STOPPED : FIRST_HOLDS;
}

static void stop(live *l, reason why)
{
  l->watch.stop = false;
  watch_stop(&l->watch, why);
  l->result.reason = why;
}

/* A rank with more memory has come to the end. */
static void adopt(live *l, const first_word *other)
{
  l->watch.stop = false;
  l->result.reason = REASON_NONE;
  l->result.stats = other->stats;
  l->is_violated = other->end == FIRST_VIOLATED;
}

/* Whether this rank, which has said 'own', goes on by levels, as all do then. */
static bool obey(live *l, first_end own, const first_word *words,
                 uint32_t count)
{
  const first_word *known = NULL, *stopped = NULL;
  bool doubts = false;
  for (uint32_t i = count; i--;) {
    doubts |= words[i].end == FIRST_DOUBTS;
    known = words[i].end < FIRST_WAITS ? &words[i] : known;
    stopped = words[i].end == FIRST_STOPPED ? &words[i] : stopped;
  }
  if (doubts) {
    l->claim_broken = true;
    stop(l, REASON_NONE);
  } else if (known && (own == FIRST_WAITS || is_full(l))) {
    adopt(l, known);
  } else if (stopped && own == FIRST_WAITS) {
    stop(l, (reason)stopped->reason);
  }
  return own == FIRST_WAITS && !doubts && !known && !stopped;
}

/* What all say; false: one of them is elsewhere, or gone. */
static bool hear(ranks *others, const first_word *own, first_word *words)
{
  bool same = !ranks_are_broken(others) &&
              ranks_meet(others, POINT_FIRST, own, sizeof *own);
  for (uint32_t i = 0; same && i < ranks_count(others); i++) {
    size_t length;
    const uint8_t *bytes = ranks_word(others, i, &length);
    if (length == sizeof *words)
      memcpy(&words[i], bytes, length);
    same = words[i].row == own->row;
  }
  return same;
}

static bool meet(live *l, first_end own)
{
  ranks *others = l->asker->options->ranks;
  uint32_t count = ranks_count(others);
  first_word word = {.row = l->asker->row + 1,
                     .end = own,
                     .reason = l->result.reason,
                     .stats = l->result.stats};
  first_word *words = mem_alloc(count * sizeof *words);
  bool goes_on = false;
  if (hear(others, &word, words)) {
    goes_on = obey(l, own, words, count);
  } else if (own == FIRST_WAITS) {
    uint32_t why = ranks_why_broken(others);
    stop(l, why > REASON_NONE + 1 ? (reason)(why - 1) : REASON_RANK);
  }
  mem_free(words, count * sizeof *words);
  return goes_on;
}

bool live_ranks_agree(live *l, bool waits)
{
  if (!l->asks_ranks)
    return waits;
  l->asks_ranks = false;
  /* The little that this needs is not counted: this rank may have no memory. */
  mem_budget *budget = mem_use_budget(NULL);
  bool goes_on = meet(l, end_of(l, waits));
  mem_use_budget(budget);
  return goes_on;
}
