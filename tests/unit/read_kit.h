/* What the tests of front ends share: everything that is needed to read a
** model, made and given back, and files that are damaged by chance. */

#ifndef NUT_UNIT_READ_KIT_H
#define NUT_UNIT_READ_KIT_H

#include "unit.h"

#include "base/random.h"
#include "model/model.h"

typedef struct fixture {
  arena *arena;
  names *names;
  sources *sources;
  diags *diags;
  model *model;
} fixture;

static void begin(fixture *f)
{
  *f = (fixture){.arena = arena_create(), .names = names_create()};
  f->sources = sources_create();
  f->diags = diags_create(f->sources);
}

static void end(fixture *f)
{
  model_destroy(f->model);
  diags_destroy(f->diags);
  sources_destroy(f->sources);
  names_destroy(f->names);
  arena_destroy(f->arena);
}

/* For unit_fail_each. */
static void *fresh(void)
{
  fixture *f = mem_alloc(sizeof *f);
  begin(f);
  return f;
}

static void drop(void *context)
{
  end(context);
  mem_free(context, sizeof(fixture));
}

/* Some bytes of 'from' changed to others of its own, and some lost: 'n' are
** left in 'bytes', which has room for all. */
static inline size_t damage(random_state *r, const char *from, char *bytes)
{
  size_t all = strlen(from);
  memcpy(bytes, from, all);
  for (int k = 0; k < 3; k++)
    bytes[random_below(r, all)] = from[random_below(r, all)];
  return random_below(r, 4) ? all : random_below(r, all);
}

/* Files with bytes changed or lost are read or refused, and no more. */
static inline void read_damaged(const char *const *texts, size_t count,
                                int rounds, uint64_t seed,
                                void (*read)(fixture *, const char *, size_t))
{
  random_state r;
  random_seed(&r, seed);
  for (int round = 0; round < rounds; round++) {
    char bytes[2048];
    const char *from = texts[(size_t)round % count];
    assert_true(strlen(from) < sizeof bytes);
    size_t n = damage(&r, from, bytes);
    fixture f;
    begin(&f);
    read(&f, bytes, n);
    assert_int_equal(f.model != NULL, diags_errors(f.diags) == 0);
    end(&f);
  }
}

#endif
