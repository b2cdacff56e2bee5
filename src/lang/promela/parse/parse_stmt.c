/* Statements and sequences. */

#include "lang/promela/parse/parse_internal.h"

pml_stmt *pml_new_stmt(parser *p, pml_stmt_kind kind, span where)
{
  pml_stmt *stmt = ARENA_NEW(p->mem, pml_stmt);
  stmt->kind = kind;
  stmt->where = where;
  stmt->scope = p->scope;
  for (size_t i = p->frames.len; i && !stmt->call; i--)
    stmt->call = p->frames.data[i - 1].call;
  return stmt;
}

/*------------------------------------------------------------------------*/
/* Scopes                                                                  */

/* Consumes a '{' and enters its scope.  SPIN counts all braces of the model,
** also those of lists; the counts make up the prefix of a scope's names. */
void pml_open_brace(parser *p)
{
  if (p->scope_counts.len <= p->level)
    vec_push(&p->scope_counts, 0);
  uint32_t number = ++p->scope_counts.data[p->level++];
  if (p->proc) {
    pml_scope *scope = ARENA_NEW(p->mem, pml_scope);
    scope->parent = p->scope;
    scope->depth = p->scope ? p->scope->depth + 1 : 0;
    /* Far down only the last number tells scopes apart: the prefix is for
    ** people to read, and must not grow with the square of the depth. */
    bool deep = scope->depth > 64;
    scope->path = arena_printf(
        p->mem, "%s%u_", p->scope && !deep ? p->scope->path : "_", number);
    p->scope = scope;
  }
  pml_advance(p);
}

static bool is_separator(pml_token_kind kind)
{
  return kind == T_SEMI || kind == T_ARROW;
}

/* Consumes a '}' and leaves its scope.  A separator before it is one too many
** and ignored, even in lists. */
void pml_close_brace(parser *p, span opened)
{
  if (p->proc && p->scope)
    p->scope = p->scope->parent;
  if (p->level)
    p->level--;
  if (is_separator(p->tok.kind) && pml_peek(p) == T_RBRACE)
    pml_advance(p);
  pml_close(p, T_RBRACE, opened);
}

/*------------------------------------------------------------------------*/
/* Sequences                                                               */

void pml_add_stmt(parser *p, pml_stmt *stmt)
{
  vec_push(&p->list, stmt);
}

pml_seq *pml_make_seq(parser *p, size_t base, span where, pml_scope *scope)
{
  pml_seq *seq = ARENA_NEW(p->mem, pml_seq);
  seq->where = where;
  seq->scope = scope;
  seq->stmts = (pml_stmt **)pml_take_list(p, base, &seq->count);
  return seq;
}

static bool ends_sequence(pml_token_kind kind)
{
  return kind == T_RBRACE || kind == T_SEP || kind == T_FI || kind == T_OD ||
         kind == T_EOF;
}

/* After an error: on to the next separator, or to what ends this sequence. */
static void recover(parser *p)
{
  uint32_t depth = 0;
  p->panic = p->given_up;
  p->parens = 0;
  while (p->tok.kind != T_EOF) {
    pml_token_kind kind = p->tok.kind;
    if (!depth && (is_separator(kind) || ends_sequence(kind)))
      return;
    if (kind == T_LBRACE || kind == T_IF || kind == T_DO)
      depth++;
    else if (depth && (kind == T_RBRACE || kind == T_FI || kind == T_OD))
      depth--;
    pml_advance(p);
  }
}

static pml_stmt *step(parser *p);

/* sequence: step { separators step } [ separators ]
** Collects into the parser's list. */
static void steps(parser *p)
{
  for (;;) {
    pml_stmt *stmt = step(p);
    if (stmt)
      pml_add_stmt(p, stmt);
    if (p->after) {
      pml_add_stmt(p, p->after);
      p->after = NULL;
    }
    if (!p->panic && !is_separator(p->tok.kind) &&
        !ends_sequence(p->tok.kind)) {
      pml_expected(p, "';' or '->'");
      pml_hint_habit(p, stmt && stmt->kind == S_EXPR ? stmt->a : NULL);
    }
    if (p->panic)
      recover(p);
    if (stmt)
      stmt->arrow = p->tok.kind == T_ARROW;
    while (is_separator(p->tok.kind))
      pml_advance(p);
    if (ends_sequence(p->tok.kind))
      return;
  }
}

