/* The causal cone of a failure, and its proof by running the program. */

#include "base/alloc.h"
#include "program/layout.h"
#include "reduce/reduce.h"
#include "verify/explain/explain.h"
#include <string.h>

enum {
  CHAINS_MOST = 5000, /* longer runs are not looked at */
  ACTORS_MOST = 4,    /* processes of a chain that are told apart */
  REPAIRS_MOST = 200  /* chains that are added when a proof fails */
};

/* Steps of the trace from one resting state to the next. */
typedef struct chain {
  size_t first, end; /* of its steps */
  uint32_t actors;
  uint32_t process[ACTORS_MOST], act[ACTORS_MOST];
  bool wild;    /* it may have to do with everything */
  bool matters; /* in the cone */
} chain;

/* Chain 'before' sends what 'after' takes, makes the room it needs, or starts
** its process. */
typedef struct need {
  uint32_t before, after;
} need;

/* What happened to one channel so far. */
typedef struct traffic {
  VEC(uint32_t) sent, taken; /* chains, in their order */
} traffic;

typedef struct cone {
  explaining *e;
  reduction *reduction;
  VEC(chain) chains;
  VEC(need) links;       /* sorted by 'after' */
  VEC(traffic) channels; /* by number */
  entity_list before, after;
  batch batch;
  VEC(uint8_t) state;
  const char *why; /* nothing can be folded */
} cone;

/* ---- chains ------------------------------------------------------------- */

static bool has_actor(const chain *c, uint32_t process)
{
  for (uint32_t i = 0; i < c->actors; i++)
    if (c->process[i] == process)
      return true;
  return false;
}

static void add_actor(cone *k, chain *c, const trace_step *s)
{
  uint32_t length;
  const uint8_t *state = trace_state(k->e->trace, c->first - 1, &length);
  if (c->actors == ACTORS_MOST) {
    c->wild = true;
    return;
  }
  uint32_t act = reduce_act(k->reduction, state, length, s->process, s->edge);
  c->wild |= act == REDUCE_NO_ACT || s->flags & STEP_TIMEOUT;
  c->process[c->actors] = s->process;
  c->act[c->actors++] = act;
}

static void add_chain(cone *k, size_t first, size_t end)
{
  chain c = {.first = first, .end = end};
  for (size_t i = first; i < end; i++) {
    const trace_step *s = &k->e->trace->steps.data[i];
    if (!(s->flags & STEP_INNER) && !has_actor(&c, s->process))
      add_actor(k, &c, s);
  }
  vec_push(&k->chains, c);
}

static void find_chains(cone *k)
{
  const trace *t = k->e->trace;
  size_t first = 1;
  for (size_t i = 1; i < t->steps.len && k->chains.len <= CHAINS_MOST; i++)
    if (t->steps.data[i].rest || i + 1 == t->steps.len) {
      add_chain(k, first, i + 1);
      first = i + 1;
    }
  if (k->chains.len > CHAINS_MOST)
    k->why = "the run is too long";
}

/* ---- messages and starts ------------------------------------------------ */

static uint32_t messages_in(const cone *k, const uint8_t *state,
                            const entity *e)
{
  const layout *l = program_layout(k->e->program);
  return channel_length_at(&l->channels[e->channel->index], state + e->offset);
}

static void add_link(cone *k, uint32_t before, size_t after)
{
  vec_push(&k->links, ((need){before, (uint32_t)after}));
}

/* The n-th message that is taken is the n-th that was sent; the n-th that is sent
** into a channel of c places needs the (n-c)-th to have been taken. */
static void note_traffic(cone *k, size_t by, const entity *channel,
                         int64_t more)
{
  if (channel->number >= k->channels.len)
    vec_resize(&k->channels, channel->number + 1);
  traffic *t = &k->channels.data[channel->number];
  size_t room = channel->channel->capacity;
  for (; more < 0; more++) {
    if (t->taken.len < t->sent.len)
      add_link(k, t->sent.data[t->taken.len], by);
    vec_push(&t->taken, (uint32_t)by);
  }
  for (; more > 0; more--) {
    if (t->sent.len >= room && t->sent.len - room < t->taken.len)
      add_link(k, t->taken.data[t->sent.len - room], by);
    vec_push(&t->sent, (uint32_t)by);
  }
}

static const entity *same_entity(const entity_list *list, const entity *e)
{
  for (size_t i = 0; i < list->len; i++)
    if (list->data[i].number == e->number &&
        list->data[i].channel == e->channel &&
        list->data[i].process == e->process)
      return &list->data[i];
  return NULL;
}

/* The chain that started the process of this number last, plus 1. */
typedef struct starters {
  uint32_t by[POSITIONS_MAX + 1];
} starters;

