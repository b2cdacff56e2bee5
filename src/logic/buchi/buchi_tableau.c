/* From a formula to an automaton with marks on edges: the tableau of Couvreur
** (1999) on decision diagrams, with the merging of states described by
** Duret-Lutz, "LTL translation improvements in Spot" (2011).
**
** A state is a formula.  What it means for the first letter and the rest of a
** word is a Boolean function of three kinds of variables: propositions, "g is
** true of the rest" (next), and "g is put off" (promise):
**
**   <> g         g  or  promise(g) and next(<> g)
**   a U g        g  or  a and promise(g) and next(a U g)
**   a R b        b and (a or next(a R b))                      ... and so on
**
** The function is monotone in the last two kinds, so that each product of a
** sum of products is an edge: the literals of propositions are its label, the
** conjunction of its nexts is the target.  Each promise has a mark; an edge
** bears the marks of the promises it does NOT make.  A run that puts something
** off for ever lacks a mark from some point on.
**
** States with equal functions are equal: only the function matters.
**
** A next h may be dropped when another one f, which is kept, implies it; but
** not always.  []<>(p && X <> q) implies <> q, yet exactly by the promise that
** <> q makes: with <> q dropped every time, q would never be asked for.  What
** makes a run accepting only if its formulas are true is an induction in which
** the truth of a formula rests on the truth of its operands; dropping h rests
** it on f as well, which is sound as long as nothing rests on itself.  So the
** tableau remembers what was rested on what. */

#include "base/alloc.h"
#include "logic/buchi/buchi_internal.h"
#include <assert.h>

enum { STATES_MAX = 10000, EDGES_MAX = 200000, COMPARED_MAX = 24 };

typedef struct extra_variable {
  bool promise;
  uint32_t mark;     /* of a promise */
  const ltl *target; /* of a next */
} extra_variable;

/* That the truth of a formula rests on another one; a list per formula. */
typedef struct support {
  const ltl *on;
  uint32_t before; /* the next in the list plus 1 */
} support;

typedef struct tableau {
  buchi_job *j;
  ltl_context *c;
  VEC(extra_variable) extra;   /* variable atoms+i */
  VEC(uint32_t) next_of;       /* by formula: its variable plus 1 */
  VEC(uint32_t) promise_of;    /* likewise */
  VEC(boolean) meaning_of;     /* by formula: its function plus 1 */
  VEC(boolean) states;         /* their functions */
  VEC(uint32_t) state_of;      /* by function: its state plus 1 */
  VEC(uint32_t) product_of;    /* by function (a product of nexts): likewise */
  VEC(const ltl *) nexts;      /* of the product at hand */
  VEC(support) supports;       /* what formulas rest on besides operands */
  VEC(uint32_t) first_support; /* by formula: the last support plus 1 */
  VEC(uint8_t) seen;           /* by formula: visited by 'reaches' */
  uint32_t marks;
  graph *g;
} tableau;

void buchi_tableau_free(tableau *t)
{
  if (!t)
    return;
  vec_free(&t->extra);
  vec_free(&t->next_of);
  vec_free(&t->promise_of);
  vec_free(&t->meaning_of);
  vec_free(&t->states);
  vec_free(&t->state_of);
  vec_free(&t->product_of);
  vec_free(&t->nexts);
  vec_free(&t->supports);
  vec_free(&t->first_support);
  vec_free(&t->seen);
  mem_free(t, sizeof *t);
}

/* An lvalue: the entry of a table indexed by numbers that come up one by one.
 */
#define ENTRY(table, i)                                                        \
  (*((table).len <= (i) ? (vec_resize(&(table), (i) + 1u), &(table).data[i])   \
                        : &(table).data[i]))

static boolean next(tableau *t, const ltl *f)
{
  uint32_t v = ENTRY(t->next_of, f->id);
  if (!v) {
    vec_push(&t->extra, ((extra_variable){.target = f}));
    v = ENTRY(t->next_of, f->id) = t->j->atoms + (uint32_t)t->extra.len;
  }
  return boolean_variable(t->j->functions, v - 1);
}

