#include "program/movers.h"
#include "base/alloc.h"

void movers_free(movers *m)
{
  batch_free(&m->recorded);
}

static void record_steps(movers *m, const uint8_t *state, uint32_t length)
{
  m->recorded.record = true;
  program_successors(m->worker, state, length, &m->recorded);
  m->is_recorded = true;
}

process_set movers_recorded(const batch *b, const successor *s)
{
  process_set all = {{0}};
  for (uint32_t i = 0; i < s->steps; i++)
    process_set_add(&all, b->steps.data[s->first_step + i].process);
  return all;
}

/* Whether it has the number of the other one.  An expansion with very many
** steps leaves some out when it is recorded. */
static bool is_same(const batch *b, size_t k, const successor *s)
{
  const successor *same = b->list.data + k;
  return k < b->list.len && same->edge == s->edge &&
         same->process == s->process && same->others == s->others;
}

process_set movers_find(movers *m, const uint8_t *state, uint32_t length,
                        const successor *s, size_t k)
{
  process_set all = {{0}};
  process_set_add(&all, s->process);
  if (s->others && s->others != OTHERS_SEVERAL)
    process_set_add(&all, s->others - 1u);
  if (s->others != OTHERS_SEVERAL)
    return all;
  if (!m->is_recorded)
    record_steps(m, state, length);
  if (m->recorded.abandoned)
    return all;
  if (!is_same(&m->recorded, k, s))
    mem_give_up();
  return movers_recorded(&m->recorded, m->recorded.list.data + k);
}
