/* The expressions of '#if' and '#elif': integers of 64 bits, with and without
** sign, as C computes with them.
**
**   comma      choice { ',' choice }
**   choice     binary [ '?' comma ':' choice ]
**   binary     unary { operator unary }
**   unary      ('+' | '-' | '!' | '~') unary | primary
**   primary    number | character | '(' comma ')' | 'defined' name | name */

#include "lang/promela/preprocess/pp_internal.h"
#include <string.h>

enum { NESTING_MAX = 200 };

typedef struct value {
  uint64_t bits;
  bool is_unsigned;
} value;

typedef struct condition {
  pp_state *pp;
  pp_token t; /* at hand */
  uint32_t nesting;
  uint32_t idle; /* not 0: what is read does not count */
} condition;

static void advance(condition *c)
{
  pp_get_text(c->pp, &c->t);
}

static bool at(const condition *c, const char *operator)
{
  return pp_is(&c->t, operator);
}

static value truth(bool yes)
{
  return (value){yes, false};
}

/* ---- numbers and characters ---------------------------------------------- */

static unsigned digit_value(char c)
{
  return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                : 99;
}

/* 'u', 'l', 'll' in any order and case; false for anything else. */
static bool read_suffix(const char *p, const char *end, bool *is_unsigned)
{
  size_t u = 0, l = 0;
  while (p < end && (*p == 'u' || *p == 'U' || *p == 'l' || *p == 'L')) {
    bool is_u = *p == 'u' || *p == 'U';
    size_t n = !is_u && p + 1 < end && p[1] == *p ? 2 : 1;
    u += is_u;
    l += !is_u;
    p += n;
  }
  *is_unsigned = u;
  return p == end && u <= 1 && l <= 1;
}

static value number(condition *c)
{
  const char *p = c->t.text, *end = p + c->t.length;
  unsigned base = 10;
  value v = {0};
  bool large = false;
  if (p[0] == '0' && end - p > 2 && (p[1] == 'x' || p[1] == 'X'))
    base = 16;
  else if (p[0] == '0' && end - p > 2 && (p[1] == 'b' || p[1] == 'B'))
    base = 2;
  else if (p[0] == '0')
    base = 8;
  p += base == 16 || base == 2 ? 2 : 0;
  for (; p < end && digit_value(*p) < base; p++) {
    large |= v.bits > (UINT64_MAX - digit_value(*p)) / base;
    v.bits = v.bits * base + digit_value(*p);
  }
  if (!read_suffix(p, end, &v.is_unsigned))
    pp_error(c->pp, &c->t, "'%s' is not an integer", pp_shown(c->pp, &c->t));
  else if (large)
    pp_error(c->pp, &c->t, "this number is too large" PP_USE_CPP);
  v.is_unsigned |= v.bits > INT64_MAX;
  return v;
}

/* The value of an escape; 'p' is behind its backslash. */
static const char *read_escape(const char *p, const char *end, uint32_t *out)
{
  static const char names[] = "abfnrtve", codes[] = "\a\b\f\n\r\t\v\033";
  const char *known = strchr(names, *p);
  unsigned digits = 0;
  *out = 0;
  if (*p == 'x') {
    for (p++; p < end && digit_value(*p) < 16; p++)
      *out = *out * 16 + digit_value(*p);
    return p;
  }
  for (; digits < 3 && p < end && *p >= '0' && *p <= '7'; p++, digits++)
    *out = *out * 8 + digit_value(*p);
  if (digits)
    return p;
  *out = known ? (unsigned char)codes[known - names] : (unsigned char)*p;
  return p + 1;
}

/* One character is a 'char', which has a sign; several make an 'int'. */
static value character(condition *c)
{
  const char *p = c->t.text + 1, *end = c->t.text + c->t.length - 1;
  uint32_t all = 0, one, count = 0;
  if (c->t.text[0] != '\'') {
    pp_error(c->pp, &c->t, "a wide character is not known here" PP_USE_CPP);
    return truth(false);
  }
  for (; p < end; count++) {
    if (*p == '\\' && p + 1 < end)
      p = read_escape(p + 1, end, &one);
    else
      one = (unsigned char)*p++;
    all = all << 8 | (one & 0xFF);
  }
  if (!count)
    pp_error(c->pp, &c->t, "a character is missing between the quotes");
  int64_t v = count == 1 ? (int8_t)all : (int32_t)all;
  return (value){(uint64_t)v, false};
}

/* ---- operands ------------------------------------------------------------ */

