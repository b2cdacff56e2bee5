/* States of the product that are all stored: one after the other, and the steps
** between them. */

#include "search/runs/runs_internal.h"

/* ---- jobs ---------------------------------------------------------------- */

/* After a job; false: the run has ended. */
static bool finish(runs *r, uint64_t *sum)
{
  team *t = r->search.team;
  runs_sums own = {0};
  *sum = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    const walker *w = &t->walkers[i];
    *sum = own.counted += w->own.runner->states;
    own.owned += w->own.runner->owned;
    own.waiting += w->next.count;
    r->gives_up |= w->own.runner->is_over;
    if (w->own.runner->is_over || w->own.watch.stop)
      watch_stop(&r->search.watch, w->result.reason);
  }
  if (atomic_load(&t->full) || atomic_load(&t->paused))
    watch_full(&r->search.watch);
  if (runs_is_spread(r)) {
    fleet_join_sweep(t, &own, &r->gives_up);
    *sum = own.counted;
    r->owned = own.owned;
  }
  return !r->search.watch.stop;
}

/* What was begun before goes on. */
static void begin(const runs *r)
{
  const team *t = r->search.team;
  for (uint32_t i = 0; i < t->count; i++) {
    walker *w = &t->walkers[i];
    runs_walker *own = w->own.runner;
    w->rest_count = 0;
    own->part = UINT64_MAX;
    own->states = r->is_inside ? own->states : 0;
  }
}

/* Has a job done; a run that ends in the middle of it is kept. */
static void work(const runs *r, team_job *job, uint64_t size)
{
  team *t = r->search.team;
  bool by_all = levels_is_for_all(&r->search, size);
  t->expands = true;
  if (runs_is_spread(r))
    fleet_sweep(t, job, runs_drain, by_all);
  else
    team_run(t, job, by_all);
  team_save_last(t);
  t->expands = false;
}

bool runs_sweep(runs *r, team_job *job, uint64_t *sum)
{
  begin(r);
  atomic_store(&r->next_part, 0);
  r->figures.sweeps += !r->is_inside;
  work(r, job, r->result.stats.states);
  return finish(r, sum);
}

bool runs_follow(runs *r, team_job *job, uint64_t *sum)
{
  team *t = r->search.team;
  bool is_at_hand = r->is_inside;
  begin(r);
  for (;; is_at_hand = false) {
    if (!is_at_hand)
      team_turn_over(t);
    uint64_t size = team_level_size(t);
    if (!size && !is_at_hand)
      return true;
    work(r, job, size);
    if (!finish(r, sum))
      return false;
  }
}

/* Ends the run for all: the product tells nothing. */
static void give_up(runs_walker *w)
{
  w->is_over = true;
  watch_stop(&w->own->watch, REASON_NONE);
  team_stop(w->own->team);
}

bool runs_add(runs_walker *w, store_handle handle)
{
  if (frontier_add(&w->own->walker->next, handle))
    return true;
  watch_full(&w->own->watch);
  give_up(w);
  return false;
}

/* Whether states have the slots that they had. */
static bool take_tree(search *own)
{
  runs_walker *w = own->runner;
  w->tree = collapse_tree_of(own->watch.store);
  if (w->of->on_disk)
    return true;
  const roots *states = &w->tree->now.tree.roots;
  if (states->shape == w->of->shape && roots_slots(states) == w->of->slots)
    return true;
  give_up(w);
  return false;
}

/* ---- steps --------------------------------------------------------------- */

typedef struct some_offers {
  store_offer list[TREE_TOGETHER];
  size_t starts[TREE_TOGETHER];
  uint64_t gains[TREE_TOGETHER];
  uint32_t count;
} some_offers;

/* Asks memory for what is noted of a state. */
static void foresee_notes(const runs *r, uint64_t slot)
{
  __builtin_prefetch(&r->alive[slot / 64]);
  __builtin_prefetch(&r->steps[slot], 1);
  if (r->masks)
    __builtin_prefetch(r->masks + slot * r->mask_bytes, 1);
}

/* Where it is noted what is known of the state.  False: nowhere. */
static bool find_slot(const runs_walker *w, runs_target *t)
{
  const roots *states = &w->tree->now.tree.roots;
  if (w->of->on_disk) /* it is looked for there, with others */
    return true;
  t->slot =
      roots_slot(states, (uint32_t)(t->handle >> 32), (uint32_t)t->handle);
  if (t->slot == ROOTS_NO_SLOT)
    return false;
  foresee_notes(w->of, t->slot);
  return true;
}

