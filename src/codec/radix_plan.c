/* Which number is where, and which digit it becomes. */

#include "base/alloc.h"
#include "base/hash.h"
#include "codec/radix.h"

#include <string.h>

enum { FIRST_SLOTS = 16 };

/* ---- what is known about numbers --------------------------------------- */

/* A fixed layout of which nothing is known but its length. */
static bool is_opaque(const radix_codec *p)
{
  return p->map->fixed && !p->fields;
}

static field_list fields_of_kind(const radix_codec *p, uint32_t kind)
{
  field_list none = {NULL, 0};
  if (!p->fields)
    return none;
  return kind ? p->fields->by_tag[kind - 1] : p->fields->globals;
}

static uint32_t bytes_of_kind(const radix_codec *p, uint32_t kind)
{
  if (is_opaque(p))
    return p->map->offsets[p->map->count];
  return kind ? p->map->sizes[kind - 1] : p->map->globals_bytes;
}

/* The numbers of a kind: its fields, and single bytes where there are none.
** 'each' gets the index of each in its kind. */
typedef void number_visitor(void *context, uint32_t index, state_field);

static uint32_t walk_kind(const radix_codec *p, uint32_t kind,
                          number_visitor *each, void *context)
{
  field_list fields = fields_of_kind(p, kind);
  uint32_t end = bytes_of_kind(p, kind), count = 0, next = 0;
  for (uint32_t at = kind ? p->map->tag_bytes : 0; at < end; count++) {
    while (next < fields.count && fields.list[next].offset < at)
      next++;
    state_field f = {at, 255, 1, false};
    if (next < fields.count && fields.list[next].offset == at &&
        at + fields.list[next].bytes <= end)
      f = fields.list[next];
    if (each)
      each(context, count, f);
    at += f.bytes;
  }
  return count;
}

static void declare(void *context, uint32_t index, state_field f)
{
  uint32_t *declared = context;
  declared[index] = f.is_signed ? UINT32_MAX : f.most;
}

bool radix_set_up(radix_codec *p)
{
  p->kinds = is_opaque(p) ? 1 : 1 + p->map->tags;
  p->starts = mem_try_alloc((p->kinds + 1) * sizeof *p->starts);
  if (!p->starts || !index_create(&p->index, FIRST_SLOTS))
    return false;
  for (uint32_t k = 0; k < p->kinds; k++)
    p->starts[k + 1] = p->starts[k] + walk_kind(p, k, NULL, NULL);
  uint32_t count = p->starts[p->kinds];
  p->limits = mem_try_alloc((count + 1) * sizeof *p->limits);
  p->declared = mem_try_alloc((count + 1) * sizeof *p->declared);
  if (!p->limits || !p->declared)
    return false;
  for (uint32_t k = 0; k < p->kinds; k++)
    walk_kind(p, k, declare, p->declared + p->starts[k]);
  /* Without a sample: what the model says, if that is not much. */
  for (uint32_t i = 0; i < count; i++)
    p->limits[i] = p->declared[i] > 255 ? 255 : p->declared[i];
  return true;
}

static uint32_t with_slack(uint32_t value, uint32_t most, bool twice)
{
  uint64_t more = twice       ? 2 * (uint64_t)value + 1
                  : value < 2 ? value
                              : value + (uint64_t)value / 4 + 1;
  return more < most ? (uint32_t)more : most;
}

void radix_widen(radix_codec *p, const radix_shape *s, const uint8_t *state,
                 bool twice)
{
  for (uint32_t i = 0; i < s->digit_count; i++) {
    const radix_number *n = &s->numbers[i];
    uint32_t value = radix_read(n, state);
    uint32_t declared = p->declared[n->slot], most = radix_mask(n);
    if (value <= declared && declared < most)
      most = declared;
    if (value > p->limits[n->slot])
      p->limits[n->slot] = with_slack(value, most, twice);
  }
}

/* ---- shapes ------------------------------------------------------------ */

/* What a plan with so many digits takes, or nearly. */
static size_t plan_bytes(uint32_t digits)
{
  return sizeof(radix_plan) +
         digits * (sizeof(radix_digit) + sizeof(uint16_t) + 1) + 1;
}

