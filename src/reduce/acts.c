/* Edges as transitions of the state space. */

#include "base/alloc.h"
#include "reduce/reduce_internal.h"

#include <string.h>

#define NOWHERE UINT32_MAX

/* ---- edges ------------------------------------------------------------- */

static bool is_inside_block(const edge *e)
{
  return e->process->locations.data[e->source].flags & LOC_DSTEP;
}

static bool demands_timeout(const expr *e)
{
  if (e->op == OP_AND)
    return demands_timeout(e->args[0]) || demands_timeout(e->args[1]);
  return e->op == OP_TIMEOUT;
}

bool edge_waits_for_timeout(const edge *e)
{
  if (e->flags & (EDGE_DSTEP | EDGE_ELSE))
    return false;
  return e->guard && demands_timeout(e->guard);
}

static bool runs(const expr *e)
{
  if (!e)
    return false;
  return e->op == OP_RUN || runs(e->args[0]) || runs(e->args[1]) ||
         runs(e->args[2]);
}

static bool edge_runs(const edge *e)
{
  bool any = runs(e->guard);
  for (size_t i = 0; i < e->effects.len; i++)
    any |= runs(e->effects.data[i]->value);
  for (size_t i = 0; e->comm && i < e->comm->args.len; i++)
    any |= runs(e->comm->args.data[i].value);
  return any;
}

static bool edge_dies(const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_DIE)
      return true;
  return false;
}

static bool edge_only_dies(const edge *e)
{
  return edge_dies(e) && e->effects.len == 1 && !e->guard && !e->comm &&
         !e->rank && !(e->flags & (EDGE_ELSE | EDGE_DSTEP)) &&
         !e->process->provided;
}

/* A send that surely is a rendezvous: then it is the receiver's edge that says
** who keeps control. */
static bool hands_over(const relations *r, const edge *e)
{
  const edge_access *x = &r->access->edges[e->index];
  if (!e->comm || e->comm->kind != COMM_SEND)
    return false;
  for (size_t i = 0; i < x->uses.len; i++)
    if (x->uses.data[i].flags & (USE_SEND | USE_SORTED) &&
        r->access->channels.data[x->uses.data[i].channel].type->capacity)
      return false;
  return true;
}

/* ---- atomic sequences -------------------------------------------------- */

/* The locations where the process can be between 'e' and the end of what it
** begins, and there; in 'seen', and listed. */
static void find_resting(const relations *r, const edge *e, uint8_t *seen,
                         number_list *found)
{
  const process_type *p = e->process;
  vec_clear(found);
  memset(seen, 0, p->locations.len);
  seen[e->target] = 1;
  vec_push(found, e->target);
  if (!program_keeps_control(r->program, e) || hands_over(r, e))
    return;
  for (size_t i = 0; i < found->len; i++) {
    const location *at = &p->locations.data[found->data[i]];
    for (uint32_t k = 0; k < at->edge_count; k++) {
      const edge *next = p->order.data[at->first_edge + k];
      if (!seen[next->target]) {
        seen[next->target] = 1;
        vec_push(found, next->target);
      }
    }
  }
}

/* The locations from which the process goes on while it keeps control. */
static void find_passed(const relations *r, const edge *e, uint8_t *seen,
                        number_list *found)
{
  const process_type *p = e->process;
  vec_clear(found);
  memset(seen, 0, p->locations.len);
  if (!program_keeps_control(r->program, e) || hands_over(r, e))
    return;
  seen[e->target] = 1;
  vec_push(found, e->target);
  for (size_t i = 0; i < found->len; i++) {
    const location *at = &p->locations.data[found->data[i]];
    for (uint32_t k = 0; k < at->edge_count; k++) {
      const edge *next = p->order.data[at->first_edge + k];
      if (!program_keeps_control(r->program, next) || seen[next->target])
        continue;
      seen[next->target] = 1;
      vec_push(found, next->target);
    }
  }
}

static bool is_passed_on(const relations *r, const edge *e,
                         const uint8_t *passed)
{
  return program_keeps_control(r->program, e) && passed[e->target];
}

