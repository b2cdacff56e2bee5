/* Plans and sets for each shape of states, and all codes made again when one
** state needs more bits. */

#include "store/table/bits_cells.h"

#include "base/alloc.h"
#include "store/table/bits_table.h"

#include <assert.h>

/* ---- set-up ------------------------------------------------------------ */

/* Codes that are rewritten, all together, before further plans are made: what
** that costs is soon made up for by fewer plans. */
enum { RECODED_MOST = 1 << 16 };

static size_t batch_bytes(const bits_cells *t)
{
  return RADIX_CELLS_TOGETHER * (size_t)t->word_room * sizeof *t->words;
}

static void destroy_sets(cells *sets, uint32_t room)
{
  for (uint32_t i = 0; i < room; i++)
    cells_destroy(&sets[i]);
  mem_free(sets, room * sizeof *sets);
}

static size_t beyond_bytes(const bits_plan *plan)
{
  return (plan->words + 1) * sizeof(uint64_t);
}

static void destroy_later(bits_cells *t)
{
  for (uint32_t i = 0; i < t->later_count; i++) {
    bits_cells_later *l = &t->later[i];
    cells_destroy(&l->set);
    mem_free(l->beyond, beyond_bytes(l->plan));
    bits_free_plan(&t->coding.coder, l->plan);
  }
  mem_free(t->later, RADIX_CELLS_LATER * sizeof *t->later);
}

static void destroy(store *base)
{
  bits_cells *t = bits_cells_of(base);
  if (!t)
    return;
  bits_cells_forget(t);
  destroy_later(t);
  destroy_sets(t->sets, t->set_room);
  bits_codes_give_up(&t->coding);
  table_destroy(&t->verbatim);
  mem_free(t->words, batch_bytes(t));
  mem_free(t, sizeof *t);
}

static store *create(const store_class *class, const store_settings *settings)
{
  (void)class;
  bits_cells *t = mem_try_alloc(sizeof *t);
  if (!t)
    return NULL;
  t->max_bytes = settings->max_bytes;
  t->hash_bits = CELLS_HASH_BITS;
  t->recoded_most = RECODED_MOST;
  if (bits_codes_set_up(&t->coding, settings) &&
      table_create(&t->verbatim, settings->max_bytes))
    return (store *)t;
  destroy((store *)t);
  return NULL;
}

/* Makes room for the set of the plan with this number. */
static bool make_set_room(bits_cells *t, uint32_t plan)
{
  if (plan <= t->set_room)
    return true;
  uint32_t room = plan + t->set_room;
  cells *grown = mem_try_resize(t->sets, t->set_room * sizeof *grown,
                                room * sizeof *grown);
  if (!grown)
    return false;
  memset(grown + t->set_room, 0, (room - t->set_room) * sizeof *grown);
  t->sets = grown;
  t->set_room = room;
  return true;
}

static size_t left(const bits_cells *t)
{
  return t->held < t->max_bytes ? t->max_bytes - t->held : 0;
}

static cells_kind kind_of(const bits_cells *t, const bits_plan *plan,
                          uint64_t seed)
{
  return (cells_kind){plan->bytes, t->hash_bits, seed};
}

/* ---- giving all states new codes ---------------------------------------- */

/* Puts the states of a set into a new one, by the new plan of their shape, with
** the room for a batch.  False: two of them have the same hash. */
static bool copy_set(bits_cells *t, const cells *from, const bits_plan *old,
                     const bits_plan *new, cells *to)
{
  bits_codes *p = &t->coding;
  uint64_t hashes[RADIX_CELLS_TOGETHER], place, at = cells_next(from, 0);
  while (at != CELLS_END) {
    uint32_t n = 0;
    uint64_t *words = t->words;
    for (; n < RADIX_CELLS_TOGETHER && at != CELLS_END;
         at = cells_next(from, at + 1), words += t->word_room) {
      cells_read(from, at, words);
      bits_decode(&p->coder, old, words, bits_codes_spare_state(p));
      bool fits = bits_encode(&p->coder, new, bits_codes_spare_state(p), words);
      assert(fits);
      (void)fits;
      hashes[n] = cells_hash(to, words);
      cells_prefetch(to, hashes[n++]);
    }
    words = t->words;
    for (uint32_t i = 0; i < n; i++, words += t->word_room) {
      if (cells_find(to, words, hashes[i], &place) != CELLS_ABSENT)
        return false;
      cells_put(to, place, words, hashes[i]);
    }
  }
  return true;
}

