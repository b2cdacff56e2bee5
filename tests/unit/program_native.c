/* Native code as an engine: taken over, given up, damaged, without a compiler;
** and models that no language of ours can write yet, against the
** interpreter. */

#include "load_kit.h"

#include "base/hash.h"
#include "program/native/native_internal.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- a model and its engine ------------------------------------------- */

static char folder[200]; /* of compiled models */

static int make_folder_for_all(void **unused)
{
  (void)unused;
  snprintf(folder, sizeof folder, "/tmp/nutshell-test-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

/* Calls 'act' for the complete files of the folder; returns their number. */
static size_t each_file(void (*act)(int folder_file, const char *name))
{
  size_t n = 0;
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d));)
    if (e->d_name[0] != '.') {
      act(dirfd(d), e->d_name);
      n++;
    }
  if (d)
    closedir(d);
  return n;
}

static void remove_file(int at, const char *name)
{
  unlinkat(at, name, 0);
}

static int remove_folder(void **unused)
{
  (void)unused;
  each_file(remove_file);
  rmdir(folder);
  return 0;
}

static kit *kit_new(void)
{
  kit *k = mem_alloc(sizeof *k);
  *k = kit_create();
  return k;
}

static void kit_delete(kit *k)
{
  kit_destroy(k);
  mem_free(k, sizeof *k);
}

static void kit_engine(kit *k, nut_engine kind, bool check)
{
  engine_options o = {.kind = kind, .check = check, .folder = folder};
  program_set_engine(k->program, &o);
  k->worker = worker_create(k->program);
}

static void kit_start(kit *k, nut_engine kind, bool check)
{
  kit_finish(k);
  kit_engine(k, kind, check);
}

/* Goes on from state to state by a fixed but arbitrary choice, and digests
** every answer on the way. */
static void wander(kit *k, size_t steps)
{
  uint8_t state[4096];
  uint32_t length = 0;
  for (size_t i = 0; i < steps; i++) {
    batch *b = &k->batch;
    if (i == 0 || !b->list.len)
      program_initial(k->worker, b);
    for (size_t j = 0; j < b->list.len; j++) {
      const successor *s = &b->list.data[j];
      k->digest = hash_mix(k->digest + s->changed + s->edge * 7 + s->process +
                           hash_bytes(b->bytes.data + s->start, s->length));
    }
    const successor *s = &b->list.data[(k->digest >> 17) % b->list.len];
    length = s->length;
    assert_true(length <= sizeof state);
    memcpy(state, b->bytes.data + s->start, length);
    program_successors(k->worker, state, length, b);
    k->digest = hash_mix(k->digest + b->blocked + 2 * b->faults.len);
  }
  worker_engine_figures(k->worker, &k->figures);
}

/* ---- models ----------------------------------------------------------- */

static var *global(kit *k, const char *name, type t, uint32_t length)
{
  var *v = model_add_global(k->m, name_of(k->names, name), t, NO_SPAN);
  v->length = length;
  if (length > 1)
    v->flags |= VAR_ARRAY;
  return v;
}

static process_type *process(kit *k, const char *name, uint32_t locations)
{
  process_type *p =
      model_add_process(k->m, name_of(k->names, name), PROCESS_NORMAL, NO_SPAN);
  for (uint32_t i = 0; i < locations; i++)
    model_add_location(k->m, p, LOC_END, (int32_t)i, NO_SPAN);
  vec_push(&k->m->initial, p);
  return p;
}

/* One process that counts up to 'limit' and begins again. */
static kit *counter(int32_t limit)
{
  kit *k = kit_new();
  process_type *p = process(k, "counter", 1);
  var *x = global(k, "x", type_scalar(TYPE_INT), 1);
  edge *up = model_add_edge(k->m, p, 0, 0, NO_SPAN);
  edge *reset = model_add_edge(k->m, p, 0, 0, NO_SPAN);
  up->guard = binary(k, OP_LT, use_at(k, x, NULL), number(k, limit));
  assign_at(k, up, x, NULL,
            binary(k, OP_ADD, use_at(k, x, NULL), number(k, 1)));
  reset->guard = binary(k, OP_EQ, use_at(k, x, NULL), number(k, limit));
  assign_at(k, reset, x, NULL, number(k, 0));
  return k;
}

