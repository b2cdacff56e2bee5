/* Expressions and constants of Platu, by precedence. */

#include "lang/lpn/platu.h"

#include <string.h>

static const scan_word operators[] = {
    {"+", T_PLUS},      {"-", T_MINUS},    {"*", T_STAR},     {"/", T_SLASH},
    {"%", T_PERCENT},   {"^", T_POWER},    {"&", T_AND},      {"|", T_OR},
    {"~", T_NOT},       {"<=", T_LE},      {"<", T_LT},       {">=", T_GE},
    {">", T_GT},        {"==", T_EQ},      {"=", T_BECOMES},  {"(", T_LPAR},
    {")", T_RPAR},      {"[", T_LBRACKET}, {"]", T_RBRACKET}, {",", T_COMMA},
    {";", T_SEMICOLON}, {":", T_COLON},    {"\"", T_QUOTE},   {"</", P_TAG},
    {"->", P_ARROW},    {"&&", P_ANDAND},  {"||", P_OROR},    {"!=", P_NE},
    {"<<", P_SHL},      {">>", P_SHR},     {"?", P_QUESTION}, {"!", P_BANG},
    {NULL, 0},
};

static const scan_word keywords[] = {{NULL, 0}};

static const scan_comment comments[] = {{"//", NULL, false},
                                        {"/*", "*/", false},
                                        {"<!--", "-->", false},
                                        {NULL, NULL, false}};

const scan_language platu_language = {
    .operators = operators,
    .keywords = keywords,
    .comments = comments,
    .rest_of_name = ".",
};

/* Binary operators; a higher level binds more. */
static const struct {
  uint8_t kind;
  op op;
  int level;
} binary[] = {
    {P_ARROW, OP_IMPLY, 1},  {P_OROR, OP_OR, 2},      {P_ANDAND, OP_AND, 3},
    {T_OR, OP_BITOR, 4},     {T_POWER, OP_BITXOR, 5}, {T_AND, OP_BITAND, 6},
    {T_EQ, OP_EQ, 7},        {P_NE, OP_NE, 7},        {T_LT, OP_LT, 8},
    {T_LE, OP_LE, 8},        {T_GT, OP_GT, 8},        {T_GE, OP_GE, 8},
    {P_SHL, OP_SHL, 9},      {P_SHR, OP_SHR, 9},      {T_PLUS, OP_ADD, 10},
    {T_MINUS, OP_SUB, 10},   {T_STAR, OP_MUL, 11},    {T_SLASH, OP_DIV, 11},
    {T_PERCENT, OP_MOD, 11},
};
enum { BINARY = sizeof binary / sizeof binary[0], LEVEL_FIRST = 1 };

/* ---- names ------------------------------------------------------------- */

bool platu_is_constant(const platu *x, const char *name, int32_t *value)
{
  uint32_t at = net_find(&x->constants, name);
  if (at == NET_NONE)
    return false;
  *value = x->values.data[at];
  return true;
}

/* What a name means in the instance being read.  One with a dot is of another
** instance. */
static const char *resolve(const platu *x, const char *name)
{
  if (!x->prefix)
    return name;
  for (uint32_t i = 0; i < x->bindings.len; i++)
    if (x->bindings.data[i].formal == name)
      return x->bindings.data[i].actual;
  for (const char *c = name; *c; c++)
    if (*c == '.')
      return name;
  return name_of(x->p.s->names,
                 arena_printf(x->p.arena, "%s.%s", x->prefix, name));
}

const char *platu_parse_name(platu *x, span *where)
{
  scanner *s = x->p.s;
  size_t first = s->at;
  int32_t element;
  const char *name = scan_name(s, "a variable", NULL);
  if (!name)
    return NULL;
  name = resolve(x, name);
  if (scan_accept(s, T_LBRACKET)) {
    if (!platu_parse_constant(x, &element) || !scan_expect(s, T_RBRACKET))
      return NULL;
    name = name_of(s->names, arena_printf(x->p.arena, "%s.%d", name, element));
  }
  *where = scan_span(s, first);
  return name;
}

/* ---- operands ---------------------------------------------------------- */

static net_expr *number(platu *x, int32_t value, span where)
{
  net_expr *e = ARENA_NEW(x->p.arena, net_expr);
  e->kind = NET_NUMBER;
  e->weight = e->depth = 1;
  e->value = value;
  e->where = where;
  return e;
}

/* 'true' and 'false', which are not reserved: a module may have such a variable
** (and then it is declared before the transitions). */
static bool is_truth(const platu *x, const char *name, int32_t *value)
{
  *value = !strcmp(name, "true");
  return (*value || !strcmp(name, "false")) &&
         net_find(&x->p.module->variable_of, resolve(x, name)) == NET_NONE;
}

