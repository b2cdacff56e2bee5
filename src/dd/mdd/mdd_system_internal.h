/* What mdd_system.c and mdd_saturate.c share; nobody else includes this.
**
** Nodes being closed lie in frames: the arcs of a node, values and children in
** two arrays side by side, one frame above the other.  The children are
** registered with the manager, and entries above 'top' are empty, so that a
** collection can happen in the middle of a closure. */

#ifndef NUT_DD_MDD_MDD_SYSTEM_INTERNAL_H
#define NUT_DD_MDD_MDD_SYSTEM_INTERNAL_H

#include "base/vec.h"
#include "dd/mdd/mdd_internal.h"
#include "dd/mdd/mdd_system.h"

typedef struct mdd_event {
  mdd_shift *shifts; /* NULL: a relation */
  uint32_t shift_count;
  uint32_t key;             /* of a shift event, in the computed table */
  uint32_t top;             /* the first level it touches */
  uint32_t next_at_top;     /* the next event with this top, + 1 */
  mdd_shape *shape, *reads; /* reads: all touched levels as MDD_READ */
  mdd relation, known;      /* counted; 'known' are the tuples learned */
} mdd_event;

struct mdd_system {
  mdd_manager *manager;
  uint32_t levels;
  mdd_system_options options;
  uint32_t key; /* of closures */
  mdd_event *events;
  size_t event_count, event_cap;
  uint32_t *first_at; /* by level: the first event with this top, + 1 */
  bool outgrown, ended;
  uint32_t countdown; /* to the next look at the owner's patience */
  reserve child_memory, value_memory;
  mdd *children;
  uint32_t *values;
  size_t top, room;
};

enum { MDD_LOOK_EVERY = 1 << 12 };

/* False: the owner has had enough. */
bool mdd_system_look(mdd_system *);
/* The same, but only now and then; for every turn of a loop. */
static inline bool mdd_system_poll(mdd_system *s)
{
  return --s->countdown || mdd_system_look(s);
}
bool mdd_system_learn_from(mdd_system *, mdd_event *, mdd set, uint32_t level);

static inline uint32_t mdd_event_key(const mdd_event *e, mdd_operation op)
{
  return e->key << MDD_OP_BITS | op;
}

#endif
