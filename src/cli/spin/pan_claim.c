/* Claims as pan takes them: what a 'never' has, its form without loops, and the
** claims of formulas. */

#include "cli/spin/pan_claim.h"
#include "cli/common.h"
#include "cli/lsp/cut_tokens.h"
#include "nutshell.h"
#include <string.h>

#define ACCEPTS "accept"

/* ---- claims of a text --------------------------------------------------- */

/* A 'never' claim: its name, or NO_TOKEN, and its body, brackets included. */
typedef struct block {
  uint32_t name, first, end;
} block;

/* The next claim from token '*at' on; false: there are no more. */
static bool next_claim(const tokens *t, uint32_t *at, block *b)
{
  int depth = 0;
  uint32_t i = *at;
  while (i < t->count && (t->list[i].directive || !token_is(t, i, "never")))
    i++;
  uint32_t open = i < t->count ? token_behind(t, i) : NO_TOKEN;
  *b = (block){.name = NO_TOKEN};
  if (open != NO_TOKEN && !token_is(t, open, "{")) {
    b->name = open;
    open = token_behind(t, open);
  }
  if (open == NO_TOKEN || !token_is(t, open, "{"))
    return false;
  b->first = open;
  for (i = open; i < t->count; i++) {
    depth += token_is(t, i, "{");
    depth -= token_is(t, i, "}");
    if (!depth)
      break;
  }
  *at = b->end = i;
  return true;
}

static bool starts_with_accept(const tokens *t, uint32_t i)
{
  const token *one = &t->list[i];
  return one->kind == TOKEN_NAME && one->length >= strlen(ACCEPTS) &&
         !strncmp(t->text + one->start, ACCEPTS, strlen(ACCEPTS));
}

/* A label of acceptance, where it stands or where a jump names it.  ':' and not
** '::', which is another token. */
static bool is_accept_label(const tokens *t, uint32_t i)
{
  uint32_t before = token_before(t, i), behind = token_behind(t, i);
  return starts_with_accept(t, i) &&
         ((behind != NO_TOKEN && token_is(t, behind, ":")) ||
          (before != NO_TOKEN && token_is(t, before, "goto")));
}

/* ---- what a claim has --------------------------------------------------- */

/* What is between the brackets behind 'assert', without blanks. */
static const char *condition_behind(arena *a, const tokens *t, uint32_t i)
{
  int depth = 0;
  text out = {0};
  for (i = token_behind(t, i); i != NO_TOKEN; i = token_behind(t, i)) {
    depth -= token_is(t, i, ")");
    if (depth > 0)
      text_add_bytes(&out, t->text + t->list[i].start, t->list[i].length);
    depth += token_is(t, i, "(");
    if (depth <= 0)
      break;
  }
  const char *condition = arena_copy(a, text_string(&out), out.len);
  text_free(&out);
  return condition;
}

static void look_at_claim(arena *a, const tokens *t, const block *b,
                          claim_facts *f)
{
  if (b->name != NO_TOKEN)
    f->name = token_text(a, t, b->name);
  for (uint32_t i = b->first; i < b->end; i++) {
    f->accepts |= is_accept_label(t, i);
    if (token_is(t, i, "assert") && !f->asserts) {
      f->asserts = true;
      f->condition = condition_behind(a, t, i);
    }
  }
}

claim_facts claim_facts_of(arena *a, const char *model, size_t length,
                           const char *name)
{
  static const claim_facts none = {.name = "never_0", .condition = ""};
  tokens t = tokens_of(a, model, length, true);
  claim_facts found = none;
  bool any = !strcmp(name, "never"), labels = false;
  block b;
  for (uint32_t at = 0; next_claim(&t, &at, &b);) {
    claim_facts one = none;
    look_at_claim(a, &t, &b, &one);
    labels |= one.accepts;
    if (any || !strcmp(one.name, name))
      found = one;
  }
  for (uint32_t i = 0; i < t.count; i++)
    labels |= token_is(&t, i, "ltl");
  found.labels = labels;
  return found;
}

/* ---- finite claims ------------------------------------------------------ */

void claim_make_finite(const char *model, size_t length, text *out)
{
  arena *a = arena_create();
  tokens t = tokens_of(a, model, length, true);
  size_t done = 0;
  block b;
  for (uint32_t at = 0; next_claim(&t, &at, &b);)
    for (uint32_t i = b.first; i < b.end; i++)
      if (is_accept_label(&t, i)) {
        text_add_bytes(out, model + done, t.list[i].start - done);
        text_add(out, "no_");
        done = t.list[i].start;
      }
  text_add_bytes(out, model + done, length - done);
  arena_destroy(a);
}

bool claim_add_refutation(const char *formula, text *out)
{
  text claim = {0};
  char *messages = NULL;
  bool good = nut_automaton(formula, true, false, NUT_NEVER, gather_text,
                            &claim, &messages) == NUT_HOLDS;
  text_add(out, "\n");
  if (good)
    claim_make_finite(text_string(&claim), claim.len, out);
  nut_text_free(messages);
  text_free(&claim);
  return good;
}

/* Whether it is one operand: between brackets, or without blanks. */
static bool is_operand(const char *f)
{
  int depth = 0;
  size_t i = 0, n = strlen(f);
  while (n && f[n - 1] == ' ')
    n--;
  for (; i < n; i++) {
    depth += f[i] == '(';
    depth -= f[i] == ')';
    if (f[0] == '(' ? !depth : f[i] == ' ')
      break;
  }
  return n && (f[0] == '(' ? i + 1 == n : i == n);
}

const char *claim_invariant(const char *formula)
{
  const char *f = formula ? formula : "";
  f += strspn(f, " ");
  if (strncmp(f, "[]", 2))
    return NULL;
  f += 2 + strspn(f + 2, " ");
  static const char *const temporal[] = {
      "[]", "<>",    " U ",        " V ",    " W ",     " R ", "X ",
      "X(", "until", "eventually", "always", "release", "next"};
  for (size_t i = 0; i < sizeof temporal / sizeof *temporal; i++)
    if (strstr(f, temporal[i]))
      return NULL;
  return is_operand(f) ? f : NULL;
}

/* ---- claims of formulas ------------------------------------------------- */

bool claim_add_formula(const char *formula, text *out, char **messages)
{
  static const char enough[] = " -> goto accept_all";
  text claim = {0};
  bool good = nut_automaton(formula, false, false, NUT_NEVER, gather_text,
                            &claim, messages) == NUT_HOLDS;
  const char *line = good ? text_string(&claim) : "";
  while (*line) {
    size_t n = strcspn(line, "\n"), blanks = strspn(line, " ");
    const char *end = strstr(line, enough);
    if (end == line + n - strlen(enough) && !strncmp(line + blanks, ":: ", 3)) {
      const char *guard = line + blanks + 3;
      text_printf(out, "%.*s:: atomic { %.*s -> assert(!%.*s) }\n", (int)blanks,
                  line, (int)(end - guard), guard, (int)(end - guard), guard);
    } else {
      text_printf(out, "%.*s\n", (int)n, line);
    }
    line += n + (line[n] == '\n');
  }
  text_free(&claim);
  return good;
}
