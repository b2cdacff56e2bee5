/* Buchi automata for formulas of linear temporal logic.
**
** An automaton reads an infinite word of letters (the propositions that are
** true, as in 'ltl_lasso.h') and moves along edges whose label the letter
** satisfies.  Edges carry marks out of 0 .. marks-1.  A run is accepting when
** it takes edges with each mark infinitely often; the automaton accepts the
** words that have an accepting run.
**
**   state --- label = sum of products of literals; marks ---> state
**
** With 'by_state', there is at most one mark and all edges that leave a state
** agree on it: the state is then called accepting.  This is what a nested
** depth-first search and SPIN's never claims want.  Without marks every
** infinite run is accepting.
**
** Translation: the tableau of Couvreur, "On-the-fly verification of linear
** temporal logic" (1999), on decision diagrams, then reductions of the
** automaton; see docs/internals/ltl.md. */

#ifndef NUT_LOGIC_BUCHI_BUCHI_H
#define NUT_LOGIC_BUCHI_BUCHI_H

#include "base/text/text.h"
#include "logic/ltl_context.h"
#include "logic/ltl_lasso.h"

enum { BUCHI_MARKS_MAX = 64 };

typedef struct buchi_edge {
  uint32_t target;
  uint32_t first_product, product_count; /* at least one */
  uint64_t marks;
} buchi_edge;

typedef struct buchi_state {
  uint32_t first_edge, edge_count;
  uint32_t scc;   /* strongly connected; edges lead to smaller or equal */
  bool accepting; /* by_state: all its edges have the mark */
  /* Whatever follows is accepted: a search need not go on. */
  bool accepts_all;
  /* All runs that stay in the component are accepting, or none is. */
  bool all_cycles, no_cycle;
} buchi_state;

typedef struct buchi {
  uint32_t initial, state_count, edge_count, product_count;
  uint32_t marks;
  uint32_t words; /* of a letter, and of each half of a product */
  uint32_t atoms;
  buchi_state *states;
  buchi_edge *edges;
  /* Product i: 'words' words of propositions that must be true from
  ** 2*i*words on, then 'words' words of those that must be false. */
  uint64_t *products;

  bool by_state;
  bool deterministic; /* at most one edge for every letter */
  bool weak;          /* in each component all cycles accept, or none does */
  bool terminal;      /* accepting components accept everything */
  bool empty;         /* no word: one state without edges */
  bool universal;     /* every word: one state that accepts all */
  bool ignores_stuttering; /* as 'ltl_ignores_stuttering' of the formula */

  const ltl_context *context; /* has the texts of the propositions */
  const ltl *formula;         /* as given */
} buchi;

typedef struct buchi_options {
  bool generalised; /* any number of marks, on edges; otherwise by_state */
  bool plain;       /* no reductions: for tests */
} buchi_options;

/* The automaton of the formula, or NULL when it would be too large (some
** 10,000 states, or more than 64 different right sides of U).  The context
** must outlive it. */
buchi *buchi_translate(ltl_context *, const ltl *, buchi_options);
void buchi_destroy(buchi *);

/* Whether a letter satisfies the label of an edge. */
static inline bool buchi_edge_allows(const buchi *b, const buchi_edge *e,
                                     const uint64_t *letter)
{
  const uint64_t *product =
      b->products + 2 * (size_t)b->words * e->first_product;
  for (uint32_t i = 0; i < e->product_count; i++, product += 2 * b->words) {
    uint64_t wrong = 0;
    for (uint32_t j = 0; j < b->words; j++)
      wrong |= (product[j] & ~letter[j]) | (product[b->words + j] & letter[j]);
    if (!wrong)
      return true;
  }
  return false;
}

/* False when the fields contradict each other; for tests. */
bool buchi_check(const buchi *);

/* SPIN's never claim; needs by_state.  Propositions stand as they are. */
void buchi_print_never(const buchi *, text *out);
/* Hanoi omega automata format, version 1. */
void buchi_print_hoa(const buchi *, text *out);
void buchi_print_dot(const buchi *, text *out);

#endif
