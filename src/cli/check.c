/* 'check' and 'count': options checked, models examined one after the other,
** reports said and written.  An exit status is a verdict. */

#include "cli/common.h"
#include "cli/formats/document.h"
#include "cli/formats/formats.h"
#include "cli/interrupt.h"
#include "cli/kept/kept_words.h"
#include "cli/many/models.h"
#include "cli/mcc.h"
#include "cli/output.h"
#include "cli/progress.h"
#include <inttypes.h>
#include <string.h>

_Static_assert((int)NUT_HOLDS == STATUS_HOLDS &&
                   (int)NUT_VIOLATED == STATUS_VIOLATED &&
                   (int)NUT_ERROR == STATUS_BAD &&
                   (int)NUT_UNKNOWN == STATUS_UNKNOWN,
               "the same number");

bool store_exists(const options *o)
{
  const char *why;
  nut_store s;
  if (!o->check.store || nut_store_exists(o->check.store, &why))
    return true;
  complain("--store %s: there is no such store", o->check.store);
  if (why) {
    note("%s", why);
    return false;
  }
  text list = {0};
  for (size_t i = 0; (s = nut_store_at(i)).codec; i++)
    text_printf(&list, "%s%s+%s", i ? ", " : "", s.codec, s.set);
  note("stores: %s", text_string(&list));
  text_free(&list);
  return false;
}

/* ---- reporting ---------------------------------------------------------- */

/* The first trace has the names that the user gave. */
static bool write_all_traces(const options *o, nut_result *r)
{
  bool first = true, good = true;
  arena *a = arena_create();
  taken *used = NULL;
  const nut_trace *t;
  remove_old_trail(o);
  for (size_t i = 0; good && i < nut_result_property_count(r); i++)
    for (size_t k = 0; good && (t = nut_result_trace(r, i, k)); k++) {
      const char *name = first ? NULL : file_part(a, &used, nut_trace_name(t));
      good = write_traces(o, t, name, r);
      first = false;
    }
  arena_destroy(a);
  return good;
}

/* One model under examination. */
typedef struct examined {
  const options *options;
  nut_workspace *workspace;
  formats *formats;
  bool count;
} examined;

/* The document, if somebody wants it, and the text, if there is room for it. */
static void report(const examined *e, nut_result *r)
{
  text out = {0};
  const formats *f = e->formats;
  if (f->targets.len) {
    json_t *document =
        document_of_result(e->options, e->workspace, r, f->traces);
    if (document && f->pages)
      document_add_page(document, e->workspace, r);
    formats_add(e->formats, document);
  }
  if (!f->takes_output) {
    nut_result_text(r, NUT_TEXT, style_of(e->options), gather_text, &out);
    /* A picture on the standard output is to be one. */
    if (e->options->msc && !strcmp(e->options->msc, "-"))
      say_error(text_string(&out));
    else
      say_text(&out);
  }
  text_free(&out);
}

/* Diagnostics say where they belong; a complaint about the command line, a line
** and what may help, is the program's. */
static void say_messages(const char *messages)
{
  if (strstr(messages, ": error: ")) {
    say_error(messages);
    return;
  }
  for (const char *line = messages; *line;) {
    size_t length = strcspn(line, "\n");
    text out = {0};
    text_printf(&out, "nutshell: %s%.*s\n",
                line == messages ? "" : "note: ", (int)length, line);
    say_error(text_string(&out));
    text_free(&out);
    line += length + (line[length] != 0);
  }
}

static int refuse(const examined *e, nut_verdict v, const char *messages)
{
  if (e->formats->targets.len) {
    json_t *document = document_of_error(e->options, e->workspace, v, messages);
    if (document && e->formats->pages && e->workspace)
      document_add_page(document, e->workspace, NULL);
    formats_add(e->formats, document);
  }
  return (int)v;
}

