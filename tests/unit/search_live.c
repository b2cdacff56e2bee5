/* Infinite runs: both searches, over several stores, against a product that is
** written down as a graph and looked at by the definition. */

#include "search_kit.h"

#include "logic_kit.h"
#include "model/ltl.h"
#include "search/liveness/product.h"

#include <stdlib.h>
#include <unistd.h>

enum { LARGEST = 1500, PROCESSES = 8 };

/* ---- random models ----------------------------------------------------- */

typedef struct world {
  kit kit;
  random_state random;
  var *vars[2];
  var *meeting; /* a rendezvous channel, or NULL */
  expr *conditions[KIT_ATOMS];
  ltl_context *context;
  const ltl *formula;
} world;

static expr *random_condition(world *w)
{
  kit *k = &w->kit;
  var *v = w->vars[random_below(&w->random, 2)];
  int32_t value = (int32_t)random_below(&w->random, 2);
  return binary(k, OP_EQ, use(k, v), number(k, value));
}

static expr *random_atom(world *w)
{
  kit *k = &w->kit;
  const process_type *p =
      k->m->initial.data[random_below(&w->random, k->m->initial.len)];
  if (random_below(&w->random, 3))
    return random_condition(w);
  expr *e = expr_new(k->m, OP_AT, number(k, -1), NULL, NULL, NO_SPAN);
  for (uint32_t i = 0; i < k->m->initial.len; i++)
    if (k->m->initial.data[i] == p)
      e->args[0] = number(k, (int32_t)i);
  e->process = (process_type *)(uintptr_t)p;
  e->location = (uint32_t)random_below(&w->random, p->locations.len);
  return e;
}

/* Sends or receives by a rendezvous, or takes part in a multicast: steps of two
** processes, and of three. */
static void communicate(world *w, edge *e)
{
  enum { PORT = 7 };
  kit *k = &w->kit;
  bool sends = random_below(&w->random, 2), meets = random_below(&w->random, 3);
  comm_kind kind = meets ? (sends ? COMM_SEND : COMM_RECEIVE)
                         : (sends ? COMM_MULTICAST : COMM_JOIN);
  if (!w->meeting || random_below(&w->random, 2))
    return;
  e->comm = comm_new(k->m, kind, meets ? use(k, w->meeting) : number(k, PORT),
                     NO_SPAN);
  comm_arg a = {ARG_VALUE, number(k, 1), NULL};
  if (meets)
    vec_push(&e->comm->args, a);
}

static void add_random_process(world *w, const char *name)
{
  static const uint32_t flags[] = {0, 0, LOC_END, LOC_ACCEPT, LOC_PROGRESS};
  kit *k = &w->kit;
  process_type *p = add_process(k, name, LOC_END);
  uint32_t places = 1 + (uint32_t)random_below(&w->random, 3);
  for (uint32_t i = 1; i < places; i++)
    model_add_location(k->m, p, flags[random_below(&w->random, 5)], (int32_t)i,
                       NO_SPAN);
  for (uint32_t i = 0; i < places; i++)
    for (uint64_t n = random_below(&w->random, 3); n--;) {
      uint32_t target = (uint32_t)random_below(&w->random, places);
      edge *e = model_add_edge(k->m, p, i, target, NO_SPAN);
      if (random_below(&w->random, 2))
        e->guard = random_condition(w);
      /* An atomic loop would have no end, and no successor. */
      if (random_below(&w->random, 4) == 0 && target > i)
        e->flags |= EDGE_ATOMIC;
      communicate(w, e);
      if (random_below(&w->random, 2))
        assign(k, e, w->vars[random_below(&w->random, 2)],
               number(k, (int32_t)random_below(&w->random, 2)));
    }
}

