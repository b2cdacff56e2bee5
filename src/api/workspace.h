/* What the handles 'nut_workspace' and 'nut_walk' hold.
**
**   workspace   model      what was read
**               annex      of the model, for the expressions asked for
**               program    of the annex, with a worker: made when a state is
**                          asked for
**               states     those seen so far, with their numbers
**               lists      those handed out, each with the texts in it
**
** All work is done by 'workspace_do', under the limits of the model: what is left
** in its middle leaves a problem behind, and nothing that is half done. */

#ifndef NUT_API_WORKSPACE_H
#define NUT_API_WORKSPACE_H

#include "api/handle.h"
#include "base/numbering.h"
#include "base/sha256.h"
#include "program/blocked.h"
#include "program/canonical.h"
#include "search/trace/next_steps.h"

/* Lists that are handed out, each with an arena for its texts. */
typedef enum {
  LIST_DIAGNOSTICS,
  LIST_QUESTIONS,
  LIST_VALUES,
  LIST_PROCESSES,
  LIST_MOVES,
  LIST_BLOCKED,
  LISTS
} list_kind;

/* An expression that was asked for before. */
typedef struct asked_expression {
  const char *text;
  const expr *expr;
} asked_expression;

struct nut_workspace {
  nut_model *model;
  volatile sig_atomic_t cancelled;
  bool check_overflow;
  model *annex;
  program *program; /* NULL: no state was asked for yet */
  worker *worker;
  next_steps next;
  blocked_steps blocked;
  view view;
  numbering states;
  VEC(asked_expression) expressions;
  diags *complaints; /* about the last one */
  arena *texts[LISTS];
  VEC(nut_diagnostic) diagnostics;
  VEC(nut_question) questions;
  questions asked; /* what they are made of */
  VEC(nut_value) values;
  VEC(nut_process) processes;
  VEC(nut_move) moves;
  VEC(nut_blocked) reasons;
  char name[SHA256_TEXT]; /* of the state that was asked for last */
  canonical_bytes canonical;
  text scratch, more, out;
  nut_verdict outcome;
  text problem, hint;
  const char *reason; /* instead of the problem, when memory has run out */
};

/* Does the work within the limits, and forgets the problem before.  False: it
** was left, or has said that there is a problem. */
bool workspace_do(nut_workspace *, mem_work *, void *context);
/* Inside of the work: says what is wrong, for 'nut_problem'.  Returns false. */
bool workspace_refuse(nut_workspace *, nut_verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void workspace_hint(nut_workspace *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Leaves the work at a limit that was noticed. */
bool workspace_stop(nut_workspace *);
/* Makes the program, unless it is there.  False, with a problem. */
bool workspace_program(nut_workspace *);
/* The model of its program as text; false, with the reason. */
bool workspace_model_text(nut_workspace *, text *out, text *why);
/* What a list that is filled next may have its texts in. */
arena *workspace_texts(nut_workspace *, list_kind);
const char *workspace_keep(nut_workspace *, list_kind, text *);
nut_place workspace_place(const nut_workspace *, span);

/* walk.c */
nut_workspace *walk_workspace(nut_walk *);
/* Inside of work: makes the step that leads to this state; false: there is
** none. */
bool walk_take_to(nut_walk *, const uint8_t *state, uint32_t length);
const trace *walk_trace(const nut_walk *);

/* states.c */
nut_state workspace_add_state(nut_workspace *, const uint8_t *,
                              uint32_t length);
/* NULL with a problem: there is no such state. */
const uint8_t *workspace_state(nut_workspace *, nut_state, uint32_t *length);
/* The initial state, as the only one of the batch, with its steps recorded.
** False, with a problem. */
bool workspace_initial(nut_workspace *, batch *);
/* What can happen in a state; false when a limit was reached. */
bool workspace_look(nut_workspace *, const uint8_t *state, uint32_t length,
                    next_steps *);
/* An expression of the model's language; NULL with a problem. */
const expr *workspace_expression(nut_workspace *, const char *);
/* Fill the lists with what is in the view. */
void workspace_list_values(nut_workspace *);
void workspace_list_processes(nut_workspace *);
nut_move workspace_move(nut_workspace *, const next_steps *, size_t index,
                        list_kind texts);

#endif
