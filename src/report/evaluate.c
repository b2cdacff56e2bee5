/* Looks values up by name in the state that a story has read. */

#include "report/evaluate.h"
#include <stdio.h>
#include <string.h>

/* Whether 'name' is how the view spells the element, "a[2].f". */
static bool is_called(const view *v, uint32_t process, const ref *r,
                      const char *name)
{
  for (; r; r = r->field) {
    char index_text[16] = "";
    int32_t index = 0;
    size_t length = strlen(r->var->name);
    if (strncmp(name, r->var->name, length) != 0)
      return false;
    name += length;
    if (r->index && !evaluate(v, process, r->index, &index))
      return false;
    if (r->var->flags & VAR_ARRAY || r->var->length > 1)
      snprintf(index_text, sizeof index_text, "[%d]", index);
    length = strlen(index_text);
    if (strncmp(name, index_text, length) != 0)
      return false;
    name += length;
    if (r->field && *r->field->var->name && *name++ != '.')
      return false;
  }
  return *name == 0;
}

/* Two locals of a process may share a name, so the declaration must be the
** same as well. */
static bool find_value(const view *v, uint32_t process, const ref *r,
                       int32_t *value)
{
  int32_t owner = r->var->owner ? (int32_t)process : -1;
  const ref *last = r;
  while (last->field)
    last = last->field;
  for (size_t i = 0; i < v->items.len; i++) {
    const item *it = &v->items.data[i];
    if (it->kind == ITEM_VARIABLE && it->process == owner &&
        it->var == last->var && is_called(v, process, r, it->name)) {
      *value = it->value;
      return true;
    }
  }
  return false;
}

static uint32_t count_processes(const view *v)
{
  uint32_t n = 0;
  for (size_t i = 0; i < v->items.len; i++)
    n += v->items.data[i].kind == ITEM_LOCATION;
  return n;
}

static bool evaluate_length(const view *v, int32_t channel, int32_t *value)
{
  for (size_t i = 0; i < v->items.len; i++) {
    const item *it = &v->items.data[i];
    if (it->kind != ITEM_CHANNEL || it->channel != channel)
      continue;
    size_t width = it->channel_type->fields.len;
    *value = (int32_t)(width ? it->count / width : 0);
    return true;
  }
  return false;
}

bool evaluate(const view *v, uint32_t process, const expr *e, int32_t *value)
{
  int32_t a, b;
  if (!e)
    return false;
  switch (e->op) {
  case OP_CONST:
    *value = e->value;
    return true;
  case OP_VAR:
    return find_value(v, process, e->ref, value);
  case OP_PID:
    *value = (int32_t)process;
    return true;
  case OP_NR_PR:
    *value = (int32_t)count_processes(v);
    return true;
  case OP_LEN:
    return evaluate(v, process, e->args[0], &a) && evaluate_length(v, a, value);
  case OP_NEG:
  case OP_NOT:
  case OP_COMPL:
    return evaluate(v, process, e->args[0], &a) && op_apply(e->op, a, 0, value);
  case OP_COND:
    return evaluate(v, process, e->args[0], &a) &&
           evaluate(v, process, e->args[a ? 1 : 2], value);
  default:
    /* Where there is no value the report shows the expression. */
    return e->args[0] && e->args[1] && evaluate(v, process, e->args[0], &a) &&
           evaluate(v, process, e->args[1], &b) && op_apply(e->op, a, b, value);
  }
}
