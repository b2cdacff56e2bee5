/* From the model to loaded code.  Emitting happens in the caller's thread and
** is quick; the compiler runs in a thread of its own. */

#include "base/alloc.h"
#include "base/hash.h"
#include "nutshell-config.h"
#include "program/emit/emit.h"
#include "program/native/native_internal.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* Text that no compiler is asked to read: it would take longer than most runs
** do with the interpreter. */
enum { SOURCE_MAX = 4 << 20 };

static void fail(native_engine *n, const char *why)
{
  if (why)
    snprintf(n->note, sizeof n->note, "%s", why);
  atomic_store(&n->state, BUILD_FAILED);
}

void native_key(const text *source, const compiler *c, bool foreign,
                char key[KEY_MAX])
{
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, source->data, source->len);
  XXH3_128bits_update(&state, NUT_VERSION, sizeof NUT_VERSION);
  XXH3_128bits_update(&state, compiler_flags, strlen(compiler_flags) + 1);
  const char *const *level = compiler_level(source->len);
  for (size_t i = 0; i < LEVEL_FLAGS; i++)
    XXH3_128bits_update(&state, level[i], strlen(level[i]) + 1);
  if (foreign)
    XXH3_128bits_update(&state, compiler_careful_flags,
                        strlen(compiler_careful_flags) + 1);
  XXH3_128bits_update(&state, c->identity, strlen(c->identity));
  XXH128_hash_t h = XXH3_128bits_digest(&state);
  snprintf(key, KEY_MAX, "%016llx%016llx", (unsigned long long)h.high64,
           (unsigned long long)h.low64);
}

