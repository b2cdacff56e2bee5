/* Formulas as text, in the syntaxes of 'ltl_syntax'. */

#include "model/ltl.h"

#include "model/model.h"

#include <ctype.h>
#include <string.h>

/* Spellings by operator and syntax. */
static const char *const spellings[][4] = {
#define OP(name, arity, spin, letter, word) {spin, spin, letter, word},
    LTL_OPS(OP)
#undef OP
};

/* What is understood besides. */
static const struct {
  const char *text;
  ltl_op which;
} synonyms[] = {{"stronguntil", LTL_UNTIL}, {"equiv", LTL_EQUIV}};

static bool is_word(const char *known, const char *word, size_t length)
{
  return strlen(known) == length && memcmp(known, word, length) == 0;
}

ltl_op ltl_operator(const char *word, size_t length)
{
  for (ltl_op which = 0; which < LTL_OP_COUNT && length; which++)
    for (ltl_syntax s = LTL_SPIN; s <= LTL_WORDS; s++)
      if (is_word(spellings[which][s], word, length))
        return which;
  for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
    if (is_word(synonyms[i].text, word, length))
      return synonyms[i].which;
  return LTL_OP_COUNT;
}

static void print(const model *, const ltl *, ltl_syntax, text *out);

/* A proposition that is not one plain word stands in parentheses, one that
** would be taken for an operator in quotation marks. */
static void print_atom(const model *m, const ltl *f, text *out)
{
  const char *atom = f->text;
  bool plain = true;
  if (!atom) {
    text_add_char(out, '(');
    expr_print(m, f->condition, out);
    text_add_char(out, ')');
    return;
  }
  for (const char *c = atom; *c; c++)
    plain = plain && (isalnum((unsigned char)*c) || *c == '_' || *c == '.' ||
                      *c == '[' || *c == ']' || *c == '@' || *c == ':');
  if (ltl_operator(atom, strlen(atom)) != LTL_OP_COUNT)
    text_printf(out, "\"%s\"", atom);
  else if (plain)
    text_add(out, atom);
  else
    text_printf(out, "(%s)", atom);
}

/* An operand: in parentheses when it is binary itself. */
static void print_operand(const model *m, const ltl *f, ltl_syntax syntax,
                          text *out)
{
  bool parentheses = ltl_arity(f->op) == 2;
  if (parentheses)
    text_add_char(out, '(');
  print(m, f, syntax, out);
  if (parentheses)
    text_add_char(out, ')');
}

static void print_unary(const model *m, const ltl *f, ltl_syntax syntax,
                        text *out)
{
  const char *sign = spellings[f->op][syntax];
  text_add(out, sign);
  if (isalnum((unsigned char)*sign))
    text_add_char(out, ' ');
  print_operand(m, f->a, syntax, out);
}

static void print_binary(const model *m, ltl_op which, const ltl *a,
                         const ltl *b, ltl_syntax syntax, text *out)
{
  /* Chains of && and of || need no parentheses on their left side. */
  bool chain = (which == LTL_AND || which == LTL_OR) && a->op == which;
  if (chain)
    print(m, a, syntax, out);
  else
    print_operand(m, a, syntax, out);
  text_printf(out, " %s ", spellings[which][syntax]);
  bool right = (which == LTL_AND || which == LTL_OR) && b->op == which;
  if (right)
    print(m, b, syntax, out);
  else
    print_operand(m, b, syntax, out);
}

/* Operators that SPIN does not have, by those that it has:
** a W b  as  b V (a || b),  a M b  as  b U (a && b). */
static void print_rewritten(const model *m, const ltl *f, ltl_syntax syntax,
                            text *out)
{
  bool weak = f->op == LTL_WEAK_UNTIL;
  print_operand(m, f->b, syntax, out);
  text_add(out, weak ? " V (" : " U (");
  print_operand(m, f->a, syntax, out);
  text_add(out, weak ? " || " : " && ");
  print_operand(m, f->b, syntax, out);
  text_add_char(out, ')');
}

static void print(const model *m, const ltl *f, ltl_syntax syntax, text *out)
{
  bool spin = syntax == LTL_SPIN || syntax == LTL_SPIN_F;
  if (f->op == LTL_ATOM)
    print_atom(m, f, out);
  else if (!f->a)
    text_add(out, spellings[f->op][syntax]);
  else if (!f->b)
    print_unary(m, f, syntax, out);
  else if ((spin && f->op == LTL_STRONG_RELEASE) ||
           (syntax == LTL_SPIN_F && f->op == LTL_WEAK_UNTIL))
    print_rewritten(m, f, syntax, out);
  else
    print_binary(m, f->op, f->a, f->b, syntax, out);
}

static void print_enclosed(const model *m, const ltl *f, text *out)
{
  bool enclosed = f->op != LTL_ATOM && f->a;
  text_add(out, enclosed ? "(" : "");
  ltl_print_all(m, f, out);
  text_add(out, enclosed ? ")" : "");
}

void ltl_print_all(const model *m, const ltl *f, text *out)
{
  const char *sign = spellings[f->op][LTL_SPIN];
  if (f->op == LTL_ATOM) {
    print_atom(m, f, out);
  } else if (!f->a) {
    text_add(out, sign);
  } else if (!f->b) {
    text_printf(out, "%s%s", sign, *sign == '!' ? "" : " ");
    print_enclosed(m, f->a, out);
  } else {
    print_enclosed(m, f->a, out);
    text_printf(out, " %s ", sign);
    print_enclosed(m, f->b, out);
  }
}

void ltl_print(const model *m, const ltl *f, ltl_syntax syntax, text *out)
{
  print(m, f, syntax, out);
}
