/* What a front end holds while it reads a model: it is given back at the end,
** and also when memory runs out on the way. */

#ifndef NUT_LANG_LOADING_H
#define NUT_LANG_LOADING_H

#include "lang/command.h"
#include "lang/scan.h"
#include "model/model.h"

typedef struct loading {
  arena *arena;
  diags *diags;
  scanner scanner;
  text scratch;
  filter_command filter; /* a preprocessor */
  model *model;          /* destroyed only when memory runs out */
} loading;

/* Runs 'work'.  When memory runs out, what was held is given back first. */
void loading_run(loading *, void (*work)(loading *, void *), void *with);

/* Are these words for a preprocessor, "-DN=3", "-UN" or "-Idir"?  If not, a
** diagnostic says so: "-D" alone would take the next word of the command line
** along, and "-D@x" options from the file x (see base/system/path.h). */
bool loading_check_words(diags *, const char *const *words, uint32_t count);

/* How a language reads what a user asks of a model. */
typedef struct condition_rules {
  const scan_language *language;
  /* The tree of an expression; NULL after an error. */
  void *(*parse)(loading *, model *);
  /* What the tree means; NULL after an error. */
  expr *(*lower)(model *, diags *, void *tree);
} condition_rules;

/* The condition that is all of 'file'; NULL with diagnostics. */
expr *loading_condition(model *, diags *, uint32_t file,
                        const condition_rules *);

#endif