pml_seq *pml_parse_sequence(parser *p, span where)
{
  size_t base = p->list.len;
  if (pml_enter(p))
    steps(p);
  pml_leave(p);
  return pml_make_seq(p, base, where, p->scope);
}

/* The statement that becomes the first element of a sequence, or NULL. */
static const pml_stmt *first_element(const pml_seq *seq)
{
  for (uint32_t i = 0; i < seq->count; i++)
    if (seq->stmts[i]->kind != S_XU &&
        !(seq->stmts[i]->kind == S_DECL && !seq->stmts[i]->assigns))
      return seq->stmts[i];
  return NULL;
}

/* SPIN cannot jump to the first statement of a nested sequence, except to a
** loop.  'where' a warning is enough ('::'), it warns. */
static void check_first(parser *p, const pml_seq *seq, bool option)
{
  const pml_stmt *first = first_element(seq);
  if (p->panic || p->given_up)
    return;
  if (!first)
    diag_error(p->diags, seq->where, "this sequence has no statement");
  else if (first->label_count && first->kind != S_DO && option)
    diag_warn(p->diags, first->labels[0]->where,
              "label '%s' belongs before the selection, not after '::'",
              first->labels[0]->name);
  else if (first->label_count && first->kind != S_DO) {
    diag_error(p->diags, first->labels[0]->where,
               "label '%s' may not stand before the first statement of a block",
               first->labels[0]->name);
    diag_note(p->diags, seq->where, "put it before the block");
  }
}

/* '{' sequence '}', the brace in hand. */
pml_stmt *pml_parse_block(parser *p, pml_stmt_kind kind, pml_mark start)
{
  pml_stmt *stmt = pml_new_stmt(p, kind, p->tok.where);
  span opened = p->tok.where;
  if (p->panic || p->tok.kind != T_LBRACE) {
    pml_expected(p, "'{'");
    stmt->kind = S_ERROR;
    return stmt;
  }
  p->init_ok = false;
  pml_open_brace(p);
  stmt->body = pml_parse_sequence(p, opened);
  check_first(p, stmt->body, false);
  pml_close_brace(p, opened);
  stmt->where = pml_since(p, start);
  return stmt;
}

/*------------------------------------------------------------------------*/
/* Selections and loops                                                    */

static bool refers_to_channel(const pml_stmt *stmt)
{
  return stmt->kind == S_SEND || stmt->kind == S_RECV ||
         (stmt->a && stmt->a->probe) || (stmt->b && stmt->b->probe);
}

/* ':: x = 1 -> ...' among conditions is always executable, and rarely meant. */
static void warn_of_assignments(parser *p, const pml_stmt *stmt)
{
  bool conditions = false;
  for (uint32_t i = 0; i < stmt->option_count; i++) {
    const pml_stmt *first = first_element(stmt->options[i]);
    conditions |= first && (first->kind == S_EXPR || first->kind == S_ELSE);
  }
  for (uint32_t i = 0; i < stmt->option_count && conditions; i++) {
    const pml_stmt *first = first_element(stmt->options[i]);
    if (!first || first->kind != S_ASSIGN || !first->arrow ||
        first->b->kind != E_CONST)
      continue;
    diag_warn(p->diags, first->where,
              "an assignment as the condition of an option can always be "
              "executed");
    diag_note(p->diags, first->where, "values are compared with '=='");
  }
}

