/* Follows the claim from its first values, with its own variables as
** constants. */

#include "search/observer/claim_unfold.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/vec.h"
#include "model/access/access.h"

#include <string.h>

enum {
  PLACES_MOST = 4096,
  TABLE = 4 * PLACES_MOST,
  VALUES_MOST = 64,
  WAYS_MOST = 256 /* values of a type that are tried */
};

typedef claim_own own_var;
typedef claim_place place;

typedef struct unfolding {
  arena *arena;
  const model *model;
  const process_type *claim;
  process_type *made;
  own_var own[VALUES_MOST];
  uint32_t own_count, value_count;
  uint32_t table[TABLE]; /* place + 1, by hash */
  VEC(place) places;
  VEC(edge *) edges;
  place *kept;           /* the places, in the arena */
  const int32_t *values; /* of the variables, while expressions are copied */
  bool failed;
} unfolding;

/* ---- expressions ------------------------------------------------------- */

static const own_var *find_own(const unfolding *u, const var *v)
{
  for (uint32_t i = 0; i < u->own_count; i++)
    if (u->own[i].var == v)
      return &u->own[i];
  return NULL;
}

static expr *constant(unfolding *u, int32_t value, const expr *like)
{
  expr *e = ARENA_NEW(u->arena, expr);
  *e = (expr){.op = OP_CONST, .value = value, .where = like->where};
  return e;
}

static expr *copy_expr(unfolding *u, expr *e);

/* Which value of the place is meant; UINT32_MAX: that is not known. */
static uint32_t find_value(unfolding *u, const own_var *o, const ref *r)
{
  int32_t at = 0;
  if (r->index) {
    const expr *index = copy_expr(u, r->index);
    if (index->op != OP_CONST)
      return UINT32_MAX;
    at = index->value;
  }
  return at < 0 || (uint32_t)at >= o->var->length ? UINT32_MAX
                                                  : o->first + (uint32_t)at;
}

static ref *copy_ref(unfolding *u, ref *r)
{
  if (!r)
    return NULL;
  expr *index = r->index ? copy_expr(u, r->index) : NULL;
  ref *field = copy_ref(u, r->field);
  if (index == r->index && field == r->field)
    return r;
  ref *made = ARENA_NEW(u->arena, ref);
  *made = *r;
  made->index = index;
  made->field = field;
  return made;
}

/* What is known of it without the program. */
static expr *simplify(unfolding *u, expr *e)
{
  expr *a = e->args[0], *b = e->args[1];
  int32_t value;
  if (e->op == OP_NOT && a->op == OP_CONST)
    return constant(u, !a->value, e);
  for (int i = 0; i < 2; i++)
    if ((e->op == OP_AND || e->op == OP_OR) && e->args[i]->op == OP_CONST &&
        !e->args[i]->value == (e->op == OP_AND))
      return constant(u, e->op == OP_OR, e);
  if (e->op > OP_COMPL && e->op < OP_COND && a->op == OP_CONST &&
      b->op == OP_CONST && op_apply(e->op, a->value, b->value, &value))
    return constant(u, value, e);
  return e;
}

static bool reads_own(unfolding *u, const expr *e)
{
  bool found = false;
  if (!e)
    return false;
  for (const ref *r = e->ref; r; r = r->field)
    found |= find_own(u, r->var) || reads_own(u, r->index);
  for (int i = 0; i < 3; i++)
    found |= reads_own(u, e->args[i]);
  return found;
}

/* Messages that are waited for are not looked into. */
static void refuse_poll(unfolding *u, const comm *c)
{
  for (size_t i = 0; i < c->args.len; i++)
    u->failed |= reads_own(u, c->args.data[i].value);
  u->failed |= reads_own(u, c->channel);
}

