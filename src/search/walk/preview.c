/* Walks breadth-first and at random until there are enough states. */

#include "search/walk/preview.h"

#include <string.h>

enum {
  BYTES_MAX = 4 << 20, /* of all states: models with huge ones get few */
  WALK = 1000,         /* steps of a random walk, of which one in so many */
  STRIDE = 4           /* becomes part of the sample */
};

/* Adds successor 'i' of the batch; false: enough. */
static bool add(preview *s, size_t i, size_t count)
{
  const successor *next = s->batch.list.data + i;
  size_t used = s->bytes.len;
  if (s->starts.len > count || used + next->length > BYTES_MAX)
    return false;
  vec_resize(&s->bytes, used + next->length);
  if (next->length)
    memcpy(s->bytes.data + used, s->batch.bytes.data + next->start,
           next->length);
  vec_push(&s->starts, s->bytes.len);
  return true;
}

static void copy_state(preview *s, const uint8_t *bytes, size_t length)
{
  vec_resize(&s->state, length);
  if (length)
    memcpy(s->state.data, bytes, length);
}

static void expand(preview *s)
{
  program_successors(s->worker, s->state.data, (uint32_t)s->state.len,
                     &s->batch);
}

/* States in the order of a breadth-first search, some of them more than once.
 */
static void take_first(preview *s, size_t count)
{
  bool more = true;
  for (size_t at = 0; more && at + 1 < s->starts.len; at++) {
    size_t start = s->starts.data[at];
    copy_state(s, s->bytes.data + start, s->starts.data[at + 1] - start);
    expand(s);
    for (size_t i = 0; more && i < s->batch.list.len; i++)
      more = add(s, i, count);
    more = more && !s->batch.abandoned;
  }
}

/* One random walk from the initial state; false: enough. */
static bool walk(preview *s, size_t count)
{
  copy_state(s, s->bytes.data, s->starts.data[1]);
  for (unsigned i = 0; i < WALK; i++) {
    expand(s);
    size_t n = s->batch.list.len;
    if (s->batch.abandoned)
      return false;
    if (!n)
      return i > 0;
    size_t chosen = random_below(&s->random, n);
    if (i % STRIDE == 0 && !add(s, chosen, count))
      return false;
    const successor *next = s->batch.list.data + chosen;
    copy_state(s, s->batch.bytes.data + next->start, next->length);
  }
  return true;
}

void preview_take(preview *s, program *p, size_t count,
                  bool (*impatient)(void *), void *context)
{
  uint32_t hidden = program_hidden(p);
  random_seed(&s->random, 1);
  s->worker = worker_create(p);
  worker_set_patience(s->worker, impatient, context);
  vec_push(&s->starts, 0);
  program_initial(s->worker, &s->batch);
  if (add(s, 0, count)) {
    take_first(s, count / 2);
    while (walk(s, count))
      ;
  }
  vec_grow(&s->bytes, CODEC_SLACK);
  for (size_t i = 0; i + 1 < s->starts.len; i++) {
    size_t start = s->starts.data[i] + hidden;
    codec_state state = {
        .state = s->bytes.data + start,
        .length = (uint32_t)(s->starts.data[i + 1] - start),
        .changed = UINT64_MAX,
    };
    vec_push(&s->states, state);
  }
}

void preview_free(preview *s)
{
  worker_destroy(s->worker);
  s->worker = NULL;
  batch_free(&s->batch);
  vec_free(&s->bytes);
  vec_free(&s->starts);
  vec_free(&s->states);
  vec_free(&s->state);
}
