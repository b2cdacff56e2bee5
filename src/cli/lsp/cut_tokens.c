/* A text cut into tokens, whatever it is. */

#include "cli/lsp/cut_tokens.h"
#include <ctype.h>
#include <string.h>

typedef struct cutter {
  tokens *to;
  arena *arena;
  uint32_t room;
  size_t at;
  uint32_t line;
  bool begins, directive, directives;
} cutter;

static bool is_letter(char c)
{
  return isalpha((unsigned char)c) || c == '_';
}

static bool is_part(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

static size_t comment_end(const tokens *t, size_t at)
{
  if (t->text[at + 1] == '/') {
    const char *end = memchr(t->text + at, '\n', t->length - at);
    return end ? (size_t)(end - t->text) : t->length;
  }
  for (size_t i = at + 2; i + 1 < t->length; i++)
    if (t->text[i] == '*' && t->text[i + 1] == '/')
      return i + 2;
  return t->length;
}

static size_t string_end(const tokens *t, size_t at)
{
  char quote = t->text[at];
  for (size_t i = at + 1; i < t->length && t->text[i] != '\n'; i++) {
    if (t->text[i] == '\\' && i + 1 < t->length)
      i++;
    else if (t->text[i] == quote)
      return i + 1;
  }
  const char *end = memchr(t->text + at, '\n', t->length - at);
  return end ? (size_t)(end - t->text) : t->length;
}

static size_t mark_end(const tokens *t, size_t at)
{
  static const char *const marks[] = {
      "-->", "<->", "::", "->", "==", "!=", "<=", ">=", "&&",
      "||",  "++",  "--", "<<", ">>", "??", "!!", "..", "##"};
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    size_t n = strlen(marks[i]);
    if (t->length - at >= n && !memcmp(t->text + at, marks[i], n))
      return at + n;
  }
  return at + 1;
}

static token_kind kind_at(const tokens *t, size_t at, size_t *end)
{
  char c = t->text[at], next = at + 1 < t->length ? t->text[at + 1] : 0;
  *end = at + 1;
  if (c == '/' && (next == '/' || next == '*')) {
    *end = comment_end(t, at);
    return TOKEN_COMMENT;
  }
  if (c == '"' || c == '\'') {
    *end = string_end(t, at);
    return TOKEN_STRING;
  }
  if (!is_part(c)) {
    *end = mark_end(t, at);
    return TOKEN_MARK;
  }
  while (*end < t->length && is_part(t->text[*end]))
    ++*end;
  return is_letter(c) ? TOKEN_NAME : TOKEN_NUMBER;
}

static void push(cutter *c, token t)
{
  if (c->to->count == c->room) {
    token *old = c->to->list;
    c->room = c->room ? 2 * c->room : 256;
    c->to->list = ARENA_ARRAY(c->arena, token, c->room);
    if (c->to->count)
      memcpy(c->to->list, old, c->to->count * sizeof *old);
  }
  c->to->list[c->to->count++] = t;
}

static void cut_one(cutter *c)
{
  const tokens *t = c->to;
  size_t end;
  token_kind kind = kind_at(t, c->at, &end);
  if (c->directives && c->begins && t->text[c->at] == '#' && end == c->at + 1)
    c->directive = true;
  push(c, (token){.kind = kind,
                  .begins = c->begins,
                  .directive = c->directive,
                  .start = (uint32_t)c->at,
                  .length = (uint32_t)(end - c->at),
                  .line = c->line});
  for (size_t i = c->at; i < end; i++)
    c->line += t->text[i] == '\n';
  c->begins = false;
  c->at = end;
}

/* Whether the line that ends at 'end' has a backslash at its end, with nothing
** but blanks behind it. */
static bool is_continued(const char *text, size_t end)
{
  while (end && strchr(" \t\f\v\r", text[end - 1]) && text[end - 1])
    end--;
  return end && text[end - 1] == '\\';
}

tokens tokens_of(arena *a, const char *text, size_t length, bool directives)
{
  tokens t = {.text = text, .length = length < UINT32_MAX ? length : 0};
  cutter c = {.to = &t, .arena = a, .begins = true, .directives = directives};
  while (c.at < t.length) {
    char now = text[c.at];
    if (now == '\n') {
      bool goes_on = c.directive && is_continued(text, c.at);
      c.line++;
      c.begins = true;
      c.directive = goes_on;
      c.at++;
    } else if (isspace((unsigned char)now)) {
      c.at++;
    } else {
      cut_one(&c);
    }
  }
  return t;
}

bool token_is(const tokens *t, uint32_t i, const char *word)
{
  return i < t->count && t->list[i].length == strlen(word) &&
         !memcmp(t->text + t->list[i].start, word, t->list[i].length);
}

const char *token_text(arena *a, const tokens *t, uint32_t i)
{
  return arena_copy(a, t->text + t->list[i].start, t->list[i].length);
}

uint32_t token_at(const tokens *t, uint32_t offset)
{
  uint32_t found = NO_TOKEN;
  for (uint32_t i = 0; i < t->count && t->list[i].start <= offset; i++)
    if (offset < t->list[i].start + t->list[i].length ||
        (offset == t->list[i].start + t->list[i].length &&
         t->list[i].kind == TOKEN_NAME))
      found = i;
  return found;
}

uint32_t token_before(const tokens *t, uint32_t i)
{
  while (i-- > 0)
    if (t->list[i].kind != TOKEN_COMMENT)
      return i;
  return NO_TOKEN;
}

uint32_t token_behind(const tokens *t, uint32_t i)
{
  while (++i < t->count)
    if (t->list[i].kind != TOKEN_COMMENT)
      return i;
  return NO_TOKEN;
}
