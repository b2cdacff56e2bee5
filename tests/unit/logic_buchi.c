/* Automata: known sizes, what they say of themselves, limits, memory. */

#include "unit.h"

#include "buchi_language.h"
#include "logic_kit.h"

static buchi *translated(ltl_context *c, const char *formula, bool generalised)
{
  const ltl *f = kit_parse(c, formula);
  assert_non_null(f);
  return buchi_translate(c, f, (buchi_options){.generalised = generalised});
}

/* States (by_state, then with marks on edges) that are known to be enough. */
static void sizes(void **state)
{
  (void)state;
  static const struct {
    const char *formula;
    uint32_t states, generalised;
  } cases[] = {
      {"true", 1, 1},
      {"false", 1, 1},
      {"[]p", 1, 1},
      {"<>p", 2, 2},
      {"p U q", 2, 2},
      {"[]<>p", 2, 1},
      {"<>[]p", 2, 2},
      {"[]<>p && []<>q", 3, 1},
      {"[](p -> <>q)", 2, 2},
      {"![](p -> <>q)", 2, 2},
      {"[]<>p -> []<>q", 4, 3},
      {"!([]<>p -> []<>q)", 3, 2},
      {"p U (q U r)", 3, 3},
      {"[]<>p && []<>q && []<>r && []<>s && []<>u", 6, 1},
      {"p && X p && X X p", 4, 4},
      {"(p U q) || (q U p) || true", 1, 1},
      {"!([]p && (q V r))", 3, 3},
      {"[](<>p -> X p)", 3, 3},
      {"X <>(p -> X(q -> p))", 1, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int k = 0; k < 2; k++) {
      ltl_context *c = ltl_create();
      buchi *b = translated(c, cases[i].formula, k);
      uint32_t most = k ? cases[i].generalised : cases[i].states;
      assert_true(buchi_check(b));
      if (b->state_count > most)
        fprintf(stderr, "# %s: %u states\n", cases[i].formula, b->state_count);
      assert_true(b->state_count <= most);
      buchi_destroy(b);
      ltl_destroy(c);
    }
}

static void flags(void **state)
{
  (void)state;
  enum { EMPTY = 1, UNIVERSAL = 2, WEAK = 4, TERMINAL = 8, DETERMINISTIC = 16 };
  static const struct {
    const char *formula;
    unsigned flags;
  } cases[] = {
      {"false", EMPTY | WEAK | TERMINAL | DETERMINISTIC},
      {"<>p && []!p", EMPTY | WEAK | TERMINAL | DETERMINISTIC},
      {"true", UNIVERSAL | WEAK | TERMINAL | DETERMINISTIC},
      {"<>p || []!p", UNIVERSAL | WEAK | TERMINAL | DETERMINISTIC},
      {"[]p", WEAK | DETERMINISTIC},
      {"<>p", WEAK | TERMINAL | DETERMINISTIC},
      {"p U q", WEAK | TERMINAL | DETERMINISTIC},
      {"<>[]p", WEAK},
      {"[]<>p", DETERMINISTIC},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ltl_context *c = ltl_create();
    buchi *b = translated(c, cases[i].formula, false);
    unsigned found = (b->empty ? EMPTY : 0) | (b->universal ? UNIVERSAL : 0) |
                     (b->weak ? WEAK : 0) | (b->terminal ? TERMINAL : 0) |
                     (b->deterministic ? DETERMINISTIC : 0);
    if (found != cases[i].flags)
      fprintf(stderr, "# %s: %u\n", cases[i].formula, found);
    assert_int_equal(found, cases[i].flags);
    buchi_destroy(b);
    ltl_destroy(c);
  }
}

/* A conjunction over more propositions than a word has bits. */
static void many_propositions(void **state)
{
  (void)state;
  enum { ATOMS = 150 };
  ltl_context *c = ltl_create();
  const ltl *f = NULL;
  for (uint32_t i = 0; i < ATOMS; i++) {
    char name[16];
    snprintf(name, sizeof name, "p%u", i);
    const ltl *p = ltl_atom(c, ltl_add_atom(c, name, NULL));
    f = f ? ltl_binary(c, LTL_AND, f, p) : p;
  }
  buchi *b =
      buchi_translate(c, ltl_unary(c, LTL_EVENTUALLY, f), (buchi_options){0});
  assert_non_null(b);
  assert_int_equal(b->words, 3);
  uint64_t letters[6] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0, 0, 0};
  lasso w = {2, 1, 3, letters};
  assert_true(buchi_accepts(b, &w));
  letters[2] ^= 1u << 21;
  assert_false(buchi_accepts(b, &w));
  buchi_destroy(b);
  ltl_destroy(c);
}

