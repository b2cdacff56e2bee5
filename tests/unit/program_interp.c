/* The interpreter on models made by hand: what no Promela model can express,
** and the contract of 'program_successors'. */

#include "model_kit.h"
#include "program/layout.h"
#include <string.h>

/* ---- a model under construction --------------------------------------- */

static void kit_run(kit *k)
{
  kit_finish(k);
  k->worker = worker_create(k->program);
  program_initial(k->worker, &k->batch);
  assert_int_equal(k->batch.list.len, 1);
}

static process_type *add_process(kit *k, const char *name, uint32_t locations)
{
  process_type *p =
      model_add_process(k->m, name_of(k->names, name), PROCESS_NORMAL, NO_SPAN);
  for (uint32_t i = 0; i < locations; i++)
    model_add_location(k->m, p, LOC_END, (int32_t)i, NO_SPAN);
  vec_push(&k->m->initial, p);
  return p;
}

static var *add_global(kit *k, const char *name, int32_t value)
{
  var *v = model_add_global(k->m, name_of(k->names, name),
                            type_scalar(TYPE_INT), NO_SPAN);
  vec_push(&v->init, expr_const(k->m, value, NO_SPAN));
  return v;
}

static comm *communicate(kit *k, edge *e, comm_kind kind, expr *channel)
{
  e->comm = comm_new(k->m, kind, channel, NO_SPAN);
  return e->comm;
}

static void pass_value(comm *c, expr *value)
{
  comm_arg a = {ARG_VALUE, value, NULL};
  vec_push(&c->args, a);
}

static void pass_to(kit *k, comm *c, var *v)
{
  comm_arg a = {ARG_STORE, NULL, ref_new(k->m, v, NULL, NULL, NO_SPAN)};
  vec_push(&c->args, a);
}

/* Successors of successor 'i' of the batch before. */
static void step_from(kit *k, size_t i)
{
  const successor *s = &k->batch.list.data[i];
  program_successors(k->worker, k->batch.bytes.data + s->start, s->length,
                     &k->next);
}

static int32_t value_in(kit *k, const batch *b, size_t i, const char *name)
{
  view v = {0};
  const successor *s = &b->list.data[i];
  int32_t found = INT32_MIN;
  view_read(k->program, b->bytes.data + s->start, s->length, &v);
  for (size_t j = 0; j < v.items.len; j++)
    if (v.items.data[j].kind == ITEM_VARIABLE &&
        strcmp(v.items.data[j].name, name) == 0)
      found = v.items.data[j].value;
  view_free(&v);
  return found;
}

/* ---- tests ------------------------------------------------------------ */

/* x = y, y = x at once swaps; one after the other it does not. */
static void parallel_effects(void **unused)
{
  (void)unused;
  for (int at_once = 0; at_once < 2; at_once++) {
    kit k = kit_create();
    var *x = add_global(&k, "x", 1), *y = add_global(&k, "y", 2);
    process_type *p = add_process(&k, "P", 2);
    edge *e = model_add_edge(k.m, p, 0, 1, NO_SPAN);
    if (at_once)
      e->flags |= EDGE_PARALLEL;
    assign(&k, e, x, use(&k, y));
    assign(&k, e, y, use(&k, x));
    kit_run(&k);
    step_from(&k, 0);
    assert_int_equal(k.next.list.len, 1);
    assert_int_equal(value_in(&k, &k.next, 0, "x"), 2);
    assert_int_equal(value_in(&k, &k.next, 0, "y"), at_once ? 1 : 2);
    kit_destroy(&k);
  }
}

/* While P is at a committed location Q must wait. */
static void committed_locations(void **unused)
{
  (void)unused;
  kit k = kit_create();
  process_type *p = add_process(&k, "P", 2), *q = add_process(&k, "Q", 2);
  p->locations.data[0].flags |= LOC_COMMITTED;
  model_add_edge(k.m, p, 0, 1, NO_SPAN);
  model_add_edge(k.m, q, 0, 1, NO_SPAN);
  k.m->flags |= MODEL_HAS_COMMITTED;
  kit_run(&k);
  step_from(&k, 0);
  assert_int_equal(k.next.list.len, 1);
  assert_int_equal(k.next.list.data[0].process, 0);
  kit_destroy(&k);
}

