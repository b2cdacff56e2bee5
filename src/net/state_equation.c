/* Asks simplex, and checks in whole numbers what it proposes. */

#include "net/state_equation.h"

#include "base/vec.h"
#include "net/simplex.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The variables: how often a transition fires, then the tokens of each place,
** then what is missing to the limit of each sum that was added. */
enum { SUMS_MAX = 400, TRAPS_MAX = 30 };

typedef VEC(const claim *) claim_list;

struct equation {
  const petri *net;
  limits *limits;
  simplex *simplex;
  uint64_t work;
  arena *arena;        /* of traps */
  double *values;      /* of variables */
  double *prices;      /* likewise */
  int64_t *weights;    /* by place: y, whole */
  int64_t *factors;    /* by sum: l, whole */
  int64_t *joined;     /* by place: w */
  simplex_term *terms; /* by place */
  claim_list sums;     /* of the question at hand */
  claim_list choices;  /* its 'or's */
  claim_list traps;    /* known so far, as sums */
  bool *in_trap;       /* by place */
  uint32_t left;       /* programs that may still be solved */
};

/* ---- making ------------------------------------------------------------- */

/* A little more than the tokens: with ties simplex turns in circles. */
static double disturbed(int32_t tokens, uint32_t place)
{
  return tokens + 1e-6 * (1 + (double)(place * 7919 % 1009) / 1009);
}

/* tokens = m0 - (-C) x */
static void fill(equation *e)
{
  const petri *n = e->net;
  for (uint32_t t = 0; t < n->transition_count; t++)
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
      simplex_set(e->simplex, n->arcs[i].place, t,
                  -(double)petri_effect(&n->arcs[i]));
  for (uint32_t p = 0; p < n->place_count; p++)
    simplex_set_right(e->simplex, p, disturbed(n->tokens[p], p));
  simplex_keep(e->simplex);
}

static void do_create(void *context)
{
  equation *e = context;
  const petri *n = e->net;
  e->arena = arena_create();
  uint32_t places = n->place_count + 1;
  uint32_t all = places + n->transition_count + SUMS_MAX + 8;
  e->values = ARENA_ARRAY(e->arena, double, all);
  e->prices = ARENA_ARRAY(e->arena, double, all);
  e->weights = ARENA_ARRAY(e->arena, int64_t, places);
  e->joined = ARENA_ARRAY(e->arena, int64_t, places);
  e->factors = ARENA_ARRAY(e->arena, int64_t, SUMS_MAX + 1);
  e->terms = ARENA_ARRAY(e->arena, simplex_term, places);
  e->in_trap = ARENA_ARRAY(e->arena, bool, places);
}

static void undo_create(void *context)
{
  equation_destroy(context);
}

equation *equation_create(const petri *n, limits *l)
{
  simplex *s = simplex_create(n->transition_count, n->place_count, SUMS_MAX);
  equation *e = s ? mem_try_alloc(sizeof *e) : NULL;
  if (!e) {
    simplex_destroy(s);
    return NULL;
  }
  e->net = n;
  e->limits = l;
  e->simplex = s;
  mem_protect_undo(do_create, undo_create, e);
  fill(e);
  return e;
}

void equation_destroy(equation *e)
{
  if (!e)
    return;
  simplex_destroy(e->simplex);
  vec_free(&e->sums);
  vec_free(&e->choices);
  vec_free(&e->traps);
  arena_destroy(e->arena);
  mem_free(e, sizeof *e);
}

static simplex_term *terms_of(equation *e, const claim_term *list,
                              uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    e->terms[i] = (simplex_term){e->net->transition_count + list[i].place,
                                 list[i].factor};
  return e->terms;
}

/* ---- proofs in whole numbers -------------------------------------------- */

/* Rounds prices, times a denominator, to whole numbers that are not negative;
** false: they are not whole. */
static bool round_prices(const double *prices, uint32_t count, int denominator,
                         int64_t *whole)
{
  enum { GREATEST = 1 << 20 };
  for (uint32_t i = 0; i < count; i++) {
    double x = prices[i] * denominator, r = floor(x + 0.5);
    if (r < 0 && x > -1e-6)
      r = 0;
    if (fabs(x - r) > 1e-4 || r < 0 || r > GREATEST)
      return false;
    whole[i] = (int64_t)r;
  }
  return true;
}

/* sum of x[p] * tokens at the start; false: too great. */
static bool at_start(const equation *e, const int64_t *x, int64_t *sum)
{
  *sum = 0;
  for (uint32_t p = 0; p < e->net->place_count; p++) {
    int64_t product;
    if (__builtin_mul_overflow(x[p], (int64_t)e->net->tokens[p], &product) ||
        __builtin_add_overflow(*sum, product, sum))
      return false;
  }
  return true;
}

/* (weights - joined) C <= 0, in each transition. */
static bool never_grows(const equation *e)
{
  const petri *n = e->net;
  for (uint32_t t = 0; t < n->transition_count; t++) {
    int64_t sum = 0;
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
      const petri_arc *a = &n->arcs[i];
      int64_t product;
      if (__builtin_mul_overflow(e->weights[a->place] - e->joined[a->place],
                                 (int64_t)petri_effect(a), &product) ||
          __builtin_add_overflow(sum, product, &sum))
        return false;
    }
    if (sum > 0)
      return false;
  }
  return true;
}

