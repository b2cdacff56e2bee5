/* What can be said of a marking: sums of tokens compared with numbers, joined by
** 'and' and 'or'.
**
**   fireable(t) or 2 p + q <= 3          OR
**                                       /  \
**                                    AND    2 p + q <= 3
**                                   /   \
**                           - p <= -1    - q <= -2
**
** There is no 'not': a sum is a whole number, so the contrary of s <= n is
** -s <= -n - 1.  Places occur once in a sum, in rising order, with a factor that
** is not 0.  Claims live in the arena they were made in, share their parts, and
** are not changed. */

#ifndef NUT_NET_CLAIM_H
#define NUT_NET_CLAIM_H

#include "net/petri.h"

typedef enum {
  CLAIM_FALSE,
  CLAIM_TRUE,
  CLAIM_SUM,
  CLAIM_AND,
  CLAIM_OR
} claim_op;

typedef struct claim_term {
  uint32_t place;
  int32_t factor;
} claim_term;

typedef struct claim claim;
struct claim {
  claim_op op;
  uint32_t count;          /* of terms or parts */
  int64_t limit;           /* SUM: at most this */
  const claim_term *terms; /* SUM */
  const claim **parts;     /* AND, OR: two at least */
};

const claim *claim_const(arena *, bool);
/* The sum of the terms, in any order, is at most 'limit'.  Never NULL. */
const claim *claim_sum(arena *, const claim_term *, uint32_t count,
                       int64_t limit);
/* Joins claims; constants among them and joins of the same kind disappear. */
const claim *claim_join(arena *, claim_op, const claim *const *list,
                        uint32_t count);
const claim *claim_not(arena *, const claim *);

/* A transition is enabled; nothing is. */
const claim *claim_fireable(arena *, const petri *, uint32_t transition);
const claim *claim_dead(arena *, const petri *);
/* The place has 'least' tokens or more. */
const claim *claim_at_least(arena *, uint32_t place, int32_t least);

bool claim_holds(const claim *, const int32_t *marking);
int64_t claim_value(const claim *sum, const int32_t *marking);
/* How far a marking is from the claim: 0 when it holds; otherwise the tokens
** that are too many or too few, summed up over 'and', the least over 'or'. */
int64_t claim_distance(const claim *, const int32_t *marking);

/* The claim with each sum replaced by what 'known' says of it, for all
** reachable markings: 1 true, 0 false, -1 it depends. */
typedef int claim_known(void *context, const claim *sum);
const claim *claim_simplify(arena *, const claim *, claim_known *known,
                            void *context);

#endif
