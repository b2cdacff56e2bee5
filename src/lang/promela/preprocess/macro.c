/* Names, and the macros they stand for: the table, '#define', '#undef'. */

#include "base/hash.h"
#include "lang/promela/preprocess/pp_internal.h"
#include <string.h>

enum { CHAINS_AT_FIRST = 256 };

/* ---- names --------------------------------------------------------------- */

static void grow(pp_state *pp, pml_macros *m)
{
  uint32_t count = m->chain_count ? 2 * m->chain_count : CHAINS_AT_FIRST;
  pp_name **chains = ARENA_ARRAY(pp->mem, pp_name *, count);
  for (uint32_t i = 0; i < m->chain_count; i++)
    for (pp_name *n = m->chains[i], *next; n; n = next) {
      uint32_t home = (uint32_t)hash_bytes(n->text, n->length) & (count - 1);
      next = n->next;
      n->next = chains[home];
      chains[home] = n;
    }
  m->chains = chains;
  m->chain_count = count;
}

pp_name *pp_name_of(pp_state *pp, const char *bytes, size_t length)
{
  pml_macros *m = pp->macros;
  if (m->name_count >= m->chain_count)
    grow(pp, m);
  uint32_t home = (uint32_t)hash_bytes(bytes, length) & (m->chain_count - 1);
  for (pp_name *n = m->chains[home]; n; n = n->next)
    if (n->length == length && !memcmp(n->text, bytes, length))
      return n;
  pp_name *n = ARENA_NEW(pp->mem, pp_name);
  n->text = arena_copy(pp->mem, bytes, length);
  n->length = (uint32_t)length;
  n->meaning = (uint8_t)pp_builtin_meaning(n->text, length);
  for (size_t i = 0; i < length; i++)
    n->foreign |= (unsigned char)bytes[i] >= 0x80;
  n->next = m->chains[home];
  m->chains[home] = n;
  m->name_count++;
  return n;
}

bool pp_known(pp_state *pp, const pp_token *t)
{
  if (t->name->foreign)
    pp_error(pp, t,
             "a name with letters beyond ASCII is not known here" PP_USE_CPP);
  else if (!t->name->macro && t->name->meaning == PP_FOREIGN)
    pp_error(pp, t,
             "'%s' has its meaning from a C compiler, and none here" PP_USE_CPP,
             pp_shown(pp, t));
  return !pp->failed;
}

/* ---- #define ------------------------------------------------------------- */

/* The name behind '#define' or '#undef'; NULL after an error. */
static pp_name *macro_name(pp_state *pp, pp_token *t)
{
  pp_scan(pp, t);
  if (t->kind == PP_EOF)
    pp_error(pp, t, "the name of a macro is missing");
  else if (t->kind != PP_NAME)
    pp_error(pp, t, "the name of a macro must be a name");
  else if (t->name->meaning == PP_DEFINED || t->name->meaning == PP_VA_ARGS)
    pp_error(pp, t, "'%s' cannot be the name of a macro", pp_shown(pp, t));
  else if (t->name->foreign)
    pp_known(pp, t);
  return pp->failed ? NULL : t->name;
}

typedef VEC(pp_name *) param_list;

static bool add_param(pp_state *pp, const pp_token *t, param_list *params)
{
  if (t->name->param)
    pp_error(pp, t, "there is a parameter '%s' already", pp_shown(pp, t));
  else {
    vec_push(params, t->name);
    t->name->param = (uint32_t)params->len;
  }
  return !pp->failed;
}

/* After '...': ')'. */
static bool end_variadic(pp_state *pp, pp_macro *m)
{
  pp_token t;
  m->variadic = true;
  pp_scan(pp, &t);
  if (t.kind == PP_RPAREN)
    return true;
  pp_error(pp, &t, "expected ')' after the '...' of the parameters");
  return false;
}

/* One parameter and what follows it; false at the end or after an error. */
static bool parameter(pp_state *pp, pp_macro *m, param_list *params)
{
  pp_token t;
  pp_scan(pp, &t);
  if (t.kind == PP_RPAREN && !params->len)
    return false;
  if (pp_is(&t, "...")) {
    t.name = pp_name_of(pp, "__VA_ARGS__", strlen("__VA_ARGS__"));
    if (add_param(pp, &t, params))
      end_variadic(pp, m);
    return false;
  }
  if (t.kind != PP_NAME || t.name->meaning == PP_VA_ARGS) {
    pp_error(pp, &t, "expected the name of a parameter");
    return false;
  }
  if (!add_param(pp, &t, params))
    return false;
  pp_scan(pp, &t);
  if (t.kind == PP_COMMA)
    return true;
  if (pp_is(&t, "..."))
    end_variadic(pp, m);
  else if (t.kind != PP_RPAREN)
    pp_error(pp, &t, "expected ',' or ')' after a parameter");
  return false;
}

