/* What was chosen, and where.
**
** A choice depends on who is where, on which edges have successors, and on which
** channels have messages; all else of a state is of no account to it.  So few
** situations are met in many states, and what was chosen in one is kept:
**
**   words   length of the situation; it: numbers of processes and channels,
**           process: role, location ...  successor: process, edge ...
**           channels with messages, a bit each ...
**           what was chosen: a byte for each successor, four in a word ...
**   slots   of a hash table, by the situation: where its words begin
**
** Situations are compared word by word, so that nothing is ever taken for what
** it is not.  All is forgotten when it is too much, and when something is learned
** that choices depend on: roles, or that claims are broken. */

#include "base/hash.h"
#include "reduce/reduce_internal.h"

#include <string.h>

enum {
  WORDS_MOST = 1 << 18, /* kept: a megabyte */
  WORDS_OF_ONE = 1 << 10,
  SLOTS_FIRST = 64
};

void choices_forget(choices *c)
{
  vec_clear(&c->slots);
  vec_clear(&c->words);
  c->count = 0;
}

void choices_free(choices *c)
{
  vec_free(&c->slots);
  vec_free(&c->words);
  vec_free(&c->key);
}

/* Writes the situation at hand into 'key'. */
static void describe(reduction *r, const batch *b)
{
  choices *c = &r->choices;
  uint32_t queues = r->queues ? r->queues / 32 + 1 : 0;
  size_t n = b->list.len;
  vec_clear(&c->key);
  vec_grow(&c->key, 1 + r->processes + n + queues + 4);
  uint32_t *to = c->key.data;
  *to++ = r->processes << 16 | r->queues;
  for (uint32_t i = 0; i < r->processes; i++)
    *to++ = r->role_of[i] << 16 | r->positions[i].location;
  for (size_t i = 0; i < n; i++)
    *to++ = b->list.data[i].process << 24 | b->list.data[i].edge;
  for (uint32_t i = 0; i < queues; i++)
    to[i] = 0;
  for (uint32_t i = 1; i <= r->queues; i++)
    to[i / 32] |= (uint32_t)(r->messages[i] != 0) << i % 32;
  to += queues;
  c->key.len = (size_t)(to - c->key.data);
  memset(to, 0, 4 * sizeof *to); /* for the hash, which reads by eights */
}

/* Of the answer. */
static size_t answer_words(size_t successors)
{
  return (1 + successors + 3) / 4;
}

static uint8_t *answer_at(choices *c, uint32_t start)
{
  return (uint8_t *)(c->words.data + start + 1 + c->key.len);
}

static uint64_t hash_key(const uint32_t *key, size_t len)
{
  return hash_padded((const uint8_t *)key, len * sizeof *key);
}

/* The slot where the situation is, or could be. */
static choice_slot *find_slot(choices *c, uint32_t tag)
{
  size_t mask = c->slots.len - 1, len = c->key.len;
  for (size_t i = tag & mask;; i = (i + 1) & mask) {
    choice_slot *s = &c->slots.data[i];
    if (!s->start)
      return s;
    const uint32_t *words = c->words.data + s->start - 1;
    if (s->tag == tag && words[0] == len &&
        !memcmp(words + 1, c->key.data, len * sizeof *words))
      return s;
  }
}

static void grow_slots(choices *c)
{
  size_t mask = (c->slots.len ? 2 * c->slots.len : SLOTS_FIRST) - 1;
  choice_slots more = {0};
  vec_resize(&more, mask + 1);
  for (size_t i = 0; i < c->slots.len; i++) {
    const choice_slot *s = &c->slots.data[i];
    size_t at = s->tag & mask;
    while (s->start && more.data[at].start)
      at = (at + 1) & mask;
    if (s->start)
      more.data[at] = *s;
  }
  vec_free(&c->slots);
  c->slots = more;
}

uint8_t *choices_find(reduction *r, const batch *b, bool *is_new)
{
  choices *c = &r->choices;
  *is_new = true;
  if (c->acts != r->of->acts.len || c->believes != r->of->believes) {
    choices_forget(c);
    c->acts = r->of->acts.len;
    c->believes = r->of->believes;
  }
  describe(r, b);
  size_t needed = 1 + c->key.len + answer_words(b->list.len);
  if (needed > WORDS_OF_ONE)
    return NULL;
  if (c->words.len + needed > WORDS_MOST)
    choices_forget(c);
  if (2 * c->count >= c->slots.len)
    grow_slots(c);
  uint32_t tag = (uint32_t)hash_key(c->key.data, c->key.len);
  choice_slot *s = find_slot(c, tag);
  if (s->start) {
    *is_new = false;
    return answer_at(c, s->start - 1);
  }
  uint32_t start = (uint32_t)c->words.len;
  vec_resize(&c->words, c->words.len + needed);
  c->words.data[start] = (uint32_t)c->key.len;
  memcpy(c->words.data + start + 1, c->key.data,
         c->key.len * sizeof *c->key.data);
  *s = (choice_slot){tag, start + 1};
  c->count++;
  return answer_at(c, start);
}
