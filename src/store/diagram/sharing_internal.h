/* What the files sharing*.c share; nobody else includes this. */

#ifndef NUT_STORE_DIAGRAM_SHARING_INTERNAL_H
#define NUT_STORE_DIAGRAM_SHARING_INTERNAL_H

#include "store/diagram/sharing.h"

/* Words of a node. */
enum { AT_VALUE, AT_FATHERS, AT_NEXT, AT_SON, AT_SUM, AT_LIST };
enum { AT_COUNT = AT_SON };

/* Flags in AT_FATHERS.  A marked node has been seen by the walk under way. */
#define SHARING_MARK ((uint32_t)1 << 31)
#define SHARING_SEVERAL ((uint32_t)1 << 30)
#define SHARING_FATHERS (SHARING_SEVERAL - 1)

static inline bool sharing_has_several(const sharing *s, uint32_t node)
{
  return s->words[node + AT_FATHERS] & SHARING_SEVERAL;
}

static inline uint32_t sharing_fathers(const sharing *s, uint32_t node)
{
  return s->words[node + AT_FATHERS] & SHARING_FATHERS;
}

/* The sons of a node and their number. */
static inline uint32_t *sharing_sons(const sharing *s, uint32_t node,
                                     uint32_t *count)
{
  bool several = sharing_has_several(s, node);
  *count = several ? s->words[node + AT_COUNT] : 1;
  return s->words + node + (several ? AT_LIST : AT_SON);
}

/* A hash for a set of sons is the sum over them, so that one more changes it
** in one step. */
static inline uint32_t sharing_hash_son(uint32_t son)
{
  uint64_t x = son * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)((x ^ x >> 29) * UINT64_C(0x9fb21c651e98df25) >> 32);
}

/* ---- blocks and table (sharing.c) --------------------------------------- */

/* Words of a block for so many sons. */
uint32_t sharing_block_words(uint32_t sons);
/* Makes sure that 'words' can be taken. */
bool sharing_ensure(sharing *, uint64_t words);
/* A block for 'count' sons, which must be there (sharing_ensure): without
** fathers, value and sons not yet set. */
uint32_t sharing_take(sharing *, uint32_t count);
void sharing_give(sharing *, uint32_t node);

/* A node of the table with the same value and sons, or SHARING_NONE. */
uint32_t sharing_find(const sharing *, uint32_t node);
uint32_t sharing_find_single(const sharing *, uint32_t value, uint32_t son);
void sharing_link(sharing *, uint32_t node);
void sharing_unlink(sharing *, uint32_t node);
void sharing_empty_table(sharing *);

/* One father more. */
static inline void sharing_keep(sharing *s, uint32_t node)
{
  if (node != SHARING_END)
    s->words[node + AT_FATHERS]++;
}

#endif
