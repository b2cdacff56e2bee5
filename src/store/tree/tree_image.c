/* Tables and roots of a tree, written to a file and read again; see
** tree_image.h. */

#include "store/tree/tree_image.h"

#include "base/alloc.h"

enum {
  IMAGE_STATE_MAX = 1 << 24, /* bytes, as of any state of a program */
  NUMBER_MAX = INT32_MAX
};

/* ---- writing ------------------------------------------------------------ */

static uint32_t bytes_for(uint64_t most)
{
  uint32_t bytes = 1;
  while (most >>= 8)
    bytes++;
  return bytes;
}

static void put_plan(block_writer *w, const block_tree *b)
{
  const tree *t = &b->tree;
  block_put_number(w, t->leaves);
  block_put_number(w, t->inner);
  block_put_number(w, t->left);
  block_put_number(w, t->right);
  for (uint32_t i = 0; i < t->inner; i++)
    for (int k = 0; k < 4; k++)
      block_put_number(w, t->nodes[i].child[k]);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 4; k++)
      block_put_number(w, t->lanes[side].bits[k]);
  block_put_number(w, b->plan.units);
  block_put_number(w, b->plan.unit_bytes);
  block_put_number(w, b->plan.blocks);
  for (uint32_t i = 0; i < b->plan.units; i++)
    block_put_number(w, b->plan.of[i]);
}

static bool is_long(const block_cut *cut, uint32_t block)
{
  return cut->entries[block].part.mark == BLOCK_IS_LONG;
}

/* With a fixed map all states are cut so: pieces of quads, then long blocks,
** whose pieces say nothing. */
static void put_pieces(block_writer *w, const block_cut *cut)
{
  uint64_t pieces = 0, longs = 0;
  block_put_number(w, cut->length);
  for (uint32_t i = 0; i < cut->piece_count; i++)
    pieces += !is_long(cut, cut->entries[i].piece.block);
  block_put_number(w, pieces);
  for (uint32_t i = 0; i < cut->piece_count; i++) {
    const block_piece *p = &cut->entries[i].piece;
    if (is_long(cut, p->block))
      continue;
    block_put_number(w, p->block);
    block_put_number(w, p->to);
    block_put_number(w, p->from);
    block_put_number(w, p->bytes);
  }
  for (uint32_t i = 0; i < cut->count; i++)
    longs += is_long(cut, i);
  block_put_number(w, longs);
  for (uint32_t i = 0; i < cut->count; i++) {
    const block_part *b = &cut->entries[i].part;
    if (!is_long(cut, i))
      continue;
    block_put_number(w, i);
    block_put_number(w, b->from);
    block_put_number(w, b->bytes);
  }
}

/* Otherwise the blocks say how long they are, but for those that are alike in
** all states: their lengths, or 0. */
static void put_even(block_writer *w, const block_tree *b)
{
  for (uint32_t i = 0; i < b->tree.leaves; i++) {
    bool is_even = i < b->cut.count && !b->cut.entries[i].part.marked;
    block_put_number(w, is_even ? b->cut.entries[i].part.bytes : 0);
  }
}

static void put_rows(block_writer *w, const quads *q)
{
  block_put_number(w, q->count);
  block_put(w, q->list + 1, q->count * sizeof *q->list);
}

static void put_strings(block_writer *w, const part *p)
{
  block_put_number(w, p->count);
  for (uint32_t i = 1; i <= p->count; i++) {
    const uint8_t *string = collapse_string(p, i);
    uint32_t length = collapse_string_length(string);
    block_put_number(w, length);
    block_put(w, string, length);
  }
}

/* How many there are, and how large their numbers are. */
typedef struct root_sums {
  uint64_t count;
  uint32_t lefts, rights;
} root_sums;

static void add_root(void *context, uint32_t left, uint32_t right)
{
  root_sums *s = context;
  s->count++;
  s->lefts |= left;
  s->rights |= right;
}

