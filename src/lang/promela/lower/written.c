/* Statements as the user wrote them, for people: 'skip' and not '(1)', 'n++' and
** not 'n = (n+1)'.
**
** A statement that is all of a macro is shown by the macro's name, which is
** what stands in the file; one that is only a part of it is shown as the macro
** says it.  Of a loop by 'for' or 'select' nobody wrote the parts: they are
** shown as SPIN has them, without the outermost parentheses.  In an inline the
** arguments of the call stand for the parameters. */

#include "base/text/text.h"
#include "lang/promela/lower/lower.h"
#include <string.h>

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool same_span(span a, span b)
{
  return a.file == b.file && a.start == b.start && a.length == b.length;
}

/* Whether the byte comes from the same use of a macro as the origin given. */
static bool stems_from(const sources *s, span where, size_t at, span origin)
{
  span byte = {where.file, (uint32_t)at, 1};
  return same_span(source_origin(s, byte), origin);
}

/* Whether a macro says this statement and something else.  Bytes that no macro
** says have each an origin of their own. */
static bool is_part_of_macro(const sources *s, span where)
{
  size_t length, end = (size_t)where.start + where.length, i = where.start;
  const char *made = source_text(s, where.file, &length);
  span first = source_origin(s, (span){where.file, where.start, 1});
  span last = source_origin(s, (span){where.file, (uint32_t)end - 1, 1});
  while (i > 0 && (is_blank(made[i - 1]) || made[i - 1] == ';'))
    i--;
  if (i > 0 && first.length && stems_from(s, where, i - 1, first))
    return true;
  for (i = end; i < length && (is_blank(made[i]) || made[i] == ';');)
    i++;
  return i < length && last.length && stems_from(s, where, i, last);
}

/* The end of a string, a comment or a single byte; comments are not kept. */
static const char *skip_piece(const char *p, bool *kept)
{
  const char *end = NULL;
  *kept = true;
  if (*p == '"')
    for (end = p + 1; *end && *end != '"'; end++)
      end += *end == '\\' && end[1];
  if (end)
    return *end ? end + 1 : end;
  if (p[0] != '/' || p[1] != '*')
    return p + 1;
  *kept = false;
  end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

/* Adds a text without its comments, in one line, blanks as one blank. */
static void add_line(const char *p, text *out)
{
  size_t start = out->len;
  bool blank = false, kept;
  for (const char *end; *p; p = end) {
    end = skip_piece(p, &kept);
    if (!kept || is_blank(*p)) {
      blank = true;
      continue;
    }
    if (blank && out->len > start)
      text_add_char(out, ' ');
    blank = false;
    text_add_bytes(out, p, (size_t)(end - p));
  }
}

static const char *in_one_line(lower *l)
{
  text_clear(&l->buffer);
  add_line(text_string(&l->excerpt), &l->buffer);
  if (!l->buffer.len)
    return NULL;
  return arena_copy(l->arena, text_string(&l->buffer), l->buffer.len);
}

static size_t word_length(const char *p)
{
  size_t n = 0;
  while (p[n] == '_' || (unsigned char)(p[n] - '0') < 10 ||
         (unsigned char)((p[n] | 32) - 'a') < 26)
    n++;
  return n;
}

/* Adds a word, or the argument that stands for it; false: this must not be
** shown. */
static bool add_word(const pml_call *call, const char *word, size_t n,
                     text *out)
{
  for (uint32_t i = 0; i < call->count; i++)
    if (strlen(call->params[i]) == n && !memcmp(call->params[i], word, n)) {
      text_add(out, call->texts[i] ? call->texts[i] : "");
      return call->texts[i];
    }
  text_add_bytes(out, word, n);
  return true;
}

static const char *with_arguments(lower *l, const pml_call *call,
                                  const char *line)
{
  if (!call || !call->count || !line)
    return line;
  text_clear(&l->excerpt);
  bool kept;
  for (const char *p = line, *end; *p; p = end) {
    size_t n = word_length(p);
    end = n ? p + n : skip_piece(p, &kept);
    if (!n)
      text_add_bytes(&l->excerpt, p, (size_t)(end - p));
    else if (!add_word(call, p, n, &l->excerpt))
      return NULL;
  }
  return in_one_line(l);
}

static const char *excerpt(lower *l, span where)
{
  const sources *s = l->m->sources;
  span origin = source_origin(s, where);
  size_t length;
  if (!where.length || !origin.length || source_is_label(s, origin.file) ||
      source_is_hidden(s, origin.file))
    return NULL;
  const char *made = source_text(s, where.file, &length);
  if ((size_t)where.start + where.length > length)
    return NULL;
  text_clear(&l->excerpt);
  if (is_part_of_macro(s, where))
    text_add_bytes(&l->excerpt, made + where.start, where.length);
  else
    source_excerpt(s, where, &l->excerpt);
  return in_one_line(l);
}

/* 'i <= N' and 'i = i+1' of what SPIN makes of a 'for'. */
static const char *without_parentheses(lower *l, const char *from)
{
  const char *open = strstr(from, " = (");
  size_t n = strlen(from), twice = strncmp(from, "((", 2) ? 0 : 2;
  if (twice && n > 4)
    return arena_copy(l->arena, from + twice, n - 2 * twice);
  if (!open || from[n - 1] != ')')
    return NULL;
  return arena_printf(l->arena, "%.*s = %.*s", (int)(open - from), from,
                      (int)(n - (size_t)(open - from) - 5), open + 4);
}

const char *lower_written(lower *l, const flow_element *e)
{
  const pml_stmt *s = e->stmt;
  if (e->var || !s || (e->kind != FLOW_STEP && e->kind != FLOW_GOTO))
    return NULL;
  if (s->generated)
    return without_parentheses(l, lower_text(l, e));
  /* A label in front of nothing. */
  if (s->label_count && same_span(s->labels[0]->where, s->where))
    return "skip";
  return with_arguments(l, s->call, excerpt(l, s->where));
}
