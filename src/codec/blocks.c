/* Cuts states into blocks: neighbours together, or gathered as a plan says; where
** the layout is not fixed, by the tags of entities. */

#include "codec/blocks.h"

const uint8_t block_masks[2 * BLOCK_BYTES] = {
    255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255,
};

enum { NO_BLOCK = UINT16_MAX };

bool blocks_can_shuffle(void)
{
#if BLOCK_SHUFFLES
  return __builtin_cpu_supports("ssse3");
#else
  return false;
#endif
}

/* ---- steps ------------------------------------------------------------ */

/* A piece that is in one half of the quad. */
static void add_half(block_cut *cut, uint32_t from, uint32_t to, uint32_t bytes)
{
  block_step *s = &cut->steps[cut->step_count++];
  *s = (block_step){.from = from, .shift = 8 * to};
  s->u.mask = bytes < 8 ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_MAX;
}

static void add_halves(block_cut *cut, const block_piece *p)
{
  uint32_t low = p->to >= 8 ? 0 : p->to + p->bytes <= 8 ? p->bytes : 8u - p->to;
  if (low)
    add_half(cut, p->from, p->to, low);
  if (p->bytes > low)
    add_half(cut, p->from + low, p->to + low, p->bytes - low);
}

/* Pieces come in the order of the state: one that is out of reach of the last
** step begins another. */
static void add_shuffle(block_cut *cut, const block_part *b,
                        const block_piece *p)
{
  block_step *s = cut->steps + cut->step_count;
  if (cut->step_count > b->first &&
      p->from + p->bytes - s[-1].from <= BLOCK_BYTES) {
    s--;
  } else {
    cut->step_count++;
    s->from = p->from;
    s->shift = 0;
    memset(s->u.shuffle, 255, sizeof s->u.shuffle);
  }
  for (uint32_t i = 0; i < p->bytes; i++)
    s->u.shuffle[p->to + i] = (uint8_t)(p->from - s->from + i);
}

static bool is_in_one_piece(const block_cut *cut, uint32_t block)
{
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < cut->piece_count; i++)
    pieces += cut->entries[i].piece.block == block;
  return pieces <= 1;
}

static void add_steps(const block_plan *plan, block_cut *cut, uint32_t block)
{
  block_part *b = &cut->entries[block].part;
  if (is_in_one_piece(cut, block))
    return;
  b->first = (uint16_t)cut->step_count;
  for (uint32_t i = 0; i < cut->piece_count; i++) {
    const block_piece *p = &cut->entries[i].piece;
    if (p->block != block)
      continue;
    if (plan->shuffles)
      add_shuffle(cut, b, p);
    else
      add_halves(cut, p);
  }
  b->end = (uint16_t)cut->step_count;
}

quad blocks_key(const block_plan *plan, const block_cut *cut,
                const block_part *b, const uint8_t *state)
{
  quad q;
  if (b->first == b->end)
    q = block_key(state + b->from, b->bytes);
#if BLOCK_SHUFFLES
  else if (plan->shuffles)
    q = block_shuffle(cut, b, state);
#endif
  else
    q = block_gather(cut, b, state);
  (void)plan;
  q.high |= (uint64_t)b->mark << 56;
  return q;
}

/* ---- cutting ---------------------------------------------------------- */

/* A state that is being cut. */
typedef struct cutter {
  const block_plan *plan;
  block_cut *cut;
  uint64_t closed; /* blocks of the plan that take nothing more */
} cutter;

static void note_block(block_cut *cut, uint32_t c, uint32_t block)
{
  if (block < 64)
    cut->mask[c < 63 ? c : 63] |= UINT64_C(1) << block;
  else if (c < 63)
    cut->is_loose = true;
}