typedef struct root_writer {
  block_writer *to;
  const roots *of;
  uint32_t left_bytes, right_bytes;
  bool marks;
} root_writer;

static void put_root(void *context, uint32_t left, uint32_t right)
{
  root_writer *w = context;
  uint64_t first = left;
  uint8_t bytes[16];
  if (w->marks)
    first = first << 1 | roots_is_marked(w->of, left, right);
  memcpy(bytes, &first, sizeof first);
  memcpy(bytes + w->left_bytes, &right, sizeof right);
  block_put(w->to, bytes, w->left_bytes + w->right_bytes);
}

void tree_image_write(const collapse_tree *s, bool marks, block_writer *w,
                      uint32_t rows_kind, uint32_t roots_kind)
{
  const block_tree *b = &s->now;
  const roots *r = &b->tree.roots;
  block_kind_begin(w, rows_kind);
  block_put_number(w, s->longest);
  put_plan(w, b);
  if (b->map.fixed)
    put_pieces(w, &b->cut);
  else
    put_even(w, b);
  for (uint32_t i = 0; i < b->tree.leaves; i++) {
    put_rows(w, &b->blocks[i]);
    put_strings(w, &b->strings[i]);
  }
  for (uint32_t i = 0; i < b->tree.inner; i++)
    put_rows(w, &b->tree.tables[i]);
  block_kind_begin(w, roots_kind);
  root_sums sums = {0, 0, 0};
  roots_each(r, add_root, &sums);
  root_writer roots_to = {w, r, bytes_for((uint64_t)sums.lefts << marks),
                          bytes_for(sums.rights), marks};
  block_put_number(w, sums.count);
  block_put_number(w, roots_to.left_bytes);
  block_put_number(w, roots_to.right_bytes);
  block_put_number(w, marks);
  roots_each(r, put_root, &roots_to);
}

/* ---- reading ------------------------------------------------------------ */

typedef struct row_list {
  quad *rows; /* from number 0, which is the tuple 0 */
  uint64_t count;
} row_list;

typedef struct string_list {
  uint8_t *bytes;
  size_t used, room;
  uint64_t *starts; /* by number - 1, and the end of the last */
  uint64_t count;
} string_list;

/* Bytes of a state and where they stand: in the quad of a block, or, when 'to'
** is BLOCK_IS_LONG, in the string that it names. */
typedef struct image_piece {
  uint32_t block, to, from, bytes;
} image_piece;

struct tree_image {
  const component_map *map;
  uint32_t longest, leaves, inner, left, right;
  tree_node *nodes;
  tree_lanes lanes[2]; /* of the children of the root */
  bool is_packed[2];
  block_plan plan;
  uint32_t length; /* fixed: of a state */
  VEC(image_piece) pieces;
  VEC(uint32_t) even;
  row_list *tables; /* of the blocks, then of the inner nodes */
  string_list *strings;
  uint32_t *values;
  uint8_t *state;
  size_t state_bytes;
  uint32_t left_bytes, right_bytes;
  bool marks;
  uint64_t left_over; /* roots */
};

static size_t table_count(const tree_image *t)
{
  return (size_t)t->leaves + t->inner;
}

void tree_image_destroy(tree_image *t)
{
  if (!t)
    return;
  for (size_t i = 0; t->tables && i < table_count(t); i++)
    mem_free(t->tables[i].rows, (t->tables[i].count + 1) * sizeof(quad));
  for (size_t i = 0; t->strings && i < t->leaves; i++) {
    string_list *s = &t->strings[i];
    mem_free(s->bytes, s->room);
    mem_free(s->starts, (s->count + 1) * sizeof *s->starts);
  }
  mem_free(t->tables, table_count(t) * sizeof *t->tables);
  mem_free(t->strings, t->leaves * sizeof *t->strings);
  mem_free(t->nodes, ((size_t)t->inner + 1) * sizeof *t->nodes);
  mem_free(t->values, (table_count(t) + 1) * sizeof *t->values);
  mem_free(t->state, t->state_bytes);
  vec_free(&t->pieces);
  vec_free(&t->even);
  mem_free(t, sizeof *t);
}