/* A process that starts others, which end: states of different lengths.  With a
** condition the longer ones may be found late, when much is known already. */
static void add_family(world *w, bool late)
{
  kit *k = &w->kit;
  process_type *child = model_add_process(k->m, name_of(k->names, "child"),
                                          PROCESS_NORMAL, NO_SPAN);
  for (int32_t i = 0; i < 3; i++)
    model_add_location(k->m, child, LOC_END, i, NO_SPAN);
  edge *e = model_add_edge(k->m, child, 0, 1, NO_SPAN);
  assign(k, e, w->vars[0], number(k, 1));
  model_add_effect(k->m, model_add_edge(k->m, child, 1, 2, NO_SPAN), EFFECT_DIE,
                   NO_SPAN);
  process_type *parent = add_process(k, "parent", LOC_END);
  e = add_edge(k, parent, NULL);
  e->guard =
      expr_new(k->m, OP_LT, expr_new(k->m, OP_NR_PR, NULL, NULL, NULL, NO_SPAN),
               number(k, 4), NULL, NO_SPAN);
  if (late)
    e->guard = binary(k, OP_AND, e->guard, random_condition(w));
  expr *create = expr_new(k->m, OP_RUN, NULL, NULL, NULL, NO_SPAN);
  create->run = arena_alloc(k->arena, sizeof *create->run);
  create->run->process = child;
  model_add_effect(k->m, e, EFFECT_EVAL, NO_SPAN)->value = create;
}

/* The formula over the conditions of the world. */
static const ltl *with_conditions(world *w, const ltl *f)
{
  arena *a = w->kit.m->arena;
  if (f->op == LTL_ATOM)
    return ltl_leaf(a, NULL, w->conditions[f->atom]);
  return ltl_new(a, f->op, f->a ? with_conditions(w, f->a) : NULL,
                 f->b ? with_conditions(w, f->b) : NULL);
}

static void make_world(world *w, uint64_t seed)
{
  static const char *const names_of[] = {"p", "q", "r"};
  random_seed(&w->random, seed);
  w->kit = kit_create();
  w->vars[0] = add_global(&w->kit, "x");
  w->vars[1] = add_global(&w->kit, "y");
  w->meeting = NULL;
  if (random_below(&w->random, 2)) {
    w->meeting = add_global(&w->kit, "c");
    w->meeting->init_channel =
        model_add_channel_type(w->kit.m, "c", 0, NO_SPAN);
    vec_push(&w->meeting->init_channel->fields, type_scalar(TYPE_INT));
  }
  uint64_t n = 1 + random_below(&w->random, 3);
  uint64_t family = random_below(&w->random, 5);
  if (family == 1)
    add_family(w, true);
  for (uint64_t i = 0; i < n; i++)
    add_random_process(w, names_of[i]);
  for (size_t i = 0; i < KIT_ATOMS; i++)
    w->conditions[i] = random_atom(w);
  if (family == 0)
    add_family(w, false);
  w->context = ltl_create();
  kit_add_atoms(w->context);
  w->formula =
      kit_formula(w->context, &w->random,
                  1 + (unsigned)random_below(&w->random, 8), true, false);
  add_property(&w->kit, PROPERTY_LTL, "formula", NULL)->ltl =
      with_conditions(w, w->formula);
  add_property(&w->kit, PROPERTY_ACCEPTANCE, "acceptance", NULL);
  add_property(&w->kit, PROPERTY_NON_PROGRESS, "non-progress", NULL);
  kit_finish(&w->kit);
}

/* ---- the graph --------------------------------------------------------- */

typedef struct arrow {
  size_t from, to;
  uint64_t marks;
  bool stays;
  process_set moved; /* who takes part */
} arrow;

/* States first; then, for a product, pairs of states and places. */
typedef struct map {
  known known;
  VEC(arrow) arrows;
  VEC(process_set) enabled; /* by node */
  VEC(size_t) state_of;     /* by node */
  uint64_t all;             /* marks needed */
} map;

static size_t find_state(const known *n, const uint8_t *state, uint32_t length)
{
  for (size_t i = 0; i < n->starts.len; i++) {
    size_t end = i + 1 < n->starts.len ? n->starts.data[i + 1] : n->bytes.len;
    if (end - n->starts.data[i] == length &&
        !memcmp(n->bytes.data + n->starts.data[i], state, length))
      return i;
  }
  return SIZE_MAX;
}

static const uint8_t *state_bytes(const known *n, size_t i, uint32_t *length)
{
  size_t end = i + 1 < n->starts.len ? n->starts.data[i + 1] : n->bytes.len;
  *length = (uint32_t)(end - n->starts.data[i]);
  return n->bytes.data + n->starts.data[i];
}

