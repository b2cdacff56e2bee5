/* Names that several files share: references, rename, and what is declared in
** another file than the one that is asked about. */

#include "cli/lsp/units.h"
#include <ctype.h>
#include <string.h>

/* A name in a file. */
typedef struct name_place {
  document *file;
  uint32_t start, length;
  bool declares;
} name_place;

/* A symbol of a unit. */
typedef struct unit_symbol {
  uint32_t unit, number;
} unit_symbol;

typedef struct finding {
  unit_set units;
  VEC(name_place) places;
  VEC(unit_symbol) symbols;
} finding;

static json_t *place_range(lsp_server *v, const name_place *p)
{
  return range_of(v, p->file, p->start, p->start + p->length);
}

static name_place place_of(const unit *x, uint32_t i)
{
  name_place p = {.length = x->names->tokens.list[i].length};
  p.file = unit_file_of(x, i, &p.start);
  uint32_t number = x->names->uses[i];
  p.declares = number != NO_SYMBOL && x->names->list[number].token == i;
  return p;
}

/* ---- all places of a name ----------------------------------------------- */

static bool is_found(const finding *f, const name_place *p)
{
  for (size_t i = 0; i < f->places.len; i++)
    if (f->places.data[i].file == p->file &&
        f->places.data[i].start == p->start)
      return true;
  return false;
}

static bool is_known(const finding *f, uint32_t in, uint32_t number)
{
  for (size_t i = 0; i < f->symbols.len; i++)
    if (f->symbols.data[i].unit == in && f->symbols.data[i].number == number)
      return true;
  return false;
}

/* What is there in each unit, and all its places. */
static void find_at(finding *f, const document *d, uint32_t offset)
{
  for (uint32_t i = 0; i < f->units.list.len; i++) {
    const unit *x = &f->units.list.data[i];
    uint32_t at = unit_token_at(x, d, offset);
    uint32_t number = at == NO_TOKEN ? NO_SYMBOL : x->names->uses[at];
    if (number == NO_SYMBOL || is_known(f, i, number))
      continue;
    vec_push(&f->symbols, ((unit_symbol){i, number}));
    for (uint32_t t = 0; t < x->names->tokens.count; t++) {
      if (x->names->uses[t] != number)
        continue;
      name_place p = place_of(x, t);
      if (!is_found(f, &p))
        vec_push(&f->places, p);
    }
  }
}

/* A file that two models include may mean two symbols by one name; they are one
** for those who look for it. */
static void find_all(finding *f, lsp_server *v, document *d, uint32_t offset)
{
  *f = (finding){0};
  units_open(&f->units, v, d, true);
  if (!d->language.is_edited)
    return;
  find_at(f, d, offset);
  for (size_t i = 0; i < f->places.len; i++)
    find_at(f, f->places.data[i].file, f->places.data[i].start);
}

static void forget(finding *f)
{
  units_close(&f->units);
  vec_free(&f->places);
  vec_free(&f->symbols);
}

json_t *names_references(lsp_server *v, document *d, uint32_t offset,
                         bool with_declaration)
{
  finding f;
  json_t *list = json_array();
  find_all(&f, v, d, offset);
  for (size_t i = 0; i < f.places.len; i++) {
    const name_place *p = &f.places.data[i];
    if (with_declaration || !p->declares)
      json_array_append_new(list, json_pack("{s:s,s:o}", "uri", p->file->uri,
                                            "range", place_range(v, p)));
  }
  forget(&f);
  return list;
}

/* ---- declared elsewhere ------------------------------------------------- */

/* The unit in which the place is a name that is declared; NULL: there is
** none. */
static const unit *unit_with(const unit_set *u, const document *d,
                             uint32_t offset, uint32_t *at)
{
  for (size_t i = 0; i < u->list.len && d->language.is_edited; i++) {
    const unit *x = &u->list.data[i];
    *at = unit_token_at(x, d, offset);
    if (*at != NO_TOKEN && x->names->uses[*at] != NO_SYMBOL)
      return x;
  }
  return NULL;
}

json_t *shared_definition(lsp_server *v, document *d, uint32_t offset)
{
  unit_set u;
  uint32_t at;
  json_t *j = json_null();
  units_open(&u, v, d, false);
  const unit *x = unit_with(&u, d, offset, &at);
  if (x) {
    name_place p = place_of(x, x->names->list[x->names->uses[at]].token);
    j = json_pack("{s:s,s:o}", "uri", p.file->uri, "range", place_range(v, &p));
  }
  units_close(&u);
  return j;
}

