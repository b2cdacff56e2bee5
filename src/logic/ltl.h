/* Linear temporal logic: formulas over opaque propositions.
**
** A proposition (atom) is a number and a text; what the text means is known
** only to the language that made it.  A formula is a node of a directed graph
** without cycles in which equal formulas are equal pointers:
**
**   [] (p -> <> q)          always
**                              |
**                           implies
**                           /     \
**                          p    eventually
**                                   |
**                                   q
**
** Everything belongs to an 'ltl_context' and lives as long as it does.  All
** functions may leave the protected call (base/alloc.h) when memory runs out; the
** context is then still fit to be destroyed, and for nothing else. */

#ifndef NUT_LOGIC_LTL_H
#define NUT_LOGIC_LTL_H

#include "base/text.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

typedef struct ltl_context ltl_context;

/* A formula.  Fields are for reading. */
typedef struct ltl {
  uint8_t op;    /* an ltl_op */
  uint8_t facts; /* the bits above */
  uint32_t id;   /* its number in the context, from 0 */
  uint32_t atom; /* LTL_ATOM: the number of the proposition */
  uint32_t depth;
  const struct ltl *a, *b;       /* operands, NULL where there is none */
  const struct ltl *simple[2];   /* private: rewritten; [1]: its negation */
  const struct ltl *normal[2];   /* private: likewise, in normal form only */
  const struct ltl *next_in_row; /* private: of the unique table */
} ltl;

/* Trees that are deeper are refused by the parser and by the translation. */
enum { LTL_DEPTH_MAX = 10000 };

ltl_context *ltl_create(void);
void ltl_destroy(ltl_context *);

/* The proposition with this text: the old one, or a new one with the next
** number. */
uint32_t ltl_add_atom(ltl_context *, const char *string, size_t length);
uint32_t ltl_atom_count(const ltl_context *);
const char *ltl_atom_text(const ltl_context *, uint32_t atom);

/* Formulas as they are, without rewriting. */
const ltl *ltl_atom(ltl_context *, uint32_t atom);
const ltl *ltl_constant(ltl_context *, bool value);
const ltl *ltl_unary(ltl_context *, ltl_op, const ltl *a);
const ltl *ltl_binary(ltl_context *, ltl_op, const ltl *a, const ltl *b);
unsigned ltl_arity(ltl_op);
size_t ltl_size(ltl_context *, const ltl *); /* different subformulas */

/* An equivalent formula (of the negation), smaller where our rules see how:
** without implications and equivalences, negations before atoms only. */
const ltl *ltl_simplify(ltl_context *, const ltl *);
const ltl *ltl_negate(ltl_context *, const ltl *);
/* The same without any cleverness: the negation normal form. */
const ltl *ltl_normalise(ltl_context *, const ltl *);
/* Whether f implies g, as far as the shapes of the two tell; both must be
** in negation normal form. */
bool ltl_implies(ltl_context *, const ltl *f, const ltl *g);

/* Whether repeating letters of a word never changes the truth of the formula,
** as far as rewriting tells: after it no X is left. */
bool ltl_ignores_stuttering(ltl_context *, const ltl *);
/* The strongest of "safety", "guarantee", "obligation", "reactivity" (which is
** everything) that the shape of the rewritten formula proves. */
const char *ltl_class_name(ltl_context *, const ltl *);

typedef enum {
  LTL_SPIN,    /* [] <> U V X, for 'ltl' blocks; M is written with U */
  LTL_SPIN_F,  /* the same for 'spin -f', which has no W either */
  LTL_LETTERS, /* G F U R W M X */
  LTL_WORDS    /* always eventually until release ... */
} ltl_syntax;

/* Adds the formula, with all parentheses that a reader who does not know our
** rules of precedence may need. */
void ltl_print(const ltl_context *, const ltl *, ltl_syntax, text *out);

#endif
