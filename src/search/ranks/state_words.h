/* States as words of eight bytes, the last one filled up with zeros; nothing behind
** a state is read. */

#ifndef NUT_SEARCH_RANKS_STATE_WORDS_H
#define NUT_SEARCH_RANKS_STATE_WORDS_H

#include <stdint.h>
#include <string.h>

enum { STATE_WORD = 8 };

static inline uint64_t state_word_load(const uint8_t *at)
{
  uint64_t word;
  memcpy(&word, at, STATE_WORD);
  return word;
}

static inline uint32_t state_words(uint32_t length)
{
  return (length + STATE_WORD - 1) / STATE_WORD;
}

/* The last word, of a state whose length is no multiple of eight. */
static inline uint64_t state_word_tail(const uint8_t *state, uint32_t length)
{
  uint32_t rest = length % STATE_WORD;
  if (length > STATE_WORD)
    return state_word_load(state + length - STATE_WORD) >>
           8 * (STATE_WORD - rest);
  uint64_t word = 0;
  for (uint32_t i = 0; i < rest; i++)
    word |= (uint64_t)state[i] << 8 * i;
  return word;
}

/* Word 'i', which is there. */
static inline uint64_t state_word(const uint8_t *state, uint32_t i,
                                  uint32_t length)
{
  return (i + 1) * STATE_WORD <= length
             ? state_word_load(state + (size_t)i * STATE_WORD)
             : state_word_tail(state, length);
}

#endif
