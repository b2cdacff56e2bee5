/* A search by levels on several ranks (docs/internals/ranks.md).
**
** Each rank does the same search.  The first levels are walked over by each of
** them; from then on a state belongs to one rank, its owner, by a hash of its
** bytes.  The owner alone stores and expands it: successors of others are sent
** to theirs.  A level ends when all have said so, and then all join what they
** found: after that figures and findings are the same in every rank.
**
**   fleet.c     levels, and what is joined      packing.c    states in messages
**   desk.c      a walker's part in that         sent.c       and sent only once
**   letters.c   findings in words               mail.c       between walkers
**   rounds.c    of a level that is kept         fleet_kept.c   checkpoints */

#ifndef NUT_SEARCH_RANKS_FLEET_H
#define NUT_SEARCH_RANKS_FLEET_H

#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "program/program.h"
#include "search/ranks/mail.h"
#include "search/ranks/packing.h"
#include "search/ranks/sent.h"
#include "search/search.h"

struct finding;
struct search;
struct team;

/* A state whose chosen successors may not do: whether one of them keeps the promise
** is known to other ranks. */
typedef struct doubt {
  store_handle
      *piece; /* in the frontier; NULL: it does not stay there, as there
                       ** is a disk */
  store_handle state;
  uint32_t left_out; /* successors, if they do */
  bool is_kept;      /* some rank said so */
} doubt;

/* With a disk: whether a state that came keeps the promise is not known yet.  It is
** noted at a place among the answers for a rank. */
typedef struct late_answer {
  store_handle handle;
  uint32_t from;
  size_t at;
} late_answer;

/* Whether chosen successors will do, as far as one rank can tell. */
typedef enum { PROMISE_KEPT, PROMISE_BROKEN, PROMISE_ASKED } fleet_promise;

/* What a walker has for another rank. */
typedef struct desk_line {
  packer packer;
  bool has_steps; /* in the packet, and no states that may be new */
  /* With a reduction: which doubts the states belong to that the rank was asked
  ** about, in order, those in packets that are sent and those that are not; and
  ** what it gets as answers. */
  VEC(uint32_t) questions;
  size_t asked;
  rank_bytes answers;
} desk_line;

/* A successor that another rank owns: which of whom. */
typedef struct foreign {
  uint64_t hash;
  const uint8_t *state;
  uint32_t length;
  uint32_t index, hand;
} foreign;

/* What a walker has to do with other ranks: packets that it fills, doubts of this
** level, and the packet whose states it stores. */
typedef struct desk {
  struct fleet *fleet;
  uint32_t index;    /* of the walker; the first one speaks with other ranks */
  uint32_t expanded; /* states, since messages were looked at */
  uint32_t idle;     /* times in a row that there was nothing to do */
  desk_line *lines;  /* for each rank */
  VEC(doubt) doubts;
  VEC(uint64_t) hashes; /* with a reduction: of the successors at hand */
  VEC(foreign) foreign; /* otherwise: those of them */
  sent sent;
  parcel *parcel; /* that was taken; NULL: none, or it is not one of the mail */
  bool is_taken;
  /* Whose states they are: of this rank and this walker of it, who asks about some
  ** of them, of which this is the first. */
  uint32_t from, asker, first_question;
  uint64_t stored;   /* states that came, */
  uint64_t packed;   /* and that go, in packets */
  size_t answers_at; /* the head of the answers */
  VEC(late_answer) late;
  packet_gains gains; /* of steps that came */
} desk;

