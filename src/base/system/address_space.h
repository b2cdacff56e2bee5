/* Address space for arrays that grow in place: how much to ask for when nobody
** knows how large they will be. */

#ifndef NUT_BASE_SYSTEM_ADDRESS_SPACE_H
#define NUT_BASE_SYSTEM_ADDRESS_SPACE_H

#include "base/system/reserve.h"
#include <stdbool.h>
#include <stddef.h>

/* Reserves room for an array that may grow to 'max_bytes', or, where the
** system has less than that, for as much as could ever be used. */
bool space_reserve(reserve *, size_t max_bytes);

#endif
