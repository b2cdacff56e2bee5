/* Stories as text: one line for each step, in columns.
**
**     1  peterson.pml:9   user(0)  flag[_pid] = true   flag[0]: false -> true
*/

#include "base/source/shown.h"
#include "report/plain.h"
#include "report/why/note.h"
#include "report/why/part.h"
#include "report/why/unfair.h"
#include "report/why/waiting.h"
#include <string.h>

enum {
  LONG_STORY = 60, /* longer ones lose their middle */
  HEAD = 25,
  TAIL = 25,
  WRAP = 100 /* changes beyond this column go to the next line */
};

typedef struct columns {
  size_t number, where, process, statement;
} columns;

static void widen(size_t *width, size_t n, size_t most)
{
  if (n > *width)
    *width = n < most ? n : most;
}

static void add_where(const telling *t, text *out)
{
  if (t->at.line)
    text_printf(out, "%s:%u", t->at.name, t->at.line);
}

static void add_process(const telling *t, text *out)
{
  text_printf(out, "%s(%u)", t->type->name, t->process);
}

/* The transitions of a net are named, and nobody but the net makes them. */
static bool tells_who(const story *s)
{
  return !s->model->language->is_net;
}

static columns measure(story *s, const uint32_t *list, size_t count)
{
  columns c = {4, 0, 0, 0};
  text *t = &s->parts[0];
  for (size_t i = 0; i < count; i++) {
    const telling *one = &s->steps.data[list[i]];
    text_clear(t);
    text_printf(t, "%u", one->number);
    widen(&c.number, t->len, 12);
    text_clear(t);
    add_where(one, t);
    widen(&c.where, t->len, 32);
    text_clear(t);
    add_process(one, t);
    widen(&c.process, t->len, 20);
    widen(&c.statement, strlen(one->words) + (one->seen ? 0 : 2), 32);
  }
  return c;
}

/* What a step printed, without the end of its last line. */
static void add_printed(const char *string, text *out)
{
  size_t n = strlen(string);
  text_add_shown(out, string, n && string[n - 1] == '\n' ? n - 1 : n);
}

static void add_change(const change *c, text *out)
{
  switch (c->kind) {
  case CHANGE_VALUE:
    text_printf(out, "%s: %s -> %s", c->label, c->before, c->after);
    break;
  case CHANGE_CHANNEL:
    text_printf(out, "%s: %s", c->label, c->after);
    break;
  case CHANGE_START:
    text_printf(out, "%s starts", c->label);
    if (*c->after)
      text_printf(out, " (%s)", c->after);
    break;
  case CHANGE_END:
    text_printf(out, "%s ends", c->label);
    break;
  }
}

/* Adds one entry of the last column, on a new line when this one is full. */
static void add_entry(const char *entry, size_t start, size_t *column,
                      text *out)
{
  size_t n = strlen(entry);
  if (*column > start) {
    text_add_char(out, ',');
    if (*column + n + 2 > WRAP) {
      text_printf(out, "\n%*s", (int)start, "");
      *column = start;
    } else {
      text_add_char(out, ' ');
      *column += 2;
    }
  }
  text_add(out, entry);
  *column += n;
}

static void add_changes(story *s, const telling *t, size_t start, text *out)
{
  text *entry = &s->parts[1];
  size_t column = start;
  for (uint32_t i = 0; i < t->change_count; i++) {
    text_clear(entry);
    add_change(&s->changes.data[t->first_change + i], entry);
    add_entry(text_string(entry), start, &column, out);
  }
  if (t->note)
    add_entry(t->note, start, &column, out);
  if (t->output) {
    text_clear(entry);
    text_add(entry, "prints ");
    add_printed(t->output, entry);
    add_entry(text_string(entry), start, &column, out);
  }
}

static void strip_blanks(text *out)
{
  while (out->len > 0 && out->data[out->len - 1] == ' ')
    out->data[--out->len] = 0;
}

