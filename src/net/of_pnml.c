/* Translates nets and expressions: sums of places become terms, comparisons
** become claims. */

#include "net/of_pnml.h"

#include "base/vec.h"

petri *petri_of_pnml(arena *a, const pnml_net *net)
{
  uint32_t arcs = 0;
  for (uint32_t t = 0; t < net->transition_count; t++)
    arcs += net->transitions[t].touch_count;
  petri_arc *list = ARENA_ARRAY(a, petri_arc, arcs + 1);
  uint32_t *first = ARENA_ARRAY(a, uint32_t, net->transition_count + 1);
  int32_t *tokens = ARENA_ARRAY(a, int32_t, net->place_count + 1);
  uint32_t n = 0;
  for (uint32_t t = 0; t < net->transition_count; t++) {
    const pnml_transition *x = &net->transitions[t];
    for (uint32_t i = 0; i < x->touch_count; i++)
      list[n++] = (petri_arc){x->touches[i].place, x->touches[i].take,
                              x->touches[i].put, x->touches[i].below};
    first[t + 1] = n;
  }
  for (uint32_t p = 0; p < net->place_count; p++)
    tokens[p] = net->places[p].tokens;
  return petri_make(a, net->place_count, tokens, net->transition_count, list,
                    first);
}

place_map place_map_of(arena *a, const model *m, const pnml_net *net)
{
  place_map map = {ARENA_ARRAY(a, uint32_t, m->globals.len + 1),
                   m->globals.len};
  for (uint32_t p = 0; p < net->place_count; p++)
    map.places[net->places[p].var->index] = p;
  return map;
}

/* ---- sums --------------------------------------------------------------- */

/* A sum being read: its terms, and what is left of it without places.  Factors
** stay small enough that no sum of tokens overflows. */
enum { FACTOR_MAX = 1000 };

typedef struct summing {
  arena *arena;
  const place_map *map;
  claim_term *terms;
  uint32_t count, room;
  int64_t rest;
} summing;

static void push_term(summing *s, claim_term term)
{
  if (s->count == s->room) {
    uint32_t room = 2 * s->room + 4;
    claim_term *more = ARENA_ARRAY(s->arena, claim_term, room);
    for (uint32_t i = 0; i < s->count; i++)
      more[i] = s->terms[i];
    s->terms = more;
    s->room = room;
  }
  s->terms[s->count++] = term;
}

static bool is_place(const summing *s, const expr *e)
{
  return e->op == OP_VAR && !e->ref->index && !e->ref->field &&
         e->ref->var->index < s->map->count;
}

/* Adds 'times' an expression; false: it is no sum. */
static bool add_sum(summing *s, const expr *e, int64_t times)
{
  if (times > FACTOR_MAX || times < -FACTOR_MAX)
    return false;
  switch ((int)e->op) {
  case OP_CONST:
    s->rest += times * e->value;
    return true;
  case OP_VAR:
    if (!is_place(s, e))
      return false;
    push_term(s,
              (claim_term){s->map->places[e->ref->var->index], (int32_t)times});
    return true;
  case OP_NEG:
    return add_sum(s, e->args[0], -times);
  case OP_ADD:
    return add_sum(s, e->args[0], times) && add_sum(s, e->args[1], times);
  case OP_SUB:
    return add_sum(s, e->args[0], times) && add_sum(s, e->args[1], -times);
  case OP_MUL:
    if (e->args[0]->op == OP_CONST)
      return add_sum(s, e->args[1], times * e->args[0]->value);
    return e->args[1]->op == OP_CONST &&
           add_sum(s, e->args[0], times * e->args[1]->value);
  default:
    return false;
  }
}

/* a - b <= more, or NULL. */
static const claim *at_most(arena *a, const place_map *map, const expr *x,
                            const expr *y, int64_t more)
{
  summing s = {.arena = a, .map = map};
  if (!add_sum(&s, x, 1) || (y && !add_sum(&s, y, -1)))
    return NULL;
  return claim_sum(a, s.terms, s.count, more - s.rest);
}

/* ---- comparisons -------------------------------------------------------- */

static const claim *both(arena *a, claim_op how, const claim *x, const claim *y)
{
  const claim *list[] = {x, y};
  return x && y ? claim_join(a, how, list, 2) : NULL;
}

static const claim *opposite(arena *a, const claim *c, bool contrary)
{
  return c && contrary ? claim_not(a, c) : c;
}

static const claim *compared(arena *a, const place_map *map, const expr *e)
{
  const expr *x = e->args[0], *y = e->args[1];
  switch ((int)e->op) {
  case OP_LT:
    return at_most(a, map, x, y, -1);
  case OP_LE:
    return at_most(a, map, x, y, 0);
  case OP_GT:
    return at_most(a, map, y, x, -1);
  case OP_GE:
    return at_most(a, map, y, x, 0);
  default: /* OP_EQ, OP_NE */
    return opposite(
        a,
        both(a, CLAIM_AND, at_most(a, map, x, y, 0), at_most(a, map, y, x, 0)),
        e->op == OP_NE);
  }
}

/* "truth != 0", "truth == 0". */
static bool tests_truth(const expr *e)
{
  return (e->op == OP_NE || e->op == OP_EQ) && op_is_truth(e->args[0]->op) &&
         e->args[1]->op == OP_CONST && !e->args[1]->value;
}

/* A number is true when it is not 0; a place has no less than that. */
static const claim *not_zero(arena *a, const place_map *map, const expr *e)
{
  if (e->op == OP_VAR)
    return opposite(a, at_most(a, map, e, NULL, 0), true);
  const claim *none = both(a, CLAIM_AND, at_most(a, map, e, NULL, 0),
                           opposite(a, at_most(a, map, e, NULL, -1), true));
  return opposite(a, none, true);
}

const claim *claim_of_expr(arena *a, const place_map *map, const expr *e,
                           bool contrary)
{
  if (tests_truth(e))
    return claim_of_expr(a, map, e->args[0], contrary != (e->op == OP_EQ));
  if (op_is_comparison(e->op))
    return opposite(a, compared(a, map, e), contrary);
  switch ((int)e->op) {
  case OP_NOT:
    return claim_of_expr(a, map, e->args[0], !contrary);
  case OP_AND:
  case OP_OR:
  case OP_IMPLY:
    return both(
        a, (e->op == OP_AND) != contrary ? CLAIM_AND : CLAIM_OR,
        claim_of_expr(a, map, e->args[0], contrary != (e->op == OP_IMPLY)),
        claim_of_expr(a, map, e->args[1], contrary));
  default:
    return opposite(a, not_zero(a, map, e), contrary);
  }
}
