/* Places among which tokens move freely become one.
**
** A move takes one token from a place, puts one into another, and does nothing
** else.  Places that moves join in circles (strongly connected components of the
** graph of moves) can have their tokens in any distribution; so only the sum
** counts.  Lifting a path puts moves before each transition until its tokens are
** where it takes them. */

#include "net/shrink/shrink_internal.h"

#include <string.h>

/* ---- the graph of moves --------------------------------------------------- */

typedef struct moves {
  const petri *net;
  const bool *excluded; /* by place */
} moves;

/* Where a move leads from and to; false: it is none. */
static bool is_move(const moves *m, uint32_t t, uint32_t *from, uint32_t *to)
{
  const petri *n = m->net;
  const petri_arc *x = n->arcs + n->first[t], *y = x + 1;
  if (n->first[t + 1] - n->first[t] != 2 || x->below || y->below)
    return false;
  if (!x->take) {
    const petri_arc *swapped = x;
    x = y;
    y = swapped;
  }
  *from = x->place;
  *to = y->place;
  return x->take == 1 && x->put == 0 && y->take == 0 && y->put == 1 &&
         !m->excluded[*from] && !m->excluded[*to];
}

/* Tarjan's algorithm, with a stack of its own. */
typedef struct visit {
  uint32_t place, next; /* of its uses */
} visit;

typedef struct finding {
  moves moves;
  arena *arena;
  uint32_t *number, *low; /* by place; number 0: not seen */
  bool *open;
  VEC(visit) stack;
  VEC(uint32_t) path;
  uint32_t seen;
  uint32_t *scc; /* by place: the least place of it, or NONE when alone */
  bool any;
} finding;

static void close_scc(finding *f, uint32_t root)
{
  size_t from = f->path.len;
  uint32_t least = SHRINK_NONE;
  do
    from--;
  while (f->path.data[from] != root);
  for (size_t i = from; i < f->path.len; i++)
    least = f->path.data[i] < least ? f->path.data[i] : least;
  for (size_t i = from; i < f->path.len; i++) {
    f->open[f->path.data[i]] = false;
    f->scc[f->path.data[i]] = f->path.len - from > 1 ? least : SHRINK_NONE;
  }
  f->any |= f->path.len - from > 1;
  f->path.len = from;
}

static void enter(finding *f, uint32_t p)
{
  f->number[p] = f->low[p] = ++f->seen;
  f->open[p] = true;
  arena_push(f->arena, &f->path, p);
  arena_push(f->arena, &f->stack, ((visit){p, f->moves.net->first_use[p]}));
}

static void lower(finding *f, uint32_t p, uint32_t to)
{
  f->low[p] = to < f->low[p] ? to : f->low[p];
}

static void find_from(finding *f, uint32_t start)
{
  const petri *n = f->moves.net;
  enter(f, start);
  while (f->stack.len) {
    visit *top = &f->stack.data[f->stack.len - 1];
    uint32_t p = top->place, from, to;
    if (top->next == n->first_use[p + 1]) {
      f->stack.len--;
      if (f->low[p] == f->number[p])
        close_scc(f, p);
      if (f->stack.len)
        lower(f, f->stack.data[f->stack.len - 1].place, f->low[p]);
      continue;
    }
    uint32_t t = n->uses[top->next++].transition;
    if (!is_move(&f->moves, t, &from, &to) || from != p)
      continue;
    if (!f->number[to])
      enter(f, to);
    else if (f->open[to])
      lower(f, p, f->number[to]);
  }
}

static bool *excluded_places(arena *a, const petri *n, const bool *visible)
{
  bool *excluded = ARENA_ARRAY(a, bool, n->place_count + 1);
  if (visible)
    memcpy(excluded, visible, n->place_count * sizeof *excluded);
  for (uint32_t i = 0; i < n->first[n->transition_count]; i++)
    excluded[n->arcs[i].place] |= n->arcs[i].below != 0;
  return excluded;
}

static void find_sccs(finding *f)
{
  uint32_t count = f->moves.net->place_count + 1;
  f->number = ARENA_ARRAY(f->arena, uint32_t, count);
  f->low = ARENA_ARRAY(f->arena, uint32_t, count);
  f->open = ARENA_ARRAY(f->arena, bool, count);
  f->scc = ARENA_ARRAY(f->arena, uint32_t, count);
  for (uint32_t p = 0; p + 1 < count; p++)
    if (!f->number[p])
      find_from(f, p);
}

