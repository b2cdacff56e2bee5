/* Formulas: reading, printing, rewriting, classes. */

#include "unit.h"

#include "logic_kit.h"

/* Reads a text and prints it again in some syntax. */
static void assert_printed(const char *string, ltl_syntax syntax,
                           const char *expected)
{
  ltl_context *c = ltl_create();
  const ltl *f = kit_parse(c, string);
  text out = {0};
  assert_non_null(f);
  ltl_print(NULL, f, syntax, &out);
  assert_string_equal(text_string(&out), expected);
  text_free(&out);
  ltl_destroy(c);
}

static void assert_read(const char *string, const char *expected)
{
  assert_printed(string, LTL_SPIN, expected);
}

/* How SPIN's ltl blocks group, found out by asking it. */
static void precedence(void **state)
{
  (void)state;
  assert_read("[] a U b", "[]a U b");
  assert_read("a || b && c", "a || (b && c)");
  assert_read("a && b || c", "(a && b) || c");
  assert_read("a -> b -> c", "(a -> b) -> c");
  assert_read("a U b U c", "(a U b) U c");
  assert_read("! a U b", "!a U b");
  assert_read("a -> b U c", "a -> (b U c)");
  assert_read("[] a && b", "[]a && b");
  assert_read("<> a -> b", "<>a -> b");
  assert_read("a <-> b -> c", "(a <-> b) -> c");
  assert_read("a && b <-> c", "(a && b) <-> c");
  assert_read("a U [] b", "a U []b");
  assert_read("a V b W c", "(a V b) W c");
}

static void spellings(void **state)
{
  (void)state;
  assert_read("always (a implies eventually b)", "[](a -> <>b)");
  assert_read("G (a => F b)", "[](a -> <>b)");
  assert_read("a stronguntil b", "a U b");
  assert_read("a until b", "a U b");
  assert_read("a weakuntil b", "a W b");
  assert_read("a release b", "a V b");
  assert_read("a R b", "a V b");
  assert_read("a M b", "b U (a && b)");
  assert_read("a equivalent b", "a <-> b");
  assert_read("a <=> b", "a <-> b");
  assert_read("next a", "X a");
  assert_read("a /\\ b", "a && b");
  assert_read("a \\/ b", "a || b");
  assert_read("not a and b", "!a && b");
  assert_read("~a & b", "!a && b");
  assert_read("1 U 0", "true U false");
  assert_printed("a W b", LTL_SPIN_F, "b V (a || b)");
  assert_printed("[](a V <>X b)", LTL_LETTERS, "G (a R F X b)");
  assert_printed("[](a V <>X b)", LTL_WORDS,
                 "always (a release eventually next b)");
}

static void propositions(void **state)
{
  (void)state;
  assert_read("p.q[3]@x U b", "p.q[3]@x U b");
  assert_read("(x > 3) U b", "(x > 3) U b");
  assert_read("x > 3 U b", "(x > 3) U b");
  assert_read("(x + 1) * 2 > y && b", "((x + 1) * 2 > y) && b");
  assert_read("x != 3 || b", "(x != 3) || b");
  assert_read("x <= 3 -> b", "(x <= 3) -> b");
  assert_read("len(q) >= (3) && b", "(len(q) >= (3)) && b");
  assert_read("\"G\" && \"a b\"", "\"G\" && (a b)");
  assert_read("!(a) U (b)", "!a U b");
  assert_read("Gp U Fx", "Gp U Fx");
  assert_read("((a))", "a");
  assert_read("a[X] U b[U + 1]", "a[X] U (b[U + 1])");
}

static void mistakes(void **state)
{
  (void)state;
  static const char *const wrong[] = {
      "",       "a b",       "a U",       "U a",    "(a",    "a)",
      "()",     "a && && b", "[]",        "a [] b", "a X b", "a ! b U",
      "\"a",    "\"\"",      "a[3",       "a]",     "a b[",  "(a) (b)",
      "a U (b", "<>",        "a -> -> b", "a {"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ltl_context *c = ltl_create();
    if (kit_parse(c, wrong[i]))
      fprintf(stderr, "# accepted: '%s'\n", wrong[i]);
    assert_null(kit_parse(c, wrong[i]));
    ltl_destroy(c);
  }
}

