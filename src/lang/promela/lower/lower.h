/* From the resolved tree to the model: what the files lower*.c share. */

#ifndef NUT_LANG_PROMELA_LOWER_LOWER_H
#define NUT_LANG_PROMELA_LOWER_LOWER_H

#include "lang/promela/ast.h"
#include "lang/promela/lower/flow.h"
#include "model/model.h"

/* One process on its way. */
typedef struct lower_proc {
  const pml_proc *proc;
  process_type *type;
  flow *flow;
  flow_table *table;
  var **locals;     /* by pml_var.index; NULL for a record as parameter, */
  uint32_t *flat;   /* of which this is the first local, one per field */
  uint32_t *places; /* number of a place -> location, or NO_PLACE */
} lower_proc;

#define NO_PLACE UINT32_MAX

typedef struct lower {
  model *m;
  arena *arena;
  diags *diags;
  promela_module *module;
  lower_proc *procs; /* by pml_proc.index */
  var **globals;     /* by pml_var.index */
  record **records;  /* by pml_record.index */
  var *scratch;      /* what '_' writes to, once needed */
  int32_t next_id;   /* the next statement's number */
  text buffer;       /* for building texts; kept here to be freed surely, */
  text excerpt;      /* like this one */
} lower;

/* An empty model for a module without errors, in ->m.  What is made here lives
** in the arena; the model keeps it as its front end, to read expressions that
** come later. */
lower *lower_create(arena *, names *, sources *, diags *, promela_module *);

/* Fills the model, which is then to be checked; false when there are errors. */
bool lower_module(lower *);

/* Gives back the model and what is not in the arena, at any moment. */
void lower_destroy(lower *);

/* ---- shared between the files ----------------------------------------- */

type lower_type(lower *, const pml_type_ref *);
ref *lower_ref(lower *, const pml_step *, uint32_t count, span);
expr *lower_expr(lower *, const pml_expr *);
bool lower_has_run(const pml_expr *);
/* 'pattern': the arguments of an event in a trace, which assigns nothing. */
comm *lower_send(lower *, const pml_stmt *, bool pattern);
comm *lower_receive(lower *, const pml_stmt *, bool pattern);

/* The formula of an 'ltl' block; NULL after an error was reported. */
const struct ltl *lower_formula(lower *, const pml_expr *);

/* Embedded C: memory of its own after the other variables, then the texts. */
void lower_c_memory(lower *);
void lower_c_code(lower *);
expr *lower_c(lower *, const pml_c_code *);

/* Locations of a process, for everything its table reaches; then its edges,
** when all processes have their locations. */
void lower_locations(lower *, lower_proc *);
void lower_edges(lower *, lower_proc *);

/* Reports what a trace cannot say, and options that surely take the same
** event. */
void lower_check_trace(lower *, const process_type *);

/* The statement as SPIN writes it, in the arena. */
const char *lower_text(lower *, const flow_element *);
/* written.c: the statement as the user wrote it, in the arena; NULL when nobody
** wrote it, or when it must not be shown. */
const char *lower_written(lower *, const flow_element *);

/* misfits.c: warns of constants that do not fit; the model is checked. */
void lower_warn_misfits(lower *);

#endif
