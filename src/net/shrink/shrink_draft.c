/* Drafts: nets that rules remove nodes from and add nodes to, and the words that
** their transitions stand for. */

#include "net/shrink/shrink_internal.h"

#include <string.h>

/* ---- words -------------------------------------------------------------- */

const shrink_word *shrink_one(arena *a, uint32_t transition)
{
  shrink_word *w = ARENA_NEW(a, shrink_word);
  w->transition = transition;
  w->length = 1;
  return w;
}

const shrink_word *shrink_then(arena *a, const shrink_word *x, uint32_t times_x,
                               const shrink_word *y, uint32_t times_y)
{
  shrink_word *w = ARENA_NEW(a, shrink_word);
  *w = (shrink_word){x,       y, times_x,
                     times_y, 0, times_x * x->length + times_y * y->length};
  return w;
}

/* A word that is being spelt: how often still. */
typedef struct spelling {
  const shrink_word *word;
  uint32_t times;
} spelling;

typedef struct spelling_job {
  const shrink_word *word;
  firing_path *out;
  VEC(spelling) stack;
} spelling_job;

/* Without recursion: a chain of places makes a word as deep as it is long. */
static void do_spell(void *context)
{
  spelling_job *j = context;
  vec_push(&j->stack, ((spelling){j->word, 1}));
  while (j->stack.len) {
    spelling *top = &vec_last(&j->stack);
    const shrink_word *w = top->word;
    if (!top->times) {
      j->stack.len--;
      continue;
    }
    top->times--;
    if (!w->a) {
      vec_push(j->out, w->transition);
      continue;
    }
    vec_push(&j->stack, ((spelling){w->b, w->times_b}));
    vec_push(&j->stack, ((spelling){w->a, w->times_a}));
  }
}

static void tidy_spell(void *context)
{
  vec_free(&((spelling_job *)context)->stack);
}

bool shrink_spell(const shrink_word *w, firing_path *out)
{
  spelling_job job = {.word = w, .out = out};
  if (out->len + w->length > SHRINK_PATH_MAX)
    return false;
  mem_protect_tidy(do_spell, tidy_spell, &job);
  return true;
}

/* ---- drafts ------------------------------------------------------------- */

enum { WORK_MAX = 100000000 };

draft *draft_make(arena *a, const petri *net, const bool *visible,
                  unsigned kinds)
{
  draft *d = ARENA_NEW(a, draft);
  d->arena = a;
  d->net = net;
  d->kinds = kinds;
  d->work = WORK_MAX;
  d->place_count = net->place_count;
  d->places = ARENA_ARRAY(a, draft_place, net->place_count + 1);
  for (uint32_t p = 0; p < net->place_count; p++) {
    d->places[p].tokens = net->tokens[p];
    d->places[p].leaves = 1;
    d->places[p].visible = visible && visible[p];
  }
  for (uint32_t t = 0; t < net->transition_count; t++) {
    uint32_t count = net->first[t + 1] - net->first[t];
    petri_arc *arcs = ARENA_ARRAY(a, petri_arc, count + 1);
    if (count)
      memcpy(arcs, net->arcs + net->first[t], count * sizeof *arcs);
    draft_add(d, arcs, count, shrink_one(a, t));
  }
  return d;
}

bool draft_works(draft *d, uint64_t steps)
{
  mem_poll();
  if (d->limits && limits_poll(d->limits))
    d->work = 0;
  d->work -= steps < d->work ? steps : d->work;
  return d->work;
}

/* By insertion: nets have their arcs in order almost always. */
static void sort_arcs(petri_arc *arcs, uint32_t count)
{
  for (uint32_t i = 1; i < count; i++)
    for (uint32_t k = i; k > 0 && arcs[k].place < arcs[k - 1].place; k--) {
      petri_arc swapped = arcs[k];
      arcs[k] = arcs[k - 1];
      arcs[k - 1] = swapped;
    }
}

void draft_add(draft *d, petri_arc *arcs, uint32_t count,
               const shrink_word *word)
{
  uint32_t t = (uint32_t)d->transitions.len;
  sort_arcs(arcs, count);
  arena_push(d->arena, &d->transitions,
             ((draft_transition){arcs, count, false, false, word}));
  for (uint32_t i = 0; i < count; i++)
    arena_push(d->arena, &d->places[arcs[i].place].users, t);
}

const petri_arc *draft_arc(const draft *d, uint32_t t, uint32_t place)
{
  const draft_transition *x = &d->transitions.data[t];
  uint32_t low = 0, high = x->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (x->arcs[middle].place < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low < x->count && x->arcs[low].place == place ? &x->arcs[low] : NULL;
}

void draft_tidy_users(draft *d, uint32_t place)
{
  draft_place *p = &d->places[place];
  size_t kept = 0;
  for (size_t i = 0; i < p->users.len; i++) {
    uint32_t t = p->users.data[i];
    if (!d->transitions.data[t].gone && draft_arc(d, t, place))
      p->users.data[kept++] = t;
  }
  p->users.len = kept;
}

static void add_user(draft *d, uint32_t place, uint32_t t)
{
  draft_place *p = &d->places[place];
  for (size_t i = 0; i < p->users.len; i++)
    if (p->users.data[i] == t)
      return;
  arena_push(d->arena, &p->users, t);
}

void draft_set_arc(draft *d, uint32_t t, petri_arc arc)
{
  const draft_transition *x = &d->transitions.data[t];
  petri_arc *arcs = ARENA_ARRAY(d->arena, petri_arc, x->count + 2);
  uint32_t count = 0;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->arcs[i].place != arc.place)
      arcs[count++] = x->arcs[i];
  if (arc.take || arc.put || arc.below) {
    arcs[count++] = arc;
    add_user(d, arc.place, t);
  }
  sort_arcs(arcs, count);
  d->transitions.data[t].arcs = arcs;
  d->transitions.data[t].count = count;
}

void draft_drop_transition(draft *d, uint32_t t)
{
  d->transitions.data[t].gone = true;
}

static void note_value(draft *d, uint32_t place, shrink_value value)
{
  claim_term *term = ARENA_NEW(d->arena, claim_term);
  *term = (claim_term){value.place, (int32_t)value.factor};
  arena_push(d->arena, &d->events,
             ((draft_event){.place = place,
                            .base = value.base,
                            .terms = term,
                            .count = value.factor != 0}));
}

void draft_drop_place(draft *d, uint32_t place, shrink_value value)
{
  draft_place *p = &d->places[place];
  draft_tidy_users(d, place);
  for (size_t i = 0; i < p->users.len; i++)
    draft_set_arc(d, p->users.data[i], (petri_arc){.place = place});
  if (draft_keeps(d, SHRINK_COUNT) && !value.lost)
    note_value(d, place, value);
  p->users.len = 0;
  p->gone = true;
  p->value = value;
  if (p->visible && !value.lost && value.factor)
    d->places[value.place].visible = true;
}

bool draft_is_inhibiting(const draft *d, uint32_t place)
{
  const draft_place *p = &d->places[place];
  for (size_t i = 0; i < p->users.len; i++) {
    uint32_t t = p->users.data[i];
    const petri_arc *x = draft_arc(d, t, place);
    if (!d->transitions.data[t].gone && x && x->below)
      return true;
  }
  return false;
}
