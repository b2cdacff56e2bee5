/* Which runs can go on with a disk when memory is used up (search/disk). */

#ifndef NUT_VERIFY_KEPT_DISK_USE_H
#define NUT_VERIFY_KEPT_DISK_USE_H

#include "verify/verification.h"

/* False, with messages, when a disk is asked for and cannot be used. */
bool disk_use_start(verification *, const nut_options *, bool count);
/* Whether it could be used.  Then what is known can also be kept in a denser form in
** memory. */
bool disk_use_suits(const verification *, const nut_options *, bool count);

#endif
