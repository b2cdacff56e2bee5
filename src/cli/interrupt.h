/* Ctrl-C.  The first one asks the search to stop, which then reports what it
** has; the second one ends the program at once. */

#ifndef NUT_CLI_INTERRUPT_H
#define NUT_CLI_INTERRUPT_H

#include <signal.h>

void interrupt_install(void);
/* Becomes 1 when the user asked to stop. */
extern volatile sig_atomic_t interrupt_flag;
/* Set by SIGUSR1: the next line of progress is shown. */
extern volatile sig_atomic_t progress_flag;

#endif
