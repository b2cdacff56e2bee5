/* What the tests of 'logic' share: random formulas and random words. */

#ifndef NUT_TESTS_LOGIC_KIT_H
#define NUT_TESTS_LOGIC_KIT_H

#include "base/random.h"
#include "logic/buchi/buchi.h"
#include "logic/ltl_parse.h"
#include <stdio.h>
#include <stdlib.h>

enum { KIT_ATOMS = 4, KIT_LETTERS = 12 };

/* How many formulas a random test takes: the number given by the environment,
** for long runs, or the usual one. */
static inline unsigned long kit_count(unsigned long usual)
{
  const char *given = getenv("NUT_LTL_COUNT");
  return given ? strtoul(given, NULL, 10) : usual;
}

static inline uint64_t kit_seed(void)
{
  const char *given = getenv("NUT_LTL_SEED");
  return given ? strtoull(given, NULL, 10) : 1;
}

static inline void kit_add_atoms(ltl_context *c)
{
  static const char *const atoms[KIT_ATOMS] = {"a", "b", "c", "d"};
  for (int i = 0; i < KIT_ATOMS; i++)
    ltl_add_atom(c, atoms[i], NULL);
}

/* A random formula with 'size' operators and atoms.  Without 'next', no X; with
** 'spin', only what 'spin -f' knows. */
static inline const ltl *kit_formula(ltl_context *c, random_state *r,
                                     unsigned size, bool next, bool spin)
{
  static const ltl_op binaries[] = {
      LTL_AND,   LTL_OR,    LTL_UNTIL,      LTL_RELEASE,       LTL_IMPLIES,
      LTL_EQUIV, LTL_UNTIL, LTL_WEAK_UNTIL, LTL_STRONG_RELEASE};
  static const ltl_op unaries[] = {LTL_NOT, LTL_EVENTUALLY, LTL_ALWAYS,
                                   LTL_NEXT};
  if (size <= 1) {
    if (!spin && random_below(r, 20) == 0)
      return ltl_constant(c, random_below(r, 2));
    return ltl_atom(c, (uint32_t)random_below(r, KIT_ATOMS));
  }
  if (size == 2 || random_below(r, 5) < 2) {
    ltl_op which = unaries[random_below(r, next ? 4 : 3)];
    return ltl_unary(c, which, kit_formula(c, r, size - 1, next, spin));
  }
  unsigned left = 1 + (unsigned)random_below(r, size - 2);
  const ltl *a = kit_formula(c, r, left, next, spin);
  const ltl *b = kit_formula(c, r, size - 1 - left, next, spin);
  return ltl_binary(c, binaries[random_below(r, spin ? 7 : 9)], a, b);
}

/* A random word; its letters are written to 'letters'. */
static inline lasso kit_word(random_state *r, uint64_t letters[KIT_LETTERS])
{
  lasso w = {.words = 1, .letters = letters};
  w.length = 1 + (uint32_t)random_below(r, KIT_LETTERS);
  w.loop = (uint32_t)random_below(r, w.length);
  /* Few different letters make loops that satisfy something. */
  uint64_t few[2] = {random_next(r), random_next(r)};
  for (uint32_t i = 0; i < w.length; i++)
    letters[i] = random_below(r, 3) ? few[random_below(r, 2)] : random_next(r);
  return w;
}

static inline void kit_show(const ltl *f, const lasso *w)
{
  text out = {0};
  ltl_print(NULL, f, LTL_SPIN, &out);
  fprintf(stderr, "# formula: %s\n", text_string(&out));
  text_free(&out);
  for (uint32_t i = 0; w && i < w->length; i++) {
    fprintf(stderr, "#   %s", i == w->loop ? "loop: " : "");
    for (uint32_t p = 0; p < KIT_ATOMS; p++)
      fprintf(stderr, "%s%c ", w->letters[i] >> p & 1 ? " " : "!",
              (char)('a' + p));
    fprintf(stderr, "\n");
  }
}

/* Parses a text without diagnostics expected; NULL when there are errors. */
static inline const ltl *kit_parse(ltl_context *c, const char *string)
{
  sources *s = sources_create();
  diags *d = diags_create(s);
  uint32_t file = source_add(s, "formula", string, strlen(string));
  span where = {file, 0, (uint32_t)strlen(string)};
  arena *a = arena_create();
  const ltl *f = ltl_parse(a, s, where, NULL, d);
  if (f)
    f = ltl_intern(c, f);
  arena_destroy(a);
  diags_destroy(d);
  sources_destroy(s);
  return f;
}

#endif
