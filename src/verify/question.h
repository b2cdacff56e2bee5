/* What is asked of a model: the properties that every model has, those it says
** itself, and those of the options, of files of properties and of the contest.
**
** Questions are made once, before anything runs, and not changed afterwards;
** the model does not know of those that somebody else asks.  Whether a question
** is to be answered is a flag of it.  Engines look here for what to do, and
** fill answers (answer.h). */

#ifndef NUT_VERIFY_QUESTION_H
#define NUT_VERIFY_QUESTION_H

#include "base/vec.h"
#include "model/model.h"

typedef struct question {
  property_kind kind;
  const char *name;
  const char *formula;      /* as somebody wrote it, or NULL */
  const property *property; /* what it says; NULL: every model has it */
  bool selected;            /* it is to be answered */
  bool foreign;             /* not the model's own: of an option or a file */
} question;

typedef struct questions {
  arena *arena; /* of the questions, not ours */
  const model *model;
  VEC(question *) list; /* every model's, the model's, the others' */
} questions;

/* The questions that 'm' answers for by itself, all selected but those about
** pairs of states. */
void questions_start(questions *, arena *, const model *m);
void questions_free(questions *);

/* Adds one that somebody asks; it is selected.  '*p' is copied, but for what it
** points to. */
question *questions_add(questions *, const property *p);
/* Whether this name is taken. */
bool questions_has(const questions *, const char *name);
/* The question with this name, or one that knows it as a second name; NULL:
** there is none. */
question *questions_find(const questions *, const char *name);
/* Selects none but those that are not the model's own. */
void questions_select_foreign(questions *);
void questions_select_none(questions *);
/* The name of the i-th question a model answers for by itself; NULL: no
** more. */
const char *question_name(const model *, size_t i);
/* Whether one of these kinds is selected. */
bool questions_ask(const questions *, property_scope);

#endif
