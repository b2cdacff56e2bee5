/* Sorted runs on disk, asked and merged, against a naive list; files that cannot
** be written or read. */

#include "base/random.h"
#include "search/disk/tiers.h"
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[64];

typedef VEC(uint64_t) list;

/* Keys as those of a search: numbers below others, from small to all bits. */
static uint64_t random_key(random_state *s, uint32_t left, uint32_t right)
{
  return random_below(s, UINT64_C(1) << left) << 32 |
         random_below(s, UINT64_C(1) << right);
}

static int compare_keys(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a & ~RUN_FOUND;
  uint64_t y = *(const uint64_t *)b & ~RUN_FOUND;
  return x < y ? -1 : x > y;
}

static void fill(list *l, random_state *s, size_t count, uint32_t left,
                 uint32_t right)
{
  vec_clear(l);
  for (size_t i = 0; i < count; i++)
    vec_push(l, random_key(s, left, right));
}

static void sorting(void **state)
{
  (void)state;
  random_state s;
  random_seed(&s, 17);
  for (uint32_t round = 0; round < 200; round++) {
    list a = {0}, b = {0};
    fill(&a, &s, random_below(&s, round < 150 ? 300 : 20000), round % 31 + 1,
         round % 33);
    for (size_t i = 0; i < a.len; i++) {
      a.data[i] |= random_below(&s, 2) << 63;
      vec_push(&b, a.data[i]);
    }
    keys_sort(a.data, a.len);
    if (b.len)
      qsort(b.data, b.len, sizeof *b.data, compare_keys);
    uint64_t sum = 0;
    for (size_t i = 0; i < a.len; i++) {
      assert_true((a.data[i] & ~RUN_FOUND) == (b.data[i] & ~RUN_FOUND));
      sum += a.data[i] - b.data[i]; /* the marks travel with their keys */
    }
    assert_true(sum == 0);
    size_t n = keys_unite(a.data, a.len);
    for (size_t i = 1; i < n; i++)
      assert_true(compare_keys(&a.data[i - 1], &a.data[i]) < 0);
    vec_free(&a);
    vec_free(&b);
  }
}

/* ---- runs ----------------------------------------------------------------- */

/* What a naive list knows: the last mark of each key, in no order. */
typedef struct naive {
  list keys; /* with the mark */
} naive;

static uint64_t *naive_find(naive *n, uint64_t key)
{
  for (size_t i = 0; i < n->keys.len; i++)
    if ((n->keys.data[i] & ~RUN_FOUND) == key)
      return &n->keys.data[i];
  return NULL;
}

static void naive_put(naive *n, uint64_t key)
{
  uint64_t *at = naive_find(n, key & ~RUN_FOUND);
  if (at)
    *at = key;
  else
    vec_push(&n->keys, key);
}

typedef struct asking {
  naive *naive;
  uint64_t told;
} asking;

static void found(void *context, uint64_t key, bool marked)
{
  asking *a = context;
  uint64_t *at = naive_find(a->naive, key);
  assert_non_null(at);
  assert_int_equal(marked, *at >> 63);
  a->told++;
}

static void ask(run_io *io, tiers *t, naive *n, random_state *s, size_t count,
                uint32_t left, uint32_t right)
{
  list l = {0};
  asking a = {.naive = n};
  fill(&l, s, count, left, right);
  for (size_t i = 0; i < count && n->keys.len; i++)
    vec_push(&l, n->keys.data[random_below(s, n->keys.len)] & ~RUN_FOUND);
  keys_sort(l.data, l.len);
  l.len = keys_unite(l.data, l.len);
  tiers_ask(io, t, l.data, l.len, found, &a);
  uint64_t known = 0;
  for (size_t i = 0; i < l.len; i++) {
    bool is_known = naive_find(n, l.data[i] & ~RUN_FOUND);
    assert_int_equal(l.data[i] >> 63, is_known);
    known += is_known;
  }
  assert_int_equal(known, a.told);
  vec_free(&l);
}

static void compare(uint32_t seed, uint32_t left, uint32_t right, run_kind kind)
{
  run_io io;
  tiers t = {0};
  naive n = {0};
  random_state s;
  random_seed(&s, seed);
  assert_true(run_io_create(&io, folder, 0));
  for (uint32_t round = 0; round < 24; round++) {
    list l = {0};
    fill(&l, &s, random_below(&s, round % 5 ? 60 : 900), left,
         round < 12 ? right : right + 2); /* they become wider */
    for (size_t i = 0; i < l.len && kind == RUN_MARKS; i++)
      l.data[i] |= random_below(&s, 2) << 63;
    keys_sort(l.data, l.len);
    l.len = keys_unite(l.data, l.len);
    for (size_t i = 0; i < l.len; i++)
      naive_put(&n, l.data[i] | (uint64_t)(kind == RUN_MARKED) << 63);
    tiers_write(&io, &t, l.data, l.len, kind);
    vec_free(&l);
    ask(&io, &t, &n, &s, random_below(&s, 40), left, right + 3);
    assert_int_equal(io.error, 0);
  }
  assert_true(t.merges > 0);
  assert_true(t.runs.len < 12);
  tiers_free(&io, &t);
  assert_int_equal(io.bytes, 0);
  vec_free(&n.keys);
  run_io_destroy(&io);
}

