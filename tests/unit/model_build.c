#include "unit.h"

#include "model/model.h"

static const model_language language_of_tests = {.name = "test"};

/* A model with its surroundings. */
typedef struct world {
  arena *a;
  names *n;
  sources *s;
  diags *d;
  model *m;
} world;

static void *open_world(void)
{
  world *w = mem_alloc(sizeof *w);
  w->a = arena_create();
  w->n = names_create();
  w->s = sources_create();
  w->d = diags_create(w->s);
  w->m = model_create(w->a, w->n, w->s, &language_of_tests);
  return w;
}

static void close_world(void *context)
{
  world *w = context;
  model_destroy(w->m);
  diags_destroy(w->d);
  sources_destroy(w->s);
  names_destroy(w->n);
  arena_destroy(w->a);
  mem_free(w, sizeof *w);
}

static expr *global(model *m, var *v)
{
  return expr_var(m, ref_new(m, v, NULL, NULL, NO_SPAN), NO_SPAN);
}

/* Two locations, x = x + 1 guarded by x < 3, a run, a send, and the end. */
static void fill(void *context)
{
  world *w = context;
  model *m = w->m;
  var *x = model_add_global(m, "x", type_scalar(TYPE_BYTE), NO_SPAN);
  vec_push(&x->init, expr_const(m, 1, NO_SPAN));
  var *c = model_add_global(m, "c", type_scalar(TYPE_CHAN), NO_SPAN);
  c->init_channel = model_add_channel_type(m, "c", 2, NO_SPAN);
  vec_push(&c->init_channel->fields, type_scalar(TYPE_BYTE));
  process_type *p = model_add_process(m, "P", PROCESS_NORMAL, NO_SPAN);
  uint32_t a = model_add_location(m, p, 0, 1, NO_SPAN);
  uint32_t b = model_add_location(m, p, LOC_END, 2, NO_SPAN);
  edge *die = model_add_edge(m, p, b, b, NO_SPAN);
  model_add_effect(m, die, EFFECT_DIE, NO_SPAN);
  edge *plain = model_add_edge(m, p, a, b, NO_SPAN);
  plain->comm = comm_new(m, COMM_SEND, global(m, c), NO_SPAN);
  comm_arg arg = {.kind = ARG_VALUE, .value = global(m, x)};
  vec_push(&plain->comm->args, arg);
  edge *step = model_add_edge(m, p, a, a, NO_SPAN);
  step->guard = expr_new(m, OP_LT, global(m, x), expr_const(m, 3, NO_SPAN),
                         NULL, NO_SPAN);
  step->rank = 1;
  effect *f = model_add_effect(m, step, EFFECT_ASSIGN, NO_SPAN);
  f->target = ref_new(m, x, NULL, NULL, NO_SPAN);
  f->value = expr_new(m, OP_ADD, global(m, x), expr_const(m, 1, NO_SPAN), NULL,
                      NO_SPAN);
  expr *created = expr_new(m, OP_RUN, NULL, NULL, NULL, NO_SPAN);
  created->run = run_new(m, p);
  model_add_effect(m, step, EFFECT_EVAL, NO_SPAN)->value = created;
  vec_push(&m->initial, p);
  model_check(m, w->d);
}

static void sorted_and_flagged(void **state)
{
  (void)state;
  world *w = open_world();
  fill(w);
  model *m = w->m;
  const process_type *p = m->processes.data[0];
  assert_int_equal(diags_errors(w->d), 0);
  assert_int_equal(p->locations.data[0].edge_count, 2);
  assert_int_equal(p->locations.data[1].edge_count, 1);
  /* The higher rank comes first, though it was added last. */
  assert_ptr_equal(p->order.data[p->locations.data[0].first_edge],
                   p->edges.data[2]);
  assert_ptr_equal(p->order.data[p->locations.data[1].first_edge],
                   p->edges.data[0]);
  assert_int_equal(m->flags, MODEL_HAS_RUN | MODEL_HAS_DEATH);
  close_world(w);
}

static void prints(const model *m, const expr *e, const char *expected)
{
  text out = {0};
  expr_print(m, e, &out);
  assert_string_equal(text_string(&out), expected);
  text_free(&out);
}

static void texts(void **state)
{
  (void)state;
  world *w = open_world();
  fill(w);
  model *m = w->m;
  expr *x = global(m, m->globals.data[0]);
  expr *one = expr_const(m, 1, NO_SPAN);
  expr *sum = expr_new(m, OP_ADD, x, one, NULL, NO_SPAN);
  prints(m, expr_new(m, OP_MUL, sum, x, NULL, NO_SPAN), "(x + 1) * x");
  prints(m, expr_new(m, OP_SUB, x, sum, NULL, NO_SPAN), "x - (x + 1)");
  prints(m, expr_new(m, OP_SUB, sum, x, NULL, NO_SPAN), "x + 1 - x");
  prints(m, expr_new(m, OP_NOT, sum, NULL, NULL, NO_SPAN), "!(x + 1)");
  prints(m, expr_new(m, OP_COND, x, one, sum, NO_SPAN), "(x -> 1 : x + 1)");
  prints(m, expr_new(m, OP_LEN, x, NULL, NULL, NO_SPAN), "len(x)");
  text out = {0};
  edge_print(m, m->edges.data[2], &out);
  assert_string_equal(text_string(&out), "x < 3 -> x = x + 1; run P()");
  text_clear(&out);
  edge_print(m, m->edges.data[1], &out);
  assert_string_equal(text_string(&out), "c!x");
  text_clear(&out);
  model_print(m, &out);
  assert_non_null(strstr(text_string(&out), "channel 0 c [2] of { byte }"));
  text_clear(&out);
  model_dump(m, &out);
  assert_non_null(strstr(text_string(&out), "process proctype P start 1\n"));
  text_free(&out);
  close_world(w);
}

static void too_large(void **state)
{
  (void)state;
  world *w = open_world();
  var *v = model_add_global(w->m, "huge", type_scalar(TYPE_INT), NO_SPAN);
  v->length = UINT32_MAX;
  assert_false(model_check(w->m, w->d));
  assert_int_equal(diags_errors(w->d), 1);
  close_world(w);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  assert_true(unit_fail_each(open_world, fill, close_world) > 10);
}

UNIT_MAIN(UNIT(sorted_and_flagged), UNIT(texts), UNIT(too_large),
          UNIT(every_allocation_may_fail))
