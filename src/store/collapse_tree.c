#include "store/collapse_tree.h"
#include "base/alloc.h"

/* ---- set-up ----------------------------------------------------------- */

/* Bytes of collapse_tree.values for tuples of this tree. */
static size_t value_bytes(const tree *t)
{
  return (1 + TREE_TOGETHER) * tree_values(t) * sizeof(uint32_t);
}

static void destroy(store *base)
{
  collapse_tree *s = collapse_tree_of(base);
  if (!s)
    return;
  mem_free(s->values, value_bytes(&s->tree));
  if (s->old.leaves)
    tree_destroy(&s->old);
  tree_destroy(&s->tree);
  collapse_destroy(&s->codec);
  mem_free(s->state, s->room);
  mem_free(s, sizeof *s);
}

static store *create(const store_class *class, const store_settings *settings)
{
  (void)class;
  const component_map *map = settings->map;
  collapse_tree *s = mem_try_alloc(sizeof *s);
  uint32_t leaves = map->fixed ? map->count : map->slices + 2;
  if (!s)
    return NULL;
  s->max_bytes = settings->max_bytes;
  collapse_create(&s->codec, map);
  if (!tree_create(&s->tree, leaves, s->max_bytes)) {
    mem_free(s, sizeof *s);
    return NULL;
  }
  s->values = mem_try_alloc(value_bytes(&s->tree));
  if (!s->values || !collapse_extend(&s->codec, s->tree.leaves)) {
    destroy((store *)s);
    return NULL;
  }
  return (store *)s;
}

/* ---- more leaves ------------------------------------------------------ */

/* Moves a tuple from the old tree to the new one. */
typedef struct mover {
  tree *to;
  const tree *from;
  uint32_t *old_values, *new_values;
  bool failed;
} mover;

static tree_handle move_tuple(mover *m, tree_handle handle)
{
  tree_decode(m->from, handle, m->old_values);
  memset(m->new_values, 0, tree_values(m->to) * sizeof *m->new_values);
  memcpy(m->new_values, m->old_values, m->from->leaves * sizeof(uint32_t));
  if (!tree_encode(m->to, m->new_values))
    m->failed = true;
  return tree_root(m->to, m->new_values);
}

static bool add_root(tree *t, tree_handle h, roots_result *result)
{
  uint32_t left = (uint32_t)(h >> 32), right = (uint32_t)h;
  if (!roots_fits(&t->roots, left, right) &&
      !roots_widen(&t->roots, left, right))
    return false;
  *result = roots_insert(&t->roots, roots_locate(&t->roots, left, right), left,
                         right);
  return *result != ROOTS_FULL;
}

static void move_root(void *context, uint32_t left, uint32_t right)
{
  mover *m = context;
  roots_result result;
  if (m->failed)
    return;
  tree_handle h = move_tuple(m, (uint64_t)left << 32 | right);
  if (m->failed || !add_root(m->to, h, &result))
    m->failed = true;
}

/* Makes the tree anew with at least 'leaves' leaves.  The old one is kept for
** 'translate', without its roots. */
static bool reshape(collapse_tree *s, uint32_t leaves)
{
  tree grown;
  uint32_t room = leaves + leaves / 4;
  room = room > COMPONENTS_LIMIT ? COMPONENTS_LIMIT : room;
  if (s->old.leaves || !collapse_extend(&s->codec, room) ||
      !tree_create(&grown, room, s->max_bytes))
    return false;
  mover m = {&grown, &s->tree, s->values, NULL, false};
  m.new_values = mem_try_alloc(value_bytes(&grown));
  m.failed = !m.new_values;
  roots_each(&s->tree.roots, move_root, &m);
  if (m.failed) {
    mem_free(m.new_values, value_bytes(&grown));
    tree_destroy(&grown);
    return false;
  }
  mem_free(s->values, value_bytes(&s->tree));
  s->values = m.new_values;
  s->old = s->tree;
  s->tree = grown;
  s->at_hand = false;
  roots_destroy(&s->old.roots);
  return true;
}

store_number collapse_tree_translate(collapse_tree *s, store_number handle)
{
  uint32_t old_values[2 * COMPONENTS_LIMIT];
  mover m = {&s->tree, &s->old, old_values, s->values, false};
  s->at_hand = false;
  return move_tuple(&m, handle); /* its nodes are there: no memory needed */
}

void collapse_tree_forget(collapse_tree *s)
{
  tree_destroy(&s->old);
}

/* ---- encoding --------------------------------------------------------- */

/* Whether component 'i' is the same as that of the state at hand. */
static bool is_same(const collapse_tree *s, const uint8_t *state, uint32_t i,
                    uint32_t at, uint32_t bytes)
{
  return s->at_hand && i < s->count && s->offsets[i] == at &&
         s->offsets[i + 1] - at == bytes &&
         !memcmp(s->state + at, state + at, bytes);
}

