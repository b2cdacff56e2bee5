/* All memory of Nutshell passes through here.
**
** Two ways to ask.  'mem_try_*' answers NULL when there is no memory; stores
** use it, because "full" is a result of theirs.  'mem_*' never answers NULL:
** when there is no memory it jumps to the guard set by 'mem_guard', which the
** entry points of the library do; front ends and reports use it.
**
** Sizes are given back on free, so the live bytes are known at any moment and
** a test can demand zero at the end. */

#ifndef NUT_BASE_ALLOC_H
#define NUT_BASE_ALLOC_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *mem_try_alloc(size_t bytes); /* zeroed */
/* Resizing keeps the common part; bytes that are new are NOT zeroed.  On NULL
** the old block is still there and valid. */
void *mem_try_resize(void *, size_t old_bytes, size_t new_bytes);
void *mem_alloc(size_t bytes); /* zeroed; never NULL */
void *mem_resize(void *, size_t old_bytes, size_t new_bytes);
void mem_free(void *, size_t bytes); /* NULL is fine, with any size */
char *mem_copy_string(const char *); /* never NULL */
void mem_free_string(char *);

/* Product of 'count' and 'size', or SIZE_MAX when it overflows, which every
** allocation refuses. */
size_t mem_product(size_t count, size_t size);

/* The guard of this thread: where 'mem_*' jumps when memory runs out.  Returns
** the previous one, to be put back.  Without a guard the process aborts. */
jmp_buf *mem_guard(jmp_buf *);
/* For a guard that has tidied up after itself: puts the outer one back and
** jumps on to it. */
_Noreturn void mem_pass_on(jmp_buf *outer);

size_t mem_live(void); /* bytes handed out and not given back */

/* For tests: the n-th allocation from now fails, and all after it until
** mem_fail_at (0).  0 = never. */
void mem_fail_at(uint64_t n);

/* For those who get memory from the system by other ways (reserve.c): counts
** as one allocation and says whether it must fail. */
bool mem_told_to_fail(void);

#endif
