/* CTL formulas from text.
**
**   formula   operand { binary operand }
**   operand   { unary } ( '(' formula ')' | path | proposition )
**   unary     ! not   EX EF EG AX AF AG   E<> E[] A<> A[]
**   path      E '[' formula until formula ']'     also with ( ) and with A
**   until     U W R V
**   binary    && and   || or   -> implies   <-> equivalent
**
** Unary operators bind tightest, then &&, ||, -> and <->, which group to the
** left but for ->.  A proposition ends before the next operator outside
** parentheses and brackets; in quotation marks it may be anything.  What it
** means is decided by its language. */

#ifndef NUT_LOGIC_CTL_PARSE_H
#define NUT_LOGIC_CTL_PARSE_H

#include "base/source/source.h"
#include "model/ctl.h"

/* The expression for a proposition, or NULL after an error was reported. */
typedef struct ctl_reader {
  expr *(*proposition)(void *context, const char *string, size_t length,
                       span where);
  void *context;
} ctl_reader;

/* The formula that is the source 'file'; NULL after errors. */
const ctl *ctl_parse(arena *, const sources *, uint32_t file,
                     const ctl_reader *, diags *);

#endif
