#include "verify/formula.h"

#include "base/alloc.h"
#include "logic/ltl_parse.h"

#include <string.h>

typedef struct reading {
  verification *asked;
  VEC(const ltl *) leaves; /* each proposition once */
  uint32_t file;
  const ltl *made; /* NULL after an error */
} reading;

/* A proposition is a condition of the language. */
static const ltl *read_proposition(void *context, const char *string,
                                   uint32_t length, span where)
{
  reading *r = context;
  loaded *m = r->asked->model;
  const char *copy = arena_copy(m->arena, string, length);
  for (size_t i = 0; i < r->leaves.len; i++)
    if (strcmp(r->leaves.data[i]->text, copy) == 0)
      return r->leaves.data[i];
  uint32_t file = source_add_part(m->sources, where);
  expr *e = verification_condition(r->asked, file);
  if (!e)
    return NULL;
  vec_push(&r->leaves, ltl_leaf(m->arena, copy, e));
  return vec_last(&r->leaves);
}

static const ltl *read_formula(reading *r, uint32_t file)
{
  loaded *m = r->asked->model;
  size_t length;
  source_text(m->sources, file, &length);
  if (!file) {
    diag_error(m->diags, NO_SPAN, "the formula is too long");
    return NULL;
  }
  ltl_reader reader = {read_proposition, r};
  span where = {file, 0, (uint32_t)length};
  const ltl *f = ltl_parse(m->arena, m->sources, where, &reader, m->diags);
  return f ? ltl_protect(r->asked->annex, f) : NULL;
}

static void do_read(void *work)
{
  reading *r = work;
  r->made = read_formula(r, r->file);
}

static void tidy_reading(void *work)
{
  reading *r = work;
  vec_free(&r->leaves);
}

const ltl *formula_read(verification *v, uint32_t file)
{
  reading r = {.asked = v, .file = file};
  mem_protect_tidy(do_read, tidy_reading, &r);
  return r.made;
}
