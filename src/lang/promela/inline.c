/* Inlines: SPIN replaces calls by text.  Here a call pushes the tokens of the
** body as a new source of tokens, and parameters push those of their
** arguments, so that every token keeps the span of where it was written. */

#include "lang/promela/parse/parse_internal.h"
#include <assert.h>

/* Skips to the brace that closes the one in hand and returns how many tokens
** that are.  A definition stands at the top level, so the tokens are those of
** the file itself. */
static uint32_t skip_body(parser *p, span opened)
{
  const pml_frame *file = &p->frames.data[0];
  const pml_token *tokens = file->tokens;
  uint32_t first = file->pos - 1, i = first, depth = 0;
  for (; tokens[i].kind != T_EOF; i++) {
    if (tokens[i].kind == T_LBRACE)
      depth++;
    else if (tokens[i].kind == T_RBRACE && --depth == 0)
      break;
  }
  bool closed = tokens[i].kind == T_RBRACE;
  p->frames.data[0].pos = closed ? i + 1 : i;
  pml_advance(p);
  if (!closed) {
    pml_error(p, opened, "the body of this inline does not end");
    return 0;
  }
  return i + 1 - first;
}

static void define(parser *p, pml_inline *inl)
{
  pml_symbol *symbol = pml_symbol_of(p, inl->name);
  if (symbol->inl) {
    pml_error(p, inl->where, "inline '%s' is defined twice", inl->name);
    diag_note(p->diags, symbol->inl->where, "the first definition");
    p->panic = false;
  } else
    symbol->inl = inl;
}

/* 'inline' name '(' [ name { ',' name } ] ')' '{' ... '}' */
void pml_inline_definition(parser *p)
{
  pml_advance(p);
  pml_inline *inl = ARENA_NEW(p->mem, pml_inline);
  inl->id = ++p->inline_count;
  inl->name = p->tok.name;
  inl->where = p->tok.where;
  if (p->tok.kind != T_NAME && p->tok.kind != T_INAME) {
    pml_expected(p, "the name of an inline");
    return;
  }
  pml_advance(p);
  span opened = p->tok.where;
  if (!pml_open_paren(p))
    return;
  size_t base = p->list.len;
  while (p->tok.kind != T_RPAR && !p->panic) {
    vec_push(&p->list, (void *)(uintptr_t)p->tok.name);
    if (pml_at_declaration(p))
      pml_expected(p, "a name without a type");
    else
      pml_expect(p, T_NAME);
    if (p->tok.kind != T_RPAR)
      pml_expect(p, T_COMMA);
  }
  inl->params = (const char **)pml_take_list(p, base, &inl->param_count);
  if (!pml_close_paren(p, opened))
    return;
  if (p->tok.kind != T_LBRACE) {
    pml_expected(p, "'{'");
    return;
  }
  /* Nothing may have been read beyond the brace: the body is not parsed. */
  assert(!p->has_ahead && !p->has_held && p->frames.len == 1);
  inl->tokens = &p->frames.data[0].tokens[p->frames.data[0].pos - 1];
  inl->token_count = skip_body(p, p->tok.where);
  if (inl->token_count)
    define(p, inl);
}

void pml_close_frame(parser *p, pml_frame *frame)
{
  if (frame->inl) {
    frame->inl->active = false;
    p->inlines_open--;
  }
}

/* The tokens of one argument, up to a comma or parenthesis that is not inside
** brackets. */
static pml_args take_argument(parser *p, pml_tokens *buffer)
{
  vec_clear(buffer);
  uint32_t depth = 0;
  for (;;) {
    pml_token_kind kind = p->tok.kind;
    if (kind == T_EOF || kind == T_LBRACE || kind == T_RBRACE ||
        (!depth && (kind == T_COMMA || kind == T_RPAR)))
      break;
    if (kind == T_LPAR || kind == T_LBRACKET)
      depth++;
    else if ((kind == T_RPAR || kind == T_RBRACKET) && depth)
      depth--;
    /* Kinds of names are found again when the argument is read. */
    pml_token token = p->tok;
    if (kind == T_UNAME || kind == T_PNAME || kind == T_INAME)
      token.kind = T_NAME;
    token.newline = false;
    vec_push(buffer, token);
    pml_advance(p);
  }
  pml_args args = {0};
  args.count = (uint32_t)buffer->len;
  pml_token *copy = ARENA_ARRAY(p->mem, pml_token, buffer->len);
  for (size_t i = 0; i < buffer->len; i++)
    copy[i] = buffer->data[i];
  args.tokens = copy;
  return args;
}

