/* The syntax tree of a Promela model, as parsed and resolved.
**
** Everything here lives in the arena given to 'promela_parse'; names are
** interned (equal names are equal pointers).  Trees hold what was written, in
** source order, plus what the resolver found out.  The tree is rich enough to
** repeat SPIN's own numbering of statements (see "Numbering" below).
**
**   promela_module
**     units      every top-level thing in source order
**     globals    pml_var       procs   pml_proc (proctypes, init, never, trace)
**     records    pml_record    mtypes  pml_mtype      ltls    pml_ltl
**   pml_proc.body = pml_seq = list of pml_stmt, each with labels and a kind
**   pml_expr: all expressions, variable references and temporal formulas
**
** What the parser has already done
**
** - Inline calls are expanded: S_BLOCK with 'inlined' set and the span of the
**   call; the statements inside have the spans of the inline's definition.
**   'x = f (a)' sets 'result' of that block, and every 'return e' inside has
**   become an S_ASSIGN to it.
** - 'for' and 'select' are rewritten into the statements SPIN rewrites them
**   to.  The first assignment is a statement of its own in the surrounding
**   sequence ('generated' set); the loop is the next statement, and it is the
**   loop that carries the labels: 'goto' to a labelled 'for' does not assign
**   the start value again, exactly as in SPIN.
** - 'x++' is S_ASSIGN of x + 1.
** - 'break' knows its loop ('loop' field).
** - 'a unless b' holds two sequences; a block in braces gives its own
**   statements, any other statement becomes a sequence of one.
** - Parentheses live on in the shape of the expressions only.
**
** What the resolver has already done
**
** - Every reference step points to its declaration, every 'goto' and remote
**   label to its pml_label, every 'run' and remote reference to its pml_proc.
** - Constants are folded where the language demands constants: array sizes,
**   channel sizes, widths, 'active [n]'.
** - Whole records in message lists, in 'run' arguments and in parameter lists
**   are flattened to their scalar fields, arrays inside element by element:
**   'args' of S_SEND, S_RECV, E_POLL and E_RUN, 'flat' of pml_chan and
**   'param_refs' of pml_proc have only scalars (and channels).  As many 'args'
**   as 'param_refs', and a 'run' in a message list is refused; but SPIN allows
**   messages with fewer fields than the channel has (the rest is 0, or not
**   read) and with more (the rest is dropped): these are warnings only.
**
** Numbering (SPIN's element numbers, one counter over the module)
**
** A statement gets its own number when it is appended to its sequence, that
** is, after everything inside it.  Blocks: inside, then 1.  S_IF: options left
** to right, then 2.  S_DO: options, then 3.  A proctype's closing brace: 1.
** S_DECL: one number for each variable when 'assigns' is set, else none.
** S_XU: none.  Special cases:
** - S_DO with 'break_first' (from 'select'): options[0] is the lone break; it
**   is tried first but numbered after options[1].
** - S_UNLESS: what is inside the body statements, what is inside the escape
**   statements; a sequence in braces is numbered completely at its place, but
**   when 'wrapped_escape' the own number of the escape's only statement comes
**   next, then, when 'wrapped_body', the own number of the body's only
**   statement (so escape before body), then 2 for the unless.
** - An 'else' option moves behind all others after numbering.
** - Formulas of 'ltl' blocks are read after everything else. */

#ifndef NUT_LANG_PROMELA_AST_H
#define NUT_LANG_PROMELA_AST_H

#include "base/source/source.h"
#include "lang/promela/mask.h"
#include "lang/promela/preprocess/preprocess.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct pml_expr pml_expr;
typedef struct pml_stmt pml_stmt;
typedef struct pml_seq pml_seq;
typedef struct pml_var pml_var;
typedef struct pml_proc pml_proc;
typedef struct pml_record pml_record;
typedef struct pml_label pml_label;
typedef struct pml_scope pml_scope;
typedef struct pml_c_code pml_c_code;

/*------------------------------------------------------------------------*/
/* Types and variables                                                     */

typedef enum {
  PML_NONE, /* not a value: a name that could not be resolved */
  PML_BIT,  /* also bool */
  PML_BYTE, /* also pid */
  PML_SHORT,
  PML_INT,
  PML_UNSIGNED, /* 'width' bits, 1 .. 31 */
  PML_MTYPE,    /* 8 bits */
  PML_CHAN,
  PML_RANGE, /* 'lo' .. 'hi'; not in SPIN */
  PML_RECORD /* 'record' says which */
} pml_type;

