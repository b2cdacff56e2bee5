/* From which states an accepted run begins: backwards through the components
** of the observer, those without a way out first.  Within a component the
** greatest set is computed from each state of which everything needed can be
** reached again (Emerson, Lei 1986), then all that leads to it. */

#include "base/alloc.h"
#include "search/observer/claim_unfold.h"
#include "symbolic/liveness/live_sets_internal.h"

static symbolic_set unite(live_sets *l, symbolic_set a, symbolic_set b)
{
  return set_union(l->space->library, a, b);
}

static symbolic_set meet(live_sets *l, symbolic_set a, symbolic_set b)
{
  return set_intersect(l->space->library, a, b);
}

symbolic_set *live_array(live_sets *l, size_t count)
{
  symbolic_set *array = ARENA_ARRAY(l->space->arena, symbolic_set, count + 1);
  vec_push(&l->arrays, ((live_sets_array){array, count + 1}));
  return set_protect(l->space->library, array, count + 1) ? array : NULL;
}

/* ---- needs -------------------------------------------------------------- */

bool live_is_sure(const live_sets *l, uint32_t place)
{
  return observer_is_sure(&l->observer, place);
}

/* Which states of a component's places can have accepted cycles at all; only
** automata of formulas tell. */
static bool never_accepts(const live_sets *l, uint32_t scc)
{
  const buchi *b = l->observer.automaton;
  if (!b)
    return false;
  for (uint32_t q = 0; q < l->places; q++)
    if (l->scc[q] == scc && !b->states[q].no_cycle)
      return false;
  return true;
}

static bool always_accepts(const live_sets *l, uint32_t scc)
{
  const buchi *b = l->observer.automaton;
  if (!b)
    return false;
  for (uint32_t q = 0; q < l->places; q++)
    if (l->scc[q] == scc && !b->states[q].all_cycles)
      return false;
  return true;
}

void live_list_needs(live_sets *l, uint32_t scc)
{
  if (l->same_needs)
    return;
  vec_clear(&l->needs);
  for (uint32_t m = 0; m < l->observer.marks; m++)
    if (!always_accepts(l, scc))
      vec_push(&l->needs, ((live_need){.number = m}));
  for (uint32_t i = 0; l->idle && i < l->space->entities.len; i++)
    if (l->space->entities.data[i].process)
      vec_push(&l->needs,
               ((live_need){.turns = true,
                            .strong = l->fair == NUT_FAIR_STRONG,
                            .number = l->space->entities.data[i].number}));
}

/* ---- steps -------------------------------------------------------------- */

static symbolic_set with_staying(live_sets *l, symbolic_set *moved,
                                 symbolic_set states)
{
  symbolic_set stays = meet(l, l->stays[0], states);
  return *moved = unite(l, *moved, stays);
}

symbolic_set live_before(live_sets *l, uint32_t place, symbolic_set states)
{
  if (l->known[place] == states || states == SET_FULL)
    return states == SET_FULL ? SET_FULL : l->before_known[place];
  l->known[place] = SET_EMPTY;
  l->before_known[place] = SET_EMPTY;
  if (set_ref(l->space->library, states) == SET_FULL)
    return SET_FULL;
  l->before_known[place] = symbolic_before(l->space, states);
  symbolic_set result = with_staying(l, &l->before_known[place], states);
  set_unref(l->space->library, states);
  if (result == SET_FULL)
    l->before_known[place] = SET_EMPTY;
  else
    l->known[place] = states;
  return result;
}

symbolic_set live_after(live_sets *l, symbolic_set states)
{
  if (set_ref(l->space->library, states) == SET_FULL)
    return SET_FULL;
  l->keep[3] = symbolic_after(l->space, states);
  symbolic_set result = with_staying(l, &l->keep[3], states);
  set_unref(l->space->library, states);
  return result;
}

