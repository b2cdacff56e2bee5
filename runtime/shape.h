/* The shape of a state: which processes and channels stand where, in layouts
** that are not fixed. */

#ifndef NUT_RUNTIME_SHAPE_H
#define NUT_RUNTIME_SHAPE_H

#include "runtime/step.h"

/* States that follow each other mostly have the same processes and channels:
** looking at the tags is quicker than walking, whose every step must wait for
** the one before it. */
NUT_INLINE int nut_same_shape(const nut_run *x, const uint8_t *s,
                              uint32_t length, uint32_t tag_bytes)
{
  uint32_t differ = x->length != length;
  if (differ)
    return 0;
  for (uint32_t i = 0; i < x->entities; i++) {
    const uint8_t *at = s + x->entity_offset[i];
    uint32_t tag = tag_bytes == 1 ? at[0] : (uint32_t)nut_u16(at);
    differ |= tag ^ x->entity_tag[i];
  }
  return !differ;
}

/* Entities stand behind 'start', their components behind the 'slices' of the
** globals.  'sizes' gives the bytes of an entity by its tag; tags below 'types'
** are process types, the others channel types. */
NUT_INLINE void nut_walk(nut_run *x, const uint8_t *s, uint32_t length,
                         uint32_t start, uint32_t slices, uint32_t tag_bytes,
                         uint32_t types, const uint32_t *sizes)
{
  uint64_t bit = nut_bit(slices - 1);
  if (nut_same_shape(x, s, length, tag_bytes)) {
    nut_restore(x);
    return;
  }
  x->entities = x->processes = x->channels = 0;
  x->length = length;
  for (uint32_t at = start; at < length;) {
    uint32_t tag = tag_bytes == 1 ? s[at] : (uint32_t)nut_u16(s + at);
    bit = bit << 1 | (bit & UINT64_C(1) << 63);
    if (tag < types) {
      x->process_bit[x->processes] = bit;
      nut_add_process(x, tag, at);
    } else {
      nut_add_channel(x, tag - types, at);
      x->channel_bit[x->channels] = bit;
    }
    x->entity_offset[x->entities] = at;
    x->entity_tag[x->entities++] = (uint16_t)tag;
    at += sizes[tag];
  }
  x->all_processes = x->processes;
  x->all_channels = x->channels;
}

#endif
