#include "unit.h"

#include "base/random.h"
#include "lang/promela/cpp.h"
#include "lang/promela/parse/parse.h"
#include "lang/promela/promela.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/*------------------------------------------------------------------------*/
/* Parsing text                                                            */

typedef struct context {
  arena *mem;
  names *names;
  sources *sources;
  diags *diags;
  uint32_t file;
  promela_module *module;
} context;

static context open_context(const char *data, size_t length)
{
  context c = {0};
  c.mem = arena_create();
  c.names = names_create();
  c.sources = sources_create();
  c.diags = diags_create(c.sources);
  c.file = source_add(c.sources, "test.pml", data, length);
  return c;
}

static void close_context(context *c)
{
  diags_destroy(c->diags);
  sources_destroy(c->sources);
  names_destroy(c->names);
  arena_destroy(c->mem);
}

static context parse_bytes(const char *data, size_t length)
{
  context c = open_context(data, length);
  c.module = promela_parse(c.mem, c.names, c.sources, c.diags, c.file, NULL);
  return c;
}

/* Parses text that must be correct. */
static context parse(const char *data)
{
  context c = parse_bytes(data, strlen(data));
  if (diags_errors(c.diags)) {
    text out = {0};
    diags_print(c.diags, &out);
    print_error("%s", text_string(&out));
    text_free(&out);
  }
  assert_int_equal(diags_errors(c.diags), 0);
  return c;
}

static const char *message(const context *c, size_t i)
{
  assert_true(i < diags_count(c->diags));
  return diags_get(c->diags, i)->message;
}

static pml_stmt *stmt_of(const context *c, uint32_t proc, uint32_t i)
{
  assert_true(proc < c->module->proc_count);
  const pml_seq *body = c->module->procs[proc]->body;
  assert_true(i < body->count);
  return body->stmts[i];
}

/*------------------------------------------------------------------------*/
/* Trees as text                                                           */

static void show(text *out, const pml_expr *e);

static void show_steps(text *out, const pml_expr *e)
{
  for (uint32_t i = 0; i < e->step_count; i++) {
    text_printf(out, "%s%s", i ? "." : "", e->steps[i].name);
    if (e->steps[i].index) {
      text_add(out, "[");
      show(out, e->steps[i].index);
      text_add(out, "]");
    }
  }
}

static void show(text *out, const pml_expr *e)
{
  static const char *const words[] = {
#define X(kind, word) word,
      PML_EXPR_KINDS(X)
#undef X
  };
  if (e->kind == E_CONST)
    text_printf(out, "%d", e->value);
  else if (e->kind == E_REF)
    show_steps(out, e);
  else if (e->kind >= E_NOT && e->kind <= E_INV) {
    text_printf(out, "%s(", words[e->kind]);
    show(out, e->a);
    text_add(out, ")");
  } else if (e->kind >= E_ADD && e->kind <= E_OR) {
    text_add(out, "(");
    show(out, e->a);
    text_printf(out, " %s ", words[e->kind]);
    show(out, e->b);
    text_add(out, ")");
  } else if (e->kind == E_COND) {
    text_add(out, "(");
    show(out, e->a);
    text_add(out, " -> ");
    show(out, e->b);
    text_add(out, " : ");
    show(out, e->c);
    text_add(out, ")");
  } else {
    /* The letter in the middle of "a U b", or the first of "[] a". */
    const char *word = words[e->kind];
    text_printf(out, "%.*s(", e->b ? 3 : 2, e->b ? word + 2 : word);
    show(out, e->a);
    if (e->b) {
      text_add(out, ", ");
      show(out, e->b);
    }
    text_add(out, ")");
  }
}

static void expect_tree(const pml_expr *e, const char *wanted)
{
  text out = {0};
  show(&out, e);
  assert_string_equal(text_string(&out), wanted);
  text_free(&out);
}

/*------------------------------------------------------------------------*/
/* Expressions                                                             */

