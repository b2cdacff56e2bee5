/* Groups: who found a state, against a list of finders. */

#include "unit.h"

#include "base/random.h"
#include "search/walk/cohorts.h"

static void finders(void **state)
{
  (void)state;
  cohorts g = {0};
  random_state r;
  random_seed(&r, 3);
  enum { COHORTS = 200 };
  static uint32_t found[COHORTS][COHORT_MAX], sizes[COHORTS];
  for (unsigned i = 0; i < COHORTS; i++) {
    uint64_t most = i % 7 ? 4 : 700; /* some do not fit a byte */
    sizes[i] = 1 + (uint32_t)random_below(&r, COHORT_MAX);
    for (uint32_t k = 0; k < sizes[i]; k++)
      found[i][k] = (uint32_t)random_below(&r, most);
    cohorts_push(&g, found[i], sizes[i]);
  }
  for (unsigned i = COHORTS; i--;) {
    size_t end = g.bytes.len;
    assert_int_equal(cohorts_size(&g, end), sizes[i]);
    uint64_t below = 0;
    for (uint32_t k = sizes[i]; k--;)
      for (uint32_t n = 0; n < found[i][k]; n++)
        assert_int_equal(cohorts_finder(&g, end, below++), k);
    cohorts_pop(&g);
  }
  assert_int_equal(g.bytes.len, 0);
  vec_free(&g.bytes);
}

UNIT_MAIN(UNIT(finders))
