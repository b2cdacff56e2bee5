/* The graph of all states for Graphviz, with values while it is small. */

#include "report/draw/dot.h"
#include "report/story.h"

enum { DETAILED = 300 }; /* larger graphs show numbers only */

/* A drawing under way. */
typedef struct drawn_states {
  program *program;
  size_t limit;
  limits *limits;
  text *out;
  states all;
  view view; /* of the state at hand */
  text line;
  states_result result;
} drawn_states;

/* A small graph shows the values of its states. */
static void add_values(drawn_states *d, const known_state *k)
{
  const view *v = &d->view;
  text *line = &d->line;
  const model *m = program_model(d->program);
  view_read(d->program, d->all.bytes.data + k->start, k->length, &d->view);
  for (size_t i = 0; i < v->items.len; i++) {
    const item *it = &v->items.data[i];
    text_clear(line);
    if (it->kind == ITEM_LOCATION) {
      text_printf(line, "%s(%d) @ %d", it->type->name, it->process,
                  it->type->locations.data[it->value].number);
    } else if (it->kind == ITEM_CHANNEL) {
      story_add_channel_name(v, it, line);
      text_add(line, ": ");
      story_add_channel(m, v, it, line);
    } else if (story_shows(it) && it->var->type.kind != TYPE_CHAN) {
      story_add_name(it, -1, line);
      text_add(line, " = ");
      story_add_value(m, it, it->value, line);
    } else {
      continue;
    }
    dot_label(text_string(line), d->out);
    text_add(d->out, "\\l");
  }
}

static void add_state(drawn_states *d, size_t index)
{
  text *out = d->out;
  const known_state *k = &d->all.list.data[index];
  text_printf(out, "  s%zu [label=\"%zu", index, index);
  if (d->all.list.len <= DETAILED) {
    text_add(out, "\\n");
    add_values(d, k);
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
  dot_label(edge_words(s->edge) ? edge_words(s->edge) : "", out);
  text_add(out, " \"];\n");
}

static void write_graph(drawn_states *d)
{
  text *out = d->out;
  text_add(out, "digraph states {\n"
                "  node [shape=box, fontname=\"Helvetica\", fontsize=10, "
                "color=\"#2f4a6d\"];\n"
                "  edge [fontname=\"Helvetica\", fontsize=9, "
                "color=\"#55606e\"];\n");
  for (size_t i = 0; i < d->all.list.len; i++)
    add_state(d, i);
  for (size_t i = 0; i < d->all.steps.len; i++)
    add_step(&d->all.steps.data[i], out);
  text_add(out, "}\n");
}

static void do_draw(void *drawing)
{
  drawn_states *d = drawing;
  d->result = states_explore(d->program, d->limit, d->limits, &d->all);
  if (d->result == STATES_DONE)
    write_graph(d);
}

static void tidy_up(void *drawing)
{
  drawn_states *d = drawing;
  states_free(&d->all);
  view_free(&d->view);
  text_free(&d->line);
}

states_result dot_states(program *p, size_t limit, limits *l, text *out)
{
  drawn_states d = {.program = p, .limit = limit, .limits = l, .out = out};
  mem_protect_tidy(do_draw, tidy_up, &d);
  return d.result;
}
