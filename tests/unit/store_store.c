/* Every store behind its class: the same answers as a list of states. */

#include "unit.h"

#include "base/random.h"
#include "store/store.h"
#include "store/table/bits_cells.h"

#include <stdio.h>

enum { STATES = 20000, LONGEST = 48 };

/* State 'n': its number spread over a vector of varying length, so that
** neighbours differ in few bytes, as states do. */
static uint32_t make_state(uint8_t *state, uint32_t n)
{
  memset(state, 0, LONGEST);
  for (unsigned i = 0; i < 8; i++)
    state[4 * i] = n >> 4 * i & 15;
  return 36 + n % 4 * 4;
}

/* The same states as components: 36 bytes of globals, then entities of 4 bytes,
** none to three of them, all of the type with tag 0. */
static const uint32_t sizes[] = {4};
static const component_map map = {.slices = 5,
                                  .slice_bytes = 8,
                                  .globals_bytes = 36,
                                  .tag_bytes = 1,
                                  .tags = 1,
                                  .sizes = sizes};

static void inserts_and_fetches(const store_class *class)
{
  store *s = store_create(class, &map, (size_t)1 << 32);
  assert_non_null(s);
  random_state r;
  random_seed(&r, 5);
  static uint64_t numbers[STATES];
  memset(numbers, 0xff, sizeof numbers);
  uint64_t count = 0;
  uint8_t state[LONGEST], back[LONGEST];
  for (unsigned i = 0; i < 3 * STATES; i++) {
    uint32_t n = (uint32_t)random_below(&r, STATES);
    uint32_t length = make_state(state, n);
    store_handle number = STORE_NO_HANDLE;
    store_result result =
        class->insert(s, state, length, STORE_NO_HANDLE, UINT64_MAX, &number);
    if (numbers[n] == UINT64_MAX) {
      assert_int_equal(result, STORE_NEW);
      numbers[n] = count++;
    } else {
      assert_int_equal(result, STORE_SEEN);
    }
    if (!class->fetch)
      continue;
    if (class->dense)
      assert_int_equal(number, numbers[n]);
    assert_int_equal(class->fetch(s, number, back), length);
    assert_memory_equal(back, state, length);
  }
  assert_int_equal(class->count(s), count);
  assert_int_equal(class->max_length(s), LONGEST);
  assert_true(class->bytes(s) > 0);
  assert_true(class->check(s));
  class->destroy(s);
}

static void all_classes(void **state)
{
  (void)state;
  inserts_and_fetches(&store_bits_cells);
  for (size_t i = 0; store_classes[i]; i++)
    inserts_and_fetches(store_classes[i]);
}

static void names(void **state)
{
  (void)state;
  for (size_t i = 0; store_classes[i]; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s+%s", store_classes[i]->codec,
             store_classes[i]->set);
    assert_ptr_equal(store_find(name), store_classes[i]);
    assert_true(strlen(store_classes[i]->summary) > 0);
    store_classes[i]->destroy(NULL);
  }
  assert_ptr_equal(store_find("bits+table"), store_find("pack+table"));
  assert_ptr_equal(store_find("radix+mdd"), store_find("pack+mdd"));
  assert_ptr_equal(store_find("radix+tree"), store_find("pack+tree"));
  assert_ptr_not_equal(store_find("radix+table"), store_find("pack+table"));
  assert_null(store_find("bits+mdd"));
  assert_null(store_refusal("bits+mdd"));
  assert_non_null(store_refusal("radix+bitstate"));
  assert_null(store_find("raw"));
  assert_null(store_find("raw+"));
  assert_null(store_find("raw+tables"));
  assert_null(store_find(""));
}

