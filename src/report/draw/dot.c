/* Processes as graphs of locations.  States are drawn in dot_states.c. */

#include "report/draw/dot.h"
#include "base/alloc.h"
#include "base/source/shown.h"
#include "report/reachable_locations.h"
#include "search/trace/trace.h"
#include <inttypes.h>
#include <string.h>

enum { LABEL_WRAP = 40, MANY = 250, SOME = 100 };

/* Adds one character, or the escape of one that is not harmless; returns its
** bytes. */
static size_t add_character(const char *p, const char *end, text *out)
{
  size_t n = shown_bytes(p, end);
  char escape[SHOWN_ESCAPE];
  if (n) {
    text_add_bytes(out, p, n);
    return n;
  }
  n = shown_escape(p, end, escape);
  text_add_char(out, '\\');
  text_add(out, escape);
  return n;
}

/* Quotes and backslashes are escaped; long texts are broken at blanks. */
void dot_label(const char *s, text *out)
{
  size_t column = 0, n;
  for (const char *end = s + strlen(s); s < end; s += n) {
    unsigned char c = (unsigned char)*s;
    bool breaks = c == '\n' || (c == ' ' && column > LABEL_WRAP);
    n = 1;
    column = breaks ? 0 : column + 1;
    if (c == '"' || c == '\\') {
      text_add_char(out, '\\');
      text_add_char(out, (char)c);
    } else if (breaks) {
      text_add(out, "\\n");
    } else if (c < 32) {
      text_add_char(out, ' ');
    } else {
      n = add_character(s, end, out);
    }
  }
}

/* So is what has many edges for its nodes: layers make a tangle of it. */
bool dot_is_large(size_t nodes, size_t edges)
{
  return nodes > MANY || edges > MANY ||
         (edges > SOME && 2 * edges > 5 * nodes);
}

/* Layers of many edges with labels take dot long: 119 states with 342 steps more
** than a minute, where sfdp needs a tenth of a second. */
void dot_begin(const char *name, size_t nodes, size_t edges, text *out)
{
  text_printf(out, "digraph %s {\n", name);
  if (dot_is_large(nodes, edges))
    text_add(out, "  layout=sfdp; overlap=prism; splines=line;\n"
                  "  outputorder=edgesfirst; "
                  "node [style=filled, fillcolor=white];\n");
  else if (edges > SOME)
    text_add(out, "  nslimit=2; nslimit1=2; mclimit=0.3;\n");
}

