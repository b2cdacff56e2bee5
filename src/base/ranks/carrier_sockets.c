/* A message is its length, four bytes, and its bytes.  The program ignores SIGPIPE:
** who writes to a rank that is gone gets an error. */

#include "base/ranks/carrier_sockets.h"

#include "base/alloc.h"
#include "base/random.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 4, RANKS_MOST = 1000 };

/* A message on its way out. */
typedef struct outgoing {
  const uint8_t *bytes; /* NULL: the slot is free */
  uint32_t length;
  size_t gone; /* bytes, the head included */
} outgoing;

typedef struct line {
  int socket;
  outgoing slots[CARRIER_SLOTS];
  uint32_t first; /* the slot that goes next */
  uint8_t *room;  /* of the message that comes: its head, then its bytes */
  size_t here;
  bool gone;
} line;

struct carrier {
  uint32_t own, count;
  line *lines;
  bool holds;
  random_state random;
};

static bool read_lines(carrier *c, const char *text)
{
  char *end;
  unsigned long own = strtoul(text, &end, 10);
  if (*end != ':' || own >= RANKS_MOST)
    return false;
  c->own = (uint32_t)own;
  while (*end && c->count < RANKS_MOST) {
    const char *word = end + 1;
    line *l = &c->lines[c->count++];
    l->socket = (int)strtol(word, &end, 10);
    if (end == word && *word == '-')
      end++;
    else if (end == word || fcntl(l->socket, F_SETFL, O_NONBLOCK))
      return false;
  }
  return c->own < c->count;
}

static void end(carrier *c)
{
  for (uint32_t i = 0; i < c->count; i++) {
    mem_free(c->lines[i].room, CARRIER_MOST + HEAD);
    if (i != c->own)
      close(c->lines[i].socket);
  }
  mem_free(c->lines, RANKS_MOST * sizeof *c->lines);
  mem_free(c, sizeof *c);
}

static carrier *start(const char **why)
{
  const char *text = getenv(CARRIER_SOCKETS), *seed = getenv(CARRIER_HOLD);
  carrier *c = mem_alloc(sizeof *c);
  c->lines = mem_alloc(RANKS_MOST * sizeof *c->lines);
  if (!text || !read_lines(c, text)) {
    *why = "the sockets to the other ranks are not there";
    mem_free(c->lines, RANKS_MOST * sizeof *c->lines);
    mem_free(c, sizeof *c);
    return NULL;
  }
  for (uint32_t i = 0; i < c->count; i++)
    c->lines[i].room = mem_alloc(CARRIER_MOST + HEAD);
  c->holds = seed != NULL;
  if (seed)
    random_seed(&c->random, strtoull(seed, NULL, 10) * RANKS_MOST + c->own);
  return c;
}

static const char *name(const carrier *c)
{
  (void)c;
  return "sockets";
}

static uint32_t own(const carrier *c)
{
  return c->own;
}

static uint32_t count(const carrier *c)
{
  return c->count;
}

/* Whether this moment is one in which nothing moves. */
static bool is_held(carrier *c)
{
  return c->holds && random_below(&c->random, 8) != 0;
}

/* Writes what the socket takes of one message; whether all is gone. */
static bool push(line *l, outgoing *o)
{
  uint8_t head[HEAD];
  memcpy(head, &o->length, HEAD);
  while (o->gone < HEAD + (size_t)o->length) {
    bool begins = o->gone < HEAD;
    const uint8_t *from = begins ? head + o->gone : o->bytes + o->gone - HEAD;
    size_t left = begins ? HEAD - o->gone : HEAD + o->length - o->gone;
    ssize_t n = write(l->socket, from, left);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return false;
    if (n <= 0) { /* nobody reads it any more */
      l->gone = true;
      return true;
    }
    o->gone += (size_t)n;
  }
  return true;
}

static void push_to(carrier *c, uint32_t to)
{
  line *l = &c->lines[to];
  if (is_held(c))
    return;
  while (l->slots[l->first].bytes && push(l, &l->slots[l->first])) {
    l->slots[l->first].bytes = NULL;
    l->first = (l->first + 1) % CARRIER_SLOTS;
  }
}

/* Whoever waits for one rank must not keep what another one waits for. */
static void push_all(carrier *c)
{
  for (uint32_t to = 0; to < c->count; to++)
    if (to != c->own)
      push_to(c, to);
}

/* Slots are taken in turn, so the next to go is the oldest one. */
static void begin_send(carrier *c, uint32_t to, uint32_t slot,
                       const void *bytes, size_t length)
{
  line *l = &c->lines[to];
  l->slots[slot] = (outgoing){bytes, (uint32_t)length, 0};
  bool others = false;
  for (uint32_t i = 0; i < CARRIER_SLOTS; i++)
    others |= i != slot && l->slots[i].bytes;
  if (!others)
    l->first = slot;
  push_to(c, to);
}

static bool is_sent(carrier *c, uint32_t to, uint32_t slot)
{
  push_all(c);
  return !c->lines[to].slots[slot].bytes;
}

static const void *receive(carrier *c, uint32_t from, size_t *length)
{
  line *l = &c->lines[from];
  uint32_t wanted = 0;
  push_all(c);
  if (is_held(c))
    return NULL;
  for (;;) {
    size_t up_to = HEAD;
    if (l->here >= HEAD) {
      memcpy(&wanted, l->room, HEAD);
      up_to += wanted <= CARRIER_MOST ? wanted : 0;
      if (l->here == up_to) {
        *length = wanted;
        return l->room + HEAD;
      }
    }
    ssize_t n = read(l->socket, l->room + l->here, up_to - l->here);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return NULL;
    if (n <= 0) {
      *length = CARRIER_GONE;
      return l->room;
    }
    l->here += (size_t)n;
  }
}

static void done(carrier *c, uint32_t from)
{
  c->lines[from].here = 0;
}

const carrier_class carrier_sockets = {
    .version = CARRIER_VERSION,
    .start = start,
    .name = name,
    .own = own,
    .count = count,
    .send = begin_send,
    .is_sent = is_sent,
    .receive = receive,
    .done = done,
    .end = end,
};