/* The expression with the values of the place in it; the same one when it reads
** none of them. */
static expr *copy_expr(unfolding *u, expr *e)
{
  if (e->op == OP_VAR && find_own(u, e->ref->var)) {
    uint32_t at = find_value(u, find_own(u, e->ref->var), e->ref);
    u->failed |= at == UINT32_MAX || e->ref->field;
    return u->failed ? e : constant(u, u->values[at], e);
  }
  if (e->poll)
    refuse_poll(u, e->poll);
  ref *r = copy_ref(u, e->ref);
  expr made = *e;
  bool same = r == e->ref;
  made.ref = r;
  for (int i = 0; i < 3 && e->args[i]; i++) {
    made.args[i] = copy_expr(u, e->args[i]);
    same &= made.args[i] == e->args[i];
  }
  if (same)
    return e;
  expr *kept = ARENA_NEW(u->arena, expr);
  *kept = made;
  return simplify(u, kept);
}

static expr *both(unfolding *u, expr *a, expr *b)
{
  if (!a)
    return b;
  expr *e = ARENA_NEW(u->arena, expr);
  *e = (expr){.op = OP_AND, .args = {a, b}, .where = a->where};
  return e;
}

/* The value, kept in a variable of this type, is 'value'. */
static expr *is_kept_as(unfolding *u, expr *e, const type *t, int32_t value)
{
  expr *kept = ARENA_NEW(u->arena, expr), *test = ARENA_NEW(u->arena, expr);
  *kept = (expr){
      .op = OP_BITAND, .args = {e, constant(u, t->hi, e)}, .where = e->where};
  *test = (expr){
      .op = OP_EQ, .args = {kept, constant(u, value, e)}, .where = e->where};
  return test;
}

/* ---- places ------------------------------------------------------------ */

static uint32_t place_of(unfolding *u, uint32_t at, const int32_t *values)
{
  size_t bytes = u->value_count * sizeof *values;
  uint64_t hash = hash_bytes((const uint8_t *)values, bytes) + at;
  uint32_t slot = (uint32_t)(hash ^ hash >> 32) % TABLE;
  for (; u->table[slot]; slot = (slot + 1) % TABLE) {
    const place *p = &u->places.data[u->table[slot] - 1];
    if (p->location == at && !memcmp(p->values, values, bytes))
      return u->table[slot] - 1;
  }
  if (u->places.len == PLACES_MOST) {
    u->failed = true;
    return 0;
  }
  int32_t *kept = ARENA_ARRAY(u->arena, int32_t, u->value_count + 1);
  memcpy(kept, values, bytes);
  vec_push(&u->places, ((place){at, kept}));
  u->table[slot] = (uint32_t)u->places.len;
  return (uint32_t)u->places.len - 1;
}

/* ---- edges ------------------------------------------------------------- */

typedef struct branch {
  const edge *from;
  uint32_t source;
  expr *guard; /* NULL: true */
  int32_t values[VALUES_MOST];
  expr *asserts[4];
  uint32_t assert_count;
} branch;

static void keep_branch(unfolding *u, const branch *b)
{
  edge *e = ARENA_NEW(u->arena, edge);
  *e = *b->from;
  e->process = u->made;
  e->source = b->source;
  e->guard = b->guard;
  e->target = place_of(u, b->from->target, b->values);
  e->effects.data = ARENA_ARRAY(u->arena, effect *, b->assert_count + 1);
  e->effects.len = e->effects.cap = b->assert_count;
  for (uint32_t i = 0; i < b->assert_count; i++) {
    effect *f = e->effects.data[i] = ARENA_NEW(u->arena, effect);
    *f = (effect){.kind = EFFECT_ASSERT,
                  .value = b->asserts[i],
                  .where = b->asserts[i]->where};
  }
  vec_push(&u->edges, e);
}

static void follow(unfolding *u, const branch *b, size_t effects);

static bool can_be_tried(const type *t)
{
  return t->lo == 0 && t->kind != TYPE_RANGE && t->hi > 0 &&
         t->hi < WAYS_MOST && !(t->hi & (t->hi + 1));
}

