/* Expressions over records and arrays, by the scalars they are made of. */

#include "lang/gaston/lower.h"

/* ---- names ------------------------------------------------------------- */

static void report_unknown(const gst_context *c, const gst_name *name)
{
  gst_lower *l = c->l;
  diag_error(l->diags, name->where, "'%s' is not declared", name->name);
  const gst_symbol *near =
      gst_symbols_nearest(&l->symbols, c->self, false, name->name);
  if (near)
    diag_note(l->diags, near->as.where, "the nearest name is '%s'",
              near->as.name);
}

/* Names of a process hide the global ones. */
static const gst_symbol *find(const gst_context *c, const char *name)
{
  const gst_symbol *s = NULL;
  if (c->self)
    s = scopes_find(&c->l->symbols, c->self, false, name);
  return s ? s : scopes_find(&c->l->symbols, NULL, false, name);
}

static const gst_binding *find_binding(const gst_context *c, const char *name)
{
  const gst_binding *b = c->bound;
  while (b && b->name != name)
    b = b->outer;
  return b;
}

/* ---- making expressions ------------------------------------------------ */

/* Repetitions can make much of little: that has a limit. */
static expr *counted(const gst_context *c, expr *e, span where)
{
  if (++c->l->expanded < GST_EXPANDED_MAX)
    return e;
  if (c->l->expanded == GST_EXPANDED_MAX)
    diag_error(c->l->diags, where,
               "the model has more than %d expressions, with everything "
               "repeated written out",
               GST_EXPANDED_MAX);
  return NULL;
}

static expr *constant(const gst_context *c, int32_t value, span where)
{
  return counted(c, expr_const(c->l->m, value, where), where);
}

/* The value of an enumeration keeps its name. */
static expr *typed_constant(const gst_context *c, int32_t value,
                            const gst_type *t, span where)
{
  expr *e = constant(c, value, where);
  if (e && t->kind == KIND_ENUM)
    e->label = mtype_name_of(c->l->m, value, t->set);
  return e;
}

/* What is decided by its first operand needs no second; an index that is out
** of range there does not matter. */
static expr *shorten(op o, expr *a, expr *b)
{
  if (a->op != OP_CONST)
    return NULL;
  if (o == OP_AND)
    return a->value ? b : a;
  if (o == OP_OR)
    return a->value ? a : b;
  return o == OP_IMPLY && a->value ? b : NULL;
}

static expr *operation(const gst_context *c, op o, expr *a, expr *b, span where)
{
  int32_t value;
  bool known = a->op == OP_CONST && (!b || b->op == OP_CONST);
  if (o == OP_IMPLY && a->op == OP_CONST && !a->value)
    return constant(c, 1, where);
  if (known && op_apply(o, a->value, b ? b->value : 0, &value))
    return constant(c, value, where);
  expr *shorter = shorten(o, a, b);
  return shorter ? shorter
                 : counted(c, expr_new(c->l->m, o, a, b, NULL, where), where);
}

/* ---- places ------------------------------------------------------------ */

/* Goes on into a variable or field; an array waits for its index. */
static void enter(gst_place *p, var *v, const gst_type *t)
{
  p->steps[p->count].var = v;
  p->steps[p->count++].index = NULL;
  p->type = t;
}

/* The last step is an array without an index: that is given to it. */
static void enter_element(gst_place *p, expr *index)
{
  const gst_type *element = p->type->element;
  p->steps[p->count - 1].index = index;
  p->type = element;
  if (element->kind == KIND_ARRAY)
    enter(p, element->inside->var, element);
}

static bool select_index(const gst_context *c, gst_place *p, const gst_expr *e)
{
  if (p->type->kind != KIND_ARRAY) {
    diag_error(c->l->diags, e->where, "only arrays have elements; this is %s",
               gst_type_text(c->l, p->type));
    return false;
  }
  expr *index = gst_lower_typed(c, e, p->type->index);
  if (!index)
    return false;
  enter_element(p, index);
  return true;
}

