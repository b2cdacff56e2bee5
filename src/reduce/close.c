/* One set of nodes: what it must have, given one of them.
**
** A state has few nodes as a rule.  Up to 64 of them are the bits of a word, and
** what a node needs is found out once for all sets that are tried.  Where there
** are more, as in nets, the set is a list. */

#include "reduce/reduce_internal.h"

#include <assert.h>

static bool is_met(const reduction *r, demand d)
{
  uint32_t number = d.channel + 1;
  return d.use == USE_SOME ? r->messages[number] > 0
                           : r->messages[number] < r->of->room[number];
}

static fill fill_of(const reduction *r, const act *a)
{
  if (a->queue && a->queue <= r->queues)
    return r->messages[a->queue] ? FILL_SOME : FILL_EMPTY;
  bool known = a->demand_count > 0;
  for (uint32_t i = 0; i < a->demand_count; i++) {
    known &= a->demands[i].channel < r->queues;
    if (known && !is_met(r, a->demands[i]))
      return (fill)(FILL_UNMET + i);
  }
  return known ? FILL_MET : FILL_ANY;
}

/* ---- lists -------------------------------------------------------------- */

static bool add_node(reduction *r, uint32_t i, uint32_t seed)
{
  node *n = &r->nodes.data[i];
  if (n->chosen)
    return true;
  n->chosen = true;
  r->picked.data[i / 64] |= UINT64_C(1) << i % 64;
  vec_push(&r->todo, i);
  return r->of->mode == REDUCE_STUBBORN ||
         n->process == r->nodes.data[seed].process;
}

/* Nothing of a process that waits to end can happen before the youngest one
** has ended. */
static bool add_youngest(reduction *r, uint32_t seed)
{
  uint32_t last = r->processes - 1;
  for (uint32_t i = r->first_node[last]; i < r->first_node[last + 1]; i++)
    if (!add_node(r, i, seed))
      return false;
  return true;
}

/* The same where the acts of the nodes are a row of numbers, as those of a net
** are: only bits that are set are looked at, in the same order.  '*fits' becomes
** false when they are not. */
static bool add_row(reduction *r, uint32_t first, uint32_t end, uint32_t base,
                    const uint64_t *one, const uint64_t *other, uint32_t seed,
                    bool *fits)
{
  uint32_t low = r->nodes.data[first].act - base, high = low + (end - first);
  bool aligned = low == first; /* bits are numbers of nodes */
  for (uint32_t w = low / 64; 64 * w < high; w++) {
    uint64_t bits = (one ? one[w] : 0) | (other ? other[w] : 0);
    if (aligned)
      bits &= ~r->picked.data[w];
    for (; bits; bits &= bits - 1) {
      uint32_t i = 64 * w + (uint32_t)__builtin_ctzll(bits);
      if (i < low || i >= high)
        continue;
      *fits &= r->nodes.data[first + i - low].act == base + i;
      if (!*fits || !add_node(r, first + i - low, seed))
        return false;
    }
  }
  return true;
}

static bool is_row(const reduction *r, uint32_t first, uint32_t end)
{
  enum { LONG = 64 };
  return end - first >= LONG &&
         r->nodes.data[end - 1].act - r->nodes.data[first].act ==
             end - 1 - first;
}

/* Adds the nodes from 'first' to 'end' whose acts, less 'base', are in one of
** the sets. */
static bool add_some(reduction *r, uint32_t first, uint32_t end, uint32_t base,
                     const uint64_t *one, const uint64_t *other, uint32_t seed)
{
  bool fits = true;
  if (first < end && is_row(r, first, end)) {
    bool added = add_row(r, first, end, base, one, other, seed, &fits);
    if (fits)
      return added;
  }
  for (uint32_t k = first; k < end; k++) {
    const node *m = &r->nodes.data[k];
    uint32_t i = m->act - base;
    if (m->chosen ||
        !((one && bit_get(one, i)) || (other && bit_get(other, i))))
      continue;
    if (!add_node(r, k, seed))
      return false;
  }
  return true;
}

