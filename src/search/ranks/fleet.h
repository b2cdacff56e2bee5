/* A search by levels on several ranks (docs/internals/ranks.md).
**
** Each rank does the same search.  The first levels are walked over by each of
** them; from then on a state belongs to one rank, its owner, by a hash of its
** bytes.  The owner alone stores and expands it: successors of others are sent
** to theirs.  A level ends when all have said so, and then all join what they
** found: after that figures and findings are the same in every rank.
**
**   fleet.c     levels, and what is joined      packing.c    states in messages
**   letters.c   findings in words               sent.c       and sent only once */

#ifndef NUT_SEARCH_RANKS_FLEET_H
#define NUT_SEARCH_RANKS_FLEET_H

#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "program/program.h"
#include "search/ranks/packing.h"
#include "search/ranks/sent.h"
#include "search/search.h"

struct finding;
struct search;
struct team;

/* A state whose chosen successors may not do: whether one of them keeps the promise
** is known to other ranks. */
typedef struct doubt {
  store_handle *piece; /* in the frontier */
  uint32_t left_out;   /* successors, if they do */
  bool is_kept;        /* some rank said so */
} doubt;

typedef VEC(uint32_t) doubt_numbers;

enum { FLEET_SHORT = 32 }; /* bytes of a state that are not worth comparing */

/* Whether chosen successors will do, as far as one rank can tell. */
typedef enum { PROMISE_KEPT, PROMISE_BROKEN, PROMISE_ASKED } fleet_promise;

typedef struct fleet {
  ranks *ranks;
  uint32_t own, count;
  uint32_t expanded; /* states, since messages were looked at */
  bool is_spread;    /* states have owners by now */
  bool discards;     /* this rank has no room: what comes is lost, and the run
                      ** ends as unknown */
  uint64_t size;     /* states of the next level, of all ranks */
  packer *packers;   /* for each rank */
  /* With a reduction: doubts of this level; for each rank, which of them the states
  ** belong to that it was asked about, in order, how many it has answered, and
  ** the answers it gets. */
  VEC(doubt) doubts;
  doubt_numbers *questions;
  size_t *answered;
  rank_bytes *answers;
  VEC(uint64_t) hashes; /* of the successors at hand */
  sent sent;
  rank_bytes letter; /* a word of this rank */
  double next_look;  /* while it waits */
  double next_figures;
} fleet;

/* For a search that goes by levels; NULL: there are no other ranks. */
fleet *fleet_create(ranks *);
void fleet_destroy(fleet *); /* NULL is fine */

/* A walk begins: all ranks meet, and are about to do the same. */
void fleet_begin(struct team *);
/* It is over: edges that were executed by any rank are known to all. */
void fleet_end(struct team *);
/* From this level on states have owners, if it is time for that. */
void fleet_spread(struct team *);
/* Has the part of a level that is this rank's expanded, and takes what comes. */
void fleet_expand(struct team *, bool by_all);

/* By this number of a state it is known whose it is. */
static inline uint64_t fleet_hash(const uint8_t *state, uint32_t length)
{
  return hash_bytes(state, length);
}
static inline uint32_t fleet_owner(const fleet *f, uint64_t hash)
{
  return (uint32_t)((hash >> 32) * f->count >> 32);
}
/* So many states were expanded: whether it is time to look at messages, which costs
** as much as some of them. */
static inline bool fleet_is_due(fleet *f, uint32_t expanded)
{
  enum { EVERY = 64 };
  f->expanded += expanded;
  if (f->expanded < EVERY)
    return false;
  f->expanded = 0;
  return true;
}
/* A successor goes to its owner, unless it did so before; perhaps with a question,
** for the last doubt. */
void fleet_send(fleet *, uint64_t hash, const uint8_t *state, uint32_t length,
                bool asks);
/* States that came from another rank, as successors of nobody; false: none.  Those
** with the edge 1 are asked about, and to be answered in order. */
bool fleet_take(fleet *, batch *, uint32_t *from);
void fleet_answer(fleet *, uint32_t to, bool keeps);
/* There is a doubt about the expansion of a state. */
void fleet_doubt(fleet *, store_handle *piece, size_t left_out);
/* After some states were expanded and there was nothing to take: whether it is
** time to go on, not to wait for room in messages. */
bool fleet_goes_on(struct team *);
/* Whether all other ranks have come to the end of their part, and all they sent was
** taken. */
bool fleet_has_ended(fleet *);
/* Nothing came: waits a moment, and looks at the limits now and then. */
void fleet_wait(struct team *);
/* This rank has no memory for what comes. */
void fleet_discard(struct team *);
/* Joins figures and findings of the level, those of the others into the first
** walker's; how many states are waiting. */
void fleet_join(struct team *, statistics *level, uint64_t *waiting);
/* The least of what the ranks found on the way back; NULL: nothing, here or
** anywhere. */
struct finding *fleet_join_back(struct team *, struct finding *best);
/* Figures of this rank become those of all: bytes are added. */
void fleet_join_figures(struct search *);
/* Adds what the others have found in this level, as far as they told; and tells
** rank 0 what this one has. */
void fleet_add_progress(struct team *, statistics *);

#endif