/* The same, with other hashes until all are different.  False: no memory. */
static bool recode_set(bits_cells *t, const cells *from, const bits_plan *old,
                       cells *to, size_t max_bytes)
{
  enum { TRIES = 64 };
  bits_codes *p = &t->coding;
  const bits_plan *new;
  cells_read(from, cells_next(from, 0), bits_codes_spare_words(p));
  bits_decode(&p->coder, old, bits_codes_spare_words(p),
              bits_codes_spare_state(p));
  if (!bits_find_plan(&p->coder, bits_codes_spare_state(p), old->length, &new))
    return false;
  assert(new->number == old->number);
  for (uint64_t seed = from->kind.seed, end = seed + TRIES; seed < end;
       seed++) {
    cells_kind kind = kind_of(t, new, seed);
    if (!cells_create(to, &kind, from->count, max_bytes))
      return false;
    if (copy_set(t, from, old, new, to))
      return true;
    cells_destroy(to);
  }
  return false;
}

static bool recode_sets(bits_cells *t, const bits_past *past, cells *new)
{
  size_t most = left(t);
  for (uint32_t i = 0; i < t->set_room; i++) {
    if (!t->sets[i].count)
      continue;
    if (!recode_set(t, &t->sets[i], past->plans[i], &new[i], most))
      return false;
    most -= cells_bytes(&new[i]);
  }
  return true;
}

/* The new sets take the place of the old ones.  Numbers are translated from
** what was there when they were last forgotten. */
static void take_new(bits_cells *t, cells *new, bits_past *past)
{
  for (uint32_t i = 0; i < t->set_room; i++)
    t->held += cells_bytes(&new[i]);
  bits_codes_renewed(&t->coding, t->count);
  if (t->moved) {
    for (uint32_t i = 0; i < t->set_room; i++)
      t->held -= cells_bytes(&t->sets[i]);
    destroy_sets(t->sets, t->set_room);
    bits_drop(&t->coding.coder, past);
  } else {
    t->old = t->sets;
    t->old_room = t->set_room;
    t->old_plans = *past;
  }
  t->sets = new;
  t->moved = true;
}

/* Rewrites all codes, so that this state has one.  False: no memory, and all
** is as it was. */
static bool recode(bits_cells *t, const store_offer *offer)
{
  bits_past past;
  cells *new = NULL;
  if (t->set_room && !(new = mem_try_alloc(t->set_room * sizeof *new)))
    return false;
  if (!bits_codes_widen(&t->coding, offer, t->count, &past)) {
    mem_free(new, t->set_room * sizeof *new);
    return false;
  }
  if (!recode_sets(t, &past, new)) {
    bits_return(&t->coding.coder, &past);
    destroy_sets(new, t->set_room);
    return false;
  }
  take_new(t, new, &past);
  return true;
}

store_handle bits_cells_translate(bits_cells *t, store_handle number)
{
  uint32_t n = bits_cells_plan(number);
  if (!n)
    return number;
  bits_codes *p = &t->coding;
  uint64_t *words = bits_codes_spare_words(p);
  cells_get(&t->old[n - 1], bits_cells_hash(number), words);
  bits_decode(&p->coder, t->old_plans.plans[n - 1], words,
              bits_codes_spare_state(p));
  bits_encode(&p->coder, p->coder.plans[n - 1], bits_codes_spare_state(p),
              words);
  return bits_cells_number(n, cells_hash(&t->sets[n - 1], words));
}

