/* The tree of a GASTON file, as written; names are not looked up yet.  All of
** it lives in the arena.  Lists are linked by 'next', in the order of the
** file.  docs/gaston.md defines the language. */

#ifndef NUT_LANG_GASTON_AST_H
#define NUT_LANG_GASTON_AST_H

#include "base/arena.h"
#include "lang/scan.h"
#include "model/model.h"

/* A name as it was written somewhere. */
typedef struct gst_name {
  const char *name; /* interned; NULL: none */
  span where;
  struct gst_name *next;
} gst_name;

/* ---- expressions ------------------------------------------------------- */

typedef enum {
  GST_NUMBER,
  GST_TRUTH, /* true, false: 'value' */
  GST_PATH,  /* v, v[e].f, P[e].v, P[e]@label, a constant */
  GST_UNARY,
  GST_BINARY,
  GST_ALL, /* all NAME in TYPE: a */
  GST_SOME
} gst_expr_kind;

/* What follows the first name of a path. */
typedef struct gst_selector {
  struct gst_expr *index; /* NULL: the field 'field' */
  gst_name field;
  struct gst_selector *next;
} gst_selector;

typedef struct gst_expr {
  gst_expr_kind kind;
  uint16_t depth;
  op op;                      /* UNARY, BINARY */
  int32_t value;              /* NUMBER, TRUTH */
  gst_name name;              /* PATH; the bound name of ALL, SOME */
  gst_selector *selectors;    /* PATH */
  gst_name label;             /* PATH with '@' */
  struct gst_type_tree *over; /* ALL, SOME */
  struct gst_expr *a, *b;
  struct gst_expr *next;
  span where;
} gst_expr;

/* ---- types ------------------------------------------------------------- */

typedef enum {
  GST_TYPE_NAMED,
  GST_TYPE_RANGE,
  GST_TYPE_ENUM,
  GST_TYPE_RECORD,
  GST_TYPE_ARRAY
} gst_type_kind;

typedef struct gst_field {
  gst_name *names;
  struct gst_type_tree *type;
  struct gst_field *next;
} gst_field;

typedef struct gst_type_tree {
  gst_type_kind kind;
  gst_name name;                         /* NAMED */
  gst_expr *lo, *hi;                     /* RANGE */
  gst_name *values;                      /* ENUM */
  gst_field *fields;                     /* RECORD */
  struct gst_type_tree *index, *element; /* ARRAY */
  span where;
} gst_type_tree;

/* ---- commands ---------------------------------------------------------- */

typedef enum { GST_ASSIGN, GST_ASSERT, GST_FOR } gst_effect_kind;

typedef struct gst_effect {
  gst_effect_kind kind;
  gst_expr *target, *value; /* ASSIGN; ASSERT has a value only */
  gst_name name;            /* FOR name in type: body */
  gst_type_tree *over;
  struct gst_effect *body;
  span where;
  struct gst_effect *next;
} gst_effect;

typedef enum {
  GST_GIVE,  /* send: the value.  receive: a variable, or what must be equal */
  GST_EQUAL, /* receive: '= expression' */
  GST_ANY    /* receive: '_' */
} gst_arg_kind;

typedef struct gst_arg {
  gst_arg_kind kind;
  gst_expr *value;
  span where;
  struct gst_arg *next;
} gst_arg;

typedef struct gst_comm {
  gst_name port;
  bool sends;
  gst_arg *args;
  span where;
} gst_comm;

/* [ condition ] [ communication ] effects: what is done at once. */
typedef struct gst_step {
  bool is_else;
  gst_expr *condition;
  gst_comm *comm;
  gst_effect *effects;
  const char *text; /* as written, in one line */
  span where;
} gst_step;

typedef struct gst_alternative {
  gst_name name; /* for NAME in TYPE: one alternative for each value */
  gst_type_tree *over;
  gst_step *step;
  struct gst_command *body;
  struct gst_alternative *next;
} gst_alternative;

typedef enum { GST_STEP, GST_IF, GST_DO, GST_EXIT } gst_command_kind;

typedef struct gst_command {
  gst_command_kind kind;
  bool forever; /* DO: waits where others end */
  gst_name *labels;
  gst_step *step;           /* STEP */
  gst_alternative *choices; /* IF, DO */
  span where;
  struct gst_command *next;
} gst_command;

/* ---- declarations ------------------------------------------------------ */

typedef enum {
  GST_CONST,
  GST_TYPE,
  GST_VARIABLES,
  GST_PORT,
  GST_PROCESS,
  GST_INVARIANT
} gst_declaration_kind;

