/* Expressions.  The operators bind, from least to most:
**
**   imply   or ||   and &&   |   ^   &   == !=   < <= > >=   << >>
**   + -   * / %   and then the unary - ~ not !
**
** DiVinE's own parsers do not agree here: to the older one 'or' and 'and' bind
** equally, and so do '|', '^', '&'; to the newer one the bit operators bind
** most of all.  Where that makes a difference, a warning asks for parentheses.
*/

#include "lang/dve/ast.h"
#include "lang/infix.h"

static const infix operators[] = {
    {T_IMPLY, 1, OP_IMPLY, false},  {T_OR, 2, OP_OR, false},
    {T_AND, 3, OP_AND, false},      {T_BAR, 4, OP_BITOR, false},
    {T_CARET, 5, OP_BITXOR, false}, {T_AMP, 6, OP_BITAND, false},
    {T_EQ, 7, OP_EQ, false},        {T_NE, 7, OP_NE, false},
    {T_LT, 8, OP_LT, false},        {T_LE, 8, OP_LE, false},
    {T_GT, 8, OP_GT, false},        {T_GE, 8, OP_GE, false},
    {T_SHL, 9, OP_SHL, false},      {T_SHR, 9, OP_SHR, false},
    {T_PLUS, 10, OP_ADD, false},    {T_MINUS, 10, OP_SUB, false},
    {T_STAR, 11, OP_MUL, false},    {T_SLASH, 11, OP_DIV, false},
    {T_PERCENT, 11, OP_MOD, false}, {SCAN_END, 0, OP_CONST, false},
};

static dve_expr *new_expr(dve_parser *p, dve_expr_kind kind, size_t first)
{
  dve_expr *e = ARENA_NEW(p->arena, dve_expr);
  e->kind = kind;
  e->depth = 1;
  e->where = scan_span(p->s, first);
  return e;
}

static bool hang(dve_parser *p, dve_expr *e, const dve_expr *below)
{
  return infix_hang(p->s, &e->depth, below->depth);
}

/* ---- operands ---------------------------------------------------------- */

/* index = "[" expression "]" */
static bool parse_index(dve_parser *p, dve_expr *e)
{
  span opened = scan_token(p->s)->where;
  if (!scan_accept(p->s, T_LBRACKET))
    return true;
  e->index = dve_parse_expr(p);
  return e->index && scan_close(p->s, T_RBRACKET, opened) &&
         hang(p, e, e->index);
}

/* reference = NAME [ "->" NAME ] [ index ] | NAME "." NAME */
static dve_expr *parse_reference(dve_parser *p)
{
  scanner *s = p->s;
  size_t first = s->at;
  dve_expr *e = new_expr(p, DVE_VARIABLE, first);
  e->name.name = scan_name(s, "an expression", &e->name.where);
  if (scan_at(s, T_DOT) || scan_at(s, T_ARROW)) {
    bool state = scan_next(s)->kind == T_DOT;
    e->kind = state ? DVE_STATE : DVE_VARIABLE;
    e->process = e->name;
    e->name.name =
        scan_name(s, state ? "the name of a state" : "the name of a variable",
                  &e->name.where);
    if (!e->name.name)
      return NULL;
  }
  if (e->kind == DVE_VARIABLE && !parse_index(p, e))
    return NULL;
  e->where = scan_span(s, first);
  return e;
}

/* group = "(" expression ")" */
static dve_expr *parse_group(dve_parser *p)
{
  size_t first = p->s->at;
  span opened = scan_next(p->s)->where;
  dve_expr *e = dve_parse_expr(p);
  if (!e || !scan_close(p->s, T_RPAR, opened))
    return NULL;
  e->grouped = true;
  e->where = scan_span(p->s, first);
  return e;
}

static void *parse_operand(void *parser);

static dve_expr *parse_unary(dve_parser *p, op o)
{
  size_t first = p->s->at;
  dve_expr *a = infix_signed(p->s, parse_operand, p);
  if (!a)
    return NULL;
  dve_expr *e = new_expr(p, DVE_UNARY, first);
  e->op = o;
  e->a = a;
  return hang(p, e, a) ? e : NULL;
}

/* operand = NUMBER | "true" | "false" | reference | group
**         | ("-" | "~" | "!" | "not") operand */
static void *parse_operand(void *parser)
{
  dve_parser *p = parser;
  size_t first = p->s->at;
  const token *t = scan_token(p->s);
  dve_expr *e;
  switch (t->kind) {
  case SCAN_NUMBER:
  case T_TRUE:
  case T_FALSE:
    scan_next(p->s);
    e = new_expr(p, DVE_NUMBER, first);
    e->value = t->kind == SCAN_NUMBER ? t->value : t->kind == T_TRUE;
    return e;
  case T_LPAR:
    return parse_group(p);
  case T_MINUS:
    return parse_unary(p, OP_NEG);
  case T_TILDE:
    return parse_unary(p, OP_COMPL);
  case T_NOT:
    return parse_unary(p, OP_NOT);
  case SCAN_NAME:
    return parse_reference(p);
  default:
    scan_wanted(p->s, "an expression");
    return NULL;
  }
}

/* ---- operators --------------------------------------------------------- */

/* What DiVinE's two parsers take as one level of their own. */
typedef enum { FAMILY_NONE, FAMILY_LOGIC, FAMILY_BITS, FAMILY_OTHER } family;

static family family_of(const dve_expr *e)
{
  if (e->kind != DVE_BINARY || e->grouped)
    return FAMILY_NONE;
  switch (e->op) {
  case OP_IMPLY:
  case OP_OR:
  case OP_AND:
    return FAMILY_LOGIC;
  case OP_BITOR:
  case OP_BITXOR:
  case OP_BITAND:
  case OP_SHL:
  case OP_SHR:
    return FAMILY_BITS;
  default:
    return FAMILY_OTHER;
  }
}

/* Different operators of one family side by side, or a bit operator beside
** arithmetic or comparison, mean different things to different tools. */
static bool is_disputed(const dve_expr *e, const dve_expr *operand)
{
  family mine = family_of(e), other = family_of(operand);
  if (other == FAMILY_NONE)
    return false;
  if (mine == other)
    return mine != FAMILY_OTHER && e->op != operand->op;
  return mine != FAMILY_LOGIC && other != FAMILY_LOGIC;
}

static void warn_if_disputed(dve_parser *p, const dve_expr *e)
{
  if (is_disputed(e, e->a) || is_disputed(e, e->b))
    diag_warn(p->s->diags, e->where,
              "DiVinE may group these operators in another way; parentheses "
              "make it clear");
}

static void *join(void *parser, op o, void *left, void *right, size_t first)
{
  dve_parser *p = parser;
  dve_expr *e = new_expr(p, DVE_BINARY, first);
  e->op = o;
  e->a = left;
  e->b = right;
  if (!hang(p, e, e->a) || !hang(p, e, e->b))
    return NULL;
  warn_if_disputed(p, e);
  return e;
}

/* expression = operand { OPERATOR operand } */
dve_expr *dve_parse_expr(dve_parser *p)
{
  static const infix_language language = {operators, parse_operand, join};
  return infix_expression(p->s, &language, p);
}
