/* Any codec with any set.  The store classes written by hand are quicker; this
** one is for all the others: one call of the codec and one of the set per
** state, through their classes.  States are not given back: the search keeps
** those it still needs, and tells which it expands ('take'), so that the codec
** encodes successors by what changed. */

#ifndef NUT_STORE_PAIR_H
#define NUT_STORE_PAIR_H

#include "codec/codec.h"
#include "store/set.h"
#include "store/store.h"

typedef struct pair {
  const codec_class *codec_class;
  const set_class *set_class;
  codec *codec;
  set *set;
  size_t max_bytes;
  uint32_t offered; /* states since the memory was looked at */
  bool over_limit;
  uint32_t longest; /* bytes of the longest state */
  /* Room for the code of one state: bytes, or elements of a tuple. */
  uint8_t *code;
  uint32_t *tuple; /* SET_TOGETHER of them, if the set wants them together */
  uint32_t code_room, tuple_room;
  uint32_t tuple_length; /* of the last one, in order */
  bool is_fixed;         /* all states have the same elements */
  /* Element order[i] comes at place i; NULL: as the codec has them. */
  uint32_t *order, *ordered;
  uint32_t order_count;
} pair;

typedef uint8_t pair_probe; /* the state's place in the batch */

static inline pair *pair_of(store *s)
{
  return (pair *)s;
}

store *pair_create(const store_class *, const store_settings *);
void pair_destroy(store *);
store_result pair_insert(pair *, pair_probe, const store_offer *,
                         store_handle *);

/* Encodes up to SET_TOGETHER states and shows them to the set.  False: no
** memory. */
bool pair_show(pair *, const store_offer *, uint32_t count);

static inline bool pair_prepare(pair *p, const store_offer *offers,
                                pair_probe *probes, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    probes[i] = (pair_probe)i;
  return !p->set_class->prepare || pair_show(p, offers, count);
}

static inline void pair_approach(pair *p, pair_probe probe)
{
  (void)p, (void)probe;
}

/* The successors of this state come next. */
static inline void pair_take(pair *p, const uint8_t *state, uint32_t length)
{
  p->codec_class->take(p->codec, state, length);
}

/* The functions of the class, for all pairs. */
store_result pair_class_insert(store *, const uint8_t *state, uint32_t length,
                               store_handle parent, uint64_t changed,
                               store_handle *number);
uint64_t pair_count(const store *);
size_t pair_bytes(const store *);
uint32_t pair_max_length(const store *);
bool pair_check(const store *);
store_figures pair_figures(const store *);
/* pair_draw.c */
bool pair_draw(const store *, const state_teller *, text *dot);

#endif
