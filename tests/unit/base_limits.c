#include "base/limits.h"

#include "base/system/reserve.h"
#include "base/system/usage.h"
#include "unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = 100000 };

static void begin(limits *l, size_t room)
{
  limits_start(l, &(limits_asked){.memory_bytes = LIMITS_PROGRAM_BYTES + room});
}

static void memory_is_counted(void **state)
{
  (void)state;
  limits l;
  begin(&l, ROOM);
  mem_budget *outer = limits_enter(&l);
  void *a = mem_try_alloc(ROOM / 2);
  assert_non_null(a);
  assert_null(mem_try_alloc(ROOM / 2));
  assert_null(mem_try_resize(a, ROOM / 2, ROOM + 1));
  assert_true(limits_room(&l) < ROOM / 2);
  void *b = mem_try_resize(a, ROOM / 2, ROOM / 4);
  assert_non_null(b);
  assert_true(limits_room(&l) >= ROOM / 2);
  mem_free(b, ROOM / 4);
  assert_int_equal(limits_room(&l), ROOM);
  assert_int_equal(limits_why(&l), REASON_MEMORY_LIMIT);
  limits_leave(outer);
}

/* A failed allocation takes nothing, also when the system refuses it. */
static void failures_take_nothing(void **state)
{
  (void)state;
  limits l;
  begin(&l, ROOM);
  mem_budget *outer = limits_enter(&l);
  mem_fail_at(1);
  assert_null(mem_try_alloc(10));
  assert_null(mem_try_resize(NULL, 0, 10));
  mem_fail_at(0);
  assert_int_equal(limits_room(&l), ROOM);
  limits_leave(outer);
}

static void reserves_count(void **state)
{
  (void)state;
  limits l;
  reserve r;
  begin(&l, (size_t)1 << 20);
  mem_budget *outer = limits_enter(&l);
  assert_true(reserve_create(&r, (size_t)64 << 20)); /* addresses are free */
  assert_int_equal(limits_room(&l), 1 << 20);
  assert_true(reserve_commit(&r, 600000));
  assert_true(limits_room(&l) <= (1 << 20) - 600000);
  assert_false(reserve_commit(&r, (size_t)2 << 20));
  reserve_shrink(&r, 0);
  assert_int_equal(limits_room(&l), 1 << 20);
  /* The generous step is refused, the one that is needed is granted. */
  assert_true(reserve_commit(&r, 1 << 20));
  reserve_destroy(&r);
  assert_int_equal(limits_room(&l), 1 << 20);
  limits_leave(outer);
}

static void closed_limits_refuse_nothing(void **state)
{
  (void)state;
  limits l;
  begin(&l, 10);
  mem_budget *outer = limits_enter(&l);
  assert_null(mem_try_alloc(ROOM));
  limits_close(&l);
  void *a = mem_try_alloc(ROOM);
  assert_non_null(a);
  mem_free(a, ROOM);
  limits_open(&l);
  assert_null(mem_try_alloc(ROOM));
  limits_leave(outer);
}

/* ---- time --------------------------------------------------------------- */

static void polls_are_few_looks(void **state)
{
  (void)state;
  limits l;
  volatile sig_atomic_t interrupt = 0;
  limits_start(&l, &(limits_asked){.interrupt = &interrupt});
  for (int i = 0; i < 10 * LIMITS_POLLS; i++)
    assert_false(limits_poll(&l));
  assert_int_equal(l.looks, 10);
  interrupt = 1;
  int polls = 0;
  while (!limits_poll(&l))
    polls++;
  assert_true(polls < LIMITS_POLLS);
  assert_int_equal(l.reason, REASON_INTERRUPTED);
}

static void work_for_ever(void *count)
{
  for (;;) {
    ++*(uint64_t *)count;
    mem_poll();
  }
}

static void allocate_for_ever(void *count)
{
  for (;;) {
    ++*(uint64_t *)count;
    mem_free(mem_alloc(8), 8);
  }
}

/* Work that knows nothing of limits is left at its next polls. */
static void long_work_is_left(void **state)
{
  (void)state;
  limits l;
  volatile sig_atomic_t interrupt = 1;
  mem_work *const kinds[] = {work_for_ever, allocate_for_ever};
  for (int i = 0; i < 2; i++) {
    uint64_t count = 0;
    limits_start(&l, &(limits_asked){.interrupt = &interrupt});
    mem_budget *outer = limits_enter(&l);
    assert_false(mem_protect(kinds[i], &count));
    limits_leave(outer);
    assert_true(count <= MEM_POLLS);
    assert_int_equal(limits_why(&l), REASON_INTERRUPTED);
  }
}

