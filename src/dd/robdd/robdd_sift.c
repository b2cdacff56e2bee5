/* Dynamic reordering (Rudell 1993): two neighbouring levels are exchanged in
** place, so that every node keeps its number and its function; sifting moves
** one variable after the other through the whole order and leaves it where
** there were fewest nodes.  Variables of a group move as one block.
**
** Exchanging x (above) and y (below).  A node x ? f1 : f0 that does not depend
** on y only sinks by one level.  One that does becomes, with the same number,
**
**         x                    y
**        / \                  / \            f00 is the low edge of a low
**      f0   f1      ->       x   x           edge, thus regular: the new low
**     / \   / \             / \ / \          edge is regular as it must be
**   f00 f01 f10 f11      f00 f10 f01 f11
**
** and nodes of y that only it used die.  To see that, references are counted
** while reordering, and only then. */

#include "dd/robdd/robdd_internal.h"

#include "base/alloc.h"
#include "base/system/address_space.h"

#include <assert.h>
#include <string.h>

/* A variable goes no further in a direction when the nodes have grown to this
** many percent of what they were before it moved. */
enum { MOST_GROWTH = 120 };

typedef struct sifting {
  robdd_manager *m;
  uint32_t *refs; /* by node */
  reserve memory; /* of 'refs' */
} sifting;

/* ---- reference counts -------------------------------------------------- */

static void count_reference(sifting *s, robdd f)
{
  s->refs[f >> 1]++;
}

static void count_root(void *context, uint32_t f, uint32_t count)
{
  (void)count; /* one is enough to keep it */
  count_reference(context, f);
}

/* Nodes may be added up to the room that the manager has. */
static bool cover_nodes(sifting *s)
{
  return reserve_commit(&s->memory, (size_t)s->m->room * sizeof *s->refs);
}

static bool start_sifting(sifting *s, robdd_manager *m)
{
  *s = (sifting){.m = m};
  if (!space_reserve(&s->memory, ROBDD_MOST_NODES * sizeof *s->refs))
    return false;
  s->refs = (uint32_t *)s->memory.base;
  if (!cover_nodes(s)) {
    reserve_destroy(&s->memory);
    return false;
  }
  for (uint32_t i = 1; i < m->top; i++)
    if (m->nodes[i].level != LEVEL_FREE) {
      count_reference(s, m->nodes[i].low);
      count_reference(s, m->nodes[i].high);
    }
  dd_roots_each(&m->roots, count_root, s);
  for (int i = 0; i < ROBDD_ARGUMENTS; i++)
    count_reference(s, m->arguments[i]);
  return true;
}

/* ---- exchange of two levels -------------------------------------------- */

static void unlink_node(robdd_manager *m, uint32_t i)
{
  const robdd_node *n = &m->nodes[i];
  robdd_level_table *t = &m->levels[n->level];
  uint32_t *at = &t->buckets[robdd_hash(n->low, n->high) >> t->shift];
  while (*at != i)
    at = &m->nodes[*at].next;
  *at = n->next;
  t->count--;
}

/* Takes a reference away.  A node that dies takes those of its children along;
** they are one level deeper each time, and are needed elsewhere. */
static void drop_reference(sifting *s, robdd f)
{
  uint32_t i = f >> 1;
  if (!i || --s->refs[i])
    return;
  robdd_node n = s->m->nodes[i];
  unlink_node(s->m, i);
  robdd_give_node(s->m, i);
  drop_reference(s, n.low);
  drop_reference(s, n.high);
}

/* The function low/high on 'level', with one reference more.  There is memory
** enough for it. */
static robdd make_referenced(sifting *s, uint32_t level, robdd low, robdd high)
{
  uint32_t before = s->m->used;
  robdd f = robdd_make(s->m, level, low, high);
  assert(f != ROBDD_FULL);
  if (s->m->used > before) {
    s->refs[f >> 1] = 0;
    count_reference(s, low);
    count_reference(s, high);
  }
  count_reference(s, f);
  return f;
}

/* The nodes of 'level' that have a child on 'below', taken out of the table
** and linked. */
static uint32_t split_level(robdd_manager *m, uint32_t level, uint32_t below)
{
  robdd_level_table *t = &m->levels[level];
  uint32_t dependent = 0;
  for (size_t b = 0; b < (size_t)1 << (64 - t->shift); b++)
    for (uint32_t *at = &t->buckets[b]; *at;) {
      uint32_t i = *at;
      robdd_node *n = &m->nodes[i];
      if (robdd_level(m, n->low) == below || robdd_level(m, n->high) == below) {
        *at = n->next;
        n->next = dependent;
        dependent = i;
        t->count--;
      } else {
        at = &n->next;
      }
    }
  return dependent;
}

