/* Carries messages by MPI: only calls that Open MPI 4 and MPICH 4 both have,
** non-blocking and two-sided.  Built once for each library, as a shared object
** that the program loads at run time; nothing else of ours is linked with MPI.
**
** One receive is posted for each other rank, so that who sends more than is
** wanted waits, and nobody else does. */

#include "base/ranks/carrier.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1 };

struct carrier {
  MPI_Comm all;
  int own, count;
  MPI_Request *sends;    /* CARRIER_SLOTS for each rank */
  MPI_Request *receives; /* one for each rank */
  unsigned char *room;   /* CARRIER_MOST for each rank */
  int *arrived;          /* bytes; below 0: the receive is under way */
  char name[MPI_MAX_LIBRARY_VERSION_STRING];
};

static void post(carrier *c, uint32_t from)
{
  c->arrived[from] = -1;
  MPI_Irecv(c->room + (size_t)from * CARRIER_MOST, CARRIER_MOST, MPI_BYTE,
            (int)from, TAG, c->all, &c->receives[from]);
}

/* The first line of what the library says of itself, up to a comma or tab. */
static void take_name(carrier *c)
{
  int length = 0;
  MPI_Get_library_version(c->name, &length);
  c->name[strcspn(c->name, ",\n")] = 0;
  for (char *p = c->name; *p; p++)
    if (*p == '\t')
      *p = ' ';
}

static bool take_memory(carrier *c)
{
  size_t n = (size_t)c->count;
  c->sends = malloc(n * CARRIER_SLOTS * sizeof *c->sends);
  c->receives = malloc(n * sizeof *c->receives);
  c->room = malloc(n * CARRIER_MOST);
  c->arrived = malloc(n * sizeof *c->arrived);
  return c->sends && c->receives && c->room && c->arrived;
}

static carrier *start(const char **why)
{
  int level = 0;
  carrier *c = calloc(1, sizeof *c);
  *why = "out of memory";
  if (!c)
    return NULL;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
      level < MPI_THREAD_FUNNELED) {
    *why = "the MPI library does not start";
    return NULL;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &c->all);
  MPI_Comm_rank(c->all, &c->own);
  MPI_Comm_size(c->all, &c->count);
  take_name(c);
  if (!take_memory(c))
    return NULL;
  for (int i = 0; i < c->count; i++) {
    c->receives[i] = MPI_REQUEST_NULL;
    for (int slot = 0; slot < CARRIER_SLOTS; slot++)
      c->sends[i * CARRIER_SLOTS + slot] = MPI_REQUEST_NULL;
    if (i != c->own)
      post(c, (uint32_t)i);
  }
  return c;
}

static const char *name(const carrier *c)
{
  return c->name;
}

static uint32_t own(const carrier *c)
{
  return (uint32_t)c->own;
}

static uint32_t count(const carrier *c)
{
  return (uint32_t)c->count;
}

static void send(carrier *c, uint32_t to, uint32_t slot, const void *bytes,
                 size_t length)
{
  MPI_Isend(bytes, (int)length, MPI_BYTE, (int)to, TAG, c->all,
            &c->sends[to * CARRIER_SLOTS + slot]);
}

static bool is_sent(carrier *c, uint32_t to, uint32_t slot)
{
  int done = 0;
  MPI_Test(&c->sends[to * CARRIER_SLOTS + slot], &done, MPI_STATUS_IGNORE);
  return done;
}

static const void *receive(carrier *c, uint32_t from, size_t *length)
{
  if (c->arrived[from] < 0) {
    MPI_Status status;
    int done = 0;
    MPI_Test(&c->receives[from], &done, &status);
    if (!done)
      return NULL;
    MPI_Get_count(&status, MPI_BYTE, &c->arrived[from]);
  }
  *length = (size_t)c->arrived[from];
  return c->room + (size_t)from * CARRIER_MOST;
}

static void done(carrier *c, uint32_t from)
{
  post(c, from);
}

static void end(carrier *c)
{
  for (int i = 0; i < c->count; i++)
    if (i != c->own && c->arrived[i] < 0) {
      MPI_Cancel(&c->receives[i]);
      MPI_Wait(&c->receives[i], MPI_STATUS_IGNORE);
    }
  MPI_Comm_free(&c->all);
  MPI_Finalize();
  free(c->sends);
  free(c->receives);
  free(c->room);
  free(c->arrived);
  free(c);
}

extern const carrier_class nut_carrier;

const carrier_class nut_carrier = {
    .version = CARRIER_VERSION,
    .start = start,
    .name = name,
    .own = own,
    .count = count,
    .send = send,
    .is_sent = is_sent,
    .receive = receive,
    .done = done,
    .end = end,
};