static boolean promise(tableau *t, const ltl *f)
{
  uint32_t v = ENTRY(t->promise_of, f->id);
  if (!v) {
    extra_variable x = {.promise = true, .mark = t->marks++};
    vec_push(&t->extra, x);
    v = ENTRY(t->promise_of, f->id) = t->j->atoms + (uint32_t)t->extra.len;
  }
  return boolean_variable(t->j->functions, v - 1);
}

static boolean meaning(tableau *t, const ltl *f);

/* The meaning of temporal operators: now, or later and by what right. */
static boolean meaning_of_temporal(tableau *t, const ltl *f)
{
  booleans *b = t->j->functions;
  if (f->op == LTL_NEXT)
    return next(t, f->a);
  boolean now = meaning(t, f->a), other = f->b ? meaning(t, f->b) : 0;
  boolean later = next(t, f);
  switch (f->op) {
  case LTL_EVENTUALLY:
    return boolean_or(b, now, boolean_and(b, promise(t, f->a), later));
  case LTL_ALWAYS:
    return boolean_and(b, now, later);
  case LTL_UNTIL:
    later = boolean_and(b, promise(t, f->b), later);
    return boolean_or(b, other, boolean_and(b, now, later));
  case LTL_WEAK_UNTIL:
    return boolean_or(b, other, boolean_and(b, now, later));
  case LTL_RELEASE:
    return boolean_and(b, other, boolean_or(b, now, later));
  default:
    assert(f->op == LTL_STRONG_RELEASE);
    later = boolean_and(b, promise(t, f->a), later);
    return boolean_and(b, other, boolean_or(b, now, later));
  }
}

static boolean meaning(tableau *t, const ltl *f)
{
  booleans *b = t->j->functions;
  boolean result = ENTRY(t->meaning_of, f->id);
  if (result)
    return result - 1;
  switch (f->op) {
  case LTL_FALSE:
  case LTL_TRUE:
    result = f->op == LTL_TRUE;
    break;
  case LTL_ATOM:
    result = boolean_variable(b, f->atom);
    break;
  case LTL_NOT:
    result = boolean_not(b, meaning(t, f->a));
    break;
  case LTL_AND:
    result = meaning(t, f->a);
    result = boolean_and(b, result, meaning(t, f->b));
    break;
  case LTL_OR:
    result = meaning(t, f->a);
    result = boolean_or(b, result, meaning(t, f->b));
    break;
  default:
    result = meaning_of_temporal(t, f);
    break;
  }
  ENTRY(t->meaning_of, f->id) = result + 1;
  return result;
}

/* The number of the state with a function, a new one when there is none. */
static uint32_t state_of(tableau *t, boolean m)
{
  if (!ENTRY(t->state_of, m)) {
    vec_push(&t->states, m);
    ENTRY(t->state_of, m) = (uint32_t)t->states.len;
  }
  return ENTRY(t->state_of, m) - 1;
}

/* ---- nexts that can be dropped --------------------------------------------
 */

static bool reaches(tableau *t, const ltl *f, const ltl *h)
{
  if (f == h)
    return true;
  if (!f || ENTRY(t->seen, f->id))
    return false;
  ENTRY(t->seen, f->id) = 1;
  if (reaches(t, f->a, h) || reaches(t, f->b, h))
    return true;
  for (uint32_t i = ENTRY(t->first_support, f->id); i;
       i = t->supports.data[i - 1].before)
    if (reaches(t, t->supports.data[i - 1].on, h))
      return true;
  return false;
}

/* Rests the truth of h on that of f; false when f rests on h already. */
static bool rest_on(tableau *t, const ltl *h, const ltl *f)
{
  for (uint32_t i = ENTRY(t->first_support, h->id); i;
       i = t->supports.data[i - 1].before)
    if (t->supports.data[i - 1].on == f)
      return true;
  vec_clear(&t->seen);
  if (reaches(t, f, h))
    return false;
  uint32_t before = ENTRY(t->first_support, h->id);
  vec_push(&t->supports, ((support){f, before}));
  ENTRY(t->first_support, h->id) = (uint32_t)t->supports.len;
  return true;
}

