/* The multiset of fingerprints against a list that is searched. */

#include "unit.h"

#include "base/random.h"
#include "search/walk/onstack.h"

static bool naive_has(const onstack *s, uint64_t x)
{
  for (size_t i = 0; i < s->order.len; i++)
    if (s->order.data[i] == x)
      return true;
  return false;
}

/* Few different values, so that there are many equal ones and long runs of
** slots with the same home. */
static uint64_t some_value(random_state *random)
{
  return 1 + random_below(random, 40) + (random_below(random, 3) << 20);
}

static void behaves_as_a_list(void **state)
{
  (void)state;
  onstack s = {0};
  random_state random;
  random_seed(&random, 7);
  assert_false(onstack_has(&s, 1));
  for (int i = 0; i < 200000; i++) {
    bool grows = random_below(&random, 100) < (i / 20000 % 2 ? 45u : 55u);
    if (grows && s.order.len < 3000)
      onstack_push(&s, some_value(&random));
    else if (s.order.len)
      onstack_pop(&s);
    uint64_t x = some_value(&random);
    assert_int_equal(onstack_has(&s, x), naive_has(&s, x));
  }
  while (s.order.len)
    onstack_pop(&s);
  for (size_t i = 0; i <= s.mask; i++)
    assert_int_equal(s.slots[i], 0);
  onstack_free(&s);
}

static void fingerprints_are_not_zero(void **state)
{
  (void)state;
  const uint8_t bytes[] = {1, 2, 3};
  assert_int_not_equal(onstack_fingerprint(bytes, 0), 0);
  assert_int_equal(onstack_fingerprint(bytes, 3),
                   onstack_fingerprint(bytes, 3));
  assert_int_not_equal(onstack_fingerprint(bytes, 3),
                       onstack_fingerprint(bytes, 2));
}

UNIT_MAIN(UNIT(behaves_as_a_list), UNIT(fingerprints_are_not_zero))