/* All processes of the steps on the way. */
static process_set who_moves(const batch *b, const successor *s)
{
  process_set all = {{0}};
  for (uint32_t i = s->first_step; i < s->first_step + s->steps; i++)
    process_set_add(&all, b->steps.data[i].process);
  return all;
}

static void expand_state(map *g, worker *w, batch *b, size_t i)
{
  uint32_t length;
  const uint8_t *state = state_bytes(&g->known, i, &length);
  process_set enabled = {{0}};
  b->record = true;
  program_successors(w, state, length, b);
  if (b->blocked)
    vec_push(&g->arrows, ((arrow){i, i, 0, true, {{0}}}));
  for (size_t s = 0; s < b->list.len; s++) {
    const successor *next = b->list.data + s;
    const uint8_t *bytes = b->bytes.data + next->start;
    known_add(&g->known, bytes, next->length, 0, 0);
    vec_push(&g->arrows, ((arrow){i, find_state(&g->known, bytes, next->length),
                                  0, false, who_moves(b, next)}));
    process_set_add(&enabled, next->process);
  }
  vec_push(&g->enabled, enabled);
  vec_push(&g->state_of, i);
}

static void draw_states(map *g, world *w, worker *by)
{
  batch b = {0};
  program_initial(by, &b);
  known_add(&g->known, b.bytes.data, b.list.data[0].length, 0, 0);
  for (size_t i = 0; i < g->known.starts.len; i++)
    expand_state(g, by, &b, i);
  batch_free(&b);
  (void)w;
}

static void map_free(map *g)
{
  vec_free(&g->known.bytes);
  vec_free(&g->known.starts);
  vec_free(&g->known.depths);
  vec_free(&g->arrows);
  vec_free(&g->enabled);
  vec_free(&g->state_of);
}

/* ---- loops by definition ----------------------------------------------- */

typedef struct nodes {
  uint8_t in[LARGEST];
} nodes;

static void reach(const map *g, const nodes *within, size_t from, bool back,
                  nodes *out)
{
  memset(out, 0, sizeof *out);
  out->in[from] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < g->arrows.len; i++) {
      const arrow *a = g->arrows.data + i;
      size_t u = back ? a->to : a->from, v = back ? a->from : a->to;
      if (within->in[u] && within->in[v] && out->in[u] && !out->in[v])
        out->in[v] = changed = true;
    }
  }
}

static bool has_loop(const map *g, nut_fair fair, const nodes *given);

/* A run that ends lacks no progress. */
static void remove_stays(map *g)
{
  size_t kept = 0;
  for (size_t i = 0; i < g->arrows.len; i++)
    if (!g->arrows.data[i].stays)
      g->arrows.data[kept++] = g->arrows.data[i];
  g->arrows.len = kept;
}

/* Whether a strongly connected set has a loop that goes through all of it, or
** through a part, and is accepted and fair. */
static bool is_good(const map *g, nut_fair fair, const nodes *part)
{
  uint64_t marks = 0;
  bool loop = false, moved[PROCESSES] = {0}, some[PROCESSES] = {0},
       all[PROCESSES];
  memset(all, 1, sizeof all);
  for (size_t i = 0; i < g->arrows.len; i++) {
    const arrow *a = g->arrows.data + i;
    if (!part->in[a->from] || !part->in[a->to])
      continue;
    loop = true;
    marks |= a->marks;
    for (uint32_t p = 0; p < PROCESSES; p++)
      moved[p] |= process_set_has(&a->moved, p);
  }
  if (!loop || (marks & g->all) != g->all)
    return false;
  for (size_t i = 0; i < g->enabled.len; i++)
    for (uint32_t p = 0; p < PROCESSES && part->in[i]; p++) {
      bool can = process_set_has(&g->enabled.data[i], p);
      some[p] |= can;
      all[p] &= can;
    }
  for (uint32_t p = 0; p < PROCESSES; p++) {
    if (fair == NUT_FAIR_WEAK && all[p] && !moved[p])
      return false;
    if (fair == NUT_FAIR_STRONG && some[p] && !moved[p]) {
      nodes less = *part;
      for (size_t i = 0; i < g->enabled.len; i++)
        less.in[i] &= !process_set_has(&g->enabled.data[i], p);
      return has_loop(g, fair, &less);
    }
  }
  return true;
}

