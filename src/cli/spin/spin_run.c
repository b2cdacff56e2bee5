/* Simulations and replays as SPIN tells them:
**
**   %3d:	proc %2d (NAME:PRIORITY) FILE:LINE (state N)	[STATEMENT]
**   		x = 1                                           -g, -l
**   %3d:	proc %2d (NAME:1) FILE:LINE Send 1	-> queue 1 (q)  -s, -r
**
** The story comes from the JSON of the trace, which has everything. */

#include "base/random.h"
#include "base/source/source.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/spin/pan_claim.h"
#include "cli/spin/spin_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct telling_run {
  const spin_request *request;
  nut_workspace *workspace;
  nut_walk *walk;
  arena *arena;
  VEC(const char *) queues; /* names, in the order of their first use */
  uint64_t told;            /* steps so far */
  size_t created;           /* processes */
  size_t loop;              /* records of the trail before its loop begins */
  bool loops;
  bool replays; /* it is a trail */
} telling_run;

/* ---- parts of a line ---------------------------------------------------- */

static long long pid_of(const json_t *object)
{
  return (long long)json_integer_value(json_object_get(object, "process"));
}

static void add_head(uint64_t number, long long pid, const char *type,
                     text *out)
{
  text_printf(out, "%3" PRIu64 ":\tproc %2lld (%s:1)", number, pid, type);
}

static size_t queue_number(telling_run *t, const char *name)
{
  for (size_t i = 0; i < t->queues.len; i++)
    if (!strcmp(t->queues.data[i], name))
      return i + 1;
  vec_push(&t->queues, arena_copy(t->arena, name, strlen(name)));
  return t->queues.len;
}

/* A bool is a number for SPIN. */
static void add_value(const json_t *v, text *out)
{
  if (json_is_integer(v))
    text_printf(out, "%lld", (long long)json_integer_value(v));
  else if (json_is_boolean(v))
    text_printf(out, "%d", json_is_true(v));
  else
    text_add(out, json_string_value(v) ? json_string_value(v) : "");
}

static void add_changes(telling_run *t, const json_t *step, text *out)
{
  const spin_request *q = t->request;
  size_t i;
  json_t *c;
  json_array_foreach(json_object_get(step, "changes"), i, c)
  {
    const char *kind = json_get_text(c, "kind"),
               *name = json_get_text(c, "name");
    const json_t *process = json_object_get(c, "process");
    const json_t *after = json_object_get(c, "after");
    if (!strcmp(kind, "channel") && q->globals) {
      text_printf(out, "\t\tqueue %zu (%s): %s\n", queue_number(t, name), name,
                  json_string_value(after));
    } else if (!strcmp(kind, "variable") &&
               (process ? q->locals : q->globals)) {
      text_add(out, "\t\t");
      if (process)
        text_printf(out, "%s(%lld):", json_get_text(c, "process_type"),
                    (long long)json_integer_value(process));
      text_printf(out, "%s = ", name);
      add_value(after, out);
      text_add_char(out, '\n');
    }
  }
}

/* -s and -r: a line for each message; with -c a column for each process. */
static void add_talk(telling_run *t, const json_t *step, text *out)
{
  const spin_request *q = t->request;
  const json_t *m = json_object_get(step, "message");
  const json_t *at = json_object_get(step, "location");
  if (!m)
    return;
  bool send = !strcmp(json_get_text(m, "kind"), "send");
  const char *channel = json_get_text(m, "channel");
  const char *words = json_get_text(m, "message");
  long long pid = pid_of(step);
  size_t queue = queue_number(t, channel);
  if (q->columns) {
    text_printf(out, "%3zu  ", queue);
    for (long long i = 0; i < pid; i++)
      text_add(out, " .  ");
    text_printf(out, " %s%s%s\n", channel, send ? "!" : "?", words);
  } else if (send ? q->sends : q->receives) {
    add_head(t->told, pid, json_get_text(step, "process_type"), out);
    text_printf(
        out, " %s:%lld %s %s\t%s queue %zu (%s)\n", json_get_text(at, "file"),
        (long long)json_integer_value(json_object_get(at, "line")),
        send ? "Send" : "Recv", words, send ? "->" : "<-", queue, channel);
  }
}

