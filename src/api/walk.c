/* Runs: made step by step, by who chooses, or replayed from a trace. */

#include "api/workspace.h"
#include "base/alloc.h"
#include "report/plain.h"
#include "report/tracefile.h"
#include <assert.h>
#include <string.h>

struct nut_walk {
  nut_workspace *workspace;
  trace *trace;
  next_steps next;     /* what can follow the last state */
  VEC(size_t) past;    /* length of the trace before each choice */
  VEC(uint32_t) path;  /* choices that lead here, when they were asked for */
  uint32_t seen_there; /* shown steps that were forgotten */
  bool over;           /* a step failed: nothing can follow */
  bool lost;           /* memory ran out in a step: nothing is known */
  bool replayed, stopped;
  recorded recorded; /* what was replayed */
  text content;
  nut_trace told; /* the story of the trace; NULL: not told since it changed */
  size_t chosen;  /* what is to be done */
  nut_style style;
  nut_state state;
  nut_move move;
};

nut_workspace *walk_workspace(nut_walk *r)
{
  return r->workspace;
}

const trace *walk_trace(const nut_walk *r)
{
  return r->trace;
}

/* A run is not left in the middle of a step but for want of memory. */
static bool run_do(nut_walk *r, mem_work *work)
{
  limits *l = &r->workspace->model->limits;
  bool polled = limits_set_polled(l, true);
  bool done = workspace_do(r->workspace, work, r);
  limits_set_polled(l, polled);
  return done;
}

static void untell(nut_walk *r)
{
  story_destroy(r->told.story);
  r->told.story = NULL;
}

static bool look_ahead(nut_walk *r)
{
  uint32_t length;
  const uint8_t *state =
      trace_state(r->trace, r->trace->steps.len - 1, &length);
  return workspace_look(r->workspace, state, length, &r->next);
}

/* ---- making one --------------------------------------------------------- */

static nut_walk *new_run(nut_workspace *w)
{
  nut_walk *r = mem_try_alloc(sizeof *r);
  if (r)
    r->workspace = w;
  else
    w->reason = reason_text(REASON_OUT_OF_MEMORY);
  return r;
}

static void do_start(void *work)
{
  nut_walk *r = work;
  nut_workspace *w = r->workspace;
  batch *b = &r->next.batch;
  if (!workspace_initial(w, b))
    return;
  r->trace = trace_create();
  trace_start(r->trace, b);
  look_ahead(r);
}

nut_walk *nut_walk_start(nut_workspace *w)
{
  nut_walk *r = new_run(w);
  if (!r || run_do(r, do_start))
    return r;
  nut_walk_free(r);
  return NULL;
}

void nut_walk_free(nut_walk *r)
{
  if (!r)
    return;
  mem_budget *outer = limits_enter(&r->workspace->model->limits);
  untell(r);
  trace_destroy(r->trace);
  next_free(&r->next);
  vec_free(&r->past);
  vec_free(&r->path);
  recorded_free(&r->recorded);
  text_free(&r->content);
  limits_leave(outer);
  mem_free(r, sizeof *r);
}

/* ---- replaying ---------------------------------------------------------- */

/* What keeps a choice from being followed. */
static void say_stop(nut_walk *r, const char *name, size_t followed)
{
  nut_workspace *w = r->workspace;
  const recorded *from = &r->recorded;
  const choice *c = &from->choices.data[followed];
  const char *statement = NULL;
  bool edges = from->kind == CHOICE_EDGES || from->kind == CHOICE_MADE;
  for (size_t i = 0; i < w->annex->edges.len && !statement; i++) {
    const edge *e = w->annex->edges.data[i];
    if (edges ? e->index == c->id : e->number == (int32_t)c->id)
      statement = edge_words(e);
  }
  workspace_refuse(w, NUT_VIOLATED, "%s: %s %u does not match the model", name,
                   edges ? "step" : "line",
                   from->lines.data[followed] + (edges ? 1 : 0));
  workspace_hint(w, "process %u cannot execute %s%s%s here", c->process,
                 statement ? "'" : "that statement", statement ? statement : "",
                 statement ? "'" : "");
}