/* A type as it stands in a declaration or in a message list. */
typedef struct pml_type_ref {
  pml_type type;
  uint8_t width;       /* PML_UNSIGNED */
  int32_t lo, hi;      /* PML_RANGE */
  const char *subtype; /* PML_MTYPE: the name after 'mtype:', or NULL */
  pml_record *record;  /* PML_RECORD */
  span where;
} pml_type_ref;

/* '[size] of { types }' */
typedef struct pml_chan {
  span where;
  uint32_t size;       /* slots; 0 = rendezvous */
  pml_type_ref *types; /* as written */
  uint32_t count;
  pml_type_ref *flat; /* records replaced by their scalar fields */
  uint32_t flat_count;
} pml_chan;

typedef enum {
  PML_GLOBAL,
  PML_LOCAL, /* anywhere in a body; all exist as long as their process does */
  PML_PARAM, /* also a local; filled by 'run' */
  PML_FIELD, /* of a record */
  PML_PREDEFINED
} pml_var_kind;

typedef enum {
  PREDEF_NONE,
  PREDEF_PID,      /* _pid */
  PREDEF_LAST,     /* _last */
  PREDEF_NR_PR,    /* _nr_pr */
  PREDEF_PRIORITY, /* _priority of the executing process; may be assigned */
  PREDEF_SCRATCH   /* _ : may be written, never read */
} pml_predef;

typedef enum { INIT_NONE, INIT_EXPR, INIT_LIST, INIT_CHAN } pml_init_kind;

struct pml_var {
  const char *name;
  span where; /* of the name in its declaration */
  pml_var_kind kind;
  pml_predef predef;
  pml_type_ref type;
  bool is_array;
  bool hidden, show, local; /* visibility words before the type */
  bool generated;   /* counter of a 'for (m in channel)'; not in any S_DECL */
  bool assigned_at; /* declared after the first statement: an S_DECL with
                    ** 'assigns' gives the value; starts as 0 */
  uint32_t size;    /* elements; 1 when not an array */
  pml_expr *size_expr; /* for the resolver: the size when it is a variable */
  uint32_t index; /* place in globals, in proc->locals or in record->fields */
  pml_init_kind init_kind;
  pml_expr *init;     /* INIT_EXPR: one value for all elements */
  int32_t *init_list; /* INIT_LIST: constants, 'init_count' of them */
  uint32_t init_count;
  pml_chan *chan;        /* INIT_CHAN: every element is a new channel */
  pml_proc *proc;        /* of locals and parameters */
  pml_record *in_record; /* of fields */
  pml_scope *scope;      /* of locals; two locals may share a name */
};

/* Braces nest scopes.  The body of a proctype is the scope with parent NULL
** (its parameters belong to it, too); each further '{', including the one of
** an expanded inline, opens a new one.
** 'path' is SPIN's prefix for names in that scope, like "_1_2_". */
struct pml_scope {
  pml_scope *parent;
  uint32_t depth;
  const char *path;
};

struct pml_record {
  const char *name;
  span where;
  pml_var **fields;
  uint32_t field_count;
  uint32_t index; /* in module->records; fields use only earlier records */
};

/* One 'mtype[:subtype] = { ... }' name.  Numbered as SPIN does: within one
** subtype the last name of the first list is 1, the one before it 2, ...; the
** next list goes on from there, again from its last name. */
typedef struct pml_mtype {
  const char *name;
  const char *subtype; /* NULL = plain mtype */
  span where;
  uint8_t value; /* 1 .. 255 */
} pml_mtype;

/*------------------------------------------------------------------------*/
/* Expressions                                                             */

