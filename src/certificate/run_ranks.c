/* Walks over the product by strongly connected components, ranks them, and
** writes all states of it with their ranks. */

#include "certificate/run_ranks.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "certificate/model_text.h"
#include "certificate/plain_tableau.h"
#include "program/movers.h"
#include "search/observer/claim_unfold.h"
#include "search/observer/observer.h"
#include "store/store.h"
#include <string.h>

enum { MARK_WORDS = MARKS / 64 + 1, PLACE_BYTES = 2 };

typedef struct mark_set {
  uint64_t words[MARK_WORDS];
} mark_set;

/* A step that waits to be looked at: where it leads to, what the observer gives,
** who moves. */
typedef struct rank_edge {
  uint32_t target, gift;
  uint32_t moves; /* a set of marks: turns of those who move */
} rank_edge;

typedef struct rank_frame {
  uint32_t index;
  uint32_t turns; /* a set of marks: of those that cannot move */
  size_t first_edge, next_edge;
} rank_frame;

/* A component on the path: what steps inside of it give, what the step into it
** did; the highest rank it leads to, and what steps to that give.  Sets of marks
** are numbers, as there are few different ones. */
typedef struct rank_root {
  uint32_t index;
  bool leads_out;
  uint32_t highest;
  uint32_t inside, entering, leaving;
} rank_root;

/* What is known of a state: nothing (0), its index on the path, or its rank. */
#define RANKED (UINT32_C(1) << 31)

typedef struct ranking {
  const ranks_order *order;
  nut_sink *sink;
  void *context;
  ranks_figures *figures;
  const char *why;

  worker *worker;
  batch batch;
  movers movers;
  observer observer; /* but for formulas: */
  bool has_observer;
  arena *arena;      /* of a claim without variables in place of one with */
  property unfolded; /* which has it */
  claim_places places;
  plain_tableau tableau;
  VEC(int8_t) leaves; /* their truth in the state at hand; -1: not asked for */
  VEC(observer_move) moves; /* with the number of a gift for marks */
  VEC(mark_set) sets;       /* by number; 0 is the empty one */
  VEC(uint32_t) slots;      /* to find them: numbers plus 1 */
  VEC(uint32_t) gifts;      /* sets of marks: what moves of the observer give */
  VEC(uint32_t) first_gift; /* of formulas, by place */

  const store_class *class;
  store *store;
  VEC(uint32_t) known; /* by number of the state */
  byte_list state, next;
  VEC(uint32_t) active;
  VEC(rank_root) roots;
  VEC(rank_frame) frames;
  VEC(rank_edge) edges;

  VEC(uint32_t) marks; /* in turn, those of the ranks */
  VEC(uint32_t) renamed;
  state_sorter *sorter;
  canonical_bytes canonical;
  byte_list packed;
} ranking;

/* ---- marks --------------------------------------------------------------- */

static void set_mark(mark_set *s, uint32_t mark)
{
  s->words[mark / 64] |= UINT64_C(1) << mark % 64;
}

static bool has_mark(const ranking *k, uint32_t marks, uint32_t mark)
{
  return k->sets.data[marks].words[mark / 64] >> mark % 64 & 1;
}

static void put_slot(ranking *k, uint32_t number)
{
  size_t mask = k->slots.len - 1;
  size_t i =
      hash_bytes((const uint8_t *)&k->sets.data[number], sizeof *k->sets.data) &
      mask;
  while (k->slots.data[i])
    i = (i + 1) & mask;
  k->slots.data[i] = number + 1;
}

/* The number of a set of marks, old or new. */
static uint32_t set_number(ranking *k, const mark_set *s)
{
  enum { FEW = 64 };
  if (2 * k->sets.len >= k->slots.len) {
    size_t size = k->slots.len ? 2 * k->slots.len : FEW;
    vec_clear(&k->slots);
    vec_resize(&k->slots, size);
    for (uint32_t i = 0; i < k->sets.len; i++)
      put_slot(k, i);
  }
  size_t mask = k->slots.len - 1;
  size_t i = hash_bytes((const uint8_t *)s, sizeof *s) & mask;
  for (; k->slots.data[i]; i = (i + 1) & mask)
    if (!memcmp(&k->sets.data[k->slots.data[i] - 1], s, sizeof *s))
      return k->slots.data[i] - 1;
  vec_push(&k->sets, *s);
  put_slot(k, (uint32_t)k->sets.len - 1);
  return (uint32_t)k->sets.len - 1;
}

