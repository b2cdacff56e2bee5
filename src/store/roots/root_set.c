/* Pairs: the few that found no room near theirs, several threads, insertion,
** marks. */

#include "store/roots/root_set_internal.h"

#include "base/alloc.h"
#include "base/hash.h"

/* ---- all pairs -------------------------------------------------------- */

typedef void pair_visit(void *context, uint32_t left, uint32_t right);

static void visit_spilled(const roots *r, pair_visit *visit, void *context)
{
  for (size_t i = 0; i < r->spill_room; i++)
    if (r->spill[i] != UINT64_MAX) {
      uint64_t pair = spilled_pair(r, i);
      visit(context, (uint32_t)(pair >> 32), (uint32_t)pair);
    }
}

/* Of the next bucket. */
static void visit_bucket(reader *from, uint64_t bucket, pair_visit *visit,
                         void *context)
{
  read_bucket(from, bucket);
  for (uint32_t i = 0, n = used_at(from->of, bucket); i < n; i++) {
    uint64_t pair = pair_at(from, i);
    visit(context, (uint32_t)(pair >> 32), (uint32_t)pair);
  }
}

void roots_each(const roots *r, pair_visit *visit, void *context)
{
  reader from = reader_of(r);
  for (uint64_t b = 0; b < r->bucket_count + ROOTS_DISTANCES; b++)
    visit_bucket(&from, b, visit, context);
  visit_spilled(r, visit, context);
}

/* Who looks for a pair that is visited looks at the buckets where it may be, and
** at what is spilled only when these are full. */
void roots_drain(roots *r, pair_visit *visit, void *context)
{
  enum { GIVE_EVERY = 1024 };
  reader from = reader_of(r);
  size_t kept = 0;
  visit_spilled(r, visit, context);
  for (uint64_t b = 0; b < r->bucket_count + ROOTS_DISTANCES; b++) {
    visit_bucket(&from, b, visit, context);
    if (b % GIVE_EVERY == 0 && b > ROOTS_DISTANCES)
      reserve_release(&r->memory, &kept, (b - ROOTS_DISTANCES) * ROOTS_BUCKET);
  }
}

/* ---- spilled pairs ---------------------------------------------------- */

/* Puts what is spilled of the pair, its mark included. */
static void spill_put(uint64_t *table, size_t room, uint64_t pair,
                      uint64_t with_mark)
{
  size_t at = hash_mix(pair) & (room - 1);
  while (table[at] != UINT64_MAX)
    at = (at + 1) & (room - 1);
  table[at] = with_mark;
}

bool roots_spill_room(roots *r)
{
  if ((r->spill_count + 1) * 2 <= r->spill_room)
    return true;
  size_t room = r->spill_room ? r->spill_room * 2 : 64;
  uint64_t *table = mem_try_alloc(room * sizeof *table);
  if (!table)
    return false;
  memset(table, 0xff, room * sizeof *table);
  for (size_t i = 0; i < r->spill_room; i++)
    if (r->spill[i] != UINT64_MAX)
      spill_put(table, room, spilled_pair(r, i), r->spill[i]);
  mem_free(r->spill, r->spill_room * sizeof *r->spill);
  r->spill = table;
  r->spill_room = room;
  return true;
}

static bool is_spilled(const roots *r, uint64_t pair)
{
  return find_spilled(r, pair);
}

roots_result roots_spill(roots *r, uint64_t pair, bool marked)
{
  if (is_spilled(r, pair))
    return ROOTS_SEEN;
  if (!roots_spill_room(r))
    return ROOTS_FULL;
  spill_put(r->spill, r->spill_room, pair, with_mark(r, pair, marked));
  r->spill_count++;
  r->count++;
  return ROOTS_NEW;
}

/* ---- several threads -------------------------------------------------- */

/* Pairs that a thread may put before it asks again; fewer when few are left, so
** that the table grows when it is full indeed. */
enum { LEASE = 256 };

roots roots_lend(roots *r, roots_share *s)
{
  roots lent = *r;
  s->set = r;
  s->left = r->limit > r->count ? r->limit - r->count : 0;
  lent.share = s;
  lent.count = lent.limit = 0;
  return lent;
}

void roots_take_back(roots *r, roots *lent)
{
  r->count += lent->count;
  roots_note(r, lent->lefts, lent->rights);
  lent->count = 0;
}