/* A store without memory is not made, and one that fills up says so. */
static void no_memory(void **state)
{
  (void)state;
  for (size_t i = 0; store_classes[i]; i++) {
    const store_class *class = store_classes[i];
    store *s = NULL;
    for (uint64_t n = 1; !s; n++) {
      mem_fail_at(n);
      s = store_create(class, &map, (size_t)1 << 32);
      mem_fail_at(0);
    }
    class->destroy(s);
    s = store_create(class, &map, 50000);
    assert_non_null(s);
    uint8_t bytes[LONGEST];
    store_handle number;
    uint32_t n = 0;
    /* Diagrams of these states hardly grow. */
    while (n < 30000 &&
           class->insert(s, bytes, make_state(bytes, n), STORE_NO_HANDLE,
                         UINT64_MAX, &number) == STORE_NEW)
      n++;
    assert_true(n > 0 && class->count(s) == n);
    assert_true(class->check(s));
    class->destroy(s);
  }
}

/* Inserts states whose n-th allocation fails, and goes on after it: the store
** has what it said it has.  Returns whether there was such an allocation. */
static bool recovers(const store_class *class, uint64_t n)
{
  enum { FEW = 40 };
  uint8_t bytes[LONGEST];
  store_handle number;
  unsigned refused = 0;
  store_settings settings = {
      .map = &map, .max_bytes = (size_t)1 << 32, .learn_at = 30};
  store *s = class->create(class, &settings);
  assert_non_null(s);
  mem_fail_at(n);
  for (uint32_t i = 0; i < FEW; i++) {
    uint32_t length = make_state(bytes, i);
    store_result result =
        class->insert(s, bytes, length, STORE_NO_HANDLE, UINT64_MAX, &number);
    if (result == STORE_FULL) {
      refused++;
      mem_fail_at(0);
      result =
          class->insert(s, bytes, length, STORE_NO_HANDLE, UINT64_MAX, &number);
    }
    assert_int_equal(result, STORE_NEW);
  }
  mem_fail_at(0);
  assert_int_equal(class->count(s), FEW);
  assert_true(class->check(s));
  class->destroy(s);
  return refused > 0;
}

/* Entities of all sizes around those at which stores cut. */
static void sizes_around(void **state)
{
  (void)state;
  enum { KINDS = 24, COUNT = 3000, ROOM = 8 + 6 * KINDS };
  uint32_t kinds[KINDS];
  for (uint32_t i = 0; i < KINDS; i++)
    kinds[i] = i + 1;
  component_map kinds_map = {.slices = 1,
                             .slice_bytes = 8,
                             .globals_bytes = 1,
                             .tag_bytes = 1,
                             .tags = KINDS,
                             .sizes = kinds};
  for (size_t i = 0; store_classes[i]; i++) {
    const store_class *class = store_classes[i];
    store_settings settings = {
        .map = &kinds_map, .max_bytes = (size_t)1 << 32, .learn_at = 50};
    store *s = class->create(class, &settings);
    random_state r;
    random_seed(&r, 11);
    uint8_t bytes[ROOM], back[ROOM];
    for (unsigned k = 0; k < COUNT; k++) {
      uint32_t length = 1, n = (uint32_t)random_below(&r, 6);
      bytes[0] = (uint8_t)random_below(&r, 2);
      for (uint32_t e = 0; e < n; e++) {
        uint32_t kind = (uint32_t)random_below(&r, KINDS);
        for (uint32_t b = 0; b < kinds[kind]; b++)
          bytes[length + b] = (uint8_t)(b ? random_below(&r, 256) : kind);
        length += kinds[kind];
      }
      store_handle number;
      assert_true(class->insert(s, bytes, length, STORE_NO_HANDLE, UINT64_MAX,
                                &number) != STORE_FULL);
      assert_int_equal(
          class->insert(s, bytes, length, STORE_NO_HANDLE, UINT64_MAX, &number),
          STORE_SEEN);
      if (!class->fetch)
        continue;
      assert_int_equal(class->fetch(s, number, back), length);
      assert_memory_equal(back, bytes, length);
    }
    assert_true(class->check(s));
    class->destroy(s);
  }
}

