/* Threads that wait and could help: work in parts, for who has to do it while all
** others stand still. */

#ifndef NUT_BASE_HELPERS_H
#define NUT_BASE_HELPERS_H

#include <stdint.h>

/* A part of the work, from 0.  It may ask for memory by 'mem_try_*' alone: no
** part is left before its end. */
typedef void helpers_part(void *work, uint32_t number);

typedef struct helpers {
  uint32_t count; /* who can work at once, the caller included */
  void *context;
  /* Has all parts done, each once, by any thread; returns when all are. */
  void (*share)(void *context, helpers_part *, void *work, uint32_t parts);
} helpers;

/* The same where there may be no helpers (NULL). */
static inline void helpers_share(const helpers *h, helpers_part *do_part,
                                 void *work, uint32_t parts)
{
  if (h && parts > 1) {
    h->share(h->context, do_part, work, parts);
    return;
  }
  for (uint32_t i = 0; i < parts; i++)
    do_part(work, i);
}

#endif
