/* Formulas as text, in the syntaxes of 'ltl_syntax'. */

#include "logic/ltl.h"
#include "logic/ltl_internal.h"
#include "logic/ltl_parse.h"
#include <ctype.h>

/* Spellings by operator and syntax. */
static const char *const spellings[][4] = {
#define OP(name, arity, spin, letter, word) {spin, spin, letter, word},
    LTL_OPS(OP)
#undef OP
};

static void print(const ltl_context *, const ltl *, ltl_syntax, text *out);

/* A proposition that is not one plain word stands in parentheses, one that
** would be taken for an operator in quotation marks. */
static void print_atom(const char *atom, text *out)
{
  bool plain = true;
  for (const char *c = atom; *c; c++)
    plain = plain && (isalnum((unsigned char)*c) || *c == '_' || *c == '.' ||
                      *c == '[' || *c == ']' || *c == '@' || *c == ':');
  if (ltl_is_reserved(atom))
    text_printf(out, "\"%s\"", atom);
  else if (plain)
    text_add(out, atom);
  else
    text_printf(out, "(%s)", atom);
}

/* An operand: in parentheses when it is binary itself. */
static void print_operand(const ltl_context *c, const ltl *f, ltl_syntax syntax,
                          text *out)
{
  bool parentheses = ltl_arity(f->op) == 2;
  if (parentheses)
    text_add_char(out, '(');
  print(c, f, syntax, out);
  if (parentheses)
    text_add_char(out, ')');
}

static void print_unary(const ltl_context *c, const ltl *f, ltl_syntax syntax,
                        text *out)
{
  const char *sign = spellings[f->op][syntax];
  text_add(out, sign);
  if (isalnum((unsigned char)*sign))
    text_add_char(out, ' ');
  print_operand(c, f->a, syntax, out);
}

static void print_binary(const ltl_context *c, ltl_op op, const ltl *a,
                         const ltl *b, ltl_syntax syntax, text *out)
{
  /* Chains of && and of || need no parentheses on their left side. */
  bool chain = (op == LTL_AND || op == LTL_OR) && a->op == op;
  if (chain)
    print(c, a, syntax, out);
  else
    print_operand(c, a, syntax, out);
  text_printf(out, " %s ", spellings[op][syntax]);
  bool right = (op == LTL_AND || op == LTL_OR) && b->op == op;
  if (right)
    print(c, b, syntax, out);
  else
    print_operand(c, b, syntax, out);
}

/* Operators that SPIN does not have, by those that it has:
** a W b  as  b V (a || b),  a M b  as  b U (a && b). */
static void print_rewritten(const ltl_context *c, const ltl *f,
                            ltl_syntax syntax, text *out)
{
  bool weak = f->op == LTL_WEAK_UNTIL;
  print_operand(c, f->b, syntax, out);
  text_add(out, weak ? " V (" : " U (");
  print_operand(c, f->a, syntax, out);
  text_add(out, weak ? " || " : " && ");
  print_operand(c, f->b, syntax, out);
  text_add_char(out, ')');
}

static void print(const ltl_context *c, const ltl *f, ltl_syntax syntax,
                  text *out)
{
  bool spin = syntax == LTL_SPIN || syntax == LTL_SPIN_F;
  if (f->op == LTL_ATOM)
    print_atom(ltl_atom_text(c, f->atom), out);
  else if (!f->a)
    text_add(out, spellings[f->op][syntax]);
  else if (!f->b)
    print_unary(c, f, syntax, out);
  else if ((spin && f->op == LTL_STRONG_RELEASE) ||
           (syntax == LTL_SPIN_F && f->op == LTL_WEAK_UNTIL))
    print_rewritten(c, f, syntax, out);
  else
    print_binary(c, f->op, f->a, f->b, syntax, out);
}

void ltl_print(const ltl_context *c, const ltl *f, ltl_syntax syntax, text *out)
{
  print(c, f, syntax, out);
}