void *native_load(int file)
{
  char name[40];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static bool is_meant(const native_engine *n, const nut_native *native)
{
  return native && native->abi == NUT_ABI &&
         native->run_size == sizeof(nut_run) &&
         strcmp(native->key, n->key) == 0;
}

/* Loads a compiled model and makes sure that it is the one we mean.  The file
** is ours to close. */
static bool load(native_engine *n, int file)
{
  void *library = native_load(file);
  const nut_native *native = library ? dlsym(library, NUT_NATIVE_SYMBOL) : NULL;
  if (is_meant(n, native)) {
    n->library = library;
    n->file = file;
    n->note[0] = 0;
    atomic_store(&n->state, BUILD_DONE);
    atomic_store_explicit(&n->code, native, memory_order_release);
    return true;
  }
  if (library) {
    snprintf(n->note, sizeof n->note, "compiled code is not what it should be");
    dlclose(library);
  } else {
    snprintf(n->note, sizeof n->note, "compiled code cannot be loaded: %.300s",
             dlerror());
  }
  close(file);
  return false;
}

/* What gcc takes for a text of this size (docs/internals/native.md). */
static size_t compiler_bytes(size_t length)
{
  enum { LEAST = 40 << 20, A_BYTE = 160 };
  return LEAST + A_BYTE * length;
}

/* With a limit of memory the compiler counts to the end of the run, also when
** its work lies in the cache, so that the same run ends the same way each time;
** it is not started where it would take more than a quarter. */
static bool fits_budget(native_engine *n)
{
  size_t most = n->limits ? n->limits->asked.memory_bytes : 0;
  size_t bytes = compiler_bytes(n->source.len);
  if (!most)
    return true;
  if (bytes > most / 4 || !mem_take(bytes))
    return false;
  n->charged = bytes;
  return true;
}

void native_emit(native_engine *n)
{
  char large[NOTE_MAX];
  const char *why = emit_model(n->program, &n->source);
  if (!why && n->source.len > SOURCE_MAX) {
    snprintf(large, sizeof large,
             "the model is too large: %zu MB of C, at most %d are compiled",
             n->source.len >> 20, SOURCE_MAX >> 20);
    why = large;
  }
  if (!why && !compiler_find(&n->compiler))
    why = "there is no C compiler (cc, gcc or clang)";
  if (why) {
    fail(n, why);
    return;
  }
  native_key(&n->source, &n->compiler, false, n->key);
  n->keeping = cache_allowed(n->keeping);
  n->cache_is_open =
      cache_open(&n->cache, n->folder, n->keeping != NUT_CACHE_OFF, n->note);
  if (!n->cache_is_open) {
    fail(n, NULL);
    return;
  }
  n->fits = fits_budget(n);
  int file = cache_find(&n->cache, n->key);
  if (file >= 0 && load(n, file))
    return;
  atomic_store(&n->state, BUILD_EMITTED);
}

/* ---- the thread ------------------------------------------------------- */

static bool write_source(int folder, const text *source)
{
  int file =
      openat(folder, JOB_SOURCE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const char *data = source->data;
  size_t left = source->len;
  while (file >= 0 && left) {
    ssize_t n = write(file, data, left);
    if (n <= 0)
      break;
    data += n;
    left -= (size_t)n;
  }
  return file >= 0 && close(file) == 0 && left == 0;
}

bool native_begin_job(const cache *c, const text *source, compiler_job *job)
{
  job->source_length = source->len;
  return cache_begin(c, &job->place) && write_source(job->place.folder, source);
}

void native_clear_job(const cache *c, compiler_job *job)
{
  cache_end(c, &job->place);
  text_free(&job->log);
  mem_free(job->environment, job->environment_count * sizeof *job->environment);
  job->environment = NULL;
}

int native_take(const cache *c, const compiler_job *job, bool kept)
{
  int file = cache_product(&job->place, JOB_OBJECT);
  if (file < 0 || !kept ||
      cache_keep(c, &job->place, JOB_OBJECT, file, job->key))
    return file;
  close(file);
  return -1;
}

static bool compile_and_load(native_engine *n)
{
  if (native_begin_job(&n->cache, &n->source, &n->job)) {
    if (!compiler_run(&n->compiler, &n->job, n->note))
      return false;
    int file = native_take(&n->cache, &n->job, true);
    if (file >= 0)
      return load(n, file);
  }
  snprintf(n->note, sizeof n->note, "no file can be written in %.300s",
           n->cache.path);
  return false;
}

bool native_compile_for_others(native_engine *n, unsigned work_seconds,
                               size_t memory_max)
{
  n->job = (compiler_job){.place = {.folder = -1},
                          .key = n->key,
                          .work_seconds = work_seconds,
                          .memory_max = memory_max};
  int file = native_begin_job(&n->cache, &n->source, &n->job) &&
                     compiler_run(&n->compiler, &n->job, n->note)
                 ? native_take(&n->cache, &n->job, true)
                 : -1;
  if (file >= 0)
    close(file);
  native_clear_job(&n->cache, &n->job);
  return file >= 0;
}

static void build(void *engine)
{
  native_engine *n = engine;
  n->built = compile_and_load(n);
}

/* Nobody waits for this thread when memory runs out in it. */
static void *build_thread(void *argument)
{
  native_engine *n = argument;
  if (!mem_protect(build, n))
    snprintf(n->note, sizeof n->note, "there is not enough memory");
  bool good = n->built;
  native_clear_job(&n->cache, &n->job);
  if (!good)
    fail(n, NULL);
  else
    cache_trim(&n->cache);
  return NULL;
}

void native_set_limits(native_engine *n, const engine_options *o)
{
  n->limits = o->limits;
  n->wake = eventfd(0, EFD_CLOEXEC);
}

/* Time only matters to who waits. */
static bool shall_stop(void *context)
{
  const native_engine *n = context;
  if (atomic_load(&n->unwanted))
    return true;
  if (!n->limits)
    return false;
  return n->kind == NUT_ENGINE_NATIVE ? limits_are_due(n->limits)
                                      : limits_interrupted(n->limits);
}

/* Signals are for the threads that know what to do with them. */
void native_compile(native_engine *n)
{
  sigset_t all, before;
  if (!n->fits) {
    fail(n, "the C compiler does not fit into a quarter of --memory");
    return;
  }
  n->job = (compiler_job){.place = {.folder = -1},
                          .key = n->key,
                          .stop = shall_stop,
                          .context = n,
                          .wake = n->wake >= 0 ? &n->wake : NULL};
  atomic_store(&n->state, BUILD_RUNNING);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  n->has_thread = pthread_create(&n->thread, NULL, build_thread, n) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!n->has_thread)
    fail(n, "no thread can be started for the C compiler");
}

void native_wait(native_engine *n)
{
  if (n->has_thread)
    pthread_join(n->thread, NULL);
  n->has_thread = false;
}

void native_stop(native_engine *n)
{
  atomic_store(&n->unwanted, true);
  if (n->wake >= 0)
    (void)!write(n->wake, &(uint64_t){1}, sizeof(uint64_t));
  native_wait(n);
  if (n->wake >= 0)
    close(n->wake);
  n->wake = -1;
}

void native_unload(native_engine *n)
{
  atomic_store(&n->code, NULL);
  if (n->library) {
    dlclose(n->library);
    close(n->file);
  }
  n->library = NULL;
}
