/* 'simulate --interactive': a line is a choice or one of the words below. */

#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/simulate/simulation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- telling ------------------------------------------------------------ */

/* Tells the steps that came since the last time. */
static bool tell(simulation *s)
{
  text out = {0};
  const nut_trace *trace = simulation_trace(s);
  size_t steps = nut_walk_length(s->run);
  for (size_t i = s->told; trace && !s->options->quiet && i < steps; i++)
    nut_trace_step_text(trace, i, style_of(s->options), gather_text, &out);
  s->told = steps;
  say_text(&out);
  text_free(&out);
  return trace;
}

/* Where a statement is, and whose.  The transitions of a net are named, and nobody
** but the net makes them. */
static void add_place(const simulation *s, nut_place at, const char *type,
                      uint32_t process, text *out)
{
  const char *file = s->options->files.data[0];
  text_printf(out, "%s:%u  ", at.file ? at.file : "?", at.line);
  if (!language_for(s->options, file).is_net)
    text_printf(out, "%s(%u)  ", type, process);
}

static void list_choice(const simulation *s, size_t index, text *out)
{
  nut_move m = nut_walk_choice(s->run, index);
  text_printf(out, "  %3zu  ", index + 1);
  add_place(s, m.at, m.process_type, m.process, out);
  text_printf(out, "%s%s\n", m.text, m.fault ? "  (fails)" : "");
}

static void add_blocked(const simulation *s, const nut_blocked *b, text *out)
{
  text_add(out, "       ");
  add_place(s, b->at, b->process_type, b->process, out);
  text_printf(out, "%s  (%s)\n", b->text, b->because);
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
      add_blocked(s, &list[i], &out);
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
      add_blocked(s, &list[i], &out);
  say_text(&out);
  text_free(&out);
}

