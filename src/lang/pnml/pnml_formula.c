/* The formulas of the Model Checking Contest:
**
**   property-set > property > id, description, formula
**
** A formula is one tree of elements named by their operators.  Reachability
** formulas, 'exists-path finally' and 'all-paths globally' before something
** without path operators, become expressions over the model; 'place-bound' asks
** for the greatest sum of tokens; 'all-paths' before something without further
** path quantifiers is linear temporal logic; those with a quantifier before
** each path operator are CTL; all others are of a kind not checked here. */

#include "lang/pnml/pnml.h"

#include "base/source/shown.h"
#include "base/text/text.h"
#include "model/ctl.h"
#include "model/ltl.h"
#include <string.h>

typedef pnml_translating translating;

static uint32_t children_of(const xml_element *e)
{
  uint32_t n = 0;
  for (const xml_element *c = e->children; c; c = c->next)
    n++;
  return n;
}

static bool is(const xml_element *e, const char *name)
{
  return e && !strcmp(e->name, name);
}

static expr *wrong(translating *t, const xml_element *e, const char *what)
{
  diag_error(t->diags, e->where, "expected %s, found <%s>", what, e->name);
  return NULL;
}

static const pnml_node *node_of(translating *t, const xml_element *e,
                                const char *tag, pnml_kind kind)
{
  if (!is(e, tag)) {
    diag_error(t->diags, e->where, "expected <%s>, found <%s>", tag, e->name);
    return NULL;
  }
  const char *id = name_of(t->model->names, e->text);
  const pnml_node *n = pnml_find(t->net, id);
  if (n && n->kind == kind)
    return n;
  diag_error(t->diags, e->text_where, "the net has no %s '%s'", tag, e->text);
  return NULL;
}

/* tokens-count: place+, the sum of their tokens
** integer-constant: a number */
static expr *read_number(translating *t, const xml_element *e)
{
  model *m = t->model;
  if (is(e, "integer-constant")) {
    int32_t value;
    return pnml_number(e, t->diags, 0, "a constant", &value)
               ? expr_const(m, value, e->where)
               : NULL;
  }
  if (!is(e, "tokens-count"))
    return wrong(t, e, "<tokens-count> or <integer-constant>");
  expr **list = ARENA_ARRAY(m->arena, expr *, children_of(e) + 1);
  uint32_t n = 0;
  for (const xml_element *c = e->children; c; c = c->next) {
    const pnml_node *p = node_of(t, c, "place", PNML_PLACE);
    if (!p)
      return NULL;
    list[n++] = pnml_tokens_of_node(m, p, c->where);
  }
  return n ? expr_join(m, OP_ADD, list, n) : expr_const(m, 0, e->where);
}

/* is-fireable: transition+, one of which is enabled */
static expr *read_fireable(translating *t, const xml_element *e)
{
  expr **list = ARENA_ARRAY(t->model->arena, expr *, children_of(e) + 1);
  uint32_t n = 0;
  for (const xml_element *c = e->children; c; c = c->next) {
    const pnml_node *x = node_of(t, c, "transition", PNML_TRANSITION);
    if (!x)
      return NULL;
    list[n++] = pnml_fireable_node(t->model, x, c->where);
  }
  return n ? expr_join(t->model, OP_OR, list, n)
           : expr_const(t->model, 0, e->where);
}

static const op comparisons[] = {OP_LE, OP_LT, OP_GE, OP_GT, OP_EQ, OP_NE};
static const char *const comparison_tags[] = {"integer-le", "integer-lt",
                                              "integer-ge", "integer-gt",
                                              "integer-eq", "integer-ne"};
enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

static expr *read_comparison(translating *t, const xml_element *e, op o)
{
  if (children_of(e) != 2)
    return wrong(t, e, "a comparison of two numbers");
  expr *a = read_number(t, e->children);
  expr *b = a ? read_number(t, e->children->next) : NULL;
  return b ? expr_new(t->model, o, a, b, NULL, e->where) : NULL;
}

static bool is_temporal(const xml_element *e)
{
  static const char *const tags[] = {"all-paths", "exists-path", "globally",
                                     "finally",   "next",        "until"};
  for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
    if (is(e, tags[i]))
      return true;
  return false;
}

