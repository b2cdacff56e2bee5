/* Runs for formulas of linear time that a smaller net refutes: the lasso that
** was found there, as a run of the net as it was read.
**
** The steps are lifted as paths are.  That the marking of the smaller net comes
** again does not mean that the first one does: tokens may lie elsewhere among
** places that were joined.  But they can lie only in so many ways, so the loop
** is gone round until a marking comes back.  It may never do so, where a place
** that was left out fills up; then there is no run to show. */

#include "net/shrink/shrinking.h"
#include "search/liveness/live.h"
#include "verify/nets/front_internal.h"

enum { MOST_ROUNDS = 256, MOST_STEPS = 1 << 20, MOST_ORDERS = 64 };

typedef struct lifting {
  front *front;
  const shrinking *shrinking;
  const trace *trace;
  const uint32_t *path;
  front_lasso *made;
  bool lifted_all;
  firing_path small, lifted, before; /* 'before': lifted one round earlier */
  VEC(size_t) ends;                  /* of rounds, in 'lifted' */
  VEC(int32_t) markings;             /* at these ends */
} lifting;

static const int32_t *marking_of(const lifting *l, size_t round)
{
  return l->markings.data + round * l->front->net->place_count;
}

/* Lifts the path so far, which must begin as it did before. */
static bool lift_more(lifting *l)
{
  firing_path was = l->before;
  l->before = l->lifted;
  l->lifted = was;
  vec_clear(&l->lifted);
  if (!shrinking_lift(l->shrinking, l->small.data, l->small.len, false,
                      &l->lifted) ||
      l->lifted.len < l->before.len || l->lifted.len > MOST_STEPS)
    return false;
  return !l->before.len || !memcmp(l->before.data, l->lifted.data,
                                   l->before.len * sizeof *l->before.data);
}

/* Notes where a round ends.  False: the net cannot go there. */
static bool end_round(lifting *l)
{
  size_t places = l->front->net->place_count, at = l->markings.len;
  vec_resize(&l->markings, at + places);
  vec_push(&l->ends, l->lifted.len);
  return petri_replay(l->front->net, l->lifted.data, l->lifted.len,
                      l->markings.data + at);
}

/* Goes round until a marking comes back: '*first' is the round that ended
** there before. */
static bool go_round(lifting *l, const uint32_t *loop, size_t length,
                     size_t *first)
{
  size_t bytes = l->front->net->place_count * sizeof(int32_t);
  if (!lift_more(l) || !end_round(l))
    return false;
  for (size_t round = 1; round < MOST_ROUNDS; round++) {
    for (size_t i = 0; i < length; i++)
      vec_push(&l->small, loop[i]);
    if (!lift_more(l) || !end_round(l))
      return false;
    for (*first = 0; *first < round; ++*first)
      if (!memcmp(marking_of(l, *first), marking_of(l, round), bytes))
        return l->ends.data[*first] < l->ends.data[round];
  }
  return false;
}

static bool lift_lasso(lifting *l, front_lasso *made)
{
  const trace *t = l->trace;
  size_t steps = t->steps.len - 1, first;
  size_t before = t->end == TRACE_LOOP ? t->loop : steps;
  for (size_t i = 0; i < before; i++)
    vec_push(&l->small, l->path[i]);
  made->end = t->end;
  made->loop = TRACE_NO_LOOP;
  made->expr = NULL;
  if (t->end == TRACE_LOOP) {
    if (!go_round(l, l->path + before, steps - before, &first))
      return false;
    made->loop = l->ends.data[first];
    return true;
  }
  bool stays = t->end == TRACE_STAYS;
  if (t->end == TRACE_FAULT || t->end == TRACE_INVALID_END ||
      !shrinking_lift(l->shrinking, l->small.data, l->small.len, stays,
                      &l->lifted) ||
      !end_round(l))
    return false;
  if (stays)
    made->loop = l->lifted.len;
  return !stays || petri_is_dead(l->front->net, marking_of(l, 0));
}

static void do_lift(void *context)
{
  lifting *l = context;
  front_lasso *made = l->made;
  l->lifted_all = lift_lasso(l, made);
  if (!l->lifted_all)
    return;
  made->length = l->lifted.len;
  made->path = ARENA_ARRAY(l->front->arena, uint32_t, made->length + 1);
  for (size_t i = 0; i < made->length; i++)
    made->path[i] = l->lifted.data[i];
}

static void tidy_lift(void *context)
{
  lifting *l = context;
  vec_free(&l->small);
  vec_free(&l->lifted);
  vec_free(&l->before);
  vec_free(&l->ends);
  vec_free(&l->markings);
}

bool lasso_of(front *f, const shrinking *s, const trace *t,
              const uint32_t *path, front_lasso *made)
{
  lifting l = {
      .front = f, .shrinking = s, .trace = t, .path = path, .made = made};
  mem_protect_tidy(do_lift, tidy_lift, &l);
  return l.lifted_all;
}

bool lasso_lift(front *f, uint32_t number, const shrinking *s, const trace *t,
                const uint32_t *path)
{
  front_lasso made;
  if (!lasso_of(f, s, t, path, &made))
    return false;
  front_lasso *kept = ARENA_NEW(f->arena, front_lasso);
  *kept = made;
  f->items[number].lasso = kept;
  return true;
}