static void precedence(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {"a + b * c - d", "((a + (b * c)) - d)"},
      {"a || b && c | d ^ b & c == d",
       "(a || (b && (c | (d ^ (b & (c == d))))))"},
      {"a < b == c >= d", "((a < b) == (c >= d))"},
      {"a << 1 + b", "(a << (1 + b))"},
      {"!a == b", "(!(a) == b)"},
      {"-a * ~b", "(-(a) * ~(b))"},
      {"- -a", "-(-(a))"},
      {"a - b - c", "((a - b) - c)"},
      {"a % b / c", "((a % b) / c)"},
      {"(a + b) * c", "((a + b) * c)"},
      {"(a -> b + 1 : c)", "(a -> (b + 1) : c)"},
      {"t[a + 1]", "t[(a + 1)]"},
      {"'a' + '\\n' + true + skip + false", "((((97 + 10) + 1) + 1) + 0)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char written[200];
    snprintf(written, sizeof written, "int a, b, c, d, t[9]; init { a = %s }",
             cases[i][0]);
    context c = parse(written);
    expect_tree(stmt_of(&c, 0, 0)->b, cases[i][1]);
    close_context(&c);
  }
}

static void temporal(void **state)
{
  (void)state;
  context c = parse("bool p, q, r; init { skip }"
                    "ltl one { [] p -> <> q }"
                    "ltl {p U q && X r || !p V q}"
                    "ltl { always (p implies eventually q) <-> p W q }");
  assert_int_equal(c.module->ltl_count, 3);
  expect_tree(c.module->ltls[0]->formula, "-> ([](p), <>(q))");
  assert_string_equal(c.module->ltls[0]->name, "one");
  assert_string_equal(c.module->ltls[0]->text, "[] p -> <> q");
  assert_true(c.module->ltls[0]->named);
  expect_tree(c.module->ltls[1]->formula,
              "((U b(p, q) && X (r)) || V b(!(p), q))");
  assert_string_equal(c.module->ltls[1]->name, "ltl_0");
  assert_string_equal(c.module->ltls[1]->text, "p U q && X r || !p V q");
  assert_int_equal(c.module->ltls[2]->formula->kind, E_EQUIV);
  assert_string_equal(c.module->ltls[2]->name, "ltl_1");
  close_context(&c);
}

/* A formula given later sees globals, mtype names and processes. */
static void formula_from_elsewhere(void **state)
{
  (void)state;
  context c = parse("mtype = { a, b }; mtype m; active proctype P()"
                    "{ int x; L: x = 1 }");
  const char *good = "[] (m == b -> P@L && P:x < 2)", *bad = "<> (n == 1)";
  uint32_t file = source_add(c.sources, "formula", good, strlen(good));
  pml_ltl *ltl = promela_parse_ltl(c.mem, c.names, c.sources, c.diags, file,
                                   c.module, "f");
  assert_non_null(ltl);
  assert_string_equal(ltl->text, good);
  const pml_expr *right = ltl->formula->a->b;
  assert_ptr_equal(right->a->label, c.module->procs[0]->labels[0]);
  assert_ptr_equal(right->b->a->steps[0].var, c.module->procs[0]->locals[0]);
  file = source_add(c.sources, "formula", bad, strlen(bad));
  assert_null(promela_parse_ltl(c.mem, c.names, c.sources, c.diags, file,
                                c.module, "g"));
  assert_string_equal(message(&c, 0), "'n' is not declared");
  close_context(&c);
}

/*------------------------------------------------------------------------*/
/* Declarations                                                            */

static void mtype_numbers(void **state)
{
  (void)state;
  context c = parse("mtype = { a, b, c }; mtype:s = { x, y }; mtype = { d e }"
                    "init { mtype m = a; m = d; mtype:s n; n = x }");
  static const uint8_t wanted[] = {3, 2, 1, 2, 1, 5, 4};
  assert_int_equal(c.module->mtype_count, 7);
  for (uint32_t i = 0; i < 7; i++)
    assert_int_equal(c.module->mtypes[i].value, wanted[i]);
  assert_int_equal(stmt_of(&c, 0, 0)->vars[0]->init->value, 3);
  assert_int_equal(stmt_of(&c, 0, 1)->b->value, 5);
  close_context(&c);
}

