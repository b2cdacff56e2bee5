/* What the parts of native code share:
**
**   native.c          when to compile and when to take over; lending memory
**   native_build.c    from emitted text to loaded code, in a thread
**   native_check.c    native code against the interpreter
**   native_compiler.c finding and running the C compiler
**   native_cache.c    the folder of compiled models
**   native_leave.c    a compiler that outlives us
**
** Threads: everything but 'native_build.c' runs in the threads of the workers.
** The thread of that one allocates under a guard of its own, writes
** 'note' before it sets 'state', and publishes 'code' last. */

#ifndef NUT_PROGRAM_NATIVE_NATIVE_INTERNAL_H
#define NUT_PROGRAM_NATIVE_NATIVE_INTERNAL_H

#include "base/text/text.h"
#include "program/interp/worker.h"
#include "program/native/native.h"
#include "runtime/abi.h"
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

enum { NOTE_MAX = 400, KEY_MAX = 40, COMPILER_WORDS = 8, LEVEL_FLAGS = 2 };

/* ---- native_cache.c ------------------------------------------------------ */

typedef struct cache {
  int folder;
  char path[PATH_MAX]; /* for messages only */
  /* Of a folder of this run alone, which 'cache_close' removes: where it is,
  ** and its name there; else -1. */
  int parent;
  char name[40];
} cache;

/* A private folder in the cache in which one file is made. */
typedef struct workshop {
  int folder; /* -1: there is none */
  char name[80];
} workshop;

/* What the variable NUTSHELL_CACHE of the environment leaves of a wish: with
** "run" nothing is left behind, with "off" nothing is kept. */
nut_cache cache_allowed(nut_cache wish);
/* Finds or makes the folder; one of this run alone when nothing is to be kept,
** or can be.  False, with a note, when there is no place. */
bool cache_open(cache *, const char *folder, bool kept, char note[NOTE_MAX]);
bool cache_is_temporary(const cache *);
void cache_close(cache *);
/* The compiled model with this key, found to be ours and as it was sealed: a
** descriptor for the caller to close; or -1. */
int cache_find(const cache *, const char *key);

bool cache_begin(const cache *, workshop *);
/* Removes the workshop and all that is left there. */
void cache_end(const cache *, workshop *);
/* Opens a file that was made there; -1 when it is none, or not ours. */
int cache_product(const workshop *, const char *name);
/* Seals the file, which was opened by 'cache_product', and moves it to where
** everybody finds it. */
bool cache_keep(const cache *, const workshop *, const char *name, int file,
                const char *key);
/* Removes the oldest until the folder is within its bounds. */
void cache_trim(const cache *);

/* ---- native_compiler.c ------------------------------------------------ */

typedef struct compiler {
  char path[PATH_MAX];
  char words[256]; /* further words of $CC */
  const char *word[COMPILER_WORDS];
  size_t word_count;
  char identity[PATH_MAX + 300]; /* changes when the compiler does */
} compiler;

bool compiler_find(compiler *);
/* What is given to every compilation, and to that of the user's C besides, in
** one string each: parts of the key. */
extern const char compiler_flags[], compiler_careful_flags[];
/* LEVEL_FLAGS more, chosen by the length of the text alone: the same model is
** compiled in the same way everywhere. */
const char *const *compiler_level(size_t length);
/* The compiler works in the folder of the workshop, where it also finds a place
** for files of its own, and gets relative names.  Whatever comes of it,
** 'native_clear_job' removes what is left. */
typedef struct compiler_job {
  workshop place;
  text log;                 /* what the compiler says */
  const char **environment; /* for the compiler; NULL: not made */
  size_t environment_count;
  size_t source_length;
  const char *key;
  bool foreign;          /* the user's C, not ours: nothing is optimised away */
  const char *include;   /* foreign: a folder of headers, or NULL */
  unsigned work_seconds; /* at most; 0: as usual */
  size_t memory_max;     /* likewise */
  /* As in base/system/spawn.h: whether to give up. */
  bool (*stop)(void *context);
  void *context;
  const int *wake;
} compiler_job;

#define JOB_SOURCE "model.c"
#define JOB_OBJECT "model.o"

