/* A story: a run of the model made ready to be told.  For each step it knows
** who did what where, and what became different by it.  All reports of traces
** (text, JSON, charts, trails) and the public interface are made from it.
**
** Traces may have a million steps of which a report shows fifty, so what costs
** time is found out only when asked for: see story_details, story_complete.
**
** A story keeps references to its program, model and trace, which must outlive
** it. */

#ifndef NUT_REPORT_STORY_H
#define NUT_REPORT_STORY_H

#include "base/arena.h"
#include "program/blocked.h"
#include "search/trace/next_steps.h"
#include "search/trace/trace.h"

typedef enum {
  CHANGE_VALUE,   /* a variable: 'before' and 'after' are its values */
  CHANGE_CHANNEL, /* the messages of a channel */
  CHANGE_START,   /* process 'process' starts; 'after' shows its parameters */
  CHANGE_END      /* process 'process' is gone */
} change_kind;

typedef struct change {
  change_kind kind;
  int32_t process;   /* whose variable; -1: global or channel */
  const char *owner; /* name of its process type, or NULL */
  const char *name;  /* "a[2].f", "q" */
  const char *label; /* the name, with the process when it is not the one
                     ** that moved: "P(2):x"; processes: "P(2)" */
  const char *before, *after; /* as shown to users: "0", "ack", "[1, 2]" */
  const var *var;             /* CHANGE_VALUE */
  int32_t old_value, new_value;
} change;

/* What a step said over a channel. */
typedef enum { TALK_NONE, TALK_SEND, TALK_RECEIVE } talk_kind;

typedef struct telling {
  uint32_t number;  /* of the step, from 1, counting those seen */
  bool seen;        /* not a jump made by the front end, not inside
                    ** a d_step */
  uint32_t process; /* number of the process that moved */
  const process_type *type;
  const edge *edge;
  uint32_t flags; /* step_flags */
  position at;
  const char *text;                    /* the statement */
  const char *words;                   /* the same as the user wrote it */
  bool detailed;                       /* what follows is known */
  const char *output;                  /* what it printed, or NULL */
  uint32_t first_change, change_count; /* in story.changes */
  const char *note;                    /* what explains it: "x is 4", or NULL */
  talk_kind talk;                      /* known when the story is complete */
  const char *channel; /* TALK: name of the channel, perhaps "" */
  const char *message; /* TALK: "ack(2)" */
  /* TALK_RECEIVE: index of the step that sent the message, or -1 when the
  ** message stayed in the channel or was there from the start. */
  int64_t partner;
} telling;

enum { STORY_NO_LOOP = -1 };

typedef VEC(uint32_t) told_steps; /* indices of steps */

typedef struct story {
  program *program;
  const model *model;
  const trace *trace;
  arena *arena;
  bool complete; /* everything about every step is known */
  VEC(telling) steps;
  VEC(change) changes;
  uint32_t shown; /* number of steps seen */
  int64_t loop;   /* index of the first step of the loop, or -1; the number of
                  ** steps when it stays for ever where they lead to */
  trace_end end;
  fault_kind fault; /* TRACE_FAULT: what failed */
  /* What is wrong at the end: "assertion violated"; NULL: nothing.  With
  ** TRACE_FAULT the last step is the one that failed. */
  const char *ending;
  position where; /* TRACE_FAULT: of the failing part */
  /* By step of the trace: it does not matter; NULL: nobody has asked. */
  const uint8_t *folded;
  /* The state after the last step detailed. */
  view now;
  view next; /* for its own use, like all that follows */
  text scratch;
  VEC(int32_t) fields;
  struct story_channels *channels;
  worker *asked; /* why nothing follows, who else could move: see why/ */
  next_steps ahead;
  blocked_steps blocked;
  text words[2], parts[2];
  told_steps told;
} story;

/* An empty story, which 'story_tell' then fills.  When memory runs out in
** between (see mem_protect), what there is can still be destroyed. */
story *story_create(program *);
void story_tell(story *, const trace *);

/* Finds out what the steps first .. end-1 changed and printed. */
void story_details(story *, size_t first, size_t end);
/* Finds out everything, and who talked to whom. */
void story_complete(story *);
void story_destroy(story *);

static inline bool story_is_folded(const story *s, size_t index)
{
  return s->folded && s->folded[index + 1];
}

/* Parts, for reports that show states.  Values as users see them. */
void story_add_value(const model *, const item *, int32_t value, text *out);
void story_add_message(const model *, const channel_type *,
                       const int32_t *fields, text *out);
void story_add_channel(const model *, const view *, const item *, text *out);
/* "P(2):x" or "x"; 'self' is the process for which no prefix is needed. */
void story_add_name(const item *, int64_t self, text *out);
/* Name of a channel in a state: that of a variable that holds it. */
void story_add_channel_name(const view *, const item *, text *out);
/* Whether an item is worth showing (not made by the front end). */
bool story_shows(const item *);

#endif