void bits_cells_forget(bits_cells *t)
{
  if (!t->moved)
    return;
  for (uint32_t i = 0; i < t->old_room; i++)
    t->held -= cells_bytes(&t->old[i]);
  destroy_sets(t->old, t->old_room);
  bits_drop(&t->coding.coder, &t->old_plans);
  t->old = NULL;
  t->old_room = 0;
  t->moved = false;
}

/* ---- further plans
** -------------------------------------------------------- */

static const bits_plan *plan_of(const bits_cells *t, uint32_t number)
{
  return number <= RADIX_SHAPES ? t->coding.coder.plans[number - 1]
                                : t->later[number - RADIX_SHAPES - 1].plan;
}

/* The newest plan of a shape. */
static const bits_plan *newest(const bits_cells *t, uint32_t shape)
{
  for (uint32_t i = t->later_count; i--;)
    if (t->later[i].shape == shape)
      return t->later[i].plan;
  return t->coding.coder.plans[shape - 1];
}

/* Gives the shape of this state, whose first plan is 'first', a plan that it
** fits.  False: no memory. */
static bool add_plan(bits_cells *t, const store_offer *o,
                     const bits_plan *first)
{
  enum { LAST = 8 }; /* that are so wide that hardly another is needed */
  bits_coder *b = &t->coding.coder;
  if (!t->later &&
      !(t->later = mem_try_alloc(RADIX_CELLS_LATER * sizeof *t->later)))
    return false;
  bits_cells_later l = {.shape = first->number,
                        .older = newest(t, first->number)};
  if (!bits_widen(b, o->state, o->length,
                  t->later_count + LAST < RADIX_CELLS_LATER ? BITS_MORE
                                                            : BITS_ALL) ||
      !(l.plan = bits_make_plan(b, o->state, o->length)))
    return false;
  l.beyond = mem_try_alloc(beyond_bytes(l.plan));
  if (!l.beyond) {
    bits_free_plan(b, l.plan);
    return false;
  }
  bits_beyond(l.plan, l.older, l.beyond);
  t->later[t->later_count++] = l;
  l.plan->number = RADIX_SHAPES + t->later_count;
  return true;
}

/* Whether a code by this plan has bits that the older ones have no place
** for. */
static inline bool is_beyond(const bits_cells *t, const bits_plan *plan,
                             const uint64_t *words)
{
  if (plan->number <= RADIX_SHAPES)
    return true;
  const uint64_t *beyond = t->later[plan->number - RADIX_SHAPES - 1].beyond;
  uint64_t bits = 0;
  for (uint32_t i = 0; i < plan->words; i++)
    bits |= words[i] & beyond[i];
  return bits;
}

/* From a plan that the state fits to the oldest such one, and its code. */
static void settle(const bits_cells *t, const uint8_t *state,
                   const bits_plan **plan, uint64_t *words)
{
  while (!is_beyond(t, *plan, words)) {
    *plan = t->later[(*plan)->number - RADIX_SHAPES - 1].older;
    bits_encode(&t->coding.coder, *plan, state, words);
  }
}

/* When it does not fit any plan, '*plan' is the first of its shape. */
static bits_result encode(bits_cells *t, const store_offer *o,
                          const bits_plan **plan, uint64_t *words)
{
  bits_codes *p = &t->coding;
  bits_result result = bits_codes_encode_offer(p, o, plan, words);
  if (result == BITS_DONE) {
    if (!is_beyond(t, *plan, words))
      settle(t, o->state, plan, words);
    return BITS_DONE;
  }
  if (result != BITS_UNFIT || !t->later_count)
    return result;
  const bits_plan *last = newest(t, (*plan)->number);
  if (last == *plan || !bits_encode(&p->coder, last, o->state, words))
    return t->later_count < RADIX_CELLS_LATER ? BITS_UNFIT : BITS_VERBATIM;
  *plan = last;
  settle(t, o->state, plan, words);
  return BITS_DONE;
}

