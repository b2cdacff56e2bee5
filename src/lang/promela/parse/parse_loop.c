/* 'for' and 'select', rewritten into what SPIN makes of them. */

#include "lang/promela/parse/parse_internal.h"
#include <string.h>

static pml_stmt *generated(parser *p, pml_stmt_kind kind, span where)
{
  pml_stmt *stmt = pml_new_stmt(p, kind, where);
  stmt->generated = true;
  return stmt;
}

static pml_stmt *assign(parser *p, pml_expr *to, pml_expr *value, span where)
{
  pml_stmt *stmt = generated(p, S_ASSIGN, where);
  stmt->a = to;
  stmt->b = value;
  return stmt;
}

static pml_stmt *increment(parser *p, pml_expr *var, span where)
{
  pml_expr *one = pml_new_const(p, 1, where);
  return assign(p, var, pml_new_binary(p, E_ADD, var, one, where), where);
}

static pml_stmt *condition(parser *p, pml_expr_kind kind, pml_expr *var,
                           pml_expr *limit, span where)
{
  pml_stmt *stmt = generated(p, S_EXPR, where);
  stmt->a = pml_new_binary(p, kind, var, limit, where);
  return stmt;
}

/* [ 'else' ';' ] 'break' */
static pml_seq *exit_option(parser *p, pml_stmt *loop, bool otherwise)
{
  size_t base = p->list.len;
  if (otherwise)
    pml_add_stmt(p, generated(p, S_ELSE, loop->where));
  pml_stmt *leave = generated(p, S_BREAK, loop->where);
  leave->loop = loop;
  pml_add_stmt(p, leave);
  return pml_make_seq(p, base, loop->where, p->scope);
}

static void set_options(parser *p, pml_stmt *loop, pml_seq *a, pml_seq *b)
{
  loop->options = ARENA_ARRAY(p->mem, pml_seq *, 2);
  loop->options[0] = a;
  loop->options[1] = b;
  loop->option_count = 2;
}

/*------------------------------------------------------------------------*/
/* for                                                                     */

/* [ ';' ] '{' sequence '}', added to the list, then the increment. */
static void loop_body(parser *p, pml_expr *var, span where)
{
  pml_accept(p, T_SEMI);
  span opened = p->tok.where;
  if (p->panic || p->tok.kind != T_LBRACE) {
    pml_expected(p, "'{'");
    return;
  }
  p->init_ok = false;
  pml_open_brace(p);
  const pml_seq *body = pml_parse_sequence(p, opened);
  for (uint32_t i = 0; i < body->count; i++)
    pml_add_stmt(p, body->stmts[i]);
  pml_close_brace(p, opened);
  pml_add_stmt(p, increment(p, var, where));
}

/* 'for' '(' varref ':' expr '..' expr ')' body: with i, a, b
**   i = a; do :: i <= b -> body; i = i + 1 :: else -> break od */
static pml_seq *for_range(parser *p, pml_expr *var, span opened, span where)
{
  pml_expr *from = pml_parse_plain(p);
  pml_expect(p, T_DOTDOT);
  pml_expr *to = pml_parse_plain(p);
  pml_close_paren(p, opened);
  if (from->kind == E_CONST && to->kind == E_CONST && from->value > to->value)
    pml_error(p, from->where, "the start of this range exceeds its end");
  pml_add_stmt(p, assign(p, var, from, where));
  size_t base = p->list.len;
  pml_add_stmt(p, condition(p, E_LE, var, to, where));
  loop_body(p, var, where);
  return pml_make_seq(p, base, where, p->scope);
}

/* 'for' '(' varref 'in' varref ')' body.  Only the resolver knows whether the
** second is an array or a channel; it finds both here and drops one:
**   i = 0; do :: i <= size-1 -> [ q?m; q!m; ] body; i = i + 1 :: else ... */
static pml_seq *for_in(parser *p, pml_stmt *loop, span opened, span where)
{
  pml_expr *var = loop->a;
  pml_advance(p);
  loop->b = pml_parse_varref(p);
  pml_close_paren(p, opened);
  pml_stmt *start = assign(p, var, pml_new_const(p, 0, where), where);
  start->loop = loop;
  pml_add_stmt(p, start);
  size_t base = p->list.len;
  pml_add_stmt(p, condition(p, E_LE, var, pml_new_const(p, 0, where), where));
  pml_stmt *receive = generated(p, S_RECV, where);
  pml_stmt *send = generated(p, S_SEND, where);
  receive->a = send->a = loop->b;
  pml_add_stmt(p, receive);
  pml_add_stmt(p, send);
  loop_body(p, var, where);
  return pml_make_seq(p, base, where, p->scope);
}