/* joined = sum of factors * sums; '*limit' = sum of factors * limits. */
static bool join_sums(equation *e, const claim *const *sums, uint32_t count,
                      int64_t *limit)
{
  memset(e->joined, 0, e->net->place_count * sizeof *e->joined);
  *limit = 0;
  for (uint32_t k = 0; k < count; k++) {
    const claim *c = sums[k];
    int64_t product;
    if (__builtin_mul_overflow(e->factors[k], c->limit, &product) ||
        __builtin_add_overflow(*limit, product, limit))
      return false;
    for (uint32_t i = 0; i < c->count; i++)
      e->joined[c->terms[i].place] += e->factors[k] * c->terms[i].factor;
  }
  return true;
}

static const int denominators[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 60, 840};
enum { DENOMINATORS = sizeof denominators / sizeof *denominators };

/* Whether the prices prove that the sums cannot all be at most their limits. */
static bool is_refuted(equation *e)
{
  uint32_t tokens = e->net->transition_count;
  uint32_t sums = tokens + e->net->place_count;
  int64_t limit, joined, weights;
  for (int i = 0; i < DENOMINATORS; i++)
    if (round_prices(e->prices + tokens, e->net->place_count, denominators[i],
                     e->weights) &&
        round_prices(e->prices + sums, (uint32_t)e->sums.len, denominators[i],
                     e->factors))
      return join_sums(e, e->sums.data, (uint32_t)e->sums.len, &limit) &&
             never_grows(e) && at_start(e, e->joined, &joined) &&
             at_start(e, e->weights, &weights) && joined - weights > limit;
  return false;
}

/* ---- greatest sums ------------------------------------------------------- */

/* The sum is -w: so w m >= w m0 - y m0 says that it is at most y m0 - w m0. */
static bool prove_most(equation *e, const claim_term *terms, uint32_t count,
                       int64_t *most)
{
  for (int i = 0; i < DENOMINATORS; i++) {
    int64_t joined, weights, n = denominators[i];
    if (!round_prices(e->prices + e->net->transition_count, e->net->place_count,
                      denominators[i], e->weights))
      continue;
    memset(e->joined, 0, e->net->place_count * sizeof *e->joined);
    for (uint32_t k = 0; k < count; k++)
      e->joined[terms[k].place] -= n * terms[k].factor;
    if (!never_grows(e) || !at_start(e, e->joined, &joined) ||
        !at_start(e, e->weights, &weights))
      return false;
    int64_t all = weights - joined;
    *most = all >= 0 ? all / n : -((-all + n - 1) / n);
    return true;
  }
  return false;
}

/* Goes on from the solution before: what is feasible stays so. */
bool equation_most(equation *e, const claim_term *terms, uint32_t count,
                   int64_t *most)
{
  simplex_end end = simplex_maximize(e->simplex, terms_of(e, terms, count),
                                     count, &e->work, e->limits);
  if (end != SIMPLEX_BEST)
    return false;
  simplex_prices(e->simplex, e->prices);
  return prove_most(e, terms, count, most);
}

int equation_knows(void *context, const claim *sum)
{
  equation *e = context;
  int64_t most;
  if (equation_most(e, sum->terms, sum->count, &most) && most <= sum->limit)
    return 1;
  claim_term *contrary = ARENA_ARRAY(e->arena, claim_term, sum->count);
  for (uint32_t i = 0; i < sum->count; i++)
    contrary[i] = (claim_term){sum->terms[i].place, -sum->terms[i].factor};
  if (equation_most(e, contrary, sum->count, &most) && -most > sum->limit)
    return 0;
  return -1;
}

/* ---- traps --------------------------------------------------------------- */

/* Whether a transition takes from a place and puts nothing into the trap. */
static bool leaves_trap(const equation *e, uint32_t t)
{
  const petri *n = e->net;
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
    if (n->arcs[i].put && e->in_trap[n->arcs[i].place])
      return false;
  return true;
}

static bool is_left(const equation *e, uint32_t place)
{
  const petri *n = e->net;
  for (uint32_t i = n->first_use[place]; i < n->first_use[place + 1]; i++)
    if (n->arcs[n->uses[i].arc].take && leaves_trap(e, n->uses[i].transition))
      return true;
  return false;
}

/* The greatest trap among the places that the solution leaves empty; false: it
** has no tokens at the start, and proves nothing. */
static bool find_trap(equation *e)
{
  const petri *n = e->net;
  const double *tokens = e->values + n->transition_count;
  bool again = true, marked = false;
  for (uint32_t p = 0; p < n->place_count; p++)
    e->in_trap[p] = tokens[p] < 1e-3;
  while (again) {
    again = false;
    for (uint32_t p = 0; p < n->place_count; p++)
      if (e->in_trap[p] && is_left(e, p)) {
        e->in_trap[p] = false;
        again = true;
      }
  }
  for (uint32_t p = 0; p < n->place_count; p++)
    marked |= e->in_trap[p] && n->tokens[p];
  return marked;
}

