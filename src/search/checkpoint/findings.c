/* Errors in a checkpoint: the least of each kind that walkers found in the level
** at hand, those of earlier levels, and the answers so far. */

#include "search/checkpoint/checkpoint_internal.h"
#include "store/tree/tree_image.h"

/* ---- writing ------------------------------------------------------------ */

void span_write(block_writer *w, span where)
{
  block_put_number(w, where.file);
  block_put_number(w, where.start);
  block_put_number(w, where.length);
}

static void write_finding(block_writer *w, const finding *f)
{
  block_put_number(w, f->errors);
  block_put_number(w, f->is_known);
  if (!f->is_known)
    return;
  block_put_number(w, f->level);
  block_put_number(w, f->claim.end);
  block_put_number(w, f->claim.fault);
  block_put_number(w, f->state.len);
  block_put(w, f->state.data, f->state.len);
  span_write(w, f->where);
  block_put_number(w, f->edge);
  block_put_number(w, f->process);
}

static void write_found(block_writer *w, const team *t, const finding *found)
{
  for (size_t i = 0; i < t->kinds; i++)
    write_finding(w, &found[i]);
}

static void write_places(block_writer *w, const place_list *places)
{
  block_put_number(w, places->len);
  for (size_t i = 0; i < places->len; i++) {
    const fault_place *p = &places->data[i];
    block_put_number(w, p->answer);
    block_put_number(w, p->fault.kind);
    block_put_number(w, p->fault.edge);
    block_put_number(w, p->fault.process);
    span_write(w, p->fault.where);
    block_put_number(w, p->violation);
    write_finding(w, &p->found);
  }
}

/* What a round beside the search has found has its run already (shallow.h). */
static bool is_about_runs(const answer *a)
{
  return property_about(a->question->kind) == ABOUT_RUNS;
}

static void write_answer(block_writer *w, const answer *a)
{
  block_put_number(w, a->errors);
  block_put_number(w, a->violations.len);
  for (size_t i = 0; i < a->violations.len; i++) {
    const violation *v = &a->violations.data[i];
    block_put_number(w, v->kind);
    block_put_number(w, v->edge);
    span_write(w, v->where);
    block_put_number(w, v->errors);
  }
  if (is_about_runs(a))
    row_write(w, a);
}

void findings_write(const team *t, block_writer *w)
{
  const answer_list *answers = &t->asker->result->answers;
  block_put_number(w, answers->len);
  for (size_t i = 0; i < answers->len; i++)
    write_answer(w, &answers->data[i]);
  write_found(w, t, t->found);
  write_places(w, &t->places);
  block_put_number(w, t->count);
  for (uint32_t i = 0; i < t->count; i++) {
    write_found(w, t, t->walkers[i].found);
    write_places(w, &t->walkers[i].places);
  }
}

/* ---- reading ------------------------------------------------------------ */

static const search_options *options_of(const team *t)
{
  return t->asker->options;
}

bool span_read(const search_options *o, block_reader *r, span *where)
{
  *where = (span){(uint32_t)read_below(r, UINT32_MAX),
                  (uint32_t)read_below(r, UINT32_MAX),
                  (uint32_t)read_below(r, UINT32_MAX)};
  if (where->file && o->is_span && !o->is_span(o->span_context, *where))
    return block_damaged(r, "it names a place that the model does not have");
  return !block_problem(r);
}

/* Of a fault in an initialiser there is none. */
bool edge_read(const program *p, block_reader *r, uint32_t *index)
{
  uint64_t number = block_get_number(r);
  if (number >= program_model(p)->edges.len && number != TRACE_NO_EDGE)
    return block_damaged(r, "it has an edge that the model does not have");
  *index = (uint32_t)number;
  return !block_problem(r);
}

/* The claim of an error of this kind: about what its question asks. */
static bool complete_claim(const team *t, block_reader *r, size_t kind,
                           trace_claim *claim)
{
  const search *s = t->asker;
  if (claim->end == TRACE_FAULT || claim->end == TRACE_INVALID_END ||
      kind == t->kinds - FOUND_KINDS + FOUND_STUCK)
    return true;
  for (size_t i = 0; i < s->checks.len; i++)
    if (s->checks.data[i].property == kind) {
      *claim = search_claim_of(s, &s->checks.data[i]);
      return true;
    }
  return block_damaged(r, "it has an error of no kind");
}

static bool read_state(const team *t, block_reader *r, canonical_bytes *state)
{
  const program *p = t->asker->program;
  uint64_t length = block_get_count(r, 1);
  vec_resize(state, length);
  if (!block_get(r, state->data, length))
    return false;
  return (tree_image_is_cut(program_map(p), state->data, (uint32_t)length) &&
          program_is_sound(p, state->data, (uint32_t)length)) ||
         block_damaged(r, "it has a state that is none of the model");
}

