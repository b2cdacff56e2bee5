/* From Promela text to automata.  The expected numbers are those of SPIN's
** tables (pan -d) for the same text. */

#include "unit.h"

#include "lang/promela/promela.h"

typedef struct world {
  arena *a;
  names *n;
  sources *s;
  diags *d;
  model *m;
} world;

static void load(world *w, const char *program)
{
  w->a = arena_create();
  w->n = names_create();
  w->s = sources_create();
  w->d = diags_create(w->s);
  uint32_t file = source_add(w->s, "test.pml", program, strlen(program));
  w->m = promela_read(w->a, w->n, w->s, w->d, file, NULL);
}

static void unload(world *w)
{
  model_destroy(w->m);
  diags_destroy(w->d);
  sources_destroy(w->s);
  names_destroy(w->n);
  arena_destroy(w->a);
}

/* The dump of 'program' must be exactly 'expected'. */
static void dumps(const char *program, const char *expected)
{
  world w;
  text out = {0};
  load(&w, program);
  diags_print(w.d, &out);
  assert_string_equal(text_string(&out), "");
  assert_non_null(w.m);
  text_clear(&out);
  model_dump(w.m, &out);
  assert_string_equal(text_string(&out), expected);
  text_free(&out);
  unload(&w);
}

/* 'program' must be refused with a diagnostic that contains 'message'. */
static void refuses(const char *program, const char *message)
{
  world w;
  load(&w, program);
  assert_null(w.m);
  bool found = false;
  for (size_t i = 0; i < diags_count(w.d); i++)
    found |= strstr(diags_get(w.d, i)->message, message) != NULL;
  assert_true(found);
  unload(&w);
}

/* A block is a place of its own; 'end' marks the place behind its label. */
static void sequences(void **state)
{
  (void)state;
  dumps("byte x; active proctype P() { x = 1; { x = 2; x = 3 }; end: skip }",
        "process proctype P start 1\n"
        "location 1 -\n"
        "edge 0 4 - 0 x = 1\n"
        "location 3 -\n"
        "edge 2 5 - 0 x = 3\n"
        "location 4 -\n"
        "edge 1 3 - 0 x = 2\n"
        "location 5 e\n"
        "edge 4 6 - 0 (1)\n"
        "location 6 e\n"
        "edge 5 6 - 0 -end-\n"
        "initial P\n");
}

/* The end of an if inside an atomic is a place of its own, and the step from
** there leaves the atomic; so does a goto out of it. */
static void atomic_ends(void **state)
{
  (void)state;
  dumps("byte x; active proctype P() {\n"
        " atomic { x = 1; if :: x == 1 -> x = 2 :: else -> goto M fi };\n"
        " M: x = 3 }",
        "process proctype P start 8\n"
        "location 3 -\n"
        "edge 2 7 A 0 x = 2\n"
        "location 5 -\n"
        "edge 4 9 - 0 goto M\n"
        "location 6 -\n"
        "edge 1 3 A 0 ((x==1))\n"
        "edge 3 5 AE 0 else\n"
        "location 7 -\n"
        "edge 6 9 - 0 .(goto)\n"
        "location 8 -\n"
        "edge 0 6 A 0 x = 1\n"
        "location 9 -\n"
        "edge 8 10 - 0 x = 3\n"
        "location 10 e\n"
        "edge 9 10 - 0 -end-\n"
        "initial P\n");
}

/* An else is tried last, an option with a false guard is not offered. */
static void else_comes_last(void **state)
{
  (void)state;
  dumps("byte x; active proctype P() {\n"
        " do :: else -> break :: x < 3 -> x++ :: false -> x = 9 od }",
        "process proctype P start 7\n"
        "location 4 -\n"
        "edge 3 7 - 0 x = (x+1)\n"
        "location 5 -\n"
        "edge 4 6 - 0 (0)\n"
        "location 6 -\n"
        "edge 5 7 - 0 x = 9\n"
        "location 7 -\n"
        "edge 2 4 - 0 ((x<3))\n"
        "edge 0 10 E 0 else\n"
        "location 10 e\n"
        "edge 9 10 - 0 -end-\n"
        "initial P\n");
}

