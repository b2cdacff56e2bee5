/* Expressions, from weak to strong:
**
**   expression = conjunction { ( "|" | "->" | "=>" ) conjunction }
**   conjunction = negation { "&" negation }
**   negation = { "~" } relation
**   relation = sum [ ( "=" | "<" | "<=" | ">" | ">=" ) sum ]
**   sum = product { ( "+" | "-" ) product }
**   product = power { ( "*" | "/" | "%" ) power }
**   power = unary [ "^" unary ]
**   unary = [ "-" ] primary
**   primary = NUMBER | NAME | NAME "(" [ value { "," value } ] ")"
**           | "(" expression ")" */

#include "lang/lpn/lpn_net.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

/* Larger ones are refused: conditions are written out when properties are
** made, so that what is shared here is not shared there. */
enum { WEIGHT_MAX = 100000 };

static const struct {
  const char *name;
  int arity;
} functions[] = {
    {"and", 2},  {"or", 2},  {"xor", 2},   {"not", 1},  {"min", 2}, {"max", 2},
    {"idiv", 2}, {"int", 1}, {"floor", 1}, {"ceil", 1}, {"bit", 2}, {"mod", 2},
};

static int arity_of(const char *name)
{
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
    if (!strcasecmp(name, functions[i].name))
      return functions[i].arity;
  return -1;
}

bool net_is_function(const char *name)
{
  return arity_of(name) >= 0;
}

static net_expr *new_expr(net_parser *p, net_expr_kind kind, span where)
{
  net_expr *e = ARENA_NEW(p->arena, net_expr);
  e->kind = kind;
  e->weight = e->depth = 1;
  e->where = where;
  return e;
}

static net_expr *new_number(net_parser *p, int32_t value, span where)
{
  net_expr *e = new_expr(p, NET_NUMBER, where);
  e->value = value;
  return e;
}

net_expr *net_make(net_parser *p, op o, net_expr *a, net_expr *b, net_expr *c,
                   span where)
{
  net_expr *e = new_expr(p, NET_OP, where);
  e->op = o;
  e->args[0] = a;
  e->args[1] = b;
  e->args[2] = c;
  for (int i = 0; i < 3 && e->args[i]; i++) {
    e->weight += e->args[i]->weight;
    if (e->depth <= e->args[i]->depth)
      e->depth = e->args[i]->depth + 1;
  }
  if (e->weight <= WEIGHT_MAX && e->depth <= SCAN_DEPTH_MAX)
    return e;
  diag_error(p->s->diags, where, "the expression is too large");
  return NULL;
}

/* ---- numbers ----------------------------------------------------------- */

bool net_parse_number(net_parser *p, int32_t *value)
{
  bool minus = scan_accept(p->s, T_MINUS);
  const token *t = scan_token(p->s);
  if (t->kind != SCAN_NUMBER) {
    scan_wanted(p->s, "a number");
    return false;
  }
  scan_next(p->s);
  *value = minus ? -t->value : t->value;
  return true;
}

/* ---- functions --------------------------------------------------------- */

static net_expr *make_call(net_parser *p, const char *name, net_expr **args,
                           span where)
{
  net_expr *a = args[0], *b = args[1];
  static const struct {
    const char *name;
    op op;
  } plain[] = {{"and", OP_BITAND}, {"or", OP_BITOR}, {"xor", OP_BITXOR},
               {"not", OP_COMPL},  {"idiv", OP_DIV}, {"mod", OP_MOD}};
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    if (!strcasecmp(name, plain[i].name))
      return net_make(p, plain[i].op, a, b, NULL, where);
  if (!strcasecmp(name, "bit")) {
    net_expr *shifted = net_make(p, OP_SHR, a, b, NULL, where);
    return shifted ? net_make(p, OP_BITAND, shifted, new_number(p, 1, where),
                              NULL, where)
                   : NULL;
  }
  if (!strcasecmp(name, "min") || !strcasecmp(name, "max")) {
    bool least = !strcasecmp(name, "min");
    net_expr *test = net_make(p, least ? OP_LT : OP_GT, a, b, NULL, where);
    return test ? net_make(p, OP_COND, test, a, b, where) : NULL;
  }
  if (!strcasecmp(name, "int") && a->real)
    a->real = false; /* towards 0, as integers are divided */
  return a;          /* of an integer: int, floor and ceil */
}