/* At most one 'else', and not together with sends and receives; an 'unless'
** on one of several options has SPIN confused. */
static void check_options(parser *p, const pml_stmt *stmt)
{
  const pml_stmt *otherwise = NULL;
  bool channel = false;
  for (uint32_t i = 0; i < stmt->option_count; i++) {
    const pml_stmt *first = first_element(stmt->options[i]);
    if (!first)
      continue;
    if (first->kind == S_UNLESS && !first->label_count &&
        stmt->option_count > 1)
      diag_warn(p->diags, first->where,
                "'unless' at the start of an option: dubious");
    if (first->kind == S_ELSE && otherwise)
      diag_error(p->diags, first->where, "this selection has two 'else'");
    if (first->kind == S_ELSE)
      otherwise = first;
    else
      channel |= refers_to_channel(first);
  }
  if (!otherwise || !channel)
    return;
  if (p->has_xu)
    diag_error(p->diags, otherwise->where,
               "'else' beside a send or receive"
               " cannot be used together with xr and xs");
  else
    diag_warn(p->diags, otherwise->where,
              "'else' beside a send or receive: dubious");
}

/* No '::' behind 'if' or 'do': on to its 'fi' or 'od'. */
static void skip_selection(parser *p)
{
  uint32_t depth = 1;
  pml_expected(p, "'::'");
  if (p->tok.kind == T_LPAR)
    diag_note(p->diags, p->tok.where,
              "each choice begins with '::', as in "
              "'if :: condition -> ... :: else -> ... fi'");
  for (; p->tok.kind != T_EOF && p->tok.kind != T_RBRACE; pml_advance(p)) {
    if (p->tok.kind == T_IF || p->tok.kind == T_DO)
      depth++;
    else if ((p->tok.kind == T_FI || p->tok.kind == T_OD) && !--depth)
      break;
  }
  p->panic = p->given_up;
}

/* ( 'if' | 'do' ) '::' sequence { '::' sequence } ( 'fi' | 'od' ) */
static pml_stmt *selection(parser *p)
{
  pml_mark start = pml_here(p);
  span opened = p->tok.where;
  bool loop = p->tok.kind == T_DO;
  pml_stmt *stmt = pml_new_stmt(p, loop ? S_DO : S_IF, opened);
  pml_advance(p);
  if (loop)
    vec_push(&p->loops, stmt);
  if (p->tok.kind != T_SEP)
    skip_selection(p);
  size_t base = p->list.len;
  p->init_ok = false;
  while (p->tok.kind == T_SEP && !p->panic) {
    span where = p->tok.where;
    pml_advance(p);
    pml_seq *option = pml_parse_sequence(p, where);
    check_first(p, option, true);
    vec_push(&p->list, option);
  }
  stmt->options = (pml_seq **)pml_take_list(p, base, &stmt->option_count);
  if (loop)
    (void)vec_pop(&p->loops);
  check_options(p, stmt);
  warn_of_assignments(p, stmt);
  pml_close(p, loop ? T_OD : T_FI, opened);
  stmt->where = pml_since(p, start);
  return stmt;
}

/*------------------------------------------------------------------------*/
/* Basic statements                                                        */

static pml_c_code *new_code(parser *p, pml_c_use use)
{
  pml_c_code *c = ARENA_NEW(p->mem, pml_c_code);
  c->use = use;
  c->text = p->tok.name;
  c->where = p->tok.where;
  return c;
}

/* Embedded C behind its keyword; a condition is allowed where 'test' is not
** NULL. */
pml_c_code *pml_c_text(parser *p, pml_c_use use, pml_c_code **test)
{
  if (test && p->tok.kind == T_C_GUARD) {
    *test = new_code(p, C_TEST);
    pml_advance(p);
  }
  pml_c_code *c = new_code(p, use);
  if (!pml_expect(p, T_C_TEXT))
    c->text = "";
  return c;
}

static pml_stmt *c_code(parser *p)
{
  bool declares = p->tok.kind == T_C_DECL;
  pml_stmt *stmt =
      pml_new_stmt(p, declares ? S_C_DECL : S_C_CODE, p->tok.where);
  pml_advance(p);
  stmt->code = pml_c_text(p, declares ? C_DECLARES : C_RUNS,
                          declares ? NULL : &stmt->test);
  return stmt;
}

