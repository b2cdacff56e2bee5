/* Expressions and variables written in the words of the target language. */

#include "convert/writer.h"

/* ---- variables --------------------------------------------------------- */

static const word_list *words_of(const writer *w, uint32_t who, const var *v)
{
  return v->owner ? &w->locals[who][v->index] : &w->globals[v->index];
}

static uint32_t count_leaves(const var *v)
{
  uint32_t n = 0;
  leaf ignored;
  while (leaf_at(v, n, &ignored))
    n++;
  return n;
}

/* The leaf that a reference ends in. */
static uint32_t leaf_of(const ref *r)
{
  uint32_t n = 0;
  for (; r->field; r = r->field) {
    const record *of = r->var->type.record;
    for (size_t i = 0; of->fields.data[i] != r->field->var; i++)
      n += count_leaves(of->fields.data[i]);
  }
  return n;
}

static uint32_t elements_behind(const ref *r)
{
  uint32_t n = 1;
  for (r = r->field; r; r = r->field)
    n *= r->var->length;
  return n;
}

/* One index for all arrays on the way.  A wrong index must be wrong here too,
** so only the first may be unknown, or the only one. */
static void write_flat_index(writer *w, uint32_t who, const ref *r, text *out)
{
  uint32_t fixed = 0, arrays = 0;
  const expr *open = NULL;
  uint32_t stride = 0;
  bool is_array = false;
  for (; r; r = r->field) {
    if (!(r->var->flags & VAR_ARRAY))
      continue;
    is_array = true;
    uint32_t step = elements_behind(r);
    if (r->index && r->index->op != OP_CONST) {
      if (arrays++)
        writer_refuse(w, "an array inside of another array has an index that "
                         "is not known before the run");
      open = r->index;
      stride = step;
    } else {
      int32_t at = r->index ? r->index->value : 0;
      if (at < 0 || (uint32_t)at >= r->var->length)
        writer_refuse(w, "an index is out of range");
      else
        fixed += (uint32_t)at * step;
      arrays += r->var->length > 1;
    }
  }
  if (!is_array)
    return;
  text_add_char(out, '[');
  if (open) {
    write_expr(w, who, open, out);
    if (stride > 1)
      text_printf(out, " * %u", stride);
  }
  if (fixed || !open)
    text_printf(out, "%s%u", open ? " + " : "", fixed);
  text_add_char(out, ']');
}

/* A field without a name is an array in an array. */
static const char *field_word(const var *v)
{
  return *v->name ? v->name : "row";
}

void write_ref(writer *w, uint32_t who, const ref *r, text *out)
{
  const word_list *words = words_of(w, who, r->var);
  if (!w->dialect->has_records) {
    text_add(out, words->words[leaf_of(r)]);
    write_flat_index(w, who, r, out);
    return;
  }
  text_add(out, words->words[0]);
  for (; r; r = r->field) {
    if (r->var->is_field)
      text_printf(out, ".%s", field_word(r->var));
    if (!(r->var->flags & VAR_ARRAY))
      continue;
    text_add_char(out, '[');
    if (r->index)
      write_expr(w, who, r->index, out);
    else
      text_add_char(out, '0');
    text_add_char(out, ']');
  }
}

/* ---- expressions ------------------------------------------------------- */

static void write_operator(writer *w, uint32_t who, const expr *e,
                           const char *sign, text *out)
{
  text_add_char(out, '(');
  write_expr(w, who, e->args[0], out);
  text_printf(out, " %s ", sign);
  write_expr(w, who, e->args[1], out);
  text_add_char(out, ')');
}

static void write_unary(writer *w, uint32_t who, const expr *e,
                        const char *sign, text *out)
{
  text_printf(out, "(%s(", sign);
  write_expr(w, who, e->args[0], out);
  text_add(out, "))");
}

/* Whether it may be evaluated where it was not meant to be. */
static bool is_harmless(const expr *e)
{
  if (!e)
    return true;
  if (e->op == OP_DIV || e->op == OP_MOD || (e->ref && e->ref->field) ||
      (e->ref && e->ref->index && e->ref->index->op != OP_CONST))
    return false;
  return is_harmless(e->args[0]) && is_harmless(e->args[1]) &&
         is_harmless(e->args[2]);
}