static void follow_assignment(unfolding *u, const branch *b, const effect *f,
                              size_t next)
{
  branch then = *b;
  const own_var *o = find_own(u, f->target->var);
  u->values = then.values;
  uint32_t at =
      o && !f->target->field ? find_value(u, o, f->target) : UINT32_MAX;
  expr *value = copy_expr(u, f->value);
  if (at == UINT32_MAX ||
      (value->op != OP_CONST && !can_be_tried(&o->var->type)))
    u->failed = true;
  if (u->failed)
    return;
  const type *t = &o->var->type;
  if (value->op == OP_CONST) {
    u->failed |=
        t->kind == TYPE_RANGE && (value->value < t->lo || value->value > t->hi);
    then.values[at] = type_truncate(t, value->value);
    follow(u, &then, next);
    return;
  }
  for (int32_t v = t->lo; v <= t->hi && !u->failed; v++) {
    then.values[at] = v;
    then.guard = both(u, b->guard, is_kept_as(u, value, t, v));
    follow(u, &then, next);
  }
}

/* Goes on with effect number 'next' of the edge. */
static void follow(unfolding *u, const branch *b, size_t next)
{
  if (u->failed || next == b->from->effects.len) {
    if (!u->failed)
      keep_branch(u, b);
    return;
  }
  const effect *f = b->from->effects.data[next];
  if (f->kind == EFFECT_ASSIGN) {
    follow_assignment(u, b, f, next + 1);
    return;
  }
  branch then = *b;
  u->failed |= f->kind == EFFECT_EVAL;
  if (f->kind == EFFECT_ASSERT) {
    u->values = then.values;
    u->failed |= then.assert_count == 4;
    if (!u->failed)
      then.asserts[then.assert_count++] = copy_expr(u, f->value);
  }
  follow(u, &then, next + 1);
}

static void unfold_edge(unfolding *u, uint32_t source, const edge *e)
{
  branch b = {.from = e, .source = source};
  memcpy(b.values, u->places.data[source].values,
         u->value_count * sizeof *b.values);
  u->values = b.values;
  u->failed |= e->comm || e->flags & EDGE_DSTEP;
  if (u->failed)
    return;
  b.guard = e->guard ? copy_expr(u, e->guard) : NULL;
  if (b.guard && b.guard->op == OP_CONST && !(e->flags & EDGE_ELSE)) {
    if (!b.guard->value)
      return;
    b.guard = NULL;
  }
  follow(u, &b, 0);
}

static void unfold_places(unfolding *u)
{
  process_type *made = u->made;
  uint32_t *firsts = ARENA_ARRAY(u->arena, uint32_t, PLACES_MOST + 1);
  for (uint32_t i = 0; i < u->places.len && !u->failed; i++) {
    const location *at = u->claim->locations.data + u->places.data[i].location;
    firsts[i] = (uint32_t)u->edges.len;
    for (uint32_t k = 0; k < at->edge_count && !u->failed; k++)
      unfold_edge(u, i, u->claim->order.data[at->first_edge + k]);
  }
  size_t n = u->failed ? 0 : u->places.len;
  made->locations.data = ARENA_ARRAY(u->arena, location, n + 1);
  made->locations.len = made->locations.cap = n;
  for (size_t i = 0; i < n; i++) {
    location *at = &made->locations.data[i];
    *at = u->claim->locations.data[u->places.data[i].location];
    at->first_edge = firsts[i];
    at->edge_count =
        (uint32_t)(i + 1 < n ? firsts[i + 1] : u->edges.len) - firsts[i];
  }
}

/* ---- what is its own --------------------------------------------------- */

static bool add_own(unfolding *u, const var *v)
{
  if (find_own(u, v))
    return true;
  if (v->type.kind == TYPE_RECORD || v->type.kind == TYPE_CHAN ||
      v->init_channel || v->length > VALUES_MOST - u->value_count)
    return false;
  u->own[u->own_count++] = (own_var){v, u->value_count};
  u->value_count += v->length;
  return true;
}