static net_expr *parse_variable(platu *x)
{
  int32_t value;
  const token *t = scan_token(x->p.s);
  if (platu_is_constant(x, t->name, &value) || is_truth(x, t->name, &value)) {
    scan_next(x->p.s);
    return number(x, value, t->where);
  }
  net_expr *e = number(x, 0, t->where);
  e->kind = NET_NAME;
  e->name = platu_parse_name(x, &e->where);
  return e->name ? e : NULL;
}

static net_expr *parse_unary(platu *x);

static net_expr *parse_operand(platu *x)
{
  scanner *s = x->p.s;
  const token *t = scan_token(s);
  if (t->kind == SCAN_NUMBER) {
    scan_next(s);
    return number(x, t->value, t->where);
  }
  if (t->kind == SCAN_NAME)
    return parse_variable(x);
  if (t->kind != T_LPAR) {
    scan_wanted(s, "an expression");
    return NULL;
  }
  scan_next(s);
  net_expr *e = platu_parse_expr(x);
  return e && scan_close(s, T_RPAR, t->where) ? e : NULL;
}

static net_expr *parse_signed(platu *x)
{
  scanner *s = x->p.s;
  size_t first = s->at;
  uint8_t kind = scan_token(s)->kind;
  if (kind != T_MINUS && kind != P_BANG && kind != T_NOT)
    return parse_operand(x);
  scan_next(s);
  net_expr *e = parse_unary(x);
  if (e && e->kind == NET_NUMBER && kind == T_MINUS)
    return number(x, (int32_t)(0u - (uint32_t)e->value), scan_span(s, first));
  op o = kind == T_MINUS ? OP_NEG : kind == P_BANG ? OP_NOT : OP_COMPL;
  return e ? net_make(&x->p, o, e, NULL, NULL, scan_span(s, first)) : NULL;
}

static net_expr *parse_unary(platu *x)
{
  if (!scan_enter(x->p.s))
    return NULL;
  net_expr *e = parse_signed(x);
  scan_leave(x->p.s);
  return e;
}

/* ---- operators --------------------------------------------------------- */

/* Sums and products of numbers are numbers: sizes and indices need them. */
static net_expr *combine(platu *x, op o, net_expr *a, net_expr *b, span where)
{
  if (a->kind == NET_NUMBER && b->kind == NET_NUMBER) {
    uint32_t m = (uint32_t)a->value, n = (uint32_t)b->value;
    if (o == OP_ADD)
      return number(x, (int32_t)(m + n), where);
    if (o == OP_SUB)
      return number(x, (int32_t)(m - n), where);
    if (o == OP_MUL)
      return number(x, (int32_t)(m * n), where);
  }
  return net_make(&x->p, o, a, b, NULL, where);
}

static net_expr *parse_binary(platu *x, int level)
{
  scanner *s = x->p.s;
  size_t first = s->at;
  net_expr *a = parse_unary(x);
  for (size_t i = 0; a && i < BINARY; i++) {
    if (binary[i].level < level || !scan_at(s, binary[i].kind))
      continue;
    scan_next(s);
    net_expr *b = parse_binary(x, binary[i].level + 1);
    a = b ? combine(x, binary[i].op, a, b, scan_span(s, first)) : NULL;
    i = SIZE_MAX; /* look at all of them again */
  }
  return a;
}

static net_expr *parse_choice(platu *x)
{
  scanner *s = x->p.s;
  size_t first = s->at;
  net_expr *a = parse_binary(x, LEVEL_FIRST);
  if (!a || !scan_accept(s, P_QUESTION))
    return a;
  net_expr *b = platu_parse_expr(x);
  if (!b || !scan_expect(s, T_COLON))
    return NULL;
  net_expr *c = platu_parse_expr(x);
  return c ? net_make(&x->p, OP_COND, a, b, c, scan_span(s, first)) : NULL;
}

net_expr *platu_parse_expr(platu *x)
{
  if (!scan_enter(x->p.s))
    return NULL;
  net_expr *e = parse_choice(x);
  scan_leave(x->p.s);
  return e;
}

bool platu_parse_constant(platu *x, int32_t *value)
{
  net_expr *e = platu_parse_expr(x);
  if (e && e->kind != NET_NUMBER)
    diag_error(x->p.s->diags, e->where, "this must be a constant");
  if (!e || e->kind != NET_NUMBER)
    return false;
  *value = e->value;
  return true;
}
