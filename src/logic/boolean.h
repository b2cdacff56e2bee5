/* Small Boolean functions: the labels of automata.
**
** Functions are reduced ordered decision diagrams, each node stored once, so
** that equal functions are equal numbers.  Variables are ordered by number.
** Nothing is ever given back singly: an owner lives as long as one
** translation.  (The diagrams in 'dd' serve millions of nodes, with
** collection and reordering; these serve hundreds, without either.)
**
** An owner has a limit of nodes.  Once it is reached, 'booleans_full' answers
** true for ever and all results are false: whoever cares asks at the end. */

#ifndef NUT_LOGIC_BOOLEAN_H
#define NUT_LOGIC_BOOLEAN_H

#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t boolean; /* a function: the number of its node */
typedef struct booleans booleans;

enum { BOOLEAN_FALSE = 0, BOOLEAN_TRUE = 1 };

/* A variable, or its negation, in a product. */
typedef struct boolean_literal {
  uint32_t variable;
  bool positive;
} boolean_literal;

/* Products, one after the other; 'ends' has the end of each in 'literals'. */
typedef struct boolean_cover {
  VEC(boolean_literal) literals;
  VEC(uint32_t) ends;
} boolean_cover;

/* What a function is below its first variables: under the condition 'above'
** on the variables before the bound it is 'below', which has none of them. */
typedef struct boolean_part {
  boolean above, below;
} boolean_part;
typedef VEC(boolean_part) boolean_parts;

booleans *booleans_create(uint32_t node_limit);
void booleans_destroy(booleans *);
bool booleans_full(const booleans *);
uint32_t booleans_nodes(const booleans *);

boolean boolean_variable(booleans *, uint32_t variable);
boolean boolean_not(booleans *, boolean);
boolean boolean_and(booleans *, boolean, boolean);
boolean boolean_or(booleans *, boolean, boolean);
bool boolean_implies(booleans *, boolean, boolean);

/* A function of another owner, as one of this.  'copied' remembers, by number
** there, what was copied (plus 1); it starts empty. */
typedef VEC(boolean) boolean_map;
boolean boolean_copy(booleans *, const booleans *from, boolean,
                     boolean_map *copied);

/* An irredundant sum of products for f (Minato 1993, after Morreale).  Where f
** is monotone in a variable, no product has its negation.  'cover' is emptied
** first. */
void boolean_make_cover(booleans *, boolean f, boolean_cover *cover);
void boolean_cover_free(boolean_cover *);

/* Splits f at a variable: adds one part for each function that is reached when
** all variables before 'bound' are given values; not for false.  The
** conditions exclude each other.  'parts' is emptied first. */
void boolean_split(booleans *, boolean f, uint32_t bound, boolean_parts *parts);

#endif
