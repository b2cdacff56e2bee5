/* Linked into every fuzz target: what the system is asked once for all inputs. */

#include "base/system/usage.h"

size_t __real_usage_memory_left(size_t *);
size_t __wrap_usage_memory_left(size_t *);

/* A dozen files are read for the answer, several times for each input. */
size_t __wrap_usage_memory_left(size_t *total)
{
  static size_t left, all;
  if (!all)
    left = __real_usage_memory_left(&all);
  *total = all;
  return left;
}
