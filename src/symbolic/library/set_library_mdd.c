/* Sets as multi-valued diagrams: mostly what dd/mdd/mdd.h and
** dd/mdd/mdd_system.h do.  Added is what an event knows besides its relation:
** the vectors of each outcome. */

#include "base/alloc.h"
#include "symbolic/library/set_library.h"

typedef struct outcome_vectors {
  uint32_t outcome;
  mdd vectors; /* counted */
} outcome_vectors;

typedef struct event {
  VEC(uint32_t) levels; /* touched; empty for a shift */
  VEC(bool) written;
  VEC(outcome_vectors) outcomes;
} event;

typedef struct mdd_library {
  set_library head;
  mdd_manager *manager;
  mdd_system *system;
  library_options options;
  VEC(event) events;
  value_list vector, pairs; /* of a vector being learned */
  VEC(mdd_touch) touch;
  library_answer answer;
  mdd relation; /* protected: being learned */
} mdd_library;

typedef struct mdd_cut {
  set_cut head;
  mdd_shape *shape;
  uint32_t length;
} mdd_cut;

static mdd_library *of(set_library *b)
{
  return (mdd_library *)b;
}

static const mdd_library *of_const(const set_library *b)
{
  return (const mdd_library *)b;
}

static mdd_manager *manager_of(set_library *b)
{
  return of(b)->manager;
}

/* ---- learning ----------------------------------------------------------- */

/* Adds the pairs of a vector and what it becomes. */
static bool add_pairs(mdd_library *b, const event *e)
{
  size_t at = 0;
  for (uint32_t n = 0; n < b->answer.successors; n++) {
    vec_clear(&b->pairs);
    for (size_t i = 0; i < e->levels.len; i++) {
      vec_push(&b->pairs, b->vector.data[i]);
      if (e->written.data[i])
        vec_push(&b->pairs, b->answer.after.data[at++]);
    }
    b->relation = mdd_insert(b->manager, b->relation, b->pairs.data,
                             (uint32_t)b->pairs.len);
    if (b->relation == MDD_FULL)
      return false;
  }
  return true;
}

static bool add_outcome(mdd_library *b, event *e, uint32_t outcome)
{
  size_t i = 0;
  while (i < e->outcomes.len && e->outcomes.data[i].outcome != outcome)
    i++;
  if (i == e->outcomes.len)
    vec_push(&e->outcomes, ((outcome_vectors){outcome, MDD_EMPTY}));
  mdd *vectors = &e->outcomes.data[i].vectors;
  mdd more =
      mdd_insert(b->manager, *vectors, b->vector.data, (uint32_t)e->levels.len);
  if (mdd_ref(b->manager, more) == MDD_FULL)
    return false;
  mdd_unref(b->manager, *vectors);
  *vectors = more;
  return true;
}

/* The vectors that may lead anywhere. */
static mdd guarded(mdd_library *b, uint32_t number, mdd fresh)
{
  event *e = &b->events.data[number];
  uint32_t place, value, length = (uint32_t)e->levels.len;
  if (!b->options.guard ||
      !b->options.guard(b->options.context, number, &place, &value))
    return fresh;
  vec_clear(&b->touch);
  vec_resize(&b->touch, length);
  b->touch.data[place] = MDD_READ;
  mdd_shape *shape = mdd_shape_create(b->manager, b->touch.data, length);
  if (!shape)
    return MDD_FULL;
  mdd right = mdd_tuple(b->manager, &value, 1);
  mdd result = mdd_image(b->manager, fresh, right, shape, 0);
  mdd_shape_destroy(shape);
  return result;
}

static mdd learn(void *library, uint32_t number, mdd all)
{
  mdd_library *b = library;
  event *e = &b->events.data[number];
  uint32_t length = (uint32_t)e->levels.len;
  mdd fresh = guarded(b, number, all);
  if (mdd_ref(b->manager, fresh) == MDD_FULL)
    return MDD_FULL;
  b->relation = MDD_EMPTY;
  vec_resize(&b->vector, length);
  bool good = true;
  bool more = mdd_first(b->manager, fresh, b->vector.data);
  while (more && good) {
    vec_clear(&b->answer.after);
    b->answer.successors = 0;
    good = b->options.ask(b->options.context, number, b->vector.data,
                          &b->answer) &&
           add_pairs(b, e) && add_outcome(b, e, b->answer.outcome);
    more = mdd_next(b->manager, fresh, b->vector.data, length);
  }
  mdd_unref(b->manager, fresh);
  mdd relation = good ? b->relation : MDD_FULL;
  b->relation = MDD_EMPTY;
  return relation;
}

