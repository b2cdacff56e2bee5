/* Walks through a model with libnutshell: in each state, what the variables are,
** what can happen, and what cannot and why.  Always takes the first step.
**
**   cc -o walk walk.c $(pkg-config --cflags --libs nutshell)
**   ./walk model.pml 3
**
** Everything here comes from the one public header. */

#include <nutshell.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong with the model, as an editor would want to know it. */
static void tell_diagnostics(nut_workspace *w)
{
  size_t count;
  const nut_diagnostic *list = nut_diagnostics(w, &count);
  for (size_t i = 0; i < count; i++)
    fprintf(stderr, "line %u, columns %u to %u: %s\n", list[i].at.line,
            list[i].at.column, list[i].at.end_column, list[i].message);
}

static void tell_values(nut_workspace *w, nut_state state)
{
  size_t count;
  const nut_value *list = nut_values(w, state, &count);
  printf("state %u:", state);
  for (size_t i = 0; i < count; i++)
    if (strcmp(list[i].type, "chan") != 0)
      printf(" %s = %s", list[i].name, list[i].text);
  printf("\n");
}

/* Why each of the other statements has to wait. */
static void tell_blocked(nut_workspace *w, nut_state state)
{
  size_t count;
  const nut_blocked *list = nut_not_enabled(w, state, &count);
  for (size_t i = 0; i < count; i++)
    printf("  - %s(%u) line %u  %s  waits: %s %s%s%s\n", list[i].process_type,
           list[i].process, list[i].at.line, list[i].text, list[i].word,
           list[i].cause, *list[i].values ? ", " : "", list[i].values);
}

/* Tells what can happen; the state that the first step leads to, or 0. */
static nut_state tell_moves(nut_workspace *w, nut_state state)
{
  size_t count;
  const nut_move *list = nut_moves(w, state, &count);
  for (size_t i = 0; i < count; i++)
    printf("  + %s(%u) line %u  %s%s%s\n", list[i].process_type,
           list[i].process, list[i].at.line, list[i].text,
           list[i].fault ? "  fails: " : "",
           list[i].fault ? list[i].fault : "");
  return count ? list[0].target : 0;
}

int main(int argc, char **argv)
{
  if (argc != 3) {
    fprintf(stderr, "usage: %s MODEL STEPS\n", argv[0]);
    return NUT_ERROR;
  }
  nut_workspace *w = nut_open_file(argv[1], NULL);
  tell_diagnostics(w);
  nut_state state = nut_initial(w);
  if (!state)
    fprintf(stderr, "%s\n", nut_problem(w));
  for (long left = atol(argv[2]); state && left >= 0; left--) {
    tell_values(w, state);
    nut_state next = tell_moves(w, state);
    tell_blocked(w, state);
    state = next;
  }
  int status = (int)nut_outcome(w);
  nut_close(w);
  return status;
}
