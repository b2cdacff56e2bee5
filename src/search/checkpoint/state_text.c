/* States of a file; see state_text.h. */

#include "search/checkpoint/state_text.h"

#include "codec/codec.h"

#include <string.h>

/* ---- writing --------------------------------------------------------------- */

static uint32_t count_differences(const state_writer *w, const uint8_t *state)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->length; i++)
    n += w->last[i] != state[i];
  return n;
}

static void put_differences(const state_writer *w, const uint8_t *state)
{
  uint32_t from = 0;
  for (uint32_t i = 0; i < w->length; i++)
    if (w->last[i] != state[i]) {
      block_put_number(w->to, i - from);
      block_put(w->to, &state[i], 1);
      from = i + 1;
    }
}

void state_write(state_writer *w, const uint8_t *state, uint32_t length,
                 bool marked)
{
  block_put_number(w->to, ((uint64_t)length + 1) << 1 | marked);
  uint32_t n = length == w->length ? count_differences(w, state) : 0;
  if (length == w->length)
    block_put_number(w->to, n <= length / 3 ? n : length + 1);
  if (length == w->length && n <= length / 3)
    put_differences(w, state);
  else
    block_put(w->to, state, length);
  if (length)
    memcpy(w->last, state, length);
  w->length = length;
}

/* ---- reading --------------------------------------------------------------- */

void state_read_begin(state_reader *r, block_reader *from, uint32_t longest)
{
  r->from = from;
  r->longest = longest;
  r->length = UINT32_MAX;
  vec_resize(&r->state, longest + CODEC_SLACK);
}

static bool read_differences(state_reader *r, uint64_t count)
{
  uint64_t at = 0;
  for (; count; count--, at++) {
    at += block_get_number(r->from);
    if (block_problem(r->from) || at >= r->length)
      return block_damaged(r->from, "a state in it is too long");
    block_get(r->from, &r->state.data[at], 1);
  }
  return !block_problem(r->from);
}

/* How many bytes differ; 0 and an error if that cannot be. */
static uint64_t read_count(state_reader *r)
{
  uint64_t n = block_get_number(r->from);
  if (n <= (uint64_t)r->length + 1)
    return n;
  block_damaged(r->from, "a number in it is too large");
  return 0;
}

bool state_read(state_reader *r, bool *marked)
{
  uint64_t head = block_get_number(r->from), length = (head >> 1) - 1;
  if (!head || block_problem(r->from))
    return false;
  if (head < 2 || length > r->longest)
    return block_damaged(r->from, "a state in it is too long");
  *marked = head & 1;
  bool is_told = length == r->length;
  r->length = (uint32_t)length;
  uint64_t n = is_told ? read_count(r) : length + 1;
  if (n <= length)
    return read_differences(r, n);
  return block_get(r->from, r->state.data, length) || !length;
}