/* Puts bytes of component 'c' at the end of a block. */
static void append(block_cut *cut, uint32_t c, uint32_t block, uint32_t at,
                   uint32_t bytes)
{
  block_part *b = &cut->entries[block].part;
  block_piece *next = &cut->entries[cut->piece_count].piece, *last = next;
  if (cut->piece_count)
    last = &cut->entries[cut->piece_count - 1].piece;
  if (last != next && last->block == block && last->from + last->bytes == at)
    last->bytes += bytes;
  else {
    *next = (block_piece){.from = at,
                          .bytes = bytes,
                          .at = (uint16_t)(BLOCK_BYTES * block + b->bytes),
                          .block = (uint16_t)block,
                          .to = (uint8_t)b->bytes};
    cut->piece_count++;
  }
  if (!b->bytes)
    b->from = at;
  b->bytes += bytes;
  note_block(cut, c, block);
}

/* Puts bytes into the block begun last, if that is not before 'first', if they
** are its neighbours, and if there is room for them in 'limit'; otherwise into
** a new one. */
static void place(block_cut *cut, uint32_t c, uint32_t at, uint32_t bytes,
                  uint32_t limit, uint32_t first)
{
  const block_part *last =
      cut->count > first ? &cut->entries[cut->count - 1].part : NULL;
  if (!last || last->from + last->bytes != at || last->bytes + bytes > limit)
    cut->entries[cut->count++].part = (block_part){.from = at, .marked = 255};
  append(cut, c, cut->count - 1, at, bytes);
}

static uint32_t limit_with_length(const block_plan *p)
{
  return p->limit < BLOCK_BYTES ? p->limit : BLOCK_BYTES - 1;
}

/* An entity goes to its block, or behind all of the plan. */
static void place_entity(cutter *k, uint32_t c, uint32_t unit, uint32_t at,
                         uint32_t bytes)
{
  const block_plan *p = k->plan;
  block_cut *cut = k->cut;
  uint32_t block = unit < p->units ? p->of[unit] : NO_BLOCK;
  if (block != NO_BLOCK && !(k->closed >> block & 1)) {
    uint32_t filled = cut->entries[block].part.bytes;
    if (!filled || filled + bytes <= blocks_room(p->even >> block & 1)) {
      append(cut, c, block, at, bytes);
      return;
    }
    k->closed |= UINT64_C(1) << block;
  }
  place(cut, c, at, bytes, limit_with_length(p), p->blocks);
}

/* Cuts a component that has the same size in all states into its units.  Returns
** the next unit. */
static uint32_t place_units(cutter *k, uint32_t c, uint32_t unit, uint32_t at,
                            uint32_t bytes)
{
  const block_plan *p = k->plan;
  for (uint32_t done = 0; done < bytes; unit++) {
    uint32_t n = bytes - done < p->unit_bytes ? bytes - done : p->unit_bytes;
    append(k->cut, c, p->of[unit], at + done, n);
    done += n;
  }
  return unit;
}

static uint16_t tag_at(const component_map *m, const uint8_t *at)
{
  return m->tag_bytes == 2 ? (uint16_t)(at[0] | at[1] << 8) : at[0];
}

/* An entity was placed: its tag is in the last piece. */
static void note_tag(const component_map *m, block_cut *cut,
                     const uint8_t *state, uint32_t at)
{
  const block_piece *p = &cut->entries[cut->piece_count - 1].piece;
  block_part *b = &cut->entries[p->block].part;
  uint32_t to = p->to + at - p->from;
  for (uint32_t i = to; i < to + m->tag_bytes && i < BLOCK_BYTES; i++, at++) {
    ((uint8_t *)&b->fixed)[i] = 255;
    ((uint8_t *)&b->tags)[i] = state[at];
  }
}

static void note_entity(const component_map *m, block_cut *cut, uint32_t c,
                        const uint8_t *state, uint32_t at)
{
  note_tag(m, cut, state, at);
  cut->entries[c].at = at;
  cut->entries[c].tag = tag_at(m, state + at);
}

