/* The command 'simulate': one run of the model, by chance or by hand.  A run by
** chance is told in parts, as it goes.  Unless files are to be made of it, what
** was told is forgotten, so that a run may go on for ever. */

#include "base/random.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Something that can happen next: a successor, a fault, or both, when a step
** fails and the process could go on all the same. */
typedef struct possibility {
  uint32_t edge, process;
  size_t successor, fault; /* indices in the batch, or NONE */
} possibility;

#define NONE SIZE_MAX

enum { PART = 1000 }; /* steps told at a time */

/* A run under way: the trace so far, and what can happen next. */
typedef struct simulation {
  const options *options;
  limits *limits;
  program *program;
  worker *worker;
  trace *trace;
  batch batch;         /* the successors of the last state */
  uint64_t forgotten;  /* steps that were in the trace before, */
  uint32_t seen_there; /* those of them that count */
  size_t told;         /* steps of the trace that were shown */
  story *story;        /* grows with the trace; made anew after an undo */
  VEC(size_t) past;    /* by hand: length of the trace before each choice */
  VEC(possibility) next;
  bool over; /* a step failed: nothing can follow */
  int status;
} simulation;

/* Whether a fault happens on the way to a successor, such as an assertion that
** fails and lets the process go on: its steps are the first of the other's. */
static bool on_the_way(const batch *b, const fault *f, const successor *to)
{
  if (f->steps == 0 || f->steps > to->steps)
    return false;
  for (uint32_t i = 0; i < f->steps; i++) {
    const step *x = &b->steps.data[f->first_step + i];
    const step *y = &b->steps.data[to->first_step + i];
    if (x->edge != y->edge || x->process != y->process)
      return false;
  }
  return true;
}

static size_t fault_before(const batch *b, const successor *to)
{
  for (size_t i = 0; i < b->faults.len; i++)
    if (on_the_way(b, &b->faults.data[i], to))
      return i;
  return NONE;
}

static bool leads_on(const batch *b, const fault *f)
{
  for (size_t i = 0; i < b->list.len; i++)
    if (on_the_way(b, f, &b->list.data[i]))
      return true;
  return false;
}

/* Finds out what can happen in the last state of the trace. */
static void look_ahead(simulation *s)
{
  uint32_t length;
  const batch *b = &s->batch;
  const uint8_t *state =
      trace_state(s->trace, s->trace->steps.len - 1, &length);
  program_successors(s->worker, state, length, &s->batch);
  vec_clear(&s->next);
  for (size_t i = 0; i < b->list.len; i++) {
    const successor *to = &b->list.data[i];
    vec_push(&s->next,
             ((possibility){to->edge, to->process, i, fault_before(b, to)}));
  }
  for (size_t i = 0; i < b->faults.len; i++) {
    const fault *f = &b->faults.data[i];
    if (!leads_on(b, f))
      vec_push(&s->next, ((possibility){f->edge, f->process, NONE, i}));
  }
}

static bool start(simulation *s)
{
  s->trace = trace_create();
  s->batch.record = true;
  program_initial(s->worker, &s->batch);
  if (s->batch.faults.len > 0) {
    complain("the initial state fails: %s",
             fault_text(s->batch.faults.data[0].kind));
    return false;
  }
  trace_start(s->trace, &s->batch);
  look_ahead(s);
  return true;
}

static void take(simulation *s, size_t index)
{
  const possibility *p = &s->next.data[index];
  if (s->options->interactive)
    vec_push(&s->past, s->trace->steps.len);
  if (p->fault != NONE) {
    trace_add_fault(s->trace, &s->batch, p->fault);
    vec_clear(&s->next);
    s->over = true;
  } else {
    trace_add_successor(s->trace, &s->batch, p->successor);
    look_ahead(s);
  }
}

static void undo(simulation *s)
{
  size_t length = vec_pop(&s->past);
  s->trace->steps.len = length;
  s->trace->bytes.len = s->trace->steps.data[length - 1].start +
                        s->trace->steps.data[length - 1].length;
  s->trace->end = TRACE_OPEN;
  s->over = false;
  look_ahead(s);
}

