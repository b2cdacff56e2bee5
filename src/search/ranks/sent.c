#include "search/ranks/sent.h"

#include "base/alloc.h"
#include <string.h>

enum { SENT_ROW_LEAST = 32, SENT_ROW_MOST = 1024, HEAD = 2 };

static size_t bytes_of(const sent *s)
{
  return s->rows ? ((size_t)s->mask + 1) * s->row : 0;
}

/* Rows have room for states that are somewhat longer than the first. */
static bool make_rows(sent *s, uint32_t length)
{
  uint32_t rows = 1;
  size_t most = s->most ? s->most : SENT_BYTES;
  s->row = SENT_ROW_LEAST;
  while (s->row < length + length / 4 + HEAD)
    s->row += SENT_ROW_LEAST;
  while ((size_t)rows * 2 * s->row <= most)
    rows *= 2;
  s->mask = rows - 1;
  s->rows = mem_try_alloc((size_t)rows * s->row);
  return s->rows;
}

bool sent_before(sent *s, uint64_t hash, const uint8_t *state, uint32_t length)
{
  if (length > SENT_ROW_MOST || (!s->rows && !make_rows(s, length)) ||
      length + HEAD > s->row)
    return false;
  uint8_t *at = s->rows + (size_t)((uint32_t)hash & s->mask) * s->row;
  uint16_t head = (uint16_t)(length + 1), there;
  memcpy(&there, at, HEAD);
  s->asked++;
  if (there == head && !memcmp(at + HEAD, state, length)) {
    s->found++;
    return true;
  }
  memcpy(at, &head, HEAD);
  memcpy(at + HEAD, state, length);
  return false;
}

void sent_forget(sent *s)
{
  if (s->rows)
    memset(s->rows, 0, bytes_of(s));
}

void sent_free(sent *s)
{
  mem_free(s->rows, bytes_of(s));
  *s = (sent){0};
}
