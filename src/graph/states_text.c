/* Graphs of states as models.  A state is a location of one process, or a
** place of a net, so nothing is left of variables and channels; but whatever
** a model does, its graph can be written in every language. */

#include "graph/states.h"

/* What is printed about a step, on one line and without the end of a
** comment. */
static void add_comment(const char *s, text *out)
{
  for (; *s; s++) {
    bool ends = *s == '*' && s[1] == '/';
    text_add_char(out, ends || *s < ' ' || *s > '~' ? ' ' : *s);
  }
}

static const char *text_of(const known_step *s)
{
  return s->edge->text ? s->edge->text : "";
}

static const char *language_of(const states *s)
{
  return program_model(s->program)->language->name;
}

/* ---- Promela ----------------------------------------------------------- */

static const char *label_of(const states *s, uint32_t state)
{
  const known_state *k = &s->list.data[state];
  return k->blocked && !k->invalid_end ? "end_" : "";
}

static void add_option(const states *all, const known_step *s, text *out)
{
  text_printf(out, "  :: true -> goto %ss%u /* %s(%u): ", label_of(all, s->to),
              s->to, s->edge->process->name, s->process);
  add_comment(text_of(s), out);
  text_add(out, " */\n");
}

void states_to_promela(const states *all, const char *why, text *out)
{
  size_t next = 0;
  text_printf(out,
              "/* The graph of the states of a model in another language (%s): "
              "%s. */\nactive proctype graph()\n{\n",
              language_of(all), why);
  for (uint32_t i = 0; i < all->list.len; i++) {
    const known_state *k = &all->list.data[i];
    bool empty = next == all->steps.len || all->steps.data[next].from != i;
    text_printf(out, "%ss%u:\n", label_of(all, i), i);
    if (empty && !k->fault) {
      text_add(out, "  false;\n");
      continue;
    }
    text_add(out, "  if\n");
    for (; next < all->steps.len && all->steps.data[next].from == i; next++)
      add_option(all, &all->steps.data[next], out);
    if (k->fault)
      text_printf(out, "  :: d_step { true -> false }; goto s%u\n", i);
    text_add(out, "  fi;\n");
  }
  text_add(out, "}\n");
}

/* ---- DVE --------------------------------------------------------------- */

void states_to_dve(const states *all, const char *why, text *out)
{
  const char *before = "  trans\n";
  text_printf(out,
              "// The graph of the states of a model in another language (%s): "
              "%s.\nbyte in_range[1];\nprocess graph {\n  state",
              language_of(all), why);
  for (size_t i = 0; i < all->list.len; i++)
    text_printf(out, "%s s%zu", i ? "," : "", i);
  text_add(out, ";\n  init s0;\n");
  for (size_t i = 0; i < all->steps.len; i++) {
    const known_step *s = &all->steps.data[i];
    text_printf(out, "%s    // %s(%u): ", before, s->edge->process->name,
                s->process);
    add_comment(text_of(s), out);
    text_printf(out, "\n    s%u -> s%u {}", s->from, s->to);
    before = ",\n";
  }
  for (size_t i = 0; i < all->list.len; i++) {
    if (!all->list.data[i].fault)
      continue;
    text_printf(out, "%s    s%zu -> s%zu { effect in_range[1] = 0; }", before,
                i, i);
    before = ",\n";
  }
  text_add(out,
           *before == ',' ? ";\n}\nsystem async;\n" : "}\nsystem async;\n");
}

/* ---- PNML -------------------------------------------------------------- */

/* One place has the token, which a unit tells to those who read units. */
static void add_unit(const states *all, text *out)
{
  text_add(out, "    <toolspecific tool=\"nupn\" version=\"1.1\">\n"
                "      <size places=\"");
  text_printf(out, "%zu\" transitions=\"%zu\" arcs=\"%zu\"/>\n", all->list.len,
              all->steps.len, 2 * all->steps.len);
  text_add(out, "      <structure units=\"1\" root=\"graph\" safe=\"true\">\n"
                "        <unit id=\"graph\"><places>");
  for (size_t i = 0; i < all->list.len; i++)
    text_printf(out, "%ss%zu", i ? " " : "", i);
  text_add(out, "</places><subunits/></unit>\n      </structure>\n"
                "    </toolspecific>\n");
}

static void add_transition(const known_step *s, size_t number, text *out)
{
  text_printf(out, "    <transition id=\"t%zu\"><name><text>%s(%u): ", number,
              s->edge->process->name, s->process);
  text_add_xml(out, text_of(s));
  text_add(out, "</text></name></transition>\n");
  text_printf(out,
              "    <arc id=\"a%zu\" source=\"s%u\" target=\"t%zu\"/>\n"
              "    <arc id=\"b%zu\" source=\"t%zu\" target=\"s%u\"/>\n",
              number, s->from, number, number, number, s->to);
}

void states_to_pnml(const states *all, const char *why, text *out)
{
  text_printf(out,
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<!-- The graph of the states of a model in another language "
              "(%s): %s. -->\n",
              language_of(all), why);
  text_add(out,
           "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
           "  <net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/"
           "ptnet\">\n    <page id=\"page\">\n");
  for (size_t i = 0; i < all->list.len; i++)
    text_printf(out, "    <place id=\"s%zu\">%s</place>\n", i,
                i ? "" : "<initialMarking><text>1</text></initialMarking>");
  for (size_t i = 0; i < all->steps.len; i++)
    add_transition(&all->steps.data[i], i, out);
  text_add(out, "    </page>\n");
  add_unit(all, out);
  text_add(out, "  </net>\n</pnml>\n");
}
