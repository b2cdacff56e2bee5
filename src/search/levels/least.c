/* Which error of a level counts: the least, whoever found it. */

#include "search/levels/levels_internal.h"

#include "search/disk/disk.h"

void finding_free(finding *f)
{
  vec_free(&f->key);
  vec_free(&f->state);
  *f = (finding){0};
}

void places_free(place_list *list)
{
  for (size_t i = 0; i < list->len; i++)
    finding_free(&list->data[i].found);
  vec_free(list);
}

static size_t answer_count(const team *t)
{
  return t->kinds - FOUND_KINDS;
}

/* Whether an error of this kind is known from an earlier level; then others are
** counted, no more. */
static bool is_old(const team *t, size_t kind)
{
  const search_result *result = t->asker->result;
  if (kind < answer_count(t))
    return t->asker->options->count || result->answers.data[kind].errors;
  return t->found[kind].is_known;
}

/* Makes an error the finding if it is less; whether it is. */
static bool take_least(walker *w, finding *f, trace_claim claim,
                       const uint8_t *state, uint32_t length)
{
  program_canonical(w->own.program, state, length, &w->key);
  int order = f->is_known ? canonical_compare(&w->key, &f->key) : -1;
  if (order > 0 || (order == 0 && claim.fault >= f->claim.fault))
    return false;
  if (length > f->state.len) /* what was there stays if memory is refused */
    vec_grow(&f->state, length - f->state.len);
  canonical_bytes old = f->key;
  f->key = w->key;
  w->key = old;
  vec_clear(&f->state);
  for (uint32_t i = 0; i < length; i++)
    vec_push(&f->state, state[i]);
  f->claim = claim;
  f->is_known = true;
  f->level = w->own.watch.depth;
  return true;
}

/* Notes an error; its finding when it is the least of this walker so far, else
** NULL. */
static finding *note(walker *w, size_t kind, trace_claim claim,
                     const uint8_t *state, uint32_t length)
{
  finding *f = &w->found[kind];
  f->errors++;
  return !is_old(w->team, kind) && take_least(w, f, claim, state, length)
             ? f
             : NULL;
}

static bool is_there(const fault_place *p, uint32_t index, const fault *f)
{
  return p->answer == index && p->fault.kind == f->kind &&
         p->fault.edge == f->edge && p->fault.where.file == f->where.file &&
         p->fault.where.start == f->where.start;
}

fault_place *place_of(place_list *list, uint32_t index, const fault *f)
{
  for (size_t i = 0; i < list->len; i++)
    if (is_there(&list->data[i], index, f))
      return &list->data[i];
  vec_push(list, ((fault_place){.answer = index, .fault = *f}));
  return &vec_last(list);
}

/* Notes where a step fails. */
static void note_place(walker *w, uint32_t index, size_t i,
                       const uint8_t *state, uint32_t length)
{
  const fault *f = &w->own.batch->faults.data[i];
  fault_place *p = place_of(&w->places, index, f);
  p->found.errors++;
  if (!search_violation_at(&w->team->asker->result->answers.data[index], f))
    take_least(w, &p->found, (trace_claim){.end = TRACE_FAULT, .fault = i},
               state, length);
}

static void note_stuck(walker *w, const uint8_t *state, uint32_t length)
{
  const batch *b = w->own.batch;
  if (b->abandoned) {
    search_note_stuck(&w->own);
    return;
  }
  finding *f = note(w, answer_count(w->team) + FOUND_STUCK, (trace_claim){0},
                    state, length);
  if (!f)
    return;
  f->edge = b->stuck_edge;
  f->process = b->stuck_process;
}

/* Whether a value does not fit, so that nothing else counts. */
static bool note_outgrown(walker *w, const uint8_t *state, uint32_t length)
{
  const batch *b = w->own.batch;
  for (size_t i = 0; i < b->faults.len; i++) {
    if (b->faults.data[i].kind != FAULT_OVERFLOW)
      continue;
    finding *f =
        note(w, answer_count(w->team) + FOUND_OUTGROWN,
             (trace_claim){.end = TRACE_FAULT, .fault = i}, state, length);
    if (f)
      f->where = b->faults.data[i].where;
    return true;
  }
  return false;
}

