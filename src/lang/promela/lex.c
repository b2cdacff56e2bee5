/* Tokens, one function for each kind; embedded C is taken as a whole. */

#include "lang/promela/lex.h"
#include "lang/promela/map.h"
#include <string.h>

/* A model with more tokens than this is refused: it would need gigabytes. */
enum { MAX_TOKENS = 16 << 20 };

typedef struct lexer {
  arena *mem;
  names *names;
  sources *sources;
  diags *diags;
  pml_tokens *out;
  const char *base, *p, *end;
  uint32_t file;
  bool newline; /* the next token is the first of its line */
  /* 0: outside; LTL_HEAD: between 'ltl' and its '{'; else open braces. */
  int ltl;
  bool made; /* by the preprocessor of our own */
  bool mapped;
  pml_map map; /* back to the user's files; only when 'mapped' */
} lexer;

enum { LTL_HEAD = -1 };

static const char *const token_text[TOKEN_KINDS] = {
#define X(kind, text) [kind] = text,
    PML_SYMBOLS(X)
#undef X
#define X(kind, text) [kind] = "'" text "'",
        PML_KEYWORDS(X)
#undef X
};

typedef struct keyword {
  const char *text;
  pml_token_kind kind;
} keyword;

static const keyword keywords[] = {
#define X(kind, text) {text, kind},
    PML_KEYWORDS(X)
#undef X
};

static const keyword ltl_words[] = {
    {"U", T_UNTIL},
    {"V", T_RELEASE},
    {"W", T_WEAK_UNTIL},
    {"X", T_NEXT},
    {"always", T_ALWAYS},
    {"eventually", T_EVENTUALLY},
    {"until", T_UNTIL},
    {"stronguntil", T_UNTIL},
    {"weakuntil", T_WEAK_UNTIL},
    {"release", T_RELEASE},
    {"next", T_NEXT},
    {"implies", T_IMPLIES},
    {"equivalent", T_EQUIV},
};

enum {
  KEYWORDS = sizeof keywords / sizeof *keywords,
  LTL_WORDS = sizeof ltl_words / sizeof *ltl_words
};

const char *pml_token_text(pml_token_kind kind)
{
  return token_text[kind];
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
  return is_letter(c) || is_digit(c);
}

/* The span of the bytes from 'start' to the current place. */
static span here(lexer *lx, const char *start)
{
  size_t length = (size_t)(lx->p - start);
  if (lx->mapped)
    return pml_map_token(&lx->map, start, length);
  return (span){lx->file, (uint32_t)(start - lx->base), (uint32_t)length};
}

static pml_token *push(lexer *lx, pml_token_kind kind, const char *start)
{
  pml_token token = {0};
  token.kind = (uint8_t)kind;
  token.newline = lx->newline;
  token.where = here(lx, start);
  lx->newline = false;
  vec_push(lx->out, token);
  return &vec_last(lx->out);
}

/*------------------------------------------------------------------------*/
/* White space, comments, line markers                                     */

static void block_comment(lexer *lx)
{
  const char *start = lx->p;
  lx->p += 2;
  while (lx->p < lx->end) {
    if (lx->p[0] == '*' && lx->p + 1 < lx->end && lx->p[1] == '/') {
      lx->p += 2;
      return;
    }
    if (*lx->p == '\n') {
      lx->newline = true;
      if (lx->mapped)
        pml_map_newline(&lx->map);
    }
    lx->p++;
  }
  lx->p = start + 2;
  diag_error(lx->diags, here(lx, start), "this comment does not end");
  lx->p = lx->end;
}

/* Comments do not nest; what is left of those who try is no error in SPIN. */
static void stray_end(lexer *lx)
{
  const char *start = lx->p;
  lx->p += 2;
  diag_warn(lx->diags, here(lx, start),
            "no comment ends here; comments do not nest");
}

/* A '#' at the start of a line: a marker of the preprocessor, or something it
** passed through ('#pragma', '#ident'), which is skipped. */
static void directive(lexer *lx)
{
  const char *stop = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));
  if (!stop)
    stop = lx->end;
  pml_map_marker(&lx->map, lx->p, stop);
  lx->p = stop < lx->end ? stop + 1 : stop;
}

