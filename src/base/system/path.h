/* Names of files and folders on their way to other programs.
**
** A name never becomes an option: compilers take words that begin with '@' or
** '-' for something else, and hand the words after '-I' or '-D' on as words of
** their own.  So folders are given to them as absolute names, which begin with
** '/', and texts as standard input. */

#ifndef NUT_BASE_SYSTEM_PATH_H
#define NUT_BASE_SYSTEM_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The name as it is seen from everywhere: the current folder before it unless
** it begins with '/'; nothing of it is resolved.  False with 'errno' when the
** system does not tell the current folder, or the name is too long. */
bool path_absolute(const char *path, char absolute[PATH_MAX]);
/* Bytes of the part that names the folder, with its last '/'; 0 when the name
** has none. */
size_t path_folder_length(const char *path);
/* Finds a program in $PATH, unless it is a path itself. */
bool path_find_program(const char *name, char path[PATH_MAX]);

#endif
