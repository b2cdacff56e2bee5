/* Read and write sets: on models made by hand, and shaken (see shake.h).
**
**   unit-model_access [PATTERN]                       unit tests
**   unit-model_access --models STATES FILE.pml...     shakes Promela models
**   unit-model_access --print FILE.pml                shows the sets */

#include "load_kit.h"
#include "shake.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- a model under construction --------------------------------------- */

static void find_sets(kit *k)
{
  assert_true(model_check(k->m, k->diags));
  k->access = access_create(k->m);
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

static edge *add_edge(kit *k, process_type *p, uint32_t from, uint32_t to)
{
  return model_add_edge(k->m, p, from, to, NO_SPAN);
}

static var *add_global(kit *k, const char *name, type_kind kind)
{
  return model_add_global(k->m, name_of(k->names, name), type_scalar(kind),
                          NO_SPAN);
}

static var *add_local(kit *k, process_type *p, const char *name, type_kind kind)
{
  return model_add_local(k->m, p, name_of(k->names, name), type_scalar(kind),
                         NO_SPAN);
}

static var *make_array(var *v, uint32_t length)
{
  v->length = length;
  v->flags |= VAR_ARRAY;
  return v;
}

/* A chan variable with a new channel of 'capacity' messages of one byte. */
static var *make_channel(kit *k, var *v, uint32_t capacity)
{
  v->init_channel = model_add_channel_type(k->m, v->name, capacity, NO_SPAN);
  vec_push(&v->init_channel->fields, type_scalar(TYPE_BYTE));
  return v;
}

static void assign_to(kit *k, edge *e, expr *target, expr *value)
{
  effect *f = model_add_effect(k->m, e, EFFECT_ASSIGN, NO_SPAN);
  f->target = target->ref;
  f->value = value;
}

/* Send of 'value', or receive into the variable 'value'. */
static void communicate(kit *k, edge *e, comm_kind kind, expr *channel,
                        expr *value)
{
  bool stores = kind == COMM_RECEIVE || kind == COMM_JOIN;
  comm_arg a = {stores ? ARG_STORE : ARG_VALUE, stores ? NULL : value,
                stores ? value->ref : NULL};
  e->comm = comm_new(k->m, kind, channel, NO_SPAN);
  vec_push(&e->comm->args, a);
}

/* ---- what is in a set ------------------------------------------------- */

/* Demands that the set is exactly the given text, slots in order. */
static void assert_set(kit *k, const uint64_t *set, const char *expected)
{
  text t = {0};
  for (uint32_t i = slots_next(k->access, set, 0); i != NO_SLOT;
       i = slots_next(k->access, set, i + 1)) {
    if (t.len)
      text_add_char(&t, ' ');
    slot_print(k->access, i, &t);
  }
  assert_string_equal(text_string(&t), expected);
  text_free(&t);
}

static void assert_sets(kit *k, const edge *e, const char *tests,
                        const char *reads, const char *writes)
{
  const edge_access *x = &k->access->edges[e->index];
  assert_set(k, x->tests, tests);
  assert_set(k, x->reads, reads);
  assert_set(k, x->writes, writes);
}

/* ---- sets ------------------------------------------------------------- */

static void variables(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *x = add_global(&k, "x", TYPE_BYTE), *y = add_global(&k, "y", TYPE_INT);
  process_type *p = add_process(&k, "P", 2);
  var *z = add_local(&k, p, "z", TYPE_BYTE);
  edge *e = add_edge(&k, p, 0, 1);
  e->guard = binary(&k, OP_GT, use(&k, x), number(&k, 0));
  assign_to(&k, e, use(&k, y), use(&k, z));
  edge *loop = add_edge(&k, p, 1, 1);
  assign_to(&k, loop, use(&k, z), number(&k, 0));
  find_sets(&k);
  assert_sets(&k, e, "x own:location", "own:z", "y own:location");
  assert_sets(&k, loop, "own:location", "", "own:z");
  kit_destroy(&k);
}

/* Of an array, an edge has the elements that its index can mean. */
static void indices(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *a = make_array(add_global(&k, "a", TYPE_BYTE), 4);
  var *i = add_global(&k, "i", TYPE_BYTE), *b = add_global(&k, "b", TYPE_BIT);
  var *never = add_global(&k, "never", TYPE_BYTE); /* changes */
  vec_push(&never->init, number(&k, 3));
  var *big = make_array(add_global(&k, "big", TYPE_BYTE), 100000);
  process_type *p = add_process(&k, "P", 7), *q = add_process(&k, "Q", 2);
  expr *indices[] = {number(&k, 2),
                     use(&k, b),
                     binary(&k, OP_MOD, use(&k, i), number(&k, 3)),
                     use(&k, i),
                     binary(&k, OP_PID, NULL, NULL),
                     number(&k, 7)};
  static const char *const expected[] = {
      "a[2] own:location",           "a[0] a[1] own:location",
      "a[0] a[1] a[2] own:location", "a[0] a[1] a[2] a[3] own:location",
      "a[0] own:location",           "own:location"};
  edge *edges[6];
  for (uint32_t n = 0; n < 6; n++) {
    edges[n] = add_edge(&k, p, n, n + 1);
    assign_to(&k, edges[n], use_at(&k, a, indices[n]), number(&k, 1));
  }
  edge *f = add_edge(&k, q, 0, 1);
  assign_to(&k, f, use_at(&k, big, number(&k, 9)),
            use_at(&k, a, binary(&k, OP_PID, NULL, NULL)));
  edge *g = add_edge(&k, q, 1, 0);
  assign_to(&k, g, use(&k, i), number(&k, 1));
  assign_to(&k, g, use(&k, b), use_at(&k, a, use(&k, never)));
  find_sets(&k);
  for (uint32_t n = 0; n < 6; n++)
    assert_set(&k, k.access->edges[edges[n]->index].writes, expected[n]);
  assert_sets(&k, f, "own:location", "a[1]", "big own:location");
  assert_sets(&k, g, "own:location", "a[3] never", "i b own:location");
  kit_destroy(&k);
}

/* Fields of records count in the order of declaration. */
static void records(void **unused)
{
  (void)unused;
  kit k = kit_create();
  record *r = model_add_record(k.m, "R", NO_SPAN);
  var *f = model_add_field(k.m, r, "f", type_scalar(TYPE_BYTE), NO_SPAN);
  var *g = make_array(
      model_add_field(k.m, r, "g", type_scalar(TYPE_INT), NO_SPAN), 2);
  var *x = make_array(model_add_global(k.m, "x", type_record(r), NO_SPAN), 2);
  process_type *p = add_process(&k, "P", 2);
  ref *g1 = ref_new(k.m, g, number(&k, 1), NULL, NO_SPAN);
  ref *f0 = ref_new(k.m, f, NULL, NULL, NO_SPAN);
  ref *x1g1 = ref_new(k.m, x, number(&k, 1), g1, NO_SPAN);
  ref *xif = ref_new(k.m, x, binary(&k, OP_PID, NULL, NULL), f0, NO_SPAN);
  edge *e = add_edge(&k, p, 0, 1);
  assign_to(&k, e, expr_var(k.m, x1g1, NO_SPAN), expr_var(k.m, xif, NO_SPAN));
  find_sets(&k);
  assert_sets(&k, e, "own:location", "x[0].f", "x[1].g[1] own:location");
  assert_int_equal(access_variable(k.access, x, 5, false),
                   access_variable(k.access, x, 0, false) + 5);
  kit_destroy(&k);
}

/* The own variables of two processes are two things, unless one of them looks
** at the other's. */
static void own_and_remote(void **unused)
{
  (void)unused;
  kit k = kit_create();
  process_type *p = add_process(&k, "P", 3), *q = add_process(&k, "Q", 3);
  vec_push(&k.m->initial, p);
  var *x = add_local(&k, p, "x", TYPE_BYTE);
  edge *e = add_edge(&k, p, 0, 0);
  assign_to(&k, e, use(&k, x), number(&k, 1));
  edge *f = add_edge(&k, q, 0, 0);
  f->guard = binary(&k, OP_REMOTE, number(&k, 0), NULL);
  f->guard->ref = use(&k, x)->ref;
  f->guard->process = p;
  edge *g = add_edge(&k, q, 1, 1);
  g->guard = binary(&k, OP_AT, number(&k, 0), NULL);
  g->guard->process = p;
  edge *move = add_edge(&k, p, 1, 2);
  find_sets(&k);
  assert_sets(&k, f, "processes own:location P:x", "", "");
  assert_sets(&k, g, "processes own:location P:location", "", "");
  assert_false(access_depends(k.access, e, e));
  assert_true(access_depends(k.access, e, f));
  assert_true(access_depends(k.access, f, e));
  assert_false(access_depends(k.access, e, g));
  assert_true(access_depends(k.access, move, g));
  assert_false(access_depends(k.access, move, f));
  kit_destroy(&k);
}

/* A send and a receive on a queue matter to each other only when it is empty
** or full; what else looks at the queue, always. */
static void queues(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *c = make_channel(&k, add_global(&k, "c", TYPE_CHAN), 2);
  var *x = add_global(&k, "x", TYPE_BYTE);
  process_type *p = add_process(&k, "P", 2), *q = add_process(&k, "Q", 4);
  edge *send = add_edge(&k, p, 0, 1);
  communicate(&k, send, COMM_SEND, use(&k, c), number(&k, 3));
  edge *take = add_edge(&k, q, 0, 1);
  communicate(&k, take, COMM_RECEIVE, use(&k, c), use(&k, x));
  edge *full = add_edge(&k, q, 2, 3);
  full->guard = binary(&k, OP_FULL, use(&k, c), NULL);
  edge *otherwise = add_edge(&k, q, 0, 3);
  otherwise->flags |= EDGE_ELSE;
  find_sets(&k);
  assert_sets(&k, send, "c c#1 length own:location", "",
              "c#1 length c#1 messages own:location");
  assert_sets(&k, take, "c c#1 length own:location", "c#1 messages",
              "x c#1 length c#1 messages own:location");
  assert_sets(&k, otherwise, "c c#1 length own:location", "", "own:location");
  assert_true(access_depends(k.access, send, take));
  assert_false(access_disturbs(k.access, send, take));
  assert_false(access_disturbs(k.access, take, send));
  assert_true(access_disturbs(k.access, send, send));
  assert_true(access_disturbs(k.access, send, full));
  assert_true(access_disturbs(k.access, send, otherwise));
  assert_true(access_disturbs(k.access, otherwise, send));
  kit_destroy(&k);
}

/* Parameters mean the channels they are given, elements of fixed arrays just
** themselves; what is assigned from a byte may be any channel. */
static void channels_flow(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *c = make_channel(&k, make_array(add_global(&k, "c", TYPE_CHAN), 3), 1);
  var *d = make_channel(&k, add_global(&k, "d", TYPE_CHAN), 1);
  var *any = add_global(&k, "any", TYPE_CHAN);
  var *x = add_global(&k, "x", TYPE_BYTE);
  process_type *p = add_process(&k, "P", 4), *q = add_process(&k, "Q", 3);
  var *in = add_local(&k, q, "in", TYPE_CHAN);
  in->flags |= VAR_PARAM;
  q->parameters = 1;
  edge *start = add_edge(&k, p, 0, 1);
  run *r = run_new(k.m, q);
  vec_push(&r->args, use_at(&k, c, number(&k, 1)));
  effect *f = model_add_effect(k.m, start, EFFECT_EVAL, NO_SPAN);
  f->value = expr_new(k.m, OP_RUN, NULL, NULL, NULL, NO_SPAN);
  f->value->run = r;
  edge *rest[3];
  for (uint32_t i = 0; i < 3; i++)
    rest[i] = add_edge(&k, i == 1 ? q : p, i, i + 1);
  communicate(&k, rest[0], COMM_SEND, use(&k, d), number(&k, 1));
  communicate(&k, rest[1], COMM_SEND, use(&k, in), number(&k, 1));
  communicate(&k, rest[2], COMM_SEND, use(&k, any), number(&k, 1));
  assign_to(&k, rest[2], use(&k, any), use(&k, x));
  find_sets(&k);
  assert_sets(&k, start, "own:location", "processes c[1]",
              "processes own:location");
  assert_set(&k, k.access->edges[rest[0]->index].writes,
             "d#4 length d#4 messages own:location");
  assert_set(&k, k.access->edges[rest[1]->index].writes,
             "c#2 length c#2 messages own:location");
  assert_set(&k, k.access->edges[rest[2]->index].writes,
             "any c#1 length c#1 messages c#2 length c#2 messages "
             "c#3 length c#3 messages d#4 length d#4 messages own:location");
  kit_destroy(&k);
}

/* timeout asks for all that decides about any edge. */
static void timeout_asks(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *x = add_global(&k, "x", TYPE_BYTE), *y = add_global(&k, "y", TYPE_BYTE);
  process_type *p = add_process(&k, "P", 2), *q = add_process(&k, "Q", 2);
  var *z = add_local(&k, q, "z", TYPE_BYTE);
  edge *e = add_edge(&k, p, 0, 1);
  e->guard = binary(&k, OP_TIMEOUT, NULL, NULL);
  edge *f = add_edge(&k, q, 0, 1);
  f->guard = binary(&k, OP_AND, use(&k, x), use(&k, z));
  assign_to(&k, f, use(&k, x), use(&k, y));
  find_sets(&k);
  assert_sets(&k, e, "processes x own:location P:location Q:location Q:z", "",
              "own:location");
  assert_true(access_depends(k.access, e, f));
  kit_destroy(&k);
}

/* ---- shaking ---------------------------------------------------------- */

/* Most edges that only hand-made models have: parallel effects, guards and
** effects with a rendezvous, multicast, committed locations. */
static void build_zoo(kit *k)
{
  var *x = add_global(k, "x", TYPE_BYTE), *y = add_global(k, "y", TYPE_BYTE);
  var *a = make_array(add_global(k, "a", TYPE_BIT), 3);
  var *meet = make_channel(k, add_global(k, "meet", TYPE_CHAN), 0);
  var *queue = make_channel(k, add_global(k, "queue", TYPE_CHAN), 2);
  process_type *p = add_process(k, "P", 5), *q = add_process(k, "Q", 5);
  vec_push(&k->m->initial, q);
  var *z = add_local(k, q, "z", TYPE_BYTE);
  p->locations.data[2].flags |= LOC_COMMITTED;
  edge *e = add_edge(k, p, 0, 1);
  communicate(k, e, COMM_SEND, use(k, meet), use(k, x));
  assign_to(k, e, use(k, x), binary(k, OP_ADD, use(k, x), number(k, 1)));
  e = add_edge(k, p, 0, 2);
  e->flags |= EDGE_ELSE;
  e = add_edge(k, p, 1, 2);
  communicate(k, e, COMM_MULTICAST, number(k, 7), use(k, y));
  e = add_edge(k, p, 2, 3);
  communicate(k, e, COMM_SEND, use(k, queue), use(k, x));
  e = add_edge(k, p, 3, 0);
  e->flags |= EDGE_PARALLEL;
  assign_to(k, e, use(k, x), use(k, y));
  assign_to(k, e, use(k, y), use(k, x));
  e = add_edge(k, q, 0, 1);
  e->guard = binary(k, OP_LT, use(k, x), number(k, 5));
  communicate(k, e, COMM_RECEIVE, use(k, meet), use(k, z));
  e = add_edge(k, q, 0, 2);
  communicate(k, e, COMM_JOIN, number(k, 7), use(k, z));
  e = add_edge(k, q, 1, 0);
  communicate(k, e, COMM_RECEIVE, use(k, queue), use(k, z));
  e = add_edge(k, q, 1, 2);
  e->rank = 1;
  e->guard = binary(k, OP_EQ, use(k, y), number(k, 1));
  e = add_edge(k, q, 2, 0);
  expr *pid = binary(k, OP_PID, NULL, NULL);
  assign_to(k, e, use_at(k, a, pid), use(k, z));
  assign_to(k, e, use(k, y),
            use_at(k, a, binary(k, OP_BITAND, use(k, z), pid)));
}

static shake *shake_kit(kit *k, uint32_t states)
{
  assert_true(model_check(k->m, k->diags));
  shake *s = shake_create(k->m, k->diags, states);
  assert_non_null(s->program);
  return s;
}

static void zoo(void **unused)
{
  (void)unused;
  kit k = kit_create();
  build_zoo(&k);
  shake *s = shake_kit(&k, 1000);
  shake_run(s);
  assert_string_equal(text_string(&s->report), "");
  assert_int_equal(s->failures, 0);
  assert_true(s->checked > 10000);
  shake_destroy(s);
  kit_destroy(&k);
}

/* All processes move at once, and each reads the state before. */
static void synchronous(void **unused)
{
  (void)unused;
  kit k = kit_create();
  k.m->flags |= MODEL_SYNCHRONOUS;
  var *v[3];
  for (int i = 0; i < 3; i++)
    v[i] = add_global(&k, (const char *[]){"x", "y", "z"}[i], TYPE_BYTE);
  vec_push(&v[0]->init, number(&k, 1));
  add_global(&k, "unread", TYPE_BYTE);
  for (int i = 0; i < 3; i++) {
    process_type *p = add_process(&k, (const char *[]){"P", "Q", "R"}[i], 2);
    edge *e = add_edge(&k, p, 0, 1);
    assign_to(&k, e, use(&k, v[i]), use(&k, v[(i + 1) % 3]));
    e = add_edge(&k, p, 1, 0);
    e->guard = binary(&k, OP_LT, use(&k, v[i]), number(&k, 3));
    e = add_edge(&k, p, 1, 0);
    e->flags |= EDGE_ELSE;
    assign_to(&k, e, use(&k, v[i]), number(&k, 0));
  }
  shake *s = shake_kit(&k, 200);
  shake_run(s);
  assert_string_equal(text_string(&s->report), "");
  assert_true(s->checked > 0);
  shake_destroy(s);
  kit_destroy(&k);
}

/* Whether shaking notices that one slot is missing in a set.  Which processes
** there are is never changed, so that slot is not asked for. */
static bool is_noticed(shake *s, uint64_t *set, uint32_t slot)
{
  set[slot / 64] ^= UINT64_C(1) << slot % 64;
  shake_reset(s);
  shake_run(s);
  set[slot / 64] ^= UINT64_C(1) << slot % 64;
  return s->failures > 0;
}

/* The test of the test: in a model whose sets have nothing superfluous, every
** slot that is taken out of a set is missed. */
static void every_lie_is_noticed(void **unused)
{
  (void)unused;
  kit k = kit_create();
  var *x = add_global(&k, "x", TYPE_BIT), *y = add_global(&k, "y", TYPE_BYTE);
  var *c = make_channel(&k, add_global(&k, "c", TYPE_CHAN), 2);
  process_type *p = add_process(&k, "P", 2), *q = add_process(&k, "Q", 2);
  var *z = add_local(&k, p, "z", TYPE_BYTE);
  edge *e = add_edge(&k, p, 0, 1);
  e->guard = binary(&k, OP_EQ, use(&k, x), number(&k, 0));
  communicate(&k, e, COMM_SEND, use(&k, c), use(&k, z));
  e = add_edge(&k, p, 1, 0);
  assign_to(&k, e, use(&k, z), binary(&k, OP_ADD, use(&k, z), number(&k, 1)));
  e = add_edge(&k, q, 0, 1);
  communicate(&k, e, COMM_RECEIVE, use(&k, c), use(&k, y));
  e = add_edge(&k, q, 1, 0);
  assign_to(&k, e, use(&k, x), binary(&k, OP_EQ, use(&k, y), number(&k, 1)));
  shake *s = shake_kit(&k, 100);
  for (size_t i = 0; i < k.m->edges.len; i++) {
    const edge_access *a = &s->access->edges[i];
    uint64_t *sets[] = {a->tests, a->reads, a->writes};
    for (int n = 0; n < 3; n++)
      for (uint32_t slot = slots_next(s->access, sets[n], 0); slot != NO_SLOT;
           slot = slots_next(s->access, sets[n], slot + 1)) {
        if (!is_noticed(s, sets[n], slot)) {
          print_message("edge %zu, set %d, slot %u\n", i, n, slot);
          fail();
        }
      }
  }
  shake_reset(s);
  shake_run(s);
  assert_int_equal(s->failures, 0);
  shake_destroy(s);
  kit_destroy(&k);
}

/* ---- models of files --------------------------------------------------- */

/* Shakes one model; prints its line. */
static bool shake_file(const char *path, uint32_t states, int line)
{
  kit k;
  bool good = false;
  if (kit_load(&k, path)) {
    shake *s = shake_create(k.m, k.diags, states);
    if (s->program)
      shake_run(s);
    good = s->program && !s->failures;
    printf("%s %d - %s: %llu steps and %llu pairs in %llu states\n",
           good ? "ok" : "not ok", line, path, (unsigned long long)s->checked,
           (unsigned long long)s->ordered, (unsigned long long)s->shaken);
    print_indented(text_string(&s->report));
    shake_destroy(s);
  } else {
    printf("not ok %d - %s\n", line, path);
  }
  fflush(stdout);
  kit_destroy(&k);
  return good;
}

static int shake_files(uint32_t states, int count, char **paths)
{
  int failed = 0;
  for (int i = 0; i < count; i++)
    failed += !shake_file(paths[i], states, i + 1);
  printf("%d passed, %d failed\n", count - failed, failed);
  return failed > 0;
}

static int print_file(const char *path)
{
  kit k;
  text t = {0};
  if (kit_load(&k, path)) {
    k.access = access_create(k.m);
    for (size_t i = 0; i < k.m->edges.len; i++)
      access_print_edge(k.access, k.m->edges.data[i], &t);
    fputs(text_string(&t), stdout);
  }
  text_free(&t);
  kit_destroy(&k);
  return 0;
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      UNIT(variables),           UNIT(indices), UNIT(records),
      UNIT(own_and_remote),      UNIT(queues),  UNIT(channels_flow),
      UNIT(timeout_asks),        UNIT(zoo),     UNIT(synchronous),
      UNIT(every_lie_is_noticed)};
  if (argc > 3 && strcmp(argv[1], "--models") == 0)
    return shake_files((uint32_t)strtoul(argv[2], NULL, 10), argc - 3,
                       argv + 3);
  if (argc == 3 && strcmp(argv[1], "--print") == 0)
    return print_file(argv[2]);
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