/* 'printf' '(' string { ',' expr } ')' */
static pml_stmt *print(parser *p)
{
  pml_stmt *stmt = pml_new_stmt(p, S_PRINTF, p->tok.where);
  pml_advance(p);
  span opened = p->tok.where;
  if (!pml_open_paren(p))
    return stmt;
  stmt->text = p->tok.name;
  pml_expect(p, T_STRING);
  if (!p->panic && pml_accept(p, T_COMMA))
    pml_parse_args(p, &stmt->args, &stmt->arg_count);
  pml_close_paren(p, opened);
  return stmt;
}

/* 'printm' '(' ( varref | const ) ')' */
static pml_stmt *print_mtype(parser *p)
{
  pml_stmt *stmt = pml_new_stmt(p, S_PRINTM, p->tok.where);
  pml_advance(p);
  span opened = p->tok.where;
  if (!pml_open_paren(p))
    return stmt;
  if (p->tok.kind == T_CONST || p->tok.kind == T_NAME)
    stmt->a = pml_parse_plain(p);
  else
    pml_expected(p, "a variable or an mtype name");
  if (stmt->a && stmt->a->kind != E_CONST && stmt->a->kind != E_REF)
    pml_error(p, stmt->a->where, "printm takes a variable or an mtype name");
  pml_close_paren(p, opened);
  return stmt;
}

/* 'set_priority' '(' expr ',' expr ')' */
static pml_stmt *set_priority(parser *p)
{
  pml_stmt *stmt = pml_new_stmt(p, S_SET_PRIORITY, p->tok.where);
  pml_advance(p);
  span opened = p->tok.where;
  if (!pml_open_paren(p))
    return stmt;
  stmt->a = pml_parse_plain(p);
  pml_expect(p, T_COMMA);
  stmt->b = pml_parse_plain(p);
  pml_close_paren(p, opened);
  return stmt;
}

/* 'return' expr: the assignment to the variable the call assigns to. */
static pml_stmt *return_value(parser *p)
{
  pml_mark start = pml_here(p);
  pml_stmt *stmt = pml_new_stmt(p, S_ASSIGN, p->tok.where);
  size_t i = p->frames.len;
  while (i && !p->frames.data[i - 1].inl)
    i--;
  if (!i)
    pml_error(p, p->tok.where, "'return' may only be used in an inline");
  else if (!p->frames.data[i - 1].result)
    pml_error(p, p->tok.where, "this call of inline '%s' wants no value",
              p->frames.data[i - 1].inl->name);
  else
    stmt->a = p->frames.data[i - 1].result;
  if (!stmt->a) {
    stmt->kind = S_ERROR;
    return stmt;
  }
  pml_advance(p);
  stmt->b = pml_parse_expr(p);
  stmt->where = pml_since(p, start);
  return stmt;
}

static pml_stmt *jump(parser *p)
{
  pml_stmt *stmt = pml_new_stmt(p, S_GOTO, p->tok.where);
  pml_advance(p);
  stmt->name = p->tok.name;
  for (size_t i = p->frames.len; i && !stmt->inline_id; i--)
    if (p->frames.data[i - 1].inl)
      stmt->inline_id = p->frames.data[i - 1].inl->id;
  pml_expect(p, T_NAME);
  return stmt;
}

static pml_stmt *leave_loop(parser *p)
{
  pml_stmt *stmt = pml_new_stmt(p, S_BREAK, p->tok.where);
  if (!p->loops.len)
    pml_error(p, p->tok.where, "'break' may only be used inside a loop");
  else {
    stmt->loop = vec_last(&p->loops);
    pml_advance(p);
  }
  return stmt;
}

/* What follows a channel: ( '!' | '!!' ) margs */
static pml_stmt *send(parser *p, pml_expr *chan)
{
  pml_stmt *stmt = pml_new_stmt(p, S_SEND, chan->where);
  stmt->a = chan;
  stmt->sorted = p->tok.kind == T_SORTED_SEND;
  pml_advance(p);
  pml_parse_send_args(p, &stmt->args, &stmt->arg_count);
  return stmt;
}