/* Looks up the states offered, which are all there. */
static bool look_up(runs_walker *w, some_offers *o)
{
  collapse_tree_probe probes[TREE_TOGETHER];
  for (uint32_t i = 0; i < o->count; i++)
    o->list[i].state = w->bytes.data + o->starts[i];
  if (o->count && !collapse_tree_prepare(w->tree, o->list, probes, o->count))
    return false;
  for (uint32_t i = 0; i < o->count; i++) {
    runs_target t = {.handle = probes[i].handle,
                     .gains = o->gains[i],
                     .source = o->list[i].hand};
    if (!find_slot(w, &t))
      return false;
    vec_push(&w->targets, t);
  }
  o->count = 0;
  vec_clear(&w->bytes);
  return true;
}

/* A step to a state of another rank is sent there; whether it is one.  What was
** given on the way to the state it comes from goes along. */
static bool send_away(const runs_walker *w, const runs_state *from,
                      const uint8_t *state, uint32_t length, uint64_t gains)
{
  desk *d = w->own->desk;
  uint64_t hash = d ? fleet_hash(state, length) : 0;
  if (!d || desk_owns(d, hash))
    return false;
  bool passes = runs_is_passing(w->of);
  gains = !passes          ? 0
          : w->of->on_disk ? gains | runs_had(w, from)
                           : gains | runs_mask_of(w->of, from->slot);
  if (gains || !passes)
    desk_send_step(d, hash, state, length, gains);
  return true;
}

static void offer(runs_walker *w, some_offers *o, const product_edge *e,
                  const runs_state *from, const uint8_t *state, uint32_t length,
                  uint32_t hand)
{
  const product *p = &w->product;
  uint32_t tail = collapse_tree_last_slice(w->tree, hand);
  store_offer *made = &o->list[o->count];
  vec_grow(&w->bytes, product_length(p, e, length) + CODEC_SLACK);
  *made = (store_offer){.hand = hand};
  made->changed = product_compose(p, e, state, length, tail,
                                  w->bytes.data + w->bytes.len, &made->length);
  uint64_t gains = runs_gains(w, e);
  const uint8_t *target = w->bytes.data + w->bytes.len;
  if (send_away(w, from, target, made->length, gains))
    return;
  o->starts[o->count] = w->bytes.len;
  o->gains[o->count++] = gains;
  w->bytes.len += made->length;
}

/* The steps of a state at hand that stay in its scc of the observer. */
static bool find_targets(runs_walker *w, some_offers *o, uint32_t hand,
                         const runs_state *from, const uint8_t *state,
                         uint32_t length)
{
  product *p = &w->product;
  const place_scc *sccs = w->of->sccs.data;
  product_expand(p, state, length);
  if (p->fault || p->sure || p->batch.abandoned)
    return false;
  for (size_t i = 0; i < p->edges.len; i++) {
    const product_edge *e = p->edges.data + i;
    if (sccs[e->place].scc != sccs[from->place].scc)
      continue;
    offer(w, o, e, from, state, length, hand);
    if (o->count == TREE_TOGETHER && !look_up(w, o))
      return false;
  }
  return true;
}

/* Shows the pass its states, and finds the steps of those whose are wanted. */
static bool look_at(runs_walker *w, const runs_pass *pass, runs_state *states,
                    uint32_t count)
{
  some_offers o;
  o.count = 0;
  vec_clear(&w->targets);
  vec_clear(&w->bytes);
  for (uint32_t i = 0; i < count; i++)
    collapse_tree_foresee(w->tree, states[i].handle);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length;
    const uint8_t *state =
        collapse_tree_view(w->tree, states[i].handle, i, NULL, &length);
    states[i].place = product_place(&w->product, state, length);
    if (pass->looks(w, &states[i], state, length) &&
        !find_targets(w, &o, i, &states[i], state, length))
      return false;
  }
  return look_up(w, &o);
}

/* A cohort of states. */
bool runs_pass_over(runs_walker *w, const runs_pass *pass, runs_state *states,
                    uint32_t count)
{
  if (!look_at(w, pass, states, count)) {
    give_up(w);
    return false;
  }
  if (!pass->takes || !w->targets.len)
    return true; /* of an empty list there are no elements to point to */
  const runs_target *t = w->targets.data, *end = t + w->targets.len;
  while (t < end) {
    size_t n = 1;
    while (t + n < end && t[n].source == t->source)
      n++;
    if (!pass->takes(w, &states[t->source], t, n))
      return false;
    t += n;
  }
  return true;
}

/* ---- steps from states of other ranks ------------------------------------- */

static bool take_one(runs_walker *w, const runs_target *t)
{
  if (w->of->on_disk)
    return runs_put_foreign(w, t);
  return runs_is_passing(w->of) ? runs_take_gains(w, t) : runs_take_step(w, t);
}

