/* How a state is cut into components, for codecs that number them.
**
** A state is a row of slices of equal size (the globals), then entities
** (processes, channels).  With a fixed map the offsets are known; otherwise
** every entity starts with a tag that tells its size. */

#ifndef NUT_BASE_COMPONENTS_H
#define NUT_BASE_COMPONENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Slices, processes, channels, and what an observer of the system adds. */
enum { COMPONENTS_LIMIT = 24 + 255 + 255 + 1 };

typedef struct component_map {
  bool fixed;
  uint32_t slices; /* at least 1 */
  uint32_t slice_bytes;
  uint32_t globals_bytes; /* of all slices; the last may be shorter */
  uint32_t tag_bytes;     /* 1 or 2; 0 when fixed */
  uint32_t tags;
  const uint32_t *sizes;   /* of an entity, by its tag */
  uint32_t count;          /* fixed: number of components */
  const uint32_t *offsets; /* fixed: count + 1 of them */
} component_map;

/* Writes the start of each component, and 'length' after the last; returns
** their number. */
static inline uint32_t components_split(const component_map *m,
                                        const uint8_t *state, uint32_t length,
                                        uint32_t *offsets)
{
  uint32_t n = 0;
  if (m->fixed) {
    for (; n <= m->count; n++)
      offsets[n] = m->offsets[n];
    return m->count;
  }
  for (; n < m->slices; n++)
    offsets[n] = n * m->slice_bytes;
  for (uint32_t at = m->globals_bytes; at < length;) {
    uint32_t tag = state[at];
    if (m->tag_bytes == 2)
      tag |= (uint32_t)state[at + 1] << 8;
    offsets[n++] = at;
    at += m->sizes[tag];
  }
  offsets[n] = length;
  return n;
}

/* Size of the component whose bytes start at 'at', at position 'i'. */
static inline uint32_t component_bytes(const component_map *m, uint32_t i,
                                       const uint8_t *at)
{
  if (m->fixed)
    return m->offsets[i + 1] - m->offsets[i];
  if (i < m->slices)
    return i + 1 < m->slices ? m->slice_bytes
                             : m->globals_bytes - i * m->slice_bytes;
  uint32_t tag = at[0];
  if (m->tag_bytes == 2)
    tag |= (uint32_t)at[1] << 8;
  return m->sizes[tag];
}

#endif
