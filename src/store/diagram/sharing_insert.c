/* Insertion into a sharing tree, the canonical and the original one.
**
** Both walk down along the tuple to the node that has no son for it.  What
** changes then are the nodes of the path: a node that is the only son of only
** sons, so to speak, up to the root, belongs to this tuple's beginning alone
** and is changed where it is; below the first one with several fathers they
** are copied. */

#include "store/diagram/sharing_internal.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* ---- walking ------------------------------------------------------------ */

/* The place of the first son whose value is not below 'value'. */
static uint32_t search_sons(const sharing *s, const uint32_t *sons,
                            uint32_t count, uint32_t value)
{
  /* Values are often dense: then the place is known. */
  uint32_t guess = value - s->words[sons[0]];
  if (guess < count && s->words[sons[guess]] == value)
    return guess;
  uint32_t low = 0;
  for (uint32_t n = count; n;) {
    uint32_t half = n / 2;
    bool below = s->words[sons[low + half]] < value;
    low = below ? low + half + 1 : low;
    n = below ? n - half - 1 : half;
  }
  return low;
}

/* Number of elements at the beginning in which two tuples agree. */
static uint32_t common_prefix(const uint32_t *a, const uint32_t *b, uint32_t n)
{
  uint32_t i = 0;
  while (i < n && a[i] == b[i])
    i++;
  return i;
}

/* Fills 'path' and 'place'.  Where the tuple agrees with the one before they
** are right already: at the beginning, and again from any layer on where the
** way meets that of the tuple before.  Answers the layer of the node that has
** no son for it, or the length. */
static uint32_t walk_down(sharing *s, const uint32_t *tuple, uint32_t length)
{
  uint32_t known = length == s->walked_length ? s->known : 0;
  uint32_t i = common_prefix(tuple, s->walked, known);
  s->walked_length = length;
  s->path[0] = s->roots[length];
  while (i < length) {
    uint32_t count, node = s->path[i];
    const uint32_t *sons = sharing_sons(s, node, &count);
    uint32_t place = search_sons(s, sons, count, tuple[i]);
    s->walked[i] = tuple[i];
    s->place[i] = place;
    if (place == count || s->words[sons[place]] != tuple[i])
      break;
    uint32_t son = sons[place];
    bool met = i < known && s->path[i + 1] == son;
    s->path[++i] = son;
    if (met)
      i += common_prefix(tuple + i, s->walked + i, known - i);
  }
  s->known = i;
  return i;
}

/* ---- changing nodes ----------------------------------------------------- */

static void put_sum(sharing *s, uint32_t node)
{
  uint32_t count, sum = 0;
  const uint32_t *sons = sharing_sons(s, node, &count);
  if (count == 1)
    return;
  for (uint32_t i = 0; i < count; i++)
    sum += sharing_hash_son(sons[i]);
  s->words[node + AT_SUM] = sum;
}

/* A copy of the node, in a block of its own, with 'son' at 'place': as one more
** (added) or instead of the one there.  The sons get no fathers by that. */
static uint32_t copy_with(sharing *s, uint32_t node, uint32_t place,
                          uint32_t son, bool added)
{
  uint32_t old_count, count;
  sharing_sons(s, node, &old_count);
  uint32_t new = sharing_take(s, old_count + added);
  const uint32_t *from = sharing_sons(s, node, &old_count);
  uint32_t *to = sharing_sons(s, new, &count);
  s->words[new + AT_VALUE] = s->words[node + AT_VALUE];
  memcpy(to, from, place * sizeof *to);
  memcpy(to + place + 1, from + place + !added,
         (old_count - place - !added) * sizeof *to);
  to[place] = son;
  put_sum(s, new);
  return new;
}

/* The same in place; the node may move. */
static uint32_t change(sharing *s, uint32_t node, uint32_t place, uint32_t son,
                       bool added)
{
  uint32_t count;
  uint32_t *sons = sharing_sons(s, node, &count);
  if (added && (count == 1 ||
                sharing_block_words(count) != sharing_block_words(count + 1))) {
    uint32_t new = copy_with(s, node, place, son, true);
    s->words[new + AT_FATHERS] |= sharing_fathers(s, node);
    sharing_give(s, node);
    return new;
  }
  uint32_t sum = sharing_hash_son(son);
  if (added) {
    memmove(sons + place + 1, sons + place, (count - place) * sizeof *sons);
    s->words[node + AT_COUNT]++;
  } else {
    sum -= sharing_hash_son(sons[place]);
  }
  sons[place] = son;
  if (count > 1)
    s->words[node + AT_SUM] += sum;
  return node;
}

static void keep_sons(sharing *s, uint32_t node)
{
  uint32_t count;
  const uint32_t *sons = sharing_sons(s, node, &count);
  for (uint32_t i = 0; i < count; i++)
    sharing_keep(s, sons[i]);
}