/* ---- telling ------------------------------------------------------------ */

/* Tells the steps that came since the last time. */
static void tell(simulation *s)
{
  text out = {0};
  story_destroy(s->story);
  s->story = NULL;
  s->story = story_of_trace(s->program, s->trace);
  story_details(s->story, s->told, s->story->steps.len);
  if (!s->options->quiet)
    for (size_t i = s->told; i < s->story->steps.len; i++)
      plain_step(s->story, i, style_of(s->options), &out);
  s->told = s->story->steps.len;
  say_text(&out);
  text_free(&out);
}

static bool is_kept(const simulation *s)
{
  return s->options->trace || s->options->trail || s->options->msc;
}

/* Whether it is time to tell what has happened since the last time.  A kept run
** is told in parts that grow with it, because its story is made anew for each.
** No part ends with a jump if it can be helped, for its last step is shown. */
static bool has_part(const simulation *s)
{
  size_t now = s->trace->steps.len - 1;
  size_t enough = s->told > PART ? s->told : PART;
  if (now < s->told + enough)
    return false;
  const edge *last =
      program_model(s->program)->edges.data[vec_last(&s->trace->steps).edge];
  return !(last->flags & EDGE_UNSEEN) || now >= s->told + 2 * enough;
}

/* Tells what has happened since the last time. */
static void tell_part(simulation *s)
{
  text out = {0};
  plain_style style = style_of(s->options);
  style.verbose = true;
  story_destroy(s->story);
  s->story = NULL;
  s->story = story_create(s->program);
  s->story->shown = s->seen_there;
  story_tell(s->story, s->trace);
  bool news = s->told < s->story->steps.len || !(s->told + s->forgotten);
  if (!s->options->quiet && news)
    plain_story_from(s->story, s->told, style, &out);
  say_text(&out);
  text_free(&out);
  s->told = s->story->steps.len;
}

static void forget(simulation *s)
{
  s->forgotten += s->told;
  s->seen_there = s->story->shown;
  s->told = 0;
  trace_forget(s->trace);
}

static bool finished(const simulation *s)
{
  return s->next.len == 0;
}

/* How the run ended; returns the exit status. */
static int conclude(simulation *s, const char *otherwise)
{
  uint32_t steps = s->story->shown;
  const char *end = otherwise;
  int status = STATUS_HOLDS;
  if (s->over) {
    end = s->story->ending;
    status = STATUS_VIOLATED;
  } else if (finished(s)) {
    end = trace_end_text(s->batch.invalid_end ? TRACE_INVALID_END
                                              : TRACE_FINISHED);
    s->story->end = s->batch.invalid_end ? TRACE_INVALID_END : TRACE_FINISHED;
    s->story->ending = end;
    status = s->batch.invalid_end ? STATUS_VIOLATED : STATUS_HOLDS;
  }
  say("%s%u step%s: %s\n", s->options->quiet ? "" : "\n", steps,
      steps == 1 ? "" : "s", end);
  return status;
}

/* ---- by chance ---------------------------------------------------------- */

static int simulate_randomly(simulation *s)
{
  random_state chance;
  uint64_t limit = s->options->steps;
  random_seed(&chance, s->options->seed);
  while (!finished(s) && !limits_poll(s->limits) &&
         (limit == 0 || s->forgotten + s->trace->steps.len <= limit)) {
    take(s, random_below(&chance, s->next.len));
    if (finished(s) || !has_part(s))
      continue;
    tell_part(s);
    if (!is_kept(s))
      forget(s);
  }
  tell_part(s);
  return conclude(s, s->limits->reason ? reason_text(s->limits->reason)
                                       : "stopped");
}

/* ---- by hand ------------------------------------------------------------ */