/* The steps of a selection at the head of an option are offered in place. */
static void nested_else(void **state)
{
  (void)state;
  dumps("byte x; active proctype P() {\n"
        " do :: if :: x == 1 -> x = 2 :: else -> x = 1 fi :: x == 2 -> break "
        "od }",
        "process proctype P start 9\n"
        "location 2 -\n"
        "edge 1 9 - 0 x = 2\n"
        "location 4 -\n"
        "edge 3 9 - 0 x = 1\n"
        "location 9 -\n"
        "edge 0 2 - 0 ((x==1))\n"
        "edge 2 4 E 0 else\n"
        "edge 6 12 - 0 ((x==2))\n"
        "location 12 e\n"
        "edge 11 12 - 0 -end-\n"
        "initial P\n");
}

/* A d_step is one edge; what is inside has places that are never rested at. */
static void one_dstep(void **state)
{
  (void)state;
  dumps(
      "byte x; active proctype P() {\n"
      " d_step { x = 1; do :: x < 9 -> x++ :: else -> break od; { x = 0 } };\n"
      " x = 2 }",
      "process proctype P start 11\n"
      "location 1 d\n"
      "edge 0 6 - 0 x = 1\n"
      "location 3 d\n"
      "edge 2 6 - 0 x = (x+1)\n"
      "location 6 d\n"
      "edge 1 3 - 0 ((x<9))\n"
      "edge 3 9 E 0 else\n"
      "location 9 d\n"
      "edge 8 12 - 0 x = 0\n"
      "location 11 -\n"
      "edge 10 12 D 0 d_step\n"
      "location 12 -\n"
      "edge 11 13 - 0 x = 2\n"
      "location 13 e\n"
      "edge 12 13 - 0 -end-\n"
      "initial P\n");
}

/* Inside an atomic a d_step keeps the sequence going, unless it is the last. */
static void dstep_in_atomic(void **state)
{
  (void)state;
  dumps("byte x; active proctype P() {\n"
        " atomic { d_step { x = 1; x = 2 }; d_step { x = 3; x = 4 } } }",
        "process proctype P start 7\n"
        "location 1 d\n"
        "edge 0 2 - 0 x = 1\n"
        "location 2 d\n"
        "edge 1 6 - 0 x = 2\n"
        "location 4 d\n"
        "edge 3 5 - 0 x = 3\n"
        "location 5 d\n"
        "edge 4 8 - 0 x = 4\n"
        "location 6 -\n"
        "edge 5 8 D 0 d_step\n"
        "location 7 -\n"
        "edge 2 6 AD 0 d_step\n"
        "location 8 e\n"
        "edge 7 8 - 0 -end-\n"
        "initial P\n");
}

/* Escapes come first; the outer unless is tried before the inner one. */
static void escapes(void **state)
{
  (void)state;
  dumps("byte x; active proctype P() {\n"
        " { { x = 1; x = 2 } unless { x == 3 -> x = 4 } } unless { x == 5; x = "
        "6 } }",
        "process proctype P start 1\n"
        "location 1 -\n"
        "edge 6 8 - 2 ((x==5))\n"
        "edge 2 4 - 1 ((x==3))\n"
        "edge 0 2 - 0 x = 1\n"
        "location 2 -\n"
        "edge 6 8 - 2 ((x==5))\n"
        "edge 2 4 - 1 ((x==3))\n"
        "edge 1 11 - 0 x = 2\n"
        "location 4 -\n"
        "edge 6 8 - 1 ((x==5))\n"
        "edge 3 11 - 0 x = 4\n"
        "location 8 -\n"
        "edge 7 11 - 0 x = 6\n"
        "location 11 e\n"
        "edge 10 11 - 0 -end-\n"
        "initial P\n");
}