/* Some of those that came. */
static bool take_some(runs_walker *w, const batch *b, size_t first,
                      uint32_t count)
{
  store_offer offers[TREE_TOGETHER];
  collapse_tree_probe probes[TREE_TOGETHER];
  for (uint32_t i = 0; i < count; i++) {
    const successor *s = &b->list.data[first + i];
    offers[i] = (store_offer){.state = b->bytes.data + s->start,
                              .length = s->length,
                              .changed = UINT64_MAX};
  }
  if (!collapse_tree_prepare(w->tree, offers, probes, count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    runs_target t = {.handle = probes[i].handle,
                     .gains = w->own->desk->gains.data[first + i]};
    if (!find_slot(w, &t) || !take_one(w, &t))
      return false;
  }
  return true;
}

/* Whether there were any. */
static bool receive(runs_walker *w)
{
  search *own = w->own;
  batch *b = &own->batches[0];
  bool done = true;
  if (!desk_take(own->desk, own->team, b))
    return false;
  vec_grow(&b->bytes, CODEC_SLACK);
  for (size_t i = 0; done && i < b->list.len; i += TREE_TOGETHER) {
    size_t left = b->list.len - i;
    done = take_some(w, b, i,
                     left < TREE_TOGETHER ? (uint32_t)left : TREE_TOGETHER);
  }
  /* On the disk it may be that time is up, or that it fails: that is known. */
  if (!done && !(w->of->on_disk && w->of->search.watch.stop))
    give_up(w);
  desk_settle(own->desk);
  return true;
}

bool runs_serve(runs_walker *w)
{
  search *own = w->own;
  do
    while (receive(w))
      if (!walker_goes_on(own->walker, 0))
        return false;
  while (!desk_goes_on(own->desk, own->team) && walker_goes_on(own->walker, 0));
  return true;
}

bool runs_end_part(runs_walker *w)
{
  search *own = w->own;
  if (!own->desk)
    return true;
  desk_end_part(own->desk);
  while (!desk_is_over(own->desk, own->team)) {
    if (!receive(w))
      desk_wait(own->desk, own->team);
    if (!walker_goes_on(own->walker, 0) || !take_tree(own))
      return false;
  }
  return true;
}

void runs_drain(search *own)
{
  runs_walker *w = own->runner;
  /* Nothing of it counts any more. */
  if (!take_tree(own) || w->of->on_disk)
    atomic_store(&own->desk->fleet->discards, true);
  while (!desk_is_over(own->desk, own->team))
    if (!receive(w))
      desk_wait(own->desk, own->team);
}

/* ---- passes -------------------------------------------------------------- */

/* All that are in the list.  When a checkpoint is written meanwhile, nothing of
** the store may move. */
static bool pass_list(runs_walker *w, const runs_pass *pass)
{
  walker *own = w->own->walker;
  for (w->at = 0; w->at < w->list.len;) {
    size_t left = w->list.len - w->at;
    uint32_t count = left < COHORT_MAX ? (uint32_t)left : COHORT_MAX;
    w->is_amid = true;
    if (!runs_pass_over(w, pass, w->list.data + w->at, count))
      return false;
    w->is_amid = false;
    w->at += count;
    if (own->rest_count) {
      own->rest += count;
      own->rest_count -= count;
    }
    if (w->own->desk && desk_is_due(w->own->desk, count) && !runs_serve(w))
      return false;
    if (!walker_goes_on(own, count) || !take_tree(w->own))
      return false;
  }
  return true;
}

typedef struct collection {
  runs_walker *walker;
  const runs_pass *pass;
} collection;

static void collect(void *context, uint64_t slot, uint32_t left, uint32_t right)
{
  collection *c = context;
  const runs *r = c->walker->of;
  runs_state found = {.handle = (uint64_t)left << 32 | right, .slot = slot};
  if (r->done && runs_bit(r->done, slot))
    return;
  if (!c->pass->wants || c->pass->wants(c->walker, &found))
    vec_push(&c->walker->list, found);
}

void runs_sweep_parts(search *own, const runs_pass *pass)
{
  runs_walker *w = own->runner;
  collection c = {w, pass};
  if (!take_tree(own))
    return;
  for (;;) {
    uint64_t next = atomic_fetch_add(&w->of->next_part, 1);
    if (next >= w->of->parts)
      break;
    vec_clear(&w->list);
    w->part = next;
    w->is_amid = true;
    roots_each_of(&w->tree->now.tree.roots, next, collect, &c);
    w->is_amid = false;
    if (!pass_list(w, pass))
      return;
  }
  (void)runs_end_part(w);
}

void runs_follow_pieces(search *own, const runs_pass *pass)
{
  runs_walker *w = own->runner;
  store_handle *piece;
  if (!take_tree(own))
    return;
  const roots *states = &w->tree->now.tree.roots;
  for (size_t n; (n = team_take(own->walker, &piece));) {
    vec_clear(&w->list);
    own->walker->rest = piece;
    own->walker->rest_count = n;
    for (size_t i = 0; i < n; i++) {
      uint32_t left = (uint32_t)(piece[i] >> 32), right = (uint32_t)piece[i];
      runs_state found = {piece[i], roots_slot(states, left, right), 0};
      vec_push(&w->list, found);
    }
    if (!pass_list(w, pass))
      return;
  }
  (void)runs_end_part(w);
}