/* Whether the process may go round in circles while it keeps control: then the
** sequence may have no end, and all it reads decides whether it has one.
** Locations are taken away as long as one has no edge from those left. */
static bool goes_round(const relations *r, const process_type *p,
                       const number_list *passed, uint8_t *left)
{
  for (bool again = true; again;) {
    again = false;
    /* What was passed last decides about what was passed before. */
    for (size_t i = passed->len; i--;) {
      const location *at = &p->locations.data[passed->data[i]];
      bool leads_on = false;
      for (uint32_t k = 0; k < at->edge_count; k++)
        leads_on |= is_passed_on(r, p->order.data[at->first_edge + k], left);
      again |= left[passed->data[i]] && !leads_on;
      left[passed->data[i]] &= leads_on;
    }
  }
  for (size_t i = 0; i < passed->len; i++)
    if (left[passed->data[i]])
      return true;
  return false;
}

/* ---- process types ----------------------------------------------------- */

static void find_steps(relations *r, kind *k)
{
  const process_type *p = k->type;
  k->edges = ARENA_ARRAY(r->arena, const edge *, p->edges.len + 1);
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *e = p->edges.data[i];
    if (is_inside_block(e))
      continue;
    r->step_of[e->index] = k->count;
    k->edges[k->count++] = e;
  }
  for (size_t i = 0; i < p->locations.len; i++)
    for (uint32_t n = 0; n < p->locations.data[i].edge_count; n++)
      r->turn_of[p->order.data[p->locations.data[i].first_edge + n]->index] = n;
}

static location_list list_locations(relations *r, const number_list *found)
{
  uint32_t *data = ARENA_ARRAY(r->arena, uint32_t, found->len + 1);
  memcpy(data, found->data, found->len * sizeof *data);
  return (location_list){data, (uint32_t)found->len};
}

/* Of each location, a bit each: where the process can be behind an edge of it,
** and its edges, but for those inside a block.  One that waits for a timeout is none of them: it ends all that
** others have to know of, since before it nothing else can happen, so the step
** chosen now has been taken. */
typedef struct ways {
  uint64_t *leads, *edges, *makers; /* makers: edges that create processes */
  uint64_t *todo, *reached;         /* locations, while edges are followed */
  uint32_t location_words, edge_words;
} ways;

static ways find_ways(relations *r, const kind *k)
{
  const process_type *p = k->type;
  uint32_t places = (uint32_t)p->locations.len;
  uint32_t words = places / 64 + 1, own = k->count / 64 + 1;
  ways w = {ARENA_ARRAY(r->arena, uint64_t, places * words + 1),
            ARENA_ARRAY(r->arena, uint64_t, places * own + 1),
            ARENA_ARRAY(r->arena, uint64_t, own),
            ARENA_ARRAY(r->arena, uint64_t, words),
            ARENA_ARRAY(r->arena, uint64_t, words),
            words,
            own};
  for (uint32_t i = 0; i < places; i++) {
    const location *at = &p->locations.data[i];
    for (uint32_t n = 0; n < at->edge_count; n++) {
      const edge *e = p->order.data[at->first_edge + n];
      uint32_t own_step = r->step_of[e->index];
      if (own_step == NO_STEP || edge_waits_for_timeout(e))
        continue;
      bit_set(w.edges + (size_t)i * own, own_step);
      for (uint32_t m = 0; m < k->resting[own_step].count; m++)
        bit_set(w.leads + (size_t)i * words, k->resting[own_step].data[m]);
    }
  }
  for (uint32_t i = 0; r->model->flags & MODEL_HAS_RUN && i < k->count; i++)
    if (edge_runs(k->edges[i]) || k->edges[i]->flags & EDGE_DSTEP)
      bit_set(w.makers, i);
  return w;
}

/* Goes on from the lowest location in 'todo'.  False: there is none. */
static bool follow_one(const ways *w, uint32_t source, uint64_t *after)
{
  uint32_t i = 0;
  while (i < w->location_words && !w->todo[i])
    i++;
  if (i == w->location_words)
    return false;
  uint32_t at = 64 * i + (uint32_t)__builtin_ctzll(w->todo[i]);
  const uint64_t *leads = w->leads + (size_t)at * w->location_words;
  const uint64_t *edges = w->edges + (size_t)at * w->edge_words;
  w->todo[i] &= w->todo[i] - 1;
  if (at == source)
    return true;
  bit_set(w->reached, at);
  for (uint32_t n = 0; n < w->location_words; n++)
    w->todo[n] |= leads[n] & ~w->reached[n];
  for (uint32_t n = 0; n < w->edge_words; n++)
    after[n] |= edges[n];
  return true;
}

