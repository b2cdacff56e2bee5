/* The lossy set 'hashcompact': of a state only a hash of 64 bits is kept
** (Wolper, Leroy, "Reliable hashing without collision detection", CAV 1993),
** in the compact set of pairs that also keeps the roots of trees, so that a
** million of them cost some ten bytes each, ten millions less.  A new state
** whose hash another one has is lost: with the probability n / 2^64 when n are
** there. */

#include "base/alloc.h"
#include "base/hash.h"
#include "store/roots/root_set.h"
#include "store/set.h"

typedef struct hashcompact {
  roots hashes;
  double lost;
} hashcompact;

static void destroy(set *base)
{
  hashcompact *s = (hashcompact *)base;
  if (!s)
    return;
  roots_destroy(&s->hashes);
  mem_free(s, sizeof *s);
}

static set *create(const set_settings *settings)
{
  hashcompact *s = mem_try_alloc(sizeof *s);
  if (s && roots_create(&s->hashes, settings->max_bytes))
    return (set *)s;
  mem_free(s, sizeof *s);
  return NULL;
}

static store_result insert_bytes(set *base, const uint8_t *bytes,
                                 uint32_t length)
{
  hashcompact *s = (hashcompact *)base;
  uint64_t hash = hash_bytes(bytes, length);
  roots *r = &s->hashes;
  /* The pair of two greatest numbers is none. */
  uint32_t left = (uint32_t)(hash >> 32), right = (uint32_t)hash;
  right -= hash == UINT64_MAX;
  if (!roots_fits(r, left, right) && !roots_widen(r, left, right))
    return STORE_FULL;
  double p = (double)r->count / 18446744073709551616.0;
  switch (roots_insert(r, roots_locate(r, left, right), left, right)) {
  case ROOTS_NEW:
    s->lost += p;
    return STORE_NEW;
  case ROOTS_SEEN:
    return STORE_SEEN;
  default:
    return STORE_FULL;
  }
}

static uint64_t count(const set *base)
{
  const hashcompact *s = (const hashcompact *)base;
  return s->hashes.count;
}

static size_t bytes(const set *base)
{
  const hashcompact *s = (const hashcompact *)base;
  return sizeof *s + roots_bytes(&s->hashes);
}

static double lost(const set *base)
{
  const hashcompact *s = (const hashcompact *)base;
  return s->lost;
}

static bool check(const set *base)
{
  const hashcompact *s = (const hashcompact *)base;
  return roots_check(&s->hashes);
}

const set_class set_hashcompact = {
    .name = "hashcompact",
    .summary = "a hash of 64 bits for each state",
    .exact = false,
    .create = create,
    .insert_bytes = insert_bytes,
    .count = count,
    .bytes = bytes,
    .lost = lost,
    .check = check,
    .destroy = destroy,
};