/* A formula without path operators. */
expr *pnml_read_state(translating *t, const xml_element *e)
{
  model *m = t->model;
  bool all = is(e, "conjunction");
  if (is_temporal(e)) {
    t->other = true;
    return NULL;
  }
  if (all || is(e, "disjunction")) {
    expr **list = ARENA_ARRAY(m->arena, expr *, children_of(e) + 1);
    uint32_t n = 0;
    for (const xml_element *c = e->children; c; c = c->next)
      if (!(list[n++] = pnml_read_state(t, c)))
        return NULL;
    return n ? expr_join(m, all ? OP_AND : OP_OR, list, n)
             : expr_const(m, all, e->where);
  }
  if (is(e, "negation")) {
    expr *a = children_of(e) == 1 ? pnml_read_state(t, e->children)
                                  : wrong(t, e, "a negation of one formula");
    return a ? expr_new(m, OP_NOT, a, NULL, NULL, e->where) : NULL;
  }
  if (is(e, "is-fireable"))
    return read_fireable(t, e);
  if (is(e, "true") || is(e, "false"))
    return expr_const(m, is(e, "true"), e->where);
  if (is(e, "deadlock"))
    return wrong(t, e, "a formula over places and transitions");
  for (size_t i = 0; i < COMPARISONS; i++)
    if (is(e, comparison_tags[i]))
      return read_comparison(t, e, comparisons[i]);
  return wrong(t, e, "a formula");
}

static const ltl *read_temporal(translating *t, const xml_element *e);

/* One operator over the only child of 'e'. */
static const ltl *read_one(translating *t, const xml_element *e, ltl_op which)
{
  if (children_of(e) != 1) {
    wrong(t, e, "an operator over one formula");
    return NULL;
  }
  const ltl *a = read_temporal(t, e->children);
  return a ? ltl_new(t->model->arena, which, a, NULL) : NULL;
}

/* until: before, reach, with one formula each */
static const ltl *read_until(translating *t, const xml_element *e)
{
  const xml_element *before = xml_child(e, "before");
  const xml_element *reach = xml_child(e, "reach");
  if (!before || !reach || children_of(before) != 1 ||
      children_of(reach) != 1) {
    wrong(t, e, "<before> and <reach> with one formula each");
    return NULL;
  }
  const ltl *a = read_temporal(t, before->children);
  const ltl *b = a ? read_temporal(t, reach->children) : NULL;
  return b ? ltl_new(t->model->arena, LTL_UNTIL, a, b) : NULL;
}

static bool has_temporal(const xml_element *e)
{
  if (is_temporal(e))
    return true;
  for (const xml_element *c = e->children; c; c = c->next)
    if (has_temporal(c))
      return true;
  return false;
}

/* A path formula; parts without path operators are conditions. */
static const ltl *read_temporal(translating *t, const xml_element *e)
{
  if (is(e, "all-paths") || is(e, "exists-path")) {
    t->other = true;
    return NULL;
  }
  if (is(e, "globally"))
    return read_one(t, e, LTL_ALWAYS);
  if (is(e, "finally"))
    return read_one(t, e, LTL_EVENTUALLY);
  if (is(e, "next"))
    return read_one(t, e, LTL_NEXT);
  if (is(e, "until"))
    return read_until(t, e);
  bool all = is(e, "conjunction");
  if (has_temporal(e) && is(e, "negation"))
    return read_one(t, e, LTL_NOT);
  if (!has_temporal(e) || (!all && !is(e, "disjunction"))) {
    expr *condition = pnml_read_state(t, e);
    return condition ? ltl_leaf(t->model->arena, NULL, condition) : NULL;
  }
  const ltl *joined = NULL;
  for (const xml_element *c = e->children; c; c = c->next) {
    const ltl *next = read_temporal(t, c);
    if (!next)
      return NULL;
    joined =
        joined ? ltl_new(t->model->arena, all ? LTL_AND : LTL_OR, joined, next)
               : next;
  }
  return joined;
}

/* Linear temporal logic: true of all paths. */
static bool read_linear(translating *t, const xml_element *e, pnml_formula *f)
{
  if (children_of(e) != 1)
    return wrong(t, e, "a quantifier over one formula");
  t->other = false;
  f->ltl = read_temporal(t, e->children);
  if (!f->ltl)
    return t->other;
  f->kind = FORMULA_LTL;
  text_clear(&t->shown);
  ltl_print(t->model, f->ltl, LTL_SPIN, &t->shown);
  f->text = arena_copy(t->model->arena, text_string(&t->shown), t->shown.len);
  return true;
}

