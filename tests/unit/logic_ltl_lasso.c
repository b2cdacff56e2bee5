/* Formulas against their rewritten forms and their automata, on random words.
** The truth is 'lasso_satisfies', which is checked by hand below. */

#include "unit.h"

#include "buchi_language.h"
#include "logic_kit.h"

enum { WORDS = 40 };

static bool holds(ltl_context *c, const char *formula, uint32_t length,
                  uint32_t loop, const uint64_t *letters)
{
  const lasso w = {length, loop, 1, letters};
  const ltl *f = kit_parse(c, formula);
  assert_non_null(f);
  return lasso_satisfies(c, &w, f);
}

/* The meaning of each operator, on words small enough to see it. */
static void evaluator(void **state)
{
  (void)state;
  ltl_context *c = ltl_create();
  kit_add_atoms(c);
  enum { A = 1, B = 2 };
  static const uint64_t ab[] = {A, A, B, 0}, loop_b[] = {A, B};
  assert_true(holds(c, "a U b", 4, 3, ab));
  assert_true(holds(c, "X X b", 4, 3, ab));
  assert_false(holds(c, "X X X b", 4, 3, ab));
  assert_false(holds(c, "[] <> b", 4, 3, ab));
  assert_true(holds(c, "[] <> b", 4, 2, ab));
  assert_true(holds(c, "[] <> b && [] <> a", 2, 0, loop_b));
  assert_false(holds(c, "<> [] b", 2, 0, loop_b));
  assert_true(holds(c, "<> [] b", 2, 1, loop_b));
  assert_true(holds(c, "a W b", 1, 0, loop_b));
  assert_false(holds(c, "a U b", 1, 0, loop_b));
  assert_true(holds(c, "b V a", 1, 0, loop_b));
  assert_false(holds(c, "b M a", 1, 0, loop_b));
  assert_false(holds(c, "b V a", 2, 0, loop_b));
  assert_true(holds(c, "b V (a || b)", 2, 0, loop_b));
  assert_true(holds(c, "b M (a || b)", 2, 0, loop_b));
  assert_true(holds(c, "a -> <> b", 4, 3, ab));
  assert_false(holds(c, "a <-> b", 4, 3, ab));
  assert_true(holds(c, "(a <-> b) || true", 4, 3, ab));
  ltl_destroy(c);
}

/* Compares everything that should be the same on one word. */
static bool agrees(ltl_context *c, const ltl *f, const lasso *w,
                   buchi *const automata[4], buchi *negation)
{
  bool truth = lasso_satisfies(c, w, f);
  const char *wrong = NULL;
  if (lasso_satisfies(c, w, ltl_simplify(c, f)) != truth)
    wrong = "the rewritten formula";
  else if (lasso_satisfies(c, w, ltl_normalise(c, f)) != truth)
    wrong = "the normal form";
  else if (lasso_satisfies(c, w, ltl_negate(c, f)) == truth)
    wrong = "the negation";
  else if (buchi_accepts(negation, w) == truth)
    wrong = "the automaton of the negation";
  for (int i = 0; i < 4 && !wrong; i++)
    if (buchi_accepts(automata[i], w) != truth)
      wrong = i & 2 ? "the plain automaton" : "the automaton";
  if (wrong)
    fprintf(stderr, "# wrong: %s\n", wrong);
  return !wrong;
}

static void check_formula(ltl_context *c, random_state *r, const ltl *f)
{
  buchi *automata[4];
  for (int i = 0; i < 4; i++) {
    buchi_options options = {.generalised = i & 1, .plain = i & 2};
    automata[i] = buchi_translate(c, f, options);
    if (!automata[i] || !buchi_check(automata[i]))
      kit_show(f, NULL);
    assert_non_null(automata[i]);
    assert_true(buchi_check(automata[i]));
  }
  buchi *negation =
      buchi_translate(c, ltl_unary(c, LTL_NOT, f), (buchi_options){0});
  assert_non_null(negation);
  for (int i = 0; i < WORDS; i++) {
    uint64_t letters[KIT_LETTERS];
    lasso w = kit_word(r, letters);
    bool good = agrees(c, f, &w, automata, negation);
    if (!good)
      kit_show(f, &w);
    assert_true(good);
  }
  bool apart = buchi_disjoint(automata[0], negation) &&
               buchi_disjoint(automata[1], negation);
  if (!apart)
    kit_show(f, NULL);
  assert_true(apart);
  for (int i = 0; i < 4; i++)
    buchi_destroy(automata[i]);
  buchi_destroy(negation);
}

static void random_formulas(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, kit_seed());
  for (unsigned long i = 0, n = kit_count(600); i < n; i++) {
    ltl_context *c = ltl_create();
    kit_add_atoms(c);
    unsigned size = 2 + (unsigned)random_below(&r, i % 10 ? 13 : 22);
    check_formula(c, &r, kit_formula(c, &r, size, i % 2, false));
    ltl_destroy(c);
  }
}

/* Chains too long to be compared pair by pair, of anything. */
static void long_chains(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 11);
  for (int i = 0; i < 60; i++) {
    ltl_context *c = ltl_create();
    kit_add_atoms(c);
    const ltl *f = kit_formula(c, &r, 4, true, false);
    for (int k = 0; k < 80; k++) {
      const ltl *g =
          kit_formula(c, &r, 1 + (unsigned)random_below(&r, 4), i % 2, false);
      f = ltl_binary(c, i % 4 < 2 ? LTL_OR : LTL_AND, f, g);
    }
    if (i % 3)
      f = ltl_unary(c, i % 3 == 1 ? LTL_EVENTUALLY : LTL_ALWAYS, f);
    for (int k = 0; k < 40; k++) {
      uint64_t letters[KIT_LETTERS];
      lasso w = kit_word(&r, letters);
      bool truth = lasso_satisfies(c, &w, f);
      assert_int_equal(lasso_satisfies(c, &w, ltl_simplify(c, f)), truth);
      assert_int_not_equal(lasso_satisfies(c, &w, ltl_negate(c, f)), truth);
    }
    ltl_destroy(c);
  }
}

UNIT_MAIN(UNIT(evaluator), UNIT(long_chains), UNIT(random_formulas))
