#include "unit.h"

#include "base/ranks/carrier_sockets.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { RANKS = 3, LOOKS = 10000 };

/* Ranks in one process, whose messages are held back at random. */
static void start_all(carrier *all[RANKS])
{
  int ends[RANKS][RANKS];
  for (int i = 0; i < RANKS; i++)
    for (int k = i + 1; k < RANKS; k++) {
      int pair[2];
      assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
      ends[i][k] = pair[0];
      ends[k][i] = pair[1];
    }
  setenv(CARRIER_HOLD, "1", 1);
  for (int i = 0; i < RANKS; i++) {
    char text[64];
    const char *why;
    int length = snprintf(text, sizeof text, "%d", i);
    for (int k = 0; k < RANKS; k++)
      length += snprintf(text + length, sizeof text - (size_t)length,
                         i == k ? "%c-" : "%c%d", k ? ',' : ':', ends[i][k]);
    setenv(CARRIER_SOCKETS, text, 1);
    all[i] = carrier_sockets.start(&why);
    assert_non_null(all[i]);
  }
}

/* A rank that looks for messages of one other rank alone keeps none back that goes
** to a third. */
static void who_waits_sends(void **state)
{
  (void)state;
  carrier *all[RANKS];
  size_t length;
  int came = 0;
  start_all(all);
  for (int round = 0; round < 50; round++) {
    const void *bytes = NULL;
    carrier_sockets.send(all[0], 1, (uint32_t)round % CARRIER_SLOTS, "word", 4);
    for (int i = 0; i < LOOKS && !bytes; i++) {
      assert_null(carrier_sockets.receive(all[0], 2, &length));
      bytes = carrier_sockets.receive(all[1], 0, &length);
    }
    if (bytes && length == 4)
      came++;
    carrier_sockets.done(all[1], 0);
  }
  assert_int_equal(came, 50);
  for (int i = 0; i < RANKS; i++)
    carrier_sockets.end(all[i]);
}

UNIT_MAIN(UNIT(who_waits_sends))
