/* Byte strings that are tuples become a decision diagram: the 'compress' of
** Zheng, Price, Myers, on a tree that is made as it is needed.
**
** The strings of a table are a length and so many values, all written by
** codec/number.h.  They are sorted by the first number, then those with the
** same one by the next, and so on; each group is a node of the tree.  When the
** groups of a node are done, so is the node. */

#ifndef NUT_STORE_DIAGRAM_COMPRESS_H
#define NUT_STORE_DIAGRAM_COMPRESS_H

#include "store/diagram/diagrams.h"
#include "store/table/table.h"

/* Unites the diagrams with all tuples of the table.  False when there is no
** memory; some of the tuples may then be in the diagrams already. */
bool compress_into(diagrams *, const table *);

#endif
