/* Strings of one length or of several, and the slots that grow with them. */

#include "store/table/table.h"

#include "base/alloc.h"
#include "base/spin.h"
#include "base/system/address_space.h"

#include <assert.h>

enum {
  FIRST_BUCKETS = 16,
  WIDE_FROM = 28, /* narrow slots keep at least 4 bits for the tag */
  MOST_BITS = 36, /* of a number; wide slots keep at least 4 for the tag */
  AHEAD = 16      /* strings hashed ahead of their insertion when growing */
};

/* Loads of the slots, in percent: when to grow, and how full they may get
** when there is no memory to grow. */
#define USUAL_LOAD 92
#define GREATEST_LOAD 97
/* What a string may cost beyond its bytes, in hundredths of a byte. */
#define BUDGET 790

/* ---- the index: where strings of different lengths are ----------------- */

/* A walk over all strings in the order of their numbers. */
typedef struct walk {
  const table *t;
  uint64_t next; /* number */
  size_t start;  /* its place in 'bytes' */
} walk;

static const uint8_t *walk_next(walk *w, uint32_t *length)
{
  const table *t = w->t;
  if (t->code_bytes) {
    const uint8_t *group =
        t->index.base + w->next / TABLE_GROUP * table_group_bytes(t);
    *length = table_code(t, group + 8, w->next % TABLE_GROUP);
  } else {
    *length = t->lengths[0];
  }
  const uint8_t *result = t->bytes.base + w->start;
  w->next++;
  w->start += *length;
  return result;
}

static size_t index_bytes(uint64_t count, unsigned code_bytes)
{
  if (!code_bytes)
    return 0;
  uint64_t groups = (count + TABLE_GROUP - 1) / TABLE_GROUP;
  return groups * (8 + (size_t)TABLE_GROUP * code_bytes);
}

static void put_code(uint8_t *codes, unsigned code_bytes, unsigned i,
                     uint32_t code)
{
  uint16_t two = (uint16_t)code;
  if (code_bytes == 1)
    codes[i] = (uint8_t)code;
  else if (code_bytes == 2)
    memcpy(codes + 2 * (size_t)i, &two, 2);
  else
    memcpy(codes + 4 * (size_t)i, &code, 4);
}

/* Rewrites group 'g' with codes of 'code_bytes', from what it says now. */
static void widen_group(table *t, uint64_t g, unsigned code_bytes)
{
  uint64_t start = g * TABLE_GROUP * (uint64_t)t->lengths[0];
  uint32_t codes[TABLE_GROUP] = {0};
  if (t->code_bytes) {
    const uint8_t *old = t->index.base + g * table_group_bytes(t);
    memcpy(&start, old, 8);
    for (unsigned i = 0; i < TABLE_GROUP; i++)
      codes[i] = table_code(t, old + 8, i);
  }
  uint8_t *new = t->index.base + g *(8 + (size_t)TABLE_GROUP * code_bytes);
  memcpy(new, &start, 8);
  for (unsigned i = 0; i < TABLE_GROUP; i++)
    put_code(new + 8, code_bytes, i, codes[i]);
}

static size_t mark_bytes(const table *t, uint64_t count)
{
  return t->has_marks ? (count + 7) / 8 : 0;
}

static bool has_room(const table *t, size_t more)
{
  size_t held = table_bytes(t);
  return held <= t->max_bytes && more <= t->max_bytes - held;
}

/* Makes the codes of lengths wider.  Groups move towards the end, so the last
** one goes first and none is overwritten before it has moved. */
static bool widen_codes(table *t, unsigned code_bytes)
{
  assert(code_bytes > t->code_bytes);
  size_t old = index_bytes(t->count, t->code_bytes);
  size_t new = index_bytes(t->count, code_bytes);
  if (!has_room(t, new - old) || (new && !reserve_commit(&t->index, new)))
    return false;
  uint64_t groups = (t->count + TABLE_GROUP - 1) / TABLE_GROUP;
  for (uint64_t g = groups; g--;)
    widen_group(t, g, code_bytes);
  t->code_bytes = (uint8_t)code_bytes;
  return true;
}

static uint32_t place_of_length(const table *t, uint32_t length)
{
  uint32_t i = 0;
  while (i < t->length_count && t->lengths[i] != length)
    i++;
  return i;
}