/* Every kind of variable, alone and in arrays long enough for several slices,
** each changed by an edge of its own. */
static kit *all_kinds(void)
{
  const type types[] = {
      type_scalar(TYPE_BIT),   type_scalar(TYPE_BYTE), type_scalar(TYPE_SHORT),
      type_scalar(TYPE_INT),   type_unsigned(5),       type_unsigned(12),
      type_unsigned(29),       type_range(-3, 200),    type_range(-300, 700),
      type_range(-70000, 700), type_unsigned(32)};
  enum { KINDS = sizeof types / sizeof *types, LENGTH = 7 };
  kit *k = kit_new();
  process_type *p = process(k, "p", 1);
  var *i = global(k, "i", type_scalar(TYPE_BYTE), 1);
  for (size_t t = 0; t < KINDS; t++) {
    char name[20];
    snprintf(name, sizeof name, "v%zu", t);
    var *v = global(k, name, types[t], LENGTH);
    edge *e = model_add_edge(k->m, p, 0, 0, NO_SPAN);
    expr *next_value = binary(
        k, OP_ADD,
        binary(k, OP_MUL, use_at(k, v, use_at(k, i, NULL)), number(k, 3)),
        number(k, (int32_t)t + 1));
    if (types[t].kind == TYPE_RANGE) /* mostly within */
      next_value = binary(k, OP_MOD, next_value, number(k, 211));
    assign_at(k, e, v, use_at(k, i, NULL), next_value);
    assign_at(
        k, e, v, number(k, 6),
        binary(k, OP_SHR, use_at(k, v, use_at(k, i, NULL)), number(k, 1)));
  }
  edge *next = model_add_edge(k->m, p, 0, 0, NO_SPAN);
  assign_at(k, next, i, NULL,
            binary(k, OP_MOD,
                   binary(k, OP_ADD, use_at(k, i, NULL), number(k, 1)),
                   number(k, LENGTH)));
  return k;
}

/* Effects at once, of processes some of which are committed; and a rendezvous
** with a guard and effects on both sides. */
static kit *at_once(void)
{
  kit *k = kit_new();
  channel_type *c = model_add_channel_type(k->m, "c", 0, NO_SPAN);
  vec_push(&c->fields, type_scalar(TYPE_BYTE));
  vec_push(&k->m->initial_channels, c);
  process_type *a = process(k, "a", 2), *b = process(k, "b", 2);
  var *x = global(k, "x", type_scalar(TYPE_BYTE), 1);
  var *y = global(k, "y", type_scalar(TYPE_BYTE), 1);
  edge *swap = model_add_edge(k->m, a, 0, 1, NO_SPAN);
  swap->flags |= EDGE_PARALLEL;
  assign_at(k, swap, x, NULL, use_at(k, y, NULL));
  assign_at(k, swap, y, NULL,
            binary(k, OP_ADD, use_at(k, x, NULL), number(k, 1)));
  a->locations.data[1].flags |= LOC_COMMITTED;
  k->m->flags |= MODEL_HAS_COMMITTED;
  edge *own = model_add_edge(k->m, a, 1, 0, NO_SPAN);
  assign_at(k, own, x, NULL,
            binary(k, OP_ADD, use_at(k, x, NULL), number(k, 2)));
  edge *send = model_add_edge(k->m, a, 0, 0, NO_SPAN);
  send->comm = comm_new(k->m, COMM_SEND, number(k, 1), NO_SPAN);
  vec_push(&send->comm->args,
           ((comm_arg){ARG_VALUE, use_at(k, x, NULL), NULL}));
  assign_at(k, send, x, NULL,
            binary(k, OP_ADD, use_at(k, y, NULL), number(k, 1)));
  edge *get = model_add_edge(k->m, b, 0, 1, NO_SPAN);
  get->comm = comm_new(k->m, COMM_RECEIVE, number(k, 1), NO_SPAN);
  get->guard = binary(k, OP_LT, use_at(k, y, NULL), number(k, 100));
  vec_push(
      &get->comm->args,
      ((comm_arg){ARG_STORE, NULL, ref_new(k->m, y, NULL, NULL, NO_SPAN)}));
  assign_at(k, get, y, NULL,
            binary(k, OP_ADD, use_at(k, x, NULL), use_at(k, y, NULL)));
  edge *back = model_add_edge(k->m, b, 1, 0, NO_SPAN);
  assign_at(k, back, y, NULL, number(k, 5));
  return k;
}