static bool select_field(const gst_context *c, gst_place *p,
                         const gst_name *name)
{
  gst_lower *l = c->l;
  const gst_symbol *s =
      p->type->kind == KIND_RECORD
          ? scopes_find(&l->symbols, p->type, false, name->name)
          : NULL;
  if (s) {
    enter(p, s->member->var, s->member->type);
    return true;
  }
  diag_error(l->diags, name->where,
             p->type->kind == KIND_RECORD
                 ? "the record has no field '%s'"
                 : "only records have fields; this has no '%s'",
             name->name);
  return false;
}

static bool select_parts(const gst_context *c, gst_place *p,
                         const gst_selector *s)
{
  for (; s; s = s->next)
    if (s->index ? !select_index(c, p, s->index)
                 : !select_field(c, p, &s->field))
      return false;
  return true;
}

ref *gst_place_ref(gst_lower *l, const gst_place *p)
{
  ref *r = NULL;
  for (uint32_t i = p->count; i-- > 0;)
    r = ref_new(l->m, p->steps[i].var, p->steps[i].index, r, p->where);
  return r;
}

/* Adds the scalars of 'p' to those that '*at' runs over. */
static void list_scalars(gst_lower *l, gst_place *p, ref ***at)
{
  const gst_place before = *p;
  if (gst_is_scalar(p->type)) {
    *(*at)++ = gst_place_ref(l, p);
  } else if (p->type->kind == KIND_ARRAY) {
    for (int32_t i = 0; i <= before.type->index->hi; i++) {
      enter_element(p, expr_const(l->m, i, p->where));
      list_scalars(l, p, at);
      *p = before;
    }
  } else {
    for (const gst_member *m = before.type->members; m; m = m->next) {
      enter(p, m->var, m->type);
      list_scalars(l, p, at);
      *p = before;
    }
  }
}

ref **gst_scalar_refs(gst_lower *l, const gst_place *p)
{
  gst_place walked = *p;
  if (p->type->scalars > GST_WHOLE_MAX) {
    diag_error(l->diags, p->where,
               "this has %u parts; at most %d can be used at once",
               p->type->scalars, GST_WHOLE_MAX);
    return NULL;
  }
  l->expanded += p->type->scalars;
  ref **list = ARENA_ARRAY(l->m->arena, ref *, p->type->scalars), **at = list;
  list_scalars(l, &walked, &at);
  return list;
}

bool gst_place_depends(const gst_place *p, const gst_place *other)
{
  for (uint32_t i = 0; i < p->count; i++)
    if (expr_reads(p->steps[i].index, other->steps[0].var))
      return true;
  return false;
}

bool gst_names_variable(const gst_context *c, const gst_expr *e)
{
  if (e->kind != GST_PATH || find_binding(c, e->name.name))
    return false;
  const gst_symbol *s = find(c, e->name.name);
  return s && s->kind == SYMBOL_VARIABLE;
}

bool gst_lower_place(const gst_context *c, const gst_expr *e, gst_place *p)
{
  if (!gst_names_variable(c, e) || e->label.name) {
    if (e->kind == GST_PATH && !find(c, e->name.name) &&
        !find_binding(c, e->name.name))
      report_unknown(c, &e->name);
    else
      diag_error(c->l->diags, e->where,
                 "only a variable of the process or a shared one can be used "
                 "here");
    return false;
  }
  const gst_symbol *s = find(c, e->name.name);
  *p = (gst_place){.where = e->where};
  enter(p, s->var, s->type);
  return select_parts(c, p, e->selectors);
}

/* ---- processes seen from outside --------------------------------------- */

/* The instance that 'e' begins with; '*rest' gets what follows. */
static const gst_instance *find_instance(const gst_context *c,
                                         const gst_expr *e,
                                         const gst_process *p,
                                         const gst_selector **rest)
{
  gst_lower *l = c->l;
  *rest = e->selectors;
  if (!p->parameter)
    return &p->instances[0];
  if (!e->selectors || !e->selectors->index) {
    diag_error(l->diags, e->where,
               "there are several processes '%s': one is '%s[%d]'",
               e->name.name, e->name.name, p->parameter->lo);
    return NULL;
  }
  expr *which = gst_lower_typed(c, e->selectors->index, p->parameter);
  if (!which)
    return NULL;
  *rest = e->selectors->next;
  int64_t at = (int64_t)which->value - p->parameter->lo;
  if (which->op == OP_CONST && at >= 0 && at < p->count)
    return &p->instances[at];
  diag_error(l->diags, e->selectors->index->where,
             which->op == OP_CONST ? "there is no such process '%s'"
                                   : "which process '%s' must be a constant",
             e->name.name);
  return NULL;
}