static uint32_t united(ranking *k, uint32_t a, uint32_t b)
{
  if (a == b || !b)
    return a;
  mark_set both = k->sets.data[a];
  for (int i = 0; i < MARK_WORDS; i++)
    both.words[i] |= k->sets.data[b].words[i];
  return set_number(k, &both);
}

/* What an edge of a formula gives: all untils that it does not put off. */
static void find_gifts(ranking *k)
{
  plain_tableau *t = &k->tableau;
  for (size_t i = 0; i < t->places.len; i++) {
    vec_push(&k->first_gift, (uint32_t)k->gifts.len);
    for (size_t e = 0; e < t->places.data[i].len; e++) {
      mark_set given = {{0}};
      given.words[0] = t->untils & ~t->places.data[i].data[e].has;
      set_mark(&given, MARK_STEP);
      vec_push(&k->gifts, set_number(k, &given));
    }
  }
}

/* The marks that a wrong run has, each again and again. */
static void find_marks(ranking *k)
{
  bool is_formula = k->order->property->kind == PROPERTY_LTL;
  for (uint32_t i = 0; i < TABLEAU_FORMULAS; i++)
    if (is_formula ? k->tableau.untils & formula_only(i) : i == 0)
      vec_push(&k->marks, i);
  if (!k->marks.len)
    vec_push(&k->marks, MARK_STEP);
  for (uint32_t i = 0; k->order->weak_fairness && i < POSITIONS_MAX; i++)
    vec_push(&k->marks, MARK_TURN + i);
}

/* The property, whose claim has no variables: their values are in its places. */
static const property *plain_property(ranking *k)
{
  const property *p = k->order->property;
  if (p->kind != PROPERTY_NEVER || !claim_has_variables(p->observer))
    return p;
  k->arena = arena_create();
  k->unfolded = *p;
  k->unfolded.observer = claim_unfold_places(
      k->arena, program_model(k->order->program), p->observer, &k->places);
  return &k->unfolded;
}

static const char *make_observer(ranking *k)
{
  const property *p = plain_property(k);
  mark_set given = {{0}};
  set_number(k, &given);
  if (p->kind == PROPERTY_LTL) {
    plain_tableau_make(&k->tableau, p->ltl);
    if (k->tableau.too_large)
      return "a formula is too large";
    find_gifts(k);
    vec_resize(&k->leaves, k->tableau.formulas.len);
  } else {
    k->has_observer = true;
    if (observer_create(&k->observer, k->worker, p, false) != REASON_NONE)
      return "a claim cannot be followed";
    set_mark(&given, MARK_STEP);
    vec_push(&k->gifts, set_number(k, &given));
    set_mark(&given, 0);
    vec_push(&k->gifts, set_number(k, &given));
  }
  find_marks(k);
  return NULL;
}

/* ---- moves of the observer ------------------------------------------------ */

static bool is_true(ranking *k, uint32_t literal)
{
  const tableau_formula *f = &k->tableau.formulas.data[literal];
  int8_t *known = &k->leaves.data[literal];
  fault_kind failed = FAULT_NONE;
  if (*known < 0)
    *known = !!program_evaluate(k->worker, f->leaf, k->state.data,
                                (uint32_t)k->state.len, &failed);
  if (failed != FAULT_NONE)
    k->why = "a condition of a formula has no value";
  return *known == (f->kind == TABLEAU_LEAF);
}

static bool is_allowed(ranking *k, formula_set has)
{
  for (uint32_t i = 0; i < k->tableau.formulas.len; i++)
    if (has & k->tableau.literals & formula_only(i) && !is_true(k, i))
      return false;
  return true;
}

static void look_formula(ranking *k, uint32_t place)
{
  const tableau_products *all = &k->tableau.places.data[place];
  for (size_t i = 0; i < k->leaves.len; i++)
    k->leaves.data[i] = -1;
  for (size_t i = 0; i < all->len; i++)
    if (is_allowed(k, all->data[i].has))
      vec_push(&k->moves, ((observer_move){all->data[i].target,
                                           k->first_gift.data[place] + i}));
}

