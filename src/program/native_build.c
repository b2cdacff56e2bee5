/* From the model to loaded code.  Emitting happens in the caller's thread and
** is quick; the compiler runs in a thread of its own. */

#include "base/alloc.h"
#include "base/hash.h"
#include "nutshell-config.h"
#include "program/emit.h"
#include "program/native_inside.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Compilers need more than linear time and memory for large functions. */
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
  if (foreign)
    XXH3_128bits_update(&state, compiler_careful_flags,
                        strlen(compiler_careful_flags) + 1);
  XXH3_128bits_update(&state, c->identity, strlen(c->identity));
  XXH128_hash_t h = XXH3_128bits_digest(&state);
  snprintf(key, KEY_MAX, "%016llx%016llx", (unsigned long long)h.high64,
           (unsigned long long)h.low64);
}

/* Loads a compiled model and makes sure that it is the one we mean. */
static bool load(native_engine *n, const char *path)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(n->note, sizeof n->note, "compiled code cannot be loaded: %.300s",
             dlerror());
    return false;
  }
  const nut_native *native = dlsym(library, NUT_NATIVE_SYMBOL);
  if (!native || native->abi != NUT_ABI ||
      native->run_size != sizeof(nut_run) || strcmp(native->key, n->key) != 0) {
    snprintf(n->note, sizeof n->note, "compiled code is not what it should be");
    dlclose(library);
    return false;
  }
  n->library = library;
  n->note[0] = 0;
  atomic_store(&n->state, BUILD_DONE);
  atomic_store_explicit(&n->code, native, memory_order_release);
  return true;
}

void native_emit(native_engine *n)
{
  char path[PATH_MAX];
  const char *why = emit_model(n->program, &n->source);
  if (!why && n->source.len > SOURCE_MAX)
    why = "the model is too large";
  if (!why && !compiler_find(&n->compiler))
    why = "there is no C compiler (cc, gcc or clang)";
  if (why) {
    fail(n, why);
    return;
  }
  native_key(&n->source, &n->compiler, false, n->key);
  n->cache_is_open = cache_open(&n->cache, n->folder, n->note);
  if (!n->cache_is_open) {
    fail(n, NULL);
    return;
  }
  cache_path(&n->cache, n->key, path);
  if (cache_is_sound(path) && load(n, path))
    return;
  atomic_store(&n->state, BUILD_EMITTED);
}

/* ---- the thread ------------------------------------------------------- */

static bool write_file(const char *path, const char *data, size_t length)
{
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return false;
  while (length) {
    ssize_t n = write(file, data, length);
    if (n <= 0)
      break;
    data += n;
    length -= (size_t)n;
  }
  return close(file) == 0 && length == 0;
}

bool native_begin_job(const cache *c, const text *source, compiler_job *job)
{
  cache_temporary(c, ".c", job->source);
  cache_temporary(c, ".o", job->object);
  cache_temporary(c, ".log", job->log);
  return write_file(job->source, source->data, source->len);
}

void native_clear_job(const compiler_job *job)
{
  unlink(job->source);
  unlink(job->object);
  unlink(job->log);
}

bool native_keep(const cache *c, const compiler_job *job, char path[PATH_MAX])
{
  cache_path(c, job->key, path);
  return cache_seal(job->object) && rename(job->object, path) == 0;
}

static bool build(native_engine *n, compiler_job *job)
{
  char path[PATH_MAX];
  if (native_begin_job(&n->cache, &n->source, job)) {
    if (!compiler_run(&n->compiler, job, &n->child, n->note))
      return false;
    if (native_keep(&n->cache, job, path))
      return load(n, path);
  }
  snprintf(n->note, sizeof n->note, "no file can be written in %.300s",
           n->cache.folder);
  return false;
}

static void *build_thread(void *argument)
{
  native_engine *n = argument;
  compiler_job job = {.key = n->key};
  bool good = build(n, &job);
  native_clear_job(&job);
  if (!good)
    fail(n, NULL);
  else
    cache_trim(&n->cache);
  return NULL;
}

/* Signals are for the threads that know what to do with them. */
void native_compile(native_engine *n)
{
  sigset_t all, before;
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

void native_unload(native_engine *n)
{
  atomic_store(&n->code, NULL);
  if (n->library)
    dlclose(n->library);
  n->library = NULL;
}
