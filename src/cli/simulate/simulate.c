/* The command 'simulate': one run of the model, by chance or by hand.  A run by
** chance is told in parts, as it goes.  Unless files are to be made of it, what
** was told is forgotten, so that a run may go on for ever. */

#include "cli/common.h"
#include "cli/output.h"
#include "cli/simulate/simulation.h"
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { PART = 1000 }; /* steps told at a time */

/* ---- telling ------------------------------------------------------------ */

const nut_trace *simulation_trace(simulation *s)
{
  const nut_trace *trace = nut_walk_trace(s->run);
  if (!trace)
    tell_problem(s->workspace);
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
  const nut_trace *trace = simulation_trace(s);
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

int simulation_conclude(simulation *s)
{
  size_t steps = nut_walk_steps(s->run);
  const char *end = nut_walk_ending(s->run);
  nut_verdict v = nut_walk_verdict(s->run);
  if (!simulation_is_over(s) || s->stopped.len)
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

/* Once; a seed that was drawn is told. */
static void seed(simulation *s)
{
  if (s->has_seed)
    return;
  s->has_seed = true;
  uint64_t number = s->options->seed ? s->options->seed : new_seed();
  if (!s->options->seed)
    note("seed %" PRIu64, number);
  random_seed(&s->chance, number);
}

bool simulation_step(simulation *s)
{
  seed(s);
  size_t choices = nut_walk_choices(s->run);
  if (nut_walk_take(s->run, random_below(&s->chance, choices)))
    return true;
  text_add(&s->stopped, nut_problem(s->workspace));
  return false;
}

static int simulate_randomly(simulation *s)
{
  uint64_t limit = s->options->steps;
  seed(s);
  while (!simulation_is_over(s) &&
         (limit == 0 || s->forgotten + nut_walk_length(s->run) < limit)) {
    if (!simulation_step(s))
      break;
    if (simulation_is_over(s) || !has_part(s))
      continue;
    if (!tell_part(s))
      return STATUS_UNKNOWN;
    if (!is_kept(s))
      forget(s);
  }
  return tell_part(s) ? simulation_conclude(s) : STATUS_UNKNOWN;
}

/* ---- the command -------------------------------------------------------- */

static int simulate(simulation *s)
{
  int status =
      s->options->interactive ? simulation_by_hand(s) : simulate_randomly(s);
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
  text_free(&s.kept);
  nut_close(w);
  return status;
}
