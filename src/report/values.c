/* Values, messages and names of a state as users see them. */

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
