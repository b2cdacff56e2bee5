/* Where processes come and go.
**
** The shape of a state is the sequence of its processes and channels, in order
** of creation; they are found by walking, and their tags tell what they are.
** In many models all shapes begin one and the same: processes are started in
** one order, and end, youngest first, in the other.  Then what is at a place of
** a state is always the same thing, or nothing.
**
** The longest shape is looked for among the first states.  That it is the
** longest, and that all others begin it, is checked again whenever the program
** is asked; when it is not so, the space is explored once more with whole
** states as one level. */

#include "symbolic/symbolic_internal.h"
#include <stdlib.h>

enum { PROBE_STATES = 5000, PROBE_BYTES = 1 << 24 };

bool shapes_fit(const symbolic_space *s, const uint8_t *state, uint32_t length)
{
  uint32_t bytes = program_layout(s->program)->tag_bytes;
  if (s->length_field == NO_FIELD)
    return true;
  if (length > s->sample_length)
    return false;
  for (size_t i = 0; i < s->tags.len && s->tags.data[i] < length; i++)
    if (memcmp(state + s->tags.data[i], s->sample + s->tags.data[i], bytes))
      return false;
  return true;
}

/* The states that are looked at, in the slices of a field. */
static void look_around(symbolic_space *s, field *f)
{
  field_read(f, s->initial, s->initial_length);
  for (uint32_t i = 1; i < f->starts.len && i < PROBE_STATES; i++) {
    if (f->slices.len > PROBE_BYTES || (i % 256 == 0 && symbolic_impatient(s)))
      return;
    field_write(s, f, i);
    program_successors(s->worker, s->state.data, (uint32_t)s->state.len,
                       &s->batch);
    for (size_t k = 0; k < s->batch.list.len; k++) {
      const successor *next = &s->batch.list.data[k];
      field_read(f, s->batch.bytes.data + next->start, next->length);
    }
  }
}

static void take_longest(symbolic_space *s, const field *f)
{
  uint32_t best = 1;
  for (uint32_t i = 1; i < f->starts.len; i++)
    if (f->starts.data[i] - f->starts.data[i - 1] >
        f->starts.data[best] - f->starts.data[best - 1])
      best = i;
  s->sample_length = f->starts.data[best] - f->starts.data[best - 1];
  s->sample = ARENA_ARRAY(s->arena, uint8_t, s->sample_length + 1);
  memcpy(s->sample, f->slices.data + f->starts.data[best - 1],
         s->sample_length);
}

static int by_offset(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void note_tags(symbolic_space *s)
{
  program_entities(s->program, s->sample, s->sample_length, &s->entities);
  vec_clear(&s->tags);
  for (size_t i = 0; i < s->entities.len; i++)
    vec_push(&s->tags, s->entities.data[i].offset);
  if (s->tags.len)
    qsort(s->tags.data, s->tags.len, sizeof *s->tags.data, by_offset);
}

bool shapes_probe(symbolic_space *s)
{
  field *f;
  bool good = true;
  vec_push(&s->fields, ((field){.kind = FIELD_STATE, .process = -1}));
  f = &vec_last(&s->fields);
  look_around(s, f);
  take_longest(s, f);
  note_tags(s);
  s->length_field = 0; /* for now: there will be one */
  for (uint32_t i = 1; i < f->starts.len && good; i++)
    good = shapes_fit(s, f->slices.data + f->starts.data[i - 1],
                      f->starts.data[i] - f->starts.data[i - 1]);
  s->length_field = NO_FIELD;
  fields_free(s);
  return good;
}