/* Reads into an empty finding. */
static bool read_finding(const team *t, block_reader *r, size_t kind,
                         finding *f)
{
  f->errors = block_get_number(r);
  if (!read_below(r, 2))
    return !block_problem(r);
  f->level = read_below(r, t->asker->watch.depth + 2);
  f->claim.end = (trace_end)read_below(r, TRACE_WITNESS + 1);
  f->claim.fault = read_below(r, UINT32_MAX);
  if (!read_state(t, r, &f->state) || !span_read(options_of(t), r, &f->where) ||
      !edge_read(t->asker->program, r, &f->edge))
    return false;
  f->process = (uint32_t)read_below(r, UINT32_MAX);
  program_canonical(t->asker->program, f->state.data, (uint32_t)f->state.len,
                    &f->key);
  f->is_known = true;
  return !block_problem(r) && complete_claim(t, r, kind, &f->claim);
}

/* Adds what another walker found to a finding, and takes it. */
static void add_finding(finding *to, finding *other)
{
  to->errors += other->errors;
  if (other->is_known && finding_is_less(other, to)) {
    uint64_t errors = to->errors;
    finding_free(to);
    *to = *other;
    to->errors = errors;
    *other = (finding){0};
  }
  finding_free(other);
}

static bool read_found(const team *t, block_reader *r, finding *found)
{
  for (size_t i = 0; i < t->kinds; i++) {
    finding f = {0};
    bool done = read_finding(t, r, i, &f);
    add_finding(&found[i], &f);
    if (!done)
      return false;
  }
  return true;
}

static bool read_fault(const team *t, block_reader *r, fault_place *p)
{
  p->answer = (uint32_t)read_below(r, t->kinds - FOUND_KINDS);
  p->fault.kind = (fault_kind)read_below(r, FAULT_COUNT_);
  if (!edge_read(t->asker->program, r, &p->fault.edge))
    return false;
  p->fault.process = (uint32_t)read_below(r, UINT32_MAX);
  if (!span_read(options_of(t), r, &p->fault.where))
    return false;
  p->violation = (uint32_t)read_below(r, VIOLATIONS_MAX);
  return !block_problem(r);
}

static bool read_places(const team *t, block_reader *r, place_list *places,
                        bool entered)
{
  const answer_list *answers = &t->asker->result->answers;
  for (uint64_t n = block_get_count(r, 4); n; n--) {
    fault_place p = {0};
    bool done =
        read_fault(t, r, &p) && read_finding(t, r, p.answer, &p.found) &&
        (!entered || p.violation < answers->data[p.answer].violations.len);
    fault_place *own = done ? place_of(places, p.answer, &p.fault) : NULL;
    if (!done) {
      finding_free(&p.found);
      return block_damaged(r, "an error in it belongs to nothing");
    }
    own->violation = p.violation;
    add_finding(&own->found, &p.found);
  }
  return !block_problem(r);
}

static bool read_violation(team *t, block_reader *r, answer *a, size_t i)
{
  violation v = {.kind = (fault_kind)read_below(r, FAULT_COUNT_)};
  if (!edge_read(t->asker->program, r, &v.edge) ||
      !span_read(options_of(t), r, &v.where))
    return false;
  v.errors = block_get_number(r);
  if (i < a->violations.len) /* of the initial state, which has a trace */
    a->violations.data[i].errors = v.errors;
  else
    vec_push(&a->violations, v);
  return !block_problem(r);
}

/* What the initial state has shown is there already. */
static bool read_answer(team *t, block_reader *r, answer *a)
{
  uint64_t errors = block_get_number(r), had = a->errors;
  uint64_t places = read_below(r, VIOLATIONS_MAX + 1);
  if (errors < had)
    return block_damaged(r, "it has fewer errors than the initial state");
  uint64_t kept = t->asker->result->stats.errors;
  if (errors > had)
    search_enter(t->asker, a, errors - had);
  t->asker->result->stats.errors = kept; /* they are told elsewhere */
  for (size_t i = 0; i < places; i++)
    if (!read_violation(t, r, a, i))
      return false;
  return !is_about_runs(a) || row_read(t->asker, r, a);
}

bool findings_read(team *t, block_reader *r)
{
  answer_list *answers = &t->asker->result->answers;
  if (block_get_number(r) != answers->len)
    return block_damaged(r, "it is about other questions");
  for (size_t i = 0; i < answers->len; i++)
    if (!read_answer(t, r, &answers->data[i]))
      return false;
  if (!read_found(t, r, t->found) || !read_places(t, r, &t->places, true))
    return false;
  walker *w = &t->walkers[0];
  for (uint64_t n = block_get_count(r, 1); n; n--)
    if (!read_found(t, r, w->found) || !read_places(t, r, &w->places, false))
      return false;
  return !block_problem(r);
}
