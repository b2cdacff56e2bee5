/* Sets as pictures: the language of Graphviz.  Arcs of a node with the same
** child are drawn as one. */

#include "dd/mdd/mdd_internal.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* The nodes of the diagram into 'scratch', so that nothing of ours is lost
** when the text finds no memory. */
static bool list_node(mdd_manager *m, mdd node, dd_map *seen, size_t *len)
{
  if (node <= MDD_UNIT)
    return true;
  uint32_t *there = dd_map_at(seen, node);
  if (!there)
    return false;
  if (*there)
    return true;
  *there = 1;
  if (*len == m->scratch_cap) {
    size_t cap = 2 * m->scratch_cap + 64;
    uint32_t *new = mem_try_resize(m->scratch, m->scratch_cap * sizeof *new,
                                   mem_product(cap, sizeof *new));
    if (!new)
      return false;
    m->scratch = new;
    m->scratch_cap = cap;
  }
  m->scratch[(*len)++] = node;
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a))
    if (!list_node(m, a.child, seen, len))
      return false;
  return true;
}

static bool is_first_arc_to(const mdd_manager *m, mdd node, const uint32_t *arc)
{
  const uint32_t *before = mdd_arc_words(m, node);
  for (; before < arc; before += m->width)
    if (before[m->width - 1] == arc[m->width - 1])
      return false;
  return true;
}

static void add_arc_label(const mdd_manager *m, mdd node, mdd child, text *out)
{
  const char *comma = "";
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    if (a.child != child)
      continue;
    text_printf(out, "%s%u", comma, a.lo);
    if (a.hi != a.lo)
      text_printf(out, "..%u", a.hi);
    comma = ",";
  }
}

static void add_arc_lines(const mdd_manager *m, mdd node, text *out)
{
  text_printf(out, "  n%u;\n", node);
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    if (!is_first_arc_to(m, node, a.at))
      continue;
    text_printf(out, "  n%u -> n%u [label=\"", node, a.child);
    add_arc_label(m, node, a.child, out);
    text_add(out, "\"];\n");
  }
}

static void add_label(text *out, const char *label)
{
  for (; *label; label++) {
    if (*label == '"' || *label == '\\')
      text_add_char(out, '\\');
    text_add_char(out, *label);
  }
}

bool mdd_dot(mdd_manager *m, const mdd *sets, const char *const *labels,
             size_t count, text *out)
{
  dd_map seen = {0};
  size_t len = 0;
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) {
    assert(sets[i] != MDD_FULL);
    ok = list_node(m, sets[i], &seen, &len);
  }
  dd_map_free(&seen);
  if (!ok)
    return false;
  text_add(out, "digraph mdd {\n  node [shape=circle, label=\"\"];\n"
                "  n1 [shape=box, label=\"unit\"];\n");
  for (size_t i = 0; i < count; i++) {
    if (!labels && sets[i] == MDD_EMPTY)
      continue;
    text_printf(out, "  s%zu [shape=plaintext, label=\"", i);
    if (labels && labels[i])
      add_label(out, labels[i]);
    else
      text_printf(out, "set %zu", i);
    text_add(out, sets[i] == MDD_EMPTY ? " (empty)\"];\n" : "\"];\n");
    if (sets[i] != MDD_EMPTY)
      text_printf(out, "  s%zu -> n%u;\n", i, sets[i]);
  }
  for (size_t i = 0; i < len; i++)
    add_arc_lines(m, m->scratch[i], out);
  text_add(out, "}\n");
  return true;
}
