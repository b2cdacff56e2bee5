/* Processes as graphs of locations.  States are drawn in dot_states.c. */

#include "report/draw/dot.h"
#include <inttypes.h>
#include <string.h>

enum { LABEL_WRAP = 40 };

/* Quotes and backslashes are escaped; long texts are broken at blanks. */
void dot_label(const char *s, text *out)
{
  size_t column = 0;
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') {
      text_add_char(out, '\\');
      text_add_char(out, (char)c);
    } else if (c == '\n' || (c == ' ' && column > LABEL_WRAP)) {
      text_add(out, "\\n");
      column = 0;
      continue;
    } else {
      text_add_char(out, c < 32 ? ' ' : (char)c);
    }
    column++;
  }
}

static bool is_used(const process_type *p, uint32_t location_index)
{
  if (location_index == p->start)
    return true;
  for (size_t i = 0; i < p->edges.len; i++)
    if (p->edges.data[i]->source == location_index ||
        p->edges.data[i]->target == location_index)
      return true;
  return false;
}

/* Valid ends have a double border, accepting locations are filled orange,
** progress locations green, the inside of a d_step grey. */
static void add_location(const process_type *p, uint32_t index, text *out)
{
  const location *l = &p->locations.data[index];
  text_printf(out, "    p%u_%u [label=\"", p->index, index);
  if (l->label) {
    dot_label(l->label, out);
    text_add(out, "\\n");
  }
  text_printf(out, "%d\"", l->number);
  if (l->flags & LOC_END)
    text_add(out, ", peripheries=2");
  if (l->flags & LOC_ACCEPT)
    text_add(out, ", style=filled, fillcolor=\"#f6c177\"");
  else if (l->flags & LOC_PROGRESS)
    text_add(out, ", style=filled, fillcolor=\"#b5d99c\"");
  else if (l->flags & LOC_DSTEP)
    text_add(out, ", style=filled, fillcolor=\"#e3e6ea\"");
  text_add(out, "];\n");
}

static void add_edge(const model *m, const edge *e, text *out)
{
  text statement = {0};
  if (edge_words(e))
    text_add(&statement, edge_words(e));
  else
    edge_print(m, e, &statement);
  text_printf(out, "    p%u_%u -> p%u_%u [label=\" ", e->process->index,
              e->source, e->process->index, e->target);
  dot_label(text_string(&statement), out);
  text_add(out, " \"");
  if (e->flags & EDGE_UNSEEN)
    text_add(out, ", style=dotted");
  else if (e->flags & EDGE_ATOMIC)
    text_add(out, ", style=bold");
  text_add(out, "];\n");
  if (e->flags & EDGE_DSTEP)
    text_printf(out,
                "    p%u_%u -> p%u_%u [style=dashed, arrowhead=none, "
                "color=\"#8a93a0\"];\n",
                e->process->index, e->source, e->process->index, e->block);
  text_free(&statement);
}

static void add_process(const model *m, const process_type *p, text *out)
{
  text_printf(out, "  subgraph cluster_%u {\n    label=\"", p->index);
  dot_label(p->name, out);
  text_printf(out,
              "\"; fontname=\"Helvetica-Bold\"; color=\"#b8bec8\";\n"
              "    p%u_in [shape=point, width=0.12];\n"
              "    p%u_in -> p%u_%u;\n",
              p->index, p->index, p->index, p->start);
  for (uint32_t i = 0; i < p->locations.len; i++)
    if (is_used(p, i))
      add_location(p, i, out);
  for (size_t i = 0; i < p->edges.len; i++)
    add_edge(m, p->edges.data[i], out);
  text_add(out, "  }\n");
}

void dot_processes(const model *m, text *out)
{
  text_add(out, "digraph processes {\n"
                "  node [shape=ellipse, fontname=\"Helvetica\", "
                "fontsize=11, color=\"#2f4a6d\"];\n"
                "  edge [fontname=\"Helvetica\", fontsize=10, "
                "color=\"#55606e\"];\n");
  for (size_t i = 0; i < m->processes.len; i++)
    add_process(m, m->processes.data[i], out);
  text_add(out, "}\n");
}