/* Finds the code for a length, widening the codes when there is none left. */
static bool code_of_length(table *t, uint32_t length, uint32_t *code)
{
  if (t->code_bytes <= 1) {
    uint32_t place = place_of_length(t, length);
    bool new = place == t->length_count;
    if (!new || place < TABLE_LENGTHS) {
      if (place > 0 && !t->code_bytes && !widen_codes(t, 1))
        return false;
      *code = place;
      return true;
    }
  }
  *code = length;
  unsigned needed = length > UINT16_MAX || t->max_length > UINT16_MAX ? 4 : 2;
  return t->code_bytes >= needed || widen_codes(t, needed);
}

/* ---- the slots --------------------------------------------------------- */

static unsigned slots_of_bucket(bool wide)
{
  return wide ? TABLE_WIDE : TABLE_NARROW;
}

static uint64_t at_load(uint64_t buckets, bool wide, unsigned percent)
{
  return buckets * slots_of_bucket(wide) / 100 * percent +
         buckets * slots_of_bucket(wide) % 100 * percent / 100;
}

static uint32_t bits_of(uint64_t x)
{
  uint32_t bits = 0;
  for (; x; x >>= 1)
    bits++;
  return bits;
}

/* Puts a number, known to be new, into the first empty slot. */
static void fill_slot(table *t, uint64_t hash, uint64_t number)
{
  uint64_t value = table_tag(t, hash) | (number + 1);
  unsigned slots = slots_of_bucket(t->wide);
  uint64_t home = table_home(t, hash);
  for (;; home = home + 1 == t->buckets ? 0 : home + 1) {
    uint8_t *bucket = t->slots.base + home * TABLE_BUCKET;
    for (unsigned i = 0; i < slots; i++) {
      if (table_slot(t, bucket, i))
        continue;
      if (t->wide) {
        table_wide_bucket *w = (table_wide_bucket *)bucket;
        w->low[i] = (uint32_t)value;
        w->high[i] = (uint8_t)(value >> 32);
      } else {
        __atomic_store_n((uint32_t *)(void *)bucket + i, (uint32_t)value,
                         __ATOMIC_RELEASE);
      }
      return;
    }
  }
}

/* The old slots are gone: who is stopped here cannot go on. */
static void fill_all_slots(table *t)
{
  uint64_t hashes[AHEAD], look = MEM_MOVES;
  walk w = {t, 0, 0};
  while (w.next < t->count) {
    uint64_t first = w.next;
    if (first >= look) {
      if (mem_is_due())
        mem_give_up();
      look = first + MEM_MOVES;
    }
    unsigned n = 0;
    for (; n < AHEAD && w.next < t->count; n++) {
      uint32_t length;
      const uint8_t *string = walk_next(&w, &length);
      hashes[n] = t->hash(string, length);
      table_prefetch(t, hashes[n]);
    }
    for (unsigned i = 0; i < n; i++)
      fill_slot(t, hashes[i], first + i);
  }
}

/* Enlarges the slots to 'buckets'; false leaves everything as it was. */
static bool resize_slots(table *t, uint64_t buckets)
{
  uint32_t bits = bits_of(buckets * TABLE_NARROW);
  bool wide = bits > t->wide_from;
  size_t bytes = buckets * TABLE_BUCKET, old = t->buckets * TABLE_BUCKET;
  /* Wide slots are fewer to a bucket: what was there must still fit. */
  if (bits > MOST_BITS || at_load(buckets, wide, USUAL_LOAD) <= t->count ||
      !has_room(t, bytes - old) || !reserve_commit(&t->slots, bytes))
    return false;
  memset(t->slots.base, 0, old);
  t->buckets = buckets;
  t->number_bits = bits;
  t->wide = wide;
  t->grow_at = at_load(buckets, wide, USUAL_LOAD);
  fill_all_slots(t);
  return true;
}

/* Grows the slots as far as the budget of a string allows, at least by a
** tenth.  Without memory for that they may get fuller than usual. */
static bool grow_slots(table *t)
{
  uint64_t index = 100 * (uint64_t)table_group_bytes(t) / TABLE_GROUP;
  uint64_t budget = t->code_bytes ? BUDGET - index : BUDGET;
  uint64_t wanted = t->count * budget / (100 * TABLE_BUCKET);
  uint64_t least = t->buckets + t->buckets / 10 + 1;
  if (wanted > least && resize_slots(t, wanted))
    return true;
  if (resize_slots(t, least))
    return true;
  return t->count < at_load(t->buckets, t->wide, GREATEST_LOAD);
}

/* ---- public ------------------------------------------------------------ */

static uint64_t hash_of_string(const void *string, size_t length)
{
  return table_hash(string, (uint32_t)length);
}

