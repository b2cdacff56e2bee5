/* Steps that were found, and wait to be noted where they lead to: by key, with
** what they bring.  What leads to the same state becomes one. */

#ifndef NUT_SEARCH_RUNS_STEP_LIST_H
#define NUT_SEARCH_RUNS_STEP_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct found_step {
  uint64_t key;
  uint64_t value; /* how many steps; or what is given on the way, a set */
} found_step;

typedef struct step_list {
  found_step *steps;
  size_t count, most;
} step_list;

/* Room for some of so many bytes.  False: no memory. */
bool step_list_create(step_list *, size_t bytes);
void step_list_free(step_list *); /* also one that is all zero */
/* In the order of keys, each once; values are added, or united. */
void step_list_sort(step_list *, bool adds);

#endif
