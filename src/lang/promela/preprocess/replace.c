/* What a macro with parameters is replaced by: its body with the arguments in
** it, '#' makes a string of one, '##' joins two tokens. */

#include "lang/promela/preprocess/pp_internal.h"
#include <string.h>

/* ---- arguments ----------------------------------------------------------- */

/* Expands an argument as if it stood alone.  Calls move when others nest in
** them, so they are asked for again and again. */
static void expand_arg(pp_state *pp, size_t number)
{
  pp_call *c = pp_call_at_hand(pp);
  pp_arg *arg = &c->args.data[number];
  pp_token t;
  if (arg->expanded)
    return;
  arg->full = c->full.len;
  size_t depth = pp->depth;
  pp_push(pp, c->raw.data + arg->raw, arg->raw_count + 1, NULL);
  for (;;) {
    pp_get(pp, &t);
    if (t.kind == PP_EOF)
      break;
    vec_push(&pp_call_at_hand(pp)->full, t);
  }
  while (pp->depth > depth)
    pp_pop(pp);
  c = pp_call_at_hand(pp);
  arg = &c->args.data[number];
  arg->full_count = c->full.len - arg->full;
  arg->expanded = true;
}

/* A string with the text of an argument: one blank for all that stand between
** its tokens, '\' before quotes and backslashes in strings. */
static void stringify(pp_state *pp, const pp_arg *arg, pp_token *string)
{
  const pp_token *t = pp_call_at_hand(pp)->raw.data + arg->raw;
  const pp_token *stop = t + arg->raw_count;
  size_t room = 3;
  for (const pp_token *i = t; i < stop; i++)
    room += 2 * (size_t)i->length + 1;
  if (!pp_step(pp, room, string))
    return;
  char *out = arena_alloc(pp->mem, room), *to = out;
  bool source = false, white = false;
  size_t backslashes = 0;
  *to++ = '"';
  for (; t < stop; t++) {
    if (t->kind == PP_PADDING) {
      if (!source || (!white && !(t->flags & PP_SOURCE))) {
        source = t->flags & PP_SOURCE;
        white = t->flags & PP_WHITE;
      }
      continue;
    }
    if (to > out + 1 && (source ? white : (t->flags & PP_WHITE) != 0))
      *to++ = ' ';
    source = white = false;
    bool literal = t->kind == PP_STRING || t->kind == PP_CHAR;
    for (uint32_t i = 0; i < t->length; i++) {
      if (literal && (t->text[i] == '"' || t->text[i] == '\\'))
        *to++ = '\\';
      *to++ = t->text[i];
    }
    bool backslash = t->kind == PP_OTHER && t->text[0] == '\\';
    backslashes = backslash ? backslashes + 1 : 0;
  }
  if (backslashes & 1)
    to--; /* it would hide the quote */
  *to++ = '"';
  string->kind = PP_STRING;
  string->text = out;
  string->length = (uint32_t)(to - out);
}

/* ---- bodies -------------------------------------------------------------- */

/* What a parameter becomes. */
typedef struct filling {
  const pp_token *tokens;
  size_t count;
  pp_token string;
} filling;

static void fill(pp_state *pp, const pp_token *param, bool joined, filling *f)
{
  const pp_call *c = pp_call_at_hand(pp);
  const pp_arg *arg = &c->args.data[param->param];
  if (param->flags & PP_STRINGIFY) {
    f->string = *param;
    f->string.flags = 0;
    stringify(pp, arg, &f->string);
    f->tokens = &f->string;
    f->count = 1;
  } else if (joined) {
    f->tokens = c->raw.data + arg->raw;
    f->count = arg->raw_count;
  } else {
    f->count = arg->full_count;
    f->tokens = f->count ? c->full.data + arg->full : NULL;
  }
}

static void set_paste(pp_token *t, const pp_token *as)
{
  t->flags &= (uint8_t)~PP_PASTE_LEFT;
  t->flags |= as->flags & PP_PASTE_LEFT;
}

