/* Levels to bits and back; more bits when a value needs them. */

#include "symbolic/library/level_bits.h"

#include <assert.h>

/* ---- values ------------------------------------------------------------- */

static bool is_negative(uint32_t value)
{
  return value >> 31;
}

static uint32_t bits_of(uint32_t value)
{
  uint32_t rest = is_negative(value) ? ~value : value, n = 0;
  for (; rest; rest >>= 1)
    n++;
  return n;
}

static bool fits(const bit_level *l, uint32_t value)
{
  return bits_of(value) <= l->pairs.len && (l->has_sign || !is_negative(value));
}

void level_bits_want(bdd_library *b, uint32_t level, uint32_t value)
{
  bit_level *l = &b->levels.data[level];
  uint32_t needed = bits_of(value);
  if (needed > l->wanted)
    l->wanted = needed;
  l->wants_sign |= is_negative(value);
  b->wider = true;
}

bool level_bits_put(bdd_library *b, uint32_t level, uint32_t value, bool after)
{
  const bit_level *l = &b->levels.data[level];
  if (!fits(l, value)) {
    level_bits_want(b, level, value);
    return false;
  }
  for (uint32_t i = 0; i < l->pairs.len; i++)
    b->values.data[bit_now(l->pairs.data[i]) + after] = value >> i & 1;
  if (l->has_sign)
    b->values.data[bit_now(l->sign) + after] = is_negative(value);
  return true;
}

void level_bits_clear(bdd_library *b, uint32_t level, bool after)
{
  const bit_level *l = &b->levels.data[level];
  for (uint32_t i = 0; i < l->pairs.len; i++)
    b->values.data[bit_now(l->pairs.data[i]) + after] = ROBDD_ANY;
  if (l->has_sign)
    b->values.data[bit_now(l->sign) + after] = ROBDD_ANY;
}

uint32_t level_bits_get(const bdd_library *b, uint32_t level,
                        const uint8_t *values)
{
  const bit_level *l = &b->levels.data[level];
  uint32_t value = 0;
  if (l->has_sign && values[bit_now(l->sign)] == 1)
    value = ~(uint32_t)0 << l->pairs.len;
  for (uint32_t i = 0; i < l->pairs.len; i++)
    if (values[bit_now(l->pairs.data[i])] == 1)
      value |= (uint32_t)1 << i;
  return value;
}

void level_bits_variables(const bdd_library *b, uint32_t level, bool after,
                          value_list *out)
{
  const bit_level *l = &b->levels.data[level];
  for (uint32_t i = 0; i < l->pairs.len; i++)
    vec_push(out, bit_now(l->pairs.data[i]) + after);
  if (l->has_sign)
    vec_push(out, bit_now(l->sign) + after);
}

/* ---- sets of vectors ---------------------------------------------------- */

robdd level_bits_cube(bdd_library *b)
{
  return robdd_cube(b->manager, b->variables.data, NULL, b->variables.len);
}

robdd level_bits_project(bdd_library *b, robdd set, const uint32_t *levels,
                         uint32_t count)
{
  b->work[0] = set;
  vec_clear(&b->variables);
  for (uint32_t level = 0, k = 0; level < b->levels.len; level++)
    if (k < count && levels[k] == level)
      k++;
    else
      level_bits_variables(b, level, false, &b->variables);
  robdd result = robdd_exists(b->manager, set, level_bits_cube(b));
  b->work[0] = ROBDD_FALSE;
  return result;
}

robdd level_bits_insert(bdd_library *b, robdd vectors, const uint32_t *levels,
                        uint32_t count, const uint32_t *vector)
{
  bool good = true;
  for (uint32_t i = 0; i < count; i++)
    good = level_bits_put(b, levels[i], vector[i], false) && good;
  assert(good);
  robdd result = robdd_add_assignment(b->manager, vectors, b->values.data);
  for (uint32_t i = 0; i < count; i++)
    level_bits_clear(b, levels[i], false);
  return result;
}

/* All vectors of one cube: the bits that do not matter count up. */
static void list_cube(bdd_library *b, const uint32_t *levels, uint32_t count,
                      value_list *out)
{
  uint8_t *cube = b->cube.data;
  vec_clear(&b->variables);
  for (uint32_t i = 0; i < count; i++)
    level_bits_variables(b, levels[i], false, &b->variables);
  size_t open = 0;
  for (size_t i = 0; i < b->variables.len; i++)
    if (cube[b->variables.data[i]] == ROBDD_ANY)
      b->variables.data[open++] = b->variables.data[i];
  for (size_t i = 0; i < open; i++)
    cube[b->variables.data[i]] = 0;
  for (bool more = true; more;) {
    for (uint32_t i = 0; i < count; i++)
      vec_push(out, level_bits_get(b, levels[i], cube));
    size_t at = 0;
    while (at < open && cube[b->variables.data[at]])
      cube[b->variables.data[at++]] = 0;
    more = at < open;
    if (more)
      cube[b->variables.data[at]] = 1;
  }
  for (size_t i = 0; i < open; i++)
    cube[b->variables.data[i]] = ROBDD_ANY;
}