/* Where the observer can go from 'place' in the state at hand. */
static void look(ranking *k, uint32_t place)
{
  observer *o = &k->observer;
  vec_clear(&k->moves);
  if (!k->has_observer) {
    look_formula(k, place);
    return;
  }
  if (!observer_look(o, place, k->state.data, (uint32_t)k->state.len))
    k->why = "a condition of a claim has no value";
  for (size_t i = 0; i < o->moves.len; i++) {
    if (observer_is_sure(o, o->moves.data[i].target))
      k->why = "the search for it found an error";
    vec_push(&k->moves, o->moves.data[i]);
  }
}

/* ---- states ---------------------------------------------------------------- */

/* The number of a state of the product, and what is known of it. */
static uint32_t number_of(ranking *k, const uint8_t *state, uint32_t length,
                          uint32_t place)
{
  uint32_t hidden = program_hidden(k->order->program), own = length - hidden;
  store_handle number;
  vec_resize(&k->next, own + PLACE_BYTES);
  memcpy(k->next.data, state + hidden, own);
  k->next.data[own] = (uint8_t)(place >> 8);
  k->next.data[own + 1] = (uint8_t)place;
  if (k->class->insert(k->store, k->next.data, own + PLACE_BYTES,
                       STORE_NO_HANDLE, UINT64_MAX, &number) == STORE_FULL ||
      number >= RANKED - 1)
    mem_give_up();
  if (number >= k->known.len)
    vec_resize(&k->known, number + 1);
  return (uint32_t)number;
}

/* Gets a state back, with hidden bytes that nobody reads.  Its place. */
static uint32_t fetch(ranking *k, uint32_t number)
{
  uint32_t hidden = program_hidden(k->order->program);
  vec_resize(&k->state, hidden + k->class->max_length(k->store));
  memset(k->state.data, 0, hidden);
  uint32_t length = k->class->fetch(k->store, number, k->state.data + hidden);
  k->state.len = hidden + length - PLACE_BYTES;
  const uint8_t *place = k->state.data + k->state.len;
  return (uint32_t)place[0] << 8 | place[1];
}

static void add_edges(ranking *k, const uint8_t *state, uint32_t length,
                      uint32_t moves)
{
  for (size_t i = 0; i < k->moves.len; i++) {
    uint32_t to = number_of(k, state, length, k->moves.data[i].target);
    rank_edge e = {to, (uint32_t)k->moves.data[i].marks, moves};
    vec_push(&k->edges, e);
  }
}

/* The turns of all that cannot move.  Where all move at once, nobody has to wait
** for one. */
static uint32_t turns_here(ranking *k)
{
  const batch *b = &k->batch;
  bool together = program_model(k->order->program)->flags & MODEL_SYNCHRONOUS;
  mark_set turns = {{0}};
  for (uint32_t i = 0; i < POSITIONS_MAX; i++)
    set_mark(&turns, MARK_TURN + i);
  for (size_t i = 0; i < b->list.len && !together; i++) {
    uint32_t bit = MARK_TURN + b->list.data[i].process;
    turns.words[bit / 64] &= ~(UINT64_C(1) << bit % 64);
  }
  return set_number(k, &turns);
}

/* The turns of those who move to a successor. */
static uint32_t turns_of(ranking *k, size_t which)
{
  mark_set turns = {{0}};
  process_set who =
      movers_find(&k->movers, k->state.data, (uint32_t)k->state.len,
                  k->batch.list.data + which, which);
  for (uint32_t i = 0; i < POSITIONS_MAX; i++)
    if (process_set_has(&who, i))
      set_mark(&turns, MARK_TURN + i);
  return set_number(k, &turns);
}

/* All steps from the state at hand become edges. */
static void expand(ranking *k, uint32_t place, rank_frame *f)
{
  const batch *b = &k->batch;
  look(k, place);
  if (!k->moves.len)
    return;
  program_successors(k->worker, k->state.data, (uint32_t)k->state.len,
                     &k->batch);
  if (b->faults.len || b->abandoned)
    k->why = "the search for it found an error";
  if (k->order->weak_fairness)
    f->turns = turns_here(k);
  movers_begin(&k->movers, k->worker);
  for (size_t i = 0; i < b->list.len; i++)
    add_edges(k, b->bytes.data + b->list.data[i].start, b->list.data[i].length,
              k->order->weak_fairness ? turns_of(k, i) : 0);
  if (b->blocked && k->order->property->kind != PROPERTY_NON_PROGRESS)
    add_edges(k, k->state.data, (uint32_t)k->state.len, 0);
}

/* ---- components ------------------------------------------------------------- */

