#include "store/set_hybrid.h"

#include "base/alloc.h"
#include "codec/number.h"
#include "store/compress.h"

/* The usual buffer is so large at least, and grows with the diagram: as much as
** one part in so many of it, so that uniting stays cheap for each tuple. */
#define LEAST_BUFFER ((size_t)1 << 20)
#define BUFFER_SHARE 4
#define MOST_BUFFER ((size_t)1 << 31)

typedef struct hybrid {
  diagrams d;
  table buffer;
  size_t buffer_bytes; /* as told; 0: usual */
  size_t buffer_peak;  /* memory the buffer had, and will have again */
  uint64_t count;
  uint8_t *code; /* scratch: a tuple as a string */
  size_t code_room;
} hybrid;

static void hybrid_destroy(set *base)
{
  hybrid *h = (hybrid *)base;
  if (!h)
    return;
  diagrams_destroy(&h->d);
  table_destroy(&h->buffer);
  mem_free(h->code, h->code_room);
  mem_free(h, sizeof *h);
}

static set *hybrid_create(const set_settings *settings)
{
  hybrid *h = mem_try_alloc(sizeof *h);
  if (!h)
    return NULL;
  /* Under a limit the buffer has a quarter of it at most. */
  size_t most = settings->max_bytes / BUFFER_SHARE;
  h->buffer_bytes = settings->buffer_bytes;
  if (diagrams_create(&h->d, MDD_VALUES, settings->max_bytes - most) &&
      table_create(&h->buffer, most < MOST_BUFFER ? most : MOST_BUFFER))
    return (set *)h;
  hybrid_destroy((set *)h);
  return NULL;
}

static size_t hybrid_bytes(const set *base)
{
  const hybrid *h = (const hybrid *)base;
  size_t buffer = table_bytes(&h->buffer);
  return sizeof *h + diagrams_bytes(&h->d) + h->code_room +
         (buffer > h->buffer_peak ? buffer : h->buffer_peak);
}

static bool is_due(const hybrid *h)
{
  size_t limit = h->buffer_bytes;
  if (!limit) {
    limit = diagrams_bytes(&h->d) / BUFFER_SHARE;
    limit = limit > LEAST_BUFFER ? limit : LEAST_BUFFER;
  }
  return table_bytes(&h->buffer) >= limit;
}

/* Empties the buffer into the diagram.  False: no memory, nothing is lost. */
static bool flush(hybrid *h)
{
  if (!compress_into(&h->d, &h->buffer))
    return false;
  size_t bytes = table_bytes(&h->buffer);
  if (bytes > h->buffer_peak)
    h->buffer_peak = bytes;
  table_clear(&h->buffer);
  mdd_trim(h->d.manager);
  return true;
}

/* Writes the tuple as a string into 'code'; 0 when there is no memory. */
static uint32_t encode(hybrid *h, const uint32_t *tuple, uint32_t length)
{
  size_t most = ((size_t)length + 1) * NUMBER_MOST;
  if (most > h->code_room) {
    uint8_t *grown = mem_try_resize(h->code, h->code_room, 2 * most);
    if (!grown)
      return 0;
    h->code = grown;
    h->code_room = 2 * most;
  }
  uint8_t *out = number_write(h->code, length);
  for (uint32_t i = 0; i < length; i++)
    out = number_write(out, tuple[i]);
  return (uint32_t)(out - h->code);
}

static store_result hybrid_insert(set *base, const uint32_t *tuple,
                                  uint32_t length)
{
  hybrid *h = (hybrid *)base;
  uint32_t bytes = encode(h, tuple, length);
  if (!bytes)
    return STORE_FULL;
  uint64_t hash = table_hash(h->code, bytes);
  if (table_find(&h->buffer, h->code, bytes, hash) != STORE_NO_NUMBER ||
      mdd_contains(h->d.manager, diagrams_root(&h->d, length), tuple, length))
    return STORE_SEEN;
  if (is_due(h) && !flush(h))
    return STORE_FULL;
  if (!table_add(&h->buffer, h->code, bytes, hash) &&
      (!flush(h) || !table_add(&h->buffer, h->code, bytes, hash)))
    return STORE_FULL;
  h->count++;
  return STORE_NEW;
}

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
  return buffered <= h->count && table_check(&h->buffer) &&
         diagrams_check(&h->d, h->count - buffered);
}

/* The buffer is emptied for the picture, as far as there is memory. */
static void hybrid_draw(const set *base, text *dot)
{
  hybrid *h = (hybrid *)base;
  (void)flush(h);
  diagrams_draw(&h->d, dot);
}

const set_class set_hybrid = {
    .name = "hybrid",
    .summary = "a buffer before a decision diagram, united when it is full",
    .exact = true,
    .create = hybrid_create,
    .insert = hybrid_insert,
    .count = hybrid_count,
    .bytes = hybrid_bytes,
    .nodes = hybrid_nodes,
    .check = hybrid_check,
    .draw = hybrid_draw,
    .destroy = hybrid_destroy,
};