static expr *lower_location(const gst_context *c, const gst_expr *e,
                            const gst_instance *who)
{
  gst_lower *l = c->l;
  const gst_symbol *s = scopes_find(&l->symbols, who, true, e->label.name);
  if (!s) {
    diag_error(l->diags, e->label.where, "process '%s' has no label '%s'",
               e->name.name, e->label.name);
    s = gst_symbols_nearest(&l->symbols, who, true, e->label.name);
    if (s)
      diag_note(l->diags, s->as.where, "the nearest name is '%s'", s->as.name);
    return NULL;
  }
  expr *at = expr_new(l->m, OP_AT, expr_const(l->m, who->number, e->where),
                      NULL, NULL, e->where);
  at->process = who->type;
  at->location = s->location;
  at->label = s->as.name;
  return counted(c, at, e->where);
}

/* P[e].v...: a place whose owner is that process. */
static bool lower_foreign(const gst_context *c, const gst_expr *e,
                          const gst_instance *who, const gst_selector *rest,
                          gst_place *p)
{
  gst_lower *l = c->l;
  if (!rest || rest->index) {
    diag_error(l->diags, e->where,
               "a process has no value; '%s.v' is a variable of it and "
               "'%s@l' tells whether it is at a label",
               e->name.name, e->name.name);
    return false;
  }
  const gst_symbol *s = scopes_find(&l->symbols, who, false, rest->field.name);
  if (!s || s->kind != SYMBOL_VARIABLE) {
    diag_error(l->diags, rest->field.where, "process '%s' has no variable '%s'",
               e->name.name, rest->field.name);
    return false;
  }
  *p = (gst_place){.where = e->where, .owner = who};
  enter(p, s->var, s->type);
  return select_parts(c, p, rest->next);
}

static expr *read_place(const gst_context *c, const gst_place *p,
                        const gst_type **of)
{
  model *m = c->l->m;
  if (!gst_is_scalar(p->type)) {
    diag_error(c->l->diags, p->where,
               "this is %s, and only a part of it has a value here",
               gst_type_text(c->l, p->type));
    return NULL;
  }
  *of = p->type;
  ref *r = gst_place_ref(c->l, p);
  if (!p->owner)
    return counted(c, expr_var(m, r, p->where), p->where);
  expr *e = expr_new(m, OP_REMOTE, expr_const(m, p->owner->number, p->where),
                     NULL, NULL, p->where);
  e->process = p->owner->type;
  e->ref = r;
  return counted(c, e, p->where);
}

/* ---- paths ------------------------------------------------------------- */

/* A variable or part of one, of a process too when nobody in particular
** looks.  '*value' gets the expression when it is none, or NULL. */
static bool resolve_path(const gst_context *c, const gst_expr *e, gst_place *p,
                         expr **value, const gst_type **of)
{
  gst_lower *l = c->l;
  const gst_symbol *s = find(c, e->name.name);
  const gst_selector *rest;
  *value = NULL;
  if (s && s->kind == SYMBOL_PROCESS && !c->self) {
    const gst_instance *who = find_instance(c, e, s->process, &rest);
    if (!who)
      return false;
    if (!e->label.name)
      return lower_foreign(c, e, who, rest, p);
    *of = l->boolean;
    return (*value = lower_location(c, e, who));
  }
  if (e->label.name || (s && s->kind == SYMBOL_PROCESS)) {
    diag_error(l->diags, e->where,
               "a process cannot look into another one; they share variables");
    return false;
  }
  return gst_lower_place(c, e, p);
}

