/* Blocks as quads, cuts that are used again, and the tables of quads and of
** strings. */

#include "base/random.h"
#include "codec/blocks.h"
#include "codec/collapse.h"
#include "store/tree/quads.h"
#include "unit.h"

/* Every length of a block, in the midst of other bytes. */
static void keys(void **state)
{
  (void)state;
  uint8_t bytes[3 * BLOCK_BYTES];
  random_state r;
  random_seed(&r, 1);
  for (uint32_t length = 0; length <= BLOCK_BYTES; length++)
    for (int round = 0; round < 50; round++) {
      uint8_t plain[BLOCK_BYTES] = {0};
      for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_below(&r, 256);
      memcpy(plain, bytes + BLOCK_BYTES, length);
      quad key = block_key(bytes + BLOCK_BYTES, length);
      assert_memory_equal(&key, plain, sizeof key);
    }
}

/* A state of some entities behind the globals, of any bytes but the tags. */
static uint32_t some_state(random_state *r, const component_map *m,
                           uint8_t *bytes)
{
  uint32_t length = m->globals_bytes, n = (uint32_t)random_below(r, 5);
  for (uint32_t i = 0; i < 256; i++)
    bytes[i] = (uint8_t)random_below(r, 256);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t tag = (uint32_t)random_below(r, m->tags);
    bytes[length] = (uint8_t)tag;
    bytes[length + 1] = m->tag_bytes == 2 ? 0 : bytes[length + 1];
    length += m->sizes[tag];
  }
  return length;
}

static void same_cut(const block_cut *a, const block_cut *b)
{
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->components, b->components);
  assert_int_equal(a->piece_count, b->piece_count);
  assert_memory_equal(a->mask, b->mask, sizeof a->mask);
  for (uint32_t i = 0; i < a->count; i++) {
    assert_int_equal(a->entries[i].part.from, b->entries[i].part.from);
    assert_int_equal(a->entries[i].part.bytes, b->entries[i].part.bytes);
    assert_int_equal(a->entries[i].part.mark, b->entries[i].part.mark);
  }
}

/* Tags of equal sizes lead to equal lengths of states that are not cut alike
** as well as of those that are. */
static void cuts_again(void **state)
{
  (void)state;
  const uint32_t sizes[] = {2, 3, 3, 15, 16, 17, 5};
  random_state r;
  random_seed(&r, 2);
  for (uint32_t tag_bytes = 1; tag_bytes <= 2; tag_bytes++)
    for (uint32_t globals = 1; globals < 9; globals += 3) {
      component_map m = {.slices = 1 + globals / 4,
                         .slice_bytes = 4,
                         .globals_bytes = globals,
                         .tag_bytes = tag_bytes,
                         .tags = 7,
                         .sizes = sizes};
      block_plan plan = {.limit = 1 + (uint32_t)random_below(&r, BLOCK_BYTES)};
      static block_any_cut cuts[2];
      block_cut *used = blocks_open(&cuts[0]), *fresh = blocks_open(&cuts[1]);
      for (int round = 0; round < 500; round++) {
        uint8_t bytes[256];
        uint32_t length = some_state(&r, &m, bytes);
        blocks_cut(&m, &plan, bytes, length, fresh);
        blocks_cut_again(&m, &plan, bytes, length, used);
        same_cut(used, fresh);
      }
    }
}

/* ---- gathered blocks --------------------------------------------------- */

/* A plan that puts units anywhere they fit in all states. */
static block_plan some_plan(random_state *r, const component_map *m)
{
  uint32_t filled[BLOCK_UNITS] = {0}, starts[BLOCK_UNITS + 1];
  block_plan p = {.limit = BLOCK_BYTES};
  p.unit_bytes = 1 + (uint32_t)random_below(r, 8);
  uint32_t even = blocks_units(m, p.unit_bytes, NULL,
                               m->fixed ? 0 : m->globals_bytes, starts);
  p.units = even + (m->fixed ? 0 : (uint32_t)random_below(r, 4));
  p.blocks = 2 + p.units / 2;
  assert_true(p.units <= BLOCK_UNITS);
  for (uint32_t u = even; u < p.units; u++)
    p.of[u] = (uint8_t)random_below(r, p.blocks);
  p.even = UINT64_MAX;
  for (uint32_t u = even; u < p.units; u++)
    p.even &= ~(UINT64_C(1) << p.of[u]);
  for (uint32_t u = 0; u < even; u++) {
    uint32_t b = (uint32_t)random_below(r, p.blocks);
    while (filled[b] + p.unit_bytes > blocks_room(p.even >> b & 1))
      b = (b + 1) % p.blocks;
    filled[b] += p.unit_bytes;
    p.of[u] = (uint8_t)b;
  }
  return p;
}

