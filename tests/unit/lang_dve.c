#include "read_kit.h"

#include "lang/dve/dve.h"
#include "program/program.h"

#include <stdio.h>

static void read_bytes(fixture *f, const char *bytes, size_t n)
{
  uint32_t file = source_add(f->sources, "test.dve", bytes, n);
  f->model = dve_read(f->arena, f->names, f->sources, f->diags, file, NULL);
}

static void read_text(fixture *f, const char *content)
{
  begin(f);
  read_bytes(f, content, strlen(content));
}

static const char small[] =
    "const byte k = 2; byte x = k, a[3] = {1, k};\n"
    "channel c; channel {byte, int} d[2];\n"
    "process P { byte v; state s, t; init s; commit t; assert t: v == 1;\n"
    "  trans s -> t { guard x > 0; sync c!x + 1; effect v = 1, x = x - 1; },\n"
    "        t -> s { effect v = 0; }; }\n"
    "process Q { int w; state q; init q;\n"
    "  trans q -> q { sync c?w; }, q -> q { guard P.t or P->v; sync d!{w, 1};\n"
    "  }; }\n"
    "process Never { state n; init n; accept n; trans n -> n {}; }\n"
    "system async property Never;\n";

/* ---- what the model is -------------------------------------------------- */

static void parts(void **state)
{
  (void)state;
  fixture f;
  read_text(&f, small);
  model *m = f.model;
  assert_non_null(m);
  assert_int_equal(diags_count(f.diags), 0);
  assert_int_equal(m->globals.len, 2);
  assert_int_equal(m->initial_channels.len, 2);
  assert_int_equal(m->initial_channels.data[0]->fields.len, 1);
  assert_int_equal(m->initial_channels.data[1]->capacity, 2);
  assert_int_equal(m->processes.len, 3);
  assert_int_equal(m->initial.len, 2);
  assert_int_equal(m->processes.data[2]->kind, PROCESS_BUCHI);
  assert_int_equal(m->processes.data[2]->locations.data[0].flags, LOC_ACCEPT);
  assert_int_equal(m->processes.data[0]->locations.data[1].flags,
                   LOC_COMMITTED);
  assert_int_equal(m->properties.len, 2);
  assert_string_equal(m->properties.data[0].name, "assert P.t");
  assert_string_equal(m->properties.data[0].formula, "P.t imply (v == 1)");
  assert_string_equal(m->properties.data[1].name, "Never");
  assert_string_equal(
      m->edges.data[0]->text,
      "s -> t { guard x > 0; sync c!x + 1; effect v = 1, x = x - 1; }");
  end(&f);
}

static int32_t value_at_start(fixture *f, const char *condition)
{
  uint32_t file =
      source_add(f->sources, "condition", condition, strlen(condition));
  expr *e = dve_read_condition(f->model, f->diags, file);
  assert_non_null(e);
  program *p = program_create(f->model, NULL, f->diags);
  worker *w = worker_create(p);
  batch b = {0};
  fault_kind kind;
  program_initial(w, &b);
  int32_t value =
      program_evaluate(w, e, b.bytes.data, b.list.data[0].length, &kind);
  assert_int_equal(kind, FAULT_NONE);
  batch_free(&b);
  worker_destroy(w);
  program_destroy(p);
  return value;
}

static void conditions(void **state)
{
  (void)state;
  fixture f;
  read_text(&f, small);
  assert_int_equal(value_at_start(&f, "P.s and not P.t && x == 2"), 1);
  assert_int_equal(value_at_start(&f, "a[1] * 10 + P->v - Q->w"), 20);
  const char *wrong[] = {"x ==", "v == 1", "P.u", "P->w", "x) + 1", "Never.n"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    size_t before = diags_errors(f.diags);
    uint32_t file = source_add(f.sources, "c", wrong[i], strlen(wrong[i]));
    assert_null(dve_read_condition(f.model, f.diags, file));
    assert_int_equal(diags_errors(f.diags), before + 1);
  }
  end(&f);
}

