#include "codec/blocks.h"

/* Puts component 'c' of 'bytes' bytes, which starts at 'at', into the block
** that is being filled when there is room, otherwise into a new one. */
static void place(block_cut *cut, uint32_t c, uint32_t at, uint32_t bytes,
                  uint32_t limit)
{
  if (!cut->count || at + bytes - cut->start[cut->count - 1] > limit)
    cut->start[cut->count++] = at;
  cut->of[c] = (uint16_t)(cut->count - 1);
}

static void cut_fixed(const component_map *m, uint32_t limit, block_cut *cut)
{
  for (uint32_t c = 0; c < m->count; c++)
    place(cut, c, m->offsets[c], m->offsets[c + 1] - m->offsets[c], limit);
  cut->components = m->count;
}

static void cut_by_tags(const component_map *m, uint32_t limit,
                        const uint8_t *state, uint32_t length, block_cut *cut)
{
  uint32_t c = 0, with_length = limit < BLOCK_BYTES ? limit : BLOCK_BYTES - 1;
  for (; c < m->slices; c++)
    place(cut, c, c * m->slice_bytes, component_bytes(m, c, NULL),
          c + 1 < m->slices ? limit : with_length);
  for (uint32_t at = m->globals_bytes; at < length; c++) {
    uint32_t bytes = component_bytes(m, c, state + at);
    place(cut, c, at, bytes, with_length);
    at += bytes;
  }
  cut->components = c;
}

void blocks_cut(const component_map *m, uint32_t limit, const uint8_t *state,
                uint32_t length, block_cut *cut)
{
  cut->count = 0;
  if (m->fixed)
    cut_fixed(m, limit, cut);
  else
    cut_by_tags(m, limit, state, length, cut);
  cut->start[cut->count] = length;
}

uint32_t blocks_limit(const component_map *m, const uint8_t *state,
                      uint32_t length)
{
  block_cut cut;
  blocks_cut(m, BLOCK_BYTES, state, length, &cut);
  uint32_t wanted = cut.count < 2 && cut.components > 1 ? 2 : cut.count;
  for (uint32_t limit = 1; limit < BLOCK_BYTES; limit++) {
    blocks_cut(m, limit, state, length, &cut);
    if (cut.count <= wanted)
      return limit;
  }
  return BLOCK_BYTES;
}
