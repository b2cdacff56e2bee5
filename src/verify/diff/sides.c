/* The graph of one model, its sets of states, and runs through it. */

#include "base/alloc.h"
#include "verify/diff/versions.h"
#include <stdlib.h>
#include <string.h>

/* ---- states ------------------------------------------------------------- */

const uint8_t *side_state(const side *s, uint32_t number, uint32_t *length)
{
  const uint8_t *key = numbering_get(&s->states, number, length);
  --*length;
  return key + 1;
}

static uint32_t number_of(side *s, uint8_t kind, const uint8_t *bytes,
                          size_t length)
{
  vec_resize(&s->key, length + 1);
  s->key.data[0] = kind;
  memcpy(s->key.data + 1, bytes, length);
  return numbering_add(&s->states, s->key.data, s->key.len);
}

static uint32_t add_state(side *s, numbering *looks, const uint8_t *state,
                          uint32_t length)
{
  uint32_t number = number_of(s, 0, state, length);
  if (number <= s->nodes.len)
    return number;
  vec_resize(&s->nodes, number);
  vec_resize(&s->colour, number + 1);
  text_clear(&s->look);
  seen_add_look(s->program, &s->seen, state, length, &s->entities, &s->look);
  s->nodes.data[number - 1].look =
      numbering_add(looks, (const uint8_t *)text_string(&s->look), s->look.len);
  return number;
}

/* A step that fails is seen, and nothing after it. */
static uint32_t add_failure(side *s, numbering *looks, fault_kind kind)
{
  uint8_t byte = (uint8_t)kind;
  uint32_t number = number_of(s, 1, &byte, 1);
  if (number <= s->nodes.len)
    return number;
  vec_resize(&s->nodes, number);
  vec_resize(&s->colour, number + 1);
  text_clear(&s->look);
  text_printf(&s->look, "fails: %s", fault_text(kind));
  seen_state *n = &s->nodes.data[number - 1];
  n->failed = n->expanded = true;
  n->look =
      numbering_add(looks, (const uint8_t *)text_string(&s->look), s->look.len);
  return number;
}

uint32_t side_start(side *s, numbering *looks)
{
  batch *b = &s->batch;
  program_initial(s->worker, b);
  if (b->faults.len)
    return 0;
  return add_state(s, looks, b->bytes.data + b->list.data[0].start,
                   b->list.data[0].length);
}

static void expand(side *s, numbering *looks, uint32_t number)
{
  uint32_t length;
  const uint8_t *state = side_state(s, number, &length);
  vec_resize(&s->state, length);
  memcpy(s->state.data, state, length);
  s->batch.record = s->message;
  program_successors(s->worker, s->state.data, length, &s->batch);
  const batch *b = &s->batch;
  s->stuck |= b->abandoned || b->stuck;
  size_t first = s->edges.len;
  for (size_t i = 0; i < b->list.len; i++) {
    const successor *to = &b->list.data[i];
    uint32_t target =
        add_state(s, looks, b->bytes.data + to->start, to->length);
    uint32_t look = s->nodes.data[target - 1].look;
    if (s->message)
      look = side_edge_look(s, looks, to, look);
    vec_push(&s->edges, ((seen_edge){target, look}));
  }
  for (size_t i = 0; i < b->faults.len; i++) {
    uint32_t target = add_failure(s, looks, b->faults.data[i].kind);
    vec_push(&s->edges, ((seen_edge){target, s->nodes.data[target - 1].look}));
  }
  seen_state *n = &s->nodes.data[number - 1];
  n->first_edge = first;
  n->edges = (uint32_t)(s->edges.len - first);
  n->ends = b->blocked;
  n->expanded = true;
}

/* ---- sets --------------------------------------------------------------- */

enum { WHITE, GREY, BLACK };

typedef struct visit {
  uint32_t state, next;
} visit;

typedef VEC(visit) visit_list;

static int by_look(const void *x, const void *y)
{
  const seen_edge *a = x, *b = y;
  if (a->look != b->look)
    return a->look < b->look ? -1 : 1;
  return a->target < b->target ? -1 : a->target > b->target;
}

static void sort_moves(side *s)
{
  size_t kept = 0;
  if (s->moves.len)
    qsort(s->moves.data, s->moves.len, sizeof *s->moves.data, by_look);
  for (size_t i = 0; i < s->moves.len; i++)
    if (!kept || by_look(&s->moves.data[kept - 1], &s->moves.data[i]))
      s->moves.data[kept++] = s->moves.data[i];
  s->moves.len = kept;
}

typedef struct closing {
  side *side;
  numbering *looks;
  const uint32_t *kernel;
  size_t count;
  limits *limits;
  visit_list visits;
  bool stopped;
} closing;

