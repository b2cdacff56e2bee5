/* The files of runtime/, with a model written by hand in place of an emitted
** one: two processes and a queue between them.
**
**   process 0   0 --q!7--> 1 --atomic--> 2 --> 0
**   process 1   0 --q?--> 0
**
** State: [tag, location] of process 0, the same of process 1, then the queue
** [tag, length, two messages]; tags 0, 1 and 2. */

#include "runtime/channel.h"
#include "runtime/path.h"
#include "runtime/shape.h"
#include "unit.h"

enum { MODEL_TIMEOUT = 0, QUEUE = 4, LENGTH = 8, SENDS = 10, RECEIVES = 20 };
static const uint32_t sizes[] = {2, 2, 4};

static int sender_moves(nut_run *x, const uint8_t *s, uint32_t length)
{
  uint8_t *d;
  uint32_t at = s[1], count = s[QUEUE + 1];
  if (at == 0 && count < 2) {
    if (!(d = nut_begin(x, s, length)))
      return NUT_ROOM;
    d[QUEUE + 2 + count] = 7;
    d[QUEUE + 1] = (uint8_t)(count + 1);
    d[1] = 1;
    nut_end(x, d, length, SENDS, 0, x->process_bit[0] | x->channel_bit[1]);
  }
  if (at == 1) {
    if (!(d = nut_begin_atomic(x, s, length)))
      return NUT_ROOM;
    d[1] = 2;
    nut_end_atomic(x, d, length, SENDS + 1, 0, x->process_bit[0]);
  }
  if (at == 2) {
    if (!(d = nut_begin(x, s, length)))
      return NUT_ROOM;
    d[1] = 0;
    nut_end(x, d, length, SENDS + 2, 0, x->process_bit[0]);
  }
  return 0;
}

static int receiver_moves(nut_run *x, const uint8_t *s, uint32_t length)
{
  if (!s[QUEUE + 1])
    return 0;
  uint8_t *d = nut_begin(x, s, length);
  if (!d)
    return NUT_ROOM;
  nut_shift(d + QUEUE + 2, 2, 1);
  d[QUEUE + 1]--;
  nut_end(x, d, length, RECEIVES, 1, x->channel_bit[1]);
  return 0;
}

static int model_moves(nut_run *x, const uint8_t *s, uint32_t length,
                       uint32_t i)
{
  return i ? receiver_moves(x, s, length) : sender_moves(x, s, length);
}

static int model_moves_all(nut_run *x, const uint8_t *s, uint32_t length)
{
  for (uint32_t i = x->processes; i-- > 0;) {
    int result = model_moves(x, s, length, i);
    if (result < 0)
      return result;
  }
  return 0;
}

static int model_answers_all(nut_run *x, const uint8_t *s, uint32_t length,
                             uint32_t sender)
{
  (void)x, (void)s, (void)length, (void)sender;
  return 0;
}

static int model_ends_badly(const nut_run *x, const uint8_t *s)
{
  return x->processes != 2 || s[1] != 0;
}

static void model_walk(nut_run *x, const uint8_t *s, uint32_t length)
{
  nut_walk(x, s, length, 0, 1, 1, 2, sizes);
}

static void model_survey(nut_run *x, const uint8_t *s)
{
  (void)x, (void)s;
}

#include "runtime/expand.h"

/* ---- a run with its memory -------------------------------------------- */

enum { STATES = 8 };

typedef struct bench {
  nut_run run;
  uint8_t bytes[STATES * LENGTH], frame_bytes[STATES * LENGTH];
  nut_successor list[STATES];
  nut_frame frames[STATES];
  nut_touch touches[NUT_PROCESSES];
  uint8_t current[LENGTH], sent[LENGTH], reached[32];
} bench;

static int expand(bench *b, const uint8_t *state, uint32_t room)
{
  nut_run *x = &b->run;
  x->out = (nut_out){.bytes = b->bytes,
                     .end = b->bytes + room * LENGTH,
                     .list = b->list,
                     .list_end = b->list + STATES,
                     .first = b->bytes,
                     .reached = b->reached};
  x->touches = b->touches;
  x->frame_bytes = b->frame_bytes;
  x->frame_bytes_end = b->frame_bytes + sizeof b->frame_bytes;
  x->frames = b->frames;
  x->frames_end = b->frames + STATES;
  x->current = b->current;
  x->sent = b->sent;
  x->scratch = LENGTH;
  return nut_successors(x, state, LENGTH);
}

static size_t found(const bench *b)
{
  return (size_t)(b->run.out.list - b->list);
}

/* ---- tests ------------------------------------------------------------ */

static void shapes(void **unused)
{
  (void)unused;
  static const uint8_t two[LENGTH] = {0, 0, 1, 0, 2, 0, 0, 0};
  static const uint8_t one[LENGTH] = {2, 0, 0, 0, 1, 0, 0, 0};
  nut_run x = {0};
  model_walk(&x, two, LENGTH);
  assert_int_equal(x.processes, 2);
  assert_int_equal(x.channels, 1);
  assert_int_equal(x.process_offset[1], 2);
  assert_int_equal(x.process_bit[1], 4);
  assert_int_equal(x.channel_offset[1], 4);
  assert_int_equal(x.channel_bit[1], 8);
  /* What an edge created is forgotten, also when the shape is not new. */
  nut_add_process(&x, 0, 8);
  model_walk(&x, two, LENGTH);
  assert_int_equal(x.processes, 2);
  /* The same length, but the queue comes first. */
  model_walk(&x, one, 6);
  assert_int_equal(x.processes, 1);
  assert_int_equal(x.channel_offset[1], 0);
  assert_int_equal(x.process_offset[0], 4);
}

