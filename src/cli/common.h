/* What several commands do. */

#ifndef NUT_CLI_COMMON_H
#define NUT_CLI_COMMON_H

#include "api/handle.h"
#include "cli/options.h"
#include "report/plain.h"

/* Loads the model of the command line.  Shows its diagnostics; NULL when it
** cannot be used, with the exit status.  Commands that make a report get a model
** that met a limit, to report that. */
nut_model *load_model(const options *, int *status);

/* Runs the work of a command under the limits of its model.  False when it was
** left at one of them, which is told. */
bool work_within_limits(nut_model *, mem_work *, void *context);

plain_style style_of(const options *);

/* Refuses output files that are the model itself, and charts of unknown
** kinds.  False: refused. */
bool outputs_good(const options *);

/* Names that are taken already, each once. */
typedef struct taken {
  const char *name;
  struct taken *next;
} taken;

/* What stands for 'name' in the names of files (see base/source/shown.h),
** different from all before it in '*list'. */
const char *file_part(arena *, taken **list, const char *name);

/* Writes the files asked for by --trace, --trail and --msc.  'shows' is the
** property violated, or NULL; 'suffix' (or NULL), a part of the name of a file,
** goes before the ending of the names: "t.json" -> "t-NAME.json". '*written' (perhaps NULL) becomes the name
** of the JSON trace, in 'a'. */
bool write_traces(const options *, story *, const char *shows,
                  const char *suffix, arena *a, const char **written);

/* Removes an old trail, which would be taken for an answer. */
void remove_old_trail(const options *);

/* Shows a graph in DOT as SVG, by running 'dot' within the limits (NULL: until
** it is interrupted); the exit status. */
int draw_svg(const text *graph, limits *);

/* Whether there is the store that was asked for; complains when not. */
bool store_exists(const options *);

#endif
