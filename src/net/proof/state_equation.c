/* Asks simplex, and checks in whole numbers what it proposes. */

#include "net/proof/state_equation.h"

#include "base/vec.h"
#include "net/proof/counters.h"
#include "net/proof/exact.h"
#include "net/proof/simplex.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The variables: how often a transition fires, then the tokens of each place,
** then what is missing to the limit of each sum that was added. */
enum { SUMS_MAX = 400, TRAPS_MAX = 30, EXACT_MAX = 50000 };

/* A claim with the depth of the case in which it is assumed: 0 is always so. */
typedef struct assumed {
  const claim *claim;
  uint32_t depth;
} assumed;

typedef VEC(const claim *) claim_list;
typedef VEC(assumed) assumed_list;

struct equation {
  const petri *net; /* with counters */
  counters *counters;
  uint32_t place_count; /* without */
  limits *limits;
  bool with_simplex;
  simplex *simplex; /* or NULL: all is for Z3 */
  uint64_t work;
  arena *arena;         /* of traps */
  double *values;       /* of variables */
  double *prices;       /* likewise */
  int64_t *weights;     /* by place: y, whole */
  int64_t *factors;     /* by sum: l, whole */
  int64_t *joined;      /* by place: w */
  simplex_term *terms;  /* by place */
  claim_list sums;      /* of the question at hand */
  VEC(uint32_t) depths; /* of these */
  assumed_list choices; /* its 'or's */
  uint64_t needed;  /* by a proof: cases, by depth; the last for all deeper */
  claim_list traps; /* known so far, as sums */
  bool *in_trap;    /* by place */
  uint32_t left;    /* programs that may still be solved */
  uint32_t exact_left; /* by Z3 */
  bool gave_up;        /* one was not decided, though there was patience */
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
  e->arena = arena_create();
  e->counters = counters_make(e->arena, e->net);
  const petri *n = e->net = counters_net(e->counters);
  uint32_t places = n->place_count + 1;
  uint32_t all = places + n->transition_count + SUMS_MAX + 8;
  e->values = ARENA_ARRAY(e->arena, double, all);
  e->prices = ARENA_ARRAY(e->arena, double, all);
  e->weights = ARENA_ARRAY(e->arena, int64_t, places);
  e->joined = ARENA_ARRAY(e->arena, int64_t, places);
  e->factors = ARENA_ARRAY(e->arena, int64_t, SUMS_MAX + 1);
  e->terms = ARENA_ARRAY(e->arena, simplex_term, places);
  e->in_trap = ARENA_ARRAY(e->arena, bool, places);
  if (e->with_simplex)
    e->simplex = simplex_create(n->transition_count, n->place_count, SUMS_MAX);
  if (e->simplex)
    fill(e);
}

static void undo_create(void *context)
{
  equation_destroy(context);
}

equation *equation_create(const petri *n, limits *l, bool with_simplex)
{
  equation *e = mem_alloc(sizeof *e);
  e->net = n;
  e->place_count = n->place_count;
  e->limits = l;
  e->with_simplex = with_simplex;
  mem_protect_undo(do_create, undo_create, e);
  if (e->simplex || (e->net->transition_count < EXACT_MAX &&
                     e->net->place_count < EXACT_MAX && exact_is_installed()))
    return e;
  equation_destroy(e);
  return NULL;
}

uint32_t equation_allow_exact(equation *e, uint32_t programs)
{
  uint32_t left = e->exact_left;
  e->exact_left = programs;
  return left;
}

bool equation_gave_up(const equation *e)
{
  return e->gave_up;
}

void equation_destroy(equation *e)
{
  if (!e)
    return;
  simplex_destroy(e->simplex);
  vec_free(&e->sums);
  vec_free(&e->depths);
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
      int64_t product, weight;
      if (__builtin_sub_overflow(e->weights[a->place], e->joined[a->place],
                                 &weight) ||
          __builtin_mul_overflow(weight, (int64_t)petri_effect(a), &product) ||
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
    for (uint32_t i = 0; i < c->count; i++) {
      int64_t *sum = &e->joined[c->terms[i].place];
      if (__builtin_mul_overflow(e->factors[k], (int64_t)c->terms[i].factor,
                                 &product) ||
          __builtin_add_overflow(*sum, product, sum))
        return false;
    }
  }
  return true;
}

static const int denominators[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 60, 840};
enum { DENOMINATORS = sizeof denominators / sizeof *denominators };

static bool has_negative(const int64_t *list, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (list[i] < 0)
      return true;
  return false;
}

/* Whether weights and factors prove that the sums cannot all be at most their
** limits, wherever they come from. */
static bool is_proof(equation *e)
{
  int64_t limit, joined, weights, least;
  return !has_negative(e->weights, e->net->place_count) &&
         !has_negative(e->factors, e->sums.len) &&
         join_sums(e, e->sums.data, (uint32_t)e->sums.len, &limit) &&
         never_grows(e) && at_start(e, e->joined, &joined) &&
         at_start(e, e->weights, &weights) &&
         !__builtin_sub_overflow(joined, weights, &least) && least > limit;
}

