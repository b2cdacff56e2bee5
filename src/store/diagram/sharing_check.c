/* The invariants of sharing.h, and pictures. */

#include "store/diagram/sharing_internal.h"

#include "base/alloc.h"

/* ---- invariants --------------------------------------------------------- */

/* What is known of a node, by its number. */
typedef struct sharing_note {
  uint32_t fathers; /* met so far */
  uint32_t height;  /* layers below it, itself included; 0: not yet seen */
  uint64_t tuples;  /* from it to the end */
} sharing_note;

typedef struct sharing_survey {
  const sharing *s;
  sharing_note *notes;
  uint32_t nodes;
  uint64_t words; /* of the blocks of nodes */
  bool linked;    /* nodes must be in the table and differ */
} sharing_survey;

static bool is_node(const sharing_survey *v, uint32_t node)
{
  return node >= 2 && node < v->s->top;
}

/* Looks at a node for the first time; false when something is wrong with it or
** below. */
static bool survey_node(sharing_survey *v, uint32_t node, bool root)
{
  const sharing *s = v->s;
  uint32_t count, height = 0;
  const uint32_t *sons = sharing_sons(s, node, &count);
  uint64_t tuples = 0;
  uint32_t sum = 0;
  if (!count || (sharing_has_several(s, node) && count < 2) ||
      s->words[node + AT_FATHERS] & SHARING_MARK)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    sharing_note end = {0, 0, 1}, *son = &end;
    if (sons[i] != SHARING_END) {
      if (!is_node(v, sons[i]))
        return false;
      son = &v->notes[sons[i]];
      if (!son->height && !survey_node(v, sons[i], false))
        return false;
      son->fathers++;
    }
    if ((i && son->height != height) ||
        (i && s->words[sons[i - 1]] >= s->words[sons[i]]))
      return false;
    height = son->height;
    tuples += son->tuples;
    sum += sharing_hash_son(sons[i]);
  }
  v->notes[node].height = height + 1;
  v->notes[node].tuples = tuples;
  v->nodes++;
  v->words += sharing_block_words(count);
  bool found = root || !v->linked || sharing_find(s, node) == node;
  return found && (count == 1 || sum == s->words[node + AT_SUM]);
}

static bool survey_roots(sharing_survey *v)
{
  const sharing *s = v->s;
  uint64_t tuples = s->lengths && s->roots[0] ? 1 : 0;
  for (uint32_t n = 1; n < s->lengths; n++) {
    uint32_t root = s->roots[n];
    if (!root)
      continue;
    if (!is_node(v, root) || v->notes[root].height ||
        !survey_node(v, root, true) || v->notes[root].height != n + 1)
      return false;
    v->notes[root].fathers++;
    tuples += v->notes[root].tuples;
  }
  return tuples == s->count && v->nodes == s->nodes;
}

static bool fathers_agree(const sharing_survey *v)
{
  for (uint32_t i = 2; i < v->s->top; i++)
    if (v->notes[i].height && v->notes[i].fathers != sharing_fathers(v->s, i))
      return false;
  return true;
}

/* Blocks fill the pool: those of nodes, and free ones. */
static bool blocks_agree(const sharing_survey *v)
{
  const sharing *s = v->s;
  uint64_t free_blocks = 0;
  for (unsigned bin = 0; bin < SHARING_BINS; bin++)
    for (uint32_t at = s->bins[bin]; at; at = s->words[at]) {
      if (!is_node(v, at) || v->notes[at].height || ++free_blocks > s->top)
        return false;
    }
  return v->words <= s->top - 2;
}

bool sharing_check(const sharing *s)
{
  sharing_survey v = {.s = s, .linked = !s->reduce_every};
  size_t bytes = mem_product(s->top, sizeof *v.notes);
  v.notes = mem_try_alloc(bytes);
  if (!v.notes)
    return false;
  bool good = survey_roots(&v) && fathers_agree(&v) && blocks_agree(&v);
  mem_free(v.notes, bytes);
  return good;
}

/* ---- pictures ----------------------------------------------------------- */

static bool is_drawn(const sharing *s, uint32_t node)
{
  return s->drawn[node / 64] >> node % 64 & 1;
}

/* A picture under way. */
typedef struct picture {
  sharing *sharing;
  const diagram_labels *labels; /* or NULL */
  text *dot;
} picture;

static void add_node(const picture *p, uint32_t node, uint32_t place)
{
  uint32_t value = p->sharing->words[node + AT_VALUE];
  text label = {0};
  text_printf(p->dot, "  n%u [label=\"", node);
  if (p->labels) {
    p->labels->level(p->labels->context, place, &label);
    text_add(&label, ": ");
    p->labels->value(p->labels->context, place, value, &label);
    labels_add_quoted(p->dot, text_string(&label));
  } else {
    text_printf(p->dot, "%u", value);
  }
  text_add(p->dot, "\"];\n");
  text_free(&label);
}

/* A root has no value, its sons are the first elements. */
static void draw_node(const picture *p, uint32_t node, uint32_t depth)
{
  sharing *s = p->sharing;
  if (node == SHARING_END || is_drawn(s, node))
    return;
  s->drawn[node / 64] |= UINT64_C(1) << node % 64;
  uint32_t count;
  const uint32_t *sons = sharing_sons(s, node, &count);
  if (depth)
    add_node(p, node, depth - 1);
  for (uint32_t i = 0; i < count; i++) {
    text_printf(p->dot, "  n%u -> n%u;\n", node, sons[i]);
    draw_node(p, sons[i], depth + 1);
  }
}

static bool make_drawn(sharing *s)
{
  mem_free(s->drawn, s->drawn_bytes);
  s->drawn_bytes = (size_t)s->top / 8 + 8;
  s->drawn = mem_try_alloc(s->drawn_bytes);
  if (!s->drawn)
    s->drawn_bytes = 0;
  return s->drawn;
}

void sharing_draw(sharing *s, const diagram_labels *labels, text *dot)
{
  picture p = {s, labels, dot};
  if (!make_drawn(s))
    return;
  text_add(dot, "digraph sharing {\n");
  text_add(dot, labels ? LABELS_STYLE : "  node [shape=circle];\n");
  text_add(dot, "  n1 [shape=box, label=\"end\"];\n");
  for (uint32_t n = 0; n < s->lengths; n++)
    if (s->roots[n] > SHARING_END) {
      text_printf(dot, "  n%u [shape=plaintext, label=\"length %u\"];\n",
                  s->roots[n], n);
      draw_node(&p, s->roots[n], 0);
    } else if (s->roots[n]) {
      text_add(dot, "  r0 [shape=plaintext, label=\"length 0\"];\n"
                    "  r0 -> n1;\n");
    }
  text_add(dot, "}\n");
  mem_free(s->drawn, s->drawn_bytes);
  s->drawn = NULL;
  s->drawn_bytes = 0;
}
