/* From a lasso to a trace that has been replayed and judged.
**
** The judgement uses nothing of the search but the lasso: the formula is
** evaluated on the infinite word by its meaning (logic/ltl_lasso.h), a claim is
** run along the states again, labels and processes are looked at in the
** states. */

#include "search/liveness/live.h"

#include "base/alloc.h"
#include "logic/ltl_lasso.h"

#include <string.h>

typedef struct judging {
  program *program;
  observer *observer;
  nut_fair fairness;
  worker *worker;
  const trace *trace;
  VEC(size_t) rests; /* steps of the trace in which the search rested */
  size_t positions;  /* of the word: the rests, the last but when it closes the
                     ** loop */
  size_t loop;       /* where after the last one */
  VEC(uint64_t) letters;
  VEC(uint8_t) marks;  /* of nodes: see 'node_of' */
  VEC(uint32_t) nodes; /* still to be looked at */
  batch batch;
  trace_result result;
} judging;

enum { MARK_REACHED = 1, MARK_ACCEPTING = 2, MARK_LEADS = 4, MARK_OUT = 8 };

static const uint8_t *state_at(const judging *j, size_t where, uint32_t *length)
{
  return trace_state(j->trace, j->rests.data[where], length);
}

static void find_positions(judging *j)
{
  const trace *t = j->trace;
  for (size_t i = 0; i < t->steps.len; i++)
    if (t->steps.data[i].rest)
      vec_push(&j->rests, i);
  j->positions = j->rests.len - (t->end == TRACE_LOOP);
  j->loop = j->positions - 1;
  if (t->end == TRACE_LOOP)
    while (j->rests.data[j->loop] != t->loop)
      j->loop--;
}

/* ---- formulas ---------------------------------------------------------- */

/* A prefix that is enough is so with any end; its last letter is repeated. */
static bool violates_formula(judging *j)
{
  observer *o = j->observer;
  uint32_t words = o->letter_words, length;
  for (size_t i = 0; i < j->positions; i++) {
    const uint8_t *state = state_at(j, i, &length);
    o->fault = false;
    if (!observer_read_letter(o, state, length))
      return false;
    for (uint32_t w = 0; w < words; w++)
      vec_push(&j->letters, o->letter[w]);
  }
  lasso word = {.length = (uint32_t)j->positions,
                .loop = (uint32_t)j->loop,
                .words = words,
                .letters = j->letters.data};
  return !lasso_satisfies(o->context, &word, o->formula);
}

/* ---- claims ------------------------------------------------------------ */

/* A claim at a place, in a state of the lasso. */
static size_t node_of(const judging *j, size_t where, uint32_t place)
{
  return where * j->observer->places + place;
}

static size_t after(const judging *j, size_t where)
{
  return where + 1 < j->positions ? where + 1 : j->loop;
}

/* The moves of the claim at a node, in observer.moves. */
static size_t look_at_node(judging *j, size_t node)
{
  observer *o = j->observer;
  size_t where = node / o->places;
  uint32_t length, place = (uint32_t)(node % o->places);
  const uint8_t *state = state_at(j, where, &length);
  if (observer_accepts(o, place, state, length))
    j->marks.data[node] |= MARK_ACCEPTING;
  observer_look(o, place, state, length);
  return after(j, where);
}

/* Marks what the claim can reach; true when it reaches its end. */
static bool reaches_end(judging *j)
{
  observer *o = j->observer;
  vec_resize(&j->marks, j->positions * o->places);
  vec_push(&j->nodes, o->initial);
  j->marks.data[o->initial] = MARK_REACHED;
  for (size_t i = 0; i < j->nodes.len; i++) {
    uint32_t node = j->nodes.data[i];
    if (observer_is_sure(o, node % o->places))
      return true;
    size_t next = look_at_node(j, node);
    for (size_t k = 0; k < o->moves.len; k++) {
      size_t target = node_of(j, next, o->moves.data[k].target);
      /* The end may be reached in the last state. */
      if (observer_is_sure(o, o->moves.data[k].target))
        return true;
      if (!(j->marks.data[target] & MARK_REACHED))
        vec_push(&j->nodes, (uint32_t)target);
      j->marks.data[target] |= MARK_REACHED;
    }
  }
  return false;
}

/* Marks the nodes of the loop from which, by one step or more, an accepting
** node that is not out can be reached.  Nodes are visited against the order of
** positions until nothing changes. */
static void mark_leading(judging *j)
{
  observer *o = j->observer;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t node = j->marks.len; node-- > node_of(j, j->loop, 0);) {
      uint8_t *mark = &j->marks.data[node];
      if (!(*mark & MARK_REACHED) || *mark & (MARK_LEADS | MARK_OUT))
        continue;
      size_t next = look_at_node(j, node);
      for (size_t k = 0; k < o->moves.len; k++) {
        uint8_t to = j->marks.data[node_of(j, next, o->moves.data[k].target)];
        if (!(to & MARK_OUT) && to & (MARK_LEADS | MARK_ACCEPTING)) {
          *mark |= MARK_LEADS;
          changed = true;
        }
      }
    }
  }
}

