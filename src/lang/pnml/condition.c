/* Conditions of the command line over a net.  Operators bind, from least to
** most:   ||   &&   == !=   < <= > >=   + -   *   and the unary ! and -.
**
** A place stands for its tokens; 'fireable(t1, t2)' is true when one of the
** transitions is enabled. */

#include "base/text/nearest.h"
#include "lang/infix.h"
#include "lang/loading.h"
#include "lang/pnml/pnml.h"

enum {
  T_OR = SCAN_OWN,
  T_AND,
  T_EQ,
  T_NE,
  T_LT,
  T_LE,
  T_GT,
  T_GE,
  T_PLUS,
  T_MINUS,
  T_STAR,
  T_NOT,
  T_LPAR,
  T_RPAR,
  T_COMMA,
  T_FIREABLE
};

static const scan_word operators[] = {
    {"||", T_OR},  {"&&", T_AND},  {"==", T_EQ},   {"!=", T_NE},
    {"<=", T_LE},  {">=", T_GE},   {"<", T_LT},    {">", T_GT},
    {"+", T_PLUS}, {"-", T_MINUS}, {"*", T_STAR},  {"!", T_NOT},
    {"(", T_LPAR}, {")", T_RPAR},  {",", T_COMMA}, {NULL, 0},
};
static const scan_word keywords[] = {{"fireable", T_FIREABLE}, {NULL, 0}};
static const scan_comment comments[] = {{NULL, NULL, false}};
static const scan_language language = {operators, keywords, comments,
                                       NULL,      ".$",     false};

static const infix infixes[] = {
    {T_OR, 1, OP_OR, false},    {T_AND, 2, OP_AND, false},
    {T_EQ, 3, OP_EQ, false},    {T_NE, 3, OP_NE, false},
    {T_LT, 4, OP_LT, false},    {T_LE, 4, OP_LE, false},
    {T_GT, 4, OP_GT, false},    {T_GE, 4, OP_GE, false},
    {T_PLUS, 5, OP_ADD, false}, {T_MINUS, 5, OP_SUB, false},
    {T_STAR, 6, OP_MUL, false}, {SCAN_END, 0, OP_CONST, false},
};

typedef struct parser {
  scanner *s;
  model *model;
  uint32_t operations; /* in a row they make a deep tree */
} parser;

static expr *parse_expr(parser *p);
static void *parse_operand(void *with);

static void suggest_node(parser *p, const char *id, pnml_kind kind, span where)
{
  const pnml_net *net = pnml_net_of(p->model);
  nearest n = {.name = id};
  for (uint32_t i = 0; kind == PNML_PLACE && i < net->place_count; i++)
    nearest_try(&n, net->places[i].id);
  for (uint32_t i = 0; kind != PNML_PLACE && i < net->transition_count; i++)
    nearest_try(&n, net->transitions[i].id);
  if (n.best)
    diag_note(p->s->diags, where, "the nearest name is '%s'", n.best);
}

/* The node a name stands for; NULL with an error. */
static const pnml_node *parse_node(parser *p, pnml_kind kind)
{
  const char *what = kind == PNML_PLACE ? "a place" : "a transition";
  span where;
  const char *id = scan_name(p->s, what, &where);
  const pnml_node *n = id ? pnml_find(pnml_net_of(p->model), id) : NULL;
  if (id && (!n || n->kind != kind)) {
    diag_error(p->s->diags, where, "'%s' is not %s of the net", id, what);
    suggest_node(p, id, kind, where);
    return NULL;
  }
  return n;
}

/* fireable = "fireable" "(" TRANSITION { "," TRANSITION } ")" */
static expr *parse_fireable(parser *p)
{
  span where = scan_next(p->s)->where, opened = scan_token(p->s)->where;
  expr *result = NULL;
  if (!scan_expect(p->s, T_LPAR))
    return NULL;
  do {
    const pnml_node *n = parse_node(p, PNML_TRANSITION);
    if (!n || ++p->operations > SCAN_DEPTH_MAX)
      return NULL;
    expr *one = pnml_fireable_node(p->model, n, where);
    result = result ? expr_new(p->model, OP_OR, result, one, NULL, where) : one;
  } while (scan_accept(p->s, T_COMMA));
  return scan_close(p->s, T_RPAR, opened) ? result : NULL;
}

static expr *parse_unary(parser *p, op o)
{
  span where = scan_token(p->s)->where;
  expr *a = infix_signed(p->s, parse_operand, p);
  return a ? expr_new(p->model, o, a, NULL, NULL, where) : NULL;
}

static expr *parse_group(parser *p)
{
  span opened = scan_next(p->s)->where;
  if (!scan_enter(p->s))
    return NULL;
  expr *e = parse_expr(p);
  scan_leave(p->s);
  return e && scan_close(p->s, T_RPAR, opened) ? e : NULL;
}

/* operand = NUMBER | PLACE | fireable | "(" expr ")" | ("!" | "-") operand */
static void *parse_operand(void *with)
{
  parser *p = with;
  const token *t = scan_token(p->s);
  const pnml_node *n;
  switch (t->kind) {
  case SCAN_NUMBER:
    scan_next(p->s);
    return expr_const(p->model, t->value, t->where);
  case SCAN_NAME:
    n = parse_node(p, PNML_PLACE);
    return n ? pnml_tokens_of_node(p->model, n, t->where) : NULL;
  case T_FIREABLE:
    return parse_fireable(p);
  case T_LPAR:
    return parse_group(p);
  case T_NOT:
    return parse_unary(p, OP_NOT);
  case T_MINUS:
    return parse_unary(p, OP_NEG);
  default:
    scan_wanted(p->s, "a place, a number or 'fireable'");
    return NULL;
  }
}

static void *join(void *with, op o, void *left, void *right, size_t first)
{
  parser *p = with;
  span where = scan_span(p->s, first);
  if (++p->operations <= SCAN_DEPTH_MAX)
    return expr_new(p->model, o, left, right, NULL, where);
  scan_error(p->s, first, "the condition has more than %d operations",
             SCAN_DEPTH_MAX);
  return NULL;
}

/* expr = operand { OPERATOR operand } */
static expr *parse_expr(parser *p)
{
  static const infix_language rules = {infixes, parse_operand, join};
  return infix_parse(p->s, &rules, p, 1);
}

static void *parse_condition(loading *g, model *m)
{
  parser p = {.s = &g->scanner, .model = m};
  return parse_expr(&p);
}

/* What is read is an expression of the model at once. */
static expr *lower_condition(model *m, diags *d, void *tree)
{
  (void)m, (void)d;
  return tree;
}

expr *pnml_read_condition(model *m, diags *d, uint32_t file)
{
  static const condition_rules rules = {&language, parse_condition,
                                        lower_condition};
  return loading_condition(m, d, file, &rules);
}
