/* Sets as binary diagrams: the class of a library (set_library.h).  Levels are
** in level_bits.c, events in level_bit_events.c. */

#include "base/alloc.h"
#include "symbolic/library/level_bits.h"
#include <string.h>

/* Garbage is left alone up to so many nodes: what was computed from it may be
** asked for again.  Less where the order is to be improved, which happens after
** collections. */
enum {
  GARBAGE = 1 << 21,
  GARBAGE_WHEN_SIFTING = 1 << 17,
  LEAST_GARBAGE = 1 << 13,
  RESULTS_PER_NODE = 4 /* images have many, of the same few sets */
};

typedef struct bdd_cut {
  set_cut head;
  uint32_t count;
  uint32_t levels[];
} bdd_cut;

static bdd_library *of(set_library *b)
{
  return (bdd_library *)b;
}

static const bdd_library *of_const(const set_library *b)
{
  return (const bdd_library *)b;
}

static robdd_manager *manager_of(set_library *b)
{
  return of(b)->manager;
}

/* ---- sets --------------------------------------------------------------- */

static symbolic_set ref(set_library *b, symbolic_set x)
{
  return robdd_ref(manager_of(b), x);
}

static void unref(set_library *b, symbolic_set x)
{
  robdd_unref(manager_of(b), x);
}

static bool protect(set_library *library, symbolic_set *sets, size_t count)
{
  bdd_library *b = of(library);
  vec_push(&b->registered, ((registered_sets){sets, count}));
  return robdd_protect(b->manager, sets, count);
}

/* A state that does not fit can only be the first one: there is no set yet. */
static symbolic_set tuple(set_library *library, const uint32_t *values)
{
  bdd_library *b = of(library);
  bool good = level_bits_ready(b);
  if (!good)
    return SET_FULL;
  for (uint32_t i = 0; i < b->levels.len; i++)
    good = level_bits_put(b, i, values[i], false) && good;
  if (!good) {
    if (!level_bits_widen(b))
      return SET_FULL;
    for (uint32_t i = 0; i < b->levels.len; i++)
      level_bits_put(b, i, values[i], false);
  }
  symbolic_set set =
      robdd_add_assignment(b->manager, ROBDD_FALSE, b->values.data);
  for (uint32_t i = 0; i < b->levels.len; i++)
    level_bits_clear(b, i, false);
  return set;
}

static bool first(set_library *library, symbolic_set x, uint32_t *values)
{
  bdd_library *b = of(library);
  if (!robdd_first_cube(b->manager, x, b->cube.data))
    return false;
  for (uint32_t i = 0; i < b->levels.len; i++)
    values[i] = level_bits_get(b, i, b->cube.data);
  return true;
}

static symbolic_set unite(set_library *b, symbolic_set x, symbolic_set y)
{
  return robdd_or(manager_of(b), x, y);
}

static symbolic_set intersect(set_library *b, symbolic_set x, symbolic_set y)
{
  return robdd_and(manager_of(b), x, y);
}

static symbolic_set minus(set_library *b, symbolic_set x, symbolic_set y)
{
  return robdd_minus(manager_of(b), x, y);
}

static bool widen(set_library *library, bool *wider)
{
  bdd_library *b = of(library);
  *wider = b->wider;
  return !b->wider || level_bits_widen(b);
}

static bool outgrown(const set_library *b)
{
  return of_const(b)->outgrown;
}

/* ---- measures ----------------------------------------------------------- */

/* Sets the weights of the bits of a level: its value times a factor.  As an
** unsigned number a negative value is larger by 2^32. */
static void weigh(bdd_library *b, uint32_t level, int64_t factor,
                  bool is_unsigned)
{
  const bit_level *l = &b->levels.data[level];
  for (size_t i = 0; i < l->pairs.len; i++)
    b->weights.data[bit_now(l->pairs.data[i])] = factor * ((int64_t)1 << i);
  int64_t end = (int64_t)1 << l->pairs.len;
  if (l->has_sign)
    b->weights.data[bit_now(l->sign)] =
        factor * (is_unsigned ? ((int64_t)1 << 32) - end : -end);
}

