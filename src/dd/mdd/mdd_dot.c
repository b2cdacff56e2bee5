/* Sets as pictures: the language of Graphviz.  Arcs of a node with the same
** child are drawn as one. */

#include "dd/mdd/mdd_internal.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* The nodes of the diagram into 'scratch', each with its depth, so that nothing
** of ours is lost when the text finds no memory. */
static bool list_node(mdd_manager *m, mdd node, uint32_t depth, dd_map *seen,
                      size_t *len)
{
  if (node <= MDD_UNIT)
    return true;
  uint32_t *there = dd_map_at(seen, node);
  if (!there)
    return false;
  if (*there)
    return true;
  *there = 1;
  if (*len + 2 > m->scratch_cap) {
    size_t cap = 2 * m->scratch_cap + 64;
    uint32_t *new = mem_try_resize(m->scratch, m->scratch_cap * sizeof *new,
                                   mem_product(cap, sizeof *new));
    if (!new)
      return false;
    m->scratch = new;
    m->scratch_cap = cap;
  }
  m->scratch[(*len)++] = node;
  m->scratch[(*len)++] = depth;
  for (mdd_cursor a = mdd_cursor_start(m, node); mdd_cursor_more(&a);
       mdd_cursor_next(&a))
    if (!list_node(m, a.child, depth + 1, seen, len))
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

/* A node that is drawn. */
typedef struct drawn {
  mdd node;
  uint32_t depth;
  const diagram_labels *labels; /* or NULL */
} drawn;

static void add_value(const drawn *d, uint32_t value, text *out)
{
  if (!d->labels) {
    text_printf(out, "%u", value);
    return;
  }
  text label = {0};
  d->labels->value(d->labels->context, d->depth, value, &label);
  labels_add_quoted(out, text_string(&label));
  text_free(&label);
}

static void add_arc_label(const mdd_manager *m, const drawn *d, mdd child,
                          text *out)
{
  const char *comma = "";
  for (mdd_cursor a = mdd_cursor_start(m, d->node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    if (a.child != child)
      continue;
    text_add(out, comma);
    add_value(d, a.lo, out);
    if (a.hi != a.lo) {
      text_add(out, "..");
      add_value(d, a.hi, out);
    }
    comma = d->labels ? ", " : ",";
  }
}

static void add_arc_lines(const mdd_manager *m, const drawn *d, text *out)
{
  text_printf(out, "  n%u", d->node);
  if (d->labels) {
    text label = {0};
    d->labels->level(d->labels->context, d->depth, &label);
    text_add(out, " [label=\"");
    labels_add_quoted(out, text_string(&label));
    text_add(out, "\"]");
    text_free(&label);
  }
  text_add(out, ";\n");
  for (mdd_cursor a = mdd_cursor_start(m, d->node); mdd_cursor_more(&a);
       mdd_cursor_next(&a)) {
    if (!is_first_arc_to(m, d->node, a.at))
      continue;
    text_printf(out, "  n%u -> n%u [label=\"", d->node, a.child);
    add_arc_label(m, d, a.child, out);
    text_add(out, "\"];\n");
  }
}

static void add_sets(const mdd *sets, const char *const *names, size_t count,
                     bool is_labelled, text *out)
{
  for (size_t i = 0; i < count; i++) {
    if (!names && sets[i] == MDD_EMPTY)
      continue;
    text_printf(out, "  s%zu [shape=plaintext, label=\"", i);
    if (names && names[i])
      labels_add_quoted(out, names[i]);
    else if (is_labelled)
      text_printf(out, "states of %zu numbers", i);
    else
      text_printf(out, "set %zu", i);
    text_add(out, sets[i] == MDD_EMPTY ? " (empty)\"];\n" : "\"];\n");
    if (sets[i] != MDD_EMPTY)
      text_printf(out, "  s%zu -> n%u;\n", i, sets[i]);
  }
}

bool mdd_dot(mdd_manager *m, const mdd *sets, const char *const *names,
             size_t count, const diagram_labels *labels, text *out)
{
  dd_map seen = {0};
  size_t len = 0;
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) {
    assert(sets[i] != MDD_FULL);
    ok = list_node(m, sets[i], 0, &seen, &len);
  }
  dd_map_free(&seen);
  if (!ok)
    return false;
  text_add(out, labels ? "digraph mdd {\n" LABELS_STYLE
                         "  n1 [shape=box, label=\"in the set\"];\n"
                       : "digraph mdd {\n  node [shape=circle, label=\"\"];\n"
                         "  n1 [shape=box, label=\"unit\"];\n");
  add_sets(sets, names, count, labels, out);
  for (size_t i = 0; i < len; i += 2) {
    drawn d = {m->scratch[i], m->scratch[i + 1], labels};
    add_arc_lines(m, &d, out);
  }
  text_add(out, "}\n");
  return true;
}