bool table_create_wide(table *t, size_t max_bytes, uint32_t wide_from)
{
  *t = (table){
      .max_bytes = max_bytes, .wide_from = wide_from, .hash = hash_of_string};
  if (space_reserve(&t->slots, max_bytes) &&
      space_reserve(&t->bytes, max_bytes) &&
      space_reserve(&t->index, max_bytes) && resize_slots(t, FIRST_BUCKETS))
    return true;
  table_destroy(t);
  return false;
}

bool table_create(table *t, size_t max_bytes)
{
  return table_create_wide(t, max_bytes, WIDE_FROM);
}

bool table_expect(table *t, uint64_t strings)
{
  uint64_t wanted = strings * BUDGET / (100 * TABLE_BUCKET);
  return wanted <= t->buckets || resize_slots(t, wanted);
}

void table_destroy(table *t)
{
  reserve_destroy(&t->slots);
  reserve_destroy(&t->bytes);
  reserve_destroy(&t->index);
  reserve_destroy(&t->marks);
  *t = (table){0};
}

void table_clear(table *t)
{
  memset(t->slots.base, 0, t->buckets * TABLE_BUCKET);
  t->count = t->used = 0;
  t->has_marks = false;
  t->max_length = t->length_count = 0;
  t->code_bytes = 0;
}

/* Others may add strings meanwhile. */
size_t table_bytes(const table *t)
{
  uint64_t count = __atomic_load_n(&t->count, __ATOMIC_RELAXED);
  return t->buckets * TABLE_BUCKET +
         __atomic_load_n(&t->used, __ATOMIC_RELAXED) +
         index_bytes(count, t->code_bytes) + mark_bytes(t, count);
}

/* Enters the length of the string 'count', which starts at 'used'. */
static void note_length(table *t, uint32_t length, uint32_t code)
{
  if (t->code_bytes <= 1 && code == t->length_count)
    t->lengths[t->length_count++] = length;
  if (length > t->max_length)
    __atomic_store_n(&t->max_length, length, __ATOMIC_RELAXED);
  if (!t->code_bytes)
    return;
  uint8_t *group =
      t->index.base + t->count / TABLE_GROUP * table_group_bytes(t);
  uint64_t start = t->used;
  if (t->count % TABLE_GROUP == 0)
    memcpy(group, &start, 8);
  put_code(group + 8, t->code_bytes, t->count % TABLE_GROUP, code);
}

/* Enters a string for whose parts there is memory. */
static void put_string(table *t, const uint8_t *bytes, uint32_t length,
                       uint32_t code, uint64_t hash)
{
  uint64_t number = t->count;
  note_length(t, length, code);
  /* A string of no bytes needs no place, and perhaps has none. */
  if (length)
    memcpy(t->bytes.base + t->used, bytes, length);
  if (t->has_marks)
    table_mark(t, number, true);
  SPIN_PAUSE();
  fill_slot(t, hash, number);
  SPIN_PAUSE();
  __atomic_store_n(&t->used, t->used + length, __ATOMIC_RELAXED);
  __atomic_store_n(&t->count, number + 1, __ATOMIC_RELAXED);
}

/* Bytes that so many more strings, of so many bytes together, add. */
static size_t bytes_of_more(const table *t, uint64_t strings, size_t bytes)
{
  uint64_t count = t->count + strings;
  return bytes + index_bytes(count, t->code_bytes) -
         index_bytes(t->count, t->code_bytes) + mark_bytes(t, count) -
         mark_bytes(t, t->count);
}

static bool commit_more(table *t, uint64_t strings, size_t bytes)
{
  uint64_t count = t->count + strings;
  return has_room(t, bytes_of_more(t, strings, bytes)) &&
         reserve_commit(&t->bytes, t->used + bytes) &&
         reserve_commit(&t->index, index_bytes(count, t->code_bytes)) &&
         reserve_commit(&t->marks, mark_bytes(t, count));
}

bool table_add(table *t, const uint8_t *bytes, uint32_t length, uint64_t hash)
{
  uint32_t code;
  if ((t->count >= t->grow_at && !grow_slots(t)) ||
      !code_of_length(t, length, &code) || !commit_more(t, 1, length))
    return false;
  put_string(t, bytes, length, code, hash);
  return true;
}

/* ---- marks --------------------------------------------------------------- */

bool table_have_marks(table *t)
{
  if (t->has_marks)
    return true;
  if (!t->marks.base && !space_reserve(&t->marks, t->max_bytes))
    return false;
  t->has_marks = true;
  if (has_room(t, 0) && reserve_commit(&t->marks, mark_bytes(t, t->count)))
    return true;
  t->has_marks = false;
  return false;
}

