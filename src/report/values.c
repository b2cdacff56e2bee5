/* Values, messages and names of a state as users see them. */

#include "report/evaluate.h"
#include "report/story.h"
#include <string.h>

bool story_shows(const item *i)
{
  if (i->kind == ITEM_VARIABLE)
    return !(i->var->flags & VAR_SCRATCH);
  return i->kind == ITEM_CHANNEL;
}

static void add_typed(const model *m, const type *t, const char *set,
                      int32_t value, text *out)
{
  const char *name = NULL;
  if (t->kind == TYPE_BOOL)
    name = value ? "true" : "false";
  else if ((t->kind == TYPE_MTYPE && value != 0) ||
           (t->kind == TYPE_RANGE && set))
    name = mtype_name_of(m, value, set);
  if (name)
    text_add(out, name);
  else if (t->kind == TYPE_CHAN && value != 0)
    text_printf(out, "chan %d", value);
  else
    text_printf(out, "%d", value);
}

void story_add_value(const model *m, const item *i, int32_t value, text *out)
{
  add_typed(m, &i->var->type, i->var->mtype_set, value, out);
}

/* A message whose first field is a symbol reads as "ack(2)"; others as "1" or
** "(1, 2)". */
void story_add_message(const model *m, const channel_type *c,
                       const int32_t *fields, text *out)
{
  size_t n = c->fields.len;
  bool symbol = n > 0 && c->fields.data[0].kind == TYPE_MTYPE;
  bool parens = symbol ? n > 1 : n != 1;
  if (parens && !symbol)
    text_add_char(out, '(');
  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      text_add(out, i == 1 && symbol ? "(" : ", ");
    add_typed(m, &c->fields.data[i], NULL, fields[i], out);
  }
  if (parens)
    text_add_char(out, ')');
}

void story_add_channel(const model *m, const view *v, const item *i, text *out)
{
  size_t width = i->channel_type->fields.len;
  text_add_char(out, '[');
  for (uint32_t at = 0; at < i->count; at += (uint32_t)(width ? width : 1)) {
    if (at > 0)
      text_add(out, ", ");
    story_add_message(m, i->channel_type, v->fields.data + i->first + at, out);
  }
  text_add_char(out, ']');
}

void story_add_name(const item *i, int64_t self, text *out)
{
  if (i->process >= 0 && i->process != self)
    text_printf(out, "%s(%d):", i->type->name, i->process);
  text_add(out, i->name);
}

static bool holds_channel(const item *i, const item *channel)
{
  return i->kind == ITEM_VARIABLE && i->var->type.kind == TYPE_CHAN &&
         i->value == channel->channel;
}

void story_add_channel_name(const view *v, const item *channel, text *out)
{
  /* First choice is the variable it was declared for, among the globals, then
  ** among the locals; then any variable that holds it. */
  const item *best = NULL;
  size_t length = strlen(channel->name);
  for (size_t i = 0; i < v->items.len; i++) {
    const item *it = &v->items.data[i];
    if (!holds_channel(it, channel))
      continue;
    if (!strncmp(it->name, channel->name, length) &&
        (it->name[length] == 0 || it->name[length] == '[')) {
      best = it;
      break;
    }
    if (!best)
      best = it;
  }
  if (best)
    story_add_name(best, -1, out);
  else
    text_printf(out, "%s#%d", channel->name, channel->channel);
}

/* ---- why a step is not possible ----------------------------------------- */

static const item *find_channel(const view *v, int32_t number)
{
  for (size_t i = 0; i < v->items.len; i++)
    if (v->items.data[i].kind == ITEM_CHANNEL &&
        v->items.data[i].channel == number)
      return &v->items.data[i];
  return NULL;
}

static void add_process(const view *v, int64_t process, text *out)
{
  for (size_t i = 0; i < v->items.len; i++)
    if (v->items.data[i].kind == ITEM_LOCATION &&
        v->items.data[i].process == process)
      text_printf(out, "%s(%d)", v->items.data[i].name, (int)process);
}

void waiting_add_cause(const model *m, const view *v, const blocked_step *s,
                       text *out)
{
  const item *channel = s->channel ? find_channel(v, s->channel) : NULL;
  if (s->condition)
    expr_print(m, s->condition, out);
  else if (channel)
    story_add_channel_name(v, channel, out);
  else if (s->other >= 0)
    add_process(v, s->other, out);
}

/* One value, unless its name was told before. */
static void add_variable(const model *m, const view *v, uint32_t process,
                         const expr *e, text *out, text *one)
{
  int32_t value;
  const ref *last = e->ref;
  while (last->field)
    last = last->field;
  if (!evaluate(v, process, e, &value))
    return;
  item i = {.kind = ITEM_VARIABLE, .var = last->var};
  text_clear(one);
  ref_print(m, e->ref, one);
  text_add(one, " = ");
  story_add_value(m, &i, value, one);
  const char *told = strstr(text_string(out), text_string(one));
  bool again = told && (told == out->data || told[-1] == ' ') &&
               (!told[one->len] || told[one->len] == ',');
  if (!again)
    text_printf(out, "%s%s", out->len ? ", " : "", text_string(one));
}

static void add_variables(const model *m, const view *v, uint32_t process,
                          const expr *e, text *out, text *one)
{
  if (e->op == OP_VAR)
    add_variable(m, v, process, e, out, one);
  for (const ref *r = e->op == OP_VAR ? e->ref : NULL; r; r = r->field)
    if (r->index)
      add_variables(m, v, process, r->index, out, one);
  for (int i = 0; i < 3; i++)
    if (e->args[i])
      add_variables(m, v, process, e->args[i], out, one);
}

void waiting_add_values(const model *m, const view *v, const blocked_step *s,
                        text *out, text *scratch)
{
  const item *channel = s->channel ? find_channel(v, s->channel) : NULL;
  if (s->condition)
    add_variables(m, v, s->process, s->condition, out, scratch);
  else if (channel && s->kind != BLOCKED_PARTNER)
    story_add_channel(m, v, channel, out);
}
