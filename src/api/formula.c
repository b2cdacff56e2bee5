#include "api/formula.h"

#include "api/languages.h"
#include "base/alloc.h"
#include "logic/ltl_parse.h"

#include <string.h>

typedef struct reading {
  nut_model *model;
  ltl_context *context;
  VEC(expr *) conditions; /* by atom */
  uint32_t file;
  const temporal *made; /* NULL after an error */
} reading;

/* A proposition is a condition of the language. */
static const ltl *read_proposition(void *context, const char *string,
                                   uint32_t length, span where)
{
  reading *r = context;
  nut_model *m = r->model;
  const char *copy = arena_copy(m->arena, string, length);
  uint32_t atom = ltl_add_atom(r->context, copy, length);
  if (atom < r->conditions.len)
    return ltl_atom(r->context, atom);
  uint32_t file = source_add_part(m->sources, where);
  expr *e = language_of_model(m->model)->condition(m->model, m->diags, file);
  vec_push(&r->conditions, e);
  return e ? ltl_atom(r->context, atom) : NULL;
}

static const temporal *convert(reading *r, const ltl *f)
{
  static const uint8_t kinds[] = {
      [LTL_NOT] = TEMPORAL_NOT,
      [LTL_NEXT] = TEMPORAL_NEXT,
      [LTL_EVENTUALLY] = TEMPORAL_EVENTUALLY,
      [LTL_ALWAYS] = TEMPORAL_ALWAYS,
      [LTL_AND] = TEMPORAL_AND,
      [LTL_OR] = TEMPORAL_OR,
      [LTL_IMPLIES] = TEMPORAL_IMPLIES,
      [LTL_EQUIV] = TEMPORAL_EQUIV,
      [LTL_UNTIL] = TEMPORAL_UNTIL,
      [LTL_WEAK_UNTIL] = TEMPORAL_WEAK_UNTIL,
      [LTL_RELEASE] = TEMPORAL_RELEASE,
      [LTL_STRONG_RELEASE] = TEMPORAL_STRONG_RELEASE,
  };
  model *m = r->model->model;
  if (f->op == LTL_TRUE || f->op == LTL_FALSE)
    return temporal_condition(m, expr_const(m, f->op == LTL_TRUE, NO_SPAN));
  if (f->op == LTL_ATOM)
    return temporal_condition(m, r->conditions.data[f->atom]);
  const temporal *a = convert(r, f->a);
  return temporal_new(m, (temporal_kind)kinds[f->op], a,
                      f->b ? convert(r, f->b) : NULL);
}

static const temporal *read_formula(reading *r, uint32_t file)
{
  nut_model *m = r->model;
  size_t length;
  source_text(m->sources, file, &length);
  if (!file) {
    diag_error(m->diags, NO_SPAN, "the formula is too long");
    return NULL;
  }
  ltl_reader reader = {read_proposition, r};
  const ltl *f =
      ltl_parse(r->context, m->sources, (span){file, 0, (uint32_t)length},
                &reader, m->diags);
  if (!f)
    return NULL;
  if (f->depth > TEMPORAL_DEPTH_MAX) {
    diag_error(m->diags, NO_SPAN, "the formula is nested too deeply");
    return NULL;
  }
  return convert(r, f);
}

static void do_read(void *work)
{
  reading *r = work;
  r->made = read_formula(r, r->file);
}

static void tidy_reading(void *work)
{
  reading *r = work;
  vec_free(&r->conditions);
  ltl_destroy(r->context);
}

const temporal *formula_read(nut_model *m, uint32_t file)
{
  reading r = {.model = m, .context = ltl_create(), .file = file};
  mem_protect_tidy(do_read, tidy_reading, &r);
  return r.made;
}
