/* Orders by how elements vary, by which are used together, and by distance.
** */

#include "store/diagram/element_order.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

enum {
  ROWS_MAX = 1000,   /* states of a sample that are looked at */
  LEARNED_MAX = 300, /* elements; more would take too long to learn */
  FORCE_ROUNDS = 100,
  SLOTS = 4 * ROWS_MAX
};

/* The tuples of a sample, one below the other. */
typedef struct matrix {
  uint32_t *values;
  uint32_t rows, columns;
} matrix;

static size_t matrix_bytes(const matrix *m)
{
  return (size_t)ROWS_MAX * m->columns * sizeof *m->values;
}

/* Encodes the sample; states with other lengths than the first are left out. */
static bool fill_matrix(matrix *m, const order_settings *s,
                        const codec_class *class, codec *c)
{
  uint32_t longest = 0;
  for (size_t i = 0; i < s->sample_count; i++)
    longest = s->sample[i].length > longest ? s->sample[i].length : longest;
  uint32_t room = class->most_elements(c, longest) + 1;
  uint32_t *tuple = mem_try_alloc(room * sizeof *tuple);
  bool done = tuple && class->reserve(c, longest);
  for (size_t i = 0; done && i < s->sample_count && m->rows < ROWS_MAX; i++) {
    uint32_t n = class->to_tuple(c, &s->sample[i], tuple);
    done = n != CODEC_FULL;
    if (done && !m->values) {
      m->columns = n;
      m->values = mem_try_alloc(matrix_bytes(m));
      done = m->values || !n;
    }
    if (done && n && n == m->columns)
      memcpy(m->values + (size_t)m->rows++ * n, tuple, n * sizeof *tuple);
  }
  mem_free(tuple, room * sizeof *tuple);
  return done;
}

/* ---- least varying, learned --------------------------------------------- */

/* Counts the different pairs of a row's class and its value in a column; with
** 'split' these become the classes. */
static uint32_t count_pairs(const matrix *m, uint32_t *classes, uint32_t column,
                            bool split)
{
  uint64_t keys[SLOTS];
  uint32_t names[SLOTS], count = 0;
  memset(names, 0, sizeof names);
  for (uint32_t row = 0; row < m->rows; row++) {
    uint32_t value = m->values[(size_t)row * m->columns + column];
    uint64_t key = (uint64_t)classes[row] << 32 | value;
    uint32_t at = (uint32_t)(hash_mix(key) % SLOTS);
    while (names[at] && keys[at] != key)
      at = at + 1 == SLOTS ? 0 : at + 1;
    if (!names[at]) {
      keys[at] = key;
      names[at] = ++count;
    }
    if (split)
      classes[row] = names[at];
  }
  return count;
}

/* Stable: elements that vary alike keep their order. */
static void sort_by(const uint32_t *weights, uint32_t *order, uint32_t count)
{
  for (uint32_t i = 1; i < count; i++) {
    uint32_t element = order[i], at = i;
    for (; at && weights[order[at - 1]] > weights[element]; at--)
      order[at] = order[at - 1];
    order[at] = element;
  }
}

static bool order_varying(const matrix *m, uint32_t *order)
{
  uint32_t classes[ROWS_MAX] = {0};
  uint32_t *weights = mem_try_alloc(m->columns * sizeof *weights);
  if (!weights)
    return false;
  for (uint32_t i = 0; i < m->columns; i++)
    weights[i] = count_pairs(m, classes, i, false);
  sort_by(weights, order, m->columns);
  mem_free(weights, m->columns * sizeof *weights);
  return true;
}

/* Next comes the element that splits the beginnings so far the least. */
static void order_learned(const matrix *m, uint32_t *order)
{
  uint32_t classes[ROWS_MAX] = {0};
  for (uint32_t i = 0; i < m->columns; i++) {
    uint32_t best = i, least = UINT32_MAX;
    for (uint32_t k = i; k < m->columns; k++) {
      uint32_t pairs = count_pairs(m, classes, order[k], false);
      if (pairs < least) {
        least = pairs;
        best = k;
      }
    }
    uint32_t chosen = order[best];
    memmove(order + i + 1, order + i, (best - i) * sizeof *order);
    order[i] = chosen;
    count_pairs(m, classes, chosen, true);
  }
}

/* ---- dependency ---------------------------------------------------------- */

