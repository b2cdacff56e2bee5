#include "store/pack_cells.h"

#include "base/alloc.h"
#include "store/pack_table.h"

#include <assert.h>

/* ---- set-up ------------------------------------------------------------ */

/* Codes that are made anew, all together, before further plans are made: what
** that costs is soon made up for by fewer plans. */
enum { RECODED_MOST = 1 << 16 };

static size_t batch_bytes(const pack_cells *t)
{
  return PACK_CELLS_TOGETHER * (size_t)t->word_room * sizeof *t->words;
}

static void destroy_sets(cells *sets, uint32_t room)
{
  for (uint32_t i = 0; i < room; i++)
    cells_destroy(&sets[i]);
  mem_free(sets, room * sizeof *sets);
}

static size_t beyond_bytes(const bitpack_plan *plan)
{
  return (plan->words + 1) * sizeof(uint64_t);
}

static void destroy_later(pack_cells *t)
{
  for (uint32_t i = 0; i < t->later_count; i++) {
    pack_cells_later *l = &t->later[i];
    cells_destroy(&l->set);
    mem_free(l->beyond, beyond_bytes(l->plan));
    bitpack_free_plan(&t->packing.coder, l->plan);
  }
  mem_free(t->later, PACK_CELLS_LATER * sizeof *t->later);
}

static void destroy(store *base)
{
  pack_cells *t = pack_cells_of(base);
  if (!t)
    return;
  pack_cells_forget(t);
  destroy_later(t);
  destroy_sets(t->sets, t->set_room);
  packing_give_up(&t->packing);
  table_destroy(&t->verbatim);
  mem_free(t->words, batch_bytes(t));
  mem_free(t, sizeof *t);
}

static store *create(const store_class *class, const store_settings *settings)
{
  (void)class;
  pack_cells *t = mem_try_alloc(sizeof *t);
  if (!t)
    return NULL;
  t->max_bytes = settings->max_bytes;
  t->hash_bits = CELLS_HASH_BITS;
  t->recoded_most = RECODED_MOST;
  if (packing_set_up(&t->packing, settings) &&
      table_create(&t->verbatim, settings->max_bytes))
    return (store *)t;
  destroy((store *)t);
  return NULL;
}

/* Makes room for the set of the plan with this number. */
static bool make_set_room(pack_cells *t, uint32_t plan)
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

static size_t left(const pack_cells *t)
{
  return t->held < t->max_bytes ? t->max_bytes - t->held : 0;
}

static cells_kind kind_of(const pack_cells *t, const bitpack_plan *plan,
                          uint64_t seed)
{
  return (cells_kind){plan->bytes, t->hash_bits, seed};
}

/* ---- giving all states new codes ---------------------------------------- */

