/* Expectations one by one: the model is read for each, with its options, and
** checked; counted, if there are figures. */

#include "cli/many/trial.h"
#include "base/arena.h"
#include "base/source/source.h"
#include "base/system/usage.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/interrupt.h"
#include "cli/many/expectation.h"
#include <inttypes.h>
#include <string.h>

static const struct {
  const char *word;
  int status;
} results[] = {
#define RESULT(name, word, status) {word, status},
    TRIAL_RESULTS(RESULT)
#undef RESULT
};

const char *trial_word(trial_result r)
{
  return results[r].word;
}

int trial_status(trial_result r)
{
  return results[r].status;
}

trial_result trial_of_word(const char *word)
{
  for (int i = TRIAL_OK; i < TRIAL_ERROR; i++)
    if (!strcmp(results[i].word, word))
      return (trial_result)i;
  return TRIAL_ERROR;
}

/* ---- one expectation ---------------------------------------------------- */

typedef struct trial {
  const options *options; /* of the command 'test' */
  arena *arena;
  const expectation *expected;
  trial_result result; /* the worst so far */
  json_t *problems;
} trial;

static void blame(trial *t, trial_result r, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void blame(trial *t, trial_result r, const char *format, ...)
{
  va_list args;
  text line = {0};
  va_start(args, format);
  text_vprintf(&line, format, args);
  va_end(args);
  json_array_append_new(t->problems, json_lines(text_string(&line)));
  text_free(&line);
  if (r > t->result)
    t->result = r;
}

/* The words of the command line come first: what the model says is about it. */
static nut_load load_for(trial *t, const options *asked)
{
  nut_load load = t->options->load;
  size_t n = load.preprocessor_count, m = asked->load.preprocessor_count;
  const char **words = ARENA_ARRAY(t->arena, const char *, n + m + 1);
  for (size_t i = 0; i < n; i++)
    words[i] = load.preprocessor[i];
  for (size_t i = 0; i < m; i++)
    words[n + i] = asked->load.preprocessor[i];
  load.preprocessor = words;
  load.preprocessor_count = n + m;
  load.interrupt = &interrupt_flag;
  return load;
}

static nut_model *load_model(trial *t, const options *asked)
{
  nut_load load = load_for(t, asked);
  return nut_load_file(t->options->files.data[0], &load);
}

static void compare_verdict(trial *t, const char *name, nut_verdict found,
                            const char *why)
{
  const expectation *e = t->expected;
  if (!e->has_verdict || found == e->verdict)
    return;
  blame(t, found == NUT_UNKNOWN ? TRIAL_UNKNOWN : TRIAL_FAILED,
        "%s: %s, not %s%s%s%s", name, nut_verdict_name(found),
        nut_verdict_name(e->verdict), why ? " (" : "", why ? why : "",
        why ? ")" : "");
}

static void compare_words(trial *t, const char *name, const char *said)
{
  const expectation *e = t->expected;
  if (e->says && strcmp(e->says, said ? said : ""))
    blame(t, TRIAL_FAILED, "%s: says '%s', not '%s'", name, said ? said : "",
          e->says);
}

static void compare_property(trial *t, const nut_result *r, const char *name)
{
  for (size_t i = 0; i < nut_result_property_count(r); i++) {
    nut_property p = nut_result_property(r, i);
    if (strcmp(p.name, name))
      continue;
    const char *said = p.trace ? nut_trace_ending(p.trace) : NULL;
    compare_verdict(t, name, p.verdict, p.reason);
    compare_words(t, name, said && *said ? said : p.reason);
    return;
  }
  blame(t, TRIAL_FAILED, "%s: there is no such property", name);
}

/* Where properties are named, none of them is left open by another's error. */
static void try_check(trial *t, nut_model *m, const options *asked)
{
  const expectation *e = t->expected;
  nut_options s = asked->check;
  if (e->names[0])
    s.max_errors = 0;
  for (size_t i = 0; i < s.property_count; i++)
    if (!nut_model_find_property(m, s.properties[i])) {
      blame(t, TRIAL_ERROR, "--property %s: the model has no such property",
            s.properties[i]);
      return;
    }
  nut_result *r = nut_check(m, &s);
  if (nut_result_verdict(r) == NUT_ERROR) {
    blame(t, TRIAL_ERROR, "%s", nut_result_messages(r));
  } else if (!e->names[0]) {
    compare_verdict(t, "verdict", nut_result_verdict(r), nut_result_reason(r));
    compare_words(t, "verdict", nut_result_reason(r));
  }
  for (size_t i = 0; e->names[i] && nut_result_verdict(r) != NUT_ERROR; i++)
    compare_property(t, r, e->names[i]);
  nut_result_free(r);
}

static void compare_figures(trial *t, const nut_result *r)
{
  nut_figures f = nut_result_figures(r);
  const struct {
    uint64_t number;
    const char *exact;
  } found[] = {[EXPECTED_STATES] = {f.states, f.exact_states},
               [EXPECTED_TRANSITIONS] = {f.transitions, f.exact_transitions},
               [EXPECTED_DEADLOCKS] = {f.deadlocks, f.exact_deadlocks},
               [EXPECTED_PLACE] = {f.max_token_in_place, NULL},
               [EXPECTED_MARKING] = {f.max_token_per_marking, NULL}};
  for (int i = 0; i < EXPECTED_FIGURES_; i++) {
    const char *wanted = t->expected->figures[i];
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, found[i].number);
    const char *is = found[i].exact ? found[i].exact : number;
    if (wanted && strcmp(is, wanted))
      blame(t, TRIAL_FAILED, "%s %s, not %s",
            expected_figure_name((expected_figure)i), is, wanted);
  }
}

