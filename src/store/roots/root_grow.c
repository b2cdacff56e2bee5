/* The table of a set: its shape, and growing, by which the old buckets are given
** back as they are read. */

#include "store/roots/root_set_internal.h"

#include "base/alloc.h"

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
  r->inverse =
      r->bits + bits_for(buckets) <= 64 && buckets > 1 ? r->reciprocal + 1 : 0;
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
  return allocate(r, &(reserve){0});
}

static size_t mark_bytes(const roots *r)
{
  return (r->bucket_count + ROOTS_DISTANCES) * sizeof *r->marks;
}

/* How numbers grow is seen from now on. */
static void begin_to_look(roots *r)
{
  r->lefts_then = r->lefts;
  r->rights_then = r->rights;
  r->then = r->count;
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
  roots_destroy(r);
  *r = to;
  begin_to_look(r);
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
  begin_to_look(r);
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

/* ---- pairs that move ---------------------------------------------------- */

/* Puts a pair that is not there into a table that has room; false when all
** buckets it may be in are full. */
static inline bool put_new(roots *r, roots_place p, bool marked)
{
  uint8_t *bucket = r->buckets + p.home * ROOTS_BUCKET;
  for (uint32_t d = 0; d < ROOTS_DISTANCES; d++, bucket += ROOTS_BUCKET) {
    uint32_t slot = used_slots(bucket, r->slots);
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
  return put_new(r, p, marked) || roots_spill(r, pair, marked) == ROOTS_NEW;
}

/* What one of the parts did in which pairs move.  Pairs that found no room in
** it, because the next part begins there or all their buckets are full, come
** last, with their marks. */
typedef struct moved_part {
  uint64_t count; /* pairs that were written */
  uint64_t *late;
  size_t late_count, late_room;
  bool has_failed, has_dropped;
  uint8_t apart[MEM_APART]; /* others write to the parts beside this one */
} moved_part;

typedef struct moving {
  roots *to, *old;
  roots_share *share; /* NULL: there is one part */
  uint32_t parts;
  moved_part *list;
} moving;

static bool make_late_room(moved_part *p, size_t room)
{
  uint64_t *late =
      mem_try_resize(p->late, p->late_room * sizeof *late, room * sizeof *late);
  if (!late)
    return false;
  p->late = late;
  p->late_room = room;
  return true;
}

/* False: no memory. */
static bool put_late(moved_part *p, const roots *r, uint64_t pair, bool marked)
{
  if (p->late_count == p->late_room && !make_late_room(p, 2 * p->late_room))
    return false;
  p->late[p->late_count++] = with_mark(r, pair, marked);
  return true;
}

/* Where a part begins, of so many buckets. */
static uint64_t part_start(uint64_t buckets, uint32_t part, uint32_t parts)
{
  return (uint64_t)((roots_wide)buckets * part / parts);
}

/* ---- in order ------------------------------------------------------------ */

/* The scrambled keys of all pairs in the bucket read last; their number. */
static uint32_t read_keys(const reader *from, uint64_t keys[ROOTS_SLOTS_MAX])
{
  const roots *r = from->of;
  const uint8_t *b = r->buckets + from->bucket * ROOTS_BUCKET;
  const uint8_t *lows = b + r->slots, *top = lows + r->slots;
  uint64_t next = from->bucket + 1, mask = r->top_mask;
  uint32_t n = used_slots(b, r->slots), bytes = r->top_bytes;
  if (!bytes) {
    for (uint32_t i = 0; i < n; i++)
      keys[i] = from->first[(next - (b[i] >> 4)) % READER_HOMES] +
                ((uint64_t)lows[i] << 4 | (b[i] & 15));
    return n;
  }
  for (uint32_t i = 0; i < n; i++, top += bytes) {
    uint64_t high;
    memcpy(&high, top, sizeof high);
    keys[i] = from->first[(next - (b[i] >> 4)) % READER_HOMES] +
              ((high & mask) << 12 | (uint64_t)lows[i] << 4 | (b[i] & 15));
  }
  return n;
}

/* Writes homes of a table, up to 'stop', whose keys come nearly in order.  Of
** the last homes it is known how full they are: those of the pairs in one bucket
** of the table read, and the distances beyond, are fewer than WRITER_HOMES, as
** the table written has at most WRITER_GROWTH times as many buckets. */
enum { WRITER_HOMES = 256, WRITER_GROWTH = 8 };
_Static_assert((ROOTS_DISTANCES + 1) * WRITER_GROWTH + 2 * ROOTS_DISTANCES <
                   (int)WRITER_HOMES,
               "homes in reach");

typedef struct writer {
  uint64_t stop;
  uint64_t low, span; /* keys that are its own: from 'low', so many more */
  uint64_t end;       /* the first home that is not known yet */
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

static uint64_t home_of(const roots *r, uint64_t key)
{
  uint64_t aligned = key << (64 - r->bits);
  return (uint64_t)((roots_wide)aligned * r->bucket_count >> 64);
}

/* Those of all keys in the bucket read last, which are below the first one that is
** at home in the next. */
static void know_homes_for(writer *w, const roots *to, const reader *from)
{
  uint64_t last = from->next.floor + (from->next.rest != 0) - 1;
  last = last < to->key_mask ? last : to->key_mask;
  know_homes(w, home_of(to, last) + ROOTS_DISTANCES);
}

/* Puts a new key into the table, whose slots have so many bytes of top; false
** when all its buckets are full. */
static inline bool write_key(const roots *r, writer *w, uint64_t home,
                             uint64_t rest, uint32_t top_bytes, bool marked)
{
  uint32_t slots = ROOTS_BUCKET / (2 + top_bytes);
  for (uint32_t d = 0; d < ROOTS_DISTANCES && home + d < w->stop; d++) {
    uint8_t *used = &w->used[(home + d) % WRITER_HOMES];
    if (*used == slots)
      continue;
    put_mark(r, home + d, *used, marked);
    put_rest(r->buckets + (home + d) * ROOTS_BUCKET, *used, top_bytes, d, rest);
    ++*used;
    return true;
  }
  return false;
}

/* Writes those keys of the bucket read last that are the writer's.  What all keys
** need is read once, as the bytes that are written might be part of it for all
** the compiler knows.  Most have room in their homes, and no mark.  False only
** when there is no memory for what comes last. */
static inline bool write_keys(const roots *to, moved_part *p, writer *w,
                              const reader *from, uint32_t top_bytes)
{
  uint64_t keys[ROOTS_SLOTS_MAX];
  uint64_t low = w->low, span = w->span, count = to->bucket_count, moved = 0;
  uint32_t up = 64 - to->bits, slots = ROOTS_BUCKET / (2 + top_bytes);
  uint8_t *buckets = to->buckets;
  bool has_marks = to->marks;
  know_homes_for(w, to, from);
  for (uint32_t i = 0, n = read_keys(from, keys); i < n; i++) {
    uint64_t key = keys[i];
    if (key - low > span)
      continue;
    uint64_t home = (uint64_t)((roots_wide)(key << up) * count >> 64);
    uint64_t rest = key - w->first[home % WRITER_HOMES];
    uint32_t used = w->used[home % WRITER_HOMES];
    if (used < slots && !has_marks) {
      put_rest(buckets + home * ROOTS_BUCKET, used, top_bytes, 0, rest);
      w->used[home % WRITER_HOMES] = (uint8_t)(used + 1);
      moved++;
      continue;
    }
    bool marked = mark_at(from->of, from->bucket, i);
    if (write_key(to, w, home, rest, top_bytes, marked))
      moved++;
    else if (!put_late(p, to, pair_at(from, i), marked))
      return false;
  }
  p->count += moved;
  return true;
}

/* Moves one bucket over into a table with the same keys.  The usual numbers of
** bytes become constants. */
static bool move_keys(const roots *to, moved_part *p, writer *w,
                      const reader *from)
{
  if (to->top_bytes == 0)
    return write_keys(to, p, w, from, 0);
  if (to->top_bytes == 1)
    return write_keys(to, p, w, from, 1);
  if (to->top_bytes == 2)
    return write_keys(to, p, w, from, 2);
  return write_keys(to, p, w, from, to->top_bytes);
}

/* A part of the homes of the new table. */
static writer writer_of(const moving *m, uint32_t part)
{
  const roots *to = m->to;
  uint64_t first = part_start(to->bucket_count, part, m->parts);
  uint64_t stop = part_start(to->bucket_count, part + 1, m->parts);
  bool is_last = part + 1 == m->parts;
  writer w = {.stop = is_last ? stop + ROOTS_DISTANCES : stop,
              .low = first_key_at(to, first),
              .end = first,
              .next = first_keys_at(to, first)};
  w.span = (is_last ? to->key_mask : first_key_at(to, stop) - 1) - w.low;
  return w;
}

/* The old buckets that have keys of a part: where they begin, where those of the
** next part do, and where they end: the last key may be away from home. */
typedef struct old_buckets {
  uint64_t first, next, end;
} old_buckets;

static old_buckets old_buckets_of(const moving *m, const writer *w)
{
  const roots *old = m->old;
  uint64_t high = w->low + w->span, all = old->bucket_count + ROOTS_DISTANCES;
  old_buckets b = {.first = home_of(old, w->low), .next = all, .end = all};
  if (high < old->key_mask) {
    b.next = home_of(old, high + 1);
    b.end = home_of(old, high) + ROOTS_DISTANCES;
  }
  return b;
}

/* Moves a part of the pairs over.  What has been read is given back, but for what
** those of the part before may still read, and those of the next. */
static void move_in_order(void *work, uint32_t part)
{
  moving *m = work;
  moved_part *p = &m->list[part];
  writer w = writer_of(m, part);
  old_buckets old = old_buckets_of(m, &w);
  reader from = reader_before(m->old, old.first);
  size_t kept = part ? (old.first + ROOTS_DISTANCES) * ROOTS_BUCKET : 0;
  for (uint64_t b = old.first; b < old.end; b++) {
    read_bucket(&from, b);
    p->has_failed = !move_keys(m->to, p, &w, &from) ||
                    (b % DROP_BUCKETS == 0 && mem_is_due());
    if (p->has_failed)
      return;
    if (b % DROP_BUCKETS)
      continue;
    uint64_t read = b < old.next ? b : old.next;
    p->has_dropped |= reserve_drop(&m->old->memory, &kept, read * ROOTS_BUCKET);
  }
}

/* ---- anywhere ------------------------------------------------------------ */

/* Others put theirs meanwhile; no pair is there already. */
static bool put_among_others(roots *to, roots_place place, uint64_t pair,
                             bool marked)
{
  uint8_t *lock = roots_lock_of(to->share, place.home);
  spin_lock(lock);
  bool is_put = roots_put_at_home(
      to, place, used_slots(to->buckets + place.home * ROOTS_BUCKET, to->slots),
      marked);
  spin_unlock(lock);
  return is_put || roots_insert_shared(to, place, pair, marked) == ROOTS_NEW;
}

/* Puts a pair that moves. */
static bool put_moving(roots *to, moved_part *p, roots_place place,
                       uint64_t pair, bool marked)
{
  return (to->share ? put_among_others(to, place, pair, marked)
                    : put_new(to, place, marked)) ||
         put_late(p, to, pair, marked);
}

/* The pairs of a bucket on their way into a table with other keys, in which their
** places are anywhere. */
typedef struct moved_bucket {
  uint64_t pairs[ROOTS_SLOTS_MAX];
  roots_place places[ROOTS_SLOTS_MAX];
  uint32_t count, marks;
} moved_bucket;

/* Takes the bucket at hand, and asks for where its pairs go.  What all keys need is
** read once. */
static void take_bucket(const roots *to, const reader *from, moved_bucket *b)
{
  const roots r = *to, *old = from->of;
  uint32_t bits = old->bits, right_bits = old->right_bits;
  uint64_t rights = roots_mask(right_bits), keys[ROOTS_SLOTS_MAX];
  uint32_t n = b->count = read_keys(from, keys);
  b->marks = old->marks
                 ? __atomic_load_n(&old->marks[from->bucket], __ATOMIC_RELAXED)
                 : 0;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t key = unscramble(keys[i], bits);
    uint64_t left = key >> right_bits, right = key & rights;
    roots_place p = roots_locate(&r, (uint32_t)left, (uint32_t)right);
    b->pairs[i] = left << 32 | right;
    b->places[i] = p;
    __builtin_prefetch(r.buckets + p.home * ROOTS_BUCKET, 1);
  }
  for (uint32_t i = 0; (r.share || r.marks) && i < n; i++)
    roots_ask_to_write(to, b->places[i]);
}

/* Puts pairs without marks into a table that nobody shares, whose slots have so
** many bytes of top.  Most have room in their homes. */
static inline bool put_alone(roots *to, moved_part *p, const moved_bucket *b,
                             uint32_t top_bytes)
{
  uint32_t slots = ROOTS_BUCKET / (2 + top_bytes);
  uint8_t *buckets = to->buckets;
  uint64_t moved = 0;
  for (uint32_t i = 0; i < b->count; i++) {
    roots_place place = b->places[i];
    uint8_t *bucket = buckets + place.home * ROOTS_BUCKET;
    uint32_t used = used_slots(bucket, slots);
    if (used < slots) {
      put_rest(bucket, used, top_bytes, 0, place.rest);
      moved++;
    } else if (!put_moving(to, p, place, b->pairs[i], false)) {
      return false;
    }
  }
  to->count += moved;
  return true;
}

/* The usual numbers of bytes become constants. */
static bool put_bucket(roots *to, moved_part *p, const moved_bucket *b)
{
  bool is_plain = !to->share && !to->marks;
  if (is_plain && to->top_bytes == 0)
    return put_alone(to, p, b, 0);
  if (is_plain && to->top_bytes == 1)
    return put_alone(to, p, b, 1);
  if (is_plain && to->top_bytes == 2)
    return put_alone(to, p, b, 2);
  for (uint32_t i = 0; i < b->count; i++)
    if (!put_moving(to, p, b->places[i], b->pairs[i], b->marks >> i & 1))
      return false;
  return true;
}

/* Several parts use copies of the new table, as threads do that insert; there is
** room for all.  A bucket is put when the next one has been read, so that the
** lines of memory have time to come. */
static void move_anywhere(void *work, uint32_t part)
{
  moving *m = work;
  moved_part *p = &m->list[part];
  roots to = *m->to;
  to.share = m->share;
  to.limit = UINT64_MAX;
  uint64_t all = m->old->bucket_count + ROOTS_DISTANCES;
  uint64_t b = part_start(all, part, m->parts);
  uint64_t end = part_start(all, part + 1, m->parts);
  reader from = reader_before(m->old, b);
  moved_bucket two[2] = {{.count = 0}, {.count = 0}};
  for (; b < end; b++) {
    read_bucket(&from, b);
    take_bucket(&to, &from, &two[b % 2]);
    p->has_failed = !put_bucket(&to, p, &two[(b + 1) % 2]) ||
                    (b % DROP_BUCKETS == 0 && mem_is_due());
    if (p->has_failed)
      return;
  }
  p->has_failed = !put_bucket(&to, p, &two[(end + 1) % 2]);
  p->count = to.count;
}

/* ---- growth -------------------------------------------------------------- */

/* So many parts are worth the trouble. */
#ifndef ROOTS_PART
#define ROOTS_PART 1024 /* buckets */
#endif

static uint32_t parts_for(const roots *r, const roots_share *s)
{
  uint64_t most = r->bucket_count / ROOTS_PART;
  uint32_t hands = s && s->helpers ? s->helpers->count : 1;
  if (most < 2 || hands < 2)
    return 1;
  return most < hands ? (uint32_t)most : hands;
}

/* Each part has a page of the old table that is not given back yet, and one of the
** new one: where memory is too short for that in several parts, there is one. */
static size_t take_room_for_parts(moving *m)
{
  size_t more = 2 * (m->parts - 1) * reserve_drop_unit(&m->to->memory);
  if (more && !mem_take(more)) {
    m->parts = 1;
    return 0;
  }
  return more;
}

static void free_parts(moving *m)
{
  for (uint32_t i = 0; m->list && i < m->parts; i++)
    mem_free(m->list[i].late, m->list[i].late_room * sizeof *m->list[i].late);
  mem_free(m->list, m->parts * sizeof *m->list);
}

/* Memory that is likely to be enough for what comes last. */
static bool make_parts(moving *m)
{
  bool done = (m->list = mem_try_alloc_apart(m->parts * sizeof *m->list));
  for (uint32_t i = 0; done && i < m->parts; i++)
    done =
        make_late_room(&m->list[i], 64 + m->to->bucket_count / 1024 / m->parts);
  return done;
}

/* What found no room in its part, and what was spilled before. */
static bool move_rest(moving *m)
{
  const roots *old = m->old;
  bool done = true;
  for (uint32_t i = 0; i < m->parts; i++) {
    m->to->count += m->list[i].count;
    done = done && !m->list[i].has_failed;
  }
  for (uint32_t i = 0; done && i < m->parts; i++)
    for (size_t k = 0; done && k < m->list[i].late_count; k++) {
      uint64_t pair = m->list[i].late[k];
      done = put_pair(m->to, without_mark(old, pair), pair & SPILL_MARK);
    }
  for (size_t i = 0; done && i < old->spill_room; i++)
    if (old->spill[i] != UINT64_MAX)
      done = put_pair(m->to, spilled_pair(old, i), old->spill[i] & SPILL_MARK);
  return done;
}

/* Moves all pairs over.  False: not all of them, and '*lost' tells whether some
** are in neither table as a whole. */
static bool move_pairs(moving *m, bool in_order, bool *lost)
{
  roots_share *s = m->share;
  bool done = false;
  if (make_parts(m)) {
    if (s)
      s->set = m->to;
    helpers_share(s ? s->helpers : NULL,
                  in_order ? move_in_order : move_anywhere, m, m->parts);
    if (s)
      s->refused = 0;
    done = move_rest(m);
  }
  for (uint32_t i = 0; m->list && i < m->parts; i++)
    *lost |= !done && m->list[i].has_dropped;
  free_parts(m);
  return done;
}

/* Makes a table of the given shape with the pairs of this one.  Memory for it
** is had before anything moves; what moves later can only fail to spill, and
** room for that is made first as well. */
static bool rebuild(roots *r, uint64_t buckets, uint32_t left, uint32_t right,
                    roots_share *s)
{
  roots to = {.max_bytes = r->max_bytes,
              .shape = r->shape + 1,
              .lefts = r->lefts,
              .rights = r->rights,
              .lefts_then = r->lefts_then,
              .rights_then = r->rights_then,
              .then = r->then};
  bool in_order = left == r->left_bits && right == r->right_bits &&
                  buckets <= r->bucket_count * WRITER_GROWTH;
  bool lost = false;
  set_shape(&to, buckets, left, right);
  if (table_bytes(&to) > r->max_bytes ||
      !allocate(&to, in_order ? &r->memory : &(reserve){0}))
    return false;
  if (r->marks && !roots_have_marks(&to)) {
    roots_destroy(&to);
    return false;
  }
  moving m = {.to = &to, .old = r, .parts = parts_for(r, s)};
  size_t more = take_room_for_parts(&m);
  m.share = m.parts > 1 ? s : NULL;
  to.spill_count = r->spill_count + to.bucket_count / 1024;
  bool room = roots_spill_room(&to);
  to.spill_count = 0;
  bool moved = room && move_pairs(&m, in_order, &lost);
  mem_give_back(more);
  if (!moved && !lost) {
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

/* The fewest buckets for so many pairs with keys of so many bits.  Whatever the
** bytes of a slot, there must be slots enough, and so many buckets that the rest
** of a key fits. */
static uint64_t buckets_for(uint64_t pairs, uint32_t bits)
{
  uint64_t least = UINT64_MAX;
  for (uint32_t bytes = 1; bytes <= 7; bytes++) {
    uint64_t slots = ROOTS_BUCKET / (1 + bytes);
    uint64_t enough = pairs * 100 / (slots * LOAD_PERCENT) + 1;
    uint64_t fitting = (roots_mask(bits) >> (4 + 8 * bytes)) + 1;
    uint64_t buckets = enough > fitting ? enough : fitting;
    least = buckets < least ? buckets : least;
  }
  return least;
}

/* The bits of the largest number when there will be so many more pairs, if it
** grows as it did for the last 'since'. */
static uint32_t bits_ahead(uint32_t largest, uint32_t then, uint64_t since,
                           uint64_t more)
{
  roots_wide grown = (roots_wide)(largest - then) * more / (since | 1);
  uint64_t ahead = largest + (uint64_t)grown;
  return ahead > UINT32_MAX ? 32 : bits_for(ahead);
}

/* What the numbers will need when the table is full, or half as many pairs more
** have come.  How they grow is seen from when there were at most four fifths of
** the pairs. */
static void look_ahead(roots *r, uint64_t pairs, uint32_t *left,
                       uint32_t *right)
{
  uint64_t since = r->count - r->then, more = pairs - r->count;
  more = more < r->count / 2 ? more : r->count / 2;
  *left = bits_ahead(r->lefts, r->lefts_then, since, more);
  *right = bits_ahead(r->rights, r->rights_then, since, more);
  if (r->count < r->then + r->then / 4)
    return;
  begin_to_look(r);
}

/* A table with room for 'pairs'.  Its width stays, and thereby the order of the
** pairs, unless the numbers will not fit or another one saves memory.  As a
** change scrambles all keys again, small tables leave the numbers more room
** than they are likely to need, where that costs little. */
static bool remake(roots *r, uint64_t pairs, roots_share *s)
{
  uint32_t left = r->left_bits, right = r->right_bits, l, k;
  uint64_t buckets = UINT64_MAX;
  look_ahead(r, pairs, &l, &k);
  if (l <= left && k <= right)
    buckets = buckets_for(pairs, r->bits);
  uint64_t bytes = r->bucket_count * ROOTS_BUCKET;
  uint32_t most = bytes < SMALL_TABLE ? 4 : bytes < WIDE_TABLE ? 2 : 1;
  for (uint32_t spare = most + 1; spare--;) {
    uint32_t wide_l = l + spare > 32 ? 32 : l + spare;
    uint32_t wide_k = k + spare > 32 ? 32 : k + spare;
    uint64_t fewer = buckets_for(pairs, wide_l + wide_k);
    if (fewer < buckets - buckets / 8) {
      buckets = fewer;
      left = wide_l;
      right = wide_k;
    }
  }
  return rebuild(r, buckets, left, right, s);
}

bool roots_grow(roots *r)
{
  return remake(r, room_above(r->count), NULL);
}

bool roots_expect(roots *r, uint64_t pairs, uint32_t left, uint32_t right)
{
  roots_note(r, left, right);
  begin_to_look(r);
  return remake(r, room_above(pairs), NULL);
}

bool roots_widen(roots *r, uint32_t left, uint32_t right)
{
  roots_note(r, left, right);
  if (r->share) {
    roots_refuse(r->share);
    return false;
  }
  return remake(r, room_above(r->count), NULL);
}

/* It grows when a set of one thread would, or nearly so: what others have leased
** and not used is little. */
bool roots_make_room(roots *r, roots_share *s)
{
  bool refused = s->refused;
  s->refused = 0;
  if (!roots_fits(r, r->lefts, r->rights) &&
      !remake(r, room_above(r->count), s))
    return false;
  uint64_t few = r->limit / 512 + s->threads;
  while (refused && r->count + few >= r->limit)
    if (!remake(r, room_above(r->count + few), s))
      return false;
  return roots_spill_room(r);
}
