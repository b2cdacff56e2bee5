/* Claims of 'xr' and 'xs', which the relations believe, and what ends the
** belief: a process that stands before a communication by which it would break
** one.
**
** A claim is believed while its process lives, and only of one channel that is
** there from the start, known by its number.  docs/internals/reduction.md says
** why it is enough to look where processes stand. */

#include "reduce/reduce_internal.h"

#include <string.h>

enum { NOBODY }; /* otherwise: the process, plus 1 */

static const uint32_t takes = USE_RECEIVE | USE_PICK;
static const uint32_t gives = USE_SEND | USE_SORTED;

/* ---- who claims what --------------------------------------------------- */

static bool is_assigned(const relations *r, const var *v)
{
  uint32_t slot = access_variable(r->access, v, 0, false);
  for (size_t i = 0; i < r->model->edges.len; i++)
    if (slots_have(r->access->edges[i].writes, slot))
      return true;
  return false;
}

/* Whether the expression reads variables alone, shared or of its process. */
static bool is_plain(const relations *r, const expr *e)
{
  if (!e)
    return true;
  for (const ref *at = e->op == OP_VAR ? e->ref : NULL; at; at = at->field)
    if (!is_plain(r, at->index))
      return false;
  return (e->op <= OP_COND || e->op == OP_PID) && is_plain(r, e->args[0]) &&
         is_plain(r, e->args[1]) && is_plain(r, e->args[2]);
}

/* Whether the expression names the same channel as long as its process
** lives. */
static bool is_constant(const relations *r, const expr *e)
{
  if (e->op != OP_VAR || e->ref->index || e->ref->field)
    return false;
  const var *v = e->ref->var;
  return v->owner ? access_is_constant(r->access, v)
                  : v->init_channel && v->length == 1 && !is_assigned(r, v);
}

typedef bool condition(const relations *, const expr *);

static bool all_are(const relations *r, condition *is, expr *const *list,
                    size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!is(r, list[i]))
      return false;
  return true;
}

static bool all_claims_are(const relations *r, condition *is)
{
  for (size_t i = 0; i < r->model->processes.len; i++) {
    const process_type *p = r->model->processes.data[i];
    if (!all_are(r, is, p->only_reads.data, p->only_reads.len) ||
        !all_are(r, is, p->only_sends.data, p->only_sends.len))
      return false;
  }
  return true;
}

bool reduce_can_believe(const relations *r)
{
  bool any = false;
  for (size_t i = 0; i < r->model->processes.len; i++) {
    const process_type *p = r->model->processes.data[i];
    any |= p->only_reads.len || p->only_sends.len;
  }
  return any && all_claims_are(r, is_constant);
}

bool reduce_claims_are_plain(const relations *r)
{
  return all_claims_are(r, is_plain);
}

/* The number of the channel, there from the start, that the expression names;
** 0: none. */
static uint32_t constant_channel(const relations *r, const role *o,
                                 const expr *e)
{
  const kind *k = &r->kinds[o->kind];
  uint32_t first = access_first_channels(r->access);
  const var *v = e->ref->var;
  for (uint32_t i = 0; i < k->constant_count; i++)
    if (k->constants[i] == v)
      return o->values[i] > 0 && (uint32_t)o->values[i] <= first
                 ? (uint32_t)o->values[i]
                 : 0;
  for (uint32_t i = 0; i < first; i++)
    if (r->access->channels.data[i].var == v)
      return i + 1;
  return 0;
}

static uint64_t *find_owned(relations *r, const role *o, expr *const *list,
                            size_t count)
{
  uint64_t *owned = NULL;
  for (size_t i = 0; i < count; i++) {
    uint32_t number = constant_channel(r, o, list[i]);
    if (!number || !r->access->channels.data[number - 1].type->capacity)
      continue;
    if (!owned)
      owned = ARENA_ARRAY(r->arena, uint64_t, r->access->channels.len / 64 + 1);
    bit_set(owned, number - 1);
  }
  return owned;
}

void reduce_find_owned(relations *r, role *o)
{
  const process_type *p = r->kinds[o->kind].type;
  if (o->generic || !r->believes)
    return;
  o->owns_reads = find_owned(r, o, p->only_reads.data, p->only_reads.len);
  o->owns_sends = find_owned(r, o, p->only_sends.data, p->only_sends.len);
}

/* ---- believing --------------------------------------------------------- */

bool claim_is_own(relations *r, const act *a, uint32_t channel, uint32_t uses)
{
  const role *o = &r->roles.data[a->role];
  bool own =
      r->believes &&
      (!(uses & takes) || (o->owns_reads && bit_get(o->owns_reads, channel))) &&
      (!(uses & gives) || (o->owns_sends && bit_get(o->owns_sends, channel))) &&
      !(uses & ~(takes | gives));
  if (own)
    __atomic_store_n(&r->relies, true, __ATOMIC_RELAXED);
  return own;
}