/* What can follow an edge before its process rests at the same location again. */
static void find_after(relations *r, kind *k, uint32_t which, const ways *w)
{
  uint32_t source = k->edges[which]->source;
  uint64_t *after = ARENA_ARRAY(r->arena, uint64_t, w->edge_words);
  memset(w->todo, 0, w->location_words * sizeof *w->todo);
  memset(w->reached, 0, w->location_words * sizeof *w->reached);
  for (uint32_t i = 0; i < k->resting[which].count; i++)
    bit_set(w->todo, k->resting[which].data[i]);
  bit_set(w->reached, source);
  while (follow_one(w, source, after))
    ;
  bit_set(after, which);
  k->after[which] = after;
  for (uint32_t i = 0; i < w->edge_words; i++)
    k->makes[which] |= (after[i] & w->makers[i]) != 0;
}

static void find_kind(relations *r, kind *k)
{
  const process_type *p = k->type;
  uint8_t *seen = ARENA_ARRAY(r->arena, uint8_t, p->locations.len + 1);
  number_list *resting = &r->scratch[1];
  k->after = ARENA_ARRAY(r->arena, uint64_t *, k->count + 1);
  k->makes = ARENA_ARRAY(r->arena, bool, k->count + 1);
  k->resting = ARENA_ARRAY(r->arena, location_list, k->count + 1);
  for (uint32_t i = 0; i < k->count; i++) {
    find_resting(r, k->edges[i], seen, resting);
    k->resting[i] = list_locations(r, resting);
  }
  ways w = find_ways(r, k);
  for (uint32_t i = 0; i < k->count; i++)
    find_after(r, k, i, &w);
  k->constants = ARENA_ARRAY(r->arena, const var *, p->locals.len + 1);
  for (size_t i = 0; i < p->locals.len; i++)
    if (access_is_constant(r->access, p->locals.data[i]))
      k->constants[k->constant_count++] = p->locals.data[i];
  program_local_bytes(r->program, p->index, k->constants, k->constant_count,
                      &k->image_from, &k->image_bytes);
}

/* ---- acts -------------------------------------------------------------- */

/* A set as other processes number its slots: what is our own is remote to
** them, and what we call remote may be theirs. */
static uint64_t *as_seen(relations *r, const uint64_t *set)
{
  const access_sets *a = r->access;
  uint32_t own = a->shared_words, remote = own + a->own_words;
  uint64_t *seen = ARENA_ARRAY(r->arena, uint64_t, a->words);
  for (uint32_t i = 0; i < own; i++)
    seen[i] = set[i];
  for (uint32_t i = 0; i < a->own_words; i++) {
    seen[own + i] = set[remote + i];
    seen[remote + i] = set[own + i] | set[remote + i];
  }
  return seen;
}

static slot_list list_slots(relations *r, const uint64_t *set)
{
  const access_sets *a = r->access;
  uint32_t *data = ARENA_ARRAY(r->arena, uint32_t, slots_count(a, set) + 1);
  slot_list list = {data, 0};
  for (uint32_t i = slots_next(a, set, 0); i != NO_SLOT;
       i = slots_next(a, set, i + 1))
    data[list.count++] = i;
  return list;
}

static void add_use(act *a, uint32_t channel, uint32_t flags)
{
  size_t i = 0;
  while (i < a->uses.len && a->uses.data[i].channel != channel)
    i++;
  if (i == a->uses.len)
    vec_push(&a->uses, ((channel_use){channel, 0}));
  a->uses.data[i].flags |= flags;
}

/* ---- channels in the middle of a sequence --------------------------------- */