static bool read_bound(translating *t, const xml_element *e, pnml_formula *f)
{
  uint32_t all = 0;
  f->kind = FORMULA_BOUND;
  for (const xml_element *c = e->children; c; c = c->next) {
    const pnml_node *p = node_of(t, c, "place", PNML_PLACE);
    if (!p)
      return false;
    all += p->count;
  }
  f->places = ARENA_ARRAY(t->model->arena, uint32_t, all + 1);
  for (const xml_element *c = e->children; c; c = c->next) {
    const pnml_node *p = node_of(t, c, "place", PNML_PLACE);
    for (uint32_t i = 0; i < p->count; i++)
      f->places[f->place_count++] = p->index + i;
  }
  return true;
}

/* A formula of CTL, or else one that is not checked here. */
static bool read_branching(translating *t, const xml_element *e,
                           pnml_formula *f)
{
  t->other = false;
  f->ctl = pnml_read_ctl(t, e);
  f->kind = f->ctl ? FORMULA_CTL : FORMULA_OTHER;
  if (!f->ctl)
    return t->other;
  text_clear(&t->shown);
  ctl_print(t->model, f->ctl, &t->shown);
  f->text = arena_copy(t->model->arena, text_string(&t->shown), t->shown.len);
  return true;
}

/* Both logics have 'all-paths' before a path operator; they differ where
** nothing can happen.  The name tells what is meant. */
static bool read_any(translating *t, const xml_element *e, pnml_formula *f)
{
  if (is(e, "all-paths") && !strstr(f->id, "CTL") &&
      (!read_linear(t, e, f) || f->kind == FORMULA_LTL))
    return f->kind == FORMULA_LTL;
  return read_branching(t, e, f);
}

/* 'e' is what stands in <formula>. */
static bool read_formula(translating *t, const xml_element *e, pnml_formula *f)
{
  const xml_element *path = e->children;
  bool all = is(e, "all-paths") && is(path, "globally");
  if (is(e, "place-bound"))
    return read_bound(t, e, f);
  f->kind = FORMULA_OTHER;
  if (!all && !(is(e, "exists-path") && is(path, "finally")))
    return read_any(t, e, f);
  if (path->next || children_of(path) != 1)
    return wrong(t, path, "a path operator over one formula");
  if (has_temporal(path->children))
    return read_any(t, e, f);
  t->other = false;
  f->expr = pnml_read_state(t, path->children);
  if (!f->expr)
    return false;
  f->kind = all ? FORMULA_INVARIANT : FORMULA_REACH;
  text_clear(&t->shown);
  expr_print(t->model, f->expr, &t->shown);
  f->text = arena_copy(t->model->arena, text_string(&t->shown), t->shown.len);
  return true;
}

static bool read_property(translating *t, const xml_element *e, pnml_formula *f)
{
  const xml_element *id = xml_child(e, "id"), *body = xml_child(e, "formula");
  if (!id || !*id->text || !body || children_of(body) != 1) {
    diag_error(t->diags, e->where,
               "a property has an <id> and a <formula> with one element");
    return false;
  }
  f->id = shown(t->model->arena, id->text);
  f->where = id->text_where;
  return read_formula(t, body->children, f);
}

static bool read_all(translating *t, const xml_element *root,
                     pnml_formulas *out)
{
  model *m = t->model;
  diags *d = t->diags;
  if (!is(root, "property-set")) {
    diag_error(d, root->where, "expected <property-set>, found <%s>",
               root->name);
    return false;
  }
  out->list = ARENA_ARRAY(m->arena, pnml_formula, children_of(root) + 1);
  for (const xml_element *e = root->children; e; e = e->next)
    if (is(e, "property") && !read_property(t, e, &out->list[out->count++]))
      return false;
  return true;
}

typedef struct reading_job {
  translating *translating;
  const xml_element *root;
  pnml_formulas *out;
  bool good;
} reading_job;

static void do_read(void *job)
{
  reading_job *j = job;
  j->good = read_all(j->translating, j->root, j->out);
}

static void tidy_reading(void *job)
{
  text_free(&((reading_job *)job)->translating->shown);
}

bool pnml_read_formulas(model *m, diags *d, uint32_t file, pnml_formulas *out)
{
  translating *const t = ARENA_NEW(m->arena, translating);
  *t = (translating){.model = m, .net = pnml_net_of(m), .diags = d};
  const xml_element *root =
      xml_read(m->arena, m->names, m->sources, d, file, "description");
  *out = (pnml_formulas){0};
  if (!root)
    return false;
  reading_job job = {t, root, out, false};
  mem_protect_tidy(do_read, tidy_reading, &job);
  return job.good;
}
