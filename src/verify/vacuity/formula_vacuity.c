/* Parts of an LTL formula that make no difference to its answer.
**
** Of a formula that holds, a part is replaced by the constant that makes the
** formula harder to satisfy: false where the part stands in a positive place,
** true in a negative one.  When it still holds, the part makes no difference
** (after Kupferman and Vardi, "Vacuity detection in temporal model checking",
** 2003).  Of one that is violated, by the other constant: when its run violates
** that, too, the answer is the same.  Larger parts come first, and what is in one
** that makes no difference is not looked at. */

#include "base/alloc.h"
#include "logic/ltl_lasso.h"
#include "verify/vacuity/vacuity.h"

typedef struct parts {
  verification *verification;
  const nut_options *options;
  answer *answer;
  const ltl *formula; /* the whole */
  arena *arena;
  uint32_t tried;
  bool over; /* a limit was reached */
  /* Of a violated formula: the run as a word. */
  ltl_context *context;
  lasso word;
  worker *worker;
  questions questions;
  search_result result;
} parts;

/* The formula with one part, known by its address, replaced. */
static const ltl *replaced(arena *a, const ltl *f, const ltl *part, bool value)
{
  if (f == part)
    return ltl_new(a, value ? LTL_TRUE : LTL_FALSE, NULL, NULL);
  if (!f || !f->a)
    return f;
  const ltl *left = replaced(a, f->a, part, value);
  const ltl *right = replaced(a, f->b, part, value);
  return left == f->a && right == f->b ? f
                                       : ltl_new(a, (ltl_op)f->op, left, right);
}

/* ---- formulas that hold ------------------------------------------------- */

/* Whether another formula holds, by a search within bounds. */
static bool holds(parts *p, const ltl *f)
{
  verification *v = p->verification;
  property asked = *p->answer->question->property;
  asked.ltl = f;
  asked.name = "part";
  questions_free(&p->questions);
  p->questions = (questions){.arena = p->arena, .model = v->annex};
  questions_add(&p->questions, &asked);
  search_options s = {
      .asked = *p->options, .limits = v->limits, .questions = &p->questions};
  s.asked.coverage = s.asked.explain = s.asked.shortest = false;
  s.asked.on_progress = s.asked.on_growth = NULL;
  search_run(v->program, &s, &p->result);
  bool found = p->result.answers.len == 1 &&
               p->result.answers.data[0].verdict == VERDICT_HOLDS;
  p->over |= p->result.answers.len != 1 ||
             p->result.answers.data[0].verdict == VERDICT_UNKNOWN;
  search_result_free(&p->result);
  return found;
}

/* ---- formulas that are violated ----------------------------------------- */

static bool add_letter(parts *p, const uint8_t *state, uint32_t length,
                       uint64_t *letter)
{
  for (uint32_t i = 0; i < ltl_atom_count(p->context); i++) {
    fault_kind failed = FAULT_NONE;
    const expr *e = ltl_atom_condition(p->context, i);
    if (!e)
      return false;
    if (program_evaluate(p->worker, e, state, length, &failed))
      letter[i / 64] |= UINT64_C(1) << i % 64;
    if (failed != FAULT_NONE)
      return false;
  }
  return true;
}

/* The states in which the run rests, as letters.  A loop ends where it begins:
** the last state is its first one. */
static bool make_word(parts *p)
{
  const trace *t = p->answer->trace;
  size_t rests = trace_rests(t), n = 0;
  bool loops = t->end == TRACE_LOOP, loop_known = false;
  uint32_t words = ltl_atom_count(p->context) / 64 + 1;
  uint64_t *letters = ARENA_ARRAY(p->arena, uint64_t, rests * words);
  if ((!loops && t->end != TRACE_STAYS) || rests < 2u ||
      t->loop == TRACE_NO_LOOP)
    return false;
  for (size_t i = 0; i < t->steps.len; i++) {
    uint32_t length;
    const uint8_t *state = trace_state(t, i, &length);
    if (!t->steps.data[i].rest)
      continue;
    if (i >= t->loop && !loop_known) {
      p->word.loop = (uint32_t)n;
      loop_known = true;
    }
    if (!add_letter(p, state, length, letters + n * words))
      return false;
    n++;
  }
  n -= loops;
  p->word.length = (uint32_t)n;
  p->word.words = words;
  p->word.letters = letters;
  return loop_known && p->word.loop < n;
}

