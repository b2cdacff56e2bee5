/* The sets 'mdd' and 'ondd': multi-valued decision diagrams, one level for an
** element of the tuple.
**
** 'mdd' after Zheng, Price, Myers: Using decision diagrams to compactly
** represent the state space for explicit model checking.  The set is united
** with one tuple after the other.  Where they build a diagram of the new tuple,
** call 'union' and remove the old diagram by reference counts, we change the
** nodes along the tuple in place as far as nobody else refers to them
** (mdd_add): the diagram is canonical, so the result is the same, and the many
** nodes that would be made to be thrown away are not made.
**
** 'ondd' has arcs that carry ranges lo..hi of values instead of single ones:
** four bytes more for an arc, which pays where neighbouring values lead to
** the same place, as counters do. */

#ifndef NUT_STORE_DIAGRAM_SET_MDD_H
#define NUT_STORE_DIAGRAM_SET_MDD_H

#include "store/set.h"

extern const set_class set_mdd, set_ondd;

#endif