/* A jump is no place; one with a meaningful label gets a skip to stand on. */
static void labels_on_jumps(void **state)
{
  (void)state;
  dumps("byte x; active proctype P() {\n"
        " do :: x == 0 -> progress: goto L :: x == 1 -> break od; L: x = 2 }",
        "process proctype P start 6\n"
        "location 3 p\n"
        "edge 2 9 - 0 (1)\n"
        "location 6 -\n"
        "edge 0 3 - 0 ((x==0))\n"
        "edge 3 9 - 0 ((x==1))\n"
        "location 9 -\n"
        "edge 8 10 - 0 x = 2\n"
        "location 10 e\n"
        "edge 9 10 - 0 -end-\n"
        "initial P\n");
}

/* So does a jump whose label another process asks for; its number comes last.
 */
static void observed_label(void **state)
{
  (void)state;
  dumps("byte x; active proctype P() { x = 1; L: goto M; x = 2; M: x = 3 }\n"
        "active proctype Q() { P@L }",
        "process proctype P start 1\n"
        "location 1 -\n"
        "edge 0 2 - 0 x = 1\n"
        "location 2 -\n"
        "edge 1 4 - 0 (1)\n"
        "location 3 -\n"
        "edge 2 4 - 0 x = 2\n"
        "location 4 -\n"
        "edge 3 5 - 0 x = 3\n"
        "location 5 e\n"
        "edge 4 5 - 0 -end-\n"
        "process proctype Q start 1\n"
        "location 1 -\n"
        "edge 6 2 - 0 (P@L)\n"
        "location 2 e\n"
        "edge 7 2 - 0 -end-\n"
        "initial P\n"
        "initial Q\n");
}

/* Inside an option, skips behind skips keep their numbers, but are left out. */
static void idle_steps(void **state)
{
  (void)state;
  dumps(
      "byte x; active proctype P() { if :: x = 1; skip; skip; skip; x = 2 fi }",
      "process proctype P start 6\n"
      "location 2 -\n"
      "edge 1 5 - 0 (1)\n"
      "location 5 -\n"
      "edge 4 8 - 0 x = 2\n"
      "location 6 -\n"
      "edge 0 2 - 0 x = 1\n"
      "location 8 e\n"
      "edge 7 8 - 0 -end-\n"
      "initial P\n");
}

/* A for is an assignment and a loop with two options. */
static void loops_rewritten(void **state)
{
  (void)state;
  dumps("byte i; active proctype P() { for (i : 1 .. 3) { skip } }",
        "process proctype P start 1\n"
        "location 1 -\n"
        "edge 0 7 - 0 i = 1\n"
        "location 3 -\n"
        "edge 2 4 - 0 (1)\n"
        "location 4 -\n"
        "edge 3 7 - 0 i = (i+1)\n"
        "location 7 -\n"
        "edge 1 3 - 0 ((i<=3))\n"
        "edge 4 10 E 0 else\n"
        "location 10 e\n"
        "edge 9 10 - 0 -end-\n"
        "initial P\n");
}

/* A declaration behind a statement assigns there. */
static void declaration_between(void **state)
{
  (void)state;
  dumps("active proctype P() { byte a = 3; skip; byte b = a; byte c[2]; b = "
        "c[0] }",
        "process proctype P start 1\n"
        "location 1 -\n"
        "edge 0 2 - 0 (1)\n"
        "location 2 -\n"
        "edge 1 3 - 0 b = a\n"
        "location 3 -\n"
        "edge 2 4 - 0 c[0] = 0\n"
        "location 4 -\n"
        "edge 3 5 - 0 b = c[0]\n"
        "location 5 e\n"
        "edge 4 5 - 0 -end-\n"
        "initial P\n");
}

