/* Preloaded into the program: a disk that is slow, and does things by halves.
**
**   SLOW_MICROS=n   each pread and pwrite takes so long at least; reads and
**                   writes of more than a few bytes do half of what is asked
**                   for, and every fifth call is interrupted by a signal
**   SLOW_STOP=n     at the n-th call the program gets SIGINT
**   SLOW_LOG=file   gets the number of calls in the end */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* How much of it is done; 0: the call is interrupted. */
static size_t part(size_t size)
{
  const char *micros = getenv("SLOW_MICROS"), *stop = getenv("SLOW_STOP");
  long number = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  usleep(micros ? (useconds_t)atol(micros) : 0);
  if (stop && number == atol(stop))
    raise(SIGINT);
  if (number % 5 == 0) {
    errno = EINTR;
    return 0;
  }
  return size > 16 ? size / 2 : size;
}

ssize_t pread(int file, void *to, size_t size, off_t at)
{
  size_t some = part(size);
  return some ? NEXT(pread)(file, to, some, at) : -1;
}

ssize_t pread64(int file, void *to, size_t size, off64_t at)
{
  size_t some = part(size);
  return some ? NEXT(pread64)(file, to, some, at) : -1;
}

ssize_t pwrite(int file, const void *from, size_t size, off_t at)
{
  size_t some = part(size);
  return some ? NEXT(pwrite)(file, from, some, at) : -1;
}

ssize_t pwrite64(int file, const void *from, size_t size, off64_t at)
{
  size_t some = part(size);
  return some ? NEXT(pwrite64)(file, from, some, at) : -1;
}

__attribute__((destructor)) static void tell(void)
{
  const char *path = getenv("SLOW_LOG");
  FILE *log = path ? fopen(path, "w") : NULL;
  if (!log)
    return;
  fprintf(log, "%ld\n", calls);
  fclose(log);
}