static void tell(nut_walk *r)
{
  r->told.story = story_create(r->workspace->program);
  r->told.story->shown = r->seen_there;
  story_tell(r->told.story, r->trace);
  if (!r->replayed && !r->over && !r->next.list.len) {
    r->told.story->end =
        r->next.batch.invalid_end ? TRACE_INVALID_END : TRACE_FINISHED;
    r->told.story->ending = trace_end_text(r->told.story->end);
  }
}

/* A loop that was recorded must lead back to where it begins. */
static void close_loop(nut_walk *r, const char *name)
{
  nut_workspace *w = r->workspace;
  if (r->recorded.loop < 0)
    return;
  if (!recorded_close(&r->recorded, w->program, r->trace)) {
    workspace_refuse(w, NUT_VIOLATED, "%s: the loop does not close", name);
    workspace_hint(w, "its last step does not lead to where it begins");
    return;
  }
  untell(r);
  tell(r);
}

/* Follows the choices recorded. */
static void follow(nut_walk *r, const char *name)
{
  nut_workspace *w = r->workspace;
  const recorded *from = &r->recorded;
  size_t followed = 0;
  text_clear(&w->more);
  r->replayed = true;
  r->trace = trail_replay(w->worker, w->program, from->kind, from->choices.data,
                          from->choices.len, &followed);
  if (!r->trace)
    mem_give_up();
  tell(r);
  r->stopped = followed < from->choices.len;
  if (r->stopped) {
    say_stop(r, name, followed);
    return;
  }
  int64_t differs =
      from->json ? recorded_compare(from, r->told.story, &w->more) : -1;
  if (differs >= 0)
    workspace_refuse(w, NUT_VIOLATED, "%s: step %u: %s", name,
                     (unsigned)differs + 1, text_string(&w->more));
  else
    close_loop(r, name);
}

/* What is to be replayed: a text, or a trace. */
typedef struct replaying {
  nut_walk *run;
  const char *name, *content;
  size_t length;
  const trace *trace;
} replaying;

static void do_replay(void *what)
{
  replaying *p = what;
  nut_walk *r = p->run;
  nut_workspace *w = r->workspace;
  if (!workspace_program(w))
    return;
  text_add_bytes(&r->content, p->content, p->length);
  text_clear(&w->more);
  if (recorded_read(&r->recorded, w->annex, text_string(&r->content),
                    r->content.len, &w->more))
    follow(r, p->name);
  else
    workspace_refuse(w, NUT_ERROR, "%s: %s", p->name, text_string(&w->more));
}

/* A step that failed and is not the end of the trace was made all the same. */
static void do_follow(void *what)
{
  replaying *p = what;
  nut_walk *r = p->run;
  if (!workspace_program(r->workspace))
    return;
  r->recorded.kind = p->trace->end == TRACE_FAULT ? CHOICE_EDGES : CHOICE_MADE;
  r->recorded.loop = -1;
  for (size_t i = 1; i < p->trace->steps.len; i++) {
    const trace_step *s = &p->trace->steps.data[i];
    if (s->flags & STEP_INNER)
      continue;
    vec_push(&r->recorded.choices, ((choice){s->process, s->edge}));
    vec_push(&r->recorded.lines, (uint32_t)i - 1);
  }
  follow(r, "the trace");
  if (!r->stopped && r->trace->steps.len == p->trace->steps.len) {
    r->trace->loop = p->trace->loop;
    r->trace->end = p->trace->end;
    r->trace->expr = p->trace->expr;
    untell(r);
    tell(r);
  }
}

/* A run that stops before its end is a run. */
static nut_walk *replay(nut_workspace *w, replaying *p, mem_work *work)
{
  nut_walk *r = p->run = new_run(w);
  if (!r)
    return NULL;
  workspace_do(w, work, p);
  if (r->told.story)
    return r;
  nut_walk_free(r);
  return NULL;
}

