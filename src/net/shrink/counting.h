/* Smaller nets whose markings stand for those of the net as it was read, so that
** these can be counted (B. Berthomieu, D. Le Botlan, S. Dal Zilio: Petri net
** reductions for counting markings).
**
**   (p) -> t -> (q)        [a]      a = p + q: n tokens of a stand for the n + 1
**                                   ways to have them in p and q
**
** A place of the smaller net has 'leaves', places of the first net among which
** its tokens are spread in every way there is; places that are a sum of others
** have gone, because they make no difference.  docs/internals/nets.md has the
** rules and why they are true.
**
** What the first net's transitions ask for is kept in shadows: transitions of the
** draft that look and do not change anything, which the rules carry along.  In the
** end they are views: how many markings there are in which one is enabled. */

#ifndef NUT_NET_SHRINK_COUNTING_H
#define NUT_NET_SHRINK_COUNTING_H

#include "base/limits.h"
#include "net/claim.h"

typedef struct counting counting;

/* The net stays the caller's and must live as long; of 'rules', bits of
** shrink_rule, those that count are used.  Leaves by the memory guard. */
counting *counting_make(const petri *, unsigned rules, limits *);
void counting_destroy(counting *);
const petri *counting_net(const counting *);
/* Whether it is smaller than the first one. */
bool counting_is_smaller(const counting *);
/* The first net's place that a place of the smaller one is, or one of them. */
uint32_t counting_origin(const counting *, uint32_t place);
uint32_t counting_leaves(const counting *, uint32_t place);
uint32_t counting_uses(const counting *, unsigned rule);
/* Places that were joined with others. */
uint32_t counting_joined(const counting *);

/* A transition of the first net is enabled in those markings that a marking m
** stands for in which the leaves of each place have 'take' at least, each its
** part, and m has fewer than 'below'. */
typedef struct counting_view {
  const petri_arc *arcs; /* in the order of places */
  uint32_t count;
  uint64_t times; /* so many transitions */
} counting_view;

uint32_t counting_views(const counting *, const counting_view **list);

/* A sum over the first net's places, none negative, is at most base + that of
** 'out' over the smaller net's, and somewhere it is that much.  False: numbers
** become too great. */
bool counting_sum(const counting *, const int64_t *factors, int64_t *out,
                  int64_t *base);

/* Dead markings of the first net: there is one for each marking of the smaller
** net in which none of these is true: a place of 'filled' has a token; a view of
** the list, whose 'times' says nothing, is as it says. */
typedef struct counting_dead {
  const uint32_t *filled;
  uint32_t filled_count;
  const counting_view *views;
  uint32_t count;
} counting_dead;

counting_dead counting_when_dead(const counting *);

#endif