/* What follows a channel: ( '?' | '??' ) ( rargs | '<' rargs '>' ), or the
** rest of an expression when '[' shows that it is a poll. */
static pml_stmt *receive(parser *p, pml_mark start, pml_expr *chan)
{
  pml_stmt *stmt = pml_new_stmt(p, S_RECV, chan->where);
  stmt->a = chan;
  stmt->random = p->tok.kind == T_RANDOM_RECV;
  pml_advance(p);
  if (p->tok.kind == T_LBRACKET) {
    stmt->kind = S_EXPR;
    pml_expr *poll = pml_parse_poll(p, start, chan, stmt->random);
    stmt->a = pml_parse_rest(p, start, poll);
    return stmt;
  }
  span opened = p->tok.where;
  stmt->copy = pml_accept(p, T_LT);
  pml_parse_recv_args(p, &stmt->args, &stmt->arg_count);
  if (stmt->copy)
    pml_close(p, T_GT, opened);
  return stmt;
}

/* What follows a variable: '++' | '--' */
static pml_stmt *step_by_one(parser *p, pml_mark start, pml_expr *ref)
{
  pml_stmt *stmt = pml_new_stmt(p, S_ASSIGN, ref->where);
  pml_expr_kind kind = p->tok.kind == T_INCR ? E_ADD : E_SUB;
  pml_advance(p);
  stmt->a = ref;
  span where = pml_since(p, start);
  stmt->b = pml_new_binary(p, kind, ref, pml_new_const(p, 1, where), where);
  return stmt;
}

/* varref ( '=' expr | '++' | '--' | send | receive ), or an expression that
** begins with a variable. */
static pml_stmt *variable_first(parser *p)
{
  pml_mark start = pml_here(p);
  pml_expr *ref = pml_parse_varref(p);
  pml_stmt *stmt;
  switch (p->panic ? T_EOF : p->tok.kind) {
  case T_ASSIGN:
    pml_advance(p);
    if (p->tok.kind == T_INAME)
      return pml_inline_call(p, start, ref);
    stmt = pml_new_stmt(p, S_ASSIGN, ref->where);
    stmt->a = ref;
    stmt->b = pml_parse_expr(p);
    return stmt;
  case T_INCR:
  case T_DECR:
    return step_by_one(p, start, ref);
  case T_SEND:
  case T_SORTED_SEND:
    return send(p, ref);
  case T_RECV:
  case T_RANDOM_RECV:
    return receive(p, start, ref);
  default:
    stmt = pml_new_stmt(p, S_EXPR, ref->where);
    stmt->a = pml_parse_rest(p, start, ref);
    return stmt;
  }
}

static pml_stmt *expression(parser *p, pml_stmt_kind kind)
{
  pml_stmt *stmt = pml_new_stmt(p, kind, p->tok.where);
  if (kind == S_ASSERT)
    pml_advance(p);
  stmt->a = pml_parse_expr(p);
  return stmt;
}

/* 'd_step' '{' sequence '}' */
static pml_stmt *d_step(parser *p)
{
  pml_mark start = pml_here(p);
  pml_advance(p);
  p->d_steps++;
  pml_stmt *stmt = pml_parse_block(p, S_DSTEP, start);
  p->d_steps--;
  return stmt;
}

static pml_stmt *otherwise(parser *p)
{
  pml_stmt *stmt = pml_new_stmt(p, S_ELSE, p->tok.where);
  pml_advance(p);
  return stmt;
}

