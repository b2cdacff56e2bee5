/* Reads JSON and trails into choices, compares with what happened, writes
** trails. */

#include "report/tracefile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON --------------------------------------------------------------- */

/* A number of a step that must be there and fit. */
static bool get_number(const json_t *o, const char *key, uint32_t below,
                       uint32_t *value)
{
  const json_t *j = json_object_get(o, key);
  if (!json_is_integer(j) || json_integer_value(j) < 0 ||
      json_integer_value(j) >= below)
    return false;
  *value = (uint32_t)json_integer_value(j);
  return true;
}

static bool same_text(const json_t *recorded_text, const char *string)
{
  json_t *ours = json_text(string);
  bool same = json_equal(recorded_text, ours);
  json_decref(ours);
  return same;
}

/* The choice of one step, checked against the statement it names. */
static bool read_step(recorded *r, const model *m, const json_t *one,
                      size_t index, text *message)
{
  uint32_t process, number;
  if (json_is_true(json_object_get(one, "inner")))
    return true;
  if (!get_number(one, "process", 256, &process) ||
      !get_number(one, "edge", (uint32_t)m->edges.len, &number)) {
    text_printf(message, "step %zu: 'process' or 'edge' is not in the model",
                index + 1);
    return false;
  }
  const edge *e = m->edges.data[number];
  const char *written = json_string_value(json_object_get(one, "text"));
  if (e->text && written && !same_text(json_object_get(one, "text"), e->text)) {
    text_printf(message, "step %zu: the trace has '%s', the model '%s'",
                index + 1, written, e->text);
    return false;
  }
  vec_push(&r->choices, ((choice){process, number}));
  vec_push(&r->lines, (uint32_t)index);
  return true;
}

static bool read_json(recorded *r, const model *m, const char *content,
                      size_t length, text *message)
{
  json_error_t error;
  r->kind = CHOICE_EDGES;
  r->json = json_loadb(content, length, 0, &error);
  if (!r->json) {
    text_printf(message, "line %d: %s", error.line, error.text);
    return false;
  }
  const json_t *steps = json_object_get(r->json, "steps");
  const json_t *loop = json_object_get(r->json, "loop");
  if (json_is_integer(loop) && json_integer_value(loop) >= 0)
    r->loop = json_integer_value(loop);
  if (!json_is_array(steps)) {
    text_add(message, "not a trace: there is no array 'steps'");
    return false;
  }
  for (size_t i = 0; i < json_array_size(steps); i++)
    if (!read_step(r, m, json_array_get(steps, i), i, message))
      return false;
  return true;
}

/* ---- trails ------------------------------------------------------------- */

typedef struct trail_record {
  long depth, process, id;
} trail_record;

/* Reads "depth:process:id" at '*at' and moves behind it. */
static bool read_record(const char **at, trail_record *line)
{
  long *fields[] = {&line->depth, &line->process, &line->id};
  const char *c = *at;
  for (int i = 0; i < 3; i++) {
    char *end;
    *fields[i] = strtol(c, &end, 10);
    if (end == c || (i < 2 && *end != ':'))
      return false;
    c = i < 2 ? end + 1 : end;
  }
  while (*c == '\r' || *c == ' ')
    c++;
  if (*c != 0 && *c != '\n')
    return false;
  *at = *c ? c + 1 : c;
  return true;
}

static bool read_trail(recorded *r, const char *content, text *message)
{
  bool claim = false;
  uint32_t line = 1;
  trail_record next;
  r->kind = CHOICE_NUMBERS;
  for (const char *at = content; *at; line++) {
    if (!read_record(&at, &next)) {
      text_printf(message, "line %u: neither a trail nor a JSON trace", line);
      return false;
    }
    if (next.depth == -1)
      r->loop = (int64_t)r->choices.len;
    else if (next.depth == -2)
      claim = true;
    else if (next.depth == -4)
      r->kind = CHOICE_MERGED;
    if (next.depth < -4) {
      text_printf(message,
                  "line %u: a trail of a permuted search cannot be "
                  "replayed",
                  line);
      return false;
    }
    /* With a claim, process 0 is the claim and all others move up by one. */
    if (next.depth < 0 || (claim && next.process == 0))
      continue;
    next.process -= claim;
    if (next.process < 0 || next.process > 255 || next.id < 0) {
      text_printf(message, "line %u: no such process or statement", line);
      return false;
    }
    vec_push(&r->choices,
             ((choice){(uint32_t)next.process, (uint32_t)next.id}));
    vec_push(&r->lines, line);
  }
  return true;
}

/* ---- both --------------------------------------------------------------- */

bool recorded_read(recorded *r, const model *m, const char *content,
                   size_t length, text *message)
{
  memset(r, 0, sizeof *r);
  r->loop = -1;
  const char *first = content;
  while (*first == ' ' || *first == '\n' || *first == '\t' || *first == '\r')
    first++;
  if (*first == '{')
    return read_json(r, m, content, length, message);
  return read_trail(r, first, message);
}