/* Compiles the source in the workshop to the object there.  False, with a note
** and the log, on failure. */
bool compiler_run(const compiler *, compiler_job *, char note[NOTE_MAX]);

/* ---- native.c --------------------------------------------------------- */

typedef enum {
  BUILD_NONE,
  BUILD_EMITTED, /* there is a text; not in the cache */
  BUILD_RUNNING,
  BUILD_DONE,
  BUILD_FAILED
} build_state;

struct native_engine {
  const program *program;
  nut_engine kind;
  bool check;
  nut_cache keeping;
  char *folder;         /* of the cache, or NULL */
  pthread_mutex_t lock; /* whoever asks for the next thing to be done */

  text source;
  char key[KEY_MAX];
  compiler compiler;
  cache cache;
  bool cache_is_open;
  pthread_t thread;
  bool has_thread;
  compiler_job job;
  bool built;           /* by the thread */
  atomic_bool unwanted; /* the compiler is to be ended; 'wake' tells it */
  int wake;             /* -1: there is none */
  limits *limits;       /* or NULL */
  size_t charged;       /* bytes of the budget that the compiler may use, */
  bool fits;            /* where there are as many */

  bool ended;       /* the run, by itself, without limits */
  atomic_bool pays; /* it was long enough to be compiled for the next one */

  atomic_int state; /* build_state */
  char note[NOTE_MAX];
  void *library;
  int file; /* the library; its number is in use as long as its name is */
  _Atomic(const nut_native *) code; /* once there is any */

  atomic_bool differs;
  char difference[NOTE_MAX];
};

struct native_worker {
  native_engine *engine;
  nut_run *run;
  size_t frame_capacity, frame_bytes, current, sent; /* of what is lent */
  engine_figures figures;
  bool hopeless; /* too much comes back: not worth asking any more */
  /* As long as there is nothing to do but to ask it; else NULL. */
  int (*quick)(nut_run *, const uint8_t *state, uint32_t length);
  nut_touch untold[NUT_PROCESSES]; /* for batches that do not ask */
  batch other;                     /* check: the answer of native code */
  text what;                       /* check: how it differs */
  uint8_t *reached; /* check: the edges it went along, a byte each */
};

/* ---- native_build.c --------------------------------------------------- */

/* Emits the model and looks into the cache: BUILD_DONE, _EMITTED, _FAILED. */
void native_emit(native_engine *);
/* Compiles in a thread of its own; 'native_wait' waits for it. */
void native_compile(native_engine *);
void native_wait(native_engine *);
/* When the compiler is to be ended though the program lives; and ends it. */
void native_set_limits(native_engine *, const engine_options *);
void native_stop(native_engine *);
void native_unload(native_engine *);

/* Compiles and seals; the result is in the cache, and not loaded. */
bool native_compile_for_others(native_engine *, unsigned work_seconds,
                               size_t memory_max);

/* The name of all that compiled code is made from. */
void native_key(const text *source, const compiler *, bool foreign,
                char key[KEY_MAX]);
/* Makes a workshop and writes the source there. */
bool native_begin_job(const cache *, const text *source, compiler_job *);
void native_clear_job(const cache *, compiler_job *);
/* Opens what was compiled, and if it is to be 'kept' puts it where everybody
** finds it: a descriptor for the caller to close; or -1. */
int native_take(const cache *, const compiler_job *, bool kept);
/* Loads the file that is open, not the one that may have its name by now.  The
** descriptor must stay open until 'dlclose': the loader knows a library by the
** name it gets, which is the number of the descriptor.  NULL: see dlerror. */
void *native_load(int file);

/* ---- native_leave.c ------------------------------------------------------ */

/* Whether a compiler is of use to the next run, and may outlive this one. */
bool native_may_leave(const native_engine *);
/* Starts it; nobody is waited for. */
void native_leave(native_engine *);

/* ---- native_check.c --------------------------------------------------- */

/* Compares two answers for the same state.  NULL: they are the same. */
const char *native_difference(const batch *interpreted, const batch *native,
                              text *out);
/* The same for the edges reached so far. */
const char *native_reached_difference(const uint8_t *interpreted,
                                      const uint8_t *native, size_t edges,
                                      text *out);

#endif
