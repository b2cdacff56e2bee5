/* Expressions, variable references, message lists and temporal formulas. */

#include "lang/promela/parse/parse_internal.h"

/*------------------------------------------------------------------------*/
/* Nodes                                                                   */

pml_expr *pml_new_expr(parser *p, pml_expr_kind kind, span where)
{
  pml_expr *e = ARENA_NEW(p->mem, pml_expr);
  e->kind = kind;
  e->where = where;
  e->depth = 1;
  return e;
}

pml_expr *pml_new_const(parser *p, int32_t value, span where)
{
  pml_expr *e = pml_new_expr(p, E_CONST, where);
  e->value = value;
  return e;
}

/* Keeps trees shallow enough to be walked by recursion. */
static void set_depth(parser *p, pml_expr *e, const pml_expr *below)
{
  if (below && below->depth >= e->depth)
    e->depth = (uint16_t)(below->depth + 1);
  if (e->depth > MAX_EXPR_DEPTH) {
    pml_error(p, e->where, "this expression is too large");
    pml_give_up(p);
  }
}

static pml_expr *new_unary(parser *p, pml_expr_kind kind, pml_expr *a, span w)
{
  pml_expr *e = pml_new_expr(p, kind, w);
  e->a = a;
  set_depth(p, e, a);
  return e;
}

pml_expr *pml_new_binary(parser *p, pml_expr_kind kind, pml_expr *a,
                         pml_expr *b, span where)
{
  pml_expr *e = new_unary(p, kind, a, where);
  e->b = b;
  set_depth(p, e, b);
  return e;
}

static pml_expr *error_expr(parser *p)
{
  return pml_new_expr(p, E_ERROR, p->tok.where);
}

/* 'full (q)' and its kin may not be part of larger expressions, because SPIN
** must see them for its reduction. */
static void refuse_probe(parser *p, const pml_expr *e)
{
  if (!e->probe)
    return;
  bool was = p->panic;
  pml_error(p, e->where,
            "full, nfull, empty and nempty may only be combined"
            " by && and ||");
  if (!was)
    diag_note(p->diags, e->where,
              "use nfull for !full, nempty for !empty,"
              " or compare len");
  p->panic = was;
}

/*------------------------------------------------------------------------*/
/* References                                                              */

/* pfld: name [ '[' expr ']' ] */
static void field(parser *p, pml_step *step)
{
  step->name = p->tok.name;
  step->where = p->tok.where;
  if (!pml_expect(p, T_NAME))
    return;
  span opened = p->tok.where;
  if (pml_accept(p, T_LBRACKET)) {
    step->index = pml_parse_plain(p);
    pml_close(p, T_RBRACKET, opened);
  }
}

/* Copies the steps collected in the parser's list and sets the depth. */
static void set_steps(parser *p, pml_expr *e, size_t base)
{
  uint32_t count;
  void **steps = pml_take_list(p, base, &count);
  e->steps = ARENA_ARRAY(p->mem, pml_step, count);
  e->step_count = count;
  for (uint32_t i = 0; i < count; i++) {
    e->steps[i] = *(pml_step *)steps[i];
    set_depth(p, e, e->steps[i].index);
  }
}

/* varref: pfld { '.' pfld } */
pml_expr *pml_parse_varref(parser *p)
{
  pml_mark start = pml_here(p);
  pml_expr *e = pml_new_expr(p, E_REF, p->tok.where);
  size_t base = p->list.len;
  do {
    pml_step *step = ARENA_NEW(p->mem, pml_step);
    field(p, step);
    vec_push(&p->list, step);
  } while (!p->panic && pml_accept(p, T_DOT));
  e->where = pml_since(p, start);
  set_steps(p, e, base);
  if (p->panic)
    e->kind = E_ERROR;
  return e;
}

/*------------------------------------------------------------------------*/
/* Lists                                                                   */

static void take_args(parser *p, size_t base, pml_expr ***args, uint32_t *n)
{
  *args = (pml_expr **)pml_take_list(p, base, n);
}

static void add_args(parser *p)
{
  do {
    pml_expr *e = pml_parse_plain(p);
    vec_push(&p->list, e);
  } while (!p->panic && pml_accept(p, T_COMMA));
}

/* args: expr { ',' expr } */
void pml_parse_args(parser *p, pml_expr ***args, uint32_t *count)
{
  size_t base = p->list.len;
  add_args(p);
  take_args(p, base, args, count);
}