static void enter(closing *c, uint32_t state)
{
  side *s = c->side;
  if (!s->nodes.data[state - 1].expanded)
    expand(s, c->looks, state);
  s->colour.data[state] = GREY;
  vec_push(&s->members, state);
  s->ends |= s->nodes.data[state - 1].ends;
  vec_push(&c->visits, ((visit){state, 0}));
}

/* Goes along one edge of the state on top: silent ones stay in the set, and lead
** round when they come to a state that is being visited. */
static void follow(closing *c, const seen_edge *e, uint32_t look)
{
  side *s = c->side;
  if (e->look != look)
    vec_push(&s->moves, *e);
  else if (s->colour.data[e->target] == GREY)
    s->diverges = true;
  else if (s->colour.data[e->target] == WHITE)
    enter(c, e->target);
}

static void do_close(void *closing_)
{
  closing *c = closing_;
  side *s = c->side;
  for (size_t i = 0; i < c->count && !c->stopped; i++) {
    if (s->colour.data[c->kernel[i]] == WHITE)
      enter(c, c->kernel[i]);
    while (c->visits.len && !c->stopped) {
      visit *top = &vec_last(&c->visits);
      const seen_state *n = &s->nodes.data[top->state - 1];
      if (top->next < n->edges) {
        seen_edge e = s->edges.data[n->first_edge + top->next++];
        follow(c, &e, n->look);
      } else {
        s->colour.data[top->state] = BLACK;
        (void)vec_pop(&c->visits);
      }
      c->stopped = limits_poll(c->limits) || s->stuck || s->untold;
    }
  }
}

static void tidy_close(void *closing_)
{
  closing *c = closing_;
  side *s = c->side;
  for (size_t i = 0; i < s->members.len; i++)
    s->colour.data[s->members.data[i]] = WHITE;
  vec_free(&c->visits);
}

bool side_close(side *s, numbering *looks, const uint32_t *kernel, size_t count,
                limits *l)
{
  closing c = {s, looks, kernel, count, l, {0}, false};
  vec_clear(&s->members);
  vec_clear(&s->moves);
  s->ends = s->diverges = false;
  mem_protect_tidy(do_close, tidy_close, &c);
  sort_moves(s);
  return !c.stopped;
}

uint32_t side_kernel(side *s, const seen_edge *moves, size_t count)
{
  text bytes = {0};
  for (size_t i = 0; i < count; i++)
    text_add_bytes(&bytes, (const char *)&moves[i].target, sizeof(uint32_t));
  uint32_t number = numbering_add(
      &s->kernels, (const uint8_t *)text_string(&bytes), bytes.len);
  text_free(&bytes);
  return number;
}

const uint32_t *side_kernel_states(const side *s, uint32_t number,
                                   size_t *count)
{
  uint32_t length;
  const uint8_t *bytes = numbering_get(&s->kernels, number, &length);
  *count = length / sizeof(uint32_t);
  return (const uint32_t *)(const void *)bytes;
}

/* ---- runs --------------------------------------------------------------- */

/* A state in which so many looks of the sequence have been seen. */
typedef struct place {
  uint32_t state, seen, parent; /* the parent is a place, plus 1 */
  uint32_t look;                /* of the edge from there */
} place;

typedef struct way {
  side *side;
  numbering *looks;
  const look_list *sequence;
  difference_kind kind;
  VEC(place) places;
  numbering known;
  trace *made;
  VEC(uint32_t) path; /* of places, the last first */
} way;

static void add_place(way *w, place p)
{
  uint32_t key[2] = {p.state, p.seen};
  uint32_t number = numbering_add(&w->known, (const uint8_t *)key, sizeof key);
  if (number > w->places.len)
    vec_push(&w->places, p);
}

/* Whether a silent loop goes through the state. */
static bool is_on_loop(way *w, uint32_t start)
{
  side *s = w->side;
  VEC(uint32_t) left = {0};
  numbering found = {0};
  bool loop = false;
  vec_push(&left, start);
  for (size_t i = 0; i < left.len && !loop; i++) {
    const seen_state *n = &s->nodes.data[left.data[i] - 1];
    for (uint32_t k = 0; k < n->edges && !loop; k++) {
      seen_edge e = s->edges.data[n->first_edge + k];
      if (e.look != n->look)
        continue;
      loop = e.target == start;
      uint32_t before = numbering_count(&found);
      if (numbering_add(&found, (const uint8_t *)&e.target, sizeof e.target) >
          before)
        vec_push(&left, e.target);
    }
  }
  vec_free(&left);
  numbering_free(&found);
  return loop;
}

