#include "search_kit.h"

#include "logic/ltl_context.h"
#include "model/ltl.h"

/* A condition over x; division by y may have no value. */
static const ltl *leaf(kit *k, var *x, var *y)
{
  expr *e = use(k, x);
  return ltl_leaf(k->arena, NULL, y ? binary(k, OP_DIV, e, use(k, y)) : e);
}

static const ltl *join(kit *k, ltl_op which, const ltl *a, const ltl *b)
{
  return ltl_new(k->arena, which, a, b);
}

static void assert_printed(kit *k, const ltl *f, const char *expected)
{
  text out = {0};
  ltl_print(k->m, f, LTL_SPIN, &out);
  assert_string_equal(text_string(&out), expected);
  text_free(&out);
}

/* Where a condition may have no value, what stands around it without temporal
** operators becomes one condition, and nothing else does. */
static void protection(void **state)
{
  (void)state;
  kit k = kit_create();
  var *x = add_global(&k, "x"), *y = add_global(&k, "y");
  const ltl *safe = join(&k, LTL_AND, leaf(&k, x, NULL), leaf(&k, y, NULL));
  const ltl *f = join(&k, LTL_ALWAYS, safe, NULL);
  assert_ptr_equal(ltl_protect(k.m, f), f);
  static const struct {
    ltl_op which;
    const char *expected;
  } cases[] = {{LTL_AND, "(y && x / y)"},
               {LTL_OR, "(y || x / y)"},
               {LTL_IMPLIES, "(y -> x / y)"},
               {LTL_EQUIV, "(!y == !(x / y))"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const ltl *whole =
        join(&k, cases[i].which, leaf(&k, y, NULL), leaf(&k, x, y));
    f = ltl_protect(k.m, join(&k, LTL_UNTIL, safe, whole));
    assert_int_equal(f->op, LTL_UNTIL);
    assert_ptr_equal(f->a, safe);
    assert_int_equal(f->b->op, LTL_ATOM);
    assert_printed(&k, f->b, cases[i].expected);
  }
  const ltl *later = join(&k, LTL_NEXT, leaf(&k, x, NULL), NULL);
  f = join(&k, LTL_AND, leaf(&k, x, y), later);
  assert_ptr_equal(ltl_protect(k.m, f), f);
  kit_destroy(&k);
}

/* Conditions that are written the same are one proposition, constants none. */
static void propositions(void **state)
{
  (void)state;
  kit k = kit_create();
  var *x = add_global(&k, "x"), *y = add_global(&k, "y");
  const ltl *one = ltl_leaf(k.arena, "1", number(&k, 1));
  const ltl *f = join(&k, LTL_UNTIL, leaf(&k, x, y), leaf(&k, x, y));
  f = join(&k, LTL_OR, f, join(&k, LTL_AND, leaf(&k, x, NULL), one));
  ltl_context *c = ltl_create();
  const ltl *shared = ltl_intern(c, f);
  assert_int_equal(ltl_atom_count(c), 2);
  assert_ptr_equal(shared->a->a, shared->a->b);
  assert_ptr_equal(shared->b->b, ltl_constant(c, true));
  assert_ptr_equal(ltl_atom_condition(c, 1), f->b->a->condition);
  assert_ptr_equal(ltl_intern(c, f), shared);
  ltl_destroy(c);
  kit_destroy(&k);
}

UNIT_MAIN(UNIT(protection), UNIT(propositions))
