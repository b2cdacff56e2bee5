/* The lossy set 'bitstate': a state is k bits in one large array (Holzmann's
** supertrace; k positions by double hashing: Dillinger, Manolios, "Fast and
** accurate bitstate verification for SPIN", SPIN 2004).  A new state whose bits
** are all set by others is lost, and with it what is only reached through it.
**
** How many were lost is estimated while the array fills: when a part f of all
** bits is set, a new state is lost with the probability p = f^k, so for each
** state that was kept p / (1 - p) are expected to have been lost.
**
** The array begins small and doubles while it is nearly empty, up to its size.
** A hash tells a place in the array by its high bits, so when the array doubles
** a bit at i belongs to 2i or 2i + 1; nobody knows which, and both are set.
** That loses no state that was kept, and takes a thousandth of the array at
** most. */

#include "base/alloc.h"
#include "base/hash.h"
#include "base/system/reserve.h"
#include "store/set.h"

enum { USUAL_HASHES = 3, HASHES_MAX = 32 };

/* Of the array, when nobody says how much memory there is to use. */
#define USUAL_BYTES ((size_t)128 << 20)
#define LEAST_BYTES ((size_t)4096)
#define FIRST_BYTES ((size_t)64 << 10)
/* The array doubles when more than one bit in so many is set. */
#define SPARSE 1024

typedef struct bitstate {
  reserve array;
  uint64_t bits; /* in the array, */
  uint64_t most; /* and when it has its size */
  uint64_t ones, count;
  unsigned hashes;
  double lost;
} bitstate;

__extension__ typedef unsigned __int128 bitstate_wide;

static void destroy(set *base)
{
  bitstate *s = (bitstate *)base;
  if (!s)
    return;
  reserve_destroy(&s->array);
  mem_free(s, sizeof *s);
}

/* Three quarters of what the user gives: the search needs memory, too. */
static size_t array_bytes(const set_settings *settings)
{
  size_t bytes =
      settings->asked_bytes ? settings->asked_bytes / 4 * 3 : USUAL_BYTES;
  if (bytes > settings->max_bytes / 4 * 3)
    bytes = settings->max_bytes / 4 * 3;
  return bytes < LEAST_BYTES ? LEAST_BYTES : bytes / 8 * 8;
}

static set *create(const set_settings *settings)
{
  size_t bytes = array_bytes(settings);
  bitstate *s = mem_try_alloc(sizeof *s);
  if (!s)
    return NULL;
  s->hashes = settings->hashes ? settings->hashes : USUAL_HASHES;
  if (s->hashes > HASHES_MAX)
    s->hashes = HASHES_MAX;
  unsigned doublings = 0;
  while (bytes >> doublings > FIRST_BYTES)
    doublings++;
  size_t first = bytes >> doublings;
  s->bits = 8 * (uint64_t)first;
  s->most = s->bits << doublings;
  if (reserve_create(&s->array, bytes) && reserve_commit(&s->array, first))
    return (set *)s;
  destroy((set *)s);
  return NULL;
}

/* Each bit of a byte twice. */
static uint16_t twice(uint8_t byte)
{
  uint32_t x = byte;
  x = (x | x << 4) & 0x0f0f;
  x = (x | x << 2) & 0x3333;
  x = (x | x << 1) & 0x5555;
  return (uint16_t)(x | x << 1);
}

/* Doubles the array, from its end on, so that nothing is overwritten before it
** was read.  Without memory it keeps its size. */
static void grow(bitstate *s)
{
  size_t old = (size_t)(s->bits / 8);
  if (!reserve_commit(&s->array, 2 * old)) {
    s->most = s->bits;
    return;
  }
  for (size_t i = old; i--;) {
    uint16_t pair = twice(s->array.base[i]);
    s->array.base[2 * i] = (uint8_t)pair;
    s->array.base[2 * i + 1] = (uint8_t)(pair >> 8);
  }
  s->bits *= 2;
  s->ones *= 2;
}

/* The probability that a new state is lost now. */
static double loss(const bitstate *s)
{
  double full = (double)s->ones / (double)s->bits, p = 1;
  for (unsigned i = 0; i < s->hashes; i++)
    p *= full;
  return p;
}

static store_result insert_bytes(set *base, const uint8_t *bytes,
                                 uint32_t length)
{
  bitstate *s = (bitstate *)base;
  uint64_t hash = hash_bytes(bytes, length);
  uint64_t step = hash_mix(hash) | 1;
  unsigned new = 0;
  double p = loss(s);
  for (unsigned i = 0; i < s->hashes; i++, hash += step) {
    uint64_t bit = (uint64_t)((bitstate_wide)hash * s->bits >> 64);
    uint8_t *at = s->array.base + bit / 8, mask = (uint8_t)(1 << bit % 8);
    new += !(*at & mask);
    *at |= mask;
  }
  if (!new)
    return STORE_SEEN;
  s->ones += new;
  s->count++;
  if (p < 1)
    s->lost += p / (1 - p);
  if (s->bits < s->most && s->ones > s->bits / SPARSE)
    grow(s);
  return STORE_NEW;
}

static uint64_t count(const set *base)
{
  const bitstate *s = (const bitstate *)base;
  return s->count;
}

static size_t bytes(const set *base)
{
  const bitstate *s = (const bitstate *)base;
  return sizeof *s + (size_t)(s->bits / 8);
}

static double lost(const set *base)
{
  const bitstate *s = (const bitstate *)base;
  return s->lost;
}

static bool check(const set *base)
{
  const bitstate *s = (const bitstate *)base;
  uint64_t ones = 0;
  for (uint64_t i = 0; i < s->bits / 8; i++)
    ones += (uint64_t)__builtin_popcount(s->array.base[i]);
  return ones == s->ones && s->count <= ones;
}

const set_class set_bitstate = {
    .name = "bitstate",
    .summary = "a few bits for each state in an array of fixed size",
    .exact = false,
    .create = create,
    .insert_bytes = insert_bytes,
    .count = count,
    .bytes = bytes,
    .lost = lost,
    .check = check,
    .destroy = destroy,
};
