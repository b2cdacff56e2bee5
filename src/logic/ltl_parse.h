/* Formulas from text.
**
**   formula   operand { binary operand }
**   operand   { unary } ( '(' formula ')' | proposition )
**   unary     ! ~ not   [] G always   <> F eventually   X next
**   binary    && /\ and   || \/ or   -> => implies   <-> <=> equivalent equiv
**             U until stronguntil   W weakuntil   V R release
**             M strongrelease
**
** Unary operators bind tightest, then U W V M, then &&, then ||, then -> and
** <->; all binary operators group to the left, as in SPIN's 'ltl' blocks.
** ('spin -f' has one level for && || -> <->, and textbooks group U and -> to
** the right: where such a reading differs, a warning says how we read it.)
**
** A proposition ends before the next operator outside parentheses and
** brackets, so that '(x + 1) * 2 > y' is one; in quotation marks it may be
** anything.  The language decides what it means. */

#ifndef NUT_LOGIC_LTL_PARSE_H
#define NUT_LOGIC_LTL_PARSE_H

#include "base/source/source.h"
#include "model/ltl.h"

/* What a language knows about propositions: the formula for a text, often
** 'ltl_leaf' with that text, or NULL after an error was reported. */
typedef struct ltl_reader {
  const ltl *(*proposition)(void *context, const char *string, uint32_t length,
                            span where);
  void *context;
} ltl_reader;

/* The formula that stands at 'where', or NULL after errors were reported.  It
** is made in the arena, together with the texts of its propositions.
** Without a reader, propositions are words such as 'p' or 'p.q[3]@x' or
** comparisons of such words, '& | ~ 1 0 true false' are logic, and the texts
** become the leaves. */
const ltl *ltl_parse(arena *, const sources *, span where, const ltl_reader *,
                     diags *);

#endif