static void note_change(cone *k, size_t i, starters *s)
{
  const trace *t = k->e->trace;
  const chain *c = &k->chains.data[i];
  uint32_t length, longer;
  const uint8_t *old = trace_state(t, c->first - 1, &length);
  program_entities(k->e->program, old, length, &k->before);
  for (uint32_t a = 0; a < c->actors; a++)
    if (c->process[a] <= POSITIONS_MAX && s->by[c->process[a]])
      add_link(k, s->by[c->process[a]] - 1, i);
  const uint8_t *new = trace_state(t, c->end - 1, &longer);
  program_entities(k->e->program, new, longer, &k->after);
  for (size_t n = 0; n < k->after.len; n++) {
    const entity *now = &k->after.data[n], *then = same_entity(&k->before, now);
    if (now->process && !then && now->number <= POSITIONS_MAX)
      s->by[now->number] = (uint32_t)i + 1;
    if (now->channel)
      note_traffic(k, i, now,
                   (int64_t)messages_in(k, new, now) -
                       (then ? (int64_t)messages_in(k, old, then) : 0));
  }
}

static void find_links(cone *k)
{
  starters s = {{0}};
  for (size_t i = 0; i < k->chains.len; i++) {
    mem_poll();
    note_change(k, i, &s);
  }
}

/* ---- the cone ----------------------------------------------------------- */

static bool depends(cone *k, const chain *one, const chain *later)
{
  if (one->wild || later->wild)
    return true;
  for (uint32_t i = 0; i < one->actors; i++)
    for (uint32_t n = 0; n < later->actors; n++)
      if (one->process[i] == later->process[n] ||
          reduce_disturbs(k->reduction, one->act[i], later->act[n]))
        return true;
  return false;
}

/* Goes on from what is in the cone to all that leads to it. */
static void close_cone(cone *k)
{
  size_t at = k->links.len;
  for (size_t i = k->chains.len; i-- > 0;) {
    chain *c = &k->chains.data[i];
    for (size_t n = i + 1; n < k->chains.len && !c->matters; n++)
      c->matters =
          k->chains.data[n].matters && depends(k, c, &k->chains.data[n]);
    for (; at > 0 && k->links.data[at - 1].after == i; at--)
      if (c->matters)
        k->chains.data[k->links.data[at - 1].before].matters = true;
    mem_poll();
  }
}

/* Where it begins: with the step that fails, or with all that touch what is
** looked at.  Wild ones come with it: everything depends on them. */
static void find_roots(cone *k)
{
  const trace *t = k->e->trace;
  vec_last(&k->chains).matters = true;
  if (t->end == TRACE_FAULT)
    return;
  for (size_t i = 0; i < k->chains.len; i++) {
    chain *c = &k->chains.data[i];
    for (uint32_t n = 0; n < c->actors && !c->matters; n++)
      c->matters = reduce_is_visible(k->reduction, c->act[n]);
  }
}

/* ---- the proof ---------------------------------------------------------- */

/* Whether the steps recorded from 'first' on are the first ones of a chain. */
static bool is_chain(const cone *k, const chain *c, uint32_t first,
                     uint32_t steps)
{
  const trace *t = k->e->trace;
  if (steps != c->end - c->first)
    return false;
  for (uint32_t i = 0; i < steps; i++) {
    const step *s = &k->batch.steps.data[first + i];
    const trace_step *wanted = &t->steps.data[c->first + i];
    if (s->edge != wanted->edge || s->process != wanted->process)
      return false;
  }
  return true;
}

static void set_state(cone *k, const uint8_t *bytes, uint32_t length)
{
  vec_resize(&k->state, length);
  memcpy(k->state.data, bytes, length);
}

static void expand(cone *k)
{
  mem_poll();
  program_successors(k->e->worker, k->state.data, (uint32_t)k->state.len,
                     &k->batch);
}

/* Does what a chain did, in the state at hand. */
static bool execute(cone *k, const chain *c)
{
  expand(k);
  for (size_t i = 0; i < k->batch.list.len; i++) {
    const successor *s = &k->batch.list.data[i];
    if (!is_chain(k, c, s->first_step, s->steps))
      continue;
    set_state(k, k->batch.bytes.data + s->start, s->length);
    return true;
  }
  return false;
}

/* Whether the last chain fails in the state at hand as it did. */
static bool fails(cone *k, const chain *c)
{
  const trace *t = k->e->trace;
  expand(k);
  for (size_t i = 0; i < k->batch.faults.len; i++) {
    const fault *f = &k->batch.faults.data[i];
    if (f->kind == t->fault && f->edge == t->fault_edge &&
        f->process == t->fault_process &&
        is_chain(k, c, f->first_step, f->steps))
      return true;
  }
  return false;
}

