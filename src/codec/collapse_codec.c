/* 'collapse' as a codec for any set: the tuple of component numbers, or these
** numbers as bytes, each in the width that it needs ('codec/number.h').  The
** number of components is told by the length of the code. */

#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/collapse.h"
#include "codec/number.h"

/* A state at hand: its bytes, where its components start, their numbers.
** 'count' is 0 when there is none. */
typedef struct in_hand {
  uint8_t *state;
  uint32_t length, count;
  uint32_t offsets[COMPONENTS_LIMIT + 1];
  uint32_t numbers[COMPONENTS_LIMIT];
} in_hand;

typedef struct collapse_codec {
  collapse tables;
  in_hand hands[CODEC_HANDS];
  uint8_t *states; /* of all hands, 'room' bytes each */
  uint32_t room;
} collapse_codec;

static void destroy(codec *base)
{
  collapse_codec *c = (collapse_codec *)base;
  if (!c)
    return;
  collapse_destroy(&c->tables);
  mem_free(c->states, (size_t)CODEC_HANDS * c->room);
  mem_free(c, sizeof *c);
}

static codec *create(const codec_settings *settings)
{
  const component_map *map = settings->map;
  collapse_codec *c = mem_try_alloc(sizeof *c);
  if (!c)
    return NULL;
  collapse_create(&c->tables, map);
  if (collapse_extend(&c->tables, map->fixed ? map->count : map->slices))
    return (codec *)c;
  destroy((codec *)c);
  return NULL;
}

/* Every component has at least one byte. */
static uint32_t most_elements(const codec *base, uint32_t length)
{
  const collapse_codec *c = (const collapse_codec *)base;
  const component_map *map = &c->tables.map;
  if (map->fixed)
    return map->count;
  uint32_t entities =
      length > map->globals_bytes ? length - map->globals_bytes : 0;
  return map->slices + entities < COMPONENTS_LIMIT ? map->slices + entities
                                                   : COMPONENTS_LIMIT;
}

static uint32_t most_bytes(const codec *base, uint32_t length)
{
  return NUMBER_MOST * most_elements(base, length);
}

/* ---- encoding --------------------------------------------------------- */

