/* Files in the style of '.g' seldom say the first values of their signals: a
** signal whose first edge is '+' was 0, one whose first edge is '-' was 1.
** The markings are walked breadth first until every signal had an edge. */

#include "lang/lpn/lpn_net.h"

#include "base/hash.h"

#include <string.h>

enum { MARKINGS_MAX = 1 << 18, BYTES_MAX = 1 << 24 };

typedef struct walk {
  net *net;
  net_module *module;
  uint8_t *markings; /* one after the other */
  uint32_t count, most, width;
  uint32_t *slots; /* number of a marking + 1; a power of 2 of them */
  uint32_t mask;
  uint32_t missing; /* signals without a value */
} walk;

static uint8_t *marking(const walk *w, uint32_t i)
{
  return w->markings + (size_t)i * w->width;
}

/* Keeps the marking behind the last one, if it is new. */
static void keep(walk *w)
{
  const uint8_t *made = marking(w, w->count);
  uint64_t hash = hash_bytes(made, w->width);
  uint32_t at = (uint32_t)hash & w->mask;
  for (; w->slots[at]; at = (at + 1) & w->mask)
    if (!memcmp(marking(w, w->slots[at] - 1), made, w->width))
      return;
  w->slots[at] = ++w->count;
}

static bool is_enabled(const walk *w, const net_transition *t, uint32_t in)
{
  for (uint32_t i = 0; i < t->pre.len; i++)
    if (!marking(w, in)[t->pre.data[i]])
      return false;
  return true;
}

static void fire(walk *w, const net_transition *t, uint32_t in)
{
  uint8_t *made = marking(w, w->count);
  memcpy(made, marking(w, in), w->width);
  for (uint32_t i = 0; i < t->pre.len; i++)
    made[t->pre.data[i]]--;
  for (uint32_t i = 0; i < t->post.len; i++)
    if (made[t->post.data[i]] < 255)
      made[t->post.data[i]]++;
  keep(w);
}

static void learn(walk *w, const net_transition *t)
{
  if (!t->signal)
    return;
  uint32_t at = net_find(&w->net->variable_of, t->signal);
  net_variable *v = &w->net->variables.data[at];
  if (v->given)
    return;
  v->given = true;
  v->first = t->direction == '-';
  w->missing--;
}

static uint32_t count_missing(const net *n, const net_module *m)
{
  uint32_t missing = 0;
  for (uint32_t i = 0; i < m->variables.len; i++) {
    uint32_t at = net_find(&n->variable_of, m->variables.data[i].name);
    const net_variable *v = &n->variables.data[at];
    missing += !v->given && !v->integer;
  }
  return missing;
}

static void walk_markings(walk *w)
{
  const net_module *m = w->module;
  for (uint32_t i = 0; i < m->places.len; i++)
    marking(w, 0)[i] = (uint8_t)m->places.data[i].tokens;
  keep(w);
  for (uint32_t at = 0; at < w->count && w->missing; at++)
    for (uint32_t i = 0; i < m->transitions.len && w->missing; i++) {
      const net_transition *t = &m->transitions.data[i];
      if (!is_enabled(w, t, at))
        continue;
      learn(w, t);
      if (w->count < w->most)
        fire(w, t, at);
    }
}

static void guess(net *n, net_module *m)
{
  walk w = {.net = n, .module = m, .width = (uint32_t)m->places.len + 1};
  w.missing = count_missing(n, m);
  if (!w.missing || !m->has_signals)
    return;
  w.most =
      BYTES_MAX / w.width < MARKINGS_MAX ? BYTES_MAX / w.width : MARKINGS_MAX;
  w.mask = 2 * MARKINGS_MAX - 1;
  w.markings =
      ARENA_ARRAY(n->m->arena, uint8_t, mem_product(w.most + 2, w.width));
  w.slots = ARENA_ARRAY(n->m->arena, uint32_t, w.mask + 1);
  walk_markings(&w);
  if (w.missing && w.count >= w.most)
    diag_warn(n->diags, m->where,
              "the first values of some signals are not known: 0 is taken");
}

void net_guess_signals(net *n)
{
  for (uint32_t i = 0; i < n->modules.len; i++)
    guess(n, n->modules.data[i]);
}