/* Deep formulas are refused or read, but never overflow the stack. */
static void deep(void **state)
{
  (void)state;
  static const struct {
    const char *open, *close, *between;
    unsigned count;
    bool good;
  } cases[] = {{"(", ")", "", 900, true},       {"(", ")", "", 100000, false},
               {"!", "", "", 900, true},        {"[]", "", "", 100000, false},
               {"a U (", ")", "", 900, true},   {"a && ", "", "", 9000, true},
               {"a && ", "", "", 20000, false}, {"a -> ", "", "", 3000, true},
               {"a -> ", "", "", 100000, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ltl_context *c = ltl_create();
    text t = {0};
    for (unsigned k = 0; k < cases[i].count; k++)
      text_add(&t, cases[i].open);
    text_add(&t, "a");
    for (unsigned k = 0; k < cases[i].count; k++)
      text_add(&t, cases[i].close);
    const ltl *f = kit_parse(c, text_string(&t));
    assert_int_equal(f != NULL, cases[i].good);
    if (f) {
      buchi *b = buchi_translate(c, f, (buchi_options){0});
      assert_non_null(b);
      buchi_destroy(b);
    }
    text_free(&t);
    ltl_destroy(c);
  }
}

/* What is read differently elsewhere gets a warning, and nothing else does. */
static void warnings(void **state)
{
  (void)state;
  static const struct {
    const char *formula;
    size_t warnings;
  } cases[] = {{"a || b && c", 1},  {"a U b U c", 1},     {"a -> b -> c", 1},
               {"a && b && c", 0},  {"(a && b) || c", 0}, {"a && b U c", 0},
               {"[] a U b", 0},     {"a && b -> c", 0},   {"a <-> b <-> c", 0},
               {"a -> b <-> c", 0}, {"a <-> b -> c", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = arena_create();
    sources *s = sources_create();
    diags *d = diags_create(s);
    size_t n = strlen(cases[i].formula);
    uint32_t file = source_add(s, "formula", cases[i].formula, n);
    assert_non_null(ltl_parse(a, s, (span){file, 0, (uint32_t)n}, NULL, d));
    if (diags_count(d) != cases[i].warnings)
      fprintf(stderr, "# %s\n", cases[i].formula);
    assert_int_equal(diags_count(d), cases[i].warnings);
    diags_destroy(d);
    sources_destroy(s);
    arena_destroy(a);
  }
}

/* A language that reads propositions: only 'x' and 'y' exist, 'z' is an error,
** and 'k' is a constant. */
static const ltl *read_proposition(void *context, const char *string,
                                   uint32_t length, span where)
{
  (void)where;
  if (length == 1 && *string == 'z')
    return NULL;
  if (length == 1 && *string == 'k')
    return ltl_new(context, LTL_TRUE, NULL, NULL);
  return ltl_leaf(context, arena_copy(context, string, length), NULL);
}

static void languages(void **state)
{
  (void)state;
  static const struct {
    const char *formula, *expected;
  } cases[] = {{"x & 1 U ~y", "(x & 1) U (~y)"},
               {"k && y", "true && y"},
               {"x U z", NULL},
               {"[] (x | y -> 1)", "[]((x | y) -> 1)"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = arena_create();
    sources *s = sources_create();
    diags *d = diags_create(s);
    text out = {0};
    size_t n = strlen(cases[i].formula);
    uint32_t file = source_add(s, "formula", cases[i].formula, n);
    ltl_reader reader = {read_proposition, a};
    const ltl *f = ltl_parse(a, s, (span){file, 0, (uint32_t)n}, &reader, d);
    assert_int_equal(f != NULL, cases[i].expected != NULL);
    if (f) {
      ltl_print(NULL, f, LTL_SPIN, &out);
      assert_string_equal(text_string(&out), cases[i].expected);
    }
    text_free(&out);
    diags_destroy(d);
    sources_destroy(s);
    arena_destroy(a);
  }
}

/* What is printed is read back as the same formula. */
static void round_trip(void **state)
{
  (void)state;
  static const ltl_syntax syntaxes[] = {LTL_LETTERS, LTL_WORDS};
  random_state r;
  random_seed(&r, 3);
  for (int i = 0; i < 1000; i++) {
    ltl_context *c = ltl_create();
    kit_add_atoms(c);
    const ltl *f = kit_formula(c, &r, 1 + i % 20u, true, false);
    text out = {0};
    ltl_print(NULL, f, syntaxes[i % 2], &out);
    const ltl *g = kit_parse(c, text_string(&out));
    text_clear(&out);
    /* Chains of && and || may be regrouped. */
    ltl_print(NULL, g, syntaxes[i % 2], &out);
    const ltl *h = kit_parse(c, text_string(&out));
    assert_ptr_equal(g, h);
    assert_ptr_equal(ltl_simplify(c, f), ltl_simplify(c, g));
    text_free(&out);
    ltl_destroy(c);
  }
}

static void rewriting(void **state)
{
  (void)state;
  static const char *const pairs[][2] = {{"!(a U b)", "!a V !b"},
                                         {"a -> a", "true"},
                                         {"<><>a", "<>a"},
                                         {"[]<>[]a", "<>[]a"},
                                         {"X[]<>a", "[]<>a"},
                                         {"a U (a U b)", "a U b"},
                                         {"a U <>b", "<>b"},
                                         {"true U a", "<>a"},
                                         {"false V a", "[]a"},
                                         {"[](a U b)", "[](a || b) && []<>b"},
                                         {"a && X[]a", "[]a"},
                                         {"a || X<>a", "<>a"},
                                         {"[]a && []b", "[](a && b)"},
                                         {"<>a || <>b", "<>(a || b)"},
                                         {"(a W b) && <>b", "a U b"},
                                         {"(a U b) || []a", "a W b"},
                                         {"[]a && a", "[]a"},
                                         {"[]a && <>!a", "false"},
                                         {"a U !a", "<>!a"},
                                         {"(X a) U (X b)", "X(a U b)"},
                                         {"!(<><>a <-> <>a)", "false"},
                                         {"[]<>(a && <>b)", "[]<>a && []<>b"},
                                         {"(a || b) U b", "a U b"},
                                         {"(a && b) V b", "a V b"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    ltl_context *c = ltl_create();
    const ltl *f = kit_parse(c, pairs[i][0]), *g = kit_parse(c, pairs[i][1]);
    assert_non_null(f);
    assert_non_null(g);
    const ltl *simple = ltl_simplify(c, f);
    if (simple != ltl_simplify(c, g))
      kit_show(simple, NULL);
    assert_ptr_equal(simple, ltl_simplify(c, g));
    ltl_destroy(c);
  }
}

/* The strongest class that the shape of the rewritten formula proves;
** "reactivity" is everything. */
static const char *class_name(ltl_context *c, const ltl *f)
{
  unsigned facts = f->facts | ltl_simplify(c, f)->facts;
  return facts & LTL_SAFETY       ? "safety"
         : facts & LTL_GUARANTEE  ? "guarantee"
         : facts & LTL_OBLIGATION ? "obligation"
                                  : "reactivity";
}

static void classes(void **state)
{
  (void)state;
  static const struct {
    const char *formula, *class;
    bool stuttering;
  } cases[] = {{"[]a", "safety", true},
               {"a W b", "safety", true},
               {"<>a", "guarantee", true},
               {"!(a W b)", "guarantee", true},
               {"[]a || <>b", "obligation", true},
               {"[]<>a", "reactivity", true},
               {"X a", "safety", false},
               {"[](a -> X b)", "safety", false},
               {"a && X[]a", "safety", true},
               {"X[]<>a", "reactivity", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ltl_context *c = ltl_create();
    const ltl *f = kit_parse(c, cases[i].formula);
    assert_string_equal(class_name(c, f), cases[i].class);
    assert_int_equal(ltl_ignores_stuttering(c, f), cases[i].stuttering);
    ltl_destroy(c);
  }
}

/* Syntactic implication is implication. */
static void implication(void **state)
{
  (void)state;
  random_state r;
  random_seed(&r, 5);
  unsigned found = 0;
  for (int i = 0; i < 3000; i++) {
    ltl_context *c = ltl_create();
    kit_add_atoms(c);
    const ltl *f = ltl_simplify(c, kit_formula(c, &r, 1 + i % 7u, true, false));
    const ltl *g = ltl_simplify(c, kit_formula(c, &r, 1 + i % 7u, true, false));
    bool implies = ltl_implies(c, f, g);
    found += implies;
    for (int k = 0; k < 20 && implies; k++) {
      uint64_t letters[KIT_LETTERS];
      lasso w = kit_word(&r, letters);
      assert_true(!lasso_satisfies(c, &w, f) || lasso_satisfies(c, &w, g));
    }
    ltl_destroy(c);
  }
  assert_true(found > 100);
}

/* Implications that are found; the rules are there to find them. */
static void implications_found(void **state)
{
  (void)state;
  static const char *const pairs[][2] = {{"[]a && <>b", "[]a"},
                                         {"<>b && []a", "[]a"},
                                         {"[]a || []b", "<>a || <>b"},
                                         {"(a && c) U (a && b)", "b V a"},
                                         {"(a && b) V c", "a V (b || c)"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    ltl_context *c = ltl_create();
    const ltl *f = kit_parse(c, pairs[i][0]), *g = kit_parse(c, pairs[i][1]);
    if (!ltl_implies(c, f, g))
      fprintf(stderr, "# %s, %s\n", pairs[i][0], pairs[i][1]);
    assert_true(ltl_implies(c, f, g));
    assert_false(ltl_implies(c, g, f));
    ltl_destroy(c);
  }
}

static void size_counts_different_parts(void **state)
{
  (void)state;
  ltl_context *c = ltl_create();
  assert_int_equal(ltl_size(c, kit_parse(c, "a")), 1);
  assert_int_equal(ltl_size(c, kit_parse(c, "a U b")), 3);
  assert_int_equal(ltl_size(c, kit_parse(c, "(a U b) && X (a U b)")), 5);
  ltl_destroy(c);
}

UNIT_MAIN(UNIT(precedence), UNIT(spellings), UNIT(propositions), UNIT(mistakes),
          UNIT(deep), UNIT(warnings), UNIT(languages), UNIT(round_trip),
          UNIT(rewriting), UNIT(classes), UNIT(implication),
          UNIT(implications_found), UNIT(size_counts_different_parts))
