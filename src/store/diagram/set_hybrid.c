/* Buffers tuples, and flushes them into the diagram when it pays or memory is
** short. */

#include "store/diagram/set_hybrid.h"

#include "base/alloc.h"
#include "codec/number.h"
#include "dd/mdd/mdd_lookup.h"
#include "store/diagram/compress.h"

/* The usual buffer is so large at least, and grows with the set: it is united
** when it has as many tuples as one part in so many of those in the diagram.
** So there are few unions, each tuple pays for a bounded part of them, and the
** buffer, the larger part of the memory, is a fraction of what a table of all
** tuples would be. */
#define LEAST_BUFFER ((size_t)1 << 20)
#define BUFFER_SHARE 4
/* Under a limit of memory it has one part in so many at most. */
#define LIMIT_SHARE 4
#define MOST_BUFFER ((size_t)1 << 31)

/* A tuple on its way into the set. */
typedef struct offered {
  set_offer tuple;
  uint64_t hash; /* of its string */
  size_t start;  /* of its string in 'codes' */
  uint32_t bytes;
  bool seen; /* it was there when the batch was shown */
} offered;

typedef struct hybrid {
  diagrams d;
  mdd_lookup lookup; /* of the diagrams, as they are; perhaps not there */
  table buffer;
  size_t diagram_most; /* memory that diagrams and their copy may have */
  size_t buffer_bytes; /* as told; 0: usual */
  size_t buffer_peak;  /* memory the buffer had, and will have again */
  uint64_t count;
  /* The tuples that are offered together, as strings one after the other. */
  offered batch[SET_TOGETHER];
  uint8_t *codes;
  size_t code_room;
  uint64_t flushes; /* so far, and when the batch was shown */
  uint64_t shown_at;
} hybrid;

static void hybrid_destroy(set *base)
{
  hybrid *h = (hybrid *)base;
  if (!h)
    return;
  mdd_lookup_destroy(&h->lookup);
  diagrams_destroy(&h->d);
  table_destroy(&h->buffer);
  mem_free(h->codes, h->code_room);
  mem_free(h, sizeof *h);
}

static set *hybrid_create(const set_settings *settings)
{
  hybrid *h = mem_try_alloc(sizeof *h);
  if (!h)
    return NULL;
  size_t most = settings->max_bytes / LIMIT_SHARE;
  h->buffer_bytes = settings->buffer_bytes;
  h->diagram_most = settings->max_bytes - most;
  if (diagrams_create(&h->d, MDD_VALUES, h->diagram_most) &&
      mdd_lookup_create(&h->lookup, h->diagram_most) &&
      table_create(&h->buffer, most < MOST_BUFFER ? most : MOST_BUFFER))
    return (set *)h;
  hybrid_destroy((set *)h);
  return NULL;
}

static size_t hybrid_bytes(const set *base)
{
  const hybrid *h = (const hybrid *)base;
  size_t buffer = table_bytes(&h->buffer);
  return sizeof *h + diagrams_bytes(&h->d) + mdd_lookup_bytes(&h->lookup) +
         h->code_room + (buffer > h->buffer_peak ? buffer : h->buffer_peak);
}

static bool is_due(const hybrid *h)
{
  size_t bytes = table_bytes(&h->buffer);
  if (h->buffer_bytes)
    return bytes >= h->buffer_bytes;
  uint64_t buffered = h->buffer.count;
  return bytes >= LEAST_BUFFER &&
         buffered >= (h->count - buffered) / BUFFER_SHARE;
}

/* Copies the diagrams for the questions to come.  Where there is no memory for
** that, they are asked themselves. */
static void make_lookup(hybrid *h)
{
  size_t held = diagrams_bytes(&h->d);
  if (held < h->diagram_most)
    (void)mdd_lookup_build(&h->lookup, h->d.manager, h->d.roots, h->d.room,
                           h->diagram_most - held);
}

/* Empties the buffer into the diagram.  False: no memory, nothing is lost. */
static bool flush(hybrid *h)
{
  mdd_lookup_clear(&h->lookup);
  if (!compress_into(&h->d, &h->buffer))
    return false;
  size_t bytes = table_bytes(&h->buffer);
  if (bytes > h->buffer_peak)
    h->buffer_peak = bytes;
  table_clear(&h->buffer);
  h->flushes++;
  mdd_trim(h->d.manager);
  make_lookup(h);
  return true;
}

/* ---- inserting --------------------------------------------------------- */

/* Makes room for the strings of a batch. */
static bool reach_codes(hybrid *h, const set_offer *tuples, uint32_t count)
{
  size_t most = 0;
  for (uint32_t i = 0; i < count; i++)
    most += ((size_t)tuples[i].length + 1) * NUMBER_MOST;
  if (most <= h->code_room)
    return true;
  uint8_t *grown = mem_try_resize(h->codes, h->code_room, 2 * most);
  if (!grown)
    return false;
  h->codes = grown;
  h->code_room = 2 * most;
  return true;
}

