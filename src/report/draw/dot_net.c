/* Petri nets: places are circles with their tokens, transitions boxes, in the
** colour of their signal.  A place that only joins two transitions is an arc
** between them, with a dot when it is marked.  Below the name of a transition
** stands when it may fire and what it does.
**
**     (2) --> [t1] --> ( ) --2--> [t2]           [a+] --*--> [b+]
*/

#include "model/net_picture.h"
#include "report/draw/dot.h"
#include <inttypes.h>
#include <string.h>

enum { FEW_TOKENS = 3 }; /* drawn as dots; more of them as a number */

enum { ROUND = 8 }; /* letters of a name that fit a circle */

static void add_tokens(uint64_t n, text *out)
{
  if (n > FEW_TOKENS)
    text_printf(out, "%" PRIu64, n);
  for (uint64_t i = 0; i < n && n <= FEW_TOKENS; i++)
    text_add(out, "\xe2\x97\x8f");
}

/* The only arc of a place in one direction; NULL: it has none, or several. */
static const net_picture_arc *only_arc(const net_picture *p, uint32_t place,
                                       bool puts)
{
  const net_picture_arc *found = NULL;
  for (size_t i = 0; i < p->arcs.len; i++) {
    const net_picture_arc *a = &p->arcs.data[i];
    if (a->place != place || a->puts != puts)
      continue;
    if (found || a->inhibits || a->weight != 1)
      return NULL;
    found = a;
  }
  return found;
}

static bool is_arc(const net_picture *p, uint32_t place)
{
  return p->places.data[place].implicit && only_arc(p, place, true) &&
         only_arc(p, place, false);
}

static void add_place(const net_picture *p, uint32_t i, text *out)
{
  const net_picture_place *one = &p->places.data[i];
  if (is_arc(p, i)) {
    text_printf(out, "    t%u -> t%u", only_arc(p, i, true)->transition,
                only_arc(p, i, false)->transition);
    if (one->tokens) {
      text_add(out, " [label=\" ");
      add_tokens(one->tokens, out);
      text_add(out, " \"]");
    }
    text_add(out, ";\n");
    return;
  }
  /* The name is inside, where no arc covers it. */
  text_printf(out, "    p%u [shape=%s, margin=\"0.03,0.03\", label=\"", i,
              strlen(one->name) <= ROUND ? "circle" : "ellipse");
  dot_label(one->name, out);
  if (one->tokens)
    text_add(out, "\\n");
  add_tokens(one->tokens, out);
  text_add(out, "\"];\n");
}

static void add_transition(const net_picture_transition *t, uint32_t i,
                           text *out)
{
  static const char *const fills[] = {
      [PICTURE_PLAIN] = "#ffffff",
      [PICTURE_INPUT] = "#f6d5d2",
      [PICTURE_OUTPUT] = "#cfe0f3",
      [PICTURE_INTERNAL] = "#dcecc9",
  };
  text_printf(out,
              "    t%u [shape=box, style=filled, fillcolor=\"%s\", label=\"", i,
              fills[t->role]);
  dot_label(t->name, out);
  if (t->label) {
    text_add(out, "\\n");
    dot_label(t->label, out);
  }
  text_add(out, "\"];\n");
}

static void add_arc(const net_picture *p, const net_picture_arc *a, text *out)
{
  if (is_arc(p, a->place))
    return;
  if (a->puts)
    text_printf(out, "  t%u -> p%u [", a->transition, a->place);
  else
    text_printf(out, "  p%u -> t%u [", a->place, a->transition);
  if (a->weight != 1)
    text_printf(out, "label=\" %u \"%s", a->weight, a->inhibits ? ", " : "");
  text_printf(out, "%s];\n", a->inhibits ? "arrowhead=odot" : "");
}

static void add_part(const net_picture *p, uint32_t part, text *out)
{
  bool several = p->parts.len > 1;
  if (several) {
    text_printf(out, "  subgraph cluster_%u {\n    label=\"", part);
    dot_label(p->parts.data[part], out);
    text_add(out, "\"; fontname=\"Helvetica-Bold\"; color=\"#b8bec8\";\n");
  }
  for (uint32_t i = 0; i < p->transitions.len; i++)
    if (p->transitions.data[i].part == part)
      add_transition(&p->transitions.data[i], i, out);
  for (uint32_t i = 0; i < p->places.len; i++)
    if (p->places.data[i].part == part)
      add_place(p, i, out);
  text_add(out, several ? "  }\n" : "");
}

static void write_net(const net_picture *p, text *out)
{
  dot_begin("net", p->places.len + p->transitions.len, p->arcs.len, out);
  text_add(out, "  forcelabels=true;\n"
                "  node [fontname=\"Helvetica\", fontsize=11, "
                "color=\"#2f4a6d\"];\n"
                "  edge [fontname=\"Helvetica\", fontsize=10, "
                "color=\"#55606e\"];\n");
  for (uint32_t i = 0; i < p->parts.len; i++)
    add_part(p, i, out);
  for (size_t i = 0; i < p->arcs.len; i++)
    add_arc(p, &p->arcs.data[i], out);
  text_add(out, "}\n");
}

typedef struct drawn_net {
  const model *model;
  net_picture picture;
  text *out;
} drawn_net;

static void do_draw(void *drawing)
{
  drawn_net *d = drawing;
  d->model->language->picture(d->model, &d->picture);
  write_net(&d->picture, d->out);
}

static void tidy_up(void *drawing)
{
  net_picture_free(&((drawn_net *)drawing)->picture);
}

void dot_net(const model *m, text *out)
{
  drawn_net d = {.model = m, .out = out};
  mem_protect_tidy(do_draw, tidy_up, &d);
}