/* Guards in the old state; value, sender's effects, receiver's effects. */
static void rendezvous_with_effects(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *x = add_global(&k, "x", 1), *y = add_global(&k, "y", 0);
  var *c = model_add_global(k.m, name_of(k.names, "c"), type_scalar(TYPE_CHAN),
                            NO_SPAN);
  c->init_channel = model_add_channel_type(k.m, "c", 0, NO_SPAN);
  vec_push(&c->init_channel->fields, type_scalar(TYPE_INT));
  process_type *p = add_process(&k, "P", 2), *q = add_process(&k, "Q", 3);
  edge *s = model_add_edge(k.m, p, 0, 1, NO_SPAN);
  pass_value(communicate(&k, s, COMM_SEND, use(&k, c)),
             binary(&k, OP_ADD, use(&k, x), number(&k, 4)));
  assign(&k, s, x, number(&k, 10));
  edge *r = model_add_edge(k.m, q, 0, 1, NO_SPAN);
  pass_to(&k, communicate(&k, r, COMM_RECEIVE, use(&k, c)), y);
  r->guard = binary(&k, OP_EQ, use(&k, x), number(&k, 1));
  assign(&k, r, y, binary(&k, OP_ADD, use(&k, y), use(&k, x)));
  edge *never = model_add_edge(k.m, q, 0, 2, NO_SPAN);
  pass_to(&k, communicate(&k, never, COMM_RECEIVE, use(&k, c)), y);
  never->guard = binary(&k, OP_EQ, use(&k, x), number(&k, 10));
  kit_run(&k);
  step_from(&k, 0);
  assert_int_equal(k.next.list.len, 1);
  assert_int_equal(value_in(&k, &k.next, 0, "x"), 10);
  assert_int_equal(value_in(&k, &k.next, 0, "y"), 15);
  kit_destroy(&k);
}

/* One sender, two members with one and two ways to join, one not ready. */
static void multicast(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *a = add_global(&k, "a", 0), *b = add_global(&k, "b", 0);
  process_type *s = add_process(&k, "S", 2), *p = add_process(&k, "P", 2);
  process_type *q = add_process(&k, "Q", 3), *r = add_process(&k, "R", 2);
  pass_value(communicate(&k, model_add_edge(k.m, s, 0, 1, NO_SPAN),
                         COMM_MULTICAST, number(&k, 7)),
             number(&k, 42));
  edge *e = model_add_edge(k.m, p, 0, 1, NO_SPAN);
  pass_to(&k, communicate(&k, e, COMM_JOIN, number(&k, 7)), a);
  for (uint32_t to = 1; to <= 2; to++) {
    e = model_add_edge(k.m, q, 0, to, NO_SPAN);
    communicate(&k, e, COMM_JOIN, number(&k, 7));
    assign(&k, e, b, number(&k, (int32_t)to));
  }
  communicate(&k, model_add_edge(k.m, r, 0, 1, NO_SPAN), COMM_JOIN,
              number(&k, 8));
  kit_run(&k);
  step_from(&k, 0);
  assert_int_equal(k.next.list.len, 2);
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(value_in(&k, &k.next, i, "a"), 42);
    assert_int_equal(value_in(&k, &k.next, i, "b"), (int)i + 1);
  }
  kit_destroy(&k);
}

/* An atomic loop without end has no successor and does not hang. */
static void endless_atomic(void **unused)
{
  (void)unused;
  kit k = kit_create();
  process_type *p = add_process(&k, "P", 2);
  model_add_edge(k.m, p, 0, 1, NO_SPAN)->flags |= EDGE_ATOMIC;
  model_add_edge(k.m, p, 1, 0, NO_SPAN)->flags |= EDGE_ATOMIC;
  kit_run(&k);
  step_from(&k, 0);
  assert_int_equal(k.next.list.len, 0);
  assert_false(k.next.blocked);
  kit_destroy(&k);
}

/* It is found soon, also when other ways wait until it ends. */
static void endless_beside_others(void **unused)
{
  (void)unused;
  for (uint32_t endless = 0; endless < 3; endless++) {
    kit k = kit_create();
    process_type *p = add_process(&k, "P", 6);
    for (uint32_t i = 0; i < 3; i++)
      model_add_edge(k.m, p, 0, i == endless ? 1 : 4, NO_SPAN)->flags |=
          EDGE_ATOMIC;
    model_add_edge(k.m, p, 1, 2, NO_SPAN)->flags |= EDGE_ATOMIC;
    model_add_edge(k.m, p, 2, 3, NO_SPAN)->flags |= EDGE_ATOMIC;
    model_add_edge(k.m, p, 3, 1, NO_SPAN)->flags |= EDGE_ATOMIC;
    model_add_edge(k.m, p, 4, 5, NO_SPAN);
    kit_run(&k);
    step_from(&k, 0);
    assert_int_equal(k.next.list.len, 2);
    assert_true(k.next.atomic_steps < 4096);
    kit_destroy(&k);
  }
}