/* Reports a result; returns the exit status. */
static int conclude(const examined *e, nut_result *r)
{
  const options *o = e->options;
  nut_verdict v = nut_result_verdict(r);
  if (!r) {
    complain("out of memory");
    return refuse(e, NUT_UNKNOWN, "out of memory");
  }
  if (v == NUT_ERROR) {
    say_messages(nut_result_messages(r));
    return refuse(e, v, nut_result_messages(r));
  }
  if (nut_result_note(r))
    note("interpreted, not compiled: %s", nut_result_note(r));
  if (o->verbose)
    say_error(nut_result_remarks(r));
  if (o->mcc)
    mcc_answer(o, r);
  else if (!write_all_traces(o, r))
    v = NUT_ERROR;
  report(e, r);
  return (int)v;
}

/* ---- certificates -------------------------------------------------------- */

/* Whether there is something to prove. */
static bool wants_certificate(const options *o, const nut_result *r)
{
  return o->certificate && r && nut_result_verdict(r) == NUT_HOLDS;
}

/* Makes and writes it, before the report, which tells of it.  False when that
** fails. */
static bool write_certificate(const options *o, nut_result *r,
                              nut_certificate *c)
{
  text out = {0};
  *c = nut_result_certificate(r, &o->check, gather_text, &out);
  bool good = !c->why && write_file(o->certificate, &out);
  if (good)
    nut_result_certificate_is_in(r, o->certificate);
  text_free(&out);
  return good;
}

static void tell_certificate(const options *o, const nut_certificate *c)
{
  text runs = {0};
  if (c->why) {
    complain("no certificate: %s", c->why);
    return;
  }
  if (c->product_states)
    text_printf(&runs, ", %" PRIu64 " of products for infinite runs",
                c->product_states);
  note("certificate %s, by a second, plain run: %" PRIu64
       " states%s in %" PRIu64 " bytes%s",
       o->certificate, c->states, text_string(&runs), c->bytes,
       c->left_out ? "; not all properties are in it" : "");
  text_free(&runs);
}

/* Where it goes is told by the name: "" is the standard output, unless a report
** has that. */
static bool write_coverage(const examined *e, const nut_result *r)
{
  const char *name = e->options->coverage;
  text out = {0};
  if (!name || (!*name && e->formats->takes_output))
    return true;
  nut_format format = name_ends_with(name, ".json")   ? NUT_JSON
                      : name_ends_with(name, ".info") ? NUT_LCOV
                                                      : NUT_TEXT;
  bool good = true;
  if (!nut_coverage_text(r, format, gather_text, &out))
    note("--coverage: no states were walked over, so nothing was counted");
  else if (*name)
    good = write_file(name, &out);
  else
    say("\n%s", text_string(&out));
  text_free(&out);
  return good;
}

/* ---- checkpoints --------------------------------------------------------- */

static void tell_file(void *context, bool begins)
{
  const options *o = context;
  if (begins && !o->quiet)
    note("writing %s, to go on from later; a second signal gives that up",
         o->check.checkpoint);
}

/* What is kept with the run. */
static void keep_words(const options *o, nut_options *s, arena *a,
                       word_list *words)
{
  if (!o->check.checkpoint)
    return;
  kept_words_of(o, a, words);
  s->checkpoint_words = words->data;
  s->checkpoint_word_count = words->len;
  s->on_checkpoint = tell_file;
  s->checkpoint_context = (void *)(uintptr_t)o;
  interrupt_keeps = 1;
}

/* ---- one model ---------------------------------------------------------- */

static int run_search(const examined *e, nut_model *m)
{
  const options *o = e->options;
  progress_line line;
  text growth = {0};
  nut_options s = o->check;
  const char *refused = o->certificate ? nut_certificate_refused(m, &s) : NULL;
  if (refused) {
    complain("no certificate: %s", refused);
    return refuse(e, NUT_ERROR, refused);
  }
  progress_attach(&line, &s);
  growth_attach(&growth, o, &s);
  s.coverage = o->coverage;
  arena *a = arena_create();
  word_list words = {0};
  keep_words(o, &s, a, &words);
  nut_result *r = e->count ? nut_count(m, &s) : nut_check(m, &s);
  progress_clear(&line);
  nut_certificate proof = {0};
  bool proves = wants_certificate(o, r);
  bool proved = !proves || write_certificate(o, r, &proof);
  int status = conclude(e, r);
  if (o->growth && status != STATUS_BAD && !write_file(o->growth, &growth))
    status = STATUS_BAD;
  if (r && status != STATUS_BAD && !write_coverage(e, r))
    status = STATUS_BAD;
  if (proves && (proved || proof.why))
    tell_certificate(o, &proof);
  if (!proved)
    status = STATUS_BAD;
  nut_result_free(r);
  text_free(&growth);
  vec_free(&words);
  arena_destroy(a);
  return status;
}