typedef struct fleet {
  ranks *ranks;
  uint32_t own, count;
  bool is_spread; /* states have owners by now */
  atomic_bool
      discards;  /* this rank has no room: what comes is lost, and the run
                        ** ends as unknown */
  uint64_t size; /* states of the next level, of all ranks */
  desk **desks;  /* of the walkers */
  uint32_t desk_count, most;
  mail in, out; /* of several walkers: packets that came, and that go */
  /* A part of a level, up to the word in which it ends. */
  uint32_t point;
  bool is_said;        /* the word; */
  bool is_heard;       /* and heard from all: what they say next must wait */
  atomic_bool is_over; /* all they sent is stored as well */
  atomic_uint done;    /* walkers that have nothing left to expand */
  bool has_more;       /* but there will be more: it is on disk */
  void (*drain)(struct search *);
  rank_bytes letter; /* a word of this rank */
  /* With a checkpoint: rounds of a level. */
  bool can_call;    /* others may be told to halt; */
  bool can_halt;    /* what is done now may be left between two cohorts, */
  bool was_halted;  /* and was */
  bool is_later;    /* the first round of the level is over */
  bool is_forced;   /* a file is wanted, by a test */
  atomic_uint ends; /* the run shall end behind the round; a reason, and 1 */
  /* Of a run that goes on from one: states that are this rank's, and that there
  ** must be in all. */
  uint64_t restored, expected;
  bool is_uncounted; /* or nobody can tell how many this rank has */
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

/* Behind a level, which all have joined: if this rank has come to a limit since, the
** others learn why it ends. */
void fleet_tell_end(struct team *);

/* With a disk a level is expanded by several jobs, one after the other: one of them
** begins, behind which there may be more to expand. */
void fleet_begin_job(fleet *, bool has_more);
/* States that came and are stored. */
uint64_t fleet_stored(const fleet *);

/* All states are stored: what is known of those that were sent is not needed. */
void fleet_end_states(fleet *);

/* Has a sweep over states that are all stored done by the team; 'drain' is what
** the first walker does with what comes when the others are gone. */
typedef void fleet_job(struct search *);
void fleet_sweep(struct team *, fleet_job *, fleet_job *drain, bool by_all);
/* Behind it sums become those of all ranks: states that were counted, that wait to be
** looked at next, and that it has found to be theirs; and whether one of them gives
** up. */
typedef struct runs_sums {
  uint64_t counted, waiting, owned;
} runs_sums;
void fleet_join_sweep(struct team *, runs_sums *, bool *gives_up);
/* Likewise: numbers become the greatest of all ranks. */
void fleet_join_greatest(struct team *, uint64_t *const *list, uint32_t count);
/* Behind a dive (shallow/deep.h): whether all ranks have found an error in it.  If
** a limit has ended that of one rank, all stop. */
void fleet_join_dive(struct team *, bool *is_found);
/* Behind a walk: sets of bits become those of all ranks together, and whether one
** gives up. */
void fleet_join_bits(struct team *, uint64_t *words, size_t count,
                     bool *gives_up);

/* By this number of a state it is known whose it is. */
static inline uint64_t fleet_hash(const uint8_t *state, uint32_t length)
{
  return hash_bytes(state, length);
}
static inline uint32_t fleet_owner_of(uint64_t hash, uint32_t count)
{
  return (uint32_t)((hash >> 32) * count >> 32);
}
static inline uint32_t fleet_owner(const fleet *f, uint64_t hash)
{
  return fleet_owner_of(hash, f->count);
}
static inline bool desk_owns(const desk *d, uint64_t hash)
{
  return fleet_owner(d->fleet, hash) == d->fleet->own;
}
/* So many states were expanded: whether it is time to look at messages, which costs
** as much as some of them. */
static inline bool desk_is_due(desk *d, uint32_t expanded)
{
  enum { EVERY = 64 };
  d->expanded += expanded;
  if (d->expanded < EVERY)
    return false;
  d->expanded = 0;
  return true;
}
/* A successor goes to its owner, which it need not if it did so before ('sent'); with
** who is asleep there, and perhaps with a question, for the last doubt. */
void desk_send(desk *, uint64_t hash, const uint8_t *state, uint32_t length,
               bool asks, uint16_t asleep);
/* A step to a state that another rank has stored, and what it gives. */
void desk_send_step(desk *, uint64_t hash, const uint8_t *state,
                    uint32_t length, uint64_t gains);
/* States that came from another rank, as successors of nobody; false: none.  Those
** with the edge 1 are asked about, and to be answered in order.  Then all of them
** are stored. */
bool desk_take(desk *, struct team *, batch *);
void desk_answer(desk *, bool keeps);
/* The same when it is not known yet; and now it is, of a state that was noted. */
void desk_answer_late(desk *, store_handle);
static inline void desk_amend(desk *d, const late_answer *l, bool keeps)
{
  d->lines[l->from].answers.data[l->at] = keeps;
}
void desk_settle(desk *);
/* There is no room for some of them yet: they will all be taken again. */
void desk_put_back(desk *);
/* There is a doubt about the expansion of a state, whose handle is there for good
** or only now. */
void desk_doubt(desk *, store_handle *piece, bool stays, size_t left_out);
/* After some states were expanded and there was nothing to take: whether it is
** time to go on, not to wait for room in messages. */
bool desk_goes_on(desk *, struct team *);
/* The walker has nothing left to expand in this part; it takes what comes until
** the part is over, for all walkers of all ranks. */
void desk_end_part(desk *);
bool desk_is_over(desk *, struct team *);
/* Nothing came: waits a moment, and looks at the limits now and then. */
void desk_wait(desk *, struct team *);
/* This rank has no memory for what comes. */
void desk_discard(desk *, struct team *);
/* With a checkpoint, where a level is expanded in rounds.  The limits were looked
** at: if time is up, or a file is due, the round ends first. */
void fleet_look(struct team *);
/* The first walker has expanded a batch: a test may want a file. */
void fleet_count_batch(struct team *);
/* Nothing is left between two cohorts any more: what comes is taken. */
void round_leave(struct team *);
/* Whether nobody waits for the end of a long sequence of steps. */
bool fleet_is_impatient(const struct team *);
/* The run goes on from one: states have owners.  False: some are missing, or some
** rank has ended. */
bool fleet_take_over(struct team *);
/* Joins figures and findings of the level, those of the others into the first
** walker's; how many states are waiting. */
void fleet_join(struct team *, statistics *level, uint64_t *waiting);
/* The least of what the ranks found on the way back; NULL: nothing, here or
** anywhere. */
struct finding *fleet_join_back(struct team *, struct finding *best);
/* Figures of this rank become those of all: bytes are added. */
void fleet_join_figures(struct search *);
/* The same for disks alone. */
void fleet_join_disks(struct team *, disk_figures *);
/* Adds what the others have found in this level, as far as they told; and tells
** rank 0 what this one has. */
void fleet_add_progress(struct team *, statistics *);

#endif
