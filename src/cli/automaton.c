/* nutshell automaton: a formula as a Buchi automaton. */

#include "cli/common.h"
#include "cli/output.h"
#include "logic/buchi/buchi.h"
#include "logic/ltl_parse.h"
#include <string.h>

/* The formula of the command line, its diagnostics shown; NULL after errors. */
static const ltl *read_formula(const options *o, arena *a)
{
  const char *string = o->files.data[0];
  size_t length = strlen(string);
  sources *s = sources_create();
  diags *d = diags_create(s);
  const ltl *f = NULL;
  text out = {0};
  uint32_t file = source_add(s, "formula", string, length);
  if (file)
    f = ltl_parse(a, s, (span){file, 0, (uint32_t)length}, NULL, d);
  else
    complain("the formula is too long");
  diags_print(d, &out);
  say_error(text_string(&out));
  text_free(&out);
  diags_destroy(d);
  sources_destroy(s);
  return f && o->negate ? ltl_new(a, LTL_NOT, f, NULL) : f;
}

static int show_automaton(const options *o, const buchi *b)
{
  text out = {0};
  int status = STATUS_HOLDS;
  if (o->format == FORMAT_HOA)
    buchi_print_hoa(b, &out);
  else if (o->format == FORMAT_DOT || o->format == FORMAT_SVG)
    buchi_print_dot(b, &out);
  else
    buchi_print_never(b, &out);
  if (o->format == FORMAT_SVG)
    status = draw_svg(&out, NULL);
  else
    say_text(&out);
  text_free(&out);
  return status;
}

int command_automaton(const options *o)
{
  if (o->generalised && (o->format == FORMAT_AUTO || o->format == FORMAT_NEVER))
    return complain("a never claim cannot be generalised; use --format hoa");
  arena *a = arena_create();
  const ltl *f = read_formula(o, a);
  int status = STATUS_BAD;
  if (f) {
    buchi_options how = {.generalised = o->generalised};
    ltl_context *c = ltl_create();
    buchi *b = buchi_translate(c, ltl_intern(c, f), how);
    if (b)
      status = show_automaton(o, b);
    else
      complain("the automaton of this formula is too large");
    buchi_destroy(b);
    ltl_destroy(c);
  }
  arena_destroy(a);
  return status;
}
