/* CTL formulas of the contest: 'exists-path' or 'all-paths' before each path
** operator.  A path operator without one makes the formula LTL. */

#include "lang/pnml/pnml.h"

#include "model/ctl.h"
#include <string.h>

static bool named(const xml_element *e, const char *name)
{
  return e && !strcmp(e->name, name);
}

static const ctl *complain(pnml_translating *t, const xml_element *e)
{
  diag_error(t->diags, e->where, "<%s> is not well formed", e->name);
  return NULL;
}

/* until: before, reach, each with one formula */
static const ctl *read_until(pnml_translating *t, const xml_element *e,
                             bool all)
{
  const xml_element *before = xml_child(e, "before");
  const xml_element *reach = xml_child(e, "reach");
  if (!before || !before->children || !reach || !reach->children)
    return complain(t, e);
  const ctl *a = pnml_read_ctl(t, before->children);
  const ctl *b = a ? pnml_read_ctl(t, reach->children) : NULL;
  return b ? ctl_new(t->model->arena, all ? CTL_AU : CTL_EU, a, b) : NULL;
}

/* What stands after the quantifier. */
static const ctl *read_path(pnml_translating *t, const xml_element *e, bool all)
{
  static const struct {
    const char *name;
    ctl_op some, all;
  } paths[] = {{"next", CTL_EX, CTL_AX},
               {"finally", CTL_EF, CTL_AF},
               {"globally", CTL_EG, CTL_AG}};
  if (named(e, "until"))
    return read_until(t, e, all);
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    if (!named(e, paths[i].name))
      continue;
    if (!e->children)
      return complain(t, e);
    const ctl *a = pnml_read_ctl(t, e->children);
    ctl_op which = all ? paths[i].all : paths[i].some;
    return a ? ctl_new(t->model->arena, which, a, NULL) : NULL;
  }
  t->other = true; /* A (F a || G b): not CTL */
  return NULL;
}

static const ctl *read_list(pnml_translating *t, const xml_element *e,
                            ctl_op which)
{
  const ctl *f = NULL;
  for (const xml_element *c = e->children; c; c = c->next) {
    const ctl *g = pnml_read_ctl(t, c);
    if (!g)
      return NULL;
    f = f ? ctl_new(t->model->arena, which, f, g) : g;
    if (f->depth >= CTL_DEPTH_MAX)
      return complain(t, e);
  }
  return f ? f : complain(t, e);
}

static bool has_path(const xml_element *e)
{
  static const char *const paths[] = {"all-paths", "exists-path", "globally",
                                      "finally",   "next",        "until"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    if (named(e, paths[i]))
      return true;
  for (const xml_element *c = e->children; c; c = c->next)
    if (has_path(c))
      return true;
  return false;
}

const ctl *pnml_read_ctl(pnml_translating *t, const xml_element *e)
{
  arena *a = t->model->arena;
  bool all = named(e, "all-paths");
  if (!has_path(e)) {
    expr *x = pnml_read_state(t, e);
    return x ? ctl_atom(a, x) : NULL;
  }
  if (all || named(e, "exists-path"))
    return e->children && !e->children->next ? read_path(t, e->children, all)
                                             : complain(t, e);
  if (named(e, "negation")) {
    const ctl *f = e->children ? pnml_read_ctl(t, e->children) : complain(t, e);
    return f ? ctl_new(a, CTL_NOT, f, NULL) : NULL;
  }
  if (named(e, "conjunction"))
    return read_list(t, e, CTL_AND);
  if (named(e, "disjunction"))
    return read_list(t, e, CTL_OR);
  t->other = true; /* a path operator without quantifier */
  return NULL;
}
