/* Makes nets of PNML and expressions, node by node. */

#include "net/to_pnml.h"

#include <stdlib.h>

/* ---- nets --------------------------------------------------------------- */

typedef struct ranked {
  uint32_t rank, place;
} ranked;

static int by_rank(const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Places stay side by side as they were. */
static uint32_t *rank_places(arena *a, const petri *n, const pnml_net *read,
                             const uint32_t *origin)
{
  ranked *list = ARENA_ARRAY(a, ranked, n->place_count + 1);
  uint32_t *order = ARENA_ARRAY(a, uint32_t, n->place_count + 1);
  uint32_t *standing = ARENA_ARRAY(a, uint32_t, read->place_count + 1);
  for (uint32_t i = 0; i < read->place_count; i++)
    standing[read->ranked[i]] = i;
  for (uint32_t p = 0; p < n->place_count; p++)
    list[p] = (ranked){standing[origin[p]], p};
  qsort(list, n->place_count, sizeof *list, by_rank);
  for (uint32_t i = 0; i < n->place_count; i++)
    order[i] = list[i].place;
  return order;
}

static pnml_group *single_groups(arena *a, uint32_t count)
{
  pnml_group *groups = ARENA_ARRAY(a, pnml_group, count + 1);
  for (uint32_t i = 0; i < count; i++)
    groups[i] = (pnml_group){i, 1};
  return groups;
}

static void copy_places(arena *a, pnml_net *made, const petri *n,
                        const pnml_net *read, const uint32_t *origin)
{
  made->places = ARENA_ARRAY(a, pnml_place, n->place_count + 1);
  made->place_count = n->place_count;
  for (uint32_t p = 0; p < n->place_count; p++) {
    const pnml_place *from = &read->places[origin[p]];
    made->places[p] = (pnml_place){.id = from->id,
                                   .name = from->id,
                                   .tokens = n->tokens[p],
                                   .where = from->where};
  }
  made->ranked = rank_places(a, n, read, origin);
}

static void copy_transitions(arena *a, pnml_net *made, const petri *n)
{
  made->transitions = ARENA_ARRAY(a, pnml_transition, n->transition_count + 1);
  made->transition_count = n->transition_count;
  for (uint32_t t = 0; t < n->transition_count; t++) {
    pnml_transition *x = &made->transitions[t];
    uint32_t count = n->first[t + 1] - n->first[t];
    x->id = x->name = arena_printf(a, "t%u", t);
    x->where = made->where;
    x->touches = ARENA_ARRAY(a, pnml_touch, count + 1);
    x->touch_count = count;
    for (uint32_t i = 0; i < count; i++) {
      const petri_arc *arc = &n->arcs[n->first[t] + i];
      x->touches[i] = (pnml_touch){arc->place, arc->take, arc->put, arc->below};
    }
  }
}

pnml_net *pnml_of_petri(arena *a, const petri *n, const pnml_net *read,
                        const uint32_t *origin)
{
  pnml_net *made = ARENA_NEW(a, pnml_net);
  made->id = read->id;
  made->where = read->where;
  made->inhibited = n->inhibited;
  copy_places(a, made, n, read, origin);
  copy_transitions(a, made, n);
  made->place_groups = single_groups(a, n->place_count);
  made->place_group_count = n->place_count;
  made->transition_groups = single_groups(a, n->transition_count);
  made->transition_group_count = n->transition_count;
  return made;
}

uint32_t pnml_transition_number(const char *name)
{
  return (uint32_t)strtoul(name + 1, NULL, 10);
}

/* ---- expressions -------------------------------------------------------- */

/* factor * tokens, without its sign. */
static expr *product(model *m, const claim_term *t)
{
  const pnml_place *p = &pnml_net_of(m)->places[t->place];
  expr *tokens = pnml_tokens(m, p, p->where);
  int32_t factor = abs(t->factor);
  return factor == 1 ? tokens
                     : expr_new(m, OP_MUL, expr_const(m, factor, p->where),
                                tokens, NULL, p->where);
}

/* The terms with this sign and a number, added up. */
static expr *side(model *m, const claim *c, int sign, int64_t number)
{
  expr **list = ARENA_ARRAY(m->arena, expr *, c->count + 2);
  size_t count = 0;
  for (uint32_t i = 0; i < c->count; i++)
    if ((c->terms[i].factor < 0) == (sign < 0))
      list[count++] = product(m, &c->terms[i]);
  if (number > 0 || !count)
    list[count++] =
        expr_const(m, number > 0 ? (int32_t)number : 0, pnml_net_of(m)->where);
  return expr_join(m, OP_ADD, list, count);
}

/* What is taken away stands on the other side, and so does the limit. */
static expr *sum_to_expr(model *m, const claim *c)
{
  enum { FACTOR_MAX = 1000 };
  if (c->limit > PNML_TOKENS_MAX / 2 || c->limit < -PNML_TOKENS_MAX / 2)
    return NULL;
  for (uint32_t i = 0; i < c->count; i++)
    if (abs(c->terms[i].factor) > FACTOR_MAX)
      return NULL;
  return expr_new(m, OP_LE, side(m, c, 1, -c->limit), side(m, c, -1, c->limit),
                  NULL, pnml_net_of(m)->where);
}

expr *claim_to_expr(model *m, const claim *c)
{
  if (c->op <= CLAIM_TRUE)
    return expr_const(m, c->op == CLAIM_TRUE, pnml_net_of(m)->where);
  if (c->op == CLAIM_SUM)
    return sum_to_expr(m, c);
  expr **list = ARENA_ARRAY(m->arena, expr *, c->count + 1);
  for (uint32_t i = 0; i < c->count; i++) {
    list[i] = claim_to_expr(m, c->parts[i]);
    if (!list[i])
      return NULL;
  }
  return expr_join(m, c->op == CLAIM_AND ? OP_AND : OP_OR, list, c->count);
}
