/* Reasons in words, and the processes that are stuck at the end of a story. */

#include "report/why/waiting.h"
#include "report/evaluate.h"
#include <string.h>

/* ---- causes and values -------------------------------------------------- */

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

/* How values are listed: "x = 3", or in sentences "x is 3". */
typedef struct value_list {
  const model *model;
  const view *view;
  uint32_t process;
  const char *is;
  text *out, *one;
} value_list;

/* One value, unless its name was told before. */
static void add_variable(const value_list *l, const expr *e)
{
  int32_t value;
  text *out = l->out, *one = l->one;
  const ref *last = e->ref;
  while (last->field)
    last = last->field;
  if (!evaluate(l->view, l->process, e, &value))
    return;
  item i = {.kind = ITEM_VARIABLE, .var = last->var};
  text_clear(one);
  ref_print(l->model, e->ref, one);
  if (l->model->language->is_net && !strcmp(l->is, "is")) {
    text_printf(one, " has %d token%s", value, value == 1 ? "" : "s");
  } else {
    text_printf(one, " %s ", l->is);
    story_add_value(l->model, &i, value, one);
  }
  const char *told = strstr(text_string(out), text_string(one));
  bool again = told && (told == out->data || told[-1] == ' ') &&
               (!told[one->len] || told[one->len] == ',');
  if (!again)
    text_printf(out, "%s%s", out->len ? ", " : "", text_string(one));
}

static void add_variables(const value_list *l, const expr *e)
{
  if (e->op == OP_VAR)
    add_variable(l, e);
  for (const ref *r = e->op == OP_VAR ? e->ref : NULL; r; r = r->field)
    if (r->index)
      add_variables(l, r->index);
  for (int i = 0; i < 3; i++)
    if (e->args[i])
      add_variables(l, e->args[i]);
}

void waiting_add_values(const model *m, const view *v, const blocked_step *s,
                        text *out, text *scratch)
{
  const item *channel = s->channel ? find_channel(v, s->channel) : NULL;
  value_list l = {m, v, s->process, "=", out, scratch};
  if (s->condition)
    add_variables(&l, s->condition);
  else if (channel && s->kind != BLOCKED_PARTNER)
    story_add_channel(m, v, channel, out);
}

/* ---- sentences ---------------------------------------------------------- */

/* Of several conditions the one that is false, if that can be told. */
static const expr *false_part(const view *v, uint32_t process, const expr *e)
{
  int32_t left, right;
  while (e->op == OP_AND) {
    if (!evaluate(v, process, e->args[0], &left))
      break;
    if (left && (!evaluate(v, process, e->args[1], &right) || right))
      break;
    e = left ? e->args[1] : e->args[0];
  }
  return e;
}

void waiting_add_variables(const model *m, const view *v, uint32_t process,
                           const expr *e, text *scratch, text *out)
{
  value_list l = {m, v, process, "is", out, scratch};
  add_variables(&l, false_part(v, process, e));
}

/* A condition that is the whole statement need not be told again. */
static void add_condition(const model *m, const view *v, const blocked_step *s,
                          waiting_scratch with, text *out)
{
  const edge *e = m->edges.data[s->edge];
  const expr *part = false_part(v, s->process, s->condition);
  bool whole = s->kind == BLOCKED_GUARD && !e->comm && !e->effects.len &&
               !(e->flags & EDGE_DSTEP) && part == s->condition;
  value_list l = {m, v, s->process, "is", with.values, with.one};
  text_clear(with.values);
  add_variables(&l, part);
  bool tokens = m->language->is_net && part->op == OP_VAR;
  if ((!whole && !tokens) || !with.values->len) {
    if (whole)
      text_add(out, "it");
    else
      expr_print(m, part, out);
    text_printf(out, " is false%s", with.values->len ? ": " : "");
  }
  text_add(out, text_string(with.values));
}

/* Whether a process has a statement for the other side of a rendezvous. */
static bool could_answer(const view *v, const item *process, comm_kind wanted,
                         int32_t channel)
{
  const process_type *t = process->type;
  for (size_t i = 0; i < t->edges.len; i++) {
    const comm *c = t->edges.data[i]->comm;
    int32_t number;
    if (c && c->kind == wanted &&
        evaluate(v, (uint32_t)process->process, c->channel, &number) &&
        number == channel)
      return true;
  }
  return false;
}

/* Nobody is there to meet; who could be, if it were elsewhere? */
static void add_partners(const model *m, const view *v, const blocked_step *s,
                         text *out)
{
  const comm *c = m->edges.data[s->edge]->comm;
  if (!s->channel || !c || c->kind > COMM_RECEIVE) {
    text_add(out, "nobody is there to meet");
    return;
  }
  bool sends = c->kind == COMM_SEND;
  comm_kind wanted = sends ? COMM_RECEIVE : COMM_SEND;
  text_printf(out, "nobody is ready to %s ",
              sends ? "receive from" : "send to");
  waiting_add_cause(m, v, s, out);
  const char *comma = ": ";
  for (size_t i = 0; i < v->items.len; i++) {
    const item *it = &v->items.data[i];
    if (it->kind != ITEM_LOCATION || it->process == (int32_t)s->process ||
        !could_answer(v, it, wanted, s->channel))
      continue;
    text_printf(out, "%s%s(%d)", comma, it->type->name, it->process);
    comma = ", ";
  }
  if (*comma == ',')
    text_add(out, " could, elsewhere");
}

/* "c is full: [1, 2]" */
static void add_channel(const model *m, const view *v, const blocked_step *s,
                        waiting_scratch with, text *out)
{
  waiting_add_cause(m, v, s, out);
  text_clear(with.values);
  waiting_add_values(m, v, s, with.values, with.one);
  if (s->kind == BLOCKED_EMPTY)
    text_add(out, " is empty");
  else if (s->kind == BLOCKED_FULL)
    text_printf(out, " is full: %s", text_string(with.values));
  else
    text_printf(out, " has no such message: %s", text_string(with.values));
}

void waiting_add_reason(const model *m, const view *v, const blocked_step *s,
                        waiting_scratch with, text *out)
{
  switch (s->kind) {
  case BLOCKED_GUARD:
  case BLOCKED_PROVIDED:
    text_add(out, s->kind == BLOCKED_PROVIDED ? "provided " : "");
    add_condition(m, v, s, with, out);
    break;
  case BLOCKED_TIMEOUT:
    text_add(out, "something else can happen");
    break;
  case BLOCKED_EMPTY:
  case BLOCKED_MESSAGE:
  case BLOCKED_FULL:
    add_channel(m, v, s, with, out);
    break;
  case BLOCKED_PARTNER:
    add_partners(m, v, s, out);
    break;
  case BLOCKED_ELSE:
    text_add(out, "another statement can be executed");
    break;
  case BLOCKED_UNLESS:
    text_add(out, "an escape goes first");
    break;
  case BLOCKED_PRIORITY:
    text_add(out, "a process of higher priority can move");
    break;
  case BLOCKED_COMMITTED:
    waiting_add_cause(m, v, s, out);
    text_add(out, " is at a committed location");
    break;
  case BLOCKED_YOUNGER:
    text_add(out, "younger processes must end first");
    break;
  case BLOCKED_OTHERS:
    waiting_add_cause(m, v, s, out);
    text_add(out, " cannot move, and all must at once");
    break;
  case BLOCKED_ENDLESS:
    text_add(out, "an atomic sequence without end");
    break;
  }
}
