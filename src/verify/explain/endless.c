/* Which steps of an infinite run matter: those without which it is no run any
** more, or none that violates the property.
**
** Chains of steps are left out, many at once and then fewer (A. Zeller,
** R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002), first
** all those of a process, then pieces of what a process does, then pieces of the
** run.  They stay out only when what is left is a run of the program that closes
** its loop, or comes to its end, by 'trace_verify', and that violates the
** property, fairly if asked for, by 'lasso_judge'. */

#include "base/alloc.h"
#include "search/liveness/live.h"
#include "search/observer/claim_unfold.h"
#include "verify/explain/explain.h"
#include <string.h>

enum {
  PIECES_MOST = 5000,  /* longer runs are not looked at */
  EFFORT_MOST = 300000 /* states expanded for all that is tried */
};

/* Steps of the trace from one resting state to the next. */
typedef struct piece {
  size_t first, end; /* of its steps */
  uint32_t process;
  bool out;
} piece;

typedef VEC(uint32_t) piece_order;

typedef struct folding {
  explaining *e;
  property property; /* its claim without variables */
  observer observer;
  VEC(piece) pieces;
  piece_order by_time, by_process;
  VEC(uint32_t) tried;           /* pieces left out for a try */
  VEC(uint8_t) places, places_2; /* of the observer: it can be there */
  batch batch;
  trace *made;
  size_t effort;
  bool over; /* enough was tried */
  const char *why;
} folding;

/* ---- running what is left ------------------------------------------------ */

static bool is_piece(const folding *f, const piece *p, const successor *s)
{
  const trace *t = f->e->trace;
  if (s->steps != p->end - p->first)
    return false;
  for (uint32_t i = 0; i < s->steps; i++) {
    const step *is = &f->batch.steps.data[s->first_step + i];
    const trace_step *wanted = &t->steps.data[p->first + i];
    if (is->edge != wanted->edge || is->process != wanted->process)
      return false;
  }
  return true;
}

/* Does what the piece did at the end of the trace that is made. */
static bool execute(folding *f, const piece *p)
{
  uint32_t length;
  const uint8_t *state = trace_state(f->made, f->made->steps.len - 1, &length);
  mem_poll();
  f->effort++;
  program_successors(f->e->worker, state, length, &f->batch);
  for (size_t i = 0; i < f->batch.list.len; i++)
    if (is_piece(f, p, &f->batch.list.data[i])) {
      trace_add_successor(f->made, &f->batch, i);
      return true;
    }
  return false;
}

static bool run_rest(folding *f)
{
  const trace *t = f->e->trace;
  trace_destroy(f->made);
  f->made = trace_create();
  f->made->end = t->end;
  program_initial(f->e->worker, &f->batch);
  trace_start(f->made, &f->batch);
  for (size_t i = 0; i < f->pieces.len; i++) {
    const piece *p = &f->pieces.data[i];
    if (t->end == TRACE_LOOP && p->first == t->loop + 1)
      f->made->loop = f->made->steps.len - 1;
    if (!p->out && !execute(f, p))
      return false;
  }
  if (t->end == TRACE_STAYS)
    f->made->loop = f->made->steps.len - 1;
  return true;
}

/* ---- judging it ---------------------------------------------------------- */

/* The places of the observer after the state at hand; true: one from which it
** accepts whatever follows. */
static bool observe(folding *f, const uint8_t *state, uint32_t length)
{
  observer *o = &f->observer;
  bool sure = false;
  vec_clear(&f->places_2);
  vec_resize(&f->places_2, o->places);
  for (uint32_t q = 0; q < o->places; q++) {
    if (!f->places.data[q] || !observer_look(o, q, state, length))
      continue;
    for (size_t i = 0; i < o->moves.len; i++) {
      f->places_2.data[o->moves.data[i].target] = 1;
      sure |= observer_is_sure(o, o->moves.data[i].target);
    }
  }
  memcpy(f->places.data, f->places_2.data, o->places);
  return sure;
}

/* Whether the property is violated however the run goes on. */
static bool is_sure(folding *f)
{
  const trace *t = f->made;
  vec_clear(&f->places);
  vec_resize(&f->places, f->observer.places);
  f->places.data[f->observer.initial] = 1;
  for (size_t i = 0; i < t->steps.len; i++) {
    uint32_t length;
    const uint8_t *state = trace_state(t, i, &length);
    if (t->steps.data[i].rest && observe(f, state, length))
      return true;
  }
  return false;
}

static bool violates(folding *f)
{
  explaining *e = f->e;
  return run_rest(f) &&
         trace_verify(e->worker, e->program, f->made) == TRACE_MADE &&
         lasso_judge(e->program, e->worker, &f->observer, e->fair, f->made) ==
             TRACE_MADE &&
         (f->made->end != TRACE_PREFIX || is_sure(f));
}

/* ---- leaving out --------------------------------------------------------- */

static bool is_over(folding *f)
{
  f->over |= f->effort > EFFORT_MOST || limits_reached(f->e->limits);
  return f->over;
}

