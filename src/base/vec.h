/* The one growing array.
**
**   VEC(int) v = {0};           an empty one; all zero is a valid vec
**   vec_push(&v, 3);            amortised O(1); never fails (see mem_protect)
**   v.data[i], v.len            direct access is meant
**   vec_pop(&v)                 last element, removed; len must not be 0
**   vec_last(&v)                lvalue of the last element
**   vec_grow(&v, n)             room for n more without a further allocation
**   vec_resize(&v, n)           len becomes n; new elements are zero
**   vec_clear(&v)               len becomes 0, memory is kept
**   vec_free(&v)                gives the memory back; v is empty again
**
** Pointers into data are valid until the next push, grow or resize.  Elements
** that live in an arena are added by 'arena_push' (base/arena.h). */

#ifndef NUT_BASE_VEC_H
#define NUT_BASE_VEC_H

#include <stddef.h>

#define VEC(type)                                                              \
  struct {                                                                     \
    type *data;                                                                \
    size_t len, cap;                                                           \
  }

/* Makes room for 'more' elements of 'size' bytes; returns the new data. */
void *vec_reserve_bytes(void *data, size_t len, size_t *cap, size_t more,
                        size_t size);
void vec_free_bytes(void *data, size_t bytes);
void *vec_resize_bytes(void *data, size_t *len, size_t *cap, size_t new_len,
                       size_t size);

#define vec_grow(v, n)                                                         \
  ((v)->cap - (v)->len >= (size_t)(n)                                          \
       ? (void)0                                                               \
       : (void)((v)->data = vec_reserve_bytes((v)->data, (v)->len, &(v)->cap,  \
                                              (n), sizeof *(v)->data)))
#define vec_push(v, x) (vec_grow(v, 1), (void)((v)->data[(v)->len++] = (x)))
#define vec_pop(v) ((v)->data[--(v)->len])
#define vec_last(v) ((v)->data[(v)->len - 1])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_resize(v, n)                                                       \
  ((void)((v)->data = vec_resize_bytes((v)->data, &(v)->len, &(v)->cap, (n),   \
                                       sizeof *(v)->data)))
#define vec_free(v)                                                            \
  (vec_free_bytes((v)->data, (v)->cap * sizeof *(v)->data),                    \
   (void)((v)->data = NULL, (v)->len = (v)->cap = 0))

#endif
