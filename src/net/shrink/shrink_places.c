/* Rules about places: constant ones, multiples of others, and those that never
** keep a transition from firing. */

#include "net/shrink/shrink_internal.h"

#include "base/hash.h"
#include "net/proof/simplex.h"
#include <math.h>
#include <stdlib.h>

/* ---- constant ------------------------------------------------------------ */

static bool is_constant(const draft *d, uint32_t p)
{
  for (size_t i = 0; i < d->places[p].users.len; i++)
    if (petri_effect(draft_arc(d, d->places[p].users.data[i], p)))
      return false;
  return true;
}

/* Whoever asks for other tokens than it has never fires. */
static void drop_refused(draft *d, uint32_t p)
{
  int32_t tokens = d->places[p].tokens;
  for (size_t i = 0; i < d->places[p].users.len; i++) {
    uint32_t t = d->places[p].users.data[i];
    const petri_arc *x = draft_arc(d, t, p);
    if (x->take > tokens || (x->below && tokens >= x->below))
      draft_drop_transition(d, t);
  }
}

bool shrink_constant(draft *d)
{
  bool changed = false;
  for (uint32_t p = 0; p < d->place_count; p++) {
    if (d->places[p].gone || !draft_is_single(d, p))
      continue;
    draft_tidy_users(d, p);
    if (!is_constant(d, p))
      continue;
    drop_refused(d, p);
    draft_drop_place(d, p, (shrink_value){.base = d->places[p].tokens});
    d->uses[SHRINK_RULE_CONSTANT]++;
    changed = true;
  }
  return changed;
}

/* ---- multiples ------------------------------------------------------------ */

/* What transitions do with a place, divided by the greatest common divisor. */
typedef struct profile {
  uint64_t hash;
  int32_t divisor;
  uint32_t place;
} profile;

