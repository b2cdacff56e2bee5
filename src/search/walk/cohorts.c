#include "search/walk/cohorts.h"

static uint32_t count_of(const cohorts *g, size_t end, uint32_t member)
{
  const uint8_t *counts = g->bytes.data + cohorts_start(g, end);
  uint32_t count = counts[member];
  if (g->bytes.data[end - 1] & COHORT_IS_WIDE)
    memcpy(&count, counts + (size_t)member * 4, 4);
  return count;
}

uint32_t cohorts_finder(const cohorts *g, size_t end, uint64_t below)
{
  uint32_t member = cohorts_size(g, end) - 1;
  for (; member; member--) {
    uint32_t count = count_of(g, end, member);
    if (below < count)
      break;
    below -= count;
  }
  return member;
}
