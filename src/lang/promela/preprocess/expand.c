/* The stream of tokens with macros replaced: contexts, and the arguments of
** macros.  What happens in which order is told in pp_internal.h. */

#include "lang/promela/preprocess/pp_internal.h"

/* ---- contexts ------------------------------------------------------------ */

bool pp_step(pp_state *pp, size_t work, const pp_token *at)
{
  mem_poll();
  if (work < PP_STEPS_MAX - pp->steps) {
    pp->steps += (uint32_t)work;
    return true;
  }
  if (!pp->failed)
    pp_error(pp, at, "the macros expand to too much text" PP_USE_CPP);
  return false;
}

pp_context *pp_next_context(pp_state *pp)
{
  if (pp->depth == pp->contexts.len)
    vec_push(&pp->contexts, (pp_context){0});
  return &pp->contexts.data[pp->depth];
}

void pp_push(pp_state *pp, const pp_token *tokens, size_t count, pp_name *macro)
{
  pp_context *c = pp_next_context(pp);
  c->tokens = tokens;
  c->count = count;
  c->pos = 0;
  c->macro = macro;
  c->body = false;
  c->line = 0;
  c->use = 0;
  if (macro)
    macro->disabled = true;
  pp->depth++;
}

void pp_push_one(pp_state *pp, const pp_token *t)
{
  pp_context *c = pp_next_context(pp);
  vec_clear(&c->own);
  vec_push(&c->own, *t);
  pp_push(pp, c->own.data, 1, NULL);
}

void pp_pop(pp_state *pp)
{
  pp_context *c = &pp->contexts.data[--pp->depth];
  if (c->macro)
    c->macro->disabled = false;
}

static void make_padding(pp_token *t, const pp_token *source)
{
  uint8_t flags = source ? PP_SOURCE | (source->flags & PP_WHITE) : 0;
  *t = (pp_token){
      .kind = PP_PADDING, .flags = flags, .line = source ? source->line : 0};
}

/* ---- the files ----------------------------------------------------------- */

/* The next token of the files; directives are obeyed on the way. */
static void file_token(pp_state *pp, pp_token *t)
{
  for (;;) {
    if (pp->has_ahead) {
      *t = pp->ahead;
      pp->has_ahead = false;
    } else
      pp_scan(pp, t);
    if (pp->failed) {
      *t = (pp_token){.where = t->where};
      return;
    }
    if (t->kind == PP_EOF && !pp->in_directive && !pp->parsing_args &&
        pp_close(pp))
      continue;
    if (t->flags & PP_BOL && t->kind == PP_HASH && pp->parsing_args != 1) {
      pp_directive(pp, t);
      continue;
    }
    if (t->flags & PP_BOL && !pp->skipping && !pp->parsing_args &&
        t->kind != PP_EOF)
      pp_output_line(pp, t);
    if (pp->in_directive || !pp->skipping || t->kind == PP_EOF)
      return;
  }
}

/* The token that was read last is to be read again. */
static void take_back(pp_state *pp, const pp_token *t)
{
  if (!pp->depth) {
    pp->ahead = *t;
    pp->has_ahead = true;
  } else
    pp->contexts.data[pp->depth - 1].pos--;
}

/* ---- macros with parameters ---------------------------------------------- */

/* Does '(' follow?  If not, all is as before; padding that was passed is put
** back. */
static bool opens(pp_state *pp)
{
  pp_token t, padding = {0};
  for (;;) {
    pp_get(pp, &t);
    if (t.kind != PP_PADDING)
      break;
    bool source = padding.flags & PP_SOURCE;
    if (!padding.kind || !source ||
        (!(padding.flags & PP_WHITE) && !(t.flags & PP_SOURCE)))
      padding = t;
  }
  if (t.kind == PP_LPAREN)
    return true;
  if (t.kind != PP_EOF || t.flags & PP_ARG_END) {
    take_back(pp, &t);
    if (padding.kind)
      pp_push_one(pp, &padding);
  }
  return false;
}

/* Reads one argument; the token that ends it is left in 'end'. */
static void read_arg(pp_state *pp, const pp_macro *m, uint32_t use,
                     pp_token *end)
{
  pp_call *c = pp_call_at_hand(pp);
  pp_arg arg = {.raw = c->raw.len};
  bool rest = m->variadic && c->args.len + 1 == m->param_count;
  size_t depth = 0;
  for (;;) {
    pp_get(pp, end);
    c = pp_call_at_hand(pp); /* a directive may have calls of its own */
    if (end->kind == PP_PADDING && c->raw.len == arg.raw)
      continue;
    if (end->kind == PP_EOF || (end->kind == PP_RPAREN && !depth) ||
        (end->kind == PP_COMMA && !depth && !rest))
      break;
    depth += end->kind == PP_LPAREN;
    depth -= end->kind == PP_RPAREN;
    end->use = use;
    end->flags &= (uint8_t)~PP_BOL;
    vec_push(&c->raw, *end);
  }
  while (c->raw.len > arg.raw && vec_last(&c->raw).kind == PP_PADDING)
    c->raw.len--;
  arg.raw_count = c->raw.len - arg.raw;
  vec_push(&c->raw, ((pp_token){.flags = PP_ARG_END, .where = end->where}));
  vec_push(&c->args, arg);
}

