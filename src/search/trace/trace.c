/* Traces built along the choices that a search kept, and verified against the
** interpreter. */

#include "search/trace/trace.h"

#include "base/alloc.h"
#include "base/text/list_text.h"

#include <assert.h>
#include <string.h>

#define END(name, text) [TRACE_##name] = text,
LIST_TEXT(trace_end_text, trace_end, TRACE_ENDS(END))
#undef END

trace *trace_create(void)
{
  trace *t = mem_alloc(sizeof *t);
  t->loop = TRACE_NO_LOOP;
  return t;
}

void trace_destroy(trace *t)
{
  if (!t)
    return;
  vec_free(&t->steps);
  vec_free(&t->bytes);
  text_free(&t->output);
  mem_free(t, sizeof *t);
}

const uint8_t *trace_state(const trace *t, size_t index, uint32_t *length)
{
  assert(index < t->steps.len);
  *length = t->steps.data[index].length;
  return t->bytes.data + t->steps.data[index].start;
}

size_t trace_rests(const trace *t)
{
  size_t rests = 0;
  for (size_t i = 0; i < t->steps.len; i++)
    rests += t->steps.data[i].rest;
  return rests;
}

/* ---- adding steps ------------------------------------------------------ */

static void add_step(trace *t, trace_step s, const uint8_t *state)
{
  s.start = t->bytes.len;
  vec_grow(&t->bytes, s.length);
  if (s.length)
    memcpy(t->bytes.data + s.start, state, s.length);
  t->bytes.len += s.length;
  vec_push(&t->steps, s);
}

void trace_start(trace *t, const batch *initial)
{
  assert(initial->list.len == 1 && !t->steps.len);
  const successor *first = initial->list.data;
  trace_step s = {.edge = TRACE_NO_EDGE, .rest = true, .length = first->length};
  add_step(t, s, initial->bytes.data + first->start);
}

static void add_one(trace *t, const batch *b, const step *from,
                    const uint8_t *state, uint32_t length)
{
  trace_step s = {.edge = from->edge,
                  .process = from->process,
                  .flags = (uint8_t)from->flags,
                  .length = length,
                  .output = t->output.len,
                  .output_length = from->output_length};
  if (from->output_length)
    text_add_bytes(&t->output, b->output.data + from->output,
                   from->output_length);
  add_step(t, s, state);
}

static void add_steps(trace *t, const batch *b, uint32_t first, uint32_t count)
{
  for (uint32_t i = first; i < first + count; i++) {
    const step *from = b->steps.data + i;
    add_one(t, b, from, b->record_bytes.data + from->start, from->length);
  }
}

void trace_add_successor(trace *t, const batch *b, size_t index)
{
  assert(b->record && index < b->list.len);
  const successor *next = b->list.data + index;
  assert(next->steps);
  add_steps(t, b, next->first_step, next->steps - 1);
  /* The run goes on from the successor.  When a d_step ends here its last
  ** inner step was recorded inside, a moment before. */
  add_one(t, b, b->steps.data + next->first_step + next->steps - 1,
          b->bytes.data + next->start, next->length);
  vec_last(&t->steps).rest = true;
}

void trace_add_fault(trace *t, const batch *b, size_t index)
{
  assert(b->record && index < b->faults.len);
  const fault *f = b->faults.data + index;
  add_steps(t, b, f->first_step, f->steps);
  t->end = TRACE_FAULT;
  t->fault = f->kind;
  t->fault_edge = f->edge;
  t->fault_process = f->process;
  t->where = f->where;
}

void trace_forget(trace *t)
{
  uint32_t length;
  const uint8_t *state = trace_state(t, t->steps.len - 1, &length);
  memmove(t->bytes.data, state, length);
  t->bytes.len = length;
  t->steps.len = 1;
  t->steps.data[0] =
      (trace_step){.edge = TRACE_NO_EDGE, .rest = true, .length = length};
  text_clear(&t->output);
}

bool trace_claim_holds(worker *w, const trace_claim *claim,
                       const uint8_t *state, uint32_t length)
{
  fault_kind failed = FAULT_NONE;
  int32_t value = program_evaluate(w, claim->expr, state, length, &failed);
  if (claim->end == TRACE_WITNESS)
    return value && failed == FAULT_NONE;
  return !value || failed != FAULT_NONE;
}

/* ---- building ---------------------------------------------------------- */

