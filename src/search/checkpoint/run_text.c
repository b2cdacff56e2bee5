/* A trace in a checkpoint: its steps, and each state as what it does not share,
** at both ends, with the one before.  Who reads it has the program follow it. */

#include "search/checkpoint/checkpoint_internal.h"
#include <string.h>

enum { STATE_MAX = 1 << 24 }; /* bytes, as of any state of a program */

/* ---- writing ------------------------------------------------------------ */

static void write_state(block_writer *w, const trace *t, size_t index)
{
  uint32_t length, before = 0, head = 0, tail = 0;
  const uint8_t *state = trace_state(t, index, &length);
  const uint8_t *last = index ? trace_state(t, index - 1, &before) : NULL;
  uint32_t most = length < before ? length : before;
  while (head < most && state[head] == last[head])
    head++;
  while (tail < most - head &&
         state[length - 1 - tail] == last[before - 1 - tail])
    tail++;
  block_put_number(w, head);
  block_put_number(w, tail);
  block_put_number(w, length - head - tail);
  block_put(w, state + head, length - head - tail);
}

static void write_step(block_writer *w, const trace *t, size_t index)
{
  const trace_step *s = &t->steps.data[index];
  block_put_number(w, s->edge);
  block_put_number(w, s->process);
  block_put_number(w, s->flags);
  block_put_number(w, s->rest);
  block_put_number(w, s->output_length);
  if (s->output_length)
    block_put(w, t->output.data + s->output, s->output_length);
  write_state(w, t, index);
}

void run_write(block_writer *w, const trace *t)
{
  block_put_number(w, t != NULL);
  if (!t)
    return;
  block_put_number(w, t->steps.len);
  for (size_t i = 0; i < t->steps.len; i++)
    write_step(w, t, i);
  block_put_number(w, t->end);
  block_put_number(w, t->loop == TRACE_NO_LOOP ? 0 : t->loop + 1);
  if (t->end != TRACE_FAULT)
    return;
  block_put_number(w, t->fault);
  block_put_number(w, t->fault_edge);
  block_put_number(w, t->fault_process);
  span_write(w, t->where);
}

/* ---- reading ------------------------------------------------------------ */

/* A trace that is being read. */
typedef struct reading {
  search *search;
  block_reader *reader;
  trace *trace;
} reading;

static void read_state(reading *x, trace_step *s)
{
  trace *t = x->trace;
  uint32_t before = 0;
  const uint8_t *last = NULL;
  if (t->steps.len)
    last = trace_state(t, t->steps.len - 1, &before);
  size_t from = last ? (size_t)(last - t->bytes.data) : 0;
  uint64_t head = read_below(x->reader, (uint64_t)before + 1);
  uint64_t tail = read_below(x->reader, before - head + 1);
  uint64_t middle = block_get_count(x->reader, 1);
  if (middle > STATE_MAX)
    block_damaged(x->reader, "a state in it is too long");
  if (block_problem(x->reader))
    return;
  s->start = t->bytes.len;
  s->length = (uint32_t)(head + middle + tail);
  vec_grow(&t->bytes, s->length);
  uint8_t *state = t->bytes.data + s->start;
  last = t->bytes.data + from;
  if (head)
    memcpy(state, last, head);
  if (middle)
    block_get(x->reader, state + head, middle);
  if (tail)
    memcpy(state + head + middle, last + before - tail, tail);
  t->bytes.len += s->length;
}

static bool read_step(reading *x)
{
  trace *t = x->trace;
  block_reader *r = x->reader;
  trace_step s = {.output = t->output.len};
  if (!edge_read(x->search->program, r, &s.edge))
    return false;
  s.process = (uint16_t)read_below(r, UINT16_MAX + 1);
  s.flags = (uint8_t)read_below(r, UINT8_MAX + 1);
  s.rest = read_below(r, 2);
  s.output_length = block_get_count(r, 1);
  for (size_t i = 0; i < s.output_length && !block_problem(r); i++) {
    char byte;
    block_get(r, &byte, 1);
    text_add_bytes(&t->output, &byte, 1);
  }
  read_state(x, &s);
  if (block_problem(r))
    return false;
  vec_push(&t->steps, s);
  return true;
}

static bool read_end(reading *x, const answer *a)
{
  trace *t = x->trace;
  block_reader *r = x->reader;
  t->end = (trace_end)read_below(r, TRACE_PREFIX + 1);
  uint64_t loop = read_below(r, t->steps.len + 1);
  bool has_loop = t->end == TRACE_LOOP || t->end == TRACE_STAYS;
  if ((loop != 0) != has_loop)
    return block_damaged(r, "a run in it has an end of another kind");
  t->loop = loop ? loop - 1 : TRACE_NO_LOOP;
  const property *p = a ? a->question->property : NULL;
  t->expr = p ? p->expr : NULL;
  if (!t->expr && (t->end == TRACE_INVARIANT || t->end == TRACE_WITNESS))
    return block_damaged(r, "a run in it shows what nobody asked");
  if (t->end != TRACE_FAULT)
    return !block_problem(r);
  t->fault = (fault_kind)read_below(r, FAULT_COUNT_);
  if (!edge_read(x->search->program, r, &t->fault_edge))
    return false;
  t->fault_process = (uint32_t)read_below(r, UINT32_MAX);
  return span_read(x->search->options, r, &t->where);
}

/* Traces of infinite runs are those of the program that was searched. */
static bool follow(reading *x, const answer *a)
{
  search *s = x->search;
  bool infinite = a && property_about(a->question->kind) == ABOUT_RUNS;
  bool plain = s->options->plain && !infinite;
  program *p = plain ? s->options->plain : s->program;
  worker **w = plain ? &s->teller : &s->replayer;
  if (!*w)
    *w = worker_create(p);
  switch (trace_verify(*w, p, x->trace)) {
  case TRACE_MADE:
    return true;
  case TRACE_IMPOSSIBLE:
    return block_damaged(x->reader, "it has a run that the model has not");
  case TRACE_NO_MEMORY:
    break;
  }
  watch_full(&s->watch);
  return false;
}

bool run_read(search *s, block_reader *r, const answer *a, trace **made)
{
  if (!read_below(r, 2))
    return !block_problem(r);
  trace_destroy(*made);
  *made = trace_create(); /* it has an owner while it is read */
  reading x = {s, r, *made};
  for (uint64_t n = block_get_count(r, 8); n; n--)
    if (!read_step(&x))
      return false;
  return read_end(&x, a) && follow(&x, a);
}
