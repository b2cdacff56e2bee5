/* Lanes and rows of a chart, and its text for Mermaid; SVG is in chart_svg.c.
** */

#include "report/chart/chart.h"
#include "base/alloc.h"
#include "report/why/waiting.h"
#include <string.h>

static char *copy_text(const text *t)
{
  return mem_copy_string(text_string(t));
}

/* The lane of a process at a step.  A number may be used again by a later
** process, which then gets a lane of its own. */
static size_t find_lane(chart *c, const process_type *kind, uint32_t process,
                        size_t at, bool fresh)
{
  for (size_t i = c->lanes.len; !fresh && i-- > 0;) {
    lane *l = &c->lanes.data[i];
    if (l->process == process && l->type == kind) {
      l->last = at;
      return i;
    }
  }
  text name = {0};
  text_printf(&name, "%s(%u)", kind->name, process);
  lane new = {.type = kind, .process = process, .first = at, .last = at};
  new.name = copy_text(&name);
  vec_push(&c->lanes, new);
  text_free(&name);
  return c->lanes.len - 1;
}

/* Processes that a step starts get their lanes in the order of their births,
** even when they do nothing for a while. */
static void note_births(chart *c, const telling *t, size_t at)
{
  const story *s = c->story;
  for (uint32_t i = 0; i < t->change_count; i++) {
    const change *ch = &s->changes.data[t->first_change + i];
    if (ch->kind != CHANGE_START)
      continue;
    for (size_t k = 0; k < s->model->processes.len; k++)
      if (strcmp(s->model->processes.data[k]->name, ch->owner) == 0)
        find_lane(c, s->model->processes.data[k], (uint32_t)ch->process, at,
                  true);
  }
}

static bool is_notable(const story *s, const telling *t)
{
  if (t->output || t == &vec_last(&s->steps) || t->flags & STEP_TIMEOUT)
    return true;
  for (uint32_t i = 0; i < t->change_count; i++) {
    const change *c = &s->changes.data[t->first_change + i];
    if (c->process < 0 || c->kind == CHANGE_START || c->kind == CHANGE_END)
      return true;
  }
  return false;
}

/* A box says what became different rather than how. */
static void add_box_label(const story *s, const telling *t, text *out)
{
  bool last = t == &vec_last(&s->steps);
  const char *comma = "";
  if (t->output)
    text_printf(out, "\"%.*s\"", (int)strcspn(t->output, "\n"), t->output);
  else if (last && s->end == TRACE_FAULT)
    text_add(out, t->words);
  else
    for (uint32_t i = 0; i < t->change_count; i++) {
      const change *c = &s->changes.data[t->first_change + i];
      if (c->kind == CHANGE_START)
        text_printf(out, "%sstarts %s", comma, c->label);
      else if (c->kind == CHANGE_END)
        text_printf(out, "%sends", comma);
      else if (c->process < 0)
        text_printf(out, "%s%s = %s", comma, c->label, c->after);
      else
        continue;
      comma = ", ";
    }
  if (out->len == 0)
    text_add(out, t->words);
}

static void add_talk_label(const telling *t, const char *suffix, text *out)
{
  if (*t->channel)
    text_printf(out, "%s: ", t->channel);
  text_add(out, *t->message ? t->message : t->words);
  text_add(out, suffix);
}

/* The event that shows the send made in step 'index', or -1. */
static int64_t find_send(const chart *c, int64_t index)
{
  const telling *wanted = index >= 0 ? &c->story->steps.data[index] : NULL;
  for (size_t i = c->events.len; wanted && i-- > 0;)
    if (c->events.data[i].step == wanted)
      return (int64_t)i;
  return -1;
}

static void add_receive(chart *c, event *e, const telling *t)
{
  int64_t origin = find_send(c, t->partner);
  if (origin >= 0 && t->flags & STEP_PARTNER) {
    /* The send has been noted: it becomes the meeting of the two. */
    event *meet = &c->events.data[origin];
    meet->kind = EVENT_MEET;
    meet->other = e->lane;
    mem_free_string(e->label);
    return;
  }
  e->kind = EVENT_RECEIVE;
  e->origin = origin;
  if (origin >= 0)
    c->events.data[origin].arrival = (int64_t)c->events.len;
  vec_push(&c->events, *e);
}

static void add_event(chart *c, const telling *t, size_t at, bool all)
{
  event e = {.lane = find_lane(c, t->type, t->process, at, false),
             .step = t,
             .origin = -1,
             .arrival = -1};
  text label = {0};
  bool talks = t->talk != TALK_NONE;
  bool silent = t->edge->flags & EDGE_UNSEEN;
  if (!talks && !is_notable(c->story, t) && (!all || silent))
    return;
  if (talks)
    add_talk_label(t, "", &label);
  else
    add_box_label(c->story, t, &label);
  e.label = copy_text(&label);
  text_free(&label);
  if (t->talk == TALK_RECEIVE) {
    add_receive(c, &e, t);
    return;
  }
  e.kind = t->talk == TALK_SEND ? EVENT_SEND : EVENT_STEP;
  vec_push(&c->events, e);
}

