/* Who is asleep in a new state, by what processes touch. */

#include "unit.h"

#include "search/levels/asleep.h"

enum { ANY = 63 };

static uint64_t bit(uint32_t n)
{
  return UINT64_C(1) << n;
}

/* Process i uses what it writes, and one bit more; nobody knows what process 9
** does.  Successors are those of 20, 9, 3, 2, 2, 1, 0. */
static void make(batch *b)
{
  static const uint32_t who[] = {20, 9, 3, 2, 2, 1, 0};
  vec_resize(&b->touches, POSITIONS_MAX);
  for (uint32_t i = 0; i < POSITIONS_MAX; i++)
    b->touches.data[i] = (process_touch){bit(ANY) | bit(i % 60), 0};
  b->touches.data[9] = (process_touch){UINT64_MAX, UINT64_MAX};
  b->touches.data[3].writes = bit(3);
  b->touches.data[2].writes = bit(2);
  b->touches.data[1].uses |= bit(3);
  for (size_t i = 0; i < sizeof who / sizeof *who; i++)
    vec_push(&b->list, (successor){.process = who[i]});
  b->touched = true;
}

static void masks(void **unused)
{
  (void)unused;
  batch b = {0};
  make(&b);
  assert_int_equal(asleep_behind(&b, 0), 0);      /* too many processes */
  assert_int_equal(asleep_behind(&b, 1), 0);      /* touches everything */
  assert_int_equal(asleep_behind(&b, 2), 0);      /* nobody but those before */
  assert_int_equal(asleep_behind(&b, 3), 1 << 3); /* not 9 */
  assert_int_equal(asleep_behind(&b, 4), 1 << 3); /* not itself */
  assert_int_equal(asleep_behind(&b, 5), 1 << 2); /* reads what 3 writes */
  assert_int_equal(asleep_behind(&b, 6), 1 << 3 | 1 << 2 | 1 << 1);
  b.touches.data[0].writes = bit(2); /* what 2 uses */
  assert_int_equal(asleep_behind(&b, 6), 1 << 3 | 1 << 1);
  b.touched = false;
  assert_int_equal(asleep_behind(&b, 6), 0);
  batch_free(&b);
}

static void processes(void **unused)
{
  (void)unused;
  assert_true(asleep_is(1 << 3, 3));
  assert_false(asleep_is(1 << 3, 2));
  for (uint32_t i = ASLEEP_MOST; i < POSITIONS_MAX; i++)
    assert_false(asleep_is(UINT16_MAX, i));
}

UNIT_MAIN(UNIT(masks), UNIT(processes))
