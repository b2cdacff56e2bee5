/* From statements to numbered elements.
**
** A statement is built in two stages, since SPIN numbers what is inside a
** statement when it reads it, but the statement itself when it is appended to
** its sequence; with 'unless' other numbers come in between. */

#include "lang/promela/lower/flow.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* A loop being built, with the breaks that wait for its exit. */
typedef struct loop_frame {
  const pml_stmt *loop;
  flow_element *breaks; /* chained through 'goal' */
  struct loop_frame *outer;
} loop_frame;

typedef struct builder {
  flow *f;
  arena *a;
  loop_frame *loops;
  uint32_t dstep, dstep_count;
  uint32_t unless_depth;
  const pml_stmt *lifted; /* the block whose statements come next */
  const flow_numbers *numbers;
} builder;

/* Each nested unless multiplies the work; nobody needs this many. */
enum { UNLESS_MAX = 64 };

/* What the first stage leaves for the second. */
typedef struct parts {
  flow_seq **subs;
  uint32_t count;
  loop_frame *frame;
} parts;

static flow_element *new_element(builder *b, flow_kind kind,
                                 const pml_stmt *stmt, span where)
{
  flow_element *e = ARENA_NEW(b->a, flow_element);
  e->kind = kind;
  e->stmt = stmt;
  e->where = where;
  e->dstep = b->dstep;
  e->id = (*b->numbers->next_id)++;
  flow_number(b->f, e);
  return e;
}

/* ---- labels ----------------------------------------------------------- */

static bool starts_with(const char *name, const char *word)
{
  return strncmp(name, word, strlen(word)) == 0;
}

/* 'accept...', 'end...' and 'progress...' mean something to the search. */
static bool has_special_label(const flow_element *e)
{
  for (const flow_label *l = e->labels; l; l = l->next)
    if (starts_with(l->label->name, "accept") ||
        starts_with(l->label->name, "end") ||
        starts_with(l->label->name, "progress"))
      return true;
  return false;
}

/* The last label in the source is set first. */
static void set_labels(builder *b, const pml_stmt *s, flow_element *e)
{
  for (uint32_t i = s->label_count; i-- > 0;) {
    flow_label *l = ARENA_NEW(b->a, flow_label);
    l->label = s->labels[i];
    l->at = e;
    l->next = e->labels;
    e->labels = l;
    flow_set_label(b->f, l);
  }
}

/* ---- sequences -------------------------------------------------------- */

static void link_behind(flow_seq *s, flow_element *e)
{
  if (s->last)
    s->last->next = e;
  else
    s->first = e;
  s->last = e;
}

/* Appends 'e'.  A jump has no place of its own, so one that has a label with
** a meaning gets a skip in front, which takes the label. */
static void append(builder *b, flow_seq *s, flow_element *e)
{
  if (e->kind == FLOW_GOTO && has_special_label(e)) {
    flow_element *skip = new_element(b, FLOW_SKIP, NULL, e->where);
    flow_label *moved = e->labels;
    e->labels = moved->next;
    moved->next = NULL;
    moved->at = skip;
    skip->labels = moved;
    link_behind(s, skip);
  }
  link_behind(s, e);
}

static void build_inside(builder *, const pml_stmt *, parts *);
static void build_own(builder *, flow_seq *, const pml_stmt *, const parts *);

static flow_seq *new_seq(builder *b)
{
  return ARENA_NEW(b->a, flow_seq);
}

static void add_statement(builder *b, flow_seq *s, const pml_stmt *stmt)
{
  parts p = {0};
  build_inside(b, stmt, &p);
  build_own(b, s, stmt, &p);
}

/* The parser has seen to it that every sequence has a statement. */
static flow_seq *close_seq(flow_seq *s)
{
  assert(s->first);
  s->extent = s->last;
  return s;
}

static flow_seq *build_seq(builder *b, const pml_seq *seq)
{
  flow_seq *s = new_seq(b);
  for (uint32_t i = 0; i < seq->count; i++)
    add_statement(b, s, seq->stmts[i]);
  return close_seq(s);
}

/* ---- first stage: what is inside -------------------------------------- */

static void set_subs(builder *b, parts *p, uint32_t count)
{
  p->subs = ARENA_ARRAY(b->a, flow_seq *, count);
  p->count = count;
}

static void build_options(builder *b, const pml_stmt *s, parts *p)
{
  set_subs(b, p, s->option_count);
  if (s->break_first && s->option_count == 2) {
    p->subs[1] = build_seq(b, s->options[1]);
    p->subs[0] = build_seq(b, s->options[0]);
    return;
  }
  for (uint32_t i = 0; i < s->option_count; i++)
    p->subs[i] = build_seq(b, s->options[i]);
  if (!s->generated && b->f->proc->kind != PROC_NEVER)
    for (uint32_t i = 0; i < s->option_count; i++)
      flow_drop_skips(p->subs[i]);
}

