/* What merging.c, dead_reset.c and unread.c share; nobody else includes this. */

#ifndef NUT_MODEL_MERGING_INTERNAL_H
#define NUT_MODEL_MERGING_INTERNAL_H

#include "model/merging.h"

/* What is known while a model is looked at. */
typedef struct sight {
  merging *to;
  const model *model;
  bool nothing;         /* somebody asks for more than can be told apart */
  bool *seen_locations; /* by process type: others ask where it is */
  bool **seen;          /* by process type and local: others read it */
  bool meets;           /* there are channels without room */
  bool *fixed;          /* by global: a channel of its own, always the same */
  bool *idle;           /* by edge.index: it might be released */
  bool *asks;           /* by edge.index: its process does one thing or another,
                        ** depending on whether others are ready to meet it */
} sight;

/* Called for each expression and each reference to a variable that is read. */
typedef struct visitor {
  void (*see_expr)(void *context, const expr *);
  void (*see_ref)(void *context, const ref *);
  void *context;
} visitor;

void merging_visit_expr(const visitor *, const expr *);
void merging_visit_indices(const visitor *, const ref *);
void merging_visit_edge(const visitor *, const edge *);
/* Whether the process ends with it. */
bool merging_ends(const edge *);

/* dead_reset.c: fills 'dead' for the edges of a process type. */
void dead_reset_type(sight *, const process_type *);
/* unread.c: fills 'unread_globals' and 'unread_locals'. */
void unread_find(sight *);

#endif
