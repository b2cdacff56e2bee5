/* Values of a colour that behave alike become one.
**
** A coloured place has been unfolded: it is a block of places, one for each value.
** When no transition tells the values apart, only the number of tokens in the
** block counts:
**
**   (p.1) -> t(x=1) -> (q)          [p] -> t -> (q)
**   (p.2) -> t(x=2) -> (q)
**
** Transitions that do the same to blocks are a class.  A block can be joined when
** each transition takes at most one token from it and nobody asks whether it has
** few, and when in each class there is a transition for every choice of places
** from the blocks that it takes from: wherever the tokens are, one of the class
** can fire.  Lifting a path takes any that can. */

#include "net/shrink/shrink_internal.h"

#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

typedef struct blocks {
  arena *arena;
  const petri *net;
  const uint32_t *block; /* by place */
  uint32_t count;
  uint32_t *size;   /* by block */
  bool *joined;     /* by block */
  uint32_t *unit;   /* by place: the place it becomes */
  uint32_t *tokens; /* scratch, by block */
  uint32_t units;
} blocks;

/* ---- classes ---------------------------------------------------------------- */

/* A transition with its arcs to units, in rising order. */
typedef struct image {
  petri_arc *arcs;
  uint32_t count, transition;
  uint64_t hash;
} image;

static int by_place(const void *a, const void *b)
{
  const petri_arc *x = a, *y = b;
  return x->place < y->place ? -1 : x->place > y->place;
}

static image image_of(blocks *b, uint32_t t)
{
  const petri *n = b->net;
  uint32_t count = n->first[t + 1] - n->first[t], kept = 0;
  image made = {ARENA_ARRAY(b->arena, petri_arc, count + 1), 0, t, 0};
  for (uint32_t i = 0; i < count; i++) {
    made.arcs[i] = n->arcs[n->first[t] + i];
    made.arcs[i].place = b->unit[made.arcs[i].place];
  }
  qsort(made.arcs, count, sizeof *made.arcs, by_place);
  for (uint32_t i = 0; i < count; i++) {
    petri_arc *last = kept ? &made.arcs[kept - 1] : NULL;
    if (!last || last->place != made.arcs[i].place) {
      made.arcs[kept++] = made.arcs[i];
      continue;
    }
    last->take += made.arcs[i].take;
    last->put += made.arcs[i].put;
  }
  made.count = kept;
  made.hash = hash_bytes(made.arcs, kept * sizeof *made.arcs);
  return made;
}

static int by_image(const void *a, const void *b)
{
  const image *x = a, *y = b;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  if (x->count != y->count)
    return x->count < y->count ? -1 : 1;
  int order = memcmp(x->arcs, y->arcs, x->count * sizeof *x->arcs);
  return order ? order
               : (x->transition > y->transition) -
                     (x->transition < y->transition);
}

static bool is_same_class(const image *x, const image *y)
{
  return x->hash == y->hash && x->count == y->count &&
         !memcmp(x->arcs, y->arcs, x->count * sizeof *x->arcs);
}

static void number_units(blocks *b)
{
  uint32_t *of_block = ARENA_ARRAY(b->arena, uint32_t, b->count + 1);
  b->units = 0;
  for (uint32_t p = 0; p < b->net->place_count; p++) {
    uint32_t block = b->block[p];
    if (!b->joined[block]) {
      b->unit[p] = b->units++;
      continue;
    }
    if (!of_block[block])
      of_block[block] = ++b->units;
    b->unit[p] = of_block[block] - 1;
  }
}

static image *sorted_images(blocks *b)
{
  image *list = ARENA_ARRAY(b->arena, image, b->net->transition_count + 1);
  number_units(b);
  for (uint32_t t = 0; t < b->net->transition_count; t++)
    list[t] = image_of(b, t);
  qsort(list, b->net->transition_count, sizeof *list, by_image);
  return list;
}

/* ---- which blocks can be joined ----------------------------------------------- */

/* Blocks that some transition takes several tokens from, or waits for. */
static void exclude_by_arcs(blocks *b)
{
  const petri *n = b->net;
  for (uint32_t t = 0; t < n->transition_count; t++) {
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
      b->tokens[b->block[n->arcs[i].place]] = 0;
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
      uint32_t block = b->block[n->arcs[i].place];
      int32_t take = n->arcs[i].take;
      b->tokens[block] += take > 1 ? 2 : (uint32_t)take;
      if (b->tokens[block] > 1 || n->arcs[i].below)
        b->joined[block] = false;
    }
  }
}

/* The places of joined blocks that a transition takes from, in the order of its
** arcs' blocks. */
typedef struct choice {
  uint64_t hash;
} choice;

static uint64_t choice_of(const blocks *b, uint32_t t)
{
  const petri *n = b->net;
  uint64_t sum = 0; /* of mixed numbers: no order is needed */
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
    if (n->arcs[i].take && b->joined[b->block[n->arcs[i].place]])
      sum += hash_mix((uint64_t)n->arcs[i].place + 1);
  return sum;
}

static int by_hash(const void *a, const void *b)
{
  const choice *x = a, *y = b;
  return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* How many choices there are in all; 0: too many. */
static uint64_t choices_of(const blocks *b, uint32_t t)
{
  const petri *n = b->net;
  uint64_t product = 1;
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
    uint32_t block = b->block[n->arcs[i].place];
    if (n->arcs[i].take && b->joined[block])
      product = product > UINT32_MAX ? 0 : product * b->size[block];
  }
  return product;
}

