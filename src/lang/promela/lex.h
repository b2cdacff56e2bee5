/* From text to tokens, in one pass, without recursion.
**
** The text is a file as it stands, the output of a C preprocessor, or a source
** that the preprocessor of our own made.  In all cases it can be told from the
** spans of the tokens where the user wrote them.  The lexer knows two things
** that are not in the grammar: the operators inside 'ltl { ... }' differ ('[]',
** '<>', 'U', '->'), and the text of embedded C is one token. */

#ifndef NUT_LANG_PROMELA_LEX_H
#define NUT_LANG_PROMELA_LEX_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"
#include "base/vec.h"
#include "lang/promela/map.h"
#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
/* Token kind and how a diagnostic calls it; keywords follow below. */
#define PML_SYMBOLS(X)                                                         \
  X(T_EOF, "the end of the file")                                              \
  X(T_NAME, "a name")                                                          \
  X(T_UNAME, "a type name")       /* made by the parser from T_NAME */         \
  X(T_PNAME, "a proctype name")   /* likewise */                               \
  X(T_INAME, "an inline name")    /* likewise */                               \
  X(T_CONST, "a constant")        /* also mtype names, true, false, skip */    \
  X(T_STRING, "a string")                                                      \
  X(T_LPAR, "'('")                                                             \
  X(T_RPAR, "')'")                                                             \
  X(T_LBRACKET, "'['")                                                         \
  X(T_RBRACKET, "']'")                                                         \
  X(T_LBRACE, "'{'")                                                           \
  X(T_RBRACE, "'}'")                                                           \
  X(T_SEMI, "';'")                                                             \
  X(T_ARROW, "'->'")                                                           \
  X(T_SEP, "'::'")                                                             \
  X(T_COLON, "':'")                                                            \
  X(T_COMMA, "','")                                                            \
  X(T_DOT, "'.'")                                                              \
  X(T_DOTDOT, "'..'")                                                          \
  X(T_AT, "'@'")                                                               \
  X(T_ASSIGN, "'='")                                                           \
  X(T_INCR, "'++'")                                                            \
  X(T_DECR, "'--'")                                                            \
  X(T_SEND, "'!'")                                                             \
  X(T_SORTED_SEND, "'!!'")                                                     \
  X(T_RECV, "'?'")                                                             \
  X(T_RANDOM_RECV, "'\?\?'")                                                   \
  X(T_PLUS, "'+'")                                                             \
  X(T_MINUS, "'-'")                                                            \
  X(T_STAR, "'*'")                                                             \
  X(T_SLASH, "'/'")                                                            \
  X(T_PERCENT, "'%'")                                                          \
  X(T_AMP, "'&'")                                                              \
  X(T_CARET, "'^'")                                                            \
  X(T_BAR, "'|'")                                                              \
  X(T_TILDE, "'~'")                                                            \
  X(T_SHL, "'<<'")                                                             \
  X(T_SHR, "'>>'")                                                             \
  X(T_LT, "'<'")                                                               \
  X(T_LE, "'<='")                                                              \
  X(T_GT, "'>'")                                                               \
  X(T_GE, "'>='")                                                              \
  X(T_EQ, "'=='")                                                              \
  X(T_NE, "'!='")                                                              \
  X(T_AND, "'&&'")                                                             \
  X(T_OR, "'||'")                                                              \
  /* only inside ltl */                                                        \
  X(T_ALWAYS, "'[]'")                                                          \
  X(T_EVENTUALLY, "'<>'")                                                      \
  X(T_NEXT, "'X'")                                                             \
  X(T_UNTIL, "'U'")                                                            \
  X(T_WEAK_UNTIL, "'W'")                                                       \
  X(T_RELEASE, "'V'")                                                          \
  X(T_IMPLIES, "'->'")                                                         \
  X(T_EQUIV, "'<->'")                                                          \
  /* embedded C: the keyword, perhaps T_C_GUARD, then T_C_TEXT */              \
  X(T_C_GUARD, "a condition in brackets")                                      \
  X(T_C_TEXT, "C code in braces")

