/* Smaller nets that give the same answers: structural reductions, to a fixed
** point, with the way back.
**
**   the net as it was read
**     |  layer: a draft, on which rules remove and join nodes
**     v
**   a net          each transition stands for a word of transitions above
**     |  layer: places among which tokens move freely become one
**     v
**   a net          each transition stands for one above, and moves before it
**     ...
**
** Each rule keeps some kinds of question; docs/internals/nets.md has the rules
** and why that is so.  A path of the smallest net is lifted layer by layer, and
** who lifts it replays the result in the net as it was read: no answer with a run
** rests on the rules.
**
** A claim over places that are visible can be told of the smallest net:
** 'shrinking_claim' translates it.  (What is called reduction elsewhere, leaving
** out successors, is in src/reduce.) */

#ifndef NUT_NET_SHRINK_SHRINKING_H
#define NUT_NET_SHRINK_SHRINKING_H

#include "base/limits.h"
#include "net/firing.h"

/* Kinds of question that are to be kept. */
typedef enum {
  SHRINK_REACH = 1, /* which values of visible places are reachable together */
  SHRINK_DEAD = 2,  /* whether a dead marking is reachable */
  SHRINK_TREES = 4, /* formulas of linear and branching time over such places */
  SHRINK_COUNT = 8, /* markings, one to one */
  /* Such formulas that do not say 'next': of linear, of branching time. */
  SHRINK_LINEAR = 16,
  SHRINK_BRANCHING = 32
} shrink_kind;

enum {
  SHRINK_STATIC = SHRINK_REACH | SHRINK_DEAD,
  SHRINK_STUTTER = SHRINK_STATIC | SHRINK_LINEAR,
  SHRINK_SILENT = SHRINK_STUTTER | SHRINK_BRANCHING,
  SHRINK_SIMILAR = SHRINK_SILENT | SHRINK_TREES,
  SHRINK_ANY = SHRINK_SIMILAR | SHRINK_COUNT
};

/* The rules: name, text, kinds of question it keeps, what it does. */
/* clang-format off */
#define SHRINK_RULES(RULE)                                                     \
  RULE(DEAD,       "dead",       SHRINK_ANY,     "transitions that can never fire go") \
  RULE(CONSTANT,   "constant",   SHRINK_ANY,     "places whose tokens never change go") \
  RULE(EQUAL,      "equal",      SHRINK_ANY,     "a multiple of another place goes") \
  RULE(IDENTICAL,  "identical",  SHRINK_ANY,     "one stays of those that do the same") \
  RULE(IMPLICIT,   "implicit",   SHRINK_SIMILAR, "places that never restrict go") \
  RULE(NEUTRAL,    "neutral",    SHRINK_STATIC,  "transitions that add nothing go") \
  RULE(IRRELEVANT, "irrelevant", SHRINK_REACH,   "what visible places do not need goes") \
  RULE(BEHIND,     "behind",     SHRINK_SILENT,  "what empties a place follows at once") \
  RULE(BEFORE,     "before",     SHRINK_STUTTER, "what fills a place waits") \
  RULE(MOVES,      "moves",      SHRINK_SILENT,  "places with free moves are one") \
  RULE(ALIKE,      "alike",      SHRINK_SIMILAR, "values of a colour are one")
/* clang-format on */

typedef enum {
#define RULE(name, text, keeps, meaning) SHRINK_RULE_##name,
  SHRINK_RULES(RULE)
#undef RULE
      SHRINK_RULES_
} shrink_rule;

enum { SHRINK_ALL_RULES = (1 << SHRINK_RULES_) - 1 };

typedef struct shrink_wish {
  unsigned kinds;      /* of shrink_kind, all of which are to be kept */
  unsigned rules;      /* bits of shrink_rule that may be used */
  const bool *visible; /* by place; NULL: none is */
  /* By place: the number of its block, from 0 on; blocks are what places of a
  ** coloured net have become.  NULL: there are none. */
  const uint32_t *block;
  /* By place: it is seen only together with all of its block; NULL: none. */
  const bool *summed;
  limits *limits; /* when they are reached, it stays as it is; NULL: none */
} shrink_wish;

typedef struct shrinking shrinking;

/* The net stays the caller's and must live as long.  Leaves by the memory
** guard. */
shrinking *shrinking_make(const petri *, const shrink_wish *);
void shrinking_destroy(shrinking *);
/* The smallest net; the one it was made of when no rule applied. */
const petri *shrinking_net(const shrinking *);
/* The first net's place that a place of the last one stands for, or one of
** them: different ones for different places. */
uint32_t shrinking_origin(const shrinking *, uint32_t place);
/* How often a rule was applied. */
uint32_t shrinking_uses(const shrinking *, shrink_rule);
const char *shrink_rule_text(shrink_rule);

/* What the tokens of a place of the first net are in the last one: base +
** factor * tokens of 'place'; a factor of 0: a constant.  With 'members', it is
** what so many places have together, of which 'leader' is the first. */
typedef struct shrink_value {
  bool lost; /* nobody knows */
  uint32_t place;
  int64_t factor, base;
  uint32_t leader, members;
} shrink_value;

shrink_value shrinking_value(const shrinking *, uint32_t place);
/* The claim over visible places, and sums of blocks, as one over the last net;
** NULL: its numbers would be too great. */
const claim *shrinking_claim(const shrinking *, arena *, const claim *);

/* Appends to 'out' the path of the first net for one of the last; with 'dead',
** it goes on to where nothing is enabled.  False: it cannot be done.  The caller
** replays it and looks at where it ends. */
bool shrinking_lift(const shrinking *, const uint32_t *path, size_t length,
                    bool dead, firing_path *out);

#endif