static void list_choices(const simulation *s)
{
  text out = {0};
  for (size_t i = 0; i < nut_walk_choices(s->run); i++)
    list_choice(s, i, &out);
  if (simulation_is_over(s))
    text_printf(&out, "  %s\n", nut_walk_ending(s->run));
  say_text(&out);
  if (simulation_is_over(s) && nut_walk_verdict(s->run) == NUT_VIOLATED)
    tell_stuck(s);
  say("%su(ndo), s(tate), w(hy), h(elp), q(uit)> ",
      simulation_is_over(s) ? "" : "number, ");
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

/* ---- the words ----------------------------------------------------------- */

static void drop_kept(simulation *s)
{
  text_free(&s->kept);
  s->kept = (text){0};
}

/* Makes a step and tells it; false: that was not possible. */
static bool take(simulation *s, size_t index)
{
  drop_kept(s);
  if (nut_walk_take(s->run, index))
    return tell(s);
  text_add(&s->stopped, nut_problem(s->workspace));
  return false;
}

/* The number at the start of a line, or what there is without one. */
static uint64_t number_in(const char *line, uint64_t otherwise)
{
  char *end;
  unsigned long long number = strtoull(line, &end, 10);
  return end == line ? otherwise : number;
}

static bool obey_state(simulation *s, const char *rest)
{
  (void)rest;
  show_state(s);
  return true;
}

static bool obey_why(simulation *s, const char *rest)
{
  tell_why(s, (unsigned long)number_in(rest, 0));
  return true;
}

/* What is left behind can be gone to again. */
static void keep(simulation *s)
{
  const nut_trace *trace = s->kept.len ? NULL : simulation_trace(s);
  if (trace)
    nut_trace_text(trace, NUT_JSON, 0, style_of(s->options), gather_text,
                   &s->kept);
}

static bool obey_undo(simulation *s, const char *rest)
{
  keep(s);
  for (uint64_t n = number_in(rest, 1); n; n--)
    if (!nut_walk_undo(s->run)) {
      say("nothing to undo\n");
      break;
    }
  s->told = nut_walk_length(s->run);
  return true;
}

static bool obey_run(simulation *s, const char *rest)
{
  bool good = true;
  drop_kept(s);
  for (uint64_t n = number_in(rest, 1);
       good && n && !simulation_is_over(s) && !interrupt_flag; n--)
    good = simulation_step(s);
  return tell(s) && good;
}

/* Whether the expression is true now; '*good' is false after a complaint, when
** it has no value. */
static bool is_true(simulation *s, const char *expression, bool *good)
{
  int32_t value = 0;
  nut_state now = nut_walk_state(s->run, nut_walk_length(s->run));
  if (!now) /* inside of an atomic sequence */
    return false;
  *good = nut_evaluate(s->workspace, now, expression, &value);
  if (!*good)
    say("%s\n", nut_problem(s->workspace));
  return *good && value;
}

static bool obey_until(simulation *s, const char *rest)
{
  bool good = true, done = false;
  uint64_t limit = s->options->steps;
  drop_kept(s);
  for (uint64_t n = 0; good && !done && !simulation_is_over(s) &&
                       (!limit || n < limit) && !interrupt_flag;
       n++) {
    if (!n && (is_true(s, rest, &good), !good))
      return true;
    if (!simulation_step(s))
      return tell(s) && false;
    done = is_true(s, rest, &good);
  }
  bool told = tell(s);
  if (!done)
    say("not true so far: %s\n", rest);
  return told;
}

static bool obey_reach(simulation *s, const char *rest)
{
  drop_kept(s);
  if (!nut_walk_reach(s->run, rest))
    say("%s\n", nut_problem(s->workspace));
  return tell(s);
}

static void go_back(simulation *s, uint64_t step)
{
  while (nut_walk_steps(s->run) > step && nut_walk_undo(s->run))
    ;
  s->told = nut_walk_length(s->run);
}

/* Goes on from the end of a run that was replayed. */
static bool replace_run(simulation *s, nut_walk *replayed)
{
  nut_walk *run = nut_walk_continue(replayed, nut_walk_length(replayed));
  nut_walk_free(replayed);
  if (!run) {
    tell_problem(s->workspace);
    return false;
  }
  nut_walk_free(s->run);
  s->run = run;
  s->told = nut_walk_length(run);
  return true;
}

static bool obey_goto(simulation *s, const char *rest)
{
  uint64_t step = number_in(rest, 0);
  keep(s);
  if (step > nut_walk_steps(s->run) && s->kept.len) {
    nut_walk *run = nut_walk_replay(s->workspace, "the run",
                                    text_string(&s->kept), s->kept.len);
    if (run)
      replace_run(s, run);
  }
  go_back(s, step);
  say("after step %zu\n", nut_walk_steps(s->run));
  return true;
}

static bool obey_load(simulation *s, const char *rest)
{
  int status;
  nut_walk *run = replay_file(s->workspace, rest, &status);
  if (!run)
    return true;
  drop_kept(s);
  if (*nut_problem(s->workspace))
    say("%s\n", nut_problem(s->workspace));
  if (replace_run(s, run))
    say("after step %zu\n", nut_walk_steps(s->run));
  return true;
}

static bool ends_with(const char *name, const char *ending)
{
  size_t n = strlen(name), m = strlen(ending);
  return n >= m && !strcmp(name + n - m, ending);
}

static bool obey_save(simulation *s, const char *rest)
{
  options asked = *s->options;
  const nut_trace *trace = simulation_trace(s);
  bool is_chart = ends_with(rest, ".svg") || ends_with(rest, ".mmd");
  if (!*rest) {
    say("save: to which file?\n");
    return true;
  }
  asked.trace = ends_with(rest, ".json") ? rest : NULL;
  asked.msc = is_chart ? rest : NULL;
  asked.trail = asked.trace || is_chart ? NULL : rest;
  if (trace && write_traces(&asked, trace, NULL, NULL))
    say("%zu steps in %s\n", nut_walk_steps(s->run), rest);
  return true;
}

static bool obey_quit(simulation *s, const char *rest)
{
  (void)s, (void)rest;
  return false;
}

static bool obey_help(simulation *, const char *);

typedef struct word {
  const char *name, *what, *meaning;
  bool (*obey)(simulation *, const char *rest); /* false: the end */
} word;

/* The first of which what was typed is the beginning counts. */
static const word words[] = {
    {"undo", " [N]", "undo a step, or N", obey_undo},
    {"state", "", "all values", obey_state},
    {"why", " [LINE]", "what cannot be executed (at this line), and why",
     obey_why},
    {"run", " [N]", "a step by chance, or N", obey_run},
    {"until", " EXPR", "steps by chance until EXPR is true", obey_until},
    {"reach", " EXPR", "a shortest way to where EXPR is true", obey_reach},
    {"goto", " N", "go to step N, back or forth again", obey_goto},
    {"load", " FILE", "take the run of a trace or trail", obey_load},
    {"save", " FILE", "write the run: .json, .svg, .mmd, or else a trail",
     obey_save},
    {"help", "", "this list", obey_help},
    {"quit", "", "end", obey_quit},
};

enum { WORDS = sizeof words / sizeof *words };

static bool obey_help(simulation *s, const char *rest)
{
  (void)s, (void)rest;
  say("  %-13s make this step\n", "NUMBER");
  for (size_t i = 0; i < WORDS; i++) {
    text name = {0};
    text_printf(&name, "%s%s", words[i].name, words[i].what);
    say("  %-13s %s\n", text_string(&name), words[i].meaning);
    text_free(&name);
  }
  return true;
}

static const word *find_word(const char *typed, size_t length)
{
  for (size_t i = 0; i < WORDS; i++)
    if (!strncmp(words[i].name, typed, length))
      return &words[i];
  return NULL;
}

/* ---- lines --------------------------------------------------------------- */

/* Without blanks at both ends. */
static char *trimmed(char *line)
{
  line += strspn(line, " \t");
  size_t n = strlen(line);
  while (n && strchr(" \t\r\n", line[n - 1]))
    line[--n] = 0;
  return line;
}

/* Obeys one line; false: quit. */
static bool obey(simulation *s, char *line)
{
  line = trimmed(line);
  size_t length = strcspn(line, " \t0123456789");
  const word *w = length ? find_word(line, length) : NULL;
  char *end;
  unsigned long number = strtoul(line, &end, 10);
  if (w)
    return w->obey(s, trimmed(line + length));
  if (end != line && !*end && number >= 1 && number <= nut_walk_choices(s->run))
    return take(s, number - 1);
  if (*line)
    say("not a choice\n");
  return true;
}

int simulation_by_hand(simulation *s)
{
  char line[4096];
  list_choices(s);
  while (!interrupt_flag && fgets(line, sizeof line, stdin) && obey(s, line))
    list_choices(s);
  say("\n");
  return simulation_conclude(s);
}
