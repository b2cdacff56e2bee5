/* Work that goes on in a process of its own when we are gone.
**
**   we ── fork ── go on
**          └── a session of its own ── fork ── ends
**                                        └── the work, nobody's child
**
** That process has none of our descriptors but two, standard streams that lead
** nowhere, no terminal, no signal handlers, the lowest priority, and "/" as its
** folder.  It is a copy of ours, so there must be no other thread at work. */

#ifndef NUT_BASE_SYSTEM_OUTLIVE_H
#define NUT_BASE_SYSTEM_OUTLIVE_H

/* Starts it and waits for nobody.  The descriptors are both above 2.  The work
** does not run when the process cannot be made. */
void outlive(void (*work)(void *context), void *context, const int kept[2]);

#endif
