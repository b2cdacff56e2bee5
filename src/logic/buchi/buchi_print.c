/* Automata as text: never claims, HOA, DOT. */

#include "logic/buchi/buchi.h"
#include <inttypes.h>
#include <string.h>

/* How a label is written. */
typedef struct label_style {
  const char *conjunction, *disjunction, *negation, *everything;
  const char *open, *close; /* around a literal */
  bool numbers;             /* propositions by number */
} label_style;

static const label_style promela = {" && ", " || ", "!", "1", "(", ")", false};
static const label_style hoa = {"&", " | ", "!", "t", "", "", true};
static const label_style drawn = {" && ", " || ", "!", "true", "", "", false};

/* Adds text; where it stands in quotation marks, with what needs it escaped. */
static void add_escaped(const char *string, bool quoted, text *out)
{
  for (; *string; string++) {
    if (quoted && (*string == '"' || *string == '\\'))
      text_add_char(out, '\\');
    text_add_char(out, *string == '\n' ? ' ' : *string);
  }
}

static bool is_one_word(const char *string)
{
  return strspn(string, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_.[]@:") == strlen(string);
}

static void print_literal(const buchi *b, uint32_t atom, bool positive,
                          const label_style *style, text *out)
{
  const char *name = ltl_atom_text(b->context, atom);
  if (!positive)
    text_add(out, style->negation);
  if (style->numbers) {
    text_printf(out, "%" PRIu32, atom);
    return;
  }
  bool parentheses = !*style->open && !is_one_word(name);
  text_add(out, parentheses ? "(" : style->open);
  add_escaped(name, style == &drawn, out);
  text_add(out, parentheses ? ")" : style->close);
}

static void print_product(const buchi *b, uint32_t i, const label_style *style,
                          text *out)
{
  const uint64_t *product = b->products + 2 * (size_t)i * b->words;
  bool first = true;
  for (uint32_t atom = 0; atom < b->atoms; atom++) {
    bool yes = product[atom / 64] >> atom % 64 & 1;
    bool no = product[b->words + atom / 64] >> atom % 64 & 1;
    if (!yes && !no)
      continue;
    if (!first)
      text_add(out, style->conjunction);
    print_literal(b, atom, yes, style, out);
    first = false;
  }
  if (first)
    text_add(out, style->everything);
}

static void print_label(const buchi *b, const buchi_edge *e,
                        const label_style *style, text *out)
{
  bool parentheses = e->product_count > 1 && !style->numbers;
  for (uint32_t i = 0; i < e->product_count; i++) {
    if (i)
      text_add(out, style->disjunction);
    if (parentheses)
      text_add_char(out, '(');
    print_product(b, e->first_product + i, style, out);
    if (parentheses)
      text_add_char(out, ')');
  }
}

/* ---- never claims ---------------------------------------------------------
 */

static void print_state_name(const buchi *b, uint32_t q, text *out)
{
  const buchi_state *s = &b->states[q];
  if (s->accepts_all && q != b->initial)
    text_add(out, "accept_all");
  else if (q == b->initial)
    text_add(out, s->accepting ? "accept_init" : "T0_init");
  else
    text_printf(out, "%s_S%" PRIu32, s->accepting ? "accept" : "T0", q);
}

/* The state in which everything is accepted stands last: to leave the claim at
** its end is, for SPIN, to accept. */
static void print_claim_state(const buchi *b, uint32_t q, text *out)
{
  const buchi_state *s = &b->states[q];
  print_state_name(b, q, out);
  text_add(out, ":\n");
  if (s->accepts_all || s->edge_count == 0) {
    text_add(out, s->accepts_all ? "  skip\n" : "  false;\n");
    return;
  }
  text_add(out, "  do\n");
  for (uint32_t i = 0; i < s->edge_count; i++) {
    const buchi_edge *e = &b->edges[s->first_edge + i];
    text_add(out, "  :: (");
    print_label(b, e, &promela, out);
    text_add(out, ") -> goto ");
    print_state_name(b, e->target, out);
    text_add_char(out, '\n');
  }
  text_add(out, "  od;\n");
}

static void print_comment(const buchi *b, text *out)
{
  text formula = {0};
  ltl_print(NULL, b->formula, LTL_SPIN, &formula);
  for (const char *c = text_string(&formula); *c; c++) {
    text_add_char(out, *c == '\n' ? ' ' : *c);
    if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*'))
      text_add_char(out, ' ');
  }
  text_free(&formula);
}

void buchi_print_never(const buchi *b, text *out)
{
  text_add(out, "never { /* ");
  print_comment(b, out);
  text_add(out, " */\n");
  print_claim_state(b, b->initial, out);
  for (int last = 0; last < 2; last++)
    for (uint32_t q = 0; q < b->state_count; q++)
      if (q != b->initial && b->states[q].accepts_all == last)
        print_claim_state(b, q, out);
  text_add(out, "}\n");
}

/* ---- HOA ------------------------------------------------------------------
 */

static void print_marks(uint64_t marks, text *out)
{
  const char *before = " {";
  for (uint32_t m = 0; m < BUCHI_MARKS_MAX; m++)
    if (marks >> m & 1) {
      text_printf(out, "%s%" PRIu32, before, m);
      before = " ";
    }
  if (marks)
    text_add_char(out, '}');
}

static void print_acceptance(const buchi *b, text *out)
{
  if (b->marks == 0)
    text_add(out, "acc-name: all\n");
  else if (b->marks == 1)
    text_add(out, "acc-name: Buchi\n");
  else
    text_printf(out, "acc-name: generalized-Buchi %" PRIu32 "\n", b->marks);
  text_printf(out, "Acceptance: %" PRIu32 " ", b->marks);
  for (uint32_t m = 0; m < b->marks; m++)
    text_printf(out, "%sInf(%" PRIu32 ")", m ? "&" : "", m);
  text_add(out, b->marks ? "\n" : "t\n");
}

static void print_hoa_header(const buchi *b, text *out)
{
  text formula = {0};
  ltl_print(NULL, b->formula, LTL_LETTERS, &formula);
  text_add(out, "HOA: v1\nname: \"");
  add_escaped(text_string(&formula), true, out);
  text_free(&formula);
  text_printf(out, "\"\nStates: %" PRIu32 "\nStart: %" PRIu32 "\nAP: %" PRIu32,
              b->state_count, b->initial, b->atoms);
  for (uint32_t i = 0; i < b->atoms; i++) {
    text_add(out, " \"");
    add_escaped(ltl_atom_text(b->context, i), true, out);
    text_add_char(out, '"');
  }
  text_add_char(out, '\n');
  print_acceptance(b, out);
  text_printf(out, "properties: trans-labels explicit-labels %s%s%s%s%s\n",
              b->by_state ? "state-acc" : "trans-acc",
              b->deterministic ? " deterministic" : "",
              b->ignores_stuttering ? " stutter-invariant" : "",
              b->weak ? " inherently-weak" : "",
              b->terminal && b->by_state ? " terminal" : "");
}

void buchi_print_hoa(const buchi *b, text *out)
{
  print_hoa_header(b, out);
  text_add(out, "--BODY--\n");
  for (uint32_t q = 0; q < b->state_count; q++) {
    const buchi_state *s = &b->states[q];
    text_printf(out, "State: %" PRIu32, q);
    print_marks(b->by_state && s->accepting, out);
    text_add_char(out, '\n');
    for (uint32_t i = 0; i < s->edge_count; i++) {
      const buchi_edge *e = &b->edges[s->first_edge + i];
      text_add_char(out, '[');
      print_label(b, e, &hoa, out);
      text_printf(out, "] %" PRIu32, e->target);
      print_marks(b->by_state ? 0 : e->marks, out);
      text_add_char(out, '\n');
    }
  }
  text_add(out, "--END--\n");
}

/* ---- DOT ------------------------------------------------------------------
 */

void buchi_print_dot(const buchi *b, text *out)
{
  text formula = {0};
  ltl_print(NULL, b->formula, LTL_SPIN, &formula);
  text_add(out, "digraph automaton {\n  rankdir=LR;\n  label=\"");
  add_escaped(text_string(&formula), true, out);
  text_free(&formula);
  text_add(out, "\";\n  node [shape=circle];\n  start [shape=point];\n");
  text_printf(out, "  start -> %" PRIu32 ";\n", b->initial);
  for (uint32_t q = 0; q < b->state_count; q++) {
    const buchi_state *s = &b->states[q];
    text_printf(out, "  %" PRIu32 "%s;\n", q,
                s->accepting ? " [shape=doublecircle]" : "");
    for (uint32_t i = 0; i < s->edge_count; i++) {
      const buchi_edge *e = &b->edges[s->first_edge + i];
      text_printf(out, "  %" PRIu32 " -> %" PRIu32 " [label=\"", q, e->target);
      print_label(b, e, &drawn, out);
      print_marks(b->by_state ? 0 : e->marks, out);
      text_add(out, "\"];\n");
    }
  }
  text_add(out, "}\n");
}