static void cut_plain(const component_map *m, const block_plan *p,
                      const uint8_t *state, uint32_t length, block_cut *cut)
{
  uint32_t c = 0, with_length = limit_with_length(p);
  for (; m->fixed && c < m->count; c++)
    place(cut, c, m->offsets[c], component_bytes(m, c, NULL), p->limit, 0);
  for (; !m->fixed && c < m->slices; c++)
    place(cut, c, c * m->slice_bytes, component_bytes(m, c, NULL),
          c + 1 < m->slices ? p->limit : with_length, 0);
  for (uint32_t i = 0; i + !m->fixed < cut->count; i++)
    cut->entries[i].part.marked = 0; /* even: without that of the last slice */
  for (uint32_t at = m->globals_bytes; !m->fixed && at < length; c++) {
    uint32_t bytes = component_bytes(m, c, state + at);
    place(cut, c, at, bytes, with_length, 0);
    note_entity(m, cut, c, state, at);
    at += bytes;
  }
  cut->components = c;
}

static void cut_gathered(const component_map *m, const block_plan *p,
                         const uint8_t *state, uint32_t length, block_cut *cut)
{
  cutter k = {.plan = p, .cut = cut};
  uint32_t c = 0, unit = 0, even = m->fixed ? m->count : m->slices;
  cut->count = p->blocks;
  for (uint32_t i = 0; i < p->blocks; i++)
    cut->entries[i].part = (block_part){.marked = p->even >> i & 1 ? 0 : 255};
  for (; c < even; c++) {
    uint32_t at = m->fixed ? m->offsets[c] : c * m->slice_bytes;
    unit = place_units(&k, c, unit, at, component_bytes(m, c, NULL));
  }
  for (uint32_t at = m->globals_bytes; !m->fixed && at < length; c++) {
    uint32_t bytes = component_bytes(m, c, state + at);
    place_entity(&k, c, unit++, at, bytes);
    note_entity(m, cut, c, state, at);
    at += bytes;
  }
  cut->components = c;
  for (uint32_t i = 0; i < p->blocks; i++)
    if (cut->entries[i].part.bytes <= BLOCK_BYTES)
      add_steps(p, cut, i);
}

static void set_marks(block_cut *cut)
{
  for (uint32_t i = 0; i < cut->count; i++) {
    block_part *b = &cut->entries[i].part;
    if (b->bytes > blocks_room(!b->marked)) {
      b->marked = 255;
      b->mark = BLOCK_IS_LONG;
      b->fixed = b->tags = (quad){0, 0};
      cut->has_long = true;
    } else if (b->marked && b->bytes) {
      b->mark = (uint8_t)(b->bytes + 1);
    }
    b->fixed.high |= (uint64_t)b->marked << 56;
    b->tags.high |= (uint64_t)b->mark << 56;
  }
}

void blocks_cut(const component_map *m, const block_plan *p,
                const uint8_t *state, uint32_t length, block_cut *cut)
{
  cut->count = cut->piece_count = cut->step_count = 0;
  cut->length = length;
  cut->is_loose = cut->has_long = false;
  memset(cut->mask, 0, sizeof cut->mask);
  if (p->blocks)
    cut_gathered(m, p, state, length, cut);
  else
    cut_plain(m, p, state, length, cut);
  set_marks(cut);
}

bool blocks_are_cut_so(const component_map *m, const uint8_t *state,
                       uint32_t length, const block_cut *cut)
{
  uint32_t differ = !cut->count || cut->length != length;
  if (m->fixed || differ)
    return !differ;
  if (m->tag_bytes == 1)
    for (uint32_t c = m->slices; c < cut->components; c++)
      differ |= state[cut->entries[c].at] ^ cut->entries[c].tag;
  else
    for (uint32_t c = m->slices; c < cut->components; c++)
      differ |= tag_at(m, state + cut->entries[c].at) ^ cut->entries[c].tag;
  return !differ;
}

void blocks_cut_again(const component_map *m, const block_plan *p,
                      const uint8_t *state, uint32_t length, block_cut *cut)
{
  if (!blocks_are_cut_so(m, state, length, cut))
    blocks_cut(m, p, state, length, cut);
}

uint32_t blocks_count(const component_map *m, const block_plan *p,
                      const uint8_t *state, uint32_t length)
{
  block_any_cut any;
  block_cut *cut = blocks_open(&any);
  blocks_cut(m, p, state, length, cut);
  return cut->count;
}

