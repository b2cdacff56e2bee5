/* A model that was read, with all it was made from: what the handle 'nut_model'
** of the public header holds. */

#ifndef NUT_VERIFY_LOADED_H
#define NUT_VERIFY_LOADED_H

#include "base/limits.h"
#include "base/text/text.h"
#include "model/model.h"
#include "nutshell.h"
#include "program/program.h"

typedef struct nut_model loaded;

struct nut_model {
  arena *arena;
  names *names;
  sources *sources;
  diags *diags;
  const model *model; /* NULL: not good.  It is not changed any more */
  struct model *own;  /* the same, to be given back */
  text messages;
  char *file;
  const char *language; /* its name */
  uint32_t source;      /* the file among the sources */
  uint32_t read;        /* sources there were when it had been read */
  nut_load load;        /* how it was read, but for limits */
  limits limits;        /* of the command, from loading on */
  bool unread;          /* a limit was reached before it was read */
};

/* Whether it can be used; NULL cannot. */
bool loaded_good(const loaded *);
/* Writes the diagnostics collected so far into the messages. */
void loaded_collect_messages(loaded *);
/* A program of a good model, or of one made from it; NULL with diagnostics. */
program *loaded_program(loaded *, const model *, bool check_overflow);

#endif