static void add_step(story *s, size_t index, const columns *c,
                     plain_style style, text *out)
{
  const telling *t = &s->steps.data[index];
  text *part = &s->parts[0];
  size_t line = out->len;
  text_clear(part);
  if (t->seen)
    text_printf(out, "%*u  ", (int)c->number, t->number);
  else
    text_printf(out, "%*s  ", (int)c->number, "");
  if (tells_who(s)) {
    add_where(t, part);
    text_printf(out, "%-*s  ", (int)c->where, text_string(part));
    text_clear(part);
    add_process(t, part);
    text_printf(out, "%-*s  ", (int)c->process, text_string(part));
    text_clear(part);
  }
  text_add(part, t->seen ? "" : "  ");
  add_printed(t->words, part);
  text_printf(out, "%-*s  ", (int)c->statement, text_string(part));
  size_t start = out->len - line;
  if (start > WRAP - 30)
    start = WRAP - 30;
  add_changes(s, t, start, out);
  strip_blanks(out);
  if (story_is_folded(s, index))
    text_add(out, "  (does not matter)");
  if (s->end == TRACE_FAULT && index + 1 == s->steps.len)
    text_printf(out, style.color ? "  \033[31m<- %s\033[0m" : "  <- %s",
                s->ending);
  text_add_char(out, '\n');
}

/* A jump made by the front end changes nothing; what happens inside a d_step
** is told. */
static bool worth_telling(const telling *t)
{
  return !(t->edge->flags & EDGE_UNSEEN);
}

/* Which steps are told: all, or the first and the last.  '*cut' is the place
** of the gap, or the number of steps told. */
static void choose_steps(const story *s, size_t first, bool all,
                         told_steps *told, size_t *cut, size_t *left_out)
{
  for (size_t i = first; i < s->steps.len; i++)
    if ((all || !story_is_folded(s, i)) &&
        (i + 1 == s->steps.len || worth_telling(&s->steps.data[i])))
      vec_push(told, (uint32_t)i);
  *cut = told->len;
  *left_out = 0;
  if (all || told->len <= LONG_STORY)
    return;
  *cut = HEAD;
  *left_out = told->len - HEAD - TAIL;
  memmove(told->data + HEAD, told->data + told->len - TAIL,
          TAIL * sizeof *told->data);
  told->len = HEAD + TAIL;
}

/* The details of the steps told, before and after the gap. */
static void find_details(story *s, const told_steps *told, size_t cut)
{
  if (told->len == 0)
    return;
  story_details(s, told->data[0], told->data[cut - 1] + 1);
  if (cut < told->len)
    story_details(s, told->data[cut], vec_last(told) + 1);
}

/* Whom the loop forgets. */
static void add_unfair(story *s, text *out)
{
  text_clear(&s->words[0]);
  unfair_add(s, &s->words[0]);
  if (s->words[0].len)
    text_printf(out, "  %s\n", text_string(&s->words[0]));
}

void plain_story(story *s, plain_style style, text *out)
{
  plain_story_from(s, 0, style, out);
}

/* Steps that do not matter, from one to before another. */
static void count_folded(const story *s, size_t from, size_t to,
                         const columns *c, text *out)
{
  size_t count = 0;
  for (size_t i = from; i < to; i++)
    count += s->steps.data[i].seen && story_is_folded(s, i);
  if (count)
    text_printf(out, "%*s  %zu step%s folded\n", (int)c->number, "...", count,
                count == 1 ? "" : "s");
}

/* Those between two steps that are told, and where the loop starts among them. */
static void add_folded(const story *s, size_t from, size_t to, const columns *c,
                       bool all, text *out)
{
  size_t loop = s->loop >= 0 ? (size_t)s->loop : SIZE_MAX;
  bool starts = loop >= from && loop <= to && loop < s->steps.len;
  if (!all)
    count_folded(s, from, starts ? loop : to, c, out);
  if (starts)
    text_printf(out, "%*s  the loop starts here\n", (int)c->number, "");
  if (!all && starts)
    count_folded(s, loop, to, c, out);
}

void plain_story_from(story *s, size_t first, plain_style style, text *out)
{
  told_steps *told = &s->told;
  size_t cut, left_out;
  vec_clear(told);
  choose_steps(s, first, style.verbose, told, &cut, &left_out);
  find_details(s, told, cut);
  columns c = measure(s, told->data, told->len);
  for (size_t i = 0; i < told->len; i++) {
    if (i == cut)
      text_printf(out,
                  "%*s  %zu steps left out: --verbose shows all, "
                  "--trace FILE writes all\n",
                  (int)c.number, "...", left_out);
    add_folded(s, i ? told->data[i - 1] + 1 : first, told->data[i], &c,
               i == cut || style.verbose, out);
    add_step(s, told->data[i], &c, style, out);
  }
  add_folded(s, told->len ? vec_last(told) + 1 : first, s->steps.len, &c,
             style.verbose, out);
  if (told->len == 0)
    text_printf(out, "%*s  in %s state\n", (int)c.number, "",
                first ? "that" : "the initial");
  if (s->end == TRACE_STAYS)
    text_printf(out, "%*s  and so it stays for ever\n", (int)c.number, "");
  if (s->end == TRACE_INVARIANT && note_ending(s))
    text_printf(out, "%*s  %s\n", (int)c.number, "", note_ending(s));
  waiting_print(s, style.verbose, out);
  add_unfair(s, out);
}