static void give_plan(radix_codec *p, radix_plan *plan)
{
  if (!plan)
    return;
  uint32_t n = plan->shape->digit_count;
  mem_free(plan->digits, n * sizeof *plan->digits);
  mem_free(plan->live, n * sizeof *plan->live);
  mem_free(plan->widths, n + 1);
  mem_free(plan, sizeof *plan);
  p->bytes -= plan_bytes(n);
}

static void give_shape(radix_codec *p, radix_shape *s)
{
  if (!s)
    return;
  for (uint32_t i = 0; i < s->plan_count; i++)
    give_plan(p, s->plans[i]);
  mem_free(s->tags, (s->tag_count + 1) * sizeof *s->tags);
  mem_free(s->numbers, s->digit_count * sizeof *s->numbers);
  mem_free(s->digit_at, (s->length + 1) * sizeof *s->digit_at);
  mem_free(s->model, s->length + 8);
  mem_free(s, sizeof *s);
}

void radix_give_up(radix_codec *p)
{
  for (uint32_t i = 0; i < p->shape_count; i++)
    give_shape(p, p->shapes[i]);
  mem_free(p->shapes, p->shape_room * sizeof *p->shapes);
  mem_free(p->plans, p->plan_room * sizeof *p->plans);
  index_destroy(&p->index);
  if (p->starts) {
    mem_free(p->limits, (p->starts[p->kinds] + 1) * sizeof *p->limits);
    mem_free(p->declared, (p->starts[p->kinds] + 1) * sizeof *p->declared);
  }
  mem_free(p->starts, (p->kinds + 1) * sizeof *p->starts);
}

/* Enters the numbers of one entity, or of the globals, into a shape. */
typedef struct placer {
  radix_shape *shape;
  uint32_t start, slot; /* of the entity */
} placer;

static void place_number(void *context, uint32_t index, state_field f)
{
  placer *x = context;
  radix_shape *s = x->shape;
  radix_number n = {x->start + f.offset, x->slot + index, f.bytes, f.is_signed};
  for (uint32_t i = 0; i < n.bytes; i++)
    s->digit_at[n.at + i] = (uint16_t)s->digit_count;
  s->numbers[s->digit_count++] = n;
  radix_write(&n, s->model, 0);
}

static void place_entities(radix_codec *p, radix_shape *s)
{
  placer x = {s, 0, 0};
  s->digit_count = 0;
  memset(s->digit_at, 0xff, s->length * sizeof *s->digit_at);
  walk_kind(p, 0, place_number, &x);
  x.start = p->map->globals_bytes;
  for (uint32_t i = 0; i < s->tag_count; i++) {
    for (uint32_t k = 0; k < p->map->tag_bytes; k++)
      s->model[x.start + k] = (uint8_t)(s->tags[i] >> 8 * k);
    x.slot = p->starts[s->tags[i] + 1];
    walk_kind(p, s->tags[i] + 1u, place_number, &x);
    x.start += p->map->sizes[s->tags[i]];
  }
}

static uint64_t hash_of_tags(const uint16_t *tags, uint32_t count)
{
  return hash_bytes(tags, count * sizeof *tags);
}

/* The tags of a state, or those that a fixed layout would have. */
static uint32_t read_tags(const radix_codec *p, const uint8_t *state,
                          uint32_t length, uint16_t *tags)
{
  uint32_t n = 0;
  if (is_opaque(p))
    return 0;
  if (p->map->fixed) {
    n = p->map->count - p->map->slices;
    for (uint32_t i = 0; i < n; i++)
      tags[i] = p->fields->tags[i];
    return n;
  }
  for (uint32_t at = p->map->globals_bytes; at < length;) {
    uint32_t tag = state[at];
    if (p->map->tag_bytes == 2)
      tag |= (uint32_t)state[at + 1] << 8;
    tags[n++] = (uint16_t)tag;
    at += p->map->sizes[tag];
  }
  return n;
}

