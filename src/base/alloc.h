/* All memory of Nutshell passes through here.
**
** Two ways to ask.  'mem_try_*' answers NULL when there is no memory; stores
** use it, because "full" is a result of theirs.  'mem_*' never answers NULL:
** when there is no memory it leaves the innermost protected call, as in Lua's
** ldo.c; front ends, searches and reports use it.
**
** Sizes are given back on free, so the live bytes are known at any moment: a
** budget is kept by counting, and a test can demand zero at the end. */

#ifndef NUT_BASE_ALLOC_H
#define NUT_BASE_ALLOC_H

#include <stdatomic.h>
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

/* The same for what one thread writes while others work: such a block shares no
** line with anything else.  Processors exchange memory by lines, two at a time:
** who writes to one takes it from all who have something else there.  What is
** not counted is less than 2 * MEM_APART.  Not to be resized. */
enum { MEM_APART = 128 };
void *mem_try_alloc_apart(size_t bytes);
void *mem_alloc_apart(size_t bytes);

/* Product of 'count' and 'size', or SIZE_MAX when it overflows, which every
** allocation refuses. */
size_t mem_product(size_t count, size_t size);

/* Protected calls: the only places where running out of memory is caught.  The
** work and what it needs to tidy up must lie behind 'context', not in locals of
** the functions that are left.  Protected calls nest; each thread has its own.
** Outside of any, running out of memory aborts the process. */
typedef void mem_work(void *context);

/* Runs the work.  False when memory ran out inside. */
bool mem_protect(mem_work *work, void *context);
/* Runs the work; when memory runs out inside, 'undo', and then leaves the call
** around this one, too.  For what is made step by step. */
void mem_protect_undo(mem_work *work, mem_work *undo, void *context);
/* The same, but 'tidy' runs in any case.  For what is needed only meanwhile. */
void mem_protect_tidy(mem_work *work, mem_work *tidy, void *context);
/* Memory has run out, says somebody who got it in another way: leaves the
** innermost protected call. */
_Noreturn void mem_give_up(void);

/* A budget that a thread works under: everything it takes is asked for first
** and counted, reserves (reserve.h) as well.  limits.h makes them; 'used' may
** be changed by several threads. */
typedef struct mem_budget mem_budget;
struct mem_budget {
  atomic_llong used;    /* bytes; what others took may be given back here */
  atomic_llong granted; /* so many may be used without asking */
  /* May 'used' become so large?  Raises 'granted' when it may. */
  bool (*grant)(mem_budget *, long long wanted);
  /* Shall the work be left?  Asked now and then by 'mem_poll'. */
  bool (*is_over)(mem_budget *);
  /* Is time up, or has somebody interrupted?  Asked by 'mem_is_due', by any
  ** thread; changes nothing. */
  bool (*is_due)(const mem_budget *);
};

/* Sets the budget of this thread (NULL: none) and returns the one before. */
mem_budget *mem_use_budget(mem_budget *);
/* For long work that allocates little: leaves the innermost protected call when
** the budget says that time is up.  'mem_alloc' and 'mem_resize' do it, too. */
void mem_poll(void);
/* Whether the budget says so; for who must tidy up before leaving. */
bool mem_is_over(void);
/* Whether time is up, also where the work at hand asks for itself when to end:
** for a table that moves to a larger place, which takes longer the larger it
** is.  Who is told so fails as if there were no memory.  To be asked after some
** ten thousand entries, as each time looks at the clock. */
bool mem_is_due(void);
enum { MEM_MOVES = 1 << 16 }; /* entries moved between two looks */
/* Counts bytes that come from elsewhere; false: they are not granted. */
bool mem_take(size_t bytes);
void mem_give_back(size_t bytes);

enum { MEM_POLLS = 1024 }; /* between two looks at the clock */

size_t mem_live(void); /* bytes handed out and not given back */

/* For tests: the n-th allocation from now fails, and all after it until
** mem_fail_at (0).  0 = never. */
void mem_fail_at(uint64_t n);

/* For those who get memory from the system by other ways (reserve.c): counts
** as one allocation and says whether it must fail. */
bool mem_told_to_fail(void);

#endif
