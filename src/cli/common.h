/* What several commands do. */

#ifndef NUT_CLI_COMMON_H
#define NUT_CLI_COMMON_H

#include "base/arena.h"
#include "cli/options.h"
#include "nutshell.h"

/* How messages call the model of the command line: "-" is "stdin". */
const char *model_name(const options *);

/* As the options say, or by the ending of the file; Promela otherwise. */
nut_language language_for(const options *, const char *file);

/* What is on the standard input; a little more than a model may have is enough
** to be told so. */
void read_input(text *out);

/* Opens the model of the command line; "-" is read from the standard input.
** Shows its diagnostics; NULL when it cannot be used, with the exit status. */
nut_workspace *open_model(const options *, int *status);
/* The same for those who report what is wrong: it may be one that cannot be
** used.  NULL: no memory. */
nut_workspace *open_any_model(const options *);

/* Says why the last call of the workspace has failed; the exit status. */
int tell_problem(nut_workspace *);

/* Replays a file with a trace as it is, with the status of that; NULL after a
** complaint. */
nut_walk *replay_file(nut_workspace *, const char *path, int *status);

nut_style style_of(const options *);

/* A sink: adds to a text. */
void gather_text(void *to, const char *bytes, size_t length);

/* Refuses output files that are the model itself, and charts of unknown
** kinds.  False: refused. */
bool outputs_good(const options *);
bool name_ends_with(const char *name, const char *ending);

/* Refuses one that is a model of the command line; the option is for the
** complaint. */
bool spares_model(const options *, const char *option, const char *name);

/* Names that are taken already, each once. */
typedef struct taken {
  const char *name;
  struct taken *next;
} taken;

/* What stands for 'name' in the names of files (see base/source/shown.h),
** different from all before it in '*list'. */
const char *file_part(arena *, taken **list, const char *name);

/* "dir/t.json" with suffix "x" is "dir/t-x.json"; NULL: no suffix. */
const char *with_suffix(arena *, const char *name, const char *suffix);

/* Writes the files asked for by --trace, --trail and --msc.  'suffix' (or NULL),
** a part of the name of a file, goes before the ending of the names: "t.json" ->
** "t-NAME.json".  The result whose trace it is, or NULL, learns the name of the
** JSON trace. */
bool write_traces(const options *, const nut_trace *, const char *suffix,
                  nut_result *);

/* Removes an old trail, which would be taken for an answer. */
void remove_old_trail(const options *);

/* Shows a graph in DOT as SVG, by running 'dot' within the limits of the
** workspace (NULL: until it is interrupted); the exit status. */
int draw_svg(const text *graph, nut_workspace *);

/* Names that are separated by commas; NULL: none.  They are in the arena. */
option_list split_names(arena *, const char *names);

/* Whether there is the store that was asked for; complains when not. */
bool store_exists(const options *);

#endif
