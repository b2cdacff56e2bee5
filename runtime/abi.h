/* The boundary between Nutshell and the native code of a model.
**
** Native code is one shared object with one symbol, 'nut_native_model': the
** struct at the end of this file.  It computes the successors of a state into
** memory that the host lends it in a 'nut_run', and calls nothing of the host
** but the C that is embedded in the model.
** What it cannot or need not do (faults, endless atomic sequences, rare
** operators) it gives back: the host then asks the interpreter.
**
** Included by the host (src/program) and by every emitted model; whoever
** changes a struct here counts up NUT_ABI. */

#ifndef NUT_RUNTIME_ABI_H
#define NUT_RUNTIME_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
  NUT_ABI = 5,
  NUT_PROCESSES = 255, /* most of each that a state can have */
  NUT_CHANNELS = 255,
  NUT_ENTITIES = NUT_PROCESSES + NUT_CHANNELS,
  NUT_STATE = 1 << 24, /* bytes */
  NUT_FIELDS = 64,     /* of a message over a rendezvous channel or port */
  NUT_JOINS = 1024,    /* edges by which members can join a multicast */
  /* From here on the interpreter watches atomic sequences for loops. */
  NUT_ATOMIC_STEPS = 1 << 18,
  /* And from here on native code looks out for the simple ones. */
  NUT_FIRST_MILESTONE = 1 << 12,
  /* Turns of a loop inside one d_step before the interpreter looks at it. */
  NUT_TURNS = 1 << 16
};

/* What the functions of native code answer; not negative: how many steps, or
** whether there were any. */
enum {
  NUT_BAIL = -1, /* not for native code: the interpreter shall look at it */
  NUT_ROOM = -2  /* the memory lent is too small */
};

/* Who takes part in a step besides the one who begins it: 0, nobody; one, by
** its number plus 1; or several. */
enum { NUT_SEVERAL = 0xffff };

/* As 'successor' of the host. */
typedef struct nut_successor {
  uint32_t start, length;
  uint32_t edge;
  uint16_t process, others;
  uint64_t changed;
  uint32_t first_step, steps;
} nut_successor;

/* What a process may do to the globals by its next step, whichever that is: bits
** for what it tests, reads or writes, and for what it writes.  See emit_touch.c
** of the host, and search/levels/asleep.h. */
typedef struct nut_touch {
  uint64_t uses, writes;
} nut_touch;
/* Every process uses this bit, and one of which nothing is known writes it. */
#define NUT_TOUCH_ANY (UINT64_C(1) << 63)

/* A state inside an atomic sequence; 'made' is what its successors inherit,
** its bytes are in 'frame_bytes'. */
typedef struct nut_frame {
  nut_successor made;
  uint32_t process; /* has control */
} nut_frame;

/* Where the next successor goes. */
typedef struct nut_out {
  uint8_t *bytes; /* next free byte */
  uint8_t *end;
  nut_successor *list; /* next free entry */
  nut_successor *list_end;
  uint8_t *first; /* start of all bytes */
  uint8_t *reached;
} nut_out;

/* Who offers a rendezvous, and by which edge. */
typedef struct nut_sender {
  uint32_t edge, process, self;
  uint64_t mine;
} nut_sender;

/* Who joins a multicast: by one of the edges 'first' up to 'end'. */
typedef struct nut_member {
  uint32_t first, end, chosen;
} nut_member;

struct nut_run;

/* C embedded in the model, which the host has compiled by itself: runs piece
** 'code' for a process, in 'state', and puts its value into 'embed_value'.  0:
** the interpreter shall look at it. */
typedef int nut_embed(struct nut_run *, uint32_t code, uint8_t *state,
                      uint32_t process, uint32_t self, uint32_t type);

typedef struct nut_run {
  /* Lent by the host.  'current' and 'sent' have room for 'scratch' bytes. */
  nut_out out;
  nut_touch *touches; /* NUT_PROCESSES of them: of those that have steps */
  nut_successor *list;
  uint8_t *frame_bytes, *frame_bytes_end;
  nut_frame *frames, *frames_end;
  uint8_t *current, *sent;
  uint32_t scratch;
  nut_embed *embed; /* the only function of the host that is called */
  void *embed_host;
  int32_t embed_value;

  /* Answers. */
  uint32_t blocked, invalid_end;
  uint64_t atomic_steps;

  /* While running. */
  uint8_t *next_frame_byte;
  nut_frame *next_frame;
  uint32_t timeout;
  uint32_t handshake; /* channel of a rendezvous offered, port of a multicast */
  int32_t message[NUT_FIELDS];
  const uint8_t *before; /* the state in which it is offered */
  nut_sender sender;
  uint64_t sender_changed; /* by the effects of the sender's edge */
  uint32_t members, joins;
  nut_member member[NUT_PROCESSES];
  nut_sender join[NUT_JOINS];
  uint32_t committed; /* some process is at a committed location */

  /* The shape of the state expanded, for layouts that are not fixed: entities
  ** as they stand, and processes and channels by number.  An edge that creates
  ** processes appends to the latter two; the counts are put back after it. */
  uint32_t shape_is_other; /* it is that of another state on the way */
  uint32_t entities, length;
  uint32_t processes, channels;
  uint32_t all_processes, all_channels;
  uint32_t entity_offset[NUT_ENTITIES];
  uint16_t entity_tag[NUT_ENTITIES];
  uint32_t process_offset[NUT_PROCESSES];
  uint16_t process_type[NUT_PROCESSES];
  uint64_t process_bit[NUT_PROCESSES];
  uint32_t channel_offset[NUT_CHANNELS + 1]; /* numbered from 1 */
  uint16_t channel_type[NUT_CHANNELS + 1];
  uint64_t channel_bit[NUT_CHANNELS + 1];
} nut_run;

typedef struct nut_native {
  uint32_t abi;      /* NUT_ABI */
  uint32_t run_size; /* sizeof (nut_run) */
  const char *
      key; /* as given to the compiler; see src/program/native/native_cache.c */
  /* All successors of 'state'.  0, NUT_BAIL or NUT_ROOM; 'run' holds answers
  ** only after 0. */
  int (*successors)(nut_run *run, const uint8_t *state, uint32_t length);
} nut_native;

#define NUT_NATIVE_SYMBOL "nut_native_model"

#endif