/* An accepted run exists when some nodes are left after all that lead to no
** accepting node are taken out, again and again. */
static bool has_accepted_run(judging *j)
{
  for (;;) {
    size_t left = 0, taken = 0;
    mark_leading(j);
    for (size_t i = node_of(j, j->loop, 0); i < j->marks.len; i++) {
      uint8_t *mark = &j->marks.data[i];
      if (!(*mark & MARK_REACHED) || *mark & MARK_OUT)
        continue;
      if (*mark & MARK_LEADS) {
        *mark &= (uint8_t)~MARK_LEADS;
        left++;
      } else {
        *mark |= MARK_OUT;
        taken++;
      }
    }
    if (!left || !taken)
      return left > 0;
  }
}

static bool violates_claim(judging *j)
{
  if (reaches_end(j))
    return true;
  return j->trace->end != TRACE_PREFIX && has_accepted_run(j);
}

/* ---- labels and processes ---------------------------------------------- */

/* Positions of the loop in which a process is at a label of this kind. */
static size_t count_labelled(judging *j, uint32_t flag)
{
  size_t count = 0;
  for (size_t i = j->loop; i < j->positions; i++) {
    uint32_t length;
    const uint8_t *state = state_at(j, i, &length);
    count += program_is_at(j->worker, state, length, flag);
  }
  return count;
}

/* Which processes move in the loop, which can in some of its states, and which
** in all. */
static void look_at_processes(judging *j, process_set *moved, process_set *some,
                              process_set *all)
{
  memset(all, 0xff, sizeof *all);
  memset(some, 0, sizeof *some);
  memset(moved, 0, sizeof *moved);
  for (size_t i = j->loop; i < j->positions; i++) {
    uint32_t length;
    const uint8_t *state = state_at(j, i, &length);
    process_set here = {{0}};
    program_successors(j->worker, state, length, &j->batch);
    for (size_t k = 0; k < j->batch.list.len; k++)
      process_set_add(&here, j->batch.list.data[k].process);
    for (size_t w = 0; w < PROCESS_WORDS; w++) {
      some->words[w] |= here.words[w];
      all->words[w] &= here.words[w];
    }
    if (j->trace->end == TRACE_LOOP)
      for (size_t k = j->rests.data[i] + 1; k <= j->rests.data[i + 1]; k++)
        process_set_add(moved, j->trace->steps.data[k].process);
  }
}

static bool is_fair(judging *j)
{
  process_set moved, some, all;
  nut_fair fair = j->fairness;
  if (fair == NUT_FAIR_NONE || j->trace->end == TRACE_PREFIX ||
      program_model(j->program)->flags & MODEL_SYNCHRONOUS)
    return true;
  look_at_processes(j, &moved, &some, &all);
  for (size_t w = 0; w < PROCESS_WORDS; w++) {
    uint64_t owed = fair == NUT_FAIR_WEAK ? all.words[w] : some.words[w];
    if (owed & ~moved.words[w])
      return false;
  }
  return true;
}

static bool is_violation(judging *j)
{
  switch (j->observer->kind) {
  case PROPERTY_LTL:
    return violates_formula(j);
  case PROPERTY_NEVER:
    return violates_claim(j);
  case PROPERTY_ACCEPTANCE:
    return count_labelled(j, LOC_ACCEPT) > 0;
  default:
    return count_labelled(j, LOC_PROGRESS) == 0;
  }
}

/* ---- the trace --------------------------------------------------------- */

static uint32_t next_step(void *context, size_t i, const uint8_t **state)
{
  *state = NULL;
  return ((const live_path *)context)->steps.data[i - 1];
}

/* How the lasso looks to the program, which may stay where it is. */
static trace_claim claim_of(const live_path *path, size_t *length)
{
  size_t n = 0;
  trace_claim claim = {.end = TRACE_PREFIX};
  while (n < path->steps.len && path->steps.data[n] != PRODUCT_STAYS)
    n++;
  *length = n + 1;
  if (path->loop == LIVE_NO_LOOP)
    return claim;
  claim.end = n < path->steps.len ? TRACE_STAYS : TRACE_LOOP;
  claim.loop = path->loop;
  return claim;
}

static void do_judge(void *work)
{
  judging *j = work;
  find_positions(j);
  j->result = is_violation(j) && is_fair(j) ? TRACE_MADE : TRACE_IMPOSSIBLE;
}

static void judge(judging *j)
{
  observer *o = j->observer;
  worker *before = o->worker;
  o->worker = j->worker;
  if (!mem_protect(do_judge, j))
    j->result = TRACE_NO_MEMORY;
  o->worker = before;
}

trace_result lasso_judge(program *p, worker *w, observer *o, nut_fair fair,
                         const trace *t)
{
  judging j = {
      .program = p, .observer = o, .fairness = fair, .worker = w, .trace = t};
  judge(&j);
  vec_free(&j.rests);
  vec_free(&j.letters);
  vec_free(&j.marks);
  vec_free(&j.nodes);
  batch_free(&j.batch);
  return j.result;
}

trace_result lasso_trace(live *l, worker *w, trace **made)
{
  program *p = l->product.program;
  size_t length;
  trace_claim claim = claim_of(&l->path, &length);
  trace_path path = {length, next_step, &l->path};
  trace_result result = trace_build(w, p, &path, &claim, made);
  if (result == TRACE_MADE)
    result = trace_verify(w, p, *made);
  if (result == TRACE_MADE)
    result = lasso_judge(p, w, &l->observer, l->fairness, *made);
  if (result != TRACE_MADE) {
    trace_destroy(*made);
    *made = NULL;
  }
  return result;
}
