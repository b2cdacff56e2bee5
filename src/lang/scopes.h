/* Who is meant by a name.  Every scope (the file, a process, a record) has two
** spaces of names: the usual one, and one apart, for labels and the like. */

#ifndef NUT_LANG_SCOPES_H
#define NUT_LANG_SCOPES_H

#include "base/arena.h"
#include "base/source/source.h"
#include <stdbool.h>

/* The first member of what a language keeps for a name. */
typedef struct scoped {
  const char *name;  /* interned */
  const void *scope; /* NULL: the file */
  bool apart;
  span where;
  struct scoped *same_slot;
} scoped;

typedef struct scopes {
  arena *arena;
  scoped **slots;
  size_t size, count;
} scopes;

void scopes_create(scopes *, arena *);
/* What has this name in exactly this scope, or NULL. */
void *scopes_find(const scopes *, const void *scope, bool apart,
                  const char *name);
/* A new one, whose fields are filled in; it must not be there yet. */
void scopes_add(scopes *, scoped *);
/* The most similar name among those that can be seen from 'scope' and fit, or
** NULL.  Long tables are not searched. */
const void *scopes_nearest(const scopes *, const void *scope, const char *name,
                           bool (*fits)(const scoped *, int), int kind);

#endif