uint32_t blocks_most(const component_map *m, uint32_t length)
{
  uint32_t least = UINT32_MAX, most = m->fixed ? m->count : m->slices;
  for (uint32_t tag = 0; tag < m->tags && !m->fixed; tag++)
    least = m->sizes[tag] && m->sizes[tag] < least ? m->sizes[tag] : least;
  if (!m->fixed && length > m->globals_bytes)
    most += (length - m->globals_bytes) / least;
  most += BLOCK_UNITS;
  return most < BLOCK_LIMIT ? most : BLOCK_LIMIT;
}

/* ---- plans ------------------------------------------------------------ */

block_plan blocks_plan(const component_map *m, const uint8_t *state,
                       uint32_t length)
{
  block_any_cut any;
  block_cut *cut = blocks_open(&any);
  block_plan plan = {.limit = BLOCK_BYTES};
  blocks_cut(m, &plan, state, length, cut);
  uint32_t wanted = cut->count < 2 && cut->components > 1 ? 2 : cut->count;
  for (plan.limit = 1; plan.limit < BLOCK_BYTES; plan.limit++) {
    blocks_cut(m, &plan, state, length, cut);
    if (cut->count <= wanted)
      break;
  }
  return plan;
}

static void note_unit(uint32_t starts[BLOCK_UNITS + 1], uint32_t unit,
                      uint32_t at)
{
  if (unit <= BLOCK_UNITS)
    starts[unit] = at;
}

uint32_t blocks_units(const component_map *m, uint32_t unit_bytes,
                      const uint8_t *state, uint32_t length,
                      uint32_t starts[BLOCK_UNITS + 1])
{
  uint32_t c = 0, n = 0, even = m->fixed ? m->count : m->slices;
  for (; c < even; c++) {
    uint32_t at = m->fixed ? m->offsets[c] : c * m->slice_bytes;
    uint32_t bytes = component_bytes(m, c, NULL);
    for (uint32_t done = 0; done < bytes; done += unit_bytes)
      note_unit(starts, n++, at + done);
  }
  for (uint32_t at = m->globals_bytes; !m->fixed && at < length; c++) {
    note_unit(starts, n++, at);
    at += component_bytes(m, c, state + at);
  }
  note_unit(starts, n, length);
  return n;
}

uint32_t blocks_even_units(const component_map *m, uint32_t unit_bytes)
{
  uint32_t starts[BLOCK_UNITS + 1];
  return blocks_units(m, unit_bytes, NULL, m->fixed ? 0 : m->globals_bytes,
                      starts);
}

/* ---- reading ---------------------------------------------------------- */

/* What is left of the content of a block. */
typedef struct block_rest {
  const uint8_t *at;
  uint32_t bytes;
} block_rest;

static block_rest rest_of(block_content *content, void *context, uint32_t block)
{
  block_rest r;
  r.at = content(context, block, &r.bytes);
  return r;
}

static uint32_t take(block_rest *r, uint32_t bytes, uint8_t *out)
{
  memcpy(out, r->at, bytes);
  r->at += bytes;
  r->bytes -= bytes;
  return bytes;
}

uint32_t blocks_read(const component_map *m, const block_plan *p,
                     block_content *content, void *context, uint8_t *out)
{
  block_rest rests[BLOCK_UNITS], behind = {NULL, 0};
  uint32_t at = 0, unit = 0, next = p->blocks;
  uint32_t c = 0, even = m->fixed ? m->count : m->slices;
  for (uint32_t i = 0; i < p->blocks; i++)
    rests[i] = rest_of(content, context, i);
  for (; c < even; c++)
    for (uint32_t left = component_bytes(m, c, NULL); left; unit++) {
      uint32_t n = left < p->unit_bytes ? left : p->unit_bytes;
      at += take(&rests[p->of[unit]], n, out + at);
      left -= n;
    }
  for (; !m->fixed; c++, unit++) {
    block_rest *own = unit < p->units ? &rests[p->of[unit]] : &behind;
    if (!own->bytes)
      own = &behind;
    if (!own->bytes)
      behind = rest_of(content, context, next++);
    if (!own->bytes)
      break;
    at += take(own, component_bytes(m, c, own->at), out + at);
  }
  return at;
}