static expr *lower_path(const gst_context *c, const gst_expr *e,
                        const gst_type **of)
{
  const gst_binding *b = find_binding(c, e->name.name);
  const gst_symbol *s = b ? NULL : find(c, e->name.name);
  if ((b || (s && s->kind == SYMBOL_CONSTANT)) && !e->selectors &&
      !e->label.name) {
    *of = b ? b->type : s->type;
    return typed_constant(c, b ? b->value : s->value, *of, e->where);
  }
  gst_place p;
  expr *value;
  if (!resolve_path(c, e, &p, &value, of))
    return NULL;
  return value ? value : read_place(c, &p, of);
}

/* ---- operators --------------------------------------------------------- */

/* The type of a variable or part of one, or NULL; indices are not looked at,
** and no errors are reported. */
static const gst_type *type_of_path(const gst_context *c, const gst_expr *e)
{
  if (!gst_names_variable(c, e) || e->label.name)
    return NULL;
  const gst_type *t = find(c, e->name.name)->type;
  for (const gst_selector *s = e->selectors; s && t; s = s->next) {
    const gst_symbol *f = NULL;
    if (!s->index && t->kind == KIND_RECORD)
      f = scopes_find(&c->l->symbols, t, false, s->field.name);
    t = s->index && t->kind == KIND_ARRAY ? t->element
        : f                               ? f->member->type
                                          : NULL;
  }
  return t;
}

/* Whether the expression is a record or array as a whole. */
static bool is_whole(const gst_context *c, const gst_expr *e)
{
  const gst_type *t = type_of_path(c, e);
  return t && !gst_is_scalar(t);
}

static expr *read_ref(const gst_context *c, ref *r, span where)
{
  return counted(c, expr_var(c->l->m, r, where), where);
}

/* Records and arrays are equal when all their scalars are. */
static expr *compare_whole(const gst_context *c, const gst_expr *e,
                           const gst_type **of)
{
  gst_lower *l = c->l;
  gst_place a, b;
  expr *all = NULL;
  if ((e->op != OP_EQ && e->op != OP_NE) ||
      type_of_path(c, e->a) != type_of_path(c, e->b)) {
    diag_error(l->diags, e->where,
               "a record or array can be compared with one of the same type, "
               "by '=' and '<>'");
    return NULL;
  }
  if (!gst_lower_place(c, e->a, &a) || !gst_lower_place(c, e->b, &b))
    return NULL;
  ref **x = gst_scalar_refs(l, &a), **y = gst_scalar_refs(l, &b);
  if (!x || !y)
    return NULL;
  for (uint32_t i = 0; i < a.type->scalars; i++) {
    expr *v = read_ref(c, x[i], e->where), *w = read_ref(c, y[i], e->where);
    expr *same = v && w ? operation(c, OP_EQ, v, w, e->where) : NULL;
    all = same && all ? operation(c, OP_AND, all, same, e->where) : same;
    if (!all)
      return NULL;
  }
  *of = l->boolean;
  return e->op == OP_NE ? operation(c, OP_NOT, all, NULL, e->where) : all;
}

static bool is_arithmetic(op o)
{
  return o == OP_ADD || o == OP_SUB || o == OP_MUL || o == OP_DIV ||
         o == OP_MOD || o == OP_NEG;
}

/* Whether values of these types can be compared by 'o'. */
static bool can_compare(const gst_context *c, const gst_expr *e,
                        const gst_type *a, const gst_type *b)
{
  if (!gst_same_type(a, b))
    diag_error(c->l->diags, e->where, "the left side is %s, the right side %s",
               gst_type_text(c->l, a), gst_type_text(c->l, b));
  else if (a->kind == KIND_BOOLEAN && e->op != OP_EQ && e->op != OP_NE)
    diag_error(c->l->diags, e->where, "Booleans have no order");
  else
    return true;
  return false;
}

