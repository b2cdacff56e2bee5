#include "unit.h"

#include "base/random.h"
#include "search/ranks/sent.h"
#include <string.h>

/* Whatever the hash: only a state that was sent is taken for one. */
static void other_states_are_others(void **state)
{
  (void)state;
  enum { STATES = 2000, LENGTH = 20 };
  static bool was_sent[256][256];
  sent s = {0};
  random_state r;
  uint64_t found = 0;
  random_seed(&r, 1);
  for (int i = 0; i < 20 * STATES; i++) {
    uint8_t one[LENGTH] = {0};
    one[3] = (uint8_t)random_below(&r, 40);
    one[LENGTH - 1] = (uint8_t)random_below(&r, 50);
    bool known = sent_before(&s, one[3] % 7, one, LENGTH);
    assert_true(!known || was_sent[one[3]][one[LENGTH - 1]]);
    was_sent[one[3]][one[LENGTH - 1]] = true;
    found += known;
    assert_true(sent_before(&s, one[3] % 7, one, LENGTH));
  }
  assert_true(found > 0);
  sent_free(&s);
}

/* A state that begins as another one does is another one. */
static void lengths_count(void **state)
{
  (void)state;
  uint8_t zeros[2000] = {0};
  sent s = {0};
  assert_false(sent_before(&s, 5, zeros, 10));
  assert_false(sent_before(&s, 5, zeros, 11));
  assert_true(sent_before(&s, 5, zeros, 11));
  assert_false(sent_before(&s, 5, zeros, 0));
  for (int i = 0; i < 2; i++)
    assert_false(sent_before(&s, 5, zeros, sizeof zeros));
  sent_free(&s);
}

static void forgets_all(void **state)
{
  (void)state;
  uint8_t one[9] = {1};
  sent s = {0};
  sent_forget(&s);
  assert_false(sent_before(&s, 5, one, sizeof one));
  assert_true(sent_before(&s, 5, one, sizeof one));
  sent_forget(&s);
  assert_false(sent_before(&s, 5, one, sizeof one));
  sent_free(&s);
}

UNIT_MAIN(UNIT(other_states_are_others), UNIT(lengths_count), UNIT(forgets_all))