static bool violates(parts *p, const ltl *f)
{
  return !lasso_satisfies(p->context, &p->word, ltl_intern(p->context, f));
}

/* ---- both --------------------------------------------------------------- */

static bool makes_no_difference(parts *p, const ltl *part, bool value)
{
  const ltl *f = replaced(p->arena, p->formula, part, value);
  if (p->over || ++p->tried > VACUITY_PARTS)
    return false;
  return p->answer->verdict == VERDICT_HOLDS ? holds(p, f) : violates(p, f);
}

static const char *text_of(parts *p, const ltl *f)
{
  text out = {0};
  if (f->op == LTL_ATOM && f->condition)
    expr_print(p->verification->annex, f->condition, &out);
  else
    ltl_print(p->verification->annex, f, LTL_SPIN, &out);
  const char *copy =
      arena_copy(p->verification->outcome.arena, text_string(&out), out.len);
  text_free(&out);
  return copy;
}

/* An implication in which the right side does not matter, always, has a left
** side that never happens. */
static bool is_always_implied(const ltl *whole, const ltl *parent,
                              const ltl *part)
{
  return parent->op == LTL_IMPLIES && parent->b == part &&
         whole->op == LTL_ALWAYS && whole->a == parent &&
         parent->a->facts & LTL_BOOLEAN;
}

static void add_part(parts *p, const ltl *parent, const ltl *part, bool value)
{
  bool left = p->answer->verdict == VERDICT_HOLDS &&
              is_always_implied(p->formula, parent, part);
  vacuity_add(p->verification, p->answer,
              (vacuous){.kind = left ? VACUITY_LEFT_SIDE : VACUITY_PART,
                        .part = text_of(p, left ? parent->a : part),
                        .instead = value ? "true" : "false"});
}

typedef enum { POSITIVE, NEGATIVE, EITHER } polarity;

static polarity opposite(polarity now)
{
  return now == EITHER ? EITHER : now == POSITIVE ? NEGATIVE : POSITIVE;
}

static polarity polarity_of(const ltl *parent, const ltl *part, polarity now)
{
  switch ((ltl_op)parent->op) {
  case LTL_NOT:
    return opposite(now);
  case LTL_IMPLIES:
    return part == parent->a ? opposite(now) : now;
  case LTL_EQUIV:
    return EITHER;
  default:
    return now;
  }
}

static void try_part(parts *p, const ltl *parent, const ltl *part, polarity now)
{
  if (!part || part->op == LTL_TRUE || part->op == LTL_FALSE || p->over)
    return;
  bool is_hard = p->answer->verdict == VERDICT_HOLDS;
  /* The constant by which the formula says more, or less, as wanted. */
  for (int value = 0; value < 2; value++) {
    polarity wanted = (value == 0) == is_hard ? POSITIVE : NEGATIVE;
    if ((now == EITHER || now == wanted) &&
        makes_no_difference(p, part, value)) {
      add_part(p, parent, part, value);
      return;
    }
  }
  try_part(p, part, part->a, polarity_of(part, part->a, now));
  try_part(p, part, part->b, polarity_of(part, part->b, now));
}

static void try_parts(void *of)
{
  parts *p = of;
  const ltl *f = p->formula;
  p->arena = arena_create();
  if (p->answer->verdict == VERDICT_VIOLATED) {
    p->context = ltl_create();
    p->worker = worker_create(p->verification->program);
    (void)ltl_intern(p->context, f);
    /* The run must be one that we understand. */
    if (!p->answer->trace || !make_word(p) || !violates(p, f))
      return;
  }
  try_part(p, f, f->a, polarity_of(f, f->a, POSITIVE));
  try_part(p, f, f->b, polarity_of(f, f->b, POSITIVE));
}

static void free_parts(void *of)
{
  parts *p = of;
  search_result_free(&p->result);
  questions_free(&p->questions);
  worker_destroy(p->worker);
  ltl_destroy(p->context);
  arena_destroy(p->arena);
}

void vacuity_of_formula(verification *v, const nut_options *o, answer *a)
{
  parts p = {.verification = v,
             .options = o,
             .answer = a,
             .formula = a->question->property->ltl};
  if (!p.formula->a)
    return;
  limits_begin_work(v->limits, VACUITY_LOOKS);
  mem_protect(try_parts, &p);
  limits_end_turn(v->limits);
  free_parts(&p);
}