/* Returns the exit status. */
static int examine(const options *o, bool count, formats *f)
{
  examined e = {o, open_any_model(o), f, count};
  nut_model *m = nut_workspace_model(e.workspace);
  nut_verdict v = nut_model_verdict(m);
  int status;
  /* One that met a limit while it was read has a report, too. */
  if (!m || v == NUT_ERROR)
    status = refuse(&e, v, nut_model_messages(m));
  else
    status = run_search(&e, m);
  nut_close(e.workspace);
  return status;
}

/* ---- all of them -------------------------------------------------------- */

static bool outputs_spare(const options *o, model_list *l, const formats *f)
{
  options every = *o;
  every.files = (option_list){0};
  for (size_t i = 0; i < l->models.len; i++)
    for (size_t k = 0; k < l->models.data[i].count; k++)
      vec_push(&every.files, l->models.data[i].files[k]);
  bool good = outputs_good(&every);
  for (size_t i = 0; good && i < f->targets.len; i++)
    good = spares_model(&every, "report", f->targets.data[i].file);
  vec_free(&every.files);
  return good;
}

/* How many models have which verdict. */
static void say_sum(const size_t found[], size_t left)
{
  static const struct {
    nut_verdict verdict;
    const char *one, *more;
  } parts[] = {{NUT_HOLDS, "holds", "hold"},
               {NUT_VIOLATED, "is violated", "are violated"},
               {NUT_UNKNOWN, "is unknown", "are unknown"},
               {NUT_ERROR, "has an error", "have an error"}};
  size_t all = left;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    all += found[parts[i].verdict];
  say("\n%zu model%s:", all, all == 1 ? "" : "s");
  const char *comma = " ";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (found[parts[i].verdict]) {
      size_t n = found[parts[i].verdict];
      say("%s%zu %s", comma, n, n == 1 ? parts[i].one : parts[i].more);
      comma = ", ";
    }
  if (left)
    say("%s%zu left out: interrupted", comma, left);
  say("\n");
}

static int examine_all(const options *o, model_list *l, bool count, formats *f)
{
  size_t found[4] = {0}, i;
  nut_verdict worst = NUT_HOLDS;
  for (i = 0; i < l->models.len && !interrupt_flag; i++) {
    options one = models_options(l, o, i);
    if (i && !f->takes_output && !o->quiet)
      say("\n");
    nut_verdict v = (nut_verdict)examine(&one, count, f);
    found[v]++;
    worst = worse_verdict(worst, v);
  }
  if (i < l->models.len)
    worst = worse_verdict(worst, NUT_UNKNOWN);
  if (l->several && !f->takes_output)
    say_sum(found, l->models.len - i);
  if (!formats_write(f, "verdict", nut_verdict_name(worst)))
    return STATUS_BAD;
  return (int)worst;
}

/* Options that say something of a checkpoint need one. */
static bool are_about_files(const options *o)
{
  for (size_t i = 0; i < o->given.len && !o->check.checkpoint; i++) {
    const char *name = o->given.data[i].entry->name;
    if (strcmp(name, "every") && strcmp(name, "grace"))
      continue;
    complain("--%s is about the files that --checkpoint FILE writes", name);
    return false;
  }
  return true;
}

static int search(const options *o, bool count)
{
  model_list models = {0};
  formats wanted = {0};
  int status = STATUS_BAD;
  bool found = store_exists(o) && models_find(&models, o);
  found = found && are_about_files(o);
  if (found && models.several && o->check.checkpoint) {
    complain("--checkpoint keeps one model, and there are several");
    found = false;
  }
  if (found && formats_open(&wanted, o, models.several) &&
      outputs_spare(o, &models, &wanted))
    status = examine_all(o, &models, count, &wanted);
  formats_close(&wanted);
  models_free(&models);
  return status;
}

int command_check(const options *o)
{
  return search(o, false);
}

int command_count(const options *o)
{
  return search(o, true);
}