static bool has_loop(const map *g, nut_fair fair, const nodes *given)
{
  nodes left = *given;
  for (size_t i = 0; i < g->enabled.len; i++) {
    nodes ahead, behind;
    if (!left.in[i])
      continue;
    reach(g, &left, i, false, &ahead);
    reach(g, &left, i, true, &behind);
    for (size_t k = 0; k < LARGEST; k++)
      ahead.in[k] &= behind.in[k];
    if (is_good(g, fair, &ahead))
      return true;
    for (size_t k = 0; k < LARGEST; k++)
      left.in[k] &= !ahead.in[k];
  }
  return false;
}

/* ---- what is true ------------------------------------------------------ */

static uint64_t letter_of(world *w, worker *by, const map *g, size_t s)
{
  uint64_t letter = 0;
  uint32_t length;
  const uint8_t *state = state_bytes(&g->known, s, &length);
  for (uint32_t i = 0; i < KIT_ATOMS; i++)
    if (program_evaluate(by, w->conditions[i], state, length, NULL))
      letter |= UINT64_C(1) << i;
  return letter;
}

/* The product of the states with the automaton of the negation, unreduced.
** False: it is too large. */
static bool draw_product(map *p, world *w, worker *by, const map *g)
{
  buchi_options how = {.generalised = true, .plain = true};
  buchi *b = buchi_translate(w->context,
                             ltl_unary(w->context, LTL_NOT, w->formula), how);
  size_t places = b->state_count, states = g->enabled.len;
  bool small = places * states < LARGEST;
  p->all = b->marks ? UINT64_MAX >> (64 - b->marks) : 0;
  vec_push(&p->state_of, places * 0 + b->initial);
  for (size_t s = 0; small && s < states; s++) {
    uint64_t letter = letter_of(w, by, g, s);
    for (size_t q = 0; q < places; q++)
      vec_push(&p->enabled, g->enabled.data[s]);
    for (size_t i = 0; i < g->arrows.len; i++) {
      const arrow *a = g->arrows.data + i;
      for (size_t q = 0; q < places && a->from == s; q++)
        for (uint32_t e = 0; e < b->states[q].edge_count; e++) {
          const buchi_edge *move = b->edges + b->states[q].first_edge + e;
          if (buchi_edge_allows(b, move, &letter))
            vec_push(&p->arrows,
                     ((arrow){s * places + q, a->to * places + move->target,
                              move->marks, a->stays, a->moved}));
        }
    }
  }
  buchi_destroy(b);
  return small;
}

/* Verdicts of the three properties. */
static bool find_truth(world *w, nut_fair fair, verdict truth_of[3])
{
  worker *by = worker_create(w->kit.program);
  map g = {0}, p = {0};
  nodes all = {{0}}, from;
  draw_states(&g, w, by);
  bool small = g.known.starts.len < LARGEST && draw_product(&p, w, by, &g);
  if (small) {
    memset(all.in, 1, p.enabled.len);
    reach(&p, &all, p.state_of.data[0], false, &from);
    truth_of[0] = has_loop(&p, fair, &from) ? VERDICT_VIOLATED : VERDICT_HOLDS;
    nodes quiet = {{0}};
    memset(all.in, 1, g.enabled.len);
    for (size_t i = 0; i < g.enabled.len; i++) {
      uint32_t length;
      const uint8_t *s = state_bytes(&g.known, i, &length);
      quiet.in[i] = !program_is_at(by, s, length, LOC_PROGRESS);
      for (size_t k = 0; k < g.arrows.len; k++)
        if (g.arrows.data[k].from == i)
          g.arrows.data[k].marks = program_is_at(by, s, length, LOC_ACCEPT);
    }
    g.all = 1;
    truth_of[1] = has_loop(&g, fair, &all) ? VERDICT_VIOLATED : VERDICT_HOLDS;
    g.all = 0;
    remove_stays(&g);
    truth_of[2] = has_loop(&g, fair, &quiet) ? VERDICT_VIOLATED : VERDICT_HOLDS;
  }
  map_free(&g);
  map_free(&p);
  worker_destroy(by);
  return small;
}

