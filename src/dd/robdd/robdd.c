/* Managers, nodes with their unique tables, and variables. */

#include "dd/robdd/robdd_internal.h"

#include "base/alloc.h"
#include "base/system/address_space.h"

#include <assert.h>
#include <string.h>

enum {
  FIRST_NODES = 1 << 12,
  FIRST_LEVEL_BITS = 4,
  LEAST_GARBAGE = 1 << 15, /* nodes; fewer are not worth the time */
  FIRST_REORDERING = 1 << 12,
  LOOK_EVERY = 1 << 14, /* new nodes */
};

#define MOST_ROBDD_RESULTS ((size_t)1 << 26)

/* ---- memory ------------------------------------------------------------ */

static size_t bytes_per_variable(void)
{
  return sizeof(robdd_level_table) + 4 * sizeof(uint32_t);
}

size_t robdd_bytes(const robdd_manager *m)
{
  return sizeof *m + (size_t)m->top * sizeof(robdd_node) + m->bucket_bytes +
         m->capacity * bytes_per_variable() + dd_cache_bytes(&m->cache) +
         dd_roots_bytes(&m->roots) + m->scratch_cap * sizeof *m->scratch;
}

static bool can_hold(const robdd_manager *m, size_t bytes)
{
  size_t held = robdd_bytes(m);
  return held <= m->max_bytes && bytes <= m->max_bytes - held;
}

/* Where memory is short it gets up to half of it, and nodes the rest. */
void robdd_fit_cache(robdd_manager *m)
{
  size_t wanted = (size_t)m->used * m->results_per_node;
  size_t most = m->max_bytes / (2 * sizeof(dd_cache_entry));
  wanted = wanted < most ? wanted : most;
  size_t more = wanted * sizeof(dd_cache_entry),
         now = dd_cache_bytes(&m->cache);
  if (more > now && can_hold(m, more - now))
    dd_cache_grow(&m->cache, wanted);
}

/* Room for 'count' nodes beyond 'top'; a little more when there is budget. */
static bool room_for_nodes(robdd_manager *m, uint32_t count)
{
  if (m->room - m->top >= count)
    return true;
  uint32_t most = ROBDD_MOST_NODES - m->top;
  if (count > most)
    return false;
  uint32_t step = m->top / 8 > FIRST_NODES ? m->top / 8 : FIRST_NODES;
  step = step > count ? step : count;
  step = step > most ? most : step;
  if (!can_hold(m, step * sizeof(robdd_node)))
    step = count;
  if (!can_hold(m, step * sizeof(robdd_node)))
    return false;
  if (!reserve_commit(&m->pool, ((size_t)m->top + step) * sizeof(robdd_node)))
    return false;
  m->room = m->top + step;
  robdd_fit_cache(m);
  return true;
}

bool robdd_ensure_nodes(robdd_manager *m, uint32_t count)
{
  uint32_t there = m->top - 1 - m->used; /* free ones */
  return there >= count || room_for_nodes(m, count - there);
}

uint32_t robdd_take_node(robdd_manager *m)
{
  uint32_t i = m->free;
  if (i)
    m->free = m->nodes[i].next;
  else if (m->top < m->room || room_for_nodes(m, 1))
    i = m->top++;
  else
    return 0;
  if (++m->used > m->peak)
    m->peak = m->used;
  return i;
}

void robdd_give_node(robdd_manager *m, uint32_t i)
{
  m->nodes[i] = (robdd_node){0, 0, m->free, LEVEL_FREE};
  m->free = i;
  m->used--;
}

/* ---- the unique table -------------------------------------------------- */

static size_t bucket_count(const robdd_level_table *t)
{
  return (size_t)1 << (64 - t->shift);
}

static uint32_t *bucket_of(const robdd_manager *m, uint32_t i)
{
  const robdd_node *n = &m->nodes[i];
  const robdd_level_table *t = &m->levels[n->level];
  return &t->buckets[robdd_hash(n->low, n->high) >> t->shift];
}

void robdd_link_node(robdd_manager *m, uint32_t i)
{
  uint32_t *bucket = bucket_of(m, i);
  m->nodes[i].next = *bucket;
  *bucket = i;
  m->levels[m->nodes[i].level].count++;
}

