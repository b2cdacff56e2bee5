/* Which documents are wanted, and where they go. */

#include "cli/formats/formats.h"
#include "base/source/shown.h"
#include "cli/output.h"
#include "nutshell.h"
#include <string.h>

/* ---- values ------------------------------------------------------------- */

json_t *json_shown(const char *string)
{
  if (!string)
    return json_null();
  text safe = {0};
  text_add_shown(&safe, string, strlen(string));
  json_t *j = json_stringn(text_string(&safe), safe.len);
  text_free(&safe);
  return j;
}

json_t *json_lines(const char *string)
{
  json_t *j = json_string(string);
  return j ? j : json_shown(string);
}

void json_put(json_t *object, const char *key, json_t *value)
{
  json_object_set_new(object, key, value);
}

const char *json_get_text(const json_t *object, const char *key)
{
  const char *found = json_string_value(json_object_get(object, key));
  return found ? found : "";
}

static int add_bytes(const char *bytes, size_t n, void *out)
{
  /* The library writes all but this one as ASCII that can be printed. */
  for (size_t i = 0; i < n; i++)
    if (bytes[i] == '\177')
      text_add(out, "\\u007f");
    else
      text_add_char(out, bytes[i]);
  return 0;
}

bool json_add_document(const json_t *j, text *out)
{
  bool good = json_dump_callback(j, add_bytes, out,
                                 JSON_INDENT(2) | JSON_ENSURE_ASCII |
                                     JSON_REAL_PRECISION(15)) == 0;
  text_add_char(out, '\n');
  return good;
}

/* ---- kinds -------------------------------------------------------------- */

static const struct {
  const char *name;
  format_writer *write;
} kinds[] = {
#define KIND(name) {#name, format_##name},
    FORMATS_FOR_MACHINES(KIND)
#undef KIND
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static format_writer *find_writer(const char *kind, size_t length)
{
  for (size_t i = 0; i < KINDS; i++)
    if (strlen(kinds[i].name) == length &&
        !strncmp(kinds[i].name, kind, length))
      return kinds[i].write;
  return NULL;
}

void format_json(const json_t *all, text *out)
{
  json_add_document(all, out);
}

/* ---- what the options ask for ------------------------------------------- */

/* Of tests there are fewer kinds. */
static bool add_target(formats *f, const char *word, bool tests)
{
  size_t length = strcspn(word, "=");
  const char *file = word[length] ? word + length + 1 : "-";
  format_writer *write = find_writer(word, length);
  if (!write) {
    text list = {0};
    for (size_t i = 0; i < KINDS; i++)
      text_printf(&list, "%s%s", i ? ", " : "", kinds[i].name);
    complain("--report %s: there is no such kind of report", word);
    note("kinds: %s", text_string(&list));
    text_free(&list);
    return false;
  }
  if (!*file) {
    complain("--report %s needs a FILE after '='", word);
    return false;
  }
  if (tests && (write == format_sarif || write == format_github ||
                write == format_html)) {
    complain("--report %s: 'test' has no such report", word);
    return false;
  }
  vec_push(&f->targets, ((format_target){write, file}));
  return true;
}

/* At most one document may go to the standard output, whoever writes it. */
static bool one_output(formats *f, const options *o)
{
  const struct {
    const char *option, *file;
  } others[] = {{"--trace -", o->trace},
                {"--trail -", o->trail},
                {"--growth -", o->growth},
                {"--mcc", o->mcc ? "-" : NULL}};
  const char *first = NULL;
  for (size_t i = 0; i < f->targets.len; i++) {
    if (strcmp(f->targets.data[i].file, "-"))
      continue;
    if (first) {
      complain("only one report can go to the standard output");
      note("the others need a file: --report KIND=FILE");
      return false;
    }
    first = "a report";
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (!others[i].file || strcmp(others[i].file, "-"))
      continue;
    if (first) {
      complain("%s and %s cannot both go to the standard output", first,
               others[i].option);
      return false;
    }
    first = others[i].option;
    if (f->several && strcmp(first, "--mcc")) {
      complain("%s: there are several models, and one standard output", first);
      return false;
    }
  }
  f->takes_output = first != NULL;
  return true;
}

bool formats_open(formats *f, const options *o, bool several)
{
  *f = (formats){.several = several, .in_json = o->inline_traces};
  if (o->json)
    vec_push(&f->targets,
             ((format_target){format_json, *o->json ? o->json : "-"}));
  bool tests = o->command->mask & ON(test);
  for (size_t i = 0; i < o->report_count; i++)
    if (!add_target(f, o->reports[i], tests))
      return false;
  if (!one_output(f, o))
    return false;
  f->traces = o->inline_traces;
  for (size_t i = 0; i < f->targets.len; i++) {
    f->pages |= f->targets.data[i].write == format_html;
    f->traces |= f->targets.data[i].write == format_sarif || f->pages;
  }
  f->all = json_object();
  json_put(f->all, "nutshell", json_shown(nut_version()));
  json_put(f->all, "format", json_shown(tests ? "tests" : "results"));
  json_put(f->all, "command", json_shown(o->command->name));
  json_put(f->all, tests ? "result" : "verdict", json_null());
  json_put(f->all, "runs", json_array());
  return true;
}

void formats_add(formats *f, json_t *document)
{
  if (document)
    json_array_append_new(json_object_get(f->all, "runs"), document);
}

nut_verdict worse_verdict(nut_verdict a, nut_verdict b)
{
  static const int rank[] = {
      [NUT_HOLDS] = 0, [NUT_UNKNOWN] = 1, [NUT_VIOLATED] = 2, [NUT_ERROR] = 3};
  return rank[a] > rank[b] ? a : b;
}

/* Without pages, and without traces that only another kind has asked for. */
static json_t *without_extras(const formats *f)
{
  json_t *copy = json_deep_copy(f->all), *run, *property;
  size_t i, k;
  json_array_foreach(json_object_get(copy, "runs"), i, run)
  {
    json_object_del(run, "page");
    if (f->in_json)
      continue;
    json_array_foreach(json_object_get(run, "properties"), k, property)
    {
      json_object_del(property, "traces");
    }
  }
  return copy;
}

static bool write_target(const formats *f, const format_target *t)
{
  text out = {0};
  if (t->write == format_json) {
    json_t *all = without_extras(f);
    json_t *one = json_array_get(json_object_get(all, "runs"), 0);
    t->write(f->several || !one ? all : one, &out);
    json_decref(all);
  } else {
    t->write(f->all, &out);
  }
  bool good = write_file(t->file, &out);
  text_free(&out);
  return good;
}

bool formats_write(formats *f, const char *key, const char *word)
{
  bool good = true;
  json_put(f->all, key, json_shown(word));
  for (size_t i = 0; i < f->targets.len; i++)
    good &= write_target(f, &f->targets.data[i]);
  return good;
}

void formats_close(formats *f)
{
  json_decref(f->all);
  vec_free(&f->targets);
}
