/* The store: the states seen so far.  codec + set, written "raw+table".
**
** A search inserts states and learns whether they are new.  Sets that have
** numbers for their states can give them back, so that stacks and frontiers
** hold numbers; for the others the search keeps states itself.
**
** The table below serves set-up, tests and cold paths.  The hot loop
** (search/walk/loop.inc) is included once per store and calls its insert
** function directly, so that it can be inlined. */

#ifndef NUT_STORE_STORE_H
#define NUT_STORE_STORE_H

#include "base/components.h"
#include "base/helpers.h"
#include "codec/codec.h"
#include "store/diagram/element_order.h"
#include "store/set.h"
#include "store/store_result.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a set calls a state: below 2^63.  In dense sets a handle is a number:
** that of the n-th new state is n, from 0. */
typedef uint64_t store_handle;
#define STORE_NO_HANDLE UINT64_MAX

typedef struct store store;

/* A state offered to the store, and which of its components may differ from
** those of a state at hand: one that 'view' gave, or 'take' got.  Stores that
** give states back can have several at hand. */
enum { STORE_HANDS = CODEC_HANDS };
typedef codec_state store_offer;

typedef struct store_settings {
  const component_map *map; /* both must live as long as the store */
  const field_map *fields;  /* NULL: not known */
  size_t max_bytes;
  /* Some states of the program, for codecs that learn from them. */
  const codec_state *sample;
  size_t sample_count;
  element_order order;               /* of tuples, in sets of them */
  const byte_footprints *footprints; /* for an order by dependency; or NULL */
  set_settings set;   /* its limits are not looked at, but these: */
  size_t asked_bytes; /* 'max_bytes' if a user said so; 0: nobody did */
  /* From so many states on the store may look for a better way to keep them,
  ** by which all numbers change.  0: never. */
  uint64_t learn_at;
} store_settings;

/* What some stores can tell about themselves. */
typedef struct store_figures {
  uint64_t nodes; /* of a diagram; 0: there is none */
  double lost;    /* states, expected, of a lossy store */
} store_figures;

typedef struct store_class store_class;

/* The stores that have an instance of the searches of their own, 'x' in
** search/walk/loop_x.c:
**
**   CLASS(x)    written by hand, with the class 'store_x'
**   SHARED(x)   others, which serve the classes that name them
**
** All that enumerates them is made from this list; the classes are for users
** in this order. */
#define STORES(CLASS, SHARED)                                                  \
  CLASS(collapse_tree)                                                         \
  CLASS(raw_table)                                                             \
  CLASS(bits_table)                                                            \
  SHARED(bits_cells)                                                           \
  SHARED(code_table)                                                           \
  SHARED(pair)

/* Which instance of the searches serves a store. */
typedef enum {
#define STORE(x) STORE_BY_##x,
  STORES(STORE, STORE)
#undef STORE
      STORE_LOOPS /* their number */
} store_loop;

/* How several threads use a store at once.  Each has a view, a store of the same
** class for the functions of the hot loop alone.  Between 'open' and 'close'
** only views are used, each by one thread; when one of them refuses a state,
** 'wants_room' tells whether that can be helped: then all threads must leave
** their views alone until one of them has called 'settle', in which the others
** may help (NULL: they do not).  What the states are
** called may change by that; see the loops. */
typedef struct store_sharing {
  /* The store learns no more while states are inserted, but when it is told to,
  ** at the end of a level, which is the same for any number of threads; it gets
  ** the name of some state.  What the states are called may change by that. */
  void (*learn_when_told)(store *shared);
  void (*learn)(store *shared, store_handle example);
  store *(*view)(store *shared); /* NULL: no memory */
  void (*view_destroy)(store *); /* before the store itself */
  bool (*open)(store *shared);   /* false: no memory */
  bool (*wants_room)(const store *view);
  bool (*settle)(store *shared, const helpers *); /* false: no memory */
  bool (*close)(store *shared);                   /* false: no memory */
} store_sharing;