/* Whether the prices, made whole, are such a proof. */
static bool is_refuted(equation *e)
{
  uint32_t tokens = e->net->transition_count;
  uint32_t sums = tokens + e->net->place_count;
  for (int i = 0; i < DENOMINATORS; i++)
    if (round_prices(e->prices + tokens, e->net->place_count, denominators[i],
                     e->weights) &&
        round_prices(e->prices + sums, (uint32_t)e->sums.len, denominators[i],
                     e->factors))
      return is_proof(e);
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
  if (!e->simplex ||
      simplex_maximize(e->simplex, terms_of(e, terms, count), count, &e->work,
                       e->limits) != SIMPLEX_BEST)
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
    e->in_trap[p] = p < e->place_count && tokens[p] < 1e-3;
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

static refuting solve_by_simplex(equation *e)
{
  bool feasible = false;
  if (!e->simplex)
    return GIVEN_UP;
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

static refuting solve_by_exact(equation *e)
{
  exact_answer answer = {e->values, e->weights, e->factors};
  e->exact_left--;
  switch (exact_ask(e->net, e->sums.data, (uint32_t)e->sums.len, e->limits,
                    &answer)) {
  case EXACT_SOLVED:
    return SOLVED;
  case EXACT_REFUTED:
    return is_proof(e) ? REFUTED : GIVEN_UP;
  case EXACT_ENDED:
    break;
  }
  return GIVEN_UP;
}

/* One program: the sums of the question and the traps known.  SOLVED: 'values'
** is a solution.  REFUTED: 'factors' tells which sums were used. */
static refuting solve_once(equation *e)
{
  if (!e->left || e->sums.len > SUMS_MAX)
    return GIVEN_UP;
  e->left--;
  refuting found = solve_by_simplex(e);
  if (found == GIVEN_UP && e->exact_left && !limits_reached(e->limits))
    found = solve_by_exact(e);
  e->gave_up |= found == GIVEN_UP;
  return found;
}

/* ---- cases ---------------------------------------------------------------- */

static uint64_t bit_of(uint32_t depth)
{
  return UINT64_C(1) << (depth < 63 ? depth : 63);
}

/* The cases whose sums a proof has used; traps are always so. */
static void note_needed(equation *e, size_t own)
{
  e->needed = 0;
  for (size_t k = 0; k < own; k++)
    if (e->factors[k])
      e->needed |= bit_of(e->depths.data[k]);
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
  if (found == REFUTED)
    note_needed(e, own);
  e->sums.len = own;
  return found;
}

/* Takes a conjunction apart; 'or's wait. */
static bool take_parts(equation *e, const claim *c, uint32_t depth)
{
  switch (c->op) {
  case CLAIM_TRUE:
    return true;
  case CLAIM_FALSE:
    return false;
  case CLAIM_SUM:
    vec_push(&e->sums, c);
    vec_push(&e->depths, depth);
    return true;
  case CLAIM_OR:
    vec_push(&e->choices, ((assumed){c, depth}));
    return true;
  case CLAIM_AND:
    break;
  }
  for (uint32_t i = 0; i < c->count; i++)
    if (!take_parts(e, c->parts[i], depth))
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
** them, one about counters, which is always so; else nothing can be refuted. */
static assumed next_choice(equation *e)
{
  assumed best = {0};
  for (size_t i = 0; i < e->choices.len; i++) {
    const claim *c = e->choices.data[i].claim;
    if ((!best.claim || c->count < best.claim->count) && !is_satisfied(e, c))
      best = e->choices.data[i];
  }
  if (!best.claim)
    best.claim = counters_doubt(e->counters, e->arena, e->values);
  return best;
}

static bool refute(equation *e, const claim *more, uint32_t depth);

/* Every part must be refuted together with the rest; when a proof does not need
** the part, it is one for all the others as well. */
static bool refute_parts(equation *e, assumed choice, uint32_t depth)
{
  uint64_t needed = bit_of(choice.depth), mine = bit_of(depth + 1);
  for (uint32_t i = 0; i < choice.claim->count; i++) {
    if (!refute(e, choice.claim->parts[i], depth + 1))
      return false;
    if (!(e->needed & mine))
      return true;
    needed |= depth + 1 < 63 ? e->needed & ~mine : e->needed;
  }
  e->needed = needed;
  return true;
}

static bool refute(equation *e, const claim *more, uint32_t depth)
{
  size_t sums = e->sums.len, choices = e->choices.len;
  bool refuted = !take_parts(e, more, depth);
  if (refuted)
    e->needed = bit_of(depth);
  else {
    refuting found = solve(e);
    assumed next = {0};
    if (found == SOLVED)
      next = next_choice(e);
    refuted = found == REFUTED || (next.claim && refute_parts(e, next, depth));
  }
  e->sums.len = e->depths.len = sums;
  e->choices.len = choices;
  return refuted;
}

bool equation_refutes(equation *e, const claim *c, uint32_t patience_left)
{
  e->left = patience_left;
  e->gave_up = false;
  vec_clear(&e->sums);
  vec_clear(&e->depths);
  vec_clear(&e->choices);
  return refute(e, c, 0);
}
