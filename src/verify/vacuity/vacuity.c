/* Which answers are looked at; and properties that nothing influences. */

#include "verify/vacuity/vacuity.h"
#include "base/alloc.h"
#include "base/text/list_text.h"
#include "model/access/access.h"
#include "model/ltl.h"
#include <string.h>

#define KIND(name, text) [VACUITY_##name] = text,
LIST_TEXT(vacuity_kind_name, vacuity_kind, VACUITIES(KIND))
#undef KIND

void vacuity_add(verification *v, answer *a, vacuous one)
{
  arena *in = v->outcome.arena;
  if (!a->vacuity)
    a->vacuity = ARENA_NEW(in, vacuity);
  /* Parts that are written alike are told once. */
  for (size_t i = 0; i < a->vacuity->list.len; i++) {
    const vacuous *old = &a->vacuity->list.data[i];
    if (old->kind == one.kind && old->part && one.part &&
        !strcmp(old->part, one.part))
      return;
  }
  arena_push(in, &a->vacuity->list, one);
}

/* ---- influence ---------------------------------------------------------- */

/* False: it asks for more than values. */
static bool add_reads(const access_sets *s, const ltl *f, uint64_t *reads)
{
  if (!f)
    return true;
  if (f->op == LTL_ATOM)
    return f->condition && access_expression(s, f->condition, reads);
  return add_reads(s, f->a, reads) && add_reads(s, f->b, reads);
}

/* What others read of a process is what it writes as its own. */
static bool influences(const access_sets *s, const uint64_t *writes,
                       const uint64_t *reads)
{
  const uint64_t *remote = reads + s->shared_words + s->own_words;
  for (uint32_t i = 0; i < s->shared_words; i++)
    if (writes[i] & reads[i])
      return true;
  for (uint32_t i = 0; i < s->own_words; i++)
    if (writes[s->shared_words + i] & remote[i])
      return true;
  return false;
}

static void look_for_influence(verification *v, const access_sets *s, answer *a)
{
  const outcome *o = &v->outcome;
  const property *p = a->question->property;
  uint64_t *reads = ARENA_ARRAY(o->arena, uint64_t, s->words);
  bool known = p->ltl    ? add_reads(s, p->ltl, reads)
               : p->expr ? access_expression(s, p->expr, reads)
                         : false;
  /* One that reads nothing is a constant. */
  if (!known || !slots_count(s, reads))
    return;
  for (size_t i = 0; i < o->model->edges.len; i++)
    if (search_edge_reached(&o->result, (uint32_t)i) &&
        influences(s, s->edges[i].writes, reads))
      return;
  vacuity_add(v, a, (vacuous){.kind = VACUITY_INFLUENCE});
}

static bool is_formula(const answer *a)
{
  const property *p = a->question->property;
  return p && (p->ltl || p->expr) && a->verdict != VERDICT_UNKNOWN &&
         !a->trivial;
}

/* Which statements can be executed is known after a complete walk.  Embedded C
** may change anything. */
static void find_influences(verification *v)
{
  const outcome *o = &v->outcome;
  if (!o->result.walked || !o->result.complete || o->model->flags & MODEL_HAS_C)
    return;
  access_sets *s = NULL;
  for (size_t i = 0; i < o->answers.len; i++)
    if (is_formula(&o->answers.data[i])) {
      if (!s)
        s = access_create(o->model);
      look_for_influence(v, s, &v->outcome.answers.data[i]);
    }
  access_destroy(s);
}

/* ---- all of it ---------------------------------------------------------- */

typedef struct looking {
  verification *verification;
  const nut_options *options;
} looking;

static void do_look(void *what)
{
  looking *l = what;
  verification *v = l->verification;
  find_influences(v);
  for (size_t i = 0; i < v->outcome.answers.len; i++) {
    answer *a = &v->outcome.answers.data[i];
    if (is_formula(a) && a->question->property->ltl && !a->vacuity)
      vacuity_of_formula(v, l->options, a);
  }
  vacuity_second_look(v);
}

void vacuity_look(verification *v, const nut_options *o)
{
  const statistics *s = &v->outcome.result.stats;
  looking l = {v, o};
  if (!v->outcome.model || v->net || v->outcome.symbolic ||
      !v->outcome.result.store || !v->outcome.result.store->exact ||
      s->states + s->product_states > VACUITY_STATES ||
      limits_are_due(v->limits))
    return;
  /* Whatever comes of it, the answers stay what they are. */
  bool polled = limits_set_polled(v->limits, false);
  mem_protect(do_look, &l);
  limits_set_polled(v->limits, polled);
}
