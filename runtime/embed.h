/* The boundary between Nutshell and C that is embedded in a model.
**
** Embedded C is compiled to one shared object with one symbol, 'nut_embedded':
** the struct at the end of this file.  It knows the model's variables as C
** variables: 'now' for the globals, one struct for the locals of each type of
** process.  A call copies them out of the bytes of a state, runs one piece of
** the model's C, and, if it may write, copies them back.  So the layout of
** states is known to the host alone, which tells it by offsets.
**
** Included by the host (src/program) and by every emitted text; whoever
** changes a struct here counts up NUT_EMBED_ABI. */

#ifndef NUT_RUNTIME_EMBED_H
#define NUT_RUNTIME_EMBED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NUT_EMBED_ABI = 2 };

/* Why embedded C gives up: it wants to end the program, a value does not fit
** the range of its variable, or it has complained and cannot go on.  Not the
** number of a signal. */
enum { NUT_EMBED_ENDS = 1000, NUT_EMBED_OVERFLOWS, NUT_EMBED_COMPLAINS };

/* Where the variables are. */
typedef struct nut_embed_call {
  uint8_t *state;
  const uint32_t *globals;      /* offset of each global in the state */
  uint8_t *process;             /* that runs the code, or NULL */
  const uint32_t *locals;       /* offset of each local in it */
  uint32_t type;                /* of the process, an index */
  uint32_t number;              /* of the process */
  uint32_t processes, channels; /* how many there are */
  uint32_t last;                /* _last */
} nut_embed_call;

/* What the host does for embedded C. */
typedef struct nut_embed_host {
  void (*say)(const char *text, size_t length); /* what it prints */
  void (*give_up)(int why); /* it cannot go on; does not return */
  void (*complain)(void);   /* it has found an error of the model */
} nut_embed_host;

typedef struct nut_embedded_model {
  uint32_t abi;
  const char *
      key; /* as given to the compiler; see src/program/native/native_cache.c */
  uint32_t memory_count;
  const uint64_t *sizes; /* bytes of each piece of memory of its own */
  void (*open)(const nut_embed_host *);
  /* What embedded C has of its own: in the initial state, in a new process. */
  void (*start)(const nut_embed_call *);
  void (*start_process)(const nut_embed_call *);
  /* The value of piece 'code', 0 if it has none.  Writes only if it is one that
  ** may. */
  int (*run)(uint32_t code, const nut_embed_call *);
} nut_embedded_model;

#define NUT_EMBEDDED_SYMBOL "nut_embedded"

/* Numbers of 1, 2 or 4 bytes in a state. */
static inline uint8_t nut_get1(const uint8_t *at)
{
  return *at;
}

static inline int16_t nut_get2(const uint8_t *at)
{
  int16_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline int32_t nut_get4(const uint8_t *at)
{
  int32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline void nut_put1(uint8_t *at, uint32_t value)
{
  *at = (uint8_t)value;
}

static inline void nut_put2(uint8_t *at, uint32_t value)
{
  uint16_t v = (uint16_t)value;
  memcpy(at, &v, sizeof v);
}

static inline void nut_put4(uint8_t *at, uint32_t value)
{
  memcpy(at, &value, sizeof value);
}

#endif
