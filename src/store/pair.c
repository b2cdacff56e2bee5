/* Encodes, orders and offers states; looks at the memory now and then. */

#include "store/pair.h"

#include "base/alloc.h"

#include <string.h>

/* States between looks at the memory of the codec; sets keep to the limit
** themselves. */
enum { LOOK_EVERY = 4096 };

/* Of the tuples of a batch, or of one. */
static size_t tuple_bytes(const pair *p, uint32_t room)
{
  size_t tuples = p->set_class->prepare ? SET_TOGETHER : 1;
  return tuples * room * sizeof *p->tuple;
}

void pair_destroy(store *base)
{
  pair *p = pair_of(base);
  if (!p)
    return;
  p->set_class->destroy(p->set);
  p->codec_class->destroy(p->codec);
  mem_free(p->code, p->code_room);
  mem_free(p->tuple, tuple_bytes(p, p->tuple_room));
  mem_free(p->ordered, p->order_count * sizeof *p->ordered);
  mem_free(p->order, p->order_count * sizeof *p->order);
  mem_free(p, sizeof *p);
}

static void learn(pair *p, const store_settings *settings)
{
  for (size_t i = 0; p->codec_class->learn && i < settings->sample_count; i++)
    p->codec_class->learn(p->codec, settings->sample[i].state,
                          settings->sample[i].length);
}

static bool choose_order(pair *p, const store_settings *settings)
{
  order_settings wanted = {.order = settings->order,
                           .sample = settings->sample,
                           .sample_count = settings->sample_count,
                           .footprints = settings->footprints};
  if (!p->set_class->insert || !order_create(&wanted, p->codec_class, p->codec,
                                             &p->order, &p->order_count))
    return !p->set_class->insert;
  p->ordered = mem_try_alloc(p->order_count * sizeof *p->ordered);
  return p->ordered || !p->order_count;
}

store *pair_create(const store_class *class, const store_settings *settings)
{
  pair *p = mem_try_alloc(sizeof *p);
  if (!p)
    return NULL;
  codec_settings for_codec = {.map = settings->map, .fields = settings->fields};
  set_settings for_set = settings->set;
  for_set.max_bytes = settings->max_bytes;
  for_set.asked_bytes = settings->asked_bytes;
  p->codec_class = class->codec_class;
  p->set_class = class->set_class;
  p->max_bytes = settings->max_bytes;
  p->is_fixed = settings->map->fixed;
  p->codec = p->codec_class->create(&for_codec);
  p->set = p->codec ? p->set_class->create(&for_set) : NULL;
  if (p->set) {
    learn(p, settings);
    if (choose_order(p, settings))
      return (store *)p;
  }
  pair_destroy((store *)p);
  return NULL;
}

/* ---- inserting -------------------------------------------------------- */

static bool grow_code(pair *p)
{
  uint32_t room = p->codec_class->most_bytes(p->codec, p->longest) + 16;
  uint8_t *grown = mem_try_resize(p->code, p->code_room, room);
  if (!grown)
    return false;
  p->code = grown;
  p->code_room = room;
  return true;
}

static bool grow_tuple(pair *p)
{
  uint32_t room = p->codec_class->most_elements(p->codec, p->longest) + 16;
  uint32_t *grown = mem_try_resize(p->tuple, tuple_bytes(p, p->tuple_room),
                                   tuple_bytes(p, room));
  if (!grown)
    return false;
  p->tuple = grown;
  p->tuple_room = room;
  return true;
}

/* Makes room for the code of a longer state than there was. */
static bool make_room(pair *p, uint32_t length)
{
  uint32_t before = p->longest;
  p->longest = length > before ? length : before;
  if (p->codec_class->reserve(p->codec, p->longest) &&
      (p->set_class->insert_bytes ? grow_code(p) : grow_tuple(p)))
    return true;
  p->longest = before;
  return false;
}

static bool is_over_limit(pair *p)
{
  if (++p->offered < LOOK_EVERY)
    return p->over_limit;
  p->offered = 0;
  p->over_limit = pair_bytes((const store *)p) > p->max_bytes;
  return p->over_limit;
}

