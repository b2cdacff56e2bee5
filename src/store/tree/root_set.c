/* Buckets, the few pairs that found no room near theirs, and growing, by which
** the old buckets are given back as they are read. */

#include "store/tree/root_reader.h"

#include "base/alloc.h"
#include "base/hash.h"

enum {
  FIRST_BUCKETS = 16,
  LOAD_PERCENT = 88, /* the table grows when so full */
  SMALL_TABLE = 1 << 19,
  LARGE_TABLE = 1 << 20,
  WIDE_TABLE = 1 << 22,
  DROP_BUCKETS = 1024 /* read between two times that memory is given back */
};

/* Tables have room for one of these numbers of pairs, whoever asks for more and
** when: so threads change nothing of what a set holds.  A small table may waste
** some memory and save the work; a large one grows in small steps.  The least
** that is greater. */
static uint64_t room_above(uint64_t pairs)
{
  enum { FIRST = 224, PAIR_BYTES = 4 }; /* about */
  uint64_t room = FIRST;
  while (room <= pairs) {
    uint64_t bytes = room * PAIR_BYTES;
    uint64_t percent = bytes < SMALL_TABLE   ? 300
                       : bytes < LARGE_TABLE ? 200
                                             : 130;
    room = room * percent / 100;
  }
  return room;
}

/* ---- shape ------------------------------------------------------------ */

static uint32_t bits_for(uint64_t values)
{
  uint32_t bits = 0;
  while (bits < 64 && values >> bits)
    bits++;
  return bits;
}

/* Bytes beyond the tag for the rest of a key of so many bits; one is the
** low. */
static uint32_t bytes_for(uint32_t bits, uint64_t buckets)
{
  uint32_t rest = bits_for(roots_mask(bits) / buckets);
  return rest > 12 ? (rest - 4 + 7) / 8 : 1;
}

/* Everything that follows from the number of buckets and the bits. */
static void set_shape(roots *r, uint64_t buckets, uint32_t left, uint32_t right)
{
  r->bucket_count = buckets;
  r->reciprocal = (uint64_t)(((roots_wide)1 << 64) / buckets);
  r->left_bits = left;
  r->right_bits = right;
  r->bits = left + right;
  r->half = (r->bits + 1) / 2;
  r->key_mask = roots_mask(r->bits);
  r->top_bytes = bytes_for(r->bits, buckets) - 1;
  r->top_mask = roots_mask(8 * r->top_bytes);
  r->slots = ROOTS_BUCKET / (2 + r->top_bytes);
  r->limit = (uint64_t)((roots_wide)buckets * r->slots * LOAD_PERCENT / 100);
}

/* The last home has its later distances too, and reads may go 8 beyond. */
static size_t table_bytes(const roots *r)
{
  return (r->bucket_count + ROOTS_DISTANCES) * ROOTS_BUCKET + 8;
}

/* Memory for a table, which takes over from another one ('old'), or from
** none. */
static bool allocate(roots *r, const reserve *old)
{
  if (!reserve_follow(&r->memory, table_bytes(r), old))
    return false;
  r->buckets = r->memory.base;
  return true;
}

bool roots_create(roots *r, size_t max_bytes)
{
  memset(r, 0, sizeof *r);
  r->max_bytes = max_bytes;
  set_shape(r, FIRST_BUCKETS, 6, 6);
  r->room = r->limit;
  return allocate(r, &(reserve){0});
}

static size_t mark_bytes(const roots *r)
{
  return (r->bucket_count + ROOTS_DISTANCES) * sizeof *r->marks;
}

/* A small table for keys of the same width. */
static bool make_small(roots *r, size_t max_bytes)
{
  roots to = {.max_bytes = max_bytes,
              .shape = r->shape + 1,
              .lefts = r->lefts,
              .rights = r->rights};
  bool has_marks = r->marks;
  set_shape(&to, FIRST_BUCKETS, r->left_bits, r->right_bits);
  to.room = to.limit;
  roots_destroy(r);
  *r = to;
  return allocate(r, &(reserve){0}) && (!has_marks || roots_have_marks(r));
}