/* ---- inserting --------------------------------------------------------- */

/* The set of a plan, with room for so many codes more.  NULL: no memory. */
static cells *set_for(bits_cells *t, const bits_plan *plan, uint32_t more)
{
  cells_kind kind = kind_of(t, plan, plan->number);
  if (plan->number <= RADIX_SHAPES && !make_set_room(t, plan->number))
    return NULL;
  cells *into = bits_cells_set(t, plan->number);
  t->held -= cells_bytes(into);
  bool done = into->buckets
                  ? cells_make_room(into, more,
                                    bits_codes_spare_words(&t->coding), left(t))
                  : cells_create(into, &kind, more, left(t));
  t->held += cells_bytes(into);
  return done ? into : NULL;
}

/* Words for a batch of codes, after those of a code became more. */
static bool make_batch_room(bits_cells *t)
{
  bits_cells new = {.word_room = t->coding.word_room};
  if (new.word_room == t->word_room)
    return true;
  new.words = mem_try_alloc(batch_bytes(&new));
  if (!new.words)
    return false;
  mem_free(t->words, batch_bytes(t));
  t->words = new.words;
  t->word_room = new.word_room;
  return true;
}

static bool prepare_verbatim(bits_cells *t, const store_offer *o,
                             bits_cells_probe *probe)
{
  probe->plan = 0;
  probe->hash = table_hash(o->state, o->length);
  t->verbatim.max_bytes = left(t);
  table_prefetch(&t->verbatim, probe->hash);
  return true;
}

/* False: no memory.  When codes are rewritten, those made here are, too. */
static bool prepare_one(bits_cells *t, const store_offer *o, uint32_t count,
                        bits_cells_probe *probe, bool *again)
{
  const bits_plan *plan;
  uint64_t *words = t->words + probe->start;
  cells *into;
  switch (encode(t, o, &plan, words)) {
  case BITS_DONE:
    into = plan->number <= t->set_room || plan->number > RADIX_SHAPES
               ? bits_cells_set(t, plan->number)
               : NULL;
    if ((!into || into->count + count > into->limit) &&
        !(into = set_for(t, plan, count)))
      return false;
    probe->plan = plan->number;
    probe->hash = cells_hash(into, words);
    cells_prefetch(into, probe->hash);
    return true;
  case BITS_VERBATIM:
    return prepare_verbatim(t, o, probe);
  case BITS_UNFIT:
    *again = true;
    return t->later_count || t->coding.recoded + t->count > t->recoded_most
               ? add_plan(t, o, plan)
               : recode(t, o);
  case BITS_FULL:
    break;
  }
  return false;
}

bool bits_cells_prepare(bits_cells *t, const store_offer *offers,
                        bits_cells_probe *probes, uint32_t count)
{
  if (!bits_codes_expect(&t->coding, offers, count) || !make_batch_room(t))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    bool again = false;
    probes[i].start = i * t->word_room;
    if (!prepare_one(t, &offers[i], count, &probes[i], &again))
      return false;
    if (again)
      i = UINT32_MAX;
  }
  return true;
}

bool bits_cells_clashed(const bits_cells *t, const store_offer *o,
                        store_handle *number)
{
  uint64_t found = table_find(&t->verbatim, o->state, o->length,
                              table_hash(o->state, o->length));
  if (found == STORE_NO_HANDLE)
    return false;
  *number = found;
  return true;
}

store_result bits_cells_insert_clash(bits_cells *t, const store_offer *o,
                                     store_handle *number)
{
  t->verbatim.max_bytes = left(t);
  store_result result = table_insert(&t->verbatim, o->state, o->length,
                                     table_hash(o->state, o->length), number);
  t->clashes += result == STORE_NEW;
  return result;
}

