/* What read and write sets say about two edges: whether their order matters.
** The reduction asks the sets in its own way; this one is the plainest. */

#ifndef NUT_TESTS_DEPENDENCE_H
#define NUT_TESTS_DEPENDENCE_H

#include "base/text/text.h"
#include "model/access/access.h"

/* Two own sides are two processes; everything else can be the same thing. */
static inline bool touch_processes(const access_sets *a, const uint64_t *x,
                                   const uint64_t *y)
{
  uint32_t own = a->shared_words, remote = own + a->own_words;
  for (uint32_t i = 0; i < a->own_words; i++) {
    uint64_t both = x[remote + i] & y[remote + i];
    if (both | (x[own + i] & y[remote + i]) | (x[remote + i] & y[own + i]))
      return true;
  }
  return false;
}

/* Whether two processes that have these sets, each from its own side, have
** something in common. */
static inline bool slots_touch(const access_sets *a, const uint64_t *x,
                               const uint64_t *y)
{
  for (uint32_t i = 0; i < a->shared_words; i++)
    if (x[i] & y[i])
      return true;
  return touch_processes(a, x, y);
}

/* ---- dependence ------------------------------------------------------- */

/* Whether the order of the two edges, of different processes, can matter: one
** writes what the other tests, reads or writes. */
static inline bool access_depends(const access_sets *a, const edge *e,
                                  const edge *f)
{
  const edge_access *x = &a->edges[e->index], *y = &a->edges[f->index];
  return slots_touch(a, x->writes, y->writes) ||
         slots_touch(a, x->writes, y->tests) ||
         slots_touch(a, x->writes, y->reads) ||
         slots_touch(a, y->writes, x->tests) ||
         slots_touch(a, y->writes, x->reads);
}

static inline uint32_t uses_of(const edge_access *x, uint32_t channel)
{
  for (size_t i = 0; i < x->uses.len; i++)
    if (x->uses.data[i].channel == channel)
      return x->uses.data[i].flags;
  return 0;
}

/* One only appends to the channel, the other only takes what is there. */
static inline bool is_queue_use(const edge_access *x, const edge_access *y,
                                uint32_t channel)
{
  uint32_t one = uses_of(x, channel), other = uses_of(y, channel);
  uint32_t takes = USE_RECEIVE | USE_PICK, asks = x->flags | y->flags;
  if (!one || !other || asks & (ACCESS_ASKS | ACCESS_ASKS_LATER))
    return false;
  return (one == USE_SEND && !(other & ~takes)) ||
         (other == USE_SEND && !(one & ~takes));
}

/* What two edges have in common besides ordinary use of a queue. */
static inline bool touch_but_queues(const access_sets *a, const edge_access *x,
                                    const edge_access *y, const uint64_t *p,
                                    const uint64_t *q)
{
  for (uint32_t i = 0; i < a->shared_words; i++)
    for (uint64_t both = p[i] & q[i]; both; both &= both - 1) {
      slot_info s = access_slot(a, i * 64 + (uint32_t)__builtin_ctzll(both));
      bool channel = s.kind == SLOT_LENGTH || s.kind == SLOT_MESSAGES;
      if (!channel || !is_queue_use(x, y, s.channel))
        return true;
    }
  return touch_processes(a, p, q);
}

/* The same for states in which both can be executed: then a send to the end
** of a channel and a receive from it do not disturb each other. */
static inline bool access_disturbs(const access_sets *a, const edge *e,
                                   const edge *f)
{
  const edge_access *x = &a->edges[e->index], *y = &a->edges[f->index];
  return touch_but_queues(a, x, y, x->writes, y->writes) ||
         touch_but_queues(a, x, y, x->writes, y->tests) ||
         touch_but_queues(a, x, y, x->writes, y->reads) ||
         touch_but_queues(a, x, y, y->writes, x->tests) ||
         touch_but_queues(a, x, y, y->writes, x->reads);
}

/* ---- for people ------------------------------------------------------- */

static inline void print_set(const access_sets *a, const char *title,
                             const uint64_t *set, text *out)
{
  const char *between = " ";
  text_printf(out, "    %-7s", title);
  for (uint32_t i = slots_next(a, set, 0); i != NO_SLOT;
       i = slots_next(a, set, i + 1)) {
    text_add(out, between);
    slot_print(a, i, out);
    between = ", ";
  }
  text_add_char(out, '\n');
}

static inline void access_print_edge(const access_sets *a, const edge *e,
                                     text *out)
{
  const edge_access *x = &a->edges[e->index];
  text_printf(out, "%s %d: ", e->process->name,
              e->process->locations.data[e->source].number);
  if (e->text)
    text_add(out, e->text);
  else
    edge_print(a->model, e, out);
  text_printf(out, "%s%s%s\n", x->flags & ACCESS_MEETS ? " (meets)" : "",
              x->flags & ACCESS_ASKS ? " (asks)" : "",
              x->flags & ACCESS_CREATES ? " (creates)" : "");
  print_set(a, "tests", x->tests, out);
  print_set(a, "reads", x->reads, out);
  print_set(a, "writes", x->writes, out);
}

#endif
