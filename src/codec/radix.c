/* Encoding and decoding by the plans of 'radix_plan.c'. */

#include "codec/radix.h"
#include "base/alloc.h"
#include "codec/number.h"

#include <string.h>

__extension__ typedef unsigned __int128 radix_wide;

static radix_codec *of(codec *c)
{
  return (radix_codec *)c;
}

static const radix_codec *in(const codec *c)
{
  return (const radix_codec *)c;
}

/* ---- set-up ------------------------------------------------------------ */

static size_t cell_bytes(uint32_t room)
{
  return (CODEC_HANDS + 1) * (size_t)room * sizeof(uint64_t);
}

/* The cells of a state on its way. */
static uint64_t *draft_of(const radix_codec *p)
{
  return p->cells + (size_t)CODEC_HANDS * p->room;
}

static void destroy(codec *c)
{
  radix_codec *p = of(c);
  if (!p)
    return;
  radix_give_up(p);
  mem_free(p->states, (size_t)CODEC_HANDS * p->room);
  mem_free(p->cells, cell_bytes(p->room));
  mem_free(p, sizeof *p);
}

static codec *create(const codec_settings *settings)
{
  radix_codec *p = mem_try_alloc(sizeof *p);
  if (!p)
    return NULL;
  p->map = settings->map;
  p->fields = settings->fields;
  if (radix_set_up(p))
    return (codec *)p;
  destroy((codec *)p);
  return NULL;
}

static void learn(codec *c, const uint8_t *state, uint32_t length)
{
  radix_codec *p = of(c);
  radix_shape *s;
  if (p->plan_count)
    return;
  if (!p->learnt)
    memset(p->limits, 0, p->starts[p->kinds] * sizeof *p->limits);
  p->learnt = true;
  if (radix_find_shape(p, state, length, &s) && s)
    radix_widen(p, s, state, false);
}

/* There are at most as many cells as bytes, and one. */
static bool reserve_room(codec *c, uint32_t length)
{
  radix_codec *p = of(c);
  uint32_t room = length + length / 4 + 16;
  if (length + 16 <= p->room)
    return true;
  uint8_t *states = mem_try_alloc((size_t)CODEC_HANDS * room);
  uint64_t *cells = mem_try_alloc(cell_bytes(room));
  if (!states || !cells) {
    mem_free(states, (size_t)CODEC_HANDS * room);
    mem_free(cells, cell_bytes(room));
    return false;
  }
  mem_free(p->states, (size_t)CODEC_HANDS * p->room);
  mem_free(p->cells, cell_bytes(p->room));
  for (uint32_t i = 0; i < CODEC_HANDS; i++)
    p->hands[i] = (radix_hand){.state = states + (size_t)i * room,
                               .cells = cells + (size_t)i * room};
  p->states = states;
  p->cells = cells;
  p->room = room;
  return true;
}

static uint32_t most_bytes(const codec *c, uint32_t length)
{
  (void)c;
  return length + RADIX_PLANS + NUMBER_MOST + 8;
}

static uint32_t most_elements(const codec *c, uint32_t length)
{
  (void)c;
  return length + 1;
}

/* ---- states to cells ---------------------------------------------------- */

/* All digits of a state that fits the plan. */
static void fill_cells(const radix_plan *plan, const uint8_t *state,
                       uint64_t *cells)
{
  const radix_number *numbers = plan->shape->numbers;
  memset(cells, 0, plan->cells * sizeof *cells);
  for (uint32_t k = 0; k < plan->live_count; k++) {
    uint32_t i = plan->live[k];
    const radix_digit *d = &plan->digits[i];
    cells[d->cell] += d->lower * radix_read(&numbers[i], state);
  }
}

/* Digits that do not fit the plan before; the first plan has none before it,
** and no state of it can fit there. */
static uint32_t count_over(const radix_plan *plan, const uint8_t *state)
{
  const radix_number *numbers = plan->shape->numbers;
  uint32_t over = !plan->index;
  for (uint32_t k = 0; plan->index && k < plan->live_count; k++) {
    uint32_t i = plan->live[k];
    over += radix_read(&numbers[i], state) > plan->digits[i].before;
  }
  return over;
}

/* Eight bytes of a state, or what is left of it, from 'at' on. */
static uint64_t load(const uint8_t *state, uint32_t at, uint32_t length)
{
  uint64_t word = 0;
  uint32_t left = length - at;
  if (left >= 8) {
    memcpy(&word, state + at, 8);
  } else if (length >= 8) { /* the last eight, without what came before */
    memcpy(&word, state + length - 8, 8);
    word >>= 8 * (8 - left);
  } else {
    memcpy(&word, state + at, left);
  }
  return word;
}