/* Whether some process of the program has to do with a global. */
static bool is_used(const access_sets *a, const var *v)
{
  for (size_t i = 0; i < a->model->edges.len; i++) {
    const edge_access *x = &a->edges[i];
    process_kind kind = a->model->edges.data[i]->process->kind;
    if (kind != PROCESS_NORMAL && kind != PROCESS_INIT)
      continue;
    for (uint32_t k = 0; k < v->length; k++) {
      uint32_t slot = access_variable(a, v, k, false);
      if (slots_have(x->tests, slot) || slots_have(x->reads, slot) ||
          slots_have(x->writes, slot))
        return true;
    }
  }
  return false;
}

static bool find_all_own(unfolding *u, const access_sets *a)
{
  const process_type *claim = u->claim;
  for (size_t i = 0; i < claim->locals.len; i++)
    if (!add_own(u, claim->locals.data[i]))
      return false;
  for (size_t i = 0; i < claim->edges.len; i++)
    for (size_t k = 0; k < claim->edges.data[i]->effects.len; k++) {
      const effect *f = claim->edges.data[i]->effects.data[k];
      if (f->kind != EFFECT_ASSIGN || f->target->var->owner)
        continue;
      if (f->target->var->type.kind == TYPE_RECORD ||
          is_used(a, f->target->var) || !add_own(u, f->target->var))
        return false;
    }
  return true;
}

/* Those that are not given are 0. */
static bool find_first_values(unfolding *u, int32_t *values)
{
  memset(values, 0, VALUES_MOST * sizeof *values);
  u->values = values;
  for (uint32_t i = 0; i < u->own_count; i++) {
    const var *v = u->own[i].var;
    for (uint32_t k = 0; v->init.len && k < v->length; k++) {
      expr *e = copy_expr(u, v->init.data[v->init.len == 1 ? 0 : k]);
      if (u->failed || e->op != OP_CONST)
        return false;
      values[u->own[i].first + k] = type_truncate(&v->type, e->value);
    }
  }
  return true;
}

static void unfold(unfolding *u, const model *m)
{
  int32_t values[VALUES_MOST];
  access_sets *a = access_create(m);
  bool good = find_all_own(u, a);
  access_destroy(a);
  u->failed |= !good || !find_first_values(u, values);
  if (u->failed)
    return;
  u->made->start = place_of(u, u->claim->start, values);
  unfold_places(u);
  u->kept = ARENA_ARRAY(u->arena, place, u->places.len + 1);
  memcpy(u->kept, u->places.data, u->places.len * sizeof *u->kept);
  u->made->edges.data = ARENA_ARRAY(u->arena, edge *, u->edges.len + 1);
  if (u->edges.len)
    memcpy(u->made->edges.data, u->edges.data,
           u->edges.len * sizeof *u->edges.data);
  u->made->edges.len = u->made->edges.cap = u->edges.len;
  u->made->order.data = u->made->edges.data;
  u->made->order.len = u->made->order.cap = u->edges.len;
}

static void do_unfold(void *work)
{
  unfolding *u = work;
  unfold(u, u->model);
}

static void tidy_unfolding(void *work)
{
  unfolding *u = work;
  vec_free(&u->places);
  vec_free(&u->edges);
}

const process_type *claim_unfold(arena *a, const model *m,
                                 const process_type *claim)
{
  claim_places places;
  return claim_unfold_places(a, m, claim, &places);
}

const process_type *claim_unfold_places(arena *a, const model *m,
                                        const process_type *claim,
                                        claim_places *places)
{
  unfolding *u = ARENA_NEW(a, unfolding);
  u->arena = a;
  u->model = m;
  u->claim = claim;
  u->made = ARENA_NEW(a, process_type);
  *u->made = *claim;
  memset(&u->made->locals, 0, sizeof u->made->locals);
  mem_protect_tidy(do_unfold, tidy_unfolding, u);
  *places = (claim_places){u->kept, u->own, u->own_count};
  return u->failed ? NULL : u->made;
}

bool claim_has_variables(const process_type *claim)
{
  if (claim->locals.len)
    return true;
  for (size_t i = 0; i < claim->edges.len; i++)
    for (size_t k = 0; k < claim->edges.data[i]->effects.len; k++)
      if (claim->edges.data[i]->effects.data[k]->kind == EFFECT_ASSIGN)
        return true;
  return false;
}
