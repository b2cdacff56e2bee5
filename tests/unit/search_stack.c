/* The stack of a depth-first search against a list of its entries. */

#include "unit.h"

#include "base/random.h"
#include "search/walk/stack.h"

enum { ENTRIES = 200000 };

typedef struct entry {
  uint64_t value;
  uint8_t content;
  bool marked;
} entry;

static entry list[ENTRIES];

/* All that is there, from the top down. */
static void compare(const stack *s, size_t count, uint32_t length)
{
  size_t end = s->used;
  for (size_t i = count; i--; end -= length + s->tail) {
    assert_int_equal(stack_value(s, end), list[i].value);
    assert_int_equal(stack_marked(s, end), list[i].marked);
    if (length)
      assert_int_equal(s->bytes.base[end - s->tail - length], list[i].content);
  }
  assert_int_equal(end, 0);
}

static uint64_t some_value(random_state *r, uint32_t bits)
{
  return random_below(r, UINT64_C(1) << bits / 2) << 32 |
         random_below(r, UINT64_C(1) << (bits + 1) / 2);
}

/* Values grow from 10 to 63 bits; some entries are taken away again. */
static void random_operations(void **state)
{
  (void)state;
  for (uint32_t length = 0; length < 3; length++) {
    stack s;
    random_state r;
    size_t count = 0;
    random_seed(&r, length);
    assert_true(stack_create(&s, (size_t)1 << 30, 3, 4));
    for (uint32_t step = 0; step < 20000; step++) {
      uint32_t bits = 10 + step / 400;
      bits = bits > 63 ? 63 : bits;
      if (count && !random_below(&r, 4)) {
        stack_cut(&s, s.used - length - s.tail);
        count--;
        continue;
      }
      uint8_t content[2] = {(uint8_t)step, 0};
      list[count] = (entry){some_value(&r, bits), content[0], false};
      assert_true(stack_push(&s, content, length, list[count++].value));
      if (random_below(&r, 2)) {
        stack_mark(&s, s.used);
        list[count - 1].marked = true;
      }
      if (step % 1000 == 0)
        compare(&s, count, length);
    }
    compare(&s, count, length);
    assert_int_equal(s.tail, 8);
    stack_destroy(&s);
  }
}

/* Each entry gets another value, from the top down, and longer tails with
** it. */
static void other_values(void **state)
{
  (void)state;
  stack s;
  random_state r;
  random_seed(&r, 9);
  assert_true(stack_create(&s, (size_t)1 << 30, 11, 12));
  for (size_t i = 0; i < 5000; i++) {
    list[i] = (entry){some_value(&r, 20), (uint8_t)i, i % 3 == 0};
    assert_true(stack_push(&s, &list[i].content, 1, list[i].value));
    if (list[i].marked)
      stack_mark(&s, s.used);
  }
  assert_int_equal(s.tail, 3);
  size_t end = s.used;
  for (size_t i = 5000; i--; end -= 1 + s.tail) {
    assert_int_equal(stack_value(&s, end), list[i].value);
    list[i].value = some_value(&r, i < 2500 ? 36 : 20);
    end = stack_set(&s, end, list[i].value, 1);
  }
  assert_int_equal(end, 0);
  assert_int_equal(s.tail, 5);
  compare(&s, 5000, 1);
  stack_destroy(&s);
}

/* Memory goes back when the stack becomes small; a stack that may not have more
** stays as it is. */
static void memory(void **state)
{
  (void)state;
  stack s;
  assert_true(stack_create(&s, (size_t)1 << 30, 7, 32));
  for (size_t i = 0; i < 4 << 20; i++)
    assert_true(stack_push(&s, NULL, 0, i));
  assert_true(s.bytes.committed > 20 << 20);
  stack_cut(&s, s.tail * 1000);
  assert_true(s.bytes.committed < 2 << 20);
  assert_int_equal(stack_value(&s, s.used), 999);
  while (s.used + STACK_SLACK + s.tail <= s.bytes.committed)
    assert_true(stack_push(&s, NULL, 0, 7));
  size_t used = s.used;
  mem_fail_at(1);
  assert_false(stack_push(&s, NULL, 0, 7));
  assert_false(stack_push(&s, NULL, 0, UINT64_MAX >> 1));
  mem_fail_at(0);
  assert_int_equal(s.used, used);
  assert_int_equal(s.tail, 5);
  stack_destroy(&s);
}

UNIT_MAIN(UNIT(random_operations), UNIT(other_values), UNIT(memory))
