/* Reads properties from a file, line by line. */

#include "verify/property_file.h"

#include "base/source/shown.h"
#include "verify/ctl_check.h"
#include "verify/formula.h"
#include <string.h>

typedef enum {
  LINE_LTL,
  LINE_CTL,
  LINE_INVARIANT,
  LINE_REACH,
  LINE_FAIR
} line_kind;

static const char *const line_words[] = {"ltl", "ctl", "invariant", "reach",
                                         "fair"};
enum { LINE_KINDS = sizeof line_words / sizeof *line_words };

typedef struct reading {
  verification *result;
  loaded *model;
  const char *text;
  uint32_t file, length, at;
} reading;

/* ---- characters --------------------------------------------------------- */

static bool is_name_char(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(reading *r)
{
  while (r->at < r->length && is_blank(r->text[r->at]))
    r->at++;
}

static span take_word(reading *r)
{
  skip_blanks(r);
  uint32_t start = r->at;
  while (r->at < r->length && is_name_char(r->text[r->at]))
    r->at++;
  return (span){r->file, start, r->at - start};
}

static uint32_t end_of_line(const reading *r, uint32_t at)
{
  while (at < r->length && r->text[at] != '\n')
    at++;
  return at;
}

/* The rest of the line and those that go on with it, without the blanks around
** them. */
static span take_rest(reading *r)
{
  skip_blanks(r);
  uint32_t start = r->at, end = end_of_line(r, start);
  while (end + 1 < r->length && is_blank(r->text[end + 1]))
    end = end_of_line(r, end + 1);
  r->at = end;
  while (end > start &&
         (is_blank(r->text[end - 1]) || r->text[end - 1] == '\n'))
    end--;
  return (span){r->file, start, end - start};
}

static bool complain(reading *r, span where, const char *what)
{
  diag_error(r->model->diags, where, "%s", what);
  return false;
}

/* ---- lines -------------------------------------------------------------- */

static bool is_taken(const reading *r, const char *name)
{
  return questions_has(&r->result->questions, name);
}

/* The name of a property: as given, or after its kind. */
static const char *choose_name(reading *r, span given, line_kind kind)
{
  arena *a = r->model->arena;
  if (given.length) {
    const char *name =
        shown(a, arena_copy(a, r->text + given.start, given.length));
    if (!is_taken(r, name))
      return name;
    diag_error(r->model->diags, given, "there is a property '%s' already",
               name);
    return NULL;
  }
  const char *name = line_words[kind];
  for (unsigned n = 2; is_taken(r, name); n++)
    name = arena_printf(a, "%s-%u", line_words[kind], n);
  return name;
}

static bool add_model_property(reading *r, line_kind kind, const char *name,
                               const char *formula, uint32_t part)
{
  const ltl *t = kind == LINE_LTL ? formula_read(r->result, part) : NULL;
  expr *e = kind == LINE_LTL ? NULL : verification_condition(r->result, part);
  if (!t && !e)
    return false;
  property_kind as = kind == LINE_LTL         ? PROPERTY_LTL
                     : kind == LINE_INVARIANT ? PROPERTY_INVARIANT
                                              : PROPERTY_REACH;
  property p = {.kind = as,
                .name = name,
                .formula = formula,
                .ltl = t,
                .expr = e,
                .where = e ? e->where : NO_SPAN};
  questions_add(&r->result->questions, &p);
  return true;
}

/* A formula on one line, for reports. */
static const char *excerpt(reading *r, span where)
{
  text *out = &r->result->messages;
  size_t length = out->len;
  source_excerpt(r->model->sources, where, out);
  const char *copy =
      arena_copy(r->model->arena, out->data + length, out->len - length);
  out->len = length;
  return copy;
}

/* kind [name] ':' formula */
static bool read_line(reading *r)
{
  span word = take_word(r);
  int kind = 0;
  while (kind < LINE_KINDS &&
         (strlen(line_words[kind]) != word.length ||
          memcmp(line_words[kind], r->text + word.start, word.length) != 0))
    kind++;
  if (kind == LINE_KINDS)
    return complain(r, word,
                    "expected 'ltl', 'ctl', 'invariant', 'reach' or 'fair'");
  span given = take_word(r);
  skip_blanks(r);
  if (r->at == r->length || r->text[r->at] != ':')
    return complain(r, (span){r->file, r->at, 1}, "expected ':'");
  r->at++;
  span where = take_rest(r);
  if (!where.length)
    return complain(r, (span){r->file, r->at, 1}, "expected a formula");
  const char *formula = excerpt(r, where);
  uint32_t part = source_add_part(r->model->sources, where);
  if (kind == LINE_FAIR)
    return ctl_read_fair(r->result, part);
  const char *name = choose_name(r, given, (line_kind)kind);
  if (!name)
    return false;
  if (kind == LINE_CTL)
    return ctl_read(r->result, name, formula, part);
  return add_model_property(r, (line_kind)kind, name, formula, part);
}

bool properties_read(verification *result, const char *path)
{
  loaded *m = result->model;
  const char *error = NULL;
  size_t length;
  reading r = {.result = result, .model = m};
  r.file = source_read(m->sources, path, &error);
  if (!r.file) {
    text_printf(&result->messages, "%s\n", error);
    return false;
  }
  r.text = source_text(m->sources, r.file, &length);
  r.length = (uint32_t)length;
  bool good = true;
  while (r.at < r.length) {
    skip_blanks(&r);
    char c = r.at < r.length ? r.text[r.at] : '\n';
    if (c != '\n' && c != '#')
      good &= read_line(&r);
    r.at = end_of_line(&r, r.at) + 1;
  }
  return good || verification_complain(result);
}