/* Writes the tuple as a string to 'out', and returns its end. */
static uint8_t *encode(hybrid *h, offered *o, uint8_t *out)
{
  const uint32_t *values = o->tuple.values;
  uint32_t length = o->tuple.length;
  uint8_t *end = number_write(out, length);
  for (uint32_t i = 0; i < length; i++)
    end = number_write(end, values[i]);
  o->start = (size_t)(out - h->codes);
  o->bytes = (uint32_t)(end - out);
  o->hash = table_hash(out, o->bytes);
  return end;
}

static bool is_buffered(const hybrid *h, const offered *o)
{
  return table_find(&h->buffer, h->codes + o->start, o->bytes, o->hash) !=
         STORE_NO_HANDLE;
}

static bool is_united(hybrid *h, const offered *o)
{
  const uint32_t *values = o->tuple.values;
  uint32_t length = o->tuple.length;
  if (mdd_lookup_ready(&h->lookup))
    return mdd_lookup_contains(&h->lookup, length, values, length);
  return mdd_contains(h->d.manager, diagrams_root(&h->d, length), values,
                      length);
}

/* Looks for the tuples of a batch, each step for all of them, so that the
** memory is waited for once and not for each. */
static bool hybrid_prepare(set *base, const set_offer *tuples, uint32_t count)
{
  hybrid *h = (hybrid *)base;
  if (!reach_codes(h, tuples, count))
    return false;
  uint8_t *out = h->codes;
  for (uint32_t i = 0; i < count; i++) {
    h->batch[i].tuple = tuples[i];
    out = encode(h, &h->batch[i], out);
    table_prefetch(&h->buffer, h->batch[i].hash);
  }
  for (uint32_t i = 0; i < count; i++)
    table_prefetch_string(&h->buffer, h->batch[i].hash);
  for (uint32_t i = 0; i < count; i++)
    h->batch[i].seen = is_buffered(h, &h->batch[i]);
  for (uint32_t i = 0; i < count; i++)
    if (!h->batch[i].seen)
      h->batch[i].seen = is_united(h, &h->batch[i]);
  h->shown_at = h->flushes;
  return true;
}

static bool add(hybrid *h, const offered *o)
{
  return table_add(&h->buffer, h->codes + o->start, o->bytes, o->hash);
}

/* What was seen stays so.  What was not may have come with the same batch, and
** may even be united by now. */
static store_result hybrid_insert_prepared(set *base, uint32_t place)
{
  hybrid *h = (hybrid *)base;
  const offered *o = &h->batch[place];
  if (o->seen || is_buffered(h, o) ||
      (h->flushes != h->shown_at && is_united(h, o)))
    return STORE_SEEN;
  if (is_due(h) && !flush(h))
    return STORE_FULL;
  if (!add(h, o) && (!flush(h) || !add(h, o)))
    return STORE_FULL;
  h->count++;
  return STORE_NEW;
}

static store_result hybrid_insert(set *base, const uint32_t *tuple,
                                  uint32_t length)
{
  if (!hybrid_prepare(base, &(set_offer){tuple, length}, 1))
    return STORE_FULL;
  return hybrid_insert_prepared(base, 0);
}

/* ---- the class --------------------------------------------------------- */

static uint64_t hybrid_count(const set *base)
{
  return ((const hybrid *)base)->count;
}

static uint64_t hybrid_nodes(const set *base)
{
  return diagrams_nodes(&((const hybrid *)base)->d);
}

/* Whether a string of the buffer is in the diagram as well, as after a union
** that found no memory. */
static bool is_in_diagram(const hybrid *h, uint64_t n)
{
  uint32_t bytes, length;
  const uint8_t *at = table_get(&h->buffer, n, &bytes);
  at = number_read(at, &length);
  mdd node = diagrams_root(&h->d, length);
  for (; length-- && node != MDD_EMPTY;) {
    uint32_t value;
    at = number_read(at, &value);
    node = mdd_child(h->d.manager, node, value);
  }
  return node != MDD_EMPTY;
}

static bool hybrid_check(const set *base)
{
  const hybrid *h = (const hybrid *)base;
  uint64_t buffered = 0;
  for (uint64_t n = 0; n < h->buffer.count; n++)
    buffered += !is_in_diagram(h, n);
  if (mdd_lookup_ready(&h->lookup) &&
      !mdd_lookup_check(&h->lookup, h->d.manager, h->d.roots, h->d.room))
    return false;
  return buffered <= h->count && table_check(&h->buffer) &&
         diagrams_check(&h->d, h->count - buffered);
}

/* The buffer is emptied for the picture, as far as there is memory. */
static void hybrid_draw(const set *base, const diagram_labels *labels,
                        text *dot)
{
  hybrid *h = (hybrid *)base;
  (void)flush(h);
  diagrams_draw(&h->d, labels, dot);
}

const set_class set_hybrid = {
    .name = "hybrid",
    .summary = "a buffer before a decision diagram, united when it is full",
    .exact = true,
    .create = hybrid_create,
    .insert = hybrid_insert,
    .prepare = hybrid_prepare,
    .insert_prepared = hybrid_insert_prepared,
    .count = hybrid_count,
    .bytes = hybrid_bytes,
    .nodes = hybrid_nodes,
    .check = hybrid_check,
    .draw = hybrid_draw,
    .destroy = hybrid_destroy,
};
