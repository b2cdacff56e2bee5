#include "store/pairs.h"
#include "base/alloc.h"
#include <string.h>

enum { FIRST_SLOTS = 64 };

bool pairs_create(pairs *p)
{
  memset(p, 0, sizeof *p);
  return index_create(&p->index, FIRST_SLOTS);
}

void pairs_destroy(pairs *p)
{
  mem_free(p->list, p->room * sizeof *p->list);
  index_destroy(&p->index);
  memset(p, 0, sizeof *p);
}

size_t pairs_bytes(const pairs *p)
{
  return p->room * sizeof *p->list + index_bytes(&p->index);
}

static bool grow_index(pairs *p)
{
  hash_index grown;
  if (!index_create(&grown, (p->index.mask + 1) * 2))
    return false;
  for (uint32_t i = 1; i <= p->count; i++)
    index_put(&grown, hash_mix(p->list[i - 1]), i);
  index_destroy(&p->index);
  p->index = grown;
  return true;
}

static bool grow_list(pairs *p)
{
  uint32_t room = p->room + p->room / 2 + 32;
  uint64_t *list = mem_try_resize(p->list, p->room * sizeof *list,
                                  (size_t)room * sizeof *list);
  if (!list)
    return false;
  p->list = list;
  p->room = room;
  return true;
}

uint32_t pairs_add(pairs *p, uint64_t pair)
{
  if (p->count >= INT32_MAX / 4 * 3)
    return PAIRS_FULL;
  if (p->count == p->room && !grow_list(p))
    return PAIRS_FULL;
  if (index_is_full(&p->index, p->count + 1) && !grow_index(p))
    return PAIRS_FULL;
  p->list[p->count++] = pair;
  index_put(&p->index, hash_mix(pair), p->count);
  return p->count;
}

/* Every pair is found under its number, and nothing else is there. */
bool pairs_check(const pairs *p)
{
  const hash_index *x = &p->index;
  uint64_t used = 0;
  for (uint64_t i = 0; i <= x->mask; i++)
    used += x->slots[i] != 0;
  for (uint32_t i = 1; i <= p->count; i++) {
    uint64_t hash = hash_mix(p->list[i - 1]);
    uint32_t at = index_start(x, hash);
    while (x->slots[at] && index_number(x, at, hash) != i)
      at = index_next(x, at);
    if (!x->slots[at])
      return false;
  }
  return used == p->count;
}
