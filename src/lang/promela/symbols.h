/* From interned names to pointers.  Lives in an arena; nothing is removed, a
** value may be set to NULL. */

#ifndef NUT_LANG_PROMELA_SYMBOLS_H
#define NUT_LANG_PROMELA_SYMBOLS_H

#include "base/arena.h"
#include <stddef.h>

typedef struct pml_slot {
  const char *name;
  void *value;
} pml_slot;

/* All zero is an empty table. */
typedef struct pml_table {
  pml_slot *slots;
  size_t size, used; /* size is a power of two, at most 2/3 full */
} pml_table;

void *pml_table_get(const pml_table *, const char *name); /* NULL = none */
void pml_table_set(pml_table *, arena *, const char *name, void *value);

/* The entry whose name resembles 'name' most, or NULL when none is near:
** at most one third of the letters differ.  Entries with value NULL do not
** count. */
const pml_slot *pml_table_nearest(const pml_table *, const char *name);

#endif