void recorded_free(recorded *r)
{
  vec_free(&r->choices);
  vec_free(&r->lines);
  json_decref(r->json);
}

/* The first of the parts of a step that is not the same. */
static const char *different_part(const json_t *theirs, const json_t *ours)
{
  static const char *const parts[] = {"process", "process_type", "text",
                                      "changes", "output"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    const json_t *a = json_object_get(theirs, parts[i]);
    const json_t *b = json_object_get(ours, parts[i]);
    if ((a || b) && !json_equal(a, b))
      return parts[i];
  }
  return NULL;
}

int64_t recorded_compare(const recorded *r, story *s, text *message)
{
  story_complete(s);
  const json_t *steps = json_object_get(r->json, "steps");
  size_t count = json_array_size(steps);
  for (size_t i = 0; i < count && i < s->steps.len; i++) {
    json_t *ours = json_step(s, i);
    const char *part = different_part(json_array_get(steps, i), ours);
    json_decref(ours);
    if (part) {
      text_printf(message, "'%s' is not what the trace says", part);
      return (int64_t)i;
    }
  }
  if (count == s->steps.len)
    return -1;
  text_printf(message, "the trace has %zu steps, the run %zu", count,
              s->steps.len);
  return (int64_t)(count < s->steps.len ? count : s->steps.len);
}

/* ---- loops -------------------------------------------------------------- */

/* Whether the run was in its last state before, hidden bytes left aside. */
static bool is_last_state(const program *p, const trace *t, size_t at)
{
  uint32_t n, m, hidden = program_hidden(p);
  const uint8_t *last = trace_state(t, t->steps.len - 1, &n);
  const uint8_t *state = trace_state(t, at, &m);
  return n == m && !memcmp(state + hidden, last + hidden, n - hidden);
}

/* Whether a step is a record of a trail. */
static bool is_recorded(const model *m, const trace_step *s)
{
  return m->edges.data[s->edge]->number >= 0 && !(s->flags & STEP_INNER);
}

/* Where the loop of a trail may begin: behind so many of its records, and
** before the next one.  In trails of a search that merged steps a record may
** stand for several, and the place is not known so well. */
static void loop_bounds(const recorded *r, const model *m, const trace *t,
                        size_t *first, size_t *end)
{
  int64_t count = 0;
  size_t i = 1;
  *first = 0;
  *end = t->steps.len - 1;
  if (r->kind != CHOICE_NUMBERS)
    return;
  for (; i < t->steps.len && count < r->loop; i++)
    count += is_recorded(m, &t->steps.data[i]);
  *first = i - 1;
  while (i < t->steps.len && !is_recorded(m, &t->steps.data[i]))
    i++;
  *end = i < t->steps.len ? i : t->steps.len;
}

bool recorded_close(const recorded *r, const program *p, trace *t)
{
  size_t first = (size_t)r->loop, end = first + 1;
  if (r->loop < 0 || t->end == TRACE_FAULT || !t->steps.len)
    return true;
  if (!r->json)
    loop_bounds(r, program_model(p), t, &first, &end);
  if (first + 1 >= t->steps.len) {
    t->loop = t->steps.len - 1;
    t->end = TRACE_STAYS;
    return true;
  }
  for (size_t i = end; i-- > first;)
    if (i + 1 < t->steps.len && is_last_state(p, t, i)) {
      t->loop = i;
      t->end = TRACE_LOOP;
      return true;
    }
  return false;
}

/* ---- writing ------------------------------------------------------------ */

/* The failing step belongs to a trail when SPIN executes it, as it does with
** assertions, assignments, and the answer of a rendezvous, without which the
** send before it could not be executed.  A condition that cannot be evaluated
** counts as false there, and SPIN would say that the transition failed. */
static size_t steps_of_trail(const story *s)
{
  size_t n = s->steps.len;
  if (s->end != TRACE_FAULT || s->fault == FAULT_ASSERT || n == 0)
    return n;
  const telling *last = &s->steps.data[n - 1];
  if (last->flags & STEP_PARTNER)
    return n;
  return last->edge->guard || last->edge->comm ? n - 1 : n;
}

void trail_write(const story *s, text *out)
{
  uint32_t depth = 0;
  size_t count = steps_of_trail(s);
  for (size_t i = 0; i < count; i++) {
    const telling *t = &s->steps.data[i];
    if (s->loop == (int64_t)i)
      text_add(out, "-1:-1:-1\n");
    if (t->edge->number < 0 || t->flags & STEP_INNER)
      continue;
    text_printf(out, "%u:%u:%d\n", ++depth, t->process, t->edge->number);
  }
  if (s->end == TRACE_STAYS)
    text_add(out, "-1:-1:-1\n");
}