pml_stmt *pml_parse_for(parser *p)
{
  pml_mark start = pml_here(p);
  pml_stmt *loop = generated(p, S_DO, p->tok.where);
  pml_advance(p);
  span opened = p->tok.where;
  if (!pml_open_paren(p))
    return NULL;
  pml_expr *var = loop->a = pml_parse_varref(p);
  vec_push(&p->loops, loop);
  pml_seq *body = NULL;
  span where = pml_since(p, start);
  if (!p->panic && pml_accept(p, T_COLON))
    body = for_range(p, var, opened, where);
  else if (!p->panic && p->tok.kind == T_NAME && !strcmp(p->tok.name, "in"))
    body = for_in(p, loop, opened, where);
  else
    pml_expected(p, "':' or 'in'");
  (void)vec_pop(&p->loops);
  if (!body)
    return NULL;
  loop->where = pml_since(p, start);
  set_options(p, loop, body, exit_option(p, loop, true));
  return loop;
}

/*------------------------------------------------------------------------*/
/* select                                                                  */

/* SPIN's lexer expands 'select (name : 1 .. 9)' as text when it is written in
** one line of the file itself, with a name without '_' and plain numbers.
** 'widest' is the largest difference for which it lists the values. */
enum { WIDEST = 32 };

static bool plain_name(const pml_expr *e)
{
  return e->kind == E_REF && e->step_count == 1 && !e->steps[0].index &&
         !strchr(e->steps[0].name, '_');
}

/* if :: name = from :: ... :: name = to fi */
static pml_stmt *select_list(parser *p, pml_expr *var, int32_t from, int32_t to,
                             span where)
{
  pml_stmt *stmt = generated(p, S_IF, where);
  size_t base = p->list.len;
  for (int32_t i = from; i <= to; i++) {
    size_t inner = p->list.len;
    pml_add_stmt(p, assign(p, var, pml_new_const(p, i, where), where));
    pml_seq *option = pml_make_seq(p, inner, where, p->scope);
    vec_push(&p->list, option);
  }
  stmt->options = (pml_seq **)pml_take_list(p, base, &stmt->option_count);
  return stmt;
}

/* do :: name < to -> name = name + 1 :: break od */
static pml_stmt *select_loop(parser *p, pml_expr *var, pml_expr *to, span where)
{
  pml_stmt *loop = generated(p, S_DO, where);
  size_t base = p->list.len;
  pml_add_stmt(p, condition(p, E_LT, var, to, where));
  pml_add_stmt(p, increment(p, var, where));
  pml_seq *body = pml_make_seq(p, base, where, p->scope);
  set_options(p, loop, body, exit_option(p, loop, false));
  return loop;
}

/* The three numbers and whether SPIN's lexer would see them. */
typedef struct select_range {
  pml_expr *from, *to;
  bool textual;
} select_range;

static bool plain_number(const parser *p)
{
  return p->tok.kind == T_CONST && p->tok.digits && !p->tok.newline;
}

static select_range range(parser *p, bool textual)
{
  select_range r = {.textual = textual && plain_number(p)};
  r.from = pml_parse_plain(p);
  r.textual &= r.from->kind == E_CONST && !p->tok.newline;
  pml_expect(p, T_DOTDOT);
  r.textual &= plain_number(p);
  r.to = pml_parse_plain(p);
  r.textual &= r.to->kind == E_CONST && !p->tok.newline;
  return r;
}

/* 'select' '(' varref ':' expr '..' expr ')' */
pml_stmt *pml_parse_select(parser *p)
{
  pml_mark start = pml_here(p);
  bool in_file = p->frames.len == 1;
  pml_advance(p);
  span opened = p->tok.where;
  if (!pml_open_paren(p))
    return NULL;
  pml_expr *var = pml_parse_varref(p);
  bool textual = in_file && plain_name(var) && !p->tok.newline;
  pml_expect(p, T_COLON);
  select_range r = range(p, textual);
  pml_close_paren(p, opened);
  if (p->panic)
    return NULL;
  span where = pml_since(p, start);
  if (r.from->kind == E_CONST && r.to->kind == E_CONST &&
      r.from->value > r.to->value) {
    pml_error(p, r.from->where, "the start of this range exceeds its end");
    return NULL;
  }
  if (r.textual && (int64_t)r.to->value - r.from->value <= WIDEST)
    return select_list(p, var, r.from->value, r.to->value, where);
  pml_stmt *first = assign(p, var, r.from, where);
  pml_stmt *loop = select_loop(p, var, r.to, where);
  if (r.textual) {
    p->after = loop; /* labels stay with the assignment */
    return first;
  }
  pml_seq *leave = loop->options[1];
  loop->options[1] = loop->options[0];
  loop->options[0] = leave;
  loop->break_first = true;
  pml_add_stmt(p, first);
  return loop;
}
