/* Diagrams as pictures: the language of Graphviz. */

#include "dd/robdd/robdd_internal.h"

#include <assert.h>

static void add_dot_label(text *out, const char *label)
{
  text_add_char(out, '"');
  for (; *label; label++) {
    if (*label == '"' || *label == '\\')
      text_add_char(out, '\\');
    text_add_char(out, *label);
  }
  text_add_char(out, '"');
}

static void add_edge_line(text *out, robdd to, bool low)
{
  text_printf(out, " -> n%u [style=%s%s];\n", to >> 1, low ? "dashed" : "solid",
              to & 1 ? ", arrowhead=odot" : "");
}

static void add_node_lines(const robdd_manager *m, uint32_t node,
                           const char *const *variables, text *out)
{
  const robdd_node *n = &m->nodes[node];
  uint32_t variable = m->variable_at[n->level];
  text_printf(out, "  n%u [label=", node);
  if (variables && variables[variable])
    add_dot_label(out, variables[variable]);
  else
    text_printf(out, "\"x%u\"", variable);
  text_add(out, "];\n");
  text_printf(out, "  n%u", node);
  add_edge_line(out, n->low, true);
  text_printf(out, "  n%u", node);
  add_edge_line(out, n->high, false);
}

/* Nodes of a level are drawn on one height. */
static void add_ranks(const robdd_manager *m, text *out)
{
  for (size_t i = 0; i < m->scratch_len;) {
    uint32_t level = m->nodes[m->scratch[i]].level;
    text_add(out, "  { rank=same;");
    for (; i < m->scratch_len && m->nodes[m->scratch[i]].level == level; i++)
      text_printf(out, " n%u;", m->scratch[i]);
    text_add(out, " }\n");
  }
}

bool robdd_dot(robdd_manager *m, const robdd *functions,
               const char *const *labels, size_t count,
               const char *const *variables, text *out)
{
  /* All memory of our own is the manager's before the text grows, so that
  ** nothing is lost when the text finds none. */
  if (!robdd_list(m, functions, count))
    return false;
  text_add(out, "digraph bdd {\n  node [shape=circle];\n"
                "  n0 [shape=box, label=\"0\"];\n");
  for (size_t i = 0; i < count; i++) {
    if (!labels && functions[i] == ROBDD_FALSE)
      continue;
    text_printf(out, "  f%zu [shape=plaintext, label=", i);
    if (labels && labels[i])
      add_dot_label(out, labels[i]);
    else
      text_printf(out, "\"f%zu\"", i);
    text_printf(out, "];\n  f%zu", i);
    add_edge_line(out, functions[i], false);
  }
  for (size_t i = 0; i < m->scratch_len; i++)
    add_node_lines(m, m->scratch[i], variables, out);
  add_ranks(m, out);
  text_add(out, "}\n");
  return true;
}
