/* Models made by hand for the tests of searches, and a naive explorer whose
** counts are the truth. */

#ifndef NUT_TESTS_SEARCH_KIT_H
#define NUT_TESTS_SEARCH_KIT_H

#include "model_kit.h"

#include "search/search_internal.h"
#include "store/table/raw_table.h"

static inline var *add_global(kit *k, const char *name)
{
  return model_add_global(k->m, name_of(k->names, name), type_scalar(TYPE_BYTE),
                          NO_SPAN);
}

static inline process_type *add_process(kit *k, const char *name,
                                        uint32_t flags)
{
  process_type *p =
      model_add_process(k->m, name_of(k->names, name), PROCESS_NORMAL, NO_SPAN);
  model_add_location(k->m, p, flags, 0, NO_SPAN);
  vec_push(&k->m->initial, p);
  return p;
}

static inline edge *add_edge(kit *k, process_type *p, expr *guard)
{
  edge *e = model_add_edge(k->m, p, 0, 0, NO_SPAN);
  e->guard = guard;
  e->number = (int32_t)e->index + 100;
  return e;
}

static inline void add_assert(kit *k, edge *e, expr *value)
{
  model_add_effect(k->m, e, EFFECT_ASSERT, NO_SPAN)->value = value;
}

/* 'n' processes, each counting its own variable from 0 to size - 1.  The end
** is valid or not as 'flags' (LOC_END) say; 'bad' (not 0) is a value of the
** first variable that an assertion forbids. */
static inline kit make_grid(unsigned n, int32_t size, uint32_t flags,
                            int32_t bad)
{
  static const char *const names_of[] = {"a", "b", "c", "d", "e"};
  kit k = kit_create();
  for (unsigned i = 0; i < n; i++) {
    var *v = add_global(&k, names_of[i]);
    process_type *p = add_process(&k, names_of[i], flags);
    edge *e =
        add_edge(&k, p, binary(&k, OP_LT, use(&k, v), number(&k, size - 1)));
    assign(&k, e, v, binary(&k, OP_ADD, use(&k, v), number(&k, 1)));
    if (bad && i == 0)
      add_assert(&k, e, binary(&k, OP_NE, use(&k, v), number(&k, bad)));
  }
  return k;
}

/* A process that starts children, which count and die: states of different
** lengths.  With 'hidden', a hidden variable is counted as well and read by
** no guard. */
static inline kit make_family(int32_t children, bool hidden)
{
  kit k = kit_create();
  var *started = add_global(&k, "started");
  var *sum = add_global(&k, "sum");
  process_type *child = model_add_process(k.m, name_of(k.names, "child"),
                                          PROCESS_NORMAL, NO_SPAN);
  for (int32_t i = 0; i < 3; i++)
    model_add_location(k.m, child, LOC_END, i, NO_SPAN);
  edge *count = model_add_edge(k.m, child, 0, 1, NO_SPAN);
  assign(&k, count, sum, binary(&k, OP_ADD, use(&k, sum), number(&k, 1)));
  edge *die = model_add_edge(k.m, child, 1, 2, NO_SPAN);
  model_add_effect(k.m, die, EFFECT_DIE, NO_SPAN);
  process_type *parent = add_process(&k, "parent", LOC_END);
  edge *e = add_edge(&k, parent,
                     binary(&k, OP_LT, use(&k, started), number(&k, children)));
  assign(&k, e, started, binary(&k, OP_ADD, use(&k, started), number(&k, 1)));
  expr *create = expr_new(k.m, OP_RUN, NULL, NULL, NULL, NO_SPAN);
  create->run = arena_alloc(k.arena, sizeof *create->run);
  create->run->process = child;
  model_add_effect(k.m, e, EFFECT_EVAL, NO_SPAN)->value = create;
  count->number = 200;
  die->number = 201;
  if (hidden) {
    var *secret = add_global(&k, "secret");
    secret->flags |= VAR_HIDDEN;
    assign(&k, count, secret,
           binary(&k, OP_ADD, use(&k, secret), number(&k, 1)));
  }
  return k;
}

static inline property *add_property(kit *k, property_kind kind,
                                     const char *name, expr *e)
{
  property *p =
      model_add_property(k->m, kind, name_of(k->names, name), NO_SPAN);
  p->expr = e;
  return p;
}

/* ---- the naive explorer ------------------------------------------------ */

typedef struct truth {
  uint64_t states, transitions, faults, blocked, deadlocks, depth;
} truth;

typedef struct known {
  VEC(uint8_t) bytes;
  VEC(size_t) starts;
  VEC(uint64_t) depths;
} known;

static inline void known_add(known *n, const uint8_t *state, uint32_t length,
                             uint32_t hidden, uint64_t depth)
{
  for (size_t i = 0; i < n->starts.len; i++) {
    size_t end = i + 1 < n->starts.len ? n->starts.data[i + 1] : n->bytes.len;
    if (end - n->starts.data[i] == length &&
        !memcmp(n->bytes.data + n->starts.data[i] + hidden, state + hidden,
                length - hidden))
      return;
  }
  vec_push(&n->starts, n->bytes.len);
  vec_push(&n->depths, depth);
  for (uint32_t i = 0; i < length; i++)
    vec_push(&n->bytes, state[i]);
}

static inline truth explore(kit *k)
{
  worker *w = worker_create(k->program);
  uint32_t hidden = program_hidden(k->program);
  truth t = {.transitions = 1};
  known n = {{0}, {0}, {0}};
  batch b = {0};
  program_initial(w, &b);
  known_add(&n, b.bytes.data, b.list.data[0].length, hidden, 0);
  for (size_t i = 0; i < n.starts.len; i++) {
    size_t end = i + 1 < n.starts.len ? n.starts.data[i + 1] : n.bytes.len;
    uint32_t length = (uint32_t)(end - n.starts.data[i]);
    program_successors(w, n.bytes.data + n.starts.data[i], length, &b);
    t.transitions += b.list.len;
    t.faults += b.faults.len;
    t.blocked += b.blocked;
    t.deadlocks += b.invalid_end;
    t.depth = n.depths.data[i];
    for (size_t s = 0; s < b.list.len; s++)
      known_add(&n, b.bytes.data + b.list.data[s].start, b.list.data[s].length,
                hidden, t.depth + 1);
  }
  t.states = n.starts.len;
  vec_free(&n.bytes);
  vec_free(&n.starts);
  vec_free(&n.depths);
  batch_free(&b);
  worker_destroy(w);
  return t;
}

#endif