static void turns_end(void **state)
{
  (void)state;
  limits l;
  limits_start(&l, &(limits_asked){.seconds = 1e6});
  limits_begin_turn(&l, 0);
  assert_true(limits_reached(&l));
  assert_int_equal(l.reason, REASON_TIME_LIMIT);
  limits_end_turn(&l);
  assert_false(limits_reached(&l));
  limits_start(&l, &(limits_asked){.seconds = 1e-9});
  limits_begin_turn(&l, 100);
  limits_end_turn(&l);
  assert_int_equal(l.reason, REASON_TIME_LIMIT);
}

/* A turn of work ends after so many looks, whatever the clock says. */
static void turns_are_work(void **state)
{
  (void)state;
  limits l;
  limits_start(&l, &(limits_asked){0});
  limits_begin_work(&l, 3);
  assert_false(limits_reached(&l));
  assert_false(limits_reached(&l));
  assert_true(limits_reached(&l));
  assert_int_equal(l.reason, REASON_TIME_LIMIT);
  limits_end_turn(&l);
  assert_false(limits_reached(&l));
}

/* ---- what the system says ------------------------------------------------ */

static void put(const char *root, const char *name, const char *content)
{
  char path[300];
  snprintf(path, sizeof path, "%s/%s", root, name);
  for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(content, file);
  fclose(file);
}

static size_t left_of(const char *root, size_t *total)
{
  return usage_memory_left_below(root, total);
}

static void control_groups(void **state)
{
  (void)state;
  char root[] = "/tmp/nutshell-limits-XXXXXX", command[64];
  size_t total;
  assert_non_null(mkdtemp(root));
  put(root, "proc/meminfo",
      "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:  800 kB\n");
  assert_int_equal(left_of(root, &total), 800 << 10);
  assert_int_equal(total, 1000 << 10);
  put(root, "proc/self/cgroup", "0::/a/b\n");
  put(root, "sys/fs/cgroup/a/b/memory.max", "max\n");
  put(root, "sys/fs/cgroup/a/b/memory.current", "5000\n");
  put(root, "sys/fs/cgroup/a/memory.max", "300000\n");
  put(root, "sys/fs/cgroup/a/memory.current", "100000\n");
  assert_int_equal(left_of(root, &total), 200000);
  assert_int_equal(total, 300000);
  put(root, "proc/self/cgroup", "3:cpu:/x\n4:memory:/m\n0::/\n");
  put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes",
      "9223372036854771712\n");
  put(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", "1\n");
  put(root, "sys/fs/cgroup/memory/m/memory.limit_in_bytes", "70000\n");
  put(root, "sys/fs/cgroup/memory/m/memory.usage_in_bytes", "80000\n");
  assert_int_equal(left_of(root, &total), 0);
  assert_int_equal(total, 70000);
  snprintf(command, sizeof command, "rm -r %s", root);
  assert_int_equal(system(command), 0);
}

/* More than the machine has cannot be granted, whatever was asked for: what is
** there is looked at, as without a limit. */
static void more_than_there_is(void **state)
{
  (void)state;
  limits l;
  begin(&l, (size_t)1 << 60);
  mem_budget *outer = limits_enter(&l);
  assert_true(mem_take(ROOM));
  assert_false(mem_take((size_t)1 << 50));
  assert_int_equal(limits_why(&l), REASON_OUT_OF_MEMORY);
  assert_true(limits_room(&l) < (size_t)1 << 50);
  mem_give_back(ROOM);
  limits_leave(outer);
}

/* What moves to a larger place is told, also while the work at hand asks for
** itself; not when what was found is to be told. */
static void moves_are_told(void **state)
{
  (void)state;
  volatile sig_atomic_t interrupt = 0;
  limits l;
  limits_start(&l, &(limits_asked){.interrupt = &interrupt});
  assert_false(mem_is_due()); /* without any limits */
  mem_budget *outer = limits_enter(&l);
  limits_set_polled(&l, true);
  assert_false(mem_is_due());
  interrupt = 1;
  assert_true(mem_is_due());
  assert_false(mem_is_over());
  assert_int_equal(l.reason, REASON_NONE); /* any thread may have asked */
  assert_int_equal(limits_why(&l), REASON_INTERRUPTED);
  limits_close(&l);
  assert_false(mem_is_due());
  limits_open(&l);
  assert_true(mem_is_due());
  limits_leave(outer);
}

UNIT_MAIN(UNIT(memory_is_counted), UNIT(failures_take_nothing),
          UNIT(reserves_count), UNIT(closed_limits_refuse_nothing),
          UNIT(polls_are_few_looks), UNIT(long_work_is_left), UNIT(turns_end),
          UNIT(turns_are_work), UNIT(moves_are_told), UNIT(more_than_there_is),
          UNIT(control_groups))