/* Are there as many as the macro takes?  One empty argument is none. */
static bool count_args(pp_state *pp, const pp_macro *m, const pp_token *name)
{
  pp_call *c = pp_call_at_hand(pp);
  size_t given = c->args.len;
  if (given == 1 && !m->param_count && !c->args.data[0].raw_count)
    given = 0;
  bool omitted = m->variadic && given + 1 == m->param_count;
  if (given != m->param_count && !omitted) {
    pp_error(pp, name, "macro '%s' takes %u argument%s, not %zu",
             pp_shown(pp, name), m->param_count, m->param_count == 1 ? "" : "s",
             given);
    return false;
  }
  if (omitted) {
    pp_arg none = {.raw = c->raw.len, .omitted = true};
    vec_push(&c->raw, ((pp_token){.flags = PP_ARG_END}));
    vec_push(&c->args, none);
  } else if (m->variadic && given == 1 && !c->args.data[0].raw_count)
    c->args.data[0].omitted = true;
  return true;
}

/* Reads all arguments of a use, up to its ')'. */
static bool read_args(pp_state *pp, const pp_macro *m, const pp_token *name,
                      uint32_t use)
{
  pp_token end;
  if (pp->nesting == PP_CALLS_MAX) {
    pp_error(pp, name, "macros are nested too deeply" PP_USE_CPP);
    return false;
  }
  if (pp->nesting == pp->calls.len)
    vec_push(&pp->calls, (pp_call){0});
  pp_call *c = &pp->calls.data[pp->nesting++];
  vec_clear(&c->raw);
  vec_clear(&c->full);
  vec_clear(&c->args);
  do
    read_arg(pp, m, use, &end);
  while (end.kind == PP_COMMA);
  if (end.kind == PP_EOF) {
    pp_error(pp, name, "the arguments of macro '%s' do not end",
             pp_shown(pp, name));
    return false;
  }
  span *where = &pp->out.recipe.uses.data[use - 1].where;
  uint64_t stop = (uint64_t)end.where.start + end.where.length;
  if (end.where.file == where->file && stop > where->start)
    where->length = (uint32_t)(stop - where->start);
  return count_args(pp, m, name);
}

/* ---- replacing ----------------------------------------------------------- */

static uint32_t add_use(pp_state *pp, const pp_token *name)
{
  source_use use = {name->where, name->name->text, name->use};
  vec_push(&pp->out.recipe.uses, use);
  return (uint32_t)pp->out.recipe.uses.len;
}

/* A name with parameters stands for itself when no '(' follows.  A directive
** between the arguments may give the name another macro. */
static bool enter_call(pp_state *pp, const pp_macro *m, const pp_token *name)
{
  bool good = false;
  uint32_t use = 0;
  pp->quiet++;
  pp->parsing_args = 1;
  if (opens(pp)) {
    pp->parsing_args = 2;
    use = add_use(pp, name);
    uint32_t nesting = pp->nesting;
    good = read_args(pp, m, name, use);
    if (!good)
      pp->nesting = nesting;
  }
  pp->parsing_args = 0;
  pp->quiet--;
  if (!good)
    return false;
  pp_replace(pp, m, name, use);
  pp->nesting--;
  return true;
}

/* Puts the macro in the place of its name; false when the name stays. */
static bool enter(pp_state *pp, const pp_token *name)
{
  const pp_macro *m = name->name->macro;
  pp_token value;
  if (!m) {
    pp_builtin_value(pp, name, &value);
    pp_push_one(pp, &value);
    return true;
  }
  if (m->has_params)
    return enter_call(pp, m, name);
  pp_push(pp, m->body, m->count, name->name);
  pp_context *c = &pp->contexts.data[pp->depth - 1];
  c->body = true;
  c->line = name->line;
  c->use = add_use(pp, name);
  return true;
}

/* A token of the context on top.  The text of a macro has the line of its
** use. */
static void context_token(pp_state *pp, pp_context *c, pp_token *t)
{
  *t = c->tokens[c->pos++];
  if (c->line)
    t->line = c->line;
  if (c->body)
    t->use = c->use;
  if (c->body && !t->where.file) /* nobody wrote it: it is predefined */
    t->where = pp->out.recipe.uses.data[c->use - 1].where;
  pp_step(pp, 1, t);
}

/* Is this a name that may be replaced? */
static bool is_active(pp_state *pp, pp_token *t)
{
  if (t->kind != PP_NAME || t->flags & PP_PAINTED)
    return false;
  pp_name *n = t->name;
  if (!n->macro && n->meaning == PP_FOREIGN && !pp->quiet) {
    pp_known(pp, t);
    return false;
  }
  if (!pp_is_defined(n))
    return false;
  if (n->disabled)
    t->flags |= PP_PAINTED;
  return !n->disabled && !pp->quiet;
}

void pp_get(pp_state *pp, pp_token *t)
{
  for (;;) {
    if (pp->failed) {
      *t = (pp_token){0};
      return;
    }
    pp_context *c = pp->depth ? &pp->contexts.data[pp->depth - 1] : NULL;
    if (!c)
      file_token(pp, t);
    else if (c->pos == c->count) {
      pp_pop(pp);
      if (pp->in_directive)
        continue;
      make_padding(t, NULL);
      return;
    } else
      context_token(pp, c, t);
    pp_token source = *t;
    if (t->flags & PP_PASTE_LEFT)
      pp_paste(pp, t);
    else if (!is_active(pp, t) || !enter(pp, t))
      return;
    if (!pp->in_directive) {
      make_padding(t, &source);
      return;
    }
  }
}

void pp_get_text(pp_state *pp, pp_token *t)
{
  do
    pp_get(pp, t);
  while (t->kind == PP_PADDING);
}
