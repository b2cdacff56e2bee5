/* The path of a depth-first search against a list of its states. */

#include "unit.h"

#include "base/random.h"
#include "search/walk/state_path.h"

#include <string.h>

enum { MOST = 400, LENGTH_MOST = 600, STEPS = 30000 };

typedef struct point {
  uint8_t bytes[LENGTH_MOST];
  uint32_t length, next;
} point;

static point list[MOST];

/* A state that differs here and there from the one before, and sometimes in
** length or in every byte. */
static void change(random_state *r, point *to, const point *from)
{
  *to = *from;
  if (!random_below(r, 8)) {
    to->length = (uint32_t)random_below(r, LENGTH_MOST + 1);
    for (uint32_t i = from->length; i < to->length; i++)
      to->bytes[i] = (uint8_t)random_below(r, 3);
  }
  uint64_t changes = random_below(r, 50) ? random_below(r, 6) : 2 * LENGTH_MOST;
  for (uint64_t i = 0; to->length && i < changes; i++)
    to->bytes[random_below(r, to->length)] ^= (uint8_t)random_below(r, 256);
}

static void compare_last(const state_path *p, const point *last)
{
  assert_int_equal(p->state.length, last->length);
  if (last->length)
    assert_memory_equal(p->state.bytes, last->bytes, last->length);
}

/* From the start, and once more from the second. */
static void compare_all(state_path *p, size_t count)
{
  number_list places = {0};
  path_list(p, &places);
  assert_int_equal(places.len, count);
  for (size_t i = 0; i < 2 * count - 1; i++) {
    size_t k = i < count ? i : i - count + 1;
    const point *wanted = &list[k];
    uint32_t length;
    const uint8_t *state = path_at(p, places.data[k], &length);
    assert_int_equal(length, wanted->length);
    if (length)
      assert_memory_equal(state, wanted->bytes, length);
  }
  vec_free(&places);
}

static void random_operations(void **state)
{
  (void)state;
  random_state r;
  state_path p;
  size_t count = 1;
  random_seed(&r, 19);
  list[0] = (point){.length = 40};
  assert_true(path_create(&p, (size_t)1 << 30, list[0].bytes, 40));
  for (uint32_t step = 0; step < STEPS; step++) {
    bool down = (step / 700) % 3 == 2 || count == MOST;
    if (count > 1 && random_below(&r, 4) < (down ? 3 : 1)) {
      assert_int_equal(path_pop(&p), list[--count - 1].next);
    } else if (count < MOST) {
      change(&r, &list[count], &list[count - 1]);
      uint32_t next =
          random_below(&r, 9) ? (uint32_t)random_below(&r, 200) : UINT32_MAX;
      list[count - 1].next = next;
      assert_true(path_push(&p, next, list[count].bytes, list[count].length));
      count++;
    }
    assert_int_equal(p.depth, count - 1);
    compare_last(&p, &list[count - 1]);
    if (step % 1000 == 999)
      compare_all(&p, count);
  }
  path_destroy(&p);
}

/* Memory goes back when the path does. */
static void gives_back(void **state)
{
  (void)state;
  enum { LONG = 400000 };
  state_path p;
  uint64_t at = 0;
  assert_true(path_create(&p, (size_t)1 << 30, (uint8_t *)&at, sizeof at));
  for (at = 1; at < LONG; at++)
    assert_true(path_push(&p, (uint32_t)at, (uint8_t *)&at, sizeof at));
  size_t most = p.entries.committed;
  for (at = LONG - 1; at; at--) {
    assert_memory_equal(p.state.bytes, &at, sizeof at);
    assert_int_equal(path_pop(&p), at);
  }
  assert_int_equal(p.used, 0);
  assert_true(p.entries.committed < most / 2);
  path_destroy(&p);
}

UNIT_MAIN(UNIT(random_operations), UNIT(gives_back))