/* ---- hostile input ------------------------------------------------------ */

/* 'head', then 'piece' repeated, then 'tail': must be refused in peace. */
static void refuse(const char *head, const char *piece, size_t times,
                   const char *tail)
{
  fixture f;
  text t = {0};
  text_add(&t, head);
  for (size_t i = 0; i < times; i++)
    text_add(&t, piece);
  text_add(&t, tail);
  begin(&f);
  read_bytes(&f, t.data, t.len);
  text_free(&t);
  assert_null(f.model);
  assert_true(diags_errors(f.diags) > 0);
  end(&f);
}

static void deep(void **state)
{
  (void)state;
  const char *head = "byte x; process P { state s; init s; trans s -> s { "
                     "effect x = ";
  const char *tail = "; }; } system async;";
  refuse(head, "(", 1000000, tail);
  refuse(head, "-", 1000000, "x; }; } system async;");
  refuse(head, "x + ", 1000000, "x; }; } system async;");
  refuse(head, "x[", 1000000, tail);
  refuse(head, "{", 1000000, tail);
  refuse("process P { state s; init s; trans s -> s { guard true", ", true",
         100000, "; }; } system async;");
  refuse("", "process P {", 100000, "");
  refuse("", "}", 100000, "");
  refuse("", "byte x[1", 10000, "");
}

static void many(void **state)
{
  (void)state;
  fixture f;
  text t = {0};
  for (int i = 0; i < 300; i++)
    text_printf(&t, "process P%d { state s; init s; }", i);
  text_add(&t, "system async;");
  begin(&f);
  read_bytes(&f, t.data, t.len);
  assert_null(f.model);
  end(&f);
  text_clear(&t);
  for (int i = 0; i < 300; i++)
    text_printf(&t, "channel c%d;", i);
  text_add(&t, "process P { state s; init s; } system async;");
  begin(&f);
  read_bytes(&f, t.data, t.len);
  assert_null(f.model);
  end(&f);
  text_free(&t);
}

/* Random changes to a good model: no crash, no leak, and a model exactly when
** there is no error.  What is accepted can be run. */
static void mutated(void **state)
{
  (void)state;
  static const char *const pieces[] = {"{",      "}",
                                       ";",      ",",
                                       "->",     "process",
                                       "state",  "trans",
                                       "guard",  "sync",
                                       "effect", "!",
                                       "?",      "(",
                                       ")",      "[",
                                       "]",      "=",
                                       "P.s",    "P->v",
                                       "0",      "99",
                                       "/*",     "*/",
                                       "and",    "system sync;",
                                       "\xff",   "assert",
                                       "commit", "%",
                                       "a"};
  random_state r;
  random_seed(&r, 20);
  for (int round = 0; round < 3000; round++) {
    char bytes[2048];
    size_t n = sizeof small - 1;
    memcpy(bytes, small, n);
    for (uint64_t k = random_below(&r, 3) + 1; k > 0; k--) {
      const char *piece =
          pieces[random_below(&r, sizeof pieces / sizeof *pieces)];
      size_t at = random_below(&r, n), m = strlen(piece);
      size_t drop = random_below(&r, n - at < 8 ? n - at : 8);
      memmove(bytes + at + m, bytes + at + drop, n - at - drop);
      memcpy(bytes + at, piece, m);
      n = n + m - drop;
    }
    fixture f;
    begin(&f);
    read_bytes(&f, bytes, n);
    assert_int_equal(f.model != NULL, diags_errors(f.diags) == 0);
    if (f.model)
      value_at_start(&f, "1");
    end(&f);
  }
}

/* ---- memory ------------------------------------------------------------- */

static void read_small(void *context)
{
  read_bytes(context, small, sizeof small - 1);
}

static void out_of_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(fresh, read_small, drop) > 10);
}

UNIT_MAIN(UNIT(parts), UNIT(conditions), UNIT(deep), UNIT(many), UNIT(mutated),
          UNIT(out_of_memory))