nut_walk *nut_walk_replay(nut_workspace *w, const char *name,
                          const char *content, size_t length)
{
  replaying p = {.name = name, .content = content, .length = length};
  return replay(w, &p, do_replay);
}

nut_walk *nut_walk_follow(nut_workspace *w, const nut_trace *t)
{
  replaying p = {.trace = t->story->trace};
  return replay(w, &p, do_follow);
}

/* ---- how it is ---------------------------------------------------------- */

size_t nut_walk_length(const nut_walk *r)
{
  return r->trace->steps.len ? r->trace->steps.len - 1 : 0;
}

static const edge *edge_of(const nut_walk *r, size_t at)
{
  return r->workspace->annex->edges.data[r->trace->steps.data[at].edge];
}

static bool is_shown(const nut_walk *r, size_t at)
{
  return !(edge_of(r, at)->flags & EDGE_UNSEEN) &&
         !(r->trace->steps.data[at].flags & STEP_INNER);
}

size_t nut_walk_steps(const nut_walk *r)
{
  size_t n = r->seen_there;
  for (size_t i = 1; i < r->trace->steps.len; i++)
    n += is_shown(r, i);
  return n;
}

bool nut_walk_is_shown(const nut_walk *r)
{
  return r->trace->steps.len < 2 ||
         !(edge_of(r, r->trace->steps.len - 1)->flags & EDGE_UNSEEN);
}

static void do_tell(void *work)
{
  nut_walk *r = work;
  untell(r);
  tell(r);
}

const nut_trace *nut_walk_trace(nut_walk *r)
{
  if (r->lost)
    return NULL;
  return r->told.story || run_do(r, do_tell) ? &r->told : NULL;
}

static void do_find_state(void *work)
{
  nut_walk *r = work;
  uint32_t length;
  if (r->chosen >= r->trace->steps.len || !r->trace->steps.data[r->chosen].rest)
    return;
  const uint8_t *bytes = trace_state(r->trace, r->chosen, &length);
  r->state = workspace_add_state(r->workspace, bytes, length);
}

nut_state nut_walk_state(nut_walk *r, size_t steps)
{
  r->chosen = steps;
  r->state = 0;
  return !r->lost && run_do(r, do_find_state) ? r->state : 0;
}

/* Reads the state after the chosen step into the view. */
static bool read_step(nut_walk *r)
{
  nut_workspace *w = r->workspace;
  uint32_t length;
  if (r->chosen >= r->trace->steps.len)
    return workspace_refuse(w, NUT_ERROR, "the run is not that long");
  const uint8_t *bytes = trace_state(r->trace, r->chosen, &length);
  view_read(w->program, bytes, length, &w->view);
  return true;
}

static void do_show(void *work)
{
  nut_walk *r = work;
  nut_workspace *w = r->workspace;
  text_clear(&w->out);
  if (read_step(r))
    plain_state(w->annex, &w->view, r->style, &w->out);
}

static void do_list_values(void *work)
{
  nut_walk *r = work;
  if (read_step(r))
    workspace_list_values(r->workspace);
}

const nut_value *nut_walk_values(nut_walk *r, size_t steps, size_t *count)
{
  r->chosen = steps;
  bool done = !r->lost && run_do(r, do_list_values);
  *count = done ? r->workspace->values.len : 0;
  return done ? r->workspace->values.data : NULL;
}

static void do_list_processes(void *work)
{
  nut_walk *r = work;
  if (read_step(r))
    workspace_list_processes(r->workspace);
}

const nut_process *nut_walk_processes(nut_walk *r, size_t steps, size_t *count)
{
  r->chosen = steps;
  bool done = !r->lost && run_do(r, do_list_processes);
  *count = done ? r->workspace->processes.len : 0;
  return done ? r->workspace->processes.data : NULL;
}

