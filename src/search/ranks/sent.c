#include "search/ranks/sent.h"

enum { SENT_ROW_LEAST = 16, SENT_ROW_MOST = 1024 }; /* bytes */

static size_t bytes_of(const sent *s)
{
  return ((size_t)s->mask + 1) * s->row * STATE_WORD;
}

/* Rows have room for states that are somewhat longer than the first, where those
** have many parts; none lies in two lines of the cache that could lie in one. */
bool sent_begin(sent *s, uint32_t length)
{
  uint32_t rows = 1, bytes = SENT_ROW_LEAST;
  size_t most = s->most ? s->most : SENT_BYTES;
  uint32_t wanted = length + (length > 32 ? length / 4 : 0) + SENT_HEAD;
  if (s->is_off || length > SENT_ROW_MOST)
    return false;
  while (bytes < wanted)
    bytes += bytes < 64 ? bytes : 64;
  while ((size_t)rows * 2 * bytes <= most)
    rows *= 2;
  s->row = bytes / STATE_WORD;
  s->mask = rows - 1;
  s->is_off = !reserve_create(&s->memory, bytes_of(s)) ||
              !reserve_commit(&s->memory, bytes_of(s));
  s->rows = s->is_off ? NULL : (uint64_t *)(void *)s->memory.base;
  return s->rows;
}

void sent_forget(sent *s)
{
  if (s->rows)
    memset(s->rows, 0, bytes_of(s));
}

void sent_free(sent *s)
{
  reserve_destroy(&s->memory);
  *s = (sent){0};
}