/* The end of a never claim has no step: nothing dies there. */
static void claim(void **state)
{
  (void)state;
  dumps("byte x; init { x = 1 }\n"
        "never { do :: x == 0 :: x == 1 -> break od; accept: do :: true od }",
        "process init :init: start 1\n"
        "location 1 -\n"
        "edge 0 2 - 0 x = 1\n"
        "location 2 e\n"
        "edge 1 2 - 0 -end-\n"
        "process never never_0 start 4\n"
        "location 4 -\n"
        "edge 2 4 - 0 ((x==0))\n"
        "edge 3 8 - 0 ((x==1))\n"
        "location 8 a\n"
        "edge 8 8 - 0 (1)\n"
        "location 11 e\n"
        "initial :init:\n");
}

/* What only the control flow shows to be wrong. */
static void what_is_wrong(void **state)
{
  (void)state;
  refuses("active proctype P() { L: goto L }", "circle");
  refuses("active proctype P() { L: goto M; M: goto L }", "circle");
  refuses("byte x; active proctype P() { goto L; d_step { x = 1; L: x = 2 } }",
          "into a d_step");
  refuses("byte x; active proctype P() { L: x = 1; d_step { x = 2; goto L } }",
          "out of a d_step");
  refuses("byte x; active proctype P() { do :: d_step { x = 2; break } od }",
          "out of a d_step");
  refuses("byte x; active proctype P() {"
          " d_step { if :: x == 1 -> L: goto M :: else -> M: goto L fi } }",
          "circle");
  refuses(
      "byte x; active proctype P() { L: d_step { x = 1 } unless { x == 2 } }",
      "labelled d_step");
}

static const property *find_property(const model *m, const char *name)
{
  for (size_t i = 0; i < m->properties.len; i++)
    if (strcmp(m->properties.data[i].name, name) == 0)
      return &m->properties.data[i];
  return NULL;
}

static void properties(void **state)
{
  (void)state;
  world w;
  load(&w, "byte x; active proctype P() { accept: x = 1; progress: x = 2 }\n"
           "ltl { [] (x < 3) }\nltl named { <> (x == 2) }\n");
  assert_non_null(w.m);
  assert_non_null(find_property(w.m, "assertions"));
  assert_non_null(find_property(w.m, "end-states"));
  assert_non_null(find_property(w.m, "bounds"));
  assert_non_null(find_property(w.m, "acceptance"));
  assert_non_null(find_property(w.m, "non-progress"));
  assert_null(find_property(w.m, "never"));
  assert_non_null(find_property(w.m, "ltl"));
  assert_non_null(find_property(w.m, "named"));
  assert_non_null(find_property(w.m, "named")->ltl);
  unload(&w);
  load(&w, "init { skip }\nnever { true }");
  assert_non_null(find_property(w.m, "never"));
  assert_null(find_property(w.m, "acceptance"));
  unload(&w);
}

static void declarations(void **state)
{
  (void)state;
  world w;
  load(&w, "mtype = { red, green };\n"
           "typedef pair { byte a; short b };\n"
           "hidden byte h; unsigned u : 5; byte list[3] = { 7, 8 };\n"
           "chan q[2] = [4] of { mtype, pair, chan };\n"
           "active [2] proctype P() { byte y = 2; y = 3 }\n"
           "proctype Q(byte k; pair r) priority 5 { k = r.b }\n"
           "init { run Q(1, 2, 3) }\n");
  model *m = w.m;
  assert_non_null(m);
  assert_int_equal(m->globals.len, 4);
  assert_int_equal(m->globals.data[0]->flags, VAR_HIDDEN);
  assert_int_equal(m->globals.data[1]->type.hi, 31);
  assert_int_equal(m->globals.data[2]->init.len, 3);
  assert_int_equal(m->globals.data[2]->init.data[2]->value, 8);
  assert_int_equal(m->globals.data[3]->length, 2);
  const channel_type *c = m->globals.data[3]->init_channel;
  assert_int_equal(c->capacity, 4);
  assert_int_equal(c->fields.len, 4);
  assert_int_equal(c->fields.data[2].kind, TYPE_SHORT);
  assert_int_equal(m->initial.len, 3);
  assert_string_equal(m->initial.data[1]->name, "P");
  assert_string_equal(m->initial.data[2]->name, ":init:");
  const process_type *q = m->processes.data[1];
  assert_int_equal(q->parameters, 3);
  assert_string_equal(q->locals.data[2]->name, "r.b");
  assert_int_equal(q->priority, 5);
  assert_true(m->flags & MODEL_HAS_RUN && m->flags & MODEL_HAS_HIDDEN &&
              m->flags & MODEL_HAS_PRIORITY);
  assert_string_equal(mtype_name_of(m, 1, NULL), "green");
  unload(&w);
}