/* What a block holds, byte by byte, by the pieces of the cut. */
static void naive_block(const block_cut *cut, uint32_t block,
                        const uint8_t *state, uint8_t *out)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < cut->piece_count; i++) {
    const block_piece *p = &cut->entries[i].piece;
    if (p->block != block)
      continue;
    assert_int_equal(p->to, n & UINT8_MAX);
    memcpy(out + n, state + p->from, p->bytes);
    n += p->bytes;
  }
  assert_int_equal(n, cut->entries[block].part.bytes);
}

typedef struct contents {
  const block_cut *cut;
  const uint8_t *state;
  uint8_t bytes[BLOCK_LIMIT][64];
} contents;

static const uint8_t *content(void *context, uint32_t block, uint32_t *length)
{
  contents *c = context;
  *length = block < c->cut->count ? c->cut->entries[block].part.bytes : 0;
  if (*length)
    naive_block(c->cut, block, c->state, c->bytes[block]);
  return *length ? c->bytes[block] : NULL;
}

/* Every byte is in one piece, every component's blocks are in its mask. */
static void check_cut(const component_map *m, const block_cut *cut,
                      const uint8_t *bytes, uint32_t length)
{
  uint32_t starts[COMPONENTS_LIMIT + 1], at = 0;
  uint32_t n = components_split(m, bytes, length, starts);
  assert_int_equal(cut->components, n);
  for (uint32_t i = 0; i < cut->piece_count; i++) {
    const block_piece *p = &cut->entries[i].piece;
    assert_int_equal(p->from, at);
    at += p->bytes;
    for (uint32_t c = 0; c < n && c < 63; c++)
      if (starts[c] < starts[c + 1] && starts[c] < at &&
          starts[c + 1] > p->from)
        assert_true(cut->mask[c] >> p->block & 1);
  }
  assert_int_equal(at, length);
}

/* Both ways to gather give what the pieces say, with a mark where a block can
** have several lengths; and the state is read back from the blocks. */
static void check_gathered(const component_map *m, block_plan *p,
                           const uint8_t *bytes, uint32_t length)
{
  static block_any_cut any[2];
  block_cut *cuts[2] = {blocks_open(&any[0]), blocks_open(&any[1])};
  static contents all;
  uint8_t out[512];
  for (int way = 0; way < 2; way++) {
    p->shuffles = way && blocks_can_shuffle();
    blocks_cut(m, p, bytes, length, cuts[way]);
  }
  const block_cut *cut = cuts[0];
  check_cut(m, cut, bytes, length);
  for (uint32_t i = 0; i < cut->count; i++) {
    const block_part *b = &cut->entries[i].part;
    uint8_t plain[BLOCK_BYTES] = {0};
    if (b->mark == BLOCK_IS_LONG)
      continue;
    naive_block(cut, i, bytes, plain);
    if (b->marked && b->bytes)
      plain[BLOCK_BYTES - 1] = (uint8_t)(b->bytes + 1);
    for (int way = 0; way < 2; way++) {
      p->shuffles = way && blocks_can_shuffle();
      quad key = blocks_key(p, cuts[way], &cuts[way]->entries[i].part, bytes);
      assert_memory_equal(&key, plain, sizeof key);
      if (b->marked)
        assert_int_equal(block_length(key), b->bytes);
    }
  }
  all.cut = cut;
  all.state = bytes;
  assert_int_equal(blocks_read(m, p, content, &all, out), length);
  assert_memory_equal(out, bytes, length);
}

static void gathers(void **state)
{
  (void)state;
  const uint32_t sizes[] = {2, 3, 3, 15, 16, 17, 5};
  const uint32_t offsets[] = {0, 8, 13, 13, 15, 33, 34, 41};
  random_state r;
  random_seed(&r, 4);
  for (int round = 0; round < 400; round++) {
    uint32_t globals = 1 + (uint32_t)random_below(&r, 30);
    component_map m = {.slices = 1 + (globals - 1) / 4,
                       .slice_bytes = 4,
                       .globals_bytes = globals,
                       .tag_bytes = 1 + (uint32_t)random_below(&r, 2),
                       .tags = 7,
                       .sizes = sizes};
    if (round % 3 == 0)
      m = (component_map){
          .fixed = true, .slices = 1, .count = 7, .offsets = offsets};
    block_plan plan = some_plan(&r, &m);
    for (int i = 0; i < 50; i++) {
      uint8_t bytes[256 + BLOCK_BYTES] = {0};
      uint32_t length = m.fixed ? 41 : some_state(&r, &m, bytes);
      for (uint32_t k = 0; m.fixed && k < length + BLOCK_BYTES; k++)
        bytes[k] = (uint8_t)random_below(&r, 256);
      check_gathered(&m, &plan, bytes, length);
    }
  }
}

