/* Expands a state of the product: moves of the observer times steps of the
** program, each with the round of weak fairness after it. */

#include "search/liveness/product.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* ---- set-up ------------------------------------------------------------ */

static void extend_fixed(product *p)
{
  uint32_t n = p->map.count;
  p->offsets = mem_alloc((n + 2) * sizeof *p->offsets);
  memcpy(p->offsets, p->map.offsets, (n + 1) * sizeof *p->offsets);
  p->offsets[n + 1] = p->offsets[n] + p->tail;
  p->map.offsets = p->offsets;
  p->map.count = n + 1;
}

static void extend_tags(product *p)
{
  uint32_t n = p->map.tags;
  p->sizes = mem_alloc((n + 1) * sizeof *p->sizes);
  memcpy(p->sizes, p->map.sizes, n * sizeof *p->sizes);
  p->sizes[n] = p->tail;
  p->map.sizes = p->sizes;
  p->map.tags = n + 1;
}

void product_create(product *p, program *of, worker *w, observer *o,
                    nut_fair fair, bool rounds)
{
  *p = (product){.program = of,
                 .worker = w,
                 .observer = o,
                 .rounds = rounds,
                 .is_fair = fair != NUT_FAIR_NONE,
                 .hidden = program_hidden(of),
                 .map = *program_map(of)};
  p->tail = p->map.tag_bytes + 2 + rounds;
  assert(o->places <= OBSERVER_PLACES_MAX + 1);
  assert(p->map.fixed || p->map.tags < 1u << 8 * p->map.tag_bytes);
  if (p->map.fixed)
    extend_fixed(p);
  else
    extend_tags(p);
}

void product_free(product *p)
{
  if (p->offsets)
    mem_free(p->offsets, (p->map.count + 1) * sizeof *p->offsets);
  if (p->sizes)
    mem_free(p->sizes, p->map.tags * sizeof *p->sizes);
  batch_free(&p->batch);
  movers_free(&p->movers);
  numbering_free(&p->mover_sets);
  vec_free(&p->edges);
}

/* ---- tails ------------------------------------------------------------- */

void product_put_tail(const product *p, uint8_t *at, uint32_t place,
                      uint32_t round, uint32_t colour)
{
  uint32_t tag = p->map.tags - 1;
  for (uint32_t i = 0; i < p->map.tag_bytes; i++, tag >>= 8)
    *at++ = (uint8_t)tag;
  *at++ = (uint8_t)place;
  *at++ = (uint8_t)(place >> 8 | colour << 7);
  if (p->rounds)
    *at = (uint8_t)round;
}

static const uint8_t *tail_of(const product *p, const uint8_t *state,
                              uint32_t length)
{
  return state + length - p->tail + p->map.tag_bytes;
}

uint32_t product_place(const product *p, const uint8_t *state, uint32_t length)
{
  const uint8_t *tail = tail_of(p, state, length);
  return tail[0] | (uint32_t)(tail[1] & 0x7f) << 8;
}

uint32_t product_round(const product *p, const uint8_t *state, uint32_t length)
{
  return p->rounds ? tail_of(p, state, length)[2] : 0;
}

void product_set_colour(const product *p, uint8_t *state, uint32_t length,
                        uint32_t colour)
{
  uint8_t *high = state + length - p->tail + p->map.tag_bytes + 1;
  *high = (uint8_t)((*high & 0x7f) | colour << 7);
}

/* ---- steps ------------------------------------------------------------- */

/* Which successor of the program lies at place 'k' of the batch. */
static uint32_t number_of(const product *p, size_t k)
{
  return p->reduction ? reduce_original(p->reduction, k) : (uint32_t)k;
}

/* Who can move.  Where all move at once, no process can be treated badly. */
static void note_enabled(product *p)
{
  if (program_model(p->program)->flags & MODEL_SYNCHRONOUS)
    return;
  for (size_t i = 0; i < p->batch.list.len; i++)
    process_set_add(&p->enabled, p->batch.list.data[i].process);
}

process_set product_movers(const product *p, uint32_t number)
{
  process_set who = {{0}};
  uint32_t length;
  if (number)
    memcpy(&who, numbering_get(&p->mover_sets, number, &length), sizeof who);
  return who;
}