/* A name or operator of the body is put behind the others; '#' and '##' change
** their neighbours instead. */
static void add_to_body(pp_state *pp, const pp_macro *m, pp_token *t,
                        pp_tokens *body)
{
  pp_token *last = body->len ? &vec_last(body) : NULL;
  bool hash = m->has_params && last && last->kind == PP_HASH;
  if (t->kind == PP_NAME && t->name->param) {
    t->kind = PP_PARAM;
    t->param = t->name->param - 1;
  }
  if (hash && t->kind == PP_PARAM) {
    uint8_t white = last->flags & PP_WHITE;
    *last = *t;
    last->flags = PP_STRINGIFY | white;
  } else if (hash)
    pp_error(pp, last, "'#' is not followed by a parameter");
  else if (t->kind == PP_PASTE && !last)
    pp_error(pp, t, "'##' at the beginning of a macro");
  else if (t->kind == PP_PASTE && last->flags & PP_PASTE_LEFT)
    pp_error(pp, t, "'##' twice is not known here" PP_USE_CPP);
  else if (t->kind == PP_PASTE)
    last->flags |= PP_PASTE_LEFT;
  else if (m->variadic && t->kind == PP_NAME && t->length == 10 &&
           !memcmp(t->text, "__VA_OPT__", 10))
    pp_error(pp, t, "'__VA_OPT__' is not known here" PP_USE_CPP);
  else
    vec_push(body, *t);
}

static void read_body(pp_state *pp, const pp_macro *m, pp_token *t,
                      pp_tokens *body)
{
  t->flags &= (uint8_t)~PP_WHITE;
  for (; t->kind != PP_EOF; pp_scan(pp, t))
    add_to_body(pp, m, t, body);
  const pp_token *last = body->len ? &vec_last(body) : NULL;
  if (last && last->flags & PP_PASTE_LEFT)
    pp_error(pp, last, "'##' at the end of a macro");
  else if (last && m->has_params && last->kind == PP_HASH)
    pp_error(pp, last, "'#' is not followed by a parameter");
}

/* What is needed while a macro is read; given back also when memory runs
** out. */
typedef struct definition {
  pp_state *pp;
  pp_name *name;
  pp_macro *macro;
  param_list params;
  pp_tokens body;
} definition;

static void do_define(void *work)
{
  definition *d = work;
  pp_state *pp = d->pp;
  pp_token t;
  pp_scan(pp, &t);
  if (t.kind == PP_LPAREN && !(t.flags & PP_WHITE)) {
    d->macro->has_params = true;
    while (parameter(pp, d->macro, &d->params))
      continue;
    pp_scan(pp, &t);
  }
  if (pp->failed)
    return;
  read_body(pp, d->macro, &t, &d->body);
  pp_token *body = ARENA_ARRAY(pp->mem, pp_token, d->body.len + 1);
  if (d->body.len)
    memcpy(body, d->body.data, d->body.len * sizeof *body);
  d->macro->body = body;
  d->macro->count = (uint32_t)d->body.len;
  d->macro->param_count = (uint32_t)d->params.len;
}

static void tidy_define(void *work)
{
  definition *d = work;
  for (size_t i = 0; i < d->params.len; i++)
    d->params.data[i]->param = 0;
  vec_free(&d->params);
  vec_free(&d->body);
}

void pp_define(pp_state *pp)
{
  pp_token t;
  pp_name *name = macro_name(pp, &t);
  if (!name)
    return;
  definition work = {pp, name, ARENA_NEW(pp->mem, pp_macro), {0}, {0}};
  mem_protect_tidy(do_define, tidy_define, &work);
  if (!pp->failed)
    name->macro = work.macro;
}

void pp_undef(pp_state *pp)
{
  pp_token t;
  pp_name *name = macro_name(pp, &t);
  if (!name)
    return;
  name->macro = NULL;
  name->meaning = PP_PLAIN;
}
