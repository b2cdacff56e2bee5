/* What the levels of a diagram and the values on its arcs mean, for pictures of
** it.  A level is the place of an element in the tuples of the diagram. */

#ifndef NUT_BASE_TEXT_DIAGRAM_LABELS_H
#define NUT_BASE_TEXT_DIAGRAM_LABELS_H

#include "base/text/text.h"

typedef struct diagram_labels {
  void *context;
  void (*level)(void *context, uint32_t place, text *out);
  void (*value)(void *context, uint32_t place, uint32_t value, text *out);
} diagram_labels;

/* How a diagram with labels looks, as other pictures do. */
#define LABELS_STYLE                                                           \
  "  node [shape=ellipse, fontname=\"Helvetica\", fontsize=10, "               \
  "color=\"#2f4a6d\"];\n"                                                      \
  "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#55606e\"];\n"

/* In quotation marks of the language of Graphviz. */
static inline void labels_add_quoted(text *out, const char *label)
{
  for (; *label; label++) {
    if (*label == '"' || *label == '\\')
      text_add_char(out, '\\');
    text_add_char(out, *label);
  }
}

#endif
