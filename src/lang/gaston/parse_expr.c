/* Expressions.  The operators bind, from least to most:
**
**   implies   or   and   = <> < <= > >=   + -   * / mod   and the unary - not
**
** 'all' and 'some' reach as far to the right as they can. */

#include "lang/gaston/ast.h"
#include "lang/infix.h"

static const infix operators[] = {
    {T_IMPLIES, 1, OP_IMPLY, false}, {T_OR, 2, OP_OR, false},
    {T_AND, 3, OP_AND, false},       {T_EQ, 4, OP_EQ, true},
    {T_NE, 4, OP_NE, true},          {T_LT, 4, OP_LT, true},
    {T_LE, 4, OP_LE, true},          {T_GT, 4, OP_GT, true},
    {T_GE, 4, OP_GE, true},          {T_PLUS, 5, OP_ADD, false},
    {T_MINUS, 5, OP_SUB, false},     {T_STAR, 6, OP_MUL, false},
    {T_SLASH, 6, OP_DIV, false},     {T_MOD, 6, OP_MOD, false},
    {SCAN_END, 0, OP_CONST, false},
};

static gst_expr *new_expr(gst_parser *p, gst_expr_kind kind, size_t first)
{
  gst_expr *e = ARENA_NEW(p->arena, gst_expr);
  e->kind = kind;
  e->depth = 1;
  e->where = scan_span(p->s, first);
  return e;
}

static bool hang(gst_parser *p, gst_expr *e, const gst_expr *below)
{
  return infix_hang(p->s, &e->depth, below->depth);
}

/* ---- operands ---------------------------------------------------------- */

/* selector = "[" expression "]" | "." NAME */
static bool parse_selector(gst_parser *p, gst_expr *e, gst_selector *to)
{
  scanner *s = p->s;
  span opened = scan_token(s)->where;
  if (scan_accept(s, T_DOT)) {
    to->field.name = scan_name(s, "the name of a field", &to->field.where);
    return to->field.name;
  }
  scan_next(s);
  to->index = gst_parse_expr(p);
  return to->index && scan_close(s, T_RBRACKET, opened) &&
         hang(p, e, to->index);
}

/* path = NAME { selector } [ "@" NAME ] */
static gst_expr *parse_path(gst_parser *p)
{
  scanner *s = p->s;
  size_t first = s->at;
  gst_expr *e = new_expr(p, GST_PATH, first);
  gst_selector **tail = &e->selectors;
  uint32_t count = 0;
  e->name.name = scan_name(s, "an expression", &e->name.where);
  while (scan_at(s, T_DOT) || scan_at(s, T_LBRACKET)) {
    gst_selector *to = ARENA_NEW(p->arena, gst_selector);
    if (++count > SCAN_DEPTH_MAX) {
      scan_error(s, first, "nothing has so many parts");
      return NULL;
    }
    if (!parse_selector(p, e, to))
      return NULL;
    GST_APPEND(tail, to);
  }
  if (scan_accept(s, T_AT)) {
    e->label.name = scan_name(s, "the name of a label", &e->label.where);
    if (!e->label.name)
      return NULL;
  }
  e->where = scan_span(s, first);
  return e;
}

/* group = "(" expression ")" */
static gst_expr *parse_group(gst_parser *p)
{
  size_t first = p->s->at;
  span opened = scan_next(p->s)->where;
  gst_expr *e = gst_parse_expr(p);
  if (!e || !scan_close(p->s, T_RPAR, opened))
    return NULL;
  e->where = scan_span(p->s, first);
  return e;
}

/* quantified = ( "all" | "some" ) NAME "in" type ":" expression */
static gst_expr *parse_quantified(gst_parser *p)
{
  scanner *s = p->s;
  size_t first = s->at;
  gst_expr *e = new_expr(p, scan_at(s, T_ALL) ? GST_ALL : GST_SOME, first);
  scan_next(s);
  e->name.name = scan_name(s, "a name", &e->name.where);
  if (!e->name.name || !scan_expect(s, T_IN) ||
      !(e->over = gst_parse_type(p)) || !scan_expect(s, T_COLON) ||
      !(e->a = gst_parse_expr(p)))
    return NULL;
  e->where = scan_span(s, first);
  return hang(p, e, e->a) ? e : NULL;
}

static void *parse_operand(void *parser);

static gst_expr *parse_unary(gst_parser *p, op o)
{
  size_t first = p->s->at;
  gst_expr *a = infix_signed(p->s, parse_operand, p);
  if (!a)
    return NULL;
  gst_expr *e = new_expr(p, GST_UNARY, first);
  e->op = o;
  e->a = a;
  return hang(p, e, a) ? e : NULL;
}

/* operand = NUMBER | "true" | "false" | path | group | quantified
**         | ( "-" | "not" ) operand */
static void *parse_operand(void *parser)
{
  gst_parser *p = parser;
  size_t first = p->s->at;
  const token *t = scan_token(p->s);
  gst_expr *e;
  switch (t->kind) {
  case SCAN_NUMBER:
  case T_TRUE:
  case T_FALSE:
    scan_next(p->s);
    e = new_expr(p, t->kind == SCAN_NUMBER ? GST_NUMBER : GST_TRUTH, first);
    e->value = t->kind == SCAN_NUMBER ? t->value : t->kind == T_TRUE;
    return e;
  case T_LPAR:
    return parse_group(p);
  case T_MINUS:
    return parse_unary(p, OP_NEG);
  case T_NOT:
    return parse_unary(p, OP_NOT);
  case T_ALL:
  case T_SOME:
    return parse_quantified(p);
  case SCAN_NAME:
    return parse_path(p);
  default:
    scan_wanted(p->s, "an expression");
    return NULL;
  }
}

/* ---- operators --------------------------------------------------------- */

static void *join(void *parser, op o, void *left, void *right, size_t first)
{
  gst_parser *p = parser;
  gst_expr *e = new_expr(p, GST_BINARY, first);
  e->op = o;
  e->a = left;
  e->b = right;
  return hang(p, e, e->a) && hang(p, e, e->b) ? e : NULL;
}

/* expression = operand { OPERATOR operand }.  Comparisons do not follow each
** other: 'a < b < c' means nothing. */
gst_expr *gst_parse_expr(gst_parser *p)
{
  static const infix_language language = {operators, parse_operand, join};
  return infix_expression(p->s, &language, p);
}