/* Gives a node back to which an equal one was found; its sons have that one as
** a father. */
static void give_equal(sharing *s, uint32_t node)
{
  uint32_t count;
  const uint32_t *sons = sharing_sons(s, node, &count);
  for (uint32_t i = 0; i < count; i++)
    if (sons[i] != SHARING_END)
      s->words[sons[i] + AT_FATHERS]--;
  sharing_give(s, node);
}

/* Number of layers from the root on whose nodes have one father only. */
static uint32_t owned_layers(const sharing *s, uint32_t missing)
{
  uint32_t i = 1;
  while (i <= missing && sharing_fathers(s, s->path[i]) == 1)
    i++;
  return i;
}

/* Memory for everything, so that nothing can fail half-way. */
static bool ensure_insertion(sharing *s, uint32_t length, uint32_t missing,
                             uint32_t owned)
{
  uint64_t words = (uint64_t)(length - missing) * sharing_block_words(1);
  for (uint32_t i = owned <= missing ? owned : missing; i <= missing; i++) {
    uint32_t count;
    sharing_sons(s, s->path[i], &count);
    words += sharing_block_words(count + 1);
  }
  return sharing_ensure(s, words);
}

static uint32_t new_single(sharing *s, uint32_t value, uint32_t son)
{
  uint32_t node = sharing_take(s, 1);
  s->words[node + AT_VALUE] = value;
  s->words[node + AT_SON] = son;
  sharing_keep(s, son);
  return node;
}

/* ---- canonical insertion ------------------------------------------------ */

/* How many elements at the end are those of the tuple inserted last, as far as
** its nodes are known. */
static uint32_t common_suffix(const sharing *s, const uint32_t *tuple,
                              uint32_t length, uint32_t missing)
{
  if (length != s->inserted_length)
    return 0;
  uint32_t from = s->chained > missing ? s->chained : missing, i = length;
  while (i > from && tuple[i - 1] == s->inserted[i - 1])
    i--;
  return length - i;
}

/* The node of the elements from 'missing' on: shared as far as possible from
** the end. */
static uint32_t make_suffix(sharing *s, const uint32_t *tuple, uint32_t length,
                            uint32_t missing)
{
  uint32_t i = length - common_suffix(s, tuple, length, missing);
  uint32_t node = i < length ? s->chain[i] : SHARING_END;
  memcpy(s->inserted + missing, tuple + missing,
         (length - missing) * sizeof *tuple);
  s->inserted_length = length;
  s->chained = missing;
  while (i-- > missing) {
    uint32_t found = sharing_find_single(s, tuple[i], node);
    if (!found) {
      found = new_single(s, tuple[i], node);
      sharing_link(s, found);
    }
    s->chain[i] = node = found;
  }
  return node;
}

/* The node of the path in 'layer' gets the son, or an equal node is there. */
static uint32_t copy_on_path(sharing *s, uint32_t layer, uint32_t son,
                             bool added)
{
  uint32_t node = copy_with(s, s->path[layer], s->place[layer], son, added);
  uint32_t found = sharing_find(s, node);
  if (found) {
    sharing_give(s, node);
    return found;
  }
  keep_sons(s, node);
  sharing_link(s, node);
  return node;
}

/* Likewise in place.  'moved': the son is the old one at another address.
** The result has the father that the node had, unless it is an equal node,
** which the caller has then to give one more. */
static uint32_t change_on_path(sharing *s, uint32_t layer, uint32_t son,
                               bool added, bool moved, bool *merged)
{
  uint32_t node = s->path[layer];
  if (!moved)
    sharing_keep(s, son);
  sharing_unlink(s, node);
  node = change(s, node, s->place[layer], son, added);
  uint32_t found = sharing_find(s, node);
  *merged = found;
  if (found) {
    give_equal(s, node);
    return found;
  }
  sharing_link(s, node);
  return node;
}

/* The root is in no table, and never equal to another node. */
static void change_root(sharing *s, uint32_t length, uint32_t son, bool added,
                        bool moved)
{
  if (!moved)
    sharing_keep(s, son);
  s->roots[length] = change(s, s->path[0], s->place[0], son, added);
}

/* Adjusts the path upwards from the layer that gets a new son. */
static void adjust_path(sharing *s, uint32_t length, uint32_t missing,
                        uint32_t owned, uint32_t son)
{
  bool moved = false;
  for (uint32_t i = missing; i > 0; i--) {
    uint32_t before = s->path[i];
    bool merged = false;
    if (i >= owned)
      son = copy_on_path(s, i, son, i == missing);
    else
      son = change_on_path(s, i, son, i == missing, moved, &merged);
    s->known = i - 1;
    if (son == before) {
      s->known = i;
      return; /* nothing changes above */
    }
    moved = i < owned && !merged;
    /* Its father will have another son instead. */
    if (i == owned)
      s->words[before + AT_FATHERS]--;
  }
  change_root(s, length, son, missing == 0, moved);
  s->known = 0;
}

