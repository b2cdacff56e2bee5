/* Keeps markings as bytes in one array, and finds them again by a hash.
**
**   bytes:    tokens of the places, a byte each; 255 and four bytes for more
**   markings: where it begins, from which marking and by which step it came */

#include "net/explore.h"

#include "base/hash.h"
#include "net/stubborn.h"
#include <string.h>

typedef struct found {
  size_t start;
  uint32_t length, parent, step;
} found;

typedef struct exploring {
  const petri *net;
  const claim *goal;
  bool all;
  uint64_t most;
  limits *limits;
  firing_path *path;
  explore_end end;
  arena *arena;
  stubborn *stubborn;
  VEC(uint8_t) bytes;
  VEC(found) markings;
  VEC(uint32_t) table; /* number of a marking + 1; 0: free */
  int32_t *marking, *next;
  uint8_t *code;
  uint32_t *list;
} exploring;

enum { LARGE = 255, CODE_MOST = 5 };

static uint32_t encode(const exploring *e, const int32_t *marking)
{
  uint32_t length = 0;
  for (uint32_t p = 0; p < e->net->place_count; p++) {
    if (marking[p] < LARGE) {
      e->code[length++] = (uint8_t)marking[p];
      continue;
    }
    e->code[length++] = LARGE;
    memcpy(e->code + length, &marking[p], sizeof marking[p]);
    length += (uint32_t)sizeof marking[p];
  }
  return length;
}

static void decode(const exploring *e, uint32_t number, int32_t *marking)
{
  const uint8_t *at = e->bytes.data + e->markings.data[number].start;
  for (uint32_t p = 0; p < e->net->place_count; p++) {
    if (*at < LARGE) {
      marking[p] = *at++;
      continue;
    }
    memcpy(&marking[p], at + 1, sizeof marking[p]);
    at += 1 + sizeof marking[p];
  }
}

static void insert(exploring *e, uint32_t number)
{
  const found *f = &e->markings.data[number];
  size_t mask = e->table.len - 1;
  size_t at = hash_bytes(e->bytes.data + f->start, f->length) & mask;
  while (e->table.data[at])
    at = (at + 1) & mask;
  e->table.data[at] = number + 1;
}

static void grow_table(exploring *e)
{
  size_t size = e->table.len ? 2 * e->table.len : 1024;
  vec_clear(&e->table);
  vec_resize(&e->table, size);
  for (uint32_t i = 0; i < e->markings.len; i++)
    insert(e, i);
}

static bool is_known(const exploring *e, uint32_t length)
{
  size_t mask = e->table.len - 1, at = hash_bytes(e->code, length) & mask;
  for (; e->table.data[at]; at = (at + 1) & mask) {
    const found *f = &e->markings.data[e->table.data[at] - 1];
    if (f->length == length &&
        !memcmp(e->bytes.data + f->start, e->code, length))
      return true;
  }
  return false;
}

/* True: the marking is new. */
static bool add_marking(exploring *e, const int32_t *marking, uint32_t parent,
                        uint32_t step)
{
  uint32_t length = encode(e, marking);
  if (2 * e->markings.len >= e->table.len)
    grow_table(e);
  if (is_known(e, length))
    return false;
  found f = {e->bytes.len, length, parent, step};
  for (uint32_t i = 0; i < length; i++)
    vec_push(&e->bytes, e->code[i]);
  vec_push(&e->markings, f);
  insert(e, (uint32_t)e->markings.len - 1);
  return true;
}

static bool is_goal(const exploring *e, const int32_t *marking)
{
  return e->goal ? claim_holds(e->goal, marking)
                 : petri_is_dead(e->net, marking);
}

static void tell_path(exploring *e, uint32_t number)
{
  size_t begin = e->path->len;
  e->end = EXPLORE_REACHED;
  for (; number; number = e->markings.data[number].parent)
    vec_push(e->path, e->markings.data[number].step);
  for (size_t i = begin, k = e->path->len; i + 1 < k; i++) {
    uint32_t swapped = e->path->data[i];
    e->path->data[i] = e->path->data[--k];
    e->path->data[k] = swapped;
  }
}

static uint32_t choose(exploring *e)
{
  uint32_t count = 0;
  if (!e->all)
    return stubborn_set(e->stubborn, e->marking, e->list);
  for (uint32_t t = 0; t < e->net->transition_count; t++)
    if (petri_enabled(e->net, t, e->marking))
      e->list[count++] = t;
  return count;
}

/* False: the search is over. */
static bool expand(exploring *e, uint32_t number)
{
  size_t bytes = e->net->place_count * sizeof *e->next;
  decode(e, number, e->marking);
  uint32_t count = choose(e);
  for (uint32_t i = 0; i < count; i++) {
    memcpy(e->next, e->marking, bytes);
    if (!petri_fire(e->net, e->list[i], e->next))
      return false;
    if (!add_marking(e, e->next, number, e->list[i]))
      continue;
    if (is_goal(e, e->next)) {
      tell_path(e, (uint32_t)e->markings.len - 1);
      return false;
    }
    if (e->markings.len >= e->most)
      return false;
  }
  return true;
}

static void do_explore(void *context)
{
  exploring *e = context;
  const petri *n = e->net;
  e->arena = arena_create();
  e->marking = ARENA_ARRAY(e->arena, int32_t, n->place_count + 1);
  e->next = ARENA_ARRAY(e->arena, int32_t, n->place_count + 1);
  e->code = ARENA_ARRAY(e->arena, uint8_t, CODE_MOST * n->place_count + 1);
  e->list = ARENA_ARRAY(e->arena, uint32_t, n->transition_count + 1);
  e->stubborn = stubborn_make(e->arena, n, e->goal);
  add_marking(e, n->tokens, 0, 0);
  if (is_goal(e, n->tokens)) {
    e->end = EXPLORE_REACHED;
    return;
  }
  for (uint32_t i = 0; i < e->markings.len; i++)
    if (limits_poll(e->limits) || !expand(e, i))
      return;
  e->end = EXPLORE_REFUTED;
}

static void tidy_explore(void *context)
{
  exploring *e = context;
  vec_free(&e->bytes);
  vec_free(&e->markings);
  vec_free(&e->table);
  arena_destroy(e->arena);
}

explore_end explore_run(const petri *n, const claim *goal, bool all,
                        uint64_t most, limits *l, firing_path *path)
{
  exploring job = {.net = n,
                   .goal = goal,
                   .all = all,
                   .most = most,
                   .limits = l,
                   .path = path,
                   .end = EXPLORE_ENDED};
  mem_protect_tidy(do_explore, tidy_explore, &job);
  return job.end;
}
