#include "report/dot.h"
#include "report/story.h"

enum { DETAILED = 300 }; /* larger graphs show numbers only */

/* A small graph shows the values of its states. */
static void add_values(const states *x, const known_state *k, text *out)
{
  view v = {0};
  text line = {0};
  const model *m = program_model(x->program);
  view_read(x->program, x->bytes.data + k->start, k->length, &v);
  for (size_t i = 0; i < v.items.len; i++) {
    const item *it = &v.items.data[i];
    text_clear(&line);
    if (it->kind == ITEM_LOCATION) {
      text_printf(&line, "%s(%d) @ %d", it->type->name, it->process,
                  it->type->locations.data[it->value].number);
    } else if (it->kind == ITEM_CHANNEL) {
      story_add_channel_name(&v, it, &line);
      text_add(&line, ": ");
      story_add_channel(m, &v, it, &line);
    } else if (story_shows(it) && it->var->type.kind != TYPE_CHAN) {
      story_add_name(it, -1, &line);
      text_add(&line, " = ");
      story_add_value(m, it, it->value, &line);
    } else {
      continue;
    }
    dot_label(text_string(&line), out);
    text_add(out, "\\l");
  }
  text_free(&line);
  view_free(&v);
}

static void add_state(const states *x, size_t index, text *out)
{
  const known_state *k = &x->list.data[index];
  text_printf(out, "  s%zu [label=\"%zu", index, index);
  if (x->list.len <= DETAILED) {
    text_add(out, "\\n");
    add_values(x, k, out);
  }
  text_add_char(out, '"');
  if (k->fault || k->asserts || k->invalid_end)
    text_add(out, ", style=filled, fillcolor=\"#f4b6b0\"");
  else if (k->blocked)
    text_add(out, ", peripheries=2");
  if (index == 0)
    text_add(out, ", penwidth=2.5");
  text_add(out, "];\n");
}

static void add_step(const known_step *s, text *out)
{
  text_printf(out, "  s%u -> s%u [label=\" %s(%u): ", s->from, s->to,
              s->edge->process->name, s->process);
  dot_label(s->edge->text ? s->edge->text : "", out);
  text_add(out, " \"];\n");
}

static void write_graph(const states *x, text *out)
{
  text_add(out, "digraph states {\n"
                "  node [shape=box, fontname=\"Helvetica\", fontsize=10, "
                "color=\"#2f4a6d\"];\n"
                "  edge [fontname=\"Helvetica\", fontsize=9, "
                "color=\"#55606e\"];\n");
  for (size_t i = 0; i < x->list.len; i++)
    add_state(x, i, out);
  for (size_t i = 0; i < x->steps.len; i++)
    add_step(&x->steps.data[i], out);
  text_add(out, "}\n");
}

states_result dot_states(program *p, size_t limit, limits *l, text *out)
{
  states all;
  states_result r = states_explore(p, limit, l, &all);
  if (r == STATES_DONE)
    write_graph(&all, out);
  states_free(&all);
  return r;
}