static void list_choice(const simulation *s, size_t index, text *out)
{
  const model *m = program_model(s->program);
  const possibility *p = &s->next.data[index];
  const edge *e = m->edges.data[p->edge];
  position at = source_position(m->sources, e->where);
  text_printf(out, "  %3zu  %s:%u  %s(%u)  %s%s\n", index + 1,
              at.name ? at.name : "?", at.line, e->process->name, p->process,
              e->text ? e->text : "", p->fault != NONE ? "  (fails)" : "");
}

static void list_choices(const simulation *s)
{
  text out = {0};
  for (size_t i = 0; i < s->next.len; i++)
    list_choice(s, i, &out);
  if (finished(s))
    text_printf(&out, "  %s\n",
                s->over
                    ? s->story->ending
                    : trace_end_text(s->batch.invalid_end ? TRACE_INVALID_END
                                                          : TRACE_FINISHED));
  say_text(&out);
  say("%s> ", finished(s) ? "u(ndo), s(tate), q(uit)"
                          : "number, u(ndo), s(tate), q(uit)");
  fflush(stdout);
  text_free(&out);
}

static void show_state(const simulation *s)
{
  text out = {0};
  plain_state(s->story->model, &s->story->now, style_of(s->options), &out);
  say_text(&out);
  text_free(&out);
}

/* Obeys one line; false: quit. */
static bool obey(simulation *s, const char *line)
{
  char *end;
  while (*line == ' ' || *line == '\t')
    line++;
  unsigned long number = strtoul(line, &end, 10);
  while (*end == ' ' || *end == '\n' || *end == '\r')
    end++;
  if (*line == 'q')
    return false;
  if (*line == 's') {
    show_state(s);
  } else if (*line == 'u') {
    if (s->past.len == 0) {
      say("nothing to undo\n");
    } else {
      undo(s);
      s->told = s->trace->steps.len - 1;
      tell(s);
    }
  } else if (*line >= '0' && *line <= '9' && !*end && number >= 1 &&
             number <= s->next.len) {
    take(s, number - 1);
    tell(s);
  } else if (*line != '\n' && *line != 0) {
    say("not a choice\n");
  }
  return true;
}

static int simulate_by_hand(simulation *s)
{
  char line[256];
  tell(s);
  list_choices(s);
  while (!interrupt_flag && fgets(line, sizeof line, stdin) && obey(s, line))
    list_choices(s);
  say("\n");
  return conclude(s, "stopped");
}

/* ---- the command -------------------------------------------------------- */

static void simulate_within(void *context)
{
  simulation *s = context;
  bool polled = limits_set_polled(s->limits, true);
  s->worker = worker_create(s->program);
  s->status = STATUS_VIOLATED;
  if (start(s)) {
    s->status =
        s->options->interactive ? simulate_by_hand(s) : simulate_randomly(s);
    arena *a = arena_create();
    if (!write_traces(s->options, s->story, NULL, NULL, a, NULL))
      s->status = STATUS_BAD;
    arena_destroy(a);
  }
  limits_set_polled(s->limits, polled);
}

static int simulate(const options *o, nut_model *m, program *p)
{
  simulation s = {.options = o, .program = p, .limits = &m->limits};
  if (!work_within_limits(m, simulate_within, &s))
    s.status = STATUS_UNKNOWN;
  story_destroy(s.story);
  trace_destroy(s.trace);
  batch_free(&s.batch);
  vec_free(&s.past);
  vec_free(&s.next);
  worker_destroy(s.worker);
  return s.status;
}

int command_simulate(const options *o)
{
  int status = STATUS_BAD;
  nut_model *m = outputs_good(o) ? load_model(o, &status) : NULL;
  if (!m)
    return status;
  status = STATUS_BAD;
  program *p = loaded_program(m, o->check.check_overflow);
  if (p) {
    status = simulate(o, m, p);
  } else {
    loaded_collect_messages(m);
    say_error(nut_model_messages(m));
  }
  program_destroy(p);
  nut_model_free(m);
  return status;
}
