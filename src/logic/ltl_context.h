/* The workshop of linear temporal logic: formulas of which equal ones are equal
** pointers, and how they are rewritten.
**
**   [] (p -> <> q)          always
**                              |
**                           implies
**                           /     \
**                          p    eventually
**                                   |
**                                   q
**
** A proposition (atom) is a number here; what it means, a text or a condition
** of a model, is kept beside it.  A formula is a node of a directed graph
** without cycles, of the same type as the trees of model/ltl.h.
**
** Everything belongs to an 'ltl_context' and lives as long as it does.  All
** functions may leave the protected call (base/alloc.h) when memory runs out;
** the context is then still fit to be destroyed, and for nothing else. */

#ifndef NUT_LOGIC_LTL_CONTEXT_H
#define NUT_LOGIC_LTL_CONTEXT_H

#include "model/ltl.h"

typedef struct ltl_context ltl_context;

ltl_context *ltl_create(void);
void ltl_destroy(ltl_context *);

/* The proposition with this condition or, without one, with this text: the old
** one, or a new one with the next number.  The text is copied. */
uint32_t ltl_add_atom(ltl_context *, const char *string, expr *condition);
uint32_t ltl_atom_count(const ltl_context *);
const char *ltl_atom_text(const ltl_context *, uint32_t atom); /* or NULL */
const expr *ltl_atom_condition(const ltl_context *,
                               uint32_t atom); /* or NULL */

/* The formula of a tree, as it is; conditions that are constants become
** such. */
const ltl *ltl_intern(ltl_context *, const ltl *);

/* Formulas as they are, without rewriting. */
const ltl *ltl_atom(ltl_context *, uint32_t atom);
const ltl *ltl_constant(ltl_context *, bool value);
const ltl *ltl_unary(ltl_context *, ltl_op, const ltl *a);
const ltl *ltl_binary(ltl_context *, ltl_op, const ltl *a, const ltl *b);
size_t ltl_size(ltl_context *, const ltl *); /* different subformulas */

/* An equivalent formula (of the negation), smaller where our rules see how:
** without implications and equivalences, negations before atoms only. */
const ltl *ltl_simplify(ltl_context *, const ltl *);
const ltl *ltl_negate(ltl_context *, const ltl *);
/* The same without any cleverness: the negation normal form. */
const ltl *ltl_normalise(ltl_context *, const ltl *);
/* Whether f implies g, as far as the shapes of the two tell; both must be
** in negation normal form. */
bool ltl_implies(ltl_context *, const ltl *f, const ltl *g);

/* Whether repeating letters of a word never changes the truth of the formula,
** as far as rewriting tells: after it no X is left. */
bool ltl_ignores_stuttering(ltl_context *, const ltl *);

#endif
