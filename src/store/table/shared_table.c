/* 'raw+table' for several threads, which all use the one table (table.h). */

#include "store/table/raw_table.h"

/* There is nothing that a thread has for itself: the store is its own view. */
static store *view(store *s)
{
  return s;
}

static void view_destroy(store *s)
{
  (void)s;
}

static bool wants_room(const store *s)
{
  return __atomic_load_n(&((const raw_table *)s)->refused, __ATOMIC_RELAXED);
}

static bool make_room(store *s)
{
  raw_table *t = raw_table_of(s);
  t->is_shared = false;
  return t->is_shared = table_make_room(t);
}

static bool settle(store *s, const helpers *h)
{
  (void)h;
  return make_room(s);
}

static bool close_views(store *s)
{
  raw_table_of(s)->is_shared = false;
  return true;
}

/* States stay as they are. */
static void learn_when_told(store *s)
{
  (void)s;
}

static void learn(store *s, store_handle example)
{
  (void)s, (void)example;
}

const store_sharing raw_table_sharing = {
    .learn_when_told = learn_when_told,
    .learn = learn,
    .view = view,
    .view_destroy = view_destroy,
    .open = make_room,
    .wants_room = wants_room,
    .settle = settle,
    .close = close_views,
};
