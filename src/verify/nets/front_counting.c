/* Counts the markings of a net by those of a smaller one. */

#include "net/shrink/counting.h"
#include "net/shrink/shrinking.h"
#include "verify/by_sets.h"
#include "verify/nets/front_internal.h"

struct front_counting {
  arena *arena;
  counting *counting;
  struct nut_model model;
  program *program;
  const var **vars; /* by place of the smaller net */
  const pnml_net *net;
  bool useless; /* it is not smaller, or its numbers are too great */
};

/* ---- making ------------------------------------------------------------- */

static void tell(verification *v, const front_counting *x)
{
  const petri *n = v->net->front->net, *small = counting_net(x->counting);
  text_printf(&v->remarks,
              "to count: %u of %u places and %u of %u transitions are left "
              "(constant %u, equal %u, implicit %u, joined %u)\n",
              small->place_count, n->place_count, small->transition_count,
              n->transition_count,
              counting_uses(x->counting, SHRINK_RULE_CONSTANT),
              counting_uses(x->counting, SHRINK_RULE_EQUAL),
              counting_uses(x->counting, SHRINK_RULE_IMPLICIT),
              counting_joined(x->counting));
}

static void make_program(verification *v, front_counting *x)
{
  const petri *n = counting_net(x->counting);
  uint32_t *origin = ARENA_ARRAY(x->arena, uint32_t, n->place_count + 1);
  for (uint32_t p = 0; p < n->place_count; p++)
    origin[p] = counting_origin(x->counting, p);
  front_make_model(v, x->arena, n, origin, &x->model);
  program_options options = {.check_overflow = true};
  x->program = program_create(x->model.model, &options, x->model.diags);
  if (!x->program)
    mem_give_up();
  const pnml_net *made = pnml_net_of(x->model.model);
  x->vars = ARENA_ARRAY(x->arena, const var *, n->place_count + 1);
  for (uint32_t p = 0; p < n->place_count; p++)
    x->vars[p] = made->places[p].var;
}

static void make(verification *v, front_counting *x)
{
  front *f = v->net->front;
  x->net = v->net->net;
  x->arena = arena_create();
  x->counting = counting_make(f->net, SHRINK_ALL_RULES, v->limits);
  const petri *small = counting_net(x->counting);
  x->useless = !counting_is_smaller(x->counting) || !small->place_count ||
               !small->transition_count;
  if (x->useless)
    return;
  tell(v, x);
  make_program(v, x);
}

void counting_free(front *f)
{
  front_counting *x = f->counting;
  if (!x)
    return;
  program_destroy(x->program);
  model_destroy(x->model.own);
  counting_destroy(x->counting);
  arena_destroy(x->arena);
  mem_free(x, sizeof *x);
  f->counting = NULL;
}

/* ---- measuring ------------------------------------------------------------ */

static mdd_view *views_of(const front_counting *x, const counting_view *list,
                          uint32_t count, uint32_t more)
{
  mdd_view *views = ARENA_ARRAY(x->arena, mdd_view, count + more + 1);
  for (uint32_t i = 0; i < count; i++) {
    mdd_floor *floors = ARENA_ARRAY(x->arena, mdd_floor, list[i].count + 1);
    for (uint32_t k = 0; k < list[i].count; k++)
      floors[k] =
          (mdd_floor){list[i].arcs[k].place, (uint32_t)list[i].arcs[k].take,
                      (uint32_t)list[i].arcs[k].below};
    views[i] = (mdd_view){floors, list[i].count, list[i].times};
  }
  return views;
}

static bool weigh(const front_counting *x, symbolic_space *s,
                  symbolic_figures *f)
{
  const petri *n = counting_net(x->counting);
  const counting_view *list;
  uint32_t count = counting_views(x->counting, &list);
  uint32_t *leaves = ARENA_ARRAY(x->arena, uint32_t, n->place_count + 1);
  for (uint32_t p = 0; p < n->place_count; p++)
    leaves[p] = counting_leaves(x->counting, p);
  mdd_weights w = {.levels = n->place_count,
                   .leaves = leaves,
                   .views = views_of(x, list, count, 0),
                   .count = symbolic_reason(s) == REASON_NONE ? count : 0};
  return symbolic_weigh(s, x->vars, &w, &f->states, &f->transitions);
}