/* A tuple under construction, and its inner nodes that must be recomputed. */
typedef struct draft {
  uint32_t *values;
  uint64_t *dirty;
} draft;

/* Gives element 'i' its number, and notes the inner nodes above it when that
** is another one than in the state at hand. */
static bool set_element(const collapse_tree *s, draft *d, uint32_t i,
                        uint32_t number)
{
  if (number == COLLAPSE_FULL)
    return false;
  if (d->values[i] == number)
    return true;
  d->values[i] = number;
  const uint64_t *nodes = &s->tree.above[i * s->tree.words];
  for (uint32_t w = 0; w < s->tree.words; w++)
    d->dirty[w] |= nodes[w];
  return true;
}

/* Encodes all components, those that are the same by comparison. */
static bool encode_all(collapse_tree *s, const store_offer *o, draft *d)
{
  uint32_t offsets[COMPONENTS_LIMIT + 1];
  uint32_t n = components_split(&s->codec.map, o->state, o->length, offsets);
  bool done = true;
  for (uint32_t i = 0; i < s->tree.leaves && done; i++) {
    uint32_t bytes = i < n ? offsets[i + 1] - offsets[i] : 0;
    if (i < n && is_same(s, o->state, i, offsets[i], bytes))
      continue;
    uint32_t number =
        i < n ? collapse_number(&s->codec.parts[i], o->state + offsets[i],
                                bytes, o->length - offsets[i])
              : 0;
    done = set_element(s, d, i, number);
  }
  return done;
}

/* Encodes the components marked as changed. */
static bool encode_changed(collapse_tree *s, const store_offer *o, draft *d)
{
  uint64_t changed = o->changed & UINT64_MAX >> 1;
  bool done = true;
  for (; changed && done; changed &= changed - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(changed);
    uint32_t at = s->offsets[i];
    done = set_element(s, d, i,
                       collapse_number(&s->codec.parts[i], o->state + at,
                                       s->offsets[i + 1] - at, o->length - at));
  }
  for (uint32_t i = 63; o->changed >> 63 && i < s->count && done; i++) {
    uint32_t at = s->offsets[i], bytes = s->offsets[i + 1] - at;
    if (!is_same(s, o->state, i, at, bytes))
      done = set_element(s, d, i,
                         collapse_number(&s->codec.parts[i], o->state + at,
                                         bytes, o->length - at));
  }
  return done;
}

/* Whether the state has the components of the one at hand. */
static bool is_alike(const collapse_tree *s, const store_offer *o)
{
  return s->at_hand && o->changed != UINT64_MAX && o->length == s->length;
}

/* Makes the tree large enough for all that is offered. */
static bool make_leaves(collapse_tree *s, const store_offer *o, uint32_t count)
{
  uint32_t offsets[COMPONENTS_LIMIT + 1], most = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (is_alike(s, &o[i]))
      continue;
    uint32_t n =
        components_split(&s->codec.map, o[i].state, o[i].length, offsets);
    most = n > most ? n : most;
  }
  return most <= s->tree.leaves || reshape(s, most);
}

/* Finds the places of the encoded tuples among the roots. */
static bool find_places(collapse_tree *s, const uint32_t *values,
                        collapse_tree_probe *probes, uint32_t count)
{
  roots *r = &s->tree.roots;
  uint32_t lefts = 0, rights = 0;
  for (uint32_t i = 0; i < count; i++) {
    probes[i].handle = tree_root(&s->tree, values + i * tree_values(&s->tree));
    lefts |= (uint32_t)(probes[i].handle >> 32);
    rights |= (uint32_t)probes[i].handle;
  }
  if (!roots_fits(r, lefts, rights) && !roots_widen(r, lefts, rights))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    probes[i].place = roots_locate(r, (uint32_t)(probes[i].handle >> 32),
                                   (uint32_t)probes[i].handle);
    probes[i].buckets = r->bucket_count;
    probes[i].bits = r->bits;
    roots_prefetch(r, probes[i].place);
  }
  return true;
}

/* 'view' writes the state at hand into 's->state': room for every state that
** is stored. */
static bool room_for(collapse_tree *s, uint32_t bytes)
{
  if (bytes > s->longest)
    s->longest = bytes;
  if (bytes + 8 <= s->room)
    return true;
  uint8_t *grown = mem_try_resize(s->state, s->room, bytes + 64);
  if (!grown)
    return false;
  s->state = grown;
  s->room = bytes + 64;
  return true;
}

static size_t bytes(const store *base)
{
  const collapse_tree *s = (const collapse_tree *)base;
  return sizeof *s + s->room + collapse_bytes(&s->codec) +
         tree_bytes(&s->tree) + (s->old.leaves ? tree_bytes(&s->old) : 0) +
         value_bytes(&s->tree);
}

static bool make_room(collapse_tree *s, const store_offer *o, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (o[i].length > s->longest && !room_for(s, o[i].length))
      return false;
  return true;
}

