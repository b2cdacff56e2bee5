/* Encoding and decoding by the plans of 'bitpack_plan.c'. */

#include "codec/bitpack.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static inline uint64_t load(const uint8_t *at)
{
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* The opposite.  The highest bit of each number, set before the subtraction,
** keeps the borrow inside; afterwards it is what it was, turned when there was
** a borrow. */
static inline uint64_t lower(const bitpack_window *w, uint64_t x)
{
  return ((x | ~w->carry) - w->bias) ^ (~x & ~w->carry);
}

static inline uint64_t gather_plainly(uint64_t x, uint64_t mask)
{
  uint64_t out = 0;
  for (uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
    if (x & mask & (0 - mask))
      out |= bit;
  return out;
}

static inline uint64_t scatter_plainly(uint64_t x, uint64_t mask)
{
  uint64_t out = 0;
  for (; mask; mask &= mask - 1, x >>= 1)
    if (x & 1)
      out |= mask & (0 - mask);
  return out;
}

#define STEPS(name) name##_plainly
#define STEPS_TARGET
#define STEPS_GATHER(x, m) gather_plainly(x, m)
#define STEPS_SCATTER(x, m) scatter_plainly(x, m)
#include "codec/bitpack_steps.inc"

#if defined(__x86_64__)
#define STEPS(name) name##_quickly
#define STEPS_TARGET __attribute__((target("bmi2")))
#define STEPS_GATHER(x, m) _pext_u64(x, m)
#define STEPS_SCATTER(x, m) _pdep_u64(x, m)
#include "codec/bitpack_steps.inc"
#else
#define change_quickly change_plainly
#define restore_quickly restore_plainly
#endif

static bool change(const bitpack *b, const bitpack_plan *plan, uint32_t first,
                   uint32_t end, const uint8_t *from, const uint8_t *to,
                   uint64_t *words)
{
  const bitpack_window *w = plan->windows;
  return b->has_gather ? change_quickly(w + first, w + end, from, to, words)
                       : change_plainly(w + first, w + end, from, to, words);
}

bool bitpack_encode_changed(const bitpack *b, const bitpack_hand *h,
                            const uint8_t *state, uint64_t changed,
                            uint64_t *words)
{
  const bitpack_plan *plan = h->plan;
  bool fits = true;
  uint32_t done = 0;
  for (uint32_t i = 0; i <= plan->words; i++)
    words[i] = h->words[i];
  if (changed == UINT64_MAX)
    return change(b, plan, 0, plan->window_count, h->state, state, words);
  /* A window can be of two components; it must be looked at once. */
  for (uint64_t left = changed & UINT64_MAX >> 1; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(left);
    uint32_t first = plan->firsts[i] > done ? plan->firsts[i] : done;
    fits &= change(b, plan, first, plan->ends[i], h->state, state, words);
    done = plan->ends[i];
  }
  if (changed >> 63 && plan->component_count > 63) {
    uint32_t first = plan->firsts[63] > done ? plan->firsts[63] : done;
    fits &= change(b, plan, first, plan->window_count, h->state, state, words);
  }
  return fits;
}

bool bitpack_encode(const bitpack *b, const bitpack_plan *plan,
                    const uint8_t *state, uint64_t *words)
{
  memset(words, 0, (plan->words + 1) * sizeof *words);
  return change(b, plan, 0, plan->window_count, plan->base, state, words);
}

void bitpack_decode(const bitpack *b, const bitpack_plan *plan,
                    const uint64_t *words, uint8_t *state)
{
  memcpy(state, plan->base, plan->length);
  if (b->has_gather)
    restore_quickly(plan, words, state);
  else
    restore_plainly(plan, words, state);
}