static void declarations(void **state)
{
  (void)state;
  context c = parse(
      "typedef T { byte x; bit f[2] }; typedef U { T t; chan c };"
      "unsigned u : 5 = 17; int a[2 * 3 - 1] = { 1, 2 }; hidden byte h = 3;"
      "chan q[2] = [4] of { U, mtype }; chan r; show U s[2];"
      "proctype P(byte i, j; U w) { int k = i; skip; int l = 2, m; m = k }"
      "active [3] proctype Q() priority 7 provided (h > 1) { skip }");
  const promela_module *m = c.module;
  assert_int_equal(m->global_count, 6);
  assert_int_equal(m->globals[0]->type.width, 5);
  assert_int_equal(m->globals[0]->init->value, 17);
  assert_int_equal(m->globals[1]->size, 5);
  assert_int_equal(m->globals[1]->init_count, 2);
  assert_true(m->globals[2]->hidden);
  const pml_chan *chan = m->globals[3]->chan;
  assert_int_equal(chan->size, 4);
  assert_int_equal(chan->count, 2);
  assert_int_equal(chan->flat_count, 5);
  assert_int_equal(chan->flat[0].type, PML_BYTE);
  assert_int_equal(chan->flat[2].type, PML_BIT);
  assert_int_equal(chan->flat[3].type, PML_CHAN);
  assert_int_equal(chan->flat[4].type, PML_MTYPE);
  assert_ptr_equal(m->globals[5]->type.record, m->records[1]);
  const pml_proc *p = m->procs[0];
  assert_int_equal(p->param_count, 3);
  assert_int_equal(p->param_ref_count, 6);
  expect_tree(p->param_refs[4], "w.t.f[1]");
  assert_int_equal(p->local_count, 6);
  assert_false(p->locals[3]->assigned_at);
  assert_true(p->locals[4]->assigned_at);
  assert_false(p->body->stmts[0]->assigns);
  assert_true(p->body->stmts[2]->assigns);
  assert_int_equal(m->procs[1]->active, 3);
  assert_int_equal(m->procs[1]->priority, 7);
  assert_non_null(m->procs[1]->provided);
  close_context(&c);
}

/* Blocks that do not contain each other may use the same name. */
static void scopes(void **state)
{
  (void)state;
  context c = parse("init { skip; { int x; x = 1 }; { byte x; x = 2 } }");
  const pml_stmt *a = stmt_of(&c, 0, 1), *b = stmt_of(&c, 0, 2);
  const pml_var *first = a->body->stmts[0]->vars[0];
  const pml_var *second = b->body->stmts[0]->vars[0];
  assert_ptr_equal(pml_target(a->body->stmts[1]->a), first);
  assert_ptr_equal(pml_target(b->body->stmts[1]->a), second);
  assert_string_equal(first->scope->path, "_1_1_");
  assert_string_equal(second->scope->path, "_1_2_");
  assert_ptr_equal(first->scope->parent, c.module->procs[0]->body->scope);
  close_context(&c);
}

/*------------------------------------------------------------------------*/
/* Statements                                                              */

