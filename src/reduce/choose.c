/* The choice in a state.
**
** The edges at the locations of all processes are nodes.  A set of nodes is
** good when it has one that is enabled, and
**
**   with a node that is enabled it has all that lead to what disturbs it,
**   with a node that is not it has all that lead to what could enable it.
**
** So nothing outside can disturb what is inside, whatever happens there.  Good
** sets are found by starting with one node and adding what is missing (close.c);
** the one with the fewest enabled nodes is taken. */

#include "base/hash.h"
#include "reduce/reduce_internal.h"

#include <assert.h>
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

/* ---- the best set --------------------------------------------------------- */

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
      uint32_t found = reduce_close(r, i, least);
      if (found < least) {
        least = found;
        reduce_keep_best(r);
      }
      if (least == 1 && enabled > 1)
        return true;
    }
  }
  return least < enabled;
}

/* ---- the answer -------------------------------------------------------- */

/* Says of each successor whether it is chosen, and whether it leads on. */
static void pick_best(const reduction *r, const batch *b, uint8_t *picks)
{
  for (size_t i = 0; i < b->list.len; i++) {
    uint32_t at = node_of(r, &b->list.data[i]);
    bool leads = r->all_lead || !r->nodes.data[at].visible;
    picks[i] = (r->best.data[at] ? PICK_CHOSEN : 0) | (leads ? PICK_LEADS : 0);
  }
}

/* Puts the chosen successors first. */
static size_t sort_batch(reduction *r, batch *b, const uint8_t *picks)
{
  size_t count = 0, rest = 0, n = b->list.len;
  successor *list = b->list.data;
  vec_clear(&r->list);
  vec_grow(&r->list, n);
  vec_clear(&r->original);
  vec_grow(&r->original, 2 * n);
  uint32_t *original = r->original.data, *others = original + n;
  vec_clear(&r->leads);
  vec_grow(&r->leads, n);
  for (size_t i = 0; i < n; i++)
    if (picks[i] & PICK_CHOSEN) {
      original[count] = (uint32_t)i;
      r->leads.data[count] = picks[i] & PICK_LEADS;
      list[count++] = list[i];
    } else {
      others[rest] = (uint32_t)i;
      r->list.data[rest++] = list[i];
    }
  memcpy(list + count, r->list.data, rest * sizeof *list);
  memmove(original + count, others, rest * sizeof *original);
  r->original.len = n;
  return count;
}

/* Looking for a choice costs more than a successor.  Where it is hardly ever
** found one does without it for a while, which is right in any state; not for
** infinite runs, where the choice must be the same whenever a state is met. */
enum {
  LOOK_AT = 512,
  RARELY = LOOK_AT / 64,
  WORTH = 16,        /* of so many successors one is left out; */
  WORTH_OF_FEW = 32, /* depth first, of those of the first states; */
  FEW = 1024,        /* so many successors of states with a choice are enough */
  WORTH_OF_MANY = 4, /* where it must pay, with so many states: */
  MANY = 10000,
  PAUSE_FIRST = 512,
  PAUSE_MAX = 1 << 16
};