/* What building and verifying need; it lives outside of the function that
** holds the jump, so that everything can be given back after one. */
typedef struct builder {
  worker *worker;
  uint32_t hidden;
  batch batch;
  const trace_path *path; /* what is made, */
  const trace_claim *claim;
  const trace *verified; /* or verified */
  trace *trace;
  trace_result result;
} builder;

static const uint8_t *last_state(const trace *t, uint32_t *length)
{
  return trace_state(t, t->steps.len - 1, length);
}

/* The successor that equals 'state' but for hidden bytes; several may, and the
** search took the first as well.  SIZE_MAX: there is none. */
static size_t find_successor(const builder *b, const uint8_t *state,
                             uint32_t length)
{
  for (size_t i = 0; i < b->batch.list.len; i++) {
    const successor *s = b->batch.list.data + i;
    if (s->length - b->hidden == length &&
        (!length ||
         !memcmp(b->batch.bytes.data + s->start + b->hidden, state, length)))
      return i;
  }
  return SIZE_MAX;
}

static void expand_last(builder *b)
{
  uint32_t length;
  const uint8_t *state = last_state(b->trace, &length);
  program_successors(b->worker, state, length, &b->batch);
}

static bool extend(builder *b, const trace_path *path, size_t i)
{
  const uint8_t *state = NULL;
  uint32_t length = path->next(path->context, i, &state);
  expand_last(b);
  size_t which = state ? find_successor(b, state, length) : length;
  if (which >= b->batch.list.len)
    return false;
  trace_add_successor(b->trace, &b->batch, which);
  return true;
}

/* Whether the state after step 'at' is the last one, hidden bytes apart. */
static bool closes(const builder *b, const trace *t, size_t at)
{
  uint32_t length, last_length;
  const uint8_t *state = trace_state(t, at, &length);
  const uint8_t *last = last_state(t, &last_length);
  return length == last_length && at + 1 < t->steps.len &&
         !memcmp(state + b->hidden, last + b->hidden, length - b->hidden);
}

/* The end of a lasso: the loop begins after the step that ends in the state
** 'rest' of the search. */
static bool conclude_lasso(const builder *b, trace_end end, size_t rest)
{
  trace *t = b->trace;
  t->end = end;
  if (end == TRACE_PREFIX)
    return true;
  t->loop = t->steps.len - 1;
  if (end == TRACE_STAYS)
    return b->batch.blocked;
  for (size_t i = 0; i < t->steps.len; i++)
    if (t->steps.data[i].rest && !rest--) {
      t->loop = i;
      return closes(b, t, i);
    }
  return false;
}

/* Checks that the end of the trace is as claimed, and enters it. */
static bool conclude(builder *b, const trace_claim *claim, bool started)
{
  trace *t = b->trace;
  uint32_t length;
  if (claim->end == TRACE_INVARIANT || claim->end == TRACE_WITNESS) {
    const uint8_t *state = last_state(t, &length);
    t->end = claim->end;
    t->expr = claim->expr;
    return trace_claim_holds(b->worker, claim, state, length);
  }
  if (started)
    expand_last(b);
  if (claim->end == TRACE_FAULT) {
    if (claim->fault >= b->batch.faults.len)
      return false;
    trace_add_fault(t, &b->batch, claim->fault);
    return true;
  }
  if (claim->end >= TRACE_LOOP)
    return conclude_lasso(b, claim->end, claim->loop);
  t->end = claim->end;
  return claim->end == TRACE_INVALID_END && b->batch.invalid_end;
}

static bool build(builder *b)
{
  const trace_path *path = b->path;
  b->batch.record = true;
  b->trace = trace_create();
  program_initial(b->worker, &b->batch);
  trace_start(b->trace, &b->batch);
  for (size_t i = 1; i < path->length; i++) {
    mem_poll();
    if (!extend(b, path, i))
      return false;
  }
  /* A path without any state claims something about the initialisers. */
  return conclude(b, b->claim, path->length > 0);
}

static void do_build(void *work)
{
  builder *b = work;
  b->result = build(b) ? TRACE_MADE : TRACE_IMPOSSIBLE;
}

trace_result trace_build(worker *w, const program *p, const trace_path *path,
                         const trace_claim *claim, trace **made)
{
  builder b = {
      .worker = w, .hidden = program_hidden(p), .path = path, .claim = claim};
  if (!mem_protect(do_build, &b))
    b.result = TRACE_NO_MEMORY;
  batch_free(&b.batch);
  if (b.result != TRACE_MADE) {
    trace_destroy(b.trace);
    b.trace = NULL;
  }
  *made = b.trace;
  return b.result;
}