static void messages(void **state)
{
  (void)state;
  context c = parse("mtype = { go }; typedef T { byte x, y }; T t; byte b;"
                    "chan q = [2] of { mtype, byte }; chan r = [2] of { T };"
                    "init { q!go(3); q!!go,b; q?go,b; q??go(eval(b + 1));"
                    "q?<go, _>; q?[go, b] && b > 1; r!t; r?t; q?\?<go,-1> }");
  const pml_stmt *s = stmt_of(&c, 0, 0);
  assert_int_equal(s->kind, S_SEND);
  assert_int_equal(s->arg_count, 2);
  assert_true(s->args[0]->mtype);
  assert_true(stmt_of(&c, 0, 1)->sorted);
  assert_int_equal(stmt_of(&c, 0, 2)->kind, S_RECV);
  s = stmt_of(&c, 0, 3);
  assert_true(s->random);
  assert_int_equal(s->args[1]->kind, E_EVAL);
  s = stmt_of(&c, 0, 4);
  assert_true(s->copy);
  assert_int_equal(pml_target(s->args[1])->predef, PREDEF_SCRATCH);
  s = stmt_of(&c, 0, 5);
  assert_int_equal(s->kind, S_EXPR);
  assert_int_equal(s->a->a->kind, E_POLL);
  s = stmt_of(&c, 0, 6);
  assert_int_equal(s->arg_count, 2);
  expect_tree(s->args[1], "t.y");
  assert_int_equal(stmt_of(&c, 0, 7)->arg_count, 2);
  s = stmt_of(&c, 0, 8);
  assert_true(s->copy && s->random);
  assert_int_equal(s->args[1]->value, -1);
  close_context(&c);
}

/* New lines separate statements; so do braces and 'else'. */
static void separators(void **state)
{
  (void)state;
  context c = parse("int x;\ninit {\n  x = 1\n  x = x\n  -1 -> x = 2;;;\n"
                    "  if :: x > 1 -> x = (1\n + 2) :: else x = 3 fi\n"
                    "  atomic { x = 4 } x = 5\n  do :: break od\n}\n");
  assert_int_equal(c.module->procs[0]->body->count, 8);
  const pml_stmt *s = stmt_of(&c, 0, 4);
  assert_int_equal(s->kind, S_IF);
  assert_int_equal(s->option_count, 2);
  assert_int_equal(s->options[1]->count, 2);
  close_context(&c);
}

static void loops(void **state)
{
  (void)state;
  context c = parse("byte i, t[4]; init { L: for (i : 1 .. 3) { t[i] = 0 };"
                    "for (i in t) { skip; break }; goto L }");
  const pml_seq *body = c.module->procs[0]->body;
  assert_int_equal(body->count, 5);
  const pml_stmt *start = body->stmts[0], *loop = body->stmts[1];
  assert_int_equal(start->kind, S_ASSIGN);
  assert_true(start->generated);
  assert_int_equal(start->label_count, 0);
  assert_int_equal(loop->kind, S_DO);
  assert_int_equal(loop->label_count, 1);
  assert_ptr_equal(body->stmts[4]->target->stmt, loop);
  assert_int_equal(loop->option_count, 2);
  const pml_seq *option = loop->options[0];
  assert_int_equal(option->count, 3);
  expect_tree(option->stmts[0]->a, "(i <= 3)");
  expect_tree(option->stmts[2]->b, "(i + 1)");
  assert_int_equal(loop->options[1]->stmts[0]->kind, S_ELSE);
  assert_ptr_equal(loop->options[1]->stmts[1]->loop, loop);
  const pml_stmt *second = body->stmts[3];
  assert_int_equal(second->options[0]->count, 4);
  expect_tree(second->options[0]->stmts[0]->a, "(i <= 3)");
  assert_ptr_equal(second->options[0]->stmts[2]->loop, second);
  close_context(&c);
}

static void loop_over_channel(void **state)
{
  (void)state;
  context c =
      parse("typedef T { byte x, y }; chan q = [3] of { T };"
            "init { T t; for (t in q) { skip }; for (t in q) { skip } }");
  const pml_proc *init = c.module->procs[0];
  /* Both loops count with the same variable, which is in no declaration. */
  assert_int_equal(init->local_count, 2);
  const pml_var *counter = init->locals[1];
  assert_true(counter->generated);
  assert_int_equal(counter->index, 1);
  assert_int_equal(counter->type.type, PML_BYTE);
  const pml_seq *body = stmt_of(&c, 0, 2)->options[0];
  assert_int_equal(body->count, 5);
  assert_int_equal(body->stmts[0]->a->kind, E_LT);
  assert_ptr_equal(pml_target(body->stmts[0]->a->a), counter);
  assert_int_equal(body->stmts[0]->a->b->kind, E_LEN);
  assert_int_equal(body->stmts[1]->kind, S_RECV);
  assert_int_equal(body->stmts[1]->arg_count, 2);
  assert_int_equal(body->stmts[2]->kind, S_SEND);
  assert_ptr_equal(pml_target(body->stmts[4]->a), counter);
  close_context(&c);
}