static int32_t common_divisor(int32_t a, int32_t b)
{
  while (b) {
    int32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static profile profile_of(const draft *d, uint32_t p)
{
  const draft_place *x = &d->places[p];
  profile found = {.place = p};
  for (size_t i = 0; i < x->users.len; i++)
    found.divisor = common_divisor(
        found.divisor, abs(petri_effect(draft_arc(d, x->users.data[i], p))));
  for (size_t i = 0; i < x->users.len && found.divisor; i++) {
    int32_t more = petri_effect(draft_arc(d, x->users.data[i], p));
    if (more)
      found.hash += hash_mix((uint64_t)x->users.data[i] << 32 |
                             (uint32_t)(more / found.divisor));
  }
  return found;
}

static int by_profile(const void *a, const void *b)
{
  const profile *x = a, *y = b;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  if (x->divisor != y->divisor)
    return x->divisor < y->divisor ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static int32_t effect_on(const draft *d, uint32_t t, uint32_t p)
{
  const petri_arc *x = draft_arc(d, t, p);
  return x ? petri_effect(x) : 0;
}

/* Whether q always changes by 'times' what p changes by. */
static bool is_multiple(const draft *d, uint32_t q, uint32_t p, int32_t times)
{
  for (int side = 0; side < 2; side++) {
    const draft_place *x = &d->places[side ? p : q];
    for (size_t i = 0; i < x->users.len; i++) {
      uint32_t t = x->users.data[i];
      if (!d->transitions.data[t].gone &&
          effect_on(d, t, q) != (int64_t)times * effect_on(d, t, p))
        return false;
    }
  }
  return true;
}

static int64_t divided_up(int64_t a, int64_t b)
{
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

/* What t asks of q, where q = times * p + base, becomes what it asks of p.
** False: the numbers are too great. */
static bool ask_of_other(draft *d, uint32_t t, uint32_t q, uint32_t p,
                         int32_t times, int64_t base)
{
  const petri_arc *from = draft_arc(d, t, q), *to = draft_arc(d, t, p);
  petri_arc arc = to ? *to : (petri_arc){.place = p};
  int64_t more = petri_effect(&arc);
  int64_t take = divided_up(from->take - base, times);
  if (take < arc.take || !from->take)
    take = arc.take;
  if (take > PETRI_TOKENS_MAX || take + more > PETRI_TOKENS_MAX)
    return false;
  arc.take = (int32_t)take;
  arc.put = (int32_t)(take + more);
  if (from->below > 0) {
    int64_t below = divided_up(from->below - base, times);
    below = below <= 0 ? -1 : below > PETRI_TOKENS_MAX ? 0 : below;
    if (below && (!arc.below || below < arc.below))
      arc.below = (int32_t)below;
  } else if (from->below < 0)
    arc.below = -1;
  draft_set_arc(d, t, arc);
  return true;
}

/* Numbers that stay far from the ends of their types. */
static bool has_small_numbers(const draft *d, uint32_t p)
{
  enum { SMALL = 1 << 20 };
  const draft_place *x = &d->places[p];
  for (size_t i = 0; i < x->users.len; i++) {
    const petri_arc *arc = draft_arc(d, x->users.data[i], p);
    if (arc->take > SMALL || arc->put > SMALL || arc->below > SMALL)
      return false;
  }
  return x->tokens < SMALL;
}

/* q = times * p + base goes. */
static bool express(draft *d, uint32_t q, uint32_t p, int32_t times)
{
  int64_t base =
      (int64_t)d->places[q].tokens - (int64_t)times * d->places[p].tokens;
  if (!has_small_numbers(d, p) || !has_small_numbers(d, q) ||
      !draft_is_single(d, p) || !draft_is_single(d, q))
    return false;
  for (size_t i = 0; i < d->places[q].users.len; i++)
    if (!ask_of_other(d, d->places[q].users.data[i], q, p, times, base))
      return false;
  draft_drop_place(d, q,
                   (shrink_value){.place = p, .factor = times, .base = base});
  draft_tidy_users(d, p);
  d->uses[SHRINK_RULE_EQUAL]++;
  return true;
}

bool shrink_equal(draft *d)
{
  profile *list = ARENA_ARRAY(d->arena, profile, d->place_count + 1);
  uint32_t count = 0;
  bool changed = false;
  for (uint32_t p = 0; p < d->place_count; p++) {
    if (d->places[p].gone)
      continue;
    draft_tidy_users(d, p);
    list[count] = profile_of(d, p);
    count += list[count].divisor != 0;
  }
  qsort(list, count, sizeof *list, by_profile);
  /* The first of equal ones has the least divisor. */
  for (uint32_t i = 0, first = 0; i < count; i++) {
    if (list[i].hash != list[first].hash)
      first = i;
    int32_t times = list[i].divisor / list[first].divisor;
    uint32_t q = list[i].place, p = list[first].place;
    if (i != first && list[i].divisor % list[first].divisor == 0 &&
        is_multiple(d, q, p, times))
      changed |= express(d, q, p, times);
  }
  return changed;
}

/* ---- implicit ------------------------------------------------------------- */

/* Nobody takes more than is there from the start, and nobody lessens it. */
static bool has_always_enough(const draft *d, uint32_t p)
{
  const draft_place *x = &d->places[p];
  for (size_t i = 0; i < x->users.len; i++) {
    const petri_arc *arc = draft_arc(d, x->users.data[i], p);
    if (petri_effect(arc) < 0 || arc->take > x->tokens || arc->below)
      return false;
  }
  return true;
}

/* A linear program that looks for weights y of other places, none negative,
** with y C <= C(p) in each transition and y (m0 - take) <= m0(p) - take(p) for
** each that takes from p.  Then p has enough whenever the others have. */
typedef struct weighing {
  draft *draft;
  simplex *simplex;
  uint32_t *column; /* by place */
  uint32_t *row;    /* by transition */
  uint32_t *place;  /* by column */
  uint32_t columns, rows;
  double *values;
  int64_t *weights; /* by column, whole */
  simplex_term *terms;
  /* Markings are counted: the place must be exactly what the weights say. */
  bool exact;
  int64_t *change; /* by column: of all transitions together */
  limits none;
} weighing;

enum { ENTRIES_MAX = 1 << 20, TAKERS_MAX = 60 };

static void number_nodes(weighing *w)
{
  draft *d = w->draft;
  w->column = ARENA_ARRAY(d->arena, uint32_t, d->place_count + 1);
  w->place = ARENA_ARRAY(d->arena, uint32_t, d->place_count + 1);
  w->row = ARENA_ARRAY(d->arena, uint32_t, d->transitions.len + 1);
  for (uint32_t p = 0; p < d->place_count; p++)
    if (!d->places[p].gone) {
      w->place[w->columns] = p;
      w->column[p] = w->columns++;
    }
  for (uint32_t t = 0; t < d->transitions.len; t++)
    if (!d->transitions.data[t].gone && !d->transitions.data[t].shadow)
      w->row[t] = w->rows++;
}

static void fill_weighing(weighing *w)
{
  draft *d = w->draft;
  for (uint32_t t = 0; t < d->transitions.len; t++) {
    const draft_transition *x = &d->transitions.data[t];
    for (uint32_t i = 0; !x->gone && !x->shadow && i < x->count; i++) {
      simplex_set(w->simplex, w->row[t], w->column[x->arcs[i].place],
                  petri_effect(&x->arcs[i]));
      w->change[w->column[x->arcs[i].place]] += petri_effect(&x->arcs[i]);
    }
  }
  for (uint32_t r = 0; r < w->rows; r++)
    simplex_set_right(w->simplex, r, 1e-7);
  simplex_keep(w->simplex);
}

/* Sum over q but p of y(q) * 'of'(q) <= right. */
static void add_row(weighing *w, uint32_t p, uint32_t t, bool takes)
{
  draft *d = w->draft;
  const draft_transition *x = &d->transitions.data[t];
  const petri_arc *own = draft_arc(d, t, p);
  uint32_t count = 0;
  for (uint32_t c = 0; takes && c < w->columns; c++) {
    uint32_t q = w->place[c];
    const petri_arc *arc = draft_arc(d, t, q);
    int32_t left = d->places[q].tokens - (arc ? arc->take : 0);
    if (q != p && left && !d->places[q].gone)
      w->terms[count++] = (simplex_term){c, left};
  }
  for (uint32_t i = 0; !takes && i < x->count; i++)
    if (x->arcs[i].place != p && petri_effect(&x->arcs[i]))
      w->terms[count++] = (simplex_term){w->column[x->arcs[i].place],
                                         petri_effect(&x->arcs[i])};
  simplex_add(w->simplex, w->terms, count,
              takes ? d->places[p].tokens - own->take : petri_effect(own));
}

/* Where y C <= C(p) in each transition, and no less in all of them together, it
** is the same in each. */
static void add_exact_row(weighing *w, uint32_t p)
{
  uint32_t count = 0;
  for (uint32_t c = 0; c < w->columns; c++)
    if (w->place[c] != p && w->change[c] && !w->draft->places[w->place[c]].gone)
      w->terms[count++] = (simplex_term){c, -(double)w->change[c]};
  simplex_add(w->simplex, w->terms, count,
              1e-6 - (double)w->change[w->column[p]]);
}

__extension__ typedef __int128 wide;

/* The check in whole numbers: times * what p has or gets is no less than what
** the weights say of the others. */
static int64_t weight_of(const weighing *w, uint32_t q, uint32_t p,
                         int64_t times)
{
  return q == p ? -times : w->weights[w->column[q]];
}

static bool outweighs_at(const weighing *w, uint32_t t, uint32_t p,
                         int64_t times)
{
  const draft *d = w->draft;
  const draft_transition *x = &d->transitions.data[t];
  const petri_arc *own = draft_arc(d, t, p);
  wide change = 0, left = 0;
  for (uint32_t i = 0; i < x->count; i++) {
    wide weight = weight_of(w, x->arcs[i].place, p, times);
    change += weight * petri_effect(&x->arcs[i]);
    left -= weight * x->arcs[i].take;
  }
  if (change > 0 || (w->exact && change))
    return false;
  if (!own || !own->take)
    return true;
  for (uint32_t c = 0; c < w->columns; c++)
    left += (wide)weight_of(w, w->place[c], p, times) *
            d->places[w->place[c]].tokens;
  return left <= 0;
}

static bool outweighs(const weighing *w, uint32_t p, int64_t times)
{
  const draft *d = w->draft;
  for (uint32_t t = 0; t < d->transitions.len; t++)
    if (!d->transitions.data[t].gone && !outweighs_at(w, t, p, times))
      return false;
  return true;
}

static bool round_weights(weighing *w, uint32_t p, int64_t times)
{
  enum { GREATEST = 1 << 20 };
  for (uint32_t c = 0; c < w->columns; c++) {
    double x = w->values[c] * (double)times, r = floor(x + 0.5);
    if (w->place[c] == p || w->draft->places[w->place[c]].gone)
      r = x = 0;
    if (fabs(x - r) > 1e-3 || r < 0 || r > GREATEST)
      return false;
    w->weights[c] = (int64_t)r;
  }
  return true;
}

/* The program for p, whose own weight is 0. */
static void set_rows(weighing *w, uint32_t p)
{
  const draft_place *x = &w->draft->places[p];
  simplex_restore(w->simplex);
  for (size_t i = 0; i < x->users.len; i++) {
    uint32_t t = x->users.data[i];
    const petri_arc *arc = draft_arc(w->draft, t, p);
    if (petri_effect(arc) > 0)
      simplex_set_right(w->simplex, w->row[t], petri_effect(arc));
  }
  simplex_add(w->simplex, &(simplex_term){w->column[p], 1}, 1, 0);
  for (size_t i = 0; i < x->users.len; i++) {
    uint32_t t = x->users.data[i];
    const petri_arc *arc = draft_arc(w->draft, t, p);
    if (petri_effect(arc) < 0)
      add_row(w, p, t, false);
    /* What a transition asks for, its shadow does. */
    if (arc->take && (!w->exact || w->draft->transitions.data[t].shadow))
      add_row(w, p, t, true);
  }
  if (w->exact)
    add_exact_row(w, p);
}

static bool is_implied(weighing *w, uint32_t p)
{
  draft *d = w->draft;
  const draft_place *x = &d->places[p];
  uint64_t work = 0;
  bool feasible = false;
  uint32_t takers = 0;
  for (size_t i = 0; i < x->users.len; i++) {
    const petri_arc *arc = draft_arc(d, x->users.data[i], p);
    takers += arc->take > 0;
    if (arc->below)
      return false;
  }
  if (takers > TAKERS_MAX)
    return false;
  set_rows(w, p);
  limits *under = d->limits ? d->limits : &w->none;
  simplex_end end = simplex_satisfy(w->simplex, &feasible, &work, under);
  draft_works(d, work + (uint64_t)w->rows * w->columns / 4);
  if (end != SIMPLEX_BEST || !feasible)
    return false;
  simplex_values(w->simplex, w->values);
  for (int64_t times = 1; times <= (w->exact ? 1 : 6); times++)
    if (round_weights(w, p, times) && outweighs(w, p, times))
      return true;
  return false;
}

/* m(p) = m0(p) + y (m - m0). */
static void note_weights(const weighing *w, uint32_t p)
{
  draft *d = w->draft;
  claim_term *terms = ARENA_ARRAY(d->arena, claim_term, w->columns + 1);
  uint32_t count = 0;
  int64_t base = d->places[p].tokens;
  for (uint32_t c = 0; c < w->columns; c++) {
    uint32_t q = w->place[c];
    if (q == p || !w->weights[c])
      continue;
    base -= w->weights[c] * d->places[q].tokens;
    terms[count++] = (claim_term){q, (int32_t)w->weights[c]};
  }
  arena_push(d->arena, &d->events,
             ((draft_event){.place = p,
                            .implied = true,
                            .base = base,
                            .terms = terms,
                            .count = count}));
}

static void drop_implicit(draft *d, uint32_t p)
{
  draft_drop_place(d, p, (shrink_value){.lost = true});
  d->uses[SHRINK_RULE_IMPLICIT]++;
}

typedef struct weighing_job {
  weighing weighing;
  bool changed;
} weighing_job;

/* What has gone is no reason for others any more. */
static void forget_column(weighing *w, uint32_t column)
{
  simplex_restore(w->simplex);
  for (uint32_t r = 0; r < w->rows; r++)
    simplex_set(w->simplex, r, column, 0);
  simplex_keep(w->simplex);
}

static void do_weigh(void *context)
{
  weighing_job *j = context;
  weighing *w = &j->weighing;
  draft *d = w->draft;
  fill_weighing(w);
  for (uint32_t c = 0; c < w->columns; c++) {
    uint32_t p = w->place[c];
    draft_tidy_users(d, p);
    if (d->places[p].visible || !draft_is_single(d, p) ||
        !draft_works(d, w->columns) || !is_implied(w, p))
      continue;
    if (w->exact)
      note_weights(w, p);
    drop_implicit(d, p);
    forget_column(w, c);
    j->changed = true;
  }
}

static void tidy_weigh(void *context)
{
  simplex_destroy(((weighing_job *)context)->weighing.simplex);
}

static bool drop_implied(draft *d)
{
  weighing_job job = {
      .weighing = {.draft = d, .exact = draft_keeps(d, SHRINK_COUNT)}};
  weighing *w = &job.weighing;
  number_nodes(w);
  uint32_t more = 2 * TAKERS_MAX + 3;
  if (!w->rows || (uint64_t)(w->rows + more) * w->columns > ENTRIES_MAX)
    return false;
  limits_start(&w->none, &(limits_asked){0});
  w->values = ARENA_ARRAY(d->arena, double, w->columns + w->rows + more + 8);
  w->weights = ARENA_ARRAY(d->arena, int64_t, w->columns + 1);
  w->change = ARENA_ARRAY(d->arena, int64_t, w->columns + 1);
  w->terms = ARENA_ARRAY(d->arena, simplex_term, w->columns + 1);
  w->simplex = simplex_create(w->columns, w->rows, more);
  if (!w->simplex)
    return false;
  mem_protect_tidy(do_weigh, tidy_weigh, &job);
  return job.changed;
}

bool shrink_implicit(draft *d)
{
  bool changed = false;
  for (uint32_t p = 0; p < d->place_count && !draft_keeps(d, SHRINK_COUNT);
       p++) {
    if (d->places[p].gone || d->places[p].visible)
      continue;
    draft_tidy_users(d, p);
    if (!has_always_enough(d, p))
      continue;
    drop_implicit(d, p);
    changed = true;
  }
  /* Dear: only when nothing cheap was found. */
  return changed || (draft_works(d, 0) && drop_implied(d));
}