static bool count_dead(const front_counting *x, symbolic_space *s,
                       symbolic_figures *f)
{
  counting_dead d = counting_when_dead(x->counting);
  mdd_view *views = views_of(x, d.views, d.count, d.filled_count);
  mdd_floor *floors = ARENA_ARRAY(x->arena, mdd_floor, d.filled_count + 1);
  for (uint32_t i = 0; i < d.filled_count; i++) {
    floors[i] = (mdd_floor){d.filled[i], 1, 0};
    views[d.count + i] = (mdd_view){&floors[i], 1, 1};
  }
  mdd_weights w = {.levels = counting_net(x->counting)->place_count,
                   .views = views,
                   .count = d.count + d.filled_count};
  return symbolic_count_without(s, x->vars, &w, &f->deadlocks) &&
         bignum_copy(&f->blocked, &f->deadlocks);
}

/* The greatest sum of some places of the net as it was read. */
static bool greatest_of(const front_counting *x, symbolic_space *s,
                        int64_t *factors, const pnml_group *g,
                        const uint32_t *most, int64_t least, int64_t *found)
{
  const petri *n = counting_net(x->counting);
  int64_t *out = ARENA_ARRAY(x->arena, int64_t, n->place_count + 1);
  int64_t base, bound;
  for (uint32_t i = 0; i < g->count; i++)
    factors[g->first + i] = 1;
  bool good = counting_sum(x->counting, factors, out, &base);
  for (uint32_t i = 0; i < g->count; i++)
    factors[g->first + i] = 0;
  bound = base;
  for (uint32_t p = 0; p < n->place_count && good; p++)
    bound += out[p] > 0 ? out[p] * most[p] : 0;
  *found = least;
  if (!good || bound <= least)
    return good;
  good = symbolic_greatest_sum(s, x->vars, out, n->place_count, found);
  *found += base;
  return good;
}

static bool measure_tokens(const front_counting *x, symbolic_space *s,
                           symbolic_figures *f)
{
  const pnml_net *net = x->net;
  uint32_t *most = ARENA_ARRAY(x->arena, uint32_t, net->place_count + 1);
  int64_t *factors = ARENA_ARRAY(x->arena, int64_t, net->place_count + 1);
  pnml_group all = {.first = 0, .count = net->place_count};
  bool good =
      symbolic_most(s, x->vars, counting_net(x->counting)->place_count, most) &&
      greatest_of(x, s, factors, &all, most, -1, &f->most_in_all);
  for (uint32_t g = 0; g < net->place_group_count && good; g++) {
    int64_t found;
    good = greatest_of(x, s, factors, &net->place_groups[g], most,
                       f->most_in_level, &found);
    if (good && found > f->most_in_level)
      f->most_in_level = found;
  }
  return good;
}

static bool measure(void *context, symbolic_space *s, symbolic_figures *f)
{
  front_counting *x = context;
  bool all = symbolic_reason(s) == REASON_NONE;
  bool good = symbolic_measure_sizes(s, f) && weigh(x, s, f);
  if (good && all)
    good = count_dead(x, s, f) && measure_tokens(x, s, f);
  return good;
}

/* ---- counting --------------------------------------------------------------- */

bool front_has_stand_in(verification *v, const nut_options *o, bool count,
                        space_stand_in *instead)
{
  front *f = v->net->front;
  if (!f->arena || !(f->steps & 1u << FRONT_SMALLER) ||
      o->base != NUT_BASE_MDD || !(count || front_is_counted(v)))
    return false;
  if (!f->counting) {
    f->counting = mem_alloc(sizeof *f->counting);
    make(v, f->counting);
  }
  *instead = (space_stand_in){f->counting->program, measure, f->counting};
  return !f->counting->useless;
}