static void selects(void **state)
{
  (void)state;
  context c =
      parse("int i, j_; inline f() { select (i : 1 .. 2) }"
            "init { select (i : 1 .. 3); L: select (i : 0 .. 40);"
            "select (j_ : 1 .. 2); select (i : 1 .. j_); f(); goto L }");
  const pml_seq *b = c.module->procs[0]->body;
  assert_int_equal(b->stmts[0]->kind, S_IF);
  assert_int_equal(b->stmts[0]->option_count, 3);
  /* As text: the label is at the assignment, and 'break' is tried last. */
  assert_int_equal(b->stmts[1]->kind, S_ASSIGN);
  assert_int_equal(b->stmts[1]->label_count, 1);
  assert_int_equal(b->stmts[2]->kind, S_DO);
  assert_false(b->stmts[2]->break_first);
  assert_int_equal(b->stmts[2]->options[1]->stmts[0]->kind, S_BREAK);
  assert_int_equal(b->stmts[3]->kind, S_ASSIGN);
  assert_true(b->stmts[4]->break_first);
  assert_int_equal(b->stmts[4]->options[0]->stmts[0]->kind, S_BREAK);
  assert_true(b->stmts[6]->break_first);
  assert_int_equal(b->stmts[7]->body->stmts[1]->kind, S_DO);
  close_context(&c);
}

static void unless(void **state)
{
  (void)state;
  context c = parse("int x; init { { x = 1; x = 2 } unless { x > 2 };"
                    "x = 3 unless x > 3; L: { x = 4 } unless { x > 4 };"
                    "atomic { x = 5 } unless x > 5; goto L;"
                    "do :: do :: x > 1 od unless { x > 6; break } od }");
  const pml_stmt *s = stmt_of(&c, 0, 0);
  assert_int_equal(s->kind, S_UNLESS);
  assert_int_equal(s->body->count, 2);
  assert_false(s->wrapped_body || s->wrapped_escape);
  s = stmt_of(&c, 0, 1);
  assert_true(s->wrapped_body && s->wrapped_escape);
  s = stmt_of(&c, 0, 2);
  assert_int_equal(s->kind, S_BLOCK);
  assert_true(s->lifted);
  assert_int_equal(s->label_count, 1);
  assert_int_equal(s->body->stmts[0]->kind, S_UNLESS);
  assert_int_equal(s->body->stmts[0]->body->stmts[0]->kind, S_ASSIGN);
  s = stmt_of(&c, 0, 3);
  assert_true(s->wrapped_body);
  assert_int_equal(s->body->stmts[0]->kind, S_ATOMIC);
  assert_ptr_equal(stmt_of(&c, 0, 4)->target->stmt, stmt_of(&c, 0, 2));
  /* The break in the escape leaves the outer loop. */
  const pml_stmt *outer = stmt_of(&c, 0, 5);
  s = outer->options[0]->stmts[0];
  assert_ptr_equal(s->escape->stmts[1]->loop, outer);
  close_context(&c);
}

/* Which of several labels of one name a goto means. */
static void labels(void **state)
{
  (void)state;
  context c = parse("init { skip; { skip; goto L; L: skip };"
                    "{ skip; L: skip; goto L }; goto M; { skip; M: skip } }");
  const pml_seq *a = stmt_of(&c, 0, 1)->body, *b = stmt_of(&c, 0, 2)->body;
  assert_ptr_equal(a->stmts[1]->target->stmt, a->stmts[2]);
  assert_ptr_equal(b->stmts[2]->target->stmt, b->stmts[1]);
  assert_ptr_equal(stmt_of(&c, 0, 3)->target->stmt,
                   stmt_of(&c, 0, 4)->body->stmts[1]);
  assert_int_equal(c.module->procs[0]->label_count, 3);
  close_context(&c);
}