/* clang-format off */
/* kind, C-like text or meaning, and the fields in use (a, b, c, ...). */
#define PML_EXPR_KINDS(X)                                                      \
  X(E_CONST, "value; 'name' when it is an mtype name ('mtype' set), or NULL")  \
  X(E_REF, "variable: 'steps'")                                                \
  /* unary: a */                                                               \
  X(E_NOT, "!")                                                                \
  X(E_NEG, "-")                                                                \
  X(E_INV, "~")                                                                \
  /* binary: a, b */                                                           \
  X(E_ADD, "+")                                                                \
  X(E_SUB, "-")                                                                \
  X(E_MUL, "*")                                                                \
  X(E_DIV, "/")                                                                \
  X(E_MOD, "%")                                                                \
  X(E_BAND, "&")                                                               \
  X(E_BXOR, "^")                                                               \
  X(E_BOR, "|")                                                                \
  X(E_SHL, "<<")                                                               \
  X(E_SHR, ">>")                                                               \
  X(E_LT, "<")                                                                 \
  X(E_LE, "<=")                                                                \
  X(E_GT, ">")                                                                 \
  X(E_GE, ">=")                                                                \
  X(E_EQ, "==")                                                                \
  X(E_NE, "!=")                                                                \
  X(E_AND, "&&")                                                               \
  X(E_OR, "||")                                                                \
  X(E_COND, "(a -> b : c)")                                                    \
  /* processes */                                                              \
  X(E_RUN, "run: 'proc', 'args' (flat), 'value' = priority or 0")              \
  X(E_ENABLED, "enabled (a)")                                                  \
  X(E_PC_VALUE, "pc_value (a)")                                                \
  X(E_GET_PRIORITY, "get_priority (a)")                                        \
  X(E_REMOTE_LABEL, "proc[a]@label; a may be NULL")                            \
  X(E_REMOTE_VAR, "proc[a]:steps; a may be NULL")                              \
  X(E_TIMEOUT, "timeout")                                                      \
  X(E_NONPROGRESS, "np_")                                                      \
  /* channels: a is the channel reference */                                   \
  X(E_LEN, "len (a)")                                                          \
  X(E_EMPTY, "empty (a)")                                                      \
  X(E_NEMPTY, "nempty (a)")                                                    \
  X(E_FULL, "full (a)")                                                        \
  X(E_NFULL, "nfull (a)")                                                      \
  X(E_POLL, "a ? [args], with 'random' a ?? [args]; args as in S_RECV")        \
  X(E_EVAL, "eval (a); only as a receive argument")                            \
  /* temporal operators, only in ltl formulas */                               \
  X(E_NEXT, "X a")                                                             \
  X(E_ALWAYS, "[] a")                                                          \
  X(E_EVENTUALLY, "<> a")                                                      \
  X(E_UNTIL, "a U b")                                                          \
  X(E_WEAK_UNTIL, "a W b")                                                     \
  X(E_RELEASE, "a V b")                                                        \
  X(E_IMPLIES, "a -> b")                                                       \
  X(E_EQUIV, "a <-> b")                                                        \
  /* embedded C; the resolver refuses it unless it is allowed */                \
  X(E_C_EXPR, "c_expr { text }")                                               \
  /* stands for an expression that could not be parsed; an error was told */   \
  X(E_ERROR, "")
/* clang-format on */

typedef enum {
#define X(kind, text) kind,
  PML_EXPR_KINDS(X)
#undef X
} pml_expr_kind;

/* 'a[i].b.c[j]' has three steps.  After resolving, var is the variable for the
** first and the field for the others, and 'index' is NULL exactly when the
** step's variable is not an array ('x[0]' of a scalar x has lost its index). */
typedef struct pml_step {
  const char *name;
  span where;
  pml_expr *index;
  pml_var *var;
} pml_step;

struct pml_expr {
  pml_expr_kind kind;
  bool mtype;     /* E_CONST */
  bool random;    /* E_POLL */
  bool resolved;  /* the resolver was here (result references are shared) */
  bool probe;     /* full, nfull, empty, nempty, and && and || of them: SPIN
                  ** allows these only at the top of a condition */
  uint16_t depth; /* of the tree below; bounded, so that walks may recurse */
  int32_t value;
  span where;
  const char *name; /* E_CONST, E_RUN, E_REMOTE_*: as written */
  pml_expr *a, *b, *c;
  pml_expr **args; /* E_RUN, E_POLL */
  uint32_t arg_count;
  pml_step *steps; /* E_REF, E_REMOTE_VAR */
  uint32_t step_count;
  pml_proc *proc;         /* E_RUN, E_REMOTE_* */
  const char *label_name; /* E_REMOTE_LABEL */
  pml_label *label;       /* E_REMOTE_LABEL */
  pml_c_code *code;       /* E_C_EXPR */
};

/* The variable or field an E_REF (or E_REMOTE_VAR) ends in. */
static inline pml_var *pml_target(const pml_expr *e)
{
  return e->steps[e->step_count - 1].var;
}

/*------------------------------------------------------------------------*/
/* Statements                                                              */

