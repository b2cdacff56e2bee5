#include "store/store.h"

#include "store/code_table.h"
#include "store/collapse_tree.h"
#include "store/pack_table.h"
#include "store/pair.h"
#include "store/raw_table.h"
#include "store/set_hybrid.h"
#include "store/set_mdd.h"
#include "store/set_obdd.h"
#include "store/set_sharing.h"

#include <string.h>

/* All stores but the ones written by hand.  Codecs with the table:
**
**   TABLE(name, codec, summary)
**
** and codecs with other sets:
**
**   PAIR(codec, set, exact, summary) */
/* clang-format off */
#define TABLES(TABLE)                                                          \
  TABLE(collapse, collapse, "numbers of components in a hash table")           \
  TABLE(radix, pack, "numbers as digits of a mixed radix, in a hash table")    \
  TABLE(chunk, chunk, "numbers of four-byte pieces in a hash table")

/* An exact set of tuples with all codecs. */
#define TUPLES(PAIR, set, text)                                                \
  PAIR(collapse, set, true, text ": numbers of components")                    \
  PAIR(pack, set, true, text ": numbers")                                      \
  PAIR(chunk, set, true, text ": numbers of four-byte pieces")                 \
  PAIR(raw, set, true, text ": bytes")

#define PAIRS(PAIR)                                                            \
  TUPLES(PAIR, mdd, "a decision diagram of the tuples")                        \
  TUPLES(PAIR, ondd, "the same; arcs carry ranges")                            \
  TUPLES(PAIR, hybrid, "a buffer in front of such a diagram")                  \
  TUPLES(PAIR, sharing, "a tree that shares beginnings and ends of tuples")    \
  TUPLES(PAIR, obdd, "a binary decision diagram of the bits")                  \
  PAIR(pack,  tree, true, "numbers as trees whose equal parts are stored once")\
  PAIR(chunk, tree, true, "four-byte pieces as such trees")                    \
  PAIR(raw,   tree, true, "bytes as such trees")                               \
  PAIR(raw, hashcompact, false, "a hash of 64 bits for each state")            \
  PAIR(raw, bitstate, false, "--hashes bits for each state, in fixed memory")
/* clang-format on */

enum {
#define TABLE(name, c, text) TABLE_##name,
  TABLES(TABLE)
#undef TABLE
};

enum {
#define PAIR(c, s, is_exact, text) PAIR_##c##_##s,
  PAIRS(PAIR)
#undef PAIR
};

static const store_class tables[] = {
#define TABLE(name, c, text)                                                   \
  {.codec = #name,                                                             \
   .set = "table",                                                             \
   .summary = text,                                                            \
   .exact = true,                                                              \
   .dense = true,                                                              \
   .loop = STORE_BY_CODE_TABLE,                                                \
   .codec_class = &codec_##c,                                                  \
   .create = code_table_create,                                                \
   .insert = code_table_class_insert,                                          \
   .fetch = code_table_fetch,                                                  \
   .count = code_table_count,                                                  \
   .bytes = code_table_bytes,                                                  \
   .max_length = code_table_class_max_length,                                  \
   .check = code_table_check,                                                  \
   .destroy = code_table_destroy},
    TABLES(TABLE)
#undef TABLE
};

static const store_class pairs[] = {
#define PAIR(c, s, is_exact, text)                                             \
  {.codec = #c,                                                                \
   .set = #s,                                                                  \
   .summary = text,                                                            \
   .exact = is_exact,                                                          \
   .loop = STORE_BY_PAIR,                                                      \
   .codec_class = &codec_##c,                                                  \
   .set_class = &set_##s,                                                      \
   .create = pair_create,                                                      \
   .insert = pair_class_insert,                                                \
   .count = pair_count,                                                        \
   .bytes = pair_bytes,                                                        \
   .max_length = pair_max_length,                                              \
   .check = pair_check,                                                        \
   .figures = pair_figures,                                                    \
   .draw = pair_draw,                                                          \
   .destroy = pair_destroy},
    PAIRS(PAIR)
#undef PAIR
};

const store_class *const store_classes[] = {&store_collapse_tree,
                                            &store_raw_table, &store_pack_table,
#define TABLE(name, c, text) &tables[TABLE_##name],
                                            TABLES(TABLE)
#undef TABLE
#define PAIR(c, s, is_exact, text) &pairs[PAIR_##c##_##s],
                                                PAIRS(PAIR)
#undef PAIR
                                                    NULL};

/* True when 'name' is codec, plus sign, set. */
static bool is_named(const store_class *class, const char *name)
{
  size_t n = strlen(class->codec);
  return !strncmp(name, class->codec, n) && name[n] == '+' &&
         !strcmp(name + n + 1, class->set);
}

const store_class *store_find(const char *name)
{
  for (size_t i = 0; store_classes[i]; i++)
    if (is_named(store_classes[i], name))
      return store_classes[i];
  return NULL;
}

/* Whether some store has a codec, and some other has a set, of this name. */
static bool parts_exist(const char *name)
{
  bool has_codec = false, has_set = false;
  const char *plus = strchr(name, '+');
  for (size_t i = 0; plus && store_classes[i]; i++) {
    size_t n = strlen(store_classes[i]->codec);
    has_codec |= (size_t)(plus - name) == n &&
                 !strncmp(name, store_classes[i]->codec, n);
    has_set |= !strcmp(plus + 1, store_classes[i]->set);
  }
  return has_codec && has_set;
}

const char *store_refusal(const char *name)
{
  if (store_find(name) || !parts_exist(name))
    return NULL;
  return "a lossy set keeps hashes of states, which no codec makes shorter; "
         "take 'raw'";
}
