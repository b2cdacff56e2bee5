/* The set 'table' against a naive set, with narrow and wide slots, under
** limits, and with every allocation failing once. */

#include "unit.h"

#include "base/random.h"
#include "base/vec.h"
#include "store/table/table.h"

#include <stdlib.h>

#define NO_LIMIT ((size_t)1 << 32)

/* The naive set: one string after the other. */
typedef struct twin {
  VEC(uint8_t) bytes;
  VEC(size_t) starts;
} twin;

static uint32_t twin_get(const twin *w, size_t n, const uint8_t **string)
{
  size_t end = n + 1 < w->starts.len ? w->starts.data[n + 1] : w->bytes.len;
  *string = w->bytes.data + w->starts.data[n];
  return (uint32_t)(end - w->starts.data[n]);
}

/* The number of the string, which is added when it is not there. */
static size_t twin_insert(twin *w, const uint8_t *string, uint32_t length)
{
  for (size_t i = 0; i < w->starts.len; i++) {
    const uint8_t *there;
    if (twin_get(w, i, &there) == length &&
        (!length || !memcmp(there, string, length)))
      return i;
  }
  vec_push(&w->starts, w->bytes.len);
  for (uint32_t i = 0; i < length; i++)
    vec_push(&w->bytes, string[i]);
  return w->starts.len - 1;
}

static void twin_free(twin *w)
{
  vec_free(&w->bytes);
  vec_free(&w->starts);
}

static store_result insert(table *t, const uint8_t *string, uint32_t length,
                           store_handle *number)
{
  uint64_t hash = table_hash(string, length);
  table_prefetch(t, hash);
  table_prefetch_string(t, hash);
  return table_insert(t, string, length, hash, number);
}

static void compare(const table *t, const twin *w)
{
  assert_int_equal(t->count, w->starts.len);
  for (size_t n = 0; n < w->starts.len; n++) {
    const uint8_t *expected;
    uint32_t length, expected_length = twin_get(w, n, &expected);
    const uint8_t *got = table_get(t, n, &length);
    assert_int_equal(length, expected_length);
    if (length)
      assert_memory_equal(got, expected, length);
  }
  assert_true(table_check(t));
}

/* Random strings over a small alphabet, so that many come twice. */
static void against_twin(uint32_t wide_from, uint32_t least, uint32_t most,
                         uint64_t seed)
{
  table t;
  twin w = {{0}, {0}};
  random_state r;
  random_seed(&r, seed);
  assert_true(table_create_wide(&t, NO_LIMIT, wide_from));
  uint8_t *string = mem_alloc(most + 1);
  for (unsigned i = 0; i < 3000; i++) {
    uint32_t length = least + (uint32_t)random_below(&r, most - least + 1);
    for (uint32_t k = 0; k < length; k++)
      string[k] = k < 6 ? (uint8_t)random_below(&r, 3) : 7;
    size_t before = w.starts.len, expected = twin_insert(&w, string, length);
    store_handle number = STORE_NO_HANDLE;
    store_result result = insert(&t, string, length, &number);
    assert_int_equal(result, expected == before ? STORE_NEW : STORE_SEEN);
    assert_int_equal(number, expected);
  }
  compare(&t, &w);
  mem_free(string, most + 1);
  table_destroy(&t);
  twin_free(&w);
}

static void random_strings(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 3; seed++)
    for (uint32_t wide_from = 0; wide_from <= 28; wide_from += 7) {
      against_twin(wide_from, 6, 6, seed);   /* one length: no index */
      against_twin(wide_from, 0, 9, seed);   /* codes of one byte */
      against_twin(wide_from, 1, 400, seed); /* of two */
    }
}

/* Lengths beyond 16 bits among more than 256 others need codes of four. */
static void long_strings(void **state)
{
  (void)state;
  table t;
  assert_true(table_create(&t, NO_LIMIT));
  size_t most = 70000;
  uint8_t *string = mem_alloc(most);
  store_handle number;
  for (uint32_t i = 0; i < 600; i++) {
    uint32_t length = i % 50 == 49 ? 69000 + i : i;
    assert_int_equal(insert(&t, string, length, &number), STORE_NEW);
    assert_int_equal(number, i);
  }
  assert_int_equal(t.code_bytes, 4);
  assert_int_equal(t.max_length, 69599);
  for (uint32_t i = 0; i < 600; i++) {
    uint32_t length = i % 50 == 49 ? 69000 + i : i;
    assert_int_equal(insert(&t, string, length, &number), STORE_SEEN);
    assert_int_equal(number, i);
  }
  assert_true(table_check(&t));
  mem_free(string, most);
  table_destroy(&t);
}

/* A string made of a number: distinct for distinct numbers. */
static uint32_t numbered(uint8_t *string, uint64_t n, unsigned lengths)
{
  memset(string, 1, 40);
  memcpy(string + 3, &n, sizeof n);
  return 20 + (uint32_t)(n % lengths);
}

