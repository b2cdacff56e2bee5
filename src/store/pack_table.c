#include "store/pack_table.h"

#include "base/alloc.h"

/* Codes made anew, beyond a multiple of the states, after which new plans get
** more bits than they need. */
enum { PATIENCE = 2, FOR_FREE = 1 << 20 };

/* ---- set-up ------------------------------------------------------------ */

static size_t word_bytes(const pack_table *t)
{
  return (STORE_HANDS + 1) * (size_t)t->room * sizeof *t->words;
}

static size_t state_bytes(const pack_table *t)
{
  return (STORE_HANDS + 1) * (size_t)t->room;
}

/* Room for a state, and for its words, on the way. */
static uint8_t *spare_state(const pack_table *t)
{
  return t->states + STORE_HANDS * (size_t)t->room;
}

static uint64_t *spare_words(const pack_table *t)
{
  return t->words + STORE_HANDS * (size_t)t->room;
}

static void destroy(store *base)
{
  pack_table *t = pack_table_of(base);
  if (!t)
    return;
  bitpack_give_up(&t->coder);
  table_destroy(&t->table);
  mem_free(t->codes, t->code_room);
  mem_free(t->states, state_bytes(t));
  mem_free(t->words, word_bytes(t));
  mem_free(t, sizeof *t);
}

static store *create(const store_class *class, const store_settings *settings)
{
  (void)class;
  pack_table *t = mem_try_alloc(sizeof *t);
  if (!t)
    return NULL;
  codec_settings for_coder = {.map = settings->map, .fields = settings->fields};
  t->max_bytes = settings->max_bytes;
  if (!bitpack_set_up(&t->coder, &for_coder) ||
      !table_create(&t->table, settings->max_bytes)) {
    destroy((store *)t);
    return NULL;
  }
  t->table.hash = hash_short;
  return (store *)t;
}

/* Makes room for longer states than there were.  Nothing is at hand then. */
static bool make_room(pack_table *t, uint32_t length)
{
  uint32_t room = length + length / 4 + CODEC_SLACK;
  uint32_t most = room + NUMBER_MOST + 8;
  pack_table new = {.room = room};
  new.states = mem_try_alloc(state_bytes(&new));
  new.words = mem_try_alloc(word_bytes(&new));
  new.codes = mem_try_alloc((size_t)most * PACK_TABLE_TOGETHER);
  if (!new.states || !new.words || !new.codes) {
    mem_free(new.states, state_bytes(&new));
    mem_free(new.words, word_bytes(&new));
    mem_free(new.codes, (size_t)most * PACK_TABLE_TOGETHER);
    return false;
  }
  mem_free(t->codes, t->code_room);
  mem_free(t->states, state_bytes(t));
  mem_free(t->words, word_bytes(t));
  t->codes = new.codes;
  t->code_room = most * PACK_TABLE_TOGETHER;
  t->states = new.states;
  t->words = new.words;
  t->room = room;
  t->most = most;
  for (uint32_t i = 0; i < STORE_HANDS; i++)
    t->hands[i] = (bitpack_hand){.state = t->states + (size_t)i * room,
                                 .words = t->words + (size_t)i * room};
  return true;
}

/* ---- codes and bytes ---------------------------------------------------- */

/* Behind the code come eight zeros. */
static inline uint32_t write_code(const pack_table *t, const bitpack_plan *plan,
                                  const uint64_t *words, uint8_t *code)
{
  bool fixed = t->coder.shapes.map->fixed;
  uint8_t *out = fixed ? code : number_write(code, plan->number);
  for (uint32_t i = 0; i <= plan->words; i++)
    memcpy(out + 8 * (size_t)i, &words[i], 8);
  return (uint32_t)(out + plan->bytes - code);
}

static uint32_t write_verbatim(const pack_table *t, const uint8_t *state,
                               uint32_t length, uint8_t *code)
{
  bool fixed = t->coder.shapes.map->fixed;
  uint8_t *out = fixed ? code : number_write(code, 0);
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
  if (!t->coder.shapes.map->fixed)
    *code = number_read(*code, &number);
  else if (!t->coder.shapes.shape_count)
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
    bitpack_decode(&t->coder, plan, words, state);
  } else if (*length) {
    memcpy(state, code, *length);
  }
  return plan;
}

/* ---- giving all states new codes ---------------------------------------- */

typedef enum { ENCODED, UNFIT, NO_MEMORY } encoding;

/* Writes the code of a state of which nothing is known. */
static encoding encode_whole(pack_table *t, const uint8_t *state,
                             uint32_t length, uint8_t *code,
                             uint32_t *code_length)
{
  const bitpack_plan *plan;
  uint64_t *words = spare_words(t);
  if (!bitpack_find_plan(&t->coder, state, length, &plan))
    return NO_MEMORY;
  if (!plan) {
    *code_length = write_verbatim(t, state, length, code);
    return ENCODED;
  }
  if (!bitpack_encode(&t->coder, plan, state, words))
    return UNFIT;
  *code_length = write_code(t, plan, words, code);
  return ENCODED;
}

