/* Nested lists of words: (edge 0 1 0 (guard (EQ (global 0) 1))). */

#include "certify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 20000 };

typedef struct text_reader {
  const char *at, *end;
  uint32_t depth;
} text_reader;

static bool is_blank(char c)
{
  return c == ' ' || c == '\n' || c == '\t';
}

static bool ends_word(char c)
{
  return is_blank(c) || c == '(' || c == ')' || c == '"';
}

static const char *keep_word(const char *from, size_t length)
{
  char *word = have(length + 1);
  memcpy(word, from, length);
  return word;
}

static list read_word(text_reader *r)
{
  const char *from = r->at;
  if (*from == '"') {
    while (++r->at < r->end && *r->at != '"')
      ;
    if (r->at == r->end)
      damaged("a name has no end");
    r->at++;
    return (list){.word = keep_word(from + 1, (size_t)(r->at - from) - 2)};
  }
  while (r->at < r->end && !ends_word(*r->at))
    r->at++;
  return (list){.word = keep_word(from, (size_t)(r->at - from))};
}

/* Items up to the closing parenthesis, or to the end of the text. */
static list read_items(text_reader *r, bool whole)
{
  list l = {0}, *items = NULL;
  size_t cap = 0;
  if (++r->depth > DEPTH_MAX)
    damaged("lists are nested more than %d deep", DEPTH_MAX);
  for (;;) {
    while (r->at < r->end && is_blank(*r->at))
      r->at++;
    if (r->at == r->end || *r->at == ')')
      break;
    items = grow(items, &cap, l.count + 1, sizeof *items);
    if (*r->at == '(') {
      r->at++;
      items[l.count++] = read_items(r, false);
    } else {
      items[l.count++] = read_word(r);
    }
  }
  if ((r->at == r->end) != whole)
    damaged("parentheses do not match");
  if (!whole)
    r->at++;
  r->depth--;
  l.items = items;
  return l;
}

const list *read_lists(const char *text, size_t length)
{
  text_reader r = {text, text + length, 0};
  if (memchr(text, 0, length))
    damaged("a text has a zero byte");
  list *all = have(sizeof *all);
  *all = read_items(&r, true);
  return all;
}

bool is_word(const list *l, const char *word)
{
  return l->word && !strcmp(l->word, word);
}

bool is_about(const list *l, const char *word)
{
  return !l->word && l->count && is_word(&l->items[0], word);
}

bool has_word(const list *l, uint32_t i, const char *word)
{
  for (; i < l->count; i++)
    if (is_word(&l->items[i], word))
      return true;
  return false;
}

const list *item(const list *l, uint32_t i)
{
  if (l->word || i >= l->count)
    damaged("'%s' is too short",
            !l->word && l->count && l->items[0].word ? l->items[0].word : "()");
  return &l->items[i];
}

int64_t number_between(const list *l, int64_t lo, int64_t hi)
{
  char *end = NULL;
  errno = 0;
  long long value = l->word ? strtoll(l->word, &end, 10) : 0;
  if (!l->word || end == l->word || *end || errno || value < lo || value > hi)
    damaged("'%s' is not a number from %lld to %lld", l->word ? l->word : "()",
            (long long)lo, (long long)hi);
  return value;
}

uint32_t index_of(const list *l, uint32_t count)
{
  return (uint32_t)number_between(l, 0, (int64_t)count - 1);
}

uint32_t about_which(const list *l, const char *const *words, uint32_t count)
{
  uint32_t i = 0;
  while (i < count && !is_about(l, words[i]))
    i++;
  return i;
}

bool are_same(const list *a, const list *b)
{
  if (a->word || b->word)
    return a->word && b->word && !strcmp(a->word, b->word);
  bool same = a->count == b->count;
  for (uint32_t i = 0; same && i < a->count; i++)
    same = are_same(&a->items[i], &b->items[i]);
  return same;
}
