#include "read_kit.h"

#include "lang/gaston/gaston.h"

static void read_bytes(fixture *f, const char *bytes, size_t n)
{
  uint32_t file = source_add(f->sources, "test.gst", bytes, n);
  static const gst_options none;
  f->model = gst_read(f->arena, f->names, f->sources, f->diags, file, &none);
}

static const char small[] =
    "const N = 2;\ntype Id = 0..N - 1;\ntype Kind = (data, ack);\n"
    "type Frame = record kind: Kind; seq: 0..7 end;\n"
    "var busy: array [Id] of Boolean := [true, false];\nvar last: Frame;\n"
    "port line (Frame, Id): S, R;\n"
    "process S var f: Frame; begin\n"
    "  do [] for i in Id: not busy[i], line ! (f, i), busy[i] := true\n"
    "     [] else, f.seq := (f.seq + 1) mod 8 -> skip od end;\n"
    "process R (me: Id) var f: Frame; begin\n"
    "  end_r: do line ? (f, = me), last := f -> assert f.seq < 8;\n"
    "     if f.kind = data -> busy[me] := false fi od end;\n"
    "invariant few: all i in Id: busy[i] implies R[i]@end_r or true;\n";

static void parts(void **state)
{
  fixture f;
  (void)state;
  begin(&f);
  read_bytes(&f, small, sizeof small - 1);
  assert_non_null(f.model);
  assert_int_equal(diags_count(f.diags), 0);
  assert_int_equal(f.model->globals.len, 2);
  assert_int_equal(f.model->initial.len, 3); /* S, R[0], R[1] */
  assert_string_equal(f.model->language->name, "gaston");
  end(&f);
}

/* 'or' binds less than 'and', and a comparison stands alone. */
static void operators(void **state)
{
  static const char *const wrong[] = {"0 < x < 2", "x = 1 = 2", "x <> 0 = 1"};
  fixture f;
  (void)state;
  begin(&f);
  const char *content = "var x: 0..9; process P begin skip end;";
  read_bytes(&f, content, strlen(content));
  assert_non_null(f.model);
  const char *good = "x = 1 or x > 2 and x + 2 * 3 <> 7";
  uint32_t file = source_add(f.sources, "c", good, strlen(good));
  const expr *e = gst_read_condition(f.model, f.diags, file);
  assert_non_null(e);
  assert_int_equal(e->op, OP_OR);
  assert_int_equal(e->args[1]->op, OP_AND);
  assert_int_equal(e->args[1]->args[1]->op, OP_NE);
  assert_int_equal(e->args[1]->args[1]->args[0]->op, OP_ADD);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    file = source_add(f.sources, "c", wrong[i], strlen(wrong[i]));
    assert_null(gst_read_condition(f.model, f.diags, file));
    assert_int_equal(diags_errors(f.diags), i + 1);
  }
  end(&f);
}

static void mutated(void **state)
{
  (void)state;
  read_damaged((const char *[]){small}, 1, 3000, 11, read_bytes);
}

static void read_small(void *context)
{
  read_bytes(context, small, sizeof small - 1);
}

static void out_of_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(fresh, read_small, drop) > 10);
}

UNIT_MAIN(UNIT(parts), UNIT(operators), UNIT(mutated), UNIT(out_of_memory))