/* How states leave the memory of a store for a disk (search/disk).  The store
** goes on knowing what they are called, and shows them; it forgets that they are
** there.  Nobody else uses the store meanwhile. */
typedef struct store_spilling {
  /* Shows all that are there, with their marks. */
  void (*each)(const store *,
               void (*visit)(void *context, store_handle, bool marked),
               void *context);
  /* The same, giving back memory on the way: they must be cleared next. */
  void (*drain)(store *,
                void (*visit)(void *context, store_handle, bool marked),
                void *context);
  /* Forgets them all.  From now on what it knows of states that are there has at
  ** most so many bytes, and nothing is learned: what states are called changes
  ** only when it must.  False: no memory. */
  bool (*clear)(store *, size_t set_bytes);
  /* Whether a state is there, and its mark; sets the mark, if it is there. */
  bool (*has)(const store *, store_handle, bool *marked);
  void (*mark)(store *, store_handle, bool marked);
  size_t (*set_bytes)(const store *); /* of all that 'clear' gives back */
  /* Forgets also what states are called, and begins anew.  False: no memory. */
  bool (*renew)(store *);
  /* What a state is called, which is not put there; STORE_NO_HANDLE: no memory.
  ** What others are called does not change if one like it was there before. */
  store_handle (*call)(store *, const uint8_t *state, uint32_t length);
  /* There are states of so many bytes, which it has not met.  False: no memory. */
  bool (*expect)(store *, uint32_t length);
} store_spilling;

/* Tells in words what is in a state, a line for each thing; states of the same
** length have the same lines, but for the values. */
typedef struct state_teller {
  void *context;
  void (*tell)(void *context, const uint8_t *state, uint32_t length, text *out);
} state_teller;

struct store_class {
  const char *codec, *set; /* "raw", "table" */
  const char *codec_alias; /* another name that users may say; NULL: none */
  const char *summary;     /* one line for 'nutshell stores' */
  bool exact, dense;
  bool keeps_numbers; /* while all states have the same components, what a
                      ** state is called never changes; so in dense sets */
  store_loop loop;
  /* The same store for depth-first searches, which can do with numbers that
  ** change and need not be dense, and the other way round; NULL: this one. */
  const store_class *moving, *lasting;
  const store_sharing *sharing;   /* NULL: one thread alone */
  const store_spilling *spilling; /* NULL: states stay in memory */
  bool learns;                    /* wants a sample */
  /* Pairs: what they are made of; otherwise NULL. */
  const codec_class *codec_class;
  const set_class *set_class;
  /* NULL: no memory.  The class is the one the function was found in. */
  store *(*create)(const store_class *, const store_settings *);
  /* Adds the state; sets '*number' in both cases when the set has numbers.
  ** 'parent' is the number of the state this one was made from (or
  ** STORE_NO_HANDLE) and 'changed' its changed components: hints for
  ** incremental codecs. */
  store_result (*insert)(store *, const uint8_t *state, uint32_t length,
                         store_handle parent, uint64_t changed,
                         store_handle *number);
  /* Writes the state into 'out' (room for max_length) and returns its length;
  ** NULL when the set cannot give states back. */
  uint32_t (*fetch)(const store *, store_handle, uint8_t *out);
  uint64_t (*count)(const store *);
  size_t (*bytes)(const store *);        /* memory held, all tables included */
  uint32_t (*max_length)(const store *); /* of the states inserted so far */
  bool (*check)(const store *); /* walks everything; do invariants hold */
  store_figures (*figures)(const store *); /* NULL: nothing to tell */
  /* With a teller, levels and values have names where they are known.  False,
  ** NULL: nothing to draw. */
  bool (*draw)(const store *, const state_teller *, text *dot);
  void (*destroy)(store *);
};

/* All stores, ended by NULL; and by name "codec+set", where a codec may be
** called by its alias (NULL: unknown). */
extern const store_class *const store_classes[];
const store_class *store_find(const char *name);
/* Why a codec and a lossy set that both exist are no store; NULL: they do not,
** or the name is that of a store. */
const char *store_refusal(const char *name);

static inline store *store_create(const store_class *class,
                                  const component_map *map, size_t max_bytes)
{
  store_settings settings = {.map = map, .max_bytes = max_bytes};
  return class->create(class, &settings);
}

#endif