static void add_output(const telling_run *t, const json_t *step, text *out)
{
  const json_t *said = json_object_get(step, "output");
  if (!said || t->request->no_prints)
    return;
  long long pid = pid_of(step);
  if (!t->request->no_indent)
    text_printf(out, "%*s", (int)(6 + 4 * pid), "");
  text_add(out, json_string_value(said));
}

static void add_statement(const telling_run *t, const json_t *step,
                          int32_t number, text *out)
{
  const json_t *at = json_object_get(step, "location");
  if (!t->request->statements)
    return;
  add_head(t->told, pid_of(step), json_get_text(step, "process_type"), out);
  text_printf(out, " %s:%lld (state %d)\t[%s]\n", json_get_text(at, "file"),
              (long long)json_integer_value(json_object_get(at, "line")),
              number, json_get_text(step, "text"));
}

/* ---- runs --------------------------------------------------------------- */

/* Processes that a step starts. */
static void add_starts(telling_run *t, const json_t *step, text *out)
{
  size_t i;
  json_t *c;
  json_array_foreach(json_object_get(step, "changes"), i, c)
  {
    if (strcmp(json_get_text(c, "kind"), "start"))
      continue;
    t->created++;
    if (!t->request->statements)
      continue;
    add_head(t->told, pid_of(step), json_get_text(step, "process_type"), out);
    text_printf(out, " creates proc %2lld (%s)\n", pid_of(c),
                json_get_text(c, "process_type"));
  }
}

/* The end of a process is no step for SPIN. */
static void add_end(telling_run *t, const json_t *step, text *out)
{
  long long pid = pid_of(step);
  if (!t->request->statements)
    return;
  add_head(t->told, pid, json_get_text(step, "process_type"), out);
  text_printf(out, "%*sterminates\n", (int)(7 + 4 * pid), "");
}

static void tell_step(telling_run *t, const nut_trace *trace, size_t index,
                      const json_t *step)
{
  nut_step s = nut_trace_step(trace, index);
  text out = {0};
  const char *words = json_get_text(step, "text");
  bool jump = json_object_get(step, "unseen") || !strcmp(words, "d_step");
  bool end = !strcmp(words, "-end-");
  if (!jump && !end && !s.answers)
    t->told++;
  if (end) {
    add_end(t, step, &out);
  } else if (!jump && t->told > t->request->skip) {
    add_output(t, step, &out);
    add_starts(t, step, &out);
    add_talk(t, step, &out);
    add_statement(t, step, s.number, &out);
    add_changes(t, step, &out);
  }
  say_text(&out);
  text_free(&out);
}

static void tell_failure(const json_t *story, const json_t *last)
{
  const char *ending = json_get_text(story, "ending");
  const json_t *at = json_object_get(last, "location");
  const char *words = json_get_text(last, "text");
  if (strcmp(ending, "assertion violated"))
    return;
  say("spin: %s:%lld, Error: assertion violated\n", json_get_text(at, "file"),
      (long long)json_integer_value(json_object_get(at, "line")));
  say("spin: text of failed assertion: %s\n", words);
}

/* Tells the whole run so far; a loop is marked. */
static void tell_run(telling_run *t)
{
  text out = {0};
  const nut_trace *trace = nut_walk_trace(t->walk);
  if (!trace ||
      !nut_trace_text(trace, NUT_JSON, 0, (nut_style){0}, gather_text, &out))
    return;
  json_t *story = json_loadb(text_string(&out), out.len, 0, NULL), *step;
  json_t *steps = json_object_get(story, "steps");
  size_t i, count = json_array_size(steps);
  size_t records = 0;
  json_array_foreach(steps, i, step)
  {
    bool record = !json_object_get(step, "inner");
    if (t->loops && record && records == t->loop)
      say("  <<<<<START OF CYCLE>>>>>\n");
    records += record;
    if (i + 1 == count)
      tell_failure(story, step);
    tell_step(t, trace, i, step);
  }
  json_decref(story);
  text_free(&out);
}

/* SPIN makes an assertion of a formula that every state must satisfy. */
static void tell_false_claim(telling_run *t, nut_state s)
{
  size_t count = 0;
  const nut_question *list = nut_questions(t->workspace, &count);
  for (size_t i = 0; i < count; i++) {
    const char *invariant = claim_invariant(list[i].formula);
    int32_t value = 1;
    if (strcmp(list[i].kind, "ltl") || !invariant ||
        !nut_evaluate(t->workspace, s, invariant, &value) || value)
      continue;
    say("spin: %s:%u, Error: assertion violated\n", list[i].at.file,
        list[i].at.line);
    text out = {0};
    for (const char *c = invariant; *c; c++)
      if (*c != ' ')
        text_add_char(&out, *c);
    say("spin: text of failed assertion: assert(!(!(%s)))\n",
        text_string(&out));
    text_free(&out);
    return;
  }
}

