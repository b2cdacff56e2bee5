#include "verify/question.h"

#include "base/source/shown.h"
#include <string.h>

static question *add(questions *q, const property *p, property_kind kind)
{
  question *made = ARENA_NEW(q->arena, question);
  made->kind = kind;
  made->name = p ? p->name : property_kind_name(kind);
  made->formula = p ? shown(q->arena, p->formula) : NULL;
  made->property = p;
  made->selected = property_about(kind) != ABOUT_PAIRS;
  vec_push(&q->list, made);
  return made;
}

void questions_start(questions *q, arena *a, const model *m)
{
  *q = (questions){.arena = a, .model = m};
  for (property_kind k = 0; k < PROPERTY_KINDS_; k++)
    if (property_about(k) == ABOUT_STEPS)
      add(q, NULL, k);
  for (size_t i = 0; i < m->properties.len; i++)
    if (property_about(m->properties.data[i].kind) != ABOUT_STEPS)
      add(q, &m->properties.data[i], m->properties.data[i].kind);
}

void questions_free(questions *q)
{
  vec_free(&q->list);
}

question *questions_add(questions *q, const property *p)
{
  property *copy = ARENA_NEW(q->arena, property);
  *copy = *p;
  copy->name = shown(q->arena, p->name);
  question *made = add(q, copy, p->kind);
  made->selected = made->foreign = true;
  return made;
}

static question *with_name(const questions *q, const char *name)
{
  for (size_t i = 0; i < q->list.len; i++)
    if (!strcmp(q->list.data[i]->name, name))
      return q->list.data[i];
  return NULL;
}

bool questions_has(const questions *q, const char *name)
{
  return with_name(q, name);
}

question *questions_find(const questions *q, const char *name)
{
  question *found = with_name(q, name);
  if (found)
    return found;
  for (size_t i = 0; i < q->list.len; i++) {
    const property *p = q->list.data[i]->property;
    if (p && p->alias && !strcmp(p->alias, name))
      return q->list.data[i];
  }
  return NULL;
}

void questions_select_foreign(questions *q)
{
  for (size_t i = 0; i < q->list.len; i++)
    q->list.data[i]->selected = q->list.data[i]->foreign;
}

void questions_select_none(questions *q)
{
  for (size_t i = 0; i < q->list.len; i++)
    q->list.data[i]->selected = false;
}

const char *question_name(const model *m, size_t i)
{
  for (property_kind k = 0; k < PROPERTY_KINDS_; k++)
    if (property_about(k) == ABOUT_STEPS && !i--)
      return property_kind_name(k);
  for (size_t k = 0; k < m->properties.len; k++)
    if (property_about(m->properties.data[k].kind) != ABOUT_STEPS && !i--)
      return m->properties.data[k].name;
  return NULL;
}

bool questions_ask(const questions *q, property_scope about)
{
  for (size_t i = 0; i < q->list.len; i++)
    if (q->list.data[i]->selected &&
        property_about(q->list.data[i]->kind) == about)
      return true;
  return false;
}
