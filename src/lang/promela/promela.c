/* The way of a file through parser, resolver and lowering; conditions of the
** command line. */

#include "lang/promela/promela.h"
#include "base/alloc.h"
#include "lang/promela/lower/lower.h"
#include "lang/promela/parse/parse.h"

#include <stdlib.h>

promela_options *promela_options_new(arena *a, const char *const *cpp_args,
                                     uint32_t count)
{
  promela_options *o = ARENA_NEW(a, promela_options);
  o->cpp_args = cpp_args;
  o->cpp_arg_count = count;
  return o;
}

void promela_use_cpp(promela_options *o)
{
  o->system_cpp = true;
}

void promela_allow_c(promela_options *o)
{
  o->allow_c = true;
}

typedef struct lowering {
  lower *lower;
  bool fine;
} lowering;

static void do_lower(void *work)
{
  lowering *w = work;
  w->fine = lower_module(w->lower) && model_check(w->lower->m, w->lower->diags);
  if (w->fine)
    lower_warn_misfits(w->lower);
}

/* The half-made model is given back when memory runs out in between. */
static void undo_lower(void *work)
{
  lower_destroy(((lowering *)work)->lower);
}

static model *lower_and_check(lower *l)
{
  lowering work = {l, false};
  mem_protect_undo(do_lower, undo_lower, &work);
  if (work.fine)
    return l->m;
  lower_destroy(l);
  return NULL;
}

model *promela_read(arena *a, names *n, sources *s, diags *d, uint32_t file,
                    const promela_options *options)
{
  size_t before = diags_errors(d);
  promela_module *module = promela_parse(a, n, s, d, file, options);
  if (!module || diags_errors(d) > before)
    return NULL;
  return lower_and_check(lower_create(a, n, s, d, module));
}

/* The first temporal operator in 'e', or NULL. */
static const pml_expr *find_temporal(const pml_expr *e)
{
  if (!e)
    return NULL;
  if (e->kind >= E_NEXT && e->kind <= E_RELEASE)
    return e;
  const pml_expr *found = find_temporal(e->a);
  if (!found)
    found = find_temporal(e->b);
  return found ? found : find_temporal(e->c);
}

expr *promela_lower_condition(model *m, diags *d, const pml_expr *e)
{
  lower *l = m->front_end;
  size_t before = diags_errors(d);
  const pml_expr *temporal = find_temporal(e);
  if (temporal) {
    diag_error(d, temporal->where, "a temporal operator in a condition");
    return NULL;
  }
  if (lower_has_run(e)) {
    diag_error(d, e->where, "a condition cannot create processes");
    return NULL;
  }
  /* What it needs of the states is noted in 'm', which may be an annex. */
  model *whole = l->m;
  l->m = m;
  l->diags = d;
  expr *x = lower_expr(l, e);
  l->m = whole;
  return diags_errors(d) > before ? NULL : x;
}

expr *promela_read_condition(model *m, diags *d, uint32_t file)
{
  lower *l = m->front_end;
  pml_ltl *formula = promela_parse_ltl(m->arena, m->names, m->sources, d, file,
                                       l->module, "condition");
  return formula ? promela_lower_condition(m, d, formula->formula) : NULL;
}

const model_language promela_facts = {.name = "promela",
                                      .endings = ".pml.pm.prm.prom.promela",
                                      .line_comment = "//",
                                      .comment = "/*",
                                      .comment_end = "*/",
                                      .has_strings = true,
                                      .is_edited = true,
                                      .counts_start = true,
                                      .has_ends = true,
                                      .condition = promela_read_condition};