/* Sorted, for binary search. */
#define PML_KEYWORDS(X)                                                        \
  X(T_D_PROCTYPE, "D_proctype")                                                \
  X(T_ACTIVE, "active")                                                        \
  X(T_ASSERT, "assert")                                                        \
  X(T_ATOMIC, "atomic")                                                        \
  X(T_BIT, "bit")                                                              \
  X(T_BOOL, "bool")                                                            \
  X(T_BREAK, "break")                                                          \
  X(T_BYTE, "byte")                                                            \
  X(T_C_CODE, "c_code")                                                        \
  X(T_C_DECL, "c_decl")                                                        \
  X(T_C_EXPR, "c_expr")                                                        \
  X(T_C_STATE, "c_state")                                                      \
  X(T_C_TRACK, "c_track")                                                      \
  X(T_CHAN, "chan")                                                            \
  X(T_D_STEP, "d_step")                                                        \
  X(T_DO, "do")                                                                \
  X(T_ELSE, "else")                                                            \
  X(T_EMPTY, "empty")                                                          \
  X(T_ENABLED, "enabled")                                                      \
  X(T_EVAL, "eval")                                                            \
  X(T_FALSE, "false")                                                          \
  X(T_FI, "fi")                                                                \
  X(T_FOR, "for")                                                              \
  X(T_FULL, "full")                                                            \
  X(T_GET_PRIORITY, "get_priority")                                            \
  X(T_GOTO, "goto")                                                            \
  X(T_HIDDEN, "hidden")                                                        \
  X(T_IF, "if")                                                                \
  X(T_INIT, "init")                                                            \
  X(T_INLINE, "inline")                                                        \
  X(T_INT, "int")                                                              \
  X(T_LEN, "len")                                                              \
  X(T_LOCAL, "local")                                                          \
  X(T_LTL, "ltl")                                                              \
  X(T_MTYPE, "mtype")                                                          \
  X(T_NEMPTY, "nempty")                                                        \
  X(T_NEVER, "never")                                                          \
  X(T_NFULL, "nfull")                                                          \
  X(T_NOTRACE, "notrace")                                                      \
  X(T_NONPROGRESS, "np_")                                                      \
  X(T_OD, "od")                                                                \
  X(T_OF, "of")                                                                \
  X(T_PC_VALUE, "pc_value")                                                    \
  X(T_PID, "pid")                                                              \
  X(T_PRINTF, "printf")                                                        \
  X(T_PRINTM, "printm")                                                        \
  X(T_PRIORITY, "priority")                                                    \
  X(T_PROCTYPE, "proctype")                                                    \
  X(T_PROVIDED, "provided")                                                    \
  X(T_RETURN, "return")                                                        \
  X(T_RUN, "run")                                                              \
  X(T_SELECT, "select")                                                        \
  X(T_SET_PRIORITY, "set_priority")                                            \
  X(T_SHORT, "short")                                                          \
  X(T_SHOW, "show")                                                            \
  X(T_SKIP, "skip")                                                            \
  X(T_TIMEOUT, "timeout")                                                      \
  X(T_TRACE, "trace")                                                          \
  X(T_TRUE, "true")                                                            \
  X(T_TYPEDEF, "typedef")                                                      \
  X(T_UNLESS, "unless")                                                        \
  X(T_UNSIGNED, "unsigned")                                                    \
  X(T_XR, "xr")                                                                \
  X(T_XS, "xs")
/* clang-format on */

typedef enum {
#define X(kind, text) kind,
  PML_SYMBOLS(X) PML_KEYWORDS(X)
#undef X
      TOKEN_KINDS
} pml_token_kind;

typedef struct pml_token {
  uint8_t kind;
  bool newline;  /* the first token of its line */
  bool digits;   /* T_CONST: written as a number */
  int32_t value; /* T_CONST */
  span where;
  const char *name; /* T_NAME: interned; T_STRING, T_C_*: the text inside;
                    ** T_CONST: the mtype name or NULL */
} pml_token;

typedef VEC(pml_token) pml_tokens;

typedef struct pml_input {
  const char *text;
  size_t length;
  uint32_t file;       /* the main file */
  pml_folders folders; /* names in line markers */
  bool preprocessed;   /* 'text' has line markers of the C preprocessor */
  bool made;           /* it is that of 'file', made by preprocess/ */
  bool formula;        /* 'text' is what stands in the braces of an ltl block */
} pml_input;

/* Appends all tokens and a final T_EOF.  Errors are in 'diags'. */
void pml_lex(arena *, names *, sources *, diags *, const pml_input *,
             pml_tokens *);

/* How a diagnostic calls a kind of token: "';'", "a name", "'proctype'". */
const char *pml_token_text(pml_token_kind);

#endif
