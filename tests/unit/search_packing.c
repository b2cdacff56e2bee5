#include "unit.h"

#include "base/random.h"
#include "search/ranks/packing.h"
#include <string.h>

enum { LONGEST = 300, STATES = 400 };

/* A state that differs from the one before in a few places, or in all. */
static uint32_t next_state(random_state *r, uint8_t *state, uint32_t length)
{
  uint64_t how = random_below(r, 10);
  if (how == 0 || !length)
    length = (uint32_t)random_below(r, LONGEST);
  if (how <= 1)
    for (uint32_t i = 0; i < length; i++)
      state[i] = (uint8_t)random_next(r);
  for (uint64_t n = random_below(r, 4); n && length; n--)
    state[random_below(r, length)] = (uint8_t)random_below(r, 3);
  return length;
}

/* None, few or many; never the oldest. */
static uint16_t some_asleep(random_state *r)
{
  uint64_t kind = random_below(r, 3);
  uint64_t any = random_next(r) & (kind == 1 ? 0x3e : 0xfffe);
  return (uint16_t)(kind ? any : 0);
}

static void same_states_come_out(uint64_t seed)
{
  static uint8_t all[STATES][LONGEST];
  uint32_t lengths[STATES], length = 0;
  bool asks[STATES];
  uint16_t asleep[STATES];
  uint8_t state[LONGEST] = {0};
  random_state r;
  packer p = {0};
  batch b = {0};
  random_seed(&r, seed);
  for (int packet = 0; packet < 3; packet++) {
    for (int i = 0; i < STATES; i++) {
      lengths[i] = length = next_state(&r, state, length);
      memcpy(all[i], state, length);
      asks[i] = random_below(&r, 2);
      asleep[i] = some_asleep(&r);
      packer_add(&p, state, length, asks[i], asleep[i]);
    }
    packet_unpack(p.packet.data, p.packet.len, &b, NULL);
    assert_int_equal(b.list.len, STATES);
    for (int i = 0; i < STATES; i++) {
      const successor *s = &b.list.data[i];
      assert_int_equal(s->length, lengths[i]);
      assert_int_equal(s->edge, asks[i]);
      assert_int_equal(s->others, asleep[i]);
      assert_memory_equal(b.bytes.data + s->start, all[i], lengths[i]);
    }
    packer_clear(&p);
  }
  packer_free(&p);
  batch_free(&b);
}

/* With steps each state has its gains, of any size. */
static void steps_have_gains(void **state)
{
  (void)state;
  uint8_t bytes[LONGEST] = {0};
  uint64_t gains[STATES];
  uint32_t lengths[STATES], length = 0;
  random_state r;
  packer p = {0};
  batch b = {0};
  packet_gains found = {0};
  random_seed(&r, 7);
  for (int i = 0; i < STATES; i++) {
    lengths[i] = length = next_state(&r, bytes, length);
    gains[i] = random_next(&r) >> random_below(&r, 64);
    packer_add_step(&p, bytes, length, gains[i]);
  }
  packet_unpack(p.packet.data, p.packet.len, &b, &found);
  assert_int_equal(b.list.len, STATES);
  assert_int_equal(found.len, STATES);
  for (int i = 0; i < STATES; i++) {
    assert_int_equal(b.list.data[i].length, lengths[i]);
    assert_true(found.data[i] == gains[i]);
  }
  assert_memory_equal(b.bytes.data + b.list.data[STATES - 1].start, bytes,
                      length);
  packer_free(&p);
  batch_free(&b);
  vec_free(&found);
}

static void any_states(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++)
    same_states_come_out(seed);
}

/* A step that changes a byte costs a few, however long the state. */
static void small_changes_are_short(void **state)
{
  (void)state;
  uint8_t bytes[200] = {0};
  packer p = {0};
  packer_add(&p, bytes, sizeof bytes, false, 0);
  size_t whole = p.packet.len;
  bytes[100] = 1;
  packer_add(&p, bytes, sizeof bytes, false, 0);
  assert_true(p.packet.len - whole <= 8);
  size_t one = p.packet.len - whole;
  bytes[100] = 2;
  packer_add(&p, bytes, sizeof bytes, false, 0x3e); /* of six processes */
  assert_int_equal(p.packet.len - whole, 2 * one);
  packer_free(&p);
}

UNIT_MAIN(UNIT(any_states), UNIT(steps_have_gains),
          UNIT(small_changes_are_short))