static radix_shape *find_shape(const radix_codec *p, const uint16_t *tags,
                               uint32_t n)
{
  uint64_t hash = hash_of_tags(tags, n);
  for (uint32_t at = index_start(&p->index, hash); p->index.slots[at];
       at = index_next(&p->index, at)) {
    uint32_t number = index_number(&p->index, at, hash);
    if (!number)
      continue;
    radix_shape *s = p->shapes[number - 1];
    if (s->tag_count == n && !memcmp(s->tags, tags, n * sizeof *tags))
      return s;
  }
  return NULL;
}

static bool make_shape_room(radix_codec *p)
{
  if (p->shape_count == p->shape_room) {
    uint32_t room = 2 * p->shape_room + 4;
    radix_shape **grown = mem_try_resize(
        p->shapes, p->shape_room * sizeof *grown, room * sizeof *grown);
    if (!grown)
      return false;
    p->shapes = grown;
    p->shape_room = room;
  }
  if (!index_is_full(&p->index, p->shape_count + 1))
    return true;
  hash_index grown;
  if (!index_create(&grown, (p->index.mask + 1) * 2))
    return false;
  for (uint32_t i = 0; i < p->shape_count; i++)
    index_put(&grown, hash_of_tags(p->shapes[i]->tags, p->shapes[i]->tag_count),
              i + 1);
  index_destroy(&p->index);
  p->index = grown;
  return true;
}

static uint32_t count_digits(const radix_codec *p, const uint16_t *tags,
                             uint32_t n)
{
  uint32_t sum = p->starts[1];
  for (uint32_t i = 0; i < n; i++)
    sum += p->starts[tags[i] + 2] - p->starts[tags[i] + 1];
  return sum;
}

static radix_shape *make_shape(radix_codec *p, const uint16_t *tags, uint32_t n,
                               uint32_t length)
{
  radix_shape *s = mem_try_alloc(sizeof *s);
  if (!s)
    return NULL;
  s->tag_count = n;
  s->length = length;
  s->digit_count = count_digits(p, tags, n);
  s->tags = mem_try_alloc((n + 1) * sizeof *tags);
  s->numbers = mem_try_alloc(s->digit_count * sizeof *s->numbers);
  s->digit_at = mem_try_alloc((length + 1) * sizeof *s->digit_at);
  s->model = mem_try_alloc(length + 8);
  if (!s->tags || (s->digit_count && !s->numbers) || !s->digit_at ||
      !s->model || !make_shape_room(p)) {
    give_shape(p, s);
    return NULL;
  }
  memcpy(s->tags, tags, n * sizeof *tags);
  place_entities(p, s);
  p->bytes += sizeof *s + (n + 1) * sizeof *tags + length + 8 +
              s->digit_count * sizeof *s->numbers +
              (length + 1) * sizeof *s->digit_at;
  p->shapes[p->shape_count++] = s;
  s->number = p->shape_count;
  index_put(&p->index, hash_of_tags(tags, n), p->shape_count);
  return s;
}

bool radix_find_shape(radix_codec *p, const uint8_t *state, uint32_t length,
                      radix_shape **shape)
{
  uint16_t tags[COMPONENTS_LIMIT];
  uint32_t n = read_tags(p, state, length, tags);
  *shape = find_shape(p, tags, n);
  if (*shape || p->shape_count >= RADIX_SHAPES ||
      count_digits(p, tags, n) > RADIX_DIGITS)
    return true;
  *shape = make_shape(p, tags, n, length);
  return *shape != NULL;
}

/* ---- plans ------------------------------------------------------------- */

static uint32_t bytes_for(uint64_t greatest)
{
  uint32_t n = 0;
  for (; greatest; greatest >>= 8)
    n++;
  return n;
}

