/* What was chosen, and where.
**
** A choice depends on who is where, on which edges have successors, and on which
** channels have messages; all else of a state is of no account to it.  So few
** situations are met in many states, and what was chosen in one is kept:
**
**   words   length of the situation; it: numbers of processes and channels,
**           process: role, location ...  successor: process, edge ...
**           channels with messages, and those that are full, a bit each, where
**           somebody asks for it ...
**           what was chosen: a byte for each successor, four in a word ...
**   slots   of a hash table, by the situation: where its words begin
**
** Situations are compared word by word, so that nothing is ever taken for what
** it is not.  All is forgotten when it is too much, and when something is learned
** that choices depend on: roles, or that claims are broken. */

#include "base/alloc.h"
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

/* What choices depend on of the channel: whether it has messages, and whether
** it is full. */
static uint32_t fill_bits(const reduction *r, uint32_t number)
{
  const relations *of = r->of;
  uint32_t some = r->messages[number] != 0;
  uint32_t full = r->messages[number] >= of->room[number];
  return (some & bit_get(of->ask_empty, number)) |
         (full & bit_get(of->ask_full, number)) << 1;
}

/* Writes the situation at hand into 'key'. */
static void describe(reduction *r, const batch *b)
{
  choices *c = &r->choices;
  uint32_t queues = r->queues ? r->queues / 16 + 1 : 0;
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
    to[i / 16] |= fill_bits(r, i) << 2 * (i % 16);
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

/* What is only remembered does not insist on memory: false, there is none. */
static bool grow_slots(choices *c)
{
  size_t mask = (c->slots.len ? 2 * c->slots.len : SLOTS_FIRST) - 1;
  choice_slots more = {.len = mask + 1, .cap = mask + 1};
  more.data = mem_try_alloc(more.cap * sizeof *more.data);
  if (!more.data)
    return false;
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
  return true;
}

static bool grow_words(choices *c, size_t more)
{
  size_t needed = c->words.len + more, room = 2 * c->words.cap;
  if (needed <= c->words.cap)
    return true;
  room = room > needed ? room : needed;
  size_t each = sizeof *c->words.data;
  uint32_t *words =
      mem_try_resize(c->words.data, c->words.cap * each, room * each);
  if (!words)
    return false;
  c->words.data = words;
  c->words.cap = room;
  return true;
}

uint8_t *choices_find(reduction *r, const batch *b, bool *is_new)
{
  choices *c = &r->choices;
  *is_new = true;
  if (c->acts != r->of->acts.len || c->is_full != r->of->is_full ||
      c->believes != r->of->believes) {
    choices_forget(c);
    c->acts = r->of->acts.len;
    c->is_full = r->of->is_full;
    c->believes = r->of->believes;
  }
  describe(r, b);
  size_t needed = 1 + c->key.len + answer_words(b->list.len);
  if (needed > WORDS_OF_ONE)
    return NULL;
  if (c->words.len + needed > WORDS_MOST)
    choices_forget(c);
  if ((2 * c->count >= c->slots.len && !grow_slots(c)) ||
      !grow_words(c, needed)) {
    choices_forget(c);
    vec_free(&c->slots);
    vec_free(&c->words);
    return NULL;
  }
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
