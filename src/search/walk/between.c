#include "search/walk/between.h"

#include "base/alloc.h"
#include "search/search_internal.h"
#include "store/tree/collapse_tree.h"

static void *create(void *context)
{
  const between *b = context;
  store_settings settings = {.map = program_map(b->program),
                             .max_bytes = b->room,
                             .learn_at = SEARCH_LEARN_AT};
  store *made = store_collapse_tree.create(&store_collapse_tree, &settings);
  if (!made)
    mem_give_up();
  return made;
}

static bool add(void *states, const uint8_t *state, uint32_t length)
{
  store_handle handle;
  store_result result = store_collapse_tree.insert(
      states, state, length, STORE_NO_HANDLE, UINT64_MAX, &handle);
  if (result == STORE_FULL)
    mem_give_up();
  return result == STORE_NEW;
}

static void destroy(void *states)
{
  store_collapse_tree.destroy(states);
}

void between_lend(between *b, const program *p, size_t room, worker *w)
{
  *b = (between){p, room, {b, create, add, destroy}};
  worker_set_sets(w, &b->sets);
}