/* stmnt without labels. */
static pml_stmt *basic(parser *p)
{
  pml_mark start = pml_here(p);
  switch (p->tok.kind) {
  case T_NAME:
    return variable_first(p);
  case T_INAME:
    return pml_inline_call(p, start, NULL);
  case T_IF:
  case T_DO:
    return selection(p);
  case T_FOR:
    return pml_parse_for(p);
  case T_SELECT:
    return pml_parse_select(p);
  case T_ATOMIC:
    pml_advance(p);
    return pml_parse_block(p, S_ATOMIC, start);
  case T_D_STEP:
    return d_step(p);
  case T_LBRACE:
    return pml_parse_block(p, S_BLOCK, start);
  case T_BREAK:
    return leave_loop(p);
  case T_GOTO:
    return jump(p);
  case T_ELSE:
    return otherwise(p);
  case T_ASSERT:
    return expression(p, S_ASSERT);
  case T_PRINTF:
    return print(p);
  case T_PRINTM:
    return print_mtype(p);
  case T_SET_PRIORITY:
    return set_priority(p);
  case T_RETURN:
    return return_value(p);
  case T_C_CODE:
  case T_C_DECL:
    return c_code(p);
  case T_CONST:
  case T_LPAR:
  case T_SEND:
  case T_MINUS:
  case T_TILDE:
  case T_PNAME:
  case T_RUN:
  case T_LEN:
  case T_FULL:
  case T_NFULL:
  case T_EMPTY:
  case T_NEMPTY:
  case T_ENABLED:
  case T_PC_VALUE:
  case T_GET_PRIORITY:
  case T_TIMEOUT:
  case T_NONPROGRESS:
  case T_C_EXPR:
    return expression(p, S_EXPR);
  default:
    pml_expected(p, "a statement");
    return NULL;
  }
}

/*------------------------------------------------------------------------*/
/* Labels, unless, steps                                                   */

/* A trace says what may happen to channels, and nothing else. */
static void check_event(parser *p, const pml_stmt *stmt)
{
  bool event;
  switch (stmt->kind) {
  case S_SEND:
    event = !stmt->sorted;
    break;
  case S_RECV:
    event = !stmt->random && !stmt->copy;
    break;
  case S_IF:
  case S_DO:
  case S_BREAK:
  case S_GOTO:
  case S_ERROR:
    event = true;
    break;
  default:
    event = false;
    break;
  }
  if (!event)
    diag_error(p->diags, stmt->where,
               "only sends, receives and control flow"
               " may be used in a trace");
}

static void take_label(parser *p)
{
  pml_label *label = ARENA_NEW(p->mem, pml_label);
  label->name = p->tok.name;
  label->where = p->tok.where;
  label->proc = p->proc;
  label->scope = p->scope;
  for (size_t i = p->frames.len; i && !label->inline_id; i--)
    if (p->frames.data[i - 1].inl)
      label->inline_id = p->frames.data[i - 1].inl->id;
  vec_push(&p->labels, label);
  vec_push(&p->proc_labels, label);
  pml_advance(p);
  pml_advance(p);
}

/* stmnt: { label ':' } [ basic ] */
static pml_stmt *statement(parser *p)
{
  size_t base = p->labels.len;
  pml_mark start = pml_here(p);
  while (p->tok.kind == T_NAME && pml_peek(p) == T_COLON)
    take_label(p);
  size_t count = p->labels.len - base;
  if (count &&
      (pml_at_declaration(p) || p->tok.kind == T_XR || p->tok.kind == T_XS))
    pml_error(p, start.where, "a declaration cannot have a label");
  pml_stmt *stmt = NULL;
  bool empty = count && (is_separator(p->tok.kind) ||
                         ends_sequence(p->tok.kind) || p->tok.kind == T_UNLESS);
  if (p->panic)
    stmt = NULL;
  else if (empty) {
    stmt = pml_new_stmt(p, S_EXPR, start.where);
    stmt->a = pml_new_const(p, 1, start.where);
  } else {
    pml_mark bare = pml_here(p);
    stmt = basic(p);
    if (stmt && !stmt->inlined && !stmt->generated)
      stmt->where = pml_since(p, bare);
  }
  if (!stmt)
    stmt = pml_new_stmt(p, S_ERROR, p->tok.where);
  stmt->labels = ARENA_ARRAY(p->mem, pml_label *, count);
  stmt->label_count = (uint32_t)count;
  for (size_t i = 0; i < count; i++) {
    stmt->labels[i] = p->labels.data[base + i];
    stmt->labels[i]->stmt = stmt;
  }
  vec_resize(&p->labels, base);
  bool trace = p->proc->kind == PROC_TRACE || p->proc->kind == PROC_NOTRACE;
  if (trace && !empty)
    check_event(p, stmt);
  p->init_ok = false;
  return stmt;
}

