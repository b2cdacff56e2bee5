/* Counts what is handed out against the budget, and leaves a protected call
** when there is no more. */

#include "base/alloc.h"

#include <assert.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Counters for tests and reports; no answer depends on them. */
static atomic_size_t live_bytes;
static atomic_uint_fast64_t fail_countdown; /* 0 = never, 1 = fail now */

/* Where the innermost protected call of this thread is left to. */
static _Thread_local jmp_buf *way_out;
static _Thread_local mem_budget *budget;
static _Thread_local uint32_t polls_left = MEM_POLLS;

/* What the system's allocator adds to a block. */
enum { BLOCK_HEADER = 16, BYTES_A_POLL = 1024 };

/* True when the test switch says that this allocation fails.  The countdown
** stays at 1 once it got there, so all later allocations fail too. */
static bool told_to_fail(void)
{
  uint_fast64_t left =
      atomic_load_explicit(&fail_countdown, memory_order_relaxed);
  if (left == 0)
    return false;
  if (left == 1)
    return true;
  atomic_store_explicit(&fail_countdown, left - 1, memory_order_relaxed);
  return false;
}

static void count_live(size_t old_bytes, size_t new_bytes)
{
  /* Unsigned wrap-around makes one addition serve both directions. */
  atomic_fetch_add_explicit(&live_bytes, new_bytes - old_bytes,
                            memory_order_relaxed);
}

_Noreturn void mem_give_up(void)
{
  if (way_out)
    longjmp(*way_out, 1);
  abort();
}

/* ---- the budget --------------------------------------------------------- */

mem_budget *mem_use_budget(mem_budget *b)
{
  mem_budget *before = budget;
  budget = b;
  return before;
}

bool mem_take(size_t bytes)
{
  mem_budget *b = budget;
  if (!b)
    return true;
  long long more = (long long)bytes;
  long long used =
      atomic_fetch_add_explicit(&b->used, more, memory_order_relaxed) + more;
  if (used <= b->granted || b->grant(b, used))
    return true;
  atomic_fetch_sub_explicit(&b->used, more, memory_order_relaxed);
  return false;
}

void mem_give_back(size_t bytes)
{
  if (budget)
    atomic_fetch_sub_explicit(&budget->used, (long long)bytes,
                              memory_order_relaxed);
}

/* Work is counted in polls; who gets much memory has much to do with it. */
static void poll_times(size_t polls)
{
  if (polls < polls_left) {
    polls_left -= (uint32_t)polls;
    return;
  }
  polls_left = MEM_POLLS;
  if (budget && budget->is_over(budget))
    mem_give_up();
}

void mem_poll(void)
{
  poll_times(1);
}

bool mem_is_over(void)
{
  return budget && budget->is_over(budget);
}

bool mem_is_due(void)
{
  return budget && budget->is_due && budget->is_due(budget);
}

/* ---- blocks ------------------------------------------------------------- */

/* Counts a block of so many bytes; false: it is not granted. */
static bool begin_block(size_t bytes)
{
  return bytes <= PTRDIFF_MAX - BLOCK_HEADER - MEM_APART && !told_to_fail() &&
         mem_take(bytes + BLOCK_HEADER);
}

/* The system has given it, or has not. */
static void *end_block(void *result, size_t bytes)
{
  if (result)
    count_live(0, bytes);
  else
    mem_give_back(bytes + BLOCK_HEADER);
  return result;
}

void *mem_try_alloc(size_t bytes)
{
  if (!begin_block(bytes))
    return NULL;
  /* The system may answer NULL for 0 bytes, which would look like failure. */
  return end_block(calloc(1, bytes ? bytes : 1), bytes);
}

void *mem_try_alloc_apart(size_t bytes)
{
  if (!begin_block(bytes))
    return NULL;
  size_t whole = (bytes / MEM_APART + 1) * MEM_APART;
  void *result = aligned_alloc(MEM_APART, whole);
  if (result)
    memset(result, 0, whole);
  return end_block(result, bytes);
}

void *mem_try_resize(void *old, size_t old_bytes, size_t new_bytes)
{
  assert(old || !old_bytes);
  if (new_bytes > PTRDIFF_MAX - BLOCK_HEADER || told_to_fail())
    return NULL;
  size_t header = old ? 0 : BLOCK_HEADER;
  size_t more = new_bytes > old_bytes ? new_bytes - old_bytes : 0;
  if (!mem_take(more + header))
    return NULL;
  void *result = realloc(old, new_bytes ? new_bytes : 1);
  if (!result) {
    mem_give_back(more + header);
    return NULL;
  }
  if (new_bytes < old_bytes)
    mem_give_back(old_bytes - new_bytes);
  count_live(old_bytes, new_bytes);
  return result;
}

/* A block for who takes no NULL. */
static void *given(void *result)
{
  if (!result)
    mem_give_up();
  return result;
}

void *mem_alloc(size_t bytes)
{
  poll_times(1 + bytes / BYTES_A_POLL);
  return given(mem_try_alloc(bytes));
}

void *mem_alloc_apart(size_t bytes)
{
  poll_times(1 + bytes / BYTES_A_POLL);
  return given(mem_try_alloc_apart(bytes));
}

void *mem_resize(void *old, size_t old_bytes, size_t new_bytes)
{
  poll_times(1 + new_bytes / BYTES_A_POLL);
  return given(mem_try_resize(old, old_bytes, new_bytes));
}

void mem_free(void *memory, size_t bytes)
{
  if (!memory)
    return;
  assert(bytes <= mem_live());
  count_live(bytes, 0);
  mem_give_back(bytes + BLOCK_HEADER);
  free(memory);
}

char *mem_copy_string(const char *string)
{
  size_t bytes = strlen(string) + 1;
  return memcpy(mem_alloc(bytes), string, bytes);
}

void mem_free_string(char *string)
{
  if (string)
    mem_free(string, strlen(string) + 1);
}

size_t mem_product(size_t count, size_t size)
{
  size_t result;
  return __builtin_mul_overflow(count, size, &result) ? SIZE_MAX : result;
}

bool mem_protect(mem_work *work, void *context)
{
  jmp_buf here;
  jmp_buf *const outer = way_out;
  way_out = &here;
  if (setjmp(here)) {
    way_out = outer; /* intact: it was not changed since setjmp */
    return false;
  }
  work(context);
  way_out = outer;
  return true;
}

void mem_protect_undo(mem_work *work, mem_work *undo, void *context)
{
  if (mem_protect(work, context))
    return;
  undo(context);
  mem_give_up();
}

void mem_protect_tidy(mem_work *work, mem_work *tidy, void *context)
{
  bool done = mem_protect(work, context);
  tidy(context);
  if (!done)
    mem_give_up();
}

size_t mem_live(void)
{
  return atomic_load_explicit(&live_bytes, memory_order_relaxed);
}

void mem_fail_at(uint64_t n)
{
  atomic_store_explicit(&fail_countdown, n, memory_order_relaxed);
}

bool mem_told_to_fail(void)
{
  return told_to_fail();
}
