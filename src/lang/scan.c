/* The scanner, by the tables of a language, and what its parsers ask of the
** tokens. */

#include "lang/scan.h"
#include "base/text/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A file with more tokens is refused: its tree would need gigabytes. */
enum { TOKENS_MAX = 8 << 20 };

/* A place in the text, and what was seen on the way. */
typedef struct reader {
  scanner *s;
  const scan_map *map;
  uint32_t file;
  uint32_t at;
  bool first_of_line;
} reader;

void scan_begin(scanner *s, const scan_language *language, names *n,
                sources *files, diags *d)
{
  *s =
      (scanner){.language = language, .names = n, .sources = files, .diags = d};
}

void scan_free(scanner *s)
{
  vec_free(&s->tokens);
}

/* ---- characters -------------------------------------------------------- */

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_blank(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_one_of(const char *set, char c)
{
  return set && c && strchr(set, c);
}

static bool starts_name(const scanner *s, char c)
{
  return is_letter(c) || is_one_of(s->language->first_of_name, c);
}

static bool continues_name(const scanner *s, char c)
{
  return is_letter(c) || is_digit(c) || is_one_of(s->language->rest_of_name, c);
}

/* The text ends with a 0, so comparing stops there. */
static bool stands_at(const scanner *s, uint32_t at, const char *word)
{
  size_t n = strlen(word);
  return n <= s->text_length - at && !memcmp(s->text + at, word, n);
}

/* ---- tokens ------------------------------------------------------------ */

static span locate(const reader *r, uint32_t start, uint32_t length)
{
  if (r->map)
    return r->map->locate(r->map->context, start, length);
  return (span){r->file, start, length};
}

static token *add_token(reader *r, uint8_t kind, uint32_t start)
{
  uint32_t length = r->at - start;
  token t = {.kind = kind,
             .first_of_line = r->first_of_line,
             .where = locate(r, start, length),
             .start = start,
             .length = length};
  vec_push(&r->s->tokens, t);
  r->first_of_line = false;
  return &vec_last(&r->s->tokens);
}

static void complain(reader *r, uint32_t start, const char *message)
{
  diag_error(r->s->diags, locate(r, start, r->at - start), "%s", message);
}

/* Skips the comment that starts here; an end of line stays. */
static void skip_comment(reader *r, const scan_comment *c)
{
  const scanner *s = r->s;
  uint32_t start = r->at, depth = 1;
  r->at += (uint32_t)strlen(c->open);
  uint32_t opened = r->at;
  while (r->at < s->text_length) {
    if (!c->close) {
      if (s->text[r->at] == '\n')
        return;
    } else if (stands_at(s, r->at, c->close)) {
      r->at += (uint32_t)strlen(c->close);
      if (!--depth)
        return;
      continue;
    } else if (c->nests && stands_at(s, r->at, c->open)) {
      r->at += (uint32_t)strlen(c->open);
      depth++;
      continue;
    }
    r->at++;
  }
  if (c->close)
    diag_error(s->diags, locate(r, start, opened - start),
               "the comment has no end");
}

static const scan_comment *comment_here(const reader *r)
{
  const scan_comment *c = r->s->language->comments;
  for (; c && c->open; c++)
    if (stands_at(r->s, r->at, c->open))
      return c;
  return NULL;
}

/* Blanks and comments up to the next token. */
static void skip_gap(reader *r)
{
  const scanner *s = r->s;
  for (;;) {
    const scan_comment *c;
    while (r->at < s->text_length && is_blank(s->text[r->at]))
      r->first_of_line |= s->text[r->at++] == '\n';
    if (r->at >= s->text_length || !(c = comment_here(r)))
      return;
    skip_comment(r, c);
  }
}

static uint8_t keyword_kind(const scanner *s, const char *name, size_t n)
{
  const scan_word *w = s->language->keywords;
  for (; w && w->text; w++)
    if (*w->text == *name && !strncmp(w->text, name, n) && !w->text[n])
      return w->kind;
  return SCAN_NAME;
}

static void read_name(reader *r)
{
  scanner *s = r->s;
  uint32_t start = r->at++;
  while (r->at < s->text_length && continues_name(s, s->text[r->at]))
    r->at++;
  const char *name = s->text + start;
  uint8_t kind = keyword_kind(s, name, r->at - start);
  token *t = add_token(r, kind, start);
  if (kind == SCAN_NAME)
    t->name = name_intern(s->names, name, r->at - start);
}

static int digit_value(char c, int base)
{
  int v = is_digit(c)            ? c - '0'
          : c >= 'a' && c <= 'f' ? c - 'a' + 10
          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                 : base;
  return v < base ? v : -1;
}

static void read_number(reader *r)
{
  scanner *s = r->s;
  uint32_t start = r->at;
  int base = 10, digit;
  int64_t value = 0;
  if (s->language->hexadecimal && s->text[start] == '0' &&
      (s->text[start + 1] | 0x20) == 'x' &&
      digit_value(s->text[start + 2], 16) >= 0) {
    base = 16;
    r->at += 2;
  }
  for (; (digit = digit_value(s->text[r->at], base)) >= 0; r->at++)
    if (value <= INT32_MAX)
      value = value * base + digit;
  if (starts_name(s, s->text[r->at])) {
    while (continues_name(s, s->text[r->at]))
      r->at++;
    complain(r, start, "a number with letters in it");
  } else if (value > INT32_MAX) {
    complain(r, start, "a number larger than 2147483647");
    value = INT32_MAX;
  }
  add_token(r, SCAN_NUMBER, start)->value = (int32_t)value;
}

static const scan_word *operator_here(const reader *r)
{
  const scan_word *best = NULL, *w = r->s->language->operators;
  size_t longest = 0;
  for (; w && w->text; w++)
    if (strlen(w->text) > longest && stands_at(r->s, r->at, w->text)) {
      best = w;
      longest = strlen(w->text);
    }
  return best;
}

static bool is_readable(const reader *r)
{
  char c = r->s->text[r->at];
  return is_blank(c) || is_digit(c) || starts_name(r->s, c) ||
         operator_here(r) || comment_here(r);
}

/* Whatever stands here belongs to no language of ours; all of it is one
** error. */
static void read_rubbish(reader *r)
{
  const scanner *s = r->s;
  uint32_t start = r->at;
  while (r->at < s->text_length && !is_readable(r))
    r->at++;
  unsigned char c = (unsigned char)s->text[start];
  span where = locate(r, start, r->at - start);
  if (r->at - start == 1 && c > ' ' && c < 0x7F)
    diag_error(s->diags, where, "'%c' has no meaning here", c);
  else if (c >= 0x80)
    diag_error(s->diags, where, "only ASCII characters have a meaning here");
  else
    diag_error(s->diags, where, "these characters have no meaning here");
}

static void read_token(reader *r)
{
  char c = r->s->text[r->at];
  const scan_word *w;
  uint32_t start = r->at;
  if (starts_name(r->s, c)) {
    read_name(r);
  } else if (is_digit(c)) {
    read_number(r);
  } else if ((w = operator_here(r))) {
    r->at += (uint32_t)strlen(w->text);
    add_token(r, w->kind, start);
  } else {
    read_rubbish(r);
  }
}

void scan_text(scanner *s, uint32_t file, const scan_map *map)
{
  size_t length;
  s->text = source_text(s->sources, file, &length);
  s->text_length = (uint32_t)length;
  s->at = s->nesting = 0;
  s->reported = 0;
  vec_clear(&s->tokens);
  reader r = {.s = s, .map = map, .file = file, .first_of_line = true};
  for (;;) {
    skip_gap(&r);
    if (r.at >= s->text_length || diags_full(s->diags))
      break;
    if (s->tokens.len >= TOKENS_MAX) {
      complain(&r, r.at, "the file is too long");
      break;
    }
    read_token(&r);
  }
  add_token(&r, SCAN_END, r.at);
}

/* ---- for parsers ------------------------------------------------------- */

const token *scan_next(scanner *s)
{
  const token *t = scan_token(s);
  if (t->kind != SCAN_END)
    s->at++;
  return t;
}

bool scan_accept(scanner *s, uint8_t kind)
{
  if (!scan_at(s, kind) || kind == SCAN_END)
    return false;
  s->at++;
  return true;
}

static const char *word_of(const scan_word *w, uint8_t kind)
{
  for (; w && w->text; w++)
    if (w->kind == kind)
      return w->text;
  return NULL;
}

void scan_kind_text(const scanner *s, uint8_t kind, char *out, size_t size)
{
  const char *word = word_of(s->language->operators, kind);
  if (!word)
    word = word_of(s->language->keywords, kind);
  if (word)
    snprintf(out, size, "'%s'", word);
  else
    snprintf(out, size, "%s",
             kind == SCAN_NAME     ? "a name"
             : kind == SCAN_NUMBER ? "a number"
                                   : "the end of the file");
}

/* "expected WANTED, found ...", unless this token was complained about. */
static bool report_wanted(scanner *s, const char *wanted)
{
  const token *t = scan_token(s);
  if (s->reported == s->at + 1)
    return false;
  s->reported = s->at + 1;
  if (t->kind == SCAN_END)
    diag_error(s->diags, t->where, "expected %s, found the end of the file",
               wanted);
  else
    diag_error(s->diags, t->where, "expected %s, found '%.*s'", wanted,
               (int)t->length, s->text + t->start);
  return true;
}

void scan_wanted(scanner *s, const char *what)
{
  report_wanted(s, what);
}

static bool report_kind(scanner *s, uint8_t kind)
{
  char wanted[40];
  scan_kind_text(s, kind, wanted, sizeof wanted);
  return report_wanted(s, wanted);
}

bool scan_expect(scanner *s, uint8_t kind)
{
  if (scan_accept(s, kind))
    return true;
  report_kind(s, kind);
  return false;
}

bool scan_close(scanner *s, uint8_t kind, span opened)
{
  if (scan_accept(s, kind))
    return true;
  if (report_kind(s, kind))
    diag_note(s->diags, opened, "opened here");
  return false;
}

span scan_span(const scanner *s, size_t first)
{
  size_t last = s->at > first ? s->at - 1 : first;
  span a = s->tokens.data[first].where, b = s->tokens.data[last].where;
  if (a.file != b.file || b.start + b.length < a.start)
    return a;
  a.length = b.start + b.length - a.start;
  return a;
}

void scan_error(scanner *s, size_t first, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  diag_vreport(s->diags, DIAG_ERROR, scan_span(s, first), format, arguments);
  va_end(arguments);
}

const char *scan_name(scanner *s, const char *what, span *where)
{
  if (where)
    *where = scan_token(s)->where;
  if (scan_at(s, SCAN_NAME))
    return scan_next(s)->name;
  scan_wanted(s, what);
  return NULL;
}

bool scan_enter(scanner *s)
{
  if (s->nesting < SCAN_NESTING_MAX) {
    s->nesting++;
    return true;
  }
  if (s->reported != s->at + 1)
    diag_error(s->diags, scan_token(s)->where,
               "nested more than %d levels deep", SCAN_NESTING_MAX);
  s->reported = s->at + 1;
  return false;
}

void scan_leave(scanner *s)
{
  assert(s->nesting);
  s->nesting--;
}

void scan_skip(scanner *s, const char *kinds, uint8_t open, uint8_t close)
{
  size_t depth = 0;
  for (; !scan_at(s, SCAN_END); s->at++) {
    uint8_t kind = scan_token(s)->kind;
    if (!depth && (kind == close || strchr(kinds, (char)kind)))
      return;
    depth += kind == open;
    depth -= kind == close;
  }
}

bool scan_stuck(const scanner *s)
{
  return scan_at(s, SCAN_END) || diags_full(s->diags);
}

void scan_excerpt(const scanner *s, size_t first, size_t end, text *out)
{
  for (size_t i = first; i < end; i++) {
    const token *t = &s->tokens.data[i];
    if (i > first && t[-1].start + t[-1].length < t->start)
      text_add_char(out, ' ');
    text_add_bytes(out, s->text + t->start, t->length);
  }
}