/* ---- the last state ----------------------------------------------------- */

/* The last state in which the run rests: a step that fails leads to none. */
static nut_state last_state(telling_run *t)
{
  size_t n = nut_walk_length(t->walk);
  nut_state s;
  while (!(s = nut_walk_state(t->walk, n)) && n > 0)
    n--;
  return s;
}

static void add_values(telling_run *t, nut_state s, int32_t process, text *out)
{
  size_t count = 0;
  const nut_value *list = nut_values(t->workspace, s, &count);
  for (size_t i = 0; i < count; i++) {
    if (list[i].process != process || !strcmp(list[i].type, "chan"))
      continue;
    if (!strcmp(list[i].type, "channel"))
      text_printf(out, "\t\tqueue %zu (%s): %s\n",
                  queue_number(t, list[i].name), list[i].name, list[i].text);
    else if (!strcmp(list[i].type, "bool"))
      text_printf(out, "\t\t%s = %d\n", list[i].name, list[i].number);
    else
      text_printf(out, "\t\t%s = %s\n", list[i].name, list[i].text);
  }
}

/* As SPIN does, nothing after a run whose prints were not wanted. */
static void tell_state(telling_run *t)
{
  if (t->request->no_prints)
    return;
  size_t count = 0;
  nut_state s = last_state(t);
  const nut_process *list = s ? nut_processes(t->workspace, s, &count) : NULL;
  text out = {0};
  if (count && !t->request->no_final) {
    text_printf(&out, "#processes: %zu\n", count);
    add_values(t, s, -1, &out);
    for (size_t i = count; i-- > 0;) {
      add_head(t->told, list[i].number, list[i].type, &out);
      text_printf(&out, " %s:%u (state %d)%s\n",
                  list[i].at.file ? list[i].at.file : "?", list[i].at.line,
                  list[i].location, list[i].end ? " <valid end state>" : "");
      if (t->request->locals)
        add_values(t, s, (int32_t)list[i].number, &out);
    }
  }
  /* SPIN counts the claim when it chooses the word. */
  bool one = t->created == 1 && !(t->replays && spin_claim_count(t->workspace));
  text_printf(&out, "%zu process%s created\n", t->created, one ? "" : "es");
  say_text(&out);
  text_free(&out);
}

/* The processes that are there from the start. */
static void tell_start(telling_run *t, bool announce)
{
  size_t count = 0;
  nut_state s = nut_initial(t->workspace);
  const nut_process *list = s ? nut_processes(t->workspace, s, &count) : NULL;
  t->created = count;
  for (size_t i = 0; i < count; i++)
    if (t->request->columns)
      say("proc %u = %s\n", list[i].number, list[i].type);
    else if (announce && t->request->statements)
      say("  0:\tproc  - (:root:) creates proc %2u (%s)\n", list[i].number,
          list[i].type);
  if (t->request->columns && count) {
    say("q\\p");
    for (size_t i = 0; i < count; i++)
      say(" %3u", list[i].number);
    say("\n");
  }
}

static int finish(telling_run *t)
{
  arena_destroy(t->arena);
  nut_walk_free(t->walk);
  vec_free(&t->queues);
  nut_close(t->workspace);
  return SPIN_DONE;
}

/* ---- simulation --------------------------------------------------------- */

static bool choose_by_hand(telling_run *t, size_t *choice)
{
  size_t count = nut_walk_choices(t->walk);
  char line[64];
  say("Select a statement\n");
  for (size_t i = 0; i < count; i++) {
    nut_move m = nut_walk_choice(t->walk, i);
    say("\tchoice %zu: proc %2u (%s:1) %s:%u [%s]\n", i + 1, m.process,
        m.process_type, m.at.file ? m.at.file : "?", m.at.line, m.text);
  }
  say("Select [1-%zu]: ", count);
  fflush(stdout);
  if (!fgets(line, sizeof line, stdin) || *line == 'q')
    return false;
  unsigned long number = strtoul(line, NULL, 10);
  *choice = number - 1;
  if (number < 1 || number > count)
    say("\tchoice is outside range\n");
  return true;
}