static void weigh_all(bdd_library *b, const int32_t *factors)
{
  for (uint32_t i = 0; i < b->levels.len; i++)
    weigh(b, i, factors ? factors[i] : 0, false);
}

static symbolic_set between(set_library *library, symbolic_set x,
                            const int32_t *factors, int64_t lo, int64_t hi)
{
  bdd_library *b = of(library);
  weigh_all(b, factors);
  symbolic_set found = robdd_between(b->manager, x, b->weights.data, lo, hi);
  weigh_all(b, NULL);
  return found;
}

static bool greatest(set_library *library, symbolic_set x,
                     const int32_t *factors, int64_t *sum)
{
  bdd_library *b = of(library);
  weigh_all(b, factors);
  bool good = robdd_greatest(b->manager, x, b->weights.data, sum);
  weigh_all(b, NULL);
  return good;
}

typedef struct extremes_wanted {
  bdd_library *library;
  uint32_t *least, *most;
} extremes_wanted;

static bool extremes_of_level(const extremes_wanted *w, symbolic_set x,
                              uint32_t level)
{
  bdd_library *b = w->library;
  int64_t most, least;
  weigh(b, level, 1, true);
  bool good = robdd_greatest(b->manager, x, b->weights.data, &most);
  weigh(b, level, -1, true);
  good = good && robdd_greatest(b->manager, x, b->weights.data, &least);
  weigh(b, level, 0, true);
  if (good) {
    w->most[level] = (uint32_t)most;
    w->least[level] = (uint32_t)-least;
  }
  return good;
}

/* Of a set over the levels 'begin' up to 'end': quantifies one half of them
** after the other, so that little is left to look at for a single level. */
static bool extremes_within(const extremes_wanted *w, symbolic_set x,
                            uint32_t begin, uint32_t end)
{
  bdd_library *b = w->library;
  uint32_t middle = begin + (end - begin) / 2;
  if (end - begin == 1)
    return extremes_of_level(w, x, begin);
  if (robdd_ref(b->manager, x) == ROBDD_FULL)
    return false;
  bool good = true;
  for (unsigned half = 0; half < 2 && good; half++) {
    uint32_t from = half ? middle : begin, to = half ? end : middle;
    vec_clear(&b->variables);
    for (uint32_t i = begin; i < end; i++)
      if (i < from || i >= to)
        level_bits_variables(b, i, false, &b->variables);
    robdd part = robdd_exists(b->manager, x, level_bits_cube(b));
    good = part != ROBDD_FULL && extremes_within(w, part, from, to);
  }
  robdd_unref(b->manager, x);
  return good;
}

static bool extremes(set_library *library, symbolic_set x, uint32_t *least,
                     uint32_t *most)
{
  extremes_wanted w = {of(library), least, most};
  return extremes_within(&w, x, 0, (uint32_t)of(library)->levels.len);
}

static bool count(set_library *library, symbolic_set x, bignum *number)
{
  robdd_manager *m = manager_of(library);
  return robdd_count(m, x, robdd_variables(m) / 2, number);
}

static bool nodes(set_library *b, symbolic_set x, size_t *number)
{
  *number = robdd_size(manager_of(b), &x, 1);
  return *number != SIZE_MAX;
}

static library_sizes sizes(const set_library *b)
{
  robdd_statistics all = robdd_figures(of_const(b)->manager);
  return (library_sizes){all.nodes, all.peak_nodes, all.bytes, all.reorderings};
}

static void shrink(set_library *b, size_t bytes)
{
  robdd_shrink(of(b)->manager, bytes);
}

/* ---- cuts --------------------------------------------------------------- */

static bdd_cut *cut_of(set_cut *c)
{
  return (bdd_cut *)c;
}

static size_t cut_bytes(uint32_t levels)
{
  return sizeof(bdd_cut) + levels * sizeof(uint32_t);
}

static void cut_free(set_cut *cut)
{
  mem_free(cut, cut_bytes(cut_of(cut)->count));
}

static set_cut *cut_make(set_library *library, const uint32_t *levels,
                         uint32_t n)
{
  bdd_cut *c = mem_try_alloc(cut_bytes(n));
  if (!c)
    return NULL;
  c->head.library = library;
  c->count = n;
  memcpy(c->levels, levels, n * sizeof *levels);
  return &c->head;
}

