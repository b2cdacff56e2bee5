/* Sets: the codes of the states seen so far, as tuples of numbers or as byte
** strings.  Any set is joined to any codec by 'store/pair.h', where that makes
** sense (the list is in 'store/store.c').
**
** Always: an element is in the set from the moment 'insert' answers STORE_NEW;
** an exact set never answers STORE_SEEN for one that is not; after STORE_FULL
** the set is as it was before and can be used further. */

#ifndef NUT_STORE_SET_H
#define NUT_STORE_SET_H

#include "base/text/diagram_labels.h"
#include "store/store_result.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct set set;

/* What a user can tell a set; each looks at what concerns it. */
typedef struct set_settings {
  size_t max_bytes;      /* the most it may hold; beyond: STORE_FULL */
  size_t asked_bytes;    /* the same, if a user said so; 0: nobody did */
  unsigned reduce_every; /* insertions between reductions; 0: never needed */
  size_t buffer_bytes;   /* of a buffer in front of a diagram; 0: usual */
  unsigned hashes;       /* of lossy sets: bits per state; 0: usual */
} set_settings;

/* A tuple that is offered together with others. */
enum { SET_TOGETHER = 32 };
typedef struct set_offer {
  const uint32_t *values;
  uint32_t length;
} set_offer;

typedef struct set_class {
  const char *name;
  const char *summary; /* a few words for 'nutshell stores' */
  bool exact;          /* never mistakes a new element for a seen one */
  bool shares;         /* elements share what they are made of, the more the
                       ** more alike they are: the order of insertion matters */
  set *(*create)(const set_settings *); /* NULL: no memory */
  /* Adds a tuple; tuples of different lengths are different, and any length
  ** may come at any time.  NULL: the set takes byte strings only. */
  store_result (*insert)(set *, const uint32_t *tuple, uint32_t length);
  /* The same for byte strings; a set that has it gets all codes this way.
  ** NULL: the set takes tuples only. */
  store_result (*insert_bytes)(set *, const uint8_t *bytes, uint32_t length);
  /* For sets that gain by fetching memory for several tuples at a time; NULL:
  ** this one does not.  Up to SET_TOGETHER tuples are shown, which stay where
  ** they are, and then added one after the other by their places, before the
  ** next are shown.  False: no memory. */
  bool (*prepare)(set *, const set_offer *, uint32_t count);
  store_result (*insert_prepared)(set *, uint32_t place);
  uint64_t (*count)(const set *);
  size_t (*bytes)(const set *);   /* memory held, all tables included */
  uint64_t (*nodes)(const set *); /* NULL: not a diagram */
  double (*lost)(const set *);    /* states, expected; NULL: none */
  bool (*check)(const set *);     /* walks everything */
  /* Labels may be NULL.  NULL: nothing to draw. */
  void (*draw)(const set *, const diagram_labels *, text *dot);
  void (*destroy)(set *); /* NULL is fine */
} set_class;

extern const set_class set_tree;
extern const set_class set_bitstate;
extern const set_class set_hashcompact;

#endif