/* Adds what the set must have because of node 'i'.  False: it is no use. */
static bool add_needed(reduction *r, uint32_t i, uint32_t seed)
{
  const node n = r->nodes.data[i];
  act *a = r->of->acts.data[n.act];
  bool can = n.enabled || n.maybe, cannot = !n.enabled;
  if (a->flags & ACT_WILD)
    return false;
  if (a->flags & ACT_TIMEOUT)
    return true;
  if (cannot && a->flags & ACT_ONLY_DIES)
    return add_youngest(r, seed);
  fill known = fill_of(r, a);
  const uint64_t *one = can ? acts_disturbing(r->of, a) : NULL;
  const uint64_t *other = cannot ? acts_helping(r->of, a, known) : NULL;
  uint32_t first = r->first_node[n.process], end = r->first_node[n.process + 1];
  if (!add_some(r, 0, first, 0, one, other, seed) ||
      !add_some(r, end, (uint32_t)r->nodes.len, 0, one, other, seed))
    return false;
  one = can ? acts_disturbing_inside(r->of, a) : NULL;
  other = cannot ? acts_helping_inside(r->of, a, known) : NULL;
  return add_some(r, first, end, r->of->roles.data[a->role].first, one, other,
                  seed);
}

/* Whether, of what is enabled in the set, something is invisible. */
static bool has_invisible(const reduction *r)
{
  for (size_t i = 0; i < r->nodes.len; i++) {
    const node *n = &r->nodes.data[i];
    if (n->chosen && n->enabled && !n->visible)
      return true;
  }
  return false;
}

/* When the visible steps of the set could matter, all that lead to visible ones
** must be in it. */
static bool add_visible(reduction *r, uint32_t seed)
{
  if (!r->of->looks || has_invisible(r))
    return true;
  for (uint32_t i = 0; i < r->nodes.len; i++)
    if (act_leads_to_visible(r->of, r->nodes.data[i].act) &&
        !add_node(r, i, seed))
      return false;
  return true;
}

/* For infinite runs a set that is not everything must not be seen, and must not
** close a circle. */
static bool is_unwanted(const reduction *r, const node *n)
{
  if (!r->of->liveness || !(n->enabled || n->maybe))
    return false;
  return n->visible || r->of->acts.data[n->act]->flags & ACT_STICKY;
}

/* Completes the set that begins with 'seed'.  Answers how many of its nodes are
** enabled; 'most' when it is not smaller than that. */
static uint32_t close_large(reduction *r, uint32_t seed, uint32_t most)
{
  uint32_t enabled = 0;
  for (size_t i = 0; i < r->nodes.len; i++)
    r->nodes.data[i].chosen = false;
  vec_clear(&r->picked);
  vec_resize(&r->picked, r->nodes.len / 64 + 1);
  vec_clear(&r->todo);
  add_node(r, seed, seed);
  do {
    while (r->todo.len) {
      uint32_t i = vec_pop(&r->todo);
      enabled += r->nodes.data[i].enabled;
      if (enabled >= most || is_unwanted(r, &r->nodes.data[i]) ||
          !add_needed(r, i, seed))
        return most;
    }
    if (!r->of->liveness && !add_visible(r, seed))
      return most;
  } while (r->todo.len);
  return enabled;
}

/* ---- words -------------------------------------------------------------- */

static uint64_t bits_between(uint32_t first, uint32_t end)
{
  uint64_t below = end < 64 ? (UINT64_C(1) << end) - 1 : UINT64_MAX;
  return below & ~((UINT64_C(1) << first) - 1);
}

static uint64_t bits_of_process(const reduction *r, uint32_t process)
{
  uint32_t first = r->first_node[process], end = r->first_node[process + 1];
  return first < end ? bits_between(first, end) : 0;
}

/* Of the nodes from 'first' to 'end' those whose acts, less 'base', are in one
** of the sets. */
static uint64_t some_of(const reduction *r, uint32_t first, uint32_t end,
                        uint32_t base, const uint64_t *one,
                        const uint64_t *other)
{
  uint64_t some = 0;
  for (uint32_t k = first; k < end; k++) {
    uint32_t i = r->nodes.data[k].act - base;
    bool has = (one && bit_get(one, i)) || (other && bit_get(other, i));
    some |= (uint64_t)has << k;
  }
  return some;
}

