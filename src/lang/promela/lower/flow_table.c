/* The steps from every place of a process.
**
** First every element gets what it offers itself: one step, or, for a choice
** (if, do, a block), links to the places whose steps it offers.  Then links
** are replaced by steps, and last the steps of escapes come in front.  The
** order of places and of steps is that of SPIN's tables throughout. */

#include "lang/promela/lower/flow.h"

#include "base/alloc.h"

#include <string.h>

/* The place where control rests when it comes to 'e' from an element with the
** given status: past jumps, but not out of an atomic sequence, since leaving
** it is a step of its own. */
static flow_element *rest(flow *f, flow_element *e, uint32_t status)
{
  flow_element *from = e;
  for (int i = 0; i < FLOW_JUMPS_MAX && !f->lost; i++) {
    flow_element *to;
    if (e->kind == FLOW_GOTO)
      to = e->goal;
    else if (e->kind == FLOW_JOIN || e->kind == FLOW_EXIT)
      to = e->next;
    else if (e->kind == FLOW_UNLESS)
      to = rest(f, e->subs[0]->first, status);
    else
      return e;
    if (!to || ((status & FLOW_KEEPS) && !(to->status & FLOW_KEEPS)))
      return e;
    e = to;
  }
  return flow_lost(f, from);
}

/* The element an option or a block offers: a jump is a step here. */
static flow_element *opening(flow *f, flow_element *e)
{
  flow_element *from = e;
  for (int i = 0; i < FLOW_JUMPS_MAX && !f->lost; i++) {
    if (e->kind == FLOW_JOIN && e->next)
      e = e->next;
    else if (e->kind == FLOW_UNLESS)
      e = e->subs[0]->first;
    else
      return e;
  }
  return flow_lost(f, from);
}

/* ---- what each element offers ----------------------------------------- */

static void fill_seq(flow_table *, flow_seq *);

static void add_step(flow_table *t, flow_element *e, flow_element *behind)
{
  flow_step *s = ARENA_NEW(t->flow->arena, flow_step);
  s->by = e;
  s->atomic = (e->status & FLOW_KEEPS) != 0;
  if (behind)
    s->target = rest(t->flow, behind, e->status)->number;
  t->places[e->number].steps = s;
}

static void fill_escapes(flow_table *t, flow_element *e)
{
  if (e->kind == FLOW_JOIN)
    return;
  for (flow_escape *x = e->escapes; x; x = x->next)
    x->target = rest(t->flow, x->seq->first, e->status)->number;
  for (flow_escape *x = e->escapes; x; x = x->next)
    fill_seq(t, x->seq);
}

static flow_place *start_choice(flow_table *t, flow_element *e, uint32_t room)
{
  flow_place *p = &t->places[e->number];
  p->choice = true;
  p->links = ARENA_ARRAY(t->flow->arena, uint32_t, room);
  return p;
}

/* An option that begins with 'false' is not offered. */
static bool never_opens(const flow_element *e)
{
  return e->kind == FLOW_STEP && e->stmt && e->stmt->kind == S_EXPR &&
         e->stmt->a->kind == E_CONST && e->stmt->a->value == 0 && !e->escapes;
}

static void fill_selection(flow_table *t, flow_element *e)
{
  flow_place *p = start_choice(t, e, e->sub_count);
  for (uint32_t i = 0; i < e->sub_count; i++) {
    flow_element *first = opening(t->flow, e->subs[i]->first);
    if (!never_opens(first))
      p->links[p->link_count++] = first->number;
  }
  for (uint32_t i = 0; i < e->sub_count; i++)
    fill_seq(t, e->subs[i]);
}

/* Jumps at the end of an atomic sequence lead out of it or into another; only
** now are the goals known. */
static void patch_jumps(flow_seq *s)
{
  const uint32_t atomic = FLOW_KEEPS | FLOW_LEAVES;
  for (flow_element *e = s->first; e; e = e->next) {
    if (e->kind == FLOW_GOTO) {
      bool stays = (e->goal->status & atomic) != 0;
      if ((e->status & atomic) && !stays)
        e->status = (e->status & ~(uint32_t)FLOW_KEEPS) | FLOW_LEAVES;
      if ((e->status & FLOW_LEAVES) && stays)
        e->status = (e->status & ~(uint32_t)FLOW_LEAVES) | FLOW_KEEPS;
    } else if (e->kind == FLOW_IF || e->kind == FLOW_DO ||
               e->kind == FLOW_UNLESS) {
      for (uint32_t i = 0; i < e->sub_count; i++)
        patch_jumps(e->subs[i]);
    }
    if (e == s->extent)
      return;
  }
}

static void fill_block(flow_table *t, flow_element *e)
{
  flow_seq *inside = e->subs[0];
  patch_jumps(inside);
  flow_element *first = opening(t->flow, inside->first);
  inside->last->next = e->next;
  if (e->kind == FLOW_DSTEP) {
    add_step(t, e, e->next);
    fill_escapes(t, e);
    return;
  }
  flow_place *p = start_choice(t, e, 1);
  p->links[p->link_count++] = first->number;
  fill_seq(t, inside);
}

static void fill_element(flow_table *t, flow_element *e)
{
  switch (e->kind) {
  case FLOW_UNLESS:
    fill_seq(t, e->subs[0]);
    break;
  case FLOW_IF:
  case FLOW_DO:
    fill_selection(t, e);
    break;
  case FLOW_ATOMIC:
  case FLOW_DSTEP:
  case FLOW_BLOCK:
    fill_block(t, e);
    break;
  case FLOW_GOTO:
    add_step(t, e, e->goal);
    fill_escapes(t, e);
    break;
  case FLOW_STEP:
  case FLOW_SKIP:
  case FLOW_ELSE:
  case FLOW_JOIN:
  case FLOW_EXIT:
  case FLOW_END:
    add_step(t, e, e->next);
    fill_escapes(t, e);
    break;
  }
}