static expr *lower_operator(const gst_context *c, const gst_expr *e,
                            const gst_type **of)
{
  const gst_lower *l = c->l;
  const gst_type *wanted = is_arithmetic(e->op)      ? l->number
                           : op_is_connective(e->op) ? l->boolean
                                                     : NULL;
  const gst_type *ta = wanted, *tb = wanted;
  if (!wanted && (is_whole(c, e->a) || is_whole(c, e->b)))
    return compare_whole(c, e, of);
  expr *a =
      wanted ? gst_lower_typed(c, e->a, wanted) : gst_lower_expr(c, e->a, &ta);
  expr *b = !e->b    ? NULL
            : wanted ? gst_lower_typed(c, e->b, wanted)
                     : gst_lower_expr(c, e->b, &tb);
  if (!a || (e->b && !b) || (!wanted && !can_compare(c, e, ta, tb)))
    return NULL;
  *of = is_arithmetic(e->op) ? l->number : l->boolean;
  return operation(c, e->op, a, b, e->where);
}

/* ---- repetition -------------------------------------------------------- */

bool gst_lower_repeated(const gst_context *c, const gst_type_tree *over,
                        const gst_name *name, gst_binding *b)
{
  const gst_type *t = gst_lower_type(c, over);
  if (!t)
    return false;
  if (!gst_is_scalar(t) || (int64_t)t->hi - t->lo >= GST_WHOLE_MAX) {
    diag_error(c->l->diags, over->where,
               "repetition is over a type of at most %d values", GST_WHOLE_MAX);
    return false;
  }
  *b = (gst_binding){name->name, t, t->lo, c->bound};
  return true;
}

/* The parts from 'lo' to 'hi', joined in a tree that is not deep. */
static expr *join(const gst_context *c, op o, expr **parts, int32_t lo,
                  int32_t hi, span where)
{
  if (lo == hi)
    return parts[lo];
  int32_t middle = lo + (hi - lo) / 2;
  expr *a = join(c, o, parts, lo, middle, where);
  expr *b = a ? join(c, o, parts, middle + 1, hi, where) : NULL;
  return b ? operation(c, o, a, b, where) : NULL;
}

static expr *lower_quantified(const gst_context *c, const gst_expr *e,
                              const gst_type **of)
{
  gst_binding b;
  gst_context inner = {c->l, c->self, &b};
  if (!gst_lower_repeated(c, e->over, &e->name, &b))
    return NULL;
  int32_t count = b.type->hi - b.type->lo + 1;
  expr **parts = ARENA_ARRAY(c->l->m->arena, expr *, (size_t)count);
  for (int32_t i = 0; i < count; i++, b.value++)
    if (!(parts[i] = gst_lower_typed(&inner, e->a, c->l->boolean)))
      return NULL;
  *of = c->l->boolean;
  return join(c, e->kind == GST_ALL ? OP_AND : OP_OR, parts, 0, count - 1,
              e->where);
}

/* ---- expressions ------------------------------------------------------- */

expr *gst_lower_expr(const gst_context *c, const gst_expr *e,
                     const gst_type **of)
{
  switch (e->kind) {
  case GST_NUMBER:
  case GST_TRUTH:
    *of = e->kind == GST_NUMBER ? c->l->number : c->l->boolean;
    return constant(c, e->value, e->where);
  case GST_PATH:
    return lower_path(c, e, of);
  case GST_UNARY:
  case GST_BINARY:
    return lower_operator(c, e, of);
  case GST_ALL:
  case GST_SOME:
    return lower_quantified(c, e, of);
  }
  return NULL;
}

expr *gst_lower_typed(const gst_context *c, const gst_expr *e,
                      const gst_type *wanted)
{
  const gst_type *of;
  expr *made = gst_lower_expr(c, e, &of);
  if (!made || gst_same_type(of, wanted))
    return made;
  diag_error(c->l->diags, e->where, "this is %s, but it must be %s",
             gst_type_text(c->l, of), gst_type_text(c->l, wanted));
  return NULL;
}

bool gst_lower_constant(const gst_context *c, const gst_expr *e,
                        const char *what, const gst_type **of, int32_t *value)
{
  expr *made = gst_lower_expr(c, e, of);
  if (!made)
    return false;
  if (made->op != OP_CONST) {
    diag_error(c->l->diags, e->where, "%s must be a constant", what);
    return false;
  }
  *value = made->value;
  return true;
}