static void try_count(trial *t, const options *asked)
{
  nut_model *m = load_model(t, asked);
  nut_options s = asked->check;
  s.property_count = 0;
  nut_result *r = nut_count(m, &s);
  const char *why = r ? nut_result_reason(r) : "out of memory";
  if (nut_result_verdict(r) == NUT_ERROR)
    blame(t, TRIAL_ERROR, "%s", nut_result_messages(r));
  else if (!r || (!nut_result_complete(r) && !asked->check.depth))
    blame(t, TRIAL_UNKNOWN, "not counted%s%s", why ? ": " : "", why ? why : "");
  else
    compare_figures(t, r);
  nut_result_free(r);
  nut_model_free(m);
}

static bool has_figures(const expectation *e)
{
  for (int i = 0; i < EXPECTED_FIGURES_; i++)
    if (e->figures[i])
      return true;
  return false;
}

static void try_expectation(trial *t)
{
  const expectation *e = t->expected;
  options asked = {0};
  const char *wrong = e->wrong;
  if (!wrong)
    wrong = expectation_options(t->arena, e, &asked);
  if (wrong) {
    blame(t, TRIAL_ERROR, "%s", wrong);
    options_free(&asked);
    return;
  }
  nut_model *m = load_model(t, &asked);
  nut_verdict read = nut_model_verdict(m);
  if (read != NUT_HOLDS) {
    blame(t, read == NUT_ERROR ? TRIAL_ERROR : TRIAL_UNKNOWN, "%s",
          nut_model_messages(m));
  } else {
    if (e->has_verdict || e->says || !has_figures(e))
      try_check(t, m, &asked);
    if (has_figures(e))
      try_count(t, &asked);
  }
  nut_model_free(m);
  options_free(&asked);
}

/* ---- messages ----------------------------------------------------------- */

typedef VEC(const char *) message_list;

/* "7:39: error: ..."; without a column where there is none. */
static void find_messages(trial *t, nut_workspace *w, message_list *out)
{
  static const char *const words[] = {"error", "warning", "note"};
  size_t count = 0;
  const nut_diagnostic *list = w ? nut_diagnostics(w, &count) : NULL;
  for (size_t i = 0; i < count; i++)
    arena_push(t->arena, out,
               arena_printf(t->arena, "%u:%u: %s: %s", list[i].at.line,
                            list[i].at.column, words[list[i].severity],
                            list[i].message));
}

/* The same of the messages of a result, which are a text. */
static void find_lines(trial *t, const char *messages, message_list *out)
{
  const char *file = t->options->files.data[0];
  size_t n = strlen(file);
  for (const char *at = messages; *at;) {
    size_t length = strcspn(at, "\n");
    if (length > n && !strncmp(at, file, n) && at[n] == ':')
      arena_push(t->arena, out,
                 arena_copy(t->arena, at + n + 1, length - n - 1));
    at += length + (at[length] == '\n');
  }
}

/* "7:0: " and "7: " say the same: a place without a column. */
static bool same_message(const char *found, const char *wanted)
{
  size_t n = strspn(found, "0123456789");
  return !strcmp(found, wanted) ||
         (!strncmp(found + n, ":0: ", 4) && !strncmp(found, wanted, n) &&
          wanted[n] == ':' && !strcmp(found + n + 3, wanted + n + 1));
}

