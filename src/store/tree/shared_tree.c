/* 'collapse+tree' for several threads: views of the same tables, and what is
** done while all of them stand still. */

#include "base/alloc.h"
#include "store/tree/collapse_tree_internal.h"

void tree_share_destroy(tree_share *s)
{
  if (!s)
    return;
  vec_free(&s->views);
  mem_free(s, sizeof *s);
}

/* ---- views -------------------------------------------------------------- */

/* A view learns nothing, and does not count memory: that is for its owner. */
static store *view_create(store *base)
{
  collapse_tree *s = collapse_tree_of(base);
  if (!s->share && !(s->share = mem_try_alloc(sizeof *s->share)))
    return NULL;
  vec_grow(&s->share->views, 1);
  collapse_tree *v = mem_try_alloc_apart(sizeof *v);
  if (!v)
    return NULL;
  v->owner = s;
  v->map = s->map;
  v->max_bytes = SIZE_MAX;
  v->learn_at = UINT64_MAX;
  v->ways = s->ways;
  vec_push(&s->share->views, v);
  return (store *)v;
}

static void view_destroy(store *base)
{
  collapse_tree *v = collapse_tree_of(base);
  tree_share *share = v->owner->share;
  for (size_t i = 0; i < share->views.len; i++)
    if (share->views.data[i] == v) {
      share->views.data[i] = vec_last(&share->views);
      share->views.len--;
      break;
    }
  collapse_tree_drop_hands(v);
  mem_free(v, sizeof *v);
}

/* ---- tables ------------------------------------------------------------- */

static void set_shared(block_tree *b, bool is_shared)
{
  for (uint32_t i = 0; i < b->tree.leaves; i++) {
    b->blocks[i].index.is_shared = is_shared;
    b->strings[i].index.is_shared = is_shared;
  }
  for (uint32_t i = 0; i < b->tree.inner; i++)
    b->tree.tables[i].index.is_shared = is_shared;
}

static bool has_refused(const hash_index *x)
{
  return __atomic_load_n(&x->refused, __ATOMIC_RELAXED);
}

static bool wants_room(const store *base)
{
  const collapse_tree *v = (const collapse_tree *)base;
  const block_tree *b = &v->now;
  bool wants = v->waiting || __atomic_load_n(&v->owner->share->roots.refused,
                                             __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < b->tree.leaves; i++)
    wants |=
        has_refused(&b->blocks[i].index) || has_refused(&b->strings[i].index);
  for (uint32_t i = 0; i < b->tree.inner; i++)
    wants |= has_refused(&b->tree.tables[i].index);
  return wants;
}

/* A table of long blocks is made when the first comes. */
static bool make_string_room(part *p, uint32_t longest)
{
  if (p->index.slots)
    return collapse_make_way(p, longest);
  return !p->index.refused || collapse_create_part(p);
}

static bool make_room(collapse_tree *s)
{
  block_tree *b = &s->now;
  bool done = roots_make_room(&b->tree.roots, &s->share->roots);
  for (uint32_t i = 0; done && i < b->tree.leaves; i++)
    done = quads_make_room(&b->blocks[i]) &&
           make_string_room(&b->strings[i], s->longest);
  for (uint32_t i = 0; done && i < b->tree.inner; i++)
    done = quads_make_room(&b->tree.tables[i]);
  return done && collapse_tree_bytes((const store *)s) <= s->max_bytes;
}

/* ---- all stand still ---------------------------------------------------- */

/* The store is as one thread would have made it, with nothing at hand.  False:
** no memory for states as long as those that came. */
static bool take_back(collapse_tree *s)
{
  bool done = true;
  set_shared(&s->now, false);
  for (size_t i = 0; i < s->share->views.len; i++) {
    collapse_tree *v = s->share->views.data[i];
    roots_take_back(&s->now.tree.roots, &v->now.tree.roots);
    done = collapse_tree_room_for(s, v->longest) && done;
  }
  collapse_tree_set_hands(s);
  return done;
}

/* States that do not fit the tree get one with more leaves.  If others have
** more still, their turn comes at the next meeting. */
static bool make_leaves(collapse_tree *s)
{
  bool done = true;
  for (size_t i = 0; i < s->share->views.len; i++) {
    collapse_tree *v = s->share->views.data[i];
    if (v->waiting && done && !collapse_tree_moved(s))
      done = collapse_tree_make_way(s, v->waiting, v->waiting_count);
    v->waiting = NULL;
  }
  return done;
}

static void learn_when_told(store *base)
{
  collapse_tree *s = collapse_tree_of(base);
  s->learn_told = s->learn_at;
  s->learn_at = UINT64_MAX;
}

/* Any state serves as an example when a better tree is looked for. */
static void learn(store *base, store_handle example)
{
  collapse_tree *s = collapse_tree_of(base);
  if (s->is_frozen || s->now.tree.roots.count < s->learn_told ||
      collapse_tree_moved(s))
    return;
  uint32_t length;
  const uint8_t *state = collapse_tree_view(s, example, 0, NULL, &length);
  store_offer offer = {.state = state, .length = length, .changed = UINT64_MAX};
  collapse_tree_learn(s, &offer, 1);
  learn_when_told(base);
}

/* Hands out the tables as they are now. */
static bool lend(collapse_tree *s)
{
  bool done = true;
  set_shared(&s->now, true);
  for (size_t i = 0; done && i < s->share->views.len; i++) {
    collapse_tree *v = s->share->views.data[i];
    done = collapse_tree_follow(v, s);
    v->now.tree.roots = roots_lend(&s->now.tree.roots, &s->share->roots);
  }
  return done;
}

static bool settle(store *base, const helpers *h)
{
  collapse_tree *s = collapse_tree_of(base);
  s->share->roots.helpers = h;
  bool done = take_back(s) && make_leaves(s) && make_room(s) && lend(s);
  s->share->roots.helpers = NULL;
  return done;
}

/* Views show what was stored by others, however long. */
static bool open_views(store *base)
{
  collapse_tree *s = collapse_tree_of(base);
  s->share->roots.threads = (uint32_t)s->share->views.len;
  bool done = make_room(s) && lend(s);
  for (size_t i = 0; done && i < s->share->views.len; i++)
    done = collapse_tree_room_for(s->share->views.data[i], s->longest);
  if (!done)
    set_shared(&s->now, false);
  return done;
}

static bool close_views(store *base)
{
  return take_back(collapse_tree_of(base));
}

const store_sharing collapse_tree_sharing = {
    .learn_when_told = learn_when_told,
    .learn = learn,
    .view = view_create,
    .view_destroy = view_destroy,
    .open = open_views,
    .wants_room = wants_room,
    .settle = settle,
    .close = close_views,
};
