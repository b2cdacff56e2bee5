/* Canonical bytes: equal exactly where all of a state is, and in an order that is that
** of the values. */

#include "search_kit.h"

#include "program/canonical.h"

/* All states that a model reaches, hidden bytes included. */
static void collect(kit *k, known *n)
{
  worker *w = worker_create(k->program);
  batch b = {0};
  program_initial(w, &b);
  known_add(n, b.bytes.data, b.list.data[0].length, 0, 0);
  for (size_t i = 0; i < n->starts.len; i++) {
    size_t end = i + 1 < n->starts.len ? n->starts.data[i + 1] : n->bytes.len;
    uint32_t length = (uint32_t)(end - n->starts.data[i]);
    program_successors(w, n->bytes.data + n->starts.data[i], length, &b);
    for (size_t s = 0; s < b.list.len; s++)
      known_add(n, b.bytes.data + b.list.data[s].start, b.list.data[s].length,
                0, 0);
  }
  batch_free(&b);
  worker_destroy(w);
}

static void bytes_of(const kit *k, const known *n, size_t i,
                     canonical_bytes *out)
{
  size_t end = i + 1 < n->starts.len ? n->starts.data[i + 1] : n->bytes.len;
  program_canonical(k->program, n->bytes.data + n->starts.data[i],
                    (uint32_t)(end - n->starts.data[i]), out);
}

static bool are_equal(const known *n, size_t i, size_t j)
{
  size_t ends[2];
  for (int x = 0; x < 2; x++) {
    size_t at = x ? j : i;
    ends[x] = at + 1 < n->starts.len ? n->starts.data[at + 1] : n->bytes.len;
  }
  size_t a = n->starts.data[i], b = n->starts.data[j];
  return ends[0] - a == ends[1] - b &&
         !memcmp(n->bytes.data + a, n->bytes.data + b, ends[0] - a);
}

static void compare_all(kit k)
{
  known n = {{0}, {0}, {0}};
  canonical_bytes a = {0}, b = {0};
  kit_finish(&k);
  collect(&k, &n);
  for (size_t i = 0; i < n.starts.len; i++) {
    bytes_of(&k, &n, i, &a);
    for (size_t j = 0; j < n.starts.len; j++) {
      bytes_of(&k, &n, j, &b);
      int order = canonical_compare(&a, &b), back = canonical_compare(&b, &a);
      assert_int_equal(order == 0, are_equal(&n, i, j));
      assert_int_equal(order<0, back> 0);
    }
  }
  vec_free(&a);
  vec_free(&b);
  vec_free(&n.bytes);
  vec_free(&n.starts);
  vec_free(&n.depths);
  kit_destroy(&k);
}

/* A grid, and a process that counts in a hidden variable. */
static kit make_secret(void)
{
  kit k = make_grid(2, 3, LOC_END, 0);
  var *secret = add_global(&k, "secret");
  secret->flags |= VAR_HIDDEN;
  process_type *p = add_process(&k, "spy", LOC_END);
  edge *e = add_edge(&k, p, binary(&k, OP_LT, use(&k, secret), number(&k, 2)));
  assign(&k, e, secret, binary(&k, OP_ADD, use(&k, secret), number(&k, 1)));
  return k;
}

static void one_to_one(void **state)
{
  (void)state;
  compare_all(make_grid(3, 4, LOC_END, 0));
  compare_all(make_family(4, false));
  compare_all(make_family(3, true));
  compare_all(make_secret());
}

static uint32_t last_number(const canonical_bytes *c)
{
  const uint8_t *p = c->data + c->len - 4;
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
         p[3];
}

/* A hidden value stands last, and decides only where all else is equal. */
static void hidden_last(void **state)
{
  (void)state;
  kit k = make_secret();
  known n = {{0}, {0}, {0}};
  canonical_bytes a = {0}, b = {0};
  unsigned alike = 0;
  kit_finish(&k);
  collect(&k, &n);
  for (size_t i = 0; i < n.starts.len; i++) {
    bytes_of(&k, &n, i, &a);
    assert_int_equal(last_number(&a),
                     (1u << 31) + n.bytes.data[n.starts.data[i]]);
    for (size_t j = 0; j < n.starts.len; j++) {
      bytes_of(&k, &n, j, &b);
      assert_int_equal(a.len, b.len);
      int rest = memcmp(a.data, b.data, a.len - 4);
      int order = canonical_compare(&a, &b);
      alike += !rest && order;
      if (rest)
        assert_int_equal(order < 0, rest < 0);
    }
  }
  assert_true(alike > 0);
  vec_free(&a);
  vec_free(&b);
  vec_free(&n.bytes);
  vec_free(&n.starts);
  vec_free(&n.depths);
  kit_destroy(&k);
}

/* The first global counts first, however many bytes it has. */
static void values_in_order(void **state)
{
  (void)state;
  kit k = make_grid(2, 3, LOC_END, 0);
  kit_finish(&k);
  worker *w = worker_create(k.program);
  batch b = {0};
  canonical_bytes start = {0}, next = {0};
  program_initial(w, &b);
  uint8_t *first = b.bytes.data;
  uint32_t length = b.list.data[0].length;
  program_canonical(k.program, first, length, &start);
  batch c = {0};
  program_successors(w, first, length, &c);
  assert_int_equal(c.list.len, 2);
  for (size_t i = 0; i < 2; i++) {
    program_canonical(k.program, c.bytes.data + c.list.data[i].start,
                      c.list.data[i].length, &next);
    assert_true(canonical_compare(&start, &next) < 0);
    assert_int_equal(next.len % 4, 0);
    assert_int_equal(next.data[0], 0x80);
  }
  vec_free(&start);
  vec_free(&next);
  batch_free(&b);
  batch_free(&c);
  worker_destroy(w);
  kit_destroy(&k);
}

UNIT_MAIN(UNIT(one_to_one), UNIT(hidden_last), UNIT(values_in_order))
