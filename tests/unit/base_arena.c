#include "unit.h"

#include "base/arena.h"
#include "base/random.h"
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

static void basic(void **state)
{
  (void)state;
  arena *a = arena_create();
  char *p = arena_alloc(a, 5);
  char *q = arena_alloc(a, 5);
  assert_true(q >= p + 5);
#ifdef __SANITIZE_ADDRESS__
  assert_true(!__asan_address_is_poisoned(q + 4));
  assert_true(__asan_address_is_poisoned(q + 5));
#endif
  assert_string_equal(arena_copy(a, "nutshell", 3), "nut");
  assert_string_equal(arena_copy(a, NULL, 0), "");
  assert_string_equal(arena_printf(a, "%d-%s", 7, "x"), "7-x");
  int *numbers = ARENA_ARRAY(a, int, 1000);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(numbers[i], 0);
  assert_true(mem_live() >= 1000 * sizeof *numbers);
  arena_destroy(a);
  arena_destroy(NULL);
}

/* Blocks are zeroed, aligned and disjoint: each keeps its own pattern. */
static void random_sizes(void **state)
{
  (void)state;
  enum { BLOCKS = 3000 };
  static unsigned char *blocks[BLOCKS];
  static size_t sizes[BLOCKS];
  random_state r;
  random_seed(&r, 2);
  arena *a = arena_create();
  for (int i = 0; i < BLOCKS; i++) {
    size_t limit = random_below(&r, 50) ? 100 : 100000;
    sizes[i] = random_below(&r, limit);
    blocks[i] = arena_alloc(a, sizes[i]);
    assert_int_equal((uintptr_t)blocks[i] % 16, 0);
    for (size_t k = 0; k < sizes[i]; k++)
      assert_int_equal(blocks[i][k], 0);
    memset(blocks[i], i % 255 + 1, sizes[i]);
  }
  for (int i = 0; i < BLOCKS; i++)
    for (size_t k = 0; k < sizes[i]; k++)
      assert_int_equal(blocks[i][k], i % 255 + 1);
  arena_destroy(a);
}

static void *create(void)
{
  return arena_create();
}

static void work(void *context)
{
  arena *a = context;
  for (int i = 0; i < 300; i++)
    arena_alloc(a, (size_t)i * 20);
  arena_printf(a, "%100000d", 1);
}

static void destroy(void *context)
{
  arena_destroy(context);
}

static void out_of_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(create, work, destroy) > 5);
}

typedef struct request {
  arena *arena;
  size_t bytes;
} request;

static void ask(void *context)
{
  request *r = context;
  arena_alloc(r->arena, r->bytes);
}

static void too_large(void **state)
{
  (void)state;
  static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 15, PTRDIFF_MAX};
  arena *a = arena_create();
  for (size_t i = 0; i < 3; i++)
    assert_false(mem_protect(ask, &(request){a, sizes[i]}));
  arena_destroy(a);
}

UNIT_MAIN(UNIT(basic), UNIT(random_sizes), UNIT(out_of_memory), UNIT(too_large))
