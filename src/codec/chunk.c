/* The codec 'chunk': a state is cut into pieces of four bytes, and each is
** replaced by its number in the table of its position (Visser, "Memory
** efficient state storage in SPIN", SPIN 1996).  The paper gives a number one
** byte and fails at the 257th piece; ours take as many as they need
** ('codec/number.h').
**
** Where states differ in length the code begins with the bytes in the last
** piece; how many pieces there are is told by the length of the code. */

#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/collapse.h"
#include "codec/number.h"

enum { PIECE = 4 };

/* A state at hand, and the numbers of its pieces; its length is 0 when there
** is none. */
typedef struct in_hand {
  uint8_t *state;
  uint32_t *numbers;
  uint32_t length;
} in_hand;

typedef struct chunk {
  bool fixed;      /* all states have the same length, which is */
  uint32_t length; /* this one */
  part *parts;
  uint32_t part_count, part_room;
  in_hand hands[CODEC_HANDS];
  uint8_t *states;   /* of all hands, 'room' bytes each */
  uint32_t *numbers; /* likewise, for as many pieces as that is */
  uint32_t room;
} chunk;

static uint32_t pieces_of(uint32_t length)
{
  return length / PIECE + (length % PIECE > 0);
}

/* Of the numbers of all hands. */
static size_t number_bytes(uint32_t room)
{
  return (size_t)CODEC_HANDS * pieces_of(room) * sizeof(uint32_t);
}

static void destroy(codec *base)
{
  chunk *c = (chunk *)base;
  if (!c)
    return;
  for (uint32_t i = 0; i < c->part_count; i++)
    collapse_destroy_part(&c->parts[i]);
  mem_free(c->parts, c->part_room * sizeof *c->parts);
  mem_free(c->states, (size_t)CODEC_HANDS * c->room);
  mem_free(c->numbers, number_bytes(c->room));
  mem_free(c, sizeof *c);
}

static codec *create(const codec_settings *settings)
{
  const component_map *map = settings->map;
  chunk *c = mem_try_alloc(sizeof *c);
  if (!c)
    return NULL;
  c->fixed = map->fixed;
  c->length = map->fixed ? map->offsets[map->count] : 0;
  return (codec *)c;
}

static uint32_t most_elements(const codec *base, uint32_t length)
{
  const chunk *c = (const chunk *)base;
  return pieces_of(length) + !c->fixed;
}

static uint32_t most_bytes(const codec *base, uint32_t length)
{
  return NUMBER_MOST * most_elements(base, length);
}

static bool reserve_room(codec *base, uint32_t length)
{
  chunk *c = (chunk *)base;
  if (length <= c->room)
    return true;
  uint32_t pieces = pieces_of(length);
  uint8_t *states = mem_try_alloc((size_t)CODEC_HANDS * length);
  uint32_t *numbers = mem_try_alloc(number_bytes(length));
  if (!states || !numbers) {
    mem_free(states, (size_t)CODEC_HANDS * length);
    mem_free(numbers, number_bytes(length));
    return false;
  }
  for (uint32_t i = 0; i < CODEC_HANDS; i++)
    c->hands[i] =
        (in_hand){states + (size_t)i * length, numbers + (size_t)i * pieces, 0};
  mem_free(c->states, (size_t)CODEC_HANDS * c->room);
  mem_free(c->numbers, number_bytes(c->room));
  c->states = states;
  c->numbers = numbers;
  c->room = length;
  return true;
}

/* Makes tables for so many positions; false: no memory. */
static bool extend(chunk *c, uint32_t count)
{
  if (!collapse_make_room(&c->parts, &c->part_room, count))
    return false;
  for (; c->part_count < count; c->part_count++) {
    if (!collapse_create_part(&c->parts[c->part_count]))
      return false;
    c->parts[c->part_count].is_short = true;
  }
  return true;
}

/* ---- encoding --------------------------------------------------------- */

/* The number of piece 'i', that of the state at hand if they are equal. */
static uint32_t number_of(chunk *c, const codec_state *s, uint32_t i)
{
  uint32_t at = i * PIECE, left = s->length - at;
  uint32_t bytes = left < PIECE ? left : PIECE;
  const in_hand *h = &c->hands[s->hand];
  uint32_t there = h->length > at ? h->length - at : 0;
  bool alike = bytes == PIECE ? there >= PIECE : there == bytes;
  if (alike && !memcmp(h->state + at, s->state + at, bytes))
    return h->numbers[i];
  return collapse_number(&c->parts[i], s->state + at, bytes, left);
}

static bool make_tables(chunk *c, uint32_t length)
{
  uint32_t n = pieces_of(length);
  return n <= c->part_count || extend(c, n);
}