void level_bits_list(bdd_library *b, robdd vectors, const uint32_t *levels,
                     uint32_t count, value_list *out)
{
  bool more = robdd_first_cube(b->manager, vectors, b->cube.data);
  while (more) {
    list_cube(b, levels, count, out);
    more = robdd_next_cube(b->manager, vectors, b->cube.data);
  }
}

/* ---- making room -------------------------------------------------------- */

/* The arrays by variable keep up with the manager. */
static void grow_arrays(bdd_library *b)
{
  while (b->values.len < robdd_variables(b->manager)) {
    vec_push(&b->values, ROBDD_ANY);
    vec_push(&b->cube, ROBDD_ANY);
    vec_push(&b->weights, 0);
  }
}

/* A new pair at a place of the order; its number is that of the pairs before.*/
static bool add_pair(bdd_library *b, uint32_t place, uint32_t *pair)
{
  robdd_manager *m = b->manager;
  uint32_t old = robdd_variables(m);
  if (old + 2 > ROBDD_MOST_VARIABLES) {
    b->outgrown = true;
    return false;
  }
  if (!robdd_insert_variable(m, place) || !robdd_insert_variable(m, place + 1))
    return false;
  robdd_group(m, old, 2);
  *pair = old / 2;
  return true;
}

bool level_bits_ready(bdd_library *b)
{
  while (b->levels.len < b->options.levels) {
    uint32_t pair;
    bit_level new = {.wanted = 1};
    if (!add_pair(b, robdd_variables(b->manager), &pair))
      return false;
    vec_push(&b->levels, new);
    vec_push(&vec_last(&b->levels).pairs, pair);
  }
  grow_arrays(b);
  return true;
}

void level_bits_free(bdd_library *b)
{
  for (size_t i = 0; i < b->levels.len; i++)
    vec_free(&b->levels.data[i].pairs);
  vec_free(&b->levels);
  vec_free(&b->values);
  vec_free(&b->cube);
  vec_free(&b->weights);
  vec_free(&b->variables);
  vec_free(&b->room);
}

/* Adds what holds of a new bit to 'room': it is the sign, or 0. */
static bool say_of_pair(bdd_library *b, const bit_level *l, uint32_t pair,
                        bool after, robdd *room)
{
  robdd_manager *m = b->manager;
  robdd bit = robdd_variable(m, bit_now(pair) + after);
  robdd sign =
      l->has_sign ? robdd_variable(m, bit_now(l->sign) + after) : ROBDD_FALSE;
  *room = robdd_and(m, *room, robdd_equiv(m, bit, sign));
  return *room != ROBDD_FULL;
}

/* Gives a level the bits it wants.  'now' and 'after' get what holds of them.
 */
static bool widen_level(bdd_library *b, bit_level *l, robdd *now, robdd *after)
{
  while (l->pairs.len < l->wanted || (l->wants_sign && !l->has_sign)) {
    bool is_sign = l->wants_sign && !l->has_sign;
    uint32_t highest = l->has_sign ? l->sign : vec_last(&l->pairs), pair;
    uint32_t place = robdd_level_of(b->manager, bit_now(highest));
    vec_grow(&l->pairs, 1);
    if (!add_pair(b, place, &pair) || !say_of_pair(b, l, pair, false, now) ||
        !say_of_pair(b, l, pair, true, after))
      return false;
    if (is_sign) {
      l->has_sign = true;
      l->sign = pair;
    } else {
      vec_push(&l->pairs, pair);
    }
  }
  return true;
}

static bool widen_levels(bdd_library *b, robdd *room)
{
  size_t n = b->levels.len;
  for (size_t i = 0; i < n; i++) {
    bit_level *l = &b->levels.data[i];
    if (l->wanted > BITS_MOST) {
      b->outgrown = true;
      return false;
    }
    if (!widen_level(b, l, &room[i], &room[n + i]))
      return false;
  }
  return true;
}

static bool widen_sets(bdd_library *b, const robdd *room)
{
  robdd_manager *m = b->manager;
  robdd all = ROBDD_TRUE;
  for (size_t i = b->levels.len; i-- > 0;)
    all = robdd_and(m, all, room[i]);
  bool good = all != ROBDD_FULL;
  for (size_t i = 0; i < b->registered.len; i++)
    for (size_t k = 0; k < b->registered.data[i].count; k++) {
      symbolic_set *set = &b->registered.data[i].sets[k];
      *set = robdd_and(m, *set, all);
      good = good && *set != ROBDD_FULL;
    }
  return good;
}

/* Nothing is collected on the way, so that nothing need be protected. */
bool level_bits_widen(bdd_library *b)
{
  vec_clear(&b->room);
  for (size_t i = 0; i < 2 * b->levels.len; i++)
    vec_push(&b->room, ROBDD_TRUE);
  b->wider = false;
  b->version++;
  robdd_collect(b->manager);
  robdd_hold(b->manager);
  bool good = widen_levels(b, b->room.data) && widen_sets(b, b->room.data) &&
              bdd_events_widen(b, b->room.data);
  robdd_release(b->manager);
  grow_arrays(b);
  return good;
}
