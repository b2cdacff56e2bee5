/* What the parts of the search by levels share; see levels.h.
**
** A team works for a search, the 'asker', which holds the result.  Each of its
** walkers is a thread with a search of its own for batches and figures; the
** first walker is the thread of the asker.  Between two meetings a walker
** touches nothing of the others but the pieces of the frontier and the store. */

#ifndef NUT_SEARCH_LEVELS_LEVELS_INTERNAL_H
#define NUT_SEARCH_LEVELS_LEVELS_INTERNAL_H

#include "program/canonical.h"
#include "search/levels/forecast.h"
#include "search/levels/frontier.h"
#include "search/levels/growing.h"
#include "search/levels/handle_list.h"
#include "search/levels/levels.h"
#include "search/search_internal.h"
#include <pthread.h>
#include <stdatomic.h>

/* ---- least.c ------------------------------------------------------------ */

/* What was found for one property, or of one kind. */
typedef struct finding {
  uint64_t errors; /* of this level */
  bool is_known;   /* there is a least one, of this or an earlier level: */
  uint64_t level;  /* of the state in which it shows */
  trace_claim claim;
  canonical_bytes key, state;
  span where;             /* of a value that does not fit */
  uint32_t edge, process; /* of a sequence without end */
} finding;

/* Behind those of the answers: values that do not fit, sequences without
** end. */
enum { FOUND_OUTGROWN, FOUND_STUCK, FOUND_KINDS };

/* A place where steps fail, and the least that was found there. */
typedef struct fault_place {
  uint32_t answer;
  fault fault;        /* some step that fails there */
  uint32_t violation; /* of the answer, once it is entered */
  finding found;
} fault_place;

typedef VEC(fault_place) place_list;

typedef struct walker walker;
typedef struct team team;

/* Notes what the successors of the cohort show, and the new states. */
void least_judge(walker *, uint32_t cohort);
/* Joins what all walkers found in a level and enters it into the result. */
void least_join(team *);
/* Notes what a state of the next level shows that was found to be new late. */
void least_judge_late(walker *, store_handle);
void least_judge_whole(walker *, const uint8_t *state, uint32_t length);
void finding_free(finding *);
void places_free(place_list *);
/* Whether the first, which is known, counts rather than the other. */
bool finding_is_less(const finding *, const finding *);
fault_place *place_of(place_list *, uint32_t answer, const fault *);
/* What was found elsewhere is added to a finding, and is no more. */
void finding_add(finding *, finding *other);
/* As 'least_judge', but what is shown is noted apart.  False: memory ran out in
** between; what was noted before is as it was. */
bool least_judge_aside(walker *, uint32_t cohort);
/* What was noted apart is added to the rest. */
void least_add_aside(walker *);

/* ---- team.c ------------------------------------------------------------- */

struct walker {
  team *team;
  uint32_t index;
  pthread_t thread; /* but for the first one */
  bool has_thread;
  store *view; /* of the shared store; NULL: not yet */
  search own;
  search_result result; /* its part of the figures of this level */
  frontier here, next;
  const store_handle *piece; /* being expanded: a cohort */
  finding *found;            /* as many as 'team.kinds' */
  place_list places;         /* of failing steps, in this level */
  canonical_bytes key;       /* for comparing */
  finding back;              /* ways.c: the best predecessor */
  /* With a checkpoint: of the piece, what is not expanded yet.  While a cohort is
  ** being expanded: what was before, and whether errors of it are noted. */
  const store_handle *rest;
  size_t rest_count;
  bool busy, judged;
  statistics before;
  uint64_t
      *executed; /* likewise, how often each edge was; NULL: nobody counts */
  size_t next_before;
  reduce_tally tally;
  finding *late; /* errors of a cohort that is not expanded for good, */
  place_list late_places;
  /* With a disk: states whose choice waits for answers (search/disk/disk.h). */
  VEC(uint64_t) waiting;
  size_t waiting_before;
  atomic_uint_fast64_t states; /* of this level so far, for progress */
  atomic_uint_fast64_t transitions;
  double waited; /* seconds, in meetings of this level */
  void *viewer;  /* showing.c: sees the states that this walker shows */
  /* Walkers lie one behind the other, and write to both ends of theirs. */
  uint8_t apart[MEM_APART];
};

