/* 'check' and 'count': options checked, the model examined, the report said.
** */

#include "base/nearest.h"
#include "cli/common.h"
#include "cli/mcc.h"
#include "cli/output.h"
#include "cli/progress.h"
#include <string.h>

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

/* A name that is not a property is a mistake worth a hint. */
static bool properties_exist(const options *o, const nut_model *m)
{
  const char *known[256];
  size_t count = 0;
  while (count < 256 && (known[count] = nut_model_property(m, count)))
    count++;
  for (size_t i = 0; i < o->check.property_count; i++) {
    if (nut_model_find_property(m, o->check.properties[i]))
      continue;
    complain("--property %s: the model has no such property",
             o->check.properties[i]);
    const char *near = nearest_word(o->check.properties[i], known, count);
    if (near)
      note("did you mean '%s'?", near);
    return false;
  }
  return true;
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

/* Without a name --json takes the place of the report. */
static bool report(const options *o, const nut_result *r)
{
  text out = {0};
  bool good = true;
  if (o->json) {
    good = nut_result_text(r, NUT_JSON, (nut_style){0}, gather_text, &out) &&
           write_file(*o->json ? o->json : "-", &out);
    text_clear(&out);
  }
  if (!o->json || (*o->json && strcmp(o->json, "-") != 0)) {
    nut_result_text(r, NUT_TEXT, style_of(o), gather_text, &out);
    say_text(&out);
  }
  text_free(&out);
  return good;
}

/* Reports a result; returns the exit status. */
static int conclude(const options *o, nut_result *r)
{
  nut_verdict v = nut_result_verdict(r);
  if (!r)
    return complain("out of memory"), STATUS_UNKNOWN;
  if (v == NUT_ERROR) {
    say_error(nut_result_messages(r));
    return STATUS_BAD;
  }
  if (nut_result_note(r))
    note("interpreted, not compiled: %s", nut_result_note(r));
  if (o->verbose)
    say_error(nut_result_remarks(r));
  if (o->mcc) {
    mcc_answer(o, r);
    return (int)v;
  }
  if (!write_all_traces(o, r) || !report(o, r))
    return STATUS_BAD;
  return (int)v;
}

static int examine(const options *o, bool count)
{
  progress_line line;
  text growth = {0};
  if (!outputs_good(o) || !store_exists(o))
    return STATUS_BAD;
  int status;
  nut_workspace *w = open_model(o, &status);
  nut_model *m = nut_workspace_model(w);
  if (!m)
    return status;
  status = STATUS_BAD;
  if (!nut_model_good(m) || properties_exist(o, m)) {
    nut_options s = o->check;
    progress_attach(&line, &s);
    growth_attach(&growth, o, &s);
    nut_result *r = count ? nut_count(m, &s) : nut_check(m, &s);
    progress_clear(&line);
    status = conclude(o, r);
    if (o->growth && status != STATUS_BAD && !write_file(o->growth, &growth))
      status = STATUS_BAD;
    nut_result_free(r);
  }
  text_free(&growth);
  nut_close(w);
  return status;
}

int command_check(const options *o)
{
  return examine(o, false);
}

int command_count(const options *o)
{
  return examine(o, true);
}
