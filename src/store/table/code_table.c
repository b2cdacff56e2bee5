/* Encodes a batch and looks it up; asks the codec for states. */

#include "store/table/code_table.h"

#include "base/alloc.h"

/* States between looks at the memory of the codec; the table keeps to the limit
** itself. */
enum { LOOK_EVERY = 65536 };

void code_table_destroy(store *base)
{
  code_table *t = code_table_of(base);
  if (!t)
    return;
  t->class->destroy(t->codec);
  coded_destroy(&t->coded);
  mem_free(t, sizeof *t);
}

static void learn(code_table *t, const store_settings *settings)
{
  for (size_t i = 0; t->class->learn && i < settings->sample_count; i++)
    t->class->learn(t->codec, settings->sample[i].state,
                    settings->sample[i].length);
}

store *code_table_create(const store_class *class,
                         const store_settings *settings)
{
  code_table *t = mem_try_alloc(sizeof *t);
  if (!t)
    return NULL;
  codec_settings for_codec = {.map = settings->map, .fields = settings->fields};
  t->class = class->codec_class;
  t->max_bytes = settings->max_bytes;
  t->codec = t->class->create(&for_codec);
  if (t->codec && table_create(&t->coded.table, settings->max_bytes)) {
    learn(t, settings);
    return (store *)t;
  }
  code_table_destroy((store *)t);
  return NULL;
}

/* ---- inserting --------------------------------------------------------- */

/* Makes room for the codes of longer states than there were. */
static bool make_room(code_table *t, uint32_t length)
{
  uint32_t most = t->class->most_bytes(t->codec, length) + 8;
  if (!t->class->reserve(t->codec, length) || !coded_make_room(&t->coded, most))
    return false;
  t->longest = length;
  return true;
}

static bool is_over_limit(code_table *t, uint32_t count)
{
  t->offered += count;
  if (t->offered < LOOK_EVERY)
    return t->over_limit;
  t->offered = 0;
  t->over_limit = code_table_bytes((const store *)t) > t->max_bytes;
  return t->over_limit;
}

bool code_table_prepare(code_table *t, const store_offer *offers,
                        code_table_probe *probes, uint32_t count)
{
  if (is_over_limit(t, count))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if ((offers[i].length > t->longest || !t->coded.codes) &&
        !make_room(t, offers[i].length))
      return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t start = i * t->coded.most;
    uint32_t n =
        t->class->to_bytes(t->codec, &offers[i], t->coded.codes + start);
    if (n == CODEC_FULL)
      return false;
    probes[i] =
        (code_table_probe){table_hash(t->coded.codes + start, n), start, n};
    table_prefetch(&t->coded.table, probes[i].hash);
  }
  return true;
}

/* ---- the class --------------------------------------------------------- */

store_result code_table_class_insert(store *base, const uint8_t *state,
                                     uint32_t length, store_handle parent,
                                     uint64_t changed, store_handle *number)
{
  code_table *t = code_table_of(base);
  store_offer offer = {.state = state, .length = length, .changed = UINT64_MAX};
  code_table_probe probe;
  (void)parent, (void)changed; /* the parent was perhaps not loaded */
  if (!code_table_prepare(t, &offer, &probe, 1))
    return STORE_FULL;
  return code_table_insert(t, probe, &offer, number);
}

uint32_t code_table_fetch(const store *base, store_handle number, uint8_t *out)
{
  const code_table *t = (const code_table *)base;
  uint32_t length;
  const uint8_t *code = table_get(&t->coded.table, number, &length);
  return t->class->from_bytes(t->codec, code, length, out);
}

uint64_t code_table_count(const store *base)
{
  return ((const code_table *)base)->coded.table.count;
}

size_t code_table_bytes(const store *base)
{
  const code_table *t = (const code_table *)base;
  return sizeof *t + coded_bytes(&t->coded) + t->class->bytes(t->codec);
}

uint32_t code_table_class_max_length(const store *base)
{
  return ((const code_table *)base)->longest;
}

bool code_table_check(const store *base)
{
  const code_table *t = (const code_table *)base;
  return t->class->check(t->codec) && table_check(&t->coded.table);
}