typedef void team_job(search *);

/* What the levels so far tell about those to come (outlook.c). */
typedef struct outlook {
  forecast forecast;
  growing *growing; /* NULL: nothing was looked at yet */
  bool is_growing;
  uint64_t look_at;   /* the next level to look at */
  VEC(uint8_t) state; /* that is being looked at */
} outlook;

struct team {
  search *asker;
  mem_budget *budget; /* of its thread */
  uint32_t count;     /* walkers; one until a level is for all, */
  uint32_t most;      /* then so many */
  walker *walkers;
  size_t kinds; /* of findings */
  finding *found;
  place_list places; /* those that get a trace of their own */
  bool judges;       /* false: a walk whose errors are known */

  /* What is expanded: these parts. */
  frontier **parts;
  uint32_t part_count;
  frontier **own_parts;   /* of the walkers: this level, then the next */
  reduction **reductions; /* of the walkers; NULL: there are none */
  outlook outlook;

  /* A meeting.  'lock' guards what follows; 'wanted' and 'stop' are looked at
  ** without it. */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool has_lock;
  team_job *job;
  uint64_t rounds, meetings; /* of jobs, in jobs */
  uint32_t arrived, done;
  uint32_t inside; /* of those who came: in the middle of a cohort */
  bool is_shared;  /* the job is for all */
  bool over, quits;
  /* Who leads a meeting can have the others help.  'helping' are at it. */
  helpers helpers;
  helpers_part *help; /* NULL: none is wanted, or no more */
  void *help_work;
  uint32_t help_parts, helping;
  atomic_uint help_taken; /* parts */
  bool is_helped;
  atomic_bool wanted, stop;
  atomic_bool full; /* somebody found no memory */

  /* The run is kept in a file on its way; NULL: it is not, or not now.  'saves':
  ** a file is wanted; 'expands': a level is being expanded. */
  struct checkpoint *checkpoint;
  atomic_bool saves;
  bool expands, is_resumed, was_saved;
  bool finishes; /* the run ends, and what was begun is brought to an end */
  /* Several ranks keep it together: a level is expanded in rounds, and between two
  ** of them they write (search/ranks/rounds.c).  'halts': a round ends, as soon as
  ** walkers are between two cohorts; 'handed': what others had found in this level
  ** by then. */
  bool by_rounds;
  atomic_bool halts;
  statistics handed;
  uint64_t gone;          /* states of this level that were expanded before */
  VEC(uint8_t) reached;   /* edges, before, */
  VEC(uint64_t) executed; /* and how often; empty: nobody counts */

  /* States go to a disk when there is no memory; NULL: they do not.  'paused': a
  ** job ends before its parts are expanded, and goes on after room was made;
  ** 'refused': because there was none. */
  struct disk *disk;
  atomic_bool paused, refused;
  /* Frontiers know who is asleep; until the first pause, or the second walk, as
  ** they may be put in another order then. */
  atomic_bool sleeps;

  atomic_uint_fast64_t shown; /* showing.c: parts of the states */

  /* ways.c: the levels of a second walk, one after the other, in 'packed'; with a
  ** disk in 'kept', which is room for one of them otherwise. */
  bool keeps;
  frontier kept;
  handle_list packed;
  VEC(size_t) starts; /* of each level, among the handles or bytes */
  frontier level;     /* a part of 'kept' */
  frontier *only[1];
  const canonical_bytes *wanted_state;
  canonical_bytes last; /* found on the way back */
  VEC(uint8_t) path;    /* states, the last one first, */
  VEC(size_t) ends;     /* and where each ends */
};

