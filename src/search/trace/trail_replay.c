/* Follows choices recorded elsewhere: traces in JSON, trails of SPIN.
**
** A record names a process and a statement, but not every step has a record,
** and one record may fit several successors.  So this is a small search: in
** each resting state the successors that fit are tried, those first that obey
** records, then those that may go unrecorded; when nothing fits, the last
** choice is undone.  The best attempt is what the user gets to see. */

#include "search/trace/trace.h"

#include "base/alloc.h"

#include <assert.h>

/* Attempts allowed: so many, and so many more for each record. */
enum { ATTEMPTS = 1000, ATTEMPTS_PER_RECORD = 50 };

typedef enum {
  FIT_FAULT,  /* ends in a fault with the last record: what a trail is for */
  FIT_OBEYS,  /* obeys one record or more */
  FIT_CUT,    /* the records end inside its steps */
  FIT_SILENT, /* obeys none, and may go without */
  FIT_NOT
} fit_kind;

typedef struct fit {
  fit_kind kind;
  bool fault;     /* index counts faults, not successors */
  uint32_t index; /* in the batch */
  uint32_t steps; /* of it that belong to the run */
  size_t next;    /* the record to obey next */
} fit;

typedef struct node {
  size_t steps, bytes; /* of the trace up to this resting state */
  size_t next;         /* the record to obey next */
  uint32_t option;     /* which of the fits is being tried */
} node;

typedef struct follower {
  worker *worker;
  const model *model;
  choice_kind kind;
  const choice *choices;
  size_t count;
  bool *known; /* by record: some edge has that number */
  batch batch;
  trace *trace;
  VEC(fit) fits; /* of the state at hand, best first */
  VEC(node) nodes;
  size_t most;        /* records obeyed by the best attempt */
  VEC(uint32_t) best; /* its options */
  size_t same;        /* so many of them are those of the nodes at hand */
} follower;

/* ---- does a record fit a step ------------------------------------------ */

static size_t skip_unknown(const follower *f, size_t next)
{
  while (next < f->count && !f->known[next])
    next++;
  return next;
}

static bool lists_edges(const follower *f)
{
  return f->kind == CHOICE_EDGES || f->kind == CHOICE_MADE;
}

static bool obeys(const follower *f, const step *s, const choice *c)
{
  if (s->process != c->process)
    return false;
  if (lists_edges(f))
    return s->edge == c->id;
  int32_t number = f->model->edges.data[s->edge]->number;
  return number >= 0 && (uint32_t)number == c->id;
}

static bool is_jump_or_death(const edge *e)
{
  if (e->flags & EDGE_UNSEEN || e->number < 0)
    return true;
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_DIE)
      return true;
  return !e->guard && !e->comm && !e->effects.len && !(e->flags & EDGE_DSTEP);
}

/* May this step be missing from the records?  'last' is the process that
** obeyed the record before. */
static bool may_be_silent(const follower *f, const step *s, uint32_t last)
{
  if (s->flags & STEP_INNER)
    return true;
  if (lists_edges(f))
    return false;
  return is_jump_or_death(f->model->edges.data[s->edge]) ||
         (f->kind == CHOICE_MERGED && s->process == last);
}

static uint32_t last_process(const follower *f, size_t next)
{
  return next ? f->choices[next - 1].process : UINT32_MAX;
}

/* Matches the steps of a successor or fault with the records from 'next'. */
static fit match(const follower *f, uint32_t first, uint32_t count, size_t next)
{
  fit result = {.kind = FIT_SILENT, .steps = count, .next = next};
  for (uint32_t i = 0; i < count; i++) {
    const step *s = f->batch.steps.data + first + i;
    size_t at = skip_unknown(f, result.next);
    if (at < f->count && obeys(f, s, f->choices + at)) {
      result.kind = FIT_OBEYS;
      result.next = at + 1;
    } else if (may_be_silent(f, s, last_process(f, result.next))) {
      continue;
    } else if (at == f->count && result.kind == FIT_OBEYS) {
      result.kind = FIT_CUT;
      result.steps = i;
      return result;
    } else {
      result.kind = FIT_NOT;
      return result;
    }
  }
  return result;
}

/* ---- what can be tried in a state -------------------------------------- */

static void add_fits(follower *f, fit_kind kind, size_t next)
{
  size_t faults = f->kind == CHOICE_MADE ? 0 : f->batch.faults.len;
  for (size_t i = 0; i < faults; i++) {
    const fault *from = f->batch.faults.data + i;
    fit found = match(f, from->first_step, from->steps, next);
    bool ends =
        found.kind == FIT_OBEYS && skip_unknown(f, found.next) == f->count;
    found.kind = ends ? FIT_FAULT : FIT_NOT;
    found.fault = true;
    found.index = (uint32_t)i;
    if (found.kind == kind)
      vec_push(&f->fits, found);
  }
  for (size_t i = 0; i < f->batch.list.len; i++) {
    const successor *from = f->batch.list.data + i;
    fit found = match(f, from->first_step, from->steps, next);
    found.index = (uint32_t)i;
    if (found.kind == kind)
      vec_push(&f->fits, found);
  }
}