/* ---- the smaller net -------------------------------------------------------- */

static uint32_t number_places(finding *f, shrink_layer *l)
{
  const petri *n = f->moves.net;
  uint32_t count = 0;
  l->merged = ARENA_ARRAY(f->arena, uint32_t, n->place_count + 1);
  l->values = ARENA_ARRAY(f->arena, shrink_value, n->place_count + 1);
  for (uint32_t p = 0; p < n->place_count; p++) {
    bool joined = f->scc[p] != SHRINK_NONE;
    uint32_t as =
        joined && f->scc[p] != p ? l->values[f->scc[p]].place : count++;
    l->merged[p] = joined ? as : SHRINK_NONE;
    l->values[p] = (shrink_value){.lost = joined, .place = as, .factor = 1};
  }
  return count;
}

typedef struct arc_list {
  arena *arena;
  VEC(petri_arc) arcs;
  VEC(uint32_t) first, origin;
} arc_list;

/* Arcs to places that became one are added up. */
static void push_transition(arc_list *l, const petri *n, uint32_t t,
                            const shrink_value *values)
{
  size_t begin = l->arcs.len;
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++) {
    petri_arc x = n->arcs[i];
    size_t k = begin;
    x.place = values[x.place].place;
    while (k < l->arcs.len && l->arcs.data[k].place != x.place)
      k++;
    if (k == l->arcs.len) {
      arena_push(l->arena, &l->arcs, x);
      continue;
    }
    l->arcs.data[k].take += x.take;
    l->arcs.data[k].put += x.put;
  }
  arena_push(l->arena, &l->origin, t);
  arena_push(l->arena, &l->first, (uint32_t)l->arcs.len);
}

/* A token in places with moves among them can always move: so nothing is dead
** there, and a transition says so. */
static void push_stay(arc_list *l, uint32_t place)
{
  arena_push(l->arena, &l->arcs, ((petri_arc){place, 1, 1, 0}));
  arena_push(l->arena, &l->origin, SHRINK_NONE);
  arena_push(l->arena, &l->first, (uint32_t)l->arcs.len);
}

static void make_coarse(finding *f, shrink_layer *l, bool dead)
{
  const petri *n = f->moves.net;
  uint32_t count = number_places(f, l), from, to;
  int32_t *tokens = ARENA_ARRAY(f->arena, int32_t, count + 1);
  arc_list list = {.arena = f->arena};
  arena_push(f->arena, &list.first, 0u);
  for (uint32_t p = 0; p < n->place_count; p++)
    tokens[l->values[p].place] += n->tokens[p];
  for (uint32_t t = 0; t < n->transition_count; t++)
    if (!is_move(&f->moves, t, &from, &to) || l->merged[from] == SHRINK_NONE ||
        l->merged[from] != l->merged[to])
      push_transition(&list, n, t, l->values);
  for (uint32_t p = 0; dead && p < n->place_count; p++)
    if (f->scc[p] == p)
      push_stay(&list, l->merged[p]);
  l->fine = n;
  l->origin = list.origin.data;
  petri_arc none;
  l->coarse =
      petri_make(f->arena, count, tokens, (uint32_t)list.first.len - 1,
                 list.arcs.len ? list.arcs.data : &none, list.first.data);
}

/* Sums of tokens and weights must fit. */
static bool has_small_sums(const petri *n)
{
  int64_t sum = 0;
  for (uint32_t p = 0; p < n->place_count; p++)
    sum += n->tokens[p];
  for (uint32_t i = 0; i < n->first[n->transition_count]; i++)
    sum += n->arcs[i].take + n->arcs[i].put;
  return sum < PETRI_TOKENS_MAX;
}

bool shrink_moves(arena *a, const petri *n, const bool *visible, unsigned kinds,
                  shrink_layer *l, uint32_t *uses)
{
  finding f = {.moves = {n, excluded_places(a, n, visible)}, .arena = a};
  if (!has_small_sums(n))
    return false;
  find_sccs(&f);
  if (!f.any)
    return false;
  make_coarse(&f, l, kinds & (SHRINK_DEAD | SHRINK_LINEAR | SHRINK_BRANCHING));
  for (uint32_t p = 0; p < n->place_count; p++)
    *uses += f.scc[p] == p;
  return true;
}