static expr *condition(world *w, const char *string)
{
  uint32_t file = source_add(w->s, "--invariant", string, strlen(string));
  return promela_read_condition(w->m, w->d, file);
}

static void conditions(void **state)
{
  (void)state;
  world w;
  load(&w, "byte x; chan q = [1] of { byte };\n"
           "active proctype P() { byte y; L: y = x; end: y = 2 }\n");
  assert_non_null(w.m);
  expr *e = condition(&w, "x < 3 && P:y == 2 -> P@L || len(q) == 0");
  assert_non_null(e);
  assert_int_equal(e->op, OP_IMPLY);
  text out = {0};
  expr_print(w.m, e, &out);
  assert_string_equal(text_string(&out),
                      "x < 3 && P:y == 2 -> P@L || len(q) == 0");
  text_free(&out);
  assert_int_equal(diags_errors(w.d), 0);
  assert_null(condition(&w, "[] (x < 3)"));
  assert_null(condition(&w, "nothing == 3"));
  assert_null(condition(&w, "x <"));
  assert_true(diags_errors(w.d) >= 3);
  unload(&w);
}

/* Channels, receives and polls keep what their arguments mean. */
static void communications(void **state)
{
  (void)state;
  world w;
  load(&w, "mtype = { go }; chan q = [2] of { mtype, byte }; byte x;\n"
           "active proctype P() { q!go,x; q??go,eval(x); q?<_,x>;"
           " q?[go,x]; _ = x }\n");
  model *m = w.m;
  assert_non_null(m);
  const comm *c = m->edges.data[1]->comm;
  assert_int_equal(c->kind, COMM_RECEIVE);
  assert_true(c->anywhere && !c->copy);
  assert_int_equal(c->args.data[0].kind, ARG_VALUE);
  assert_int_equal(c->args.data[1].kind, ARG_VALUE);
  c = m->edges.data[2]->comm;
  assert_true(c->copy && !c->anywhere);
  assert_int_equal(c->args.data[0].kind, ARG_IGNORE);
  assert_int_equal(c->args.data[1].kind, ARG_STORE);
  const expr *poll = m->edges.data[3]->guard;
  assert_int_equal(poll->op, OP_POLL);
  assert_int_equal(poll->poll->args.data[1].kind, ARG_IGNORE);
  const effect *f = m->edges.data[4]->effects.data[0];
  assert_int_equal(f->target->var->flags, VAR_HIDDEN | VAR_SCRATCH);
  unload(&w);
}

static const char *const sample =
    "typedef pair { byte a; byte b }; pair r; chan q = [1] of { pair };\n"
    "proctype P(byte k; pair p) { do :: q?p; atomic { k = p.a; q!p }"
    " :: else -> break od unless { k == 3 } }\n"
    "init { run P(1, r); d_step { r.a = 1; printf(\"%d\\n\", r.a) };"
    " skip }\n";

