/* A flat array that grows in place: address space is reserved once, memory is
** committed as it fills, so that pointers stay valid and nothing is copied.
** Large regions ask for huge pages.
**
** Always: base .. base+committed is readable and writable, new bytes are 0. */

#ifndef NUT_BASE_SYSTEM_RESERVE_H
#define NUT_BASE_SYSTEM_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reserve {
  uint8_t *base;
  size_t committed; /* bytes usable */
  size_t limit;     /* bytes of address space */
} reserve;

/* False when the address space cannot be had. */
bool reserve_create(reserve *, size_t limit);
/* Makes at least 'bytes' usable; false leaves everything as it was. */
bool reserve_commit(reserve *, size_t bytes);
/* Gives the memory beyond 'bytes' (rounded up to pages) back to the system. */
void reserve_shrink(reserve *, size_t bytes);
void reserve_destroy(reserve *); /* an all-zero one is fine */

size_t reserve_live(void); /* reserves not destroyed, for tests */

#endif