static symbolic_set project(set_cut *c, symbolic_set x)
{
  return level_bits_project(of(c->library), x, cut_of(c)->levels,
                            cut_of(c)->count);
}

static symbolic_set restrict_to(set_cut *c, symbolic_set x,
                                symbolic_set vectors)
{
  return robdd_and(manager_of(c->library), x, vectors);
}

static symbolic_set insert(set_cut *c, symbolic_set vectors,
                           const uint32_t *vector)
{
  return level_bits_insert(of(c->library), vectors, cut_of(c)->levels,
                           cut_of(c)->count, vector);
}

static bool vector_next(set_cut *cut, symbolic_set vectors, uint32_t *vector)
{
  bdd_library *b = of(cut->library);
  (void)vectors;
  if (b->listed_next == b->listed.len)
    return false;
  for (uint32_t i = 0; i < cut_of(cut)->count; i++)
    vector[i] = b->listed.data[b->listed_next++];
  return true;
}

static bool vector_first(set_cut *cut, symbolic_set vectors, uint32_t *vector)
{
  bdd_library *b = of(cut->library);
  vec_clear(&b->listed);
  b->listed_next = 0;
  level_bits_list(b, vectors, cut_of(cut)->levels, cut_of(cut)->count,
                  &b->listed);
  return vector_next(cut, vectors, vector);
}

/* ---- the class ---------------------------------------------------------- */

static void destroy(set_library *library)
{
  bdd_library *b = of(library);
  bdd_events_free(b);
  robdd_destroy(b->manager);
  level_bits_free(b);
  vec_free(&b->registered);
  vec_free(&b->vectors);
  vec_free(&b->listed);
  vec_free(&b->answer.after);
  vec_free(&b->placed);
  vec_free(&b->order);
  vec_free(&b->tops);
  mem_free(b, sizeof *b);
}

static const library_class bdd_class = {
    .destroy = destroy,
    .add_shift = bdd_add_shift,
    .add_relation = bdd_add_relation,
    .ref = ref,
    .unref = unref,
    .protect = protect,
    .tuple = tuple,
    .first = first,
    .unite = unite,
    .intersect = intersect,
    .minus = minus,
    .image = bdd_image,
    .preimage = bdd_preimage,
    .enabled = bdd_enabled,
    .outcome = bdd_outcome,
    .close = bdd_close,
    .widen = widen,
    .outgrown = outgrown,
    .between = between,
    .greatest = greatest,
    .extremes = extremes,
    .count = count,
    .nodes = nodes,
    .sizes = sizes,
    .shrink = shrink,
    .cut_create = cut_make,
    .cut_destroy = cut_free,
    .project = project,
    .restrict_to = restrict_to,
    .insert = insert,
    .vector_first = vector_first,
    .vector_next = vector_next,
};

static void set_up_manager(bdd_library *b)
{
  const library_options *o = &b->options;
  /* Nodes for a quarter of the memory: what is forgotten with garbage has to
  ** be found out again. */
  size_t part = o->max_bytes / 64;
  size_t garbage = o->reorder ? GARBAGE_WHEN_SIFTING : GARBAGE;
  garbage = part < garbage ? part : garbage;
  robdd_set_patience(b->manager, o->impatient, o->context);
  robdd_set_least_garbage(
      b->manager,
      (uint32_t)(garbage < LEAST_GARBAGE ? LEAST_GARBAGE : garbage));
  robdd_set_results(b->manager, RESULTS_PER_NODE);
  robdd_auto_reorder(b->manager, o->reorder);
}

set_library *bdd_base_create(const library_options *o)
{
  bdd_library *b = mem_try_alloc(sizeof *b);
  if (!b)
    return NULL;
  *b = (bdd_library){.head = {&bdd_class}, .options = *o};
  b->manager = robdd_create(0, o->max_bytes);
  if (b->manager && robdd_protect(b->manager, b->work, WORK_SETS) &&
      robdd_protect(b->manager, &b->closing, 1)) {
    set_up_manager(b);
    return &b->head;
  }
  destroy(&b->head);
  return NULL;
}
