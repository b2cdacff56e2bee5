/* Files of properties (--properties FILE), a property to a line:
**
**   # a comment
**   ltl answered: [] (request -> <> answer)
**   ctl resettable: AG EF reset
**   invariant small: x < 3
**   reach all: x == 2
**   fair: turn == 1
**
** A line that begins with a blank goes on with the one before.  The name may
** be missing.  'fair' is a fairness constraint of the CTL formulas. */

#ifndef NUT_VERIFY_PROPERTY_FILE_H
#define NUT_VERIFY_PROPERTY_FILE_H

#include "verify/verification.h"

/* Adds what the file asks for.  False: the result's messages say why not. */
bool properties_read(verification *, const char *path);

#endif