static uint32_t get_below(block_reader *r, uint64_t end)
{
  uint64_t number = block_get_number(r);
  if (number < end)
    return (uint32_t)number;
  block_damaged(r, "a number in it is too large");
  return 0;
}

static bool get_shape(tree_image *t, block_reader *r)
{
  t->leaves = get_below(r, TREE_LEAVES + 1);
  t->inner = get_below(r, TREE_LEAVES + 3);
  if (block_problem(r))
    t->leaves = t->inner = 0;
  uint32_t end = t->leaves + t->inner;
  t->left = get_below(r, end);
  t->right = get_below(r, end);
  t->nodes = mem_alloc(((size_t)t->inner + 1) * sizeof *t->nodes);
  for (uint32_t i = 0; i < t->inner; i++)
    for (int k = 0; k < 4; k++) {
      uint32_t child = get_below(r, end + 1);
      if (child >= t->leaves + i && child != end)
        block_damaged(r, "its tree is none");
      t->nodes[i].child[k] = (uint16_t)child;
    }
  return !block_problem(r);
}

static bool get_lanes(tree_image *t, block_reader *r)
{
  for (int side = 0; side < 2; side++) {
    uint8_t bits[4];
    for (int k = 0; k < 4; k++)
      bits[k] = (uint8_t)get_below(r, TREE_PACKED + 1);
    uint32_t all = tree_lanes_set(&t->lanes[side], bits);
    t->is_packed[side] = all && (side ? t->right : t->left) >= t->leaves;
    if (all > TREE_PACKED)
      return block_damaged(r, "its tree is none");
  }
  return !block_problem(r);
}

static bool get_block_plan(tree_image *t, block_reader *r)
{
  block_plan *p = &t->plan;
  p->units = get_below(r, BLOCK_UNITS + 1);
  p->unit_bytes = get_below(r, UINT64_C(1) << 32);
  p->blocks = get_below(r, BLOCK_UNITS + 1);
  for (uint32_t i = 0; i < p->units && !block_problem(r); i++)
    p->of[i] = (uint8_t)get_below(r, p->blocks);
  if (p->blocks > t->leaves || (p->blocks && !p->unit_bytes))
    block_damaged(r, "its plan is none");
  return !block_problem(r);
}

static void get_piece(tree_image *t, block_reader *r, bool in_string)
{
  image_piece p = {.block = get_below(r, t->leaves),
                   .to = in_string ? BLOCK_IS_LONG : get_below(r, BLOCK_BYTES)};
  p.from = get_below(r, (uint64_t)t->length + 1);
  p.bytes = get_below(r, (uint64_t)t->length - p.from + 1);
  if (!in_string && p.to + p.bytes > BLOCK_BYTES)
    block_damaged(r, "a piece of its states is too long");
  vec_push(&t->pieces, p);
}

static bool get_pieces(tree_image *t, block_reader *r)
{
  t->length = get_below(r, IMAGE_STATE_MAX);
  if (t->length != t->map->offsets[t->map->count])
    return block_damaged(r, "its states have another length");
  for (int longs = 0; longs < 2; longs++)
    for (uint64_t n = block_get_count(r, 3); n && !block_problem(r); n--)
      get_piece(t, r, longs);
  return !block_problem(r);
}

static bool get_even(tree_image *t, block_reader *r)
{
  for (uint32_t i = 0; i < t->leaves && !block_problem(r); i++) {
    uint32_t bytes = get_below(r, BLOCK_BYTES + 1);
    vec_push(&t->even, bytes);
  }
  return !block_problem(r);
}

