/* From the tree of a DVE file to the model.
**
**   lower.c        declarations: variables, channels, processes, properties
**   lower_expr.c   expressions and variables
**   lower_trans.c  transitions and assertions
**
** Every process of the file is a process type of which there is one. */

#ifndef NUT_LANG_DVE_LOWER_H
#define NUT_LANG_DVE_LOWER_H

#include "base/text/text.h"
#include "lang/dve/symbols.h"

typedef struct dve_lower {
  model *m;
  diags *diags;
  const dve_module *module;
  scopes symbols;
  process_info *processes; /* in the order of the file */
  uint32_t process_count;
} dve_lower;

/* Who evaluates an expression. */
typedef struct dve_context {
  dve_lower *l;
  const process_info *self; /* NULL: nobody; only globals can be seen */
  bool outside;             /* looks at the variables of 'self' from outside */
} dve_context;

/* Lowers all of 'module' into l->m; false when there were errors. */
bool dve_lower_module(dve_lower *);

/* NULL after an error.  Operations on constants are done at once. */
expr *dve_lower_expr(const dve_context *, const dve_expr *);
/* A number that must be known now, from 'least' to 'most'; 'what' names it in
** errors. */
bool dve_lower_constant(const dve_context *, const dve_expr *, const char *what,
                        int32_t least, int32_t most, int32_t *value);
/* Something that can be assigned to. */
ref *dve_lower_target(const dve_context *, const dve_expr *);
/* The process called so, which is not the property; NULL with an error. */
const process_info *dve_find_process(const dve_context *, const dve_name *);
/* The state 'name' of a process, with an error when there is none. */
const symbol *dve_find_state(dve_lower *, const process_info *,
                             const dve_name *);

void dve_lower_transitions(dve_lower *, const process_info *);
void dve_lower_assertions(dve_lower *, const process_info *);

#endif