/* clang-format off */
#define PML_STMT_KINDS(X)                                                      \
  X(S_DECL, "declarations: vars, assigns")                                     \
  X(S_XU, "xr/xs: refs; 'receive' says which")                                 \
  X(S_EXPR, "a, as a condition (skip is the constant 1)")                      \
  X(S_ASSIGN, "a = b")                                                         \
  X(S_SEND, "a ! args, 'sorted' a !! args")                                    \
  X(S_RECV, "a ? args, 'random' a ?? args, 'copy' a ? <args>")                 \
  X(S_ASSERT, "assert (a)")                                                    \
  X(S_PRINTF, "printf (text, args)")                                           \
  X(S_PRINTM, "printm (a); a is E_REF or E_CONST")                             \
  X(S_SET_PRIORITY, "set_priority (a, b)")                                     \
  X(S_ELSE, "else")                                                            \
  X(S_GOTO, "goto name: target")                                               \
  X(S_BREAK, "break out of 'loop'")                                            \
  X(S_IF, "if options fi")                                                     \
  X(S_DO, "do options od")                                                     \
  X(S_ATOMIC, "atomic { body }")                                               \
  X(S_DSTEP, "d_step { body }")                                                \
  X(S_BLOCK, "{ body }, or an inline call when 'inlined' is not NULL")         \
  X(S_UNLESS, "body unless escape")                                            \
  X(S_C_CODE, "c_code [ name ] { text }")                                      \
  X(S_C_DECL, "c_decl { text }")                                               \
  X(S_ERROR, "could not be parsed; an error was told")
/* clang-format on */

typedef enum {
#define X(kind, text) kind,
  PML_STMT_KINDS(X)
#undef X
} pml_stmt_kind;

/* A label in front of a statement.  'scope' is the scope of its symbol in
** SPIN's sense: the outermost block in which the name was met before, else
** the block it stands in. */
struct pml_label {
  const char *name;
  span where;
  pml_proc *proc;
  pml_scope *scope;
  pml_stmt *stmt;
  uint32_t inline_id; /* of the innermost inline it stands in; 0 = none */
};

struct pml_seq {
  span where; /* an option's starts at its '::' */
  pml_stmt **stmts;
  uint32_t count;
  pml_scope *scope;
};

/* The arguments of a call of an inline, as they were written. */
typedef struct pml_call {
  const char **params;
  const char **texts; /* NULL: it must not be shown */
  uint32_t count;
} pml_call;

struct pml_stmt {
  pml_stmt_kind kind;
  bool assigns;      /* S_DECL: each variable is assigned here */
  bool receive;      /* S_XU: xr, not xs */
  bool sorted;       /* S_SEND */
  bool random, copy; /* S_RECV */
  bool break_first;  /* S_DO: see Numbering */
  bool wrapped_body, wrapped_escape; /* S_UNLESS: see Numbering */
  bool lifted;    /* S_BLOCK, S_ATOMIC, S_DSTEP made from 'L: {a} unless b'
                  ** to hold the label: contains one S_UNLESS, and it is
                  ** the body of that unless that is atomic, or a d_step */
  bool generated; /* part of a rewritten for or select */
  bool arrow;     /* '->' stands behind it */
  span where;
  pml_label **labels; /* in source order */
  uint32_t label_count;
  pml_expr *a, *b;
  pml_expr **args; /* S_SEND, S_RECV (flat); S_PRINTF; S_XU: the refs */
  uint32_t arg_count;
  pml_seq **options; /* S_IF, S_DO, in source order */
  uint32_t option_count;
  pml_seq *body;   /* S_ATOMIC, S_DSTEP, S_BLOCK, S_UNLESS */
  pml_seq *escape; /* S_UNLESS */
  pml_var **vars;  /* S_DECL, in source order; a record is one variable */
  uint32_t var_count;
  const char *name;   /* S_GOTO: the label's */
  pml_scope *scope;   /* the block it stands in; S_GOTO: that of its symbol,
                      ** as in pml_label */
  uint32_t inline_id; /* S_GOTO: as in pml_label */
  pml_label *target;  /* S_GOTO */
  pml_stmt *loop;     /* S_BREAK; for the resolver: S_ASSIGN that starts a
                      ** 'for (a in b)', whose S_DO then has a and b */
  const char *text;   /* S_PRINTF: without quotes, escapes as written */
  pml_c_code *code;   /* S_C_*: between the braces */
  pml_c_code *test;   /* S_C_CODE: between the brackets, or NULL */
  uint32_t text_length;
  const char *inlined;  /* S_BLOCK: name of the inline */
  pml_expr *result;     /* S_BLOCK: 'result = inlined (...)', or NULL */
  const pml_call *call; /* of the innermost inline it stands in, or NULL */
};

