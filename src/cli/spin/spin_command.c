/* 'nutshell spin ARGUMENTS': SPIN's command line. */

#include "base/source/source.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/lsp/pretty.h"
#include "cli/output.h"
#include "cli/spin/spin_internal.h"
#include <stdio.h>
#include <string.h>

const char *spin_base_name(const char *file)
{
  const char *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

/* Where its lines say which files they come from, it is none of them. */
static nut_workspace *open_input(const spin_request *q, const nut_load *load)
{
  text content = {0};
  read_input(&content);
  const char *all = text_string(&content);
  bool marked = !strncmp(all, "#line ", 6) || strstr(all, "\n#line ");
  nut_workspace *w =
      nut_open_text(marked ? "pan.c" : q->file, all, content.len, load);
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

/* The model with a claim from another file behind it. */
static nut_workspace *open_with_claim(const spin_request *q,
                                      const nut_load *load)
{
  text all = {0};
  bool good = add_file(q->file, &all);
  add_place(q->claim_file, &all);
  good = good && add_file(q->claim_file, &all);
  nut_workspace *w =
      good ? nut_open_text(q->file, text_string(&all), all.len, load) : NULL;
  text_free(&all);
  return w;
}

nut_workspace *spin_open(const spin_request *q)
{
  nut_load load = nut_load_defaults();
  load.language = "promela";
  load.preprocessor = q->preprocessor.data;
  load.preprocessor_count = q->preprocessor.len;
  load.allow_c = q->allow_c;
  load.lossy = q->lossy;
  load.empty_ends = q->empty_ends;
  load.interrupt = &interrupt_flag;
  nut_workspace *w = q->is_pan       ? open_input(q, &load)
                     : q->claim_file ? open_with_claim(q, &load)
                                     : nut_open_file(q->file, &load);
  if (!w)
    return NULL;
  nut_model *m = nut_workspace_model(w);
  say_error(nut_model_messages(m));
  if (nut_model_good(m))
    return w;
  nut_close(w);
  return NULL;
}

static int write_claim(const spin_request *q)
{
  sources *files = sources_create();
  const char *error = NULL, *formula = q->formula;
  size_t length;
  if (q->formula_file) {
    uint32_t file = source_read(files, q->formula_file, &error);
    formula = file ? source_text(files, file, &length) : NULL;
  }
  text out = {0};
  char *messages = NULL;
  nut_verdict v = NUT_ERROR;
  if (formula)
    v = nut_automaton(formula, false, false, NUT_NEVER, gather_text, &out,
                      &messages);
  if (v == NUT_HOLDS)
    say_text(&out);
  else
    say_error(messages ? messages : error ? error : "spin: no formula\n");
  nut_text_free(messages);
  text_free(&out);
  sources_destroy(files);
  return v == NUT_HOLDS ? SPIN_DONE : SPIN_FAILED;
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