/* margs: args | expr '(' args ')' */
void pml_parse_send_args(parser *p, pml_expr ***args, uint32_t *count)
{
  size_t base = p->list.len;
  add_args(p);
  span opened = p->tok.where;
  if (!p->panic && p->list.len == base + 1 && p->tok.kind == T_LPAR) {
    pml_open_paren(p);
    add_args(p);
    pml_close_paren(p, opened);
  }
  take_args(p, base, args, count);
}

/* rarg: varref | 'eval' '(' expr ')' | const | '-' const */
static pml_expr *recv_arg(parser *p)
{
  pml_mark start = pml_here(p);
  pml_expr *e;
  switch (p->tok.kind) {
  case T_EVAL:
    pml_advance(p);
    span opened = p->tok.where;
    pml_open_paren(p);
    e = new_unary(p, E_EVAL, p->panic ? error_expr(p) : pml_parse_plain(p),
                  start.where);
    pml_close_paren(p, opened);
    e->where = pml_since(p, start);
    return e;
  case T_CONST:
  case T_MINUS: {
    bool minus = pml_accept(p, T_MINUS);
    e = pml_new_const(p, p->tok.value, p->tok.where);
    e->name = minus ? NULL : p->tok.name;
    e->mtype = e->name != NULL;
    if (minus)
      e->value = (int32_t)(0 - (uint32_t)e->value);
    pml_expect(p, T_CONST);
    e->where = pml_since(p, start);
    return e;
  }
  case T_NAME:
    return pml_parse_varref(p);
  default:
    pml_expected(p, "a variable, a constant or eval (...)");
    return error_expr(p);
  }
}

/* rargs: rarg | rarg ',' rargs | rarg '(' rargs ')' | '(' rargs ')'
** Collects into the parser's list. */
static void recv_args(parser *p)
{
  if (!pml_enter(p))
    return;
  bool more = true;
  while (more && !p->panic) {
    more = false;
    span opened = p->tok.where;
    if (p->tok.kind != T_LPAR) {
      pml_expr *e = recv_arg(p);
      vec_push(&p->list, e);
      if (!p->panic && pml_accept(p, T_COMMA)) {
        more = true;
        continue;
      }
      opened = p->tok.where;
    }
    if (!p->panic && p->tok.kind == T_LPAR) {
      pml_open_paren(p);
      recv_args(p);
      pml_close_paren(p, opened);
    }
  }
  pml_leave(p);
}

void pml_parse_recv_args(parser *p, pml_expr ***args, uint32_t *count)
{
  size_t base = p->list.len;
  recv_args(p);
  take_args(p, base, args, count);
}

/* The part of a poll behind its '?': '[' rargs ']' */
pml_expr *pml_parse_poll(parser *p, pml_mark start, pml_expr *chan, bool random)
{
  span opened = p->tok.where;
  pml_expr *e = new_unary(p, E_POLL, chan, chan->where);
  e->random = random;
  if (p->tok.kind != T_LBRACKET) {
    pml_expected(p, "'[' (a receive cannot be part of an expression)");
    return e;
  }
  pml_advance(p);
  pml_parse_recv_args(p, &e->args, &e->arg_count);
  pml_close(p, T_RBRACKET, opened);
  e->where = pml_since(p, start);
  for (uint32_t i = 0; i < e->arg_count; i++)
    set_depth(p, e, e->args[i]);
  return e;
}

/*------------------------------------------------------------------------*/
/* Primaries                                                               */

/* '(' expr ')' | '(' expr '->' expr ':' expr ')' */
static pml_expr *parenthesised(parser *p)
{
  pml_mark start = pml_here(p);
  span opened = p->tok.where;
  pml_open_paren(p);
  pml_expr *e = pml_parse_expr(p);
  if (!p->panic && p->tok.kind == T_ARROW) {
    refuse_probe(p, e);
    pml_advance(p);
    pml_expr *yes = pml_parse_plain(p);
    pml_expect(p, T_COLON);
    pml_expr *no = p->panic ? yes : pml_parse_plain(p);
    e = pml_new_binary(p, E_COND, e, yes, opened);
    e->c = no;
    set_depth(p, e, no);
  }
  pml_close_paren(p, opened);
  e->where = pml_since(p, start);
  return e;
}