/* Elements pulled towards the middle of the footprints they belong to, again
** and again (Aloul, Markov, Sakallah, "FORCE", GLSVLSI 2003). */
typedef struct force {
  const byte_footprints *footprints;
  const codec_class *class;
  const codec *codec;
  uint32_t count;
  uint32_t *order, *places; /* places: of each element, the inverse */
  uint64_t *sums;           /* 1024 times the middles of its footprints */
  uint32_t *members;        /* footprints it belongs to */
} force;

static uint32_t element_at(const force *f, size_t i)
{
  return f->class->element_at(f->codec, f->footprints->bytes[i]);
}

/* 1024 times the middle of a footprint. */
static uint64_t middle_of(const force *f, size_t footprint)
{
  size_t start = f->footprints->starts[footprint],
         end = f->footprints->starts[footprint + 1];
  uint64_t sum = 0, n = 0;
  for (size_t i = start; i < end; i++) {
    uint32_t e = element_at(f, i);
    if (e < f->count) {
      sum += f->places[e];
      n++;
    }
  }
  return n ? 1024 * sum / n : 0;
}

static void pull(force *f)
{
  uint32_t *weights = f->members;
  memset(f->sums, 0, f->count * sizeof *f->sums);
  memset(f->members, 0, f->count * sizeof *f->members);
  for (size_t g = 0; g < f->footprints->count; g++) {
    uint64_t middle = middle_of(f, g);
    for (size_t i = f->footprints->starts[g]; i < f->footprints->starts[g + 1];
         i++) {
      uint32_t e = element_at(f, i);
      if (e < f->count) {
        f->sums[e] += middle;
        f->members[e]++;
      }
    }
  }
  for (uint32_t e = 0; e < f->count; e++)
    weights[e] = f->members[e] ? (uint32_t)(f->sums[e] / f->members[e])
                               : 1024 * f->places[e];
  sort_by(weights, f->order, f->count);
  for (uint32_t i = 0; i < f->count; i++)
    f->places[f->order[i]] = i;
}

static bool order_dependency(const order_settings *s, const codec_class *class,
                             const codec *c, uint32_t *order, uint32_t count)
{
  if (!s->footprints || !class->element_at)
    return true;
  force f = {.footprints = s->footprints,
             .class = class,
             .codec = c,
             .count = count,
             .order = order};
  f.places = mem_try_alloc(count * sizeof *f.places);
  f.sums = mem_try_alloc(count * sizeof *f.sums);
  f.members = mem_try_alloc(count * sizeof *f.members);
  bool done = f.places && f.sums && f.members;
  if (done) {
    for (uint32_t i = 0; i < count; i++)
      f.places[i] = i;
    for (unsigned round = 0; round < FORCE_ROUNDS; round++)
      pull(&f);
  }
  mem_free(f.places, count * sizeof *f.places);
  mem_free(f.sums, count * sizeof *f.sums);
  mem_free(f.members, count * sizeof *f.members);
  return done;
}

/* ---- all ------------------------------------------------------------------
 */

/* The first half and the second, one from each in turn. */
static void order_interleaved(uint32_t *order, uint32_t count)
{
  uint32_t half = (count + 1) / 2;
  for (uint32_t i = 0; i < count; i++)
    order[i] = i % 2 ? half + i / 2 : i / 2;
}

static bool arrange(const order_settings *s, const codec_class *class,
                    const codec *c, const matrix *m, uint32_t *order)
{
  for (uint32_t i = 0; i < m->columns; i++)
    order[i] = i;
  switch (s->order) {
  case ELEMENTS_DECLARATION:
    return true;
  case ELEMENTS_DEPENDENCY:
    return order_dependency(s, class, c, order, m->columns);
  case ELEMENTS_VARYING:
    return order_varying(m, order);
  case ELEMENTS_LEARNED:
    if (m->columns > LEARNED_MAX)
      return order_varying(m, order);
    order_learned(m, order);
    return true;
  case ELEMENTS_INTERLEAVED:
    order_interleaved(order, m->columns);
    return true;
  }
  return true;
}

bool order_create(const order_settings *s, const codec_class *class, codec *c,
                  uint32_t **order, uint32_t *count)
{
  matrix m = {0};
  *order = NULL;
  *count = 0;
  if (s->order == ELEMENTS_DECLARATION || !s->sample_count)
    return true;
  bool done = fill_matrix(&m, s, class, c);
  if (done && m.columns) {
    *order = mem_try_alloc(m.columns * sizeof **order);
    done = *order && arrange(s, class, c, &m, *order);
    *count = m.columns;
  }
  mem_free(m.values, matrix_bytes(&m));
  if (done)
    return true;
  mem_free(*order, m.columns * sizeof **order);
  *order = NULL;
  *count = 0;
  return false;
}