static void note_faults(walker *w, const uint8_t *state, uint32_t length)
{
  const search *r = &w->own;
  for (size_t i = 0; i < r->batch->faults.len; i++) {
    property_kind kind = fault_property(r->batch->faults.data[i].kind);
    uint32_t index = r->property_of[kind];
    if (index == PROPERTY_NONE)
      continue;
    note(w, index, (trace_claim){.end = TRACE_FAULT, .fault = i}, state,
         length);
    note_place(w, index, i, state, length);
  }
}

static void note_blocked(walker *w, const uint8_t *state, uint32_t length)
{
  statistics *stats = &w->result.stats;
  uint32_t kind = w->own.property_of[PROPERTY_END_STATES];
  stats->blocked++;
  if (!w->own.batch->invalid_end)
    return;
  stats->deadlocks++;
  if (kind != PROPERTY_NONE)
    note(w, kind, (trace_claim){.end = TRACE_INVALID_END}, state, length);
}

/* As 'search_judge_expansion'. */
static void judge_expansion(walker *w, uint32_t hand)
{
  search *r = &w->own;
  const batch *b = &r->batches[hand];
  const uint8_t *state;
  if (!b->faults.len && !b->blocked && !b->stuck)
    return;
  search_take_hand(r, hand);
  uint32_t length = r->state_at(r, w->piece[hand], &state);
  if (r->options->stop_at_overflow && note_outgrown(w, state, length))
    return;
  note_faults(w, state, length);
  if (b->blocked)
    note_blocked(w, state, length);
  if (b->stuck)
    note_stuck(w, state, length);
}

/* As 'search_judge_state': such a state is of the next level. */
static void judge_bytes(walker *w, const uint8_t *state, uint32_t length)
{
  const search *r = &w->own;
  for (size_t i = 0; i < r->checks.len; i++) {
    const state_check *check = &r->checks.data[i];
    trace_claim claim = search_claim_of(w->team->asker, check);
    if (!trace_claim_holds(r->worker, &claim, state, length))
      continue;
    finding *f = note(w, check->property, claim, state, length);
    if (f)
      f->level++;
  }
}

static void judge_state(walker *w, const fresh_state *fresh)
{
  const batch *b = &w->own.batches[fresh->hand];
  const successor *next = &b->list.data[fresh->index];
  judge_bytes(w, b->bytes.data + next->start, next->length);
}

void least_judge_whole(walker *w, const uint8_t *state, uint32_t length)
{
  judge_bytes(w, state, length);
}

void least_judge_late(walker *w, store_handle handle)
{
  const uint8_t *state;
  uint32_t length = w->own.state_at(&w->own, handle, &state);
  judge_bytes(w, state, length);
}

bool finding_is_less(const finding *a, const finding *b)
{
  if (!b->is_known)
    return true;
  int order = canonical_compare(&a->key, &b->key);
  return order < 0 || (order == 0 && a->claim.fault < b->claim.fault);
}

void finding_add(finding *to, finding *other)
{
  to->errors += other->errors;
  other->errors = 0;
  if (other->is_known && finding_is_less(other, to)) {
    uint64_t errors = to->errors;
    finding swap = *to;
    *to = *other;
    to->errors = errors;
    *other = swap;
  }
  other->is_known = false;
}

void least_add_aside(walker *w)
{
  for (size_t i = 0; w->late && i < w->team->kinds; i++)
    finding_add(&w->found[i], &w->late[i]);
  for (size_t i = 0; i < w->late_places.len; i++) {
    fault_place *p = &w->late_places.data[i];
    finding_add(&place_of(&w->places, p->answer, &p->fault)->found, &p->found);
  }
}

void least_judge(walker *w, uint32_t cohort)
{
  const search *r = &w->own;
  if (!w->team->judges)
    return;
  for (uint32_t hand = 0; hand < cohort; hand++)
    judge_expansion(w, hand);
  if (r->judges_states && !disk_has_spilled(w->team->disk))
    for (size_t i = 0; i < r->fresh.len; i++)
      judge_state(w, &r->fresh.data[i]);
}

/* A cohort whose errors are noted apart. */
typedef struct judging {
  walker *walker;
  uint32_t cohort;
} judging;

static void judge(void *work)
{
  const judging *j = work;
  least_judge(j->walker, j->cohort);
}

