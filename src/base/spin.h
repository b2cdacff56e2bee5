/* A lock in a byte, for a few instructions: who waits asks again and again, and
** after a while lets others run first.  0 is free.  Nobody allocates, or waits
** for anything else but the next lock in order, while he has one. */

#ifndef NUT_BASE_SPIN_H
#define NUT_BASE_SPIN_H

#include <sched.h>
#include <stdint.h>

/* Whether ThreadSanitizer looks on: what is read by vectors otherwise is then
** read byte by byte, as it knows nothing else. */
#if defined __SANITIZE_THREAD__
#define SPIN_IS_WATCHED 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define SPIN_IS_WATCHED 1
#endif
#endif
#ifndef SPIN_IS_WATCHED
#define SPIN_IS_WATCHED 0
#endif

/* Between two stores that others may see one without the other: tests wait there
** (tests/unit/store_shared.c). */
#ifndef SPIN_PAUSE
#define SPIN_PAUSE() ((void)0)
#endif

static inline void spin_lock(uint8_t *lock)
{
  enum { PATIENCE = 64 };
  for (uint32_t tries = 1; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE);
       tries++)
    if (tries % PATIENCE == 0)
      sched_yield();
}

static inline void spin_unlock(uint8_t *lock)
{
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

#endif
