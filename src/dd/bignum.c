/* Arithmetic on words of 32 bits, by the methods of school. */

#include "dd/bignum.h"

#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { WORD_BITS = 32 };

/* Decimal digits taken at once: 10^9 is the largest power in a word. */
enum { DIGITS = 9, DIGITS_BASE = 1000000000 };

void bignum_free(bignum *b)
{
  mem_free(b->words, b->cap * sizeof *b->words);
  *b = (bignum){0};
}

static bool has_room_for_words(bignum *b, size_t words)
{
  if (words <= b->cap)
    return true;
  size_t cap = words + words / 2;
  uint32_t *new = mem_try_resize(b->words, b->cap * sizeof *new,
                                 mem_product(cap, sizeof *new));
  if (!new)
    return false;
  b->words = new;
  b->cap = cap;
  return true;
}

static void drop_leading_zeros(bignum *b)
{
  while (b->len && !b->words[b->len - 1])
    b->len--;
}

bool bignum_set(bignum *b, uint64_t value)
{
  if (!has_room_for_words(b, 2))
    return false;
  b->words[0] = (uint32_t)value;
  b->words[1] = (uint32_t)(value >> WORD_BITS);
  b->len = 2;
  drop_leading_zeros(b);
  return true;
}

bool bignum_copy(bignum *b, const bignum *from)
{
  if (!has_room_for_words(b, from->len))
    return false;
  if (from->len)
    memmove(b->words, from->words, from->len * sizeof *b->words);
  b->len = from->len;
  return true;
}

bool bignum_add(bignum *b, const bignum *c)
{
  size_t len = (b->len > c->len ? b->len : c->len) + 1, c_len = c->len;
  if (!has_room_for_words(b, len))
    return false;
  uint64_t carry = 0;
  for (size_t i = 0; i < len; i++) {
    carry += i < b->len ? b->words[i] : 0;
    carry += i < c_len ? c->words[i] : 0;
    b->words[i] = (uint32_t)carry;
    carry >>= WORD_BITS;
  }
  b->len = len;
  drop_leading_zeros(b);
  return true;
}

void bignum_subtract(bignum *b, const bignum *c)
{
  assert(bignum_compare(b, c) >= 0);
  uint64_t borrow = 0;
  for (size_t i = 0; i < b->len; i++) {
    uint64_t take = borrow + (i < c->len ? c->words[i] : 0);
    borrow = b->words[i] < take;
    b->words[i] = (uint32_t)(b->words[i] - take);
  }
  drop_leading_zeros(b);
}

bool bignum_multiply(bignum *b, uint64_t factor)
{
  size_t old = b->len;
  if (!has_room_for_words(b, old + 2))
    return false;
  b->words[old] = b->words[old + 1] = 0;
  /* The factor's halves, one after the other, would need a copy; so the
  ** product of a word is kept in two parts that never overflow. */
  uint64_t low = (uint32_t)factor, high = factor >> WORD_BITS;
  uint64_t carry = 0, previous = 0;
  for (size_t i = 0; i < old + 2; i++) {
    uint64_t word = b->words[i];
    uint64_t first = word * low + (uint32_t)carry;
    uint64_t second = previous * high + (uint32_t)first;
    b->words[i] = (uint32_t)second;
    carry = (carry >> WORD_BITS) + (first >> WORD_BITS) + (second >> WORD_BITS);
    previous = word;
  }
  assert(!carry);
  b->len = old + 2;
  drop_leading_zeros(b);
  return true;
}

bool bignum_product(bignum *b, const bignum *c, const bignum *d)
{
  size_t len = c->len + d->len;
  if (!has_room_for_words(b, len))
    return false;
  if (len)
    memset(b->words, 0, len * sizeof *b->words);
  for (size_t i = 0; i < c->len; i++) {
    uint64_t carry = 0;
    for (size_t k = 0; k < d->len; k++) {
      carry += (uint64_t)c->words[i] * d->words[k] + b->words[i + k];
      b->words[i + k] = (uint32_t)carry;
      carry >>= WORD_BITS;
    }
    b->words[i + d->len] = (uint32_t)carry;
  }
  b->len = len;
  drop_leading_zeros(b);
  return true;
}