/* ---- verifying --------------------------------------------------------- */

static bool same_state(const trace *t, size_t at, const uint8_t *state,
                       uint32_t length)
{
  const trace_step *s = t->steps.data + at;
  return s->length == length &&
         (!length || !memcmp(t->bytes.data + s->start, state, length));
}

static bool same_step(const trace *t, size_t at, const step *other)
{
  const trace_step *s = t->steps.data + at;
  return s->edge == other->edge && s->process == other->process &&
         s->flags == (uint8_t)other->flags;
}

/* Are the steps of a successor or fault those of the trace from 'at' on? */
static bool same_steps(const trace *t, size_t at, const batch *b,
                       uint32_t first, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const step *other = b->steps.data + first + i;
    if (at + i >= t->steps.len || !same_step(t, at + i, other) ||
        !same_state(t, at + i, b->record_bytes.data + other->start,
                    other->length))
      return false;
  }
  return true;
}

/* Is there a fault with exactly the steps from 'at' to the end? */
static bool fault_found(const trace *t, size_t at, const batch *b)
{
  for (size_t i = 0; i < b->faults.len; i++) {
    const fault *f = b->faults.data + i;
    if (f->kind == t->fault && f->edge == t->fault_edge &&
        f->process == t->fault_process && at + f->steps == t->steps.len &&
        same_steps(t, at, b, f->first_step, f->steps))
      return true;
  }
  return false;
}

/* Is there a successor with the steps from 'at' to before 'end'? */
static bool successor_found(const trace *t, size_t at, size_t end,
                            const batch *b)
{
  for (size_t i = 0; i < b->list.len; i++) {
    const successor *s = b->list.data + i;
    uint32_t inner = s->steps - 1;
    if (at + s->steps == end && same_steps(t, at, b, s->first_step, inner) &&
        same_step(t, end - 1, b->steps.data + s->first_step + inner) &&
        same_state(t, end - 1, b->bytes.data + s->start, s->length))
      return true;
  }
  return false;
}

static bool end_verified(const builder *b, const trace *t, size_t at)
{
  uint32_t length;
  switch (t->end) {
  case TRACE_FAULT:
    return fault_found(t, at, &b->batch);
  case TRACE_INVALID_END:
    return b->batch.invalid_end;
  case TRACE_FINISHED:
    return b->batch.blocked && !b->batch.invalid_end;
  case TRACE_INVARIANT:
  case TRACE_WITNESS: {
    const uint8_t *state = last_state(t, &length);
    trace_claim claim = {.end = t->end, .expr = t->expr};
    return trace_claim_holds(b->worker, &claim, state, length);
  }
  case TRACE_LOOP:
    return closes(b, t, t->loop);
  case TRACE_STAYS:
    return b->batch.blocked;
  case TRACE_OPEN:
  case TRACE_PREFIX:
    return true;
  }
  return false;
}

static bool verify(builder *b, const trace *t)
{
  b->batch.record = true;
  program_initial(b->worker, &b->batch);
  const successor *first = b->batch.list.data;
  if (!t->steps.len ||
      !same_state(t, 0, b->batch.bytes.data + first->start, first->length))
    return false;
  size_t at = 1;
  /* A fault of an initialiser belongs to the batch of the initial state. */
  if (t->end == TRACE_FAULT && trace_rests(t) == 1 &&
      fault_found(t, at, &b->batch))
    return true;
  for (;;) {
    uint32_t length;
    mem_poll();
    const uint8_t *state = trace_state(t, at - 1, &length);
    program_successors(b->worker, state, length, &b->batch);
    size_t end = at;
    while (end < t->steps.len && !t->steps.data[end].rest)
      end++;
    if (end == t->steps.len)
      return (end == at || t->end == TRACE_FAULT || t->end == TRACE_OPEN) &&
             end_verified(b, t, at);
    if (!successor_found(t, at, end + 1, &b->batch))
      return false;
    at = end + 1;
  }
}

static void do_verify(void *work)
{
  builder *b = work;
  b->result = verify(b, b->verified) ? TRACE_MADE : TRACE_IMPOSSIBLE;
}

trace_result trace_verify(worker *w, const program *p, const trace *t)
{
  builder b = {.worker = w, .hidden = program_hidden(p), .verified = t};
  if (!mem_protect(do_verify, &b))
    b.result = TRACE_NO_MEMORY;
  batch_free(&b.batch);
  return b.result;
}
