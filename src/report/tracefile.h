/* Traces in files: reading our JSON traces and SPIN's trails back, writing
** trails.  What a file says is only a list of choices; the program executes
** them (see trail_replay), and the story made of that is compared with what
** the file says. */

#ifndef NUT_REPORT_TRACEFILE_H
#define NUT_REPORT_TRACEFILE_H

#include "report/json.h"

typedef struct recorded {
  choice_kind kind;
  VEC(choice) choices;
  /* For each choice: the line of the trail, or the index of the JSON step. */
  VEC(uint32_t) lines;
  json_t *json; /* a JSON trace, or NULL for a trail */
  /* Where its loop begins: the index of a JSON step, or the number of choices
  ** before it; -1: it has none. */
  int64_t loop;
} recorded;

/* Reads a trace.  False with a message when the text is neither a JSON trace
** nor a trail, or does not belong to the model. */
bool recorded_read(recorded *, const model *, const char *content,
                   size_t length, text *message);
void recorded_free(recorded *);

/* Compares a story made by following a JSON trace with what the trace says.
** Returns the index of the first step that differs, or -1; 'message' says
** what differs. */
int64_t recorded_compare(const recorded *, story *, text *message);

/* Finds the loop that was recorded in the trace made by following it all, and
** marks it there.  False: the end of the trace does not lead back to where the
** loop begins. */
bool recorded_close(const recorded *, const program *, trace *);

/* The trail of a story: one record for each statement, merging off. */
void trail_write(const story *, text *out);

#endif
