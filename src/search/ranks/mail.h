/* Packets between the walkers of a rank: one of them, the first, exchanges messages
** with other ranks, and all of them make packets and store what came.  Any number
** of threads put and take. */

#ifndef NUT_SEARCH_RANKS_MAIL_H
#define NUT_SEARCH_RANKS_MAIL_H

#include "base/ranks/ranks.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct parcel {
  struct parcel *next;
  uint32_t rank; /* where it goes to, or comes from */
  rank_bytes bytes;
} parcel;

typedef struct mail {
  pthread_mutex_t lock;
  parcel *first, *last;
  parcel *spare;         /* that may be used again */
  atomic_size_t waiting; /* parcels, */
  atomic_size_t open; /* and with them those that were taken and not settled */
} mail;

void mail_create(mail *);
void mail_free(mail *);
/* An empty parcel, for who asks. */
parcel *mail_blank(mail *);
void mail_put(mail *, parcel *);
/* The oldest that waits; NULL: none does. */
parcel *mail_take(mail *);
/* What was in a parcel that was taken is not needed any more. */
void mail_give_back(mail *, parcel *);
/* All is done that is to be done about one parcel that was taken. */
void mail_settle(mail *);
/* Somebody has left it in the middle: only those count that wait. */
void mail_forget_open(mail *);

static inline size_t mail_waiting(mail *m)
{
  return atomic_load_explicit(&m->waiting, memory_order_acquire);
}
static inline bool mail_is_settled(mail *m)
{
  return !atomic_load_explicit(&m->open, memory_order_acquire);
}

#endif
