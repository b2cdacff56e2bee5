/* Replays sequences of transitions, and leaves out what they do not need. */

#include "net/firing.h"

#include "base/hash.h"
#include "base/index.h"
#include <string.h>

static void raise_most(const petri *net, const int32_t *marking, int32_t *most)
{
  for (uint32_t p = 0; p < net->place_count; p++)
    if (marking[p] > most[p])
      most[p] = marking[p];
}

typedef struct measuring {
  const petri *net;
  const uint32_t *path;
  size_t length;
  int32_t *most, *marking;
} measuring;

static void do_measure(void *job)
{
  measuring *m = job;
  m->marking = mem_alloc((m->net->place_count + 1) * sizeof *m->marking);
  memcpy(m->marking, m->net->tokens, m->net->place_count * sizeof *m->marking);
  raise_most(m->net, m->marking, m->most);
  for (size_t i = 0; i < m->length; i++) {
    if (!petri_fire(m->net, m->path[i], m->marking))
      return;
    raise_most(m->net, m->marking, m->most);
  }
}

static void tidy_measure(void *job)
{
  measuring *m = job;
  mem_free(m->marking, (m->net->place_count + 1) * sizeof *m->marking);
}

void firing_most(const petri *net, const uint32_t *path, size_t length,
                 int32_t *most)
{
  measuring job = {net, path, length, most, NULL};
  mem_protect_tidy(do_measure, tidy_measure, &job);
}

/* ---- shorter ------------------------------------------------------------ */

static bool leads_there(const petri *net, const claim *c, const uint32_t *path,
                        size_t length, int32_t *marking)
{
  if (!petri_replay(net, path, length, marking))
    return false;
  return c ? claim_holds(c, marking) : petri_is_dead(net, marking);
}

/* Markings are known by a hash here; whether that was true is seen when the
** path is replayed. */
static size_t without_circles(arena *a, const petri *net, const uint32_t *path,
                              size_t length, uint32_t *out, int32_t *marking)
{
  size_t slots = 16, kept = 0;
  while (slots < 2 * length + 2)
    slots *= 2;
  uint64_t *hashes = ARENA_ARRAY(a, uint64_t, length + 1);
  size_t *table = ARENA_ARRAY(a, size_t, slots); /* position + 1; 0: free */
  memcpy(marking, net->tokens, net->place_count * sizeof *marking);
  for (size_t i = 0;; i++) {
    uint64_t hash = hash_bytes(marking, net->place_count * sizeof *marking);
    size_t slot = hash & (slots - 1);
    while (table[slot] &&
           (table[slot] - 1 > kept || hashes[table[slot] - 1] != hash))
      slot = (slot + 1) & (slots - 1);
    if (table[slot])
      kept = table[slot] - 1; /* here we were: forget what lies between */
    hashes[kept] = hash;
    table[slot] = kept + 1;
    if (i == length)
      return kept;
    out[kept++] = path[i];
    if (!petri_fire(net, path[i], marking))
      return length + 1;
  }
}

/* Tries to leave out each step, from the last one on. */
static size_t without_needless(const petri *net, const claim *c, uint32_t *path,
                               size_t length, uint32_t *other, int32_t *marking)
{
  enum { FEW = 1000 };
  for (size_t i = length < FEW ? length : 0; i-- > 0;) {
    memcpy(other, path, i * sizeof *path);
    memcpy(other + i, path + i + 1, (length - i - 1) * sizeof *path);
    if (!leads_there(net, c, other, length - 1, marking))
      continue;
    length--;
    memcpy(path, other, length * sizeof *path);
  }
  return length;
}

size_t firing_shorten(arena *a, const petri *net, const claim *c,
                      uint32_t *path, size_t length)
{
  uint32_t *other = ARENA_ARRAY(a, uint32_t, length + 1);
  int32_t *marking = ARENA_ARRAY(a, int32_t, net->place_count + 1);
  size_t kept = without_circles(a, net, path, length, other, marking);
  if (kept < length && leads_there(net, c, other, kept, marking)) {
    memcpy(path, other, kept * sizeof *path);
    length = kept;
  }
  return without_needless(net, c, path, length, other, marking);
}