/* a ? b : c as (a != 0) * b + (a == 0) * c. */
static void write_product(writer *w, uint32_t who, const expr *e, text *out)
{
  if (!is_harmless(e->args[1]) || !is_harmless(e->args[2]))
    writer_refuse(w, "there is no conditional expression");
  text_add(out, "((");
  write_expr(w, who, e->args[0], out);
  text_add(out, " != 0) * ");
  write_expr(w, who, e->args[1], out);
  text_add(out, " + (");
  write_expr(w, who, e->args[0], out);
  text_add(out, " == 0) * ");
  write_expr(w, who, e->args[2], out);
  text_add_char(out, ')');
}

static void write_conditional(writer *w, uint32_t who, const expr *e, text *out)
{
  if (!w->dialect->has_conditional) {
    write_product(w, who, e, out);
    return;
  }
  text_add_char(out, '(');
  write_expr(w, who, e->args[0], out);
  text_add(out, " -> ");
  write_expr(w, who, e->args[1], out);
  text_add(out, " : ");
  write_expr(w, who, e->args[2], out);
  text_add_char(out, ')');
}

static void write_foreign(writer *w, uint32_t who, const expr *e, text *out)
{
  uint32_t other = flat_looked_at(&w->f, who, e);
  if (other == UINT32_MAX)
    return;
  if (e->op == OP_AT && flat_type(&w->f, other)->locations.len == 1)
    text_add_char(out, '1'); /* it is nowhere else, and has no variable */
  else if (e->op == OP_AT)
    text_printf(out, "(%s == %u)", w->locations[other], e->location);
  else
    write_ref(w, other, e->ref, out);
}

static void write_constant(int32_t value, text *out)
{
  /* There is no way to write the least number but by calculating it. */
  if (value == INT32_MIN)
    text_add(out, "(-2147483647 - 1)");
  else
    text_printf(out, value < 0 ? "(%d)" : "%d", value);
}

void write_expr(writer *w, uint32_t who, const expr *e, text *out)
{
  static const char *const signs[OP_COUNT_] = {
      [OP_ADD] = "+",  [OP_SUB] = "-",    [OP_MUL] = "*",   [OP_DIV] = "/",
      [OP_MOD] = "%",  [OP_BITAND] = "&", [OP_BITOR] = "|", [OP_BITXOR] = "^",
      [OP_SHL] = "<<", [OP_SHR] = ">>",   [OP_LT] = "<",    [OP_LE] = "<=",
      [OP_GT] = ">",   [OP_GE] = ">=",    [OP_EQ] = "==",   [OP_NE] = "!=",
      [OP_AND] = "&&", [OP_OR] = "||",    [OP_NEG] = "-",   [OP_NOT] = "!",
      [OP_COMPL] = "~"};
  if (signs[e->op]) {
    if (e->args[1])
      write_operator(w, who, e, signs[e->op], out);
    else
      write_unary(w, who, e, signs[e->op], out);
    return;
  }
  switch (e->op) {
  case OP_CONST:
    write_constant(e->value, out);
    break;
  case OP_VAR:
    write_ref(w, who, e->ref, out);
    break;
  case OP_IMPLY:
    text_add(out, "(!(");
    write_expr(w, who, e->args[0], out);
    text_add(out, ") || ");
    write_expr(w, who, e->args[1], out);
    text_add_char(out, ')');
    break;
  case OP_COND:
    write_conditional(w, who, e, out);
    break;
  case OP_PID:
    text_printf(out, "%u", who);
    break;
  case OP_NR_PR:
    text_printf(out, "%zu", w->f.m->initial.len);
    break;
  case OP_AT:
  case OP_REMOTE:
    write_foreign(w, who, e, out);
    break;
  default:
    writer_refuse(w, "an expression asks for more than variables");
  }
}

bool writer_constant(writer *w, const expr *e, int32_t *value)
{
  int32_t a = 0, b = 0;
  if (e->op == OP_CONST) {
    *value = e->value;
    return true;
  }
  bool known = e->args[0] && !e->args[2] &&
               writer_constant(w, e->args[0], &a) &&
               (!e->args[1] || writer_constant(w, e->args[1], &b)) &&
               op_apply(e->op, a, b, value);
  return known || writer_refuse(w, "an initial value is not a constant");
}