/* The number of those who move to the successor at place 'k' of the batch. */
static uint32_t number_movers(product *p, const uint8_t *state, uint32_t plain,
                              size_t k)
{
  const successor *s = p->batch.list.data + k;
  uint32_t *number = &p->alone[s->process];
  if (!p->is_fair || (!s->others && *number))
    return p->is_fair ? *number : 0;
  process_set who = movers_find(&p->movers, state, plain, s, number_of(p, k));
  uint32_t found =
      numbering_add(&p->mover_sets, (const uint8_t *)&who, sizeof who);
  if (!s->others)
    *number = found;
  return found;
}

static void add_edge(product *p, product_edge e, const observer_move *m,
                     uint32_t round, bool accepting)
{
  e.place = m->target;
  e.marks = m->marks;
  if (p->rounds) {
    process_set who = product_movers(p, e.movers);
    e.round = product_next_round(p, round, accepting, &who);
  }
  vec_push(&p->edges, e);
}

/* The steps to the first so many successors, each for every move of the
** observer, and the one that stays. */
static void add_edges(product *p, const uint8_t *state, uint32_t plain,
                      size_t chosen, bool stays, uint32_t round)
{
  observer *o = p->observer;
  uint32_t place = product_place(p, state, plain + p->tail);
  bool accepting = p->rounds && observer_accepts(o, place, state, plain);
  movers_begin(&p->movers, p->worker);
  for (size_t i = 0; i < o->moves.len; i++) {
    const observer_move *m = o->moves.data + i;
    if (stays)
      add_edge(p, (product_edge){.successor = PRODUCT_STAYS}, m, round,
               accepting);
    for (size_t k = 0; k < chosen; k++)
      add_edge(p,
               (product_edge){.successor = number_of(p, k),
                              .at = (uint32_t)k,
                              .movers = number_movers(p, state, plain, k)},
               m, round, accepting);
  }
}

void product_expand(product *p, const uint8_t *state, uint32_t length)
{
  observer *o = p->observer;
  uint32_t place = product_place(p, state, length);
  uint32_t round = product_round(p, state, length), plain = length - p->tail;
  vec_clear(&p->edges);
  p->fault = !observer_look(o, place, state, plain);
  p->sure = false;
  p->enabled = (process_set){{0}};
  for (size_t i = 0; i < o->moves.len; i++)
    p->sure |= observer_is_sure(o, o->moves.data[i].target);
  if (p->fault || p->sure || !o->moves.len)
    return;
  program_successors(p->worker, state, plain, &p->batch);
  note_enabled(p);
  size_t chosen = p->reduction
                      ? reduce_choose(p->reduction, state, plain, &p->batch)
                      : p->batch.list.len;
  /* As in SPIN, standing still is not what is meant by lack of progress. */
  bool stays = p->batch.blocked && o->kind != PROPERTY_NON_PROGRESS;
  p->steps = chosen + stays;
  add_edges(p, state, plain, chosen, stays, round);
}

const uint8_t *product_target(const product *p, const product_edge *e,
                              const uint8_t *state, uint32_t length,
                              uint32_t *target_length)
{
  if (e->successor == PRODUCT_STAYS) {
    *target_length = length - p->tail;
    return state;
  }
  const successor *s = p->batch.list.data + e->at;
  *target_length = s->length;
  return p->batch.bytes.data + s->start;
}

uint32_t product_length(const product *p, const product_edge *e,
                        uint32_t length)
{
  return e->successor == PRODUCT_STAYS
             ? length
             : p->batch.list.data[e->at].length + p->tail;
}

uint64_t product_compose(const product *p, const product_edge *e,
                         const uint8_t *state, uint32_t length, uint32_t tail,
                         uint8_t *at, uint32_t *made)
{
  uint32_t plain;
  const uint8_t *target = product_target(p, e, state, length, &plain);
  if (plain)
    memcpy(at, target, plain);
  product_put_tail(p, at + plain, e->place, e->round, 0);
  *made = plain + p->tail;
  uint64_t changed =
      e->successor == PRODUCT_STAYS ? 0 : p->batch.list.data[e->at].changed;
  /* Where the program's components came or went, the tail is elsewhere. */
  bool is_same_tail =
      *made == length && !memcmp(at + plain, state + plain, p->tail);
  uint64_t tail_bit = UINT64_C(1) << (tail < 63 ? tail : 63);
  return changed | (is_same_tail ? 0 : tail_bit);
}

bool product_accepts(product *p, const uint8_t *state, uint32_t length)
{
  return product_round(p, state, length) == 0 &&
         observer_accepts(p->observer, product_place(p, state, length), state,
                          length - p->tail);
}
