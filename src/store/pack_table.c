#include "store/pack_table.h"

#include "base/alloc.h"
#include "store/pack_cells.h"

/* ---- set-up ------------------------------------------------------------ */

static void destroy(store *base)
{
  pack_table *t = pack_table_of(base);
  if (!t)
    return;
  packing_give_up(&t->packing);
  table_destroy(&t->table);
  mem_free(t->codes, t->code_room);
  mem_free(t, sizeof *t);
}

static store *create(const store_class *class, const store_settings *settings)
{
  (void)class;
  pack_table *t = mem_try_alloc(sizeof *t);
  if (!t)
    return NULL;
  t->max_bytes = settings->max_bytes;
  if (!packing_set_up(&t->packing, settings) ||
      !table_create(&t->table, settings->max_bytes)) {
    destroy((store *)t);
    return NULL;
  }
  t->table.hash = hash_short;
  return (store *)t;
}

/* Room for the codes of a batch, after states became longer. */
static bool make_code_room(pack_table *t)
{
  uint32_t most = t->packing.room + NUMBER_MOST + 8;
  if (most == t->most)
    return true;
  uint8_t *codes = mem_try_alloc((size_t)most * PACK_TABLE_TOGETHER);
  if (!codes)
    return false;
  mem_free(t->codes, t->code_room);
  t->codes = codes;
  t->code_room = most * PACK_TABLE_TOGETHER;
  t->most = most;
  return true;
}

/* ---- codes and bytes ---------------------------------------------------- */

static bool is_fixed(const pack_table *t)
{
  return t->packing.coder.shapes.map->fixed;
}

/* Behind the code come eight zeros. */
static inline uint32_t write_code(const pack_table *t, const bitpack_plan *plan,
                                  const uint64_t *words, uint8_t *code)
{
  uint8_t *out = is_fixed(t) ? code : number_write(code, plan->number);
  for (uint32_t i = 0; i <= plan->words; i++)
    memcpy(out + 8 * (size_t)i, &words[i], 8);
  return (uint32_t)(out + plan->bytes - code);
}

static uint32_t write_verbatim(const pack_table *t, const uint8_t *state,
                               uint32_t length, uint8_t *code)
{
  uint8_t *out = is_fixed(t) ? code : number_write(code, 0);
  if (length)
    memcpy(out, state, length);
  memset(out + length, 0, 8);
  return (uint32_t)(out + length - code);
}

/* The plan a code was made by, out of 'plans'; NULL: it is a state as it is.
** '*code' moves behind the number. */
static const bitpack_plan *plan_of_code(const pack_table *t,
                                        bitpack_plan *const *plans,
                                        const uint8_t **code)
{
  uint32_t number = 1;
  if (!is_fixed(t))
    *code = number_read(*code, &number);
  else if (!t->packing.coder.shapes.shape_count)
    return NULL;
  return number ? plans[number - 1] : NULL;
}

/* Behind the last byte of a code there may be nothing. */
static void read_words(const bitpack_plan *plan, const uint8_t *code,
                       uint64_t *words)
{
  uint32_t whole = plan->bytes / 8, left = plan->bytes % 8;
  for (uint32_t i = 0; i < whole; i++)
    memcpy(&words[i], code + 8 * (size_t)i, 8);
  words[whole] = words[plan->words] = 0;
  if (!left)
    return;
  if (whole) {
    memcpy(&words[whole], code + plan->bytes - 8, 8);
    words[whole] >>= 64 - 8 * left;
  } else {
    memcpy(&words[whole], code, left);
  }
}

/* Decodes into 'state', which has slack behind it.  Returns the plan. */
static const bitpack_plan *read_code(const pack_table *t,
                                     bitpack_plan *const *plans,
                                     const uint8_t *code, uint32_t code_length,
                                     uint64_t *words, uint8_t *state,
                                     uint32_t *length)
{
  const uint8_t *start = code;
  const bitpack_plan *plan = plan_of_code(t, plans, &code);
  *length = plan ? plan->length : code_length - (uint32_t)(code - start);
  if (plan) {
    read_words(plan, code, words);
    bitpack_decode(&t->packing.coder, plan, words, state);
  } else if (*length) {
    memcpy(state, code, *length);
  }
  return plan;
}

/* ---- giving all states new codes ---------------------------------------- */

/* Enters all strings of the table into 'new', by the new plans. */
static bool copy_all(pack_table *t, const bitpack_past *past, table *new,
                     uint8_t *code)
{
  packing *p = &t->packing;
  uint8_t *state = packing_spare_state(p);
  uint64_t *words = packing_spare_words(p);
  for (uint64_t n = 0; n < t->table.count; n++) {
    uint32_t length, code_length;
    const bitpack_plan *plan;
    const uint8_t *old = table_get(&t->table, n, &code_length);
    read_code(t, past->plans, old, code_length, words, state, &length);
    switch (packing_encode(p, state, length, &plan, words)) {
    case PACKING_DONE:
      code_length = write_code(t, plan, words, code);
      break;
    case PACKING_VERBATIM:
      code_length = write_verbatim(t, state, length, code);
      break;
    case PACKING_UNFIT:
    case PACKING_FULL:
      return false;
    }
    if (!table_add(new, code, code_length, hash_padded(code, code_length)))
      return false;
  }
  return true;
}