/* ---- comparing --------------------------------------------------------- */

static void compare(world *w, uint64_t seed, nut_fair fair, nut_algorithm how,
                    const char *name)
{
  static const char *const selected[] = {"formula", "acceptance",
                                         "non-progress"};
  static const nut_por pors[] = {NUT_POR_OFF, NUT_POR_AMPLE, NUT_POR_STUBBORN};
  verdict truth_of[3];
  if (!find_truth(w, fair, truth_of))
    return;
  search_options options = search_defaults();
  options.asked.max_errors = 0;
  questions asked;
  questions_start(&asked, w->kit.arena, w->kit.m);
  questions_select_none(&asked);
  for (size_t i = 0; i < 3; i++)
    questions_find(&asked, selected[i])->selected = true;
  options.questions = &asked;
  options.asked.algorithm = how;
  options.asked.fair = fair;
  options.asked.por = pors[seed / 4 % 3];
  options.asked.store = name;
  /* The default store changes the names of states at any time. */
  options.learn_at = seed % 3 ? 4 + seed % 23 : 0;
  search_result r;
  search_run(w->kit.program, &options, &r);
  assert_int_equal(r.answers.len, 3);
  for (size_t i = 0; i < 3; i++) {
    const answer *p = r.answers.data + i;
    bool shown = (p->trace != NULL) == (p->verdict == VERDICT_VIOLATED);
    if (p->verdict != truth_of[i] || !shown) {
      text f = {0};
      ltl_print(NULL, w->formula, LTL_SPIN, &f);
      fail_msg("seed %llu, %s, fairness %d, algorithm %d, %s: %s, not %s "
               "(%s); %s",
               (unsigned long long)seed, p->question->name, (int)fair, (int)how,
               name, verdict_text(p->verdict), verdict_text(truth_of[i]),
               reason_text(p->reason), f.data);
    }
  }
  search_result_free(&r);
  questions_free(&asked);
}

/* ---- by levels ---------------------------------------------------------- */

/* Answers of a search that goes over to levels after some states. */
static void run_levels(world *w, uint64_t seed, nut_fair fair, questions *asked,
                       uint32_t threads, search_result *r)
{
  static const nut_por pors[] = {NUT_POR_OFF, NUT_POR_AMPLE, NUT_POR_STUBBORN};
  search_options options = search_defaults();
  options.asked.max_errors = 0;
  options.asked.fair = fair;
  options.asked.por = pors[seed / 4 % 3];
  options.asked.threads = threads;
  options.questions = asked;
  options.first = 1 + seed % 5;
  options.share_after = 1 + seed / 5 % 3;
  options.cohort_after = 1;
  options.learn_at = seed % 3 ? 4 + seed % 23 : 0;
  search_run(w->kit.program, &options, r);
}

typedef struct tally {
  uint64_t told[3], held[3], iterations, met;
} tally;

/* With so many threads a property has its true verdict, and the product as many
** states as with one. */
static void compare_levels(world *w, uint64_t seed, nut_fair fair, size_t which,
                           tally *sum)
{
  static const char *const names_of[] = {"formula", "acceptance",
                                         "non-progress"};
  verdict truth_of[3];
  if (!find_truth(w, fair, truth_of))
    return;
  questions asked;
  questions_start(&asked, w->kit.arena, w->kit.m);
  questions_select_none(&asked);
  questions_find(&asked, names_of[which])->selected = true;
  search_result one;
  run_levels(w, seed, fair, &asked, 1, &one);
  for (uint32_t threads = 2; threads <= 4; threads += 2) {
    search_result r;
    run_levels(w, seed, fair, &asked, threads, &r);
    const answer *a = r.answers.data;
    bool same = a->verdict == one.answers.data->verdict &&
                r.stats.states == one.stats.states &&
                r.stats.transitions == one.stats.transitions &&
                r.stats.depth == one.stats.depth;
    if (a->verdict != truth_of[which] || !same)
      fail_msg("seed %llu, %s, fairness %d, %u threads: %s, not %s; %llu "
               "states, not %llu; %llu transitions, not %llu; depth %llu, not "
               "%llu",
               (unsigned long long)seed, names_of[which], (int)fair, threads,
               verdict_text(a->verdict), verdict_text(truth_of[which]),
               (unsigned long long)r.stats.states,
               (unsigned long long)one.stats.states,
               (unsigned long long)r.stats.transitions,
               (unsigned long long)one.stats.transitions,
               (unsigned long long)r.stats.depth,
               (unsigned long long)one.stats.depth);
    sum->told[fair] += r.runs.told;
    sum->iterations += r.runs.iterations;
    sum->met += r.runs.met;
    assert_true(!r.runs.met || a->verdict == VERDICT_VIOLATED);
    sum->held[fair] += a->verdict == VERDICT_HOLDS;
    search_result_free(&r);
  }
  search_result_free(&one);
  questions_free(&asked);
}

