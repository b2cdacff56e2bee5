/* The set 'sharing': a sharing tree (store/diagram/sharing.h), with canonical
** insertion, or with the original one when a user asks for reductions. */

#ifndef NUT_STORE_DIAGRAM_SET_SHARING_H
#define NUT_STORE_DIAGRAM_SET_SHARING_H

#include "store/set.h"

extern const set_class set_sharing;

#endif