/* '(' [ arg { ',' arg } ] ')', leaving the closing parenthesis in hand: what
** follows it must be read after the body. */
static pml_args *take_arguments(parser *p, const pml_inline *inl)
{
  span opened = p->tok.where;
  if (!pml_open_paren(p))
    return NULL;
  pml_args *args = ARENA_ARRAY(p->mem, pml_args, inl->param_count + 1);
  uint32_t count = 0;
  while (p->tok.kind != T_RPAR && !p->panic) {
    pml_args arg = take_argument(p, &p->arg_tokens);
    if (!arg.count)
      pml_expected(p, "an argument");
    if (count < inl->param_count)
      args[count] = arg;
    count++;
    if (p->tok.kind == T_COMMA)
      pml_advance(p);
    else if (p->tok.kind != T_RPAR)
      pml_close(p, T_RPAR, opened);
  }
  p->parens--;
  if (p->panic)
    return NULL;
  if (count != inl->param_count) {
    pml_error(p, opened,
              "inline '%s' has %u parameter%s, this call has %u"
              " argument%s",
              inl->name, inl->param_count, inl->param_count == 1 ? "" : "s",
              count, count == 1 ? "" : "s");
    diag_note(p->diags, inl->where, "defined here");
    return NULL;
  }
  return args;
}

/* Whether both tokens stem from the same use of a macro. */
static bool stem_from_one(const parser *p, span a, span b)
{
  span x = source_origin(p->sources, a), y = source_origin(p->sources, b);
  return x.file == y.file && x.start == y.start && x.length == y.length;
}

/* The argument as it was written, its tokens as far apart as they were; NULL: it
** comes from a file that must not be shown. */
static const char *argument_text(parser *p, const pml_args *arg)
{
  text_clear(&p->excerpt);
  for (uint32_t i = 0; i < arg->count; i++) {
    span where = arg->tokens[i].where;
    uint32_t file = source_origin(p->sources, where).file;
    if (source_is_label(p->sources, file) || source_is_hidden(p->sources, file))
      return NULL;
    span before = i ? arg->tokens[i - 1].where : where;
    if (i && stem_from_one(p, before, where))
      continue;
    if (i && where.start != before.start + before.length)
      text_add_char(&p->excerpt, ' ');
    source_excerpt(p->sources, where, &p->excerpt);
  }
  return arena_copy(p->mem, text_string(&p->excerpt), p->excerpt.len);
}

static const pml_call *call_of(parser *p, const pml_inline *inl,
                               const pml_args *args)
{
  pml_call *call = ARENA_NEW(p->mem, pml_call);
  call->params = inl->params;
  call->count = inl->param_count;
  call->texts = ARENA_ARRAY(p->mem, const char *, inl->param_count + 1);
  for (uint32_t i = 0; i < inl->param_count; i++)
    call->texts[i] = argument_text(p, &args[i]);
  return call;
}

/* name '(' args ')', and with 'result': varref '=' name '(' args ')'.  Becomes
** a block with the statements of the inline's body. */
pml_stmt *pml_inline_call(parser *p, pml_mark start, pml_expr *result)
{
  const pml_symbol *symbol = pml_table_get(&p->symbols, p->tok.name);
  pml_inline *inl = symbol->inl;
  pml_advance(p);
  const pml_args *args = take_arguments(p, inl);
  if (!args)
    return NULL;
  p->prev_mark = p->tok_mark; /* the call ends with the parenthesis in hand */
  span call = pml_since(p, start);
  if (inl->active || p->inlines_open >= MAX_INLINES) {
    pml_error(p, call,
              inl->active ? "inline '%s' calls itself"
                          : "inlines nested too deeply at '%s'",
              inl->name);
    return NULL;
  }
  inl->active = true;
  p->inlines_open++;
  pml_frame body = {.tokens = inl->tokens, .count = inl->token_count};
  body.id = ++p->frames_opened;
  body.inl = inl;
  body.args = args;
  body.call = call_of(p, inl, args);
  body.result = result;
  vec_push(&p->frames, body);
  p->init_ok = false;
  /* From the closing parenthesis to the body's brace; no separator between. */
  p->tok.kind = T_SEMI;
  pml_advance(p);
  pml_stmt *block = pml_parse_block(p, S_BLOCK, start);
  block->where = call;
  block->inlined = inl->name;
  block->result = result;
  return block;
}