static void build_loop(builder *b, const pml_stmt *s, parts *p)
{
  loop_frame *frame = ARENA_NEW(b->a, loop_frame);
  frame->loop = s;
  frame->outer = b->loops;
  b->loops = frame;
  build_options(b, s, p);
  b->loops = frame->outer;
  p->frame = frame;
}

static void build_dstep(builder *b, const pml_stmt *s, parts *p)
{
  uint32_t outer = b->dstep;
  if (!outer)
    b->dstep = ++b->dstep_count;
  p->subs[0] = build_seq(b, s->body);
  b->dstep = outer;
}

/* What the braces of a block do to the sequence inside. */
static void close_block(const pml_stmt *s, flow_seq *inside)
{
  if (s->kind == S_ATOMIC)
    flow_make_atomic(inside, FLOW_KEEPS);
  else if (s->kind == S_DSTEP)
    flow_make_atomic(inside, FLOW_KEEPS | FLOW_INNER);
}

static void build_block(builder *b, const pml_stmt *s, parts *p)
{
  set_subs(b, p, 1);
  if (s->lifted) {
    /* 'L: atomic {..} unless ..': the body of the unless is atomic. */
    if (s->kind == S_DSTEP)
      diag_error(b->f->diags, s->where,
                 "'unless' cannot follow a labelled d_step");
    b->lifted = s;
    p->subs[0] = build_seq(b, s->body);
    return;
  }
  if (s->kind == S_DSTEP)
    build_dstep(b, s, p);
  else
    p->subs[0] = build_seq(b, s->body);
  close_block(s, p->subs[0]);
}

/* A lone statement: its own number comes when all is built that is inside. */
static flow_seq *wrap(builder *b, const pml_stmt *s, const parts *inside)
{
  flow_seq *seq = new_seq(b);
  build_own(b, seq, s, inside);
  return close_seq(seq);
}

/* Inside the escape, SPIN still counts a loop with a label as open. */
static void build_escape(builder *b, const pml_stmt *s, parts *p,
                         loop_frame *open)
{
  parts escape = {0};
  if (open) {
    open->outer = b->loops;
    b->loops = open;
  }
  if (s->wrapped_escape) {
    build_inside(b, s->escape->stmts[0], &escape);
    p->subs[1] = wrap(b, s->escape->stmts[0], &escape);
  } else {
    p->subs[1] = build_seq(b, s->escape);
  }
  if (open)
    b->loops = open->outer;
}

/* A sequence in braces is complete at its place, a lone statement is not:
** then the escape's own number comes before the body's. */
static void build_unless(builder *b, const pml_stmt *s, parts *p)
{
  parts body = {0};
  const pml_stmt *lifted = b->lifted;
  b->lifted = NULL;
  if (++b->unless_depth == UNLESS_MAX + 1)
    diag_error(b->f->diags, s->where, "more than %d nested 'unless'",
               UNLESS_MAX);
  set_subs(b, p, 2);
  const pml_stmt *first = s->body->stmts[0];
  if (s->wrapped_body)
    build_inside(b, first, &body);
  else
    p->subs[0] = build_seq(b, s->body);
  if (lifted)
    close_block(lifted, p->subs[0]);
  build_escape(b, s, p, first->label_count ? body.frame : NULL);
  if (s->wrapped_body)
    p->subs[0] = wrap(b, first, &body);
  b->unless_depth--;
}

static void observe(builder *b, const pml_expr *e)
{
  if (e)
    b->numbers->observe(b->numbers->context, e);
}

static void build_inside(builder *b, const pml_stmt *s, parts *p)
{
  switch (s->kind) {
  case S_IF:
    build_options(b, s, p);
    break;
  case S_DO:
    build_loop(b, s, p);
    break;
  case S_ATOMIC:
  case S_DSTEP:
  case S_BLOCK:
    build_block(b, s, p);
    break;
  case S_UNLESS:
    build_unless(b, s, p);
    break;
  case S_DECL:
    for (uint32_t i = 0; s->assigns && i < s->var_count; i++)
      observe(b, s->vars[i]->init);
    break;
  default:
    observe(b, s->a);
    observe(b, s->b);
    for (uint32_t i = 0; i < s->arg_count; i++)
      observe(b, s->args[i]);
    break;
  }
}

/* ---- second stage: the statement itself ------------------------------- */

/* An 'else' is tried last, wherever it was written. */
static void move_else(const parts *p)
{
  uint32_t n = p->count, found = 0;
  while (found < n && p->subs[found]->first->kind != FLOW_ELSE)
    found++;
  if (found == n)
    return;
  flow_seq *moved = p->subs[found];
  memmove(&p->subs[found], &p->subs[found + 1],
          (n - found - 1) * sizeof *p->subs);
  p->subs[n - 1] = moved;
}