/* keyword '(' expr ')' and keyword '(' varref ')' */
static pml_expr *function(parser *p, pml_expr_kind kind, bool of_chan)
{
  pml_mark start = pml_here(p);
  pml_advance(p);
  span opened = p->tok.where;
  pml_expr *a = error_expr(p);
  if (pml_open_paren(p)) {
    a = of_chan ? pml_parse_varref(p) : pml_parse_plain(p);
    pml_close_paren(p, opened);
  }
  pml_expr *e = new_unary(p, kind, a, pml_since(p, start));
  e->probe =
      kind == E_FULL || kind == E_NFULL || kind == E_EMPTY || kind == E_NEMPTY;
  return e;
}

/* 'run' name '(' [ args ] ')' [ 'priority' const ] */
static pml_expr *run(parser *p)
{
  pml_mark start = pml_here(p);
  pml_expr *e = pml_new_expr(p, E_RUN, p->tok.where);
  if (p->d_steps)
    diag_error(p->diags, p->tok.where, "'run' cannot be used in a d_step");
  if (!p->proc)
    pml_error(p, p->tok.where, "'run' may only be used in processes");
  pml_advance(p);
  e->name = p->tok.name;
  e->label_name = NULL;
  if (p->tok.kind != T_NAME && p->tok.kind != T_PNAME) {
    pml_expected(p, "the name of a proctype");
    return e;
  }
  pml_advance(p);
  span opened = p->tok.where;
  if (pml_open_paren(p)) {
    if (p->tok.kind != T_RPAR)
      pml_parse_args(p, &e->args, &e->arg_count);
    pml_close_paren(p, opened);
  }
  if (!p->panic && pml_accept(p, T_PRIORITY)) {
    e->value = p->tok.value;
    pml_expect(p, T_CONST);
  }
  e->where = pml_since(p, start);
  for (uint32_t i = 0; i < e->arg_count; i++)
    set_depth(p, e, e->args[i]);
  return e;
}

/* remote: proctype [ '[' expr ']' ] ( '@' label | ':' pfld ) */
static pml_expr *remote(parser *p)
{
  pml_mark start = pml_here(p);
  const char *name = p->tok.name;
  pml_expr *which = NULL;
  pml_advance(p);
  span opened = p->tok.where;
  if (pml_accept(p, T_LBRACKET)) {
    which = pml_parse_plain(p);
    pml_close(p, T_RBRACKET, opened);
  }
  bool label = !p->panic && p->tok.kind == T_AT;
  pml_expr *e =
      new_unary(p, label ? E_REMOTE_LABEL : E_REMOTE_VAR, which, start.where);
  e->name = name;
  if (label) {
    pml_advance(p);
    e->label_name = p->tok.name;
    pml_expect(p, T_NAME);
  } else if (!p->panic && pml_accept(p, T_COLON)) {
    size_t base = p->list.len;
    pml_step *step = ARENA_NEW(p->mem, pml_step);
    field(p, step);
    vec_push(&p->list, step);
    set_steps(p, e, base);
  } else
    pml_expected(p, "'@' or ':' after the name of a proctype");
  e->where = pml_since(p, start);
  if (p->panic)
    e->kind = E_ERROR;
  return e;
}

static pml_expr *embedded(parser *p)
{
  pml_expr *e = pml_new_expr(p, E_C_EXPR, p->tok.where);
  pml_advance(p);
  e->code = pml_c_text(p, C_VALUE, NULL);
  return e;
}

static pml_expr *constant(parser *p)
{
  pml_expr *e = pml_new_const(p, p->tok.value, p->tok.where);
  e->name = p->tok.name;
  e->mtype = e->name != NULL;
  pml_advance(p);
  return e;
}

static pml_expr *variable_or_poll(parser *p)
{
  pml_mark start = pml_here(p);
  pml_expr *e = pml_parse_varref(p);
  if (p->panic || (p->tok.kind != T_RECV && p->tok.kind != T_RANDOM_RECV))
    return e;
  bool random = p->tok.kind == T_RANDOM_RECV;
  pml_advance(p);
  return pml_parse_poll(p, start, e, random);
}

static pml_expr *keyword(parser *p, pml_expr_kind kind)
{
  pml_expr *e = pml_new_expr(p, kind, p->tok.where);
  pml_advance(p);
  return e;
}

