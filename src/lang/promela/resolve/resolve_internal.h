/* What the files of the resolver share.
**
** One walk through the tree in source order fills the table of names and
** resolves references against it, so that a name must be declared before it is
** used.  What may be used before it is declared (processes, labels) is put
** aside and looked at in the end. */

#ifndef NUT_LANG_PROMELA_RESOLVE_RESOLVE_INTERNAL_H
#define NUT_LANG_PROMELA_RESOLVE_RESOLVE_INTERNAL_H

#include "base/alloc.h"
#include "base/vec.h"
#include "lang/promela/resolve/resolve.h"
#include "lang/promela/symbols.h"

/* A message or parameter list has at most this many scalars. */
enum { MAX_FIELDS = 4096 };

/* A variable, or a label (var NULL), visible in 'scope' of 'proc' and the
** blocks inside; globals have neither. */
typedef struct pml_sym {
  struct pml_sym *next; /* same name */
  pml_var *var;
  pml_proc *proc;
  pml_scope *scope;
  span where;
} pml_sym;

/* Something put aside, with the process it stands in. */
typedef struct pml_late {
  struct pml_late *next;
  pml_expr *expr;
  pml_stmt *stmt;
  pml_proc *proc;
} pml_late;

typedef struct pml_late_list {
  pml_late *first, **end;
} pml_late_list;

/* Growing list of expressions in the arena. */
typedef struct pml_exprs {
  pml_expr **data;
  uint32_t count, capacity;
} pml_exprs;

/* Labels of one name in one process, newest first. */
typedef struct pml_label_list {
  pml_label *label;
  struct pml_label_list *next;
} pml_label_list;

/* The process that claimed xr or xs for a channel. */
typedef struct pml_claim {
  struct pml_claim *next;
  const pml_var *chan;
  const pml_proc *proc;
  bool receive;
} pml_claim;

typedef struct resolver {
  arena *mem;
  names *names;
  diags *diags;
  promela_module *module;
  pml_table syms;    /* name -> pml_sym */
  pml_table procs;   /* name -> pml_proc */
  pml_table mtypes;  /* name -> pml_mtype */
  pml_table *fields; /* by index of the record: name -> pml_var */
  pml_table *labels; /* by index of the process: name -> pml_label_list */
  pml_proc *proc;    /* being walked, or NULL */
  pml_scope *scope;
  pml_claim *claims;
  pml_late_list runs, remotes, messages, gotos;
  const pml_expr *enabled; /* the first 'enabled ()' */
  VEC(pml_var *) extra;    /* counters of 'for (m in q)' in this process */
  span last_undeclared;
  bool is_late; /* a formula that does not stand in the model */
  bool told_c, told_enabled, told_pc_value, told_side_effect, told_list;
} resolver;

/* For "1 field" and "2 fields". */
#define PLURAL(n) ((n) == 1 ? "" : "s")

/* What a reference may end in. */
typedef enum {
  REF_VALUE,  /* a scalar, to be read */
  REF_TARGET, /* a scalar, to be written: '_' is fine */
  REF_WHOLE,  /* also a record */
  REF_ARRAY   /* also an array without index */
} pml_ref_use;

/* resolve_ref.c */
pml_sym *pml_lookup(resolver *, const char *name);
pml_sym *pml_declare(resolver *, const char *name, span, pml_var *);
bool pml_resolve_ref(resolver *, pml_expr *, pml_ref_use);
bool pml_resolve_chan(resolver *, pml_expr *);
void pml_flatten(resolver *, pml_exprs *, pml_expr *);
void pml_add_expr(resolver *, pml_exprs *, pml_expr *);
void pml_flatten_types(resolver *, pml_chan *);

/* resolve_expr.c */
void pml_resolve_expr(resolver *, pml_expr *);
void pml_resolve_recv_args(resolver *, pml_expr ***, uint32_t *);
void pml_resolve_args(resolver *, pml_expr ***, uint32_t *);
uint32_t pml_count_runs(const pml_expr *);
void pml_resolve_c(resolver *, pml_c_code *, const char *word, span);
/* Whether embedded C may be used here; says once that it may not. */
bool pml_c_allowed(resolver *, const char *word, span);

/* resolve_stmt.c */
void pml_resolve_body(resolver *, pml_proc *);
void pml_resolve_declaration(resolver *, pml_var *);

/* resolve_late.c */
void pml_put_aside(resolver *, pml_late_list *, pml_expr *, pml_stmt *);
void pml_check_labels(resolver *, pml_proc *);
void pml_resolve_late(resolver *);

#endif