/* Whether the process can come from location 'from' to 'to' without resting.
** 'passed' are the locations from which it goes on. */
static bool comes_to(const relations *r, const process_type *p, uint32_t from,
                     uint32_t to, const number_list *passed)
{
  uint8_t *seen = mem_alloc(p->locations.len + 1);
  number_list todo = {0};
  bool found = from == to;
  for (size_t i = 0; i < passed->len; i++)
    seen[passed->data[i]] = 1;
  vec_push(&todo, from);
  while (todo.len && !found) {
    uint32_t at = vec_pop(&todo);
    if (!seen[at])
      continue;
    seen[at] = 0;
    const location *l = &p->locations.data[at];
    for (uint32_t i = 0; i < l->edge_count; i++) {
      const edge *e = p->order.data[l->first_edge + i];
      if (!program_keeps_control(r->program, e))
        continue;
      found |= e->target == to;
      vec_push(&todo, e->target);
    }
  }
  vec_free(&todo);
  mem_free(seen, p->locations.len + 1);
  return found;
}

static uint32_t uses_by(const edge_access *x, uint32_t channel)
{
  for (size_t i = 0; i < x->uses.len; i++)
    if (x->uses.data[i].channel == channel)
      return x->uses.data[i].flags;
  return 0;
}

static bool may_use_twice(const relations *r, const edge *e,
                          const edge_access *sets, const number_list *passed,
                          uint32_t channel)
{
  const process_type *p = e->process;
  uint32_t users = 0;
  for (size_t i = 0; i < passed->len; i++) {
    const location *at = &p->locations.data[passed->data[i]];
    for (uint32_t k = 0; k < at->edge_count; k++)
      users += uses_by(&sets[p->order.data[at->first_edge + k]->index],
                       channel) != 0;
  }
  return users != 1 || (program_keeps_control(r->program, e) &&
                        comes_to(r, p, e->target, e->source, passed));
}

/* Whether what a later edge 'e' of the sequence does with the channel is sure to
** be possible: it takes the message, or uses the room, that the first edge has
** demanded, and nothing else in the sequence uses the channel. */
static bool is_foreseen(const relations *r, const act *a, const edge *e,
                        const edge_access *sets, const number_list *passed,
                        channel_use u)
{
  uint32_t asked = 0;
  for (uint32_t i = 0; i < a->demand_count; i++)
    if (a->demands[i].channel == u.channel)
      asked = a->demands[i].use;
  bool fits = asked == USE_SOME ? u.flags == USE_RECEIVE
                                : asked == USE_ROOM && u.flags == USE_SEND;
  return fits && e->comm && !(e->flags & (EDGE_DSTEP | EDGE_ELSE)) &&
         !may_use_twice(r, e, sets, passed, u.channel);
}

/* What the guard of the first edge demands of channels that it does not use
** otherwise. */
static void find_demands(relations *r, act *a, const edge_access *x)
{
  const edge *e = a->edge;
  if (e->rank || e->flags & (EDGE_DSTEP | EDGE_ELSE))
    return;
  for (size_t i = 0; i < x->uses.len && a->demand_count < DEMANDS_MAX; i++) {
    channel_use u = x->uses.data[i];
    if ((u.flags != USE_SOME && u.flags != USE_ROOM) || u.channel >= QUEUES_MAX)
      continue;
    a->demands[a->demand_count++] = (demand){u.channel, u.flags};
    r->room[u.channel + 1] = r->access->channels.data[u.channel].type->capacity;
    bit_set(u.flags == USE_SOME ? r->ask_empty : r->ask_full, u.channel + 1);
    r->has_queues = true;
  }
}

/* ---- one act ------------------------------------------------------------- */

/* Adds what one edge of the act touches; 'first': it decides whether the act
** can take place. */
static void add_edge(relations *r, act *a, const edge *e, const edge_access *x,
                     bool first, uint64_t *checks)
{
  const access_sets *s = r->access;
  bool asks = x->flags & (ACCESS_ASKS | ACCESS_ASKS_LATER);
  if (first)
    slots_unite(s, a->tests, x->tests);
  slots_unite(s, a->all, x->tests);
  slots_unite(s, a->all, x->plain);
  slots_unite(s, a->all, x->writes);
  slots_unite(s, a->writes, x->writes);
  slots_unite(s, checks, x->checks);
  if (asks && !(first && edge_waits_for_timeout(e)))
    a->flags |= ACT_WILD;
  if (x->flags & ACCESS_MEETS && (!first || e->flags & EDGE_DSTEP || !e->comm))
    a->flags |= ACT_WILD;
  if (edge_runs(e) || (e->flags & EDGE_DSTEP && x->flags & ACCESS_CREATES))
    a->flags |= ACT_RUNS;
  if (edge_dies(e))
    a->flags |= ACT_DIES;
}

