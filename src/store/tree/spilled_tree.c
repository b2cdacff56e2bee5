/* 'collapse+tree' whose states are on disk: its tables stay, by which handles
** are states; its roots are a part of what is known, and may go at any time. */

#include "store/tree/collapse_tree_internal.h"

typedef struct visitor {
  const collapse_tree *store;
  void (*visit)(void *context, store_handle, bool marked);
  void *context;
} visitor;

static void visit_root(void *context, uint32_t left, uint32_t right)
{
  const visitor *v = context;
  const roots *r = &v->store->now.tree.roots;
  v->visit(v->context, (uint64_t)left << 32 | right,
           r->marks && roots_is_marked(r, left, right));
}

static void each(const store *base,
                 void (*visit)(void *context, store_handle, bool marked),
                 void *context)
{
  visitor v = {(const collapse_tree *)base, visit, context};
  roots_each(&v.store->now.tree.roots, visit_root, &v);
}

static void drain(store *base,
                  void (*visit)(void *context, store_handle, bool marked),
                  void *context)
{
  collapse_tree *s = collapse_tree_of(base);
  visitor v = {s, visit, context};
  roots_drain(&s->now.tree.roots, visit_root, &v);
}

static bool clear(store *base, size_t set_bytes)
{
  collapse_tree *s = collapse_tree_of(base);
  s->is_frozen = true;
  s->max_bytes = SIZE_MAX / 2; /* tables are a matter of the budget now */
  s->over_limit = false;
  s->offered = 0;
  return roots_clear(&s->now.tree.roots, set_bytes);
}

static bool has(const store *base, store_handle handle, bool *marked)
{
  const collapse_tree *s = (const collapse_tree *)base;
  uint32_t left = (uint32_t)(handle >> 32), right = (uint32_t)handle;
  const roots *r = &s->now.tree.roots;
  *marked = false;
  if (!roots_fits(r, left, right) ||
      !roots_has(r, roots_locate(r, left, right), left, right))
    return false;
  *marked = r->marks && roots_is_marked(r, left, right);
  return true;
}

static void mark(store *base, store_handle handle, bool marked)
{
  collapse_tree *s = collapse_tree_of(base);
  uint32_t left = (uint32_t)(handle >> 32), right = (uint32_t)handle;
  roots *r = &s->now.tree.roots;
  if (r->marks && roots_fits(r, left, right))
    roots_mark(r, left, right, marked);
}

static size_t set_bytes(const store *base)
{
  return roots_bytes(&((const collapse_tree *)base)->now.tree.roots);
}

/* All rows of a table go. */
static bool empty_table(quads *q)
{
  quads_destroy(q);
  return quads_create(q);
}

/* Plan and leaves stay as they are.  Handles of views, and what is at hand, are
** of another tree. */
static bool renew(store *base)
{
  collapse_tree *s = collapse_tree_of(base);
  block_tree *b = &s->now;
  roots *r = &b->tree.roots;
  bool has_marks = r->marks, done = true;
  uint64_t shape = r->shape + 1;
  for (uint32_t i = 0; i < b->tree.leaves; i++) {
    done = empty_table(&b->blocks[i]) && done;
    collapse_destroy_part(&b->strings[i]);
    b->strings[i] = (part){0};
  }
  for (uint32_t i = 0; i < b->tree.inner; i++)
    done = empty_table(&b->tree.tables[i]) && done;
  roots_destroy(r);
  done = roots_create(r, 0) && done;
  r->shape = shape;
  s->trees++;
  collapse_tree_set_hands(s);
  return done && (!has_marks || roots_have_marks(r));
}

static bool expect(store *base, uint32_t length)
{
  return collapse_tree_room_for(collapse_tree_of(base), length);
}

/* As 'insert' of the class, without the last step. */
static store_handle call(store *base, const uint8_t *state, uint32_t length)
{
  collapse_tree *s = collapse_tree_of(base);
  collapse_tree_probe probe;
  if (!collapse_tree_room_for(s, length))
    return STORE_NO_HANDLE;
  collapse_tree_hand *h = &s->hands[0];
  h->is_used = false;
  h->length = UINT32_MAX;
  if (length)
    memcpy(h->state, state, length);
  store_offer offer = {
      .state = h->state, .length = length, .changed = UINT64_MAX};
  return collapse_tree_prepare(s, &offer, &probe, 1) ? probe.handle
                                                     : STORE_NO_HANDLE;
}

const store_spilling collapse_tree_spilling = {
    .each = each,
    .drain = drain,
    .clear = clear,
    .has = has,
    .mark = mark,
    .set_bytes = set_bytes,
    .renew = renew,
    .call = call,
    .expect = expect,
};
