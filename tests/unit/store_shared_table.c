/* Several threads on one table of strings: each string is new to exactly one of
** them and has one number, while the table grows, lengths get longer codes and
** slots become wide.  The table is compiled once more, with a pause by chance
** between the stores of an insertion. */

#include <sched.h>
#include <stdint.h>

static _Thread_local uint64_t chance;

static void pause_by_chance(void)
{
  chance = (chance + (uint64_t)(uintptr_t)&chance) * 6364136223846793005U + 1;
  if (chance >> 40 & 7)
    return;
  for (volatile uint64_t turns = chance >> 50 & 511; turns; turns--)
    ;
}

#define SPIN_PAUSE() pause_by_chance()

#include "../../src/store/table/table.c"

#include "unit.h"

#include "base/random.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST = 12000, THREADS = 4, TODO = 12000, LONGEST = 600 };

typedef struct crew crew;

typedef struct member {
  crew *crew;
  pthread_t thread;
  uint32_t done;
  uint32_t todo[TODO];
  uint64_t numbers[MOST];
} member;

struct crew {
  table table;
  uint32_t lengths; /* different ones, at most */
  uint32_t things;
  atomic_uint news[MOST];
  atomic_bool stop, wrong;
  member members[THREADS];
};

/* Later things have other lengths; one is empty. */
static uint32_t string_of(const crew *c, uint32_t thing, uint8_t *bytes)
{
  uint32_t extra = c->lengths == 1 ? 0 : thing * c->lengths / c->things;
  uint32_t length = c->lengths > 1 && thing == 777 ? 0 : 12 + extra;
  memset(bytes, (int)(thing % 3), length);
  if (length)
    memcpy(bytes, &thing, sizeof thing);
  return length;
}

static void *insert_all(void *work)
{
  member *m = work;
  crew *c = m->crew;
  uint8_t bytes[LONGEST];
  for (; m->done < TODO && !atomic_load(&c->stop); m->done++) {
    uint32_t thing = m->todo[m->done], length = string_of(c, thing, bytes);
    uint64_t number;
    store_result result = table_insert_shared(
        &c->table, bytes, length, table_hash(bytes, length), &number);
    if (result == STORE_FULL) {
      atomic_store(&c->stop, true);
      break;
    }
    if (result == STORE_NEW)
      atomic_fetch_add(&c->news[thing], 1);
    uint64_t *known = &m->numbers[thing];
    if (*known != UINT64_MAX && *known != number)
      atomic_store(&c->wrong, true);
    *known = number;
  }
  return NULL;
}

static bool work_once(crew *c)
{
  bool through = true;
  atomic_store(&c->stop, false);
  for (uint32_t i = 0; i < THREADS; i++)
    pthread_create(&c->members[i].thread, NULL, insert_all, &c->members[i]);
  for (uint32_t i = 0; i < THREADS; i++) {
    pthread_join(c->members[i].thread, NULL);
    through &= c->members[i].done == TODO;
  }
  return through;
}

static void check_crew(crew *c)
{
  uint64_t all = 0;
  uint8_t bytes[LONGEST];
  assert_false(c->wrong);
  assert_true(table_check(&c->table));
  for (uint32_t t = 0; t < c->things; t++) {
    uint64_t number = UINT64_MAX;
    for (uint32_t m = 0; m < THREADS; m++) {
      uint64_t own = c->members[m].numbers[t];
      assert_true(own == UINT64_MAX || number == UINT64_MAX || own == number);
      number = own == UINT64_MAX ? number : own;
    }
    assert_int_equal(c->news[t], number != UINT64_MAX);
    if (number == UINT64_MAX)
      continue;
    uint32_t length = string_of(c, t, bytes), there;
    const uint8_t *string = table_get(&c->table, number, &there);
    assert_int_equal(there, length);
    assert_true(!length || !memcmp(string, bytes, length));
    assert_true(table_is_marked(&c->table, number));
    all++;
  }
  assert_int_equal(c->table.count, all);
}

static void run_crew(uint64_t seed, uint32_t lengths, uint32_t wide_from)
{
  crew *c = mem_alloc(sizeof *c);
  random_state random;
  random_seed(&random, seed);
  c->lengths = lengths;
  c->things = seed % 2 ? MOST : 1000;
  for (uint32_t m = 0; m < THREADS; m++) {
    member *own = &c->members[m];
    own->crew = c;
    memset(own->numbers, 0xff, sizeof own->numbers);
    for (uint32_t i = 0; i < TODO; i++)
      own->todo[i] = (uint32_t)((uint64_t)i * c->things / TODO +
                                random_below(&random, c->things / 50 + 1)) %
                     c->things;
  }
  assert_true(table_create_wide(&c->table, SIZE_MAX / 4, wide_from));
  assert_true(table_have_marks(&c->table));
  do
    assert_true(table_make_room(&c->table));
  while (!work_once(c));
  check_crew(c);
  table_destroy(&c->table);
  mem_free(c, sizeof *c);
}

static void strings(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    run_crew(seed, 1, 28);
    run_crew(seed, 7, 28);
    run_crew(seed, 500, 28);
    run_crew(seed, 7, 10);
  }
}

UNIT_MAIN(UNIT(strings))
