/* The command 'simulate': one run of the model, by chance or by hand.  A run by
** chance is told in parts, as it goes.  Unless files are to be made of it, what
** was told is forgotten, so that a run may go on for ever. */

#include "base/random.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { PART = 1000 }; /* steps told at a time */

/* A run under way. */
typedef struct simulation {
  const options *options;
  nut_workspace *workspace;
  nut_walk *run;
  uint64_t forgotten; /* steps that were in the run before */
  size_t told;        /* steps of the run that were shown */
  text stopped;       /* why it did not go on, or "" */
} simulation;

static bool finished(const simulation *s)
{
  return nut_walk_choices(s->run) == 0;
}

/* ---- telling ------------------------------------------------------------ */

/* The run so far; NULL, after a complaint, when there is no memory. */
static const nut_trace *trace_of(simulation *s)
{
  const nut_trace *trace = nut_walk_trace(s->run);
  if (!trace)
    tell_problem(s->workspace);
  return trace;
}

/* Tells the steps that came since the last time. */
static bool tell(simulation *s)
{
  text out = {0};
  const nut_trace *trace = trace_of(s);
  size_t steps = nut_walk_length(s->run);
  for (size_t i = s->told; trace && !s->options->quiet && i < steps; i++)
    nut_trace_step_text(trace, i, style_of(s->options), gather_text, &out);
  s->told = steps;
  say_text(&out);
  text_free(&out);
  return trace;
}

static bool is_kept(const simulation *s)
{
  return s->options->trace || s->options->trail || s->options->msc;
}

/* Whether it is time to tell what has happened since the last time.  A kept run
** is told in parts that grow with it, because its story is made again for each.
** No part ends with a jump if it can be helped, for its last step is shown. */
static bool has_part(const simulation *s)
{
  size_t now = nut_walk_length(s->run);
  size_t enough = s->told > PART ? s->told : PART;
  if (now < s->told + enough)
    return false;
  return nut_walk_is_shown(s->run) || now >= s->told + 2 * enough;
}

/* Tells what has happened since the last time. */
static bool tell_part(simulation *s)
{
  text out = {0};
  nut_style style = style_of(s->options);
  style.verbose = true;
  const nut_trace *trace = trace_of(s);
  size_t steps = nut_walk_length(s->run);
  bool news = s->told < steps || !(s->told + s->forgotten);
  if (trace && !s->options->quiet && news)
    nut_trace_text(trace, NUT_TEXT, s->told, style, gather_text, &out);
  say_text(&out);
  text_free(&out);
  s->told = steps;
  return trace;
}

static void forget(simulation *s)
{
  s->forgotten += s->told;
  s->told = 0;
  nut_walk_forget(s->run);
}

/* How the run ended; returns the exit status. */
static int conclude(simulation *s)
{
  size_t steps = nut_walk_steps(s->run);
  const char *end = nut_walk_ending(s->run);
  nut_verdict v = nut_walk_verdict(s->run);
  if (!finished(s) || s->stopped.len)
    end = s->stopped.len ? text_string(&s->stopped) : "stopped";
  say("%s%zu step%s: %s\n", s->options->quiet ? "" : "\n", steps,
      steps == 1 ? "" : "s", end);
  return v == NUT_VIOLATED ? STATUS_VIOLATED : STATUS_HOLDS;
}

/* ---- by chance ---------------------------------------------------------- */

/* A small number, which can be typed again. */
static uint64_t new_seed(void)
{
  uint32_t drawn = 0;
  if (getrandom(&drawn, sizeof drawn, GRND_NONBLOCK) != sizeof drawn)
    drawn = (uint32_t)getpid();
  return 1 + drawn % 1000000;
}

static int simulate_randomly(simulation *s)
{
  random_state chance;
  uint64_t limit = s->options->steps;
  uint64_t seed = s->options->seed ? s->options->seed : new_seed();
  if (!s->options->seed)
    note("seed %" PRIu64, seed);
  random_seed(&chance, seed);
  while (!finished(s) &&
         (limit == 0 || s->forgotten + nut_walk_length(s->run) < limit)) {
    if (!nut_walk_take(s->run,
                       random_below(&chance, nut_walk_choices(s->run)))) {
      text_add(&s->stopped, nut_problem(s->workspace));
      break;
    }
    if (finished(s) || !has_part(s))
      continue;
    if (!tell_part(s))
      return STATUS_UNKNOWN;
    if (!is_kept(s))
      forget(s);
  }
  return tell_part(s) ? conclude(s) : STATUS_UNKNOWN;
}

/* ---- by hand ------------------------------------------------------------ */

