/* Operators between operands, by precedence climbing: a language gives a table
** of them, and says how an operand is read and a tree is made. */

#ifndef NUT_LANG_INFIX_H
#define NUT_LANG_INFIX_H

#include "lang/scan.h"
#include "model/model.h"

typedef struct infix {
  uint8_t token;   /* SCAN_END ends a table */
  uint8_t binding; /* more binds tighter; from 1 */
  op op;
  bool alone; /* a comparison that no other one may follow */
} infix;

typedef struct infix_language {
  const infix *table;
  void *(*operand)(void *parser);
  /* The tree of the tokens from 'first' up to the cursor. */
  void *(*join)(void *parser, op, void *left, void *right, size_t first);
} infix_language;

/* operand { OPERATOR operand }: all operators that bind at least as 'least',
** equal ones from the left.  NULL when 'operand' or 'join' answered so, or
** after an error. */
void *infix_parse(scanner *, const infix_language *, void *parser,
                  uint8_t least);

/* The same for all operators, one level deeper. */
void *infix_expression(scanner *, const infix_language *, void *parser);
/* The operand behind a sign, which is the next token. */
void *infix_signed(scanner *, void *(*operand)(void *parser), void *parser);

/* Hangs a tree of depth 'below' under one of '*depth'; false with an error when
** it gets too deep. */
bool infix_hang(const scanner *, uint16_t *depth, uint16_t below);

#endif
