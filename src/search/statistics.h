/* The figures of a run, one list: the structure, the merging of two, the lines
** of reports and the fields of JSON are made from it.
**
**   COUNT(field, line, one, many, object, key, meaning)   adds up
**   PEAK(...)                                             the greatest counts
**
** 'line' is where a report shows it, with 'one' or 'many', in which % is the
** number; 'object' is where JSON has it, as 'key'.  Both go in the order of the
** list.  Ratios are computed when they are printed. */

#ifndef NUT_SEARCH_STATISTICS_H
#define NUT_SEARCH_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define STATISTICS(COUNT, PEAK)                                                \
  COUNT(states, STATES, "% state", "% states", RUN, "states",                  \
    "distinct states stored")                                                  \
  COUNT(transitions, STATES, "% transition", "% transitions", RUN, "transitions", \
    "the initial state and all successors offered to the store")               \
  PEAK(depth, STATES, "depth %", "depth %", RUN, "depth",                      \
    "longest path explored, in transitions")                                   \
  COUNT(deadlocks, STATES, "% deadlock", "% deadlocks", RUN, "deadlocks",      \
    "blocked states that are not valid ends")                                  \
  COUNT(errors, STATES, "% error", "% errors", RUN, "errors",                  \
    "violations found")                                                        \
  COUNT(product_states, PRODUCTS, "% state", "% states", RUN, "product_states", \
    "states of products with automata stored")                                 \
  COUNT(product_transitions, PRODUCTS, "% transition", "% transitions", RUN,   \
    "product_transitions", "steps of products with automata")                  \
  COUNT(shallow_states, SHALLOW, "% state", "% states", RUN, "shallow_states", \
    "states of small searches near the start, beside it")                      \
  COUNT(deep_states, DEEP, "% state", "% states", RUN, "deep_states",          \
    "states of depth-first searches beside levels")                            \
  COUNT(atomic_steps, NONE, "", "", RUN, "atomic_steps",                       \
    "steps to states inside atomic sequences")                                 \
  COUNT(expanded, NONE, "", "", NONE, "",                                      \
    "states whose successors were generated")                                  \
  COUNT(blocked, NONE, "", "", NONE, "",                                       \
    "states in which nothing can happen")                                      \
  PEAK(frontier, NONE, "", "", NONE, "",                                       \
    "states waiting to be expanded")                                           \
  PEAK(state_bytes, LENGTH, "% byte", "% bytes", STORE, "state_bytes",         \
    "bytes of the longest state")                                              \
  PEAK(store_bytes, NONE, "", "", STORE, "bytes",                              \
    "bytes held by the store")                                                 \
  PEAK(search_bytes, NONE, "", "", RUN, "search_bytes",                                 \
    "bytes of stack, frontier and what traces need")                           \
  PEAK(memory_bytes, NONE, "", "", RUN, "memory_bytes",                        \
    "resident memory of the process")
/* clang-format on */

typedef struct statistics {
#define FIELD(name, line, one, many, object, key, meaning) uint64_t name;
  STATISTICS(FIELD, FIELD)
#undef FIELD
} statistics;

typedef enum {
  LINE_NONE,
  LINE_STATES,
  LINE_PRODUCTS,
  LINE_SHALLOW,
  LINE_DEEP,
  LINE_LENGTH
} figure_line;
typedef enum { OBJECT_NONE, OBJECT_RUN, OBJECT_STORE } figure_object;

typedef struct statistic {
  size_t offset; /* in 'statistics' */
  bool peak;
  figure_line line;
  const char *one, *many;
  figure_object object;
  const char *key;
} statistic;

extern const statistic statistic_table[];
extern const size_t statistic_count;

static inline uint64_t statistic_value(const statistics *s, const statistic *of)
{
  return *(const uint64_t *)((const char *)s + of->offset);
}

/* Adds the figures of another run, or of a part of this one. */
void statistics_merge(statistics *, const statistics *other);

#endif
