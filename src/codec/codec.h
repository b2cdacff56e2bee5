/* Codecs: a state as something shorter, or better to share; one to one.
**
** A codec gives a state as a string of bytes or as a tuple of numbers, as the
** set behind it likes, and takes either back.  Two equal states have equal
** codes at any time, whatever came between them: codes never depend on the
** state of a codec's tables otherwise than by numbers that stay.  Different
** states have different codes.
**
** The state taken to hand (usually the one whose successors come next) lets a
** codec look only at what changed against it. */

#ifndef NUT_CODEC_CODEC_H
#define NUT_CODEC_CODEC_H

#include "base/components.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct codec codec;

/* A state, and which of its components may differ from those of the state at
** hand (see successor.changed); all bits set: nothing is known.  Behind it
** CODEC_SLACK bytes more can be read. */
enum { CODEC_SLACK = 16 };
typedef struct codec_state {
  const uint8_t *state;
  uint32_t length;
  uint32_t hand; /* which state at hand, where there can be several */
  uint64_t changed;
} codec_state;

typedef struct codec_settings {
  const component_map *map; /* must live as long as the codec */
} codec_settings;

/* Instead of a length: there is no memory. */
#define CODEC_FULL UINT32_MAX

typedef struct codec_class {
  const char *name;
  const char *summary; /* a few words for 'nutshell stores' */
  codec *(*create)(const codec_settings *); /* NULL: no memory */
  /* Bytes and elements that suffice for the code of every state of at most
  ** this length. */
  uint32_t (*most_bytes)(const codec *, uint32_t length);
  uint32_t (*most_elements)(const codec *, uint32_t length);
  /* Takes a state to hand.  Without memory none is at hand. */
  void (*take)(codec *, const uint8_t *state, uint32_t length);
  /* Write the code and return its length, or CODEC_FULL. */
  uint32_t (*to_bytes)(codec *, const codec_state *, uint8_t *code);
  uint32_t (*to_tuple)(codec *, const codec_state *, uint32_t *tuple);
  /* Write the state back and return its length; there is room for it. */
  uint32_t (*from_bytes)(const codec *, const uint8_t *code, uint32_t length,
                         uint8_t *state);
  uint32_t (*from_tuple)(const codec *, const uint32_t *tuple, uint32_t length,
                         uint8_t *state);
  size_t (*bytes)(const codec *); /* memory held */
  bool (*check)(const codec *);   /* walks everything; do invariants hold */
  void (*destroy)(codec *);       /* NULL is fine */
} codec_class;

extern const codec_class codec_raw;
extern const codec_class codec_collapse;

#endif
