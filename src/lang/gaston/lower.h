/* From the tree of a GASTON file to the model.
**
**   gaston_types.c          types, and how variables of them look in the model
**   symbols.c        who is meant by a name
**   lower.c          declarations
**   lower_expr.c     expressions, and places that can be assigned to
**   lower_command.c  steps, choices and loops
**
** Every process of the file is a process type of the model of which there is
** one; a process with a parameter is as many as the parameter has values, and
** the parameter a constant in each. */

#ifndef NUT_LANG_GASTON_LOWER_H
#define NUT_LANG_GASTON_LOWER_H

#include "lang/gaston/ast.h"
#include "lang/gaston/gaston.h"
#include "lang/scopes.h"

/* ---- types ------------------------------------------------------------- */

typedef enum {
  KIND_BOOLEAN,
  KIND_NUMBER,
  KIND_ENUM,
  KIND_RECORD,
  KIND_ARRAY
} gst_kind;

typedef struct gst_member {
  const char *name;
  const struct gst_type *type;
  span where;
  var *var; /* the field of the model's record */
  struct gst_member *next;
} gst_member;

/* Two records, arrays or enumerations are of the same type when it is the same
** object; all numbers go together. */
typedef struct gst_type {
  gst_kind kind;
  const char *name;    /* or NULL: it has none */
  const char *set;     /* ENUM: the names of its values in the model */
  int32_t lo, hi;      /* scalars */
  uint32_t scalars;    /* a value consists of so many */
  uint32_t depth;      /* of nested records and arrays */
  gst_member *members; /* RECORD */
  const struct gst_type *element; /* ARRAY */
  const struct gst_type *index;   /* ARRAY */
  /* The model's record: of a RECORD; of an ARRAY that is itself an element,
  ** one whose only field, without a name, is the array. */
  record *record;
  gst_member *inside; /* that field */
} gst_type;

enum {
  GST_DEPTH_MAX = 16,
  GST_LENGTH_MAX = 1 << 20, /* elements of an array */
  GST_WHOLE_MAX = 4096,     /* scalars assigned or passed at once */
  GST_INSTANCES_MAX = 255,
  GST_EXPANDED_MAX = 1 << 20 /* expressions, all repetitions written out */
};

/* ---- names ------------------------------------------------------------- */

typedef struct gst_port {
  const gst_declaration *source;
  int32_t number;
  uint32_t count; /* types carried */
  const gst_type **types;
} gst_port;

/* One running process. */
typedef struct gst_instance {
  const gst_declaration *source;
  process_type *type;
  int32_t number;
  int32_t value; /* of its parameter */
  const gst_type *parameter;
} gst_instance;

typedef struct gst_process {
  const gst_declaration *source;
  const gst_type *parameter; /* NULL: none; there is one instance */
  gst_instance *instances;
  uint32_t count;
} gst_process;

typedef enum {
  SYMBOL_CONSTANT, /* and the values of enumerations */
  SYMBOL_TYPE,
  SYMBOL_VARIABLE,
  SYMBOL_PORT,
  SYMBOL_PROCESS,
  SYMBOL_FIELD,
  SYMBOL_LABEL
} gst_symbol_kind;

typedef struct gst_symbol {
  scoped as; /* labels are apart; a scope is an instance or a record */
  gst_symbol_kind kind;
  const gst_type *type; /* CONSTANT, TYPE, VARIABLE */
  int32_t value;        /* CONSTANT */
  var *var;             /* VARIABLE */
  gst_port *port;
  gst_process *process;
  const gst_member *member; /* FIELD */
  uint32_t location;        /* LABEL */
} gst_symbol;

/* A new one; it must not be there yet. */
gst_symbol *gst_symbols_add(scopes *, gst_symbol_kind, const void *scope,
                            const gst_name *);
/* The most similar name that can be seen from 'scope', or NULL. */
const gst_symbol *gst_symbols_nearest(const scopes *, const void *scope,
                                      bool label, const char *name);

/* ---- lowering ---------------------------------------------------------- */

typedef struct gst_lower {
  model *m;
  diags *diags;
  const gst_options *options;
  bool *used; /* which of the options named a constant */
  const gst_declaration *declarations;
  scopes symbols;
  const gst_type *boolean, *number;
  uint32_t expanded; /* expressions made so far */
  int32_t ports;
} gst_lower;

/* A name that stands for a value while something is repeated. */
typedef struct gst_binding {
  const char *name;
  const gst_type *type;
  int32_t value;
  const struct gst_binding *outer;
} gst_binding;

/* Who evaluates an expression. */
typedef struct gst_context {
  gst_lower *l;
  const gst_instance *self; /* NULL: nobody; processes are seen from outside */
  const gst_binding *bound;
} gst_context;

/* A variable or a part of it. */
typedef struct gst_place {
  struct {
    var *var;
    expr *index;
  } steps[2 * GST_DEPTH_MAX + 2];
  uint32_t count;
  const gst_type *type;
  const gst_instance *owner; /* looked at from outside, or NULL */
  span where;
} gst_place;

/* All but the first answer NULL or false after an error. */
bool gst_lower_file(gst_lower *);

/* A type of the file; equal trees are different types. */
const gst_type *gst_lower_type(const gst_context *, const gst_type_tree *);
bool gst_is_scalar(const gst_type *);
bool gst_same_type(const gst_type *, const gst_type *);
/* How errors call it: "Boolean", "a number", "'Frame'". */
const char *gst_type_text(const gst_lower *, const gst_type *);
/* A variable of this type, from its first field or by itself, in the model:
** sets the type, length and flags. */
void gst_shape_var(gst_lower *, const gst_type *, var *);
type gst_model_type(gst_lower *, const gst_type *);

gst_symbol *gst_declare(gst_lower *, gst_symbol_kind, const void *scope,
                        const gst_name *);

/* A scalar; '*type' gets its type.  Operations on constants are done. */
expr *gst_lower_expr(const gst_context *, const gst_expr *,
                     const gst_type **type);
/* The same, with an error when it has not the type 'wanted'. */
expr *gst_lower_typed(const gst_context *, const gst_expr *,
                      const gst_type *wanted);
/* A number or the like that must be known now. */
bool gst_lower_constant(const gst_context *, const gst_expr *, const char *what,
                        const gst_type **type, int32_t *value);
/* Whether the path names a variable or a part of one; no errors. */
bool gst_names_variable(const gst_context *, const gst_expr *);
/* A variable of this process or a global one. */
bool gst_lower_place(const gst_context *, const gst_expr *, gst_place *);
/* Whether an index of the place reads a variable that 'other' is part of. */
bool gst_place_depends(const gst_place *, const gst_place *other);
ref *gst_place_ref(gst_lower *, const gst_place *);
/* The scalars of a place, one after the other: type->scalars of them. */
ref **gst_scalar_refs(gst_lower *, const gst_place *);
/* The values of a scalar type that something is repeated for; false with an
** error when it is not one, or has too many. */
bool gst_lower_repeated(const gst_context *, const gst_type_tree *,
                        const gst_name *, gst_binding *);

void gst_lower_body(gst_lower *, const gst_instance *);

#endif
