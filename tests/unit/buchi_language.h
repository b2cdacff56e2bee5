/* Automata put to use in the plainest way: on one word, and against another. */

#ifndef NUT_TESTS_BUCHI_LANGUAGE_H
#define NUT_TESTS_BUCHI_LANGUAGE_H

#include "logic/buchi/buchi_internal.h"
#include <assert.h>

/* A pair of states (or a state and a position), numbered as it is found. */
typedef struct pairs {
  buchi_job *j;
  uint32_t *number; /* by first * width + second, plus 1 */
  uint32_t width;
  VEC(uint64_t) found; /* first * width + second */
  graph *g;
} pairs;

static inline uint32_t number_of(pairs *p, uint32_t first, uint32_t second)
{
  uint64_t pair = (uint64_t)first * p->width + second;
  if (!p->number[pair]) {
    p->found.data[p->found.len++] = pair;
    p->number[pair] = (uint32_t)p->found.len;
  }
  return p->number[pair] - 1;
}

static inline void begin(pairs *p, buchi_job *j, uint32_t height,
                         uint32_t width)
{
  p->j = j;
  p->width = width;
  p->number = ARENA_ARRAY(j->scratch, uint32_t, (size_t)height * width);
  p->found.data = ARENA_ARRAY(j->scratch, uint64_t, (size_t)height * width);
  p->g = graph_new(j);
}

/* Whether some cycle of the graph has all marks.  Everything in it is
** reachable. */
static inline bool has_accepting_cycle(pairs *p)
{
  graph_finish(p->g);
  sccs c = graph_sccs(p->j, p->g, NULL);
  for (uint32_t i = 0; i < c.count; i++)
    if (c.accepting[i])
      return true;
  return false;
}

typedef struct word_question {
  const buchi *b;
  const lasso *w;
  bool answer;
} word_question;

static inline void read_word(buchi_job *j, void *context)
{
  word_question *q = context;
  const buchi *b = q->b;
  const lasso *w = q->w;
  pairs p = {0};
  begin(&p, j, b->state_count, w->length);
  p.g->marks = b->marks;
  number_of(&p, b->initial, 0);
  for (size_t i = 0; i < p.found.len; i++) {
    uint32_t state = (uint32_t)(p.found.data[i] / w->length);
    uint32_t at = (uint32_t)(p.found.data[i] % w->length);
    uint32_t after = at + 1 < w->length ? at + 1 : w->loop;
    const buchi_state *s = &b->states[state];
    graph_add_state(p.g);
    for (uint32_t k = 0; k < s->edge_count; k++) {
      const buchi_edge *e = &b->edges[s->first_edge + k];
      if (buchi_edge_allows(b, e, w->letters + (size_t)at * w->words)) {
        uint32_t target = number_of(&p, e->target, after);
        vec_push(&p.g->edges, ((graph_edge){target, BOOLEAN_TRUE, e->marks}));
      }
    }
  }
  q->answer = has_accepting_cycle(&p);
}

static inline bool buchi_accepts(const buchi *b, const lasso *w)
{
  word_question q = {b, w, false};
  buchi_run_job(b->atoms, read_word, &q);
  return q.answer;
}

/* ---- intersection ------------------------------------------------------ */

static inline bool products_meet(const buchi *a, uint32_t i, const buchi *b,
                                 uint32_t k)
{
  uint32_t words = a->words < b->words ? a->words : b->words;
  const uint64_t *x = a->products + 2 * (size_t)i * a->words;
  const uint64_t *y = b->products + 2 * (size_t)k * b->words;
  for (uint32_t n = 0; n < words; n++)
    if ((x[n] & y[b->words + n]) || (y[n] & x[a->words + n]))
      return false;
  return true;
}

static inline bool labels_meet(const buchi *a, const buchi_edge *e,
                               const buchi *b, const buchi_edge *f)
{
  for (uint32_t i = 0; i < e->product_count; i++)
    for (uint32_t k = 0; k < f->product_count; k++)
      if (products_meet(a, e->first_product + i, b, f->first_product + k))
        return true;
  return false;
}

typedef struct pair_question {
  const buchi *a, *b;
  bool answer;
} pair_question;

static inline void intersect(buchi_job *j, void *context)
{
  pair_question *q = context;
  const buchi *a = q->a, *b = q->b;
  pairs p = {0};
  assert(a->marks + b->marks <= BUCHI_MARKS_MAX);
  begin(&p, j, a->state_count, b->state_count);
  p.g->marks = a->marks + b->marks;
  number_of(&p, a->initial, b->initial);
  for (size_t i = 0; i < p.found.len; i++) {
    const buchi_state *s = &a->states[p.found.data[i] / b->state_count];
    const buchi_state *t = &b->states[p.found.data[i] % b->state_count];
    graph_add_state(p.g);
    for (uint32_t k = 0; k < s->edge_count; k++)
      for (uint32_t l = 0; l < t->edge_count; l++) {
        const buchi_edge *e = &a->edges[s->first_edge + k];
        const buchi_edge *f = &b->edges[t->first_edge + l];
        if (!labels_meet(a, e, b, f))
          continue;
        uint64_t marks = e->marks;
        if (b->marks) /* otherwise a may have all 64 */
          marks |= f->marks << a->marks;
        uint32_t target = number_of(&p, e->target, f->target);
        vec_push(&p.g->edges, ((graph_edge){target, BOOLEAN_TRUE, marks}));
      }
  }
  q->answer = has_accepting_cycle(&p);
}

/* Whether no word is accepted by both; they must have the same context, and
** together at most BUCHI_MARKS_MAX marks. */
static inline bool buchi_disjoint(const buchi *a, const buchi *b)
{
  pair_question q = {a, b, false};
  buchi_run_job(a->atoms > b->atoms ? a->atoms : b->atoms, intersect, &q);
  return !q.answer;
}

#endif