/* Later in a sequence, behind the locations 'passed', a channel decides how the
** sequence goes on, unless that was foreseen. */
static void add_uses(const relations *r, act *a, const edge *e,
                     const edge_access *sets, const number_list *passed)
{
  const edge_access *x = &sets[e->index];
  for (size_t i = 0; i < x->uses.len; i++) {
    channel_use u = x->uses.data[i];
    bool sure = !passed || is_foreseen(r, a, e, sets, passed, u);
    add_use(a, u.channel, u.flags | (sure ? 0 : (uint32_t)USE_POLL));
  }
}

static void set_flags(relations *r, act *a, const edge_access *x,
                      const uint64_t *checks)
{
  const edge *e = a->edge;
  if (edge_waits_for_timeout(e))
    a->flags |= ACT_TIMEOUT;
  if (edge_only_dies(e))
    a->flags |= ACT_ONLY_DIES;
  if (slots_count(r->access, checks))
    a->flags |= ACT_CHECKS;
  if (!(x->flags & ACCESS_MEETS) || !e->comm)
    return;
  if (e->comm->kind == COMM_SEND)
    a->flags |= ACT_SENDS;
  else if (e->comm->kind == COMM_RECEIVE)
    a->flags |= ACT_ANSWERS;
  else
    a->flags |= ACT_WILD;
}

/* The channel from whose head the act receives, if that is one whose number is
** known, and nothing else decides but values that are compared. */
static uint32_t find_queue(const relations *r, const act *a)
{
  const edge *e = a->edge;
  if (!e->comm || e->comm->kind != COMM_RECEIVE || e->comm->anywhere ||
      e->guard || e->rank || e->flags & (EDGE_DSTEP | EDGE_ELSE))
    return 0;
  if (a->uses.len != 1 || a->uses.data[0].flags != USE_RECEIVE ||
      a->uses.data[0].channel >= access_first_channels(r->access))
    return 0;
  return a->uses.data[0].channel + 1;
}

/* Whether the step from one location to another is seen, as far as locations
** go.  A process that has ended, or is not there yet, is nowhere. */
static bool is_seen_moving(const relations *r, const process_type *p,
                           uint32_t from, uint32_t to)
{
  const location *at = p->locations.data;
  const bool *watched = r->watched[p->index];
  uint32_t before = from == NOWHERE ? 0 : at[from].flags,
           after = to == NOWHERE ? 0 : at[to].flags;
  if ((before ^ after) & r->labels)
    return true;
  return watched && from != to &&
         ((from != NOWHERE && watched[from]) || (to != NOWHERE && watched[to]));
}

static bool is_visible(const relations *r, const act *a)
{
  const edge *e = a->edge;
  bool seen = slots_meet(r->access, a->seen_writes, r->visible);
  for (uint32_t i = 0; i < a->resting.count; i++)
    seen |= is_seen_moving(r, e->process, e->source, a->resting.data[i]);
  if (a->flags & ACT_DIES)
    seen |= is_seen_moving(r, e->process, e->source, NOWHERE);
  for (size_t i = 0; a->flags & ACT_RUNS && i < r->model->runs.len; i++) {
    const process_type *made = r->model->runs.data[i]->process;
    seen |= is_seen_moving(r, made, NOWHERE, made->start);
  }
  return seen;
}

static void finish_act(relations *r, act *a, const uint64_t *checks)
{
  a->seen_tests = as_seen(r, a->tests);
  a->seen_all = as_seen(r, a->all);
  a->seen_writes = as_seen(r, a->writes);
  a->seen_checks = as_seen(r, checks);
  a->all_list = list_slots(r, a->all);
  a->write_list = list_slots(r, a->writes);
  a->queue = find_queue(r, a);
  if (a->queue) {
    bit_set(r->ask_empty, a->queue);
    r->has_queues = true;
  }
  if (r->looks && is_visible(r, a))
    a->flags |= ACT_VISIBLE;
}