/* Fills 'fits' for the last state of the trace. */
static void find_fits(follower *f, size_t next)
{
  uint32_t length;
  mem_poll();
  const uint8_t *state =
      trace_state(f->trace, f->trace->steps.len - 1, &length);
  program_successors(f->worker, state, length, &f->batch);
  vec_clear(&f->fits);
  for (fit_kind kind = FIT_FAULT; kind < FIT_NOT; kind++)
    add_fits(f, kind, next);
}

/* Adds the steps of a fit to the trace. */
static void take(follower *f, const fit *chosen)
{
  size_t before = f->trace->steps.len;
  if (chosen->fault) {
    trace_add_fault(f->trace, &f->batch, chosen->index);
    return;
  }
  trace_add_successor(f->trace, &f->batch, chosen->index);
  f->trace->steps.len = before + chosen->steps;
}

/* ---- the search -------------------------------------------------------- */

/* The best attempt is mostly the one at hand, some nodes longer: only what has
** changed since is written down. */
static void remember_best(follower *f, size_t next)
{
  if (next <= f->most)
    return;
  f->most = next;
  f->best.len = f->same;
  for (size_t i = f->same; i < f->nodes.len; i++)
    vec_push(&f->best, f->nodes.data[i].option);
  f->same = f->nodes.len;
}

/* The last node is given up, the one before goes on with its next option. */
static void step_back(follower *f)
{
  (void)vec_pop(&f->nodes);
  if (f->nodes.len)
    vec_last(&f->nodes).option++;
  if (f->nodes.len && f->same >= f->nodes.len)
    f->same = f->nodes.len - 1;
}

static void push_node(follower *f, size_t next)
{
  node n = {f->trace->steps.len, f->trace->bytes.len, next, 0};
  vec_push(&f->nodes, n);
}

static void start(follower *f)
{
  if (f->trace)
    trace_destroy(f->trace);
  f->trace = NULL;
  f->trace = trace_create();
  vec_clear(&f->nodes);
  program_initial(f->worker, &f->batch);
  trace_start(f->trace, &f->batch);
  push_node(f, 0);
}

/* Tries to obey all records; true when it has, the trace being complete. */
static bool obey_all(follower *f)
{
  size_t attempts = ATTEMPTS + ATTEMPTS_PER_RECORD * f->count;
  while (f->nodes.len) {
    node *top = &vec_last(&f->nodes);
    if (skip_unknown(f, top->next) == f->count)
      return true;
    f->trace->steps.len = top->steps;
    f->trace->bytes.len = top->bytes;
    f->trace->end = TRACE_OPEN;
    find_fits(f, top->next);
    if (top->option >= f->fits.len || !attempts--) {
      step_back(f);
      if (attempts == SIZE_MAX)
        return false;
      continue;
    }
    fit chosen = f->fits.data[top->option];
    take(f, &chosen);
    remember_best(f, chosen.next);
    if (chosen.kind == FIT_FAULT || chosen.kind == FIT_CUT)
      return true;
    push_node(f, chosen.next);
  }
  return false;
}

/* Repeats the best attempt. */
static void repeat_best(follower *f)
{
  start(f);
  size_t next = 0;
  for (size_t i = 0; i < f->best.len; i++) {
    find_fits(f, next);
    fit chosen = f->fits.data[f->best.data[i]];
    next = chosen.next;
    take(f, &chosen);
  }
}

/* Says how the trace ends, unless that is known. */
static void note_end(follower *f)
{
  trace *t = f->trace;
  if (t->end != TRACE_OPEN || !vec_last(&t->steps).rest)
    return;
  uint32_t length;
  const uint8_t *state = trace_state(t, t->steps.len - 1, &length);
  program_successors(f->worker, state, length, &f->batch);
  if (f->batch.blocked)
    t->end = f->batch.invalid_end ? TRACE_INVALID_END : TRACE_FINISHED;
}

static void mark_known(follower *f)
{
  for (size_t i = 0; i < f->count; i++) {
    f->known[i] = lists_edges(f);
    for (size_t k = 0; k < f->model->edges.len && !f->known[i]; k++) {
      int32_t number = f->model->edges.data[k]->number;
      f->known[i] = number >= 0 && (uint32_t)number == f->choices[i].id;
    }
  }
}

static void follow(void *following)
{
  follower *f = following;
  f->known = mem_alloc(f->count);
  f->batch.record = true;
  mark_known(f);
  start(f);
  if (obey_all(f))
    f->most = f->count;
  else
    repeat_best(f);
  note_end(f);
}

static void free_all(follower *f)
{
  mem_free(f->known, f->known ? f->count : 0);
  batch_free(&f->batch);
  vec_free(&f->fits);
  vec_free(&f->nodes);
  vec_free(&f->best);
}

trace *trail_replay(worker *w, const program *p, choice_kind kind,
                    const choice *choices, size_t count, size_t *followed)
{
  assert(w && p && followed && (choices || !count));
  follower f = {.worker = w,
                .model = program_model(p),
                .kind = kind,
                .choices = choices,
                .count = count};
  bool done = mem_protect(follow, &f);
  free_all(&f);
  *followed = f.most;
  if (done)
    return f.trace;
  trace_destroy(f.trace);
  return NULL;
}