/* Each edge as 'line:column text', and as the user wrote it if that differs. */
static void shows(const char *program, const char *expected)
{
  world w;
  text out = {0};
  load(&w, program);
  diags_print(w.d, &out);
  assert_string_equal(text_string(&out), "");
  for (size_t i = 0; i < w.m->edges.len; i++) {
    const edge *e = w.m->edges.data[i];
    span at = source_origin(w.s, e->where);
    position p = source_position(w.s, at);
    if (!strcmp(e->text, "-end-"))
      assert_int_equal(at.length, 1);
    text_printf(&out, "%u:%u %s", p.line, p.column, e->text);
    if (e->written && strcmp(e->written, e->text) != 0)
      text_printf(&out, " | %s", e->written);
    text_add_char(&out, '\n');
  }
  assert_string_equal(text_string(&out), expected);
  text_free(&out);
  unload(&w);
}

/* What people are shown: names of macros, or what a part of one says; arguments
** in the places of parameters, but not inside of strings and longer words. */
static void written(void **state)
{
  (void)state;
  shows("#define N 3\n"
        "#define BUMP n++\n"
        "#define BOTH n = N; m = N\n"
        "byte n, m, ax[4];\n"
        "inline set(x, y) {\n"
        "  ax[x] = y /* x */  +  x; printf(\"x %d \\\" y\\n\", x);\n"
        "  x1: y_ = x\n"
        "}\n"
        "active proctype Q() { byte z[2]; L: (n) }\n"
        "active proctype P() {\n"
        "  byte y_;\n"
        "  BUMP;\n"
        "  BOTH; n = N;\n"
        "  set(m, n+1);\n"
        "  for (n : 1 .. 2) { skip };\n"
        "  P[0]:y_ == Q:z[1];\n"
        "  (Q[0]@L -> m : n)\n"
        "}\n",
        "9:37 (n)\n"
        "9:41 -end-\n"
        "12:3 n = (n+1) | BUMP\n"
        "13:3 n = 3\n"
        "13:3 m = 3\n"
        "13:9 n = 3 | n = N\n"
        "6:28 printf('x %d \\\" y\\n',m) | printf(\"x %d \\\" y\\n\", m)\n"
        "7:7 y_ = m\n"
        "6:3 ax[m] = ((n+1)+m) | ax[m] = n+1 + m\n"
        "15:3 n = 1\n"
        "15:22 (1) | skip\n"
        "15:3 n = (n+1) | n = n+1\n"
        "15:3 ((n<=2)) | n<=2\n"
        "15:3 else\n"
        "16:3 ((P[0]:y_==Q:z[1])) | P[0]:y_ == Q:z[1]\n"
        "17:3 (( (Q[0]@L) -> (m) : (n) )) | (Q[0]@L -> m : n)\n"
        "18:1 -end-\n");
  shows("#define S n = 1; m = 2\n"
        "byte n, m;\n"
        "active proctype P() { S; n = m }\n",
        "3:23 n = 1\n"
        "3:23 m = 2\n"
        "3:26 n = m\n"
        "3:32 -end-\n");
}

static void *open_nothing(void)
{
  return mem_alloc(sizeof(world));
}

static void load_sample(void *context)
{
  world *w = context;
  /* In this order everything made so far can be given back. */
  w->a = arena_create();
  w->n = names_create();
  w->s = sources_create();
  w->d = diags_create(w->s);
  uint32_t file = source_add(w->s, "test.pml", sample, strlen(sample));
  w->m = promela_read(w->a, w->n, w->s, w->d, file, NULL);
}

static void close_sample(void *context)
{
  unload(context);
  mem_free(context, sizeof(world));
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  assert_true(unit_fail_each(open_nothing, load_sample, close_sample) > 20);
}

UNIT_MAIN(UNIT(sequences), UNIT(atomic_ends), UNIT(else_comes_last),
          UNIT(nested_else), UNIT(one_dstep), UNIT(dstep_in_atomic),
          UNIT(escapes), UNIT(labels_on_jumps), UNIT(observed_label),
          UNIT(idle_steps), UNIT(loops_rewritten), UNIT(declaration_between),
          UNIT(claim), UNIT(what_is_wrong), UNIT(properties),
          UNIT(declarations), UNIT(conditions), UNIT(communications),
          UNIT(written), UNIT(every_allocation_may_fail))
