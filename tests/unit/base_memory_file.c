/* Files in memory against plain arrays of bytes. */

#include "unit.h"

#include "base/limits.h"
#include "base/random.h"
#include "base/system/memory_file.h"

enum { FILES = 5, ROOM = 12 * MEMORY_SLOT, STEPS = 4000, MOST = 3 << 14 };

typedef struct twin {
  int file; /* 0: none is open */
  size_t length, dropped;
  uint8_t bytes[ROOM];
} twin;

static void append(memory_files *all, twin *t, random_state *seed)
{
  size_t count = random_below(seed, MOST);
  size_t from = t->length - (t->length ? random_below(seed, 9) % t->length : 0);
  if (from / MEMORY_SLOT < (t->dropped + MEMORY_SLOT - 1) / MEMORY_SLOT)
    from = t->length;
  if (from + count > ROOM || t->dropped == t->length)
    return;
  for (size_t i = 0; i < count; i++)
    t->bytes[from + i] = (uint8_t)random_below(seed, 256);
  assert_true(memory_file_write(all, t->file, t->bytes + from, count, from));
  if (t->length < from + count)
    t->length = from + count;
}

static void compare(const memory_files *all, const twin *t, random_state *seed)
{
  static uint8_t read[ROOM];
  size_t left = t->length - t->dropped;
  size_t from = t->dropped + (left ? random_below(seed, left) : 0);
  size_t count = t->length - from;
  count = count ? random_below(seed, count) + 1 : 0;
  if (!count)
    return;
  assert_true(memory_file_read(all, t->file, read, count, from));
  assert_memory_equal(read, t->bytes + from, count);
  assert_false(memory_file_read(all, t->file, read, 2, t->length - 1));
  if (t->dropped >= MEMORY_SLOT)
    assert_false(memory_file_read(all, t->file, read, 1, 0));
}

static void step(memory_files *all, twin *t, random_state *seed)
{
  uint64_t what = random_below(seed, 12);
  if (!t->file) {
    t->file = memory_file_open(all);
    t->length = t->dropped = 0;
    t->bytes[0] = 7;
    assert_true(memory_file_write(all, t->file, t->bytes, 1, 0));
    t->length = 1;
  } else if (what < 6)
    append(all, t, seed);
  else if (what < 10)
    compare(all, t, seed);
  else if (what == 10) {
    t->dropped += random_below(seed, t->length - t->dropped + 1);
    memory_file_drop(all, t->file, t->dropped);
  } else {
    memory_file_close(all, t->file);
    t->file = 0;
  }
}

/* What counts is what they have: whole slots that were not given back. */
static size_t counted(const twin *twins)
{
  size_t slots = 0;
  for (size_t i = 0; i < FILES; i++) {
    const twin *t = &twins[i];
    if (t->file && t->dropped < t->length)
      slots += (t->length + MEMORY_SLOT - 1) / MEMORY_SLOT -
               t->dropped / MEMORY_SLOT;
  }
  return slots * MEMORY_SLOT;
}

static void as_arrays(void **state)
{
  (void)state;
  static twin twins[FILES];
  random_state seed;
  random_seed(&seed, 7);
  memory_files *all = memory_files_create(FILES * ROOM);
  for (int i = 0; i < STEPS; i++) {
    step(all, &twins[random_below(&seed, FILES)], &seed);
    assert_int_equal(memory_files_bytes(all), counted(twins));
  }
  memory_files_destroy(all);
}

/* Memory is that of the budget, and there is some again when it was given back. */
static void within_budget(void **state)
{
  (void)state;
  static uint8_t bytes[MEMORY_SLOT];
  limits l;
  limits_start(&l, &(limits_asked){.memory_bytes = LIMITS_PROGRAM_BYTES +
                                                   20 * MEMORY_SLOT});
  mem_budget *outer = limits_enter(&l);
  size_t room = limits_room(&l);
  memory_files *all = memory_files_create(100 * MEMORY_SLOT);
  int file = memory_file_open(all);
  uint64_t end = 0;
  for (; memory_file_write(all, file, bytes, MEMORY_SLOT, end);)
    end += MEMORY_SLOT;
  assert_true(end >= 18 * MEMORY_SLOT && end <= 20 * MEMORY_SLOT);
  assert_true(limits_room(&l) < MEMORY_SLOT);
  memory_file_drop(all, file, 3 * MEMORY_SLOT);
  assert_true(limits_room(&l) >= 3 * MEMORY_SLOT);
  assert_true(memory_file_write(all, file, bytes, MEMORY_SLOT, end));
  memory_files_destroy(all);
  assert_int_equal(limits_room(&l), room);
  limits_leave(outer);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      UNIT(as_arrays),
      UNIT(within_budget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
