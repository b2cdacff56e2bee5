/* Who waits for what: statements that cannot be executed, with the reasons, in
** words.
**
**   phil(1)  forks.pml:5  waits at fork[1]?1 (fork[1] is empty)
**   ------   -----------           --------- -----------------
**   type     at                    text      because
**
** The reasons are those of program/blocked.h. */

#ifndef NUT_REPORT_WHY_WAITING_H
#define NUT_REPORT_WHY_WAITING_H

#include "program/blocked.h"
#include "report/story.h"

/* The cause: a condition, the name of a channel, or a process; nothing where
** there is nothing to name. */
void waiting_add_cause(const model *, const view *, const blocked_step *,
                       text *out);
/* What it is like in the state: "x = 3, turn = 1", "[1, 2]"; perhaps nothing.
** 'out' is empty before. */
void waiting_add_values(const model *, const view *, const blocked_step *,
                        text *out, text *scratch);
/* Texts that are needed on the way; they belong to the caller, so that nothing
** is lost when memory runs out. */
typedef struct waiting_scratch {
  text *values, *one;
} waiting_scratch;

/* The reason as part of a sentence: "x is 3", "fork[1] is empty". */
void waiting_add_reason(const model *, const view *, const blocked_step *,
                        waiting_scratch, text *out);

/* The values of the variables in a condition that is false, or in that part of
** it: "x is 3, turn is 1".  'out' is empty before. */
void waiting_add_variables(const model *, const view *, uint32_t process,
                           const expr *, text *scratch, text *out);

/* A statement at which a process waits. */
typedef struct waiting {
  uint32_t process;
  const process_type *type;
  position at;
  const char *text;           /* NULL: it has none to execute */
  const char *words;          /* the same as the user wrote it */
  blocked_kind kind;          /* this and what follows: if it has */
  const char *cause, *values; /* perhaps "" */
  const char *because;
  uint32_t more; /* statements of the process that are not told after it */
} waiting;

typedef struct stuck_processes {
  waiting *list; /* by process, as the statements are tried */
  size_t count;
  /* All wait for messages where their loops begin, as servers do, and the
  ** language has a way to say that this is fine. */
  bool servers;
} stuck_processes;

/* Those not at a valid end when a story ends in an invalid end state; none when
** it does not.  At most so many statements of each are told: a net may have very
** many.  All belongs to the story. */
enum { WAITING_MOST = 100 };
stuck_processes waiting_find(story *, size_t most);
/* What servers are told. */
extern const char waiting_hint[];

/* The same in lines; of each process a few statements, or as many as
** can be told. */
void waiting_print(story *, bool all, text *out);

#endif
