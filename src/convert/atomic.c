/* Atomic sequences as single steps.  After an atomic edge its process goes on
** alone, if it can: so the edge and one that follows it are one step with the
** effects of both, and where none can follow, the step ends between them.
**
**   a --g1, x--> b --g2, y--> c    is    a --g1 && g2, x y--> c
**                                        a --g1 && !g2, x--> b
**
** That is so as long as g2 is the same before and after x.  Where it is not, or
** the sequence has a loop, the edge stays atomic, and the model is refused. */

#include "convert/simplify.h"

#include <string.h>

static const span nowhere = {0};

/* An edge for every way through a sequence: they must not become too many. */
enum { EDGES_MAX = 500 };

static bool is_never(const edge *e)
{
  return e->guard && e->guard->op == OP_CONST && !e->guard->value;
}

static bool is_true(const expr *e)
{
  return !e || (e->op == OP_CONST && e->value);
}

/* Whether the edge changes what the expression reads. */
static bool changes(const edge *by, const expr *e)
{
  if (!e)
    return false;
  if (e->op == OP_AT || e->op == OP_REMOTE)
    return true; /* its own place changes */
  for (const ref *r = e->ref; r; r = r->field) {
    for (size_t i = 0; i < by->effects.len; i++)
      if (by->effects.data[i]->kind == EFFECT_ASSIGN &&
          by->effects.data[i]->target->var == r->var)
        return true;
    if (changes(by, r->index))
      return true;
  }
  return changes(by, e->args[0]) || changes(by, e->args[1]) ||
         changes(by, e->args[2]);
}

/* Only what assigns, asserts or prints can come before something else. */
static bool is_plain(const edge *e)
{
  if (e->flags & (EDGE_DSTEP | EDGE_ELSE | EDGE_PARALLEL) || e->rank)
    return false;
  for (size_t i = 0; i < e->effects.len; i++) {
    effect_kind kind = e->effects.data[i]->kind;
    if (kind != EFFECT_ASSIGN && kind != EFFECT_ASSERT &&
        kind != EFFECT_PRINT && kind != EFFECT_PRINTM)
      return false;
  }
  return true;
}

static bool has_buffer(const model *m, const expr *channel)
{
  return channel->op == OP_CONST && channel->value > 0 &&
         (size_t)channel->value <= m->initial_channels.len &&
         m->initial_channels.data[channel->value - 1]->capacity;
}

/* After a rendezvous the one who receives goes on, not the sender. */
static bool can_begin(const model *m, const edge *e)
{
  return is_plain(e) &&
         (!e->comm || e->comm->kind == COMM_RECEIVE ||
          (e->comm->kind == COMM_SEND && has_buffer(m, e->comm->channel)));
}

static bool can_follow(const edge *first, const edge *e)
{
  return is_plain(e) && !e->comm &&
         (is_true(e->guard) || (!first->comm && !changes(first, e->guard)));
}

/* Whether everything that can come after 'first' can be joined to it. */
static bool can_be_joined(const model *m, const process_type *p,
                          const edge *first)
{
  if (first->target == first->source || !can_begin(m, first))
    return false;
  for (size_t i = 0; i < p->edges.len; i++)
    if (p->edges.data[i]->source == first->target &&
        !is_never(p->edges.data[i]) && !can_follow(first, p->edges.data[i]))
      return false;
  return true;
}

static void add_effects(model *m, edge *to, const edge *from)
{
  for (size_t i = 0; i < from->effects.len; i++) {
    effect *made = model_add_effect(m, to, from->effects.data[i]->kind,
                                    from->effects.data[i]->where);
    *made = *from->effects.data[i];
    /* Each effect has arguments of its own to give back. */
    memset(&made->args, 0, sizeof made->args);
    for (size_t k = 0; k < from->effects.data[i]->args.len; k++)
      vec_push(&made->args, from->effects.data[i]->args.data[k]);
  }
}

static void join(model *m, process_type *p, const edge *a, const edge *b)
{
  edge *made = model_add_edge(m, p, a->source, b->target, a->where);
  made->flags = b->flags;
  made->comm = a->comm;
  made->guard = simplify_both(m, a->guard, is_true(b->guard) ? NULL : b->guard);
  if (a->text && b->text)
    made->text = arena_printf(m->arena, "%s; %s", a->text, b->text);
  add_effects(m, made, a);
  add_effects(m, made, b);
}

/* Leaves 'first' as the step after which nothing can follow. */
static void join_all(model *m, process_type *p, size_t index)
{
  edge *first = p->edges.data[index];
  size_t count = p->edges.len;
  bool always = false;
  expr *none = NULL;
  for (size_t i = 0; i < count; i++) {
    const edge *next = p->edges.data[i];
    if (next->source != first->target || is_never(next))
      continue;
    join(m, p, first, next);
    always = always || is_true(next->guard);
    if (!is_true(next->guard))
      none = simplify_both(
          m, none, expr_new(m, OP_NOT, next->guard, NULL, NULL, nowhere));
  }
  first->flags &= ~(uint32_t)EDGE_ATOMIC;
  if (always)
    first->guard = expr_const(m, 0, nowhere);
  else
    first->guard = simplify_both(m, first->guard, none);
}

void simplify_atomic(model *m, process_type *p)
{
  for (size_t i = 0; i < p->edges.len && p->edges.len < EDGES_MAX; i++)
    if ((p->edges.data[i]->flags & EDGE_ATOMIC) &&
        can_be_joined(m, p, p->edges.data[i]))
      join_all(m, p, i);
}