/* ---- lifting ----------------------------------------------------------------- */

typedef struct moving {
  const shrink_layer *layer;
  moves moves;
  arena *arena;
  int32_t *marking;
  int32_t *wanted; /* by place: what the transition at hand takes */
  uint32_t *by;    /* by place: the move on the way, + 1; 0: not seen */
  uint32_t *list;  /* of places, for the search */
  firing_path *out;
} moving;

static bool fire(moving *m, uint32_t t)
{
  if (m->out->len >= SHRINK_PATH_MAX ||
      !petri_enabled(m->layer->fine, t, m->marking) ||
      !petri_fire(m->layer->fine, t, m->marking))
    return false;
  vec_push(m->out, t);
  return true;
}

/* Looks backwards over moves for the nearest place that has a token to spare. */
static uint32_t nearest_spare(moving *m, uint32_t place)
{
  const petri *n = m->layer->fine;
  uint32_t count = 0, from, to;
  memset(m->by, 0, n->place_count * sizeof *m->by);
  m->list[count++] = place;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t p = m->list[i];
    if (p != place && m->marking[p] > m->wanted[p])
      return p;
    for (uint32_t k = n->first_use[p]; k < n->first_use[p + 1]; k++) {
      uint32_t t = n->uses[k].transition;
      if (!is_move(&m->moves, t, &from, &to) || to != p || from == place ||
          m->by[from] || m->layer->merged[from] != m->layer->merged[place])
        continue;
      m->by[from] = t + 1;
      m->list[count++] = from;
    }
  }
  return SHRINK_NONE;
}

/* One more token for the place. */
static bool fetch(moving *m, uint32_t place)
{
  uint32_t at = nearest_spare(m, place), from, to;
  if (at == SHRINK_NONE)
    return false;
  while (at != place) {
    uint32_t t = m->by[at] - 1;
    if (!fire(m, t) || !is_move(&m->moves, t, &from, &to))
      return false;
    at = to;
  }
  return true;
}

/* Whether the tokens are where the transition takes them. */
static bool provide(moving *m, uint32_t t)
{
  const petri *n = m->layer->fine;
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
    m->wanted[n->arcs[i].place] = n->arcs[i].take;
  bool good = true;
  for (uint32_t i = n->first[t]; i < n->first[t + 1] && good; i++) {
    uint32_t p = n->arcs[i].place;
    while (good && m->layer->merged[p] != SHRINK_NONE &&
           m->marking[p] < n->arcs[i].take)
      good = fetch(m, p);
  }
  for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
    m->wanted[n->arcs[i].place] = 0;
  return good;
}

typedef struct lifting_job {
  moving moving;
  const uint32_t *path;
  size_t length;
  bool good;
} lifting_job;

static void do_lift(void *context)
{
  lifting_job *j = context;
  moving *m = &j->moving;
  const petri *n = m->layer->fine;
  m->arena = arena_create();
  /* Places that were joined are neither visible nor looked at for few tokens;
  ** moves among others are not used. */
  m->moves = (moves){n, ARENA_ARRAY(m->arena, bool, n->place_count + 1)};
  m->marking = ARENA_ARRAY(m->arena, int32_t, n->place_count + 1);
  m->wanted = ARENA_ARRAY(m->arena, int32_t, n->place_count + 1);
  m->by = ARENA_ARRAY(m->arena, uint32_t, n->place_count + 1);
  m->list = ARENA_ARRAY(m->arena, uint32_t, n->place_count + 1);
  memcpy(m->marking, n->tokens, n->place_count * sizeof *m->marking);
  j->good = true;
  for (size_t i = 0; i < j->length && j->good; i++) {
    uint32_t t = m->layer->origin[j->path[i]];
    if (t != SHRINK_NONE)
      j->good = provide(m, t) && fire(m, t);
  }
}

static void tidy_lift(void *context)
{
  arena_destroy(((lifting_job *)context)->moving.arena);
}

bool shrink_lift_moves(const shrink_layer *l, const uint32_t *path,
                       size_t length, firing_path *out)
{
  lifting_job job = {
      .moving = {.layer = l, .out = out}, .path = path, .length = length};
  mem_protect_tidy(do_lift, tidy_lift, &job);
  return job.good;
}