static void set_levels(robdd_manager *m, const robdd_level_table *t,
                       uint32_t level)
{
  for (size_t b = 0; b < (size_t)1 << (64 - t->shift); b++)
    for (uint32_t i = t->buckets[b]; i; i = m->nodes[i].next)
      m->nodes[i].level = level;
}

/* Rewrites one node as in the picture; 'level' is now that of y. */
static void turn_node(sifting *s, uint32_t i, uint32_t level)
{
  robdd_manager *m = s->m;
  robdd low = m->nodes[i].low, high = m->nodes[i].high;
  robdd f00 = robdd_low_at(m, low, level), f01 = robdd_high_at(m, low, level);
  robdd f10 = robdd_low_at(m, high, level), f11 = robdd_high_at(m, high, level);
  robdd new_low = make_referenced(s, level + 1, f00, f10);
  robdd new_high = make_referenced(s, level + 1, f01, f11);
  assert(!(new_low & 1) && new_low != new_high);
  m->nodes[i].low = new_low;
  m->nodes[i].high = new_high;
  robdd_link_node(m, i);
  robdd_level_table *t = &m->levels[level];
  if (!(t->count & (t->count - 1)) && t->count >> (64 - t->shift))
    robdd_grow_level(m, t);
  drop_reference(s, low);
  drop_reference(s, high);
}

static bool swap_neighbours(sifting *s, uint32_t level)
{
  robdd_manager *m = s->m;
  uint32_t below = level + 1;
  uint32_t x = m->variable_at[level], y = m->variable_at[below];
  /* Every node of x may need two new ones before others die. */
  if (!robdd_ensure_nodes(m, 2 * m->levels[level].count) || !cover_nodes(s))
    return false;
  m->sifts = true;
  uint32_t dependent = split_level(m, level, below);
  robdd_level_table old_x = m->levels[level];
  m->levels[level] = m->levels[below];
  m->levels[below] = old_x;
  set_levels(m, &m->levels[level], level);
  set_levels(m, &m->levels[below], below);
  m->variable_at[level] = y, m->level_of[y] = level;
  m->variable_at[below] = x, m->level_of[x] = below;
  for (uint32_t i = dependent, next; i; i = next) {
    next = m->nodes[i].next;
    turn_node(s, i, level);
  }
  m->sifts = false;
  return true;
}

/* ---- blocks ------------------------------------------------------------ */

static uint32_t group_at(const robdd_manager *m, uint32_t level)
{
  return m->group_of[m->variable_at[level]];
}

/* First level of the block that 'level' belongs to, and its length. */
static uint32_t block_start(const robdd_manager *m, uint32_t level)
{
  uint32_t group = group_at(m, level);
  while (group && level && group_at(m, level - 1) == group)
    level--;
  return level;
}

static uint32_t block_length(const robdd_manager *m, uint32_t start)
{
  uint32_t group = group_at(m, start), end = start + 1;
  while (group && end < m->variables && group_at(m, end) == group)
    end++;
  return end - start;
}

/* Exchanges the block at 'start' with the one behind it. */
static bool swap_blocks(sifting *s, uint32_t start)
{
  uint32_t upper = block_length(s->m, start);
  uint32_t lower = block_length(s->m, start + upper);
  for (uint32_t i = 0; i < lower; i++)
    for (uint32_t j = upper; j--;)
      if (!swap_neighbours(s, start + i + j))
        return false;
  return true;
}

/* ---- sifting ----------------------------------------------------------- */

/* A block on its way: where it starts, and the fewest nodes seen so far with
** how many blocks are above it then. */
typedef struct journey {
  uint32_t start, above, best_above;
  uint32_t best, limit;
} journey;

static void look_around(const sifting *s, journey *j)
{
  if (s->m->used < j->best) {
    j->best = s->m->used;
    j->best_above = j->above;
  }
}

static bool step_down(sifting *s, journey *j)
{
  uint32_t next = j->start + block_length(s->m, j->start);
  uint32_t other = block_length(s->m, next);
  if (!swap_blocks(s, j->start))
    return false;
  j->start += other;
  j->above++;
  look_around(s, j);
  return true;
}

