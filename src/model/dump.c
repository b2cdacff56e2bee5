/* A whole model as text: for people, and its control alone for scripts. */

#include "base/text/text.h"
#include "model/model.h"

static const char *const kind_names[] = {"proctype", "init",    "never",
                                         "trace",    "notrace", "buchi"};

/* ---- for scripts ------------------------------------------------------ */

/* Letters of the bits set in 'flags', or '-'. */
static void add_letters(text *out, uint32_t flags, const char *letters)
{
  bool any = false;
  for (int bit = 0; letters[bit]; bit++)
    if (letters[bit] != ' ' && (flags & (1u << bit))) {
      text_add_char(out, letters[bit]);
      any = true;
    }
  if (!any)
    text_add_char(out, '-');
}

/* One line whatever the text holds. */
static void add_line(text *out, const char *string)
{
  for (; *string; string++)
    text_add_char(out, *string == '\n' ? ' ' : *string);
  text_add_char(out, '\n');
}

static void dump_edge(const process_type *p, const edge *e, text *out)
{
  text_printf(out, "edge %d %d ", e->number,
              p->locations.data[e->target].number);
  add_letters(out, e->flags, "AED");
  text_printf(out, " %u ", e->rank);
  add_line(out, e->text ? e->text : "");
}

static void dump_process(const process_type *p, text *out)
{
  text_printf(out, "process %s %s start %d\n", kind_names[p->kind], p->name,
              p->locations.data[p->start].number);
  for (size_t i = 0; i < p->locations.len; i++) {
    const location *l = &p->locations.data[i];
    text_printf(out, "location %d ", l->number);
    add_letters(out, l->flags, "eapcd");
    text_add_char(out, '\n');
    for (uint32_t k = 0; k < l->edge_count; k++)
      dump_edge(p, p->order.data[l->first_edge + k], out);
  }
}

void model_dump(const model *m, text *out)
{
  for (size_t i = 0; i < m->processes.len; i++)
    dump_process(m->processes.data[i], out);
  for (size_t i = 0; i < m->initial.len; i++)
    text_printf(out, "initial %s\n", m->initial.data[i]->name);
}

/* ---- for people ------------------------------------------------------- */

static void print_var(const model *m, const var *v, text *out)
{
  text_add(out, v->flags & VAR_HIDDEN ? "  hidden " : "  ");
  if (v->type.kind == TYPE_RECORD)
    text_add(out, v->type.record->name);
  else
    text_add(out, type_name(v->type.kind));
  text_printf(out, " %s", v->name);
  if (v->type.kind == TYPE_UNSIGNED)
    text_printf(out, " : %d", v->type.bits);
  if (v->type.kind == TYPE_RANGE)
    text_printf(out, " : %d..%d", v->type.lo, v->type.hi);
  if (v->flags & VAR_ARRAY)
    text_printf(out, "[%u]", v->length);
  for (size_t i = 0; i < v->init.len; i++) {
    text_add(out, i ? ", " : " = ");
    expr_print(m, v->init.data[i], out);
  }
  if (v->init_channel)
    text_printf(out, " = channel %u", v->init_channel->index);
  text_add_char(out, '\n');
}

static void print_edge(const model *m, const edge *e, text *out)
{
  const process_type *p = e->process;
  text_printf(out, "    -> %d ", p->locations.data[e->target].number);
  if (e->flags & EDGE_ATOMIC)
    text_add(out, "atomic ");
  if (e->rank)
    text_printf(out, "escape %u ", e->rank);
  edge_print(m, e, out);
  text_add_char(out, '\n');
}

static void print_process(const model *m, const process_type *p, text *out)
{
  text_printf(out, "%s %s starts at %d\n", kind_names[p->kind], p->name,
              p->locations.data[p->start].number);
  for (size_t i = 0; i < p->locals.len; i++)
    print_var(m, p->locals.data[i], out);
  for (size_t i = 0; i < p->locations.len; i++) {
    const location *l = &p->locations.data[i];
    text_printf(out, "  %d%s%s%s%s%s%s%s\n", l->number, l->label ? " " : "",
                l->label ? l->label : "", l->flags & LOC_END ? " end" : "",
                l->flags & LOC_ACCEPT ? " accept" : "",
                l->flags & LOC_PROGRESS ? " progress" : "",
                l->flags & LOC_COMMITTED ? " committed" : "",
                l->flags & LOC_DSTEP ? " d_step" : "");
    for (uint32_t k = 0; k < l->edge_count; k++)
      print_edge(m, p->order.data[l->first_edge + k], out);
  }
}

static void print_channel(const channel_type *c, text *out)
{
  text_printf(out, "channel %u %s [%u] of {", c->index, c->name, c->capacity);
  for (size_t i = 0; i < c->fields.len; i++) {
    text_add(out, i ? ", " : " ");
    text_add(out, type_name(c->fields.data[i].kind));
  }
  text_add(out, " }\n");
}

void model_print(const model *m, text *out)
{
  for (size_t i = 0; i < m->records.len; i++) {
    text_printf(out, "record %s\n", m->records.data[i]->name);
    for (size_t k = 0; k < m->records.data[i]->fields.len; k++)
      print_var(m, m->records.data[i]->fields.data[k], out);
  }
  for (size_t i = 0; i < m->channels.len; i++)
    print_channel(m->channels.data[i], out);
  if (m->globals.len)
    text_add(out, "globals\n");
  for (size_t i = 0; i < m->globals.len; i++)
    print_var(m, m->globals.data[i], out);
  for (size_t i = 0; i < m->processes.len; i++)
    print_process(m, m->processes.data[i], out);
  for (size_t i = 0; i < m->properties.len; i++)
    text_printf(out, "property %s\n", m->properties.data[i].name);
}
