/* Groups: who found a state, against a list of finders. */

#include "unit.h"

#include "base/random.h"
#include "search/groups.h"

static void finders(void **state)
{
  (void)state;
  groups g = {0};
  random_state r;
  random_seed(&r, 3);
  enum { GROUPS = 200 };
  static uint32_t found[GROUPS][GROUP_MAX], sizes[GROUPS];
  for (unsigned i = 0; i < GROUPS; i++) {
    uint64_t most = i % 7 ? 4 : 700; /* some do not fit a byte */
    sizes[i] = 1 + (uint32_t)random_below(&r, GROUP_MAX);
    for (uint32_t k = 0; k < sizes[i]; k++)
      found[i][k] = (uint32_t)random_below(&r, most);
    groups_push(&g, found[i], sizes[i]);
  }
  for (unsigned i = GROUPS; i--;) {
    size_t end = g.bytes.len;
    assert_int_equal(groups_size(&g, end), sizes[i]);
    uint64_t below = 0;
    for (uint32_t k = sizes[i]; k--;)
      for (uint32_t n = 0; n < found[i][k]; n++)
        assert_int_equal(groups_finder(&g, end, below++), k);
    groups_pop(&g);
  }
  assert_int_equal(g.bytes.len, 0);
  vec_free(&g.bytes);
}

UNIT_MAIN(UNIT(finders))