/* NULL never; when memory runs out in between, 'levels_free' is all right. */
void team_create(search *asker);
void team_destroy(team *);
/* With a reduction: what walkers learned in a level counts from now on, and marks
** are as the next level must find them. */
void team_settle_reduction(team *, bool by_all);
/* For a second walk, which keeps its levels, over a new store. */
void team_begin_again(team *);
/* The store is about to go. */
void team_end_views(team *);
/* Has all walkers, not the first alone. */
void team_fill(team *);
/* Has the parts expanded, by all walkers or by the first alone. */
void team_run(team *, team_job *, bool by_all);
/* A piece that nobody has; 0: there is none, or the run ends. */
size_t team_take(walker *, store_handle **piece);
/* Who is asleep in the states of a piece; NULL: that is not kept. */
const uint16_t *team_asleep(const team *, const store_handle *piece);
/* Whether a piece is of this level, and not of the next. */
bool team_has_expanded(const team *, const store_handle *piece);
/* After so many expansions: looks at the limits, and meets the others if that
** is wanted.  False: the run ends. */
bool walker_goes_on(walker *, uint32_t expansions);
/* The store has refused something: false when that cannot be helped. */
bool walker_make_room(walker *);
/* Ends the run for all. */
void team_stop(team *);
/* With a disk: the job ends as soon as all are between two cohorts; the cohort at
** hand is expanded later, as if nobody had begun with it. */
void team_pause(team *, bool refused);
bool walker_abandon(walker *);
/* The same without a pause: the cohort was not begun. */
void walker_undo(walker *);
/* After a pause: what was taken and not expanded is there again. */
void team_give_back_pieces(team *);
/* A run that can be interrupted between any two cohorts, and goes on. */
static inline bool team_keeps_track(const team *t)
{
  return t->checkpoint || t->disk || t->by_rounds;
}
/* The first walker looks at the limits, and tells of progress. */
void team_look(team *);
/* With a checkpoint or a disk: the cohort is about to be expanded, of a piece of
** which so many are left; and it was. */
void walker_begin_cohort(walker *, const store_handle *, size_t left);
void walker_end_cohort(walker *, uint32_t cohort);
/* The same for states that came from another rank, so many: they are stored
** between two cohorts. */
void walker_begin_packet(walker *, size_t states);
void walker_end_packet(walker *);
/* Whether the successors of the cohort are all there. */
bool walker_is_whole(const walker *, uint32_t cohort);
/* The run ends in the middle of a level, or behind one: writes what it has. */
void team_save_last(team *);

/* ---- checkpoint/moment.c ------------------------------------------------- */

/* What counts while all stand still: whether a state of a walker's part was
** expanded; how many the walker has found for the next level. */
bool moment_is_expanded(const team *, const frontier *, size_t index);
size_t moment_next_count(const walker *);

/* ---- outlook.c ----------------------------------------------------------- */

/* At the first level, and behind each: so many states are in the next. */
void outlook_begin(team *);
void outlook_add(team *, uint64_t next);
/* Behind a walk that a limit has ended: how many states there may be in all. */
void outlook_conclude(team *);
void outlook_free(outlook *);

/* ---- levels.c, ways.c --------------------------------------------------- */

/* Goes level by level, up to 'deepest'; when the run ends early 'watch.stop' of
** the asker is set. */
void levels_walk(team *, uint64_t deepest);
/* Goes on where another run was, if it is to.  False: it cannot, or the run has
** ended. */
bool levels_restore(search *);
/* States to be expanded; what was found becomes that; and whether all walkers
** expand so many. */
uint64_t team_level_size(const team *);
/* States of this level that were expanded in an earlier run, and are in no list;
** the first rank has those of all. */
uint64_t team_gone(const team *);
void team_turn_over(team *);
bool levels_is_for_all(const search *, uint64_t size);
/* The level that is expanded next is kept; false: no memory. */
bool ways_keep_level(team *);
/* The store calls its states otherwise from now on; all stand still.  False: no
** memory, and no level is kept any more. */
bool ways_renumber(team *, store *,
                   store_handle (*translate)(store *, store_handle));
/* The state was expanded: does it lead to the wanted one? */
void ways_look(walker *, const uint8_t *state, uint32_t length);

#endif
