/* The same code for processors that have nothing special, that shuffle bytes, and
** that have vectors of 32 bytes as well. */

#include "store/roots/root_set_internal.h"
#include "store/tree/collapse_tree_internal.h"

/* The quad of a block that is not long, of a state that is cut like the one in
** which it is 'known': so the tags are the same.  Whether it is another one. */
static inline bool key_plain(const block_cut *cut, const block_part *p,
                             const uint8_t *state, const quad *known, quad *key)
{
  *key = p->first != p->end ? block_gather(cut, p, state)
                            : block_key(state + p->from, p->bytes);
  key->high |= (uint64_t)p->mark << 56;
  return !quad_equal(*key, *known);
}

#define ENCODE encode_gathered
#define ENCODE_INSERT encode_insert
#define ENCODE_LIKELY encode_likely
#define ENCODE_PUT_SHARED encode_put_shared
#define ENCODE_INSERT_SHARED encode_insert_shared
#define ENCODE_IS_IN encode_is_in
#define ENCODE_TARGET
#define ENCODE_KEY key_plain
#define ENCODE_MATCH roots_match
#define ENCODE_USED used_slots
#include "store/tree/encode.inc"

#if BLOCK_SHUFFLES
static inline __m128i vector_at(const void *at)
{
  return _mm_loadu_si128((const __m128i *)at);
}

BLOCK_SHUFFLE_TARGET static inline bool
key_shuffled(const block_cut *cut, const block_part *p, const uint8_t *state,
             const quad *known, quad *key)
{
  __m128i v =
      p->first != p->end
          ? block_shuffle_vector(cut, p, state)
          : _mm_and_si128(vector_at(state + p->from),
                          vector_at(block_masks + BLOCK_BYTES - p->bytes));
  v = _mm_or_si128(v, vector_at(&p->tags));
  *key = block_quad_of(v);
  return _mm_movemask_epi8(_mm_cmpeq_epi8(v, vector_at(known))) != 0xffff;
}

#define ENCODE encode_shuffled
#define ENCODE_INSERT encode_insert_shuffled
#define ENCODE_LIKELY encode_likely_shuffled
#define ENCODE_PUT_SHARED encode_put_shared_shuffled
#define ENCODE_INSERT_SHARED encode_insert_shared_shuffled
#define ENCODE_IS_IN encode_is_in_shuffled
#define ENCODE_TARGET BLOCK_SHUFFLE_TARGET
#define ENCODE_KEY key_shuffled
#define ENCODE_MATCH roots_match
#define ENCODE_USED used_slots
#include "store/tree/encode.inc"
#endif

#if BLOCK_SHUFFLES && ROOTS_BY_VECTORS
#include <immintrin.h>

#define WIDE_TARGET __attribute__((target("avx2,bmi,bmi2")))

/* As roots_match, at once: 32 bytes can be read at the lows, of which there are
** at most as many. */
WIDE_TARGET static inline uint32_t
match_wide(const uint8_t *bucket, uint8_t tag, uint8_t low, uint32_t slots)
{
  __m256i tags = _mm256_loadu_si256((const __m256i *)(const void *)bucket);
  atomic_signal_fence(memory_order_acquire);
  __m256i lows =
      _mm256_loadu_si256((const __m256i *)(const void *)(bucket + slots));
  tags = _mm256_cmpeq_epi8(tags, _mm256_set1_epi8((char)tag));
  lows = _mm256_cmpeq_epi8(lows, _mm256_set1_epi8((char)low));
  return _bzhi_u32((uint32_t)_mm256_movemask_epi8(_mm256_and_si256(tags, lows)),
                   slots);
}

/* As used_slots. */
WIDE_TARGET static inline uint32_t used_wide(const uint8_t *bucket,
                                             uint32_t slots)
{
  __m256i tags = _mm256_loadu_si256((const __m256i *)(const void *)bucket);
  tags = _mm256_cmpeq_epi8(tags, _mm256_setzero_si256());
  uint64_t free = (uint32_t)_mm256_movemask_epi8(tags);
  return (uint32_t)__builtin_ctzll(free | UINT64_C(1) << slots);
}

#define ENCODE encode_wide
#define ENCODE_INSERT encode_insert_wide
#define ENCODE_LIKELY encode_likely_wide
#define ENCODE_PUT_SHARED encode_put_shared_wide
#define ENCODE_INSERT_SHARED encode_insert_shared_wide
#define ENCODE_IS_IN encode_is_in_wide
#define ENCODE_TARGET WIDE_TARGET
#define ENCODE_KEY key_shuffled
#define ENCODE_MATCH match_wide
#define ENCODE_USED used_wide
#include "store/tree/encode.inc"
#endif

const encode_ways *encode_ways_up_to(encode_way way)
{
  static const encode_ways plain = {encode_gathered, encode_insert, false};
#if BLOCK_SHUFFLES && ROOTS_BY_VECTORS
  static const encode_ways wide = {encode_wide, encode_insert_wide, true};
  if (way >= ENCODE_WIDE && __builtin_cpu_supports("avx2") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
    return &wide;
#endif
#if BLOCK_SHUFFLES
  static const encode_ways shuffled = {encode_shuffled, encode_insert_shuffled,
                                       true};
  if (way >= ENCODE_SHUFFLED && blocks_can_shuffle())
    return &shuffled;
#endif
  (void)way;
  return &plain;
}
