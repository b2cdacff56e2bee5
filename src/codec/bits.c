/* Encoding and decoding by the plans of 'bits_plan.c'. */

#include "codec/bits.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static inline uint64_t load_window(const uint8_t *at)
{
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* The opposite.  The highest bit of each number, set before the subtraction,
** keeps the borrow inside; afterwards it is what it was, turned when there was
** a borrow. */
static inline uint64_t lower_digits(const bits_window *w, uint64_t x)
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
#include "codec/bits_steps.inc"

#if defined(__x86_64__)
#define STEPS(name) name##_quickly
#define STEPS_TARGET __attribute__((target("bmi2")))
#define STEPS_GATHER(x, m) _pext_u64(x, m)
#define STEPS_SCATTER(x, m) _pdep_u64(x, m)
#include "codec/bits_steps.inc"
#else
#define encode_changed_quickly encode_changed_plainly
#define encode_quickly encode_plainly
#define restore_quickly restore_plainly
#endif

bool bits_encode_changed(const bits_coder *b, const bits_hand *h,
                         const uint8_t *state, uint64_t changed,
                         uint64_t *words)
{
  return b->has_gather ? encode_changed_quickly(h, state, changed, words)
                       : encode_changed_plainly(h, state, changed, words);
}

bool bits_encode(const bits_coder *b, const bits_plan *plan,
                 const uint8_t *state, uint64_t *words)
{
  memset(words, 0, (plan->words + 1) * sizeof *words);
  return b->has_gather ? encode_quickly(plan, state, words)
                       : encode_plainly(plan, state, words);
}

void bits_decode(const bits_coder *b, const bits_plan *plan,
                 const uint64_t *words, uint8_t *state)
{
  memcpy(state, plan->base, plan->length);
  bits_decode_over(b, plan, words, state);
}

void bits_decode_over(const bits_coder *b, const bits_plan *plan,
                      const uint64_t *words, uint8_t *state)
{
  if (b->has_gather)
    restore_quickly(plan, words, state);
  else
    restore_plainly(plan, words, state);
}

/* Both cut the state into the same windows. */
void bits_beyond(const bits_plan *plan, const bits_plan *older, uint64_t *words)
{
  memset(words, 0, (plan->words + 1) * sizeof *words);
  for (uint32_t i = 0; i < plan->window_count; i++) {
    const bits_window *w = &plan->windows[i];
    uint64_t others =
        gather_plainly(w->mask & ~older->windows[i].mask, w->mask);
    words[w->word] |= others << w->shift;
    words[w->word + 1] |= others >> 1 >> (63 - w->shift);
  }
}