/*------------------------------------------------------------------------*/
/* Inlines and spans                                                       */

static void inlines(void **state)
{
  (void)state;
  context c = parse("int g, h;\n"
                    "inline set(v, e) { int l; l = e; v = l + e }\n"
                    "inline both(a) { set(a, 1); set(g, (a + 2)) }\n"
                    "inline sum(a, b) { return a + b }\n"
                    "init { both(h); g = sum(h * 2, 3) }\n");
  const pml_stmt *call = stmt_of(&c, 0, 0);
  assert_int_equal(call->kind, S_BLOCK);
  assert_string_equal(call->inlined, "both");
  const pml_stmt *inner = call->body->stmts[1];
  assert_string_equal(inner->inlined, "set");
  expect_tree(inner->body->stmts[2]->b, "(l + (h + 2))");
  expect_tree(inner->body->stmts[2]->a, "g");
  assert_int_equal(c.module->procs[0]->local_count, 2);
  const pml_stmt *value = stmt_of(&c, 0, 1);
  expect_tree(value->result, "g");
  assert_int_equal(value->body->stmts[0]->kind, S_ASSIGN);
  expect_tree(value->body->stmts[0]->a, "g");
  expect_tree(value->body->stmts[0]->b, "((h * 2) + 3)");
  /* The call is where it was written, its statements in the definition. */
  position p = source_position(c.sources, call->where);
  assert_int_equal(p.line, 5);
  assert_int_equal(p.column, 8);
  assert_int_equal(call->where.length, strlen("both(h)"));
  p = source_position(c.sources, inner->body->stmts[2]->where);
  assert_int_equal(p.line, 2);
  assert_int_equal(inner->body->stmts[2]->where.length, strlen("v = l + e"));
  p = source_position(c.sources, inner->body->stmts[1]->b->where);
  assert_int_equal(p.line, 3);
  close_context(&c);
}

/* Arguments that are named like parameters do not get in each other's way. */
static void inline_swap(void **state)
{
  (void)state;
  context c = parse("int a, b; inline f(a, b) { a = b } init { f(b, a) }");
  const pml_stmt *s = stmt_of(&c, 0, 0)->body->stmts[0];
  expect_tree(s->a, "b");
  expect_tree(s->b, "a");
  close_context(&c);
}

/* By our own preprocessor and by the system's. */
static void check_spans(bool system_cpp)
{
  static const char written[] = "#define N 3\n"
                                "#define BUMP(v) v = v + N\n"
                                "byte x; byte   t[N];\n"
                                "init {\n"
                                "  x = N; x = 2;\n"
                                "  BUMP(x)\n"
                                "}\n";
  promela_options options = {.system_cpp = system_cpp};
  context c = open_context(written, strlen(written));
  c.module =
      promela_parse(c.mem, c.names, c.sources, c.diags, c.file, &options);
  assert_int_equal(diags_errors(c.diags), 0);
  assert_int_equal(c.module->globals[1]->size, 3);
  position p = source_position(c.sources, c.module->globals[1]->where);
  assert_int_equal(p.line, 3);
  assert_int_equal(p.column, 16);
  p = source_position(c.sources, stmt_of(&c, 0, 1)->where);
  assert_int_equal(p.line, 5);
  assert_int_equal(p.column, 10);
  span use = source_origin(c.sources, stmt_of(&c, 0, 2)->where);
  p = source_position(c.sources, use);
  assert_int_equal(p.line, 6);
  assert_int_equal(p.column, 3);
  assert_int_equal(use.length, strlen("BUMP(x)"));
  close_context(&c);
}

static void preprocessed_spans(void **state)
{
  (void)state;
  check_spans(false);
  check_spans(true);
}

