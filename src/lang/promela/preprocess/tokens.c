/* From the bytes of a file to tokens of C.  Lines that end with a backslash are
** joined, comments are blanks.  Text that is no C is cut into tokens as gcc
** cuts it, for what a macro replaces depends on it: '1..N' is one number. */

#include "lang/promela/preprocess/pp_internal.h"
#include <string.h>

static bool is_digit(int c)
{
  return c >= '0' && c <= '9';
}

/* Letters beyond ASCII are taken for letters; such names cannot be defined. */
static bool is_word(int c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
         c == '_' || c == '$' || c >= 0x80;
}

static bool is_blank(int c)
{
  return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

/* Bytes of a backslash, blanks and a line break at 'p'; 0: it is not that. */
static size_t splice_length(const char *p, const char *end)
{
  const char *q = p + 1;
  if (*p != '\\')
    return 0;
  while (q < end && is_blank(*q))
    q++;
  if (q + 1 < end && q[0] == '\r' && q[1] == '\n')
    q++;
  return q < end && *q == '\n' ? (size_t)(q + 1 - p) : 0;
}

/* The next byte, -1 at the end of the file.  Joins lines on the way. */
static int look(pp_file *f)
{
  while (f->p < f->end) {
    size_t n = splice_length(f->p, f->end);
    if (!n)
      return (unsigned char)*f->p;
    f->p += n;
    f->line++;
    f->spliced = true;
  }
  return -1;
}

/* Fills in the next bytes without taking them; 0 after the last. */
static void look_far(const pp_file *f, char *bytes, size_t count)
{
  const char *p = f->p;
  for (size_t i = 0; i < count; i++) {
    size_t n;
    while (p < f->end && (n = splice_length(p, f->end)))
      p += n;
    bytes[i] = p < f->end ? *p++ : 0;
  }
}

static bool at_line_end(pp_file *f)
{
  int c = look(f);
  return c < 0 || c == '\n' ||
         (c == '\r' && f->p + 1 < f->end && f->p[1] == '\n');
}

static void take_line_end(pp_file *f)
{
  if (f->p < f->end && *f->p == '\r')
    f->p++;
  if (f->p < f->end)
    f->p++;
  f->line++;
}

/* ---- places -------------------------------------------------------------- */

static uint32_t told_line(const pp_file *f)
{
  return f->line + (f->moved ? f->told_shift : 0);
}

/* Texts that are not shown have lines only, and so have those that a '#line'
** speaks of. */
static span place_of(const pp_state *pp, const pp_file *f, const char *start,
                     const char *stop)
{
  uint32_t source = f->moved ? f->told_source : f->source;
  uint32_t line = told_line(f);
  if (source_is_label(pp->files, source))
    return (span){source, line ? line - 1 : 0, 1};
  if (f->moved)
    return (span){source, source_line_start(pp->files, source, line), 0};
  return (span){source, (uint32_t)(start - f->text), (uint32_t)(stop - start)};
}

static void begin(pp_state *pp, pp_file *f, pp_token *t, const char *start)
{
  f->spliced = false;
  t->text = start;
  t->line = told_line(f);
  t->where = place_of(pp, f, start, start);
}

/* The text without joints. */
static void end(pp_state *pp, pp_file *f, pp_token *t, const char *stop)
{
  const char *start = t->text;
  t->length = (uint32_t)(stop - start);
  if (!f->moved && !source_is_label(pp->files, f->source))
    t->where.length = t->length;
  if (!f->spliced)
    return;
  char *clean = arena_alloc(pp->mem, t->length + 1), *to = clean;
  for (const char *p = start; p < stop;) {
    size_t n = splice_length(p, f->end);
    if (n)
      p += n;
    else
      *to++ = *p++;
  }
  t->text = clean;
  t->length = (uint32_t)(to - clean);
}

/* ---- blanks -------------------------------------------------------------- */

static void block_comment(pp_state *pp, pp_file *f)
{
  pp_token open = {.kind = PP_OTHER};
  begin(pp, f, &open, f->p);
  look(f);
  f->p++;
  look(f);
  f->p++;
  end(pp, f, &open, f->p);
  for (;;) {
    int c = look(f);
    if (c < 0) {
      pp_error(pp, &open, "this comment does not end");
      return;
    }
    f->p++;
    if (c == '\n')
      f->line++;
    if (c == '*' && look(f) == '/') {
      f->p++;
      return;
    }
  }
}

/* Passes blanks and comments up to a token or the end of the line. */
static bool skip_blanks(pp_state *pp, pp_file *f)
{
  bool some = false;
  for (;; some = true) {
    char next[2];
    int c = look(f);
    if (is_blank(c)) {
      f->p++;
      continue;
    }
    if (c != '/')
      return some;
    look_far(f, next, 2);
    if (next[1] == '*')
      block_comment(pp, f);
    else if (next[1] == '/')
      while (!at_line_end(f))
        f->p++;
    else
      return some;
    mem_poll();
  }
}

void pp_skip_blanks(pp_state *pp)
{
  skip_blanks(pp, &vec_last(&pp->stack));
}

/* ---- tokens -------------------------------------------------------------- */

static const char *take_word(pp_file *f)
{
  const char *stop = f->p;
  while (is_word(look(f)))
    stop = ++f->p;
  return stop;
}

/* From the quote at hand to its partner; without one, all of the line. */
static const char *take_quoted(pp_file *f, pp_token *t)
{
  int quote = look(f);
  const char *stop = ++f->p;
  t->kind = quote == '"' ? PP_STRING : PP_CHAR;
  while (!at_line_end(f)) {
    int c = look(f);
    stop = ++f->p;
    if (c == quote)
      return stop;
    if (c == '\\' && !at_line_end(f))
      stop = ++f->p;
  }
  t->kind = PP_OTHER;
  return stop;
}

static bool has_text(const pp_token *t, const char *string)
{
  return strlen(string) == t->length && !memcmp(t->text, string, t->length);
}

static void scan_word(pp_state *pp, pp_file *f, pp_token *t)
{
  const char *start = t->text;
  end(pp, f, t, take_word(f));
  int next = look(f);
  bool prefix = has_text(t, "L") || has_text(t, "u") || has_text(t, "U");
  if (next == '"' &&
      (has_text(t, "R") || has_text(t, "LR") || has_text(t, "uR") ||
       has_text(t, "UR") || has_text(t, "u8R")))
    pp_error(pp, t, "a raw string is not known here" PP_USE_CPP);
  if ((prefix && (next == '"' || next == '\'')) ||
      (next == '"' && has_text(t, "u8"))) {
    t->text = start;
    end(pp, f, t, take_quoted(f, t));
    return;
  }
  t->kind = PP_NAME;
  t->name = pp_name_of(pp, t->text, t->length);
}

static void scan_number(pp_state *pp, pp_file *f, pp_token *t)
{
  const char *stop = f->p;
  int last = 0;
  t->kind = PP_NUMBER;
  for (;;) {
    int c = look(f);
    bool sign = (c == '+' || c == '-') &&
                (last == 'e' || last == 'E' || last == 'p' || last == 'P');
    if (!is_word(c) && c != '.' && !sign)
      break;
    stop = ++f->p;
    last = c;
  }
  end(pp, f, t, stop);
}

/* Longer ones first. */
static const char *const operators[] = {
    "%:%:", "...", "<<=", ">>=", "##", "->", "++", "--", "<<", ">>", "<=",
    ">=",   "==",  "!=",  "&&",  "||", "*=", "/=", "%=", "+=", "-=", "&=",
    "^=",   "|=",  "::",  "<:",  ":>", "<%", "%>", "%:", "#",  "(",  ")",
    "[",    "]",   "{",   "}",   ",",  ";",  ":",  "?",  "~",  "!",  "+",
    "-",    "*",   "/",   "%",   "<",  ">",  "=",  "&",  "|",  "^",  "."};
enum { OPERATORS = sizeof operators / sizeof *operators };

static pp_kind operator_kind(const char *operator)
{
  switch (operator[0]) {
  case '(':
    return PP_LPAREN;
  case ')':
    return PP_RPAREN;
  case ',':
    return PP_COMMA;
  case '#':
    return operator[1] ? PP_PASTE : PP_HASH;
  case '%':
    if (operator[1] == ':')
      return operator[2] ? PP_PASTE : PP_HASH;
    return PP_PUNCT;
  default:
    return PP_PUNCT;
  }
}

static void scan_operator(pp_state *pp, pp_file *f, pp_token *t)
{
  char bytes[4];
  size_t length = 1;
  look_far(f, bytes, sizeof bytes);
  t->kind = PP_OTHER;
  for (size_t i = 0; i < OPERATORS; i++) {
    size_t n = strlen(operators[i]);
    if (!memcmp(operators[i], bytes, n)) {
      t->kind = (uint8_t)operator_kind(operators[i]);
      length = n;
      break;
    }
  }
  while (length--) {
    look(f);
    f->p++;
  }
  end(pp, f, t, f->p);
}

static void scan_token(pp_state *pp, pp_file *f, pp_token *t)
{
  char bytes[2];
  int c = look(f);
  begin(pp, f, t, f->p);
  look_far(f, bytes, sizeof bytes);
  if (is_digit(c) || (c == '.' && is_digit(bytes[1])))
    scan_number(pp, f, t);
  else if (is_word(c))
    scan_word(pp, f, t);
  else if (c == '"' || c == '\'')
    end(pp, f, t, take_quoted(f, t));
  else
    scan_operator(pp, f, t);
}

static void scan_end(pp_state *pp, pp_file *f, pp_token *t)
{
  t->kind = PP_EOF;
  begin(pp, f, t, f->p);
}

void pp_scan(pp_state *pp, pp_token *t)
{
  pp_file *f = &vec_last(&pp->stack);
  mem_poll();
  *t = (pp_token){0};
  if (f->fresh && pp->parsing_args == 2)
    t->flags |= PP_WHITE;
  for (;;) {
    if (skip_blanks(pp, f))
      t->flags |= PP_WHITE;
    if (pp->failed || f->p == f->end || (pp->in_directive && at_line_end(f))) {
      scan_end(pp, f, t);
      return;
    }
    if (!at_line_end(f))
      break;
    take_line_end(f);
    f->fresh = true;
    t->flags = pp->parsing_args == 2 ? PP_WHITE : 0;
  }
  if (f->fresh)
    t->flags |= PP_BOL;
  f->fresh = false;
  scan_token(pp, f, t);
}

void pp_skip_line(pp_state *pp)
{
  pp_token rest;
  do
    pp_scan(pp, &rest);
  while (rest.kind != PP_EOF);
}

bool pp_scan_one(pp_state *pp, const char *string, size_t length, pp_token *t)
{
  pp_file only = {.text = string, .p = string, .end = string + length};
  span where = t->where;
  uint32_t line = t->line;
  *t = (pp_token){.use = t->use};
  scan_token(pp, &only, t);
  t->where = where;
  t->line = line;
  return only.p == only.end;
}