static bool impatient(void *library)
{
  mdd_library *b = library;
  return b->options.impatient(b->options.context);
}

/* ---- making ------------------------------------------------------------- */

static void destroy(set_library *library)
{
  mdd_library *b = of(library);
  mdd_system_destroy(b->system);
  for (size_t i = 0; i < b->events.len; i++) {
    event *e = &b->events.data[i];
    for (size_t k = 0; k < e->outcomes.len; k++)
      mdd_unref(b->manager, e->outcomes.data[k].vectors);
    vec_free(&e->levels);
    vec_free(&e->written);
    vec_free(&e->outcomes);
  }
  mdd_destroy(b->manager);
  vec_free(&b->events);
  vec_free(&b->vector);
  vec_free(&b->answer.after);
  vec_free(&b->pairs);
  vec_free(&b->touch);
  mem_free(b, sizeof *b);
}

static bool add_shift(set_library *library, const mdd_shift *shifts,
                      uint32_t count)
{
  mdd_library *b = of(library);
  vec_push(&b->events, (event){0});
  return mdd_system_add_shift(b->system, shifts, count);
}

static bool add_relation(set_library *library, const mdd_touch *touch)
{
  mdd_library *b = of(library);
  vec_push(&b->events, (event){0});
  event *e = &vec_last(&b->events);
  for (uint32_t i = 0; i < b->options.levels; i++)
    if (touch[i] != MDD_SKIP) {
      vec_push(&e->levels, i);
      vec_push(&e->written, touch[i] == MDD_READ_WRITE);
    }
  return mdd_system_add_relation(b->system, touch);
}

/* ---- sets --------------------------------------------------------------- */

static symbolic_set ref(set_library *b, symbolic_set x)
{
  return mdd_ref(manager_of(b), x);
}

static void unref(set_library *b, symbolic_set x)
{
  mdd_unref(manager_of(b), x);
}

static bool protect(set_library *b, symbolic_set *sets, size_t count)
{
  return mdd_protect(manager_of(b), sets, count);
}

static symbolic_set tuple(set_library *b, const uint32_t *values)
{
  return mdd_tuple(manager_of(b), values, of(b)->options.levels);
}

static bool first(set_library *b, symbolic_set x, uint32_t *values)
{
  return mdd_first(manager_of(b), x, values);
}

static symbolic_set unite(set_library *b, symbolic_set x, symbolic_set y)
{
  return mdd_union(manager_of(b), x, y);
}

static symbolic_set intersect(set_library *b, symbolic_set x, symbolic_set y)
{
  return mdd_intersect(manager_of(b), x, y);
}

static symbolic_set minus(set_library *b, symbolic_set x, symbolic_set y)
{
  return mdd_minus(manager_of(b), x, y);
}

/* ---- events ------------------------------------------------------------- */

static symbolic_set image(set_library *b, uint32_t number, symbolic_set x)
{
  return mdd_system_image(of(b)->system, number, x);
}

static symbolic_set preimage(set_library *b, uint32_t number, symbolic_set x,
                             symbolic_set within)
{
  return mdd_system_preimage(of(b)->system, number, x, within);
}

static symbolic_set enabled(set_library *b, uint32_t number, symbolic_set x)
{
  return mdd_system_enabled(of(b)->system, number, x);
}

static symbolic_set close_under_all(set_library *b, symbolic_set x)
{
  return mdd_close(of(b)->system, x);
}

/* Levels have room for every value. */
static bool widen(set_library *b, bool *wider)
{
  (void)b;
  *wider = false;
  return true;
}

static bool outgrown(const set_library *b)
{
  return mdd_system_outgrown(of_const(b)->system);
}

/* ---- measures ----------------------------------------------------------- */

static symbolic_set between(set_library *b, symbolic_set x,
                            const int32_t *factors, int64_t lo, int64_t hi)
{
  return mdd_between(manager_of(b), x, factors, of(b)->options.levels, lo, hi);
}

static symbolic_set box(set_library *b, symbolic_set x, const uint32_t *lo,
                        const uint32_t *hi)
{
  return mdd_box(manager_of(b), x, lo, hi, of(b)->options.levels);
}

static bool weigh(set_library *b, symbolic_set x, const mdd_weights *w,
                  bignum *all, bignum *viewed)
{
  return mdd_weigh(manager_of(b), x, w, all, viewed);
}

static bool greatest(set_library *b, symbolic_set x, const int32_t *factors,
                     int64_t *sum)
{
  return mdd_greatest(manager_of(b), x, factors, sum);
}

static bool extremes(set_library *b, symbolic_set x, uint32_t *least,
                     uint32_t *most)
{
  return mdd_extremes(manager_of(b), x, least, most);
}

