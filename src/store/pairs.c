#include "store/pairs.h"
#include "base/alloc.h"
#include <string.h>

enum { FIRST_SLOTS = 64 };

bool pairs_create(pairs *p)
{
  memset(p, 0, sizeof *p);
  p->mask = FIRST_SLOTS - 1;
  p->slots = mem_try_alloc(FIRST_SLOTS * sizeof *p->slots);
  return p->slots != NULL;
}

static size_t slot_bytes(const pairs *p)
{
  return p->slots ? ((size_t)p->mask + 1) * sizeof *p->slots : 0;
}

void pairs_destroy(pairs *p)
{
  mem_free(p->list, p->room * sizeof *p->list);
  mem_free(p->slots, slot_bytes(p));
  memset(p, 0, sizeof *p);
}

size_t pairs_bytes(const pairs *p)
{
  return p->room * sizeof *p->list + slot_bytes(p);
}

static void put_slot(const pairs *p, uint32_t *slots, uint32_t mask,
                     uint32_t number)
{
  uint32_t at = (uint32_t)hash_mix(p->list[number - 1]) & mask;
  while (slots[at])
    at = (at + 1) & mask;
  slots[at] = number;
}

static bool grow_slots(pairs *p)
{
  uint32_t mask = p->mask * 2 + 1;
  uint32_t *slots = mem_try_alloc(((size_t)mask + 1) * sizeof *slots);
  if (!slots)
    return false;
  for (uint32_t i = 1; i <= p->count; i++)
    put_slot(p, slots, mask, i);
  mem_free(p->slots, slot_bytes(p));
  p->slots = slots;
  p->mask = mask;
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
  if (p->count >= UINT32_MAX / 2)
    return PAIRS_FULL;
  if (p->count == p->room && !grow_list(p))
    return PAIRS_FULL;
  if (((uint64_t)p->count + 1) * 4 > ((uint64_t)p->mask + 1) * 3 &&
      !grow_slots(p))
    return PAIRS_FULL;
  p->list[p->count++] = pair;
  put_slot(p, p->slots, p->mask, p->count);
  return p->count;
}

bool pairs_check(const pairs *p)
{
  uint64_t used = 0;
  for (uint64_t i = 0; i <= p->mask; i++)
    used += p->slots[i] != 0;
  if (used != p->count)
    return false;
  for (uint32_t i = 1; i <= p->count; i++) {
    uint32_t at = (uint32_t)hash_mix(p->list[i - 1]) & p->mask;
    while (p->slots[at] && p->slots[at] != i)
      at = (at + 1) & p->mask;
    if (p->slots[at] != i)
      return false;
  }
  return true;
}
