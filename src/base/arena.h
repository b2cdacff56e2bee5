/* Bump allocator: everything of one model lives in one arena and is freed with
** it.  Nothing is freed singly.  Memory is zeroed and aligned to 16 bytes.
** Never answers NULL (see 'mem_protect' in alloc.h). */

#ifndef NUT_BASE_ARENA_H
#define NUT_BASE_ARENA_H

#include "base/alloc.h"
#include <stddef.h>

typedef struct arena arena;

arena *arena_create(void);
void arena_destroy(arena *);
void *arena_alloc(arena *, size_t bytes);
char *arena_copy(arena *, const char *text, size_t length); /* adds a 0 */
char *arena_printf(arena *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As 'vec_push' of base/vec.h, but the elements live in the arena: there is
** nothing to give back after an error, and none of the other vec_* that make
** room or free may be used on it. */
#define arena_push(a, v, x)                                                    \
  ((v)->len == (v)->cap                                                        \
       ? (void)((v)->data = arena_grow((a), (v)->data, (v)->len, &(v)->cap,    \
                                       sizeof *(v)->data))                     \
       : (void)0,                                                              \
   (void)((v)->data[(v)->len++] = (x)))
void *arena_grow(arena *, void *data, size_t len, size_t *cap, size_t size);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n)                                                \
  ((type *)arena_alloc((a), mem_product((n), sizeof(type))))

#endif
