/* The stream of tokens as the parser sees it: inlines expanded, names sorted
** into kinds, missing semicolons supplied; and the errors that concern
** tokens. */

#include "lang/promela/parse/parse_internal.h"
#include <stdarg.h>
#include <string.h>

/*------------------------------------------------------------------------*/
/* Frames                                                                  */

void pml_feed_start(parser *p, const pml_token *tokens, uint32_t count)
{
  pml_frame file = {.tokens = tokens, .count = count};
  file.id = ++p->frames_opened;
  vec_clear(&p->frames);
  vec_push(&p->frames, file);
  p->has_ahead = p->has_held = false;
  p->prev = T_SEMI;
  p->tok = (pml_token){.kind = T_SEMI};
  p->given_up = false;
  pml_advance(p);
}

void pml_give_up(parser *p)
{
  p->given_up = true;
  p->has_ahead = p->has_held = false;
  p->tok.kind = T_EOF;
}

/* Is this name a parameter of the inline?  Then its argument comes next. */
static bool substitute(parser *p, pml_frame *frame, const pml_token *token)
{
  pml_inline *inl = frame->inl;
  for (uint32_t i = 0; i < inl->param_count; i++)
    if (inl->params[i] == token->name) {
      pml_frame arg = {.tokens = frame->args[i].tokens,
                       .count = frame->args[i].count};
      arg.id = ++p->frames_opened;
      arg.is_arg = true;
      arg.site = token->where;
      arg.newline = token->newline;
      vec_push(&p->frames, arg);
      return true;
    }
  return false;
}

static pml_token_kind name_kind(parser *p, const char *name)
{
  const pml_symbol *symbol = pml_table_get(&p->symbols, name);
  if (!symbol)
    return T_NAME;
  return symbol->record || symbol->range ? T_UNAME
         : symbol->proc                  ? T_PNAME
         : symbol->inl                   ? T_INAME
                                         : T_NAME;
}

/* An mtype name is a constant from its declaration on, even where it is also
** the parameter of an inline. */
static bool make_constant(parser *p, pml_token *token)
{
  const pml_symbol *symbol = pml_table_get(&p->symbols, token->name);
  if (!symbol || !symbol->mtype)
    return false;
  token->kind = T_CONST;
  token->value = p->mtypes.data[symbol->mtype - 1].value;
  return true;
}

/* The next token without regard to separators. */
static pml_token next_raw(parser *p, pml_mark *mark)
{
  for (;;) {
    pml_frame *frame = &vec_last(&p->frames);
    if (frame->pos == frame->count && p->frames.len > 1) {
      pml_close_frame(p, frame);
      (void)vec_pop(&p->frames);
      continue;
    }
    pml_token token = frame->tokens[frame->pos];
    if (frame->pos + 1 < frame->count || p->frames.len > 1)
      frame->pos++; /* the T_EOF of the file is never passed */
    if (p->frames.len > 1 && ++p->expanded > MAX_EXPANDED) {
      pml_error(p, token.where, "the inlines expand to too much text");
      pml_give_up(p);
    }
    if (p->given_up)
      token.kind = T_EOF;
    mark->where = mark->site = token.where;
    mark->frame = frame->id;
    if (frame->is_arg) {
      mark->site = frame->site;
      token.newline = frame->newline;
      frame->newline = false;
    }
    if (token.kind != T_NAME || make_constant(p, &token))
      return token;
    if (frame->inl && substitute(p, frame, &token))
      continue;
    token.kind = (uint8_t)name_kind(p, token.name);
    return token;
  }
}

/*------------------------------------------------------------------------*/
/* Separators                                                              */

/* After these a new line separates statements ... */
static bool may_end_statement(pml_token_kind kind)
{
  switch (kind) {
  case T_RBRACE:
  case T_RPAR:
  case T_RBRACKET:
  case T_OD:
  case T_FI:
  case T_ELSE:
  case T_BREAK:
  case T_C_TEXT:
  case T_NAME:
  case T_CONST:
  case T_INCR:
  case T_DECR:
  case T_TIMEOUT:
    return true;
  default:
    return false;
  }
}

/* ... unless one of these follows, which cannot begin a statement.  SPIN is
** stricter with most of them. */
static bool continues_statement(pml_token_kind kind)
{
  switch (kind) {
  case T_SEMI:
  case T_ARROW:
  case T_UNLESS:
  case T_COLON:
  case T_COMMA:
  case T_DOT:
  case T_DOTDOT:
  case T_ASSIGN:
  case T_INCR:
  case T_DECR:
  case T_SORTED_SEND:
  case T_RECV:
  case T_RANDOM_RECV:
  case T_LBRACKET:
  case T_RBRACKET:
  case T_RPAR:
  case T_AT:
  case T_PRIORITY:
  case T_PROVIDED:
  case T_OF:
    return true;
  default:
    return (kind >= T_PLUS && kind <= T_OR && kind != T_MINUS &&
            kind != T_TILDE);
  }
}

/* After a closing brace everything but these is preceded by a semicolon. */
static bool may_follow_brace(pml_token_kind kind)
{
  return kind == T_PROCTYPE || kind == T_INIT || kind == T_NEVER ||
         kind == T_SEP || kind == T_FI || kind == T_OD || kind == T_RBRACE ||
         kind == T_UNLESS || kind == T_SEMI || kind == T_ARROW ||
         kind == T_EOF || kind == T_COMMA;
}

