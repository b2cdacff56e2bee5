/* What names mean in a document: hover, definition, outline, completion; and the
** formatter.  Where other files matter, lsp_shared.c answers. */

#include "cli/lsp/lsp.h"
#include "cli/lsp/pretty.h"
#include <ctype.h>
#include <string.h>

/* The symbol at a place, and its token there. */
static uint32_t symbol_at(document *d, uint32_t offset, uint32_t *at)
{
  if (!d->language.is_edited)
    return NO_SYMBOL;
  const symbols *s = document_names(d);
  *at = token_at(&s->tokens, offset);
  return *at == NO_TOKEN ? NO_SYMBOL : s->uses[*at];
}

static json_t *token_range(lsp_server *v, document *d, uint32_t i)
{
  const token *t = &d->names->tokens.list[i];
  return range_of(v, d, t->start, t->start + t->length);
}

static json_t *location_of_token(lsp_server *v, document *d, uint32_t i)
{
  return json_pack("{s:s,s:o}", "uri", d->uri, "range", token_range(v, d, i));
}

/* ---- hover -------------------------------------------------------------- */

/* The line of a declaration, without what surrounds it. */
static void add_declaration(const document *d, uint32_t start, text *out)
{
  uint32_t from = d->lines.data[document_line(d, start)], end = start;
  while (end < d->length && d->content[end] != '\n')
    end++;
  while (from < end && isspace((unsigned char)d->content[from]))
    from++;
  while (end > from && isspace((unsigned char)d->content[end - 1]))
    end--;
  text_add_bytes(out, d->content + from, end - from);
}

static void add_lines(const symbols *s, uint32_t number, bool written,
                      const char *word, text *out)
{
  enum { MOST = 8 };
  uint32_t last = UINT32_MAX, told = 0;
  for (uint32_t i = 0; i < s->tokens.count; i++) {
    uint32_t line = s->tokens.list[i].line;
    if (s->uses[i] != number || i == s->list[number].token || line == last ||
        symbol_is_written(s, i) != written)
      continue;
    last = line;
    if (++told > MOST)
      continue;
    text_printf(out, "%s%u", told == 1 ? word : ", ", line + 1);
  }
  if (told > MOST)
    text_printf(out, " and %u more", told - MOST);
  if (told)
    text_add(out, "\n\n");
}

void names_add_symbol(const document *d, uint32_t start, const symbol *x,
                      bool dve, text *out)
{
  long lo, hi;
  text_printf(out, "```%s\n", d->language.name);
  add_declaration(d, start, out);
  text_printf(out, "\n```\n%s `%s`", symbol_kind_word(x->kind), x->name);
  if (*x->type)
    text_printf(out, " of type `%s`%s", x->type, x->array ? ", an array" : "");
  if (type_limits(dve, x->type, &lo, &hi))
    text_printf(out, ", %ld..%ld", lo, hi);
}

json_t *names_hover(lsp_server *v, document *d, uint32_t offset)
{
  uint32_t at, number = symbol_at(d, offset, &at);
  if (number == NO_SYMBOL)
    return shared_hover(v, d, offset);
  const symbols *s = d->names;
  const symbol *x = &s->list[number];
  text out = {0};
  names_add_symbol(d, s->tokens.list[x->token].start, x, s->dve, &out);
  text_printf(&out, ", declared in line %u\n\n",
              s->tokens.list[x->token].line + 1);
  add_lines(s, number, true, "written in lines ", &out);
  add_lines(s, number, false, "used in lines ", &out);
  json_t *j =
      json_pack("{s:{s:s,s:s},s:o}", "contents", "kind", "markdown", "value",
                text_string(&out), "range", token_range(v, d, at));
  text_free(&out);
  return j;
}

/* ---- places ------------------------------------------------------------- */

json_t *names_definition(lsp_server *v, document *d, uint32_t offset)
{
  uint32_t at, number = symbol_at(d, offset, &at);
  return number == NO_SYMBOL
             ? shared_definition(v, d, offset)
             : location_of_token(v, d, d->names->list[number].token);
}

json_t *names_highlight(lsp_server *v, document *d, uint32_t offset)
{
  enum { READ = 2, WRITE = 3 };
  uint32_t at, number = symbol_at(d, offset, &at);
  json_t *list = json_array();
  for (uint32_t i = 0; number != NO_SYMBOL && i < d->names->tokens.count; i++)
    if (d->names->uses[i] == number)
      json_array_append_new(
          list, json_pack("{s:o,s:i}", "range", token_range(v, d, i), "kind",
                          symbol_is_written(d->names, i) ? WRITE : READ));
  return list;
}

/* ---- outline ------------------------------------------------------------ */

static json_t *outline_of(lsp_server *v, document *d, uint32_t outer);

