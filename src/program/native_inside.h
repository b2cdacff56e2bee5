/* What the parts of native code share:
**
**   native.c          when to compile and when to take over; lending memory
**   native_build.c    from emitted text to loaded code, in a thread
**   native_check.c    native code against the interpreter
**   native_compiler.c finding and running the C compiler
**   cache.c           the folder of compiled models
**
** Threads: everything but 'native_build' runs in the threads of the workers.
** The thread of 'native_build' allocates nothing, writes 'note' before it
** sets 'state', and publishes 'code' last. */

#ifndef NUT_PROGRAM_NATIVE_INSIDE_H
#define NUT_PROGRAM_NATIVE_INSIDE_H

#include "base/text.h"
#include "program/machine.h"
#include "program/native.h"
#include "runtime/abi.h"
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

enum { NOTE_MAX = 400, KEY_MAX = 40, COMPILER_WORDS = 8 };

/* ---- cache.c ---------------------------------------------------------- */

typedef struct cache {
  char folder[PATH_MAX - 100];
  bool temporary; /* of this run alone: removed by 'cache_close' */
} cache;

/* Finds or makes the folder.  False, with a note, when there is no place. */
bool cache_open(cache *, const char *folder, char note[NOTE_MAX]);
void cache_close(const cache *);
void cache_path(const cache *, const char *key, char path[PATH_MAX]);
/* A name that nobody else uses, for files under construction. */
void cache_temporary(const cache *, const char *suffix, char path[PATH_MAX]);
/* Adds length and checksum to a file. */
bool cache_seal(const char *path);
/* Whether the file is there, ours, and as it was sealed. */
bool cache_is_sound(const char *path);
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
/* Compiles 'source' to 'object'; '*child' is the compiler's process while it
** runs (its own group), or 0, or COMPILER_UNWANTED: then it is ended at once.
** False, with a note, on failure. */
enum { COMPILER_UNWANTED = -1 };
typedef struct compiler_job {
  char source[PATH_MAX], object[PATH_MAX], log[PATH_MAX];
  const char *key;
  bool foreign;        /* the user's C, not ours: nothing is optimised away */
  const char *include; /* foreign: a folder of headers, or NULL */
} compiler_job;
bool compiler_run(const compiler *, const compiler_job *, atomic_int *child,
                  char note[NOTE_MAX]);

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
  engine_kind kind;
  bool check;
  char *folder;         /* of the cache, or NULL */
  pthread_mutex_t lock; /* whoever asks for the next thing to be done */

  text source;
  char key[KEY_MAX];
  compiler compiler;
  cache cache;
  bool cache_is_open;
  pthread_t thread;
  bool has_thread;
  atomic_int child; /* process of the compiler, or 0 */

  atomic_int state; /* build_state */
  char note[NOTE_MAX];
  void *library;
  _Atomic(const nut_native *) code; /* once there is any */

  atomic_bool differs;
  char difference[NOTE_MAX];
};

struct native_worker {
  native_engine *engine;
  nut_run *run;
  size_t frame_capacity, frame_bytes, current, sent; /* of what is lent */
  engine_figures figures;
  bool hopeless;    /* too much comes back: not worth asking any more */
  batch other;      /* check: the answer of native code */
  text what;        /* check: how it differs */
  uint8_t *reached; /* check: the edges it went along, a byte each */
};

/* ---- native_build.c --------------------------------------------------- */

/* Emits the model and looks into the cache: BUILD_DONE, _EMITTED, _FAILED. */
void native_emit(native_engine *);
/* Compiles in a thread of its own; 'native_wait' waits for it. */
void native_compile(native_engine *);
void native_wait(native_engine *);
void native_unload(native_engine *);

/* The name of all that compiled code is made from. */
void native_key(const text *source, const compiler *, bool foreign,
                char key[KEY_MAX]);
/* Names in the folder for the files of a compilation; the source is written.
** Whatever comes of it, 'native_clear_job' removes what is left. */
bool native_begin_job(const cache *, const text *source, compiler_job *);
void native_clear_job(const compiler_job *);
/* Seals what was compiled and puts it where everybody finds it. */
bool native_keep(const cache *, const compiler_job *, char path[PATH_MAX]);

/* ---- native_check.c --------------------------------------------------- */

/* Compares two answers for the same state.  NULL: they are the same. */
const char *native_difference(const batch *interpreted, const batch *native,
                              text *out);
/* The same for the edges reached so far. */
const char *native_reached_difference(const uint8_t *interpreted,
                                      const uint8_t *native, size_t edges,
                                      text *out);

#endif
