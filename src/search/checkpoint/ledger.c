/* All that was found before the search came to a property of infinite runs: its
** figures, the edges that were executed, and the answers with their runs.  Nothing
** here takes memory to write. */

#include "search/checkpoint/checkpoint_internal.h"
#include "search/runs/runs.h"
#include <string.h>

/* ---- words --------------------------------------------------------------- */

static void write_words(block_writer *w, const char *words)
{
  block_put_number(w, words ? strlen(words) + 1 : 0);
  if (words)
    block_put(w, words, strlen(words) + 1);
}

/* They belong to the result. */
static const char *read_words(search *s, block_reader *r)
{
  uint64_t length = block_get_count(r, 1);
  search_result *result = s->result;
  if (!length)
    return NULL;
  if (!result->arena)
    result->arena = arena_create();
  char *words = arena_alloc(result->arena, length);
  if (!block_get(r, words, length) || words[length - 1]) {
    block_damaged(r, "it has words without end");
    return NULL;
  }
  return words;
}

/* ---- an answer ------------------------------------------------------------ */

static const char *const trivial_values[] = {NULL, "true", "false"};

static uint32_t trivial_number(const char *value)
{
  return !value ? 0 : !strcmp(value, "true") ? 1 : 2;
}

static reason read_reason(block_reader *r)
{
  uint64_t number = block_get_number(r);
  switch (number) {
#define REASON(name, value, text)                                              \
  case value:                                                                  \
    return REASON_##name;
    REASONS(REASON)
#undef REASON
  default:
    block_damaged(r, "it has a reason that there is not");
    return REASON_NONE;
  }
}

void row_write(block_writer *w, const answer *a)
{
  block_put_number(w, a->verdict);
  block_put_number(w, a->reason);
  block_put_number(w, a->untold);
  block_put_number(w, a->por);
  write_words(w, a->por_off);
  block_put_number(w, trivial_number(a->trivial));
  run_write(w, a->trace);
}

bool row_read(search *s, block_reader *r, answer *a)
{
  a->verdict = (verdict)read_below(r, VERDICT_UNKNOWN + 1);
  a->reason = read_reason(r);
  a->untold = read_reason(r);
  a->por = (reduce_kind)read_below(r, REDUCE_STUBBORN + 1);
  a->por_off = read_words(s, r);
  a->trivial = trivial_values[read_below(r, 3)];
  return !block_problem(r) && run_read(s, r, a, &a->trace);
}

static void write_violation(block_writer *w, const violation *v)
{
  block_put_number(w, v->kind);
  block_put_number(w, v->edge);
  span_write(w, v->where);
  block_put_number(w, v->errors);
  run_write(w, v->trace);
}

static bool read_violation(search *s, block_reader *r, answer *a)
{
  violation v = {.kind = (fault_kind)read_below(r, FAULT_COUNT_)};
  if (!edge_read(s->program, r, &v.edge) || !span_read(s->options, r, &v.where))
    return false;
  v.errors = block_get_number(r);
  vec_push(&a->violations, v);
  return run_read(s, r, a, &vec_last(&a->violations).trace);
}

static void write_answer(block_writer *w, const answer *a)
{
  block_put_number(w, a->errors);
  row_write(w, a);
  block_put_number(w, a->violations.len);
  for (size_t i = 0; i < a->violations.len; i++)
    write_violation(w, &a->violations.data[i]);
}

static bool read_answer(search *s, block_reader *r, answer *a)
{
  a->errors = block_get_number(r);
  if (!row_read(s, r, a))
    return false;
  for (uint64_t n = read_below(r, VIOLATIONS_MAX + 1); n; n--)
    if (!read_violation(s, r, a))
      return false;
  return !block_problem(r);
}

/* ---- the walk -------------------------------------------------------------- */

static bool is_reached(const search *s, size_t index)
{
  const team *t = s->team;
  bool reached = s->result->reached.data[index] ||
                 worker_reached(s->worker)[index] ||
                 (t && index < t->reached.len && t->reached.data[index]);
  for (uint32_t i = 1; t && i < t->count && !reached; i++)
    reached = worker_reached(t->walkers[i].own.worker)[index];
  return reached;
}