static net_expr *parse_call(net_parser *p, const char *name, size_t first)
{
  net_expr *args[2] = {NULL, NULL};
  int arity = arity_of(name), count = 0;
  if (p->asks && !strcmp(name, "fireable"))
    return net_parse_fireable(p, first);
  span opened = scan_next(p->s)->where;
  if (arity < 0) {
    scan_error(p->s, first, "there is no function '%s' for discrete nets",
               name);
    return NULL;
  }
  for (bool more = true; more; more = scan_accept(p->s, T_COMMA)) {
    net_expr *e = net_parse_expr(p);
    if (!e)
      return NULL;
    if (count == arity) {
      scan_error(p->s, first, "'%s' takes %d value%s", name, arity,
                 arity == 1 ? "" : "s");
      return NULL;
    }
    args[count++] = e;
  }
  if (!scan_close(p->s, T_RPAR, opened))
    return NULL;
  if (count < arity) {
    scan_error(p->s, first, "'%s' takes %d values", name, arity);
    return NULL;
  }
  return make_call(p, name, args, scan_span(p->s, first));
}

/* ---- operands ---------------------------------------------------------- */

/* Letters for truth values are names when a variable has that name. */
static net_expr *parse_word(net_parser *p)
{
  size_t first = p->s->at;
  const token *t = scan_next(p->s);
  if (scan_at(p->s, T_LPAR))
    return parse_call(p, t->name, first);
  bool known =
      p->module && net_find(&p->module->variable_of, t->name) != NET_NONE;
  if (!known && (!strcasecmp(t->name, "true") || !strcasecmp(t->name, "t")))
    return new_number(p, 1, t->where);
  if (!known && (!strcasecmp(t->name, "false") || !strcasecmp(t->name, "f")))
    return new_number(p, 0, t->where);
  if (!known &&
      (!strcasecmp(t->name, "unknown") || !strcasecmp(t->name, "maybe") ||
       !strcasecmp(t->name, "inf"))) {
    scan_error(p->s, first, "'%s' has no value in a discrete net", t->name);
    return NULL;
  }
  net_expr *e = new_expr(p, NET_NAME, t->where);
  e->name = t->name;
  return e;
}

static net_expr *parse_group(net_parser *p)
{
  span opened = scan_next(p->s)->where;
  bool in_angles = p->in_angles;
  p->in_angles = false;
  net_expr *e = net_parse_expr(p);
  p->in_angles = in_angles;
  return e && scan_close(p->s, T_RPAR, opened) ? e : NULL;
}

static net_expr *parse_primary(net_parser *p)
{
  const token *t = scan_token(p->s);
  if (t->kind == SCAN_NUMBER) {
    int32_t value;
    return net_parse_number(p, &value) ? new_number(p, value, t->where) : NULL;
  }
  if (t->kind == T_LPAR)
    return parse_group(p);
  if (t->kind == SCAN_NAME)
    return parse_word(p);
  scan_wanted(p->s, "an expression");
  return NULL;
}

static net_expr *parse_unary(net_parser *p)
{
  size_t first = p->s->at;
  if (!scan_accept(p->s, T_MINUS))
    return parse_primary(p);
  net_expr *e = parse_primary(p);
  if (!e)
    return NULL;
  if (e->kind == NET_NUMBER) /* of the least number there is no negative */
    return new_number(p, (int32_t)(0u - (uint32_t)e->value),
                      scan_span(p->s, first));
  return net_make(p, OP_NEG, e, NULL, NULL, scan_span(p->s, first));
}

/* Powers of numbers only: others do not fit into an integer for long. */
static net_expr *parse_power(net_parser *p)
{
  size_t first = p->s->at;
  net_expr *a = parse_unary(p);
  if (!a || !scan_accept(p->s, T_POWER))
    return a;
  net_expr *b = parse_unary(p);
  if (!b)
    return NULL;
  int64_t value = 1;
  bool good = a->kind == NET_NUMBER && b->kind == NET_NUMBER && b->value >= 0 &&
              b->value < 64;
  for (int32_t i = 0; good && i < b->value; i++) {
    value *= a->value;
    good = value >= INT32_MIN && value <= INT32_MAX;
  }
  if (good)
    return new_number(p, (int32_t)value, scan_span(p->s, first));
  scan_error(p->s, first, "a power must be one of two numbers, and an integer");
  return NULL;
}

/* ---- operators --------------------------------------------------------- */

static net_expr *parse_product(net_parser *p)
{
  size_t first = p->s->at;
  net_expr *a = parse_power(p);
  while (a) {
    uint8_t kind = scan_token(p->s)->kind;
    if (kind != T_STAR && kind != T_SLASH && kind != T_PERCENT)
      break;
    scan_next(p->s);
    net_expr *b = parse_power(p);
    if (!b)
      return NULL;
    a = net_make(p,
                 kind == T_STAR    ? OP_MUL
                 : kind == T_SLASH ? OP_DIV
                                   : OP_MOD,
                 a, b, NULL, scan_span(p->s, first));
    if (a)
      a->real = kind == T_SLASH;
  }
  return a;
}