/* States whose first byte goes with the last, the second with the last but one,
** and so on: a store that learns puts them together. */
static void learning(void **state)
{
  (void)state;
  enum { COUNT = 60000, BYTES = 24 };
  static uint8_t seen[COUNT];
  uint32_t offsets[BYTES + 1];
  for (uint32_t i = 0; i <= BYTES; i++)
    offsets[i] = i;
  component_map bytes_map = {.fixed = true,
                             .slices = 1,
                             .slice_bytes = 1,
                             .globals_bytes = 1,
                             .count = BYTES,
                             .offsets = offsets};
  store_settings settings = {
      .map = &bytes_map, .max_bytes = (size_t)1 << 32, .learn_at = 500};
  const store_class *class = store_find("collapse+tree");
  store *s = class->create(class, &settings);
  uint64_t count = 0;
  random_state r;
  random_seed(&r, 9);
  memset(seen, 0, sizeof seen);
  for (unsigned i = 0; i < 3 * COUNT; i++) {
    uint32_t n = (uint32_t)random_below(&r, COUNT);
    uint8_t bytes[BYTES], back[BYTES];
    for (uint32_t k = 0; k < BYTES / 2; k++) {
      bytes[k] = (uint8_t)(n * 2654435761u >> (8 + k) & 3);
      bytes[BYTES - 1 - k] = (uint8_t)(7 * bytes[k] + 1);
    }
    memcpy(bytes, &n, 3);
    store_handle number;
    store_result result =
        class->insert(s, bytes, BYTES, STORE_NO_HANDLE, UINT64_MAX, &number);
    assert_int_equal(result, seen[n] ? STORE_SEEN : STORE_NEW);
    count += !seen[n];
    seen[n] = 1;
    assert_int_equal(class->fetch(s, number, back), BYTES);
    assert_memory_equal(back, bytes, BYTES);
  }
  assert_int_equal(class->count(s), count);
  assert_true(class->check(s));
  class->destroy(s);
}

/* Elements in every order, learned from states of a sample or from bytes that
** are used together, as far as there is memory to do so. */
static void orders_of(const store_class *class, element_order order)
{
  enum { COUNT = 500, SAMPLE = 20 };
  static const uint32_t starts[] = {0, 3, 6};
  static const uint32_t together[] = {0, 16, 28, 4, 8, 24};
  byte_footprints footprints = {
      .count = 2, .starts = starts, .bytes = together};
  uint8_t bytes[LONGEST], sampled[SAMPLE][LONGEST];
  codec_state sample[SAMPLE];
  for (uint32_t i = 0; i < SAMPLE; i++)
    sample[i] = (codec_state){.state = sampled[i],
                              .length = make_state(sampled[i], 4 * i)};
  store_settings settings = {.map = &map,
                             .max_bytes = (size_t)1 << 32,
                             .sample = sample,
                             .sample_count = SAMPLE,
                             .footprints = &footprints,
                             .order = order};
  store *s = NULL;
  for (uint64_t n = 1; !s; n++) {
    mem_fail_at(n);
    s = class->create(class, &settings);
    mem_fail_at(0);
  }
  for (uint32_t i = 0; i < 2 * COUNT; i++) {
    store_handle number;
    uint32_t length = make_state(bytes, i % COUNT);
    assert_int_equal(
        class->insert(s, bytes, length, STORE_NO_HANDLE, UINT64_MAX, &number),
        i < COUNT ? STORE_NEW : STORE_SEEN);
  }
  assert_int_equal(class->count(s), COUNT);
  assert_true(class->check(s));
  class->destroy(s);
}

static void orders(void **state)
{
  (void)state;
  static const element_order all[] = {
#define ORDER(name, text, meaning) ELEMENTS_##name,
      ORDERS(ORDER)
#undef ORDER
  };
  for (size_t i = 0; store_classes[i]; i++)
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
      if (store_classes[i]->set_class && store_classes[i]->exact)
        orders_of(store_classes[i], all[k]);
}

static void memory_comes_back(void **state)
{
  (void)state;
  for (size_t i = 0; store_classes[i]; i++) {
    uint64_t n = 1;
    while (recovers(store_classes[i], n))
      n++;
    assert_true(n > 1);
  }
  for (uint64_t n = 1; recovers(&store_bits_cells, n);)
    n++;
}

UNIT_MAIN(UNIT(all_classes), UNIT(names), UNIT(no_memory),
          UNIT(memory_comes_back), UNIT(sizes_around), UNIT(learning),
          UNIT(orders))