static pml_seq *sequence_of(parser *p, pml_stmt *stmt)
{
  size_t base = p->list.len;
  pml_add_stmt(p, stmt);
  return pml_make_seq(p, base, stmt->where, p->scope);
}

/* One side of an unless: the inside of a plain block, or the statement. */
static pml_seq *unless_side(parser *p, pml_stmt *stmt, bool *wrapped)
{
  if (stmt->kind == S_BLOCK && !stmt->label_count)
    return stmt->body;
  *wrapped = true;
  if (stmt->label_count && stmt->kind != S_DO)
    pml_error(p, stmt->labels[0]->where,
              "a label cannot stand here: write '%s: { ... unless ... }'",
              stmt->labels[0]->name);
  return sequence_of(p, stmt);
}

static void move_label(pml_stmt *from, pml_stmt *to)
{
  to->labels = from->labels;
  to->label_count = from->label_count;
  to->labels[0]->stmt = to;
  from->label_count = 0;
}

/* stmnt 'unless' stmnt, the first one already read. */
static pml_stmt *unless(parser *p, pml_mark start, pml_stmt *body)
{
  pml_stmt *stmt = pml_new_stmt(p, S_UNLESS, body->where);
  if (p->d_steps)
    pml_error(p, p->tok.where, "'unless' cannot be used in a d_step");
  p->panic = p->given_up;
  pml_advance(p);
  /* A labelled loop is still open in SPIN's eyes, another is not. */
  bool open = body->kind == S_DO && body->label_count;
  if (open)
    vec_push(&p->loops, body);
  pml_stmt *escape = statement(p);
  if (open)
    (void)vec_pop(&p->loops);
  stmt->escape = unless_side(p, escape, &stmt->wrapped_escape);
  bool block =
      body->kind == S_BLOCK || body->kind == S_ATOMIC || body->kind == S_DSTEP;
  pml_stmt *outer = NULL;
  if (block && body->label_count == 1) {
    outer = pml_new_stmt(p, body->kind, body->where);
    outer->lifted = true;
    move_label(body, outer);
    stmt->body = body->body;
    outer->body = sequence_of(p, stmt);
  } else
    stmt->body = unless_side(p, body, &stmt->wrapped_body);
  stmt->where = pml_since(p, start);
  if (outer)
    outer->where = stmt->where;
  return outer ? outer : stmt;
}

/* ( 'xr' | 'xs' ) varref { ',' varref } */
static pml_stmt *exclusive(parser *p)
{
  pml_mark start = pml_here(p);
  pml_stmt *stmt = pml_new_stmt(p, S_XU, p->tok.where);
  stmt->receive = p->tok.kind == T_XR;
  p->has_xu = true;
  pml_advance(p);
  size_t base = p->list.len;
  do {
    pml_expr *e = pml_parse_varref(p);
    vec_push(&p->list, e);
  } while (!p->panic && pml_accept(p, T_COMMA));
  stmt->args = (pml_expr **)pml_take_list(p, base, &stmt->arg_count);
  stmt->where = pml_since(p, start);
  return stmt;
}

/* step: one_decl | xr/xs | stmnt [ 'unless' stmnt ] */
static pml_stmt *step(parser *p)
{
  if (p->panic)
    return NULL;
  if (pml_at_declaration(p))
    return pml_parse_declaration(p, PML_LOCAL);
  if (p->tok.kind == T_XR || p->tok.kind == T_XS)
    return exclusive(p);
  pml_mark start = pml_here(p);
  pml_stmt *stmt = statement(p);
  if (!p->panic && p->tok.kind == T_UNLESS)
    stmt = unless(p, start, stmt);
  return stmt;
}
