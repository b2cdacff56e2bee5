/* The models that the words of a command line name.
**
**   check a.pml b.dve         two models
**   check part1.lpn part2.lpn one: nets that are named together compose
**   check models/             all below the folder whose ending a language has,
**                             sorted by name; '.xml' is left out, because most
**                             such files are formulas
**
** What begins with a dot in a folder is left out, and links to folders are not
** followed. */

#ifndef NUT_CLI_MANY_MODELS_H
#define NUT_CLI_MANY_MODELS_H

#include "base/arena.h"
#include "cli/options.h"

typedef struct named_model {
  const char **files; /* the model first, then its parts */
  size_t count;
  const char *part; /* what stands for it in names of files */
} named_model;

typedef struct model_list {
  arena *arena;
  VEC(named_model) models;
  bool several; /* more than one word, or a folder, was named */
} model_list;

/* False after a complaint: a folder cannot be read, or has no model. */
bool models_find(model_list *, const options *);
void models_free(model_list *);

/* The options for one of the models: its files are those of the command line,
** and where there are several, names of output files have its part in them.
** All belongs to the list. */
options models_options(model_list *, const options *, size_t index);

#endif
