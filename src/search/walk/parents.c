#include "search/walk/parents.h"

#include <assert.h>

enum { WORD = 64 };

static const uint64_t *words_of(const parents *p)
{
  return (const uint64_t *)p->bits.base;
}

bool parents_add(parents *p, uint64_t found)
{
  /* New memory is zero, so only the ones are written. */
  uint64_t end = p->used + found + 1;
  if (end / WORD * 8 + 8 > p->bits.committed &&
      !reserve_commit(&p->bits, end / WORD * 8 + 8))
    return false;
  uint64_t *words = (uint64_t *)p->bits.base;
  for (uint64_t i = p->used; i < end - 1; i++)
    words[i / WORD] |= UINT64_C(1) << i % WORD;
  p->used = end;
  p->ones += found;
  return true;
}

/* The place of the k-th one (from 1) of a word that has at least k. */
static unsigned place_of_one(uint64_t word, uint64_t k)
{
  while (--k)
    word &= word - 1;
  return (unsigned)__builtin_ctzll(word);
}

static void reverse(number_list *path)
{
  for (size_t i = 0, n = path->len; i < n / 2; i++) {
    uint64_t other = path->data[n - 1 - i];
    path->data[n - 1 - i] = path->data[i];
    path->data[i] = other;
  }
}

void parents_path(const parents *p, uint64_t number, number_list *path)
{
  vec_clear(path);
  vec_push(path, number);
  /* Parents have smaller numbers: one walk from the end to the start. */
  uint64_t word = (p->used + WORD - 1) / WORD, before = p->ones;
  assert(number <= p->ones);
  while (number) {
    while (before >= number)
      before -= (uint64_t)__builtin_popcountll(words_of(p)[--word]);
    unsigned place = place_of_one(words_of(p)[word], number - before);
    number = word * WORD + place - (number - 1);
    vec_push(path, number);
  }
  reverse(path);
}
