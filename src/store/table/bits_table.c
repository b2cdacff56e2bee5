/* Codes as strings of the table, all made again when one state needs more
** bits. */

#include "store/table/bits_table.h"

#include "base/alloc.h"
#include "store/table/bits_cells.h"

/* ---- set-up ------------------------------------------------------------ */

static void destroy(store *base)
{
  bits_table *t = bits_table_of(base);
  if (!t)
    return;
  bits_codes_give_up(&t->coding);
  coded_destroy(&t->coded);
  mem_free(t, sizeof *t);
}

static store *create(const store_class *class, const store_settings *settings)
{
  (void)class;
  bits_table *t = mem_try_alloc(sizeof *t);
  if (!t)
    return NULL;
  t->max_bytes = settings->max_bytes;
  if (!bits_codes_set_up(&t->coding, settings) ||
      !table_create(&t->coded.table, settings->max_bytes)) {
    destroy((store *)t);
    return NULL;
  }
  t->coded.table.hash = hash_short;
  return (store *)t;
}

/* Room for the codes of a batch, after states became longer. */
static bool make_code_room(bits_table *t)
{
  uint32_t most = t->coding.room + NUMBER_MOST + 8;
  return most == t->coded.most || coded_make_room(&t->coded, most);
}

/* ---- codes and bytes ---------------------------------------------------- */

static bool is_fixed(const bits_table *t)
{
  return t->coding.coder.shapes.map->fixed;
}

/* Behind the code come eight zeros. */
static inline uint32_t write_code(const bits_table *t, const bits_plan *plan,
                                  const uint64_t *words, uint8_t *code)
{
  uint8_t *out = is_fixed(t) ? code : number_write(code, plan->number);
  for (uint32_t i = 0; i <= plan->words; i++)
    memcpy(out + 8 * (size_t)i, &words[i], 8);
  return (uint32_t)(out + plan->bytes - code);
}