/* A trap that is marked stays so: its tokens are one at least. */
static const claim *trap_claim(equation *e)
{
  uint32_t count = 0;
  claim_term *terms = ARENA_ARRAY(e->arena, claim_term, e->net->place_count);
  for (uint32_t p = 0; p < e->net->place_count; p++)
    if (e->in_trap[p])
      terms[count++] = (claim_term){p, -1};
  return claim_sum(e->arena, terms, count, -1);
}

/* ---- refuting ------------------------------------------------------------ */

typedef enum { REFUTED, SOLVED, GIVEN_UP } refuting;

static void add_sum(equation *e, const claim *c)
{
  simplex_add(e->simplex, terms_of(e, c->terms, c->count), c->count,
              (double)c->limit);
}

/* One program: the sums of the question and the traps known.  SOLVED: 'values'
** is a solution. */
static refuting solve_once(equation *e)
{
  bool feasible = false;
  if (!e->left || e->sums.len > SUMS_MAX)
    return GIVEN_UP;
  e->left--;
  simplex_restore(e->simplex);
  for (size_t i = 0; i < e->sums.len; i++)
    add_sum(e, e->sums.data[i]);
  simplex_end end = simplex_satisfy(e->simplex, &feasible, &e->work, e->limits);
  if (end == SIMPLEX_BEST && feasible)
    simplex_values(e->simplex, e->values);
  else if (end == SIMPLEX_BEST)
    simplex_prices(e->simplex, e->prices);
  bool proved = end == SIMPLEX_BEST && !feasible && is_refuted(e);
  simplex_restore(e->simplex);
  if (end != SIMPLEX_BEST || (!feasible && !proved))
    return GIVEN_UP;
  return proved ? REFUTED : SOLVED;
}

/* Traps are sums of the question as all others while it is asked. */
static refuting solve(equation *e)
{
  size_t own = e->sums.len;
  refuting found = SOLVED;
  for (size_t i = 0; i < e->traps.len; i++)
    vec_push(&e->sums, e->traps.data[i]);
  for (;;) {
    found = solve_once(e);
    if (found != SOLVED || e->traps.len >= TRAPS_MAX || !find_trap(e))
      break;
    const claim *trap = trap_claim(e);
    vec_push(&e->traps, trap);
    vec_push(&e->sums, trap);
  }
  e->sums.len = own;
  return found;
}

/* Takes a conjunction apart; 'or's wait. */
static bool take_parts(equation *e, const claim *c)
{
  switch (c->op) {
  case CLAIM_TRUE:
    return true;
  case CLAIM_FALSE:
    return false;
  case CLAIM_SUM:
    vec_push(&e->sums, c);
    return true;
  case CLAIM_OR:
    vec_push(&e->choices, c);
    return true;
  case CLAIM_AND:
    break;
  }
  for (uint32_t i = 0; i < c->count; i++)
    if (!take_parts(e, c->parts[i]))
      return false;
  return true;
}

/* Whether the solution, with fractions, satisfies a claim. */
static bool is_satisfied(const equation *e, const claim *c)
{
  const double *tokens = e->values + e->net->transition_count;
  if (c->op <= CLAIM_TRUE)
    return c->op == CLAIM_TRUE;
  if (c->op == CLAIM_SUM) {
    double sum = 0;
    for (uint32_t i = 0; i < c->count; i++)
      sum += c->terms[i].factor * tokens[c->terms[i].place];
    return sum <= (double)c->limit + 1e-4;
  }
  bool all = c->op == CLAIM_AND;
  for (uint32_t i = 0; i < c->count; i++)
    if (is_satisfied(e, c->parts[i]) != all)
      return !all;
  return all;
}

/* The shortest 'or' that the solution does not satisfy; when it satisfies all of
** them, nothing can be refuted. */
static const claim *next_choice(const equation *e)
{
  const claim *best = NULL;
  for (size_t i = 0; i < e->choices.len; i++) {
    const claim *c = e->choices.data[i];
    if ((!best || c->count < best->count) && !is_satisfied(e, c))
      best = c;
  }
  return best;
}

/* Every part of some 'or' must be refuted together with the rest. */
static bool refute(equation *e, const claim *more)
{
  size_t sums = e->sums.len, choices = e->choices.len;
  bool refuted = !take_parts(e, more);
  if (!refuted) {
    refuting found = solve(e);
    const claim *next = found == SOLVED ? next_choice(e) : NULL;
    refuted = found == REFUTED || next;
    for (uint32_t i = 0; next && refuted && i < next->count; i++)
      refuted = refute(e, next->parts[i]);
  }
  e->sums.len = sums;
  e->choices.len = choices;
  return refuted;
}

bool equation_refutes(equation *e, const claim *c, uint32_t patience_left)
{
  e->left = patience_left;
  vec_clear(&e->sums);
  vec_clear(&e->choices);
  return refute(e, c);
}