/* Components are short, and a call of memcmp costs more than comparing them. */
static inline bool are_equal(const uint8_t *a, const uint8_t *b, uint32_t bytes)
{
  if (bytes > 16)
    return !memcmp(a, b, bytes);
  if (bytes >= 8) {
    uint64_t x[2], y[2];
    memcpy(&x[0], a, 8), memcpy(&x[1], a + bytes - 8, 8);
    memcpy(&y[0], b, 8), memcpy(&y[1], b + bytes - 8, 8);
    return x[0] == y[0] && x[1] == y[1];
  }
  for (uint32_t i = 0; i < bytes; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

/* Whether component 'i' is the same as that of the state at hand. */
static bool is_same(const in_hand *h, const codec_state *s, uint32_t i,
                    uint32_t at, uint32_t bytes)
{
  return i < h->count && h->offsets[i] == at &&
         h->offsets[i + 1] - at == bytes &&
         are_equal(h->state + at, s->state + at, bytes);
}

/* The number of the component at 'from', or of the one at hand if equal. */
static uint32_t number_of(collapse_codec *c, const codec_state *s, uint32_t i,
                          uint32_t from, uint32_t to)
{
  const in_hand *h = &c->hands[s->hand];
  if (is_same(h, s, i, from, to - from))
    return h->numbers[i];
  return collapse_number(&c->tables.parts[i], s->state + from, to - from,
                         s->length - from);
}

static uint32_t encode_all(collapse_codec *c, const codec_state *s,
                           const uint32_t *offsets, uint32_t n,
                           uint32_t *numbers)
{
  if (n > c->tables.part_count && !collapse_extend(&c->tables, n))
    return CODEC_FULL;
  for (uint32_t i = 0; i < n; i++) {
    numbers[i] = number_of(c, s, i, offsets[i], offsets[i + 1]);
    if (numbers[i] == COLLAPSE_FULL)
      return CODEC_FULL;
  }
  return n;
}

/* Only what changed; the components lie as in the state at hand. */
static uint32_t encode_changed(collapse_codec *c, const codec_state *s,
                               uint32_t *numbers)
{
  const in_hand *h = &c->hands[s->hand];
  memcpy(numbers, h->numbers, h->count * sizeof *numbers);
  uint64_t changed = s->changed & UINT64_MAX >> 1;
  for (; changed; changed &= changed - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(changed);
    numbers[i] = number_of(c, s, i, h->offsets[i], h->offsets[i + 1]);
    if (numbers[i] == COLLAPSE_FULL)
      return CODEC_FULL;
  }
  for (uint32_t i = 63; s->changed >> 63 && i < h->count; i++) {
    numbers[i] = number_of(c, s, i, h->offsets[i], h->offsets[i + 1]);
    if (numbers[i] == COLLAPSE_FULL)
      return CODEC_FULL;
  }
  return h->count;
}

static uint32_t to_tuple(codec *base, const codec_state *s, uint32_t *tuple)
{
  collapse_codec *c = (collapse_codec *)base;
  uint32_t offsets[COMPONENTS_LIMIT + 1];
  const in_hand *h = &c->hands[s->hand];
  if (h->count && s->changed != UINT64_MAX && s->length == h->length)
    return encode_changed(c, s, tuple);
  uint32_t n = components_split(&c->tables.map, s->state, s->length, offsets);
  return encode_all(c, s, offsets, n, tuple);
}

static uint32_t to_bytes(codec *base, const codec_state *s, uint8_t *code)
{
  uint32_t numbers[COMPONENTS_LIMIT];
  uint8_t *out = code;
  uint32_t n = to_tuple(base, s, numbers);
  if (n == CODEC_FULL)
    return CODEC_FULL;
  for (uint32_t i = 0; i < n; i++)
    out = number_write(out, numbers[i]);
  return (uint32_t)(out - code);
}

static bool reserve_room(codec *base, uint32_t length)
{
  collapse_codec *c = (collapse_codec *)base;
  if (length <= c->room)
    return true;
  uint8_t *grown = mem_try_alloc((size_t)CODEC_HANDS * length);
  if (!grown)
    return false;
  for (uint32_t i = 0; i < CODEC_HANDS; i++) {
    in_hand *h = &c->hands[i];
    if (h->count && h->length)
      memcpy(grown + (size_t)i * length, h->state, h->length);
    h->state = grown + (size_t)i * length;
  }
  mem_free(c->states, (size_t)CODEC_HANDS * c->room);
  c->states = grown;
  c->room = length;
  return true;
}

static void take(codec *base, const uint8_t *state, uint32_t length)
{
  collapse_codec *c = (collapse_codec *)base;
  codec_state s = {.state = state, .length = length, .changed = UINT64_MAX};
  uint32_t offsets[COMPONENTS_LIMIT + 1];
  uint32_t n = components_split(&c->tables.map, state, length, offsets);
  in_hand *h = &c->hands[0];
  bool done = encode_all(c, &s, offsets, n, h->numbers) != CODEC_FULL;
  h->count = done ? n : 0;
  h->length = length;
  memcpy(h->offsets, offsets, (n + 1) * sizeof *offsets);
  if (length)
    memcpy(h->state, state, length);
}

/* ---- decoding --------------------------------------------------------- */

static uint32_t put_component(const collapse_codec *c, uint32_t i,
                              uint32_t number, uint8_t *out)
{
  const uint8_t *string = collapse_string(&c->tables.parts[i], number);
  uint32_t n = component_bytes(&c->tables.map, i, string);
  memcpy(out, string, n);
  return n;
}

static uint32_t from_tuple(const codec *base, const uint32_t *tuple,
                           uint32_t length, uint8_t *state)
{
  const collapse_codec *c = (const collapse_codec *)base;
  uint32_t at = 0;
  for (uint32_t i = 0; i < length; i++)
    at += put_component(c, i, tuple[i], state + at);
  return at;
}

static uint32_t from_bytes(const codec *base, const uint8_t *code,
                           uint32_t length, uint8_t *state)
{
  const collapse_codec *c = (const collapse_codec *)base;
  const uint8_t *end = code + length;
  uint32_t at = 0;
  for (uint32_t i = 0; code < end; i++) {
    uint32_t number;
    code = number_read(code, &number);
    at += put_component(c, i, number, state + at);
  }
  return at;
}

static const uint8_t *take_code(codec *base, uint32_t hand, const uint8_t *code,
                                uint32_t code_length, uint32_t *length)
{
  collapse_codec *c = (collapse_codec *)base;
  in_hand *h = &c->hands[hand];
  const uint8_t *end = code + code_length;
  uint32_t at = 0, i = 0;
  for (; code < end; i++) {
    code = number_read(code, &h->numbers[i]);
    h->offsets[i] = at;
    at += put_component(c, i, h->numbers[i], h->state + at);
  }
  h->offsets[i] = at;
  h->count = i;
  h->length = *length = at;
  return h->state;
}

/* ---- the class -------------------------------------------------------- */

static uint32_t element_at(const codec *base, uint32_t at)
{
  const component_map *map = &((const collapse_codec *)base)->tables.map;
  uint32_t i = 0;
  while (i + 1 < map->count && map->offsets[i + 1] <= at)
    i++;
  return i;
}

static size_t bytes(const codec *base)
{
  const collapse_codec *c = (const collapse_codec *)base;
  return sizeof *c + (size_t)CODEC_HANDS * c->room + collapse_bytes(&c->tables);
}

static bool check(const codec *base)
{
  const collapse_codec *c = (const collapse_codec *)base;
  return collapse_check(&c->tables);
}

const codec_class codec_collapse = {
    .name = "collapse",
    .summary = "processes, channels and slices of globals by number",
    .create = create,
    .most_bytes = most_bytes,
    .most_elements = most_elements,
    .reserve = reserve_room,
    .take = take,
    .take_code = take_code,
    .to_bytes = to_bytes,
    .to_tuple = to_tuple,
    .from_bytes = from_bytes,
    .from_tuple = from_tuple,
    .element_at = element_at,
    .bytes = bytes,
    .check = check,
    .destroy = destroy,
};