static void cost(unsigned lengths, uint32_t wide_from)
{
  table t;
  uint8_t string[400];
  assert_true(table_create_wide(&t, NO_LIMIT, wide_from));
  for (uint64_t n = 0; n < 200000; n++) {
    memset(string, 0, sizeof string);
    store_handle number;
    uint32_t length = numbered(string, n, lengths);
    assert_int_equal(insert(&t, string, length, &number), STORE_NEW);
    assert_int_equal(number, n);
    if (n >= 500)
      assert_true(table_bytes(&t) <= t.used + 8 * t.count);
  }
  assert_true(table_check(&t));
  table_destroy(&t);
}

/* At most the bytes of the strings plus 8 each, at every moment of growth. */
static void cost_of_a_string(void **state)
{
  (void)state;
  for (uint32_t wide_from = 0; wide_from <= 28; wide_from += 14) {
    cost(1, wide_from);
    cost(3, wide_from);
  }
  cost(300, 28);
}

/* Under any limit the set fills up, says so, and keeps what it has. */
static void limits(void **state)
{
  (void)state;
  uint8_t string[400] = {0};
  for (size_t limit = 0; limit < 100000; limit += 1 + limit / 3) {
    table t;
    if (!table_create(&t, limit))
      continue;
    store_handle number = 0;
    uint64_t n = 0;
    while (insert(&t, string, numbered(string, n, 5), &number) == STORE_NEW)
      assert_int_equal(number, n++);
    assert_true(table_bytes(&t) <= limit);
    assert_int_equal(t.count, n);
    assert_true(table_check(&t));
    for (uint64_t i = 0; i < n; i++) {
      assert_int_equal(insert(&t, string, numbered(string, i, 5), &number),
                       STORE_SEEN);
      assert_int_equal(number, i);
    }
    table_destroy(&t);
  }
}

/* Small sets cost little: the slots start with a kilobyte. */
static void small_at_first(void **state)
{
  (void)state;
  table t;
  assert_true(table_create(&t, NO_LIMIT));
  assert_true(table_bytes(&t) <= 4096);
  store_handle number;
  assert_int_equal(insert(&t, NULL, 0, &number), STORE_NEW);
  assert_int_equal(insert(&t, NULL, 0, &number), STORE_SEEN);
  assert_int_equal(number, 0);
  assert_true(table_check(&t));
  table_destroy(&t);
}

/* With the n-th allocation failing the set answers 'full' and stays whole;
** when memory is back, it goes on. */
static void failing_allocations(void **state)
{
  (void)state;
  uint8_t string[400] = {0};
  bool failed = true;
  for (uint64_t n = 1; failed; n++) {
    table t;
    mem_fail_at(n);
    failed = !table_create(&t, NO_LIMIT);
    if (failed) {
      mem_fail_at(0);
      continue;
    }
    for (uint64_t i = 0; i < 3000; i++) {
      store_handle number;
      uint32_t length = numbered(string, i, 300);
      store_result result = insert(&t, string, length, &number);
      if (result == STORE_FULL) {
        failed = true;
        mem_fail_at(0);
        assert_true(table_check(&t));
        result = insert(&t, string, length, &number);
      }
      assert_int_equal(result, STORE_NEW);
    }
    mem_fail_at(0);
    assert_int_equal(t.count, 3000);
    assert_true(table_check(&t));
    table_destroy(&t);
  }
}

static bool grant_all(mem_budget *b, long long wanted)
{
  b->granted = wanted;
  return true;
}

static bool is_never_over(mem_budget *b)
{
  (void)b;
  return false;
}

static uint64_t looks;
static bool due;

static bool is_due(const mem_budget *b)
{
  (void)b;
  looks++;
  return due;
}

static void expect_many(void *context)
{
  table_expect(context, 1000000);
}

/* Slots that are filled anew look at the clock, and leave the work when time is
** up: the old ones are gone. */
static void growth_can_be_left(void **state)
{
  (void)state;
  table t;
  uint8_t string[8];
  mem_budget budget = {
      .grant = grant_all, .is_over = is_never_over, .is_due = is_due};
  mem_budget *before = mem_use_budget(&budget);
  assert_true(table_create(&t, NO_LIMIT));
  for (uint64_t i = 0; i < 3 * MEM_MOVES; i++) {
    store_handle number;
    memcpy(string, &i, sizeof i);
    assert_int_equal(insert(&t, string, sizeof i, &number), STORE_NEW);
  }
  looks = 0;
  due = true;
  assert_false(mem_protect(expect_many, &t));
  assert_int_equal(looks, 1);
  due = false;
  table_destroy(&t);
  mem_use_budget(before);
}

UNIT_MAIN(UNIT(random_strings), UNIT(long_strings), UNIT(cost_of_a_string),
          UNIT(limits), UNIT(small_at_first), UNIT(failing_allocations),
          UNIT(growth_can_be_left))