/* What a set must have because of node 'i', as 'add_needed' says. */
static uint64_t find_needs(reduction *r, uint32_t i)
{
  const node *n = &r->nodes.data[i];
  act *a = r->of->acts.data[n->act];
  bool can = n->enabled || n->maybe, cannot = !n->enabled;
  if (a->flags & ACT_TIMEOUT)
    return 0;
  if (cannot && a->flags & ACT_ONLY_DIES)
    return bits_of_process(r, r->processes - 1);
  fill known = fill_of(r, a);
  const uint64_t *one = can ? acts_disturbing(r->of, a) : NULL;
  const uint64_t *other = cannot ? acts_helping(r->of, a, known) : NULL;
  uint32_t first = r->first_node[n->process];
  uint32_t end = r->first_node[n->process + 1];
  uint64_t needs = some_of(r, 0, first, 0, one, other) |
                   some_of(r, end, (uint32_t)r->nodes.len, 0, one, other);
  one = can ? acts_disturbing_inside(r->of, a) : NULL;
  other = cannot ? acts_helping_inside(r->of, a, known) : NULL;
  return needs |
         some_of(r, first, end, r->of->roles.data[a->role].first, one, other);
}

static uint64_t needs_of(reduction *r, uint32_t i)
{
  node_sets *s = &r->sets;
  if (!(s->known >> i & 1)) {
    s->needs[i] = find_needs(r, i);
    s->known |= UINT64_C(1) << i;
  }
  return s->needs[i];
}

static uint64_t leading_to_visible(const reduction *r)
{
  uint64_t set = 0;
  for (uint32_t i = 0; i < r->nodes.len; i++)
    set |= (uint64_t)act_leads_to_visible(r->of, r->nodes.data[i].act) << i;
  return set;
}

/* What is the same for all sets of a state. */
static void begin_sets(reduction *r)
{
  node_sets *s = &r->sets;
  s->known = s->enabled = s->visible = s->useless = 0;
  for (uint32_t i = 0; i < r->nodes.len; i++) {
    const node *n = &r->nodes.data[i];
    bool wild = r->of->acts.data[n->act]->flags & ACT_WILD;
    s->enabled |= (uint64_t)n->enabled << i;
    s->visible |= (uint64_t)n->visible << i;
    s->useless |= (uint64_t)(wild || is_unwanted(r, n)) << i;
  }
}

static bool only_visible(const reduction *r, uint64_t set)
{
  return !(set & r->sets.enabled & ~r->sets.visible);
}

static uint32_t close_small(reduction *r, uint32_t seed, uint32_t most)
{
  node_sets *s = &r->sets;
  bool looks = r->of->looks && !r->of->liveness;
  uint64_t within = r->of->mode == REDUCE_STUBBORN
                        ? UINT64_MAX
                        : bits_of_process(r, r->nodes.data[seed].process);
  uint64_t set = UINT64_C(1) << seed, todo = set;
  do {
    while (todo) {
      if (set & (s->useless | ~within) ||
          (uint32_t)__builtin_popcountll(set & s->enabled) >= most)
        return most;
      uint64_t more = needs_of(r, (uint32_t)__builtin_ctzll(todo)) & ~set;
      todo = (todo & (todo - 1)) | more;
      set |= more;
    }
    if (looks && only_visible(r, set))
      todo = leading_to_visible(r) & ~set;
    set |= todo;
  } while (todo);
  s->set = set;
  return (uint32_t)__builtin_popcountll(set & s->enabled);
}

/* ---- either ------------------------------------------------------------- */

static bool is_small(const reduction *r)
{
  return r->nodes.len <= 64;
}

void reduce_begin_sets(reduction *r)
{
  if (is_small(r))
    begin_sets(r);
}

uint32_t reduce_close(reduction *r, uint32_t seed, uint32_t most)
{
  if (!is_small(r))
    return close_large(r, seed, most);
  uint32_t found = close_small(r, seed, most);
  assert(found == close_large(r, seed, most));
  return found;
}

void reduce_keep_best(reduction *r)
{
  bool small = is_small(r);
  bool invisible = small ? !only_visible(r, r->sets.set) : has_invisible(r);
  r->all_lead = !r->of->looks || !invisible;
  vec_resize(&r->best, r->nodes.len);
  for (uint32_t i = 0; i < r->nodes.len; i++) {
    bool chosen = small ? r->sets.set >> i & 1 : r->nodes.data[i].chosen;
    assert(chosen == r->nodes.data[i].chosen);
    r->best.data[i] = chosen;
  }
}
