/* Whole states on disk against a naive list of them. */

#include "search/disk/packed_set.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 3000, LONGEST = 300 };

static char folder[64];

/* States with a number each, by which they are made: short ones and long ones,
** many of them alike. */
typedef struct sample {
  uint8_t bytes[LONGEST];
  uint32_t length;
  bool is_in, marked;
} sample;

static sample samples[MOST];

static packed_state state_of(uint32_t number)
{
  return (packed_state){.bytes = samples[number].bytes,
                        .length = samples[number].length,
                        .marked = samples[number].marked,
                        .name = (uint64_t)(number % 7) << 32 | number};
}

static int compare(const void *a, const void *b)
{
  const sample *x = a, *y = b;
  return packed_compare(x->bytes, x->length, y->bytes, y->length);
}

/* How many there are, all different. */
static uint32_t make_samples(unsigned seed, uint32_t longest)
{
  srand(seed);
  uint32_t base = 1 + (uint32_t)rand() % longest, kept = 0;
  for (uint32_t i = 0; i < MOST; i++) {
    sample *s = &samples[i];
    *s = (sample){.length = rand() % 4 ? base : (uint32_t)rand() % (base + 1)};
    for (int k = rand() % 5; k-- && s->length;)
      s->bytes[(uint32_t)rand() % s->length] = (uint8_t)(rand() % 6);
    if (rand() % 16 == 0) /* nothing like the others */
      for (uint32_t k = 0; k < s->length; k++)
        s->bytes[k] = (uint8_t)rand();
  }
  qsort(samples, MOST, sizeof *samples, compare);
  for (uint32_t i = 0; i < MOST; i++)
    if (!kept || compare(&samples[kept - 1], &samples[i]))
      samples[kept++] = samples[i];
  return kept;
}

/* Adds some states to the set, as a run of their own. */
static void add_some(packed_work *w, run_io *io, packed_set *s, uint32_t count,
                     run_kind kind, int one_in)
{
  packed_run made;
  packed_sort_begin(w, kind, false);
  for (uint32_t n = 0, at = (uint32_t)rand() % count; n < count; n++) {
    uint32_t number = (at + n * 7919u) % count;
    if (count % 7919 == 0 || rand() % one_in)
      continue;
    samples[number].is_in = true;
    samples[number].marked =
        kind == RUN_MARKED || (kind == RUN_MARKS && rand() % 2);
    packed_state state = state_of(number);
    packed_sort_add(w, io, &state);
  }
  packed_sort_end(w, io, &made);
  packed_set_add(w, io, s, &made, PACKED_RUNS);
  assert_int_equal(io->error, 0);
}

typedef struct told {
  uint64_t count;
} told;

static void check_told(void *context, const packed_state *state, bool is_there,
                       bool marked)
{
  uint64_t name = state->name;
  told *t = context;
  const sample *s = &samples[name & UINT32_MAX];
  assert_int_equal(name >> 32, (name & UINT32_MAX) % 7);
  assert_int_equal(is_there, s->is_in);
  assert_int_equal(marked, s->is_in && s->marked);
  t->count++;
}

static void ask_some(packed_work *w, run_io *io, const packed_set *s,
                     uint32_t count, int one_in)
{
  told t = {0};
  uint64_t asked = 0;
  packed_sort_begin(w, RUN_UNMARKED, true);
  for (uint32_t i = count; i--;)
    if (rand() % one_in == 0) {
      packed_state state = state_of(i);
      packed_sort_add(w, io, &state);
      asked++;
    }
  packed_sort_ask(w, io, s, check_told, &t);
  assert_int_equal(io->error, 0);
  assert_int_equal(t.count, asked);
}

