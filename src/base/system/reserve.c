/* Address space by mmap, committed page by page, with huge pages where they
** pay. */

#include "base/system/reserve.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* Commits start at 64 KiB.  From 4 MiB on a region that grows is worth huge
** pages, whose size its address must then be a multiple of: reading here and
** there in a table costs more for finding the pages than for the memory.  One
** that is used up to its end at once, and given back from its start, has them
** from 8 MiB on, where one page more or less does not matter much. */
#define FIRST_COMMIT ((size_t)64 << 10)
#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_FROM ((size_t)4 << 20)
#define HUGE_WHOLE ((size_t)8 << 20)
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* of Linux since 6.1, whatever the headers know */
#endif

static atomic_size_t live_reserves;

static size_t round_up(size_t bytes, size_t unit)
{
  return (bytes + unit - 1) / unit * unit;
}

static size_t page_size(void)
{
  return (size_t)sysconf(_SC_PAGESIZE);
}

bool reserve_create(reserve *r, size_t limit)
{
  *r = (reserve){0};
  if (limit > PTRDIFF_MAX - 2 * HUGE_PAGE || mem_told_to_fail())
    return false;
  limit = round_up(limit ? limit : 1, page_size());
  size_t slack = limit >= HUGE_PAGE ? HUGE_PAGE : 0;
  uint8_t *start = mmap(NULL, limit + slack, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return false;
  uint8_t *base = start;
  if (slack) {
    /* Keep the aligned part, give back what is before and behind it. */
    base += round_up((uintptr_t)start, HUGE_PAGE) - (uintptr_t)start;
    size_t before = (size_t)(base - start);
    if (before)
      munmap(start, before);
    if (before < slack)
      munmap(base + limit, slack - before);
  }
  *r = (reserve){.base = base, .limit = limit};
  atomic_fetch_add_explicit(&live_reserves, 1, memory_order_relaxed);
  return true;
}

/* Advice only: where there are no huge pages small ones do.  What is there
** already lies in small pages, and is put together. */
static void advise(const reserve *r)
{
  (void)madvise(r->base, r->limit, MADV_HUGEPAGE);
  size_t whole = r->committed / HUGE_PAGE * HUGE_PAGE;
  if (whole)
    (void)madvise(r->base, whole, MADV_COLLAPSE);
}

static bool commit_up_to(reserve *r, size_t bytes)
{
  assert(r->committed < bytes && bytes <= r->limit);
  size_t counted = bytes - r->committed - r->owed;
  if (!mem_take(counted))
    return false;
  if (mprotect(r->base + r->committed, bytes - r->committed,
               PROT_READ | PROT_WRITE)) {
    mem_give_back(counted);
    return false;
  }
  bool is_whole = !r->committed && bytes == r->limit;
  size_t from = is_whole ? HUGE_WHOLE : HUGE_FROM;
  if (r->committed < from && bytes >= from)
    advise(r);
  r->committed = bytes;
  return true;
}

bool reserve_commit(reserve *r, size_t bytes)
{
  if (bytes <= r->committed)
    return true;
  if (bytes > r->limit || mem_told_to_fail())
    return false;
  size_t needed = round_up(bytes, page_size());
  /* What is committed counts, used or not: no more than a quarter in
  ** advance. */
  size_t wanted = round_up(r->committed + r->committed / 4, page_size());
  if (wanted < FIRST_COMMIT)
    wanted = FIRST_COMMIT;
  if (wanted > r->limit)
    wanted = r->limit;
  /* When the generous step is refused the needed one may still be granted. */
  return (wanted > needed && commit_up_to(r, wanted)) ||
         commit_up_to(r, needed);
}

void reserve_shrink(reserve *r, size_t bytes)
{
  if (bytes >= r->committed)
    return;
  size_t kept = round_up(bytes, page_size());
  if (kept >= r->committed)
    return;
  /* Dropped pages read as 0 when they are committed again. */
  uint8_t *rest = r->base + kept;
  size_t length = r->committed - kept;
  if (madvise(rest, length, MADV_DONTNEED))
    return; /* nothing was given back; all of it stays usable */
  (void)mprotect(rest, length, PROT_NONE);
  mem_give_back(length);
  r->committed = kept;
}

bool reserve_follow(reserve *r, size_t bytes, const reserve *old)
{
  if (!reserve_create(r, bytes))
    return false;
  r->owed = old->committed < r->limit ? old->committed : r->limit;
  if (!mem_told_to_fail() && commit_up_to(r, r->limit))
    return true;
  r->owed = 0;
  reserve_destroy(r);
  return false;
}

size_t reserve_drop_unit(const reserve *r)
{
  return r->limit < HUGE_WHOLE ? FIRST_COMMIT : HUGE_PAGE;
}

bool reserve_drop(const reserve *r, size_t *from, size_t to)
{
  size_t unit = reserve_drop_unit(r);
  size_t first = round_up(*from, unit), end = to / unit * unit;
  if (end <= first)
    return false;
  (void)madvise(r->base + first, end - first, MADV_DONTNEED);
  *from = end;
  return true;
}

void reserve_release(reserve *r, size_t *from, size_t to)
{
  size_t first = round_up(*from, FIRST_COMMIT);
  size_t end = to / FIRST_COMMIT * FIRST_COMMIT;
  if (end <= first)
    return;
  (void)madvise(r->base + first, end - first, MADV_DONTNEED);
  mem_give_back(end - first);
  r->owed += end - first;
  *from = end;
}

void reserve_end(reserve *old, reserve *by)
{
  old->owed = by->owed;
  by->owed = 0;
  reserve_destroy(old);
}

void reserve_destroy(reserve *r)
{
  if (!r || !r->base)
    return;
  munmap(r->base, r->limit);
  mem_give_back(r->committed - r->owed);
  *r = (reserve){0};
  atomic_fetch_sub_explicit(&live_reserves, 1, memory_order_relaxed);
}

size_t reserve_live(void)
{
  return atomic_load_explicit(&live_reserves, memory_order_relaxed);
}
