/* Natural numbers of any size, for counting the members of a diagram.
**
** A number is its 32-bit words, the least significant first, without leading
** zero words; 0 has no words.  All zero is a valid 0.
**
** Functions that answer bool answer false when there is no memory; the number
** is then as it was. */

#ifndef NUT_DD_BIGNUM_H
#define NUT_DD_BIGNUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bignum {
  uint32_t *words;
  size_t len, cap;
} bignum;

void bignum_free(bignum *); /* it is 0 again */
bool bignum_set(bignum *, uint64_t);
bool bignum_copy(bignum *, const bignum *from);
bool bignum_add(bignum *, const bignum *);
void bignum_subtract(bignum *, const bignum *); /* must not be the larger one */
bool bignum_multiply(bignum *, uint64_t);
/* b becomes c * d; it is none of them. */
bool bignum_product(bignum *b, const bignum *c, const bignum *d);
void bignum_divide(bignum *, uint32_t by); /* rounded down */
bool bignum_shift_left(bignum *, size_t bits);
void bignum_shift_right(bignum *, size_t bits);
int bignum_compare(const bignum *, const bignum *); /* < 0, 0, > 0 */
/* False when the number is too large for 64 bits. */
bool bignum_to_u64(const bignum *, uint64_t *);
double bignum_to_double(const bignum *); /* infinite when too large */
/* In decimal; NULL when there is no memory.  Give back by mem_free_string. */
char *bignum_text(const bignum *);

#endif