static act *make_act(relations *r, const edge *e, const edge_access *sets,
                     uint8_t *seen, number_list *passed)
{
  const process_type *p = e->process;
  uint32_t words = r->access->words;
  uint64_t *checks = ARENA_ARRAY(r->arena, uint64_t, words);
  act *a = ARENA_NEW(r->arena, act);
  a->edge = e;
  a->tests = ARENA_ARRAY(r->arena, uint64_t, words);
  a->all = ARENA_ARRAY(r->arena, uint64_t, words);
  a->writes = ARENA_ARRAY(r->arena, uint64_t, words);
  vec_push(&r->acts, a);
  find_demands(r, a, &sets[e->index]);
  add_edge(r, a, e, &sets[e->index], true, checks);
  add_uses(r, a, e, sets, NULL);
  a->resting = r->kinds[p->index].resting[r->step_of[e->index]];
  find_passed(r, e, seen, passed);
  a->single = !passed->len;
  for (size_t i = 0; i < passed->len; i++) {
    const location *at = &p->locations.data[passed->data[i]];
    for (uint32_t k = 0; k < at->edge_count; k++) {
      const edge *next = p->order.data[at->first_edge + k];
      add_edge(r, a, next, &sets[next->index], false, checks);
      add_uses(r, a, next, sets, passed);
    }
  }
  if (goes_round(r, p, passed, seen))
    slots_unite(r->access, a->tests, a->all);
  set_flags(r, a, &sets[e->index], checks);
  finish_act(r, a, checks);
  users_enter(r, a, (uint32_t)r->acts.len - 1);
  return a;
}

/* ---- roles ------------------------------------------------------------- */

static void add_claim(relations *r, const role *o, const kind *k, const expr *e,
                      uint64_t *claims)
{
  bool plain = e->op == OP_VAR && !e->ref->index && !e->ref->field;
  for (uint32_t i = 0; plain && !o->generic && i < k->constant_count; i++) {
    int32_t v = o->values[i];
    if (k->constants[i] != e->ref->var || v < 0 ||
        (uint32_t)v > access_first_channels(r->access))
      continue;
    if (v > 0)
      bit_set(claims, (uint32_t)v - 1);
    return;
  }
  access_channels_named(r->access, k->type, e, claims);
}

static void find_claims(relations *r, role *o, const kind *k)
{
  const process_type *p = k->type;
  size_t words = r->access->channels.len / 64 + 1;
  if (!p->only_reads.len && !p->only_sends.len)
    return;
  o->reader = ARENA_ARRAY(r->arena, uint64_t, words);
  o->sender = ARENA_ARRAY(r->arena, uint64_t, words);
  for (size_t i = 0; i < p->only_reads.len; i++)
    add_claim(r, o, k, p->only_reads.data[i], o->reader);
  for (size_t i = 0; i < p->only_sends.len; i++)
    add_claim(r, o, k, p->only_sends.data[i], o->sender);
}

static void add_acts(relations *r, const kind *k, uint32_t number,
                     const edge_access *sets)
{
  uint8_t *seen = ARENA_ARRAY(r->arena, uint8_t, k->type->locations.len + 1);
  for (uint32_t i = 0; i < k->count; i++)
    make_act(r, k->edges[i], sets, seen, &r->scratch[0])->role = number;
}

static uint32_t add_generic_role(relations *r, uint32_t number_of_kind)
{
  const kind *k = &r->kinds[number_of_kind];
  uint32_t number = (uint32_t)r->roles.len;
  role o = {
      .kind = number_of_kind, .first = (uint32_t)r->acts.len, .generic = true};
  find_claims(r, &o, k);
  vec_push(&r->roles, o);
  add_acts(r, k, number, r->access->edges);
  return number;
}

static bool is_system(const process_type *p)
{
  return p->kind == PROCESS_NORMAL || p->kind == PROCESS_INIT;
}