/* Enters all strings of the table into 'new', by the new plans. */
static bool copy_all(pack_table *t, const bitpack_past *past, table *new,
                     uint8_t *code)
{
  uint8_t *state = spare_state(t);
  for (uint64_t n = 0; n < t->table.count; n++) {
    uint32_t length, code_length;
    const uint8_t *old = table_get(&t->table, n, &code_length);
    read_code(t, past->plans, old, code_length, spare_words(t), state, &length);
    if (encode_whole(t, state, length, code, &code_length) != ENCODED ||
        !table_add(new, code, code_length, hash_padded(code, code_length)))
      return false;
  }
  return true;
}

/* What is at hand is encoded by the new plans; without memory it is at hand no
** longer. */
static void renew_hands(pack_table *t)
{
  for (uint32_t i = 0; i < STORE_HANDS; i++) {
    bitpack_hand *h = &t->hands[i];
    uint32_t length = h->plan ? h->plan->length : 0;
    if (h->plan && (!bitpack_find_plan(&t->coder, h->state, length, &h->plan) ||
                    !bitpack_encode(&t->coder, h->plan, h->state, h->words)))
      h->plan = NULL;
  }
}

/* Makes all codes anew, so that this state has one.  False: no memory, and all
** is as it was. */
static bool recode(pack_table *t, const store_offer *offer)
{
  table new;
  bool generous = t->recoded > FOR_FREE + PATIENCE * t->table.count;
  size_t held = table_bytes(&t->table);
  uint8_t *code = mem_try_alloc(t->most);
  if (!code || held > t->max_bytes ||
      !table_create(&new, t->max_bytes - held)) {
    mem_free(code, t->most);
    return false;
  }
  new.hash = hash_short;
  bitpack_past past = {NULL, 0};
  bool done = bitpack_widen(&t->coder, offer->state, offer->length, generous);
  if (done) {
    past = bitpack_renew(&t->coder);
    done = table_expect(&new, t->table.count) && copy_all(t, &past, &new, code);
  }
  mem_free(code, t->most);
  if (!done) {
    if (past.plans)
      bitpack_return(&t->coder, &past);
    table_destroy(&new);
    return false;
  }
  t->recoded += t->table.count;
  table_destroy(&t->table);
  t->table = new;
  t->table.max_bytes = t->max_bytes;
  renew_hands(t);
  bitpack_drop(&t->coder, &past);
  return true;
}

/* ---- inserting --------------------------------------------------------- */

static inline encoding encode(pack_table *t, const store_offer *o,
                              uint8_t *code, uint32_t *length)
{
  const bitpack_hand *h = &t->hands[o->hand];
  uint64_t *words = spare_words(t);
  if (h->plan && o->length == h->plan->length &&
      bitpack_encode_changed(&t->coder, h, o->state, o->changed, words)) {
    *length = write_code(t, h->plan, words, code);
    return ENCODED;
  }
  return encode_whole(t, o->state, o->length, code, length);
}

/* Looks whether the states of a batch are longer than all before. */
static bool note_lengths(pack_table *t, const store_offer *offers,
                         uint32_t count)
{
  uint32_t longest = t->longest;
  for (uint32_t i = 0; i < count; i++)
    longest = offers[i].length > longest ? offers[i].length : longest;
  if ((longest + CODEC_SLACK > t->room || !t->codes) && !make_room(t, longest))
    return false;
  t->longest = longest;
  return true;
}

bool pack_table_prepare(pack_table *t, const store_offer *offers,
                        pack_table_probe *probes, uint32_t count)
{
  if (!note_lengths(t, offers, count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t start = i * t->most, n = 0;
    switch (encode(t, &offers[i], t->codes + start, &n)) {
    case ENCODED:
      probes[i] =
          (pack_table_probe){hash_padded(t->codes + start, n), start, n};
      table_prefetch(&t->table, probes[i].hash);
      break;
    case UNFIT: /* all codes become others, also those made here */
      if (!recode(t, &offers[i]))
        return false;
      i = UINT32_MAX;
      break;
    case NO_MEMORY:
      return false;
    }
  }
  return true;
}

const uint8_t *pack_table_view(pack_table *t, store_number number,
                               uint32_t hand, uint8_t *out, uint32_t *length)
{
  (void)out;
  uint32_t code_length;
  bitpack_hand *h = &t->hands[hand];
  const uint8_t *code = table_get(&t->table, number, &code_length);
  h->plan = read_code(t, t->coder.plans, code, code_length, h->words, h->state,
                      length);
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
  uint32_t length, code_length;
  const uint8_t *code = table_get(&t->table, number, &code_length);
  read_code(t, t->coder.plans, code, code_length, spare_words(t),
            spare_state(t), &length);
  if (length)
    memcpy(out, spare_state(t), length);
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
         bitpack_bytes(&t->coder) + state_bytes(t) + word_bytes(t);
}

static uint32_t max_length(const store *base)
{
  return ((const pack_table *)base)->longest;
}

static bool check(const store *base)
{
  const pack_table *t = (const pack_table *)base;
  return bitpack_check(&t->coder) && table_check(&t->table);
}

const store_class store_pack_table = {
    .codec = "pack",
    .set = "table",
    .summary = "of every number the bits that vary; in a hash table",
    .exact = true,
    .dense = true,
    .loop = STORE_BY_PACK_TABLE,
    .create = create,
    .insert = insert,
    .fetch = fetch,
    .count = count_states,
    .bytes = bytes,
    .max_length = max_length,
    .check = check,
    .destroy = destroy,
};
