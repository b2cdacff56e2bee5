/* The path of a depth-first search: entries written, undone and read again. */

#include "search/walk/state_path.h"
#include "base/alloc.h"
#include "base/system/address_space.h"

#include <assert.h>
#include <string.h>

enum {
  NUMBER_MOST = 5,              /* bytes of a number */
  GIVE_BACK = 1 << 20,          /* bytes not needed any more */
  ENTRY_SLACK = NUMBER_MOST * 4 /* behind the runs */
};

static void copy_state(path_point *s, const uint8_t *bytes, uint32_t length)
{
  if (length > s->room) {
    s->bytes = mem_resize(s->bytes, s->room, length);
    s->room = length;
  }
  if (length)
    memcpy(s->bytes, bytes, length);
  s->length = length;
}

/* Longer ones have zeros behind. */
static void set_length(path_point *s, uint32_t length)
{
  if (length > s->room) {
    s->bytes = mem_resize(s->bytes, s->room, length);
    s->room = length;
  }
  if (length > s->length)
    memset(s->bytes + s->length, 0, length - s->length);
  s->length = length;
}

bool path_create(state_path *p, size_t max_bytes, const uint8_t *state,
                 uint32_t length)
{
  *p = (state_path){0};
  if (!space_reserve(&p->entries, max_bytes))
    return false;
  copy_state(&p->first, state, length);
  copy_state(&p->state, state, length);
  return true;
}

void path_destroy(state_path *p)
{
  reserve_destroy(&p->entries);
  mem_free(p->state.bytes, p->state.room);
  mem_free(p->first.bytes, p->first.room);
  mem_free(p->walked.bytes, p->walked.room);
  *p = (state_path){0};
}

/* ---- numbers ----------------------------------------------------------- */

static uint8_t *write_number(uint8_t *at, uint32_t number)
{
  for (; number > 127; number >>= 7)
    *at++ = (uint8_t)(number | 128);
  *at++ = (uint8_t)number;
  return at;
}

static uint32_t read_number(const uint8_t **at)
{
  uint32_t number = 0, shift = 0;
  do
    number |= (uint32_t)(**at & 127) << shift;
  while (shift += 7, *(*at)++ > 127);
  return number;
}

/* The same the other way round, to be read from its end. */
static uint8_t *write_before(uint8_t *at, uint32_t number)
{
  uint8_t bytes[NUMBER_MOST];
  uint32_t count = (uint32_t)(write_number(bytes, number) - bytes);
  while (count)
    *at++ = bytes[--count];
  return at;
}

static uint32_t read_before(const uint8_t **end)
{
  uint32_t number = 0, shift = 0;
  do
    number |= (uint32_t)(*--*end & 127) << shift;
  while (shift += 7, **end > 127);
  return number;
}

/* ---- what differs ------------------------------------------------------ */

static uint8_t byte_of(const uint8_t *state, uint32_t length, uint32_t i)
{
  return i < length ? state[i] : 0;
}

/* The first place from 'i' on at which they differ, or the end of the longer. */
static uint32_t skip_alike(const path_point *s, const uint8_t *state,
                           uint32_t length, uint32_t i, uint32_t most)
{
  uint32_t both = s->length < length ? s->length : length;
  uint64_t a, b;
  for (; i + sizeof a <= both; i += sizeof a) {
    memcpy(&a, s->bytes + i, sizeof a);
    memcpy(&b, state + i, sizeof b);
    if (a != b)
      return i + (uint32_t)__builtin_ctzll(a ^ b) / 8;
  }
  while (i < most &&
         byte_of(s->bytes, s->length, i) == byte_of(state, length, i))
    i++;
  return i;
}

