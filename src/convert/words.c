/* Names for the target language: unique, legal, and as near to the model's as
** that allows. */

#include "convert/writer.h"

#include <stdio.h>
#include <string.h>

bool writer_refuse(writer *w, const char *reason)
{
  if (!w->f.why->len)
    text_add(w->f.why, reason);
  return false;
}

/* ---- words ------------------------------------------------------------- */

static bool take(writer *w, const char *word)
{
  size_t before = names_count(w->taken);
  name_of(w->taken, word);
  return names_count(w->taken) > before;
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

const char *writer_word(writer *w, const char *wanted)
{
  text t = {0};
  uint32_t number = 1;
  if (!is_letter(*wanted))
    text_add(&t, "v");
  for (const char *s = wanted; *s; s++) {
    bool plain = is_letter(*s) || (*s >= '0' && *s <= '9');
    text_add_char(&t, plain ? *s : '_');
  }
  while (t.len > 1 && t.data[t.len - 1] == '_')
    t.data[--t.len] = 0;
  size_t length = t.len;
  while (!take(w, text_string(&t))) {
    t.data[t.len = length] = 0;
    text_printf(&t, "_%u", ++number);
  }
  const char *word = arena_copy(w->f.arena, text_string(&t), t.len);
  text_free(&t);
  return word;
}

/* ---- leaves ------------------------------------------------------------ */

/* Counts leaves down to the one that is looked for. */
static bool find_leaf(const var *v, uint32_t *n, uint64_t length, bool is_array,
                      leaf *to)
{
  length *= v->length;
  is_array |= (v->flags & VAR_ARRAY) != 0;
  if (v->type.kind != TYPE_RECORD) {
    if ((*n)--)
      return false;
    *to = (leaf){&v->type, length > INT32_MAX ? INT32_MAX : (uint32_t)length,
                 is_array, v};
    return true;
  }
  const record *r = v->type.record;
  for (size_t i = 0; i < r->fields.len; i++)
    if (find_leaf(r->fields.data[i], n, length, is_array, to))
      return true;
  return false;
}

bool leaf_at(const var *v, uint32_t n, leaf *to)
{
  return find_leaf(v, &n, 1, false, to);
}

/* "a_f_g" for the n-th leaf. */
static void leaf_name(const var *v, uint32_t n, text *out)
{
  text_add(out, v->name);
  if (v->type.kind != TYPE_RECORD)
    return;
  const record *r = v->type.record;
  for (size_t i = 0; i < r->fields.len; i++) {
    uint32_t count = 0;
    leaf ignored;
    while (leaf_at(r->fields.data[i], count, &ignored))
      count++;
    if (n < count) {
      text_add_char(out, '_');
      leaf_name(r->fields.data[i], n, out);
      return;
    }
    n -= count;
  }
}

enum { LEAVES_MAX = 1000 };

static word_list name_var(writer *w, const char *prefix, const var *v)
{
  word_list list = {.count = 1};
  leaf ignored;
  if (!w->dialect->has_records)
    while (list.count < LEAVES_MAX && leaf_at(v, list.count, &ignored))
      list.count++;
  if (list.count == LEAVES_MAX)
    writer_refuse(w, "a record has too many fields");
  list.words = ARENA_ARRAY(w->f.arena, const char *, list.count);
  for (uint32_t i = 0; i < list.count; i++) {
    text t = {0};
    text_add(&t, prefix);
    if (w->dialect->has_records)
      text_add(&t, v->name);
    else
      leaf_name(v, i, &t);
    list.words[i] = writer_word(w, text_string(&t));
    text_free(&t);
  }
  return list;
}

/* ---- all of them ------------------------------------------------------- */

static void name_globals(writer *w)
{
  const model *m = w->f.m;
  arena *a = w->f.arena;
  w->records = ARENA_ARRAY(a, const char *, m->records.len + 1);
  for (size_t i = 0; i < m->records.len; i++)
    w->records[i] = writer_word(w, m->records.data[i]->name);
  w->globals = ARENA_ARRAY(a, word_list, m->globals.len + 1);
  for (size_t i = 0; i < m->globals.len; i++)
    w->globals[i] = name_var(w, "", m->globals.data[i]);
  w->channels = ARENA_ARRAY(a, const char *, m->initial_channels.len + 1);
  for (size_t i = 0; i < m->initial_channels.len; i++)
    if (m->initial_channels.data[i]->capacity)
      w->channels[i] = writer_word(w, m->initial_channels.data[i]->name);
}

static void name_instances(writer *w)
{
  const model *m = w->f.m;
  arena *a = w->f.arena;
  size_t count = m->initial.len;
  w->locals = ARENA_ARRAY(a, word_list *, count + 1);
  w->locations = ARENA_ARRAY(a, const char *, count + 1);
  w->instances = ARENA_ARRAY(a, const char *, count + 1);
  for (uint32_t who = 0; who < count; who++) {
    const process_type *p = flat_type(&w->f, who);
    w->instances[who] = writer_word(w, p->name);
    const char *prefix = arena_printf(a, "%s_", w->instances[who]);
    w->locations[who] =
        writer_word(w, arena_printf(a, "%s_at", w->instances[who]));
    w->locals[who] = ARENA_ARRAY(a, word_list, p->locals.len + 1);
    for (size_t i = 0; i < p->locals.len; i++)
      w->locals[who][i] = name_var(w, prefix, p->locals.data[i]);
  }
}

bool writer_create(writer *w, const model *m, const dialect *d, text *why)
{
  *w = (writer){.dialect = d, .taken = names_create()};
  if (!flat_build(&w->f, m, why))
    return false;
  for (const char *const *k = d->keywords; *k; k++)
    take(w, *k);
  name_globals(w);
  name_instances(w);
  return !why->len;
}

void writer_free(writer *w)
{
  size_t kinds = sizeof w->carriers / sizeof w->carriers[0];
  for (size_t i = 0; i < kinds; i++)
    vec_free(&w->carriers[i].words);
  vec_free(&w->statements);
  text_free(&w->guard);
  flat_free(&w->f);
  names_destroy(w->taken);
}