static bool shows_end(cone *k)
{
  const trace *t = k->e->trace;
  trace_claim claim = {.end = t->end, .expr = t->expr};
  if (t->end == TRACE_FAULT)
    return fails(k, &vec_last(&k->chains));
  return trace_claim_holds(k->e->worker, &claim, k->state.data,
                           (uint32_t)k->state.len);
}

/* Runs the chains that matter, or those that do not.  The first that cannot be
** executed; or their number. */
static size_t run_chains(cone *k, bool matter, size_t end)
{
  for (size_t i = 0; i < end; i++)
    if (k->chains.data[i].matters == matter && !execute(k, &k->chains.data[i]))
      return i;
  return end;
}

/* A step that failed may have been made all the same: what follows comes behind
** it, then. */
static void go_on(cone *k)
{
  const trace *t = k->e->trace;
  if (t->end == TRACE_FAULT && fault_goes_on(t->fault))
    (void)execute(k, &vec_last(&k->chains));
}

/* The chain on which the proof fails, or their number: it is one.  'chains.len'
** plus 1: the error is another one. */
static size_t prove(cone *k)
{
  const trace *t = k->e->trace;
  uint32_t length;
  const uint8_t *start = trace_state(t, 0, &length);
  size_t all = k->chains.len, last = all - (t->end == TRACE_FAULT);
  set_state(k, start, length);
  size_t failed = run_chains(k, true, last);
  if (failed < last)
    return failed;
  if (!shows_end(k))
    return all + 1;
  go_on(k);
  failed = run_chains(k, false, last);
  return failed < last ? failed : all;
}

/* What the chain misses is perhaps one of those before it: the first is taken
** back.  One that cannot come later is taken back itself. */
static bool repair(cone *k, size_t failed)
{
  size_t i = 0;
  if (failed > k->chains.len)
    return false;
  if (!k->chains.data[failed].matters) {
    k->chains.data[failed].matters = true;
    return true;
  }
  while (i < failed && k->chains.data[i].matters)
    i++;
  if (i == failed)
    return false;
  k->chains.data[i].matters = true;
  return true;
}

static void find_cone(cone *k)
{
  find_roots(k);
  close_cone(k);
  for (int tries = 0; tries < REPAIRS_MOST; tries++) {
    size_t failed = prove(k);
    if (failed == k->chains.len)
      return;
    if (!repair(k, failed))
      break;
    close_cone(k);
  }
  k->why =
      "the steps that seem to matter do not lead to the error by themselves";
}

/* ---- the whole ---------------------------------------------------------- */

static void mark_folded(cone *k)
{
  explanation *to = k->e->to;
  to->folded = ARENA_ARRAY(k->e->arena, uint8_t, k->e->trace->steps.len);
  for (size_t i = 0; i < k->chains.len; i++) {
    const chain *c = &k->chains.data[i];
    for (size_t s = c->first; s < c->end && !c->matters; s++) {
      to->folded[s] = 1;
      to->folded_count++;
    }
  }
}

static const char *trouble_of(const trace *t)
{
  switch (t->end) {
  case TRACE_FAULT:
  case TRACE_INVARIANT:
  case TRACE_WITNESS:
    return t->steps.len < 2 ? "the run has no steps" : NULL;
  case TRACE_INVALID_END:
    return "nothing can come after a deadlock";
  case TRACE_OPEN:
  case TRACE_FINISHED:
  case TRACE_LOOP:
  case TRACE_STAYS:
  case TRACE_PREFIX:
    break;
  }
  return "nothing comes after an infinite run";
}

static void look_for_cone(void *work)
{
  cone *k = work;
  const trace *t = k->e->trace;
  reduce_options o = {.kind = REDUCE_STUBBORN, .doubts_claims = true};
  if (t->expr) {
    o.visible = &t->expr;
    o.visible_count = 1;
  }
  k->reduction = reduce_create(k->e->program, &o, &k->why);
  if (!k->reduction)
    return;
  k->batch.record = true;
  find_chains(k);
  if (k->why)
    return;
  find_links(k);
  find_cone(k);
}

static void free_cone(cone *k)
{
  for (size_t i = 0; i < k->channels.len; i++) {
    vec_free(&k->channels.data[i].sent);
    vec_free(&k->channels.data[i].taken);
  }
  vec_free(&k->channels);
  vec_free(&k->chains);
  vec_free(&k->links);
  vec_free(&k->before);
  vec_free(&k->after);
  vec_free(&k->state);
  batch_free(&k->batch);
  reduce_destroy(k->reduction);
}

void explain_cone(explaining *e)
{
  cone k = {.e = e, .why = trouble_of(e->trace)};
  if (!k.why && !mem_protect(look_for_cone, &k))
    k.why = reason_text(limits_why(e->limits));
  if (k.why)
    e->to->not_folded = k.why;
  else
    mark_folded(&k);
  free_cone(&k);
}