/* Whether one more pair may be put. */
static bool has_lease(roots *r)
{
  roots_share *s = r->share;
  if (r->count < r->limit)
    return true;
  uint64_t left = __atomic_load_n(&s->left, __ATOMIC_RELAXED), more;
  do {
    if (!left)
      return false;
    more = 1 + (left - 1) / 2 / s->threads;
    more = more < LEASE ? more : LEASE;
  } while (!__atomic_compare_exchange_n(&s->left, &left, left - more, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  r->limit += more;
  return true;
}

static roots_result spill_shared(roots *r, uint64_t pair, bool marked)
{
  roots_share *s = r->share;
  spin_lock(&s->spill_lock);
  roots *set = s->set;
  roots_result result = ROOTS_SEEN;
  if (!is_spilled(set, pair)) {
    bool fits = (set->spill_count + 1) * 2 <= set->spill_room && has_lease(r);
    result = fits ? ROOTS_NEW : ROOTS_FULL;
    if (fits) {
      spill_put(set->spill, set->spill_room, pair, with_mark(r, pair, marked));
      SPIN_PAUSE();
      set->spill_count++;
      r->count++;
    }
  }
  spin_unlock(&s->spill_lock);
  return result;
}

/* Inserts a pair under the lock of its home; 'next' is set to that of the
** buckets behind, if it was needed, too. */
static roots_result insert_locked(roots *r, roots_place p, uint64_t pair,
                                  bool marked, uint8_t **next)
{
  uint8_t *bucket = r->buckets + p.home * ROOTS_BUCKET;
  for (uint32_t d = 0; d < ROOTS_DISTANCES; d++, bucket += ROOTS_BUCKET) {
    if (d && (p.home + d) % ROOTS_GROUP == 0)
      spin_lock(*next = roots_lock_of(r->share, p.home + d));
    if (roots_is_in(r, bucket, d, p.rest))
      return ROOTS_SEEN;
    if (!has_free(r, bucket))
      continue;
    if (!has_lease(r))
      return ROOTS_FULL;
    uint32_t slot = used_slots(bucket, r->slots);
    put_mark(r, p.home + d, slot, marked);
    SPIN_PAUSE();
    put(r, bucket, slot, d, p.rest);
    SPIN_PAUSE();
    r->count++;
    return ROOTS_NEW;
  }
  return spill_shared(r, pair, marked);
}

/* Whether it is in a bucket that can be read without a lock. */
static bool is_away(const roots *r, roots_place p)
{
  const uint8_t *bucket = r->buckets + p.home * ROOTS_BUCKET;
  for (uint32_t d = 1; d < ROOTS_DISTANCES && !has_free(r, bucket); d++) {
    bucket += ROOTS_BUCKET;
    if (roots_is_in(r, bucket, d, p.rest))
      return true;
  }
  return false;
}

roots_result roots_insert_shared(roots *r, roots_place p, uint64_t pair,
                                 bool marked)
{
  uint8_t *home = roots_lock_of(r->share, p.home), *next = NULL;
  spin_lock(home);
  roots_result result = insert_locked(r, p, pair, marked, &next);
  if (next)
    spin_unlock(next);
  spin_unlock(home);
  if (result == ROOTS_FULL)
    roots_refuse(r->share);
  return result;
}

static roots_result insert_shared(roots *r, roots_place p, uint32_t left,
                                  uint32_t right)
{
  if (is_away(r, p))
    return ROOTS_SEEN;
  roots_note(r, left, right);
  return roots_insert_shared(r, p, (uint64_t)left << 32 | right, true);
}

/* ---- insertion -------------------------------------------------------- */

bool roots_has_away(const roots *r, roots_place p, uint32_t left,
                    uint32_t right)
{
  const uint8_t *bucket = r->buckets + p.home * ROOTS_BUCKET;
  for (uint32_t d = 0; !has_free(r, bucket);) {
    if (++d == ROOTS_DISTANCES)
      return is_spilled(r, (uint64_t)left << 32 | right);
    bucket += ROOTS_BUCKET;
    if (roots_is_in(r, bucket, d, p.rest))
      return true;
  }
  return false;
}

roots_result roots_insert_away(roots *r, roots_place p, uint32_t left,
                               uint32_t right)
{
  if (r->share)
    return insert_shared(r, p, left, right);
  uint8_t *bucket = r->buckets + p.home * ROOTS_BUCKET;
  uint32_t d = 0;
  while (!has_free(r, bucket)) {
    if (++d == ROOTS_DISTANCES)
      break;
    bucket += ROOTS_BUCKET;
    if (roots_is_in(r, bucket, d, p.rest))
      return ROOTS_SEEN;
  }
  roots_note(r, left, right);
  if (d == ROOTS_DISTANCES)
    return roots_spill(r, (uint64_t)left << 32 | right, true);
  if (r->count >= r->limit) {
    if (!roots_grow(r))
      return ROOTS_FULL;
    return roots_insert_away(r, roots_locate(r, left, right), left, right);
  }
  uint32_t slot = used_slots(bucket, r->slots);
  put_mark(r, p.home + d, slot, true);
  put(r, bucket, slot, d, p.rest);
  r->count++;
  return ROOTS_NEW;
}

/* ---- marks ------------------------------------------------------------ */

/* The word and the bit of the mark of a pair that is there; NULL: it is
** spilled. */
static uint32_t *find_mark(const roots *r, uint32_t left, uint32_t right,
                           uint32_t *bit)
{
  roots_place p = roots_locate(r, left, right);
  for (uint32_t d = 0; d < ROOTS_DISTANCES; d++) {
    const uint8_t *bucket = r->buckets + (p.home + d) * ROOTS_BUCKET;
    uint32_t slot = roots_slot_in(r, bucket, d, p.rest);
    *bit = UINT32_C(1) << slot % ROOTS_SLOTS_MAX;
    if (slot != ROOTS_SLOTS_MAX)
      return &r->marks[p.home + d];
  }
  return NULL;
}

/* Spilled pairs are those of the set itself; they have one lock. */
static bool look_at_spilled(const roots *r, uint64_t pair, const bool *marked)
{
  roots_share *s = r->share;
  if (s)
    spin_lock(&s->spill_lock);
  uint64_t *at = find_spilled(s ? s->set : r, pair);
  if (at && marked)
    *at = with_mark(r, pair, *marked);
  bool is_marked = at && *at & SPILL_MARK;
  if (s)
    spin_unlock(&s->spill_lock);
  return is_marked;
}

bool roots_is_marked(const roots *r, uint32_t left, uint32_t right)
{
  uint32_t bit, *word = find_mark(r, left, right, &bit);
  if (word)
    return __atomic_load_n(word, __ATOMIC_RELAXED) & bit;
  return look_at_spilled(r, (uint64_t)left << 32 | right, NULL);
}

void roots_mark(roots *r, uint32_t left, uint32_t right, bool marked)
{
  uint32_t bit, *word = find_mark(r, left, right, &bit);
  if (!word)
    look_at_spilled(r, (uint64_t)left << 32 | right, &marked);
  else if (marked)
    __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
  else
    __atomic_fetch_and(word, ~bit, __ATOMIC_RELAXED);
}

/* ---- check ------------------------------------------------------------ */

static bool check_slot(const reader *from, uint32_t slot)
{
  const roots *r = from->of;
  uint64_t pair = pair_at(from, slot);
  const uint8_t *b = r->buckets + from->bucket * ROOTS_BUCKET;
  roots_place p = roots_locate(r, (uint32_t)(pair >> 32), (uint32_t)pair);
  if (p.home + (uint64_t)(b[slot] >> 4) - 1 != from->bucket)
    return false;
  for (uint64_t i = p.home; i < from->bucket; i++)
    if (used_at(r, i) != r->slots)
      return false;
  return p.rest == roots_rest(r, b, slot);
}

bool roots_check(const roots *r)
{
  uint64_t count = r->spill_count;
  reader from = reader_of(r);
  for (uint64_t b = 0; b < r->bucket_count + ROOTS_DISTANCES; b++) {
    uint32_t n = used_at(r, b);
    count += n;
    read_bucket(&from, b);
    for (uint32_t i = 0; i < r->slots; i++)
      if (i < n ? !check_slot(&from, i) : r->buckets[b * ROOTS_BUCKET + i] != 0)
        return false;
  }
  return count == r->count;
}
