/* Types: compared, named, and laid out as variables of the model. */

#include "lang/gaston/lower.h"

bool gst_is_scalar(const gst_type *t)
{
  return t->kind <= KIND_ENUM;
}

bool gst_same_type(const gst_type *a, const gst_type *b)
{
  return a == b || (a->kind == b->kind && a->kind <= KIND_NUMBER);
}

const char *gst_type_text(const gst_lower *l, const gst_type *t)
{
  switch (t->kind) {
  case KIND_BOOLEAN:
    return "a Boolean";
  case KIND_NUMBER:
    return "a number";
  case KIND_ENUM:
  case KIND_RECORD:
  case KIND_ARRAY:
    break;
  }
  if (t->name)
    return arena_printf(l->m->arena, "of type '%s'", t->name);
  return t->kind == KIND_ENUM     ? "of an enumeration without a name"
         : t->kind == KIND_RECORD ? "a record"
                                  : "an array";
}

static gst_type *new_type(gst_lower *l, gst_kind kind)
{
  gst_type *t = ARENA_NEW(l->m->arena, gst_type);
  t->kind = kind;
  t->scalars = 1;
  return t;
}

/* ---- the model's side -------------------------------------------------- */

type gst_model_type(gst_lower *l, const gst_type *t)
{
  (void)l;
  switch (t->kind) {
  case KIND_BOOLEAN:
    return type_scalar(TYPE_BOOL);
  case KIND_NUMBER:
  case KIND_ENUM:
    return type_range(t->lo, t->hi);
  case KIND_RECORD:
  case KIND_ARRAY:
    break;
  }
  return type_record(t->record);
}

static const char *set_of(const gst_type *t)
{
  return t->kind == KIND_ENUM ? t->set : NULL;
}

void gst_shape_var(gst_lower *l, const gst_type *t, var *v)
{
  if (t->kind != KIND_ARRAY) {
    v->type = gst_model_type(l, t);
    v->mtype_set = set_of(t);
    return;
  }
  v->type = gst_model_type(l, t->element);
  v->mtype_set = set_of(t->element);
  v->length = (uint32_t)t->index->hi + 1;
  v->flags |= VAR_ARRAY;
}

/* ---- records and arrays ------------------------------------------------ */

static bool deepen(gst_lower *l, gst_type *t, const gst_type *inner, span where)
{
  if (inner->depth >= t->depth)
    t->depth = inner->depth + 1;
  if (t->depth <= GST_DEPTH_MAX)
    return true;
  diag_error(l->diags, where, "records and arrays nested more than %d deep",
             GST_DEPTH_MAX);
  return false;
}

/* Sizes stop growing where nothing fits into a state any more. */
static uint32_t limited(uint64_t scalars)
{
  return scalars > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)scalars;
}

static bool add_member(gst_lower *l, gst_type *to, gst_member ***tail,
                       const gst_name *name, const gst_type *t)
{
  const gst_symbol *before = scopes_find(&l->symbols, to, false, name->name);
  if (before) {
    diag_error(l->diags, name->where, "a second field '%s'", name->name);
    diag_note(l->diags, before->as.where, "the first one is here");
    return false;
  }
  gst_member *made = ARENA_NEW(l->m->arena, gst_member);
  made->name = name->name;
  made->type = t;
  made->where = name->where;
  made->var = model_add_field(l->m, to->record, name->name,
                              type_scalar(TYPE_BOOL), name->where);
  gst_shape_var(l, t, made->var);
  to->scalars = limited((uint64_t)to->scalars + t->scalars);
  GST_APPEND(*tail, made);
  gst_symbols_add(&l->symbols, SYMBOL_FIELD, to, name)->member = made;
  return deepen(l, to, t, name->where);
}

/* The types of the fields first: a record comes after those inside it. */
static const gst_type *lower_record(const gst_context *c,
                                    const gst_type_tree *tree)
{
  gst_lower *l = c->l;
  gst_type *t = new_type(l, KIND_RECORD);
  gst_member **tail = &t->members;
  uint32_t count = 0, at = 0;
  t->scalars = 0;
  for (const gst_field *f = tree->fields; f; f = f->next)
    count++;
  const gst_type **types = ARENA_ARRAY(l->m->arena, const gst_type *, count);
  for (const gst_field *f = tree->fields; f; f = f->next)
    if (!(types[at++] = gst_lower_type(c, f->type)))
      return NULL;
  t->record = model_add_record(l->m, "record", tree->where);
  at = 0;
  for (const gst_field *f = tree->fields; f; f = f->next, at++)
    for (const gst_name *n = f->names; n; n = n->next)
      if (!add_member(l, t, &tail, n, types[at]))
        return NULL;
  return t;
}