/* Without them the preprocessor of the system is not started. */
static void directives(void **state)
{
  (void)state;
  static const char *const with[] = {"#", " \t#define N 3\n", "init\n#if",
                                     "\n\n  #", "a # b\n\t#"};
  static const char *const without[] = {"", "\n", "init { skip } #", " \t",
                                        "a\n b # c\n "};
  for (size_t i = 0; i < sizeof with / sizeof *with; i++)
    assert_true(pml_has_directives(with[i], strlen(with[i])));
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    assert_false(pml_has_directives(without[i], strlen(without[i])));
  assert_false(pml_has_directives("a\n  #", 4));
}

static void defines(void **state)
{
  (void)state;
  const char *written = "byte t[N]; init { skip }";
  static const char *const args[] = {"-DN=4"};
  promela_options options = {.cpp_args = args, .cpp_arg_count = 1};
  context c = open_context(written, strlen(written));
  c.module =
      promela_parse(c.mem, c.names, c.sources, c.diags, c.file, &options);
  assert_int_equal(diags_errors(c.diags), 0);
  assert_int_equal(c.module->globals[0]->size, 4);
  close_context(&c);
}

/*------------------------------------------------------------------------*/
/* Bad input                                                               */

/* Every line 'expect: line:column: level: message' of a bad model must be
** told, in this order, and nothing else. */
static void check_bad(const char *path)
{
  context c = {0};
  c.mem = arena_create();
  c.names = names_create();
  c.sources = sources_create();
  c.diags = diags_create(c.sources);
  const char *error;
  c.file = source_read(c.sources, path, &error);
  assert_true(c.file != 0);
  model_destroy(promela_read(c.mem, c.names, c.sources, c.diags, c.file, NULL));
  size_t length, told = 0;
  const char *data = source_text(c.sources, c.file, &length);
  text wanted = {0}, got = {0};
  for (const char *p = strstr(data, "expect: "); p; p = strstr(p, "expect: ")) {
    p += strlen("expect: ");
    text_add_bytes(&wanted, p, strcspn(p, "\n"));
    text_add(&wanted, "\n");
  }
  for (; told < diags_count(c.diags); told++) {
    static const char *const levels[] = {"error", "warning", "note"};
    const diagnostic *d = diags_get(c.diags, told);
    position at = source_position(c.sources, d->where);
    text_printf(&got, "%u:%u: %s: %s\n", at.line, at.column, levels[d->level],
                d->message);
  }
  if (strcmp(text_string(&wanted), text_string(&got)))
    print_error("%s\n", path);
  assert_string_equal(text_string(&got), text_string(&wanted));
  text_free(&wanted);
  text_free(&got);
  close_context(&c);
}

static void bad_models(void **state)
{
  (void)state;
  const char *folder = NUT_SOURCE_ROOT "/tests/bad/promela";
  char path[8192];
  DIR *d = opendir(folder);
  assert_non_null(d);
  unsigned count = 0;
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    size_t length = strlen(e->d_name);
    if (length < 5 || strcmp(e->d_name + length - 4, ".pml"))
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    check_bad(path);
    count++;
  }
  closedir(d);
  assert_true(count > 100);
}

/* Errors are collected up to the limit, then parsing stops. */
static void many_errors(void **state)
{
  (void)state;
  text written = {0};
  text_add(&written, "init {\n");
  for (int i = 0; i < 100; i++)
    text_add(&written, "  x = ;\n");
  text_add(&written, "}\n");
  context c = parse_bytes(written.data, written.len);
  assert_int_equal(diags_errors(c.diags), DIAG_MAX);
  text_free(&written);
  close_context(&c);
}

static void repeat(text *out, const char *piece, int times)
{
  while (times--)
    text_add(out, piece);
}