typedef struct gst_declaration {
  gst_declaration_kind kind;
  gst_name *names;     /* VARIABLES may have several */
  gst_expr *value;     /* CONST, INVARIANT */
  gst_type_tree *type; /* TYPE, VARIABLES; PROCESS: of its parameter */
  gst_expr *init;      /* VARIABLES: a list, or NULL */
  bool is_list;        /* ... that was written in brackets */
  gst_field *carried;  /* PORT: one type each, without names */
  gst_name *members;   /* PORT */
  gst_name parameter;  /* PROCESS */
  struct gst_declaration *locals; /* PROCESS */
  gst_command *body;              /* PROCESS */
  const char *text;               /* INVARIANT: the condition as written */
  span where;
  struct gst_declaration *next;
} gst_declaration;

/* ---- tokens ------------------------------------------------------------ */

#define GST_OPERATORS(X)                                                       \
  X(T_LPAR, "(")                                                               \
  X(T_RPAR, ")")                                                               \
  X(T_LBRACKET, "[")                                                           \
  X(T_RBRACKET, "]")                                                           \
  X(T_BOX, "[]")                                                               \
  X(T_SEMI, ";")                                                               \
  X(T_COLON, ":")                                                              \
  X(T_COMMA, ",")                                                              \
  X(T_DOT, ".")                                                                \
  X(T_RANGE, "..")                                                             \
  X(T_ARROW, "->")                                                             \
  X(T_BECOMES, ":=")                                                           \
  X(T_SEND, "!")                                                               \
  X(T_ASK, "?")                                                                \
  X(T_AT, "@")                                                                 \
  X(T_PLUS, "+")                                                               \
  X(T_MINUS, "-")                                                              \
  X(T_STAR, "*")                                                               \
  X(T_SLASH, "/")                                                              \
  X(T_LT, "<")                                                                 \
  X(T_LE, "<=")                                                                \
  X(T_GT, ">")                                                                 \
  X(T_GE, ">=")                                                                \
  X(T_EQ, "=")                                                                 \
  X(T_NE, "<>")

#define GST_KEYWORDS(X)                                                        \
  X(T_ALL, "all")                                                              \
  X(T_AND, "and")                                                              \
  X(T_ARRAY, "array")                                                          \
  X(T_ASSERT, "assert")                                                        \
  X(T_AWAIT, "await")                                                          \
  X(T_BEGIN, "begin")                                                          \
  X(T_CONST, "const")                                                          \
  X(T_DO, "do")                                                                \
  X(T_ELSE, "else")                                                            \
  X(T_END, "end")                                                              \
  X(T_EXIT, "exit")                                                            \
  X(T_FALSE, "false")                                                          \
  X(T_FI, "fi")                                                                \
  X(T_FOR, "for")                                                              \
  X(T_FOREVER, "forever")                                                      \
  X(T_IF, "if")                                                                \
  X(T_IMPLIES, "implies")                                                      \
  X(T_IN, "in")                                                                \
  X(T_INVARIANT, "invariant")                                                  \
  X(T_MOD, "mod")                                                              \
  X(T_NOT, "not")                                                              \
  X(T_OD, "od")                                                                \
  X(T_OF, "of")                                                                \
  X(T_OR, "or")                                                                \
  X(T_PORT, "port")                                                            \
  X(T_PROCESS, "process")                                                      \
  X(T_RECORD, "record")                                                        \
  X(T_SKIP, "skip")                                                            \
  X(T_SOME, "some")                                                            \
  X(T_TRUE, "true")                                                            \
  X(T_TYPE, "type")                                                            \
  X(T_VAR, "var")

enum {
  T_BEFORE_FIRST = SCAN_OWN - 1,
#define X(kind, text) kind,
  GST_OPERATORS(X) GST_KEYWORDS(X)
#undef X
};

extern const scan_language gst_language;

/* ---- parsing ----------------------------------------------------------- */

/* What the parsing functions share. */
typedef struct gst_parser {
  scanner *s;
  arena *arena;
  text *scratch; /* empty between uses */
} gst_parser;

/* Appends to a list whose end is 'tail', a pointer to its last 'next'. */
#define GST_APPEND(tail, node) (*(tail) = (node), (tail) = &(node)->next)

/* Kinds to stop at when skipping. */
#define GST_STOPS(...) ((const char[]){__VA_ARGS__, 0})

/* The functions answer NULL after an error that is in the diagnostics. */
gst_expr *gst_parse_expr(gst_parser *);
gst_type_tree *gst_parse_type(gst_parser *);
/* Commands up to a token that cannot begin one; errors are skipped. */
gst_command *gst_parse_commands(gst_parser *);
/* The whole file. */
gst_declaration *gst_parse(gst_parser *);
/* The text from the token 'first' up to the cursor. */
const char *gst_excerpt(gst_parser *, size_t first);

#endif