static bool is_goal(way *w, const place *p)
{
  const seen_state *n = &w->side->nodes.data[p->state - 1];
  if (p->seen < w->sequence->len)
    return false;
  switch (w->kind) {
  case DIFFERENCE_ENDS:
    return n->ends;
  case DIFFERENCE_DIVERGES:
    return is_on_loop(w, p->state);
  case DIFFERENCE_NONE:
  case DIFFERENCE_START:
  case DIFFERENCE_CHANGE:
    break;
  }
  return true;
}

/* Breadth first: the first place that will do.  Its index, or SIZE_MAX. */
static size_t find_goal(way *w)
{
  side *s = w->side;
  add_place(w, (place){1, 1, 0, 0});
  for (size_t i = 0; i < w->places.len; i++) {
    const place p = w->places.data[i];
    const seen_state *n = &s->nodes.data[p.state - 1];
    if (is_goal(w, &p))
      return i;
    for (uint32_t k = 0; n->expanded && k < n->edges; k++) {
      seen_edge e = s->edges.data[n->first_edge + k];
      if (e.look == n->look)
        add_place(w, (place){e.target, p.seen, (uint32_t)i + 1, e.look});
      else if (p.seen < w->sequence->len && e.look == w->sequence->data[p.seen])
        add_place(w, (place){e.target, p.seen + 1, (uint32_t)i + 1, e.look});
    }
  }
  return SIZE_MAX;
}

static bool leads_to(const side *s, const successor *to, uint32_t target)
{
  uint32_t length;
  const uint8_t *wanted = side_state(s, target, &length);
  return to->length == length &&
         !memcmp(s->batch.bytes.data + to->start, wanted, length);
}

/* Executes what leads from the last state of the trace to another, and shows
** what it has to. */
static bool execute(way *w, const place *to)
{
  side *s = w->side;
  uint32_t length, target = to->state, own = s->nodes.data[target - 1].look;
  const uint8_t *state = trace_state(w->made, w->made->steps.len - 1, &length);
  vec_resize(&s->state, length);
  memcpy(s->state.data, state, length);
  program_successors(s->worker, s->state.data, length, &s->batch);
  const uint8_t *wanted = side_state(s, target, &length);
  bool fails = s->nodes.data[target - 1].failed;
  for (size_t i = 0; fails && i < s->batch.faults.len; i++)
    if (s->batch.faults.data[i].kind == *wanted) {
      trace_add_fault(w->made, &s->batch, i);
      return true;
    }
  for (size_t i = 0; !fails && i < s->batch.list.len; i++)
    if (leads_to(s, &s->batch.list.data[i], target) &&
        (!s->message ||
         to->look ==
             side_edge_look(s, w->looks, &s->batch.list.data[i], own))) {
      trace_add_successor(w->made, &s->batch, i);
      return true;
    }
  return false;
}

static void make_trace(void *work)
{
  way *w = work;
  side *s = w->side;
  size_t goal = find_goal(w);
  if (goal == SIZE_MAX)
    return;
  for (uint32_t i = (uint32_t)goal + 1; i; i = w->places.data[i - 1].parent)
    vec_push(&w->path, i - 1);
  s->batch.record = true;
  program_initial(s->worker, &s->batch);
  w->made = trace_create();
  trace_start(w->made, &s->batch);
  for (size_t i = w->path.len - 1; i-- > 0;)
    if (!execute(w, &w->places.data[w->path.data[i]])) {
      trace_destroy(w->made);
      w->made = NULL;
      return;
    }
  if (w->kind == DIFFERENCE_ENDS)
    w->made->end = TRACE_FINISHED;
}

trace *side_trace(side *s, numbering *looks, const look_list *sequence,
                  difference_kind kind)
{
  way w = {.side = s, .looks = looks, .sequence = sequence, .kind = kind};
  if (!mem_protect(make_trace, &w)) {
    trace_destroy(w.made);
    w.made = NULL;
  }
  s->batch.record = false;
  vec_free(&w.places);
  vec_free(&w.path);
  numbering_free(&w.known);
  return w.made;
}

void side_free(side *s)
{
  worker_destroy(s->worker);
  numbering_free(&s->states);
  numbering_free(&s->kernels);
  vec_free(&s->key);
  vec_free(&s->nodes);
  vec_free(&s->edges);
  vec_free(&s->state);
  vec_free(&s->entities);
  vec_free(&s->members);
  vec_free(&s->colour);
  vec_free(&s->moves);
  batch_free(&s->batch);
  text_free(&s->look);
  view_free(&s->view);
  text_free(&s->said);
  text_free(&s->one);
}