static bool number_all(chunk *c, const codec_state *s, uint32_t *numbers)
{
  uint32_t n = pieces_of(s->length);
  if (!make_tables(c, s->length))
    return false;
  for (uint32_t i = 0; i < n; i++) {
    numbers[i] = number_of(c, s, i);
    if (numbers[i] == COLLAPSE_FULL)
      return false;
  }
  return true;
}

static void take(codec *base, const uint8_t *state, uint32_t length)
{
  chunk *c = (chunk *)base;
  codec_state s = {.state = state, .length = length, .changed = UINT64_MAX};
  in_hand *h = &c->hands[0];
  h->length = number_all(c, &s, h->numbers) ? length : 0;
  if (length)
    memcpy(h->state, state, length);
}

static uint32_t to_tuple(codec *base, const codec_state *s, uint32_t *tuple)
{
  chunk *c = (chunk *)base;
  uint32_t more = !c->fixed;
  if (more)
    tuple[0] = s->length % PIECE;
  return number_all(c, s, tuple + more) ? pieces_of(s->length) + more
                                        : CODEC_FULL;
}

static uint32_t to_bytes(codec *base, const codec_state *s, uint8_t *code)
{
  chunk *c = (chunk *)base;
  uint8_t *out = code;
  uint32_t n = pieces_of(s->length);
  if (!make_tables(c, s->length))
    return CODEC_FULL;
  if (!c->fixed)
    *out++ = (uint8_t)(s->length % PIECE);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t number = number_of(c, s, i);
    if (number == COLLAPSE_FULL)
      return CODEC_FULL;
    out = number_write(out, number);
  }
  return (uint32_t)(out - code);
}

/* ---- decoding --------------------------------------------------------- */

/* Bytes of a state of 'n' pieces of which the last has 'rest', or is whole. */
static uint32_t length_of(uint32_t n, uint32_t rest)
{
  return rest ? (n - 1) * PIECE + rest : n * PIECE;
}

static void put_piece(const chunk *c, uint32_t i, uint32_t number,
                      uint32_t length, uint8_t *state)
{
  uint32_t left = length - i * PIECE;
  memcpy(state + i * PIECE, collapse_string(&c->parts[i], number),
         left < PIECE ? left : PIECE);
}

static uint32_t from_tuple(const codec *base, const uint32_t *tuple,
                           uint32_t length, uint8_t *state)
{
  const chunk *c = (const chunk *)base;
  uint32_t more = !c->fixed, n = length - more;
  uint32_t bytes = c->fixed ? c->length : length_of(n, tuple[0]);
  for (uint32_t i = 0; i < n; i++)
    put_piece(c, i, tuple[i + more], bytes, state);
  return bytes;
}

/* Numbers in a code: as many as bytes that are not the rest of one. */
static uint32_t count_numbers(const uint8_t *code, const uint8_t *end)
{
  uint32_t n = 0, number;
  for (; code < end; n++)
    code = number_read(code, &number);
  return n;
}

static uint32_t from_bytes(const codec *base, const uint8_t *code,
                           uint32_t length, uint8_t *state)
{
  const chunk *c = (const chunk *)base;
  const uint8_t *end = code + length;
  uint32_t bytes = c->length, number;
  if (!c->fixed) {
    uint32_t rest = *code++;
    bytes = length_of(count_numbers(code, end), rest);
  }
  for (uint32_t i = 0; code < end; i++) {
    code = number_read(code, &number);
    put_piece(c, i, number, bytes, state);
  }
  return bytes;
}

static const uint8_t *take_code(codec *base, uint32_t hand, const uint8_t *code,
                                uint32_t code_length, uint32_t *length)
{
  chunk *c = (chunk *)base;
  const uint8_t *end = code + code_length;
  in_hand *h = &c->hands[hand];
  h->length = *length = from_bytes(base, code, code_length, h->state);
  code += !c->fixed;
  for (uint32_t i = 0; code < end; i++)
    code = number_read(code, &h->numbers[i]);
  return h->state;
}

/* ---- the class -------------------------------------------------------- */

static uint32_t element_at(const codec *base, uint32_t at)
{
  (void)base;
  return at / PIECE;
}

static size_t bytes(const codec *base)
{
  const chunk *c = (const chunk *)base;
  size_t sum = sizeof *c + (size_t)CODEC_HANDS * c->room +
               number_bytes(c->room) + c->part_room * sizeof *c->parts;
  for (uint32_t i = 0; i < c->part_count; i++)
    sum += collapse_part_bytes(&c->parts[i]);
  return sum;
}

static bool check(const codec *base)
{
  const chunk *c = (const chunk *)base;
  for (uint32_t i = 0; i < c->part_count; i++)
    if (!collapse_check_part(&c->parts[i]))
      return false;
  return true;
}

const codec_class codec_chunk = {
    .name = "chunk",
    .summary = "pieces of four bytes by number",
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