/* More edges than go into one function: many at one location, without and with
** an else, one each at many locations, and a rendezvous that many of them take
** part in. */
static kit *many_edges(void)
{
  enum { EDGES = 700 };
  kit *k = kit_new();
  channel_type *c = model_add_channel_type(k->m, "c", 0, NO_SPAN);
  vec_push(&c->fields, type_scalar(TYPE_BYTE));
  vec_push(&k->m->initial_channels, c);
  process_type *one = process(k, "one", 2), *many = process(k, "many", EDGES);
  var *x = global(k, "x", type_scalar(TYPE_BYTE), 1);
  var *y = global(k, "y", type_scalar(TYPE_SHORT), 1);
  for (int32_t i = 0; i < EDGES; i++) {
    edge *e = model_add_edge(k->m, one, i % 2, i % 5 == 0 ? 1 - i % 2 : i % 2,
                             NO_SPAN);
    e->guard = binary(k, OP_EQ, use_at(k, x, NULL), number(k, i % 251));
    assign_at(k, e, x, NULL,
              binary(k, OP_ADD, use_at(k, x, NULL), number(k, i)));
    edge *move = model_add_edge(k->m, many, (uint32_t)i,
                                (uint32_t)(i + 1) % EDGES, NO_SPAN);
    assign_at(k, move, y, NULL, number(k, i));
    if (i % 3)
      continue;
    edge *send = model_add_edge(k->m, one, 0, 0, NO_SPAN);
    send->comm = comm_new(k->m, COMM_SEND, number(k, 1), NO_SPAN);
    vec_push(&send->comm->args, ((comm_arg){ARG_VALUE, number(k, i), NULL}));
    edge *get =
        model_add_edge(k->m, many, (uint32_t)i, (uint32_t)i / 2, NO_SPAN);
    get->comm = comm_new(k->m, COMM_RECEIVE, number(k, 1), NO_SPAN);
    vec_push(
        &get->comm->args,
        ((comm_arg){ARG_STORE, NULL, ref_new(k->m, x, NULL, NULL, NO_SPAN)}));
  }
  edge *other = model_add_edge(k->m, one, 1, 0, NO_SPAN);
  other->flags |= EDGE_ELSE;
  assign_at(k, other, x, NULL, number(k, 1));
  return k;
}

/* ---- tests ------------------------------------------------------------ */

static void same_as_interpreter(kit *(*make)(void), bool gives_back)
{
  kit *k = make(), *plain = make();
  kit_start(k, NUT_ENGINE_NATIVE, true);
  wander(k, 20000);
  assert_null(program_engine_note(k->program));
  assert_string_equal(program_engine(k->program), "native");
  if (program_engine_error(k->program))
    fail_msg("%s", program_engine_error(k->program));
  assert_int_equal(k->figures.native + k->figures.given_back, 20000);
  assert_true(k->figures.native > 1000);
  assert_int_equal(k->figures.given_back > 0, gives_back);
  /* Also without comparing, when native code's own answers are given. */
  kit *alone = make();
  kit_start(alone, NUT_ENGINE_NATIVE, false);
  wander(alone, 20000);
  kit_start(plain, NUT_ENGINE_INTERPRETED, false);
  wander(plain, 20000);
  assert_true(alone->digest == plain->digest);
  assert_true(k->digest == plain->digest);
  kit_delete(k);
  kit_delete(alone);
  kit_delete(plain);
}

/* Subranges overflow: such states are given back. */
static void kinds_of_variables(void **unused)
{
  (void)unused;
  same_as_interpreter(all_kinds, true);
}

static void steps_of_several(void **unused)
{
  (void)unused;
  same_as_interpreter(at_once, false);
}

static void large_types(void **unused)
{
  (void)unused;
  same_as_interpreter(many_edges, false);
}

/* In a longer text less is inlined. */
static void levels(void **unused)
{
  (void)unused;
  assert_string_equal(compiler_level(0)[1], "-UNUT_LARGE");
  assert_string_equal(compiler_level(256 << 10)[1], "-UNUT_LARGE");
  assert_string_equal(compiler_level((256 << 10) + 1)[1], "-DNUT_LARGE");
  assert_string_equal(compiler_level(SIZE_MAX)[1], "-DNUT_LARGE");
}

/* Small runs never look for code; longer ones take it over on the way. */
static void taken_over(void **unused)
{
  (void)unused;
  each_file(remove_file);
  kit *k = counter(50);
  kit_start(k, NUT_ENGINE_AUTO, false);
  wander(k, 1000);
  assert_int_equal(each_file(remove_file), 0);
  assert_string_equal(program_engine(k->program), "interpreted");
  wander(k, 30000); /* starts the compiler */
  while (!strcmp(program_engine(k->program), "interpreted") &&
         !program_engine_note(k->program))
    usleep(50000);
  assert_string_equal(program_engine(k->program), "native");
  uint64_t before = k->figures.native;
  wander(k, 1000);
  assert_int_equal(k->figures.native, before + 1000);
  kit_delete(k);
  /* The next run finds it in the cache, without a compiler. */
  k = counter(50);
  kit_start(k, NUT_ENGINE_AUTO, false);
  wander(k, 3000);
  assert_true(k->figures.native > 0);
  kit_delete(k);
}

static void damage(int at_folder, const char *name)
{
  int file = openat(at_folder, name, O_RDWR);
  char byte;
  assert_int_equal(pread(file, &byte, 1, 1000), 1);
  byte ^= 1;
  assert_int_equal(pwrite(file, &byte, 1, 1000), 1);
  close(file);
}

