#include "base/system/address_space.h"

#include <sys/resource.h>
#include <unistd.h>

/* Even the smallest array gets this much address space; with a limit on
** address space no array takes more than one part in SHARES of it, and leaves
** so many times its own size to others. */
#define LEAST_ROOM ((size_t)1 << 20)
#define SHARES 8
#define LEFT_OVER 3

static size_t physical_memory(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0)
    return (size_t)1 << 40;
  return (size_t)pages * (size_t)size;
}

/* Whether so much could be reserved. */
static bool is_left(size_t bytes)
{
  reserve probe;
  if (!reserve_create(&probe, bytes))
    return false;
  reserve_destroy(&probe);
  return true;
}

bool space_reserve(reserve *r, size_t max_bytes)
{
  size_t room = physical_memory();
  struct rlimit limit;
  bool limited =
      !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY;
  if (limited && limit.rlim_cur / SHARES < room)
    room = limit.rlim_cur / SHARES;
  if (room > max_bytes)
    room = max_bytes;
  for (; room > LEAST_ROOM; room /= 2) {
    if (!reserve_create(r, room))
      continue;
    if (!limited || is_left(LEFT_OVER * room))
      return true;
    reserve_destroy(r);
  }
  return reserve_create(r, LEAST_ROOM);
}