static bool is_resting(reduction *r)
{
  if (r->of->liveness)
    return false;
  if (r->by_levels) {
    r->expanded++;
    return r->of->rests;
  }
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

/* Whether so many successors left out, of all that were offered, are worth the
** looks.  A state takes up to twice as long with them, so that there must be far
** fewer states in the end. */
static bool is_worth(const relations *of, uint64_t left_out, uint64_t offered,
                     uint64_t expanded)
{
  bool is_strict = of->must_pay && expanded >= MANY;
  return left_out >= offered / (is_strict ? WORTH_OF_MANY : WORTH);
}

bool reduce_is_worth(const reduction *r, uint64_t expanded, uint64_t taken)
{
  const relations *of = r->of;
  if (of->liveness || (of->believes && of->relies))
    return true;
  if (of->must_pay && expanded < MANY)
    return r->offered < FEW || r->left_out >= r->offered / WORTH_OF_FEW;
  return is_worth(of, r->left_out, r->left_out + taken, expanded);
}

/* Finds out who is where.  False: something is not known of them. */
static bool enter(reduction *r, const uint8_t *state, uint32_t length)
{
  r->processes = program_positions(r->of->program, state, length, r->positions);
  return reduce_find_roles(r, state);
}

/* Looks for a choice among the successors; 'answer' is as 'choices_find' says,
** and 0. */
static void look(reduction *r, const batch *b, uint8_t *answer)
{
  find_nodes(r);
  uint32_t enabled = find_enabled(r, b);
  if (enabled < 2)
    return;
  find_answers(r);
  reduce_begin_sets(r);
  bool found = find_best(r, enabled);
  answer[0] = found ? LOOK_FOUND : LOOK_NONE;
  if (found)
    pick_best(r, b, answer + 1);
}

#ifndef NDEBUG
/* Whether what was found before would be found again. */
static bool is_right(reduction *r, const batch *b, const uint8_t *answer)
{
  vec_clear(&r->picks);
  vec_resize(&r->picks, 1 + b->list.len);
  look(r, b, r->picks.data);
  return !memcmp(r->picks.data, answer, r->picks.len);
}
#endif

/* The same, or what was found in such a situation before. */
static const uint8_t *look_or_remember(reduction *r, const uint8_t *state,
                                       uint32_t length, const batch *b)
{
  bool is_new;
  if (r->of->has_queues)
    r->queues =
        program_queues(r->of->program, state, length, r->messages, QUEUES_MAX);
  uint8_t *answer = choices_find(r, b, &is_new);
  if (!answer) {
    vec_clear(&r->picks);
    vec_resize(&r->picks, 1 + b->list.len);
    answer = r->picks.data;
  }
  if (is_new)
    look(r, b, answer);
  assert(is_new || is_right(r, b, answer));
  return answer;
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
  bool looks = !is_resting(r) && n > 1 && !b->faults.len && !b->abandoned;
  if (looks || r->of->believes)
    looks = enter(r, state, length) && looks;
  if (r->of->believes) {
    reduce_watch(r, state);
    if (r->has_breach && !r->by_levels)
      reduce_doubt(r->of);
  }
  vec_clear(&r->original);
  if (!looks)
    return n;
  const uint8_t *answer = look_or_remember(r, state, length, b);
  r->looked += answer[0] != LOOK_VAIN;
  r->found += answer[0] == LOOK_FOUND;
  r->offered += n;
  return answer[0] == LOOK_FOUND ? sort_batch(r, b, answer + 1) : n;
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

void reduce_leave_out(reduction *r, size_t successors)
{
  r->left_out += successors;
}

bool reduce_rests(const reduction *r)
{
  return r->of->rests;
}

/* Behind a level: whether choices are to be looked for in the next.  Where they
** have left out too little it is done without them until there are four times as
** many states. */
static void decide_rest(relations *of)
{
  if (of->rests) {
    of->rests = of->expanded < of->rests_until;
    return;
  }
  if (of->looked < LOOK_AT)
    return;
  of->rests = !is_worth(of, of->left_out, of->offered, of->expanded);
  of->rests_until = 4 * of->expanded;
  of->looked = of->offered = of->left_out = 0;
}

void reduce_settle(reduction *const *all, size_t count)
{
  relations *of = all[0]->of;
  bool has_breach = false;
  for (size_t i = 0; i < count; i++) {
    reduction *r = all[i];
    of->looked += r->looked;
    of->offered += r->offered;
    of->left_out += r->left_out;
    of->expanded += r->expanded;
    r->looked = r->found = 0;
    r->offered = r->left_out = r->expanded = 0;
    has_breach |= r->has_breach;
  }
  if (has_breach)
    reduce_doubt(of);
  reduce_enter_wanted(all, count);
  decide_rest(of);
}