static bool has_all_choices(blocks *b, const image *list, uint32_t count)
{
  uint64_t all = choices_of(b, list[0].transition);
  choice *found = ARENA_ARRAY(b->arena, choice, count + 1);
  uint64_t different = 0;
  if (!all || all > count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    found[i].hash = choice_of(b, list[i].transition);
  qsort(found, count, sizeof *found, by_hash);
  for (uint32_t i = 0; i < count; i++)
    different += !i || found[i].hash != found[i - 1].hash;
  return different == all;
}

static void separate(blocks *b, uint32_t t)
{
  const petri *n = b->net;
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
    if (n->arcs[i].take)
      b->joined[b->block[n->arcs[i].place]] = false;
}

/* Separates blocks that a class tells apart; true: there were some. */
static bool separate_blocks(blocks *b, const image *list)
{
  uint32_t count = b->net->transition_count;
  bool any = false;
  for (uint32_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && is_same_class(&list[i], &list[end]);)
      end++;
    if (has_all_choices(b, list + i, end - i))
      continue;
    separate(b, list[i].transition);
    any = true;
  }
  return any;
}

static void begin(blocks *b, const bool *visible)
{
  uint32_t places = b->net->place_count;
  for (uint32_t p = 0; p < places; p++)
    if (b->block[p] >= b->count)
      b->count = b->block[p] + 1;
  b->size = ARENA_ARRAY(b->arena, uint32_t, b->count + 1);
  b->joined = ARENA_ARRAY(b->arena, bool, b->count + 1);
  b->tokens = ARENA_ARRAY(b->arena, uint32_t, b->count + 1);
  b->unit = ARENA_ARRAY(b->arena, uint32_t, places + 1);
  for (uint32_t p = 0; p < places; p++)
    b->joined[b->block[p]] = ++b->size[b->block[p]] > 1;
  for (uint32_t p = 0; p < places; p++)
    if (visible && visible[p])
      b->joined[b->block[p]] = false;
  exclude_by_arcs(b);
}

static bool is_any_joined(const blocks *b)
{
  for (uint32_t i = 0; i < b->count; i++)
    if (b->joined[i])
      return true;
  return false;
}

/* ---- the smaller net ------------------------------------------------------------ */

static void set_values(const blocks *b, shrink_layer *l)
{
  uint32_t *leader = ARENA_ARRAY(b->arena, uint32_t, b->count + 1);
  l->values = ARENA_ARRAY(b->arena, shrink_value, b->net->place_count + 1);
  for (uint32_t p = 0; p < b->net->place_count; p++) {
    uint32_t block = b->block[p];
    shrink_value x = {.place = b->unit[p], .factor = 1};
    if (b->joined[block]) {
      if (!leader[block])
        leader[block] = p + 1;
      x.leader = leader[block] - 1;
      x.members = b->size[block];
    }
    l->values[p] = x;
  }
}

static void make_coarse(blocks *b, const image *list, shrink_layer *l)
{
  const petri *n = b->net;
  uint32_t classes = 0, arcs = 0;
  int32_t *tokens = ARENA_ARRAY(b->arena, int32_t, b->units + 1);
  petri_arc *all =
      ARENA_ARRAY(b->arena, petri_arc, n->first[n->transition_count] + 1);
  uint32_t *first = ARENA_ARRAY(b->arena, uint32_t, n->transition_count + 1);
  l->classes = ARENA_ARRAY(b->arena, uint32_t, n->transition_count + 2);
  l->members = ARENA_ARRAY(b->arena, uint32_t, n->transition_count + 1);
  for (uint32_t p = 0; p < n->place_count; p++)
    tokens[b->unit[p]] += n->tokens[p];
  for (uint32_t i = 0; i < n->transition_count; i++) {
    l->members[i] = list[i].transition;
    if (!i || !is_same_class(&list[i - 1], &list[i])) {
      memcpy(all + arcs, list[i].arcs, list[i].count * sizeof *all);
      arcs += list[i].count;
      first[++classes] = arcs;
    }
    l->classes[classes] = i + 1;
  }
  l->fine = n;
  l->coarse = petri_make(b->arena, b->units, tokens, classes, all, first);
}

bool shrink_alike(arena *a, const petri *n, const bool *visible,
                  const uint32_t *block, shrink_layer *l, uint32_t *uses)
{
  blocks b = {.arena = a, .net = n, .block = block};
  int64_t sum = 0;
  for (uint32_t p = 0; p < n->place_count; p++)
    sum += n->tokens[p];
  if (!n->place_count || sum > PETRI_TOKENS_MAX)
    return false;
  begin(&b, visible);
  image *list = NULL;
  while (is_any_joined(&b)) {
    list = sorted_images(&b);
    if (!separate_blocks(&b, list))
      break;
  }
  if (!is_any_joined(&b))
    return false;
  make_coarse(&b, list, l);
  set_values(&b, l);
  for (uint32_t i = 0; i < b.count; i++)
    *uses += b.joined[i];
  return true;
}

/* ---- lifting ---------------------------------------------------------------------- */

bool shrink_lift_alike(const shrink_layer *l, const uint32_t *path,
                       size_t length, int32_t *marking, firing_path *out)
{
  const petri *n = l->fine;
  memcpy(marking, n->tokens, n->place_count * sizeof *marking);
  for (size_t i = 0; i < length; i++) {
    uint32_t k = l->classes[path[i]], end = l->classes[path[i] + 1];
    while (k < end && !petri_enabled(n, l->members[k], marking))
      k++;
    if (k == end || !petri_fire(n, l->members[k], marking))
      return false;
    vec_push(out, l->members[k]);
  }
  return true;
}
