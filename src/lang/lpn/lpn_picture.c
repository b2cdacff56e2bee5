/* Nets as they are drawn.  Below the name of a transition stands its label:
** the condition in brackets, and what is assigned, a line each. */

#include "lang/lpn/lpn_net.h"
#include "model/net_picture.h"
#include <string.h>

static net_picture_role role_of(const net_module *m, const net_transition *t)
{
  for (size_t i = 0; t->signal && i < m->variables.len; i++)
    if (!strcmp(m->variables.data[i].name, t->signal))
      switch (m->variables.data[i].role) {
      case NET_INPUT:
        return PICTURE_INPUT;
      case NET_OUTPUT:
        return PICTURE_OUTPUT;
      case NET_INTERNAL:
        return PICTURE_INTERNAL;
      }
  return PICTURE_PLAIN;
}

static void add_assignment(const model *m, const net_transition *t,
                           const net_assignment *a, text *out)
{
  text_printf(out, "%s%s := ", out->len ? "\n" : "", a->name);
  if (a->value->kind == NET_INTERVAL) {
    text_printf(out, "%d..%d", a->value->args[0]->value,
                a->value->args[1]->value);
    return;
  }
  const edge *e = t->edges.data[0];
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_ASSIGN &&
        !strcmp(e->effects.data[i]->target->var->name, a->name)) {
      expr_print(m, e->effects.data[i]->value, out);
      return;
    }
}

static const char *label_of(const model *m, const net_transition *t,
                            net_picture *picture)
{
  text *label = &picture->scratch;
  text_clear(label);
  if (t->condition && t->condition->op != OP_CONST) {
    text_add(label, "[");
    expr_print(m, t->condition, label);
    text_add(label, "]");
  }
  for (size_t i = 0; i < t->assignments.len; i++)
    add_assignment(m, t, &t->assignments.data[i], label);
  if (!label->len)
    return NULL;
  if (!picture->texts)
    picture->texts = arena_create();
  return arena_copy(picture->texts, label->data, label->len);
}

static void add_arc(uint32_t place, uint32_t transition, bool puts,
                    net_picture *out)
{
  vec_push(&out->arcs, ((net_picture_arc){place, transition, puts, false, 1}));
}

static void add_module(const model *whole, const net_module *m,
                       net_picture *out)
{
  uint32_t part = (uint32_t)out->parts.len;
  uint32_t first = (uint32_t)out->places.len;
  vec_push(&out->parts, m->name ? m->name : "");
  for (size_t i = 0; i < m->places.len; i++) {
    const net_place *p = &m->places.data[i];
    vec_push(&out->places,
             ((net_picture_place){p->name, part, p->tokens, *p->name == '<'}));
  }
  for (size_t i = 0; i < m->transitions.len; i++) {
    const net_transition *t = &m->transitions.data[i];
    uint32_t number = (uint32_t)out->transitions.len;
    vec_push(&out->transitions,
             ((net_picture_transition){t->name, part, role_of(m, t),
                                       label_of(whole, t, out)}));
    for (size_t k = 0; k < t->pre.len; k++)
      add_arc(first + t->pre.data[k], number, false, out);
    for (size_t k = 0; k < t->post.len; k++)
      add_arc(first + t->post.data[k], number, true, out);
  }
}

void lpn_picture(const model *m, net_picture *out)
{
  const net *n = m->front_end;
  for (size_t i = 0; i < n->modules.len; i++)
    add_module(m, n->modules.data[i], out);
}
