/* 'raw' as a codec for any set.  It has nothing to remember. */

#include "codec/raw.h"
#include "base/alloc.h"
#include "codec/codec.h"

#include <string.h>

/* An address of its own, as every codec has. */
typedef uint8_t nothing;

static codec *create(const codec_settings *settings)
{
  (void)settings;
  return mem_try_alloc(sizeof(nothing));
}

static void destroy(codec *c)
{
  mem_free(c, sizeof(nothing));
}

static uint32_t most(const codec *c, uint32_t length)
{
  (void)c;
  return length;
}

static void take(codec *c, const uint8_t *state, uint32_t length)
{
  (void)c, (void)state, (void)length;
}

static uint32_t to_bytes(codec *c, const codec_state *s, uint8_t *code)
{
  (void)c;
  if (s->length)
    memcpy(code, s->state, s->length);
  return s->length;
}

static uint32_t to_tuple(codec *c, const codec_state *s, uint32_t *tuple)
{
  (void)c;
  for (uint32_t i = 0; i < s->length; i++)
    tuple[i] = s->state[i];
  return s->length;
}

static uint32_t from_bytes(const codec *c, const uint8_t *code, uint32_t length,
                           uint8_t *state)
{
  (void)c;
  if (length)
    memcpy(state, code, length);
  return length;
}

static uint32_t from_tuple(const codec *c, const uint32_t *tuple,
                           uint32_t length, uint8_t *state)
{
  (void)c;
  for (uint32_t i = 0; i < length; i++)
    state[i] = (uint8_t)tuple[i];
  return length;
}

static size_t bytes(const codec *c)
{
  (void)c;
  return sizeof(nothing);
}

static bool check(const codec *c)
{
  (void)c;
  return true;
}

const codec_class codec_raw = {
    .name = "raw",
    .summary = "states as they are; as a tuple, one element per byte",
    .create = create,
    .most_bytes = most,
    .most_elements = most,
    .take = take,
    .to_bytes = to_bytes,
    .to_tuple = to_tuple,
    .from_bytes = from_bytes,
    .from_tuple = from_tuple,
    .bytes = bytes,
    .check = check,
    .destroy = destroy,
};
