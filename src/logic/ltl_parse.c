/* Formulas from text: first tokens, then a tree for each of three readings. */

#include "logic/ltl_parse.h"

#include "base/alloc.h"
#include "base/vec.h"
#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { NESTING_MAX = 1000 };

typedef struct spelling {
  const char *text;
  ltl_op op;
} spelling;

/* Longer ones before their beginnings. */
static const spelling signs[] = {
    {"<->", LTL_EQUIV},     {"<=>", LTL_EQUIV},   {"->", LTL_IMPLIES},
    {"=>", LTL_IMPLIES},    {"&&", LTL_AND},      {"/\\", LTL_AND},
    {"||", LTL_OR},         {"\\/", LTL_OR},      {"[]", LTL_ALWAYS},
    {"<>", LTL_EVENTUALLY}, {"!=", LTL_OP_COUNT}, {"!", LTL_NOT}};

/* Signs that only mean logic when no language reads the propositions. */
static const spelling lone_signs[] = {
    {"&", LTL_AND}, {"|", LTL_OR}, {"~", LTL_NOT}};

enum {
  SIGNS = sizeof signs / sizeof *signs,
  LONE_SIGNS = sizeof lone_signs / sizeof *lone_signs
};

/* A piece of a formula's text: an operator, a proposition, a parenthesis. */
typedef struct token {
  enum { TOKEN_OPERATOR, TOKEN_OPERAND, TOKEN_OPEN, TOKEN_CLOSE } kind;
  ltl_op op;          /* TOKEN_OPERATOR */
  const ltl *operand; /* TOKEN_OPERAND */
} token;

typedef VEC(token) token_list;

typedef struct parser {
  arena *memory;
  const ltl_reader *reader;
  diags *diags;
  const char *text;
  span where;
  uint32_t at, end; /* positions in the file */
  token_list tokens;
  text printed; /* for a message */
  const ltl *made;
} parser;