/* Tries to do without the pieces gathered in 'tried'. */
static bool leave_out(folding *f)
{
  if (!f->tried.len)
    return false;
  for (size_t i = 0; i < f->tried.len; i++)
    f->pieces.data[f->tried.data[i]].out = true;
  if (violates(f))
    return true;
  for (size_t i = 0; i < f->tried.len; i++)
    f->pieces.data[f->tried.data[i]].out = false;
  return false;
}

static bool leave_out_process(folding *f, uint32_t process)
{
  vec_clear(&f->tried);
  for (size_t i = 0; i < f->pieces.len; i++)
    if (f->pieces.data[i].process == process && !f->pieces.data[i].out)
      vec_push(&f->tried, (uint32_t)i);
  return leave_out(f);
}

static bool leave_out_processes(folding *f)
{
  bool any = false;
  const piece_order *o = &f->by_process;
  for (size_t i = 0; i < o->len && !is_over(f); i++) {
    uint32_t process = f->pieces.data[o->data[i]].process;
    if (!i || process != f->pieces.data[o->data[i - 1]].process)
      any |= leave_out_process(f, process);
  }
  return any;
}

/* Goes through what is left, in an order, so many pieces at a time, from the
** end. */
static bool leave_out_runs(folding *f, const piece_order *o, size_t size)
{
  bool any = false;
  for (size_t at = o->len; at > 0 && !is_over(f);) {
    vec_clear(&f->tried);
    for (; at > 0 && f->tried.len < size; at--)
      if (!f->pieces.data[o->data[at - 1]].out)
        vec_push(&f->tried, o->data[at - 1]);
    any |= leave_out(f);
  }
  return any;
}

static bool leave_out_all_sizes(folding *f, const piece_order *o)
{
  bool any = false;
  for (size_t size = (o->len + 1) / 2; size > 0; size /= 2)
    any |= leave_out_runs(f, o, size);
  return any;
}

static void fold(folding *f)
{
  bool any = true;
  while (any && !is_over(f)) {
    any = leave_out_processes(f);
    any |= leave_out_all_sizes(f, &f->by_process);
    any |= leave_out_all_sizes(f, &f->by_time);
  }
}

/* ---- the whole ----------------------------------------------------------- */

static void order_pieces(folding *f)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < f->pieces.len; i++) {
    vec_push(&f->by_time, i);
    if (f->pieces.data[i].process > most)
      most = f->pieces.data[i].process;
  }
  for (uint32_t p = 0; p <= most; p++)
    for (uint32_t i = 0; i < f->pieces.len; i++)
      if (f->pieces.data[i].process == p)
        vec_push(&f->by_process, i);
}

static void find_pieces(folding *f)
{
  const trace *t = f->e->trace;
  size_t first = 1;
  for (size_t i = 1; i < t->steps.len && f->pieces.len <= PIECES_MOST; i++)
    if (t->steps.data[i].rest) {
      piece p = {first, i + 1, t->steps.data[first].process, false};
      vec_push(&f->pieces, p);
      first = i + 1;
    }
  if (!f->pieces.len)
    f->why = "the run has no steps";
  else if (f->pieces.len > PIECES_MOST)
    f->why = "the run is too long";
  else
    order_pieces(f);
}

/* Claims with variables are judged without them, as in the search. */
static bool make_observer(folding *f)
{
  explaining *e = f->e;
  f->property = *e->property;
  const process_type *claim = f->property.observer;
  if (f->property.kind == PROPERTY_NEVER && claim &&
      claim_has_variables(claim)) {
    claim = claim_unfold(e->arena, program_model(e->program), claim);
    if (claim)
      f->property.observer = claim;
  }
  return observer_create(&f->observer, e->worker, &f->property, false) ==
         REASON_NONE;
}

static bool any_is_out(const folding *f)
{
  for (size_t i = 0; i < f->pieces.len; i++)
    if (f->pieces.data[i].out)
      return true;
  return false;
}

static void look_at_lasso(void *work)
{
  folding *f = work;
  f->batch.record = true;
  find_pieces(f);
  if (f->why)
    return;
  if (!make_observer(f) || !violates(f))
    f->why = "the run could not be judged again";
  else
    fold(f);
  if (!f->why && f->over && !any_is_out(f))
    f->why = "trying to do without them takes too long";
}

static void mark_folded(folding *f)
{
  explanation *to = f->e->to;
  to->folded = ARENA_ARRAY(f->e->arena, uint8_t, f->e->trace->steps.len);
  for (size_t i = 0; i < f->pieces.len; i++) {
    const piece *p = &f->pieces.data[i];
    for (size_t s = p->first; s < p->end && p->out; s++) {
      to->folded[s] = 1;
      to->folded_count++;
    }
  }
}

static void free_folding(folding *f)
{
  vec_free(&f->pieces);
  vec_free(&f->by_time);
  vec_free(&f->by_process);
  vec_free(&f->tried);
  vec_free(&f->places);
  vec_free(&f->places_2);
  batch_free(&f->batch);
  observer_free(&f->observer);
  trace_destroy(f->made);
}

void explain_lasso(explaining *e)
{
  folding f = {.e = e};
  if (!mem_protect(look_at_lasso, &f))
    f.why = reason_text(limits_why(e->limits));
  if (f.why)
    e->to->not_folded = f.why;
  else
    mark_folded(&f);
  free_folding(&f);
}