/* A location is known by its line in the source.  Valid ends have a double
** border, accepting locations are filled orange, progress locations green, the
** inside of a d_step grey. */
static void add_location(const model *m, const process_type *p, uint32_t index,
                         text *out)
{
  const location *l = &p->locations.data[index];
  position at = source_position(m->sources, l->where);
  text_printf(out, "    p%u_%u [label=\"", p->index, index);
  bool is_named = l->label && m->language->has_states;
  if (l->label) {
    dot_label(l->label, out);
    text_add(out, is_named ? "" : "\\n");
  }
  if (is_named)
    ; /* its line is that of all states */
  else if (l->where.file && at.line)
    text_printf(out, "line %u", at.line);
  else
    text_printf(out, "%d", l->number);
  text_printf(out, "\", tooltip=\"location %d\"", l->number);
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

typedef struct drawn_processes {
  const model *model;
  const trace *run; /* whose steps are marked; or NULL */
  uint32_t *times;  /* by edge, how often it executed it; or NULL */
  arena *arena;
  text *out;
  text statement;
} drawn_processes;

/* How often the marked run executed an edge. */
static size_t times_executed(const drawn_processes *d, const edge *e)
{
  return d->times ? d->times[e->index] : 0;
}

static void count_times(drawn_processes *d)
{
  if (!d->run)
    return;
  d->times = ARENA_ARRAY(d->arena, uint32_t, d->model->edges.len);
  for (size_t i = 1; i < d->run->steps.len; i++)
    if (d->run->steps.data[i].edge < d->model->edges.len)
      d->times[d->run->steps.data[i].edge]++;
}

/* A transition between named states is written with them: "a -> b { guard x; sync
** c!y; }".  The picture shows them; the rest is told in lines. */
static void strip_states(text *words)
{
  text inside = {0};
  const char *from = strchr(text_string(words), '{');
  const char *end = words->data + words->len;
  if (!from)
    return;
  for (from++; *from == ' ' || *from == '\n'; from++)
    ;
  while (end > from && strchr(" \n;}", end[-1]) &&
         (end[-1] != '}' || end == words->data + words->len))
    end--;
  for (; from < end; from++) {
    text_add_char(&inside, *from);
    if (*from == ';' && from[1] == ' ') {
      inside.data[inside.len - 1] = '\n';
      from++;
    }
  }
  text_clear(words);
  text_add(words, text_string(&inside));
  text_free(&inside);
}

/* What an edge says, in 'statement'. */
static void find_words(drawn_processes *d, const edge *e)
{
  text_clear(&d->statement);
  if (edge_words(e))
    text_add(&d->statement, edge_words(e));
  else
    edge_print(d->model, e, &d->statement);
  if (d->model->language->has_states)
    strip_states(&d->statement);
}

/* And how often the run executed it. */
static void add_words(drawn_processes *d, const edge *e, size_t times)
{
  find_words(d, e);
  text_add_char(d->out, ' ');
  dot_label(text_string(&d->statement), d->out);
  if (times > 1)
    text_printf(d->out, "\\n%zu times", times);
  text_add_char(d->out, ' ');
}

/* Loops at one location that look alike: their labels would cover each other. */
static bool are_alike(drawn_processes *d, const edge *one, const edge *other)
{
  const uint32_t looks = EDGE_UNSEEN | EDGE_ATOMIC;
  return one->source == one->target && other->source == one->source &&
         other->target == one->source &&
         !((one->flags | other->flags) & EDGE_DSTEP) &&
         (one->flags & looks) == (other->flags & looks) &&
         !times_executed(d, one) == !times_executed(d, other);
}

/* The first loop like this one, and how many there are. */
static const edge *first_alike(drawn_processes *d, const edge *e, size_t *count)
{
  const process_type *p = e->process;
  const edge *first = NULL;
  *count = 0;
  for (size_t i = 0; e->source == e->target && i < p->edges.len; i++)
    if (are_alike(d, e, p->edges.data[i])) {
      first = first ? first : p->edges.data[i];
      ++*count;
    }
  return first ? first : e;
}

/* Whether a loop before this one has the same words. */
static bool is_repeated(drawn_processes *d, const edge *first, const edge *e)
{
  const process_type *p = e->process;
  find_words(d, e);
  text own = d->statement;
  bool same = false;
  d->statement = (text){0};
  for (size_t i = 0; p->edges.data[i] != e && !same; i++) {
    if (!are_alike(d, first, p->edges.data[i]))
      continue;
    find_words(d, p->edges.data[i]);
    same = !strcmp(text_string(&d->statement), text_string(&own));
  }
  text_free(&own);
  return same;
}

static void add_looks(const edge *e, size_t times, text *out)
{
  if (times)
    text_add(out, ", color=\"#c23b2e\", fontcolor=\"#a3281c\", penwidth=2.2");
  if (e->flags & EDGE_UNSEEN)
    text_add(out, ", style=dotted");
  else if (e->flags & EDGE_ATOMIC)
    text_add(out, ", style=bold");
  text_add(out, "];\n");
}

/* A d_step is an edge, and a dashed line leads to its inside.  One that comes back
** to where it starts is the dashed line alone: the way back is inside. */
static void add_dstep(drawn_processes *d, const edge *e)
{
  size_t times = times_executed(d, e);
  uint32_t p = e->process->index;
  text *out = d->out;
  bool loops = e->source == e->target;
  if (!loops) {
    text_printf(out, "    p%u_%u -> p%u_%u [label=\"", p, e->source, p,
                e->target);
    add_words(d, e, times);
    text_add_char(out, '"');
    add_looks(e, times, out);
  }
  text_printf(out, "    p%u_%u -> p%u_%u [style=dashed, ", p, e->source, p,
              e->block);
  if (!loops) {
    text_add(out, "arrowhead=none, color=\"#8a93a0\"];\n");
    return;
  }
  text_add(out, "label=\"");
  add_words(d, e, times);
  text_add_char(out, '"');
  add_looks(e, times, out);
}

/* What a loop says, from the left; lines that go on are indented. */
static void add_item(drawn_processes *d, const edge *e)
{
  text words = {0}, *out = d->out;
  d->out = &words;
  add_words(d, e, times_executed(d, e));
  d->out = out;
  for (const char *c = text_string(&words); *c; c++) {
    bool escapes = *c == '\\' && c[1];
    if (escapes && c[1] == 'n')
      text_add(out, "\\l    ");
    else
      text_add_bytes(out, c, escapes ? 2 : 1);
    c += escapes;
  }
  text_add(out, "\\l");
  text_free(&words);
}

/* Several loops are a box with a line for each, there and back: Graphviz keeps
** room for boxes, but not for the labels of loops. */
static void add_loops(drawn_processes *d, const edge *first)
{
  const process_type *p = first->process;
  text *out = d->out;
  text_printf(out,
              "    p%u_loops%u [shape=box, style=rounded, fontsize=10, "
              "color=\"#c3c9d1\", label=\"",
              p->index, first->index);
  for (size_t i = 0; i < p->edges.len; i++) {
    const edge *e = p->edges.data[i];
    if (!are_alike(d, first, e) || is_repeated(d, first, e))
      continue;
    add_item(d, e);
  }
  text_printf(out, "\"];\n    p%u_%u -> p%u_loops%u [dir=both", p->index,
              first->source, p->index, first->index);
  add_looks(first, times_executed(d, first), out);
}

static void add_edge(drawn_processes *d, const edge *e)
{
  size_t alike, times = times_executed(d, e);
  if (e->flags & EDGE_DSTEP) {
    add_dstep(d, e);
    return;
  }
  const edge *first = first_alike(d, e, &alike);
  if (alike > 1) {
    if (first == e)
      add_loops(d, e);
    return;
  }
  text_printf(d->out, "    p%u_%u -> p%u_%u [label=\"", e->process->index,
              e->source, e->process->index, e->target);
  add_words(d, e, times);
  text_add_char(d->out, '"');
  add_looks(e, times, d->out);
}

static void add_process(drawn_processes *d, const process_type *p)
{
  text *out = d->out;
  const bool *marked = reachable_locations(p, d->arena);
  /* The name leads to where the process starts.  There is no box around it:
  ** Graphviz lets labels of edges cross its border. */
  text_printf(out, "    p%u_in [shape=plaintext, label=\"", p->index);
  dot_label(p->name, out);
  text_printf(out, "\", fontname=\"Helvetica-Bold\"];\n    p%u_in -> p%u_%u;\n",
              p->index, p->index, p->start);
  for (uint32_t i = 0; i < p->locations.len; i++)
    if (marked[i])
      add_location(d->model, p, i, out);
  /* The end of a process is where it stands, not a step of the picture. */
  for (size_t i = 0; i < p->edges.len; i++)
    if (marked[p->edges.data[i]->source] && !ends_process(p->edges.data[i]))
      add_edge(d, p->edges.data[i]);
}

/* Automata are not dense: most of their edges, if many, are loops in a box. */
static void begin(drawn_processes *d)
{
  const model *m = d->model;
  size_t nodes = 0, edges = 0, alike;
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    nodes += p->locations.len;
    for (size_t k = 0; k < p->edges.len; k++)
      edges += first_alike(d, p->edges.data[k], &alike) == p->edges.data[k];
  }
  dot_begin("processes", nodes > edges ? nodes : edges, edges, d->out);
}

static void do_draw(void *drawing)
{
  drawn_processes *d = drawing;
  const model *m = d->model;
  d->arena = arena_create();
  count_times(d);
  begin(d);
  text_add(d->out, "  node [shape=ellipse, fontname=\"Helvetica\", "
                   "fontsize=11, color=\"#2f4a6d\"];\n"
                   "  edge [fontname=\"Helvetica\", fontsize=10, "
                   "color=\"#55606e\"];\n");
  if (d->run)
    text_add(d->out, "  label=\"red: executed by the run\"; "
                     "fontname=\"Helvetica\"; fontsize=9; labelloc=b;\n");
  for (size_t i = 0; i < m->processes.len; i++)
    add_process(d, m->processes.data[i]);
  text_add(d->out, "}\n");
}

static void tidy_up(void *drawing)
{
  drawn_processes *d = drawing;
  arena_destroy(d->arena);
  text_free(&d->statement);
}

void dot_processes(const model *m, const trace *marked, text *out)
{
  drawn_processes d = {.model = m, .run = marked, .out = out};
  mem_protect_tidy(do_draw, tidy_up, &d);
}
