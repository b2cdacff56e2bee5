/* Cuts states into blocks: by a plan where the layout is fixed, by the tags of
** entities elsewhere. */

#include "codec/blocks.h"

const uint8_t block_masks[2 * BLOCK_BYTES] = {
    255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255,
};

/* Puts component 'c' of 'bytes' bytes, which starts at 'at', into the block
** that is being filled when there is room, otherwise into a new one. */
static void place(const block_plan *p, block_cut *cut, uint32_t c, uint32_t at,
                  uint32_t bytes, uint32_t limit)
{
  bool is_break = c < BLOCK_BREAKS && p->breaks >> c & 1;
  if (!cut->count || is_break ||
      at + bytes - cut->start[cut->count - 1] > limit)
    cut->start[cut->count++] = at;
  cut->of[c] = (uint16_t)(cut->count - 1);
}

static void cut_fixed(const component_map *m, const block_plan *p,
                      block_cut *cut)
{
  for (uint32_t c = 0; c < m->count; c++)
    place(p, cut, c, m->offsets[c], m->offsets[c + 1] - m->offsets[c],
          p->limit);
  cut->components = m->count;
}

static uint16_t tag_at(const component_map *m, const uint8_t *at)
{
  return m->tag_bytes == 2 ? (uint16_t)(at[0] | at[1] << 8) : at[0];
}

static void cut_by_tags(const component_map *m, const block_plan *p,
                        const uint8_t *state, uint32_t length, block_cut *cut)
{
  uint32_t c = 0;
  uint32_t with_length = p->limit < BLOCK_BYTES ? p->limit : BLOCK_BYTES - 1;
  for (; c < m->slices; c++)
    place(p, cut, c, c * m->slice_bytes, component_bytes(m, c, NULL),
          c + 1 < m->slices ? p->limit : with_length);
  for (uint32_t at = m->globals_bytes; at < length; c++) {
    uint32_t bytes = component_bytes(m, c, state + at);
    place(p, cut, c, at, bytes, with_length);
    cut->at[c] = at;
    cut->tag[c] = tag_at(m, state + at);
    at += bytes;
  }
  cut->components = c;
}

void blocks_cut(const component_map *m, const block_plan *p,
                const uint8_t *state, uint32_t length, block_cut *cut)
{
  cut->count = 0;
  if (m->fixed)
    cut_fixed(m, p, cut);
  else
    cut_by_tags(m, p, state, length, cut);
  cut->start[cut->count] = length;
}

/* Entities of the same tags are of the same sizes, so that each stands where
** the one before it ends. */
static bool is_cut_so(const component_map *m, const uint8_t *state,
                      uint32_t length, const block_cut *cut)
{
  uint32_t differ = !cut->count || cut->start[cut->count] != length;
  if (m->fixed || differ)
    return !differ;
  if (m->tag_bytes == 1)
    for (uint32_t c = m->slices; c < cut->components; c++)
      differ |= state[cut->at[c]] ^ cut->tag[c];
  else
    for (uint32_t c = m->slices; c < cut->components; c++)
      differ |= tag_at(m, state + cut->at[c]) ^ cut->tag[c];
  return !differ;
}

void blocks_cut_again(const component_map *m, const block_plan *p,
                      const uint8_t *state, uint32_t length, block_cut *cut)
{
  if (!is_cut_so(m, state, length, cut))
    blocks_cut(m, p, state, length, cut);
}

uint32_t blocks_count(const component_map *m, const block_plan *p,
                      const uint8_t *state, uint32_t length)
{
  block_cut cut;
  blocks_cut(m, p, state, length, &cut);
  return cut.count;
}

block_plan blocks_plan(const component_map *m, const uint8_t *state,
                       uint32_t length)
{
  block_cut cut;
  block_plan plan = {.limit = BLOCK_BYTES};
  blocks_cut(m, &plan, state, length, &cut);
  uint32_t wanted = cut.count < 2 && cut.components > 1 ? 2 : cut.count;
  for (plan.limit = 1; plan.limit < BLOCK_BYTES; plan.limit++) {
    blocks_cut(m, &plan, state, length, &cut);
    if (cut.count <= wanted)
      break;
  }
  return plan;
}
