/* A model made by hand, and what it takes to run it: for tests of whatever
** works on models.  All zero but what 'kit_create' makes; 'kit_destroy' gives
** back what there is. */

#ifndef NUT_TESTS_MODEL_KIT_H
#define NUT_TESTS_MODEL_KIT_H

#include "unit.h"

#include "model/access/access.h"
#include "program/native/native.h"

static const model_language language_of_tests = {.name = "test"};

typedef struct kit {
  arena *arena;
  names *names;
  sources *sources;
  diags *diags;
  model *m;
  access_sets *access;
  program *program;
  worker *worker;
  batch batch, next;
  uint64_t digest; /* of all answers */
  engine_figures figures;
} kit;

/* Without a model, for one that is read. */
static inline kit kit_for_reading(void)
{
  kit k = {.arena = arena_create(), .names = names_create()};
  k.sources = sources_create();
  k.diags = diags_create(k.sources);
  return k;
}

static inline kit kit_create(void)
{
  kit k = kit_for_reading();
  k.m = model_create(k.arena, k.names, k.sources, &language_of_tests);
  return k;
}

static inline void kit_finish(kit *k)
{
  assert_true(model_check(k->m, k->diags));
  k->program = program_create(k->m, NULL, k->diags);
  assert_non_null(k->program);
}

static inline void kit_destroy(kit *k)
{
  batch_free(&k->batch);
  batch_free(&k->next);
  worker_destroy(k->worker);
  program_destroy(k->program);
  access_destroy(k->access);
  model_destroy(k->m);
  diags_destroy(k->diags);
  sources_destroy(k->sources);
  names_destroy(k->names);
  arena_destroy(k->arena);
}

/* ---- parts ------------------------------------------------------------- */

static inline expr *use_at(kit *k, var *v, expr *index)
{
  return expr_var(k->m, ref_new(k->m, v, index, NULL, NO_SPAN), NO_SPAN);
}

static inline expr *use(kit *k, var *v)
{
  return use_at(k, v, NULL);
}

static inline expr *number(kit *k, int32_t value)
{
  return expr_const(k->m, value, NO_SPAN);
}

static inline expr *binary(kit *k, op o, expr *a, expr *b)
{
  return expr_new(k->m, o, a, b, NULL, NO_SPAN);
}

static inline void assign_at(kit *k, edge *e, var *v, expr *index, expr *value)
{
  effect *f = model_add_effect(k->m, e, EFFECT_ASSIGN, NO_SPAN);
  f->target = ref_new(k->m, v, index, NULL, NO_SPAN);
  f->value = value;
}

static inline void assign(kit *k, edge *e, var *v, expr *value)
{
  assign_at(k, e, v, NULL, value);
}

#endif
