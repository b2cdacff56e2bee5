/* How messages travel between the ranks of a run: the door to a library that
** carries them.  One class fills it in for each MPI library, as a module that is
** loaded at run time (modules/mpi.c), another carries by sockets
** (carrier_sockets.c), for tests.
**
** Messages from one rank to another arrive in the order in which they were sent,
** as long as the sender calls some function now and then, of whatever rank it asks.
** No function waits but 'start' and 'end'; all are called by one thread.  This
** header is all that a module includes of ours. */

#ifndef NUT_BASE_RANKS_CARRIER_H
#define NUT_BASE_RANKS_CARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  CARRIER_VERSION = 1,
  CARRIER_SLOTS = 2,       /* messages under way to one rank */
  CARRIER_MOST = 64 * 1024 /* bytes of a message */
};

/* What 'receive' says of a rank that is gone without a word. */
#define CARRIER_GONE SIZE_MAX

typedef struct carrier carrier;

typedef struct carrier_class {
  uint32_t version; /* CARRIER_VERSION, first for ever */
  /* Meets all other ranks; NULL with the reason. */
  carrier *(*start)(const char **why);
  const char *(*name)(const carrier *); /* of the library, with its version */
  uint32_t (*own)(const carrier *);     /* the number of this rank, */
  uint32_t (*count)(const carrier *);   /* and how many there are */
  /* Begins to send; the bytes stay as they are until 'is_sent' is true of the
  ** slot, which must be free. */
  void (*send)(carrier *, uint32_t to, uint32_t slot, const void *bytes,
               size_t length);
  bool (*is_sent)(carrier *, uint32_t to, uint32_t slot);
  /* The oldest message of a rank, which stays until 'done'; NULL: there is
  ** none.  While one is not done with, none follows from that rank. */
  const void *(*receive)(carrier *, uint32_t from, size_t *length);
  void (*done)(carrier *, uint32_t from);
  /* Nothing is under way any more, from or to any rank. */
  void (*end)(carrier *);
} carrier_class;

/* The name of it in a module. */
#define CARRIER_SYMBOL "nut_carrier"

#endif