/* States with a turn of a process into a set. */
static symbolic_set before_by_turn(live_sets *l, uint32_t place,
                                   const live_need *need, symbolic_set states)
{
  symbolic_set *turn = &l->keep[2];
  *turn = SET_EMPTY;
  if (!need->strong)
    *turn = meet(l, l->idle[need->number], live_before(l, place, states));
  return *turn = unite(l, *turn,
                       symbolic_before_by(l->space, need->number, states));
}

symbolic_set live_giving(live_sets *l, uint32_t place, const live_need *need,
                         const symbolic_set *into)
{
  symbolic_set *found = &l->keep[1];
  *found = SET_EMPTY;
  for (size_t i = 0; i < l->moves.len && *found != SET_FULL; i++) {
    const live_move *m = &l->moves.data[i];
    if (m->from != place || l->scc[m->to] != l->scc[place] ||
        (need && !need->turns && !(m->marks >> need->number & 1)))
      continue;
    symbolic_set before = need && need->turns
                              ? before_by_turn(l, m->to, need, into[m->to])
                              : live_before(l, m->to, into[m->to]);
    *found = unite(l, *found, meet(l, l->labels[i], before));
  }
  symbolic_set result = *found;
  *found = SET_EMPTY;
  return result;
}

/* ---- fixpoints ---------------------------------------------------------- */

/* The states in which the observer can stay at a place. */
static symbolic_set staying_label(live_sets *l, uint32_t place,
                                  const symbolic_set *bound)
{
  symbolic_set *label = &l->keep[0];
  *label = SET_EMPTY;
  for (size_t i = 0; i < l->moves.len; i++)
    if (l->moves.data[i].from == place && l->moves.data[i].to == place)
      *label = unite(l, *label, l->labels[i]);
  return *label = bound ? meet(l, *label, bound[place]) : *label;
}

/* Adds to 'reach' at a place what leads there by moves to other places of the
** component, and then by moves that stay. */
static bool spread_place(live_sets *l, uint32_t place,
                         const symbolic_set *bound)
{
  symbolic_set *all = &l->reach[place];
  for (size_t i = 0; i < l->moves.len && *all != SET_FULL; i++) {
    const live_move *m = &l->moves.data[i];
    if (m->from != place || m->to == place || l->scc[m->to] != l->scc[place])
      continue;
    l->keep[0] = meet(l, l->labels[i], live_before(l, m->to, l->reach[m->to]));
    if (bound)
      l->keep[0] = meet(l, l->keep[0], bound[place]);
    *all = unite(l, *all, l->keep[0]);
  }
  symbolic_set within = staying_label(l, place, bound);
  if (within != SET_EMPTY)
    *all = symbolic_reaching(l->space, *all, within);
  return *all != SET_FULL;
}

/* Adds to 'reach' all that leads to it inside of a component, and in 'bound'
** where that is given. */
static bool spread(live_sets *l, uint32_t scc, const symbolic_set *bound)
{
  for (bool more = true; more;) {
    more = false;
    for (uint32_t q = 0; q < l->places; q++) {
      if (l->scc[q] != scc)
        continue;
      /* Numbers can be compared while both sets are kept. */
      l->keep[4] = l->reach[q];
      if (!spread_place(l, q, bound) || symbolic_impatient(l->space))
        return false;
      more |= l->keep[4] != l->reach[q];
    }
  }
  return true;
}

/* Cuts 'core' of a component down to where a need can be met.  Of a process
** that must move if it can again and again, states in which it cannot may stay
** (Kesten, Pnueli, Raviv 1998): in a part of the core that cannot be left, it
** moves, or never can. */
static bool meet_need(live_sets *l, uint32_t scc, const live_need *need)
{
  for (uint32_t q = 0; q < l->places; q++) {
    if (l->scc[q] != scc)
      continue;
    l->goal[q] = live_giving(l, q, need, l->core);
    l->goal[q] = meet(l, l->goal[q], l->core[q]);
    if (l->goal[q] == SET_FULL)
      return false;
  }
  for (uint32_t q = 0; q < l->places; q++)
    if (l->scc[q] == scc)
      l->reach[q] = l->goal[q];
  if (need && !spread(l, scc, l->core))
    return false;
  for (uint32_t q = 0; q < l->places; q++) {
    if (l->scc[q] != scc)
      continue;
    if (need && need->strong)
      l->reach[q] =
          unite(l, l->reach[q], meet(l, l->core[q], l->idle[need->number]));
    l->core[q] = l->reach[q];
    if (l->core[q] == SET_FULL)
      return false;
  }
  return true;
}