/* A parameter behind '##' changes what stands before: the comma before the
** further arguments goes with them, and nothing is joined with nothing. */
static void join_left(const pp_macro *m, const pp_arg *arg, const pp_token *p,
                      size_t count, pp_tokens *out)
{
  if (!out->len)
    return;
  pp_token *before = &vec_last(out);
  bool rest = m->variadic && p->param + 1u == m->param_count;
  if (before->kind == PP_COMMA && rest) {
    if (arg->omitted)
      out->len--;
    else
      set_paste(before, p);
  } else if (!count)
    set_paste(before, p);
}

static void add_param(pp_state *pp, const pp_macro *m, const pp_token *p,
                      uint32_t use, pp_context *to)
{
  bool first = p == m->body;
  bool behind = !first && p[-1].flags & PP_PASTE_LEFT;
  filling f = {0};
  fill(pp, p, behind || p->flags & PP_PASTE_LEFT, &f);
  f.string.use = use;
  if (behind)
    join_left(m, &pp_call_at_hand(pp)->args.data[p->param], p, f.count,
              &to->own);
  if (!pp->in_directive && !first && !behind)
    vec_push(&to->own,
             ((pp_token){.kind = PP_PADDING,
                         .flags = PP_SOURCE | (p->flags & PP_WHITE)}));
  if (!pp_step(pp, f.count, p))
    return;
  vec_grow(&to->own, f.count);
  for (size_t i = 0; i < f.count; i++)
    vec_push(&to->own, f.tokens[i]);
  if (f.count && p->flags & PP_PASTE_LEFT)
    vec_last(&to->own).flags |= PP_PASTE_LEFT;
  if (!pp->in_directive && !(p->flags & PP_PASTE_LEFT))
    vec_push(&to->own, ((pp_token){.kind = PP_PADDING}));
}

/* The arguments that stand in the body as they are need to be expanded. */
static void expand_args(pp_state *pp, const pp_macro *m)
{
  for (const pp_token *p = m->body; p < m->body + m->count; p++) {
    bool behind = p > m->body && p[-1].flags & PP_PASTE_LEFT;
    if (p->kind == PP_PARAM && !behind &&
        !(p->flags & (PP_PASTE_LEFT | PP_STRINGIFY)))
      expand_arg(pp, p->param);
  }
}

void pp_replace(pp_state *pp, const pp_macro *m, const pp_token *name,
                uint32_t use)
{
  expand_args(pp, m);
  pp_context *to = pp_next_context(pp);
  vec_clear(&to->own);
  for (const pp_token *p = m->body; p < m->body + m->count; p++) {
    pp_token t = *p;
    t.use = use;
    if (p->kind == PP_PARAM)
      add_param(pp, m, p, use, to);
    else
      vec_push(&to->own, t);
  }
  pp_push(pp, to->own.data, to->own.len, name->name);
  to->line = name->line;
}

/* ---- joining ------------------------------------------------------------- */

/* Joins two tokens; a '/' is never joined into the start of a comment. */
static bool join(pp_state *pp, pp_token *left, const pp_token *right)
{
  size_t length = (size_t)left->length + right->length;
  if (!pp_step(pp, length, left))
    return false;
  bool comment = pp_is(left, "/") && !pp_is(right, "=");
  char *both = arena_alloc(pp->mem, length + 1);
  memcpy(both, left->text, left->length);
  memcpy(both + left->length, right->text, right->length);
  pp_token joined = *left;
  if (comment || !pp_scan_one(pp, both, length, &joined)) {
    pp_error(pp, left, "'##' does not make one token of '%s' and '%s'",
             pp_shown(pp, left), pp_shown(pp, right));
    return false;
  }
  joined.flags |= left->flags & PP_WHITE;
  *left = joined;
  return true;
}

void pp_paste(pp_state *pp, const pp_token *first)
{
  pp_token left = *first, right;
  do {
    pp_context *c = &pp->contexts.data[pp->depth - 1];
    if (c->pos == c->count)
      break;
    right = c->tokens[c->pos++];
    if (right.kind == PP_PADDING)
      break;
    if (!join(pp, &left, &right))
      return;
  } while (right.flags & PP_PASTE_LEFT);
  left.flags &= (uint8_t)~PP_PASTE_LEFT;
  pp_push_one(pp, &left);
}
