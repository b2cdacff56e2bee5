/* Slots of memory that are files; see memory_file.h. */

#include "base/system/memory_file.h"

#include "base/alloc.h"
#include "base/system/address_space.h"
#include "base/vec.h"

#include <string.h>
#include <sys/mman.h>

typedef struct memory_file {
  bool is_open;
  size_t dropped;      /* slots at its start that were given back */
  uint64_t end;        /* bytes written */
  VEC(uint32_t) slots; /* all there ever were */
} memory_file;

struct memory_files {
  reserve space;       /* addresses alone: what is in use counts by slots */
  uint32_t made, used; /* slots that can be written, and that are */
  VEC(uint32_t) spare; /* those without memory */
  VEC(memory_file) files;
};

memory_files *memory_files_create(size_t most_bytes)
{
  memory_files *all = mem_try_alloc(sizeof *all);
  if (!all)
    return NULL;
  if (!space_reserve(&all->space, most_bytes)) {
    mem_free(all, sizeof *all);
    return NULL;
  }
  /* A huge page cannot be given back by slots. */
  (void)madvise(all->space.base, all->space.limit, MADV_NOHUGEPAGE);
  return all;
}

void memory_files_destroy(memory_files *all)
{
  if (!all)
    return;
  for (size_t i = 0; i < all->files.len; i++)
    vec_free(&all->files.data[i].slots);
  vec_free(&all->files);
  vec_free(&all->spare);
  mem_give_back((size_t)all->used * MEMORY_SLOT);
  reserve_destroy(&all->space);
  mem_free(all, sizeof *all);
}

size_t memory_files_bytes(const memory_files *all)
{
  return (size_t)all->used * MEMORY_SLOT;
}

/* ---- slots ---------------------------------------------------------------- */

static uint8_t *slot_at(const memory_files *all, uint32_t slot)
{
  return all->space.base + (size_t)slot * MEMORY_SLOT;
}

/* One more can be written, and there will be room for it among the spare ones. */
static bool make_slot(memory_files *all)
{
  size_t end = ((size_t)all->made + 1) * MEMORY_SLOT;
  if (end > all->space.limit)
    return false;
  vec_grow(&all->spare, all->made + 1 - all->spare.len);
  if (mprotect(slot_at(all, all->made), MEMORY_SLOT, PROT_READ | PROT_WRITE))
    return false;
  vec_push(&all->spare, all->made);
  all->made++;
  return true;
}

/* The file has a slot more; false: no memory. */
static bool add_slot(memory_files *all, memory_file *f)
{
  vec_grow(&f->slots, 1);
  if (!all->spare.len && !make_slot(all))
    return false;
  if (mem_told_to_fail() || !mem_take(MEMORY_SLOT))
    return false;
  all->used++;
  vec_push(&f->slots, vec_pop(&all->spare));
  return true;
}

/* If it cannot be given back it is used again all the same. */
static void give_slot(memory_files *all, uint32_t slot)
{
  (void)madvise(slot_at(all, slot), MEMORY_SLOT, MADV_DONTNEED);
  mem_give_back(MEMORY_SLOT);
  all->used--;
  vec_push(&all->spare, slot);
}

/* ---- files ---------------------------------------------------------------- */

int memory_file_open(memory_files *all)
{
  size_t i = 0;
  while (i < all->files.len && all->files.data[i].is_open)
    i++;
  if (i == all->files.len)
    vec_push(&all->files, (memory_file){0});
  all->files.data[i].is_open = true;
  return (int)i + 1;
}

/* What there is of a slot from 'offset' on, up to 'count'. */
static size_t part_of(uint64_t offset, size_t count)
{
  size_t left = MEMORY_SLOT - (size_t)(offset % MEMORY_SLOT);
  return left < count ? left : count;
}

bool memory_file_write(memory_files *all, int file, const uint8_t *bytes,
                       size_t count, uint64_t offset)
{
  memory_file *f = &all->files.data[file - 1];
  if (offset > f->end || offset / MEMORY_SLOT < f->dropped)
    return false;
  for (size_t n; count; bytes += n, count -= n, offset += n) {
    size_t slot = (size_t)(offset / MEMORY_SLOT);
    if (slot == f->slots.len && !add_slot(all, f))
      return false;
    n = part_of(offset, count);
    memcpy(slot_at(all, f->slots.data[slot]) + offset % MEMORY_SLOT, bytes, n);
    if (f->end < offset + n)
      f->end = offset + n;
  }
  return true;
}

bool memory_file_read(const memory_files *all, int file, uint8_t *bytes,
                      size_t count, uint64_t offset)
{
  const memory_file *f = &all->files.data[file - 1];
  if (offset > f->end || f->end - offset < count ||
      offset / MEMORY_SLOT < f->dropped)
    return false;
  for (size_t n; count; bytes += n, count -= n, offset += n) {
    size_t slot = (size_t)(offset / MEMORY_SLOT);
    n = part_of(offset, count);
    memcpy(bytes, slot_at(all, f->slots.data[slot]) + offset % MEMORY_SLOT, n);
  }
  return true;
}

void memory_file_drop(memory_files *all, int file, uint64_t before)
{
  memory_file *f = &all->files.data[file - 1];
  uint64_t end = before < f->end ? before / MEMORY_SLOT : f->slots.len;
  for (; f->dropped < end; f->dropped++)
    give_slot(all, f->slots.data[f->dropped]);
}

void memory_file_close(memory_files *all, int file)
{
  memory_file *f = &all->files.data[file - 1];
  memory_file_drop(all, file, f->end);
  vec_free(&f->slots);
  *f = (memory_file){0};
}