/* Answers the remainder. */
static uint32_t divide(bignum *b, uint32_t by)
{
  uint64_t rest = 0;
  for (size_t i = b->len; i--;) {
    rest = rest << WORD_BITS | b->words[i];
    b->words[i] = (uint32_t)(rest / by);
    rest %= by;
  }
  drop_leading_zeros(b);
  return (uint32_t)rest;
}

void bignum_divide(bignum *b, uint32_t by)
{
  divide(b, by);
}

bool bignum_shift_left(bignum *b, size_t bits)
{
  if (!b->len)
    return true;
  size_t words = bits / WORD_BITS, rest = bits % WORD_BITS;
  size_t old = b->len, len = old + words + 1;
  if (!has_room_for_words(b, len))
    return false;
  for (size_t i = len; i-- > words;) {
    uint64_t high = i - words < old ? b->words[i - words] : 0;
    uint64_t low = i > words ? b->words[i - words - 1] : 0;
    b->words[i] = (uint32_t)((high << WORD_BITS | low) >> (WORD_BITS - rest));
  }
  memset(b->words, 0, words * sizeof *b->words);
  b->len = len;
  drop_leading_zeros(b);
  return true;
}

void bignum_shift_right(bignum *b, size_t bits)
{
  size_t words = bits / WORD_BITS, rest = bits % WORD_BITS;
  if (words >= b->len) {
    b->len = 0;
    return;
  }
  size_t len = b->len - words;
  for (size_t i = 0; i < len; i++) {
    uint64_t low = b->words[i + words];
    uint64_t high = i + words + 1 < b->len ? b->words[i + words + 1] : 0;
    b->words[i] = (uint32_t)((high << WORD_BITS | low) >> rest);
  }
  b->len = len;
  drop_leading_zeros(b);
}

int bignum_compare(const bignum *b, const bignum *c)
{
  if (b->len != c->len)
    return b->len < c->len ? -1 : 1;
  for (size_t i = b->len; i--;)
    if (b->words[i] != c->words[i])
      return b->words[i] < c->words[i] ? -1 : 1;
  return 0;
}

bool bignum_to_u64(const bignum *b, uint64_t *value)
{
  if (b->len > 2)
    return false;
  *value = b->len > 1 ? (uint64_t)b->words[1] << WORD_BITS : 0;
  *value |= b->len ? b->words[0] : 0;
  return true;
}

double bignum_to_double(const bignum *b)
{
  double result = 0;
  /* Three words hold more bits than a double; the others only scale it. */
  size_t first = b->len > 3 ? b->len - 3 : 0;
  for (size_t i = b->len; i-- > first;)
    result = result * 4294967296.0 + b->words[i];
  size_t exponent = first * WORD_BITS;
  return exponent > 4096 ? HUGE_VAL : ldexp(result, (int)exponent);
}

char *bignum_text(const bignum *b)
{
  bignum left = {0};
  size_t most = b->len * 10 + 1; /* a word has less than ten digits */
  char *digits = mem_try_alloc(most + 1);
  if (!digits || !bignum_copy(&left, b)) {
    mem_free(digits, digits ? most + 1 : 0);
    return NULL;
  }
  /* From the end of the buffer towards its start. */
  size_t at = most;
  while (left.len) {
    uint32_t group = divide(&left, DIGITS_BASE);
    for (int i = 0; i < DIGITS && (left.len || group); i++, group /= 10)
      digits[--at] = (char)('0' + group % 10);
  }
  if (at == most)
    digits[--at] = '0';
  bignum_free(&left);
  /* The caller's string has the size that mem_free_string computes. */
  char *result = mem_try_alloc(most - at + 1);
  if (result)
    memcpy(result, digits + at, most - at + 1);
  mem_free(digits, most + 1);
  return result;
}
