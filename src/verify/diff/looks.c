/* What is seen of a state. */

#include "base/alloc.h"
#include "verify/diff/versions.h"
#include <string.h>

/* ---- what there is ------------------------------------------------------ */

typedef struct listing {
  const layout *layout;
  arena *arena;
  seen_list *list;
} listing;

static void list_var(const listing *l, const var *v, const char *prefix,
                     uint32_t offset)
{
  uint32_t stride = type_bytes(layout_type(l->layout, v));
  for (uint32_t i = 0; i < v->length; i++) {
    const char *name =
        v->flags & VAR_ARRAY || v->length > 1
            ? arena_printf(l->arena, "%s%s[%u]", prefix, v->name, i)
            : arena_printf(l->arena, "%s%s", prefix, v->name);
    uint32_t at = offset + i * stride;
    if (v->type.kind != TYPE_RECORD) {
      arena_push(l->arena, l->list,
                 ((seen_item){.name = name,
                              .var = v,
                              .offset = at,
                              .keep = layout_keep(l->layout, v),
                              .is_channel = v->type.kind == TYPE_CHAN}));
      continue;
    }
    const record *r = v->type.record;
    for (size_t k = 0; k < r->fields.len; k++) {
      const var *field = r->fields.data[k];
      list_var(l, field,
               arena_printf(l->arena, "%s%s", name, *field->name ? "." : ""),
               at + field->offset);
    }
  }
}

void seen_all(const program *p, arena *a, seen_list *list)
{
  const model *m = program_model(p);
  listing l = {program_layout(p), a, list};
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    if (!(v->flags & (VAR_SCRATCH | VAR_OPAQUE | VAR_HIDDEN)))
      list_var(&l, v, "", l.layout->globals[i]);
  }
}

static bool same_messages(const channel_type *a, const channel_type *b)
{
  bool same =
      a && b && a->fields.len == b->fields.len && !a->capacity == !b->capacity;
  for (size_t i = 0; same && i < a->fields.len; i++)
    same = a->fields.data[i].kind == b->fields.data[i].kind;
  return same;
}

bool seen_same_type(const seen_item *a, const seen_item *b)
{
  const type *s = &a->var->type, *t = &b->var->type;
  if (a->is_channel || b->is_channel)
    return a->is_channel && b->is_channel &&
           same_messages(a->var->init_channel, b->var->init_channel);
  return s->kind == t->kind && s->bits == t->bits && s->lo == t->lo &&
         s->hi == t->hi;
}

/* ---- looks -------------------------------------------------------------- */

static void add_number(const model *m, const type *t, const char *set,
                       int32_t value, text *out)
{
  const char *symbol =
      t->kind == TYPE_MTYPE ? mtype_name_of(m, value, set) : NULL;
  if (symbol)
    text_add_bytes(out, symbol, strlen(symbol) + 1);
  else
    text_add_bytes(out, (const char *)&value, sizeof value);
}

/* The channel with this number, or NULL. */
static const entity *find_channel(const entity_list *list, int32_t number)
{
  for (size_t i = 0; number > 0 && i < list->len; i++)
    if (list->data[i].channel && list->data[i].number == (uint32_t)number)
      return &list->data[i];
  return NULL;
}

static void add_messages(const program *p, const entity *e,
                         const uint8_t *state, text *out)
{
  const layout *l = program_layout(p);
  const channel_layout *c = &l->channels[e->channel->index];
  const uint8_t *at = state + e->offset;
  int32_t length = (int32_t)channel_length_at(c, at);
  text_add_bytes(out, (const char *)&length, sizeof length);
  for (int32_t i = 0; i < length; i++)
    for (uint32_t f = 0; f < c->field_count; f++)
      add_number(program_model(p), &e->channel->fields.data[f], NULL,
                 keep_read(c->keeps[f], at + c->first +
                                            (uint32_t)i * c->message_size +
                                            c->fields[f]),
                 out);
}