bool nut_walk_state_text(nut_walk *r, size_t steps, nut_style style,
                         nut_sink *sink, void *context)
{
  text *out = &r->workspace->out;
  r->chosen = steps;
  r->style = style;
  if (r->lost || !run_do(r, do_show))
    return false;
  sink(context, text_string(out), out->len);
  return true;
}

static bool is_finished(const nut_walk *r)
{
  return r->replayed ? r->trace->end == TRACE_FINISHED : !r->next.list.len;
}

nut_verdict nut_walk_verdict(const nut_walk *r)
{
  bool ends_badly =
      r->replayed
          ? r->trace->end != TRACE_OPEN && r->trace->end != TRACE_FINISHED &&
                r->trace->end != TRACE_WITNESS
          : r->over || (!r->next.list.len && r->next.batch.invalid_end);
  if (r->lost || r->next.batch.abandoned)
    return NUT_UNKNOWN;
  if (ends_badly || r->stopped)
    return NUT_VIOLATED;
  return is_finished(r) ? NUT_HOLDS : NUT_UNKNOWN;
}

const char *nut_walk_ending(const nut_walk *r)
{
  if (r->stopped)
    return "stopped";
  if (r->over)
    return fault_text(r->trace->fault);
  if (r->replayed)
    return r->told.story && r->told.story->ending
               ? r->told.story->ending
               : trace_end_text(r->trace->end);
  if (r->next.list.len)
    return trace_end_text(TRACE_OPEN);
  return trace_end_text(r->next.batch.invalid_end ? TRACE_INVALID_END
                                                  : TRACE_FINISHED);
}

/* ---- going on ----------------------------------------------------------- */

size_t nut_walk_choices(const nut_walk *r)
{
  return r->lost ? 0 : r->next.list.len;
}

static void do_describe(void *work)
{
  nut_walk *r = work;
  workspace_texts(r->workspace, LIST_MOVES);
  r->move = workspace_move(r->workspace, &r->next, r->chosen, LIST_MOVES);
}

nut_move nut_walk_choice(nut_walk *r, size_t index)
{
  assert(index < nut_walk_choices(r));
  r->chosen = index;
  r->move = (nut_move){0};
  run_do(r, do_describe);
  return r->move;
}

static void do_take(void *work)
{
  nut_walk *r = work;
  if (limits_poll(&r->workspace->model->limits)) {
    workspace_stop(r->workspace);
    return;
  }
  next_step n = r->next.list.data[r->chosen];
  untell(r);
  r->lost = true;
  vec_push(&r->past, r->trace->steps.len);
  if (n.fault != NEXT_NONE) {
    trace_add_fault(r->trace, &r->next.batch, n.fault);
    vec_clear(&r->next.list);
    r->over = true;
  } else {
    trace_add_successor(r->trace, &r->next.batch, n.successor);
    look_ahead(r);
  }
  r->lost = false;
}

/* Whether a choice leads to this state. */
static bool leads_to(const next_steps *next, const next_step *n,
                     const uint8_t *state, uint32_t length)
{
  if (n->successor == NEXT_NONE)
    return false;
  const successor *s = &next->batch.list.data[n->successor];
  return s->length == length &&
         !memcmp(next->batch.bytes.data + s->start, state, length);
}

bool walk_take_to(nut_walk *r, const uint8_t *state, uint32_t length)
{
  for (size_t i = 0; i < r->next.list.len; i++)
    if (leads_to(&r->next, &r->next.list.data[i], state, length)) {
      r->lost = true;
      untell(r);
      vec_push(&r->past, r->trace->steps.len);
      trace_add_successor(r->trace, &r->next.batch,
                          r->next.list.data[i].successor);
      bool seen = look_ahead(r);
      r->lost = false;
      return seen;
    }
  return false;
}

bool nut_walk_take(nut_walk *r, size_t index)
{
  assert(index < nut_walk_choices(r));
  r->chosen = index;
  return run_do(r, do_take);
}

