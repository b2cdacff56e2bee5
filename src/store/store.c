#include "store/store.h"

#include "store/collapse_tree.h"
#include "store/pair.h"
#include "store/raw_table.h"
#include "store/set_mdd.h"

#include <string.h>

/* All stores but the ones written by hand: codec, set, whether exact, what
** 'nutshell stores' says about it.
**
**   PAIR(codec, set, exact, summary) */
/* clang-format off */
#define PAIRS(PAIR)                                                            \
  PAIR(collapse, table, true, "numbers of components in a hash table")         \
  PAIR(collapse, mdd, true, "numbers of components in a decision diagram")     \
  PAIR(collapse, ondd, true, "the same; arcs carry ranges of numbers")         \
  PAIR(raw, mdd, true, "a decision diagram of the states' bytes")              \
  PAIR(raw, ondd, true, "the same; arcs carry ranges of bytes")
/* clang-format on */

enum {
#define PAIR(c, s, is_exact, text) PAIR_##c##_##s,
  PAIRS(PAIR)
#undef PAIR
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
   .destroy = pair_destroy},
    PAIRS(PAIR)
#undef PAIR
};

const store_class *const store_classes[] = {&store_collapse_tree,
                                            &store_raw_table,
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
