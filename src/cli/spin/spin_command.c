/* 'nutshell spin ARGUMENTS': SPIN's command line. */

#include "base/source/source.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/lsp/pretty.h"
#include "cli/output.h"
#include "cli/spin/pan_claim.h"
#include "cli/spin/spin_internal.h"
#include <stdio.h>
#include <string.h>

const char *spin_base_name(const char *file)
{
  const char *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

/* Where its lines say which files they come from, it is none of them. */
static nut_workspace *open_lines(const spin_request *q, const text *content,
                                 const nut_load *load)
{
  const char *all = text_string(content);
  bool marked = !strncmp(all, "#line ", 6) || strstr(all, "\n#line ");
  return nut_open_text(marked ? "pan.c" : q->file, all, content->len, load);
}

static nut_workspace *open_input(const spin_request *q, const nut_load *load)
{
  text content = {0};
  read_input(&content);
  nut_workspace *w = open_lines(q, &content, load);
  text_free(&content);
  return w;
}

/* Adds a file; false after a complaint. */
static bool add_file(const char *name, text *out)
{
  sources *files = sources_create();
  const char *error = NULL;
  size_t length = 0;
  uint32_t file = source_read(files, name, &error);
  if (file) {
    const char *all = source_text(files, file, &length);
    text_add_bytes(out, all, length);
  } else {
    say("spin: %s\n", error);
  }
  sources_destroy(files);
  return file;
}

/* The name of a file in a line '#line'. */
static void add_place(const char *name, text *out)
{
  text_add(out, "\n#line 1 \"");
  for (; *name; name++) {
    if (*name == '"' || *name == '\\')
      text_add_char(out, '\\');
    text_add_char(out, *name == '\n' ? '?' : *name);
  }
  text_add(out, "\"\n");
}

/* Adds the claim of the formula; false after a complaint. */
static bool add_formula(const spin_request *q, text *out)
{
  text read = {0};
  char *messages = NULL;
  bool good = !q->formula_file || add_file(q->formula_file, &read);
  if (good && !(q->formula_file || q->formula)) {
    say_error("spin: no formula\n");
    good = false;
  } else if (good) {
    good = claim_add_formula(q->formula_file ? text_string(&read) : q->formula,
                             out, &messages);
    if (!good)
      say_error(messages ? messages : "spin: the claim is too large\n");
  }
  nut_text_free(messages);
  text_free(&read);
  return good;
}

/* The model with a claim behind it, of another file or of a formula. */
static nut_workspace *open_with_claim(const spin_request *q,
                                      const nut_load *load)
{
  text all = {0};
  bool good = add_file(q->file, &all);
  add_place(q->claim_file ? q->claim_file : "_spin_nvr.tmp", &all);
  good = good &&
         (q->claim_file ? add_file(q->claim_file, &all) : add_formula(q, &all));
  nut_workspace *w =
      good ? nut_open_text(q->file, text_string(&all), all.len, load) : NULL;
  text_free(&all);
  return w;
}

/* As SPIN tells of errors, for those who look for its lines; ours follow. */
static void tell_diagnostics(nut_workspace *w)
{
  size_t count = 0;
  const nut_diagnostic *list = nut_diagnostics(w, &count);
  for (size_t i = 0; i < count; i++)
    if (list[i].severity == NUT_SEVERITY_ERROR && list[i].at.file)
      say("spin: %s:%u, Error: %s\n", list[i].at.file, list[i].at.line,
          list[i].message);
}

/* Gives it back if the model is good, otherwise its messages. */
static nut_workspace *good_or_told(nut_workspace *w)
{
  if (!w)
    return NULL;
  nut_model *m = nut_workspace_model(w);
  bool good = nut_model_good(m);
  if (!good)
    tell_diagnostics(w);
  say_error(nut_model_messages(m));
  if (good)
    return w;
  nut_close(w);
  return NULL;
}

static nut_load load_of(const spin_request *q)
{
  nut_load load = nut_load_defaults();
  load.language = "promela";
  load.allow_c = q->allow_c;
  load.lossy = q->lossy;
  load.empty_ends = q->empty_ends;
  load.interrupt = &interrupt_flag;
  return load;
}

nut_workspace *spin_open_text(const spin_request *q, const text *content)
{
  nut_load load = load_of(q);
  return good_or_told(open_lines(q, content, &load));
}

size_t spin_claim_count(nut_workspace *w)
{
  size_t count = 0, claims = 0;
  const nut_question *list = nut_questions(w, &count);
  for (size_t i = 0; i < count; i++)
    claims += spin_is_claim(&list[i]);
  return claims;
}

bool spin_is_claim(const nut_question *q)
{
  return !strcmp(q->kind, "ltl") || !strcmp(q->kind, "never");
}

/* With -e the claims of a model are one: there may be one only. */
static nut_workspace *lone_or_refused(const spin_request *q, nut_workspace *w)
{
  if (!w || !q->product || spin_claim_count(w) < 2)
    return w;
  say("spin: -e is refused: claims are checked one by one\n");
  nut_close(w);
  return NULL;
}

nut_workspace *spin_open(const spin_request *q)
{
  nut_load load = load_of(q);
  bool claim = q->claim_file || q->formula || q->formula_file;
  load.preprocessor = q->preprocessor.data;
  load.preprocessor_count = q->preprocessor.len;
  nut_workspace *w = q->is_pan ? open_input(q, &load)
                     : claim   ? open_with_claim(q, &load)
                               : nut_open_file(q->file, &load);
  return lone_or_refused(q, good_or_told(w));
}

static int write_claim(const spin_request *q)
{
  text out = {0};
  bool good = add_formula(q, &out);
  if (good)
    say_text(&out);
  text_free(&out);
  return good ? SPIN_DONE : SPIN_FAILED;
}

static int write_text(const spin_request *q)
{
  nut_workspace *w = spin_open(q);
  text out = {0};
  bool good = w && nut_preprocessed(nut_workspace_model(w), gather_text, &out);
  say_text(&out);
  text_free(&out);
  nut_close(w);
  return good ? SPIN_DONE : SPIN_FAILED;
}

static int write_pretty(const spin_request *q)
{
  text in = {0}, out = {0};
  bool good = add_file(q->file, &in);
  if (good) {
    pretty_print(text_string(&in), in.len, false, &out);
    say_text(&out);
  }
  text_free(&in);
  text_free(&out);
  return good ? SPIN_DONE : SPIN_FAILED;
}

static int obey(const spin_request *q)
{
  switch (q->mode) {
  case SPIN_SIMULATE:
    return spin_simulate(q);
  case SPIN_ANALYSE:
    return spin_write_pan(q);
  case SPIN_SEARCH:
    return spin_search(q);
  case SPIN_REPLAY:
    return spin_replay(q);
  case SPIN_FORMULA:
    return write_claim(q);
  case SPIN_INLINE:
    return write_text(q);
  case SPIN_PRETTY:
    return write_pretty(q);
  case SPIN_VERSION:
    say("%s (Nutshell %s)\n", SPIN_BANNER, nut_version());
    return SPIN_DONE;
  }
  return SPIN_FAILED;
}

int command_spin(const options *o)
{
  spin_request q;
  int status = SPIN_FAILED;
  if (spin_request_read(&q, o->files.data, o->files.len))
    status = obey(&q);
  spin_request_free(&q);
  return status;
}
