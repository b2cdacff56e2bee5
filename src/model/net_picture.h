/* A Petri net as it is drawn: places with tokens, transitions, arcs.  Languages
** of nets describe their models so (model_language.picture); numbers of places
** and transitions count through all parts. */

#ifndef NUT_MODEL_NET_PICTURE_H
#define NUT_MODEL_NET_PICTURE_H

#include "base/arena.h"
#include "base/text/text.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct net_picture net_picture;

typedef struct net_picture_place {
  const char *name;
  uint32_t part;
  uint64_t tokens;
  /* Nobody named it: it only joins two transitions, and is drawn as an arc. */
  bool implicit;
} net_picture_place;

typedef enum {
  PICTURE_PLAIN,
  PICTURE_INPUT,
  PICTURE_OUTPUT,
  PICTURE_INTERNAL
} net_picture_role;

typedef struct net_picture_transition {
  const char *name;
  uint32_t part;
  net_picture_role role; /* of its signal */
  /* Lines below its name: when it may fire, and what it does beside moving
  ** tokens; or NULL. */
  const char *label;
} net_picture_transition;

typedef struct net_picture_arc {
  uint32_t place, transition;
  bool puts;     /* from the transition to the place */
  bool inhibits; /* fires only with less than 'weight' tokens there */
  uint32_t weight;
} net_picture_arc;

struct net_picture {
  VEC(const char *) parts; /* names of the nets that make the model */
  VEC(net_picture_place) places;
  VEC(net_picture_transition) transitions;
  VEC(net_picture_arc) arcs;
  arena *texts; /* of labels; NULL: there are none */
  text scratch;
};

static inline void net_picture_free(net_picture *p)
{
  vec_free(&p->parts);
  vec_free(&p->places);
  vec_free(&p->transitions);
  vec_free(&p->arcs);
  arena_destroy(p->texts);
  text_free(&p->scratch);
}

#endif