bool roots_clear(roots *r, size_t max_bytes)
{
  if (table_bytes(r) > max_bytes)
    return make_small(r, max_bytes);
  r->max_bytes = max_bytes;
  memset(r->buckets, 0, table_bytes(r));
  if (r->marks)
    memset(r->marks, 0, mark_bytes(r));
  if (r->spill)
    memset(r->spill, 0xff, r->spill_room * sizeof *r->spill);
  r->count = r->spill_count = 0;
  return true;
}

void roots_destroy(roots *r)
{
  reserve_destroy(&r->memory);
  mem_free(r->spill, r->spill_room * sizeof *r->spill);
  if (r->marks)
    mem_free(r->marks, mark_bytes(r));
  memset(r, 0, sizeof *r);
}

size_t roots_bytes(const roots *r)
{
  return table_bytes(r) + r->spill_room * sizeof *r->spill +
         (r->marks ? mark_bytes(r) : 0);
}

bool roots_have_marks(roots *r)
{
  if (!r->marks)
    r->marks = mem_try_alloc(mark_bytes(r));
  return r->marks;
}

/* ---- slots ------------------------------------------------------------ */

/* Slots fill from the left. */
static inline bool has_free(const roots *r, const uint8_t *bucket)
{
  return !roots_byte(&bucket[r->slots - 1]);
}

/* Others may read it meanwhile. */
static inline void put_byte(uint8_t *to, uint8_t byte)
{
  __atomic_store_n(to, byte, __ATOMIC_RELAXED);
  SPIN_PAUSE();
}

/* Puts a rest into a free slot of a bucket, so many buckets from home; a slot
** has so many bytes of top.  The tag comes last: what has one is whole. */
static inline void put_rest(uint8_t *bucket, uint32_t slot, uint32_t top_bytes,
                            uint32_t distance, uint64_t rest)
{
  uint32_t slots = ROOTS_BUCKET / (2 + top_bytes);
  uint8_t *top = bucket + 2 * slots + slot * top_bytes;
  for (uint32_t i = 0; i < top_bytes; i++)
    put_byte(top + i, (uint8_t)(rest >> (12 + 8 * i)));
  put_byte(bucket + slots + slot, (uint8_t)(rest >> 4));
  __atomic_store_n(bucket + slot, (uint8_t)((distance + 1) << 4 | (rest & 15)),
                   __ATOMIC_RELEASE);
}

/* The usual numbers of bytes become constants. */
static inline void put(const roots *r, uint8_t *bucket, uint32_t slot,
                       uint32_t distance, uint64_t rest)
{
  if (r->top_bytes == 1)
    put_rest(bucket, slot, 1, distance, rest);
  else if (r->top_bytes == 2)
    put_rest(bucket, slot, 2, distance, rest);
  else
    put_rest(bucket, slot, r->top_bytes, distance, rest);
}

/* The mark of a new pair comes before its tag.  Nobody else writes to those of
** the bucket. */
static inline void put_mark(const roots *r, uint64_t bucket, uint32_t slot,
                            bool marked)
{
  if (!r->marks)
    return;
  uint32_t all = __atomic_load_n(&r->marks[bucket], __ATOMIC_RELAXED);
  all = (all & ~(UINT32_C(1) << slot)) | (uint32_t)marked << slot;
  __atomic_store_n(&r->marks[bucket], all, __ATOMIC_RELAXED);
}

static inline bool mark_at(const roots *r, uint64_t bucket, uint32_t slot)
{
  return r->marks &&
         __atomic_load_n(&r->marks[bucket], __ATOMIC_RELAXED) >> slot & 1;
}

/* ---- all pairs -------------------------------------------------------- */