/* Doubles the buckets of a level.  Without memory the chains get longer.  What
** is left of the old ones when time is up is lost to the table alone. */
void robdd_grow_level(robdd_manager *m, robdd_level_table *t)
{
  size_t old_size = bucket_count(t), bytes = old_size * sizeof *t->buckets;
  if (t->shift <= 32 || !can_hold(m, 2 * bytes))
    return;
  uint32_t *old = t->buckets, *new = mem_try_alloc(2 * bytes);
  if (!new)
    return;
  t->shift--;
  for (size_t b = 0; b < old_size; b++)
    for (uint32_t i = old[b], next; i && !robdd_is_abandoned(m); i = next) {
      robdd_node *n = &m->nodes[i];
      next = n->next;
      uint32_t *bucket = &new[robdd_hash(n->low, n->high) >> t->shift];
      n->next = *bucket;
      *bucket = i;
    }
  t->buckets = new;
  mem_free(old, bytes);
  m->bucket_bytes += bytes;
}

robdd robdd_find_or_add(robdd_manager *m, uint32_t level, robdd low, robdd high)
{
  assert(!(low & 1) && low != high);
  robdd_level_table *t = &m->levels[level];
  uint32_t *bucket = &t->buckets[robdd_hash(low, high) >> t->shift];
  for (uint32_t i = *bucket; i; i = m->nodes[i].next)
    if (m->nodes[i].low == low && m->nodes[i].high == high)
      return i << 1;
  if (!--m->countdown && !robdd_look(m))
    return ROBDD_FULL;
  uint32_t i = robdd_take_node(m);
  if (!i)
    return ROBDD_FULL;
  m->nodes[i] = (robdd_node){low, high, *bucket, level};
  *bucket = i;
  uint32_t count = ++t->count;
  /* Powers of two only: a refusal is not asked for again at every node. */
  if (!(count & (count - 1)) && count >= bucket_count(t))
    robdd_grow_level(m, t);
  return i << 1;
}

void robdd_set_results(robdd_manager *m, unsigned per_node)
{
  m->results_per_node = per_node;
}

/* ---- patience ----------------------------------------------------------- */

void robdd_set_patience(robdd_manager *m, bool (*impatient)(void *),
                        void *context)
{
  m->impatient = impatient;
  m->impatient_context = context;
}

bool robdd_look(robdd_manager *m)
{
  m->countdown = LOOK_EVERY;
  if (!m->sifts && m->impatient && m->impatient(m->impatient_context))
    m->ended = true;
  return !m->ended;
}

/* ---- managers ---------------------------------------------------------- */

robdd_manager *robdd_create(uint32_t variables, size_t max_bytes)
{
  robdd_manager *m = mem_try_alloc(sizeof *m);
  if (!m)
    return NULL;
  m->max_bytes = max_bytes;
  m->garbage_percent = 100;
  m->countdown = LOOK_EVERY;
  m->results_per_node = 1;
  robdd_set_least_garbage(m, LEAST_GARBAGE);
  m->reorder_at = FIRST_REORDERING;
  size_t most_nodes = (size_t)ROBDD_MOST_NODES * sizeof(robdd_node);
  if (!space_reserve(&m->pool, most_nodes) ||
      !reserve_commit(&m->pool, FIRST_NODES * sizeof(robdd_node)) ||
      !dd_cache_create(&m->cache, MOST_ROBDD_RESULTS)) {
    robdd_destroy(m);
    return NULL;
  }
  m->nodes = (robdd_node *)m->pool.base;
  m->nodes[0].level = LEVEL_TERMINAL;
  m->top = 1;
  m->room = FIRST_NODES;
  if (!robdd_add_variables(m, variables)) {
    robdd_destroy(m);
    return NULL;
  }
  return m;
}