static bool step_up(sifting *s, journey *j)
{
  uint32_t other = block_start(s->m, j->start - 1);
  if (!swap_blocks(s, other))
    return false;
  j->start = other;
  j->above--;
  look_around(s, j);
  return true;
}

static bool is_last_block(const sifting *s, const journey *j)
{
  return j->start + block_length(s->m, j->start) == s->m->variables;
}

static bool go_to_end(sifting *s, journey *j, bool down)
{
  while (s->m->used <= j->limit) {
    if (down ? is_last_block(s, j) : j->start == 0)
      break;
    if (!(down ? step_down(s, j) : step_up(s, j)))
      return false;
  }
  return true;
}

static bool sift_block(sifting *s, uint32_t variable)
{
  robdd_manager *m = s->m;
  journey j = {.start = block_start(m, m->level_of[variable]),
               .best = m->used,
               .limit = (uint32_t)((uint64_t)m->used * MOST_GROWTH / 100)};
  for (uint32_t level = 0; level < j.start; level += block_length(m, level))
    j.above++;
  uint32_t home = j.best_above = j.above;
  /* The nearer end first, because its way is gone twice. */
  bool down = j.start > m->variables / 2;
  if (!go_to_end(s, &j, down))
    return false;
  /* Back to where it came from, however many nodes that takes on the way;
  ** then to the other end, then to the best place. */
  while (j.above != home)
    if (!(j.above < home ? step_down(s, &j) : step_up(s, &j)))
      return false;
  if (!go_to_end(s, &j, !down))
    return false;
  while (j.above != j.best_above)
    if (!(j.above < j.best_above ? step_down(s, &j) : step_up(s, &j)))
      return false;
  return true;
}

/* The variables that start a block, those with most nodes first, into 'path',
** which nothing else uses meanwhile. */
static uint32_t order_blocks(robdd_manager *m, uint64_t *weights)
{
  uint32_t blocks = 0;
  for (uint32_t level = 0; level < m->variables; blocks++) {
    uint32_t length = block_length(m, level);
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < length; i++)
      nodes += m->levels[level + i].count;
    uint32_t at = blocks;
    /* Insertion sort: there are few variables. */
    for (; at && weights[at - 1] < nodes; at--) {
      weights[at] = weights[at - 1];
      m->path[at] = m->path[at - 1];
    }
    weights[at] = nodes;
    m->path[at] = m->variable_at[level];
    level += length;
  }
  return blocks;
}

static bool sift_all(sifting *s)
{
  robdd_manager *m = s->m;
  size_t bytes = m->variables * sizeof(uint64_t);
  uint64_t *weights = mem_try_alloc(bytes);
  if (!weights)
    return false;
  uint32_t blocks = order_blocks(m, weights);
  bool ok = true;
  for (uint32_t i = 0; i < blocks && ok; i++)
    ok = !weights[i] || (robdd_look(m) && sift_block(s, m->path[i]));
  mem_free(weights, bytes);
  return ok;
}

/* Before: no garbage, so that all nodes count.  The computed table may not
** mention nodes that die. */
static bool begin_reordering(sifting *s, robdd_manager *m)
{
  robdd_collect(m);
  dd_cache_clear(&m->cache);
  return !m->abandoned && start_sifting(s, m);
}

bool robdd_reorder(robdd_manager *m)
{
  sifting s;
  if (!begin_reordering(&s, m))
    return false;
  bool ok = sift_all(&s);
  reserve_destroy(&s.memory);
  m->reorderings++;
  /* Never below the first threshold, where it is not worth the time. */
  if (m->reorder_at < 2 * m->used)
    m->reorder_at = 2 * m->used;
  return ok;
}

bool robdd_swap_levels(robdd_manager *m, uint32_t level)
{
  assert(level + 1 < m->variables);
  sifting s;
  if (!begin_reordering(&s, m))
    return false;
  bool ok = swap_neighbours(&s, level);
  reserve_destroy(&s.memory);
  return ok;
}

void robdd_auto_reorder(robdd_manager *m, bool on)
{
  m->reorders = on;
}

void robdd_group(robdd_manager *m, uint32_t first, uint32_t count)
{
  assert(count && first < m->variables && count <= m->variables - first);
  m->groups++;
  for (uint32_t v = first; v < first + count; v++) {
    assert(!m->group_of[v]);
    m->group_of[v] = m->groups;
  }
}
