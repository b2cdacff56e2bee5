#include "unit.h"

#include "base/random.h"
#include "base/system/address_space.h"
#include "search/levels/handle_list.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000 };

static int compare(const void *a, const void *b)
{
  store_handle left = *(const store_handle *)a;
  store_handle right = *(const store_handle *)b;
  return (left > right) - (left < right);
}

/* Different handles below 2^63, of all widths. */
static size_t draw(random_state *r, store_handle *list)
{
  size_t wanted = random_below(r, MOST), count = 0;
  uint64_t upper = UINT64_C(1) << random_below(r, 32);
  uint64_t lower = UINT64_C(1) << random_below(r, 33);
  for (size_t i = 0; i < wanted; i++)
    list[i] = random_below(r, upper) << 32 | random_below(r, lower);
  qsort(list, wanted, sizeof *list, compare);
  for (size_t i = 0; i < wanted; i++)
    if (!count || list[i] != list[count - 1])
      list[count++] = list[i];
  return count;
}

static void shuffle(random_state *r, store_handle *list, size_t count)
{
  for (size_t i = count; i > 1; i--) {
    size_t k = random_below(r, i);
    store_handle one = list[i - 1];
    list[i - 1] = list[k];
    list[k] = one;
  }
}

/* What comes back is what was added, run after run, sorted. */
static void runs_come_back(void **state)
{
  (void)state;
  enum { RUNS = 8 };
  static store_handle lists[RUNS][MOST], given[MOST], other[MOST];
  random_state r;
  random_seed(&r, 5);
  for (int round = 0; round < 100; round++) {
    handle_list l = {0};
    frontier back = {0};
    size_t counts[RUNS], at = 0;
    assert_true(space_reserve(&l.memory, 1 << 24));
    assert_true(space_reserve(&back.memory, 1 << 24));
    for (int i = 0; i < RUNS; i++) {
      counts[i] = draw(&r, lists[i]);
      memcpy(given, lists[i], counts[i] * sizeof *given);
      shuffle(&r, given, counts[i]);
      assert_true(handle_list_add(&l, given, counts[i], other));
    }
    for (int i = 0; i < RUNS; i++) {
      frontier_clear(&back);
      if (!counts[i])
        continue;
      assert_true(handle_list_read(&l, &at, &back));
      assert_int_equal(back.count, counts[i]);
      assert_memory_equal(back.memory.base, lists[i],
                          counts[i] * sizeof *given);
    }
    assert_int_equal(at, l.used);
    reserve_destroy(&l.memory);
    reserve_destroy(&back.memory);
  }
}

/* Where there is no room a run is not there, and those before are. */
static void no_room(void **state)
{
  (void)state;
  static store_handle some[MOST], other[MOST];
  handle_list l = {0};
  frontier back = {0};
  size_t at = 0, runs = 0, read = 0;
  assert_true(space_reserve(&l.memory, 1 << 16));
  assert_true(space_reserve(&back.memory, 1 << 24));
  for (size_t used = 0;; used = l.used, runs++) {
    for (size_t i = 0; i < MOST; i++)
      some[i] = ((uint64_t)i << 40 | runs) + 1;
    if (handle_list_add(&l, some, MOST, other))
      continue;
    assert_int_equal(l.used, used);
    break;
  }
  assert_true(runs > 0);
  for (; at < l.used; read++)
    assert_true(handle_list_read(&l, &at, &back));
  assert_int_equal(read, runs);
  assert_int_equal(back.count, runs * MOST);
  assert_int_equal(frontier_handles(&back)[MOST - 1],
                   ((uint64_t)(MOST - 1) << 40) + 1);
  reserve_destroy(&l.memory);
  reserve_destroy(&back.memory);
}

UNIT_MAIN(UNIT(runs_come_back), UNIT(no_room))