/* The state after a step, indented. */
static void add_state(story *s, size_t index, const columns *c,
                      plain_style style, text *out)
{
  text *state = &s->parts[0];
  uint32_t length;
  text_clear(state);
  const uint8_t *bytes = trace_state(s->trace, index + 1, &length);
  view_read(s->program, bytes, length, &s->next);
  plain_state(s->model, &s->next, style, state);
  for (const char *line = text_string(state); *line;) {
    size_t n = strcspn(line, "\n");
    text_printf(out, "%*s%.*s\n", (int)c->number, "", (int)n, line);
    line += n + (line[n] != 0);
  }
}

void plain_part(story *s, const nut_selection *part, plain_style style,
                text *out)
{
  told_steps *told = &s->told;
  vec_clear(told);
  part_steps(s, part, told);
  columns c = measure(s, told->data, told->len);
  for (size_t i = 0; i < told->len; i++) {
    if (s->loop >= 0 && told->data[i] >= s->loop &&
        (i == 0 || told->data[i - 1] < s->loop))
      text_printf(out, "%*s  the loop starts here\n", (int)c.number, "");
    add_step(s, told->data[i], &c, style, out);
    if (part->states)
      add_state(s, told->data[i], &c, style, out);
  }
  if (!told->len)
    text_printf(out, "%*s  no step of the run is among these\n", (int)c.number,
                "");
}

/* Simulations tell step by step and cannot measure what is to come. */
static columns usual_columns(const story *s)
{
  columns c = {4, 0, 0, 24};
  if (s->model->file)
    widen(&c.where, strlen(s->model->file) + 5, 40);
  for (size_t i = 0; i < s->model->processes.len; i++)
    widen(&c.process, strlen(s->model->processes.data[i]->name) + 3, 20);
  return c;
}

void plain_step(story *s, size_t index, plain_style style, text *out)
{
  columns c = usual_columns(s);
  if (worth_telling(&s->steps.data[index]))
    add_step(s, index, &c, style, out);
}

/* The channel that a variable holds is shown under its own name: what is called
** as the variable says nothing more. */
static bool add_held_channel(const view *v, const item *it, text *out)
{
  size_t line = out->len;
  text_printf(out, "%s%s = ", it->process >= 0 ? "    " : "  ", it->name);
  size_t start = out->len;
  for (size_t i = 0; i < v->items.len; i++)
    if (v->items.data[i].kind == ITEM_CHANNEL &&
        v->items.data[i].channel == it->value)
      story_add_channel_name(v, &v->items.data[i], out);
  if (out->len == start)
    text_add(out, "no channel");
  else if (!strcmp(text_string(out) + start, it->name)) {
    out->data[out->len = line] = 0;
    return true;
  }
  text_add_char(out, '\n');
  return true;
}

void plain_state(const model *m, const view *v, plain_style style, text *out)
{
  (void)style;
  for (size_t i = 0; i < v->items.len; i++) {
    const item *it = &v->items.data[i];
    if (it->kind == ITEM_LOCATION) {
      const location *l = &it->type->locations.data[it->value];
      position at = source_position(m->sources, l->where);
      if (!at.line || m->language->is_net)
        continue; /* of a plug-in, which has no places, or the net itself */
      text_printf(out, "  %s(%d) at %s:%u%s%s\n", it->type->name, it->process,
                  at.name ? at.name : "?", at.line, l->label ? ", " : "",
                  l->label ? l->label : "");
      continue;
    }
    if (!story_shows(it))
      continue;
    if (it->kind == ITEM_VARIABLE && it->var->type.kind == TYPE_CHAN &&
        add_held_channel(v, it, out))
      continue;
    text_add(out, it->process >= 0 ? "    " : "  ");
    if (it->kind == ITEM_CHANNEL) {
      story_add_channel_name(v, it, out);
      text_add(out, ": ");
      story_add_channel(m, v, it, out);
    } else {
      text_printf(out, "%s = ", it->name);
      story_add_value(m, it, it->value, out);
    }
    text_add_char(out, '\n');
  }
}
