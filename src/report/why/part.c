/* Names are those of reports: "P(1)", "P", "c", "a[2]", "P(1):x". */

#include "report/why/part.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "P(1)": the length of "P", and '*number' is 1; otherwise the whole length, and
** -1. */
static size_t split_name(const char *name, long *number)
{
  size_t n = strcspn(name, "(");
  char *end = NULL;
  *number = -1;
  if (!name[n])
    return n;
  long found = strtol(name + n + 1, &end, 10);
  if (end == name + n + 1 || strcmp(end, ")") || found < 0)
    return strlen(name);
  *number = found;
  return n;
}

static bool is_called(const char *name, const char *begin, size_t length)
{
  return name && strlen(name) == length && !memcmp(name, begin, length);
}

/* Whether 'whole' is 'name', or a part of what is called so: "a[2].f" of "a". */
static bool belongs(const char *whole, const char *name)
{
  size_t n = strlen(name);
  return whole && !strncmp(whole, name, n) &&
         (!whole[n] || whole[n] == '[' || whole[n] == '.');
}

/* ---- whether there is such a name --------------------------------------- */

static bool has_variable(const model *m, const char *name)
{
  /* The variable itself: "P(1):a[2]" begins behind the colon. */
  const char *colon = strrchr(name, ':');
  name = colon ? colon + 1 : name;
  size_t n = strcspn(name, "[.");
  for (size_t i = 0; i < m->globals.len; i++)
    if (is_called(m->globals.data[i]->name, name, n))
      return true;
  for (size_t i = 0; i < m->channels.len; i++)
    if (is_called(m->channels.data[i]->name, name, n))
      return true;
  for (size_t i = 0; i < m->processes.len; i++)
    for (size_t k = 0; k < m->processes.data[i]->locals.len; k++)
      if (is_called(m->processes.data[i]->locals.data[k]->name, name, n))
        return true;
  return false;
}

static bool has_process(const model *m, const char *name)
{
  long number;
  size_t n = split_name(name, &number);
  for (size_t i = 0; i < m->processes.len; i++)
    if (is_called(m->processes.data[i]->name, name, n))
      return true;
  return false;
}

const char *part_unknown(const model *m, const nut_selection *part)
{
  for (size_t i = 0; i < part->only_count; i++)
    if (!has_process(m, part->only[i]) && !has_variable(m, part->only[i]))
      return part->only[i];
  return NULL;
}

/* ---- which steps -------------------------------------------------------- */

static bool is_by(const telling *t, const char *name)
{
  long number;
  size_t n = split_name(name, &number);
  return is_called(t->type->name, name, n) &&
         (number < 0 || (uint32_t)number == t->process);
}

/* Whether a step has changed, or talked over, what is called so. */
static bool concerns(story *s, const telling *t, const char *name)
{
  if (t->talk != TALK_NONE && belongs(t->channel, name))
    return true;
  for (uint32_t i = 0; i < t->change_count; i++) {
    const change *c = &s->changes.data[t->first_change + i];
    if (belongs(c->name, name) || belongs(c->label, name) || is_by(t, name))
      return true;
    text_clear(&s->scratch);
    text_printf(&s->scratch, "%s(%d)", c->owner ? c->owner : "", c->process);
    bool whole = c->kind == CHANGE_START || c->kind == CHANGE_END;
    bool found = c->owner && whole && !strcmp(text_string(&s->scratch), name);
    text_printf(&s->scratch, ":%s", c->name);
    found |= c->owner && !whole && belongs(text_string(&s->scratch), name);
    text_clear(&s->scratch);
    if (found)
      return true;
  }
  return false;
}

static bool is_wanted(story *s, const telling *t, const nut_selection *part)
{
  if (t->edge->flags & EDGE_UNSEEN || t->number < part->from ||
      (part->to && t->number > part->to))
    return false;
  for (size_t i = 0; i < part->only_count; i++)
    if (is_by(t, part->only[i]) || concerns(s, t, part->only[i]))
      return true;
  return !part->only_count;
}

void part_steps(story *s, const nut_selection *part, told_steps *list)
{
  story_complete(s);
  for (size_t i = 0; i < s->steps.len; i++)
    if (is_wanted(s, &s->steps.data[i], part))
      vec_push(list, (uint32_t)i);
}
