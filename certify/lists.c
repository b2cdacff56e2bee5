/* Nested lists of words: (edge 0 1 0 (guard (EQ (global 0) 1))). */

#include "certify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 20000 };
static const char blanks[] = " \n\t", ends[] = " \n\t()\"";

static list read_word(const char **at)
{
  bool quoted = **at == '"';
  const char *from = *at + quoted;
  size_t length = strcspn(from, quoted ? "\"" : ends);
  if (quoted && !from[length])
    damaged("a name has no end");
  *at = from + length + quoted;
  return (list){.word = memcpy(have(length + 1), from, length)};
}

/* Items up to the closing parenthesis or, at depth 0, to the end of the text. */
static list read_items(const char **at, uint32_t depth)
{
  list l = {0};
  size_t cap = 0;
  if (depth == DEPTH_MAX)
    damaged("lists are nested more than %d deep", DEPTH_MAX);
  for (;;) {
    *at += strspn(*at, blanks);
    if (!**at || **at == ')')
      break;
    l.items = grow(l.items, &cap, l.count + 1, sizeof *l.items);
    bool is_list = **at == '(';
    *at += is_list;
    l.items[l.count++] = is_list ? read_items(at, depth + 1) : read_word(at);
  }
  if (!**at != !depth)
    damaged("parentheses do not match");
  *at += depth > 0;
  return l;
}

const list *read_lists(const bytes *text)
{
  const char *at = (const char *)text->data;
  if (strlen(at) != text->len)
    damaged("a text has a zero byte");
  list *all = have(sizeof *all);
  *all = read_items(&at, 0);
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

uint32_t index_of(const list *l, size_t count)
{
  return (uint32_t)number_between(l, 0, (int64_t)count - 1);
}

uint32_t which_word(const list *l, const char *words)
{
  size_t length = l->word ? strlen(l->word) : 0, end;
  uint32_t i = 0;
  for (; *words; i++, words += end + (words[end] != 0)) {
    end = strcspn(words, " ");
    if (length == end && !memcmp(l->word, words, end))
      break;
  }
  return i;
}

uint32_t about_which(const list *l, const char *words)
{
  return which_word(!l->word && l->count ? &l->items[0] : &(list){0}, words);
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