static bool get_rows(row_list *l, block_reader *r)
{
  uint64_t count = block_get_count(r, sizeof(quad));
  if (count >= NUMBER_MAX)
    return block_damaged(r, "a table of it is too long");
  l->rows = mem_alloc((count + 1) * sizeof(quad));
  l->count = count;
  return block_get(r, l->rows + 1, count * sizeof(quad));
}

static bool get_string(string_list *s, uint64_t number, block_reader *r)
{
  uint64_t length = block_get_count(r, 1);
  if (length > IMAGE_STATE_MAX)
    return block_damaged(r, "a part of its states is too long");
  if (s->room - s->used < length) {
    size_t room = 2 * s->room + length;
    s->bytes = mem_resize(s->bytes, s->room, room);
    s->room = room;
  }
  s->starts[number] = s->used;
  s->starts[number + 1] = s->used + length;
  bool done = !length || block_get(r, s->bytes + s->used, length);
  s->used += length;
  return done;
}

static bool get_strings(string_list *s, block_reader *r)
{
  uint64_t count = block_get_count(r, 1);
  if (count >= NUMBER_MAX)
    return block_damaged(r, "a table of it is too long");
  s->starts = mem_alloc((count + 1) * sizeof *s->starts);
  s->count = count;
  for (uint64_t i = 0; i < count; i++)
    if (!get_string(s, i, r))
      return false;
  return true;
}

static bool get_tables(tree_image *t, block_reader *r)
{
  t->tables = mem_alloc(table_count(t) * sizeof *t->tables);
  t->strings = mem_alloc(t->leaves * sizeof *t->strings);
  t->values = mem_alloc((table_count(t) + 1) * sizeof *t->values);
  for (uint32_t i = 0; i < t->leaves; i++)
    if (!get_rows(&t->tables[i], r) || !get_strings(&t->strings[i], r))
      return false;
  for (uint32_t i = 0; i < t->inner; i++)
    if (!get_rows(&t->tables[t->leaves + i], r))
      return false;
  return true;
}

static bool get_image(tree_image *t, block_reader *r)
{
  t->longest = get_below(r, IMAGE_STATE_MAX);
  if (!get_shape(t, r) || !get_lanes(t, r) || !get_block_plan(t, r) ||
      !(t->map->fixed ? get_pieces(t, r) : get_even(t, r)) || !get_tables(t, r))
    return false;
  t->state_bytes = (size_t)t->longest + CODEC_SLACK + BLOCK_BYTES;
  t->state = mem_alloc(t->state_bytes);
  return !t->map->fixed || t->length <= t->longest ||
         block_damaged(r, "its states have another length");
}

typedef struct image_work {
  tree_image *image;
  block_reader *reader;
  bool done;
} image_work;

static void do_read(void *work)
{
  image_work *w = work;
  w->done = get_image(w->image, w->reader);
}

static void undo_read(void *work)
{
  tree_image_destroy(((image_work *)work)->image);
}

tree_image *tree_image_read(block_reader *r, const component_map *map,
                            uint32_t rows_kind)
{
  if (!block_expect(r, rows_kind))
    return NULL;
  image_work work = {mem_alloc(sizeof *work.image), r, false};
  work.image->map = map;
  mem_protect_undo(do_read, undo_read, &work);
  if (work.done)
    return work.image;
  tree_image_destroy(work.image);
  return NULL;
}

uint32_t tree_image_longest(const tree_image *t)
{
  return t->longest;
}

uint64_t tree_image_begin(tree_image *t, block_reader *r, uint32_t roots_kind)
{
  if (!block_expect(r, roots_kind))
    return 0;
  uint64_t count = block_get_number(r);
  t->left_bytes = get_below(r, 6);
  t->right_bytes = get_below(r, 5);
  t->marks = get_below(r, 2);
  t->left_over = count;
  if (!t->left_bytes || !t->right_bytes)
    block_damaged(r, "its roots have no length");
  return block_problem(r) ? 0 : count;
}