/* Long ways that meet are no circles: both are taken to the end. */
static void long_ways_that_meet(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *x = add_global(&k, "x", 0);
  process_type *p = add_process(&k, "P", 3);
  for (uint32_t i = 0; i < 2; i++)
    model_add_edge(k.m, p, 0, 1, NO_SPAN)->flags |= EDGE_ATOMIC;
  edge *on = model_add_edge(k.m, p, 1, 1, NO_SPAN);
  on->flags |= EDGE_ATOMIC;
  on->guard = binary(&k, OP_LT, use(&k, x), number(&k, 9000));
  assign(&k, on, x, binary(&k, OP_ADD, use(&k, x), number(&k, 1)));
  edge *out = model_add_edge(k.m, p, 1, 2, NO_SPAN);
  out->guard = binary(&k, OP_EQ, use(&k, x), number(&k, 9000));
  kit_run(&k);
  step_from(&k, 0);
  assert_int_equal(k.next.list.len, 2);
  assert_int_equal(k.next.atomic_steps, 2 * 9001);
  kit_destroy(&k);
}

/* A recorded atomic chain names its steps and ends in the successor. */
static void recording(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *x = add_global(&k, "x", 0);
  process_type *p = add_process(&k, "P", 4);
  for (uint32_t i = 0; i < 3; i++) {
    edge *e = model_add_edge(k.m, p, i, i + 1, NO_SPAN);
    if (i < 2)
      e->flags |= EDGE_ATOMIC;
    assign(&k, e, x, binary(&k, OP_ADD, use(&k, x), number(&k, 1)));
  }
  kit_run(&k);
  k.next.record = true;
  step_from(&k, 0);
  assert_int_equal(k.next.list.len, 1);
  const successor *s = &k.next.list.data[0];
  assert_int_equal(s->steps, 3);
  assert_int_equal(k.next.atomic_steps, 2);
  const step *last = &k.next.steps.data[s->first_step + 2];
  assert_int_equal(last->length, s->length);
  assert_memory_equal(k.next.record_bytes.data + last->start,
                      k.next.bytes.data + s->start, s->length);
  assert_true(s->changed & 1);
  kit_destroy(&k);
}

/* A division by zero leaves no successor, and is not a blocked state. */
static void division_by_zero(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *x = add_global(&k, "x", 0);
  process_type *p = add_process(&k, "P", 2);
  edge *e = model_add_edge(k.m, p, 0, 1, NO_SPAN);
  assign(&k, e, x, binary(&k, OP_DIV, number(&k, 1), use(&k, x)));
  kit_run(&k);
  step_from(&k, 0);
  assert_int_equal(k.next.list.len, 0);
  assert_int_equal(k.next.faults.len, 1);
  assert_int_equal(k.next.faults.data[0].kind, FAULT_DIVISION);
  assert_false(k.next.blocked);
  kit_destroy(&k);
}

/* Where the channels of a fixed layout are, the last one too. */
static void channels_are_components(void **unused)
{
  (void)unused;
  static const char *const called[] = {"a", "b", "c"};
  kit k = kit_create();
  add_process(&k, "P", 1);
  for (int i = 0; i < 3; i++) {
    var *c = model_add_global(k.m, name_of(k.names, called[i]),
                              type_scalar(TYPE_CHAN), NO_SPAN);
    c->init_channel = model_add_channel_type(k.m, "c", 2, NO_SPAN);
    vec_push(&c->init_channel->fields, type_scalar(TYPE_INT));
  }
  kit_run(&k);
  const component_map *map = program_map(k.program);
  const successor *first = &k.batch.list.data[0];
  entity_list list = {0};
  assert_true(map->fixed);
  program_entities(k.program, k.batch.bytes.data + first->start, first->length,
                   &list);
  assert_int_equal(list.len, 4); /* a process and three channels */
  for (size_t i = 0; i < list.len; i++) {
    uint32_t found = 0;
    for (uint32_t c = map->slices; c < map->count; c++)
      found += map->offsets[c] == list.data[i].offset;
    assert_int_equal(found, 1);
  }
  assert_int_equal(map->offsets[map->count], first->length);
  vec_free(&list);
  kit_destroy(&k);
}

UNIT_MAIN(UNIT(parallel_effects), UNIT(committed_locations),
          UNIT(rendezvous_with_effects), UNIT(multicast), UNIT(endless_atomic),
          UNIT(endless_beside_others), UNIT(long_ways_that_meet),
          UNIT(recording), UNIT(division_by_zero),
          UNIT(channels_are_components))