/* The states of a component from which a run can stay in it and be accepted.*/
static bool find_core(live_sets *l, uint32_t scc)
{
  for (uint32_t q = 0; q < l->places; q++)
    if (l->scc[q] == scc)
      l->core[q] = symbolic_reachable(l->space);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t q = 0; q < l->places; q++)
      l->last[q] = l->core[q];
    bool good = true, goes_on = false;
    for (size_t i = 0; i < l->needs.len && good; i++) {
      good = meet_need(l, scc, &l->needs.data[i]);
      goes_on = !l->needs.data[i].strong;
    }
    if (!goes_on)
      good = good && meet_need(l, scc, NULL);
    if (!good)
      return false;
    for (uint32_t q = 0; q < l->places; q++)
      more |= l->last[q] != l->core[q];
  }
  return true;
}

/* What leads from a component to accepted runs in smaller ones. */
static bool find_exits(live_sets *l, uint32_t scc)
{
  for (size_t i = 0; i < l->moves.len; i++) {
    const live_move *m = &l->moves.data[i];
    symbolic_set *reach = &l->reach[m->from];
    if (l->scc[m->from] != scc ||
        (l->scc[m->to] == scc && !live_is_sure(l, m->to)))
      continue;
    symbolic_set exit =
        live_is_sure(l, m->to)
            ? l->labels[i]
            : meet(l, l->labels[i], live_before(l, m->to, l->begins[m->to]));
    *reach = unite(l, *reach, exit);
    if (*reach == SET_FULL)
      return false;
  }
  return true;
}

static bool check_scc(live_sets *l, uint32_t scc)
{
  bool open = false;
  for (uint32_t q = 0; q < l->places; q++)
    open |= l->scc[q] == scc && !live_is_sure(l, q);
  if (!open)
    return true;
  live_list_needs(l, scc);
  if (!never_accepts(l, scc) && !find_core(l, scc))
    return false;
  for (uint32_t q = 0; q < l->places; q++)
    if (l->scc[q] == scc)
      l->reach[q] = l->core[q];
  if (!find_exits(l, scc) || !spread(l, scc, NULL))
    return false;
  for (uint32_t q = 0; q < l->places; q++)
    if (l->scc[q] == scc)
      l->begins[q] = l->reach[q];
  return true;
}

/* ---- one property ------------------------------------------------------- */

/* The states in which each process cannot move. */
static bool find_idle(live_sets *l)
{
  symbolic_space *s = l->space;
  uint32_t most = 0;
  for (size_t i = 0; i < s->entities.len; i++)
    if (s->entities.data[i].process && s->entities.data[i].number > most)
      most = s->entities.data[i].number;
  if (!groups_add_partners(s))
    return false;
  l->idle = live_array(l, (size_t)most + 1);
  for (uint32_t i = 0; l->idle && i <= most; i++) {
    l->idle[i] = symbolic_can_begin(s, i);
    l->idle[i] = set_minus(s->library, symbolic_reachable(s), l->idle[i]);
    if (l->idle[i] == SET_FULL)
      return false;
  }
  return l->idle;
}

bool live_make_arrays(live_sets *l)
{
  size_t n = l->places;
  l->keep = live_array(l, LIVE_KEPT);
  l->stays = live_array(l, 1);
  l->begins = live_array(l, n);
  l->core = live_array(l, n);
  l->reach = live_array(l, n);
  l->goal = live_array(l, n);
  l->last = live_array(l, n);
  l->known = live_array(l, n);
  l->before_known = live_array(l, n);
  return l->keep && l->stays && l->begins && l->core && l->reach && l->goal &&
         l->last && l->known && l->before_known;
}

