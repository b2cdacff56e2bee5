/* The set 'hybrid': a buffer of tuples before a decision diagram.
**
** After Zheng, Price, Myers: Using decision diagrams to compactly represent the
** state space for explicit model checking (section III.C).  New tuples go into
** a buffer, where adding is cheap; when it is full, it is compressed to a
** diagram, which is united with that of all tuples before, and is empty again.
**
**   insert --> buffer --(full)--> sort, compress --> union --> diagram
**
** Between two unions the diagram does not change, and what a search asks it
** most is whether it has a tuple: for that there is a copy of it
** (dd/mdd/mdd_lookup.h), made after each union.  Where the copy finds no
** memory, the diagram itself is asked.
**
**   insert --> in the buffer? --> in the copy? --> new: into the buffer
**
** Where we differ: their buffer is a decision tree.  Ours keeps the paths of
** that tree as byte strings in a hash table (store/table/table.h), so that
** asking for a tuple costs one or two cache misses and not one for each level;
** the tree comes into being while the strings are sorted, level by level, and
** is compressed from the leaves upwards without ever being there as a whole. */

#ifndef NUT_STORE_DIAGRAM_SET_HYBRID_H
#define NUT_STORE_DIAGRAM_SET_HYBRID_H

#include "store/set.h"

extern const set_class set_hybrid;

#endif
