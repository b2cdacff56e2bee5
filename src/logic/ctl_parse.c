/* Recursive descent, one function for each rule of the grammar. */

#include "logic/ctl_parse.h"

#include <string.h>

typedef struct parser {
  arena *arena;
  const char *text, *at, *end;
  uint32_t file;
  const ctl_reader *reader;
  diags *diags;
  uint32_t depth;
} parser;

static const ctl *parse_formula(parser *p);

/* ---- tokens ------------------------------------------------------------- */

static bool is_word_char(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static void skip_blanks(parser *p)
{
  while (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at)
    p->at++;
}

/* Whether the text at 'at' begins with a word or a sign. */
static bool starts(const parser *p, const char *at, const char *token)
{
  size_t n = strlen(token);
  if ((size_t)(p->end - at) < n || memcmp(at, token, n) != 0)
    return false;
  if (!is_word_char(token[n - 1]))
    return true;
  return (at + n == p->end || !is_word_char(at[n])) &&
         (at == p->text || !is_word_char(at[-1]));
}

static bool take(parser *p, const char *token)
{
  skip_blanks(p);
  if (!starts(p, p->at, token))
    return false;
  p->at += strlen(token);
  return true;
}

static span here(const parser *p, const char *from, const char *to)
{
  return (span){p->file, (uint32_t)(from - p->text), (uint32_t)(to - from)};
}

static const ctl *expected(parser *p, const char *what)
{
  skip_blanks(p);
  const char *to = p->at < p->end ? p->at + 1 : p->at;
  diag_error(p->diags, here(p, p->at, to), "expected %s", what);
  return NULL;
}

/* Signs and words that end a proposition. */
static bool ends_proposition(const parser *p, const char *at)
{
  static const char *const tokens[] = {"&&",  "||", "->",      "<->",
                                       "and", "or", "implies", "equivalent",
                                       "U",   "W",  "R",       "V"};
  for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
    if (starts(p, at, tokens[i]))
      return true;
  return *at == ')' || *at == ']';
}

/* ---- propositions ------------------------------------------------------- */

static const ctl *make_atom(parser *p, const char *from, const char *to)
{
  while (to > from && strchr(" \t\r\n", to[-1]))
    to--;
  if (to == from)
    return expected(p, "a formula");
  expr *e = p->reader->proposition(p->reader->context, from,
                                   (size_t)(to - from), here(p, from, to));
  return e ? ctl_atom(p->arena, e) : NULL;
}

static const ctl *parse_quoted(parser *p)
{
  const char *from = ++p->at;
  while (p->at < p->end && *p->at != '"')
    p->at++;
  if (p->at == p->end)
    return expected(p, "'\"'");
  return make_atom(p, from, p->at++);
}

static const ctl *parse_proposition(parser *p)
{
  const char *from = p->at;
  unsigned open = 0;
  for (; p->at < p->end; p->at++) {
    if (!open && ends_proposition(p, p->at))
      break;
    open += *p->at == '(' || *p->at == '[';
    open -= open && (*p->at == ')' || *p->at == ']');
  }
  return make_atom(p, from, p->at);
}

/* Whether the parenthesis here holds a formula: then it is followed by the
** end, an operator or a closing bracket.  '(x + 1) * 2 > y' does not. */
static bool holds_formula(const parser *p)
{
  unsigned open = 0;
  const char *at = p->at;
  for (; at < p->end; at++) {
    open += *at == '(' || *at == '[';
    open -= open && (*at == ')' || *at == ']');
    if (!open)
      break;
  }
  if (at < p->end)
    at++;
  while (at < p->end && strchr(" \t\r\n", *at))
    at++;
  return at == p->end || ends_proposition(p, at);
}

/* ---- formulas ----------------------------------------------------------- */

/* E[f U g], with the quantifier taken. */
static const ctl *parse_path(parser *p, bool all)
{
  bool bracket = take(p, "[");
  if (!bracket && !take(p, "("))
    return expected(p, "'[' after the quantifier");
  const ctl *a = parse_formula(p);
  if (!a)
    return NULL;
  ctl_op which;
  if (take(p, "U"))
    which = all ? CTL_AU : CTL_EU;
  else if (take(p, "W"))
    which = all ? CTL_AW : CTL_EW;
  else if (take(p, "R") || take(p, "V"))
    which = all ? CTL_AR : CTL_ER;
  else
    return expected(p, "'U', 'W' or 'R'");
  const ctl *b = parse_formula(p);
  if (!b)
    return NULL;
  if (!take(p, bracket ? "]" : ")"))
    return expected(p, bracket ? "']'" : "')'");
  return ctl_new(p->arena, which, a, b);
}

static bool take_unary(parser *p, ctl_op *which)
{
  static const struct {
    const char *token;
    ctl_op which;
  } unary[] = {{"!", CTL_NOT},  {"not", CTL_NOT}, {"EX", CTL_EX},
               {"EF", CTL_EF},  {"EG", CTL_EG},   {"AX", CTL_AX},
               {"AF", CTL_AF},  {"AG", CTL_AG},   {"E<>", CTL_EF},
               {"E[]", CTL_EG}, {"A<>", CTL_AF},  {"A[]", CTL_AG}};
  for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
    if (take(p, unary[i].token)) {
      *which = unary[i].which;
      return true;
    }
  return false;
}

static const ctl *parse_primary(parser *p)
{
  if (take(p, "true"))
    return ctl_new(p->arena, CTL_TRUE, NULL, NULL);
  if (take(p, "false"))
    return ctl_new(p->arena, CTL_FALSE, NULL, NULL);
  if (take(p, "E"))
    return parse_path(p, false);
  if (take(p, "A"))
    return parse_path(p, true);
  skip_blanks(p);
  if (p->at == p->end)
    return expected(p, "a formula");
  if (*p->at == '"')
    return parse_quoted(p);
  if (*p->at != '(' || !holds_formula(p))
    return parse_proposition(p);
  p->at++;
  const ctl *f = parse_formula(p);
  return f && !take(p, ")") ? expected(p, "')'") : f;
}

static const ctl *parse_operand(parser *p)
{
  ctl_op which;
  if (p->depth >= CTL_DEPTH_MAX)
    return expected(p, "a formula that is less deep");
  p->depth++;
  const ctl *f;
  if (take_unary(p, &which)) {
    f = parse_operand(p);
    f = f ? ctl_new(p->arena, which, f, NULL) : NULL;
  } else {
    f = parse_primary(p);
  }
  p->depth--;
  return f;
}

static const ctl *parse_and(parser *p)
{
  const ctl *f = parse_operand(p);
  while (f && (take(p, "&&") || take(p, "and"))) {
    const ctl *g = parse_operand(p);
    f = g ? ctl_new(p->arena, CTL_AND, f, g) : NULL;
  }
  return f;
}

static const ctl *parse_or(parser *p)
{
  const ctl *f = parse_and(p);
  while (f && (take(p, "||") || take(p, "or"))) {
    const ctl *g = parse_and(p);
    f = g ? ctl_new(p->arena, CTL_OR, f, g) : NULL;
  }
  return f;
}

static const ctl *parse_implies(parser *p)
{
  const ctl *f = parse_or(p);
  if (!f || !(take(p, "->") || take(p, "implies")))
    return f;
  const ctl *g = parse_implies(p);
  return g ? ctl_new(p->arena, CTL_IMPLIES, f, g) : NULL;
}

static const ctl *parse_formula(parser *p)
{
  if (p->depth >= CTL_DEPTH_MAX)
    return expected(p, "a formula that is less deep");
  p->depth++;
  const ctl *f = parse_implies(p);
  while (f && (take(p, "<->") || take(p, "equivalent"))) {
    const ctl *g = parse_implies(p);
    f = g ? ctl_new(p->arena, CTL_EQUIV, f, g) : NULL;
  }
  p->depth--;
  return f;
}

const ctl *ctl_parse(arena *a, const sources *s, uint32_t file,
                     const ctl_reader *reader, diags *d)
{
  size_t length;
  const char *string = source_text(s, file, &length);
  parser p = {.arena = a,
              .text = string,
              .at = string,
              .end = string + length,
              .file = file,
              .reader = reader,
              .diags = d};
  const ctl *f = parse_formula(&p);
  skip_blanks(&p);
  if (f && p.at < p.end)
    return expected(&p, "an operator or the end");
  if (f && f->depth >= CTL_DEPTH_MAX) {
    diag_error(d, here(&p, string, p.end), "the formula is too deep");
    return NULL;
  }
  return f;
}