static bool is_word_char(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

static bool opens(char c)
{
  return c == '(' || c == '[' || c == '{';
}

static bool closes(char c)
{
  return c == ')' || c == ']' || c == '}';
}

static span span_of(const parser *p, uint32_t start, uint32_t end)
{
  return (span){p->where.file, start, end - start};
}

/* ---- cutting the text into tokens -----------------------------------------
 */

static void skip_blanks(parser *p)
{
  while (p->at < p->end && isspace((unsigned char)p->text[p->at]))
    p->at++;
}

static uint32_t word_length(const parser *p, uint32_t at)
{
  uint32_t n = 0;
  while (at + n < p->end && is_word_char(p->text[at + n]))
    n++;
  return n;
}

/* The length of the sign at a position, or 0; sets '*op' then. */
static uint32_t find_sign(const parser *p, uint32_t at, const spelling *table,
                          size_t count, ltl_op *op)
{
  for (size_t i = 0; i < count; i++) {
    size_t n = strlen(table[i].text);
    if (p->end - at < n || memcmp(p->text + at, table[i].text, n) != 0)
      continue;
    *op = table[i].op;
    return *op == LTL_OP_COUNT ? 0 : (uint32_t)n;
  }
  return 0;
}

/* The length of the operator at a position, or 0; sets '*op' then.  The
** position must not be inside of a word. */
static uint32_t operator_at(const parser *p, uint32_t at, ltl_op *op)
{
  uint32_t n = word_length(p, at);
  if (n) {
    *op = ltl_operator(p->text + at, n);
    return *op != LTL_OP_COUNT && ltl_arity(*op) ? n : 0;
  }
  n = find_sign(p, at, signs, SIGNS, op);
  return n || p->reader ? n : find_sign(p, at, lone_signs, LONE_SIGNS, op);
}

/* Behind the bracket that closes the one at 'at', or 0 when none does. */
static uint32_t behind_bracket(const parser *p, uint32_t at)
{
  uint32_t depth = 0;
  for (; at < p->end; at++) {
    if (opens(p->text[at]))
      depth++;
    else if (closes(p->text[at]) && --depth == 0)
      return at + 1;
  }
  return 0;
}

static bool fail(parser *p, uint32_t start, uint32_t end, const char *message)
{
  diag_error(p->diags, span_of(p, start, end), "%s", message);
  return false;
}

/* Says what stands where an operator or operand should; p->at is there. */
static bool unexpected(parser *p, const char *expected)
{
  ltl_op op;
  uint32_t n = operator_at(p, p->at, &op);
  if (n == 0)
    n = word_length(p, p->at);
  if (n == 0 && p->at < p->end)
    n = 1;
  if (n == 0)
    diag_error(p->diags, span_of(p, p->at, p->at),
               "expected %s, but the formula ends here", expected);
  else
    diag_error(p->diags, span_of(p, p->at, p->at + n),
               "expected %s, found '%.*s'", expected, (int)n, p->text + p->at);
  return false;
}

/* Finds the end of the proposition that starts at p->at: the next operator,
** closing parenthesis, or end; blanks before it are not part of it.  False
** after an error. */
static bool find_end(parser *p, uint32_t *end)
{
  uint32_t at = p->at;
  ltl_op op;
  *end = at;
  while (at < p->end && p->text[at] != ')') {
    bool negation = p->text[at] == '!' && at > p->at;
    if (operator_at(p, at, &op) && !negation)
      break;
    uint32_t n = word_length(p, at);
    if (closes(p->text[at]))
      return fail(p, at, at + 1, "this bracket closes nothing");
    if (opens(p->text[at])) {
      n = behind_bracket(p, at);
      if (n == 0)
        return fail(p, at, at + 1, "this bracket is never closed");
      n -= at;
    }
    bool blank = isspace((unsigned char)p->text[at]);
    at += n ? n : 1;
    if (!blank)
      *end = at;
  }
  return true;
}

static bool is_text(const char *string, uint32_t n, const char *expected)
{
  return strlen(expected) == n && memcmp(string, expected, n) == 0;
}

static const ltl *leaf(parser *p, uint32_t start, uint32_t end)
{
  const char *copy = arena_copy(p->memory, p->text + start, end - start);
  return ltl_leaf(p->memory, copy, NULL);
}

/* Without a language: two words in a row lack an operator between them. */
static const ltl *plain_proposition(parser *p, uint32_t start, uint32_t end)
{
  const char *string = p->text + start;
  uint32_t n = end - start;
  if (is_text(string, n, "true") || is_text(string, n, "1"))
    return ltl_new(p->memory, LTL_TRUE, NULL, NULL);
  if (is_text(string, n, "false") || is_text(string, n, "0"))
    return ltl_new(p->memory, LTL_FALSE, NULL, NULL);
  for (uint32_t i = start + 1; i < end; i++) {
    char before = p->text[i - 1];
    if (!isspace((unsigned char)before) && before != ')')
      continue;
    uint32_t last = i;
    while (last > start && isspace((unsigned char)p->text[last - 1]))
      last--;
    char c = p->text[last - 1];
    if ((is_word_char(c) || c == ')' || c == ']') &&
        (is_word_char(p->text[i]) || p->text[i] == '(')) {
      p->at = i;
      unexpected(p, "an operator");
      return NULL;
    }
  }
  return leaf(p, start, end);
}

static bool add_token(parser *p, token t)
{
  vec_push(&p->tokens, t);
  return true;
}

/* Gives a proposition to the language. */
static bool read_text(parser *p, uint32_t start, uint32_t end, bool quoted)
{
  const ltl *f;
  if (start == end)
    return unexpected(p, "a formula");
  if (p->reader)
    f = p->reader->proposition(p->reader->context, p->text + start, end - start,
                               span_of(p, start, end));
  else if (quoted)
    f = leaf(p, start, end);
  else
    f = plain_proposition(p, start, end);
  return f && add_token(p, (token){.kind = TOKEN_OPERAND, .operand = f});
}

static bool read_quoted(parser *p)
{
  uint32_t start = ++p->at;
  while (p->at < p->end && p->text[p->at] != '"')
    p->at++;
  if (p->at == p->end)
    return fail(p, start - 1, p->end, "this quotation mark is never closed");
  p->at++;
  if (p->at - 1 == start)
    return fail(p, start - 1, p->at, "an empty proposition");
  return read_text(p, start, p->at - 1, true);
}

/* Whether the parenthesis at p->at encloses a formula: then an operator, a
** parenthesis or the end follows.  Otherwise it begins a proposition, such as
** '(x + 1) > y'. */
static bool encloses_formula(const parser *p)
{
  uint32_t at = behind_bracket(p, p->at);
  if (at == 0)
    return true; /* the error is found later, and told better */
  while (at < p->end && isspace((unsigned char)p->text[at]))
    at++;
  if (at == p->end || p->text[at] == ')')
    return true;
  ltl_op op;
  return operator_at(p, at, &op) && ltl_arity(op) == 2;
}

/* Reads what can start an operand.  '*complete' tells whether an operator must
** follow. */
static bool read_operand(parser *p, uint32_t *nesting, bool *complete)
{
  *complete = false;
  ltl_op op;
  uint32_t n = p->at < p->end ? operator_at(p, p->at, &op) : 0;
  if (n && ltl_arity(op) == 1) {
    p->at += n;
    return add_token(p, (token){.kind = TOKEN_OPERATOR, .op = op});
  }
  if (n || p->at == p->end || p->text[p->at] == ')')
    return unexpected(p, "a formula");
  if (p->text[p->at] == '(' && encloses_formula(p)) {
    if (++*nesting > NESTING_MAX)
      return fail(p, p->at, p->at + 1, "parentheses are nested too deeply");
    p->at++;
    return add_token(p, (token){.kind = TOKEN_OPEN});
  }
  *complete = true;
  if (p->text[p->at] == '"')
    return read_quoted(p);
  uint32_t start = p->at, end;
  if (!find_end(p, &end) || !read_text(p, start, end, false))
    return false;
  p->at = end;
  return true;
}

/* Reads what can stand behind an operand. */
static bool read_operator(parser *p, uint32_t *nesting, bool *complete)
{
  if (p->text[p->at] == ')') {
    if (*nesting == 0)
      return fail(p, p->at, p->at + 1, "this parenthesis closes nothing");
    --*nesting;
    p->at++;
    return add_token(p, (token){.kind = TOKEN_CLOSE});
  }
  ltl_op op;
  uint32_t n = operator_at(p, p->at, &op);
  if (!n || ltl_arity(op) != 2)
    return unexpected(p, "an operator");
  p->at += n;
  *complete = false;
  return add_token(p, (token){.kind = TOKEN_OPERATOR, .op = op});
}

/* Makes the tokens, which then are known to be a formula. */
static bool read_tokens(parser *p)
{
  bool complete = false;
  uint32_t nesting = 0;
  for (;;) {
    skip_blanks(p);
    if (complete && p->at == p->end)
      break;
    bool good = complete ? read_operator(p, &nesting, &complete)
                         : read_operand(p, &nesting, &complete);
    if (!good)
      return false;
  }
  if (nesting > 0)
    return unexpected(p, "')'");
  return true;
}

/* ---- from tokens to a formula ---------------------------------------------
 */

/* Who binds how tightly: the three readings of a formula. */
typedef enum { READ_BLOCK, READ_SPIN_F, READ_TEXTBOOK, READINGS } reading;

static unsigned strength(ltl_op op, reading how)
{
  switch (op) {
  case LTL_EQUIV:
    return 1;
  case LTL_IMPLIES:
    return how == READ_TEXTBOOK ? 2 : 1;
  case LTL_OR:
    return how == READ_SPIN_F ? 1 : 3;
  case LTL_AND:
    return how == READ_SPIN_F ? 1 : 4;
  default:
    return 5;
  }
}

/* Whether an operator that follows an operand takes it away from 'before'. */
static bool groups_right(ltl_op op, ltl_op before, reading how)
{
  unsigned mine = strength(op, how), other = strength(before, how);
  bool chain = how == READ_TEXTBOOK && (mine == 2 || mine == 5);
  return mine > other || (mine == other && chain);
}

typedef struct builder {
  arena *memory;
  const token_list *tokens;
  size_t at; /* the next token */
  reading how;
  uint32_t nesting;
  bool too_deep;
} builder;

static const ltl *build_formula(builder *, const token *before);

static const ltl *too_deep(builder *b)
{
  b->too_deep = true;
  return ltl_new(b->memory, LTL_FALSE, NULL, NULL);
}

/* operand: { unary } ( '(' formula ')' | proposition ) */
static const ltl *build_operand(builder *b)
{
  token t = b->tokens->data[b->at];
  const ltl *f;
  if (b->nesting > 4 * NESTING_MAX)
    return too_deep(b);
  b->nesting++;
  b->at++;
  if (t.kind == TOKEN_OPERATOR) {
    f = ltl_new(b->memory, t.op, build_operand(b), NULL);
  } else if (t.kind == TOKEN_OPEN) {
    f = build_formula(b, NULL);
    b->at++;
  } else {
    f = t.operand;
  }
  b->nesting--;
  return f;
}

/* formula: operand { binary operand }, up to an operator that does not take
** its operand away from the one before, if there is one. */
static const ltl *build_formula(builder *b, const token *before)
{
  const ltl *f = build_operand(b);
  while (!b->too_deep && b->at < b->tokens->len) {
    token t = b->tokens->data[b->at];
    if (t.kind == TOKEN_CLOSE ||
        (before && !groups_right(t.op, before->op, b->how)))
      break;
    if (b->nesting > 4 * NESTING_MAX || f->depth > LTL_DEPTH_MAX)
      return too_deep(b);
    b->at++;
    b->nesting++;
    const ltl *right = build_formula(b, &t);
    b->nesting--;
    f = ltl_new(b->memory, t.op, f, right);
  }
  return f;
}

/* Whether two readings of the same tokens, with the same leaves, are one. */
static bool same_reading(const ltl *f, const ltl *g)
{
  /* Down the left side without recursion: chains of && are long there. */
  for (; f != g; f = f->a, g = g->a)
    if (!f || !g || f->op != g->op || !same_reading(f->b, g->b))
      return false;
  return true;
}

/* Tells how a formula is read that others may read differently. */
static void warn_about_reading(parser *p, const ltl *f)
{
  ltl_print(NULL, f, LTL_SPIN, &p->printed);
  diag_warn(p->diags, p->where,
            "read as '%s'; parentheses would make it certain",
            text_string(&p->printed));
}

static const ltl *build(parser *p)
{
  const ltl *readings[READINGS];
  for (reading how = 0; how < READINGS; how++) {
    builder b = {.memory = p->memory, .tokens = &p->tokens, .how = how};
    readings[how] = build_formula(&b, NULL);
    bool deep = b.too_deep || readings[how]->depth > LTL_DEPTH_MAX;
    if (deep && how == READ_BLOCK) {
      diag_error(p->diags, p->where, "the formula is nested too deeply");
      return NULL;
    }
    if (deep) /* nobody reads such a formula without parentheses */
      readings[how] = readings[READ_BLOCK];
  }
  const ltl *f = readings[READ_BLOCK];
  if (!same_reading(f, readings[READ_SPIN_F]) ||
      !same_reading(f, readings[READ_TEXTBOOK]))
    warn_about_reading(p, f);
  return f;
}

static void do_parse(void *context)
{
  parser *p = context;
  p->made = read_tokens(p) ? build(p) : NULL;
}

static void tidy_parser(void *context)
{
  parser *p = context;
  vec_free(&p->tokens);
  text_free(&p->printed);
}

const ltl *ltl_parse(arena *memory, const sources *s, span where,
                     const ltl_reader *reader, diags *d)
{
  parser p = {.memory = memory, .reader = reader, .diags = d, .where = where};
  size_t length;
  p.text = source_text(s, where.file, &length);
  p.at = where.start;
  p.end = where.start + where.length;
  assert(p.end <= length);
  (void)length;
  mem_protect_tidy(do_parse, tidy_parser, &p);
  return p.made;
}