/* Whether a process of the start does something, or is stuck in the end. */
static bool appears(const story *s, const stuck_processes *stuck, size_t number)
{
  const process_type *kind = s->model->initial.data[number];
  for (size_t i = 0; i < s->steps.len; i++)
    if (s->steps.data[i].process == number && s->steps.data[i].type == kind)
      return true;
  for (size_t i = 0; i < stuck->count; i++)
    if (stuck->list[i].process == number && stuck->list[i].type == kind)
      return true;
  return false;
}

/* The processes of the start come first, in the order of their numbers. */
static void add_initial_lanes(chart *c, const stuck_processes *stuck)
{
  const model *m = c->story->model;
  for (size_t k = 0; k < m->initial.len; k++)
    if (appears(c->story, stuck, k))
      find_lane(c, m->initial.data[k], (uint32_t)k, 0, true);
}

static void add_foot(chart *c, story *s, const waiting *w)
{
  size_t i = find_lane(c, w->type, w->process, s->steps.len, false);
  lane *l = &c->lanes.data[i];
  if (w->text && w->more)
    l->waits =
        arena_printf(s->arena, "waits at %s, or %u more", w->words, w->more);
  else if (w->text)
    l->waits = arena_printf(s->arena, "waits at %s", w->words);
  else
    l->waits = "has nothing to execute";
  l->because = w->text ? w->because : "";
}

void chart_create(chart *c, story *s, bool all)
{
  story_complete(s);
  memset(c, 0, sizeof *c);
  c->story = s;
  c->loop = -1;
  stuck_processes stuck = waiting_find(s, 1);
  add_initial_lanes(c, &stuck);
  for (size_t i = 0; i < s->steps.len; i++) {
    const telling *t = &s->steps.data[i];
    if (s->loop == (int64_t)i)
      c->loop = (int64_t)c->events.len;
    if (!all && story_is_folded(s, i))
      continue;
    /* What a d_step does is told by the steps inside it. */
    if (t->edge->flags & EDGE_DSTEP && t->change_count == 0)
      continue;
    add_event(c, t, i, all);
    note_births(c, t, i);
  }
  for (size_t i = 0; i < stuck.count; i++)
    add_foot(c, s, &stuck.list[i]);
}

void chart_free(chart *c)
{
  for (size_t i = 0; i < c->lanes.len; i++)
    mem_free_string(c->lanes.data[i].name);
  for (size_t i = 0; i < c->events.len; i++)
    mem_free_string(c->events.data[i].label);
  vec_free(&c->lanes);
  vec_free(&c->events);
}

/* ---- Mermaid ------------------------------------------------------------ */

/* Mermaid ends a label at ';' and reads '#' as the start of an entity. */
static void add_words(const char *label, text *out)
{
  for (; *label; label++) {
    if (*label == ';' || *label == '#' || *label == '<' || *label == '>')
      text_printf(out, "#%d;", *label);
    else
      text_add_char(out, (unsigned char)*label < 32 ? ' ' : *label);
  }
}

static void add_label(const char *label, text *out)
{
  add_words(label, out);
  text_add_char(out, '\n');
}

static void add_mermaid_foot(size_t index, const lane *l, text *out)
{
  if (!l->waits)
    return;
  text_printf(out, "  Note over L%zu: ", index);
  add_words(l->waits, out);
  if (*l->because) {
    text_add(out, "<br/>");
    add_words(l->because, out);
  }
  text_add_char(out, '\n');
}

static void add_mermaid(const chart *c, const event *e, text *out)
{
  const event *from = e->origin >= 0 ? &c->events.data[e->origin] : NULL;
  if (e->kind == EVENT_MEET) {
    text_printf(out, "  L%zu->>L%zu: ", e->lane, e->other);
  } else if (e->kind == EVENT_RECEIVE && from) {
    text_printf(out, "  L%zu-)L%zu: ", from->lane, e->lane);
  } else if (e->kind == EVENT_SEND && e->arrival >= 0) {
    /* The arrow stands at its arrival; a message that waits is marked. */
    if (e + 1 == &c->events.data[e->arrival])
      return;
    text_printf(out, "  Note over L%zu: sends ", e->lane);
  } else if (e->kind == EVENT_SEND) {
    text_printf(out, "  L%zu--xL%zu: ", e->lane, e->lane);
  } else {
    text_printf(out, "  Note over L%zu: ", e->lane);
  }
  add_label(e->label, out);
}

void chart_mermaid(story *s, bool all, text *out)
{
  chart c;
  chart_create(&c, s, all);
  text_add(out, "sequenceDiagram\n");
  for (size_t i = 0; i < c.lanes.len; i++)
    text_printf(out, "  participant L%zu as %s\n", i, c.lanes.data[i].name);
  for (size_t i = 0; i < c.events.len; i++) {
    if (c.loop == (int64_t)i)
      text_add(out, "  loop for ever\n");
    add_mermaid(&c, &c.events.data[i], out);
  }
  if (c.loop >= 0 && c.loop < (int64_t)c.events.len)
    text_add(out, "  end\n");
  for (size_t i = 0; i < c.lanes.len; i++)
    add_mermaid_foot(i, &c.lanes.data[i], out);
  if (s->ending && c.lanes.len > 0) {
    text_printf(out, "  Note over L0%s", c.lanes.len > 1 ? "," : "");
    if (c.lanes.len > 1)
      text_printf(out, "L%zu", c.lanes.len - 1);
    text_add(out, ": ");
    add_label(s->ending, out);
  }
  chart_free(&c);
}
