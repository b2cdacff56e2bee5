/* The sets of the edges of one process, whose number and constants are known.
**
** The facts about its type (access_range.c, access_channel.c) are replaced by
** what is known of the process while its edges are looked at once more, and
** put back afterwards.  Facts of the type are also asked for about others of
** the same type, where those of this process would be wrong: then 'unsure' is
** set and the sets are not used. */

#include "base/alloc.h"
#include "model/access/access_internal.h"

bool access_is_constant(const access_sets *a, const var *v)
{
  return v->owner && v->length == 1 && !(v->flags & VAR_ARRAY) &&
         v->type.kind != TYPE_RECORD && !v->init_channel &&
         !access_is_assigned(a, v);
}

/* The one channel that the constant names, if it was there from the start. */
static void know_channel(access_sets *a, const var *v, int32_t value)
{
  channel_flow *f = &a->parts->flow;
  if (value < 0 || (uint32_t)value > a->parts->global_channels)
    return;
  uint64_t *set = ARENA_ARRAY(a->arena, uint64_t, f->words);
  if (value > 0)
    slots_add(set, (uint32_t)value - 1);
  f->locals[v->owner->index][v->index] = set;
}

static void know_process(access_sets *a, const process_type *p, uint32_t number,
                         const int32_t *values)
{
  var_facts *facts = a->parts->local_facts[p->index];
  a->parts->special = p;
  a->parts->special_number = number;
  a->parts->unsure = false;
  for (size_t i = 0; i < p->locals.len; i++) {
    const var *v = p->locals.data[i];
    if (!access_is_constant(a, v))
      continue;
    facts[i].known = true;
    facts[i].range = (value_range){values[i], values[i]};
    if (v->type.kind == TYPE_CHAN)
      know_channel(a, v, values[i]);
  }
}

const edge_access *access_specialise(access_sets *a, const process_type *p,
                                     uint32_t number, const int32_t *values)
{
  access_parts *parts = a->parts;
  uint32_t n = (uint32_t)p->locals.len;
  edge_access *edges = access_new_edges(a), *generic = a->edges;
  var_facts *facts = parts->local_facts[p->index];
  uint64_t **channels = parts->flow.locals[p->index];
  vec_push(&a->special, edges);
  parts->local_facts[p->index] = ARENA_ARRAY(a->arena, var_facts, n + 1);
  parts->flow.locals[p->index] = ARENA_ARRAY(a->arena, uint64_t *, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    parts->local_facts[p->index][i] = facts[i];
    parts->flow.locals[p->index][i] = channels[i];
  }
  a->edges = edges;
  know_process(a, p, number, values);
  access_look_at_edges(a, p);
  access_finish_edges(a, p);
  a->edges = generic;
  parts->local_facts[p->index] = facts;
  parts->flow.locals[p->index] = channels;
  parts->special = NULL;
  return parts->unsure ? NULL : edges;
}

bool access_expression(const access_sets *a, const expr *e, uint64_t *reads)
{
  uint64_t *writes = ARENA_ARRAY(a->arena, uint64_t, a->words);
  uint64_t *seen = ARENA_ARRAY(a->arena, uint64_t, a->words);
  looker l = {.access = a, .reads = seen, .writes = writes};
  look_at_expr(&l, e);
  access_add_others(a, NULL, reads, seen);
  return !l.asks;
}