/* primary: '(' ... ')' | const | varref | poll | remote | run | c_expr
**        | 'len' ... | 'enabled' ... | 'timeout' | 'np_' | full (varref) ... */
static pml_expr *primary(parser *p)
{
  switch (p->tok.kind) {
  case T_LPAR:
    return parenthesised(p);
  case T_CONST:
    return constant(p);
  case T_NAME:
    return variable_or_poll(p);
  case T_PNAME:
    return remote(p);
  case T_RUN:
    return run(p);
  case T_LEN:
    return function(p, E_LEN, true);
  case T_FULL:
    return function(p, E_FULL, true);
  case T_NFULL:
    return function(p, E_NFULL, true);
  case T_EMPTY:
    return function(p, E_EMPTY, true);
  case T_NEMPTY:
    return function(p, E_NEMPTY, true);
  case T_ENABLED:
    return function(p, E_ENABLED, false);
  case T_PC_VALUE:
    return function(p, E_PC_VALUE, false);
  case T_GET_PRIORITY:
    return function(p, E_GET_PRIORITY, false);
  case T_TIMEOUT:
    return keyword(p, E_TIMEOUT);
  case T_NONPROGRESS:
    return keyword(p, E_NONPROGRESS);
  case T_C_EXPR:
    return embedded(p);
  default:
    pml_expected(p, "an expression");
    return error_expr(p);
  }
}

/*------------------------------------------------------------------------*/
/* Operators                                                               */

/* How tight 'U', 'W' and 'V' bind, see the table of binary operators. */
enum { LEVEL_UNTIL = 4 };

static pml_expr *unary(parser *p);

static pml_expr *climb(parser *p, pml_mark start, pml_expr *left, int level);

/* Temporal operators take what binds tighter than 'U', '[] x < 2' as
** '[] (x < 2)'.  SPIN takes '[] x' and compares it, which has no meaning, and
** says nothing; so here is the only reading, but the file is worth a warning.
 */
static pml_expr *temporal_operand(parser *p)
{
  pml_mark start = pml_here(p);
  pml_expr *first = unary(p);
  pml_expr *whole = climb(p, start, first, LEVEL_UNTIL + 1);
  if (whole != first && !p->panic)
    diag_warn(p->diags, whole->where,
              "taken as one operand; SPIN takes only its first part, and "
              "checks something else: write it in parentheses");
  return whole;
}

/* unary: ( '!' | '-' | '~' ) unary | ( '[]' | '<>' | 'X' ) operand | primary */
static pml_expr *unary(parser *p)
{
  pml_expr_kind kind;
  switch (p->panic ? T_EOF : p->tok.kind) {
  case T_SEND:
    kind = E_NOT;
    break;
  case T_MINUS:
    kind = E_NEG;
    break;
  case T_TILDE:
    kind = E_INV;
    break;
  case T_ALWAYS:
    kind = E_ALWAYS;
    break;
  case T_EVENTUALLY:
    kind = E_EVENTUALLY;
    break;
  case T_NEXT:
    kind = E_NEXT;
    break;
  default:
    return primary(p);
  }
  pml_mark start = pml_here(p);
  if (!pml_enter(p))
    return error_expr(p);
  pml_advance(p);
  bool temporal = kind == E_ALWAYS || kind == E_EVENTUALLY || kind == E_NEXT;
  pml_expr *a = temporal ? temporal_operand(p) : unary(p);
  pml_leave(p);
  refuse_probe(p, a);
  return new_unary(p, kind, a, pml_since(p, start));
}

/* Binary operators, all of them left-associative, loosest first:
**   -> <->    ||    &&    U W V    |    ^    &    == !=
**   < <= > >=    << >>    + -    * / %  */
typedef struct binary_operator {
  uint8_t token, level, kind;
} binary_operator;

static const binary_operator operators[] = {
    {T_IMPLIES, 1, E_IMPLIES},
    {T_EQUIV, 1, E_EQUIV},
    {T_OR, 2, E_OR},
    {T_AND, 3, E_AND},
    {T_UNTIL, LEVEL_UNTIL, E_UNTIL},
    {T_WEAK_UNTIL, LEVEL_UNTIL, E_WEAK_UNTIL},
    {T_RELEASE, LEVEL_UNTIL, E_RELEASE},
    {T_BAR, 5, E_BOR},
    {T_CARET, 6, E_BXOR},
    {T_AMP, 7, E_BAND},
    {T_EQ, 8, E_EQ},
    {T_NE, 8, E_NE},
    {T_GT, 9, E_GT},
    {T_LT, 9, E_LT},
    {T_GE, 9, E_GE},
    {T_LE, 9, E_LE},
    {T_SHL, 10, E_SHL},
    {T_SHR, 10, E_SHR},
    {T_PLUS, 11, E_ADD},
    {T_MINUS, 11, E_SUB},
    {T_STAR, 12, E_MUL},
    {T_SLASH, 12, E_DIV},
    {T_PERCENT, 12, E_MOD},
};