static void swap_aside(walker *w)
{
  finding *found = w->found;
  place_list places = w->places;
  w->found = w->late;
  w->places = w->late_places;
  w->late = found;
  w->late_places = places;
}

bool least_judge_aside(walker *w, uint32_t cohort)
{
  judging j = {w, cohort};
  swap_aside(w);
  bool done = mem_protect(judge, &j);
  swap_aside(w);
  return done;
}

/* ---- the end of a level -------------------------------------------------- */

/* Gathers what all found of a kind in this level. */
static uint64_t gather(team *t, size_t kind)
{
  uint64_t errors = 0;
  bool old = t->found[kind].is_known;
  for (uint32_t i = 0; i < t->count; i++) {
    finding *f = &t->walkers[i].found[kind];
    errors += f->errors;
    f->errors = 0;
    if (f->is_known && !old && finding_is_less(f, &t->found[kind])) {
      finding other = t->found[kind];
      t->found[kind] = *f;
      *f = other;
    }
    f->is_known = false;
  }
  return errors;
}

/* Of the walkers' places one that is not entered yet and of which the least is
** least of all; NULL: there is none. */
static fault_place *next_place(team *t)
{
  fault_place *best = NULL;
  for (uint32_t i = 0; i < t->count; i++)
    for (size_t k = 0; k < t->walkers[i].places.len; k++) {
      fault_place *p = &t->walkers[i].places.data[k];
      if (p->found.is_known &&
          (!best ||
           (p->answer == best->answer ? finding_is_less(&p->found, &best->found)
                                      : p->answer < best->answer)))
        best = p;
    }
  return best;
}

/* Enters a place of this level; but for the first of an answer it gets a trace,
** if there are any. */
static void enter_place(team *t, fault_place *p)
{
  answer *a = &t->asker->result->answers.data[p->answer];
  p->found.is_known = false;
  if (search_violation_at(a, &p->fault) || a->violations.len >= VIOLATIONS_MAX)
    return;
  vec_push(&a->violations, ((violation){.kind = p->fault.kind,
                                        .edge = p->fault.edge,
                                        .where = p->fault.where}));
  if (a->violations.len == 1 || t->asker->options->count)
    return;
  vec_push(&t->places, *p);
  fault_place *own = &vec_last(&t->places);
  own->found.is_known = true;
  own->violation = (uint32_t)a->violations.len - 1;
  p->found = (finding){.errors = p->found.errors};
}

/* What all found at the places where steps fail. */
static void join_places(team *t)
{
  for (fault_place *p; (p = next_place(t));)
    enter_place(t, p);
  for (uint32_t i = 0; i < t->count; i++)
    for (size_t k = 0; k < t->walkers[i].places.len; k++) {
      fault_place *p = &t->walkers[i].places.data[k];
      answer *a = &t->asker->result->answers.data[p->answer];
      violation *v = search_violation_at(a, &p->fault);
      if (v)
        v->errors += p->found.errors;
      p->found.errors = 0;
    }
}

static void enter_stuck(team *t)
{
  search_result *result = t->asker->result;
  const finding *f = &t->found[answer_count(t) + FOUND_STUCK];
  for (uint32_t i = 0; i < t->count; i++) {
    const search_result *part = &t->walkers[i].result;
    if (!part->stuck)
      continue;
    result->stuck = true;
    result->endless = part->endless;
    result->stuck_edge = part->stuck_edge;
    result->stuck_process = part->stuck_process;
  }
  if (result->stuck || !f->is_known)
    return;
  result->stuck = result->endless = true;
  result->stuck_edge = f->edge;
  result->stuck_process = f->process;
}

void least_join(team *t)
{
  search *r = t->asker;
  search_result *result = r->result;
  const finding *outgrown = &t->found[answer_count(t) + FOUND_OUTGROWN];
  if (!t->judges)
    return;
  for (size_t kind = 0; kind < t->kinds; kind++) {
    uint64_t errors = gather(t, kind);
    if (errors && kind < answer_count(t))
      search_enter(r, &result->answers.data[kind], errors);
  }
  join_places(t);
  enter_stuck(t);
  if (outgrown->is_known) {
    result->outgrown = outgrown->where;
    watch_stop(&r->watch, REASON_OUTGROWN);
  }
  /* Where nothing is asked, somebody wants to know which steps there are. */
  if (answer_count(t))
    search_stop_if_enough(r);
}