/* Drops nexts that others imply. */
static void drop_implied(tableau *t)
{
  size_t n = t->nexts.len;
  if (n > COMPARED_MAX)
    return;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      const ltl *f = t->nexts.data[k], *h = t->nexts.data[i];
      if (k != i && f && h && ltl_implies(t->c, f, h) && rest_on(t, h, f))
        t->nexts.data[i] = NULL;
    }
}

/* ---- edges ----------------------------------------------------------------
 */

/* The function of the product of nexts at hand. */
static boolean product_meaning(tableau *t)
{
  boolean m = BOOLEAN_TRUE;
  drop_implied(t);
  for (size_t i = 0; i < t->nexts.len; i++)
    if (t->nexts.data[i])
      m = boolean_and(t->j->functions, m, meaning(t, t->nexts.data[i]));
  return m;
}

/* Adds the edge of one product.  Literals of propositions narrow the label. */
static void add_product(tableau *t, const boolean_literal *literals, size_t n,
                        boolean label)
{
  booleans *b = t->j->functions;
  uint64_t promises = 0;
  boolean product = BOOLEAN_TRUE;
  vec_clear(&t->nexts);
  for (size_t i = n; i-- > 0;) {
    boolean x = boolean_variable(b, literals[i].variable);
    if (literals[i].variable < t->j->atoms) {
      x = literals[i].positive ? x : boolean_not(b, x);
      label = boolean_and(b, x, label);
      continue;
    }
    assert(literals[i].positive);
    extra_variable *e = &t->extra.data[literals[i].variable - t->j->atoms];
    if (e->promise) {
      promises |= UINT64_C(1) << e->mark % 64;
    } else {
      product = boolean_and(b, x, product);
      vec_push(&t->nexts, e->target);
    }
  }
  if (!ENTRY(t->product_of, product)) {
    boolean m = product_meaning(t);
    ENTRY(t->product_of, product) = m + 1;
  }
  boolean m = ENTRY(t->product_of, product) - 1;
  if (m != BOOLEAN_FALSE)
    graph_add_edge(t->j, t->g, (graph_edge){state_of(t, m), label, promises});
}

static void add_products(tableau *t, boolean f, boolean label)
{
  boolean_cover *cover = &t->j->cover;
  boolean_make_cover(t->j->functions, f, cover);
  for (size_t i = 0, start = 0; i < cover->ends.len; i++) {
    size_t end = cover->ends.data[i];
    add_product(t, cover->literals.data + start, end - start, label);
    start = end;
  }
}

static void add_edges(tableau *t, boolean m, bool split)
{
  if (!split) {
    add_products(t, m, BOOLEAN_TRUE);
    return;
  }
  boolean_parts *parts = &t->j->parts;
  boolean_split(t->j->functions, m, t->j->atoms, parts);
  for (size_t i = 0; i < parts->len; i++)
    add_products(t, parts->data[i].below, parts->data[i].above);
}

static void clear(tableau *t)
{
  vec_clear(&t->extra);
  vec_clear(&t->next_of);
  vec_clear(&t->promise_of);
  vec_clear(&t->meaning_of);
  vec_clear(&t->states);
  vec_clear(&t->state_of);
  vec_clear(&t->product_of);
  vec_clear(&t->supports);
  vec_clear(&t->first_support);
  t->marks = 0;
}

graph *buchi_tableau(buchi_job *j, ltl_context *c, const ltl *f, bool split)
{
  if (!j->tableau)
    j->tableau = mem_alloc(sizeof *j->tableau);
  tableau *t = j->tableau;
  clear(t);
  t->j = j;
  t->c = c;
  t->g = graph_new(j);
  t->g->initial = state_of(t, meaning(t, f));
  for (size_t i = 0; i < t->states.len && !j->too_large; i++) {
    graph_add_state(t->g);
    add_edges(t, t->states.data[i], split);
    j->too_large = t->states.len > STATES_MAX || t->g->edges.len > EDGES_MAX ||
                   t->marks > BUCHI_MARKS_MAX || booleans_full(j->functions);
  }
  graph_finish(t->g);
  t->g->marks = j->too_large ? 0 : t->marks;
  for (size_t i = 0; i < t->g->edges.len; i++)
    t->g->edges.data[i].marks ^= graph_all_marks(t->g);
  return t->g;
}