static void enter(ranking *k, uint32_t number, uint32_t entering)
{
  rank_root root = {.entering = entering};
  rank_frame f = {.first_edge = k->edges.len, .next_edge = k->edges.len};
  vec_push(&k->active, number);
  f.index = root.index = (uint32_t)k->active.len;
  k->known.data[number] = root.index;
  vec_push(&k->roots, root);
  expand(k, fetch(k, number), &f);
  vec_push(&k->frames, f);
}

/* A step from the component leads to a state of this rank. */
static void lead_out(ranking *k, uint32_t rank, uint32_t given)
{
  rank_root *r = &vec_last(&k->roots);
  if (!r->leads_out || rank > r->highest) {
    r->highest = rank;
    r->leaving = given;
  } else if (rank == r->highest) {
    r->leaving = united(k, r->leaving, given);
  }
  r->leads_out = true;
}

/* A step to an active state: all components above that of it become one. */
static void melt(ranking *k, uint32_t index, uint32_t given)
{
  while (vec_last(&k->roots).index > index) {
    rank_root r = vec_pop(&k->roots);
    given = united(k, united(k, given, r.inside), r.entering);
    if (r.leads_out)
      lead_out(k, r.highest, r.leaving);
  }
  rank_root *top = &vec_last(&k->roots);
  top->inside = united(k, top->inside, given);
}

static uint32_t mark_of(const ranking *k, uint32_t rank)
{
  return k->marks.data[rank % k->marks.len];
}

/* The least rank that will do; UINT32_MAX: there is none. */
static uint32_t rank_of(const ranking *k, const rank_root *r)
{
  uint32_t rank = r->leads_out ? r->highest : 0;
  for (size_t tries = 0; tries <= k->marks.len; tries++, rank++) {
    uint32_t mark = mark_of(k, rank);
    bool leaves = r->leads_out && rank == r->highest;
    if (!has_mark(k, r->inside, mark) &&
        !(leaves && has_mark(k, r->leaving, mark)))
      return rank;
  }
  return UINT32_MAX;
}

/* The component of the top frame is finished. */
static void finish(ranking *k)
{
  rank_root r = vec_pop(&k->roots);
  uint32_t rank = rank_of(k, &r);
  if (rank >= RANKED) {
    k->why = rank == UINT32_MAX ? "the search for it found an error"
                                : "there are too many ranks";
    return;
  }
  while (k->active.len >= r.index)
    k->known.data[vec_pop(&k->active)] = RANKED | rank;
  if (rank >= k->renamed.len)
    vec_resize(&k->renamed, rank + 1);
  k->renamed.data[rank] = 1;
  if (k->roots.len)
    lead_out(k, rank, r.entering);
}

static void take(ranking *k, const rank_frame *f, rank_edge e)
{
  uint32_t given = k->gifts.data[e.gift];
  if (k->order->weak_fairness)
    given = united(k, united(k, given, f->turns), e.moves);
  uint32_t known = k->known.data[e.target];
  if (known & RANKED)
    lead_out(k, known & ~RANKED, given);
  else if (known)
    melt(k, known, given);
  else
    enter(k, e.target, given);
}

static void walk(ranking *k)
{
  program_initial(k->worker, &k->batch);
  const successor *first = k->batch.list.data;
  uint32_t place = k->has_observer ? k->observer.initial : 0;
  if (k->has_observer && observer_is_sure(&k->observer, place))
    k->why = "the search for it found an error";
  enter(k,
        number_of(k, k->batch.bytes.data + first->start, first->length, place),
        0);
  while (k->frames.len && !k->why) {
    rank_frame *f = &vec_last(&k->frames);
    mem_poll();
    if (f->next_edge < k->edges.len) {
      rank_frame top = *f;
      f->next_edge++;
      take(k, &top, k->edges.data[top.next_edge]);
      continue;
    }
    k->edges.len = f->first_edge;
    if (vec_last(&k->roots).index == f->index)
      finish(k);
    (void)vec_pop(&k->frames);
  }
}

/* ---- the file ----------------------------------------------------------------- */

/* Ranks that no state has are left out; the others keep their order. */
static void write_marks(ranking *k)
{
  uint32_t next = 0;
  vec_clear(&k->packed);
  for (uint32_t i = 0; i < k->renamed.len; i++)
    if (k->renamed.data[i]) {
      k->renamed.data[i] = next++;
      put_packed_number(&k->packed, mark_of(k, i));
    }
  k->figures->ranks = next;
  write_block(BLOCK_MARKS, next, k->packed.data, k->packed.len, k->sink,
              k->context);
}

