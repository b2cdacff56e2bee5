/* What servers tell of a model, as JSON: rows with the same fields for assistants
** and for the page.  All text of a model is harmless in them (json_shown). */

#ifndef NUT_CLI_SERVE_MODEL_ROWS_H
#define NUT_CLI_SERVE_MODEL_ROWS_H

#include "nutshell.h"
#include <jansson.h>

/* A field, unless there is nothing to tell. */
void row_put_text(json_t *, const char *key, const char *words);
/* file, line, column; and, where it is known, end_line, end_column. */
void row_put_place(json_t *, nut_place);

/* Lists of at most so many rows; '*all', if not NULL, is how many there are. */
json_t *rows_of_diagnostics(nut_workspace *, size_t most);
json_t *rows_of_questions(nut_workspace *, size_t most);
json_t *rows_of_values(const nut_value *, size_t count, size_t most);
json_t *rows_of_processes(const nut_process *, size_t count);
json_t *rows_of_blocked(nut_workspace *, nut_state, size_t most, size_t *all);
/* A move is known by its number among those of its state: 'choice'. */
json_t *row_of_move(const nut_move *, size_t choice);
/* A step of a trace with what it changes, at most so many things. */
json_t *row_of_step(const nut_trace *, size_t index, size_t number,
                    size_t most);

#endif