static flow_element *build_selection(builder *b, flow_seq *s,
                                     const pml_stmt *stmt, const parts *p)
{
  bool loop = stmt->kind == S_DO;
  flow_element *e = new_element(b, loop ? FLOW_DO : FLOW_IF, stmt, stmt->where);
  flow_element *join = new_element(b, FLOW_JOIN, NULL, stmt->where);
  move_else(p);
  e->subs = p->subs;
  e->sub_count = p->count;
  for (uint32_t i = 0; i < p->count; i++)
    link_behind(p->subs[i], join);
  if (!loop) {
    link_behind(s, e);
    link_behind(s, join);
    return e;
  }
  flow_element *leave = new_element(b, FLOW_EXIT, NULL, stmt->where);
  for (flow_element *x = p->frame->breaks, *next; x; x = next) {
    next = x->goal;
    x->goal = leave;
  }
  link_behind(s, join);
  link_behind(s, e);
  link_behind(s, leave);
  return e;
}

static flow_element *finish_unless(builder *b, flow_seq *s,
                                   const pml_stmt *stmt, const parts *p)
{
  flow_element *e = new_element(b, FLOW_UNLESS, stmt, stmt->where);
  flow_element *join = new_element(b, FLOW_JOIN, NULL, stmt->where);
  e->subs = p->subs;
  e->sub_count = 2;
  for (uint32_t i = 0; i < 2; i++)
    link_behind(p->subs[i], join);
  if (b->unless_depth < UNLESS_MAX)
    flow_attach_escape(b->a, p->subs[0], p->subs[1]);
  link_behind(s, e);
  link_behind(s, join);
  return e;
}

static flow_element *finish_block(builder *b, const pml_stmt *stmt,
                                  const parts *p)
{
  flow_kind kind = stmt->kind == S_ATOMIC  ? FLOW_ATOMIC
                   : stmt->kind == S_DSTEP ? FLOW_DSTEP
                                           : FLOW_BLOCK;
  flow_element *e = new_element(b, kind, stmt, stmt->where);
  e->subs = p->subs;
  e->sub_count = p->count;
  return e;
}

static flow_element *build_jump(builder *b, const pml_stmt *stmt)
{
  flow_element *e = new_element(b, FLOW_GOTO, stmt, stmt->where);
  if (stmt->kind != S_BREAK)
    return e;
  loop_frame *frame = b->loops;
  while (frame && frame->loop != stmt->loop)
    frame = frame->outer;
  assert(frame);
  e->goal = frame->breaks;
  frame->breaks = e;
  return e;
}

static void build_declaration(builder *b, flow_seq *s, const pml_stmt *stmt)
{
  if (!stmt->assigns)
    return;
  for (uint32_t i = 0; i < stmt->var_count; i++) {
    flow_element *e = new_element(b, FLOW_STEP, NULL, stmt->vars[i]->where);
    e->var = stmt->vars[i];
    append(b, s, e);
  }
}

static void build_own(builder *b, flow_seq *s, const pml_stmt *stmt,
                      const parts *p)
{
  flow_element *e;
  switch (stmt->kind) {
  case S_DECL:
    build_declaration(b, s, stmt);
    return;
  case S_XU:
  case S_C_DECL:
  case S_ERROR:
    return;
  case S_IF:
  case S_DO:
    set_labels(b, stmt, build_selection(b, s, stmt, p));
    return;
  case S_UNLESS:
    set_labels(b, stmt, finish_unless(b, s, stmt, p));
    return;
  case S_ATOMIC:
  case S_DSTEP:
  case S_BLOCK:
    e = finish_block(b, stmt, p);
    break;
  case S_GOTO:
  case S_BREAK:
    e = build_jump(b, stmt);
    break;
  case S_ELSE:
    e = new_element(b, FLOW_ELSE, stmt, stmt->where);
    break;
  case S_EXPR:
  case S_ASSIGN:
  case S_SEND:
  case S_RECV:
  case S_ASSERT:
  case S_PRINTF:
  case S_PRINTM:
  case S_SET_PRIORITY:
  case S_C_CODE:
  default:
    e = new_element(b, FLOW_STEP, stmt, stmt->where);
    break;
  }
  set_labels(b, stmt, e);
  append(b, s, e);
}

flow *flow_build(arena *a, diags *d, const pml_proc *proc,
                 const flow_numbers *numbers)
{
  flow *f = flow_create(a, d, proc, *numbers->next_id);
  builder b = {.f = f, .a = a, .numbers = numbers};
  f->body = new_seq(&b);
  for (uint32_t i = 0; i < proc->body->count; i++)
    add_statement(&b, f->body, proc->body->stmts[i]);
  /* The closing brace is the last byte of the body. */
  span brace = proc->body->where;
  if (brace.length) {
    brace.start += brace.length - 1;
    brace.length = 1;
  }
  append(&b, f->body, new_element(&b, FLOW_END, NULL, brace));
  f->body->extent = f->body->last;
  return f;
}