/*------------------------------------------------------------------------*/
/* Processes, formulas, the module                                         */

typedef enum {
  PROC_PROCTYPE,
  PROC_INIT,   /* name ":init:" */
  PROC_NEVER,  /* name as written, or "never_0", ... */
  PROC_TRACE,  /* name ":trace:" */
  PROC_NOTRACE /* name ":notrace:" */
} pml_proc_kind;

struct pml_proc {
  pml_proc_kind kind;
  const char *name;
  span where;            /* of the name */
  bool deterministic;    /* D_proctype */
  uint32_t active;       /* instances at the start; 1 for init */
  int32_t priority;      /* given by 'priority n'; 0 = none given */
  pml_expr *provided;    /* or NULL */
  pml_expr *active_expr; /* for the resolver: a variable in "active [n]" */
  pml_var **params;      /* as declared; all PML_PARAM, and first in locals */
  uint32_t param_count;
  pml_expr **param_refs; /* flat: the E_REF that each argument of a 'run' is
                         ** assigned to; as many as params when none is a
                         ** record */
  uint32_t param_ref_count;
  pml_var **locals; /* all variables of all blocks, in order of declaration */
  uint32_t local_count;
  pml_label **labels; /* in order of appearance */
  uint32_t label_count;
  pml_seq *body;
  uint32_t index; /* in module->procs */
};

typedef struct pml_ltl {
  const char *name; /* as written, or "ltl_0", "ltl_1", ... */
  span where;       /* of the whole block */
  const char *text; /* the formula as written, between the braces */
  pml_expr *formula;
  bool named;
} pml_ltl;

/* A piece of embedded C.  'index' counts those of the module, in the order
** the resolver met them, from 0. */
typedef enum {
  C_DECLARES, /* c_decl */
  C_DEFINES,  /* c_code outside of processes */
  C_VALUE,    /* c_expr */
  C_TEST,     /* the condition of a c_code */
  C_RUNS      /* c_code */
} pml_c_use;

struct pml_c_code {
  pml_c_use use;
  const char *text;
  span where;     /* its opening bracket */
  pml_proc *proc; /* it stands in, or NULL */
  uint32_t index;
  bool resolved;
  pml_c_code *next;
};

/* Top-level embedded C. */
typedef enum { C_CODE, C_DECL, C_STATE, C_TRACK } pml_c_kind;
typedef struct pml_c_unit {
  pml_c_kind kind;
  span where;
  pml_c_code *code;    /* C_CODE, C_DECL */
  const char *part[3]; /* C_STATE, C_TRACK: the strings, last may be NULL */
} pml_c_unit;

typedef enum {
  UNIT_VARS,
  UNIT_RECORD,
  UNIT_PROC,
  UNIT_LTL,
  UNIT_C
} pml_unit_kind;
typedef struct pml_unit {
  pml_unit_kind kind;
  pml_stmt *vars; /* S_DECL */
  pml_record *record;
  pml_proc *proc;
  pml_ltl *ltl;
  pml_c_unit *c;
} pml_unit;

typedef struct promela_module {
  uint32_t file;               /* the main file */
  const char *const *cpp_args; /* it was preprocessed with */
  uint32_t cpp_arg_count;
  bool system_cpp;     /* by the system's preprocessor; */
  bool preprocessed;   /* if at all */
  pml_macros *macros;  /* or by ours, after which these are defined */
  pml_aliases aliases; /* names that must not be shown */
  pml_unit *units;
  uint32_t unit_count;
  pml_var **globals;
  uint32_t global_count;
  pml_proc **procs;
  uint32_t proc_count;
  pml_record **records;
  uint32_t record_count;
  pml_mtype *mtypes;
  uint32_t mtype_count;
  pml_ltl **ltls;
  uint32_t ltl_count;
  /* What formulas that are read later have to know, too. */
  const pml_chan *rendezvous; /* the first channel without slots */
  uint32_t max_fields;        /* of all channels: no message may have more */
  bool allow_c;
  pml_c_code *codes, **codes_end; /* embedded C in the order it was met */
  uint32_t code_count;
} promela_module;

#endif
