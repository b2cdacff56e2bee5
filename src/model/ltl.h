/* Formulas of linear temporal logic over the expressions of a model: a tree
** whose leaves are conditions.
**
**   [] (x > 1 -> <> done)        always
**                                   |
**                                implies
**                                /     \
**                            x > 1   eventually
**                                        |
**                                      done
**
** What a reader, a language or a file makes stands in an arena, as 'ltl_new'
** made it, and hangs on a property.  An automaton is made from a copy in an
** 'ltl_context' (logic/ltl_context.h), in which equal formulas are equal
** pointers.  Both are of the same type, with the same operators. */

#ifndef NUT_MODEL_LTL_H
#define NUT_MODEL_LTL_H

#include "base/arena.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whoever makes automata need not know what conditions are made of. */
typedef struct expr expr;
typedef struct model model;

/* OP(name, number of operands, SPIN's spelling, as letter, as word) */
/* clang-format off */
#define LTL_OPS(OP)                                                            \
  OP(FALSE,          0, "false", "false", "false")                             \
  OP(TRUE,           0, "true",  "true",  "true")                              \
  OP(ATOM,           0, "",      "",      "")                                  \
  OP(NOT,            1, "!",     "!",     "not")                               \
  OP(NEXT,           1, "X",     "X",     "next")                              \
  OP(EVENTUALLY,     1, "<>",    "F",     "eventually")                        \
  OP(ALWAYS,         1, "[]",    "G",     "always")                            \
  OP(AND,            2, "&&",    "&&",    "and")                               \
  OP(OR,             2, "||",    "||",    "or")                                \
  OP(IMPLIES,        2, "->",    "->",    "implies")                           \
  OP(EQUIV,          2, "<->",   "<->",   "equivalent")                        \
  OP(UNTIL,          2, "U",     "U",     "until")                             \
  OP(WEAK_UNTIL,     2, "W",     "W",     "weakuntil")                         \
  OP(RELEASE,        2, "V",     "R",     "release")                           \
  OP(STRONG_RELEASE, 2, "M",     "M",     "strongrelease")
/* clang-format on */

typedef enum {
#define OP(name, arity, spin, letter, word) LTL_##name,
  LTL_OPS(OP)
#undef OP
      LTL_OP_COUNT
} ltl_op;

/* What is known about a formula from its shape alone; a bit that is not set
** says nothing.
**
**   BOOLEAN     no temporal operator: depends on the first letter only
**   EVENTUAL    u w |= f whenever w |= f: true as soon as it once becomes true
**   UNIVERSAL   w |= f whenever u w |= f: once true, it stays true
**   NEXT_FREE   no X: the formula cannot tell a letter from its repetition
**   SAFETY      a violation shows after finitely many letters
**   GUARANTEE   the negation is a safety property
**   OBLIGATION  a Boolean combination of safety and guarantee properties */
enum {
  LTL_BOOLEAN = 1,
  LTL_EVENTUAL = 2,
  LTL_UNIVERSAL = 4,
  LTL_NEXT_FREE = 8,
  LTL_SAFETY = 16,
  LTL_GUARANTEE = 32,
  LTL_OBLIGATION = 64
};

/* A formula.  Fields are for reading. */
typedef struct ltl {
  uint8_t op;    /* an ltl_op */
  uint8_t facts; /* the bits above */
  uint32_t depth;
  const char *text; /* LTL_ATOM: as written, or NULL */
  expr *condition;  /* LTL_ATOM: what it means, or NULL without a model */
  const struct ltl *a, *b; /* operands, NULL where there is none */

  /* Only in a context, and private to it but for the two numbers. */
  uint32_t id;                   /* its number in the context, from 0 */
  uint32_t atom;                 /* LTL_ATOM: the number of the proposition */
  const struct ltl *simple[2];   /* rewritten; [1]: its negation */
  const struct ltl *normal[2];   /* likewise, in normal form only */
  const struct ltl *next_in_row; /* of the unique table */
} ltl;

/* Deeper formulas are refused by the parser and by the translation, so that
** walks may recurse. */
enum { LTL_DEPTH_MAX = 10000 };

const ltl *ltl_new(arena *, ltl_op, const ltl *a, const ltl *b);
/* A proposition.  The text, which is not copied, or the condition may be
** NULL. */
const ltl *ltl_leaf(arena *, const char *string, expr *condition);
/* Sets all that follows from the operator and the operands. */
void ltl_init(ltl *, ltl_op, const ltl *a, const ltl *b);
unsigned ltl_arity(ltl_op);

/* The same formula, in which conditions that may have no value are protected:
** where a part without temporal operators has one (the index of 'i < 3 &&
** a[i]'), the whole part becomes one condition, in which '&&' decides whether
** what follows it is evaluated. */
const ltl *ltl_protect(model *, const ltl *);

typedef enum {
  LTL_SPIN,    /* [] <> U V X, for 'ltl' blocks; M is written with U */
  LTL_SPIN_F,  /* the same for 'spin -f', which has no W either */
  LTL_LETTERS, /* G F U R W M X */
  LTL_WORDS    /* always eventually until release ... */
} ltl_syntax;

/* Adds the formula, with all parentheses that a reader who does not know our
** rules of precedence may need.  The model may be NULL when all propositions
** have texts. */
void ltl_print(const model *, const ltl *, ltl_syntax, text *out);
/* The same with parentheses around everything that is not a single word. */
void ltl_print_all(const model *, const ltl *, text *out);

/* The operator that is written as this word or letter; LTL_OP_COUNT: none. */
ltl_op ltl_operator(const char *word, size_t length);

#endif
