/* 'check' and 'count': options checked, the model examined, the report said.
** */

#include "base/nearest.h"
#include "cli/common.h"
#include "cli/mcc.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "report/json.h"
#include "store/store.h"
#include <string.h>

bool store_exists(const options *o)
{
  if (!o->check.store || store_find(o->check.store))
    return true;
  if (store_refusal(o->check.store)) {
    complain("--store %s: there is no such store", o->check.store);
    note("%s", store_refusal(o->check.store));
    return false;
  }
  text names_text = {0};
  for (size_t i = 0; store_classes[i]; i++)
    text_printf(&names_text, "%s%s+%s", i ? ", " : "", store_classes[i]->codec,
                store_classes[i]->set);
  complain("--store %s: there is no such store", o->check.store);
  note("stores: %s", text_string(&names_text));
  text_free(&names_text);
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

/* The first branch is the answer's own run, which is written already. */
static bool write_branches(const options *o, const told_answer *t, arena *a,
                           taken **used)
{
  const char *shows = t->answer->question->name;
  for (size_t i = 1; t->branches && i < t->answer->tree->branches.len; i++) {
    told_branch *b = &t->branches[i];
    const char *name =
        file_part(a, used, arena_printf(a, "%s-branch-%zu", shows, i));
    if (!write_traces(o, b->story, shows, name, a, &b->trace_file))
      return false;
  }
  return true;
}

static bool write_all_traces(const options *o, account *found)
{
  bool first = true;
  arena *a = found->arena;
  taken *used = NULL;
  remove_old_trail(o);
  for (size_t i = 0; i < found->answers.len; i++) {
    told_answer *r = &found->answers.data[i];
    const char *shows = r->answer->question->name;
    if (!r->story)
      continue;
    const char *name = first ? NULL : file_part(a, &used, shows);
    if (!write_traces(o, r->story, shows, name, a, &r->trace_file))
      return false;
    first = false;
    if (r->other) {
      name = file_part(a, &used, arena_printf(a, "%s-other", shows));
      if (!write_traces(o, r->other, shows, name, a, &r->other_file))
        return false;
    }
    if (!write_branches(o, r, a, &used))
      return false;
  }
  return true;
}

/* Without a name --json takes the place of the report. */
static bool report(const options *o, const account *found, bool count)
{
  text out = {0};
  bool good = true;
  if (o->json) {
    good = json_account(found, &out);
    if (good)
      good = write_file(*o->json ? o->json : "-", &out);
    text_clear(&out);
  }
  if (!o->json || (*o->json && strcmp(o->json, "-") != 0)) {
    if (count)
      plain_count(found, style_of(o), &out);
    else
      plain_check(found, style_of(o), &out);
    say_text(&out);
  }
  text_free(&out);
  return good;
}

/* Reports a result; returns the exit status. */
static int conclude(const options *o, nut_result *r, bool count)
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
  if (!write_all_traces(o, &r->account) || !report(o, &r->account, count))
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
  nut_model *m = load_model(o, &status);
  if (!m)
    return status;
  status = STATUS_BAD;
  if (!nut_model_good(m) || properties_exist(o, m)) {
    nut_options s = o->check;
    progress_attach(&line, &s);
    growth_attach(&growth, o, &s);
    nut_result *r = count ? nut_count(m, &s) : nut_check(m, &s);
    progress_clear(&line);
    status = conclude(o, r, count);
    if (o->growth && status != STATUS_BAD && !write_file(o->growth, &growth))
      status = STATUS_BAD;
    nut_result_free(r);
  }
  text_free(&growth);
  nut_model_free(m);
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
