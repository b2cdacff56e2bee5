/* The graph of all states for Graphviz.  The first state has all its values;
** each other one, while the graph is small, those in which it differs from the
** state it was first reached from. */

#include "report/draw/dot.h"
#include "report/story.h"
#include <string.h>

enum { DETAILED = 300 }; /* larger graphs show numbers only */

/* A drawing under way. */
typedef struct drawn_states {
  program *program;
  size_t limit;
  limits *limits;
  text *out;
  states all;
  view view, from;       /* the state at hand, and the one before it */
  VEC(uint32_t) parents; /* by state: the one it was first reached from */
  text line, other;
  states_result result;
} drawn_states;

/* What a state says of an item: "P(0) at line 12", "x = 3"; perhaps nothing. */
static void add_item(const drawn_states *d, const view *v, const item *it,
                     text *line)
{
  const model *m = program_model(d->program);
  text_clear(line);
  if (it->kind == ITEM_LOCATION) {
    const location *l = &it->type->locations.data[it->value];
    position at = source_position(m->sources, l->where);
    text_printf(line, "%s(%d) at ", it->type->name, it->process);
    if (l->where.file && at.line)
      text_printf(line, "line %u", at.line);
    else
      text_printf(line, "%d", l->number);
  } else if (it->kind == ITEM_CHANNEL) {
    story_add_channel_name(v, it, line);
    text_add(line, ": ");
    story_add_channel(m, v, it, line);
  } else if (story_shows(it) && it->var->type.kind != TYPE_CHAN) {
    story_add_name(it, -1, line);
    text_add(line, " = ");
    story_add_value(m, it, it->value, line);
  }
}

/* Whether the state before says the same of some item.  Items stand in the same
** order in both, but some may come and go. */
static bool is_old(drawn_states *d, size_t index)
{
  for (size_t i = 0; i < d->from.items.len; i++) {
    /* Nearly always it is the item with the same number. */
    size_t at = (index + i) % d->from.items.len;
    add_item(d, &d->from, &d->from.items.data[at], &d->other);
    if (!strcmp(text_string(&d->other), text_string(&d->line)))
      return true;
  }
  return false;
}

static void read_state(const drawn_states *d, size_t index, view *into)
{
  const known_state *k = &d->all.list.data[index];
  view_read(d->program, d->all.bytes.data + k->start, k->length, into);
}

static void add_values(drawn_states *d, size_t index)
{
  read_state(d, index, &d->view);
  if (index)
    read_state(d, d->parents.data[index], &d->from);
  for (size_t i = 0; i < d->view.items.len; i++) {
    add_item(d, &d->view, &d->view.items.data[i], &d->line);
    if (!d->line.len || (index && is_old(d, i)))
      continue;
    dot_label(text_string(&d->line), d->out);
    text_add(d->out, "\\l");
  }
}

/* States are numbered as they are found, so the first step to one is that by
** which it was. */
static void find_parents(drawn_states *d)
{
  vec_resize(&d->parents, d->all.list.len);
  for (size_t i = d->all.steps.len; i-- > 0;)
    d->parents.data[d->all.steps.data[i].to] = d->all.steps.data[i].from;
}

static void add_state(drawn_states *d, size_t index)
{
  text *out = d->out;
  const known_state *k = &d->all.list.data[index];
  text_printf(out, "  s%zu [label=\"%zu", index, index);
  if (d->all.list.len <= DETAILED) {
    text_add(out, "\\n");
    add_values(d, index);
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

static void add_step(const known_step *s, bool large, text *out)
{
  text_printf(out, "  s%u -> s%u [%s=\" %s(%u): ", s->from, s->to,
              large ? "edgetooltip" : "label", s->edge->process->name,
              s->process);
  dot_label(edge_words(s->edge) ? edge_words(s->edge) : "", out);
  text_add(out, " \"];\n");
}

static void write_graph(drawn_states *d)
{
  text *out = d->out;
  dot_begin("states", d->all.list.len, d->all.steps.len, out);
  text_add(out, "  node [shape=box, fontname=\"Helvetica\", fontsize=10, "
                "color=\"#2f4a6d\"];\n"
                "  edge [fontname=\"Helvetica\", fontsize=9, "
                "color=\"#55606e\"];\n"
                "  label=\"thick: the first state; red: something is wrong; "
                "double border: a valid end; each state shows what changed\";\n"
                "  fontname=\"Helvetica\"; fontsize=9; labelloc=b;\n");
  find_parents(d);
  bool large = dot_is_large(d->all.list.len, d->all.steps.len);
  for (size_t i = 0; i < d->all.list.len; i++)
    add_state(d, i);
  for (size_t i = 0; i < d->all.steps.len; i++)
    add_step(&d->all.steps.data[i], large, out);
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
  view_free(&d->from);
  vec_free(&d->parents);
  text_free(&d->line);
  text_free(&d->other);
}

states_result dot_states(program *p, size_t limit, limits *l, text *out)
{
  drawn_states d = {.program = p, .limit = limit, .limits = l, .out = out};
  mem_protect_tidy(do_draw, tidy_up, &d);
  return d.result;
}
