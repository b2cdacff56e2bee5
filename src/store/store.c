/* The list of stores, and how they are found by name. */

#include "store/store.h"

#include "store/pair.h"
#include "store/table/code_table.h"

#include <string.h>

/* All stores but the ones written by hand.  Codecs with the table:
**
**   TABLE(codec, summary)
**
** and codecs with other sets, where the codec 'radix' is called 'pack':
**
**   PAIR(name, codec, set, exact, summary) */
/* clang-format off */
#define TABLES(TABLE)                                                          \
  TABLE(collapse, "numbers of components in a hash table")                     \
  TABLE(radix, "numbers as digits of a mixed radix, in a hash table")          \
  TABLE(chunk, "numbers of four-byte pieces in a hash table")

/* An exact set of tuples with all codecs. */
#define TUPLES(PAIR, set, text)                                                \
  PAIR(collapse, collapse, set, true, text ": numbers of components")          \
  PAIR(pack, radix, set, true, text ": numbers")                               \
  PAIR(chunk, chunk, set, true, text ": numbers of four-byte pieces")          \
  PAIR(raw, raw, set, true, text ": bytes")

#define PAIRS(PAIR)                                                            \
  TUPLES(PAIR, mdd, "a decision diagram of the tuples")                        \
  TUPLES(PAIR, ondd, "the same; arcs carry ranges")                            \
  TUPLES(PAIR, hybrid, "a buffer in front of such a diagram")                  \
  TUPLES(PAIR, sharing, "a tree that shares beginnings and ends of tuples")    \
  TUPLES(PAIR, obdd, "a binary decision diagram of the bits")                  \
  PAIR(pack, radix, tree, true,                                                \
       "numbers as trees whose equal parts are stored once")                   \
  PAIR(chunk, chunk, tree, true, "four-byte pieces as such trees")             \
  PAIR(raw, raw, tree, true, "bytes as such trees")                            \
  PAIR(raw, raw, hashcompact, false, "a hash of 64 bits for each state")       \
  PAIR(raw, raw, bitstate, false,                                              \
       "--hashes bits for each state, in fixed memory")
/* clang-format on */

enum {
#define TABLE(c, text) TABLE_##c,
  TABLES(TABLE)
#undef TABLE
};

enum {
#define PAIR(name, c, s, is_exact, text) PAIR_##c##_##s,
  PAIRS(PAIR)
#undef PAIR
};

/* clang-format off */
#define TABLE(c, text) extern const codec_class codec_##c;
TABLES(TABLE)
#undef TABLE
#define PAIR(name, c, s, is_exact, text)                                       \
  extern const codec_class codec_##c;                                          \
  extern const set_class set_##s;
PAIRS(PAIR)
#undef PAIR
/* clang-format on */

static const store_class tables[] = {
#define TABLE(c, text)                                                         \
  {.codec = #c,                                                                \
   .set = "table",                                                             \
   .summary = text,                                                            \
   .exact = true,                                                              \
   .dense = true,                                                              \
   .loop = STORE_BY_code_table,                                                \
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
#define PAIR(name, c, s, is_exact, text)                                       \
  {.codec = #name,                                                             \
   .codec_alias = #c,                                                          \
   .set = #s,                                                                  \
   .summary = text,                                                            \
   .exact = is_exact,                                                          \
   .loop = STORE_BY_pair,                                                      \
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

/* clang-format off */
#define CLASS(x) extern const store_class store_##x;
#define SHARED(x)
STORES(CLASS, SHARED)
#undef CLASS

const store_class *const store_classes[] = {
#define CLASS(x) &store_##x,
    STORES(CLASS, SHARED)
#undef CLASS
#undef SHARED
#define TABLE(c, text) &tables[TABLE_##c],
    TABLES(TABLE)
#undef TABLE
#define PAIR(name, c, s, is_exact, text) &pairs[PAIR_##c##_##s],
    PAIRS(PAIR)
#undef PAIR
    NULL};
/* clang-format on */

/* Whether the first 'length' characters of 'name' are the codec of a class. */
static bool is_codec(const store_class *class, const char *name, size_t length)
{
  const char *names[] = {class->codec, class->codec_alias};
  for (int i = 0; i < 2; i++)
    if (names[i] && strlen(names[i]) == length &&
        !strncmp(name, names[i], length))
      return true;
  return false;
}

/* True when 'name' is codec, plus sign, set. */
static bool is_named(const store_class *class, const char *name)
{
  const char *plus = strchr(name, '+');
  return plus && is_codec(class, name, (size_t)(plus - name)) &&
         !strcmp(plus + 1, class->set);
}

const store_class *store_find(const char *name)
{
  for (size_t i = 0; store_classes[i]; i++)
    if (is_named(store_classes[i], name))
      return store_classes[i];
  return NULL;
}

/* Whether some store has a codec, and some other has a lossy set, of this
** name. */
static bool parts_exist(const char *name)
{
  bool has_codec = false, has_set = false;
  const char *plus = strchr(name, '+');
  for (size_t i = 0; plus && store_classes[i]; i++) {
    const store_class *class = store_classes[i];
    has_codec |= is_codec(class, name, (size_t)(plus - name));
    has_set |= !class->exact && !strcmp(plus + 1, class->set);
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