void robdd_destroy(robdd_manager *m)
{
  if (!m)
    return;
  for (uint32_t i = 0; i < m->variables; i++)
    mem_free(m->levels[i].buckets,
             bucket_count(&m->levels[i]) * sizeof(uint32_t));
  mem_free(m->levels, m->capacity * bytes_per_variable());
  mem_free(m->scratch, m->scratch_cap * sizeof *m->scratch);
  mem_free(m->slots, m->slot_count * sizeof *m->slots);
  dd_roots_free(&m->roots);
  dd_cache_destroy(&m->cache);
  reserve_destroy(&m->pool);
  mem_free(m, sizeof *m);
}

/* The arrays per variable and level are cut from one block, so that growing
** them either succeeds or changes nothing. */
static bool grow_variables(robdd_manager *m, uint32_t capacity)
{
  size_t bytes = capacity * bytes_per_variable();
  if (!can_hold(m, bytes))
    return false;
  robdd_level_table *levels = mem_try_alloc(bytes);
  if (!levels)
    return false;
  uint32_t *words = (uint32_t *)(levels + capacity);
  uint32_t **arrays[] = {&m->level_of, &m->variable_at, &m->group_of, &m->path};
  size_t used = m->variables * sizeof *words;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    if (used)
      memcpy(words, *arrays[i], used);
    *arrays[i] = words;
    words += capacity;
  }
  if (used)
    memcpy(levels, m->levels, m->variables * sizeof *levels);
  mem_free(m->levels, m->capacity * bytes_per_variable());
  m->levels = levels;
  m->capacity = capacity;
  return true;
}

static bool add_variable(robdd_manager *m)
{
  size_t bytes = sizeof(uint32_t) << FIRST_LEVEL_BITS;
  uint32_t *buckets = can_hold(m, bytes) ? mem_try_alloc(bytes) : NULL;
  if (!buckets)
    return false;
  uint32_t v = m->variables++;
  m->levels[v] = (robdd_level_table){buckets, 64 - FIRST_LEVEL_BITS, 0};
  m->level_of[v] = m->variable_at[v] = v;
  m->group_of[v] = 0;
  m->bucket_bytes += bytes;
  return true;
}

bool robdd_add_variables(robdd_manager *m, uint32_t count)
{
  uint32_t old = m->variables;
  if (count > ROBDD_MOST_VARIABLES - old)
    return false;
  uint32_t needed = old + count, capacity = needed;
  if (capacity < 2 * m->capacity)
    capacity = 2 * m->capacity;
  if (needed > m->capacity && !grow_variables(m, capacity))
    return false;
  while (m->variables < needed)
    if (!add_variable(m)) {
      /* New levels are the last ones and have no nodes yet. */
      while (m->variables > old) {
        robdd_level_table *t = &m->levels[--m->variables];
        mem_free(t->buckets, bucket_count(t) * sizeof *t->buckets);
        m->bucket_bytes -= bucket_count(t) * sizeof *t->buckets;
      }
      return false;
    }
  return true;
}

bool robdd_insert_variable(robdd_manager *m, uint32_t level)
{
  assert(level <= m->variables);
  if (!robdd_add_variables(m, 1))
    return false;
  uint32_t last = m->variables - 1;
  robdd_level_table new = m->levels[last];
  memmove(m->levels + level + 1, m->levels + level,
          (last - level) * sizeof *m->levels);
  m->levels[level] = new;
  memmove(m->variable_at + level + 1, m->variable_at + level,
          (last - level) * sizeof *m->variable_at);
  m->variable_at[level] = last;
  for (uint32_t at = level; at <= last; at++)
    m->level_of[m->variable_at[at]] = at;
  for (uint32_t i = 1; i < m->top; i++)
    if (m->nodes[i].level >= level && m->nodes[i].level < LEVEL_TERMINAL)
      m->nodes[i].level++;
  return true;
}

uint32_t robdd_variables(const robdd_manager *m)
{
  return m->variables;
}

uint32_t robdd_level_of(const robdd_manager *m, uint32_t variable)
{
  assert(variable < m->variables);
  return m->level_of[variable];
}

robdd_statistics robdd_figures(const robdd_manager *m)
{
  return (robdd_statistics){.nodes = m->used,
                            .peak_nodes = m->peak,
                            .bytes = robdd_bytes(m),
                            .collections = m->collections,
                            .reorderings = m->reorderings};
}
