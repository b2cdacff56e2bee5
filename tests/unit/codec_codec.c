/* Every codec: codes are one to one, the same at any time, and the states come
** back from them, whatever is at hand and whatever came before. */

#include "unit.h"

#include "base/random.h"
#include "codec/codec.h"

static const codec_class *const classes[] = {&codec_raw, &codec_radix,
                                             &codec_chunk, &codec_collapse};
enum { CLASSES = sizeof classes / sizeof classes[0], LONGEST = 96 };

/* Globals of 11 bytes: a bit, a number up to 300, a signed one, and 4 bytes
** that nothing is known about; entities of 3 and 7 bytes. */
static const state_field global_fields[] = {
    {0, 1, 1, false}, {1, 300, 2, false}, {3, 0, 4, true}};
static const state_field small_fields[] = {{1, 5, 1, false},
                                           {2, 255, 1, false}};
static const state_field large_fields[] = {{1, 1, 1, false},
                                           {2, UINT32_MAX, 4, false}};
static const uint32_t sizes[] = {3, 7};
static const field_list by_tag[] = {{small_fields, 2}, {large_fields, 2}};
static const component_map moving_map = {.slices = 2,
                                         .slice_bytes = 8,
                                         .globals_bytes = 11,
                                         .tag_bytes = 1,
                                         .tags = 2,
                                         .sizes = sizes};
static const field_map moving_fields = {.globals = {global_fields, 3},
                                        .by_tag = by_tag};

/* The same globals, then entities of 2 and 6 bytes that have no tags. */
static const state_field bare_small[] = {{0, 5, 1, false}, {1, 255, 1, false}};
static const state_field bare_large[] = {{0, 1, 1, false},
                                         {1, UINT32_MAX, 4, false}};
static const uint32_t bare_sizes[] = {2, 6};
static const field_list bare_by_tag[] = {{bare_small, 2}, {bare_large, 2}};
static const uint16_t fixed_tags[] = {0, 1, 0};
static const uint32_t fixed_offsets[] = {0, 8, 11, 13, 19, 21};
static const component_map fixed_map = {.fixed = true,
                                        .slices = 2,
                                        .slice_bytes = 8,
                                        .globals_bytes = 11,
                                        .tags = 2,
                                        .sizes = bare_sizes,
                                        .count = 5,
                                        .offsets = fixed_offsets};
static const field_map fixed_fields = {
    .globals = {global_fields, 3}, .by_tag = bare_by_tag, .tags = fixed_tags};

/* Maps, with and without what is known about the fields. */
static const codec_settings settings[] = {{&moving_map, &moving_fields},
                                          {&moving_map, NULL},
                                          {&fixed_map, &fixed_fields},
                                          {&fixed_map, NULL}};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

/* A state, perhaps with room behind it that may be read. */
typedef struct vector {
  uint8_t bytes[LONGEST + CODEC_SLACK];
  uint32_t length;
} vector;

/* A number that is usually small; the larger 'wild', the more are not. */
static uint8_t some_byte(random_state *r, uint32_t wild)
{
  return (uint8_t)(random_below(r, 100) < wild ? random_below(r, 256)
                                               : random_below(r, 3));
}

static void make_state(random_state *r, const component_map *map, uint32_t wild,
                       vector *v)
{
  memset(v, 0, sizeof *v);
  v->length = map->fixed ? 21 : 11;
  for (uint32_t n = (uint32_t)random_below(r, 5); !map->fixed && n; n--) {
    uint8_t tag = (uint8_t)random_below(r, 2);
    v->bytes[v->length] = tag;
    for (uint32_t i = 1; i < sizes[tag]; i++)
      v->bytes[v->length + i] = some_byte(r, wild);
    v->length += sizes[tag];
  }
  for (uint32_t i = 0; i < (map->fixed ? v->length : 11); i++)
    v->bytes[i] = some_byte(r, wild);
}

/* Changes one byte that is not a tag. */
static void change_state(random_state *r, uint32_t wild, vector *v)
{
  v->bytes[random_below(r, 11)] = some_byte(r, wild);
}

typedef struct bench {
  const codec_class *class;
  codec *codec;
  uint8_t code[4 * LONGEST];
  uint32_t tuple[2 * LONGEST];
} bench;

/* Encodes and decodes a state in both ways; returns the length of the code. */
static uint32_t goes_round(bench *b, const vector *v, uint32_t hand)
{
  uint8_t back[LONGEST + CODEC_SLACK];
  codec_state s = {.state = v->bytes,
                   .length = v->length,
                   .hand = hand,
                   .changed = UINT64_MAX};
  uint32_t n = b->class->to_tuple(b->codec, &s, b->tuple);
  assert_true(n <= b->class->most_elements(b->codec, v->length));
  assert_int_equal(b->class->from_tuple(b->codec, b->tuple, n, back),
                   v->length);
  assert_memory_equal(back, v->bytes, v->length);
  n = b->class->to_bytes(b->codec, &s, b->code);
  assert_true(n <= b->class->most_bytes(b->codec, v->length));
  assert_int_equal(b->class->from_bytes(b->codec, b->code, n, back), v->length);
  assert_memory_equal(back, v->bytes, v->length);
  return n;
}