static value comma(condition *c);

/* 'defined NAME' or 'defined (NAME)'; the name is not replaced. */
static value defined(condition *c)
{
  c->pp->quiet++;
  advance(c);
  bool paren = c->t.kind == PP_LPAREN;
  if (paren)
    advance(c);
  pp_token name = c->t;
  if (name.kind != PP_NAME)
    pp_error(c->pp, &name, "expected a name after 'defined'");
  else if (pp_known(c->pp, &name) && paren) {
    advance(c);
    if (c->t.kind != PP_RPAREN)
      pp_error(c->pp, &c->t, "expected ')' after the name");
  }
  c->pp->quiet--;
  advance(c);
  return truth(!c->pp->failed && pp_is_defined(name.name));
}

static value primary(condition *c)
{
  value v = {0};
  pp_token t = c->t;
  switch ((pp_kind)t.kind) {
  case PP_NUMBER:
    v = number(c);
    break;
  case PP_CHAR:
    v = character(c);
    break;
  case PP_LPAREN:
    advance(c);
    v = comma(c);
    if (!c->pp->failed && c->t.kind != PP_RPAREN)
      pp_error(c->pp, &c->t, "expected ')' in this condition");
    break;
  case PP_NAME:
    if (t.name->meaning == PP_DEFINED)
      return defined(c);
    pp_known(c->pp, &t);
    break;
  default:
    pp_error(c->pp, &t, "expected a value in this condition");
  }
  advance(c);
  return v;
}

static value unary(condition *c)
{
  char operator= c->t.length == 1 && c->t.kind == PP_PUNCT ? c->t.text[0] : 0;
  if (!operator|| !strchr("+-!~", operator))
    return primary(c);
  if (++c->nesting > NESTING_MAX) {
    pp_error(c->pp, &c->t, "this condition is nested too deeply" PP_USE_CPP);
    return truth(false);
  }
  advance(c);
  value v = unary(c);
  c->nesting--;
  switch (operator) {
  case '-':
    v.bits = 0 - v.bits;
    break;
  case '~':
    v.bits = ~v.bits;
    break;
  case '!':
    v = truth(!v.bits);
    break;
  default:
    break;
  }
  return v;
}

/* ---- operators ----------------------------------------------------------- */

typedef enum {
  OP_OR,
  OP_AND,
  OP_BITOR,
  OP_BITXOR,
  OP_BITAND,
  OP_EQ,
  OP_NE,
  OP_LT,
  OP_LE,
  OP_GT,
  OP_GE,
  OP_LEFT,
  OP_RIGHT,
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_DIV,
  OP_MOD
} operation;

typedef struct binary_operator {
  const char *text;
  unsigned rank; /* higher binds tighter */
} binary_operator;

static const binary_operator operators[] = {
    [OP_OR] = {"||", 1},    [OP_AND] = {"&&", 2},   [OP_BITOR] = {"|", 3},
    [OP_BITXOR] = {"^", 4}, [OP_BITAND] = {"&", 5}, [OP_EQ] = {"==", 6},
    [OP_NE] = {"!=", 6},    [OP_LT] = {"<", 7},     [OP_LE] = {"<=", 7},
    [OP_GT] = {">", 7},     [OP_GE] = {">=", 7},    [OP_LEFT] = {"<<", 8},
    [OP_RIGHT] = {">>", 8}, [OP_ADD] = {"+", 9},    [OP_SUB] = {"-", 9},
    [OP_MUL] = {"*", 10},   [OP_DIV] = {"/", 10},   [OP_MOD] = {"%", 10},
};
enum { OPERATORS = sizeof operators / sizeof *operators };

static bool is_less(value a, value b)
{
  if (a.is_unsigned || b.is_unsigned)
    return a.bits < b.bits;
  return (int64_t)a.bits < (int64_t)b.bits;
}

/* A negative number of places shifts the other way. */
static value shift(value v, value places, bool left)
{
  uint64_t n = places.bits;
  bool negative = !v.is_unsigned && (int64_t)v.bits < 0;
  if (!places.is_unsigned && (int64_t)n < 0) {
    n = 0 - n;
    left = !left;
  }
  if (left)
    v.bits = n < 64 ? v.bits << n : 0;
  else if (n >= 64)
    v.bits = negative ? UINT64_MAX : 0;
  else
    v.bits = v.bits >> n | (negative && n ? ~(UINT64_MAX >> n) : 0);
  return v;
}