void roots_each(const roots *r,
                void (*visit)(void *, uint32_t left, uint32_t right),
                void *context)
{
  reader from = reader_of(r);
  for (uint64_t b = 0; b < r->bucket_count + ROOTS_DISTANCES; b++) {
    read_bucket(&from, b);
    for (uint32_t i = 0, n = used_at(r, b); i < n; i++) {
      uint64_t pair = pair_at(&from, i);
      visit(context, (uint32_t)(pair >> 32), (uint32_t)pair);
    }
  }
  for (size_t i = 0; i < r->spill_room; i++)
    if (r->spill[i] != UINT64_MAX) {
      uint64_t pair = spilled_pair(r, i);
      visit(context, (uint32_t)(pair >> 32), (uint32_t)pair);
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

static bool spill_room(roots *r)
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

static uint64_t with_mark(const roots *r, uint64_t pair, bool marked)
{
  return r->marks && marked ? pair | SPILL_MARK : pair;
}

static roots_result spill(roots *r, uint64_t pair, bool marked)
{
  if (is_spilled(r, pair))
    return ROOTS_SEEN;
  if (!spill_room(r))
    return ROOTS_FULL;
  spill_put(r->spill, r->spill_room, pair, with_mark(r, pair, marked));
  r->spill_count++;
  r->count++;
  return ROOTS_NEW;
}

/* ---- growth ----------------------------------------------------------- */

/* Puts a pair that is not there into a table that has room; false when all
** buckets it may be in are full. */
static inline bool put_new(roots *r, roots_place p, bool marked)
{
  uint8_t *bucket = r->buckets + p.home * ROOTS_BUCKET;
  for (uint32_t d = 0; d < ROOTS_DISTANCES; d++, bucket += ROOTS_BUCKET) {
    uint32_t slot = used_slots(r, bucket);
    if (slot == r->slots)
      continue;
    put_mark(r, p.home + d, slot, marked);
    put(r, bucket, slot, d, p.rest);
    r->count++;
    return true;
  }
  return false;
}

static bool put_pair(roots *r, uint64_t pair, bool marked)
{
  roots_place p = roots_locate(r, (uint32_t)(pair >> 32), (uint32_t)pair);
  return put_new(r, p, marked) || spill(r, pair, marked) == ROOTS_NEW;
}

/* The scrambled keys of all pairs in the bucket read last; their number. */
static uint32_t read_keys(const reader *from, uint64_t keys[ROOTS_SLOTS_MAX])
{
  const roots *r = from->of;
  const uint8_t *b = r->buckets + from->bucket * ROOTS_BUCKET;
  const uint8_t *lows = b + r->slots, *top = lows + r->slots;
  uint64_t next = from->bucket + 1, mask = r->top_mask;
  uint32_t n = used_slots(r, b), bytes = r->top_bytes;
  for (uint32_t i = 0; i < n; i++, top += bytes) {
    uint64_t high;
    memcpy(&high, top, sizeof high);
    keys[i] = from->first[(next - (b[i] >> 4)) % READER_HOMES] +
              ((high & mask) << 12 | (uint64_t)lows[i] << 4 | (b[i] & 15));
  }
  return n;
}

/* Writes a table whose keys come nearly in order.  Of the last homes it is
** known how full they are: those of the pairs in one bucket of the table read,
** and the distances beyond, are fewer than WRITER_HOMES, as the table written
** has at most WRITER_GROWTH times as many buckets. */
enum { WRITER_HOMES = 256, WRITER_GROWTH = 8 };
_Static_assert((ROOTS_DISTANCES + 1) * WRITER_GROWTH + 2 * ROOTS_DISTANCES <
                   (int)WRITER_HOMES,
               "homes in reach");

typedef struct writer {
  uint64_t end; /* the first home that is not known yet */
  first_keys next;
  uint64_t first[WRITER_HOMES]; /* by home modulo WRITER_HOMES */
  uint8_t used[WRITER_HOMES];
} writer;

static void know_homes(writer *w, uint64_t end)
{
  for (; w->end < end; w->end++) {
    w->first[w->end % WRITER_HOMES] = next_first_key(&w->next);
    w->used[w->end % WRITER_HOMES] = 0;
  }
}

/* Puts a new key into the table, whose slots have so many bytes of top; false
** when all its buckets are full. */
static inline bool write_key(const roots *r, writer *w, uint64_t key,
                             uint32_t top_bytes, bool marked)
{
  uint64_t aligned = key << (64 - r->bits);
  uint64_t home = (uint64_t)((roots_wide)aligned * r->bucket_count >> 64);
  know_homes(w, home + ROOTS_DISTANCES);
  uint64_t rest = key - w->first[home % WRITER_HOMES];
  for (uint32_t d = 0; d < ROOTS_DISTANCES; d++) {
    uint8_t *used = &w->used[(home + d) % WRITER_HOMES];
    if (*used == ROOTS_BUCKET / (2 + top_bytes))
      continue;
    put_mark(r, home + d, *used, marked);
    put_rest(r->buckets + (home + d) * ROOTS_BUCKET, *used, top_bytes, d, rest);
    ++*used;
    return true;
  }
  return false;
}

/* Writes the keys of the bucket read last.  Works on a copy of the table's
** shape, which the bytes that are written cannot be part of.  False only when
** there is no memory to spill. */
static inline bool write_keys(roots *to, writer *w, const reader *from,
                              const uint64_t *keys, uint32_t n,
                              uint32_t top_bytes)
{
  const roots shape = *to;
  for (uint32_t i = 0; i < n; i++) {
    bool marked = mark_at(from->of, from->bucket, i);
    if (write_key(&shape, w, keys[i], top_bytes, marked))
      to->count++;
    else if (spill(to, pair_at(from, i), marked) != ROOTS_NEW)
      return false;
  }
  return true;
}

/* Moves one bucket over into a table with the same keys.  The usual numbers of
** bytes become constants. */
static bool move_in_order(roots *to, writer *w, reader *from, uint64_t bucket)
{
  uint64_t keys[ROOTS_SLOTS_MAX];
  read_bucket(from, bucket);
  uint32_t n = read_keys(from, keys);
  if (to->top_bytes == 1)
    return write_keys(to, w, from, keys, n, 1);
  if (to->top_bytes == 2)
    return write_keys(to, w, from, keys, n, 2);
  return write_keys(to, w, from, keys, n, to->top_bytes);
}

/* The same when the keys are others.  The places of the pairs are anywhere: all
** are asked for before the first is written. */
static bool move_anywhere(roots *to, reader *from, uint64_t bucket)
{
  uint64_t pairs[ROOTS_SLOTS_MAX];
  roots_place places[ROOTS_SLOTS_MAX];
  read_bucket(from, bucket);
  uint32_t n = used_at(from->of, bucket);
  for (uint32_t i = 0; i < n; i++) {
    pairs[i] = pair_at(from, i);
    places[i] =
        roots_locate(to, (uint32_t)(pairs[i] >> 32), (uint32_t)pairs[i]);
    roots_prefetch(to, places[i]);
  }
  for (uint32_t i = 0; i < n; i++) {
    bool marked = mark_at(from->of, bucket, i);
    if (!put_new(to, places[i], marked) &&
        spill(to, pairs[i], marked) != ROOTS_NEW)
      return false;
  }
  return true;
}

/* Moves all pairs over; what has been read is given back when that is all
** right with the caller. */
static bool move_pairs(roots *to, roots *old, bool in_order)
{
  reader from = reader_of(old);
  writer w = {.next = first_keys_of(to)};
  for (uint64_t b = 0; b < old->bucket_count + ROOTS_DISTANCES; b++) {
    if (!(in_order ? move_in_order(to, &w, &from, b)
                   : move_anywhere(to, &from, b)))
      return false;
    if (b % DROP_BUCKETS)
      continue;
    if (in_order)
      reserve_drop(&old->memory, b * ROOTS_BUCKET);
    if (mem_is_due())
      return false;
  }
  for (size_t i = 0; i < old->spill_room; i++)
    if (old->spill[i] != UINT64_MAX &&
        !put_pair(to, spilled_pair(old, i), old->spill[i] & SPILL_MARK))
      return false;
  return true;
}

/* Makes a table of the given shape with the pairs of this one.  Memory for it
** is had before anything moves; what moves later can only fail to spill, and
** room for that is made first as well. */
static bool rebuild(roots *r, uint64_t buckets, uint32_t left, uint32_t right)
{
  roots to = {.max_bytes = r->max_bytes,
              .shape = r->shape + 1,
              .lefts = r->lefts,
              .rights = r->rights};
  bool in_order = left == r->left_bits && right == r->right_bits &&
                  buckets <= r->bucket_count * WRITER_GROWTH;
  set_shape(&to, buckets, left, right);
  if (table_bytes(&to) > r->max_bytes ||
      !allocate(&to, in_order ? &r->memory : &(reserve){0}))
    return false;
  if (r->marks && !roots_have_marks(&to)) {
    roots_destroy(&to);
    return false;
  }
  to.spill_count = r->spill_count + to.bucket_count / 1024;
  bool room = spill_room(&to);
  to.spill_count = 0;
  bool moved = room && move_pairs(&to, r, in_order);
  if (!moved && !r->memory.dropped) {
    roots_destroy(&to);
    return false;
  }
  reserve_end(&r->memory, &to.memory);
  roots_destroy(r);
  *r = to;
  if (!moved) /* pairs were lost: there is no going on from here */
    mem_give_up();
  return true;
}

/* Buckets for so many pairs with keys of so many bits: the fewest that leave
** room for the rest of a key in the slots they have. */
static uint64_t buckets_for(uint64_t pairs, uint32_t bits)
{
  for (uint32_t bytes = 1;; bytes++) {
    uint64_t slots = ROOTS_BUCKET / (1 + bytes);
    uint64_t buckets = pairs * 100 / (slots * LOAD_PERCENT) + 1;
    if (bytes == 7 || bytes_for(bits, buckets) <= bytes)
      return buckets;
  }
}

/* A table with room for 'pairs'.  Its width stays, and thereby the order of the
** pairs, unless the numbers do not fit any more or another one saves memory; as
** a change scrambles all keys again, the new width leaves the numbers room to
** double, or in small tables to double twice. */
static bool remake(roots *r, uint64_t pairs)
{
  uint32_t spare = r->bucket_count * ROOTS_BUCKET < WIDE_TABLE ? 2 : 1;
  uint32_t left = bits_for(r->lefts) + spare;
  uint32_t right = bits_for(r->rights) + spare;
  bool fits = roots_fits(r, r->lefts, r->rights);
  left = left > 32 ? 32 : left;
  right = right > 32 ? 32 : right;
  if (fits && buckets_for(pairs, r->bits) <= buckets_for(pairs, left + right)) {
    left = r->left_bits;
    right = r->right_bits;
  }
  if (!rebuild(r, buckets_for(pairs, left + right), left, right))
    return false;
  r->room = pairs;
  return true;
}

/* Somebody else will have to make room. */
static void refuse(roots_share *s)
{
  __atomic_store_n(&s->refused, 1, __ATOMIC_RELAXED);
}

bool roots_grow(roots *r)
{
  return remake(r, room_above(r->room));
}

/* The same for at least so many pairs. */
static bool grow_for(roots *r, uint64_t pairs)
{
  return remake(r, room_above(pairs > r->room ? pairs : r->room));
}

bool roots_widen(roots *r, uint32_t left, uint32_t right)
{
  /* Where it is nearly full it grows at once. */
  uint64_t pairs = r->count > r->room / 4 * 3 ? room_above(r->room) : r->room;
  r->lefts |= left;
  r->rights |= right;
  if (r->share) {
    refuse(r->share);
    return false;
  }
  return remake(r, pairs);
}

/* ---- several threads -------------------------------------------------- */

enum { LEASE = 256 }; /* pairs */

bool roots_make_room(roots *r, roots_share *s)
{
  uint64_t few = r->count / 64 + 2 * (uint64_t)LEASE * s->threads;
  s->refused = 0;
  if (!roots_fits(r, r->lefts, r->rights) &&
      !roots_widen(r, r->lefts, r->rights))
    return false;
  while (r->count + few > r->limit)
    if (!grow_for(r, r->count + few))
      return false;
  return spill_room(r);
}

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
  r->lefts |= lent->lefts;
  r->rights |= lent->rights;
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
    more = left < LEASE ? left : LEASE;
    if (!more)
      return false;
  } while (!__atomic_compare_exchange_n(&s->left, &left, left - more, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  r->limit += more;
  return true;
}

static roots_result spill_shared(roots *r, uint64_t pair)
{
  roots_share *s = r->share;
  spin_lock(&s->spill_lock);
  roots *set = s->set;
  roots_result result = ROOTS_SEEN;
  if (!is_spilled(set, pair)) {
    bool fits = (set->spill_count + 1) * 2 <= set->spill_room && has_lease(r);
    result = fits ? ROOTS_NEW : ROOTS_FULL;
    if (fits) {
      spill_put(set->spill, set->spill_room, pair, with_mark(r, pair, true));
      SPIN_PAUSE();
      set->spill_count++;
      r->count++;
    }
  }
  spin_unlock(&s->spill_lock);
  return result;
}

static uint8_t *lock_of(roots_share *s, uint64_t bucket)
{
  return &s->locks[bucket / ROOTS_GROUP % ROOTS_LOCKS];
}

/* Inserts a pair under the lock of its home; 'next' is set to that of the
** buckets behind, if it was needed, too. */
static roots_result insert_locked(roots *r, roots_place p, uint64_t pair,
                                  uint8_t **next)
{
  uint8_t *bucket = r->buckets + p.home * ROOTS_BUCKET;
  for (uint32_t d = 0; d < ROOTS_DISTANCES; d++, bucket += ROOTS_BUCKET) {
    if (d && (p.home + d) % ROOTS_GROUP == 0)
      spin_lock(*next = lock_of(r->share, p.home + d));
    if (roots_is_in(r, bucket, d, p.rest))
      return ROOTS_SEEN;
    if (!has_free(r, bucket))
      continue;
    if (!has_lease(r))
      return ROOTS_FULL;
    uint32_t slot = used_slots(r, bucket);
    put_mark(r, p.home + d, slot, true);
    SPIN_PAUSE();
    put(r, bucket, slot, d, p.rest);
    SPIN_PAUSE();
    r->count++;
    return ROOTS_NEW;
  }
  return spill_shared(r, pair);
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

static roots_result insert_shared(roots *r, roots_place p, uint32_t left,
                                  uint32_t right)
{
  if (is_away(r, p))
    return ROOTS_SEEN;
  uint8_t *home = lock_of(r->share, p.home), *next = NULL;
  spin_lock(home);
  roots_result result =
      insert_locked(r, p, (uint64_t)left << 32 | right, &next);
  if (next)
    spin_unlock(next);
  spin_unlock(home);
  r->lefts |= left;
  r->rights |= right;
  if (result == ROOTS_FULL)
    refuse(r->share);
  return result;
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
  r->lefts |= left;
  r->rights |= right;
  if (d == ROOTS_DISTANCES)
    return spill(r, (uint64_t)left << 32 | right, true);
  if (r->count >= r->limit) {
    if (!roots_grow(r))
      return ROOTS_FULL;
    return roots_insert_away(r, roots_locate(r, left, right), left, right);
  }
  uint32_t slot = used_slots(r, bucket);
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