enum { KEPT = 200, ROUNDS = 4000 };

/* States of growing wildness; some are kept with their codes, and encoded again
** and again while others are at hand. */
static void stay_the_same(const codec_class *class, const codec_settings *use,
                          bool learns)
{
  static vector kept[KEPT];
  static uint8_t codes[KEPT][4 * LONGEST];
  static uint32_t lengths[KEPT];
  bench b = {.class = class, .codec = class->create(use)};
  random_state r;
  random_seed(&r, 3);
  vector v;
  assert_non_null(b.codec);
  for (uint32_t i = 0; learns && class->learn && i < 100; i++) {
    make_state(&r, use->map, 0, &v);
    class->learn(b.codec, v.bytes, v.length);
  }
  assert_true(class->reserve(b.codec, LONGEST));
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint32_t hand = (uint32_t)random_below(&r, CODEC_HANDS), k = i % KEPT;
    if (i < KEPT)
      make_state(&r, use->map, i / 8, &kept[k]);
    uint32_t n = goes_round(&b, &kept[k], hand);
    if (i < KEPT) {
      lengths[k] = n;
      memcpy(codes[k], b.code, n);
    }
    assert_int_equal(n, lengths[k]);
    assert_memory_equal(b.code, codes[k], n);
    /* Load one, and encode what it could become. */
    uint32_t length,
        other = (uint32_t)random_below(&r, i < KEPT ? i + 1 : KEPT);
    const uint8_t *taken =
        class->take_code(b.codec, hand, codes[other], lengths[other], &length);
    assert_int_equal(length, kept[other].length);
    assert_memory_equal(taken, kept[other].bytes, length);
    if (random_below(&r, 2))
      class->take(b.codec, kept[other].bytes, length);
    v = kept[other];
    change_state(&r, i / 40, &v);
    goes_round(&b, &v, hand);
    goes_round(&b, &v, 0);
  }
  assert_true(class->check(b.codec));
  assert_true(class->bytes(b.codec) > 0);
  class->destroy(b.codec);
}

static void round_trips(void **state)
{
  (void)state;
  for (unsigned c = 0; c < CLASSES; c++)
    for (unsigned s = 0; s < SETTINGS; s++)
      for (int learns = 0; learns < 2; learns++)
        stay_the_same(classes[c], &settings[s], learns);
}

/* Different states have different codes: all states of two bytes and a bit. */
static void one_to_one(void **state)
{
  (void)state;
  for (unsigned c = 0; c < CLASSES; c++) {
    bench b = {.class = classes[c], .codec = classes[c]->create(&settings[2])};
    static uint64_t seen[1 << 12];
    vector v = {.length = 21};
    uint32_t count = 0;
    assert_true(classes[c]->reserve(b.codec, LONGEST));
    for (uint32_t n = 0; n < 1 << 12; n++) {
      v.bytes[1] = (uint8_t)n;
      v.bytes[20] = (uint8_t)(n >> 8);
      codec_state s = {.state = v.bytes, .length = 21, .changed = UINT64_MAX};
      uint32_t length = classes[c]->to_bytes(b.codec, &s, b.code);
      uint64_t sum = 14695981039346656037u + length;
      for (uint32_t i = 0; i < length; i++)
        sum = (sum ^ b.code[i]) * 1099511628211u;
      for (uint32_t i = 0; i < count; i++)
        assert_true(seen[i] != sum);
      seen[count++] = sum;
    }
    classes[c]->destroy(b.codec);
  }
}

/* Each allocation fails once; afterwards the codec goes on. */
static bool recovers(const codec_class *class, const codec_settings *use,
                     uint64_t n)
{
  bench b = {.class = class};
  random_state r;
  random_seed(&r, 9);
  mem_fail_at(n);
  b.codec = class->create(use);
  bool failed = !b.codec;
  if (failed)
    mem_fail_at(0);
  if (failed)
    return true;
  if (!class->reserve(b.codec, LONGEST)) {
    failed = true;
    mem_fail_at(0);
    assert_true(class->reserve(b.codec, LONGEST));
  }
  for (uint32_t i = 0; i < 60; i++) {
    vector v;
    make_state(&r, use->map, i, &v);
    codec_state s = {
        .state = v.bytes, .length = v.length, .changed = UINT64_MAX};
    if (class->to_bytes(b.codec, &s, b.code) == CODEC_FULL ||
        class->to_tuple(b.codec, &s, b.tuple) == CODEC_FULL)
      failed = true;
    if (failed)
      mem_fail_at(0);
    class->take(b.codec, v.bytes, v.length);
    if (failed)
      goes_round(&b, &v, 0);
  }
  mem_fail_at(0);
  assert_true(class->check(b.codec));
  class->destroy(b.codec);
  return failed;
}

static void memory_comes_back(void **state)
{
  (void)state;
  for (unsigned c = 0; c < CLASSES; c++)
    for (unsigned s = 0; s < SETTINGS; s++) {
      uint64_t n = 1;
      while (recovers(classes[c], &settings[s], n))
        n++;
      assert_true(n > 1);
    }
}

UNIT_MAIN(UNIT(round_trips), UNIT(one_to_one), UNIT(memory_comes_back))
