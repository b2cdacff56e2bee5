/* The choice in a state.
**
** The edges at the locations of all processes are nodes.  A set of nodes is
** good when it has one that is enabled, and
**
**   with a node that is enabled it has all that lead to what disturbs it,
**   with a node that is not it has all that lead to what could enable it.
**
** So nothing outside can disturb what is inside, whatever happens there.  Good
** sets are found by starting with one node and adding what is missing; the one
** with the fewest enabled nodes is taken. */

#include "base/hash.h"
#include "reduce/reduce_internal.h"

#include <string.h>

enum { SEEDS_MAX = 24 }; /* starting nodes that are tried in a state */

/* ---- the state --------------------------------------------------------- */

static void find_nodes(reduction *r)
{
  vec_clear(&r->nodes);
  for (uint32_t i = 0; i < r->processes; i++) {
    const process_type *p = r->of->model->processes.data[r->positions[i].type];
    const location *at = &p->locations.data[r->positions[i].location];
    const role *o = &r->of->roles.data[r->role_of[i]];
    r->first_node[i] = (uint32_t)r->nodes.len;
    vec_grow(&r->nodes, at->edge_count);
    for (uint32_t k = 0; k < at->edge_count; k++) {
      uint32_t index = p->order.data[at->first_edge + k]->index;
      node n = {.act = o->first + r->of->step_of[index], .process = i};
      n.visible = r->of->acts.data[n.act]->flags & ACT_VISIBLE;
      vec_push(&r->nodes, n);
    }
  }
  r->first_node[r->processes] = (uint32_t)r->nodes.len;
}

static uint32_t node_of(const reduction *r, const successor *s)
{
  return r->first_node[s->process] + r->of->turn_of[s->edge];
}

/* Marks what has successors.  Answers how many nodes that are, or 0 when some
** of them waits for a timeout: then there is nothing to choose. */
static uint32_t find_enabled(reduction *r, const batch *b)
{
  uint32_t count = 0;
  for (size_t i = 0; i < b->list.len; i++) {
    node *n = &r->nodes.data[node_of(r, &b->list.data[i])];
    if (r->of->acts.data[n->act]->flags & ACT_TIMEOUT)
      return 0;
    count += !n->enabled;
    n->enabled = true;
  }
  return count;
}

/* Who answers a rendezvous is not told by the successors.  What the answer
** changes is changed by the step of the sender. */
static void find_answers(reduction *r)
{
  for (size_t i = 0; i < r->nodes.len; i++) {
    node *n = &r->nodes.data[i];
    const act *a = r->of->acts.data[n->act];
    if (!n->enabled || !(a->flags & ACT_SENDS))
      continue;
    for (size_t k = 0; k < r->nodes.len; k++) {
      node *m = &r->nodes.data[k];
      const act *other = r->of->acts.data[m->act];
      if (m->process == n->process || !acts_meet(r->of, a, other))
        continue;
      m->maybe = true;
      n->visible |= (other->flags & ACT_VISIBLE) != 0;
    }
  }
}

/* ---- one set ----------------------------------------------------------- */

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

