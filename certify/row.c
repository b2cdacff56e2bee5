/* States as rows of numbers, rows as bytes, and sets of these. */

#include "certify.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

const process_type *type_of(const model *m, const state *s, uint32_t process)
{
  return &m->processes.data[s->row[s->process_at[process]]];
}

const location *place_of(const model *m, const state *s, uint32_t process)
{
  return &type_of(m, s, process)
              ->locations.data[s->row[s->process_at[process] + 1]];
}

uint32_t how_many_at(const model *m, const state *s, uint32_t flag)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->processes; i++)
    count += (place_of(m, s, i)->flags & flag) != 0;
  return count;
}

void state_copy(state *s, const state *from)
{
  s->row = grow(s->row, &s->cap, from->len + 1, sizeof *s->row);
  memcpy(s->row, from->row, from->len * sizeof *s->row);
  s->len = from->len;
  s->processes = from->processes;
  s->channels = from->channels;
  memcpy(s->process_at, from->process_at,
         (from->processes + 1) * sizeof *s->process_at);
  memcpy(s->channel_at, from->channel_at,
         (from->channels + 1) * sizeof *s->channel_at);
}

/* A number of the row that must be from 0 on and below 'end'. */
static uint32_t small(const state *s, size_t at, uint64_t end)
{
  if (at >= s->len || s->row[at] < 0 || (uint32_t)s->row[at] >= end)
    damaged("a state is not one of the model");
  return (uint32_t)s->row[at];
}

/* Finds processes and channels in the row. */
static void walk(const model *m, state *s, size_t more)
{
  size_t at = m->count_at;
  if (m->trace)
    small(s, m->trace_at, m->trace->locations.len);
  s->processes = small(s, at++, MOST + 1);
  for (uint32_t i = 0; i < s->processes; i++) {
    const process_type *p = &m->processes.data[small(s, at, m->processes.len)];
    if (p->kind != PROCESS)
      damaged("an observer is a process of a state");
    small(s, at + 1, p->locations.len);
    s->process_at[i] = (uint32_t)at;
    at += m->locals_at + p->vars.size;
  }
  s->channels = small(s, at++, MOST + 1);
  for (uint32_t i = 1; i <= s->channels; i++) {
    const channel_type *c = &m->channels.data[small(s, at, m->channels.len)];
    s->channel_at[i] = (uint32_t)at;
    at +=
        2 + (size_t)small(s, at + 1, c->capacity + UINT64_C(1)) * c->fields.len;
  }
  if (at + more != s->len)
    damaged("a state is not one of the model");
}

/* A number from 0 to 254 is a byte; all others are 255 and four bytes, the
** highest first. */
enum { LONG = 255 };

void put_bytes(bytes *b, const uint8_t *data, size_t len)
{
  b->data = grow(b->data, &b->cap, b->len + len + 1, 1);
  if (len)
    memcpy(b->data + b->len, data, len);
  b->len += len;
}

void put_number(bytes *b, int32_t value)
{
  uint32_t v = (uint32_t)value;
  uint8_t all[5] = {LONG, (uint8_t)(v >> 24), (uint8_t)(v >> 16),
                    (uint8_t)(v >> 8), (uint8_t)v};
  put_bytes(b, v < LONG ? all + 4 : all, v < LONG ? 1 : 5);
}

bool get_number(const bytes *b, size_t *at, int32_t *value)
{
  uint32_t v = 0;
  if (*at >= b->len)
    return false;
  *value = b->data[(*at)++];
  if (*value < LONG)
    return true;
  if (b->len - *at < 4)
    return false;
  for (int i = 0; i < 4; i++)
    v = v << 8 | b->data[(*at)++];
  *value = (int32_t)v;
  return v >= LONG;
}

void state_pack(const state *s, bytes *b)
{
  b->len = 0;
  b->data = grow(b->data, &b->cap, 5 * s->len, 1);
  for (size_t i = 0; i < s->len; i++) {
    if ((uint32_t)s->row[i] < LONG)
      b->data[b->len++] = (uint8_t)s->row[i];
    else
      put_number(b, s->row[i]);
  }
}

void state_unpack(const model *m, const bytes *b, state *s, size_t more)
{
  size_t at = 0;
  s->row = grow(s->row, &s->cap, b->len + 1, sizeof *s->row);
  s->len = 0;
  while (at < b->len)
    if (!get_number(b, &at, &s->row[s->len++]))
      damaged("a number of a state is not written as it must be");
  walk(m, s, more);
}

/* ---- sets ----------------------------------------------------------------- */

/* A string, and its bytes behind it.  'next' is in units of four, so that 16 GB
** can be held; 0: none. */
typedef struct entry {
  uint32_t next, bound, length;
} entry;

enum { UNIT = 4 };

void strings_clear(strings *s)
{
  free(s->heads);
  s->heads = have(s->size * sizeof *s->heads);
  s->count = 0;
  s->kept.len = UNIT;
}

static entry *entry_at(const strings *s, uint32_t at)
{
  return (entry *)(void *)(s->kept.data + (size_t)at * UNIT);
}

/* Where the list begins that a string is in. */
static uint32_t *head_of(const strings *s, const bytes *b)
{
  uint64_t hash = XXH3_64bits(b->data, b->len) >> 32;
  return &s->heads[hash * s->size >> 32];
}

uint32_t *strings_bound(const strings *s, const bytes *b)
{
  for (uint32_t at = *head_of(s, b); at; at = entry_at(s, at)->next) {
    entry *e = entry_at(s, at);
    if (e->length == b->len && !memcmp(e + 1, b->data, b->len))
      return &e->bound;
  }
  return NULL;
}

bool strings_add(strings *s, const bytes *b, uint32_t bound)
{
  uint32_t *known = strings_bound(s, b), *head = head_of(s, b);
  size_t at = s->kept.len / UNIT;
  if (known) {
    *known = bound < *known ? bound : *known;
    return false;
  }
  if (at >= UINT32_MAX)
    give_up("there are too many states to look for at once");
  s->kept.len += (sizeof(entry) + b->len + UNIT - 1) / UNIT * UNIT;
  s->kept.data = grow(s->kept.data, &s->kept.cap, s->kept.len, 1);
  *entry_at(s, (uint32_t)at) = (entry){*head, bound, (uint32_t)b->len};
  memcpy(entry_at(s, (uint32_t)at) + 1, b->data, b->len);
  *head = (uint32_t)at;
  s->count++;
  return true;
}