static void damaged_cache(void **unused)
{
  (void)unused;
  each_file(remove_file);
  for (int round = 0; round < 2; round++) {
    kit *k = counter(60);
    kit_start(k, NUT_ENGINE_NATIVE, true);
    wander(k, 200);
    assert_int_equal(k->figures.native, 200);
    kit_delete(k);
    assert_int_equal(each_file(damage), 1);
  }
  each_file(remove_file);
}

static void expect_note(const char *start)
{
  kit *k = counter(70);
  kit_start(k, NUT_ENGINE_NATIVE, false);
  wander(k, 100);
  assert_string_equal(program_engine(k->program), "interpreted");
  assert_non_null(program_engine_note(k->program));
  assert_memory_equal(program_engine_note(k->program), start, strlen(start));
  assert_int_equal(k->figures.interpreted, 100);
  kit_delete(k);
}

/* Whatever is wrong with the compiler, the interpreter goes on. */
static void no_compiler(void **unused)
{
  (void)unused;
  char path[4000];
  snprintf(path, sizeof path, "%s", getenv("PATH") ? getenv("PATH") : "");
  setenv("CC", "false", 1);
  expect_note("the C compiler failed");
  unsetenv("CC");
  setenv("PATH", "/nowhere", 1);
  expect_note("there is no C compiler");
  setenv("PATH", path, 1);
  assert_int_equal(each_file(remove_file), 0);
}

/* A program that is destroyed does not wait for its compiler. */
static void cancelled(void **unused)
{
  (void)unused;
  kit *k = counter(80);
  kit_start(k, NUT_ENGINE_AUTO, false);
  wander(k, 20001);
  kit_delete(k);
  kit *other = counter(80);
  kit_start(other, NUT_ENGINE_AUTO, false);
  wander(other, 20001);
  usleep(20000);
  kit_delete(other);
  each_file(remove_file);
}

static void recorded_steps(void **unused)
{
  (void)unused;
  kit *k = counter(50);
  kit_start(k, NUT_ENGINE_NATIVE, false);
  k->batch.record = true;
  wander(k, 10);
  assert_int_equal(k->figures.native, 0);
  assert_int_equal(k->batch.steps.len, 1);
  kit_delete(k);
}

/* Native code does all by itself in a model with sends inside d_steps. */
static void sends_in_d_steps(void **unused)
{
  (void)unused;
  kit *k = mem_alloc(sizeof *k);
  assert_true(kit_load(k, NUT_SOURCE_ROOT "/tests/promela/dstep_channels.pml"));
  kit_start(k, NUT_ENGINE_NATIVE, false);
  wander(k, 500);
  assert_int_equal(k->figures.native, 500);
  assert_int_equal(k->figures.interpreted, 0);
  kit_delete(k);
}

/* ---- memory ----------------------------------------------------------- */

/* A worker that fills many batches in turn does not want more each time. */
static void many_batches(void **unused)
{
  enum { BATCHES = 80 };
  static batch batches[BATCHES];
  (void)unused;
  kit *k = counter(50);
  kit_start(k, NUT_ENGINE_NATIVE, false);
  program_initial(k->worker, &k->batch);
  const successor *s = &k->batch.list.data[0];
  for (int i = 0; i < BATCHES; i++) {
    program_successors(k->worker, k->batch.bytes.data + s->start, s->length,
                       &batches[i]);
    assert_int_equal(batches[i].list.len, batches[0].list.len);
  }
  for (int i = 0; i < BATCHES; i++)
    batch_free(&batches[i]);
  kit_delete(k);
}

static void *context_create(void)
{
  kit *k = counter(50);
  assert_true(model_check(k->m, k->diags));
  k->program = program_create(k->m, NULL, k->diags);
  return k;
}

static void context_work(void *context)
{
  kit *k = context;
  kit_engine(k, NUT_ENGINE_NATIVE, false);
  wander(k, 50);
}

static void context_destroy(void *context)
{
  kit_delete(context);
}

/* Memory that runs out anywhere leaves nothing behind. */
static void out_of_memory(void **unused)
{
  (void)unused;
  kit *k = counter(50);
  kit_start(k, NUT_ENGINE_NATIVE, false); /* compiles */
  kit_delete(k);
  assert_true(unit_fail_each(context_create, context_work, context_destroy) >
              10);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      UNIT(kinds_of_variables), UNIT(steps_of_several),
      UNIT(large_types),        UNIT(levels),
      UNIT(taken_over),         UNIT(damaged_cache),
      UNIT(no_compiler),        UNIT(cancelled),
      UNIT(recorded_steps),     UNIT(sends_in_d_steps),
      UNIT(many_batches),       UNIT(out_of_memory)};
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, make_folder_for_all, remove_folder);
}