static fill fill_of(const reduction *r, const act *a)
{
  if (!a->queue || a->queue > r->queues)
    return FILL_ANY;
  return r->messages[a->queue] ? FILL_SOME : FILL_EMPTY;
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
static uint32_t close_set(reduction *r, uint32_t seed, uint32_t most)
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

static void keep_best(reduction *r)
{
  r->all_lead = !r->of->looks || !has_invisible(r);
  vec_resize(&r->best, r->nodes.len);
  for (size_t i = 0; i < r->nodes.len; i++)
    r->best.data[i] = r->nodes.data[i].chosen;
}

/* Whether a set with one of two nodes of a process has the other. */
static bool always_together(reduction *r, const node *one, const node *other)
{
  act *a = r->of->acts.data[one->act];
  return bit_get(acts_disturbing_inside(r->of, a),
                 other->act - r->of->roles.data[a->role].first);
}

/* Tries to start with each process, the youngest first, and in a process with
** each of its steps that do not always come together. */
static bool find_best(reduction *r, uint32_t enabled)
{
  uint32_t least = enabled, tried = 0;
  for (uint32_t p = r->processes; p-- > 0;) {
    const node *last = NULL;
    for (uint32_t i = r->first_node[p]; i < r->first_node[p + 1]; i++) {
      const node *n = &r->nodes.data[i];
      if (!n->enabled || (last && always_together(r, last, n)))
        continue;
      last = n;
      if (tried++ >= SEEDS_MAX)
        return least < enabled;
      uint32_t found = close_set(r, i, least);
      if (found < least) {
        least = found;
        keep_best(r);
      }
      if (least == 1 && enabled > 1)
        return true;
    }
  }
  return least < enabled;
}

/* ---- the answer -------------------------------------------------------- */

/* Puts the chosen successors first. */
static size_t sort_batch(reduction *r, batch *b)
{
  size_t count = 0, n = b->list.len;
  vec_resize(&r->list, n);
  vec_resize(&r->original, n);
  vec_resize(&r->leads, n);
  for (int chosen = 1; chosen >= 0; chosen--)
    for (size_t i = 0; i < n; i++) {
      const successor *s = &b->list.data[i];
      uint32_t at = node_of(r, s);
      if (r->best.data[at] != chosen)
        continue;
      r->leads.data[count] = r->all_lead || !r->nodes.data[at].visible;
      r->original.data[count] = (uint32_t)i;
      r->list.data[count++] = *s;
    }
  memcpy(b->list.data, r->list.data, n * sizeof *b->list.data);
  for (count = 0; count < n; count++)
    if (!r->best.data[node_of(r, &b->list.data[count])])
      break;
  return count;
}

static void keep_order(reduction *r, size_t n)
{
  vec_resize(&r->original, n);
  for (size_t i = 0; i < n; i++)
    r->original.data[i] = (uint32_t)i;
}

/* Looking for a choice costs more than a successor.  Where it is hardly ever
** found one does without it for a while, which is right in any state; not for
** infinite runs, where the choice must be the same whenever a state is met. */
enum {
  LOOK_AT = 512,
  RARELY = LOOK_AT / 64,
  PAUSE_FIRST = 512,
  PAUSE_MAX = 1 << 16
};

/* By levels that is decided for a whole level, and who is looked at then is a
** matter of the state alone. */
enum { SPARSE_MAX = 7 };

static bool is_passed_over(const reduction *r, const uint8_t *state,
                           uint32_t length)
{
  uint64_t mask = (UINT64_C(1) << r->of->sparse) - 1;
  return mask && hash_bytes(state, length) & mask;
}

static bool is_resting(reduction *r, const uint8_t *state, uint32_t length)
{
  if (r->of->liveness)
    return false;
  if (r->by_levels)
    return is_passed_over(r, state, length);
  if (r->rest) {
    r->rest--;
    return true;
  }
  if (r->looked < LOOK_AT)
    return false;
  if (r->found >= RARELY)
    r->pause = 0;
  else if (r->pause < PAUSE_MAX)
    r->pause = r->pause ? 2 * r->pause : PAUSE_FIRST;
  r->rest = r->pause;
  r->looked = r->found = 0;
  return r->rest != 0;
}

bool reduce_pays(const reduction *r)
{
  return r->looked < LOOK_AT / 8 || r->found >= r->looked / 64;
}

/* Finds out who is where.  False: something is not known of them. */
static bool enter(reduction *r, const uint8_t *state, uint32_t length)
{
  r->processes = program_positions(r->of->program, state, length, r->positions);
  bool known = reduce_find_roles(r, state);
  find_nodes(r);
  return known;
}

static bool look(reduction *r, const uint8_t *state, uint32_t length,
                 const batch *b)
{
  r->queues =
      program_queues(r->of->program, state, length, r->messages, QUEUES_MAX);
  uint32_t enabled = find_enabled(r, b);
  if (enabled < 2)
    return false;
  find_answers(r);
  r->looked++;
  if (!find_best(r, enabled))
    return false;
  r->found++;
  return true;
}

uint32_t reduce_act(reduction *r, const uint8_t *state, uint32_t length,
                    uint32_t process, uint32_t index)
{
  r->processes = program_positions(r->of->program, state, length, r->positions);
  reduce_find_roles(r, state);
  if (process >= r->processes || index >= r->of->model->edges.len ||
      r->of->step_of[index] == NO_STEP ||
      r->of->model->edges.data[index]->process->index !=
          r->positions[process].type)
    return REDUCE_NO_ACT;
  return r->of->roles.data[r->role_of[process]].first + r->of->step_of[index];
}

bool reduce_is_visible(const reduction *r, uint32_t number)
{
  return r->of->acts.data[number]->flags & ACT_VISIBLE;
}

size_t reduce_choose(reduction *r, const uint8_t *state, uint32_t length,
                     batch *b)
{
  size_t n = b->list.len;
  bool looks =
      n > 1 && !b->faults.len && !b->abandoned && !is_resting(r, state, length);
  if (looks || r->of->believes)
    looks = enter(r, state, length) && looks;
  if (r->of->believes) {
    reduce_watch(r, state);
    if (r->has_breach && !r->by_levels)
      reduce_doubt(r->of);
  }
  if (looks && look(r, state, length, b))
    return sort_batch(r, b);
  keep_order(r, n);
  return n;
}

bool reduce_leads_on(const reduction *r, size_t i)
{
  return r->leads.data[i];
}

uint32_t reduce_original(const reduction *r, size_t i)
{
  return i < r->original.len ? r->original.data[i] : (uint32_t)i;
}

/* ---- by levels --------------------------------------------------------- */

void reduce_by_levels(reduction *r)
{
  r->by_levels = true;
}

bool reduce_is_settled(reduction *r, const uint8_t *initial, uint32_t length)
{
  return !r->of->believes && enter(r, initial, length) && r->roles_known;
}

void reduce_settle(reduction *const *all, size_t count)
{
  relations *of = all[0]->of;
  bool has_breach = false;
  for (size_t i = 0; i < count; i++) {
    of->looked += all[i]->looked;
    of->found += all[i]->found;
    all[i]->looked = all[i]->found = 0;
    has_breach |= all[i]->has_breach;
  }
  if (has_breach)
    reduce_doubt(of);
  reduce_enter_wanted(all, count);
  if (of->looked < LOOK_AT)
    return;
  if (of->found >= of->looked / 64)
    of->sparse = 0;
  else if (of->sparse < SPARSE_MAX)
    of->sparse++;
  of->looked = of->found = 0;
}