bool table_is_marked(const table *t, uint64_t number)
{
  const uint8_t *byte = t->marks.base + number / 8;
  return __atomic_load_n(byte, __ATOMIC_RELAXED) >> number % 8 & 1;
}

void table_mark(table *t, uint64_t number, bool marked)
{
  uint8_t *byte = t->marks.base + number / 8;
  uint8_t bit = (uint8_t)(1u << number % 8);
  if (marked)
    __atomic_fetch_or(byte, bit, __ATOMIC_RELAXED);
  else
    __atomic_fetch_and(byte, (uint8_t)~bit, __ATOMIC_RELAXED);
}

/* ---- several threads ------------------------------------------------------ */

/* Whether the string can be added as everything is now, and the code of its
** length. */
static bool has_shared_room(table *t, uint32_t length, uint32_t *code)
{
  *code = t->code_bytes <= 1 ? place_of_length(t, length) : length;
  bool is_coded = t->code_bytes == 0   ? *code == 0
                  : t->code_bytes == 1 ? *code < TABLE_LENGTHS
                  : t->code_bytes == 2 ? length <= UINT16_MAX
                                       : true;
  bool has = is_coded && t->count < t->grow_at &&
             t->used + length <= t->bytes.committed &&
             index_bytes(t->count + 1, t->code_bytes) <= t->index.committed &&
             mark_bytes(t, t->count + 1) <= t->marks.committed;
  if (!has && length >= t->awaited)
    t->awaited = length + 1;
  return has;
}

/* Looks for the string once more, and adds it if nobody else has. */
static store_result insert_locked(table *t, const uint8_t *bytes,
                                  uint32_t length, uint64_t hash,
                                  store_handle *number)
{
  uint32_t code;
  *number = table_find(t, bytes, length, hash);
  if (*number != STORE_NO_HANDLE)
    return STORE_SEEN;
  if (!has_shared_room(t, length, &code)) {
    __atomic_store_n(&t->refused, 1, __ATOMIC_RELAXED);
    return STORE_FULL;
  }
  *number = t->count;
  put_string(t, bytes, length, code, hash);
  return STORE_NEW;
}

store_result table_insert_shared(table *t, const uint8_t *bytes,
                                 uint32_t length, uint64_t hash,
                                 store_handle *number)
{
  if (!t->wide) {
    *number = table_find(t, bytes, length, hash);
    if (*number != STORE_NO_HANDLE)
      return STORE_SEEN;
  }
  spin_lock(&t->lock);
  store_result result = insert_locked(t, bytes, length, hash, number);
  spin_unlock(&t->lock);
  return result;
}

/* For some more strings, as long as the longest, those refused included. */
bool table_make_room(table *t)
{
  uint32_t code, longest = t->max_length;
  if (t->awaited > longest)
    longest = t->awaited - 1;
  if ((t->awaited && !code_of_length(t, t->awaited - 1, &code)) ||
      (t->count >= t->grow_at && !grow_slots(t)))
    return false;
  t->awaited = 0;
  t->refused = 0;
  uint64_t more = t->count / 64 + 64;
  return t->count < t->grow_at && commit_more(t, more, more * longest);
}

/* ---- checking ---------------------------------------------------------- */

static bool check_strings(const table *t)
{
  walk w = {t, 0, 0};
  for (uint64_t n = 0; n < t->count; n++) {
    uint32_t length, again;
    const uint8_t *string = walk_next(&w, &length);
    /* Found under its own number: it is there, and no equal one before it. */
    if (table_get(t, n, &again) != string || again != length ||
        length > t->max_length ||
        table_find(t, string, length, t->hash(string, length)) != n)
      return false;
  }
  return w.start == t->used;
}

static bool check_slots(const table *t)
{
  uint64_t occupied = 0, mask = (UINT64_C(1) << t->number_bits) - 1;
  for (uint64_t b = 0; b < t->buckets; b++) {
    const uint8_t *bucket = t->slots.base + b * TABLE_BUCKET;
    bool empty = false;
    for (unsigned i = 0; i < slots_of_bucket(t->wide); i++) {
      uint64_t slot = table_slot(t, bucket, i);
      if (slot && (empty || (slot & mask) == 0 || (slot & mask) > t->count))
        return false;
      empty = !slot;
      occupied += !empty;
    }
  }
  return occupied == t->count;
}

bool table_check(const table *t)
{
  return t->buckets * TABLE_BUCKET <= t->slots.committed &&
         t->used <= t->bytes.committed &&
         index_bytes(t->count, t->code_bytes) <= t->index.committed &&
         t->count <= at_load(t->buckets, t->wide, GREATEST_LOAD) &&
         check_slots(t) && check_strings(t);
}