static void asking_runs(void **state)
{
  (void)state;
  uint32_t seed = 1;
  for (uint32_t bits = 1; bits <= 28; bits += 9)
    for (int kind = RUN_MARKS; kind <= RUN_MARKED; kind++, seed++)
      compare(seed, bits + 2, bits, (run_kind)kind);
  compare(seed, 31, 28, RUN_MARKS);
}

/* Many blocks: all are read in order, and single ones found. */
static void many_blocks(void **state)
{
  (void)state;
  enum { KEYS = 300000 };
  run_io io;
  sorted_run r;
  run_writer w;
  assert_true(run_io_create(&io, folder, 0));
  sorted_begin(&w, &io, &r, RUN_MARKS, 20);
  for (uint64_t i = 0; i < KEYS; i++)
    sorted_put(&w, i * 7 / 1000 << 32 | i * 7 % 1000, i % 3 == 0);
  sorted_end(&w);
  assert_true(r.firsts.len > 60);
  run_stream s;
  sorted_open(&s, &io, &r, 1);
  for (uint64_t i = 0; i < KEYS; i++) {
    assert_true(sorted_next(&s));
    assert_true(s.key == (i * 7 / 1000 << 32 | i * 7 % 1000));
    assert_int_equal(s.marked, i % 3 == 0);
  }
  assert_false(sorted_next(&s));
  uint64_t before = io.read;
  for (uint64_t i = 0; i < 100; i++) {
    uint64_t n = i * 2999 * 7;
    uint64_t pair[] = {n / 1000 << 32 | n % 1000,
                       (n + 1) / 1000 << 32 | (n + 1) % 1000};
    sorted_ask(&io, &r, pair, 2, NULL, NULL);
    assert_true(pair[0] & RUN_FOUND);
    assert_false(pair[1] & RUN_FOUND);
  }
  /* Two keys read two blocks at most. */
  assert_true(io.read - before <= UINT64_C(200) * RUN_BLOCK);
  sorted_free(&io, &r);
  run_io_destroy(&io);
}

/* ---- what goes wrong ------------------------------------------------------ */

static void write_many(run_io *io, tiers *t)
{
  list l = {0};
  for (uint64_t i = 0; i < 200000; i++)
    vec_push(&l, i * 900);
  tiers_write(io, t, l.data, l.len, RUN_UNMARKED);
  vec_free(&l);
}

static void damage(void **state)
{
  (void)state;
  run_io io;
  tiers t = {0};
  assert_true(run_io_create(&io, folder, 0));
  write_many(&io, &t);
  assert_int_equal(io.error, 0);
  sorted_run *r = &t.runs.data[0];
  off_t at = 5 * RUN_BLOCK + 77;
  uint8_t byte;
  assert_int_equal(pread(r->file, &byte, 1, at), 1);
  byte ^= 4;
  assert_int_equal(pwrite(r->file, &byte, 1, at), 1);
  list l = {0};
  for (uint64_t i = 0; i < 200000; i++)
    vec_push(&l, i * 900);
  tiers_ask(&io, &t, l.data, l.len, NULL, NULL);
  assert_int_equal(io.error, EIO);
  vec_free(&l);
  tiers_free(&io, &t);
  run_io_destroy(&io);
}

static void cut_off(void **state)
{
  (void)state;
  run_io io;
  tiers t = {0};
  assert_true(run_io_create(&io, folder, 0));
  write_many(&io, &t);
  assert_int_equal(ftruncate(t.runs.data[0].file, 3 * RUN_BLOCK + 9), 0);
  uint64_t key = 199999 * 900;
  tiers_ask(&io, &t, &key, 1, NULL, NULL);
  assert_int_equal(io.error, EIO);
  tiers_free(&io, &t);
  run_io_destroy(&io);
}

static void full_disk(void **state)
{
  (void)state;
  run_io io;
  tiers t = {0};
  struct rlimit before, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 100000;
  signal(SIGXFSZ, SIG_IGN);
  assert_true(run_io_create(&io, folder, 0));
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  write_many(&io, &t);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_DFL);
  assert_int_equal(io.error, EFBIG);
  tiers_free(&io, &t);
  run_io_destroy(&io);
}

static int prepare(void **state)
{
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/nutshell-runs-XXXXXX");
  return !mkdtemp(folder);
}

/* Nothing is left in it. */
static int tidy(void **state)
{
  (void)state;
  return rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      UNIT(sorting), UNIT(asking_runs), UNIT(many_blocks),
      UNIT(damage),  UNIT(cut_off),     UNIT(full_disk),
  };
  return cmocka_run_group_tests(tests, prepare, tidy);
}