static bool count(set_library *b, symbolic_set x, bignum *number)
{
  return mdd_count(manager_of(b), x, number);
}

static bool nodes(set_library *b, symbolic_set x, size_t *number)
{
  mdd_sizes all = {0};
  bool good = mdd_size(manager_of(b), &x, 1, &all);
  *number = all.nodes;
  return good;
}

static library_sizes sizes(const set_library *b)
{
  mdd_statistics all = mdd_figures(of_const(b)->manager);
  return (library_sizes){all.nodes, all.peak_nodes, all.bytes, 0};
}

static void shrink(set_library *b, size_t bytes)
{
  mdd_shrink(of(b)->manager, bytes);
}

/* ---- cuts --------------------------------------------------------------- */

static mdd_cut *cut_of(set_cut *c)
{
  return (mdd_cut *)c;
}

static void cut_free(set_cut *cut)
{
  mdd_shape_destroy(cut_of(cut)->shape);
  mem_free(cut, sizeof(mdd_cut));
}

static set_cut *cut_make(set_library *library, const uint32_t *levels,
                         uint32_t n)
{
  mdd_library *b = of(library);
  size_t bytes = b->options.levels * sizeof(mdd_touch);
  mdd_touch *touch = mem_try_alloc(bytes);
  mdd_cut *c = mem_try_alloc(sizeof *c);
  if (touch && c) {
    for (uint32_t i = 0; i < n; i++)
      touch[levels[i]] = MDD_READ;
    *c = (mdd_cut){.head = {library}, .length = n};
    c->shape = mdd_shape_create(b->manager, touch, b->options.levels);
  }
  mem_free(touch, bytes);
  if (c && c->shape)
    return &c->head;
  mem_free(c, sizeof *c);
  return NULL;
}

static symbolic_set project(set_cut *c, symbolic_set x)
{
  return mdd_project(manager_of(c->library), x, cut_of(c)->shape);
}

/* A relation that only reads is a restriction. */
static symbolic_set restrict_to(set_cut *c, symbolic_set x,
                                symbolic_set vectors)
{
  return mdd_image(manager_of(c->library), x, vectors, cut_of(c)->shape, 0);
}

static symbolic_set insert(set_cut *c, symbolic_set vectors,
                           const uint32_t *vector)
{
  return mdd_insert(manager_of(c->library), vectors, vector, cut_of(c)->length);
}

static bool vector_first(set_cut *c, symbolic_set vectors, uint32_t *vector)
{
  return mdd_first(manager_of(c->library), vectors, vector);
}

static bool vector_next(set_cut *c, symbolic_set vectors, uint32_t *vector)
{
  return mdd_next(manager_of(c->library), vectors, vector, cut_of(c)->length);
}

static symbolic_set outcome_states(set_library *library, uint32_t number,
                                   uint32_t outcome, symbolic_set x)
{
  mdd_library *b = of(library);
  const event *e = &b->events.data[number];
  for (size_t i = 0; i < e->outcomes.len; i++) {
    if (e->outcomes.data[i].outcome != outcome)
      continue;
    set_cut *c = cut_make(library, e->levels.data, (uint32_t)e->levels.len);
    if (!c)
      return SET_FULL;
    symbolic_set found = restrict_to(c, x, e->outcomes.data[i].vectors);
    cut_free(c);
    return found;
  }
  return SET_EMPTY;
}

/* ---- the class ---------------------------------------------------------- */

static const library_class mdd_class = {
    .destroy = destroy,
    .add_shift = add_shift,
    .add_relation = add_relation,
    .ref = ref,
    .unref = unref,
    .protect = protect,
    .tuple = tuple,
    .first = first,
    .unite = unite,
    .intersect = intersect,
    .minus = minus,
    .image = image,
    .preimage = preimage,
    .enabled = enabled,
    .outcome = outcome_states,
    .close = close_under_all,
    .widen = widen,
    .outgrown = outgrown,
    .between = between,
    .box = box,
    .weigh = weigh,
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

set_library *mdd_base_create(const library_options *o)
{
  mdd_library *b = mem_try_alloc(sizeof *b);
  if (!b)
    return NULL;
  *b = (mdd_library){.head = {&mdd_class}, .options = *o};
  mdd_system_options options = {learn, impatient, b};
  b->manager = mdd_create(MDD_VALUES, o->max_bytes);
  if (b->manager && mdd_protect(b->manager, &b->relation, 1))
    b->system = mdd_system_create(b->manager, o->levels, &options);
  if (b->system)
    return &b->head;
  destroy(&b->head);
  return NULL;
}
