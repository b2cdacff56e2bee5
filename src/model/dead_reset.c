/* Dead variables: the locals that an edge leaves without a use, which are reset
** (merging.h). */

#include "model/merging_internal.h"

typedef struct lives {
  const process_type *type;
  uint32_t words;
  uint64_t **uses, **sets; /* by place in type->edges */
  uint64_t **at;           /* by location: what may be read from there on */
  uint64_t *now;           /* the set that a visit adds to */
} lives;

static void see_any_expr(void *context, const expr *e)
{
  (void)context;
  (void)e;
}

static void see_use(void *context, const ref *r)
{
  lives *l = context;
  if (r->var->owner == l->type)
    l->now[r->var->index / 64] |= UINT64_C(1) << r->var->index % 64;
}

static void add_set(const lives *l, uint64_t *set, const ref *r)
{
  if (r->var->owner == l->type && !r->index && !r->field)
    set[r->var->index / 64] |= UINT64_C(1) << r->var->index % 64;
}

static void find_uses(lives *l, const edge *e, uint64_t *uses, uint64_t *sets)
{
  visitor v = {see_any_expr, see_use, l};
  l->now = uses;
  merging_visit_edge(&v, e);
  merging_visit_expr(&v, l->type->provided);
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_ASSIGN)
      add_set(l, sets, e->effects.data[i]->target);
  for (size_t i = 0; e->comm && i < e->comm->args.len; i++)
    if (e->comm->args.data[i].kind == ARG_STORE)
      add_set(l, sets, e->comm->args.data[i].target);
}

/* Adds to 'to' what may be read after an edge that sets 'sets'. */
static bool add_live(const lives *l, uint64_t *to, const uint64_t *from,
                     const uint64_t *sets)
{
  bool changed = false;
  for (uint32_t i = 0; i < l->words; i++) {
    uint64_t add = from[i] & ~(sets ? sets[i] : 0);
    changed |= (add & ~to[i]) != 0;
    to[i] |= add;
  }
  return changed;
}

static void find_lives(lives *l)
{
  const process_type *p = l->type;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = p->edges.len; i-- > 0;) {
      const edge *e = p->edges.data[i];
      uint64_t *to = l->at[e->source];
      changed |= add_live(l, to, l->uses[i], NULL);
      if (e->flags & EDGE_DSTEP)
        changed |= add_live(l, to, l->at[e->block], NULL);
      else
        changed |= add_live(l, to, l->at[e->target], l->sets[i]);
    }
  }
}

static bool has(const uint64_t *set, uint32_t i)
{
  return set[i / 64] >> i % 64 & 1;
}

static bool can_reset(const sight *s, const var *v)
{
  return v->length == 1 && !(v->flags & (VAR_ARRAY | VAR_HIDDEN)) &&
         v->type.kind != TYPE_RECORD && !v->init_channel &&
         !(v->flags & VAR_OPAQUE) && !s->seen[v->owner->index][v->index];
}

/* The locals that are of use before the edge, or assigned by it, and of none
** after it. */
static void find_dead(sight *s, const lives *l, size_t number,
                      const uint64_t *ever)
{
  const process_type *p = l->type;
  const edge *e = p->edges.data[number];
  const var **list = ARENA_ARRAY(s->to->arena, const var *, p->locals.len + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->locals.len; i++)
    if (has(ever, i) && !has(l->at[e->target], i) &&
        (has(l->at[e->source], i) || has(l->sets[number], i)) &&
        can_reset(s, p->locals.data[i]))
      list[count++] = p->locals.data[i];
  if (!count)
    return;
  s->to->dead[e->index] = list;
  s->to->dead_count += count;
}

/* Whether the inner edges of the block of 'e' leave it for the target of 'e'.
 */
static bool leads_to_target(sight *s, const edge *e)
{
  const process_type *p = e->process;
  bool *seen = ARENA_ARRAY(s->to->arena, bool, p->locations.len + 1);
  VEC(uint32_t) todo = {0};
  bool good = true;
  vec_push(&todo, e->block);
  seen[e->block] = true;
  while (todo.len) {
    const location *at = &p->locations.data[vec_pop(&todo)];
    for (uint32_t i = 0; i < at->edge_count; i++) {
      uint32_t next = p->order.data[at->first_edge + i]->target;
      bool inside = p->locations.data[next].flags & LOC_DSTEP;
      good &= inside || next == e->target;
      if (inside && !seen[next])
        vec_push(&todo, next);
      seen[next] = true;
    }
  }
  vec_free(&todo);
  return good;
}

void dead_reset_type(sight *s, const process_type *p)
{
  for (size_t i = 0; i < p->edges.len; i++)
    if (p->edges.data[i]->flags & EDGE_DSTEP &&
        !leads_to_target(s, p->edges.data[i]))
      return;
  arena *a = s->to->arena;
  lives l = {.type = p, .words = (uint32_t)p->locals.len / 64 + 1};
  uint64_t *ever = ARENA_ARRAY(a, uint64_t, l.words);
  l.uses = ARENA_ARRAY(a, uint64_t *, p->edges.len + 1);
  l.sets = ARENA_ARRAY(a, uint64_t *, p->edges.len + 1);
  l.at = ARENA_ARRAY(a, uint64_t *, p->locations.len + 1);
  for (size_t i = 0; i < p->locations.len; i++)
    l.at[i] = ARENA_ARRAY(a, uint64_t, l.words);
  for (size_t i = 0; i < p->edges.len; i++) {
    l.uses[i] = ARENA_ARRAY(a, uint64_t, l.words);
    l.sets[i] = ARENA_ARRAY(a, uint64_t, l.words);
    find_uses(&l, p->edges.data[i], l.uses[i], l.sets[i]);
    add_live(&l, ever, l.sets[i], NULL);
  }
  find_lives(&l);
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *e = p->edges.data[i];
    if (!merging_ends(e) && !(e->flags & (EDGE_DSTEP | EDGE_PARALLEL)))
      find_dead(s, &l, i, ever);
  }
}
