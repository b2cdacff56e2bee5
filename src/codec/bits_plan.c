/* Which bits of a state are kept, and where. */

#include "base/alloc.h"
#include "codec/bits.h"

#include <string.h>

/* ---- what is known about numbers --------------------------------------- */

static bool can_gather(void)
{
#if defined(__x86_64__)
  return __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

static void give_plans(bits_coder *b, bits_plan **plans, uint32_t room);

void bits_give_up(bits_coder *b)
{
  give_plans(b, b->plans, b->plan_room);
  mem_free(b->base, b->slots * sizeof *b->base);
  mem_free(b->mask, b->slots * sizeof *b->mask);
  mem_free(b->known, b->slots * sizeof *b->known);
  radix_give_up(&b->shapes);
  *b = (bits_coder){0};
}

/* There are at most as many numbers as bytes. */
bool bits_set_up(bits_coder *b, const codec_settings *settings)
{
  *b =
      (bits_coder){.shapes = {.map = settings->map, .fields = settings->fields},
                   .has_gather = can_gather()};
  if (!radix_set_up(&b->shapes)) {
    bits_give_up(b);
    return false;
  }
  const component_map *map = settings->map;
  uint32_t slots =
      map->fixed ? map->offsets[map->count] : b->shapes.starts[b->shapes.kinds];
  slots++;
  b->base = mem_try_alloc(slots * sizeof *b->base);
  b->mask = mem_try_alloc(slots * sizeof *b->mask);
  b->known = mem_try_alloc(slots * sizeof *b->known);
  b->slots = slots;
  if (b->base && b->mask && b->known)
    return true;
  bits_give_up(b);
  return false;
}

size_t bits_bytes(const bits_coder *b)
{
  const radix_codec *p = &b->shapes;
  return b->slots * (sizeof *b->base + sizeof *b->mask + sizeof *b->known) +
         b->plan_room * sizeof *b->plans + b->bytes + p->bytes +
         index_bytes(&p->index) + p->shape_room * sizeof *p->shapes +
         (p->kinds + 1) * sizeof *p->starts +
         2 * (p->starts[p->kinds] + 1) * sizeof *p->limits;
}

static uint32_t slot_of(const bits_coder *b, const radix_shape *s, uint32_t i)
{
  return b->shapes.map->fixed ? i : s->numbers[i].slot;
}

/* All bits up to the highest that is set. */
static uint32_t fill_below(uint32_t x)
{
  return x ? UINT32_MAX >> __builtin_clz(x) : 0;
}

/* The bits a number can have at all: those its type or the model tells. */
static uint32_t declared_mask(const bits_coder *b, const radix_number *n)
{
  uint32_t most = fill_below(b->shapes.declared[n->slot]);
  return most ? most & radix_mask(n) : radix_mask(n);
}

/* All bits up to twice as many as are set here. */
static uint32_t twice(uint32_t mask)
{
  uint64_t room = (uint64_t)mask + 1;
  return (uint32_t)(room * room - 1);
}

static void widen_number(bits_coder *b, const radix_number *n, uint32_t slot,
                         uint32_t digit, bits_extent extent)
{
  if (!b->known[slot])
    b->base[slot] = digit;
  b->known[slot] = true;
  uint32_t had = b->mask[slot], mask = had | fill_below(digit ^ b->base[slot]);
  if (extent == BITS_ALL)
    mask |= declared_mask(b, n);
  else if (extent == BITS_MORE && mask != had)
    mask |= twice(mask) & declared_mask(b, n);
  b->mask[slot] = mask;
}

bool bits_widen(bits_coder *b, const uint8_t *state, uint32_t length,
                bits_extent extent)
{
  radix_shape *s;
  if (!radix_find_shape(&b->shapes, state, length, &s))
    return false;
  for (uint32_t i = 0; s && i < s->digit_count; i++)
    widen_number(b, &s->numbers[i], slot_of(b, s, i),
                 radix_read(&s->numbers[i], state), extent);
  return true;
}

/* ---- plans -------------------------------------------------------------- */

static size_t plan_bytes(const bits_plan *p)
{
  return sizeof *p + p->window_room * (sizeof *p->windows + sizeof *p->live) +
         2 * p->component_count * sizeof *p->firsts + p->state_room;
}

static void give_plan(bits_coder *b, bits_plan *p)
{
  if (!p)
    return;
  b->bytes -= plan_bytes(p);
  mem_free(p->windows, p->window_room * sizeof *p->windows);
  mem_free(p->live, p->window_room * sizeof *p->live);
  mem_free(p->firsts, p->component_count * sizeof *p->firsts);
  mem_free(p->ends, p->component_count * sizeof *p->ends);
  mem_free(p->base, p->state_room);
  mem_free(p, sizeof *p);
}

static void give_plans(bits_coder *b, bits_plan **plans, uint32_t room)
{
  for (uint32_t i = 0; i < room; i++)
    give_plan(b, plans[i]);
  mem_free(plans, room * sizeof *plans);
}

bits_past bits_renew(bits_coder *b)
{
  bits_past past = {b->plans, b->plan_room};
  b->plans = NULL;
  b->plan_room = 0;
  return past;
}

void bits_drop(bits_coder *b, bits_past *past)
{
  give_plans(b, past->plans, past->room);
  *past = (bits_past){NULL, 0};
}

void bits_return(bits_coder *b, bits_past *past)
{
  give_plans(b, b->plans, b->plan_room);
  b->plans = past->plans;
  b->plan_room = past->room;
  *past = (bits_past){NULL, 0};
}

/* Puts a number into the window: 'place' is its first bit there. */
static void enter_number(const bits_coder *b, const radix_shape *s, uint32_t i,
                         bits_window *w, uint32_t place)
{
  const radix_number *n = &s->numbers[i];
  uint64_t high = UINT64_C(1) << (8 * n->bytes - 1);
  w->mask |= (uint64_t)b->mask[slot_of(b, s, i)] << place;
  w->carry |= (high - 1) << place;
  w->bias |= (uint64_t)n->bias << place;
}

/* Bytes of what begins at 'at': a number, or a byte of a tag. */
static uint32_t bytes_at(const radix_shape *s, uint32_t at)
{
  uint32_t i = s->digit_at[at];
  return i == RADIX_NO_DIGIT ? 1 : s->numbers[i].bytes;
}

/* Cuts windows from 'at' on up to 'end', or behind it where a number is cut by
** it.  Returns where the last ends. */
static uint32_t cut_windows(const bits_coder *b, const radix_shape *s,
                            bits_plan *p, uint32_t at, uint32_t end)
{
  while (at < end) {
    bits_window *w = &p->windows[p->window_count++];
    *w = (bits_window){.at = at};
    while (at < end && at + bytes_at(s, at) - w->at <= 8) {
      if (s->digit_at[at] != RADIX_NO_DIGIT)
        enter_number(b, s, s->digit_at[at], w, 8 * (at - w->at));
      at += bytes_at(s, at);
    }
    w->bytes = at - w->at;
    w->valid = UINT64_MAX >> (64 - 8 * w->bytes);
  }
  return at;
}

/* Which windows have bytes of which component. */
static void find_components(bits_plan *p, const uint32_t *offsets)
{
  uint32_t w = 0;
  for (uint32_t i = 0; i < p->component_count; i++) {
    while (w && p->windows[w - 1].at + p->windows[w - 1].bytes > offsets[i])
      w--;
    while (w < p->window_count &&
           p->windows[w].at + p->windows[w].bytes <= offsets[i])
      w++;
    p->firsts[i] = w;
    while (w < p->window_count && p->windows[w].at < offsets[i + 1])
      w++;
    p->ends[i] = w;
  }
}

static void place_windows(bits_plan *p)
{
  uint64_t bit = 0;
  for (uint32_t i = 0; i < p->window_count; i++) {
    bits_window *w = &p->windows[i];
    if (!w->mask)
      continue;
    w->word = (uint32_t)(bit / 64);
    w->shift = bit % 64;
    bit += (uint32_t)__builtin_popcountll(w->mask);
    p->live[p->live_count++] = i;
  }
  p->bytes = (uint32_t)((bit + 7) / 8);
  p->words = (uint32_t)((bit + 63) / 64);
}

static void lay_out(bits_coder *b, const radix_shape *s, bits_plan *p,
                    const uint32_t *offsets)
{
  uint32_t at = 0;
  for (uint32_t i = 0; i < p->component_count; i++)
    at = cut_windows(b, s, p, at, offsets[i + 1]);
  find_components(p, offsets);
  place_windows(p);
  memcpy(p->base, s->model, s->length);
  for (uint32_t i = 0; i < s->digit_count; i++)
    radix_write(&s->numbers[i], p->base, b->base[slot_of(b, s, i)]);
  for (uint32_t i = 0; i < p->window_count; i++) {
    bits_window *w = &p->windows[i];
    memcpy(&w->base, p->base + w->at, sizeof w->base);
    w->digits = bits_raise(w, w->base);
  }
}

/* Every number has a base from now on, which never changes. */
static void know_all(bits_coder *b, const radix_shape *s, const uint8_t *state)
{
  for (uint32_t i = 0; i < s->digit_count; i++) {
    uint32_t slot = slot_of(b, s, i);
    if (!b->known[slot])
      b->base[slot] = radix_read(&s->numbers[i], state);
    b->known[slot] = true;
  }
}

static bits_plan *make_plan(bits_coder *b, const radix_shape *s,
                            const uint8_t *state)
{
  uint32_t offsets[COMPONENTS_LIMIT + 1];
  bits_plan *p = mem_try_alloc(sizeof *p);
  if (!p)
    return NULL;
  p->component_count =
      components_split(b->shapes.map, state, s->length, offsets);
  p->number = s->number;
  p->length = s->length;
  /* A window ends before a number of at most four bytes, or a component. */
  p->window_room = s->length / 5 + p->component_count + 1;
  p->state_room = s->length + CODEC_SLACK;
  p->windows = mem_try_alloc(p->window_room * sizeof *p->windows);
  p->live = mem_try_alloc(p->window_room * sizeof *p->live);
  p->firsts = mem_try_alloc(p->component_count * sizeof *p->firsts);
  p->ends = mem_try_alloc(p->component_count * sizeof *p->ends);
  p->base = mem_try_alloc(p->state_room);
  b->bytes += plan_bytes(p);
  if (!p->windows || !p->live || !p->base ||
      (p->component_count && (!p->firsts || !p->ends))) {
    give_plan(b, p);
    return NULL;
  }
  know_all(b, s, state);
  lay_out(b, s, p, offsets);
  return p;
}

static bool make_plan_room(bits_coder *b)
{
  uint32_t room = b->shapes.shape_room;
  if (b->shapes.shape_count <= b->plan_room)
    return true;
  bits_plan **grown = mem_try_resize(b->plans, b->plan_room * sizeof *grown,
                                     room * sizeof *grown);
  if (!grown)
    return false;
  memset(grown + b->plan_room, 0, (room - b->plan_room) * sizeof *grown);
  b->plans = grown;
  b->plan_room = room;
  return true;
}

bool bits_find_plan(bits_coder *b, const uint8_t *state, uint32_t length,
                    const bits_plan **plan)
{
  radix_shape *s;
  *plan = NULL;
  if (!radix_find_shape(&b->shapes, state, length, &s))
    return false;
  if (!s)
    return true;
  if (!make_plan_room(b))
    return false;
  bits_plan **place = &b->plans[s->number - 1];
  if (!*place)
    *place = make_plan(b, s, state);
  *plan = *place;
  return *plan != NULL;
}

bits_plan *bits_make_plan(bits_coder *b, const uint8_t *state, uint32_t length)
{
  radix_shape *s;
  if (!radix_find_shape(&b->shapes, state, length, &s) || !s)
    return NULL;
  return make_plan(b, s, state);
}

void bits_free_plan(bits_coder *b, bits_plan *plan)
{
  give_plan(b, plan);
}

/* ---- checking ----------------------------------------------------------- */

static bool check_plan(const bits_plan *p)
{
  uint64_t bit = 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < p->window_count; i++) {
    const bits_window *w = &p->windows[i];
    if (w->at != at || !w->bytes || w->bytes > 8 || (w->mask & ~w->valid) ||
        (w->mask && (w->word != bit / 64 || w->shift != bit % 64)))
      return false;
    at += w->bytes;
    bit += (uint32_t)__builtin_popcountll(w->mask);
  }
  return at == p->length && p->bytes == (bit + 7) / 8;
}

bool bits_check(const bits_coder *b)
{
  for (uint32_t i = 0; i < b->plan_room; i++)
    if (b->plans[i] &&
        (b->plans[i]->number != i + 1 || !check_plan(b->plans[i])))
      return false;
  return radix_check(&b->shapes);
}
