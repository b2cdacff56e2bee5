/* 'raw' as a codec for any set.  It has nothing to remember but the states that
** were taken back last. */

#include "codec/raw.h"
#include "base/alloc.h"
#include "codec/codec.h"

#include <string.h>

typedef struct raw_states {
  uint8_t *states; /* of all hands, 'room' bytes each */
  uint32_t room;
} raw_states;

static codec *create(const codec_settings *settings)
{
  (void)settings;
  return mem_try_alloc(sizeof(raw_states));
}

static void destroy(codec *base)
{
  raw_states *c = (raw_states *)base;
  if (!c)
    return;
  mem_free(c->states, (size_t)CODEC_HANDS * c->room);
  mem_free(c, sizeof *c);
}

static uint32_t most(const codec *base, uint32_t length)
{
  (void)base;
  return length;
}

static void take(codec *base, const uint8_t *state, uint32_t length)
{
  (void)base, (void)state, (void)length;
}

static bool reserve_room(codec *base, uint32_t length)
{
  raw_states *c = (raw_states *)base;
  if (length <= c->room)
    return true;
  uint8_t *states = mem_try_resize(c->states, (size_t)CODEC_HANDS * c->room,
                                   (size_t)CODEC_HANDS * length);
  if (!states)
    return false;
  c->states = states;
  c->room = length;
  return true;
}

static const uint8_t *take_code(codec *base, uint32_t hand, const uint8_t *code,
                                uint32_t code_length, uint32_t *length)
{
  raw_states *c = (raw_states *)base;
  uint8_t *state = c->states + (size_t)hand * c->room;
  if (code_length)
    memcpy(state, code, code_length);
  *length = code_length;
  return state;
}

static uint32_t to_bytes(codec *base, const codec_state *s, uint8_t *code)
{
  (void)base;
  if (s->length)
    memcpy(code, s->state, s->length);
  return s->length;
}

static uint32_t to_tuple(codec *base, const codec_state *s, uint32_t *tuple)
{
  (void)base;
  for (uint32_t i = 0; i < s->length; i++)
    tuple[i] = s->state[i];
  return s->length;
}

static uint32_t from_bytes(const codec *base, const uint8_t *code,
                           uint32_t length, uint8_t *state)
{
  (void)base;
  if (length)
    memcpy(state, code, length);
  return length;
}

static uint32_t from_tuple(const codec *base, const uint32_t *tuple,
                           uint32_t length, uint8_t *state)
{
  (void)base;
  for (uint32_t i = 0; i < length; i++)
    state[i] = (uint8_t)tuple[i];
  return length;
}

static uint32_t element_at(const codec *base, uint32_t at)
{
  (void)base;
  return at;
}

static size_t bytes(const codec *base)
{
  const raw_states *c = (const raw_states *)base;
  return sizeof *c + (size_t)CODEC_HANDS * c->room;
}

static bool check(const codec *base)
{
  (void)base;
  return true;
}

const codec_class codec_raw = {
    .name = "raw",
    .summary = "states as they are; as a tuple, one element per byte",
    .create = create,
    .most_bytes = most,
    .most_elements = most,
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
