/* From options to questions. */

#ifndef NUT_VERIFY_ASK_H
#define NUT_VERIFY_ASK_H

#include "verify/verification.h"

/* Makes the questions and the program.  False: the messages say why not. */
bool ask_questions(verification *, const nut_options *, bool count);

#endif
