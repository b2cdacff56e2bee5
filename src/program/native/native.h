/* Native code: the model emitted as C, compiled by the system's compiler, and
** taken over while a search is running.
**
**   interpreted   the interpreter alone
**   native        native code from the first state on; waits for the compiler
**   auto          the interpreter; once a run has lasted a little, compilation
**                 starts in the background, and every worker goes over to
**                 native code as soon as it is there.  What was compiled
**                 before is found in a cache and taken over sooner.
**
** 'program_successors' then calls native code, and the interpreter for the
** states that native code gives back.  With 'check' every answer of native
** code is compared with the interpreter's.
**
** Nothing here fails: without a compiler, or for a model that cannot be
** emitted, the interpreter goes on, and 'program_engine_note' says why. */

#ifndef NUT_PROGRAM_NATIVE_NATIVE_H
#define NUT_PROGRAM_NATIVE_NATIVE_H

#include "base/limits.h"
#include "nutshell.h"
#include "program/program.h"

typedef struct engine_options {
  nut_engine kind;
  bool check;
  nut_cache cache;
  const char *folder; /* of the cache; NULL: the user's */
  limits *limits;     /* of who waits for the compiler; NULL: none */
} engine_options;

/* To be called once, before any worker is created; without it a program is
** interpreted. */
void program_set_engine(program *, const engine_options *);

/* "native" when native code was taken over, else "interpreted". */
const char *program_engine(const program *);
/* Why there is no native code though it was asked for, in one line; or NULL.
** Valid until the program is destroyed. */
const char *program_engine_note(const program *);
/* With 'check': what differed first, or NULL.  Then nothing that was found is
** to be trusted. */
const char *program_engine_error(const program *);

/* The run has come to its end by itself: where the options allow it, a compiler
** that would be of use to the next run may go on when the program is gone
** (native_leave.c). */
void program_leave_compiler(program *);

typedef struct engine_figures {
  uint64_t native;      /* states expanded by native code */
  uint64_t given_back;  /* states it left to the interpreter */
  uint64_t interpreted; /* all states expanded by the interpreter */
} engine_figures;

/* For tests. */
void worker_engine_figures(const worker *, engine_figures *);

/* ---- for program.c and interp.c --------------------------------------- */

typedef struct native_engine native_engine;
typedef struct native_worker native_worker;

void native_engine_destroy(native_engine *);
void native_worker_destroy(native_worker *);
/* Fills the batch, or answers false: the interpreter has to. */
bool native_successors(worker *, const uint8_t *state, uint32_t length,
                       batch *);

#endif
