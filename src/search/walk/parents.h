/* Who found whom, for breadth-first searches, in two bits a state.
**
** States are expanded in the order of their numbers and new ones get the next
** numbers, so it is enough to write down how many new states each expansion
** found: so many ones, then a zero.
**
**   1 1 0 1 0 0 ...     state 0 found 1 and 2, state 1 found 3, 2 found none
**
** The parent of state n is the number of zeros before the n-th one. */

#ifndef NUT_SEARCH_WALK_PARENTS_H
#define NUT_SEARCH_WALK_PARENTS_H

#include "base/system/reserve.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct parents {
  reserve bits; /* words of 64 */
  uint64_t used, ones;
} parents;

typedef VEC(uint64_t) number_list;

/* The expansion of the next state found so many new ones; false: no memory. */
bool parents_add(parents *, uint64_t found);
/* Puts the numbers on the way from state 0 to 'number', both included. */
void parents_path(const parents *, uint64_t number, number_list *path);

#endif
