/* A search of the library, breadth-first from a state, for what walks ask: the
** state of a name, the next state in which something is true.
**
**   state_search s = {.workspace = w, .look = look, .context = context};
**   workspace_do(w, ...)                      { state_search_run(&s, bytes, length) }
**   state_search_go(&s, walk, number)         goes there
**   state_search_free(&s)
**
** It has states of its own, so that a search which fills the memory it may have
** leaves a workspace that works as before.  They are numbered from 1 as they are
** met, nearest first; the first is where it began. */

#ifndef NUT_API_STATE_SEARCH_H
#define NUT_API_STATE_SEARCH_H

#include "api/workspace.h"

/* Looks at a state that is met for the first time; true: that is enough. */
typedef bool state_look(void *context, uint32_t number, const uint8_t *,
                        uint32_t length);

typedef struct state_search {
  nut_workspace *workspace;
  state_look *look;
  void *context;
  size_t most; /* states; 0: as many as there are */
  numbering states;
  VEC(uint32_t) from; /* by number - 1: the one that led to it; 0: the first */
  bool stopped;       /* somebody has seen enough */
  bool complete;      /* there are no others */
} state_search;

/* Inside of work: searches until it is enough, complete, or a limit is reached
** (which is the workspace's problem then). */
void state_search_run(state_search *, const uint8_t *start, uint32_t length);
void state_search_free(state_search *);
/* Forgets the states, and makes the steps that lead from the first to one of
** them; false, with the problem: not all of them. */
bool state_search_go(state_search *, nut_walk *, uint32_t number);

#endif