/* Deep or endless input must be refused, not followed. */
static void hostile(void **state)
{
  (void)state;
  static const char *const cases[][3] = {
      {"init { assert(", "(", ")) }"},
      {"init { ", "{ ", "}"},
      {"init { ", "if :: ", "skip"},
      {"init { assert(", "! ", "1) }"},
      {"init { assert(", "1 + ", "1) }"},
      {"chan q = [1] of { byte }; init { q?", "(", "1) }"},
      {"int a[9]; init { a", "[a", "[0]]"},
      {"int a[", "-(", "1]; init { skip }"},
      {"init { skip } ltl { ", "[] ", "1 }"},
      {"", "{", ""},
      {"init { skip } /* ", "x", ""},
      {"init { a", "a", " = 1 }"},
      {"", "\x80\x01", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    text written = {0};
    text_add(&written, cases[i][0]);
    repeat(&written, cases[i][1], 200000);
    text_add(&written, cases[i][2]);
    context c = parse_bytes(written.data, written.len);
    assert_true(diags_errors(c.diags) > 0);
    text_free(&written);
    close_context(&c);
  }
}

/* Whatever is done to a model, there is an answer. */
static void mutilated(void **state)
{
  (void)state;
  static const char written[] =
      "mtype = { a, b }; typedef T { byte x; bit f[2] };\n"
      "chan q = [2] of { mtype, T }; T t; byte n, v[3] = { 1, 2, 3 };\n"
      "inline f(x, y) { x = y; int l; l = x }\n"
      "active [2] proctype P(byte k) provided (n < 9) { T u;\n"
      "end: do :: q!a(t) -> f(n, 2) :: q??b,eval(k),_,_ :: nempty(q) ->\n"
      "atomic { n++; assert(n < 3) } unless { timeout } :: else break od\n"
      "for (k : 1 .. 3) { v[k] = (n > 1 -> 2 : k) }; goto end }\n"
      "init { run P(1); select (n : 1 .. 4); P[1]@end && P:k > 2 }\n"
      "never { do :: !np_ || enabled(1) od }\n"
      "ltl p { [] (n < 3 -> <> (n == 2 U v[1] != 0)) }\n";
  random_state r;
  random_seed(&r, 7);
  char copy[sizeof written];
  for (int round = 0; round < 3000; round++) {
    size_t length = sizeof written - 1;
    memcpy(copy, written, sizeof written);
    for (uint64_t k = random_below(&r, 4) + 1; k; k--) {
      size_t at = random_below(&r, length), from = random_below(&r, length);
      if (random_below(&r, 2))
        copy[at] = copy[from];
      else {
        memmove(copy + at, copy + at + 1, length - at - 1);
        length--;
      }
    }
    context c = parse_bytes(copy, length);
    close_context(&c);
  }
}

/*------------------------------------------------------------------------*/
/* Memory                                                                  */

static const char small[] =
    "mtype = { a, b }; typedef T { byte x, y }; chan q = [1] of { T };\n"
    "inline f(x) { x = 1 } init { T t; byte i; L: q!t; f(t.x); if :: i > 1 "
    "fi;\n"
    "for (t in q) { skip }; goto L } ltl { [] <> (len(q) > 0) }\n";

static void *create(void)
{
  context *c = malloc(sizeof *c);
  assert_non_null(c);
  *c = open_context(small, strlen(small));
  return c;
}

static void work(void *p)
{
  context *c = p;
  c->module =
      promela_parse(c->mem, c->names, c->sources, c->diags, c->file, NULL);
}

static void destroy(void *p)
{
  close_context(p);
  free(p);
}

static void no_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(create, work, destroy) > 5);
}

UNIT_MAIN(UNIT(precedence), UNIT(temporal), UNIT(formula_from_elsewhere),
          UNIT(mtype_numbers), UNIT(declarations), UNIT(scopes), UNIT(messages),
          UNIT(separators), UNIT(loops), UNIT(loop_over_channel), UNIT(selects),
          UNIT(unless), UNIT(labels), UNIT(inlines), UNIT(inline_swap),
          UNIT(preprocessed_spans), UNIT(directives), UNIT(defines),
          UNIT(bad_models), UNIT(many_errors), UNIT(hostile), UNIT(mutilated),
          UNIT(no_memory))
