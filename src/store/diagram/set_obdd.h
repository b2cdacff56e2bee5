/* The set 'obdd': a binary decision diagram over the bits of the tuples.
**
** After Visser: Memory efficient state storage in SPIN (sections 3 and 5):
** EncodeOBDD makes the diagram of a state, OR adds it to that of all states,
** Exists walks down along the bits of a state.
**
**   tuple   ( 2 , 5 )           widths 2 and 3, so five variables; the highest
**   bits     1 0 1 0 1          bit of an element first
**
** Where we differ.  EncodeOBDD and OR are one walk down and one up
** (robdd_add_assignment): the diagram of a single state is a chain that the
** union takes apart at once.  A variable is not a bit of the state but of a
** number that a codec gives, and nobody knows how large those become: an
** element has as many bits as its largest value needed so far, and when one
** needs more, a variable is put into the order above the others of its element
** that is 0 in all tuples before.  Tuples of each length have a function of
** their own, which does not depend on the variables of elements beyond it. */

#ifndef NUT_STORE_DIAGRAM_SET_OBDD_H
#define NUT_STORE_DIAGRAM_SET_OBDD_H

#include "store/set.h"

extern const set_class set_obdd;

#endif
