/* Sets of whole states, made of packed runs: sorted, merged, asked.
**
** All that works on them has its memory in 'packed_work', which belongs to the
** disk: memory may run out at any time. */

#ifndef NUT_SEARCH_DISK_PACKED_SET_H
#define NUT_SEARCH_DISK_PACKED_SET_H

#include "search/disk/packed_run.h"

enum {
  PACKED_RUNS = 3,               /* of what is known, at most, when nothing is
                              ** written, */
  PACKED_PENDING = RUN_MERGE - 1 /* and of what is not known yet */
};

/* Runs by age, the oldest first; for a state that is in several the youngest
** counts. */
typedef struct packed_set {
  VEC(packed_run) runs;
} packed_set;

typedef struct packed_place {
  uint64_t key, name;
  uint32_t at, length;
} packed_place;

typedef struct packed_work {
  packed_stream streams[RUN_MERGE];
  packed_writer writer;
  packed_run made, wanted;
  packed_set sorted; /* runs of what is being sorted */
  uint64_t merges;
  /* Memory to sort in: bytes from the left, places from the right. */
  uint8_t *room;
  size_t room_bytes, used;
  size_t places;
  run_kind kind;
  bool named;
  uint32_t longest;
} packed_work;

void packed_set_free(run_io *, packed_set *);

/* Memory to sort in, as much as there was before or another size; 0: none.  False:
** there is none. */
bool packed_work_room(packed_work *, size_t bytes);

/* Sorts states, added one by one, with a mark or a name; then they are one run,
** which may be empty; or, if each was added once, it is asked whether the set has
** them, which is told of each. */
void packed_sort_begin(packed_work *, run_kind, bool named);
void packed_sort_add(packed_work *, run_io *, const packed_state *);
void packed_sort_end(packed_work *, run_io *, packed_run *);
typedef void packed_told(void *context, const packed_state *, bool is_there,
                         bool marked);
void packed_sort_ask(packed_work *, run_io *, const packed_set *, packed_told *,
                     void *context);
/* The same for states that are a run. */
void packed_ask(packed_work *, run_io *, const packed_run *, const packed_set *,
                packed_told *, void *context);
void packed_work_free(packed_work *, run_io *);

/* The run, which may be empty, becomes the youngest of the set, and is no more; then
** the set has at most so many. */
void packed_set_add(packed_work *, run_io *, packed_set *, packed_run *,
                    size_t most);

#endif