static void fill_seq(flow_table *t, flow_seq *s)
{
  for (flow_element *e = s->first; e; e = e->next) {
    if (!(e->status & FLOW_DONE)) {
      e->status |= FLOW_DONE;
      fill_element(t, e);
    }
    if (e == s->last)
      return;
  }
}

/* ---- labels ----------------------------------------------------------- */

static bool begins(const flow_label *l, const char *word)
{
  return strncmp(l->label->name, word, strlen(word)) == 0;
}

static void mark_labels(flow_table *t)
{
  flow *f = t->flow;
  for (uint32_t i = 1; i < f->count; i++)
    for (const flow_label *l = f->elements[i]->labels; l; l = l->next) {
      t->places[i].end |= begins(l, "end");
      t->places[i].accept |= begins(l, "accept");
      t->places[i].progress |= begins(l, "progress");
    }
  t->places[f->body->last->number].end = true;
}

/* Control does not rest at 'via': what is said of it holds of 'target'. */
static void pass_labels(flow_table *t, uint32_t via, uint32_t target)
{
  t->places[target].end |= t->places[via].end;
  t->places[target].accept |= t->places[via].accept;
  t->places[target].progress |= t->places[via].progress;
}

/* An end label in front of a lone join holds behind it, too. */
static void pass_ends(flow_table *t)
{
  for (uint32_t i = 1; i < t->flow->count; i++) {
    const flow_step *s = t->places[i].steps;
    if (s && !s->next && s->by->kind == FLOW_JOIN && t->places[i].end)
      t->places[s->target].end = true;
  }
}

/* ---- links become steps ----------------------------------------------- */

/* A choice with links, which is how SPIN tells choices from steps. */
static bool is_choice(const flow_table *t, uint32_t place)
{
  return t->places[place].choice && t->places[place].link_count > 0;
}

/* Replaces links to choices by the links of those choices, once. */
static bool flatten_once(flow_table *t, flow_place *p)
{
  uint32_t room = 0, n = 0;
  bool nested = false;
  for (uint32_t i = 0; i < p->link_count; i++) {
    bool inner = is_choice(t, p->links[i]);
    room += inner ? t->places[p->links[i]].link_count : 1;
    nested |= inner;
  }
  if (!nested)
    return false;
  uint32_t *links = ARENA_ARRAY(t->flow->arena, uint32_t, room);
  for (uint32_t i = 0; i < p->link_count; i++) {
    uint32_t via = p->links[i];
    const flow_place *inner = &t->places[via];
    if (!is_choice(t, via)) {
      links[n++] = via;
      continue;
    }
    for (uint32_t k = 0; k < inner->link_count; k++) {
      links[n++] = inner->links[k];
      pass_labels(t, via, inner->links[k]);
    }
  }
  p->links = links;
  p->link_count = n;
  return true;
}

static flow_step *copy_step(flow_table *t, const flow_step *s)
{
  flow_step *copy = ARENA_NEW(t->flow->arena, flow_step);
  *copy = *s;
  copy->next = NULL;
  return copy;
}

static void resolve_links(flow_table *t)
{
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 1; i < t->flow->count; i++)
      if (t->places[i].choice)
        again |= flatten_once(t, &t->places[i]);
  }
  for (uint32_t i = 1; i < t->flow->count; i++) {
    flow_place *p = &t->places[i];
    flow_step **tail = &p->steps;
    for (uint32_t k = 0; p->choice && k < p->link_count; k++) {
      const flow_place *leaf = &t->places[p->links[k]];
      if (leaf->choice || !leaf->steps)
        continue;
      *tail = copy_step(t, leaf->steps);
      pass_labels(t, p->links[k], (*tail)->target);
      tail = &(*tail)->next;
    }
  }
}

/* ---- escapes ---------------------------------------------------------- */

static bool offers(const flow_step *list, const flow_element *by)
{
  for (; list; list = list->next)
    if (list->by == by)
      return true;
  return false;
}

/* Puts the steps of an escape in front, each before the ones already there;
** of several escapes of one step the innermost comes first, so that the
** outermost ends up at the head. */
static void prepend_escapes(flow_table *t, flow_place *p, flow_escape *x)
{
  if (!x)
    return;
  prepend_escapes(t, p, x->next);
  for (const flow_step *s = t->places[x->target].steps; s; s = s->next) {
    if (offers(p->steps, s->by))
      continue;
    flow_step *copy = copy_step(t, s);
    copy->escape = x->target;
    copy->next = p->steps;
    p->steps = copy;
  }
}

static void add_escapes(flow_table *t)
{
  for (uint32_t i = 1; i < t->flow->count; i++)
    for (const flow_step *s = t->places[i].steps; s; s = s->next)
      if (s->by->kind != FLOW_JOIN)
        prepend_escapes(t, &t->places[i], s->by->escapes);
}

flow_table *flow_tabulate(flow *f)
{
  flow_table *t = ARENA_NEW(f->arena, flow_table);
  t->flow = f;
  t->places = ARENA_ARRAY(f->arena, flow_place, f->count);
  t->start = rest(f, f->body->first, f->body->first->status)->number;
  fill_seq(t, f->body);
  mark_labels(t);
  resolve_links(t);
  add_escapes(t);
  pass_ends(t);
  return t;
}