static uint32_t write_verbatim(const bits_table *t, const uint8_t *state,
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
static const bits_plan *
plan_of_code(const bits_table *t, bits_plan *const *plans, const uint8_t **code)
{
  uint32_t number = 1;
  if (!is_fixed(t))
    *code = number_read(*code, &number);
  else if (!t->coding.coder.shapes.shape_count)
    return NULL;
  return number ? plans[number - 1] : NULL;
}

/* Behind the last byte of a code there may be nothing. */
static void read_words(const bits_plan *plan, const uint8_t *code,
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
static const bits_plan *read_code(const bits_table *t, bits_plan *const *plans,
                                  const uint8_t *code, uint32_t code_length,
                                  uint64_t *words, uint8_t *state,
                                  uint32_t *length)
{
  const uint8_t *start = code;
  const bits_plan *plan = plan_of_code(t, plans, &code);
  *length = plan ? plan->length : code_length - (uint32_t)(code - start);
  if (plan) {
    read_words(plan, code, words);
    bits_decode(&t->coding.coder, plan, words, state);
  } else if (*length) {
    memcpy(state, code, *length);
  }
  return plan;
}

/* ---- giving all states new codes ---------------------------------------- */

/* Enters all strings of the table into 'new', by the new plans. */
static bool copy_all(bits_table *t, const bits_past *past, table *new,
                     uint8_t *code)
{
  bits_codes *p = &t->coding;
  uint8_t *state = bits_codes_spare_state(p);
  uint64_t *words = bits_codes_spare_words(p);
  for (uint64_t n = 0; n < t->coded.table.count; n++) {
    uint32_t length, code_length;
    const bits_plan *plan;
    const uint8_t *old = table_get(&t->coded.table, n, &code_length);
    read_code(t, past->plans, old, code_length, words, state, &length);
    switch (bits_codes_encode(p, state, length, &plan, words)) {
    case BITS_DONE:
      code_length = write_code(t, plan, words, code);
      break;
    case BITS_VERBATIM:
      code_length = write_verbatim(t, state, length, code);
      break;
    case BITS_UNFIT:
    case BITS_FULL:
      return false;
    }
    if (!table_add(new, code, code_length, hash_padded(code, code_length)))
      return false;
  }
  return true;
}

/* Rewrites all codes, so that this state has one.  False: no memory, and all
** is as it was. */
static bool recode(bits_table *t, const store_offer *offer)
{
  table new;
  size_t held = table_bytes(&t->coded.table);
  uint8_t *code = mem_try_alloc(t->coded.most);
  if (!code || held > t->max_bytes ||
      !table_create(&new, t->max_bytes - held)) {
    mem_free(code, t->coded.most);
    return false;
  }
  new.hash = hash_short;
  bits_past past;
  bool widened =
      bits_codes_widen(&t->coding, offer, t->coded.table.count, &past);
  bool done = widened && table_expect(&new, t->coded.table.count) &&
              copy_all(t, &past, &new, code);
  mem_free(code, t->coded.most);
  if (!done) {
    if (widened)
      bits_return(&t->coding.coder, &past);
    table_destroy(&new);
    return false;
  }
  table_destroy(&t->coded.table);
  t->coded.table = new;
  t->coded.table.max_bytes = t->max_bytes;
  bits_codes_renewed(&t->coding, t->coded.table.count);
  bits_drop(&t->coding.coder, &past);
  return true;
}

/* ---- inserting --------------------------------------------------------- */

bool bits_table_prepare(bits_table *t, const store_offer *offers,
                        bits_table_probe *probes, uint32_t count)
{
  bits_codes *p = &t->coding;
  if (!bits_codes_expect(p, offers, count) || !make_code_room(t))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const bits_plan *plan;
    uint64_t *words = bits_codes_spare_words(p);
    uint32_t start = i * t->coded.most, n = 0;
    switch (bits_codes_encode_offer(p, &offers[i], &plan, words)) {
    case BITS_DONE:
      n = write_code(t, plan, words, t->coded.codes + start);
      break;
    case BITS_VERBATIM:
      n = write_verbatim(t, offers[i].state, offers[i].length,
                         t->coded.codes + start);
      break;
    case BITS_UNFIT: /* all codes become others, also those made here */
      if (!recode(t, &offers[i]))
        return false;
      i = UINT32_MAX;
      continue;
    case BITS_FULL:
      return false;
    }
    probes[i] =
        (bits_table_probe){hash_padded(t->coded.codes + start, n), start, n};
    table_prefetch(&t->coded.table, probes[i].hash);
  }
  return true;
}

const uint8_t *bits_table_view(bits_table *t, store_handle number,
                               uint32_t hand, uint8_t *out, uint32_t *length)
{
  (void)out;
  uint32_t code_length;
  bits_hand *h = &t->coding.hands[hand];
  const uint8_t *code = table_get(&t->coded.table, number, &code_length);
  h->plan = read_code(t, t->coding.coder.plans, code, code_length, h->words,
                      h->state, length);
  return h->state;
}

/* ---- the class --------------------------------------------------------- */

static store_result insert(store *base, const uint8_t *state, uint32_t length,
                           store_handle parent, uint64_t changed,
                           store_handle *number)
{
  bits_table *t = bits_table_of(base);
  store_offer offer = {.length = length, .changed = UINT64_MAX};
  bits_table_probe probe;
  uint8_t *copy = mem_try_alloc(length + CODEC_SLACK);
  (void)parent, (void)changed; /* the parent was perhaps not loaded */
  if (!copy)
    return STORE_FULL;
  if (length)
    memcpy(copy, state, length);
  offer.state = copy;
  bool prepared = bits_table_prepare(t, &offer, &probe, 1);
  mem_free(copy, length + CODEC_SLACK);
  return prepared ? bits_table_insert(t, probe, &offer, number) : STORE_FULL;
}

static uint32_t fetch(const store *base, store_handle number, uint8_t *out)
{
  const bits_table *t = (const bits_table *)base;
  const bits_codes *p = &t->coding;
  uint32_t length, code_length;
  const uint8_t *code = table_get(&t->coded.table, number, &code_length);
  read_code(t, p->coder.plans, code, code_length, bits_codes_spare_words(p),
            bits_codes_spare_state(p), &length);
  if (length)
    memcpy(out, bits_codes_spare_state(p), length);
  return length;
}

static uint64_t count_states(const store *base)
{
  return ((const bits_table *)base)->coded.table.count;
}

static size_t bytes(const store *base)
{
  const bits_table *t = (const bits_table *)base;
  return sizeof *t + coded_bytes(&t->coded) + bits_codes_bytes(&t->coding);
}

static uint32_t max_length(const store *base)
{
  return ((const bits_table *)base)->coding.longest;
}

static bool check(const store *base)
{
  const bits_table *t = (const bits_table *)base;
  return bits_check(&t->coding.coder) && table_check(&t->coded.table);
}

const store_class store_bits_table = {
    .codec = "pack",
    .codec_alias = "bits",
    .set = "table",
    .summary = "of every number the bits that vary; in a hash table",
    .exact = true,
    .dense = true,
    .loop = STORE_BY_bits_table,
    .moving = &store_bits_cells,
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
