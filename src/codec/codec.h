/* Codecs: a state as something shorter, or better to share; one to one.
**
** A codec gives a state as a string of bytes or as a tuple of numbers, as the
** set behind it likes, and takes either back.  Two equal states have equal
** codes at any time, whatever came between them: codes never depend on the
** state of a codec's tables otherwise than by numbers that stay.  Different
** states have different codes.
**
** The states loaded (usually those whose successors come next) let a
** codec look only at what changed against them. */

#ifndef NUT_CODEC_CODEC_H
#define NUT_CODEC_CODEC_H

#include "base/components.h"
#include "base/fields.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct codec codec;

/* A state, and which of its components may differ from those of the state at
** hand (see successor.changed); all bits set: nothing is known.  Behind it
** CODEC_SLACK bytes more can be read. */
enum { CODEC_SLACK = 16, CODEC_HANDS = 8 };
typedef struct codec_state {
  const uint8_t *state;
  uint32_t length;
  uint32_t hand; /* which state at hand, 0 .. CODEC_HANDS - 1 */
  uint64_t changed;
} codec_state;

typedef struct codec_settings {
  const component_map *map; /* both must live as long as the codec */
  const field_map *fields;  /* NULL: not known */
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
  /* Shown some states before the first is encoded, so that it knows what to
  ** expect.  NULL: it does not want to know. */
  void (*learn)(codec *, const uint8_t *state, uint32_t length);
  /* Makes room to have states of this length at hand; false: no memory.  To be
  ** called before the first such state is taken or encoded. */
  bool (*reserve)(codec *, uint32_t length);
  /* Loads a state as hand 0; where that needs memory which is not there, none
  ** is in that hand afterwards. */
  void (*take)(codec *, const uint8_t *state, uint32_t length);
  /* Takes the state with this code to a hand, and returns it; it stays there
  ** until another is taken to the same hand, or 'reserve' is called. */
  const uint8_t *(*take_code)(codec *, uint32_t hand, const uint8_t *code,
                              uint32_t code_length, uint32_t *length);
  /* Write the code and return its length, or CODEC_FULL. */
  uint32_t (*to_bytes)(codec *, const codec_state *, uint8_t *code);
  uint32_t (*to_tuple)(codec *, const codec_state *, uint32_t *tuple);
  /* Write the state back and return its length; there is room for it. */
  uint32_t (*from_bytes)(const codec *, const uint8_t *code, uint32_t length,
                         uint8_t *state);
  uint32_t (*from_tuple)(const codec *, const uint32_t *tuple, uint32_t length,
                         uint8_t *state);
  /* In a fixed layout: the element that byte 'at' of a state is part of. */
  uint32_t (*element_at)(const codec *, uint32_t at);
  size_t (*bytes)(const codec *); /* memory held */
  bool (*check)(const codec *);   /* walks everything; do invariants hold */
  void (*destroy)(codec *);       /* NULL is fine */
} codec_class;

extern const codec_class codec_raw;
extern const codec_class codec_radix;
extern const codec_class codec_chunk;
extern const codec_class codec_collapse;

#endif