static bool needs_separator(const parser *p, const pml_token *next)
{
  if (p->in_sequence && !p->parens && next->newline &&
      may_end_statement(p->prev) && !continues_statement(next->kind))
    return true;
  if (p->prev == T_ELSE)
    return next->kind != T_SEMI && next->kind != T_ARROW && next->kind != T_FI;
  return p->prev == T_RBRACE && !may_follow_brace(next->kind);
}

void pml_advance(parser *p)
{
  p->prev = p->tok.kind;
  p->prev_mark = p->tok_mark;
  if (p->given_up) {
    p->tok.kind = T_EOF;
    return;
  }
  if (p->has_held) {
    p->tok = p->held;
    p->tok_mark = p->held_mark;
    p->has_held = false;
    return;
  }
  if (p->has_ahead) {
    p->tok = p->ahead;
    p->tok_mark = p->ahead_mark;
    p->has_ahead = false;
  } else
    p->tok = next_raw(p, &p->tok_mark);
  if (needs_separator(p, &p->tok)) {
    p->held = p->tok;
    p->held_mark = p->tok_mark;
    p->has_held = true;
    p->tok = (pml_token){.kind = T_SEMI, .where = p->prev_mark.where};
    p->tok_mark = p->prev_mark;
  }
}

pml_token_kind pml_peek(parser *p)
{
  if (p->has_held)
    return p->held.kind;
  if (!p->has_ahead && !p->given_up) {
    p->ahead = next_raw(p, &p->ahead_mark);
    p->has_ahead = true;
  }
  return p->given_up ? T_EOF : (pml_token_kind)p->ahead.kind;
}

pml_symbol *pml_symbol_of(parser *p, const char *name)
{
  pml_symbol *symbol = pml_table_get(&p->symbols, name);
  if (!symbol) {
    symbol = ARENA_NEW(p->mem, pml_symbol);
    pml_table_set(&p->symbols, p->mem, name, symbol);
  }
  return symbol;
}

/*------------------------------------------------------------------------*/
/* Spans                                                                   */

pml_mark pml_here(const parser *p)
{
  return p->tok_mark;
}

static span join(span from, span to)
{
  uint64_t end = (uint64_t)to.start + to.length;
  if (from.file == to.file && end > (uint64_t)from.start + from.length)
    from.length = (uint32_t)(end - from.start);
  return from;
}

/* When the two ends stem from different arguments of an inline, the text
** between is found in the inline's body, where the parameters stand. */
span pml_since(const parser *p, pml_mark from)
{
  if (from.frame == p->prev_mark.frame)
    return join(from.where, p->prev_mark.where);
  return join(from.site, p->prev_mark.site);
}

/*------------------------------------------------------------------------*/
/* Errors                                                                  */

void pml_error(parser *p, span where, const char *format, ...)
{
  bool repeated = p->last_error.file == where.file && where.file &&
                  p->last_error.start == where.start;
  if (!p->panic && !p->given_up && !repeated) {
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(p->diags, DIAG_ERROR, where, format, arguments);
    va_end(arguments);
    p->last_error = where;
  }
  p->panic = true;
  if (diags_full(p->diags))
    pml_give_up(p);
}

void pml_expected(parser *p, const char *what)
{
  const pml_token *t = &p->tok;
  if (p->has_held)
    t = &p->held; /* the semicolon in hand was never written */
  span where = t->where;
  const char *kind = pml_token_text(t->kind);
  if (t->name && t->kind != T_STRING && t->kind < T_LPAR)
    pml_error(p, where, "expected %s, found %s%s'%.64s'", what,
              t->kind == T_NAME ? "" : kind, t->kind == T_NAME ? "" : " ",
              t->name);
  else
    pml_error(p, where, "expected %s, found %s", what, kind);
}

bool pml_accept(parser *p, pml_token_kind kind)
{
  if (p->tok.kind != kind)
    return false;
  pml_advance(p);
  return true;
}

bool pml_expect(parser *p, pml_token_kind kind)
{
  if (!p->panic && pml_accept(p, kind))
    return true;
  pml_expected(p, pml_token_text(kind));
  return false;
}

bool pml_close(parser *p, pml_token_kind kind, span opened)
{
  if (!p->panic && p->tok.kind == kind) {
    pml_advance(p);
    return true;
  }
  bool quiet = p->panic || p->given_up;
  size_t before = diags_count(p->diags);
  pml_expected(p, pml_token_text(kind));
  if (!quiet && diags_count(p->diags) > before)
    diag_note(p->diags, opened, "to close what was opened here");
  return false;
}

bool pml_open_paren(parser *p)
{
  if (p->panic || p->tok.kind != T_LPAR) {
    pml_expected(p, "'('");
    return false;
  }
  p->parens++;
  pml_advance(p);
  return true;
}

bool pml_close_paren(parser *p, span opened)
{
  if (p->parens)
    p->parens--;
  return pml_close(p, T_RPAR, opened);
}

bool pml_enter(parser *p)
{
  if (++p->nesting <= MAX_NESTING)
    return true;
  pml_error(p, p->tok.where, "nested too deeply (the limit is %d levels)",
            MAX_NESTING);
  pml_give_up(p);
  return false;
}

void pml_leave(parser *p)
{
  p->nesting--;
}
