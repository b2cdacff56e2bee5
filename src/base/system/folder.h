/* Folders held by descriptors, for files that will be executed.
**
** A path is a promise of whoever owns the folders on it: each of them can be
** exchanged between two uses.  So a path is walked once, and from then on only
** the descriptor counts.  On the way
**
**   / ── home ── me ── .cache ── nutshell
**
** every folder must belong to root or to us, and nobody else may write to it,
** unless it is sticky (/tmp), where nobody can exchange what is ours.  The same
** holds for symbolic links and the folders they lead through. */

#ifndef NUT_BASE_SYSTEM_FOLDER_H
#define NUT_BASE_SYSTEM_FOLDER_H

#include <stdbool.h>

/* Opens the folder at an absolute path; with 'make', folders that are missing
** are made (0700).  -1 when it is not there, or when one part of the way could
** be changed by somebody else. */
int folder_open(const char *path, bool make);
/* Whether it belongs to us. */
bool folder_is_ours(int folder);
/* Whether it belongs to us, and nobody else may so much as look into it. */
bool folder_is_private(int folder);

/* Makes a private folder with this name in another one and opens it; -1 when
** that cannot be, or the name is taken. */
int folder_make(int parent, const char *name);
/* Removes what has this name, with everything in it; links are not followed. */
void folder_remove(int parent, const char *name);

#endif