/* Makes all codes anew, so that this state has one.  False: no memory, and all
** is as it was. */
static bool recode(pack_table *t, const store_offer *offer)
{
  table new;
  size_t held = table_bytes(&t->table);
  uint8_t *code = mem_try_alloc(t->most);
  if (!code || held > t->max_bytes ||
      !table_create(&new, t->max_bytes - held)) {
    mem_free(code, t->most);
    return false;
  }
  new.hash = hash_short;
  bitpack_past past;
  bool widened = packing_widen(&t->packing, offer, t->table.count, &past);
  bool done = widened && table_expect(&new, t->table.count) &&
              copy_all(t, &past, &new, code);
  mem_free(code, t->most);
  if (!done) {
    if (widened)
      bitpack_return(&t->packing.coder, &past);
    table_destroy(&new);
    return false;
  }
  table_destroy(&t->table);
  t->table = new;
  t->table.max_bytes = t->max_bytes;
  packing_renewed(&t->packing, t->table.count);
  bitpack_drop(&t->packing.coder, &past);
  return true;
}

/* ---- inserting --------------------------------------------------------- */

bool pack_table_prepare(pack_table *t, const store_offer *offers,
                        pack_table_probe *probes, uint32_t count)
{
  packing *p = &t->packing;
  if (!packing_expect(p, offers, count) || !make_code_room(t))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const bitpack_plan *plan;
    uint64_t *words = packing_spare_words(p);
    uint32_t start = i * t->most, n = 0;
    switch (packing_encode_offer(p, &offers[i], &plan, words)) {
    case PACKING_DONE:
      n = write_code(t, plan, words, t->codes + start);
      break;
    case PACKING_VERBATIM:
      n = write_verbatim(t, offers[i].state, offers[i].length,
                         t->codes + start);
      break;
    case PACKING_UNFIT: /* all codes become others, also those made here */
      if (!recode(t, &offers[i]))
        return false;
      i = UINT32_MAX;
      continue;
    case PACKING_FULL:
      return false;
    }
    probes[i] = (pack_table_probe){hash_padded(t->codes + start, n), start, n};
    table_prefetch(&t->table, probes[i].hash);
  }
  return true;
}

const uint8_t *pack_table_view(pack_table *t, store_number number,
                               uint32_t hand, uint8_t *out, uint32_t *length)
{
  (void)out;
  uint32_t code_length;
  bitpack_hand *h = &t->packing.hands[hand];
  const uint8_t *code = table_get(&t->table, number, &code_length);
  h->plan = read_code(t, t->packing.coder.plans, code, code_length, h->words,
                      h->state, length);
  return h->state;
}

/* ---- the class --------------------------------------------------------- */

static store_result insert(store *base, const uint8_t *state, uint32_t length,
                           store_number parent, uint64_t changed,
                           store_number *number)
{
  pack_table *t = pack_table_of(base);
  store_offer offer = {.length = length, .changed = UINT64_MAX};
  pack_table_probe probe;
  uint8_t *copy = mem_try_alloc(length + CODEC_SLACK);
  (void)parent, (void)changed; /* the parent was perhaps not taken to hand */
  if (!copy)
    return STORE_FULL;
  if (length)
    memcpy(copy, state, length);
  offer.state = copy;
  bool prepared = pack_table_prepare(t, &offer, &probe, 1);
  mem_free(copy, length + CODEC_SLACK);
  return prepared ? pack_table_insert(t, probe, &offer, number) : STORE_FULL;
}

static uint32_t fetch(const store *base, store_number number, uint8_t *out)
{
  const pack_table *t = (const pack_table *)base;
  const packing *p = &t->packing;
  uint32_t length, code_length;
  const uint8_t *code = table_get(&t->table, number, &code_length);
  read_code(t, p->coder.plans, code, code_length, packing_spare_words(p),
            packing_spare_state(p), &length);
  if (length)
    memcpy(out, packing_spare_state(p), length);
  return length;
}

static uint64_t count_states(const store *base)
{
  return ((const pack_table *)base)->table.count;
}

static size_t bytes(const store *base)
{
  const pack_table *t = (const pack_table *)base;
  return sizeof *t + t->code_room + table_bytes(&t->table) +
         packing_bytes(&t->packing);
}

static uint32_t max_length(const store *base)
{
  return ((const pack_table *)base)->packing.longest;
}

static bool check(const store *base)
{
  const pack_table *t = (const pack_table *)base;
  return bitpack_check(&t->packing.coder) && table_check(&t->table);
}

const store_class store_pack_table = {
    .codec = "pack",
    .set = "table",
    .summary = "of every number the bits that vary; in a hash table",
    .exact = true,
    .dense = true,
    .loop = STORE_BY_PACK_TABLE,
    .moving = &store_pack_cells,
    .learns = true,
    .create = create,
    .insert = insert,
    .fetch = fetch,
    .count = count_states,
    .bytes = bytes,
    .max_length = max_length,
    .check = check,
    .destroy = destroy,
};