/* An array inside an array needs a record around it in the model. */
static void wrap_array(gst_lower *l, gst_type *t, span where)
{
  t->record = model_add_record(l->m, "array", where);
  t->inside = ARENA_NEW(l->m->arena, gst_member);
  t->inside->type = t;
  t->inside->var =
      model_add_field(l->m, t->record, "", type_scalar(TYPE_BOOL), where);
  gst_shape_var(l, t, t->inside->var);
}

static const gst_type *lower_array(const gst_context *c,
                                   const gst_type_tree *tree)
{
  gst_lower *l = c->l;
  gst_type *t = new_type(l, KIND_ARRAY);
  const gst_type *index = gst_lower_type(c, tree->index);
  const gst_type *element = gst_lower_type(c, tree->element);
  if (!index || !element)
    return NULL;
  if (!gst_is_scalar(index) || index->lo != 0 || index->hi >= GST_LENGTH_MAX) {
    diag_error(l->diags, tree->index->where,
               "the index of an array is a type whose first value is 0 and "
               "that has at most %d values",
               GST_LENGTH_MAX);
    return NULL;
  }
  t->index = index;
  t->element = element;
  t->scalars = limited((uint64_t)element->scalars * ((uint32_t)index->hi + 1));
  if (!deepen(l, t, element, tree->where))
    return NULL;
  wrap_array(l, t, tree->where);
  return t;
}

/* ---- scalars ----------------------------------------------------------- */

static const gst_type *lower_range(const gst_context *c,
                                   const gst_type_tree *tree)
{
  gst_lower *l = c->l;
  gst_type *t = new_type(l, KIND_NUMBER);
  const gst_type *lo, *hi;
  if (!gst_lower_constant(c, tree->lo, "a bound of a range", &lo, &t->lo) ||
      !gst_lower_constant(c, tree->hi, "a bound of a range", &hi, &t->hi))
    return NULL;
  if (lo->kind != KIND_NUMBER || hi->kind != KIND_NUMBER) {
    diag_error(l->diags, tree->where, "the bounds of a range are numbers");
    return NULL;
  }
  if (t->lo > t->hi) {
    diag_error(l->diags, tree->where, "there is no number from %d to %d", t->lo,
               t->hi);
    return NULL;
  }
  return t;
}

/* The values are constants; the model knows their names as those of a set. */
static const gst_type *lower_enum(const gst_context *c,
                                  const gst_type_tree *tree)
{
  gst_lower *l = c->l;
  gst_type *t = new_type(l, KIND_ENUM);
  int32_t value = 0;
  if (c->self || c->bound) {
    diag_error(l->diags, tree->where,
               "an enumeration must be declared by 'type', outside of "
               "processes");
    return NULL;
  }
  t->hi = -1;
  for (const gst_name *n = tree->values; n; n = n->next) {
    gst_symbol *s = gst_declare(l, SYMBOL_CONSTANT, NULL, n);
    if (!s)
      return NULL;
    s->type = t;
    s->value = t->hi = value++;
    /* A set is known by the address of its name. */
    if (!t->set)
      t->set = arena_printf(l->m->arena, "(%s, ...)", n->name);
    vec_push(&l->m->mtypes, ((mtype_name){n->name, s->value, t->set}));
  }
  return t;
}

static const gst_type *find_type(const gst_context *c, const gst_name *name)
{
  gst_lower *l = c->l;
  const gst_symbol *s = scopes_find(&l->symbols, NULL, false, name->name);
  if (s && s->kind == SYMBOL_TYPE)
    return s->type;
  diag_error(l->diags, name->where, "'%s' is not a type", name->name);
  if (s)
    diag_note(l->diags, s->as.where, "declared here");
  else if ((s = gst_symbols_nearest(&l->symbols, NULL, false, name->name)))
    diag_note(l->diags, s->as.where, "the nearest name is '%s'", s->as.name);
  return NULL;
}

const gst_type *gst_lower_type(const gst_context *c, const gst_type_tree *tree)
{
  switch (tree->kind) {
  case GST_TYPE_NAMED:
    return find_type(c, &tree->name);
  case GST_TYPE_RANGE:
    return lower_range(c, tree);
  case GST_TYPE_ENUM:
    return lower_enum(c, tree);
  case GST_TYPE_RECORD:
    return lower_record(c, tree);
  case GST_TYPE_ARRAY:
    return lower_array(c, tree);
  }
  return NULL;
}