/* A '-' before a '>' is the arrow of an implication. */
bool net_at_arrow(const net_parser *p)
{
  const token *t = scan_token(p->s);
  return (t->kind == T_MINUS || t->kind == T_EQ) && t[1].kind == T_GT &&
         t->start + 1 == t[1].start && !p->in_angles;
}

static net_expr *parse_sum(net_parser *p)
{
  size_t first = p->s->at;
  net_expr *a = parse_product(p);
  while (a && !net_at_arrow(p) &&
         (scan_at(p->s, T_PLUS) || scan_at(p->s, T_MINUS))) {
    op o = scan_next(p->s)->kind == T_PLUS ? OP_ADD : OP_SUB;
    net_expr *b = parse_product(p);
    a = b ? net_make(p, o, a, b, NULL, scan_span(p->s, first)) : NULL;
  }
  return a;
}

net_expr *net_parse_relation(net_parser *p)
{
  size_t first = p->s->at;
  net_expr *a = parse_sum(p);
  if (!a || net_at_arrow(p))
    return a;
  op o;
  switch (scan_token(p->s)->kind) {
  case T_EQ:
    o = OP_EQ;
    break;
  case T_LT:
    o = OP_LT;
    break;
  case T_LE:
    o = OP_LE;
    break;
  case T_GE:
    o = OP_GE;
    break;
  case T_GT:
    if (p->in_angles)
      return a;
    o = OP_GT;
    break;
  default:
    return a;
  }
  scan_next(p->s);
  net_expr *b = parse_sum(p);
  return b ? net_make(p, o, a, b, NULL, scan_span(p->s, first)) : NULL;
}

static net_expr *parse_negation(net_parser *p)
{
  size_t first = p->s->at, count = 0;
  while (scan_accept(p->s, T_NOT))
    count++;
  net_expr *a = net_parse_relation(p);
  for (; a && count > 0; count--)
    a = net_make(p, OP_NOT, a, NULL, NULL, scan_span(p->s, first));
  return a;
}

static net_expr *parse_conjunction(net_parser *p)
{
  size_t first = p->s->at;
  net_expr *a = parse_negation(p);
  while (a && scan_accept(p->s, T_AND)) {
    net_expr *b = parse_negation(p);
    a = b ? net_make(p, OP_AND, a, b, NULL, scan_span(p->s, first)) : NULL;
  }
  return a;
}

static net_expr *parse_disjunction(net_parser *p)
{
  size_t first = p->s->at;
  net_expr *a = parse_conjunction(p);
  while (a && (scan_at(p->s, T_OR) || net_at_arrow(p))) {
    bool arrow = scan_next(p->s)->kind != T_OR;
    if (arrow)
      scan_next(p->s);
    net_expr *b = parse_conjunction(p);
    a = b ? net_make(p, arrow ? OP_IMPLY : OP_OR, a, b, NULL,
                     scan_span(p->s, first))
          : NULL;
  }
  return a;
}

net_expr *net_parse_expr(net_parser *p)
{
  if (!scan_enter(p->s))
    return NULL;
  net_expr *e = parse_disjunction(p);
  scan_leave(p->s);
  return e;
}

/* "[a,b]" and "uniform(a,b)" are any value from a to b. */
net_expr *net_parse_value(net_parser *p)
{
  size_t first = p->s->at;
  bool bracket = scan_at(p->s, T_LBRACKET);
  if (!bracket && !(scan_at(p->s, SCAN_NAME) &&
                    !strcasecmp(scan_token(p->s)->name, "uniform")))
    return net_parse_expr(p);
  scan_next(p->s);
  if (!bracket && !scan_expect(p->s, T_LPAR))
    return NULL;
  net_expr *e = new_expr(p, NET_INTERVAL, NO_SPAN);
  int32_t least, most;
  if (!net_parse_number(p, &least) || !scan_expect(p->s, T_COMMA) ||
      !net_parse_number(p, &most) ||
      !scan_expect(p->s, bracket ? T_RBRACKET : T_RPAR))
    return NULL;
  e->where = scan_span(p->s, first);
  e->args[0] = new_number(p, least, e->where);
  e->args[1] = new_number(p, most, e->where);
  if (least <= most && (int64_t)most - least < 256)
    return e;
  diag_error(p->s->diags, e->where,
             "an interval holds 1 to 256 values, from small to large");
  return NULL;
}
