/* Ctrl-C.  The first one asks the search to stop, which then reports what it
** has; the second one ends the program at once. */

#ifndef NUT_CLI_INTERRUPT_H
#define NUT_CLI_INTERRUPT_H

#include <signal.h>

void interrupt_install(void);
/* A launcher hands on SIGUSR2, which then means the same. */
void interrupt_by_launcher(void);
/* So does anything that comes by the standard input. */
void interrupt_by_input(void);
/* Becomes 1 when the user asked to stop, and another number when the system did,
** or when they cannot wait (nutshell.h). */
extern volatile sig_atomic_t interrupt_flag;
/* Not 0: files are being kept, and a second request only gives up the one that
** is being written; a third ends the program. */
extern volatile sig_atomic_t interrupt_keeps;
/* Set by SIGUSR1: the next line of progress is shown. */
extern volatile sig_atomic_t progress_flag;

#endif
