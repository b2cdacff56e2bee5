/* A compiler that goes on when the run is over.
**
** A search of a few ten thousand states has ended before its compiler would
** have, and so had the next one of the same model, and the one after that.  So a
** run that ended by itself may leave a process behind, the keeper, that compiles
** its model for the next one, and that nobody notices (base/system/outlive.h).
** All it has of ours is the folder of the cache and the lock in it; its compiler
** may work for 20 seconds and take 300 MB.
**
** There is one keeper for each cache: it has the lock (flock) as long as it
** lives, from before the run ends; where the lock is taken nothing is left
** behind.  When the keeper is killed the kernel ends its compiler
** (base/system/spawn.h).  What could not be compiled is marked by a folder, and
** not tried again until that is stale. */

#include "base/alloc.h"
#include "base/system/outlive.h"
#include "program/native/native_internal.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  LEFT_SECONDS = 20,
  LEFT_MEMORY = 300 << 20,
  LEFT_SOURCE = 1 << 20 /* larger texts would take longer than that */
};

/* Who gave limits knows what the run may take, and the compiler would come on
** top of it; who stopped it wants nothing to go on. */
void program_leave_compiler(program *p)
{
  native_engine *n = p->native;
  const limits *l = n ? n->limits : NULL;
  if (l)
    n->ended = l->asked.seconds <= 0 && !l->asked.memory_bytes &&
               !limits_interrupted(l);
}

bool native_may_leave(const native_engine *n)
{
  int state = atomic_load(&n->state);
  return n->ended && n->keeping == NUT_CACHE_LEAVE && n->cache_is_open &&
         !cache_is_temporary(&n->cache) && n->source.len <= LEFT_SOURCE &&
         (state == BUILD_RUNNING ||
          (state == BUILD_EMITTED && atomic_load(&n->pays)));
}

/* The name under which a failure is remembered. */
static void mark_name(const native_engine *n, char name[KEY_MAX + 16])
{
  snprintf(name, KEY_MAX + 16, "tmp-failed-%s", n->key);
}

/* The lock of the cache; -1 when somebody has it. */
static int take_lock(const native_engine *n)
{
  int lock = openat(n->cache.folder, "lock",
                    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0) {
    close(lock);
    return -1;
  }
  return lock;
}

static void compile(void *engine)
{
  native_engine *n = engine;
  n->built = native_compile_for_others(n, LEFT_SECONDS, LEFT_MEMORY);
}

static void be_keeper(void *engine)
{
  native_engine *n = engine;
  char mark[KEY_MAX + 16];
  mark_name(n, mark);
  n->built = false;
  if (mem_protect(compile, n) && n->built)
    cache_trim(&n->cache);
  else
    mkdirat(n->cache.folder, mark, 0700);
}

void native_leave(native_engine *n)
{
  char mark[KEY_MAX + 16];
  mark_name(n, mark);
  if (atomic_load(&n->state) == BUILD_DONE ||
      faccessat(n->cache.folder, mark, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
    return;
  int lock = take_lock(n);
  if (lock > 2 && n->cache.folder > 2)
    outlive(be_keeper, n, (int[]){n->cache.folder, lock});
  if (lock >= 0)
    close(lock);
}