/* Looks at the memory of all tables once in a while; the roots, by far the
** largest, keep to the limit themselves. */
static bool is_over_limit(collapse_tree *s, uint32_t count)
{
  s->offered += count;
  if (s->offered < 65536)
    return s->over_limit;
  s->offered = 0;
  s->over_limit = bytes((const store *)s) > s->max_bytes;
  return s->over_limit;
}

bool collapse_tree_prepare(collapse_tree *s, const store_offer *offers,
                           collapse_tree_probe *probes, uint32_t count)
{
  uint64_t dirty[TREE_TOGETHER * (COMPONENTS_LIMIT / 64 + 1)];
  if (is_over_limit(s, count) || !make_room(s, offers, count) ||
      !make_leaves(s, offers, count))
    return false;
  uint32_t n = tree_values(&s->tree), words = s->tree.words;
  uint32_t *values = s->values + n;
  memset(dirty, s->at_hand ? 0 : 0xff, count * words * sizeof *dirty);
  for (uint32_t i = 0; i < count; i++) {
    draft d = {values + (size_t)i * n, dirty + i * words};
    memcpy(d.values, s->values, n * sizeof *values);
    if (!(is_alike(s, &offers[i]) ? encode_changed(s, &offers[i], &d)
                                  : encode_all(s, &offers[i], &d)))
      return false;
  }
  return tree_refresh_many(&s->tree, values, dirty, count) &&
         find_places(s, values, probes, count);
}

store_result collapse_tree_insert(collapse_tree *s, collapse_tree_probe p,
                                  const store_offer *offer,
                                  store_number *handle)
{
  (void)offer;
  uint32_t left = (uint32_t)(p.handle >> 32), right = (uint32_t)p.handle;
  roots *r = &s->tree.roots;
  if (p.buckets != r->bucket_count || p.bits != r->bits)
    p.place = roots_locate(r, left, right);
  *handle = p.handle;
  roots_result result = roots_insert(r, p.place, left, right);
  if (result == ROOTS_FULL)
    return STORE_FULL;
  return result == ROOTS_NEW ? STORE_NEW : STORE_SEEN;
}

/* ---- decoding --------------------------------------------------------- */

const uint8_t *collapse_tree_view(collapse_tree *s, store_number handle,
                                  uint8_t *out, uint32_t *length)
{
  (void)out;
  const component_map *map = &s->codec.map;
  tree_decode(&s->tree, handle, s->values);
  uint32_t at = 0, i = 0;
  for (; i < s->tree.leaves && s->values[i]; i++) {
    const uint8_t *bytes = collapse_string(&s->codec.parts[i], s->values[i]);
    uint32_t n = component_bytes(map, i, bytes);
    s->offsets[i] = at;
    memcpy(s->state + at, bytes, n);
    at += n;
  }
  s->offsets[i] = at;
  s->count = i;
  s->length = *length = at;
  s->at_hand = true;
  return s->state;
}

/* ---- the class -------------------------------------------------------- */

static uint32_t fetch(const store *base, store_number handle, uint8_t *out)
{
  const collapse_tree *s = (const collapse_tree *)base;
  uint32_t values[2 * COMPONENTS_LIMIT], at = 0;
  tree_decode(&s->tree, handle, values);
  for (uint32_t i = 0; i < s->tree.leaves && values[i]; i++) {
    const uint8_t *bytes = collapse_string(&s->codec.parts[i], values[i]);
    uint32_t n = component_bytes(&s->codec.map, i, bytes);
    memcpy(out + at, bytes, n);
    at += n;
  }
  return at;
}

static uint64_t count(const store *s)
{
  return ((const collapse_tree *)s)->tree.roots.count;
}

static uint32_t max_length(const store *s)
{
  return ((const collapse_tree *)s)->longest;
}

static bool check(const store *base)
{
  const collapse_tree *s = (const collapse_tree *)base;
  return collapse_check(&s->codec) && tree_check(&s->tree);
}

static store_result insert(store *base, const uint8_t *state, uint32_t length,
                           store_number parent, uint64_t changed,
                           store_number *handle)
{
  collapse_tree *s = collapse_tree_of(base);
  store_offer offer = {state, length, UINT64_MAX};
  collapse_tree_probe probe;
  (void)parent, (void)changed;
  s->at_hand = false;
  bool done = collapse_tree_prepare(s, &offer, &probe, 1);
  if (s->old.leaves) /* nobody holds handles across this call */
    collapse_tree_forget(s);
  return done ? collapse_tree_insert(s, probe, &offer, handle) : STORE_FULL;
}

const store_class store_collapse_tree = {
    .codec = "collapse",
    .set = "tree",
    .summary = "components numbered, tuples as trees; smallest at "
               "full speed",
    .exact = true,
    .dense = false,
    .loop = STORE_BY_COLLAPSE_TREE,
    .create = create,
    .insert = insert,
    .fetch = fetch,
    .count = count,
    .bytes = bytes,
    .max_length = max_length,
    .check = check,
    .destroy = destroy,
};
