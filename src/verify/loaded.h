/* A model that was read, with all it was made from: what the handle 'nut_model'
** of the public header holds. */

#ifndef NUT_VERIFY_LOADED_H
#define NUT_VERIFY_LOADED_H

#include "base/limits.h"
#include "base/text.h"
#include "model/model.h"
#include "nutshell.h"
#include "program/program.h"

typedef VEC(const expr *) expr_list;

typedef struct nut_model loaded;

struct nut_model {
  arena *arena;
  names *names;
  sources *sources;
  diags *diags;
  model *model; /* NULL: not good */
  text messages;
  char *file;
  const char *language; /* by the ending of the file */
  limits limits;        /* of the command, from loading on */
  bool unread;          /* a limit was reached before it was read */
};

/* Whether it can be used; NULL cannot. */
bool loaded_good(const loaded *);
/* Writes the diagnostics collected so far into the messages. */
void loaded_collect_messages(loaded *);
/* A program of a good model; NULL with diagnostics. */
program *loaded_program(loaded *, bool check_overflow);
/* One for finite runs that leaves out steps and values of no account, or NULL
** when there are none.  'seen' are expressions that somebody looks at. */
program *loaded_squeezed(loaded *, const nut_options *, const expr_list *seen);

#endif