/* What cannot be translated is refused, and in reasonable time. */
static void too_large(void **state)
{
  (void)state;
  ltl_context *c = ltl_create();
  const ltl *f = ltl_constant(c, true);
  for (uint32_t i = 0; i < 70; i++) {
    char name[16];
    snprintf(name, sizeof name, "p%u", i);
    const ltl *p = ltl_atom(c, ltl_add_atom(c, name, NULL));
    p = ltl_unary(c, LTL_ALWAYS, ltl_unary(c, LTL_EVENTUALLY, p));
    f = ltl_binary(c, LTL_AND, f, p);
  }
  assert_null(buchi_translate(c, f, (buchi_options){0}));
  for (uint32_t i = 0; i < 2 * LTL_DEPTH_MAX; i++)
    f = ltl_unary(c, LTL_NEXT, f);
  assert_null(buchi_translate(c, f, (buchi_options){0}));
  ltl_destroy(c);
}

/* Dropping what is implied must not go in circles (see buchi_tableau.c). */
static void promises_are_kept(void **state)
{
  (void)state;
  ltl_context *c = ltl_create();
  kit_add_atoms(c);
  static const uint64_t only_a[] = {1};
  const lasso w = {1, 0, 1, only_a};
  static const char *const formulas[] = {
      "[]<>(a && X <> b)", "[](<>(a && X <> b))", "[](a -> X <> b)",
      "<>(b && X <>[](a && <>b))"};
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
    buchi *b = translated(c, formulas[i], false);
    assert_false(buchi_accepts(b, &w));
    buchi_destroy(b);
  }
  ltl_destroy(c);
}

/* ---- memory ---------------------------------------------------------------
 */

typedef struct attempt {
  ltl_context *c;
  arena *memory;
  sources *s;
  diags *d;
  buchi *b;
  text out;
} attempt;

static void *begin_attempt(void)
{
  attempt *a = mem_alloc(sizeof *a);
  a->s = sources_create();
  a->d = diags_create(a->s);
  return a;
}

static void make_attempt(void *context)
{
  static const char formula[] = "([]<>p -> []<>q) && (p U (q && X r)) || p U q";
  attempt *a = context;
  a->c = ltl_create();
  a->memory = arena_create();
  uint32_t file = source_add(a->s, "formula", formula, sizeof formula - 1);
  span where = {file, 0, sizeof formula - 1};
  const ltl *f = ltl_parse(a->memory, a->s, where, NULL, a->d);
  f = ltl_intern(a->c, f);
  a->b = buchi_translate(a->c, f, (buchi_options){0});
  uint64_t letters[2] = {5, 2};
  lasso w = {2, 1, 1, letters};
  buchi_accepts(a->b, &w);
  lasso_satisfies(a->c, &w, f);
}

static void end_attempt(void *context)
{
  attempt *a = context;
  buchi_destroy(a->b);
  ltl_destroy(a->c);
  arena_destroy(a->memory);
  diags_destroy(a->d);
  sources_destroy(a->s);
  mem_free(a, sizeof *a);
}

static void memory_runs_out(void **state)
{
  (void)state;
  assert_true(unit_fail_each(begin_attempt, make_attempt, end_attempt) > 50);
}

/* ---- text -----------------------------------------------------------------
 */

static void printing(void **state)
{
  (void)state;
  ltl_context *c = ltl_create();
  buchi *b = translated(c, "\"a \\\\ b */ c\" U (x == '\"')", false);
  text out = {0};
  buchi_print_never(b, &out);
  assert_null(strstr(strstr(text_string(&out), "*/") + 2, "*/ c */"));
  text_clear(&out);
  buchi_print_hoa(b, &out);
  assert_non_null(strstr(text_string(&out), "\"a \\\\\\\\ b */ c\""));
  assert_non_null(strstr(text_string(&out), "\"x == '\\\"'\""));
  text_clear(&out);
  buchi_print_dot(b, &out);
  assert_non_null(strstr(text_string(&out), "x == '\\\"'"));
  text_free(&out);
  buchi_destroy(b);
  ltl_destroy(c);
}

UNIT_MAIN(UNIT(sizes), UNIT(flags), UNIT(many_propositions), UNIT(too_large),
          UNIT(promises_are_kept), UNIT(memory_runs_out), UNIT(printing))