static void do_undo(void *work)
{
  nut_walk *r = work;
  size_t length = vec_pop(&r->past);
  const trace_step *last = &r->trace->steps.data[length - 1];
  r->trace->steps.len = length;
  r->trace->bytes.len = last->start + last->length;
  r->trace->end = TRACE_OPEN;
  r->over = false;
  r->lost = true;
  untell(r);
  look_ahead(r);
  r->lost = false;
}

bool nut_walk_undo(nut_walk *r)
{
  return !r->lost && r->past.len && run_do(r, do_undo);
}

void nut_walk_forget(nut_walk *r)
{
  if (r->lost || r->over || r->replayed)
    return;
  r->seen_there = (uint32_t)nut_walk_steps(r);
  vec_clear(&r->past);
  mem_budget *outer = limits_enter(&r->workspace->model->limits);
  untell(r);
  limits_leave(outer);
  trace_forget(r->trace);
}

/* ---- a part of one, and the way to its end ------------------------------ */

/* Copies the steps of a run up to the last of them in which it rests. */
static void copy_steps(nut_walk *r, const trace *from, size_t steps)
{
  size_t last = steps < from->steps.len ? steps : from->steps.len - 1;
  while (last && !from->steps.data[last].rest)
    last--;
  r->trace = trace_create();
  for (size_t i = 0, before = 0; i <= last; i++) {
    trace_step s = from->steps.data[i];
    vec_push(&r->trace->steps, s);
    if (i && s.rest) {
      vec_push(&r->past, before + 1);
      before = i;
    }
  }
  const trace_step *end = &from->steps.data[last];
  vec_resize(&r->trace->bytes, end->start + end->length);
  memcpy(r->trace->bytes.data, from->bytes.data, end->start + end->length);
  text_add_bytes(&r->trace->output, text_string(&from->output),
                 end->output + end->output_length);
}

typedef struct continuing {
  nut_walk *run;
  const nut_walk *from;
  size_t steps;
} continuing;

static void do_continue(void *what)
{
  continuing *c = what;
  copy_steps(c->run, c->from->trace, c->steps);
  look_ahead(c->run);
}

nut_walk *nut_walk_continue(nut_walk *from, size_t steps)
{
  continuing c = {new_run(from->workspace), from, steps};
  if (!c.run)
    return NULL;
  if (!from->lost && from->trace->steps.len &&
      workspace_do(from->workspace, do_continue, &c))
    return c.run;
  nut_walk_free(c.run);
  return NULL;
}

/* Which of the choices made the step behind 'first' - 1; false: none. */
static bool find_choice(nut_walk *r, size_t first, size_t last)
{
  const next_steps *next = &r->workspace->next;
  const trace_step *s = &r->trace->steps.data[first];
  uint32_t length;
  const uint8_t *to = trace_state(r->trace, last, &length);
  for (size_t i = 0; i < next->list.len; i++) {
    const next_step *n = &next->list.data[i];
    bool fails = !r->trace->steps.data[last].rest;
    if (n->edge == s->edge && n->process == s->process &&
        (fails ? n->fault != NEXT_NONE : leads_to(next, n, to, length))) {
      vec_push(&r->path, (uint32_t)i);
      return true;
    }
  }
  return false;
}

static void do_find_path(void *work)
{
  nut_walk *r = work;
  uint32_t length;
  size_t n = r->trace->steps.len;
  vec_clear(&r->path);
  for (size_t at = 0, to; at + 1 < n; at = to) {
    for (to = at + 1; to + 1 < n && !r->trace->steps.data[to].rest;)
      to++;
    const uint8_t *state = trace_state(r->trace, at, &length);
    if (!workspace_look(r->workspace, state, length, &r->workspace->next))
      return;
    if (!find_choice(r, at + 1, to)) {
      workspace_refuse(r->workspace, NUT_VIOLATED, "step %zu cannot be chosen",
                       at + 1);
      return;
    }
  }
}

const uint32_t *nut_walk_path(nut_walk *r, size_t *count)
{
  bool done = !r->lost && run_do(r, do_find_path);
  *count = r->path.len;
  return done ? r->path.data : NULL;
}
