/* Figures of two runs put together: counts add up, the greatest peak stays. */

#include "unit.h"

#include "search/statistics.h"

static void merging_adds_counts_and_keeps_peaks(void **state)
{
  (void)state;
  statistics all = {.states = 3, .depth = 7, .memory_bytes = 10};
  statistics other = {
      .states = 4, .transitions = 5, .depth = 6, .memory_bytes = 11};
  statistics_merge(&all, &other);
  assert_int_equal(all.states, 7);
  assert_int_equal(all.transitions, 5);
  assert_int_equal(all.depth, 7);
  assert_int_equal(all.memory_bytes, 11);
}

/* What is told has words, and what is not has none. */
static void rows_are_complete(void **state)
{
  (void)state;
  assert_int_equal(statistic_count * sizeof(uint64_t), sizeof(statistics));
  for (size_t i = 0; i < statistic_count; i++) {
    const statistic *s = &statistic_table[i];
    assert_int_equal(s->line != LINE_NONE, strchr(s->one, '%') != NULL);
    assert_int_equal(s->line != LINE_NONE, strchr(s->many, '%') != NULL);
    assert_int_equal(s->object != OBJECT_NONE, *s->key != 0);
  }
}

UNIT_MAIN(UNIT(merging_adds_counts_and_keeps_peaks), UNIT(rows_are_complete))
