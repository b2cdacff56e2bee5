/* The tables of the codec: made, grown, checked and destroyed.  Looking up is
** inline, in the header. */

#include "codec/collapse.h"
#include "base/alloc.h"

enum { FIRST_SLOTS = 16 };

void collapse_create(collapse *c, const component_map *map)
{
  memset(c, 0, sizeof *c);
  c->map = *map;
}

void collapse_destroy_part(part *p)
{
  mem_free(p->keys, p->room * sizeof *p->keys);
  index_destroy(&p->index);
  mem_free(p->pool, p->pool_room);
}

void collapse_destroy(collapse *c)
{
  for (uint32_t i = 0; i < c->part_count; i++)
    collapse_destroy_part(&c->parts[i]);
  mem_free(c->parts, c->part_room * sizeof *c->parts);
  memset(c, 0, sizeof *c);
}

/* Whether all strings that can stand at position 'i' have at most 8 bytes. */
static bool is_short_position(const component_map *m, uint32_t i)
{
  if (m->fixed && i >= m->count)
    return true; /* a table more than there are components stays empty */
  if (m->fixed || i < m->slices)
    return component_bytes(m, i, NULL) <= 8;
  for (uint32_t tag = 0; tag < m->tags; tag++)
    if (m->sizes[tag] > 8)
      return false;
  return true;
}

bool collapse_create_part(part *p)
{
  memset(p, 0, sizeof *p);
  return index_create(&p->index, FIRST_SLOTS);
}

bool collapse_make_room(part **parts, uint32_t *room, uint32_t count)
{
  if (count <= *room)
    return true;
  part *larger =
      mem_try_resize(*parts, *room * sizeof *larger, count * sizeof *larger);
  if (!larger)
    return false;
  *parts = larger;
  *room = count;
  return true;
}

static bool create_part(const component_map *map, part *p, uint32_t i)
{
  bool made = collapse_create_part(p);
  p->is_short = is_short_position(map, i);
  return made;
}

bool collapse_extend(collapse *c, uint32_t count)
{
  if (!collapse_make_room(&c->parts, &c->part_room, count))
    return false;
  for (; c->part_count < count; c->part_count++)
    if (!create_part(&c->map, &c->parts[c->part_count], c->part_count))
      return false;
  return true;
}

size_t collapse_part_bytes(const part *p)
{
  return p->room * sizeof *p->keys + index_bytes(&p->index) + p->pool_room;
}

size_t collapse_bytes(const collapse *c)
{
  size_t bytes = c->part_room * sizeof *c->parts;
  for (uint32_t i = 0; i < c->part_count; i++)
    bytes += collapse_part_bytes(&c->parts[i]);
  return bytes;
}

/* ---- growth ----------------------------------------------------------- */

static uint64_t hash_of(const part *p, uint32_t number)
{
  if (p->is_short)
    return hash_mix(p->keys[number - 1]);
  const uint8_t *bytes = collapse_string(p, number);
  return hash_bytes(bytes, collapse_string_length(bytes));
}

/* Where memory is scarce there is none for two of them.  Half an index is of no
** use: this goes on to its end even if time is up. */
static bool widen_index(part *p)
{
  if (!index_widen(&p->index, (p->index.mask + 1) * 2))
    return false;
  for (uint32_t i = 1; i <= p->count; i++)
    index_put(&p->index, hash_of(p, i), i);
  return true;
}

static bool grow_index(part *p)
{
  hash_index grown;
  if (!index_create(&grown, (p->index.mask + 1) * 2))
    return widen_index(p);
  for (uint32_t i = 1; i <= p->count; i++) {
    if (i % MEM_MOVES == 0 && mem_is_due()) {
      index_destroy(&grown);
      return false;
    }
    index_put(&grown, hash_of(p, i), i);
  }
  grown.is_shared = p->index.is_shared;
  index_destroy(&p->index);
  p->index = grown;
  return true;
}

static bool grow_keys(part *p)
{
  uint32_t room = p->room + p->room / 2 + 8;
  uint64_t *keys = mem_try_resize(p->keys, p->room * sizeof *keys,
                                  (size_t)room * sizeof *keys);
  if (!keys)
    return false;
  p->keys = keys;
  p->room = room;
  return true;
}

static bool grow_pool(part *p, size_t need)
{
  size_t room = need + need / 2;
  uint8_t *pool = mem_try_resize(p->pool, p->pool_room, room);
  if (!pool)
    return false;
  memset(pool + p->pool_room, 0, room - p->pool_room);
  p->pool = pool;
  p->pool_room = room;
  return true;
}

static size_t pool_need(const part *p, uint32_t length)
{
  return p->pool_used + sizeof length + length + 8;
}

static bool has_room(const part *p, uint32_t length)
{
  return p->count < INT32_MAX / 4 * 3 && p->count < p->room &&
         !index_is_full(&p->index, p->count + 1) &&
         (p->is_short || pool_need(p, length) <= p->pool_room);
}

static bool make_room(part *p, uint32_t length)
{
  size_t need = pool_need(p, length);
  if (p->count >= INT32_MAX / 4 * 3)
    return false;
  if (p->count == p->room && !grow_keys(p))
    return false;
  if (index_is_full(&p->index, p->count + 1) && !grow_index(p))
    return false;
  return p->is_short || need <= p->pool_room || grow_pool(p, need);
}

bool collapse_make_way(part *p, uint32_t length)
{
  bool refused = p->index.refused;
  p->index.refused = 0;
  return !refused || has_room(p, length) || make_room(p, length);
}

/* Adds a string for which there is room.  Its number comes last. */
static uint32_t put(part *p, const uint8_t *bytes, uint32_t length)
{
  uint64_t *key = &p->keys[p->count++];
  if (p->is_short) {
    *key = collapse_key(bytes, length, length);
  } else {
    memcpy(p->pool + p->pool_used, &length, sizeof length);
    p->pool_used += sizeof length;
    memcpy(p->pool + p->pool_used, bytes, length);
    *key = p->pool_used;
    p->pool_used += length;
  }
  index_put(&p->index, hash_of(p, p->count), p->count);
  return p->count;
}

/* One thread at a time, after another look. */
static uint32_t add_shared(part *p, const uint8_t *bytes, uint32_t length)
{
  spin_lock(&p->index.lock);
  uint32_t number = collapse_find(p, bytes, length, length);
  if (!number) {
    bool fits = has_room(p, length);
    number = fits ? put(p, bytes, length) : COLLAPSE_FULL;
    if (!fits)
      index_refuse(&p->index);
  }
  spin_unlock(&p->index.lock);
  return number;
}

uint32_t collapse_add(part *p, const uint8_t *bytes, uint32_t length)
{
  if (p->index.is_shared)
    return add_shared(p, bytes, length);
  return make_room(p, length) ? put(p, bytes, length) : COLLAPSE_FULL;
}

/* ---- check ------------------------------------------------------------ */

bool collapse_check_part(const part *p)
{
  const hash_index *x = &p->index;
  uint64_t used = 0;
  for (uint64_t i = 0; i <= x->mask; i++)
    used += x->slots[i] != 0;
  for (uint32_t i = 1; i <= p->count; i++) {
    uint64_t hash = hash_of(p, i);
    uint32_t at = index_start(x, hash);
    while (x->slots[at] && index_number(x, at, hash) != i)
      at = index_next(x, at);
    if (!x->slots[at])
      return false;
  }
  return used == p->count;
}

bool collapse_check(const collapse *c)
{
  for (uint32_t i = 0; i < c->part_count; i++)
    if (!collapse_check_part(&c->parts[i]))
      return false;
  return true;
}