/* A claim has changed a global of its own: so it is in the state. */
static void patch_global(ranking *k, const claim_own *o, const int32_t *values)
{
  const model *m = program_model(k->order->program);
  size_t at = 0;
  for (size_t i = 0; m->globals.data[i] != o->var; i++)
    if (!(m->globals.data[i]->flags & VAR_HIDDEN))
      at += 4 * (size_t)model_text_numbers(m->globals.data[i]);
  for (uint32_t i = 0; i < o->var->length; i++)
    for (int shift = 24; shift >= 0; shift -= 8)
      k->canonical.data[at++] =
          (uint8_t)(((uint32_t)values[o->first + i] ^ UINT32_C(1) << 31) >>
                    shift);
}

/* The state at hand, and where the observer is, as the file has them. */
static void put_state(ranking *k, uint32_t place)
{
  const model *m = program_model(k->order->program);
  const claim_place *at = k->places.places ? &k->places.places[place] : NULL;
  vec_clear(&k->packed);
  for (uint32_t i = 0; at && i < k->places.own_count; i++)
    if (!k->places.own[i].var->owner &&
        !(k->places.own[i].var->flags & VAR_HIDDEN))
      patch_global(k, &k->places.own[i], at->values);
  put_canonical(&k->packed, k->canonical.data,
                k->canonical.len - 4 * (size_t)model_text_hidden(m));
  put_packed_number(&k->packed, at ? at->location : place);
  for (uint32_t i = 0; at && i < k->places.own_count; i++)
    for (uint32_t e = 0;
         k->places.own[i].var->owner && e < k->places.own[i].var->length; e++)
      put_packed_number(&k->packed,
                        (uint32_t)at->values[k->places.own[i].first + e]);
}

static void write_states(ranking *k)
{
  uint32_t count = (uint32_t)k->class->count(k->store);
  k->sorter = state_sorter_create(k->order->buffer_bytes, true);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = fetch(k, i), rank = k->known.data[i] & ~RANKED;
    program_canonical(k->order->program, k->state.data, (uint32_t)k->state.len,
                      &k->canonical);
    put_state(k, place);
    state_sorter_add_ranked(k->sorter, &k->packed, k->renamed.data[rank]);
    mem_poll();
  }
  k->figures->states = state_sorter_finish(k->sorter, k->sink, k->context);
  k->figures->rank_bytes = state_sorter_rank_bytes(k->sorter);
}

static void do_rank(void *work)
{
  ranking *k = work;
  k->class = store_find("raw+table");
  k->worker = worker_create(k->order->program);
  k->why = make_observer(k);
  if (k->why)
    return;
  k->store = store_create(k->class, NULL, limits_room(k->order->limits));
  if (!k->store)
    mem_give_up();
  walk(k);
  vec_free(&k->active);
  if (k->why)
    return;
  write_marks(k);
  write_states(k);
}

static void tidy(void *work)
{
  ranking *k = work;
  if (k->has_observer)
    observer_free(&k->observer);
  plain_tableau_free(&k->tableau);
  if (k->arena)
    arena_destroy(k->arena);
  if (k->worker)
    worker_destroy(k->worker);
  if (k->store)
    k->class->destroy(k->store);
  batch_free(&k->batch);
  movers_free(&k->movers);
  state_sorter_destroy(k->sorter);
  vec_free(&k->leaves);
  vec_free(&k->moves);
  vec_free(&k->sets);
  vec_free(&k->slots);
  vec_free(&k->gifts);
  vec_free(&k->first_gift);
  vec_free(&k->known);
  vec_free(&k->state);
  vec_free(&k->next);
  vec_free(&k->active);
  vec_free(&k->roots);
  vec_free(&k->frames);
  vec_free(&k->edges);
  vec_free(&k->marks);
  vec_free(&k->renamed);
  vec_free(&k->canonical);
  vec_free(&k->packed);
}

const char *ranks_write(const ranks_order *o, nut_sink *sink, void *context,
                        ranks_figures *figures)
{
  ranking k = {
      .order = o, .sink = sink, .context = context, .figures = figures};
  *figures = (ranks_figures){0};
  mem_protect_tidy(do_rank, tidy, &k);
  return k.why;
}