/* Whether what the trace shows violates the property, judged from its states. */
static bool is_violation(verification *v, worker *w, const question *q,
                         const trace *t)
{
  observer o = {0};
  bool violated =
      observer_create(&o, w, q->property, false) == REASON_NONE &&
      lasso_judge(v->program, w, &o, NUT_FAIR_NONE, t) == TRACE_MADE;
  observer_free(&o);
  return violated;
}

/* ---- runs that go on as they like ----------------------------------------- */

/* A run from where a path ends: always the first transition that is enabled, in
** some order, so that it depends on the marking alone and comes round. */
typedef struct going {
  const petri *net;
  firing_path path;
  int32_t *marking, *kept; /* 'kept': after 'kept_at' steps */
  size_t kept_at, power;
  uint32_t first; /* transition to be tried */
} going;

static uint32_t next_enabled(const going *g)
{
  uint32_t count = g->net->transition_count, t = g->first;
  for (uint32_t i = 0; i < count; i++, t = (t + 1) % count)
    if (petri_enabled(g->net, t, g->marking))
      return t;
  return UINT32_MAX;
}

/* Until a marking comes back (R. Brent), nothing is enabled, or it takes too
** long: then the answer is false. */
static bool go_on(going *g, front_lasso *made)
{
  enum { MOST_LOOKS = 1 << 24 };
  size_t bytes = g->net->place_count * sizeof *g->marking;
  size_t most = MOST_LOOKS / (g->net->transition_count + 1) + 1;
  memcpy(g->kept, g->marking, bytes);
  g->kept_at = g->path.len;
  g->power = 1;
  for (size_t i = 0; i < most; i++) {
    uint32_t t = next_enabled(g);
    made->end = t == UINT32_MAX ? TRACE_STAYS : TRACE_LOOP;
    made->loop = t == UINT32_MAX ? g->path.len : g->kept_at;
    if (t == UINT32_MAX)
      return true;
    if (!petri_fire(g->net, t, g->marking))
      return false;
    vec_push(&g->path, t);
    if (!memcmp(g->marking, g->kept, bytes))
      return true;
    if (g->path.len - g->kept_at == g->power) {
      memcpy(g->kept, g->marking, bytes);
      g->kept_at = g->path.len;
      g->power *= 2;
    }
  }
  return false;
}

typedef struct finding {
  verification *verification;
  uint32_t number;
  const uint32_t *edges;
  answer *answer;
  going going;
  bool found;
} finding;

/* The path of the goal that decided it, if there was one, and then on. */
static bool try_order(finding *d, uint32_t first)
{
  front *f = d->verification->net->front;
  const walk_goal *goal = &f->goals[f->items[d->number].goal];
  going *g = &d->going;
  front_lasso made = {0};
  size_t begin = goal->reached ? goal->path.len : 0;
  g->first = first;
  vec_clear(&g->path);
  for (size_t i = 0; i < begin; i++)
    vec_push(&g->path, goal->path.data[i]);
  if (!petri_replay(g->net, g->path.data, begin, g->marking) ||
      !go_on(g, &made))
    return false;
  made.path = g->path.data;
  made.length = g->path.len;
  f->items[d->number].lasso = &made;
  bool told = lasso_tell(d->verification, d->number, d->edges, d->answer);
  f->items[d->number].lasso = NULL;
  if (!told) {
    trace_destroy(d->answer->trace);
    d->answer->trace = NULL;
  }
  return told;
}

static void do_find(void *context)
{
  finding *d = context;
  front *f = d->verification->net->front;
  uint32_t count = f->net->transition_count;
  d->going.net = f->net;
  d->going.marking = ARENA_ARRAY(f->arena, int32_t, f->net->place_count + 1);
  d->going.kept = ARENA_ARRAY(f->arena, int32_t, f->net->place_count + 1);
  /* Each may be the first step that matters.  Without any, the net stays. */
  uint32_t tries = count < MOST_ORDERS ? count + !count : MOST_ORDERS;
  for (uint32_t i = 0; i < tries && !d->found; i++)
    d->found = try_order(d, (uint32_t)((uint64_t)i * count / tries));
}

static void tidy_find(void *context)
{
  finding *d = context;
  vec_free(&d->going.path);
}

bool lasso_find(verification *v, uint32_t number, const uint32_t *edges,
                answer *a)
{
  finding d = {
      .verification = v, .number = number, .edges = edges, .answer = a};
  mem_protect_tidy(do_find, tidy_find, &d);
  return d.found;
}

/* ---- telling --------------------------------------------------------------- */

trace *lasso_replay(verification *v, const front_lasso *l,
                    const uint32_t *edges)
{
  front *f = v->net->front;
  choice *choices = ARENA_ARRAY(f->arena, choice, l->length + 1);
  size_t followed = 0;
  for (size_t i = 0; i < l->length; i++)
    choices[i] = (choice){0, edges[l->path[i]]};
  if (!f->worker)
    f->worker = worker_create(v->program);
  trace *t = trail_replay(f->worker, v->program, CHOICE_EDGES, choices,
                          l->length, &followed);
  if (t && followed == l->length) {
    t->end = l->end;
    t->loop = l->loop;
    t->expr = l->expr;
    if (trace_verify(f->worker, v->program, t) == TRACE_MADE)
      return t;
  }
  trace_destroy(t);
  return NULL;
}

bool lasso_tell(verification *v, uint32_t number, const uint32_t *edges,
                answer *a)
{
  front *f = v->net->front;
  a->trace = lasso_replay(v, f->items[number].lasso, edges);
  return a->trace && is_violation(v, f->worker, a->question, a->trace);
}