static void random_levels(void **state)
{
  (void)state;
  unsigned long count = kit_count(200);
  tally sum = {0};
  for (uint64_t seed = kit_seed(), end = seed + count; seed < end; seed++) {
    world w = {0};
    make_world(&w, seed);
    for (nut_fair fair = NUT_FAIR_NONE; fair <= NUT_FAIR_STRONG; fair++)
      for (size_t which = 0; which < 3; which++)
        compare_levels(&w, seed, fair, which, &sum);
    ltl_destroy(w.context);
    kit_destroy(&w.kit);
  }
  if (count < 50)
    return;
  for (nut_fair fair = NUT_FAIR_NONE; fair <= NUT_FAIR_STRONG; fair++)
    assert_true(sum.told[fair] > sum.held[fair] / 8);
  assert_true(sum.iterations > count / 10);
  assert_true(sum.met > count / 10);
}

/* ---- with a disk --------------------------------------------------------- */

static char folder[64];
enum { PASSES_MOST = 1 << 20 }; /* of a few hundred states */

/* Where there is no room in memory all states go to the disk, and the verdict is
** the true one, also when no run can be shown. */
static void compare_disk(world *w, uint64_t seed, nut_fair fair,
                         uint32_t threads, uint64_t *spills)
{
  static const nut_por pors[] = {NUT_POR_OFF, NUT_POR_AMPLE, NUT_POR_STUBBORN};
  verdict truth_of[3];
  if (!find_truth(w, fair, truth_of))
    return;
  search_options options = search_defaults();
  options.asked.max_errors = 0;
  options.asked.fair = fair;
  options.asked.por = pors[seed / 4 % 3];
  options.asked.threads = threads;
  options.first = 1 + seed % 5;
  options.share_after = seed / 5 % 3;
  options.cohort_after = 1;
  options.learn_at = seed % 3 ? 4 + seed % 23 : 0;
  search_result all, r;
  search_run(w->kit.program, &options, &all);
  options.asked.disk = folder;
  options.disk_bytes = 1 + seed % 7 * 1024;
  search_run(w->kit.program, &options, &r);
  for (size_t i = 3; i < r.answers.len; i++) {
    const answer *a = &r.answers.data[i];
    if (a->verdict != truth_of[i - 3])
      fail_msg("seed %llu, property %zu, fairness %d, %u threads: %s, not %s",
               (unsigned long long)seed, i, (int)fair, threads,
               verdict_text(a->verdict), verdict_text(truth_of[i - 3]));
  }
  bool holds = true;
  for (size_t i = 3; i < 6; i++)
    holds &= truth_of[i - 3] == VERDICT_HOLDS;
  if (holds && (r.stats.product_states != all.stats.product_states ||
                r.stats.product_transitions != all.stats.product_transitions))
    fail_msg("seed %llu, fairness %d, %u threads: %llu states, not %llu",
             (unsigned long long)seed, (int)fair, threads,
             (unsigned long long)r.stats.product_states,
             (unsigned long long)all.stats.product_states);
  *spills += r.disk.spills;
  if (r.disk.passes > PASSES_MOST || r.disk.merges > PASSES_MOST)
    fail_msg("seed %llu, fairness %d, %u threads: %llu passes, %llu merges",
             (unsigned long long)seed, (int)fair, threads,
             (unsigned long long)r.disk.passes,
             (unsigned long long)r.disk.merges);
  search_result_free(&r);
  search_result_free(&all);
}

