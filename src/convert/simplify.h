/* The same model with less: what no list of steps can tell is said by
** variables, locations and guards.
**
**   buffers.c    channels that never change are constants; a channel with a
**                buffer is an array for each field of its messages, and a
**                length.  Slots beyond the length are 0.
**   atomic.c     atomic sequences are single steps
**   simplify.c   a process that ended is at a location of its own, and its
**                variables are 0; 'provided', 'else' and 'unless' are guards
**
** States and steps stay as many.  A model is changed in place, and cannot be
** run afterwards: only the writers know what to do with it. */

#ifndef NUT_CONVERT_SIMPLIFY_H
#define NUT_CONVERT_SIMPLIFY_H

#include "base/text/text.h"
#include "model/model.h"

typedef struct abilities {
  bool has_channels; /* with buffers, whose messages are taken as a whole */
  bool has_types;    /* messages of every type but ranges */
} abilities;         /* of a language */

/* What cannot be told is left as it is, for flat_build to refuse. */
void simplify(model *, const abilities *);

/* Buffers and channels alone; the first part of 'simplify'. */
void simplify_channels(model *, const abilities *);

/* a && b, where none is true. */
expr *simplify_both(model *, expr *a, expr *b);
/* Appends 'to = value'. */
void simplify_assign(model *, edge *, ref *to, expr *value);

/* Calls 'visit' for every expression of processes, from the inside out. */
typedef void expr_visitor(void *context, process_type *owner, expr *e);
void simplify_visit(model *, expr_visitor *, void *context);

/* Makes steps of atomic sequences (atomic.c). */
void simplify_atomic(model *, process_type *);

#endif