/* Puts the numbers into cells, one after the other, a new cell when the next
** does not fit. */
static void lay_out(const radix_codec *p, radix_plan *plan)
{
  const radix_shape *s = plan->shape;
  const radix_plan *before = plan->index ? s->plans[plan->index - 1] : NULL;
  uint64_t upper = 1;
  plan->cells = 1;
  for (uint32_t i = 0; i < s->digit_count; i++) {
    radix_digit *d = &plan->digits[i];
    d->most = p->limits[s->numbers[i].slot];
    d->before = before ? before->digits[i].most : UINT32_MAX;
    uint64_t radix = (uint64_t)d->most + 1, product;
    if (__builtin_mul_overflow(upper, radix, &product)) {
      plan->widths[plan->cells++ - 1] = (uint8_t)bytes_for(upper - 1);
      upper = 1;
      product = radix;
    }
    d->cell = plan->cells - 1;
    d->lower = upper;
    d->inverse = UINT64_MAX / radix;
    upper = product;
    if (d->most)
      plan->live[plan->live_count++] = (uint16_t)i;
  }
  plan->widths[plan->cells - 1] = (uint8_t)bytes_for(upper - 1);
  for (uint32_t i = 0; i < plan->cells; i++)
    plan->length += plan->widths[i];
}

static bool make_plan_room(radix_codec *p)
{
  if (p->plan_count < p->plan_room)
    return true;
  uint32_t room = 2 * p->plan_room + 8;
  radix_plan **grown = mem_try_resize(p->plans, p->plan_room * sizeof *grown,
                                      room * sizeof *grown);
  if (!grown)
    return false;
  p->plans = grown;
  p->plan_room = room;
  return true;
}

/* The last plan of a shape keeps states verbatim, so that all fit. */
static radix_plan *make_plan(radix_codec *p, radix_shape *s)
{
  uint32_t n = s->digit_count;
  bool verbatim = s->plan_count + 1 == RADIX_PLANS;
  radix_plan *plan = mem_try_alloc(sizeof *plan);
  if (!plan)
    return NULL;
  plan->shape = s;
  plan->index = s->plan_count;
  p->bytes += plan_bytes(n);
  if (!verbatim) {
    plan->digits = mem_try_alloc(n * sizeof *plan->digits);
    plan->live = mem_try_alloc(n * sizeof *plan->live);
    plan->widths = mem_try_alloc(n + 1);
  }
  bool made =
      verbatim || (plan->widths && (!n || (plan->digits && plan->live)));
  if (!made || !make_plan_room(p)) {
    give_plan(p, plan);
    return NULL;
  }
  if (verbatim)
    plan->length = s->length;
  else
    lay_out(p, plan);
  if (plan->index && plan->length <= s->plans[plan->index - 1]->length)
    plan->length = s->plans[plan->index - 1]->length + 1;
  s->plans[s->plan_count++] = plan;
  p->plans[p->plan_count++] = plan;
  plan->number = p->plan_count;
  return plan;
}

static bool fits(const radix_plan *plan, const uint8_t *state)
{
  const radix_shape *s = plan->shape;
  for (uint32_t i = 0; plan->digits && i < s->digit_count; i++)
    if (radix_read(&s->numbers[i], state) > plan->digits[i].most)
      return false;
  return true;
}

const radix_plan *radix_find_plan(radix_codec *p, radix_shape *s,
                                  const uint8_t *state)
{
  for (uint32_t i = 0; i < s->plan_count; i++)
    if (fits(s->plans[i], state))
      return s->plans[i];
  radix_widen(p, s, state, s->plan_count > 0);
  return make_plan(p, s);
}

/* ---- checking ---------------------------------------------------------- */

static bool check_plan(const radix_plan *plan)
{
  const radix_shape *s = plan->shape;
  const radix_plan *before = plan->index ? s->plans[plan->index - 1] : NULL;
  if (before && plan->length <= before->length)
    return false;
  for (uint32_t i = 0; plan->digits && i < s->digit_count; i++)
    if (before && plan->digits[i].most < before->digits[i].most)
      return false;
  return true;
}

bool radix_check(const radix_codec *p)
{
  for (uint32_t i = 0; i < p->plan_count; i++)
    if (p->plans[i]->number != i + 1 || !check_plan(p->plans[i]))
      return false;
  for (uint32_t i = 0; i < p->shape_count; i++) {
    const radix_shape *s = p->shapes[i];
    if (s->number != i + 1 || find_shape(p, s->tags, s->tag_count) != s)
      return false;
  }
  return true;
}
