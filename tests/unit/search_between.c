/* Intermediate states of long expansions: the successors are the same whether
** they are kept in sets that were lent or as they are. */

#include "load_kit.h"

#include "search/walk/between.h"

/* More different states between than there are steps before they are kept;
** ways that meet, circles, processes that come, and control that is passed on by
** a rendezvous. */
static const char counters[] =
    "byte a, b, c;\n"
    "active proctype p() {\n"
    "  atomic {\n"
    "    do :: a < 30 -> a++ :: b < 30 -> b++ :: c < 30 -> c++ :: a = 0\n"
    "       :: a == 30 && b > 20 && c > 20 -> break\n"
    "    od\n"
    "  }\n"
    "}\n";
static const char passing[] =
    "byte a, b; short c;\n"
    "chan over = [0] of { byte };\n"
    "proctype r(byte mine) { mine == 200 }\n"
    "active proctype p() {\n"
    "  atomic {\n"
    "    do :: a < 30 -> a++ :: b < 30 -> b++\n"
    "       :: a == 30 && b > 25 -> break\n"
    "    od;\n"
    "    if :: run r(b) :: run r(a); run r(b) fi;\n"
    "    over!b\n"
    "  }\n"
    "}\n"
    "active proctype q() {\n"
    "  byte got;\n"
    "  atomic {\n"
    "    over?got;\n"
    "    do :: c < 300 -> c++ :: c > 290 -> break :: got < 40 -> got++ od\n"
    "  }\n"
    "}\n";

typedef struct tally {
  uint64_t created, added;
} tally;

static const state_sets *lent;
static tally figures;

static void *create(void *context)
{
  figures.created++;
  return lent->create(context);
}

static bool add(void *states, const uint8_t *state, uint32_t length)
{
  bool is_new = lent->add(states, state, length);
  figures.added += is_new;
  return is_new;
}

static void destroy(void *states)
{
  figures.created--;
  lent->destroy(states);
}

static void assert_same_batch(const batch *a, const batch *b)
{
  assert_int_equal(a->list.len, b->list.len);
  assert_int_equal(a->bytes.len, b->bytes.len);
  assert_int_equal(a->atomic_steps, b->atomic_steps);
  assert_memory_equal(a->bytes.data, b->bytes.data, a->bytes.len);
  for (size_t i = 0; i < a->list.len; i++) {
    const successor *x = &a->list.data[i], *y = &b->list.data[i];
    assert_int_equal(x->start, y->start);
    assert_int_equal(x->length, y->length);
    assert_int_equal(x->edge, y->edge);
    assert_int_equal(x->process, y->process);
    assert_true(x->changed == y->changed);
  }
}

static void compare(const char *lines)
{
  kit k = kit_for_reading();
  uint32_t file = source_add(k.sources, "model.pml", lines, strlen(lines));
  k.m = promela_read(k.arena, k.names, k.sources, k.diags, file, NULL);
  assert_non_null(k.m);
  k.program = program_create(k.m, NULL, k.diags);
  assert_non_null(k.program);
  worker *raw = worker_create(k.program), *own = worker_create(k.program);
  batch first = {0}, a = {0}, b = {0};
  between room;
  between_lend(&room, k.program, SIZE_MAX, own);
  state_sets counted = {room.sets.context, create, add, destroy};
  lent = &room.sets;
  worker_set_sets(own, &counted);
  figures = (tally){0};
  program_initial(raw, &first);
  program_successors(raw, first.bytes.data, (uint32_t)first.bytes.len, &a);
  program_successors(own, first.bytes.data, (uint32_t)first.bytes.len, &b);
  assert_true(figures.added > 1000); /* it was long enough */
  assert_int_equal(figures.created, 0);
  assert_true(a.list.len > 1);
  assert_same_batch(&a, &b);
  batch_free(&first);
  batch_free(&a);
  batch_free(&b);
  worker_destroy(raw);
  worker_destroy(own);
  kit_destroy(&k);
}

static void same_successors(void **state)
{
  (void)state;
  compare(counters);
  compare(passing);
}

UNIT_MAIN(UNIT(same_successors))