bool tree_image_next(tree_image *t, block_reader *r, store_handle *handle,
                     bool *marked)
{
  uint64_t left = 0;
  uint32_t right = 0;
  if (!t->left_over || !block_get(r, &left, t->left_bytes))
    return block_damaged(r, "a part of it is missing");
  if (!block_get(r, &right, t->right_bytes))
    return false;
  t->left_over--;
  *marked = t->marks && left & 1;
  left >>= t->marks;
  if (left > UINT32_MAX)
    return block_damaged(r, "a number in it is too large");
  *handle = left << 32 | right;
  return true;
}

/* ---- a state ------------------------------------------------------------ */

/* What is below node 'i', which has this number; false: there is no such
** row. */
static bool find_below(const tree_image *t, size_t i, uint32_t number, quad *q)
{
  for (int side = 0; side < 2; side++) {
    if (!t->is_packed[side] || i != (side ? t->right : t->left))
      continue;
    if (!(number & TREE_IN_TABLE)) {
      *q = tree_lanes_split(&t->lanes[side], number);
      return !(number >> TREE_PACKED);
    }
    number &= ~TREE_IN_TABLE;
  }
  if (number > t->tables[i].count)
    return false;
  *q = t->tables[i].rows[number];
  return true;
}

/* The numbers of its nodes and blocks; false: there is no such row. */
static bool find_values(tree_image *t, store_handle handle)
{
  uint32_t *values = t->values;
  size_t all = table_count(t);
  for (size_t i = 0; i <= all; i++)
    values[i] = 0;
  values[t->left] = (uint32_t)(handle >> 32);
  values[t->right] = (uint32_t)handle;
  for (size_t i = all; i-- > 0;) {
    quad q;
    if (!find_below(t, i, values[i], &q))
      return false;
    if (i < t->leaves)
      continue;
    const uint16_t *child = t->nodes[i - t->leaves].child;
    values[child[0]] = (uint32_t)q.low;
    values[child[1]] = (uint32_t)(q.low >> 32);
    values[child[2]] = (uint32_t)q.high;
    values[child[3]] = (uint32_t)(q.high >> 32);
    values[all] = 0;
  }
  return true;
}

/* The string that the quad of a long block names; false: there is none. */
static bool find_string(const tree_image *t, uint32_t block, const uint8_t **at,
                        uint32_t *length)
{
  const string_list *s = &t->strings[block];
  uint32_t number = (uint32_t)t->tables[block].rows[t->values[block]].low;
  if (!number || number > s->count)
    return false;
  *at = s->bytes + s->starts[number - 1];
  *length = (uint32_t)(s->starts[number] - s->starts[number - 1]);
  return true;
}

/* The content of a block, none for one that is not there. */
static bool find_content(const tree_image *t, uint32_t block,
                         const uint8_t **at, uint32_t *length)
{
  *length = 0;
  *at = NULL;
  if (block >= t->leaves)
    return true;
  const quad *q = &t->tables[block].rows[t->values[block]];
  if (t->even.data[block]) {
    *length = t->even.data[block];
  } else if (block_mark(*q) == BLOCK_IS_LONG) {
    return find_string(t, block, at, length);
  } else {
    *length = block_length(*q);
  }
  *at = (const uint8_t *)q;
  return *length <= BLOCK_BYTES;
}

static bool read_fixed(tree_image *t)
{
  for (size_t i = 0; i < t->pieces.len; i++) {
    const image_piece *p = &t->pieces.data[i];
    const quad *q = &t->tables[p->block].rows[t->values[p->block]];
    const uint8_t *from = (const uint8_t *)q + p->to;
    uint32_t length = p->bytes;
    if (p->to == BLOCK_IS_LONG &&
        (!find_string(t, p->block, &from, &length) || length != p->bytes))
      return false;
    memcpy(t->state + p->from, from, p->bytes);
  }
  return true;
}