/* What a later edge of a sequence does with the channel is marked as a poll
** too, so what passes here is the communication of the first edge. */
bool claim_rules_out(relations *r, const act *a, const act *b, uint32_t channel,
                     uint32_t uses)
{
  return uses && b->edge->comm && !(b->edge->flags & EDGE_DSTEP) &&
         claim_is_own(r, a, channel, uses);
}

/* ---- doubting ---------------------------------------------------------- */

/* False when two claim the same. */
static bool enter_owners(const relations *r, const uint64_t *owned,
                         uint32_t process, uint16_t *owners)
{
  for (uint32_t k = 0; owned && k < access_first_channels(r->access); k++) {
    if (!bit_get(owned, k))
      continue;
    if (owners[k] != NOBODY)
      return false;
    owners[k] = (uint16_t)(process + 1);
  }
  return true;
}

static bool find_owners(reduction *r)
{
  memset(r->readers, 0, sizeof r->readers);
  memset(r->senders, 0, sizeof r->senders);
  for (uint32_t i = 0; i < r->processes; i++) {
    const role *o = &r->of->roles.data[r->role_of[i]];
    if (!enter_owners(r->of, o->owns_reads, i, r->readers) ||
        !enter_owners(r->of, o->owns_sends, i, r->senders))
      return false;
  }
  return true;
}

static bool is_others(const uint16_t *owners, uint32_t channel,
                      uint32_t process)
{
  return owners[channel] != NOBODY && owners[channel] != process + 1;
}

/* The value of a number or a scalar of the process 'at', or a global. */
static bool find_value(const reduction *r, const uint8_t *state,
                       const process_position *at, const expr *e,
                       int32_t *value)
{
  int32_t element = 0;
  if (e->op == OP_CONST) {
    *value = e->value;
    return true;
  }
  if (e->op != OP_VAR || e->ref->field ||
      e->ref->var->type.kind == TYPE_RECORD ||
      (e->ref->index && !find_value(r, state, at, e->ref->index, &element)))
    return false;
  const var *v = e->ref->var;
  if (element < 0 || (uint32_t)element >= v->length)
    return false;
  *value = program_scalar(r->of->program, state, at, v, (uint32_t)element);
  return true;
}

/* Whether the act may use a channel that another process has for itself. */
static bool is_near(const reduction *r, const act *a, uint32_t process)
{
  const comm *c = a->edge->comm;
  uint32_t first = access_first_channels(r->of->access);
  if (!c || (c->kind != COMM_SEND && c->kind != COMM_RECEIVE))
    return false;
  const uint16_t *owners = c->kind == COMM_SEND ? r->senders : r->readers;
  for (size_t i = 0; i < a->uses.len; i++)
    if (a->uses.data[i].channel < first &&
        is_others(owners, a->uses.data[i].channel, process))
      return true;
  return false;
}

/* Whether the act, if taken, would use one. */
static bool would_break(const reduction *r, const uint8_t *state, const act *a,
                        uint32_t process)
{
  const comm *c = a->edge->comm;
  uint32_t first = access_first_channels(r->of->access);
  int32_t number;
  if (!find_value(r, state, &r->positions[process], c->channel, &number))
    return true;
  return number > 0 && (uint32_t)number <= first &&
         is_others(c->kind == COMM_SEND ? r->senders : r->readers,
                   (uint32_t)number - 1, process);
}

/* Whether the process stands before an act that would break a claim.  Which acts
** may, whatever the values in a state are, is found out once for a location, as
** long as roles stay what they are. */
static bool is_about_to_break(reduction *r, const uint8_t *state,
                              uint32_t process)
{
  const relations *of = r->of;
  const process_position *at = &r->positions[process];
  const process_type *p = of->model->processes.data[at->type];
  const location *where = &p->locations.data[at->location];
  uint32_t first = of->roles.data[r->role_of[process]].first;
  const edge *const *edges = (const edge *const *)p->order.data;
  edges += where->first_edge;
  bool is_any_near = false;
  if (!where->edge_count ||
      bit_get(r->harmless.data, first + of->step_of[edges[0]->index]))
    return false;
  for (uint32_t i = 0; i < where->edge_count; i++) {
    const act *a = of->acts.data[first + of->step_of[edges[i]->index]];
    if (!is_near(r, a, process))
      continue;
    if (would_break(r, state, a, process))
      return true;
    is_any_near = true;
  }
  if (!is_any_near)
    bit_set(r->harmless.data, first + of->step_of[edges[0]->index]);
  return false;
}

void reduce_watch(reduction *r, const uint8_t *state)
{
  bool broken = false;
  if (!r->owners_known) {
    vec_clear(&r->harmless);
    broken = !find_owners(r);
    r->owners_known = !broken;
    r->owners_of = r->processes;
  }
  vec_resize(&r->harmless, r->of->acts.len / 64 + 1);
  for (uint32_t i = 0; i < r->processes && !broken; i++)
    broken = is_about_to_break(r, state, i);
  r->has_breach |= broken;
}

void reduce_doubt(relations *r)
{
  r->believes = false;
  r->claim_broken = r->relies;
}

bool reduce_claim_broken(const reduction *r)
{
  return r->of->claim_broken;
}
