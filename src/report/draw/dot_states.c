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
  /* A run that is marked, or NULL: by state, whether it is on it; by step, the
  ** number in the run, or 0; and whether a step fails in its last state. */
  const trace *run;
  VEC(uint8_t) passed;
  VEC(uint32_t) numbers;
  states_result result;
} drawn_states;

void dot_add_item(const model *m, const view *v, const item *it, text *line)
{
  text_clear(line);
  if (it->kind == ITEM_LOCATION && m->language->is_net)
    return;
  if (it->kind == ITEM_LOCATION) {
    const location *l = &it->type->locations.data[it->value];
    position at = source_position(m->sources, l->where);
    text_printf(line, "%s(%d) at ", it->type->name, it->process);
    if (l->label && m->language->has_states)
      text_add(line, l->label); /* its line is that of all states */
    else if (l->where.file && at.line)
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
    dot_add_item(program_model(d->program), &d->from, &d->from.items.data[at],
                 &d->other);
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
    dot_add_item(program_model(d->program), &d->view, &d->view.items.data[i],
                 &d->line);
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

/* ---- the run that is marked --------------------------------------------- */

#define NOT_DRAWN UINT32_MAX

static uint32_t find_state(const drawn_states *d, size_t at)
{
  uint32_t hidden = program_hidden(d->program), length;
  const uint8_t *state = trace_state(d->run, at, &length);
  for (uint32_t i = 0; i < d->all.list.len; i++) {
    const known_state *k = &d->all.list.data[i];
    if (k->length == length && !memcmp(d->all.bytes.data + k->start + hidden,
                                       state + hidden, length - hidden))
      return i;
  }
  return NOT_DRAWN;
}

/* The step of the graph that a part of the run is, which ends with this step of
** it. */
static void mark_step(drawn_states *d, uint32_t from, uint32_t to,
                      const trace_step *last, uint32_t number)
{
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < d->all.steps.len; i++) {
    const known_step *s = &d->all.steps.data[i];
    if (s->from != from || s->to != to)
      continue;
    if (found == SIZE_MAX || s->edge->index == last->edge)
      found = i;
  }
  if (found != SIZE_MAX && !d->numbers.data[found])
    d->numbers.data[found] = number;
}

static void mark_run(drawn_states *d)
{
  uint32_t from = NOT_DRAWN, number = 0;
  vec_resize(&d->passed, d->all.list.len);
  vec_resize(&d->numbers, d->all.steps.len);
  for (size_t i = 0; d->run && i < d->run->steps.len; i++) {
    if (!d->run->steps.data[i].rest)
      continue;
    uint32_t to = find_state(d, i);
    if (from != NOT_DRAWN && to != NOT_DRAWN)
      mark_step(d, from, to, &d->run->steps.data[i], ++number);
    if (to != NOT_DRAWN)
      d->passed.data[to] = 1;
    from = to;
  }
}

static bool is_detailed(const drawn_states *d)
{
  return d->all.list.len <= DETAILED;
}

static void add_state(drawn_states *d, size_t index)
{
  text *out = d->out;
  const known_state *k = &d->all.list.data[index];
  text_printf(out, "  s%zu [label=\"%zu%s", index, index,
              is_detailed(d) ? "\\n" : "\", tooltip=\"");
  add_values(d, index);
  text_add_char(out, '"');
  if (k->fault || k->asserts || k->invalid_end)
    text_add(out, ", style=filled, fillcolor=\"#f4b6b0\"");
  else if (k->blocked)
    text_add(out, ", peripheries=2");
  if (d->passed.data[index])
    text_add(out, ", color=\"#c23b2e\"");
  if (index == 0 || d->passed.data[index])
    text_add(out, ", penwidth=2.5");
  text_add(out, "];\n");
}

/* Who moves, and whom he meets.  In a net that is one whole it is the net. */
static void add_who(const known_step *s, bool is_net, text *out)
{
  if (is_net)
    return;
  text_printf(out, "%s(%u)", s->edge->process->name, s->process);
  if (s->answer)
    text_printf(out, " -> %s(%u)", s->answer->process->name, s->partner);
  text_add(out, ": ");
}

static void add_step(const known_step *s, uint32_t number, bool large,
                     bool is_net, text *out)
{
  text_printf(out, "  s%u -> s%u [%s=\" ", s->from, s->to,
              large ? "edgetooltip" : "label");
  if (number)
    text_printf(out, "%u  ", number);
  add_who(s, is_net, out);
  dot_label(edge_words(s->edge) ? edge_words(s->edge) : "", out);
  text_add(out, " \"");
  if (number)
    text_add(out, ", color=\"#c23b2e\", fontcolor=\"#a3281c\", penwidth=2.2");
  text_add(out, "];\n");
}

static void write_graph(drawn_states *d)
{
  bool is_net = program_model(d->program)->language->is_net;
  text *out = d->out;
  dot_begin("states", d->all.list.len, d->all.steps.len, out);
  text_add(out, "  node [shape=box, fontname=\"Helvetica\", fontsize=10, "
                "color=\"#2f4a6d\"];\n"
                "  edge [fontname=\"Helvetica\", fontsize=9, "
                "color=\"#55606e\"];\n"
                "  label=\"thick: the first state; red: something is wrong; "
                "double border: a valid end; ");
  text_add(out, is_detailed(d) ? "each state shows what changed"
                               : "what changed is shown to who points at a "
                                 "state");
  text_add(out, d->run ? "\\nred lines: the run, its steps numbered" : "");
  text_add(out, "\";\n"
                "  fontname=\"Helvetica\"; fontsize=9; labelloc=b;\n");
  find_parents(d);
  mark_run(d);
  bool large = dot_is_large(d->all.list.len, d->all.steps.len);
  for (size_t i = 0; i < d->all.list.len; i++)
    add_state(d, i);
  for (size_t i = 0; i < d->all.steps.len; i++)
    add_step(&d->all.steps.data[i], d->numbers.data[i], large, is_net, out);
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
  vec_free(&d->passed);
  vec_free(&d->numbers);
  text_free(&d->line);
  text_free(&d->other);
}

states_result dot_states(program *p, const trace *marked, size_t limit,
                         limits *l, text *out)
{
  drawn_states d = {
      .program = p, .run = marked, .limit = limit, .limits = l, .out = out};
  mem_protect_tidy(do_draw, tidy_up, &d);
  return d.result;
}