void reduce_find_kinds(relations *r)
{
  const model *m = r->model;
  r->kinds = ARENA_ARRAY(r->arena, kind, m->processes.len + 1);
  r->generic = ARENA_ARRAY(r->arena, uint32_t, m->processes.len + 1);
  r->step_of = ARENA_ARRAY(r->arena, uint32_t, m->edges.len + 1);
  r->turn_of = ARENA_ARRAY(r->arena, uint32_t, m->edges.len + 1);
  for (size_t i = 0; i < m->edges.len; i++)
    r->step_of[i] = NO_STEP;
  for (uint32_t i = 0; i < m->processes.len; i++) {
    kind *k = &r->kinds[i];
    k->type = m->processes.data[i];
    if (!is_system(k->type))
      continue;
    find_steps(r, k);
    find_kind(r, k);
    r->generic[i] = add_generic_role(r, i);
  }
  for (size_t i = 0; i < m->runs.len; i++)
    vec_push(&r->offspring, r->generic[m->runs.data[i]->process->index]);
}

/* There are no more roles: the generic ones serve. */
void reduce_do_without(relations *r)
{
  r->is_full = true;
  for (size_t i = 0; i < r->model->processes.len; i++)
    if (is_system(r->model->processes.data[i]))
      reduce_break_circles(r, r->generic[i]);
}

/* A role of one process, or the generic one where there is no room. */
static uint32_t new_role(relations *r, const role *wanted)
{
  const kind *k = &r->kinds[wanted->kind];
  if (r->acts.len + k->count > ACTS_MAX || r->roles.len >= ROLES_MAX) {
    reduce_do_without(r);
    return r->generic[wanted->kind];
  }
  size_t locals = k->type->locals.len;
  int32_t *values = ARENA_ARRAY(r->arena, int32_t, locals + 1);
  role o = *wanted;
  o.values = ARENA_ARRAY(r->arena, int32_t, k->constant_count + 1);
  for (uint32_t i = 0; i < k->constant_count; i++) {
    o.values[i] = wanted->values[i];
    values[k->constants[i]->index] = o.values[i];
  }
  const edge_access *sets =
      access_specialise(r->access, k->type, o.number, values);
  uint32_t number = (uint32_t)r->roles.len;
  o.first = (uint32_t)r->acts.len;
  find_claims(r, &o, k);
  reduce_find_owned(r, &o);
  vec_push(&r->roles, o);
  add_acts(r, k, number, sets ? sets : r->access->edges);
  reduce_break_circles(r, number);
  return number;
}

static bool is_role(const relations *r, const role *a, const role *b)
{
  if (a->kind != b->kind || a->generic || a->number != b->number)
    return false;
  for (uint32_t i = 0; i < r->kinds[a->kind].constant_count; i++)
    if (a->values[i] != b->values[i])
      return false;
  return true;
}

void reduce_enter_role(relations *r, const role *wanted)
{
  for (uint32_t i = 0; i < r->roles.len; i++)
    if (is_role(r, &r->roles.data[i], wanted))
      return;
  new_role(r, wanted);
}

size_t reduce_wanted_length(const relations *r, const int32_t *wanted)
{
  return 2 + r->kinds[wanted[0]].constant_count;
}

static bool is_wanted(const reduction *r, const role *wanted)
{
  const relations *all = r->of;
  for (size_t i = 0; i < r->wanted.len;) {
    int32_t *at = r->wanted.data + i;
    role other = {
        .kind = (uint32_t)at[0], .number = (uint32_t)at[1], .values = at + 2};
    if (is_role(all, &other, wanted))
      return true;
    i += reduce_wanted_length(all, at);
  }
  return false;
}

void reduce_want(reduction *r, const role *wanted)
{
  if (is_wanted(r, wanted))
    return;
  vec_push(&r->wanted, (int32_t)wanted->kind);
  vec_push(&r->wanted, (int32_t)wanted->number);
  for (uint32_t i = 0; i < r->of->kinds[wanted->kind].constant_count; i++)
    vec_push(&r->wanted, wanted->values[i]);
}