/* Changes the cells by what number 'i' has become.  False: it does not fit. */
static bool change_digit(const radix_hand *h, const codec_state *s, uint32_t i,
                         uint64_t *cells, uint32_t *over)
{
  const radix_number *n = &h->plan->shape->numbers[i];
  const radix_digit *d = &h->plan->digits[i];
  uint32_t old = radix_read(n, h->state), new = radix_read(n, s->state);
  if (new > d->most)
    return false;
  *over += (new > d->before) - (old > d->before);
  cells[d->cell] += d->lower * ((uint64_t) new - old);
  return true;
}

/* Makes the cells from those at hand by the bytes that differ.  False: the
** state has another shape, or fits another plan, and must be encoded whole. */
static bool encode_difference(const radix_hand *h, const codec_state *s,
                              uint64_t *cells)
{
  const radix_shape *shape = h->plan->shape;
  uint32_t over = h->over, done = 0;
  for (uint32_t i = 0; i < h->plan->cells; i++)
    cells[i] = h->cells[i];
  for (uint32_t at = 0; at < s->length; at += 8) {
    uint64_t other =
        load(s->state, at, s->length) ^ load(h->state, at, s->length);
    while (other) {
      uint32_t byte = at + (uint32_t)__builtin_ctzll(other) / 8;
      other &= ~(UINT64_C(0xff) << 8 * (byte - at));
      if (byte < done)
        continue;
      uint32_t i = shape->digit_at[byte];
      if (i == RADIX_NO_DIGIT || !change_digit(h, s, i, cells, &over))
        return false;
      done = shape->numbers[i].at + shape->numbers[i].bytes;
    }
  }
  return over > 0;
}

/* Finds the plan of a state: '*plan' is NULL when it is kept as it is because
** of its shape.  False: no memory. */
static bool find_plan(radix_codec *p, const codec_state *s,
                      const radix_plan **plan)
{
  radix_shape *shape;
  *plan = NULL;
  if (!radix_find_shape(p, s->state, s->length, &shape))
    return false;
  if (!shape)
    return true;
  *plan = radix_find_plan(p, shape, s->state);
  return *plan != NULL;
}

/* Sets that do not give states back take tuples, which are read faster than
** compared: nothing is at hand. */
static void take(codec *c, const uint8_t *state, uint32_t length)
{
  (void)state, (void)length;
  of(c)->hands[0].plan = NULL;
}

/* ---- cells to bytes, and back ------------------------------------------- */

static uint32_t write_code(const radix_codec *p, const radix_plan *plan,
                           const uint64_t *cells, uint8_t *code)
{
  uint8_t *out = p->map->fixed ? code : number_write(code, plan->number);
  uint8_t *end = out + plan->length;
  for (uint32_t i = 0; i < plan->cells; i++) {
    memcpy(out, &cells[i], sizeof *cells);
    out += plan->widths[i];
  }
  while (out < end) /* some plans have a byte more than they need */
    *out++ = 0;
  return (uint32_t)(end - code);
}

/* A state as it is; 'plan' is NULL when there is none for its shape. */
static uint32_t write_verbatim(const radix_codec *p, const radix_plan *plan,
                               const codec_state *s, uint8_t *code)
{
  uint32_t length = plan ? plan->length : s->length;
  uint8_t *out =
      p->map->fixed ? code : number_write(code, plan ? plan->number : 0);
  memset(out, 0, length);
  if (s->length)
    memcpy(out, s->state, s->length);
  return (uint32_t)(out + length - code);
}

static uint32_t to_bytes(codec *c, const codec_state *s, uint8_t *code)
{
  radix_codec *p = of(c);
  const radix_hand *h = &p->hands[s->hand];
  const radix_plan *plan = h->plan;
  uint64_t *cells = draft_of(p);
  if (plan && s->length == plan->shape->length &&
      encode_difference(h, s, cells))
    return write_code(p, plan, cells, code);
  if (!find_plan(p, s, &plan))
    return CODEC_FULL;
  if (!plan || !plan->digits)
    return write_verbatim(p, plan, s, code);
  fill_cells(plan, s->state, cells);
  return write_code(p, plan, cells, code);
}

/* The plan a code was made by, or NULL; '*code' moves behind its number. */
static const radix_plan *plan_of_code(const radix_codec *p,
                                      const uint8_t **code, uint32_t *length)
{
  uint32_t number;
  if (!p->map->fixed) {
    const uint8_t *start = *code;
    *code = number_read(start, &number);
    *length -= (uint32_t)(*code - start);
    return number ? p->plans[number - 1] : NULL;
  }
  for (uint32_t i = 0; i < p->plan_count; i++)
    if (p->plans[i]->length == *length)
      return p->plans[i];
  return NULL;
}

static void read_cells(const radix_plan *plan, const uint8_t *code,
                       uint64_t *cells)
{
  for (uint32_t i = 0; i < plan->cells; i++) {
    cells[i] = 0;
    memcpy(&cells[i], code, plan->widths[i]);
    code += plan->widths[i];
  }
}