/* Puts the elements into their order.  Shorter tuples stay as they are: they
** differ from all others by their length. */
static void arrange(pair *p, uint32_t *tuple)
{
  size_t bytes = p->order_count * sizeof *p->ordered;
  for (uint32_t i = 0; i < p->order_count; i++)
    p->ordered[i] = tuple[p->order[i]];
  memcpy(tuple, p->ordered, bytes);
}

static bool has_room_for(pair *p, uint32_t length)
{
  bool grown = length <= p->longest && (p->code_room | p->tuple_room);
  return grown || make_room(p, length);
}

/* The state's tuple, in order.  Its length, or CODEC_FULL. */
static uint32_t to_tuple(pair *p, const store_offer *offer, uint32_t *tuple)
{
  uint32_t n = p->codec_class->to_tuple(p->codec, offer, tuple);
  if (p->order_count && n != CODEC_FULL && n >= p->order_count)
    arrange(p, tuple);
  p->tuple_length = n;
  return n;
}

bool pair_show(pair *p, const store_offer *offers, uint32_t count)
{
  set_offer tuples[SET_TOGETHER];
  /* Making room moves the tuples, so it comes first. */
  for (uint32_t i = 0; i < count; i++)
    if (!has_room_for(p, offers[i].length))
      return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *tuple = p->tuple + (size_t)i * p->tuple_room;
    uint32_t n = to_tuple(p, &offers[i], tuple);
    if (n == CODEC_FULL)
      return false;
    tuples[i] = (set_offer){tuple, n};
  }
  return p->set_class->prepare(p->set, tuples, count);
}

store_result pair_insert(pair *p, pair_probe probe, const store_offer *offer,
                         store_handle *number)
{
  *number = 0;
  if (is_over_limit(p))
    return STORE_FULL;
  if (p->set_class->prepare)
    return p->set_class->insert_prepared(p->set, probe);
  if (!has_room_for(p, offer->length))
    return STORE_FULL;
  if (p->set_class->insert_bytes) {
    uint32_t n = p->codec_class->to_bytes(p->codec, offer, p->code);
    return n == CODEC_FULL ? STORE_FULL
                           : p->set_class->insert_bytes(p->set, p->code, n);
  }
  uint32_t n = to_tuple(p, offer, p->tuple);
  return n == CODEC_FULL ? STORE_FULL
                         : p->set_class->insert(p->set, p->tuple, n);
}

/* ---- the class -------------------------------------------------------- */

store_result pair_class_insert(store *base, const uint8_t *state,
                               uint32_t length, store_handle parent,
                               uint64_t changed, store_handle *number)
{
  store_offer offer = {.state = state, .length = length, .changed = UINT64_MAX};
  pair_probe probe;
  (void)parent, (void)changed; /* the parent was perhaps not loaded */
  *number = 0;
  if (!pair_prepare(pair_of(base), &offer, &probe, 1))
    return STORE_FULL;
  return pair_insert(pair_of(base), probe, &offer, number);
}

uint64_t pair_count(const store *base)
{
  const pair *p = (const pair *)base;
  return p->set_class->count(p->set);
}

size_t pair_bytes(const store *base)
{
  const pair *p = (const pair *)base;
  return sizeof *p + p->code_room + tuple_bytes(p, p->tuple_room) +
         p->order_count * (sizeof *p->order + sizeof *p->ordered) +
         p->codec_class->bytes(p->codec) + p->set_class->bytes(p->set);
}

uint32_t pair_max_length(const store *base)
{
  return ((const pair *)base)->longest;
}

bool pair_check(const store *base)
{
  const pair *p = (const pair *)base;
  return p->codec_class->check(p->codec) && p->set_class->check(p->set);
}

store_figures pair_figures(const store *base)
{
  const pair *p = (const pair *)base;
  const set_class *class = p->set_class;
  return (store_figures){.nodes = class->nodes ? class->nodes(p->set) : 0,
                         .lost = class->lost ? class->lost(p->set) : 0};
}
