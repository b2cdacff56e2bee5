/* A model whose steps are computed by somebody else's function
** (include/nutshell-model.h).
**
** Its variables are globals of the model.  Each of its processes has one
** location, and edges from there to there: one for every step that a group may
** have in a state.
**
**   group 0, at most one step     edge {0, 0}
**   group 1, at most two          edge {1, 0}   edge {1, 1}
**
** The edge {g, k} can be executed where group g has more than k steps, and makes
** the k-th of them.  So an edge is one step, as in every model, and traces,
** reduction and sets of states need to know nothing of plug-ins. */

#ifndef NUT_MODEL_PLUGGED_H
#define NUT_MODEL_PLUGGED_H

#include "model/model.h"
#include "nutshell-model.h"

/* Where a part of the plug-in's states is in the model. */
typedef struct plugin_part {
  const var *var;
  uint32_t element;
  int32_t lo, hi;
} plugin_part;

typedef struct plugged_step {
  uint32_t group, number;
} plugged_step;

typedef struct plugin {
  void *library;
  const nut_plugin *code;
  plugin_part *part;
  uint32_t parts;
  /* For each group, by part: whether it may be written. */
  const uint8_t **may_write;
  void (*close)(struct plugin *); /* when the model is destroyed */
} plugin;

#endif