/* Towards zero, by magnitudes, so that nothing overflows. */
static value divide(condition *c, value a, value b, bool remainder,
                    const pp_token *where)
{
  bool is_unsigned = a.is_unsigned || b.is_unsigned;
  if (!b.bits) {
    if (!c->idle)
      pp_error(c->pp, where, "division by zero in this condition");
    return (value){0, is_unsigned};
  }
  bool a_minus = !is_unsigned && (int64_t)a.bits < 0;
  bool b_minus = !is_unsigned && (int64_t)b.bits < 0;
  uint64_t x = a_minus ? 0 - a.bits : a.bits, y = b_minus ? 0 - b.bits : b.bits;
  uint64_t result = remainder ? x % y : x / y;
  bool minus = remainder ? a_minus : a_minus != b_minus;
  return (value){minus ? 0 - result : result, is_unsigned};
}

static value apply(condition *c, operation op, value a, value b,
                   const pp_token *where)
{
  bool is_unsigned = a.is_unsigned || b.is_unsigned;
  switch (op) {
  case OP_OR:
    return truth(a.bits || b.bits);
  case OP_AND:
    return truth(a.bits && b.bits);
  case OP_BITOR:
    return (value){a.bits | b.bits, is_unsigned};
  case OP_BITXOR:
    return (value){a.bits ^ b.bits, is_unsigned};
  case OP_BITAND:
    return (value){a.bits & b.bits, is_unsigned};
  case OP_EQ:
    return truth(a.bits == b.bits);
  case OP_NE:
    return truth(a.bits != b.bits);
  case OP_LT:
    return truth(is_less(a, b));
  case OP_LE:
    return truth(!is_less(b, a));
  case OP_GT:
    return truth(is_less(b, a));
  case OP_GE:
    return truth(!is_less(a, b));
  case OP_LEFT:
  case OP_RIGHT:
    return shift(a, b, op == OP_LEFT);
  case OP_ADD:
    return (value){a.bits + b.bits, is_unsigned};
  case OP_SUB:
    return (value){a.bits - b.bits, is_unsigned};
  case OP_MUL:
    return (value){a.bits * b.bits, is_unsigned};
  case OP_DIV:
  case OP_MOD:
    return divide(c, a, b, op == OP_MOD, where);
  }
  return truth(false);
}

static size_t find_operator(const condition *c)
{
  size_t i = 0;
  while (i < OPERATORS && !at(c, operators[i].text))
    i++;
  return i;
}

static value binary(condition *c, unsigned rank)
{
  value left = unary(c);
  for (;;) {
    size_t op = find_operator(c);
    if (c->pp->failed || op == OPERATORS || operators[op].rank < rank)
      return left;
    pp_token where = c->t;
    bool idle = (op == OP_OR && left.bits) || (op == OP_AND && !left.bits);
    c->idle += idle;
    advance(c);
    value right = binary(c, operators[op].rank + 1);
    c->idle -= idle;
    left = apply(c, (operation)op, left, right, &where);
  }
}

static value choice(condition *c)
{
  value test = binary(c, 0);
  if (c->pp->failed || !at(c, "?"))
    return test;
  c->idle += !test.bits;
  advance(c);
  value yes = comma(c);
  c->idle -= !test.bits;
  if (!c->pp->failed && !at(c, ":"))
    pp_error(c->pp, &c->t, "expected ':' in this condition");
  c->idle += test.bits != 0;
  advance(c);
  value no = choice(c);
  c->idle -= test.bits != 0;
  value result = test.bits ? yes : no;
  result.is_unsigned = yes.is_unsigned || no.is_unsigned;
  return result;
}

static value comma(condition *c)
{
  value v = {0};
  if (++c->nesting > NESTING_MAX) {
    pp_error(c->pp, &c->t, "this condition is nested too deeply" PP_USE_CPP);
    return v;
  }
  for (v = choice(c); !c->pp->failed && c->t.kind == PP_COMMA; v = choice(c))
    advance(c);
  c->nesting--;
  return v;
}

bool pp_condition_holds(pp_state *pp, const pp_token *directive)
{
  condition c = {.pp = pp};
  advance(&c);
  if (c.t.kind == PP_EOF && !pp->failed)
    pp_error(pp, directive, "a condition is missing");
  if (pp->failed)
    return false;
  value v = comma(&c);
  if (!pp->failed && c.t.kind != PP_EOF)
    pp_error(pp, &c.t, "expected an operator in this condition");
  return v.bits != 0;
}
