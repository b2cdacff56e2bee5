#include "read_kit.h"

#include "lang/lpn/lpn.h"
#include "lang/lpn/platu.h"

static void read_bytes(fixture *f, const char *bytes, size_t n)
{
  uint32_t file = source_add(f->sources, "test.lpn", bytes, n);
  f->model =
      lpn_read(f->arena, f->names, f->sources, f->diags, &file, 1, false);
}

static const net *read_text(fixture *f, const char *string)
{
  begin(f);
  read_bytes(f, string, strlen(string));
  assert_non_null(f->model);
  return f->model->front_end;
}

static const char lema[] =
    ".inputs a\n.outputs b\n#@.dummy t u\n#@.variables x\n"
    "#@.init_state [01]\n.graph\np t\nt q\nq u\nu p\n.marking {p}\n"
    "#@.init_vals {<x=[2,5]>}\n"
    "#@.enablings {<t=[~a&x+1>=3|b]>}\n"
    "#@.assignments {<t=[x:=x*2]><u=[x:=uniform(0,2)]>}\n"
    "#@.boolean_assignments {<u=[b:=~b]>}\n"
    "#@.non_disabling t\n#@.failtrans u\n#@.property AG(~(a&b))\n.end\n";

static const char graph[] = ".inputs r\n.outputs a x\n.graph\nr+ x+ a+\n"
                            "x+ x-\nx- r-\na+ r-\nr- a-\na- r+\n"
                            ".marking {<a-,r+>}\n.end\n";

static const char xml[] =
    "<class name=\"c\" arg=\"in, v[2]\"><const>K=1+1;</const>"
    "<var>out=K;</var><marking>1</marking>"
    "<transition label=\"t\" preset=\"1\" postset=\"2,3\">in==0 && !(out>K);"
    "(0,inf);out=in?1:v[1]<<2;assert(out!=5);</transition></class>"
    "<mod name=\"m\"><var>a[2]=(3,4);s=-1;</var><marking></marking>"
    "<inst>c i(s,a); c k(i.out,a);</inst>"
    "<transition label=\"z\" preset=\"\" postset=\"\">delay(1,2);"
    "condition(s<0 || a[0]%2==1);s=s+1;a[1]=a[0];</transition></mod>";

static void modules(void **state)
{
  fixture f;
  (void)state;
  const net *n = read_text(&f, lema);
  assert_int_equal(n->modules.len, 1);
  const net_module *m = n->modules.data[0];
  assert_int_equal(m->places.len, 2);
  assert_int_equal(m->transitions.len, 2);
  assert_int_equal(m->places.data[0].tokens, 1);
  assert_true(m->transitions.data[0].persists);
  assert_true(m->transitions.data[1].fails);
  assert_int_equal(m->variables.data[0].first, 0); /* a */
  assert_int_equal(m->variables.data[1].first, 1); /* b */
  assert_int_equal(m->variables.data[2].first, 2); /* x: the lower bound */
  /* One edge for each value of the interval. */
  assert_int_equal(m->transitions.data[1].edges.len, 3);
  assert_null(n->coding); /* silent transitions */
  end(&f);
}

static void codes(void **state)
{
  fixture f;
  (void)state;
  const net *n = read_text(&f, graph);
  assert_non_null(n->coding);
  assert_int_equal(n->coding->signal_count, 3);
  assert_int_equal(n->coding->excited_count, 2);
  assert_string_equal(n->coding->outputs[1]->name, "x");
  end(&f);
}

static void instances(void **state)
{
  fixture f;
  (void)state;
  const net *n = read_text(&f, xml);
  assert_int_equal(n->modules.len, 3);
  const net_module *k = n->modules.data[1];
  assert_string_equal(k->name, "k");
  assert_string_equal(k->variables.data[0].name, "k.out");
  assert_int_equal(k->variables.data[0].first, 2);
  const net_transition *t = &k->transitions.data[0];
  assert_int_equal(t->pre.len, 1);
  assert_int_equal(t->post.len, 2);
  assert_int_equal(t->asserts.len, 1);
  /* in == 0 && !(out > K): 'in' is the variable of the other instance. */
  assert_string_equal(t->guard->args[0]->args[0]->name, "i.out");
  assert_int_equal(n->variables.len, 5); /* i.out k.out a.0 a.1 s */
  end(&f);
}

/* Precedence as in C. */
static void operators(void **state)
{
  fixture f;
  (void)state;
  const net *n = read_text(
      &f, "<mod name=\"m\"><var>x=0;y=0;</var><transition label=\"t\" "
          "preset=\"\" postset=\"\">y=x+2*3-1==5&&x|1^2&4;</transition></mod>");
  const net_expr *e =
      n->modules.data[0]->transitions.data[0].assignments.data[0].value;
  assert_int_equal(e->op, OP_AND);
  assert_int_equal(e->args[0]->op, OP_EQ);
  assert_int_equal(e->args[0]->args[0]->op, OP_SUB);
  assert_int_equal(e->args[0]->args[0]->args[0]->args[1]->value, 6);
  assert_int_equal(e->args[1]->op, OP_BITOR);
  assert_int_equal(e->args[1]->args[1]->op, OP_BITXOR);
  end(&f);
}

static const char *const texts[] = {lema, graph, xml};

static void mutated(void **state)
{
  (void)state;
  read_damaged(texts, 3, 6000, 7, read_bytes);
}

static void deep(void **state)
{
  enum { DEPTH = 100000 };
  static const char head[] =
      "<mod name=\"m\"><transition label=\"t\" preset=\"\" postset=\"\">";
  (void)state;
  for (int i = 0; i < 3; i++) {
    fixture f;
    size_t n = sizeof head - 1;
    begin(&f);
    char *bytes = mem_alloc(n + DEPTH);
    memcpy(bytes, head, n);
    memset(bytes + n, "(-!"[i], DEPTH);
    read_bytes(&f, bytes, n + DEPTH);
    assert_null(f.model);
    assert_int_equal(diags_errors(f.diags), 1);
    mem_free(bytes, n + DEPTH);
    end(&f);
  }
}

static void read_all(void *context)
{
  fixture *f = context;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    model_destroy(f->model);
    f->model = NULL;
    read_bytes(f, texts[i], strlen(texts[i]));
  }
}

static void out_of_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(fresh, read_all, drop) > 10);
}

UNIT_MAIN(UNIT(modules), UNIT(codes), UNIT(instances), UNIT(operators),
          UNIT(mutated), UNIT(deep), UNIT(out_of_memory))