static void list_choice(const simulation *s, size_t index, text *out)
{
  nut_move m = nut_walk_choice(s->run, index);
  text_printf(out, "  %3zu  %s:%u  %s(%u)  %s%s\n", index + 1,
              m.at.file ? m.at.file : "?", m.at.line, m.process_type, m.process,
              m.text, m.fault ? "  (fails)" : "");
}

static void add_blocked(const nut_blocked *b, text *out)
{
  text_printf(out, "       %s:%u  %s(%u)  %s  (%s)\n",
              b->at.file ? b->at.file : "?", b->at.line, b->process_type,
              b->process, b->text, b->because);
}

/* Statements that cannot be executed now, and why: those of one line of the
** model, or with 0 all. */
static void tell_why(const simulation *s, unsigned long line)
{
  size_t count;
  text out = {0};
  nut_state now = nut_walk_state(s->run, nut_walk_length(s->run));
  const nut_blocked *list = nut_not_enabled(s->workspace, now, &count);
  for (size_t i = 0; i < count; i++)
    if (!line || list[i].at.line == line)
      add_blocked(&list[i], &out);
  if (!out.len && line)
    text_printf(&out, "       nobody waits at line %lu\n", line);
  else if (!out.len)
    text_add(&out, "       nobody waits\n");
  say_text(&out);
  text_free(&out);
}

/* Who keeps a run from going on that is not over. */
static void tell_stuck(const simulation *s)
{
  size_t count, processes;
  text out = {0};
  nut_state now = nut_walk_state(s->run, nut_walk_length(s->run));
  const nut_process *p = nut_processes(s->workspace, now, &processes);
  const nut_blocked *list = nut_not_enabled(s->workspace, now, &count);
  for (size_t i = 0; p && i < count; i++)
    if (list[i].process < processes && !p[list[i].process].end)
      add_blocked(&list[i], &out);
  say_text(&out);
  text_free(&out);
}

static void list_choices(const simulation *s)
{
  text out = {0};
  for (size_t i = 0; i < nut_walk_choices(s->run); i++)
    list_choice(s, i, &out);
  if (finished(s))
    text_printf(&out, "  %s\n", nut_walk_ending(s->run));
  say_text(&out);
  if (finished(s) && nut_walk_verdict(s->run) == NUT_VIOLATED)
    tell_stuck(s);
  say("%s> ", finished(s) ? "u(ndo), s(tate), w(hy), q(uit)"
                          : "number, u(ndo), s(tate), w(hy), q(uit)");
  fflush(stdout);
  text_free(&out);
}

static void show_state(const simulation *s)
{
  text out = {0};
  nut_walk_state_text(s->run, nut_walk_length(s->run), style_of(s->options),
                      gather_text, &out);
  say_text(&out);
  text_free(&out);
}

/* Makes a step and tells it; false: that was not possible. */
static bool take(simulation *s, size_t index)
{
  if (nut_walk_take(s->run, index))
    return tell(s);
  text_add(&s->stopped, nut_problem(s->workspace));
  return false;
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
  } else if (*line == 'w') {
    tell_why(s, strtoul(line + 1, NULL, 10));
  } else if (*line == 'u') {
    if (nut_walk_undo(s->run))
      s->told = nut_walk_length(s->run);
    else
      say("nothing to undo\n");
  } else if (*line >= '0' && *line <= '9' && !*end && number >= 1 &&
             number <= nut_walk_choices(s->run)) {
    return take(s, number - 1);
  } else if (*line != '\n' && *line != 0) {
    say("not a choice\n");
  }
  return true;
}

static int simulate_by_hand(simulation *s)
{
  char line[256];
  list_choices(s);
  while (!interrupt_flag && fgets(line, sizeof line, stdin) && obey(s, line))
    list_choices(s);
  say("\n");
  return conclude(s);
}

/* ---- the command -------------------------------------------------------- */

static int simulate(simulation *s)
{
  int status =
      s->options->interactive ? simulate_by_hand(s) : simulate_randomly(s);
  const nut_trace *trace = is_kept(s) ? nut_walk_trace(s->run) : NULL;
  if (trace && !write_traces(s->options, trace, NULL, NULL))
    status = STATUS_BAD;
  return status;
}

int command_simulate(const options *o)
{
  int status = STATUS_BAD;
  if (o->interactive && !strcmp(o->files.data[0], "-"))
    return complain("--interactive: the standard input cannot be the model "
                    "and the choices");
  nut_workspace *w = outputs_good(o) ? open_model(o, &status) : NULL;
  if (!w)
    return status;
  simulation s = {.options = o, .workspace = w, .run = nut_walk_start(w)};
  status = s.run ? simulate(&s) : tell_problem(w);
  nut_walk_free(s.run);
  text_free(&s.stopped);
  nut_close(w);
  return status;
}