const uint8_t *bits_cells_view(bits_cells *t, store_handle number,
                               uint32_t hand, uint8_t *out, uint32_t *length)
{
  (void)out;
  uint32_t n = bits_cells_plan(number);
  bits_hand *h = &t->coding.hands[hand];
  if (n) {
    const bits_plan *plan = plan_of(t, n);
    cells_get(bits_cells_set(t, n), bits_cells_hash(number), h->words);
    *length = plan->length;
    return bits_codes_take(&t->coding, hand, plan);
  }
  const uint8_t *state = table_get(&t->verbatim, number, length);
  if (*length)
    memcpy(h->state, state, *length);
  return bits_codes_take(&t->coding, hand, NULL);
}

/* ---- the class --------------------------------------------------------- */

/* The numbers of other states may be others afterwards. */
static store_result insert(store *base, const uint8_t *state, uint32_t length,
                           store_handle parent, uint64_t changed,
                           store_handle *number)
{
  bits_cells *t = bits_cells_of(base);
  store_offer offer = {.length = length, .changed = UINT64_MAX};
  bits_cells_probe probe;
  uint8_t *copy = mem_try_alloc(length + CODEC_SLACK);
  (void)parent, (void)changed; /* the parent was perhaps not loaded */
  if (!copy)
    return STORE_FULL;
  if (length)
    memcpy(copy, state, length);
  offer.state = copy;
  bool prepared = bits_cells_prepare(t, &offer, &probe, 1);
  bits_cells_forget(t);
  store_result result =
      prepared ? bits_cells_insert(t, probe, &offer, number) : STORE_FULL;
  mem_free(copy, length + CODEC_SLACK);
  return result;
}

static uint32_t fetch(const store *base, store_handle number, uint8_t *out)
{
  const bits_cells *t = (const bits_cells *)base;
  const bits_codes *p = &t->coding;
  uint32_t length, n = bits_cells_plan(number);
  const uint8_t *state = bits_codes_spare_state(p);
  if (n) {
    const bits_plan *plan = plan_of(t, n);
    cells_get(bits_cells_set(t, n), bits_cells_hash(number),
              bits_codes_spare_words(p));
    bits_decode(&p->coder, plan, bits_codes_spare_words(p),
                bits_codes_spare_state(p));
    length = plan->length;
  } else {
    state = table_get(&t->verbatim, number, &length);
  }
  if (length)
    memcpy(out, state, length);
  return length;
}

static uint64_t count_states(const store *base)
{
  const bits_cells *t = (const bits_cells *)base;
  return t->count + t->verbatim.count;
}

static size_t bytes(const store *base)
{
  const bits_cells *t = (const bits_cells *)base;
  size_t later = t->later ? RADIX_CELLS_LATER * sizeof *t->later : 0;
  for (uint32_t i = 0; i < t->later_count; i++)
    later += beyond_bytes(t->later[i].plan);
  return sizeof *t + later + t->held + t->set_room * sizeof *t->sets +
         batch_bytes(t) + bits_codes_bytes(&t->coding) +
         table_bytes(&t->verbatim);
}

static uint32_t max_length(const store *base)
{
  return ((const bits_cells *)base)->coding.longest;
}

static bool check(const store *base)
{
  const bits_cells *t = (const bits_cells *)base;
  uint64_t count = 0;
  for (uint32_t i = 0; i < t->set_room; i++) {
    if (t->sets[i].buckets && !cells_check(&t->sets[i]))
      return false;
    count += t->sets[i].count;
  }
  for (uint32_t i = 0; i < t->later_count; i++) {
    if (t->later[i].set.buckets && !cells_check(&t->later[i].set))
      return false;
    count += t->later[i].set.count;
  }
  return count == t->count && bits_check(&t->coding.coder) &&
         table_check(&t->verbatim);
}

const store_class store_bits_cells = {
    .codec = "pack",
    .codec_alias = "bits",
    .set = "table",
    .summary = "of every number the bits that vary; in a hash table",
    .exact = true,
    .dense = false,
    .loop = STORE_BY_bits_cells,
    .lasting = &store_bits_table,
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
