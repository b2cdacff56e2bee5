/* Embedded C through the public interface: loading, loading twice, and memory
** that runs out on the way. */

#include "base/alloc.h"
#include "nutshell.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static const char model[] =
    "c_decl { int cells[2] = {1, 2}; }\n"
    "c_state \"short n\" \"Global\" \"3\"\n"
    "c_track \"cells\" \"sizeof(cells)\"\n"
    "active [2] proctype p() {\n"
    "  do :: c_expr { now.n > 0 } -> c_code { now.n--; cells[Pp->_pid]++; }\n"
    "  :: else -> break od;\n"
    "  assert(c_expr { now.n + cells[0] + cells[1] == 6 })\n"
    "}\n";

static nut_model *load(const char *content, bool allow_c)
{
  nut_load options = nut_load_defaults();
  options.allow_c = allow_c;
  return nut_load_text("m.pml", content, strlen(content), &options);
}

/* Compiled code is kept with the other things of the tests. */
static void use_own_cache(void)
{
  const char *folder = getenv("NUT_CACHE");
  if (folder)
    setenv("XDG_CACHE_HOME", folder, 1);
}

static uint64_t states_of(nut_model *m)
{
  nut_result *r = nut_check(m, NULL);
  assert_int_equal(nut_result_verdict(r), NUT_HOLDS);
  uint64_t states = nut_result_figures(r).states;
  nut_result_free(r);
  return states;
}

static void needs_permission(void **state)
{
  (void)state;
  nut_model *m = load(model, false);
  assert_false(nut_model_good(m));
  assert_non_null(strstr(nut_model_messages(m), "--allow-c"));
  nut_model_free(m);
}

/* Two models of the same text share their C; each starts over. */
static void loaded_twice(void **state)
{
  (void)state;
  use_own_cache();
  nut_model *one = load(model, true);
  assert_true(nut_model_good(one));
  uint64_t states = states_of(one);
  assert_true(states > 10);
  nut_model *two = load(model, true);
  assert_int_equal(states_of(two), states);
  assert_int_equal(states_of(one), states);
  nut_model_free(one);
  assert_int_equal(states_of(two), states);
  nut_model_free(two);
}

static void mistakes(void **state)
{
  (void)state;
  use_own_cache();
  nut_model *m = load("init { c_code { nothing = 1; } }\n", true);
  assert_false(nut_model_good(m));
  assert_non_null(strstr(nut_model_messages(m), "m.pml:1:"));
  nut_model_free(m);
}

/* No matter where memory runs out, nothing is lost and nothing holds. */
static void out_of_memory(void **state)
{
  (void)state;
  use_own_cache();
  nut_model *m = load(model, true);
  for (uint64_t n = 1; n < 3000; n += 1 + n / 16) {
    mem_fail_at(n);
    nut_model *half = load(model, true);
    mem_fail_at(0);
    nut_model_free(half);
    mem_fail_at(n);
    nut_result *r = nut_check(m, NULL);
    mem_fail_at(0);
    nut_verdict v = nut_result_verdict(r);
    assert_true(v == NUT_UNKNOWN || v == NUT_HOLDS);
    nut_result_free(r);
  }
  nut_model_free(m);
}

UNIT_MAIN(UNIT(needs_permission), UNIT(loaded_twice), UNIT(mistakes),
          UNIT(out_of_memory))
