/* From tokens back to text.
**
** Tokens are separated as gcc separates them, with the fewest blanks that keep
** them apart.  A line ends where a line of a file ends, and where a token comes
** from another line than the one before and something may stand between them.
**
** Where tokens stand as they do in their file, they and the blanks between them
** are one piece of the recipe; so a text without macros has few of them.
**
** A line '# 12 "file"' tells where the text comes from when it does not follow
** from the line before: C in a model is compiled with these lines in it. */

#include "lang/promela/preprocess/pp_internal.h"
#include <string.h>

enum { LINES_MAX = 64 }; /* empty ones, instead of a '# 12 "file"' */

/* ---- what must be kept apart --------------------------------------------- */

static bool is_one_of(const pp_token *t, const char *operators)
{
  return t->kind >= PP_HASH && t->kind <= PP_PUNCT && t->length == 1 &&
         strchr(operators, t->text[0]);
}

static bool is_literal(const pp_token *t)
{
  return (t->kind == PP_STRING && t->text[0] == '"') ||
         (t->kind == PP_CHAR && t->text[0] == '\'');
}

/* The first byte of an operator. */
static char operator_byte(const pp_token *t)
{
  return t->kind >= PP_HASH && t->kind <= PP_PUNCT ? t->text[0] : 0;
}

/* A number that could be the rest of a name. */
static bool is_word(const pp_token *t)
{
  return t->kind == PP_NUMBER && !memchr(t->text, '.', t->length) &&
         !memchr(t->text, '+', t->length) && !memchr(t->text, '-', t->length);
}

/* Would they be read as something else without a blank? */
static bool would_paste(const pp_token *a, const pp_token *b)
{
  static const char *const pairs[] = {">>", "<<", "<%", "<:", "++", "--",
                                      "->", "//", "/*", "%:", "&&", "||",
                                      "::", ":>", "..", ".%", "##", "#%"};
  char c = operator_byte(b);
  if (c == '=' &&
      (is_one_of(a, "=!><+-*/%&|^") || pp_is(a, ">>") || pp_is(a, "<<")))
    return true;
  if (a->kind == PP_NAME)
    return b->kind == PP_NAME || is_literal(b) || is_word(b);
  if (a->kind == PP_NUMBER)
    return b->kind == PP_NUMBER || b->kind == PP_NAME ||
           (b->kind == PP_CHAR && b->text[0] == '\'') || c == '.' || c == '+' ||
           c == '-';
  if (a->kind == PP_OTHER)
    return a->text[0] == '\\' && b->kind == PP_NAME;
  if (pp_is(a, "->"))
    return c == '*';
  if (is_one_of(a, ".") && b->kind == PP_NUMBER)
    return true;
  for (size_t i = 0; c && i < sizeof pairs / sizeof *pairs; i++)
    if (operator_byte(a) == pairs[i][0] && a->length == 1 && c == pairs[i][1])
      return true;
  return false;
}

/* ---- lines --------------------------------------------------------------- */

static uint32_t line_at_hand(const pp_output *o)
{
  return o->newline ? o->next_line : o->line;
}

static void new_line(pp_output *o, const pp_token *t)
{
  o->newline = true;
  o->next_line = t->line;
  o->has_last = false;
}

void pp_output_line(pp_state *pp, const pp_token *t)
{
  const pp_file *f = &vec_last(&pp->stack);
  new_line(&pp->out, t);
  pp->out.next_file = f->moved ? f->told_source : f->source;
  pp->out.source = pp->out.white = false;
}

static void add_marker(pp_state *pp, pp_output *o)
{
  text_printf(&o->text, "\n# %u \"", o->next_line);
  for (const char *p = source_name(pp->files, o->next_file); *p; p++) {
    if (*p == '"' || *p == '\\')
      text_add_char(&o->text, '\\');
    text_add_char(&o->text, *p == '\n' ? ' ' : *p);
  }
  text_add(&o->text, "\"\n");
}

static void add_lines(pp_state *pp, pp_output *o)
{
  bool marker = o->next_file != o->file || o->next_line <= o->line ||
                o->next_line - o->line > LINES_MAX;
  if (!o->text.len)
    return;
  if (marker)
    add_marker(pp, o);
  else
    for (; o->line < o->next_line; o->line++)
      text_add_char(&o->text, '\n');
}

/* ---- tokens -------------------------------------------------------------- */

/* The blanks between the last token and this one, when both stand in a file as
** they are, on one line or on lines one below the other; NULL otherwise. */
static const char *same_gap(const pp_output *o, const pp_token *t, bool exact)
{
  if (!exact || t->use || !o->after || o->after_file != t->where.file ||
      t->text < o->after)
    return NULL;
  bool newline = false;
  for (const char *p = o->after; p < t->text; p++) {
    if (*p != ' ' && *p != '\t' && *p != '\n')
      return NULL;
    newline |= *p == '\n';
  }
  return newline == o->newline ? o->after : NULL;
}

static void add_piece(pp_output *o, const pp_token *t, bool exact)
{
  source_piece p = {.start = (uint32_t)o->text.len,
                    .use = t->use & INT32_MAX,
                    .whole = !exact,
                    .from = t->where};
  vec_push(&o->recipe.pieces, p);
}

static void add_token(pp_state *pp, const pp_token *t, bool white)
{
  pp_output *o = &pp->out;
  bool exact = t->where.length == t->length &&
               !source_is_label(pp->files, t->where.file);
  const char *gap = same_gap(o, t, exact);
  if (gap) {
    text_add_bytes(&o->text, gap, (size_t)(t->text - gap));
    span *from = &vec_last(&o->recipe.pieces).from;
    from->length = t->where.start + t->where.length - from->start;
  } else {
    if (o->newline)
      add_lines(pp, o);
    if (white)
      text_add_char(&o->text, ' ');
    add_piece(o, t, exact);
  }
  text_add_bytes(&o->text, t->text, t->length);
  if (o->newline) {
    o->line = o->next_line;
    o->file = o->next_file;
    o->newline = false;
  }
  o->after = exact && !t->use ? t->text + t->length : NULL;
  o->after_file = t->where.file;
}

static void pad(pp_output *o, const pp_token *t)
{
  bool source = t->flags & PP_SOURCE;
  o->avoid = true;
  if (!o->source || (!o->white && !source)) {
    o->source = source;
    o->white = t->flags & PP_WHITE;
  }
}

void pp_output_token(pp_state *pp, const pp_token *t)
{
  pp_output *o = &pp->out;
  bool white = t->flags & PP_WHITE;
  if (t->kind == PP_PADDING) {
    pad(o, t);
    return;
  }
  if (o->avoid) {
    if (o->source)
      white = o->white;
    if (t->line != line_at_hand(o)) {
      new_line(o, t);
      white = true;
    } else if (o->has_last ? would_paste(&o->last, t) : t->kind == PP_HASH)
      white = true;
  } else if (white && t->line != line_at_hand(o))
    new_line(o, t);
  o->avoid = o->source = o->white = false;
  add_token(pp, t, white);
  o->last = *t;
  o->has_last = true;
}

uint32_t pp_output_end(pp_state *pp)
{
  pp_output *o = &pp->out;
  size_t length;
  uint32_t file = pp->how->file;
  source_text(pp->files, file, &length);
  pp_token end = {.where = {file, (uint32_t)length, 0}};
  text_add_char(&o->text, '\n');
  add_piece(o, &end, true);
  return source_add_made(pp->files, source_name(pp->files, file), &o->text,
                         &o->recipe);
}
