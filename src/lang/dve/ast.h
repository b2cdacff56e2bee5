/* The tree of a DVE file, as written; names are not looked up yet.  All of it
** lives in the arena.  Lists are linked by 'next', in the order of the file. */

#ifndef NUT_LANG_DVE_AST_H
#define NUT_LANG_DVE_AST_H

#include "base/arena.h"
#include "lang/scan.h"
#include "model/model.h"

/* A name as it was written somewhere. */
typedef struct dve_name {
  const char *name; /* interned; NULL: missing, and complained about */
  span where;
  struct dve_name *next;
} dve_name;

typedef enum {
  DVE_NUMBER,
  DVE_VARIABLE, /* v, v[e], P->v, P->v[e] */
  DVE_STATE,    /* P.s */
  DVE_UNARY,
  DVE_BINARY
} dve_expr_kind;

typedef struct dve_expr {
  dve_expr_kind kind;
  uint16_t depth;
  bool grouped; /* in parentheses */
  op op;        /* UNARY, BINARY */
  int32_t value;
  dve_name process;       /* STATE; VARIABLE with '->' */
  dve_name name;          /* of the variable or state */
  struct dve_expr *index; /* VARIABLE */
  struct dve_expr *a, *b; /* operands */
  struct dve_expr *next;
  span where;
} dve_expr;

typedef struct dve_variable {
  dve_name name;
  bool is_const, is_int;
  bool is_array, braces; /* declared with [n]; initialised with {...} */
  dve_expr *length;
  dve_expr *init; /* a list */
  struct dve_variable *next;
} dve_variable;

typedef struct dve_channel {
  dve_name name;
  bool typed;
  uint32_t fields;    /* typed: how many */
  const bool *is_int; /* typed: of each */
  dve_expr *capacity; /* or NULL */
  struct dve_channel *next;
} dve_channel;

typedef struct dve_sync {
  dve_name process; /* that has the channel; name is NULL: not said */
  dve_name channel;
  bool sends;
  dve_expr *values; /* a list; of a receive: variables */
  span where;
} dve_sync;

typedef struct dve_effect {
  dve_expr *target, *value;
  span where;
  struct dve_effect *next;
} dve_effect;

typedef struct dve_transition {
  dve_name from, to;
  dve_expr *guard; /* a list: all must hold */
  dve_sync *sync;
  dve_effect *effects;
  const char *text; /* as written, in one line */
  span where;
  struct dve_transition *next;
} dve_transition;

typedef struct dve_assertion {
  dve_name state;
  dve_expr *condition;
  const char *text;
  span where;
  struct dve_assertion *next;
} dve_assertion;

typedef struct dve_process {
  dve_name name;
  dve_variable *variables;
  dve_channel *channels;
  dve_name *states, *committed, *accepting;
  dve_name init;
  dve_assertion *assertions;
  dve_transition *transitions;
  struct dve_process *next;
} dve_process;

typedef struct dve_module {
  dve_variable *variables;
  dve_channel *channels;
  dve_process *processes;
  bool synchronous;
  dve_name property; /* name is NULL: none */
  span system;       /* of 'system ...'; file 0: there is none */
} dve_module;

/* Tokens of the language; the scanner's own come first. */
#define DVE_OPERATORS(X)                                                       \
  X(T_LPAR, "(")                                                               \
  X(T_RPAR, ")")                                                               \
  X(T_LBRACKET, "[")                                                           \
  X(T_RBRACKET, "]")                                                           \
  X(T_LBRACE, "{")                                                             \
  X(T_RBRACE, "}")                                                             \
  X(T_SEMI, ";")                                                               \
  X(T_COLON, ":")                                                              \
  X(T_COMMA, ",")                                                              \
  X(T_DOT, ".")                                                                \
  X(T_ARROW, "->")                                                             \
  X(T_WIDE_ARROW, "=>")                                                        \
  X(T_ASSIGN, "=")                                                             \
  X(T_NOT, "!")                                                                \
  X(T_ASK, "?")                                                                \
  X(T_TILDE, "~")                                                              \
  X(T_PLUS, "+")                                                               \
  X(T_MINUS, "-")                                                              \
  X(T_STAR, "*")                                                               \
  X(T_SLASH, "/")                                                              \
  X(T_PERCENT, "%")                                                            \
  X(T_AMP, "&")                                                                \
  X(T_BAR, "|")                                                                \
  X(T_CARET, "^")                                                              \
  X(T_SHL, "<<")                                                               \
  X(T_SHR, ">>")                                                               \
  X(T_LT, "<")                                                                 \
  X(T_LE, "<=")                                                                \
  X(T_GT, ">")                                                                 \
  X(T_GE, ">=")                                                                \
  X(T_EQ, "==")                                                                \
  X(T_NE, "!=")                                                                \
  X(T_AND, "&&")                                                               \
  X(T_OR, "||")

/* Words that spell an operator have its kind. */
#define DVE_KEYWORDS(X, SAME)                                                  \
  SAME(T_AND, "and")                                                           \
  SAME(T_OR, "or")                                                             \
  SAME(T_NOT, "not")                                                           \
  X(T_IMPLY, "imply")                                                          \
  X(T_TRUE, "true")                                                            \
  X(T_FALSE, "false")                                                          \
  X(T_CONST, "const")                                                          \
  X(T_BYTE, "byte")                                                            \
  X(T_INT, "int")                                                              \
  X(T_CHANNEL, "channel")                                                      \
  X(T_PROCESS, "process")                                                      \
  X(T_STATE, "state")                                                          \
  X(T_INIT, "init")                                                            \
  X(T_COMMIT, "commit")                                                        \
  X(T_ACCEPT, "accept")                                                        \
  X(T_ASSERT, "assert")                                                        \
  X(T_TRANS, "trans")                                                          \
  X(T_GUARD, "guard")                                                          \
  X(T_SYNC, "sync")                                                            \
  X(T_EFFECT, "effect")                                                        \
  X(T_SYSTEM, "system")                                                        \
  X(T_ASYNC, "async")                                                          \
  X(T_PROPERTY, "property")                                                    \
  X(T_BUCHI, "buchi")                                                          \
  X(T_GENBUCHI, "genbuchi")                                                    \
  X(T_STREETT, "streett")                                                      \
  X(T_RABIN, "rabin")                                                          \
  X(T_MULLER, "muller")

enum {
  T_BEFORE_FIRST = SCAN_OWN - 1,
#define X(kind, text) kind,
#define SAME(kind, text)
  DVE_OPERATORS(X) DVE_KEYWORDS(X, SAME)
#undef SAME
#undef X
};

extern const scan_language dve_language;

/* What the parsing functions share. */
typedef struct dve_parser {
  scanner *s;
  arena *arena;
  text *scratch; /* empty between uses */
} dve_parser;

/* An expression; NULL after an error. */
dve_expr *dve_parse_expr(dve_parser *);
/* The whole file.  Never NULL; errors are in the diagnostics. */
dve_module *dve_parse(dve_parser *);

#endif
