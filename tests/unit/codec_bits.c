/* The coder of 'pack+table': codes are one to one, by differences they are the
** same as made whole, and both ways to gather bits agree. */

#include "unit.h"

#include "base/random.h"
#include "codec/bits.h"

enum { LONGEST = 64, WORDS = LONGEST / 8 + 3, STATES = 3000 };

/* Globals of 11 bytes in two slices: a bit, a number of two bytes, and a signed
** one that both slices have a part of; entities of 2 and 6 bytes. */
static const state_field global_fields[] = {
    {0, 1, 1, false}, {1, 300, 2, false}, {6, 0, 4, true}};
static const state_field small_fields[] = {{0, 5, 1, true}, {1, 255, 1, false}};
static const state_field large_fields[] = {{0, 1, 1, false},
                                           {1, UINT32_MAX, 4, false}};
static const state_field moving_fields_of[] = {{1, 0, 2, true}};
static const uint32_t bare_sizes[] = {2, 6}, moving_sizes[] = {3, 7};
static const field_list by_tag[] = {{small_fields, 2}, {large_fields, 2}};
static const field_list moving_by_tag[] = {{moving_fields_of, 1},
                                           {moving_fields_of, 1}};
static const uint16_t tags[] = {0, 1, 0};
static const uint32_t offsets[] = {0, 8, 11, 13, 19, 21};
static const component_map fixed_map = {.fixed = true,
                                        .slices = 2,
                                        .slice_bytes = 8,
                                        .globals_bytes = 11,
                                        .tags = 2,
                                        .sizes = bare_sizes,
                                        .count = 5,
                                        .offsets = offsets};
static const field_map fixed_fields = {
    .globals = {global_fields, 3}, .by_tag = by_tag, .tags = tags};
static const component_map moving_map = {.slices = 2,
                                         .slice_bytes = 8,
                                         .globals_bytes = 11,
                                         .tag_bytes = 1,
                                         .tags = 2,
                                         .sizes = moving_sizes};
static const field_map moving_fields = {.globals = {global_fields, 3},
                                        .by_tag = moving_by_tag};
static const codec_settings settings[] = {{&fixed_map, &fixed_fields},
                                          {&fixed_map, NULL},
                                          {&moving_map, &moving_fields},
                                          {&moving_map, NULL}};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

typedef struct vector {
  uint8_t bytes[LONGEST + CODEC_SLACK];
  uint32_t length;
} vector;

/* The larger 'wild', the more bytes are not small; -1 is as usual as 1. */
static uint8_t some_byte(random_state *r, uint32_t wild)
{
  return (uint8_t)(random_below(r, 1000) < wild ? random_below(r, 256)
                                                : random_below(r, 3) - 1);
}

static void make_state(random_state *r, const component_map *map, uint32_t wild,
                       vector *v)
{
  memset(v, 0, sizeof *v);
  v->length = map->fixed ? 21 : 11;
  for (uint32_t i = 0; i < v->length; i++)
    v->bytes[i] = some_byte(r, wild);
  for (uint32_t n = (uint32_t)random_below(r, 5); !map->fixed && n; n--) {
    uint8_t tag = (uint8_t)random_below(r, 2);
    v->bytes[v->length] = tag;
    for (uint32_t i = 1; i < moving_sizes[tag]; i++)
      v->bytes[v->length + i] = some_byte(r, wild);
    v->length += moving_sizes[tag];
  }
}

/* Changes bytes of some components, and says which. */
static uint64_t change_state(random_state *r, const component_map *map,
                             uint32_t wild, vector *v)
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
        v->bytes[at] = some_byte(r, wild);
    changed |= UINT64_C(1) << i;
  }
  return changed;
}

/* Encodes a state whole, widening the plan if need be.  What is at hand has its
** words rewritten then. */
static const bits_plan *encode(bits_coder *b, const vector *v, uint64_t *words)
{
  const bits_plan *plan;
  assert_true(bits_find_plan(b, v->bytes, v->length, &plan));
  if (bits_encode(b, plan, v->bytes, words))
    return plan;
  assert_true(bits_widen(b, v->bytes, v->length, BITS_NEEDED));
  bits_past past = bits_renew(b);
  bits_drop(b, &past);
  assert_true(bits_find_plan(b, v->bytes, v->length, &plan));
  assert_true(bits_encode(b, plan, v->bytes, words));
  return plan;
}

/* The state comes back, and the other way of gathering says the same. */
static void goes_round(bits_coder *b, const bits_plan *plan, const vector *v,
                       const uint64_t *words)
{
  uint8_t back[LONGEST + CODEC_SLACK];
  uint64_t again[WORDS];
  bool usual = b->has_gather;
  bits_decode(b, plan, words, back);
  assert_memory_equal(back, v->bytes, v->length);
  b->has_gather = false;
  assert_true(bits_encode(b, plan, v->bytes, again));
  assert_memory_equal(again, words, plan->words * sizeof *words);
  memset(back, 0xff, sizeof back);
  bits_decode(b, plan, words, back);
  assert_memory_equal(back, v->bytes, v->length);
  b->has_gather = usual;
}

static void differences(void **state)
{
  (void)state;
  for (unsigned k = 0; k < SETTINGS; k++) {
    bits_coder b;
    random_state r;
    random_seed(&r, 4);
    assert_true(bits_set_up(&b, &settings[k]));
    for (uint32_t i = 0; i < STATES; i++) {
      uint64_t words[WORDS], other[WORDS], third[WORDS];
      vector v;
      make_state(&r, settings[k].map, i / 100, &v);
      const bits_plan *plan = encode(&b, &v, words);
      goes_round(&b, plan, &v, words);
      bits_hand h = {.plan = plan, .state = v.bytes, .words = words};
      vector next = v;
      uint64_t changed = change_state(&r, settings[k].map, i / 100, &next);
      bool fits = bits_encode_changed(&b, &h, next.bytes, changed, other);
      assert_int_equal(bits_encode(&b, plan, next.bytes, third), fits);
      if (fits) {
        assert_memory_equal(other, third, plan->words * sizeof *other);
        goes_round(&b, plan, &next, other);
        assert_true(bits_encode_changed(&b, &h, next.bytes, UINT64_MAX, other));
        assert_memory_equal(other, third, plan->words * sizeof *other);
      }
    }
    assert_true(bits_check(&b));
    assert_true(bits_bytes(&b) > 0);
    bits_give_up(&b);
  }
}

/* A number that never changes has no bits, whatever it is. */
static void constants(void **state)
{
  (void)state;
  bits_coder b;
  uint64_t words[WORDS];
  const bits_plan *plan;
  vector v = {.length = 21};
  for (uint32_t i = 0; i < v.length; i++)
    v.bytes[i] = (uint8_t)(17 * i);
  assert_true(bits_set_up(&b, &settings[0]));
  plan = encode(&b, &v, words);
  assert_int_equal(plan->bytes, 0);
  v.bytes[1] += 5;
  plan = encode(&b, &v, words);
  assert_int_equal(plan->bytes, 1);
  goes_round(&b, plan, &v, words);
  /* Another entity's tag does not fit, whatever else does. */
  bits_give_up(&b);
  assert_true(bits_set_up(&b, &settings[2]));
  vector w = {.length = 14};
  plan = encode(&b, &w, words);
  w.bytes[11] = 1;
  assert_false(bits_encode(&b, plan, w.bytes, words));
  bits_give_up(&b);
}

UNIT_MAIN(UNIT(differences), UNIT(constants))