/* Lines that tell where the text comes from; C in the model has them, too. */
static void skip_markers(lexer *lx)
{
  while (lx->p < lx->end && *lx->p == '#') {
    const char *stop = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));
    lx->p = stop ? stop + 1 : lx->end;
  }
}

static void skip_blank(lexer *lx)
{
  while (lx->p < lx->end) {
    char c = *lx->p, d = lx->p + 1 < lx->end ? lx->p[1] : 0;
    if (c == '\n') {
      lx->newline = true;
      lx->p++;
      if (lx->mapped) {
        pml_map_newline(&lx->map);
        while (lx->p < lx->end && *lx->p == '#')
          directive(lx);
      } else if (lx->made)
        skip_markers(lx);
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
      lx->p++;
    else if (c == '\\' && (d == '\n' || d == '\r') && !lx->mapped && !lx->made)
      lx->p += d == '\r' && lx->p + 2 < lx->end && lx->p[2] == '\n' ? 3 : 2;
    else if (c == '/' && d == '*')
      block_comment(lx);
    else if (c == '*' && d == '/')
      stray_end(lx);
    else if (c == '/' && d == '/')
      while (lx->p < lx->end && *lx->p != '\n')
        lx->p++;
    else
      return;
  }
}

/*------------------------------------------------------------------------*/
/* Words, numbers, strings                                                 */

static int find_keyword(const char *start, size_t length)
{
  size_t low = 0, high = KEYWORDS;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *candidate = keywords[middle].text;
    int order = strncmp(candidate, start, length);
    if (!order && !candidate[length])
      return keywords[middle].kind;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

static int find_word(const lexer *lx, const char *start, size_t length)
{
  if (lx->ltl > 0)
    for (size_t i = 0; i < LTL_WORDS; i++)
      if (strlen(ltl_words[i].text) == length &&
          !memcmp(ltl_words[i].text, start, length))
        return ltl_words[i].kind;
  return find_keyword(start, length);
}

static void embedded_c(lexer *lx);

static void word(lexer *lx)
{
  const char *start = lx->p;
  while (lx->p < lx->end && is_word(*lx->p))
    lx->p++;
  size_t length = (size_t)(lx->p - start);
  int kind = find_word(lx, start, length);
  if (kind < 0) {
    push(lx, T_NAME, start)->name = name_intern(lx->names, start, length);
    return;
  }
  switch (kind) {
  case T_TRUE:
  case T_SKIP:
    push(lx, T_CONST, start)->value = 1;
    return;
  case T_FALSE:
    push(lx, T_CONST, start)->value = 0;
    return;
  case T_LTL:
    lx->ltl = LTL_HEAD;
    break;
  default:
    break;
  }
  push(lx, (pml_token_kind)kind, start)->name =
      name_intern(lx->names, start, length);
  if (kind == T_C_CODE || kind == T_C_DECL || kind == T_C_EXPR)
    embedded_c(lx);
}

/* Values wrap to 32 bits as in SPIN, which is worth a warning. */
static void number(lexer *lx)
{
  const char *start = lx->p;
  uint64_t value = 0;
  bool too_large = false;
  while (lx->p < lx->end && is_digit(*lx->p)) {
    value = value * 10 + (uint64_t)(*lx->p++ - '0');
    too_large |= value > INT64_MAX / 16;
    if (too_large)
      value = 0;
  }
  pml_token *token = push(lx, T_CONST, start);
  token->value = (int32_t)(uint32_t)value;
  token->digits = true;
  if (too_large)
    diag_error(lx->diags, token->where, "this number is too large");
  else if (value > INT32_MAX)
    diag_warn(lx->diags, token->where,
              "this number does not fit an int: it is"
              " read as %d",
              token->value);
}

static void string(lexer *lx)
{
  const char *start = lx->p++;
  while (lx->p < lx->end && *lx->p != '"' && *lx->p != '\n') {
    if (*lx->p == '\\' && lx->p + 1 < lx->end && lx->p[1] != '\n')
      lx->p++;
    lx->p++;
  }
  bool closed = lx->p < lx->end && *lx->p == '"';
  const char *stop = lx->p;
  if (closed)
    lx->p++;
  pml_token *token = push(lx, T_STRING, start);
  token->name = arena_copy(lx->mem, start + 1, (size_t)(stop - start - 1));
  if (!closed)
    diag_error(lx->diags, token->where, "this string does not end");
  else if (memchr(start, 0, (size_t)(stop - start)))
    diag_error(lx->diags, token->where, "a string must not contain byte 0");
}

static void character(lexer *lx)
{
  const char *start = lx->p++;
  int value = 0;
  if (lx->p < lx->end && *lx->p != '\n') {
    value = (unsigned char)*lx->p++;
    if (value == '\\' && lx->p < lx->end && *lx->p != '\n') {
      value = (unsigned char)*lx->p++;
      value = value == 'n'   ? '\n'
              : value == 'r' ? '\r'
              : value == 't' ? '\t'
              : value == 'f' ? '\f'
                             : value;
    }
  }
  bool closed = lx->p < lx->end && *lx->p == '\'';
  if (closed)
    lx->p++;
  pml_token *token = push(lx, T_CONST, start);
  token->value = value;
  if (!closed)
    diag_error(lx->diags, token->where, "the closing ' is missing");
}

/*------------------------------------------------------------------------*/
/* Embedded C                                                              */

/* Steps over a string or character of C, so that braces inside do not count.
** Called at the opening quote. */
static void skip_quoted(lexer *lx)
{
  char quote = *lx->p++;
  while (lx->p < lx->end && *lx->p != quote && *lx->p != '\n') {
    if (*lx->p == '\\' && lx->p + 1 < lx->end)
      lx->p++;
    lx->p++;
  }
  if (lx->p < lx->end && *lx->p == quote)
    lx->p++;
}

/* Takes everything from the bracket at hand to its partner as one token. */
static void bracketed(lexer *lx, pml_token_kind kind, char open, char close)
{
  const char *start = lx->p;
  int depth = 0;
  while (lx->p < lx->end) {
    char c = *lx->p;
    if (c == '"' || c == '\'') {
      skip_quoted(lx);
      continue;
    }
    lx->p++;
    if (c == open)
      depth++;
    else if (c == close && --depth == 0)
      break;
  }
  bool closed = depth == 0;
  const char *stop = closed ? lx->p - 1 : lx->p;
  const char *inside =
      arena_copy(lx->mem, start + 1, (size_t)(stop - start - 1));
  /* The span is that of the opening bracket: the text may be long.  Its lines
  ** are counted after that, because a span is of the line counted last. */
  const char *after = lx->p;
  lx->p = start + 1;
  pml_token *token = push(lx, kind, start);
  token->name = inside;
  lx->p = after;
  for (const char *c = start; c < after && lx->mapped; c++)
    if (*c == '\n')
      pml_map_newline(&lx->map);
  if (!closed)
    diag_error(lx->diags, token->where, "this '%c' is never closed", open);
}

static void embedded_c(lexer *lx)
{
  skip_blank(lx);
  if (lx->p < lx->end && *lx->p == '[') {
    bracketed(lx, T_C_GUARD, '[', ']');
    skip_blank(lx);
  }
  if (lx->p < lx->end && *lx->p == '{')
    bracketed(lx, T_C_TEXT, '{', '}');
}

/*------------------------------------------------------------------------*/
/* Operators                                                               */

/* In the order of trying: longer ones first. */
typedef struct symbol {
  char text[4];
  pml_token_kind kind;
} symbol;

static const symbol ltl_symbols[] = {
    {"<->", T_EQUIV}, {"[]", T_ALWAYS}, {"<>", T_EVENTUALLY}, {"->", T_IMPLIES},
    {"/\\", T_AND},   {"\\/", T_OR},    {"", T_EOF},
};

static const symbol symbols[] = {
    {"::", T_SEP},         {":", T_COLON},        {"->", T_ARROW},
    {"-->", T_ARROW}, /* as in SPIN, before the decrement */
    {"--", T_DECR},        {"-", T_MINUS},        {"++", T_INCR},
    {"+", T_PLUS},         {"<<", T_SHL},         {"<=", T_LE},
    {"<", T_LT},           {">>", T_SHR},         {">=", T_GE},
    {">", T_GT},           {"==", T_EQ},          {"=", T_ASSIGN},
    {"!=", T_NE},          {"!!", T_SORTED_SEND}, {"!", T_SEND},
    {"??", T_RANDOM_RECV}, {"?", T_RECV},         {"&&", T_AND},
    {"&", T_AMP},          {"||", T_OR},          {"|", T_BAR},
    {"..", T_DOTDOT},      {".", T_DOT},          {";", T_SEMI},
    {",", T_COMMA},        {"(", T_LPAR},         {")", T_RPAR},
    {"[", T_LBRACKET},     {"]", T_RBRACKET},     {"{", T_LBRACE},
    {"}", T_RBRACE},       {"*", T_STAR},         {"/", T_SLASH},
    {"%", T_PERCENT},      {"^", T_CARET},        {"~", T_TILDE},
    {"@", T_AT},           {"", T_EOF},
};

static const symbol *find_symbol(const lexer *lx, const symbol *s)
{
  size_t left = (size_t)(lx->end - lx->p);
  for (; *s->text; s++)
    if (s->text[0] == lx->p[0]) {
      size_t length = strlen(s->text);
      if (length <= left && !memcmp(s->text, lx->p, length))
        return s;
    }
  return NULL;
}

/* Anything that no token begins with; a run of such bytes is one error. */
static void rubbish(lexer *lx)
{
  const char *start = lx->p;
  unsigned char c = (unsigned char)*start;
  lx->p++;
  while (lx->p < lx->end && (unsigned char)*lx->p >= 0x80)
    lx->p++;
  if (c > ' ' && c < 0x7f)
    diag_error(lx->diags, here(lx, start), "unexpected character '%c'", c);
  else
    diag_error(lx->diags, here(lx, start),
               "unexpected byte 0x%02x: this is not Promela text", c);
  /* U+2018 to U+201F, as word processors write them. */
  if (lx->p - start >= 3 && c == 0xe2 && (unsigned char)start[1] == 0x80 &&
      (unsigned char)start[2] >= 0x98 && (unsigned char)start[2] <= 0x9f)
    diag_note(lx->diags, here(lx, start),
              "these are typographic quotes: write \" or '");
}

static void operator_or_rubbish(lexer *lx)
{
  const symbol *s = lx->ltl > 0 ? find_symbol(lx, ltl_symbols) : NULL;
  if (!s)
    s = find_symbol(lx, symbols);
  if (!s) {
    rubbish(lx);
    return;
  }
  const char *start = lx->p;
  lx->p += strlen(s->text);
  push(lx, s->kind, start);
  if (s->kind == T_LBRACE && lx->ltl)
    lx->ltl = lx->ltl == LTL_HEAD ? 1 : lx->ltl + 1;
  else if (s->kind == T_RBRACE && lx->ltl > 0)
    lx->ltl--;
}

/*------------------------------------------------------------------------*/

static void token(lexer *lx)
{
  char c = *lx->p;
  if (is_letter(c))
    word(lx);
  else if (is_digit(c))
    number(lx);
  else if (c == '"')
    string(lx);
  else if (c == '\'')
    character(lx);
  else
    operator_or_rubbish(lx);
}

void pml_lex(arena *mem, names *all_names, sources *files, diags *messages,
             const pml_input *in, pml_tokens *out)
{
  lexer lx = {.mem = mem,
              .names = all_names,
              .sources = files,
              .diags = messages,
              .out = out,
              .base = in->text,
              .p = in->text,
              .end = in->text + in->length,
              .file = in->file,
              .newline = true,
              .ltl = in->formula,
              .made = in->made,
              .mapped = in->preprocessed};
  if (lx.mapped) {
    pml_map_start(&lx.map, mem, files, &in->folders, in->file);
    while (lx.p < lx.end && *lx.p == '#')
      directive(&lx);
  }
  if (lx.end - lx.p >= 3 && !memcmp(lx.p, "\xef\xbb\xbf", 3))
    lx.p += 3; /* the mark some editors put before UTF-8 text */
  for (skip_blank(&lx); lx.p < lx.end; skip_blank(&lx)) {
    if (diags_full(messages))
      break;
    if (out->len >= MAX_TOKENS) {
      diag_error(messages, here(&lx, lx.p), "the model is too large");
      break;
    }
    token(&lx);
  }
  lx.p = lx.end;
  push(&lx, T_EOF, lx.p);
}