/* What is left of a block. */
typedef struct content_rest {
  const uint8_t *at;
  uint32_t bytes;
} content_rest;

static bool take(tree_image *t, content_rest *from, uint32_t bytes,
                 uint32_t *at)
{
  if (bytes > from->bytes || bytes > t->longest - *at)
    return false;
  memcpy(t->state + *at, from->at, bytes);
  from->at += bytes;
  from->bytes -= bytes;
  *at += bytes;
  return true;
}

/* Bytes of the entity that begins there; 0: there is none such. */
static uint32_t entity_bytes(const component_map *m, const uint8_t *at,
                             uint32_t left)
{
  if (left < m->tag_bytes)
    return 0;
  uint32_t tag = at[0];
  if (m->tag_bytes == 2)
    tag |= (uint32_t)at[1] << 8;
  return tag < m->tags && m->sizes[tag] <= left ? m->sizes[tag] : 0;
}

static bool read_slices(tree_image *t, content_rest *rests, uint32_t *at,
                        uint32_t *unit)
{
  const component_map *m = t->map;
  const block_plan *p = &t->plan;
  for (uint32_t c = 0; c < m->slices; c++)
    for (uint32_t left = component_bytes(m, c, NULL); left; ++*unit) {
      uint32_t n = left < p->unit_bytes ? left : p->unit_bytes;
      if (*unit >= p->units || !take(t, &rests[p->of[*unit]], n, at))
        return false;
      left -= n;
    }
  return true;
}

/* As 'blocks_read', of a map that is not fixed. */
static bool read_gathered(tree_image *t, uint32_t *at)
{
  content_rest rests[BLOCK_UNITS], behind = {NULL, 0};
  const block_plan *p = &t->plan;
  uint32_t unit = 0, next = p->blocks;
  for (uint32_t i = 0; i < p->blocks; i++)
    if (!find_content(t, i, &rests[i].at, &rests[i].bytes))
      return false;
  if (!read_slices(t, rests, at, &unit))
    return false;
  for (uint32_t n = 0; n < COMPONENTS_LIMIT; n++, unit++) {
    content_rest *own = unit < p->units ? &rests[p->of[unit]] : &behind;
    if (!own->bytes)
      own = &behind;
    if (!own->bytes && !find_content(t, next++, &behind.at, &behind.bytes))
      return false;
    if (!own->bytes)
      return true;
    uint32_t bytes = entity_bytes(t->map, own->at, own->bytes);
    if (!bytes || !take(t, own, bytes, at))
      return false;
  }
  return false;
}

static bool read_plain(tree_image *t, uint32_t *at)
{
  for (uint32_t i = 0; i < t->leaves; i++) {
    content_rest all;
    if (!find_content(t, i, &all.at, &all.bytes) ||
        (all.bytes && !take(t, &all, all.bytes, at)))
      return false;
  }
  return true;
}

bool tree_image_is_cut(const component_map *m, const uint8_t *state,
                       uint32_t length)
{
  uint32_t at = m->globals_bytes;
  if (m->fixed)
    return length == m->offsets[m->count];
  if (length < at)
    return false;
  for (uint32_t n = m->slices; at < length; n++) {
    uint32_t bytes = entity_bytes(m, state + at, length - at);
    if (!bytes || n >= COMPONENTS_LIMIT)
      return false;
    at += bytes;
  }
  return at == length;
}

const uint8_t *tree_image_state(tree_image *t, store_handle handle,
                                uint32_t *length)
{
  *length = 0;
  if (!find_values(t, handle))
    return NULL;
  if (t->map->fixed) {
    *length = t->length;
    return read_fixed(t) ? t->state : NULL;
  }
  bool done = t->plan.blocks ? read_gathered(t, length) : read_plain(t, length);
  return done && tree_image_is_cut(t->map, t->state, *length) ? t->state : NULL;
}