/* All messages must be expected, in this order. */
static void compare_messages(trial *t, const expectation_list *all,
                             const message_list *found)
{
  size_t next = 0;
  for (size_t i = 0; i < all->len; i++) {
    const char *wanted = all->data[i].message;
    if (!wanted)
      continue;
    if (next < found->len && same_message(found->data[next], wanted))
      next++;
    else
      blame(t, TRIAL_FAILED, "does not say: %s", wanted);
  }
  for (; next < found->len; next++)
    blame(t, TRIAL_FAILED, "says: %s", found->data[next]);
}

static bool expects_errors(const expectation_list *all)
{
  for (size_t i = 0; i < all->len; i++)
    if (all->data[i].message && strstr(all->data[i].message, ": error: "))
      return true;
  return false;
}

/* With errors among the messages the model is refused, otherwise not. */
static void try_messages(trial *t, const expectation_list *all)
{
  message_list found = {0};
  options none = {0};
  nut_load load = load_for(t, &none);
  nut_workspace *w = nut_open_file(t->options->files.data[0], &load);
  nut_model *m = nut_workspace_model(w);
  bool refused = nut_model_verdict(m) == NUT_ERROR;
  find_messages(t, w, &found);
  if (!refused && expects_errors(all)) {
    nut_result *r = nut_check(m, NULL);
    refused = nut_result_verdict(r) == NUT_ERROR;
    find_lines(t, nut_result_messages(r), &found);
    nut_result_free(r);
  }
  if (refused != expects_errors(all))
    blame(t, TRIAL_FAILED, refused ? "it is refused" : "it is not refused");
  compare_messages(t, all, &found);
  nut_close(w);
}

/* ---- all of a model ----------------------------------------------------- */

static json_t *start_document(const options *o)
{
  const char *file = o->files.data[0];
  json_t *j = json_object();
  json_put(j, "file", json_shown(file));
  json_put(j, "language", json_shown(language_for(o, file).name));
  json_put(j, "result", json_shown(trial_word(TRIAL_OK)));
  json_put(j, "expectations", json_array());
  return j;
}

static void add_trial(json_t *document, const trial *t, uint32_t line,
                      const char *words)
{
  json_t *j = json_object();
  json_put(j, "line", json_integer(line));
  json_put(j, "expectation", json_lines(words));
  json_put(j, "result", json_shown(trial_word(t->result)));
  json_put(j, "problems", json_incref(t->problems));
  json_array_append_new(json_object_get(document, "expectations"), j);
  trial_result before = trial_of_word(json_get_text(document, "result"));
  if (t->result > before)
    json_put(document, "result", json_shown(trial_word(t->result)));
}

static void run_trials(const options *o, const expectation_list *all, arena *a,
                       json_t *document)
{
  bool heard = false;
  for (size_t i = 0; i < all->len && !interrupt_flag; i++) {
    const expectation *e = &all->data[i];
    trial t = {o, a, e, TRIAL_OK, json_array()};
    if (!e->message) {
      try_expectation(&t);
      add_trial(document, &t, e->line, e->text);
    } else if (!heard) {
      heard = true;
      try_messages(&t, all);
      add_trial(document, &t, e->line, "its messages");
    }
    json_decref(t.problems);
  }
}

json_t *trial_lost(const options *o, const char *why)
{
  json_t *document = start_document(o);
  trial t = {.options = o, .problems = json_array()};
  blame(&t, TRIAL_ERROR, "%s", why);
  add_trial(document, &t, 0, "to be read");
  json_decref(t.problems);
  return document;
}

json_t *trial_run(const options *o)
{
  double begin = usage_seconds();
  arena *a = arena_create();
  sources *files = sources_create();
  const char *error = NULL;
  uint32_t file = source_read(files, o->files.data[0], &error);
  json_t *document;
  if (file) {
    size_t length;
    const char *content = source_text(files, file, &length);
    expectation_list all = {0};
    document = start_document(o);
    expectations_find(a, language_for(o, o->files.data[0]), content, length,
                      &all);
    run_trials(o, &all, a, document);
    json_put(document, "seconds", json_real(usage_seconds() - begin));
  } else {
    document = trial_lost(o, error);
  }
  sources_destroy(files);
  arena_destroy(a);
  return document;
}
