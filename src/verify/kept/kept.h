/* A check or a count that is kept in files on its way, and goes on from them:
** --checkpoint, 'resume'.  The search keeps itself (search/checkpoint); here is
** what lies around it: whether it can be kept at all, and the head of the file,
** from which the model is read again.
**
**   head   words of the command line | files, and what preprocessors made of them
*/

#ifndef NUT_VERIFY_KEPT_KEPT_H
#define NUT_VERIFY_KEPT_KEPT_H

#include "base/source/source.h"
#include "search/checkpoint/checkpoint.h"
#include "verify/verification.h"

/* ---- a file -------------------------------------------------------------- */

/* What is left of the newest whole file of two.  Texts belong to it. */
struct nut_checkpoint {
  char *file;
  text problem; /* empty: it can be used */
  text note;    /* empty: nothing to say of it */
  uint64_t generation;
  char *path; /* which of the two it is */
  arena *arena;
  block_reader *reader; /* while it is read */
  VEC(const char *) words;
  VEC(kept_text) files;
  VEC(uint32_t) sums;      /* of its parts, which other ranks have written, */
  VEC(const char *) parts; /* and their names */
  VEC(uint32_t) grown;     /* places of a net that were given more room */
};

/* Fills it; the problem says why it cannot be used. */
void kept_open(struct nut_checkpoint *, const char *file);
void kept_close(struct nut_checkpoint *);

/* ---- a run --------------------------------------------------------------- */

typedef struct kept_run {
  checkpoint *checkpoint;
  block_reader *reader; /* NULL: it begins */
  const nut_options *options;
  verification *verification;
  bool is_begun;   /* the reader was used */
  const char *off; /* why it is not kept after all; or NULL */
} kept_run;

/* Whether the run can be kept, as far as that was asked for; false, with
** messages, when it cannot.  Its first file is written. */
bool kept_start(verification *, const nut_options *, bool count);
/* The search is to be kept, and goes on. */
void kept_attach(verification *, search_options *);
/* What became of it, for reports; false, with messages, when the file that it
** was to go on from is damaged. */
bool kept_conclude(verification *);
/* The command has an answer: the files are of no use any more. */
void kept_forget(verification *);
void kept_free(verification *);

#endif