/* Takes the digits off the cells one after the other.  The quotient by the
** rounded inverse is at most two too small. */
static void write_numbers(const radix_plan *plan, const uint64_t *cells,
                          uint8_t *state)
{
  const radix_shape *s = plan->shape;
  uint32_t cell = UINT32_MAX;
  uint64_t left = 0;
  memcpy(state, s->model, s->length);
  for (uint32_t k = 0; k < plan->live_count; k++) {
    const radix_digit *d = &plan->digits[plan->live[k]];
    if (d->cell != cell) {
      cell = d->cell;
      left = cells[cell];
    }
    uint64_t radix = (uint64_t)d->most + 1;
    uint64_t quotient = (uint64_t)((radix_wide)left * d->inverse >> 64);
    uint64_t digit = left - quotient * radix;
    while (digit >= radix) {
      digit -= radix;
      quotient++;
    }
    left = quotient;
    radix_write(&s->numbers[plan->live[k]], state, (uint32_t)digit);
  }
}

static const uint8_t *take_code(codec *c, uint32_t hand, const uint8_t *code,
                                uint32_t code_length, uint32_t *length)
{
  radix_codec *p = of(c);
  const radix_plan *plan = plan_of_code(p, &code, &code_length);
  radix_hand *h = &p->hands[hand];
  *length = plan ? plan->shape->length : code_length;
  h->plan = plan && plan->digits ? plan : NULL;
  if (!h->plan) {
    if (*length)
      memcpy(h->state, code, *length);
    return h->state;
  }
  read_cells(plan, code, h->cells);
  write_numbers(plan, h->cells, h->state);
  h->over = count_over(plan, h->state);
  return h->state;
}

static uint32_t from_bytes(const codec *c, const uint8_t *code, uint32_t length,
                           uint8_t *state)
{
  const radix_codec *p = in(c);
  const radix_plan *plan = plan_of_code(p, &code, &length);
  if (plan && plan->digits) {
    read_cells(plan, code, draft_of(p));
    write_numbers(plan, draft_of(p), state);
  } else {
    length = plan ? plan->shape->length : length;
    if (length)
      memcpy(state, code, length);
    return length;
  }
  return plan->shape->length;
}

/* ---- tuples: one element per number, after that of the shape ------------ */

static uint32_t to_tuple(codec *c, const codec_state *s, uint32_t *tuple)
{
  radix_codec *p = of(c);
  radix_shape *shape;
  uint32_t *out = tuple;
  if (!radix_find_shape(p, s->state, s->length, &shape))
    return CODEC_FULL;
  if (!p->map->fixed)
    *out++ = shape ? shape->number : 0;
  if (shape)
    for (uint32_t i = 0; i < shape->digit_count; i++)
      *out++ = radix_read(&shape->numbers[i], s->state);
  else
    for (uint32_t i = 0; i < s->length; i++)
      *out++ = s->state[i];
  return (uint32_t)(out - tuple);
}

static uint32_t from_tuple(const codec *c, const uint32_t *tuple,
                           uint32_t length, uint8_t *state)
{
  const radix_codec *p = in(c);
  bool fixed = p->map->fixed;
  uint32_t number = fixed ? p->shape_count : tuple[0];
  const uint32_t *digits = fixed ? tuple : tuple + 1;
  length -= !fixed;
  if (!number) {
    for (uint32_t i = 0; i < length; i++)
      state[i] = (uint8_t)digits[i];
    return length;
  }
  const radix_shape *s = p->shapes[number - 1];
  memcpy(state, s->model, s->length);
  for (uint32_t i = 0; i < s->digit_count; i++)
    radix_write(&s->numbers[i], state, digits[i]);
  return s->length;
}

/* ---- the class ---------------------------------------------------------- */

/* There is a shape as soon as a state was encoded. */
static uint32_t element_at(const codec *c, uint32_t at)
{
  const radix_codec *p = in(c);
  return p->shape_count ? p->shapes[0]->digit_at[at] : at;
}

static size_t bytes(const codec *c)
{
  const radix_codec *p = in(c);
  return sizeof *p + p->bytes + (size_t)CODEC_HANDS * p->room +
         cell_bytes(p->room) + index_bytes(&p->index) +
         p->shape_room * sizeof *p->shapes + p->plan_room * sizeof *p->plans +
         (p->kinds + 1) * sizeof *p->starts +
         2 * (p->starts[p->kinds] + 1) * sizeof *p->limits;
}

static bool check(const codec *c)
{
  return radix_check(in(c));
}

const codec_class codec_radix = {
    .name = "pack",
    .summary = "every number in the room that its range needs",
    .create = create,
    .most_bytes = most_bytes,
    .most_elements = most_elements,
    .learn = learn,
    .reserve = reserve_room,
    .take = take,
    .take_code = take_code,
    .to_bytes = to_bytes,
    .to_tuple = to_tuple,
    .from_bytes = from_bytes,
    .from_tuple = from_tuple,
    .element_at = element_at,
    .bytes = bytes,
    .check = check,
    .destroy = destroy,
};