json_t *shared_hover(lsp_server *v, document *d, uint32_t offset)
{
  unit_set u;
  uint32_t at;
  json_t *j = json_null();
  units_open(&u, v, d, false);
  const unit *x = unit_with(&u, d, offset, &at);
  if (x) {
    const symbol *s = &x->names->list[x->names->uses[at]];
    name_place declared = place_of(x, s->token), here = place_of(x, at);
    const char *slash = strrchr(declared.file->path, '/');
    text out = {0};
    names_add_symbol(declared.file, declared.start, s, d->language.has_states,
                     &out);
    text_printf(&out, ", declared in %s:%u\n\n",
                slash ? slash + 1 : declared.file->path,
                document_line(declared.file, declared.start) + 1);
    j = json_pack("{s:{s:s,s:s},s:o}", "contents", "kind", "markdown", "value",
                  text_string(&out), "range", place_range(v, &here));
    text_free(&out);
  }
  units_close(&u);
  return j;
}

/* Whether it could be meant behind a '.' (a field), a '@' or 'goto' (a label),
** or anywhere. */
static bool fits(const symbol *x, bool field, bool label)
{
  if (field)
    return x->kind == SYMBOL_FIELD || x->kind == SYMBOL_STATE;
  return label
             ? x->kind == SYMBOL_LABEL
             : !x->scope && x->kind != SYMBOL_LABEL && x->kind != SYMBOL_FIELD;
}

void shared_completion(lsp_server *v, document *d, bool field, bool label,
                       json_t *list)
{
  unit_set u;
  json_t *offered = json_object();
  units_open(&u, v, d, false);
  for (size_t i = 0; i < u.list.len; i++) {
    const symbols *s = u.list.data[i].names;
    for (uint32_t k = 0; k < s->count; k++) {
      const symbol *x = &s->list[k];
      uint32_t start;
      if (!fits(x, field, label) || json_object_get(offered, x->name) ||
          unit_file_of(&u.list.data[i], x->token, &start) == d)
        continue;
      json_object_set_new(offered, x->name, json_true());
      names_offer(list, x);
    }
  }
  json_decref(offered);
  units_close(&u);
}

/* ---- rename ------------------------------------------------------------- */

json_t *names_prepare_rename(lsp_server *v, document *d, uint32_t offset)
{
  unit_set u;
  uint32_t at;
  json_t *j = json_null();
  units_open(&u, v, d, false);
  const unit *x = unit_with(&u, d, offset, &at);
  if (x) {
    name_place p = place_of(x, at);
    j = place_range(v, &p);
  }
  units_close(&u);
  return j;
}

static bool is_good_name(bool dve, const char *name)
{
  bool good = *name && !isdigit((unsigned char)*name) && strlen(name) < 200;
  for (const char *c = name; *c; c++)
    good &= isalnum((unsigned char)*c) || *c == '_';
  return good && !is_keyword(dve, name);
}

/* Whether some place where the symbol is used knows the new name already, or
** the new name would be taken for the symbol where it stands now. */
static bool is_taken(const symbols *s, uint32_t number, const char *name)
{
  for (uint32_t i = 0; i < s->tokens.count; i++) {
    if (s->uses[i] == number && symbol_find(s, name, i) != NO_SYMBOL)
      return true;
    if (token_is(&s->tokens, i, name) &&
        (s->uses[i] == NO_SYMBOL || symbol_is_visible(s, number, i)))
      return true;
  }
  for (uint32_t i = 0; i < s->count; i++)
    if (s->list[i].scope == s->list[number].scope &&
        !strcmp(s->list[i].name, name))
      return true;
  return false;
}

static bool is_taken_anywhere(const finding *f, const char *name)
{
  for (size_t i = 0; i < f->symbols.len; i++)
    if (is_taken(f->units.list.data[f->symbols.data[i].unit].names,
                 f->symbols.data[i].number, name))
      return true;
  return false;
}

static json_t *edits_of(lsp_server *v, const finding *f, const char *name)
{
  json_t *changes = json_object();
  for (size_t i = 0; i < f->places.len; i++) {
    const name_place *p = &f->places.data[i];
    json_t *list = json_object_get(changes, p->file->uri);
    if (!list) {
      list = json_array();
      json_object_set_new(changes, p->file->uri, list);
    }
    json_array_append_new(list, json_pack("{s:o,s:s}", "range",
                                          place_range(v, p), "newText", name));
  }
  return json_pack("{s:o}", "changes", changes);
}

json_t *names_rename(lsp_server *v, document *d, uint32_t offset,
                     const char *name, const char **why)
{
  finding f;
  find_all(&f, v, d, offset);
  if (!f.symbols.len)
    *why = "this is not a name that is declared here, or in files included";
  else if (!name || !is_good_name(d->language.has_states, name))
    *why = "the new name is not one that the language allows";
  else if (is_taken_anywhere(&f, name))
    *why = "the new name is used already";
  else
    *why = NULL;
  json_t *edit = *why ? NULL : edits_of(v, &f, name);
  forget(&f);
  return edit;
}
