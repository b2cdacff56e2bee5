/* Sets of codes of one length against a list of what is in them. */

#include "unit.h"

#include "base/random.h"
#include "store/table/cells.h"

enum { CODES = 4000, WORDS = 12 };

/* Code 'n' of so many bytes; short ones are not all different. */
static void make_code(uint64_t *words, uint32_t n, uint32_t bytes)
{
  uint8_t code[8 * WORDS] = {0};
  for (uint32_t i = 0; i < bytes; i++)
    code[i] = (uint8_t)(n >> 8 * (i % 3) & (i < 6 ? 0xff : 0x11));
  memcpy(words, code, sizeof code);
}

/* The first of the codes that equals this one. */
static uint32_t first_like(uint32_t n, uint32_t bytes)
{
  if (bytes == 0)
    return 0;
  return bytes == 1 ? n & 0xff : n;
}

static uint64_t like(const cells *c, const bool *in, uint32_t n)
{
  uint64_t words[WORDS], hash;
  make_code(words, n, c->kind.bytes);
  hash = cells_hash(c, words);
  for (uint32_t i = 0; i < CODES; i++) {
    make_code(words, i, c->kind.bytes);
    if (in[i] && cells_hash(c, words) == hash)
      return i;
  }
  return CODES;
}

static void inserts(uint32_t bytes, uint32_t hash_bits)
{
  static bool in[CODES];
  cells c;
  cells_kind kind = {bytes, hash_bits, 7};
  uint64_t count = 0, spare[WORDS];
  random_state r;
  random_seed(&r, bytes + 1);
  memset(in, 0, sizeof in);
  assert_true(cells_create(&c, &kind, 1, (size_t)1 << 30));
  for (uint32_t i = 0; i < 2 * CODES; i++) {
    uint32_t n = first_like((uint32_t)random_below(&r, CODES), bytes);
    uint64_t words[WORDS], back[WORDS] = {0}, place;
    make_code(words, n, bytes);
    assert_true(cells_make_room(&c, 1, spare, (size_t)1 << 30));
    uint64_t hash = cells_hash(&c, words);
    cells_answer answer = cells_find(&c, words, hash, &place);
    if (answer == CELLS_CLASH) {
      assert_false(in[n]);
      assert_true(like(&c, in, n) < CODES);
      continue;
    }
    assert_int_equal(answer, in[n] ? CELLS_FOUND : CELLS_ABSENT);
    if (answer == CELLS_ABSENT) {
      if (i % 64 == 0)
        assert_int_equal(like(&c, in, n), CODES);
      cells_put(&c, place, words, hash);
      in[n] = true;
      count++;
    }
    cells_get(&c, hash, back);
    assert_memory_equal(back, words, bytes);
  }
  assert_int_equal(c.count, count);
  assert_true(cells_check(&c));
  for (uint64_t at = cells_next(&c, 0); at != CELLS_END;
       at = cells_next(&c, at + 1))
    count--;
  assert_int_equal(count, 0);
  assert_true(cells_bytes(&c) >= c.count * bytes);
  cells_destroy(&c);
}

static void all_lengths(void **state)
{
  (void)state;
  static const uint32_t lengths[] = {0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 40, 79};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    inserts(lengths[i], CELLS_HASH_BITS);
    inserts(lengths[i], 16);
  }
}

/* A set that may not become larger becomes fuller, and then says so. */
static void no_room(void **state)
{
  (void)state;
  cells c;
  cells_kind kind = {11, CELLS_HASH_BITS, 1};
  uint64_t words[WORDS], spare[WORDS], place;
  assert_false(cells_create(&c, &kind, 1, 100));
  assert_true(cells_create(&c, &kind, 100, 1 << 20));
  uint64_t limit = c.limit;
  uint32_t n = 0;
  for (; cells_make_room(&c, 1, spare, 1000); n++) {
    make_code(words, n, 11);
    uint64_t hash = cells_hash(&c, words);
    assert_int_equal(cells_find(&c, words, hash, &place), CELLS_ABSENT);
    cells_put(&c, place, words, hash);
  }
  assert_true(n > limit && c.count == n);
  assert_true(cells_check(&c));
  assert_true(cells_make_room(&c, 1, spare, 1 << 20));
  assert_true(cells_check(&c));
  cells_destroy(&c);
  for (uint64_t k = 1;; k++) {
    mem_fail_at(k);
    bool made = cells_create(&c, &kind, 1, 1 << 20);
    mem_fail_at(0);
    if (made)
      break;
  }
  cells_destroy(&c);
}

UNIT_MAIN(UNIT(all_lengths), UNIT(no_room))