static void walk_on(telling_run *t)
{
  const spin_request *q = t->request;
  random_state random;
  random_seed(&random, q->has_seed ? q->seed : (uint64_t)time(NULL));
  size_t count, choice;
  while ((count = nut_walk_choices(t->walk)) && !interrupt_flag) {
    if (q->steps && nut_walk_steps(t->walk) >= q->steps)
      break;
    choice = (size_t)random_below(&random, count);
    if (q->interactive && !choose_by_hand(t, &choice))
      break;
    if (choice < count && !nut_walk_take(t->walk, choice))
      break;
  }
}

int spin_simulate(const spin_request *q)
{
  telling_run t = {.request = q, .workspace = spin_open(q)};
  if (!t.workspace)
    return SPIN_FAILED;
  t.arena = arena_create();
  t.walk = nut_walk_start(t.workspace);
  if (!t.walk) {
    tell_problem(t.workspace);
    finish(&t);
    return SPIN_FAILED;
  }
  tell_start(&t, true);
  walk_on(&t);
  tell_run(&t);
  if (q->steps && nut_walk_steps(t.walk) >= q->steps)
    say("-------------\ndepth-limit (-u%" PRIu64 " steps) reached\n", q->steps);
  else if (nut_walk_verdict(t.walk) == NUT_VIOLATED &&
           !strcmp(nut_walk_ending(t.walk), "invalid end state"))
    say("      timeout\n");
  tell_state(&t);
  return finish(&t);
}

/* ---- replay ------------------------------------------------------------- */

/* The trail that was asked for; NULL: it cannot be found.  SPIN looks beside
** the model, pan where it runs. */
static const char *find_trail(const spin_request *q, arena *a)
{
  const char *number =
      q->trail_number ? arena_printf(a, "%" PRIu64, q->trail_number) : "";
  if (q->trail)
    return access(q->trail, R_OK) == 0 ? q->trail : NULL;
  const char *names[] = {
      arena_printf(a, "%s%s.trail", q->file, number),
      arena_printf(a, "%s%s.trail", spin_base_name(q->file), number),
      arena_printf(a, "%s%s.tra", q->file, number)};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (access(names[i], R_OK) == 0)
      return names[i];
  return NULL;
}

/* Counts the records of processes before the loop of a trail, if it has one.
** With a claim, which is process 0 there, its records are not among them. */
static void find_loop(telling_run *t, const char *content)
{
  bool claim = false;
  long a, pid, id;
  size_t records = 0;
  while (sscanf(content, "%ld:%ld:%ld", &a, &pid, &id) == 3) {
    claim |= a == -2;
    if (a == -1) {
      t->loops = true;
      t->loop = records;
      return;
    }
    records += a >= 0 && !(claim && pid == 0);
    content += strcspn(content, "\n");
    content += *content == '\n';
  }
}

static int follow(telling_run *t, const char *trail)
{
  sources *files = sources_create();
  const char *error = NULL;
  size_t length = 0;
  uint32_t file = source_read(files, trail, &error);
  if (file) {
    const char *content = source_text(files, file, &length);
    t->walk = nut_walk_replay(t->workspace, trail, content, length);
    find_loop(t, content);
  }
  int status = SPIN_FAILED;
  if (!file) {
    complain("%s", error);
  } else if (!t->walk) {
    tell_problem(t->workspace);
  } else {
    t->replays = true;
    tell_start(t, false);
    tell_run(t);
    if (!t->loops)
      tell_false_claim(t, last_state(t));
    if (nut_outcome(t->workspace) != NUT_HOLDS)
      say("spin: %s\n", nut_problem(t->workspace));
    say("spin: trail ends after %" PRIu64 " steps\n", t->told);
    tell_state(t);
    status = SPIN_DONE;
  }
  sources_destroy(files);
  return status;
}

int spin_replay(const spin_request *q)
{
  telling_run t = {.request = q, .arena = arena_create()};
  const char *trail = find_trail(q, t.arena);
  int status = SPIN_FAILED;
  if (!trail)
    say("spin: cannot find trail file\n");
  else if ((t.workspace = spin_open(q)))
    status = follow(&t, trail);
  finish(&t);
  return status;
}