static void write_edges(const search *s, block_writer *w)
{
  const search_result *result = s->result;
  block_put_number(w, result->reached.len);
  for (size_t i = 0; i < result->reached.len; i++) {
    uint8_t reached = is_reached(s, i);
    block_put(w, &reached, 1);
  }
  block_put_number(w, result->executed.len);
  for (size_t i = 0; i < result->executed.len; i++)
    block_put_number(w, result->executed.data[i]);
}

static bool read_edges(search *s, block_reader *r)
{
  search_result *result = s->result;
  bool fits = block_get_number(r) == result->reached.len;
  for (size_t i = 0; fits && i < result->reached.len; i++)
    result->reached.data[i] = (uint8_t)read_below(r, 2);
  fits = fits && block_get_number(r) == result->executed.len;
  for (size_t i = 0; fits && i < result->executed.len; i++)
    result->executed.data[i] = block_get_number(r);
  return fits ? !block_problem(r)
              : block_damaged(r, "it is about another model");
}

static void write_walk(const search *s, block_writer *w)
{
  const search_result *result = s->result;
  block_put_number(w, s->watch.stop);
  block_put_number(w, s->watch.truncated);
  block_put_number(w, s->shallow.size);
  block_put_number(w, result->reason);
  block_put_number(w, result->order == NUT_BFS);
  block_put_number(w, result->por);
  write_words(w, result->por_off);
  write_words(w, result->threads_off);
  stats_write(w, &result->stats);
  block_put_number(w, result->runs.told);
  block_put_number(w, result->runs.iterations);
  block_put_number(w, result->runs.sweeps);
  block_put_number(w, result->runs.met);
  block_put_number(w, result->stuck);
  block_put_number(w, result->endless);
  block_put_number(w, result->stuck_edge);
  block_put_number(w, result->stuck_process);
  span_write(w, result->outgrown);
  run_write(w, result->overflow);
  write_edges(s, w);
}

static bool read_walk(search *s, block_reader *r)
{
  search_result *result = s->result;
  size_t edges = program_model(s->program)->edges.len;
  s->watch.stop = read_below(r, 2);
  s->watch.truncated = read_below(r, 2);
  s->shallow.size = block_get_number(r);
  result->reason = read_reason(r);
  result->order = read_below(r, 2) ? NUT_BFS : NUT_DFS;
  result->por = (reduce_kind)read_below(r, REDUCE_STUBBORN + 1);
  result->por_off = read_words(s, r);
  result->threads_off = read_words(s, r);
  stats_read(r, &result->stats);
  result->runs.told = block_get_number(r);
  result->runs.iterations = block_get_number(r);
  result->runs.sweeps = block_get_number(r);
  result->runs.met = block_get_number(r);
  result->stuck = read_below(r, 2);
  result->endless = read_below(r, 2);
  result->stuck_edge = (uint32_t)read_below(r, edges + 1);
  result->stuck_process = (uint32_t)read_below(r, UINT32_MAX);
  if (result->stuck && result->stuck_edge >= edges)
    return block_damaged(r, "it has an edge that the model does not have");
  return span_read(s->options, r, &result->outgrown) &&
         run_read(s, r, NULL, &result->overflow) && read_edges(s, r);
}

/* ---- all of it -------------------------------------------------------------- */

void ledger_write(const search *s, row_phase phase, block_writer *w)
{
  const answer_list *answers = &s->result->answers;
  block_kind_begin(w, CHECKPOINT_LEDGER);
  block_put_number(w, s->row);
  block_put_number(w, phase);
  write_walk(s, w);
  block_put_number(w, answers->len);
  for (size_t i = 0; i < answers->len; i++)
    write_answer(w, &answers->data[i]);
}

bool checkpoint_restore_ledger(search *s, block_reader *r)
{
  answer_list *answers = &s->result->answers;
  if (!block_expect(r, CHECKPOINT_LEDGER))
    return false;
  s->row = read_below(r, answers->len);
  s->row_phase = (row_phase)read_below(r, ROW_PHASES_);
  if (!read_walk(s, r))
    return false;
  if (block_get_number(r) != answers->len)
    return block_damaged(r, "it is about other questions");
  for (size_t i = 0; i < answers->len; i++)
    if (!read_answer(s, r, &answers->data[i]))
      return false;
  const answer *row = &answers->data[s->row];
  if (property_about(row->question->kind) != ABOUT_RUNS ||
      row->verdict != VERDICT_UNKNOWN || row->reason != REASON_NONE)
    return block_damaged(r, "it is at a question that has an answer");
  return !block_problem(r);
}