static void bits(void **unused)
{
  (void)unused;
  assert_true(nut_bit(3) == 8);
  assert_true(nut_bit(63) == UINT64_C(1) << 63);
  assert_true(nut_bit(200) == UINT64_C(1) << 63);
  assert_true(nut_slices(6, 4, 3) == 3); /* bytes 6 .. 9 of slices of 8 */
  assert_true(nut_slices(6, 2, 3) == 1);
}

/* The youngest process moves first. */
static void order(void **unused)
{
  (void)unused;
  static const uint8_t state[LENGTH] = {0, 0, 1, 0, 2, 1, 5, 0};
  bench b = {0};
  assert_int_equal(expand(&b, state, STATES), 0);
  assert_int_equal(found(&b), 2);
  assert_int_equal(b.list[0].edge, RECEIVES);
  assert_int_equal(b.list[0].process, 1);
  assert_int_equal(b.list[0].changed, 8);
  assert_int_equal(b.bytes[5], 0);
  assert_int_equal(b.bytes[6], 0);
  assert_int_equal(b.list[1].edge, SENDS);
  assert_int_equal(b.list[1].changed, 2 | 8);
  assert_int_equal(b.bytes[LENGTH + 7], 7);
  assert_int_equal(b.reached[SENDS], 1);
  assert_int_equal(b.reached[SENDS + 1], 0);
}

/* A chain of steps is one successor, known by its first edge. */
static void atomic(void **unused)
{
  (void)unused;
  static const uint8_t state[LENGTH] = {0, 1, 1, 0, 2, 0, 0, 0};
  bench b = {0};
  assert_int_equal(expand(&b, state, STATES), 0);
  assert_int_equal(found(&b), 1);
  assert_int_equal(b.run.atomic_steps, 1);
  assert_int_equal(b.list[0].edge, SENDS + 1);
  assert_int_equal(b.bytes[1], 0);
  assert_int_equal(b.reached[SENDS + 2], 1);
}

static void too_little_room(void **unused)
{
  (void)unused;
  static const uint8_t state[LENGTH] = {0, 0, 1, 0, 2, 1, 5, 0};
  bench b = {0};
  assert_int_equal(expand(&b, state, 1), NUT_ROOM);
  assert_int_equal(expand(&b, state, 2), 0);
}

static void blocked(void **unused)
{
  (void)unused;
  uint8_t state[LENGTH] = {0, 3, 1, 0, 2, 0, 0, 0};
  bench b = {0};
  assert_int_equal(expand(&b, state, STATES), 0);
  assert_int_equal(found(&b), 0);
  assert_int_equal(b.run.blocked, 1);
  assert_int_equal(b.run.invalid_end, 1);
}

/* Every way to take messages out against the plain one. */
static void queues(void **unused)
{
  (void)unused;
  for (uint32_t slot = 0; slot < 3; slot++) {
    uint8_t q[8] = {1, 2, 3, 4, 5, 6, 0, 0}, left[8] = {0};
    for (uint32_t i = 0, k = 0; i < 3; i++)
      if (i != slot)
        memcpy(left + 2 * k++, q + 2 * i, 2);
    nut_remove(q, slot, 3, 2);
    assert_memory_equal(q, left, 8);
    uint8_t *at = nut_insert(q, slot, 2, 2);
    at[0] = (uint8_t)(2 * slot + 1), at[1] = (uint8_t)(2 * slot + 2);
    assert_memory_equal(q, ((uint8_t[]){1, 2, 3, 4, 5, 6, 0, 0}), 8);
  }
  uint8_t q[8] = {1, 2, 3, 4, 0, 0, 0, 0};
  nut_shift(q, 8, 2);
  assert_memory_equal(q, ((uint8_t[]){3, 4, 0, 0, 0, 0, 0, 0}), 8);
  assert_int_equal(nut_messages(q, 0), 0);
  assert_int_equal(nut_messages(q, 4), 3);
  assert_int_equal(nut_is_full(q, 3), 1);
  assert_int_equal(nut_is_full(q, 0), 0);
}

static void finding_processes(void **unused)
{
  (void)unused;
  static const uint16_t types[] = {4, 2, 4};
  assert_int_equal(nut_find(types, 3, 4, -1), 0);
  assert_int_equal(nut_find(types, 3, 2, -1), 1);
  assert_int_equal(nut_find(types, 3, 4, 2), 2);
  assert_int_equal(nut_find(types, 3, 4, 1), -1);
  assert_int_equal(nut_find(types, 3, 4, 3), -1);
  assert_int_equal(nut_find(types, 3, 9, -1), -1);
}

/* What cannot be computed ends at 'bail'. */
static int32_t guarded(int32_t index, int32_t a, int32_t b)
{
  static const int32_t list[] = {10, 20};
  return list[NUT_INDEX(index, 2)] + NUT_DIVIDE(a, /, b) +
         NUT_WITHIN(a, 0, 100) + (int32_t)NUT_CHANNEL(b, 5);
bail:
  return -1;
}

static void giving_up(void **unused)
{
  (void)unused;
  assert_int_equal(guarded(1, 6, 3), 20 + 2 + 6 + 3);
  assert_int_equal(guarded(2, 6, 3), -1);
  assert_int_equal(guarded(-1, 6, 3), -1);
  assert_int_equal(guarded(0, 6, 0), -1);
  assert_int_equal(guarded(0, 6, -1), -1);
  assert_int_equal(guarded(0, 101, 3), -1);
  assert_int_equal(guarded(0, 6, 6), -1);
}

UNIT_MAIN(UNIT(shapes), UNIT(bits), UNIT(order), UNIT(atomic),
          UNIT(too_little_room), UNIT(blocked), UNIT(queues),
          UNIT(finding_processes), UNIT(giving_up))
