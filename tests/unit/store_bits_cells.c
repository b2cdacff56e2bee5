/* The moving store of 'pack+table' as a search uses it: states made of those at
** hand, numbers that are translated, codes rewritten and further plans, hashes
** that clash; against a table of the states as they are. */

#include "unit.h"

#include "base/random.h"
#include "store/table/bits_cells.h"

enum { STEPS = 6000, LONGEST = 64, TOGETHER = 5 };

static const state_field global_fields[] = {
    {0, 1, 1, false}, {1, 300, 2, false}, {6, 0, 4, true}};
static const uint32_t sizes[] = {3, 7};
static const state_field moving_fields_of[] = {{1, 0, 2, true}};
static const field_list by_tag[] = {{moving_fields_of, 1},
                                    {moving_fields_of, 1}};
static const component_map moving_map = {.slices = 2,
                                         .slice_bytes = 8,
                                         .globals_bytes = 11,
                                         .tag_bytes = 1,
                                         .tags = 2,
                                         .sizes = sizes};
static const field_map moving_fields = {.globals = {global_fields, 3},
                                        .by_tag = by_tag};
static const uint32_t offsets[] = {0, 8, 11, 14, 21};
static const component_map fixed_map = {.fixed = true,
                                        .slices = 2,
                                        .slice_bytes = 8,
                                        .globals_bytes = 11,
                                        .tags = 2,
                                        .sizes = sizes,
                                        .count = 4,
                                        .offsets = offsets};

typedef struct vector {
  uint8_t bytes[LONGEST + CODEC_SLACK];
  uint32_t length;
} vector;

/* Numbers become larger as time goes by. */
static uint8_t some_byte(random_state *r, uint32_t time)
{
  uint32_t most = 2 + time / 300;
  return (uint8_t)random_below(r, random_below(r, 20) ? 2 : most);
}

static void first_state(random_state *r, const component_map *map, vector *v)
{
  memset(v, 0, sizeof *v);
  v->length = map->fixed ? 21 : 11;
  for (uint32_t n = (uint32_t)random_below(r, 4); !map->fixed && n; n--) {
    v->bytes[v->length] = (uint8_t)random_below(r, 2);
    v->length += sizes[v->bytes[v->length]];
  }
}

static uint64_t change_state(random_state *r, const component_map *map,
                             uint32_t time, vector *v)
{
  uint32_t starts[COMPONENTS_LIMIT + 1];
  uint32_t n = components_split(map, v->bytes, v->length, starts);
  uint64_t changed = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (random_below(r, 3))
      continue;
    uint32_t tag = i >= map->slices ? map->tag_bytes : 0;
    for (uint32_t at = starts[i] + tag; at < starts[i + 1]; at++)
      if (!random_below(r, 2))
        v->bytes[at] = some_byte(r, time);
    changed |= UINT64_C(1) << i;
  }
  return changed;
}

/* What the test knows: the states in the order of their arrival, and what the
** store calls them now. */
typedef struct known {
  table states;
  store_handle numbers[STEPS * TOGETHER];
} known;

static void translate_all(bits_cells *t, known *k)
{
  if (!bits_cells_moved(t))
    return;
  for (uint64_t i = 0; i < k->states.count; i++)
    k->numbers[i] = bits_cells_translate(t, k->numbers[i]);
  bits_cells_forget(t);
}

static void offer_all(bits_cells *t, known *k, const store_offer *offers,
                      uint32_t count)
{
  bits_cells_probe probes[TOGETHER];
  assert_true(bits_cells_prepare(t, offers, probes, count));
  translate_all(t, k);
  for (uint32_t i = 0; i < count; i++)
    bits_cells_approach(t, probes[i]);
  for (uint32_t i = 0; i < count; i++) {
    store_handle number = 0, twin = 0;
    const store_offer *o = &offers[i];
    store_result result = bits_cells_insert(t, probes[i], o, &number);
    assert_int_equal(result,
                     table_insert(&k->states, o->state, o->length,
                                  table_hash(o->state, o->length), &twin));
    if (result == STORE_NEW)
      k->numbers[twin] = number;
    assert_int_equal(number, k->numbers[twin]);
  }
}

/* Loads a known state, which must be what it was. */
static void take(bits_cells *t, const known *k, uint64_t which, vector *v)
{
  uint32_t length, twin;
  bits_cells_foresee(t, k->numbers[which]);
  const uint8_t *state =
      bits_cells_view(t, k->numbers[which], 0, NULL, &length);
  const uint8_t *right = table_get(&k->states, which, &twin);
  assert_int_equal(length, twin);
  assert_memory_equal(state, right, length);
  memset(v, 0, sizeof *v);
  memcpy(v->bytes, state, length);
  v->length = length;
}

/* What the store has beside memory that is counted for all. */
static size_t reserved(bits_cells *t)
{
  size_t bytes = table_bytes(&t->verbatim);
  for (uint32_t i = 0; i < t->set_room; i++)
    bytes += cells_bytes(&t->sets[i]);
  for (uint32_t i = 0; i < t->later_count; i++)
    bytes += cells_bytes(&t->later[i].set);
  return bytes;
}

static void walks(const component_map *map, const field_map *fields,
                  uint64_t recoded_most, uint32_t hash_bits)
{
  static known k;
  store_settings settings = {
      .map = map, .fields = fields, .max_bytes = (size_t)1 << 30};
  size_t live = mem_live();
  store *s = store_bits_cells.create(&store_bits_cells, &settings);
  bits_cells *t = bits_cells_of(s);
  random_state r;
  random_seed(&r, 3);
  t->recoded_most = recoded_most;
  t->hash_bits = hash_bits;
  assert_true(table_create(&k.states, (size_t)1 << 30));
  for (uint32_t time = 0; time < STEPS; time++) {
    vector v, next[TOGETHER];
    store_offer offers[TOGETHER];
    bool fresh = !k.states.count || !random_below(&r, 50);
    if (fresh)
      first_state(&r, map, &v);
    else
      take(t, &k, random_below(&r, k.states.count), &v);
    for (uint32_t i = 0; i < TOGETHER; i++) {
      next[i] = v;
      uint64_t changed = change_state(&r, map, time, &next[i]);
      offers[i] = (store_offer){.state = next[i].bytes,
                                .length = v.length,
                                .changed = fresh ? UINT64_MAX : changed};
    }
    offer_all(t, &k, offers, TOGETHER);
  }
  assert_int_equal(store_bits_cells.count(s), k.states.count);
  assert_true(store_bits_cells.check(s));
  if (hash_bits < 20)
    assert_true(t->clashes > 0);
  if (!recoded_most)
    assert_true(t->later_count > 1);
  table_destroy(&k.states);
  assert_int_equal(store_bits_cells.bytes(s), mem_live() - live + reserved(t));
  store_bits_cells.destroy(s);
}

static void random_walks(void **state)
{
  (void)state;
  static const uint64_t most[] = {0, 5000, UINT64_MAX / 2};
  for (uint32_t i = 0; i < 3; i++) {
    walks(&fixed_map, NULL, most[i], CELLS_HASH_BITS);
    walks(&moving_map, &moving_fields, most[i], CELLS_HASH_BITS);
    walks(&moving_map, NULL, most[i], CELLS_HASH_BITS);
  }
}

/* So few bits of hashes that some clash. */
static void clashes(void **state)
{
  (void)state;
  walks(&fixed_map, NULL, 500, 19);
  walks(&moving_map, &moving_fields, 100, 17);
}

UNIT_MAIN(UNIT(random_walks), UNIT(clashes))
