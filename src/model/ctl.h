/* Formulas of computation tree logic over the expressions of a model.
**
**   atom                        an expression over the globals
**   ! && || -> <->
**   EX f  EF f  EG f            on some run: next, in the end, always
**   AX f  AF f  AG f            on all runs
**   E[f U g]  A[f U g]          f until g, which comes
**   E[f W g]  A[f W g]          f until g, or for ever
**   E[f R g]  A[f R g]          g up to and with f, or for ever
**
** Formulas are trees in an arena. */

#ifndef NUT_MODEL_CTL_H
#define NUT_MODEL_CTL_H

#include "model/model.h"

/* OP(name, number of operands, how it is written) */
/* clang-format off */
#define CTL_OPS(OP)                                                            \
  OP(TRUE,    0, "true")                                                       \
  OP(FALSE,   0, "false")                                                      \
  OP(ATOM,    0, "")                                                           \
  OP(NOT,     1, "!")                                                          \
  OP(AND,     2, "&&")                                                         \
  OP(OR,      2, "||")                                                         \
  OP(IMPLIES, 2, "->")                                                         \
  OP(EQUIV,   2, "<->")                                                        \
  OP(EX,      1, "EX")                                                         \
  OP(EF,      1, "EF")                                                         \
  OP(EG,      1, "EG")                                                         \
  OP(AX,      1, "AX")                                                         \
  OP(AF,      1, "AF")                                                         \
  OP(AG,      1, "AG")                                                         \
  OP(EU,      2, "E U")                                                        \
  OP(EW,      2, "E W")                                                        \
  OP(ER,      2, "E R")                                                        \
  OP(AU,      2, "A U")                                                        \
  OP(AW,      2, "A W")                                                        \
  OP(AR,      2, "A R")
/* clang-format on */

typedef enum {
#define OP(name, arity, text) CTL_##name,
  CTL_OPS(OP)
#undef OP
} ctl_op;

typedef struct ctl {
  ctl_op op;
  expr *atom; /* CTL_ATOM */
  const struct ctl *a, *b;
  uint32_t depth;
} ctl;

/* Deeper formulas are refused by those who read them. */
enum { CTL_DEPTH_MAX = 2000 };

const ctl *ctl_new(arena *, ctl_op, const ctl *a, const ctl *b);
const ctl *ctl_atom(arena *, expr *);
void ctl_print(const model *, const ctl *, text *out);

/* A formula without path operators as an expression; NULL: it has some. */
expr *ctl_expression(model *, const ctl *);

/* The same by TRUE, ATOM, NOT, AND, OR, EX, EU and EG alone. */
const ctl *ctl_reduce(arena *, const ctl *);

/* A reduced formula, or its negation, by all operators: what a reader has
** written, or something like it. */
const ctl *ctl_restore(arena *, const ctl *, bool holds);

#endif
