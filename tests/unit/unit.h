/* What unit tests share: cmocka with its prerequisites, a filter on the command
** line, and the allocation-failure loop.
**
** A test file has functions 'static void name(void **)', one per claim, and
** ends with
**
**   UNIT_MAIN(UNIT(basic), UNIT(random), UNIT(corner))
**
** which runs all of them, or those that match the pattern given as argument,
** and demands after each that no memory is left. */

#ifndef NUT_TESTS_UNIT_H
#define NUT_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/system/reserve.h"

/* What is there before a test: what one that failed has left is not held against
** those that follow. */
static size_t left_before, reserved_before;

static int note_left(void **state)
{
  (void)state;
  mem_fail_at(0);
  left_before = mem_live();
  reserved_before = reserve_live();
  return 0;
}

/* Fails the test when something was not given back. */
static int nothing_left(void **state)
{
  (void)state;
  return mem_live() != left_before || reserve_live() != reserved_before;
}

#define UNIT(name)                                                             \
  cmocka_unit_test_setup_teardown(name, note_left, nothing_left)

#define UNIT_MAIN(...)                                                         \
  int main(int argc, char **argv)                                              \
  {                                                                            \
    const struct CMUnitTest tests[] = {__VA_ARGS__};                           \
    if (argc > 1)                                                              \
      cmocka_set_test_filter(argv[1]);                                         \
    return cmocka_run_group_tests(tests, NULL, NULL);                          \
  }

/* Runs 'work' with the n-th allocation failing; false when it was left by a
** jump.  The value of 'context' is not needed after the jump. */
static inline bool unit_gets_through(uint64_t n, void (*work)(void *),
                                     void *context)
{
  mem_fail_at(n);
  bool done = mem_protect(work, context);
  mem_fail_at(0);
  return done;
}

/* Runs 'work' on fresh contexts with the first allocation failing, then with
** the second, and so on until it gets through.  'work' may be left by a jump at
** any allocation; 'destroy' must then give back everything.  'create' and
** 'destroy' run without failures.  Returns the number of allocations that
** 'work' needs. */
static inline uint64_t unit_fail_each(void *(*create)(void),
                                      void (*work)(void *),
                                      void (*destroy)(void *))
{
  for (uint64_t n = 1;; n++) {
    size_t before = mem_live();
    void *context = create();
    bool done = unit_gets_through(n, work, context);
    destroy(context);
    assert_int_equal(mem_live(), before);
    if (done)
      return n - 1;
  }
}

#endif
