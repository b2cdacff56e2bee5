/* The observer of a formula as docs/model.md defines it ("Observers of
** infinite runs"): a tableau without any cleverness, which certify/ makes again
** by itself.  Both must come to the same places with the same numbers.
**
**   formula    numbers from 0: operands first, the left one before the right;
**              equal formulas have one number, equal leaves equal texts
**   product    two sets of formulas: 'has', literals that are true now and
**              untils that are put off; and 'next', what is true of the rest
**   place      the least products of what must be true */

#ifndef NUT_CERTIFICATE_PLAIN_TABLEAU_H
#define NUT_CERTIFICATE_PLAIN_TABLEAU_H

#include "base/vec.h"
#include "model/ltl.h"
#include <stdbool.h>
#include <stdint.h>

enum {
  TABLEAU_FORMULAS = 64,
  TABLEAU_PRODUCTS = 4096, /* of a place */
  TABLEAU_PLACES = 4096,
  TABLEAU_MADE = 100000
};

/* By number. */
typedef uint64_t formula_set;

static inline formula_set formula_only(uint32_t formula)
{
  return UINT64_C(1) << formula;
}

typedef enum {
  TABLEAU_FALSE,
  TABLEAU_TRUE,
  TABLEAU_LEAF,
  TABLEAU_NOT_LEAF,
  TABLEAU_AND,
  TABLEAU_OR,
  TABLEAU_NEXT,
  TABLEAU_UNTIL,
  TABLEAU_RELEASE
} tableau_kind;

typedef struct tableau_formula {
  tableau_kind kind;
  uint32_t a, b;
  const expr *leaf;
} tableau_formula;

typedef struct tableau_product {
  formula_set has, next;
  uint32_t target; /* a place */
} tableau_product;

typedef VEC(tableau_product) tableau_products;

typedef struct plain_tableau {
  VEC(tableau_formula) formulas;
  VEC(text) leaves;               /* by formula: what it reads like */
  VEC(tableau_products) meanings; /* by formula; as far as they are known */
  VEC(tableau_products) places;
  formula_set literals, untils;
  bool too_large;
  uint32_t made; /* formulas, equal ones counted again */
  text leaf;     /* at hand, and lists of products likewise */
  tableau_products one, product, next;
} plain_tableau;

/* That of the negation of the formula.  'too_large' says that there is none. */
void plain_tableau_make(plain_tableau *, const ltl *);
void plain_tableau_free(plain_tableau *);

#endif
