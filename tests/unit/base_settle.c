/* Memory that is given back: nothing that somebody wrote, or reads, changes. */

#include "base/system/settle.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/system/usage.h"
#include "unit.h"

#include <stdlib.h>

static uint64_t written[4096], zeros[4096];
static const char constant[] = "as it is in the file";
static const char *volatile known = constant; /* found when it was loaded */

static uint64_t sum(const uint64_t *list, size_t count)
{
  return hash_bytes(list, count * sizeof *list);
}

static void nothing_changes(void **state)
{
  (void)state;
  enum { BLOCKS = 2000, BYTES = 1000 };
  random_state r;
  random_seed(&r, 1);
  void *blocks[BLOCKS];
  for (size_t i = 0; i < 4096; i++)
    written[i] = random_below(&r, UINT32_MAX);
  uint64_t before = sum(written, 4096), nothing = sum(zeros, 4096);
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = malloc(BYTES);
    memset(blocks[i], (int)(i & 255), BYTES);
  }
  for (size_t i = 0; i < BLOCKS; i += 2)
    free(blocks[i]);
  for (int times = 0; times < 3; times++) {
    settle_allow();
    settle_memory();
    assert_true(sum(written, 4096) == before);
    assert_true(sum(zeros, 4096) == nothing);
    assert_string_equal(known, "as it is in the file");
    for (size_t i = 1; i < BLOCKS; i += 2)
      for (size_t k = 0; k < BYTES; k++)
        assert_int_equal(((uint8_t *)blocks[i])[k], i & 255);
  }
  for (size_t i = 1; i < BLOCKS; i += 2)
    free(blocks[i]);
}

/* What is free goes back to the system: some of 64 MB in small pieces, which the
** heap would have kept for the last of them. */
static void memory_is_given_back(void **state)
{
  (void)state;
  enum { BLOCKS = 64 * 1024, BYTES = 1024 };
  void **blocks = calloc(BLOCKS, sizeof *blocks);
  assert_non_null(blocks);
  for (size_t i = 0; i < BLOCKS; i++)
    assert_non_null(blocks[i] = memset(malloc(BYTES), 1, BYTES));
  for (size_t i = 0; i < BLOCKS - 1; i++)
    free(blocks[i]);
  size_t before = usage_resident();
  settle_allow();
  settle_memory();
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
  assert_true(!before || usage_resident() + BLOCKS * BYTES / 2 < before);
#endif
  (void)before;
  free(blocks[BLOCKS - 1]);
  free(blocks);
}

UNIT_MAIN(UNIT(nothing_changes), UNIT(memory_is_given_back))
