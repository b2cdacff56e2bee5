/* Blocks as quads, cuts that are used again, and the tables of quads. */

#include "base/random.h"
#include "codec/blocks.h"
#include "store/tree/quads.h"
#include "unit.h"

/* Every length of a block, in the midst of other bytes. */
static void keys(void **state)
{
  (void)state;
  uint8_t bytes[3 * BLOCK_BYTES];
  random_state r;
  random_seed(&r, 1);
  for (uint32_t length = 0; length <= BLOCK_BYTES; length++)
    for (int round = 0; round < 50; round++) {
      uint8_t plain[BLOCK_BYTES] = {0};
      for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_below(&r, 256);
      memcpy(plain, bytes + BLOCK_BYTES, length);
      quad key = block_key(bytes + BLOCK_BYTES, length);
      assert_memory_equal(&key, plain, sizeof key);
      if (length == BLOCK_BYTES)
        continue;
      plain[BLOCK_BYTES - 1] = (uint8_t)(length + 1);
      key = block_key_with_length(bytes + BLOCK_BYTES, length);
      assert_memory_equal(&key, plain, sizeof key);
      assert_int_equal(block_key_length(key), length);
    }
}

/* A state of some entities behind the globals, of any bytes but the tags. */
static uint32_t some_state(random_state *r, const component_map *m,
                           uint8_t *bytes)
{
  uint32_t length = m->globals_bytes, n = (uint32_t)random_below(r, 5);
  for (uint32_t i = 0; i < 256; i++)
    bytes[i] = (uint8_t)random_below(r, 256);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t tag = (uint32_t)random_below(r, m->tags);
    bytes[length] = (uint8_t)tag;
    bytes[length + 1] = m->tag_bytes == 2 ? 0 : bytes[length + 1];
    length += m->sizes[tag];
  }
  return length;
}

static void same_cut(const block_cut *a, const block_cut *b)
{
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->components, b->components);
  assert_memory_equal(a->start, b->start, (a->count + 1) * sizeof *a->start);
  assert_memory_equal(a->of, b->of, a->components * sizeof *a->of);
}

/* Tags of equal sizes lead to equal lengths of states that are not cut alike
** as well as of those that are. */
static void cuts_again(void **state)
{
  (void)state;
  const uint32_t sizes[] = {2, 3, 3, 15, 16, 17, 5};
  random_state r;
  random_seed(&r, 2);
  for (uint32_t tag_bytes = 1; tag_bytes <= 2; tag_bytes++)
    for (uint32_t globals = 1; globals < 9; globals += 3) {
      component_map m = {.slices = 1 + globals / 4,
                         .slice_bytes = 4,
                         .globals_bytes = globals,
                         .tag_bytes = tag_bytes,
                         .tags = 7,
                         .sizes = sizes};
      block_plan plan = {.limit = 1 + (uint32_t)random_below(&r, BLOCK_BYTES),
                         .breaks = random_below(&r, 8)};
      block_cut used = {0}, fresh;
      for (int round = 0; round < 500; round++) {
        uint8_t bytes[256];
        uint32_t length = some_state(&r, &m, bytes);
        blocks_cut(&m, &plan, bytes, length, &fresh);
        blocks_cut_again(&m, &plan, bytes, length, &used);
        same_cut(&used, &fresh);
      }
    }
}

/* Tuples are numbered in the order in which they come, one by one or together;
** the tuple 0 has the number 0 from the beginning. */
static void tables(void **state)
{
  (void)state;
  enum { MOST = 40000, BATCH = 64 };
  quads q;
  random_state r;
  random_seed(&r, 3);
  uint32_t *numbers = mem_alloc(MOST * sizeof *numbers), count = 0;
  assert_true(quads_create(&q));
  assert_int_equal(quads_number(&q, (quad){0, 0}, quad_hash((quad){0, 0})), 0);
  for (int round = 0; round < 3000; round++) {
    quads_query list[BATCH];
    uint32_t which[BATCH], answers[BATCH], n = round % 2 ? BATCH : 1;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t most = 1 + (uint32_t)round * 16;
      which[i] = (uint32_t)random_below(&r, most < MOST ? most : MOST);
      quad tuple = {which[i] * UINT64_C(0x100000001), which[i] / 3};
      quads_ask(&list[i], &q, tuple, &answers[i]);
    }
    assert_true(quads_answer(list, n));
    for (uint32_t i = 0; i < n; i++) {
      if (which[i] && !numbers[which[i]])
        numbers[which[i]] = ++count;
      assert_int_equal(answers[i], numbers[which[i]]);
      assert_int_equal(quads_number(&q, list[i].tuple, list[i].hash),
                       answers[i]);
      assert_true(quad_equal(quads_get(&q, answers[i]), list[i].tuple));
    }
  }
  assert_int_equal(q.count, count);
  assert_true(quads_check(&q));
  quads_destroy(&q);
  mem_free(numbers, MOST * sizeof *numbers);
}

UNIT_MAIN(UNIT(keys), UNIT(cuts_again), UNIT(tables))