static void random_disk(void **state)
{
  (void)state;
  unsigned long count = kit_count(40);
  uint64_t spills = 0;
  bool in_memory = access("/dev/shm", W_OK | X_OK) == 0;
  snprintf(folder, sizeof folder, "%s/nutshell-test-XXXXXX",
           in_memory ? "/dev/shm" : "/tmp");
  assert_non_null(mkdtemp(folder));
  for (uint64_t seed = kit_seed(), end = seed + count; seed < end; seed++) {
    world w = {0};
    make_world(&w, seed);
    for (nut_fair fair = NUT_FAIR_NONE; fair <= NUT_FAIR_STRONG; fair++)
      for (uint32_t threads = 1; threads <= 4; threads += 3)
        compare_disk(&w, seed, fair, threads, &spills);
    ltl_destroy(w.context);
    kit_destroy(&w.kit);
  }
  assert_true(spills > count);
  assert_int_equal(rmdir(folder), 0);
}

static void random_models(void **state)
{
  static const char *const stores[] = {"raw+table", "collapse+table",
                                       "raw+mdd"};
  (void)state;
  unsigned long count = kit_count(400);
  for (uint64_t seed = kit_seed(), end = seed + count; seed < end; seed++) {
    world w = {0};
    make_world(&w, seed);
    for (nut_fair fair = NUT_FAIR_NONE; fair <= NUT_FAIR_STRONG; fair++) {
      const char *both[] = {"collapse+tree", stores[seed % 3]};
      for (size_t i = 0; i < 2; i++) {
        compare(&w, seed, fair, NUT_COMPONENTS, both[i]);
        if (fair != NUT_FAIR_STRONG)
          compare(&w, seed, fair, NUT_NESTED, both[i]);
      }
    }
    ltl_destroy(w.context);
    kit_destroy(&w.kit);
  }
}

/* When memory runs out, at any moment, nothing is lost, and nothing that was
** not found out is claimed. */
static void no_memory(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    world w = {0};
    verdict truth_of[3];
    make_world(&w, seed);
    nut_fair fair = (nut_fair)(seed % 3);
    if (find_truth(&w, fair, truth_of))
      for (uint64_t n = 1; n < 4000; n += 1 + n / 64) {
        search_options options = search_defaults();
        options.asked.max_errors = 0;
        options.asked.fair = fair;
        options.learn_at = 5;
        options.asked.algorithm = (nut_algorithm)(seed / 3 % 2);
        options.asked.por = NUT_POR_STUBBORN;
        search_result r;
        mem_fail_at(n);
        search_run(w.kit.program, &options, &r);
        mem_fail_at(0);
        for (size_t i = 3; i < r.answers.len; i++)
          assert_true(r.answers.data[i].verdict == VERDICT_UNKNOWN ||
                      r.answers.data[i].verdict == truth_of[i - 3]);
        search_result_free(&r);
      }
    ltl_destroy(w.context);
    kit_destroy(&w.kit);
  }
}

/* The same with threads, in whichever it fails. */
static void no_memory_levels(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    world w = {0};
    verdict truth_of[3];
    make_world(&w, seed);
    nut_fair fair = (nut_fair)(seed % 3);
    if (find_truth(&w, fair, truth_of))
      for (uint64_t n = 1; n < 4000; n += 1 + n / 16) {
        search_result r;
        mem_fail_at(n);
        run_levels(&w, seed, fair, NULL, 3, &r);
        mem_fail_at(0);
        for (size_t i = 3; i < r.answers.len; i++)
          assert_true(r.answers.data[i].verdict == VERDICT_UNKNOWN ||
                      r.answers.data[i].verdict == truth_of[i - 3]);
        search_result_free(&r);
      }
    ltl_destroy(w.context);
    kit_destroy(&w.kit);
  }
}

UNIT_MAIN(UNIT(random_models), UNIT(random_levels), UNIT(random_disk),
          UNIT(no_memory), UNIT(no_memory_levels))