static void sets(void **state)
{
  (void)state;
  for (unsigned seed = 1; seed < 60; seed++) {
    run_io io;
    packed_work w = {0};
    packed_set s = {0};
    uint32_t count = make_samples(seed, seed % 4 ? 40 : LONGEST);
    assert_true(run_io_create(&io, folder, 0));
    assert_true(packed_work_room(&w, seed % 3 ? 1 << 14 : 1 << 20));
    for (int i = 0; i < 9; i++) {
      run_kind kind = seed % 2 ? RUN_UNMARKED : i % 2 ? RUN_MARKS : RUN_MARKED;
      add_some(&w, &io, &s, count, kind, i % 3 ? 20 : 3);
      assert_true(s.runs.len <= PACKED_RUNS);
      ask_some(&w, &io, &s, count, 1);
      ask_some(&w, &io, &s, count, 500);
    }
    packed_run none = {0}; /* all become one, though nothing is added */
    assert_true(s.runs.len > 1);
    packed_set_add(&w, &io, &s, &none, 1);
    assert_int_equal(s.runs.len, 1);
    ask_some(&w, &io, &s, count, 1);
    packed_set_free(&io, &s);
    packed_work_free(&w, &io);
    assert_int_equal(io.bytes, 0);
    run_io_destroy(&io);
  }
}

/* A list keeps its order, may have states twice, and grows while it is read. */
static void lists(void **state)
{
  (void)state;
  run_io io;
  packed_run list;
  packed_writer w = {0};
  packed_stream s = {0};
  uint32_t count = make_samples(5, 60);
  assert_true(run_io_create(&io, folder, 0));
  packed_begin(&w, &io, &list, RUN_UNMARKED, false, LONGEST);
  uint32_t written = 0, read = 0;
  for (uint32_t n = 0; n < 20; n++) {
    for (int i = 0; i < 100; i++, written++) {
      packed_state one = state_of(written / 2 * 31 % count);
      packed_put(&w, &one);
    }
    packed_end(&w);
    if (!n)
      packed_open(&s, &io, &list, RUN_LEVEL);
    for (uint32_t end = n == 19 ? written : n * 90; read < end; read++) {
      const sample *one = &samples[read / 2 * 31 % count];
      assert_true(packed_next(&s));
      assert_int_equal(s.state.length, one->length);
      assert_memory_equal(s.state.bytes, one->bytes, one->length);
    }
  }
  assert_false(packed_next(&s));
  packed_state longer = {.bytes = samples[0].bytes, .length = LONGEST + 1};
  packed_put(&w, &longer);
  assert_int_equal(io.error, EOVERFLOW);
  packed_stream_free(&s);
  packed_writer_free(&w);
  packed_free(&io, &list);
  run_io_destroy(&io);
}

/* A bit that is changed is noticed, wherever it is. */
static void damaged(void **state)
{
  (void)state;
  uint32_t count = make_samples(9, 30);
  for (uint64_t at = 0;; at += 1777) {
    run_io io;
    packed_work w = {0};
    packed_set s = {0};
    uint8_t byte;
    assert_true(run_io_create(&io, folder, 0));
    assert_true(packed_work_room(&w, 1 << 20));
    add_some(&w, &io, &s, count, RUN_UNMARKED, 1);
    bool is_over = at >= s.runs.data[0].written;
    if (!is_over) {
      assert_int_equal(pread(s.runs.data[0].file, &byte, 1, (off_t)at), 1);
      byte ^= (uint8_t)(1u << at % 8);
      assert_int_equal(pwrite(s.runs.data[0].file, &byte, 1, (off_t)at), 1);
      packed_open(&w.streams[0], &io, &s.runs.data[0], 0);
      while (packed_next(&w.streams[0]))
        ;
      assert_int_equal(io.error, EIO);
    }
    packed_set_free(&io, &s);
    packed_work_free(&w, &io);
    run_io_destroy(&io);
    if (is_over)
      return;
  }
}

static int prepare(void **state)
{
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/nutshell-test-XXXXXX");
  return !mkdtemp(folder);
}

static int tidy(void **state)
{
  (void)state;
  return rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      UNIT(sets),
      UNIT(lists),
      UNIT(damaged),
  };
  return cmocka_run_group_tests(tests, prepare, tidy);
}