static const binary_operator *find_operator(pml_token_kind token)
{
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].token == token)
      return &operators[i];
  return NULL;
}

static pml_expr *climb(parser *p, pml_mark start, pml_expr *left, int level)
{
  const binary_operator *op;
  /* Inside 'q ? < ... >' a '>' closes the message; a receive argument is never
  ** a bare expression there, so it cannot be reached from here. */
  while (!p->panic && (op = find_operator(p->tok.kind)) && op->level >= level) {
    pml_advance(p);
    pml_mark second = pml_here(p);
    pml_expr *right = unary(p);
    const binary_operator *next = find_operator(p->tok.kind);
    if (!p->panic && next && next->level > op->level)
      right = climb(p, second, right, op->level + 1);
    bool logical = op->kind == E_AND || op->kind == E_OR;
    if (!logical) {
      refuse_probe(p, left);
      refuse_probe(p, right);
    }
    bool probe = logical && (left->probe || right->probe);
    left = pml_new_binary(p, op->kind, left, right, pml_since(p, start));
    left->probe = probe;
  }
  return left;
}

/* expr: unary { operator unary } */
pml_expr *pml_parse_expr(parser *p)
{
  if (p->panic)
    return error_expr(p);
  if (!pml_enter(p))
    return error_expr(p);
  pml_mark start = pml_here(p);
  pml_expr *e = climb(p, start, unary(p), 1);
  pml_leave(p);
  return e;
}

pml_expr *pml_parse_plain(parser *p)
{
  pml_expr *e = pml_parse_expr(p);
  refuse_probe(p, e);
  return e;
}

/* The rest of an expression whose first primary was already read. */
pml_expr *pml_parse_rest(parser *p, pml_mark start, pml_expr *left)
{
  return climb(p, start, left, 1);
}

/*------------------------------------------------------------------------*/
/* Constants                                                               */

static bool const_sum(parser *p, int64_t *value);

/* const | '-' factor | '(' const_expr ')' */
static bool const_factor(parser *p, int64_t *value)
{
  if (!pml_enter(p))
    return false;
  bool good = false;
  span opened = p->tok.where;
  if (p->tok.kind == T_CONST) {
    *value = p->tok.value;
    pml_advance(p);
    good = true;
  } else if (pml_accept(p, T_MINUS)) {
    good = const_factor(p, value);
    *value = -*value;
  } else if (p->tok.kind == T_LPAR) {
    pml_open_paren(p);
    good = const_sum(p, value) && pml_close_paren(p, opened);
  } else
    pml_expected(p, "a constant");
  pml_leave(p);
  return good;
}

static bool const_product(parser *p, int64_t *value)
{
  if (!const_factor(p, value))
    return false;
  for (;;) {
    pml_token_kind kind = p->tok.kind;
    span where = p->tok.where;
    if (kind != T_STAR && kind != T_SLASH && kind != T_PERCENT)
      return true;
    pml_advance(p);
    int64_t right;
    if (!const_factor(p, &right))
      return false;
    if (kind != T_STAR && !right) {
      pml_error(p, where, "division by zero");
      return false;
    }
    *value = kind == T_STAR    ? (int32_t)(uint32_t)(*value * right)
             : kind == T_SLASH ? *value / right
                               : *value % right;
  }
}

static bool const_sum(parser *p, int64_t *value)
{
  if (!const_product(p, value))
    return false;
  while (p->tok.kind == T_PLUS || p->tok.kind == T_MINUS) {
    bool minus = p->tok.kind == T_MINUS;
    pml_advance(p);
    int64_t right;
    if (!const_product(p, &right))
      return false;
    *value = (int32_t)(uint32_t)(minus ? *value - right : *value + right);
  }
  return true;
}

/* const_expr: constants, '-', '+', '*', '/', '%' and parentheses, with 32-bit
** values; nothing else is constant enough for SPIN. */
bool pml_parse_const(parser *p, int32_t *value)
{
  int64_t wide = 0;
  bool good = !p->panic && const_sum(p, &wide);
  *value = (int32_t)(uint32_t)(uint64_t)wide;
  return good;
}