/* Whether the process is the one that had this number last time, or one like
** it. */
static bool is_like_last(const reduction *r, const uint8_t *state,
                         uint32_t number)
{
  const process_position *at = &r->positions[number];
  const kind *k = &r->of->kinds[at->type];
  const role *last = &r->of->roles.data[r->role_of[number]];
  if (last->kind != at->type || last->generic || last->number != number)
    return false;
  return !k->constant_count ||
         (r->has_image[number] &&
          !memcmp(r->images[number], state + at->offset + k->image_from,
                  k->image_bytes));
}

static void set_role(reduction *r, uint32_t number, uint32_t found)
{
  r->owners_known &= r->role_of[number] == found;
  r->role_of[number] = found;
}

static void keep_image(reduction *r, const uint8_t *state, uint32_t number)
{
  const process_position *at = &r->positions[number];
  const kind *k = &r->of->kinds[at->type];
  r->has_image[number] = k->image_bytes <= IMAGE_MAX;
  if (r->has_image[number])
    memcpy(r->images[number], state + at->offset + k->image_from,
           k->image_bytes);
}

/* What was said of a process with this number last time is tried first.  False:
** it is not known, and wanted. */
static bool find_role(reduction *r, const uint8_t *state, uint32_t number)
{
  const process_position *at = &r->positions[number];
  relations *all = r->of;
  const kind *k = &all->kinds[at->type];
  if (is_like_last(r, state, number))
    return true;
  r->has_image[number] = false;
  vec_resize(&r->values, k->constant_count + 1);
  for (uint32_t i = 0; i < k->constant_count; i++)
    r->values.data[i] = program_local(all->program, state, at, k->constants[i]);
  role wanted = {.kind = at->type, .number = number, .values = r->values.data};
  uint32_t found = r->role_of[number];
  if (!is_role(all, &all->roles.data[found], &wanted))
    for (found = 0; found < all->roles.len; found++)
      if (is_role(all, &all->roles.data[found], &wanted))
        break;
  if (found == all->roles.len && r->by_levels) {
    set_role(r, number, all->generic[at->type]);
    if (!all->is_full)
      reduce_want(r, &wanted);
    return all->is_full;
  }
  set_role(r, number, found < all->roles.len ? found : new_role(all, &wanted));
  keep_image(r, state, number);
  return true;
}

bool reduce_find_roles(reduction *r, const uint8_t *state)
{
  bool known = true;
  if (r->roles_known)
    return true;
  for (uint32_t i = 0; i < r->processes; i++)
    known = find_role(r, state, i) && known;
  r->owners_known &= r->owners_of == r->processes;
  r->roles_known = known && program_is_fixed(r->of->program);
  return known;
}

/* ---- roles of a level -------------------------------------------------- */

void reduce_meet(reduction *r, const uint8_t *state, uint32_t length)
{
  if (r->roles_known || !(r->of->model->flags & MODEL_HAS_RUN))
    return;
  r->processes = program_positions(r->of->program, state, length, r->positions);
  reduce_find_roles(r, state);
}

/* Whether the first of two wanted roles is below the other. */
static bool is_below(const relations *r, const int32_t *a, const int32_t *b)
{
  for (size_t i = 0; i < 2 || (a[0] == b[0] && i < reduce_wanted_length(r, a));
       i++)
    if (a[i] != b[i])
      return a[i] < b[i];
  return false;
}

/* The least wanted role above 'after', or the least of all. */
static const int32_t *next_wanted(const relations *r, reduction *const *all,
                                  size_t count, const int32_t *after)
{
  const int32_t *least = NULL;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < all[i]->wanted.len;) {
      const int32_t *at = all[i]->wanted.data + k;
      if ((!after || is_below(r, after, at)) &&
          (!least || is_below(r, at, least)))
        least = at;
      k += reduce_wanted_length(r, at);
    }
  return least;
}

void reduce_enter_wanted(reduction *const *all, size_t count)
{
  relations *r = all[0]->of;
  for (const int32_t *at = NULL; (at = next_wanted(r, all, count, at));)
    reduce_enter_role(r, &(role){.kind = (uint32_t)at[0],
                                 .number = (uint32_t)at[1],
                                 .values = (int32_t *)(uintptr_t)(at + 2)});
  for (size_t i = 0; i < count; i++)
    vec_clear(&all[i]->wanted);
}