void seen_add_look(const program *p, const seen_list *seen,
                   const uint8_t *state, uint32_t length, entity_list *scratch,
                   text *look)
{
  bool listed = false;
  for (size_t i = 0; i < seen->len; i++) {
    const seen_item *s = &seen->data[i];
    if (s->is_meeting)
      continue;
    int32_t value = keep_read(s->keep, state + s->offset);
    if (!s->is_channel) {
      add_number(program_model(p), &s->var->type, s->var->mtype_set, value,
                 look);
      continue;
    }
    if (!listed)
      program_entities(p, state, length, scratch);
    listed = true;
    const entity *e = find_channel(scratch, value);
    if (e)
      add_messages(p, e, state, look);
    else
      text_add_bytes(look, "none", 5);
  }
}

/* ---- for people --------------------------------------------------------- */

static void tell_number(const model *m, const type *t, const char *set,
                        int32_t value, text *out)
{
  const char *symbol =
      t->kind == TYPE_MTYPE ? mtype_name_of(m, value, set) : NULL;
  if (symbol)
    text_add(out, symbol);
  else
    text_printf(out, "%d", value);
}

/* Message 'i' of a channel: "4", "(1, 7)", or "ack(2)" if it begins with a
** symbol. */
static void tell_message(const program *p, const entity *e, const uint8_t *at,
                         uint32_t i, text *out)
{
  const channel_layout *c = &program_layout(p)->channels[e->channel->index];
  const type *types = e->channel->fields.data;
  bool symbol = types[0].kind == TYPE_MTYPE, several = c->field_count > 1;
  at += c->first + i * c->message_size;
  text_add(out, several && !symbol ? "(" : "");
  for (uint32_t f = 0; f < c->field_count; f++) {
    text_add(out, !f ? "" : f == 1 && symbol ? "(" : ", ");
    tell_number(program_model(p), &types[f], NULL,
                keep_read(c->keeps[f], at + c->fields[f]), out);
  }
  text_add(out, several ? ")" : "");
}

static void tell_channel(const program *p, const entity *e,
                         const uint8_t *state, text *out)
{
  const channel_layout *c = &program_layout(p)->channels[e->channel->index];
  const uint8_t *at = state + e->offset;
  uint32_t length = channel_length_at(c, at);
  text_add_char(out, '[');
  for (uint32_t i = 0; i < length; i++) {
    text_add(out, i ? ", " : "");
    tell_message(p, e, at, i, out);
  }
  text_add_char(out, ']');
}

static void tell_item(const program *p, const seen_item *s,
                      const uint8_t *state, uint32_t length, text *out)
{
  int32_t value = keep_read(s->keep, state + s->offset);
  if (!s->is_channel) {
    text_printf(out, "%s = ", s->name);
    tell_number(program_model(p), &s->var->type, s->var->mtype_set, value, out);
    return;
  }
  entity_list list = {0};
  program_entities(p, state, length, &list);
  const entity *e = find_channel(&list, value);
  text_printf(out, "%s: ", s->name);
  if (e)
    tell_channel(p, e, state, out);
  else
    text_add(out, "no channel");
  vec_free(&list);
}

void seen_tell(const program *p, const seen_list *seen, const uint8_t *state,
               const uint8_t *before, uint32_t length, uint32_t before_length,
               text *out)
{
  const char *comma = "";
  text now = {0}, then = {0};
  for (size_t i = 0; i < seen->len; i++) {
    if (seen->data[i].is_meeting)
      continue;
    text_clear(&now);
    text_clear(&then);
    tell_item(p, &seen->data[i], state, length, &now);
    if (before)
      tell_item(p, &seen->data[i], before, before_length, &then);
    if (before && !strcmp(text_string(&now), text_string(&then)))
      continue;
    text_printf(out, "%s%s", comma, text_string(&now));
    comma = ", ";
  }
  text_free(&now);
  text_free(&then);
}
