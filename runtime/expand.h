/* Successors of a state, in the order of the interpreter (src/program/
** interp.c): processes from the youngest to the oldest, then what atomic
** sequences left waiting.
**
** Comes after the functions emitted for the process types.  The model says
**
**   model_moves(x, s, length, i)      all steps of process i
**   model_moves_all(x, s, length)     of every process, youngest first
**   model_ends_badly(x, s)            some process is not at a valid end
**   model_walk(x, s, length)          finds the shape of a state
**   model_survey(x, s)                whether some process is committed
**   MODEL_TIMEOUT                     whether 'timeout' is used */

#ifndef NUT_RUNTIME_EXPAND_H
#define NUT_RUNTIME_EXPAND_H

#include "runtime/path.h"

static int model_moves(nut_run *, const uint8_t *s, uint32_t length,
                       uint32_t process);
static int model_moves_all(nut_run *, const uint8_t *s, uint32_t length);
static int model_ends_badly(const nut_run *, const uint8_t *s);
static void model_walk(nut_run *, const uint8_t *s, uint32_t length);
static void model_survey(nut_run *, const uint8_t *s);

/* ---- atomic sequences ------------------------------------------------- */

/* A process that has control is blocked: the state is a successor after all. */
static int nut_give_up_control(nut_run *x, const nut_frame *f)
{
  nut_out *o = &x->out;
  if (!nut_begin(x, x->current, f->made.length))
    return NUT_ROOM;
  nut_successor *e = o->list++;
  *e = f->made;
  e->start = (uint32_t)(o->bytes - o->first);
  e->first_step = e->steps = 0;
  o->bytes += f->made.length;
  return 0;
}

/* Nothing came or went on the way to most frames, and then their shape is
** that of the state expanded, if this is still the one that is known. */
static void nut_look_at_frame(nut_run *x, const nut_frame *f)
{
  if (f->made.changed == UINT64_MAX || x->shape_is_other) {
    x->shape_is_other = 1;
    model_walk(x, x->current, f->made.length);
  }
  model_survey(x, x->current);
}

static int nut_continue_frame(nut_run *x)
{
  nut_frame f = *--x->next_frame;
  x->next_frame_byte = x->frame_bytes + f.made.start;
  if (NUT_RARE(f.made.length > x->scratch))
    return NUT_ROOM;
  memcpy(x->current, x->next_frame_byte, f.made.length);
  nut_look_at_frame(x, &f);
  nut_mark here = nut_mark_here(x);
  int result = model_moves(x, x->current, f.made.length, f.process);
  nut_touch_all(x, f.process); /* not by where it is now */
  if (NUT_RARE(result < 0))
    return result;
  if (nut_inherit_since(x, here, &f.made))
    return 0;
  return nut_give_up_control(x, &f);
}

/* The frame to be continued next, as a number. */
static uint64_t nut_hash_frame(const nut_run *x)
{
  const nut_frame *f = x->next_frame - 1;
  const uint8_t *at = x->frame_bytes + f->made.start;
  uint64_t h = f->process + 1, word;
  uint32_t i = 0;
  for (; i + sizeof word <= f->made.length; i += sizeof word) {
    memcpy(&word, at + i, sizeof word);
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  for (; i < f->made.length; i++)
    h = (h ^ at[i]) * 0x100000001b3u;
  return h;
}

/* A state whose successors are being followed: its number, the frames up to and
** with it, and the steps to the next.  See intermediate.c of the host. */
typedef struct nut_milestone {
  uint64_t hash, gap, next;
  ptrdiff_t height;
} nut_milestone;

/* A sequence that seems to come back to its milestone is left to the
** interpreter, which knows what to do with circles. */
static int nut_in_circles(const nut_run *x, nut_milestone *m)
{
  ptrdiff_t height = x->next_frame - x->frames;
  uint64_t hash = nut_hash_frame(x);
  if (height < m->height)
    m->gap = NUT_FIRST_MILESTONE;
  else if (m->height && hash == m->hash)
    return 1;
  if (height < m->height || x->atomic_steps >= m->next) {
    m->hash = hash;
    m->height = height;
    m->gap *= 2;
    m->next = x->atomic_steps + m->gap;
  }
  return 0;
}

static int nut_continue_frames(nut_run *x)
{
  nut_milestone last = {0, NUT_FIRST_MILESTONE, NUT_FIRST_MILESTONE, 0};
  while (x->next_frame != x->frames) {
    if (NUT_RARE(x->atomic_steps >= NUT_FIRST_MILESTONE) &&
        nut_in_circles(x, &last))
      return NUT_BAIL;
    int result = nut_continue_frame(x);
    if (NUT_RARE(result < 0))
      return result;
    if (NUT_RARE(x->atomic_steps >= NUT_ATOMIC_STEPS))
      return NUT_BAIL;
  }
  return 0;
}

/* ---- all -------------------------------------------------------------- */

static int nut_successors(nut_run *x, const uint8_t *s, uint32_t length)
{
  x->next_frame = x->frames;
  x->next_frame_byte = x->frame_bytes;
  x->atomic_steps = 0;
  x->timeout = 0;
  x->blocked = x->invalid_end = 0;
  x->shape_is_other = 0;
  model_walk(x, s, length);
  model_survey(x, s);
  nut_mark here = nut_mark_here(x);
  int result = model_moves_all(x, s, length);
  if (NUT_RARE(result < 0))
    return result;
  if (MODEL_TIMEOUT && x->out.list == here.list &&
      x->next_frame == here.frame) {
    x->timeout = 1;
    result = model_moves_all(x, s, length);
    x->timeout = 0;
    if (NUT_RARE(result < 0))
      return result;
  }
  if (x->out.list == here.list && x->next_frame == here.frame) {
    x->blocked = 1;
    x->invalid_end = (uint32_t)model_ends_badly(x, s);
    return 0;
  }
  return nut_continue_frames(x);
}

#endif