static bool insert_canonical(sharing *s, const uint32_t *tuple, uint32_t length,
                             uint32_t missing)
{
  uint32_t owned = owned_layers(s, missing);
  if (!ensure_insertion(s, length, missing, owned))
    return false;
  uint32_t son = make_suffix(s, tuple, length, missing);
  adjust_path(s, length, missing, owned, son);
  return true;
}

/* ---- original insertion ------------------------------------------------- */

static bool insert_original(sharing *s, const uint32_t *tuple, uint32_t length,
                            uint32_t missing)
{
  uint32_t owned = owned_layers(s, missing);
  if (!ensure_insertion(s, length, missing, owned))
    return false;
  uint32_t son = SHARING_END;
  for (uint32_t i = length; i-- > missing;)
    son = new_single(s, tuple[i], son);
  uint32_t layer = missing;
  bool added = true, moved = false;
  for (; layer >= owned; layer--, added = false) {
    uint32_t before = s->path[layer];
    son = copy_with(s, before, s->place[layer], son, added);
    keep_sons(s, son);
    if (layer == owned)
      s->words[before + AT_FATHERS]--;
  }
  for (;; layer--, added = false) {
    if (!moved)
      sharing_keep(s, son);
    uint32_t before = s->path[layer];
    son = change(s, before, s->place[layer], son, added);
    s->known = layer;
    if (son == before)
      return true;
    moved = true;
    if (!layer)
      break;
  }
  s->roots[length] = son;
  s->known = 0;
  return true;
}

/* ---- public ------------------------------------------------------------- */

/* Room for paths of tuples of this length, and a root for it. */
static bool reach(sharing *s, uint32_t length)
{
  if (length < s->depth && length < s->lengths)
    return true;
  uint32_t room = length + length / 2 + 8;
  uint32_t *roots = mem_try_alloc(room * sizeof *roots);
  uint32_t *arrays = mem_try_alloc(5 * (size_t)room * sizeof *arrays);
  if (!roots || !arrays || room < length) {
    mem_free(roots, room * sizeof *roots);
    mem_free(arrays, 5 * (size_t)room * sizeof *arrays);
    return false;
  }
  if (s->lengths)
    memcpy(roots, s->roots, s->lengths * sizeof *roots);
  mem_free(s->roots, s->lengths * sizeof *s->roots);
  mem_free(s->path, 5 * (size_t)s->depth * sizeof *s->path);
  s->roots = roots;
  s->lengths = s->depth = room;
  s->path = arrays;
  s->place = arrays + room;
  s->walked = arrays + 2 * (size_t)room;
  s->chain = arrays + 3 * (size_t)room;
  s->inserted = arrays + 4 * (size_t)room;
  s->walked_length = s->inserted_length = s->known = s->chained = 0;
  return true;
}

/* The first tuple of a length is a chain from a new root. */
static bool insert_first(sharing *s, const uint32_t *tuple, uint32_t length)
{
  if (!sharing_ensure(s, (length + UINT64_C(1)) * sharing_block_words(1)))
    return false;
  uint32_t son = SHARING_END;
  if (s->reduce_every)
    for (uint32_t i = length; i--;)
      son = new_single(s, tuple[i], son);
  else
    son = make_suffix(s, tuple, length, 0);
  uint32_t root = new_single(s, 0, son);
  s->words[root + AT_FATHERS]++;
  s->roots[length] = root;
  s->walked_length = length;
  s->known = 0;
  return true;
}

static store_result insert_empty(sharing *s)
{
  if (s->roots[0])
    return STORE_SEEN;
  s->roots[0] = SHARING_END;
  s->count++;
  return STORE_NEW;
}

static bool insert_missing(sharing *s, const uint32_t *tuple, uint32_t length,
                           uint32_t missing)
{
  return s->reduce_every ? insert_original(s, tuple, length, missing)
                         : insert_canonical(s, tuple, length, missing);
}

store_result sharing_insert(sharing *s, const uint32_t *tuple, uint32_t length)
{
  if (!reach(s, length))
    return STORE_FULL;
  if (!length)
    return insert_empty(s);
  if (!s->roots[length]) {
    if (!insert_first(s, tuple, length))
      return STORE_FULL;
  } else {
    uint32_t missing = walk_down(s, tuple, length);
    if (missing == length)
      return STORE_SEEN;
    if (!insert_missing(s, tuple, length, missing)) {
      /* A reduction makes room where there was none. */
      if (!s->reduce_every || !s->unreduced)
        return STORE_FULL;
      sharing_reduce(s);
      missing = walk_down(s, tuple, length);
      if (!insert_missing(s, tuple, length, missing))
        return STORE_FULL;
    }
  }
  s->count++;
  if (s->reduce_every && ++s->unreduced >= s->reduce_every)
    sharing_reduce(s);
  return STORE_NEW;
}