/* Puts the states of a set into a new one, by the new plan of their shape, with
** the room for a batch.  False: two of them have the same hash. */
static bool copy_set(pack_cells *t, const cells *from, const bitpack_plan *old,
                     const bitpack_plan *new, cells *to)
{
  packing *p = &t->packing;
  uint64_t hashes[PACK_CELLS_TOGETHER], place, at = cells_next(from, 0);
  while (at != CELLS_END) {
    uint32_t n = 0;
    uint64_t *words = t->words;
    for (; n < PACK_CELLS_TOGETHER && at != CELLS_END;
         at = cells_next(from, at + 1), words += t->word_room) {
      cells_read(from, at, words);
      bitpack_decode(&p->coder, old, words, packing_spare_state(p));
      bool fits = bitpack_encode(&p->coder, new, packing_spare_state(p), words);
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
static bool recode_set(pack_cells *t, const cells *from,
                       const bitpack_plan *old, cells *to, size_t max_bytes)
{
  enum { TRIES = 64 };
  packing *p = &t->packing;
  const bitpack_plan *new;
  cells_read(from, cells_next(from, 0), packing_spare_words(p));
  bitpack_decode(&p->coder, old, packing_spare_words(p),
                 packing_spare_state(p));
  if (!bitpack_find_plan(&p->coder, packing_spare_state(p), old->length, &new))
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

static bool recode_sets(pack_cells *t, const bitpack_past *past, cells *new)
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
static void take_new(pack_cells *t, cells *new, bitpack_past *past)
{
  for (uint32_t i = 0; i < t->set_room; i++)
    t->held += cells_bytes(&new[i]);
  packing_renewed(&t->packing, t->count);
  if (t->moved) {
    for (uint32_t i = 0; i < t->set_room; i++)
      t->held -= cells_bytes(&t->sets[i]);
    destroy_sets(t->sets, t->set_room);
    bitpack_drop(&t->packing.coder, past);
  } else {
    t->old = t->sets;
    t->old_room = t->set_room;
    t->old_plans = *past;
  }
  t->sets = new;
  t->moved = true;
}

/* Makes all codes anew, so that this state has one.  False: no memory, and all
** is as it was. */
static bool recode(pack_cells *t, const store_offer *offer)
{
  bitpack_past past;
  cells *new = NULL;
  if (t->set_room && !(new = mem_try_alloc(t->set_room * sizeof *new)))
    return false;
  if (!packing_widen(&t->packing, offer, t->count, &past)) {
    mem_free(new, t->set_room * sizeof *new);
    return false;
  }
  if (!recode_sets(t, &past, new)) {
    bitpack_return(&t->packing.coder, &past);
    destroy_sets(new, t->set_room);
    return false;
  }
  take_new(t, new, &past);
  return true;
}

store_number pack_cells_translate(pack_cells *t, store_number number)
{
  uint32_t n = pack_cells_plan(number);
  if (!n)
    return number;
  packing *p = &t->packing;
  uint64_t *words = packing_spare_words(p);
  cells_get(&t->old[n - 1], pack_cells_hash(number), words);
  bitpack_decode(&p->coder, t->old_plans.plans[n - 1], words,
                 packing_spare_state(p));
  bitpack_encode(&p->coder, p->coder.plans[n - 1], packing_spare_state(p),
                 words);
  return pack_cells_number(n, cells_hash(&t->sets[n - 1], words));
}

void pack_cells_forget(pack_cells *t)
{
  if (!t->moved)
    return;
  for (uint32_t i = 0; i < t->old_room; i++)
    t->held -= cells_bytes(&t->old[i]);
  destroy_sets(t->old, t->old_room);
  bitpack_drop(&t->packing.coder, &t->old_plans);
  t->old = NULL;
  t->old_room = 0;
  t->moved = false;
}

/* ---- further plans -------------------------------------------------------- */

static const bitpack_plan *plan_of(const pack_cells *t, uint32_t number)
{
  return number <= PACK_SHAPES ? t->packing.coder.plans[number - 1]
                               : t->later[number - PACK_SHAPES - 1].plan;
}

/* The newest plan of a shape. */
static const bitpack_plan *newest(const pack_cells *t, uint32_t shape)
{
  for (uint32_t i = t->later_count; i--;)
    if (t->later[i].shape == shape)
      return t->later[i].plan;
  return t->packing.coder.plans[shape - 1];
}

/* Gives the shape of this state, whose first plan is 'first', a plan that it
** fits.  False: no memory. */
static bool add_plan(pack_cells *t, const store_offer *o,
                     const bitpack_plan *first)
{
  enum { LAST = 8 }; /* that are so wide that hardly another is needed */
  bitpack *b = &t->packing.coder;
  if (!t->later &&
      !(t->later = mem_try_alloc(PACK_CELLS_LATER * sizeof *t->later)))
    return false;
  pack_cells_later l = {.shape = first->number,
                        .older = newest(t, first->number)};
  if (!bitpack_widen(b, o->state, o->length,
                     t->later_count + LAST < PACK_CELLS_LATER ? BITPACK_MORE
                                                              : BITPACK_ALL) ||
      !(l.plan = bitpack_make_plan(b, o->state, o->length)))
    return false;
  l.beyond = mem_try_alloc(beyond_bytes(l.plan));
  if (!l.beyond) {
    bitpack_free_plan(b, l.plan);
    return false;
  }
  bitpack_beyond(l.plan, l.older, l.beyond);
  t->later[t->later_count++] = l;
  l.plan->number = PACK_SHAPES + t->later_count;
  return true;
}

/* Whether a code by this plan has bits that the older ones have no place for. */
static inline bool is_beyond(const pack_cells *t, const bitpack_plan *plan,
                             const uint64_t *words)
{
  if (plan->number <= PACK_SHAPES)
    return true;
  const uint64_t *beyond = t->later[plan->number - PACK_SHAPES - 1].beyond;
  uint64_t bits = 0;
  for (uint32_t i = 0; i < plan->words; i++)
    bits |= words[i] & beyond[i];
  return bits;
}

/* From a plan that the state fits to the oldest such one, and its code. */
static void settle(const pack_cells *t, const uint8_t *state,
                   const bitpack_plan **plan, uint64_t *words)
{
  while (!is_beyond(t, *plan, words)) {
    *plan = t->later[(*plan)->number - PACK_SHAPES - 1].older;
    bitpack_encode(&t->packing.coder, *plan, state, words);
  }
}

/* When it does not fit any plan, '*plan' is the first of its shape. */
static packing_result encode(pack_cells *t, const store_offer *o,
                             const bitpack_plan **plan, uint64_t *words)
{
  packing *p = &t->packing;
  packing_result result = packing_encode_offer(p, o, plan, words);
  if (result == PACKING_DONE) {
    if (!is_beyond(t, *plan, words))
      settle(t, o->state, plan, words);
    return PACKING_DONE;
  }
  if (result != PACKING_UNFIT || !t->later_count)
    return result;
  const bitpack_plan *last = newest(t, (*plan)->number);
  if (last == *plan || !bitpack_encode(&p->coder, last, o->state, words))
    return t->later_count < PACK_CELLS_LATER ? PACKING_UNFIT : PACKING_VERBATIM;
  *plan = last;
  settle(t, o->state, plan, words);
  return PACKING_DONE;
}

/* ---- inserting --------------------------------------------------------- */

/* The set of a plan, with room for so many codes more.  NULL: no memory. */
static cells *set_for(pack_cells *t, const bitpack_plan *plan, uint32_t more)
{
  cells_kind kind = kind_of(t, plan, plan->number);
  if (plan->number <= PACK_SHAPES && !make_set_room(t, plan->number))
    return NULL;
  cells *into = pack_cells_set(t, plan->number);
  t->held -= cells_bytes(into);
  bool done = into->buckets
                  ? cells_make_room(into, more,
                                    packing_spare_words(&t->packing), left(t))
                  : cells_create(into, &kind, more, left(t));
  t->held += cells_bytes(into);
  return done ? into : NULL;
}

/* Words for a batch of codes, after those of a code became more. */
static bool make_batch_room(pack_cells *t)
{
  pack_cells new = {.word_room = t->packing.word_room};
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

static bool prepare_verbatim(pack_cells *t, const store_offer *o,
                             pack_cells_probe *probe)
{
  probe->plan = 0;
  probe->hash = table_hash(o->state, o->length);
  t->verbatim.max_bytes = left(t);
  table_prefetch(&t->verbatim, probe->hash);
  return true;
}

/* False: no memory.  When codes are made anew, those made here are, too. */
static bool prepare_one(pack_cells *t, const store_offer *o, uint32_t count,
                        pack_cells_probe *probe, bool *again)
{
  const bitpack_plan *plan;
  uint64_t *words = t->words + probe->start;
  cells *into;
  switch (encode(t, o, &plan, words)) {
  case PACKING_DONE:
    into = plan->number <= t->set_room || plan->number > PACK_SHAPES
               ? pack_cells_set(t, plan->number)
               : NULL;
    if ((!into || into->count + count > into->limit) &&
        !(into = set_for(t, plan, count)))
      return false;
    probe->plan = plan->number;
    probe->hash = cells_hash(into, words);
    cells_prefetch(into, probe->hash);
    return true;
  case PACKING_VERBATIM:
    return prepare_verbatim(t, o, probe);
  case PACKING_UNFIT:
    *again = true;
    return t->later_count || t->packing.recoded + t->count > t->recoded_most
               ? add_plan(t, o, plan)
               : recode(t, o);
  case PACKING_FULL:
    break;
  }
  return false;
}

bool pack_cells_prepare(pack_cells *t, const store_offer *offers,
                        pack_cells_probe *probes, uint32_t count)
{
  if (!packing_expect(&t->packing, offers, count) || !make_batch_room(t))
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

bool pack_cells_clashed(const pack_cells *t, const store_offer *o,
                        store_number *number)
{
  uint64_t found = table_find(&t->verbatim, o->state, o->length,
                              table_hash(o->state, o->length));
  if (found == STORE_NO_NUMBER)
    return false;
  *number = found;
  return true;
}

store_result pack_cells_insert_clash(pack_cells *t, const store_offer *o,
                                     store_number *number)
{
  t->verbatim.max_bytes = left(t);
  store_result result = table_insert(&t->verbatim, o->state, o->length,
                                     table_hash(o->state, o->length), number);
  t->clashes += result == STORE_NEW;
  return result;
}

const uint8_t *pack_cells_view(pack_cells *t, store_number number,
                               uint32_t hand, uint8_t *out, uint32_t *length)
{
  (void)out;
  uint32_t n = pack_cells_plan(number);
  bitpack_hand *h = &t->packing.hands[hand];
  if (n) {
    const bitpack_plan *plan = plan_of(t, n);
    cells_get(pack_cells_set(t, n), pack_cells_hash(number), h->words);
    *length = plan->length;
    return packing_take(&t->packing, hand, plan);
  }
  const uint8_t *state = table_get(&t->verbatim, number, length);
  if (*length)
    memcpy(h->state, state, *length);
  return packing_take(&t->packing, hand, NULL);
}

/* ---- the class --------------------------------------------------------- */

/* The numbers of other states may be others afterwards. */
static store_result insert(store *base, const uint8_t *state, uint32_t length,
                           store_number parent, uint64_t changed,
                           store_number *number)
{
  pack_cells *t = pack_cells_of(base);
  store_offer offer = {.length = length, .changed = UINT64_MAX};
  pack_cells_probe probe;
  uint8_t *copy = mem_try_alloc(length + CODEC_SLACK);
  (void)parent, (void)changed; /* the parent was perhaps not taken to hand */
  if (!copy)
    return STORE_FULL;
  if (length)
    memcpy(copy, state, length);
  offer.state = copy;
  bool prepared = pack_cells_prepare(t, &offer, &probe, 1);
  pack_cells_forget(t);
  store_result result =
      prepared ? pack_cells_insert(t, probe, &offer, number) : STORE_FULL;
  mem_free(copy, length + CODEC_SLACK);
  return result;
}

static uint32_t fetch(const store *base, store_number number, uint8_t *out)
{
  const pack_cells *t = (const pack_cells *)base;
  const packing *p = &t->packing;
  uint32_t length, n = pack_cells_plan(number);
  const uint8_t *state = packing_spare_state(p);
  if (n) {
    const bitpack_plan *plan = plan_of(t, n);
    cells_get(pack_cells_set(t, n), pack_cells_hash(number),
              packing_spare_words(p));
    bitpack_decode(&p->coder, plan, packing_spare_words(p),
                   packing_spare_state(p));
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
  const pack_cells *t = (const pack_cells *)base;
  return t->count + t->verbatim.count;
}

static size_t bytes(const store *base)
{
  const pack_cells *t = (const pack_cells *)base;
  size_t later = t->later ? PACK_CELLS_LATER * sizeof *t->later : 0;
  for (uint32_t i = 0; i < t->later_count; i++)
    later += beyond_bytes(t->later[i].plan);
  return sizeof *t + later + t->held + t->set_room * sizeof *t->sets +
         batch_bytes(t) + packing_bytes(&t->packing) +
         table_bytes(&t->verbatim);
}

static uint32_t max_length(const store *base)
{
  return ((const pack_cells *)base)->packing.longest;
}

static bool check(const store *base)
{
  const pack_cells *t = (const pack_cells *)base;
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
  return count == t->count && bitpack_check(&t->packing.coder) &&
         table_check(&t->verbatim);
}

const store_class store_pack_cells = {
    .codec = "pack",
    .set = "table",
    .summary = "of every number the bits that vary; in a hash table",
    .exact = true,
    .dense = false,
    .loop = STORE_BY_PACK_CELLS,
    .lasting = &store_pack_table,
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