static uint8_t *write_runs(uint8_t *at, const path_point *s,
                           const uint8_t *state, uint32_t length)
{
  uint32_t most = s->length > length ? s->length : length, done = 0;
  for (;;) {
    uint32_t i = skip_alike(s, state, length, done, most);
    if (i == most)
      return at;
    at = write_number(at, i - done);
    uint8_t *count = at++;
    for (*count = 0; i < most && *count < UINT8_MAX; i++, ++*count) {
      uint8_t differs =
          byte_of(s->bytes, s->length, i) ^ byte_of(state, length, i);
      if (!differs)
        break;
      *at++ = differs;
    }
    done = i;
  }
}

static void apply_runs(path_point *s, const uint8_t *at, const uint8_t *end)
{
  for (uint32_t i = 0; at < end;) {
    i += read_number(&at);
    for (uint32_t count = *at++; count; count--)
      s->bytes[i++] ^= *at++;
  }
}

/* ---- forth and back ---------------------------------------------------- */

/* An entry, read from its end. */
typedef struct entry {
  const uint8_t *runs, *runs_end;
  int32_t longer;
  uint32_t next;
} entry;

static entry read_entry(const state_path *p, size_t end)
{
  const uint8_t *at = p->entries.base + end;
  uint32_t size = read_before(&at);
  entry e = {.runs = at - size};
  e.next = read_before(&at);
  uint32_t longer = read_before(&at);
  e.longer = (int32_t)(longer >> 1) ^ -(int32_t)(longer & 1);
  e.runs_end = at;
  return e;
}

static void apply_entry(path_point *s, const entry *e, int32_t longer)
{
  uint32_t length = (uint32_t)((int64_t)s->length + longer);
  if (length > s->length)
    set_length(s, length);
  apply_runs(s, e->runs, e->runs_end);
  set_length(s, length);
}

bool path_push(state_path *p, uint32_t next, const uint8_t *state,
               uint32_t length)
{
  /* At worst every other byte differs: three bytes for two. */
  uint32_t most = p->state.length > length ? p->state.length : length;
  size_t needed = p->used + (size_t)most * 2 + ENTRY_SLACK;
  if (needed > p->entries.committed && !reserve_commit(&p->entries, needed))
    return false;
  uint8_t *start = p->entries.base + p->used;
  uint8_t *at = write_runs(start, &p->state, state, length);
  int32_t longer = (int32_t)(length - p->state.length);
  at = write_before(at, (uint32_t)longer << 1 ^ (uint32_t)(longer >> 31));
  at = write_before(at, next);
  at = write_before(at, (uint32_t)(at - start));
  copy_state(&p->state, state, length);
  p->used = (size_t)(at - p->entries.base);
  p->depth++;
  return true;
}

uint32_t path_pop(state_path *p)
{
  entry e = read_entry(p, p->used);
  apply_entry(&p->state, &e, -e.longer);
  p->used = (size_t)(e.runs - p->entries.base);
  p->depth--;
  if (p->used < p->entries.committed / 2 && p->entries.committed > GIVE_BACK)
    reserve_shrink(&p->entries, p->used + p->used / 4 + GIVE_BACK / 4);
  return e.next;
}

/* ---- the whole path ---------------------------------------------------- */

/* The place of the state before the one at this place. */
static size_t place_before(const state_path *p, size_t place)
{
  return (size_t)(read_entry(p, place).runs - p->entries.base);
}

void path_list(state_path *p, number_list *places)
{
  vec_resize(places, p->depth + 1);
  size_t place = p->used;
  for (uint64_t i = p->depth; i; i--) {
    places->data[i] = place;
    place = place_before(p, place);
  }
  places->data[0] = 0;
  p->walked_to = SIZE_MAX;
}

const uint8_t *path_at(state_path *p, uint64_t place, uint32_t *length)
{
  size_t before = place ? place_before(p, place) : 0;
  if (!before)
    copy_state(&p->walked, p->first.bytes, p->first.length);
  assert(!before || before == p->walked_to);
  if (place) {
    entry e = read_entry(p, place);
    apply_entry(&p->walked, &e, e.longer);
  }
  p->walked_to = place;
  *length = p->walked.length;
  return p->walked.bytes;
}