/* Tuples are numbered in the order in which they come, one by one or together;
** the tuple 0 has the number 0 from the beginning. */
static void tables(void **state)
{
  (void)state;
  enum { MOST = 40000, BATCH = 64 };
  quads q;
  random_state r;
  random_seed(&r, 3);
  uint32_t *numbers = mem_alloc(MOST * sizeof *numbers), count = 0;
  assert_true(quads_create(&q));
  assert_int_equal(quads_number(&q, (quad){0, 0}, quad_hash((quad){0, 0})), 0);
  for (int round = 0; round < 3000; round++) {
    quads_query list[BATCH];
    uint32_t which[BATCH], answers[BATCH], n = round % 2 ? BATCH : 1;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t most = 1 + (uint32_t)round * 16;
      which[i] = (uint32_t)random_below(&r, most < MOST ? most : MOST);
      quad tuple = {which[i] * UINT64_C(0x100000001), which[i] / 3};
      quads_ask(&list[i], &q, tuple, &answers[i]);
    }
    assert_true(quads_answer(list, n));
    for (uint32_t i = 0; i < n; i++) {
      if (which[i] && !numbers[which[i]])
        numbers[which[i]] = ++count;
      assert_int_equal(answers[i], numbers[which[i]]);
      assert_int_equal(quads_number(&q, list[i].tuple, list[i].hash),
                       answers[i]);
      assert_true(quad_equal(quads_get(&q, answers[i]), list[i].tuple));
    }
  }
  assert_int_equal(q.count, count);
  assert_true(quads_check(&q));
  quads_destroy(&q);
  mem_free(numbers, MOST * sizeof *numbers);
}

/* As much as there is, and no more. */
static bool grants(mem_budget *b, long long wanted)
{
  return wanted <= atomic_load(&b->granted);
}

static uint32_t number_of(quads *q, uint32_t which)
{
  quad tuple = {which * UINT64_C(0x100000001), which / 3};
  return quads_number(q, tuple, quad_hash(tuple));
}

/* There is no memory for the index twice, but for a larger one: it grows in its
** place.  When there is none for that either nothing changes. */
static void grows_in_place(void **state)
{
  (void)state;
  enum { FULL = 3 << 14, ROOM = 1400000 }; /* FULL: of 65,536 slots */
  mem_budget budget = {.grant = grants};
  atomic_store(&budget.granted, ROOM);
  mem_budget *before = mem_use_budget(&budget);
  quads q;
  uint32_t count = 0;
  assert_true(quads_create(&q));
  while (number_of(&q, count + 1) != QUADS_FULL)
    count++;
  assert_true(count > FULL && quads_bytes(&q) <= ROOM);
  assert_true(quads_check(&q));
  for (uint32_t i = 1; i <= count; i++)
    assert_int_equal(number_of(&q, i), i);
  quads_destroy(&q);
  assert_int_equal(atomic_load(&budget.used), 0);
  mem_use_budget(before);
}

/* So does that of a table of strings. */
static void grows_strings(void **state)
{
  (void)state;
  enum { FULL = 3 << 14, ROOM = 1200000 }; /* FULL: of 65,536 slots */
  mem_budget budget = {.grant = grants};
  atomic_store(&budget.granted, ROOM);
  mem_budget *before = mem_use_budget(&budget);
  part p;
  uint32_t count = 0, length = sizeof count;
  assert_true(collapse_create_part(&p));
  p.is_short = true;
  while (collapse_add(&p, (const uint8_t *)&count, length) != COLLAPSE_FULL)
    count++;
  assert_true(count > FULL && collapse_part_bytes(&p) <= ROOM);
  assert_true(collapse_check_part(&p));
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(collapse_find(&p, (const uint8_t *)&i, length, length),
                     i + 1);
  collapse_destroy_part(&p);
  assert_int_equal(atomic_load(&budget.used), 0);
  mem_use_budget(before);
}

UNIT_MAIN(UNIT(keys), UNIT(cuts_again), UNIT(gathers), UNIT(tables),
          UNIT(grows_in_place), UNIT(grows_strings))
