/* What happens to the stack of a depth-first search now and then: its tails get
** longer, its memory grows and shrinks. */

#include "search/walk/stack.h"
#include "base/alloc.h"

static uint32_t bits_of(uint64_t value)
{
  return value ? 64 - (uint32_t)__builtin_clzll(value) : 0;
}

/* Everything that follows from the bits of the halves: whole bytes, where the
** lower half has what is left over. */
static void set_shape(stack *s, uint32_t high, uint32_t low)
{
  s->tail = (high + low + 8) / 8;
  uint32_t left = 8 * s->tail - 1 - high - low;
  s->low = low + left > 32 ? 32 : low + left;
  high = 8 * s->tail - 1 - s->low;
  high = high > 31 ? 31 : high;
  s->mask = (UINT64_C(1) << (8 * s->tail - 1)) - 1;
  s->excess =
      ~((((UINT64_C(1) << high) - 1) << 32) | ((UINT64_C(1) << s->low) - 1));
}

bool stack_create(stack *s, size_t max_bytes, uint32_t high, uint32_t low)
{
  *s = (stack){0};
  set_shape(s, high, low);
  return space_reserve(&s->bytes, max_bytes);
}

void stack_destroy(stack *s)
{
  reserve_destroy(&s->bytes);
  *s = (stack){0};
}

/* Half of the memory may be without use before it is given back. */
static void set_give_at(stack *s)
{
  size_t half = s->bytes.committed / 2;
  s->give_at = half < STACK_GIVE_BACK ? 0 : half;
}

bool stack_make_room(stack *s, size_t bytes)
{
  if (!reserve_commit(&s->bytes, bytes + STACK_SLACK))
    return false;
  set_give_at(s);
  return true;
}

void stack_give_back(stack *s)
{
  reserve_shrink(&s->bytes, s->used + s->used / 4 + STACK_SLACK);
  set_give_at(s);
}

static void write_tail(uint8_t *at, uint64_t tail, uint32_t bytes)
{
  for (uint32_t i = 0; i < bytes; i++, tail >>= 8)
    at[i] = (uint8_t)tail;
}

static uint64_t packed(const stack *s, uint64_t value, bool mark)
{
  return (value >> 32 << s->low | (uint32_t)value) | (uint64_t)mark
                                                         << (8 * s->tail - 1);
}

/* From the top down, as entries move up. */
static void repack(stack *s, const stack *old, uint32_t length)
{
  size_t count = old->used / (length + old->tail);
  s->used = count * (length + s->tail);
  for (size_t i = count; i--;) {
    size_t from = i * (length + old->tail), to = i * (length + s->tail);
    size_t end = from + length + old->tail;
    uint64_t tail = packed(s, stack_value(old, end), stack_marked(old, end));
    memmove(s->bytes.base + to, s->bytes.base + from, length);
    write_tail(s->bytes.base + to + length, tail, s->tail);
  }
}

bool stack_widen(stack *s, uint64_t value, uint32_t length)
{
  stack wide = *s;
  uint64_t all = value | ~s->excess;
  uint32_t high = bits_of(all >> 32), low = bits_of((uint32_t)all);
  set_shape(&wide, high > 31 ? 31 : high, low);
  size_t count = s->used / (length + s->tail);
  if (!stack_make_room(&wide, count * (length + wide.tail)))
    return false;
  repack(&wide, s, length);
  *s = wide;
  return true;
}

size_t stack_set(stack *s, size_t end, uint64_t value, uint32_t length)
{
  size_t count = end / (length + s->tail);
  if ((value & s->excess) && !stack_widen(s, value, length))
    mem_give_up();
  end = count * (length + s->tail);
  write_tail(s->bytes.base + end - s->tail,
             packed(s, value, stack_marked(s, end)), s->tail);
  return end;
}