static bool prepare(live_sets *l)
{
  l->places = l->observer.places;
  symbolic_set blocked = symbolic_blocked(l->space);
  if (blocked == SET_FULL || !live_make_arrays(l))
    return false;
  /* As in SPIN, standing still is not what is meant by lack of progress. */
  if (l->property->kind != PROPERTY_NON_PROGRESS)
    l->stays[0] = blocked;
  return live_make_moves(l) && (l->fair == NUT_FAIR_NONE || find_idle(l));
}

/* Everything that is asked for, or why it cannot be answered. */
static reason check(live_sets *l, bool *violated)
{
  symbolic_space *s = l->space;
  bool good = prepare(l);
  for (uint32_t c = 0; good && c < l->sccs; c++)
    good = check_scc(l, c);
  if (!good)
    return symbolic_take_reason(s);
  uint32_t first = l->observer.initial;
  symbolic_set start = meet(l, l->begins[first], symbolic_initial(s));
  if (start == SET_FULL)
    return symbolic_take_reason(s);
  *violated = start != SET_EMPTY || live_is_sure(l, first);
  return REASON_NONE;
}

/* What is not checked with sets, and why. */
static reason refusal(const live_sets *l)
{
  const symbolic_space *s = l->space;
  bool whole = s->fields.data[0].kind == FIELD_STATE;
  return l->fair != NUT_FAIR_NONE && whole ? REASON_FAIR_SETS : REASON_NONE;
}

/* The property, whose claim has no variables. */
static const property *plain_property(live_sets *l)
{
  const process_type *claim = l->property->observer;
  if (l->property->kind != PROPERTY_NEVER || !claim ||
      !claim_has_variables(claim))
    return l->property;
  claim = claim_unfold(l->space->arena, l->space->model, claim);
  if (!claim)
    return l->property;
  l->unfolded = *l->property;
  l->unfolded.observer = claim;
  return &l->unfolded;
}

static void fill_row(live_sets *l, answer *row)
{
  bool violated = false;
  row->verdict = VERDICT_UNKNOWN;
  row->reason = refusal(l);
  if (row->reason == REASON_NONE)
    row->reason = observer_create(&l->observer, l->space->worker,
                                  plain_property(l), true);
  if (row->reason == REASON_NONE)
    row->reason = check(l, &violated);
  if (row->reason != REASON_NONE)
    return;
  row->verdict = violated ? VERDICT_VIOLATED : VERDICT_HOLDS;
  row->errors = violated;
  if (violated)
    answer_traced(row, live_show(l, &row->trace), l->space->limits);
}

void live_sets_destroy(live_sets *l)
{
  for (size_t i = 0; i < l->arrays.len; i++)
    memset(l->arrays.data[i].sets, 0,
           l->arrays.data[i].count * sizeof *l->arrays.data[i].sets);
  live_forget_route(l);
  symbolic_drop(l->space, &l->label_list);
  vec_free(&l->label_list);
  vec_free(&l->pending);
  vec_free(&l->arrays);
  vec_free(&l->moves);
  vec_free(&l->needs);
  vec_free(&l->layers);
  vec_free(&l->route);
  vec_free(&l->part);
  ctl_run_free(&l->run);
  observer_free(&l->observer);
  worker_destroy(l->replayer);
  mem_free(l, sizeof *l);
}

typedef struct row_job {
  live_sets *live;
  answer *row;
} row_job;

static void do_row(void *job)
{
  row_job *j = job;
  fill_row(j->live, j->row);
}

static void tidy_row(void *job)
{
  live_sets_destroy(((row_job *)job)->live);
}

void symbolic_live(symbolic_space *s, nut_fair fair, answer *row)
{
  live_sets *l = mem_alloc(sizeof *l);
  l->space = s;
  l->start = symbolic_initial(s);
  l->property = row->question->property;
  l->fair = s->model->flags & MODEL_SYNCHRONOUS ? NUT_FAIR_NONE : fair;
  row_job job = {l, row};
  mem_protect_tidy(do_row, tidy_row, &job);
}
