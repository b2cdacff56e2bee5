/* Intermediate states of one long expansion, exactly.
**
** An atomic sequence can loop.  Most loops are found soon, by milestones: a
** state is kept when it is continued, and later, after more and more steps,
** another one instead (R. P. Brent, An improved Monte Carlo factorization
** algorithm, 1980).  As long as no frame older than it is continued, everything
** comes from it.  So when it comes again it was reached from itself and can be
** dropped; ways that merely meet are not cut, for they are to be counted.  The
** older frame is then a milestone itself, because the last one may have been on
** a way out of the loop.
**
** Once an expansion has made SEEN_AFTER steps its intermediate states are all
** remembered, and none is continued twice: in sets that were lent, one for each
** process that has control, or here, as they are. */

#include "base/alloc.h"
#include "base/hash.h"
#include "program/interp/worker.h"

typedef struct entry {
  size_t start; /* in bytes: the state, with the process behind it */
  uint32_t length;
} entry;

struct seen_set {
  const state_sets *lent; /* NULL: all is here */
  VEC(void *) by_process; /* sets that were lent; NULL: none yet */
  uint32_t *slots;        /* number of an entry + 1; 0 = free */
  size_t size;            /* a power of 2 */
  VEC(entry) entries;
  VEC(uint8_t) bytes;
};

static uint64_t hash_of(const struct seen_set *s, const entry *e)
{
  return hash_bytes(s->bytes.data + e->start, e->length);
}

static void grow(struct seen_set *s)
{
  size_t size = s->size ? s->size * 2 : 1 << 12;
  uint32_t *slots = mem_alloc(mem_product(size, sizeof *slots));
  for (size_t i = 0; i < s->entries.len; i++) {
    size_t at = hash_of(s, &s->entries.data[i]) & (size - 1);
    while (slots[at])
      at = (at + 1) & (size - 1);
    slots[at] = (uint32_t)i + 1;
  }
  mem_free(s->slots, s->size * sizeof *slots);
  s->slots = slots;
  s->size = size;
}

/* Appends the current state and who has control as a candidate. */
static entry append(worker *m)
{
  struct seen_set *s = m->seen;
  entry e = {s->bytes.len, m->length + (uint32_t)sizeof m->self};
  vec_grow(&s->bytes, e.length);
  memcpy(s->bytes.data + e.start, m->state, m->length);
  memcpy(s->bytes.data + e.start + m->length, &m->self, sizeof m->self);
  s->bytes.len += e.length;
  return e;
}

static bool seen_in_lent(worker *m)
{
  struct seen_set *s = m->seen;
  while (s->by_process.len <= m->self)
    vec_push(&s->by_process, NULL);
  void **set = &s->by_process.data[m->self];
  if (!*set)
    *set = s->lent->create(s->lent->context);
  return !s->lent->add(*set, m->state, m->length);
}

bool seen_before(worker *m)
{
  if (!m->seen) {
    m->seen = mem_alloc(sizeof *m->seen);
    m->seen->lent = m->sets;
  }
  struct seen_set *s = m->seen;
  if (s->lent)
    return seen_in_lent(m);
  if ((s->entries.len + 1) * 4 > s->size * 3)
    grow(s);
  entry e = append(m);
  size_t at = hash_of(s, &e) & (s->size - 1);
  for (; s->slots[at]; at = (at + 1) & (s->size - 1)) {
    const entry *have = &s->entries.data[s->slots[at] - 1];
    if (have->length == e.length &&
        !memcmp(s->bytes.data + have->start, s->bytes.data + e.start,
                e.length)) {
      s->bytes.len = e.start;
      return true;
    }
  }
  vec_push(&s->entries, e);
  s->slots[at] = (uint32_t)s->entries.len;
  return false;
}

void clear_milestones(worker *m)
{
  vec_clear(&m->milestone);
  m->milestone_gap = FIRST_MILESTONE;
  m->next_milestone = m->expansion_steps + FIRST_MILESTONE;
}

void pass_milestone(worker *m, const uint8_t *state, uint32_t length,
                    uint32_t process)
{
  bool left = m->milestone.len && m->frames.len < m->milestone_height;
  if (left)
    clear_milestones(m);
  else if (m->expansion_steps < m->next_milestone)
    return;
  vec_resize(&m->milestone, length);
  memcpy(m->milestone.data, state, length);
  m->milestone_process = process;
  m->milestone_height = m->frames.len;
  m->milestone_gap *= 2;
  m->next_milestone = m->expansion_steps + m->milestone_gap;
}

bool at_milestone(const worker *m)
{
  return m->milestone.len == m->length && m->milestone_process == m->self &&
         !memcmp(m->milestone.data, m->state, m->length);
}

void seen_destroy(struct seen_set *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->by_process.len; i++)
    if (s->by_process.data[i])
      s->lent->destroy(s->by_process.data[i]);
  vec_free(&s->by_process);
  vec_free(&s->entries);
  vec_free(&s->bytes);
  mem_free(s->slots, s->size * sizeof *s->slots);
  mem_free(s, sizeof *s);
}
