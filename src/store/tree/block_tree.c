/* The tables of blocks and the tree above them, made for one plan. */

#include "store/tree/block_tree.h"
#include "base/alloc.h"

/* Trees of more leaves than this leave some for states still longer, as making
** a tree again takes a look at every state. */
enum { FEW_LEAVES = 12 };

static uint32_t leaves_for(uint32_t blocks)
{
  uint32_t leaves = blocks + (blocks > FEW_LEAVES ? blocks / 4 : 0);
  return leaves > BLOCK_LIMIT ? BLOCK_LIMIT : leaves;
}

void block_tree_plan_for(block_tree_plan *p, const component_map *map,
                         const uint8_t *state, uint32_t length)
{
  p->blocks = blocks_plan(map, state, length);
  uint32_t blocks = blocks_count(map, &p->blocks, state, length);
  tree_plan_even(&p->tree, map->fixed ? blocks : leaves_for(blocks));
}

void block_tree_plan_widen(block_tree_plan *p, uint32_t blocks)
{
  if (blocks > p->tree.leaves)
    tree_plan_even(&p->tree, leaves_for(blocks));
}

bool block_tree_create(block_tree *t, const component_map *map,
                       const block_tree_plan *plan, const uint8_t *state,
                       uint32_t length, size_t max_bytes)
{
  memset(t, 0, sizeof *t);
  t->map = *map;
  t->plan = plan->blocks;
  t->cut_room = blocks_most(map, length);
  t->cut.entries = mem_try_alloc(t->cut_room * sizeof *t->cut.entries);
  if (!t->cut.entries)
    return false;
  blocks_cut(map, &t->plan, state, length, &t->cut);
  bool done = tree_create(&t->tree, &plan->tree, max_bytes);
  t->blocks = mem_try_alloc(t->tree.leaves * sizeof *t->blocks);
  t->strings = mem_try_alloc(t->tree.leaves * sizeof *t->strings);
  done = done && t->blocks && t->strings;
  for (uint32_t i = 0; done && i < t->tree.leaves; i++)
    done = quads_create(&t->blocks[i]);
  if (!done)
    block_tree_destroy(t);
  return done;
}

void block_tree_destroy(block_tree *t)
{
  uint32_t leaves = t->tree.leaves;
  for (uint32_t i = 0; t->blocks && i < leaves; i++)
    quads_destroy(&t->blocks[i]);
  for (uint32_t i = 0; t->strings && i < leaves; i++)
    collapse_destroy_part(&t->strings[i]);
  mem_free(t->blocks, leaves * sizeof *t->blocks);
  mem_free(t->strings, leaves * sizeof *t->strings);
  mem_free(t->cut.entries, t->cut_room * sizeof *t->cut.entries);
  tree_destroy(&t->tree);
  memset(t, 0, sizeof *t);
}

size_t block_tree_bytes(const block_tree *t)
{
  size_t bytes = tree_bytes(&t->tree) + t->cut_room * sizeof *t->cut.entries;
  for (uint32_t i = 0; i < t->tree.leaves; i++)
    bytes += sizeof *t->blocks + sizeof *t->strings +
             quads_bytes(&t->blocks[i]) + collapse_part_bytes(&t->strings[i]);
  return bytes;
}

bool block_tree_check(const block_tree *t)
{
  for (uint32_t i = 0; i < t->tree.leaves; i++)
    if (!quads_check(&t->blocks[i]) ||
        (t->strings[i].index.slots && !collapse_check_part(&t->strings[i])))
      return false;
  return tree_check(&t->tree);
}

bool block_tree_long_key(block_tree *t, uint32_t i, const block_part *b,
                         const uint8_t *state, quad *key)
{
  part *p = &t->strings[i];
  if (!p->index.slots && p->index.is_shared) {
    index_refuse(&p->index);
    return false;
  }
  if (!p->index.slots && !collapse_create_part(p))
    return false;
  uint32_t number = collapse_number(p, state + b->from, b->bytes, b->bytes);
  *key = block_key_long(number);
  return number != COLLAPSE_FULL;
}

bool block_tree_encode(block_tree *t, const block_cut *cut,
                       const uint8_t *state, uint32_t *values)
{
  if (cut->count > t->tree.leaves)
    return false;
  memset(values, 0, tree_values(&t->tree) * sizeof *values);
  for (uint32_t i = 0; i < cut->count; i++) {
    quad key;
    if (!block_tree_key(t, cut, i, state, &key))
      return false;
    values[i] = quads_number(&t->blocks[i], key, quad_hash(key));
    if (values[i] == QUADS_FULL)
      return false;
  }
  return tree_encode(&t->tree, values);
}

/* ---- decoding --------------------------------------------------------- */

/* Where blocks are looked at one by one. */
typedef struct content_of {
  const block_tree *tree;
  const quad *keys;
} content_of;

static const uint8_t *content(void *context, uint32_t i, uint32_t *length)
{
  const content_of *c = context;
  const block_tree *t = c->tree;
  *length = 0;
  if (i >= t->tree.leaves)
    return NULL;
  /* Even blocks are in every cut alike. */
  bool is_even = i < t->cut.count && !t->cut.entries[i].part.marked;
  if (!is_even && block_mark(c->keys[i]) == BLOCK_IS_LONG) {
    const uint8_t *string = block_tree_long(t, i, c->keys[i]);
    *length = collapse_string_length(string);
    return string;
  }
  *length = is_even ? t->cut.entries[i].part.bytes : block_length(c->keys[i]);
  return (const uint8_t *)&c->keys[i];
}

/* Reads a state from the quads alone. */
static uint32_t read_state(const block_tree *t, const quad *keys, uint8_t *out)
{
  content_of c = {t, keys};
  if (t->plan.blocks)
    return blocks_read(&t->map, &t->plan, content, &c, out);
  uint32_t at = 0, length;
  for (uint32_t i = 0; i < t->tree.leaves; i++) {
    const uint8_t *bytes = content(&c, i, &length);
    memcpy(out + at, bytes, length);
    at += length;
  }
  return at;
}

uint32_t block_tree_read(const block_tree *t, const uint32_t *values,
                         quad *keys, uint8_t *out)
{
  block_tree_read_keys(t, values, keys);
  return read_state(t, keys, out);
}

uint32_t block_tree_decode_other(const block_tree *t, const uint32_t *values,
                                 quad *keys, block_cut *cut, uint8_t *out)
{
  uint32_t length = block_tree_read(t, values, keys, out);
  blocks_cut(&t->map, &t->plan, out, length, cut);
  return length;
}
