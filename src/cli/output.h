/* Everything that Nutshell says passes through here: the standard output, the
** standard error, and the files a user asks for. */

#ifndef NUT_CLI_OUTPUT_H
#define NUT_CLI_OUTPUT_H

#include "base/text/text.h"
#include <stdbool.h>

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_text(const text *);

/* "nutshell: ..." on the standard error.  Returns STATUS_BAD. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Text for the standard error as it is, such as diagnostics. */
void say_error(const char *string);

/* From now on nothing is said or written: another process does. */
void fall_silent(void);
bool is_silent(void);
/* A launcher hands on what is said: no terminal is one of ours. */
void be_handed_on(void);

/* Each line of the standard error begins with this mark: whoever started us hands
** it on. */
void mark_error_lines(char mark);

/* Writes a whole file, or nothing: the text goes to a temporary file beside
** 'path', which takes its name at the end.  "-" is the standard output, and
** what is not a regular file (a device, a pipe) is written directly.  On
** failure complains and returns false. */
bool write_file(const char *path, const text *content);

/* Whether 'write_file' has a chance; complains when not.  For those who compute
** for hours before they write. */
bool can_write_file(const char *path);

/* Whether both names lead to the same existing file. */
bool same_file(const char *a, const char *b);

/* Flushes the standard output.  Returns 'status', or STATUS_BAD after a
** complaint when something that was said got lost. */
int finish_output(int status);

bool output_is_terminal(void);
bool error_is_terminal(void);
/* Columns of that terminal, as it is now; 'usual' when it does not tell. */
size_t error_width(size_t usual);

#endif
