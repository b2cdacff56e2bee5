#include "search/statistics.h"

const statistic statistic_table[] = {
#define ROW(name, peak, line, one, many, object, key)                          \
  {offsetof(statistics, name),                                                 \
   peak,                                                                       \
   LINE_##line,                                                                \
   one,                                                                        \
   many,                                                                       \
   OBJECT_##object,                                                            \
   key},
#define COUNT(name, line, one, many, object, key, meaning)                     \
  ROW(name, false, line, one, many, object, key)
#define PEAK(name, line, one, many, object, key, meaning)                      \
  ROW(name, true, line, one, many, object, key)
    STATISTICS(COUNT, PEAK)
#undef PEAK
#undef COUNT
#undef ROW
};
const size_t statistic_count = sizeof statistic_table / sizeof *statistic_table;

void statistics_merge(statistics *all, const statistics *other)
{
  for (size_t i = 0; i < statistic_count; i++) {
    const statistic *row = &statistic_table[i];
    uint64_t *mine = (uint64_t *)((char *)all + row->offset);
    uint64_t theirs = statistic_value(other, row);
    if (!row->peak)
      *mine += theirs;
    else if (*mine < theirs)
      *mine = theirs;
  }
}
