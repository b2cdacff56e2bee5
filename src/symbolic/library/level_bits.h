/* Levels as bits: what the files of the library of binary diagrams share;
** nobody else includes this.
**
** A level has as many bits as the values need that have turned up, and a sign
** once there is a negative one; numbers are two's complements.  Each bit is a
** pair of neighbouring variables (dd/robdd/robdd_steps.h), in which a new bit
** comes above the older ones of its level.
**
** A value for which there is no room is noted.  When 'widen' has made room, all
** sets are what they were: a new bit is 0 in them, or what the sign is. */

#ifndef NUT_SYMBOLIC_LIBRARY_LEVEL_BITS_H
#define NUT_SYMBOLIC_LIBRARY_LEVEL_BITS_H

#include "dd/robdd/robdd_steps.h"
#include "symbolic/library/set_library.h"

enum { BITS_MOST = 31 };

typedef struct bit_level {
  value_list pairs; /* numbers of the pairs, least significant bit first */
  bool has_sign;
  uint32_t sign;   /* its pair */
  uint32_t wanted; /* bits that are needed */
  bool wants_sign;
} bit_level;

typedef struct outcome_vectors {
  uint32_t outcome;
  robdd vectors; /* protected */
} outcome_vectors;

typedef struct bdd_event {
  VEC(mdd_shift) shifts; /* empty for a relation */
  value_list levels;     /* touched */
  VEC(bool) written;
  uint32_t version; /* of the bits, that what follows is made for */
  /* Protected, from here on.  Relations: the vectors that were learned, and
  ** those of them that lead to values without room.  Shifts: where it can
  ** happen, and where it leads to values without room. */
  robdd relation, bits_written, known, pending, enabled, over;
  VEC(outcome_vectors *) outcomes;
} bdd_event;

enum { EVENT_FUNCTIONS = 6, WORK_SETS = 4 };

typedef struct registered_sets {
  symbolic_set *sets;
  size_t count;
} registered_sets;

typedef struct placed_event {
  uint32_t top, event;
} placed_event;

typedef struct bdd_library {
  set_library head;
  library_options options;
  robdd_manager *manager;
  VEC(bit_level) levels;
  VEC(bdd_event *) events;
  VEC(registered_sets) registered;
  uint32_t version;    /* counts how often bits were added */
  bool wider;          /* some level wants more bits */
  bool outgrown;       /* some level would need too many */
  VEC(uint8_t) values; /* by variable; ROBDD_ANY between uses */
  VEC(uint8_t) cube;   /* by variable: for enumeration */
  value_list variables;
  value_list room;      /* what holds of new bits, while there are any */
  VEC(int64_t) weights; /* by variable; 0 between uses */
  value_list vectors;   /* being learned, one after the other */
  value_list listed;    /* being enumerated */
  size_t listed_next;
  library_answer answer;
  robdd work[WORK_SETS]; /* protected */
  robdd closing;         /* protected: of a closure under way */
  /* Nodes of a closure when its order was improved last; nodes of all at
  ** which to see whether it is time again. */
  size_t sifted, look_at;
  /* Events in the order of their first levels, for closures. */
  VEC(placed_event) placed;
  value_list order, tops;
} bdd_library;

/* Variables of a pair. */
static inline uint32_t bit_now(uint32_t pair)
{
  return 2 * pair;
}

static inline uint32_t bit_after(uint32_t pair)
{
  return 2 * pair + 1;
}

/* ---- levels (level_bits.c) ----------------------------------------------- */

/* Sees to it that every level has a first bit.  False: no memory. */
bool level_bits_ready(bdd_library *);
void level_bits_free(bdd_library *);
/* Makes 'values' say that a level has a value, now or after a step; false:
** there is no room for it, which is noted. */
bool level_bits_put(bdd_library *, uint32_t level, uint32_t value, bool after);
/* Makes it say nothing. */
void level_bits_clear(bdd_library *, uint32_t level, bool after);
/* What an assignment says; bits of which it says nothing are 0. */
uint32_t level_bits_get(const bdd_library *, uint32_t level,
                        const uint8_t *values);
/* Notes that a level needs bits for this value. */
void level_bits_want(bdd_library *, uint32_t level, uint32_t value);
/* Gives every level the bits that it wants, and sees to all sets. */
bool level_bits_widen(bdd_library *);
/* Appends the variables of a level, now or after a step. */
void level_bits_variables(const bdd_library *, uint32_t level, bool after,
                          value_list *);
/* The cube of the variables in 'variables'. */
robdd level_bits_cube(bdd_library *);
/* Cuts a set down to the bits of some levels. */
robdd level_bits_project(bdd_library *, robdd set, const uint32_t *levels,
                         uint32_t count);
/* Appends all vectors of a set over these levels to a list. */
void level_bits_list(bdd_library *, robdd vectors, const uint32_t *levels,
                     uint32_t count, value_list *out);
/* Adds the vector to a set over these levels; it fits. */
robdd level_bits_insert(bdd_library *, robdd vectors, const uint32_t *levels,
                        uint32_t count, const uint32_t *vector);

/* ---- events (level_bit_events.c) ----------------------------------------- */

bool bdd_add_shift(set_library *, const mdd_shift *, uint32_t count);
bool bdd_add_relation(set_library *, const mdd_touch *);
void bdd_events_free(bdd_library *);
/* After bits were added: 'room' has, for each level, what holds of its new
** bits now, and for each level after these what holds after a step. */
bool bdd_events_widen(bdd_library *, const robdd *room);
symbolic_set bdd_image(set_library *, uint32_t event, symbolic_set);
symbolic_set bdd_preimage(set_library *, uint32_t event, symbolic_set,
                          symbolic_set within);
symbolic_set bdd_enabled(set_library *, uint32_t event, symbolic_set);
symbolic_set bdd_outcome(set_library *, uint32_t event, uint32_t outcome,
                         symbolic_set);
symbolic_set bdd_close(set_library *, symbolic_set);

#endif