static json_t *outline_entry(lsp_server *v, document *d, const symbol *x)
{
  const tokens *t = &d->names->tokens;
  const token *name = &t->list[x->token];
  uint32_t end = name->start + name->length;
  if (x->inside != NO_SCOPE) {
    const token *last = &t->list[d->names->scopes[x->inside].end - 1];
    end = last->start + last->length;
  }
  json_t *j = json_pack("{s:s,s:s,s:i,s:o,s:o}", "name", x->name, "detail",
                        *x->type ? x->type : symbol_kind_word(x->kind), "kind",
                        symbol_kind_number(x->kind), "range",
                        range_of(v, d, name->start, end), "selectionRange",
                        token_range(v, d, x->token));
  if (x->inside != NO_SCOPE)
    json_object_set_new(j, "children", outline_of(v, d, x->inside));
  return j;
}

/* Whose the scope is: that of a block belongs to who is around it. */
static uint32_t owner(const symbols *s, uint32_t outer)
{
  while (outer && s->scopes[outer].kind == SYMBOL_LABEL)
    outer = s->scopes[outer].parent;
  return outer;
}

static json_t *outline_of(lsp_server *v, document *d, uint32_t outer)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < d->names->count; i++)
    if (owner(d->names, d->names->list[i].scope) == outer)
      json_array_append_new(list, outline_entry(v, d, &d->names->list[i]));
  return list;
}

json_t *names_outline(lsp_server *v, document *d)
{
  if (!d->language.is_edited)
    return json_array();
  document_names(d);
  return outline_of(v, d, 0);
}

/* ---- completion --------------------------------------------------------- */

static void offer(json_t *list, const char *label, int kind, const char *detail)
{
  json_array_append_new(list, json_pack("{s:s,s:i,s:s}", "label", label, "kind",
                                        kind, "detail", detail));
}

static int completion_kind(symbol_kind k)
{
  enum {
    FUNCTION = 3,
    FIELD = 5,
    VARIABLE = 6,
    CLASS = 7,
    ENUM = 20,
    TEXT = 1
  };
  switch (k) {
  case SYMBOL_PROCESS:
  case SYMBOL_INLINE:
  case SYMBOL_MACRO:
    return FUNCTION;
  case SYMBOL_RECORD:
    return CLASS;
  case SYMBOL_FIELD:
    return FIELD;
  case SYMBOL_SYMBOL:
  case SYMBOL_STATE:
    return ENUM;
  case SYMBOL_LABEL:
  case SYMBOL_CLAIM:
    return TEXT;
  case SYMBOL_VARIABLE:
  case SYMBOL_PARAMETER:
  case SYMBOL_CHANNEL:
    return VARIABLE;
  }
  return TEXT;
}

void names_offer(json_t *list, const symbol *x)
{
  offer(list, x->name, completion_kind(x->kind),
        *x->type ? x->type : symbol_kind_word(x->kind));
}

/* The token before which a name is being written. */
static uint32_t token_left(const tokens *t, uint32_t offset)
{
  uint32_t i = t->count;
  while (i-- > 0)
    if (t->list[i].start < offset &&
        !(t->list[i].kind == TOKEN_NAME &&
          t->list[i].start + t->list[i].length >= offset) &&
        t->list[i].kind != TOKEN_COMMENT)
      return i;
  return NO_TOKEN;
}

json_t *names_completion(lsp_server *v, document *d, uint32_t offset)
{
  json_t *list = json_array();
  const char *word;
  if (!d->language.is_edited)
    return list;
  const symbols *s = document_names(d);
  uint32_t left = token_left(&s->tokens, offset);
  uint32_t here = left == NO_TOKEN ? 0 : left;
  bool field = token_is(&s->tokens, left, ".");
  bool label =
      token_is(&s->tokens, left, "@") || token_is(&s->tokens, left, "goto");
  for (uint32_t i = 0; i < s->count; i++) {
    const symbol *x = &s->list[i];
    bool fits = field   ? x->kind == SYMBOL_FIELD || x->kind == SYMBOL_STATE
                : label ? x->kind == SYMBOL_LABEL
                        : symbol_is_visible(s, i, here);
    if (fits)
      names_offer(list, x);
  }
  shared_completion(v, d, field, label, list);
  for (size_t i = 0; !field && !label && (word = keyword_at(s->dve, i)); i++)
    offer(list, word, 14, "keyword");
  return list;
}

/* ---- formatting --------------------------------------------------------- */

json_t *names_format(lsp_server *v, document *d)
{
  text out = {0};
  json_t *edits = json_array();
  if (!d->language.is_edited)
    return edits;
  pretty_print(d->content, d->length, d->language.has_states, &out);
  if (out.len != d->length ||
      memcmp(text_string(&out), d->content, out.len) != 0)
    json_array_append_new(edits,
                          json_pack("{s:o,s:s}", "range",
                                    range_of(v, d, 0, (uint32_t)d->length),
                                    "newText", text_string(&out)));
  text_free(&out);
  return edits;
}
