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
  size_t owed;      /* usable bytes that do not count, or in the one before */
} reserve;

/* False when the address space cannot be had. */
bool reserve_create(reserve *, size_t limit);
/* Makes at least 'bytes' usable; false leaves everything as it was. */
bool reserve_commit(reserve *, size_t bytes);
/* Gives the memory beyond 'bytes' (rounded up to pages) back to the system. */
void reserve_shrink(reserve *, size_t bytes);
/* One array takes over from another, which is read from its start while this
** one is written from its start, or both by parts: 'reserve_drop' gives back what
** has been read, so that memory counts only by what the new one has more.
** 'reserve_follow' makes the new one, all of it usable, or leaves everything as
** it was; then 'reserve_end' destroys the old one, or 'reserve_destroy' the new
** one, if nothing was dropped yet. */
bool reserve_follow(reserve *, size_t bytes, const reserve *old);
/* Gives back what lies between the two places, in large units; it is not read
** again.  '*from' is where to go on then.  False: it is too little. */
bool reserve_drop(const reserve *, size_t *from, size_t to);
size_t reserve_drop_unit(const reserve *); /* what it gives back at a time */
void reserve_end(reserve *old, reserve *by);
/* The same for one that nobody follows, in smaller units: what is given back does
** not count any more, and is nothing to write to. */
void reserve_release(reserve *, size_t *from, size_t to);
void reserve_destroy(reserve *); /* an all-zero one is fine */

size_t reserve_live(void); /* reserves not destroyed, for tests */

#endif
