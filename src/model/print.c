/* Text of expressions, edges and whole models. */

#include "base/text/text.h"
#include "model/model.h"

typedef struct op_fact {
  const char *name;
  const char *text;
  int arity;
} op_fact;

static const op_fact ops[] = {
#define OP(name, arity, text, meaning) {#name, text, arity},
    MODEL_OPS(OP)
#undef OP
};

const char *op_name(op o)
{
  return ops[o].name;
}

const char *mtype_name_of(const model *m, int32_t v, const char *set)
{
  for (size_t i = 0; i < m->mtypes.len; i++)
    if (m->mtypes.data[i].value == v && m->mtypes.data[i].set == set)
      return m->mtypes.data[i].name;
  return NULL;
}

/* ---- expressions ------------------------------------------------------ */

/* How tightly an operator binds; what binds less needs parentheses. */
enum { BINDS_LEAST = 0, BINDS_UNARY = 12, BINDS_MOST = 13 };

static int binding(op o)
{
  switch (o) {
  case OP_IMPLY:
  case OP_COND:
    return 1;
  case OP_OR:
    return 2;
  case OP_AND:
    return 3;
  case OP_BITOR:
    return 4;
  case OP_BITXOR:
    return 5;
  case OP_BITAND:
    return 6;
  case OP_EQ:
  case OP_NE:
    return 7;
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
    return 8;
  case OP_SHL:
  case OP_SHR:
    return 9;
  case OP_ADD:
  case OP_SUB:
    return 10;
  case OP_MUL:
  case OP_DIV:
  case OP_MOD:
    return 11;
  case OP_NEG:
  case OP_NOT:
  case OP_COMPL:
    return BINDS_UNARY;
  default:
    return BINDS_MOST;
  }
}

static void print_at(const model *, const expr *, int least, text *);

static void print_list(const model *m, expr *const *list, size_t n, text *out)
{
  for (size_t i = 0; i < n; i++) {
    if (i)
      text_add(out, ", ");
    print_at(m, list[i], BINDS_LEAST, out);
  }
}

void ref_print(const model *m, const ref *r, text *out)
{
  for (const ref *step = r; step; step = step->field) {
    if (step != r && *step->var->name)
      text_add_char(out, '.');
    text_add(out, step->var->name);
    if (step->index && (step->var->flags & VAR_ARRAY)) {
      text_add_char(out, '[');
      print_at(m, step->index, BINDS_LEAST, out);
      text_add_char(out, ']');
    }
  }
}

static void print_args(const model *m, const comm *c, text *out)
{
  for (size_t i = 0; i < c->args.len; i++) {
    const comm_arg *a = &c->args.data[i];
    if (i)
      text_add_char(out, ',');
    if (a->kind == ARG_STORE)
      ref_print(m, a->target, out);
    else if (a->kind == ARG_IGNORE)
      text_add_char(out, '_');
    else if (c->kind == COMM_SEND || a->value->op == OP_CONST)
      print_at(m, a->value, BINDS_LEAST, out);
    else {
      text_add(out, "eval(");
      print_at(m, a->value, BINDS_LEAST, out);
      text_add_char(out, ')');
    }
  }
}

static void print_comm(const model *m, const comm *c, const char *open,
                       const char *close, text *out)
{
  bool sends = c->kind == COMM_SEND || c->kind == COMM_MULTICAST;
  print_at(m, c->channel, BINDS_MOST, out);
  text_add(out, sends ? (c->sorted ? "!!" : "!") : c->anywhere ? "??" : "?");
  text_add(out, open);
  print_args(m, c, out);
  text_add(out, close);
}

/* 'P[3]' or, when no number was written, 'P'. */
static void print_instance(const model *m, const expr *e, text *out)
{
  text_add(out, e->process->name);
  if (e->args[0]->op == OP_CONST && e->args[0]->value == -1)
    return;
  text_add_char(out, '[');
  print_at(m, e->args[0], BINDS_LEAST, out);
  text_add_char(out, ']');
}

static void print_call(const model *m, const expr *e, text *out)
{
  text_add(out, ops[e->op].text);
  if (!ops[e->op].arity)
    return;
  text_add_char(out, '(');
  print_list(m, e->args, (size_t)ops[e->op].arity, out);
  text_add_char(out, ')');
}

static void print_run(const model *m, const run *r, text *out)
{
  text_printf(out, "run %s(", r->process->name);
  print_list(m, r->args.data, r->args.len, out);
  text_add_char(out, ')');
  if (r->priority) {
    text_add(out, " priority ");
    print_at(m, r->priority, BINDS_LEAST, out);
  }
}

static void print_embedded(const model *m, const expr *e, text *out)
{
  const embed_code *c = &m->c_code.data[e->value];
  bool runs = c->kind == EMBED_RUNS, tests = c->kind == EMBED_TEST;
  text_printf(out, "%s{%s}",
              runs    ? "c_code "
              : tests ? "c_code []"
                      : "c_expr ",
              c->text);
}

static void print_primary(const model *m, const expr *e, text *out)
{
  switch (e->op) {
  case OP_CONST:
    if (e->label)
      text_add(out, e->label);
    else
      text_printf(out, "%d", e->value);
    break;
  case OP_VAR:
    ref_print(m, e->ref, out);
    break;
  case OP_POLL:
    print_comm(m, e->poll, "[", "]", out);
    break;
  case OP_RUN:
    print_run(m, e->run, out);
    break;
  case OP_EMBED:
    print_embedded(m, e, out);
    break;
  case OP_AT:
    print_instance(m, e, out);
    text_printf(out, "@%s", e->label ? e->label : "?");
    break;
  case OP_REMOTE:
    print_instance(m, e, out);
    text_add_char(out, ':');
    ref_print(m, e->ref, out);
    break;
  default:
    print_call(m, e, out);
    break;
  }
}

static void print_operator(const model *m, const expr *e, text *out)
{
  int own = binding(e->op);
  if (e->op == OP_COND) {
    print_at(m, e->args[0], own + 1, out);
    text_add(out, " -> ");
    print_at(m, e->args[1], own + 1, out);
    text_add(out, " : ");
    print_at(m, e->args[2], own + 1, out);
  } else if (ops[e->op].arity == 1) {
    text_add(out, ops[e->op].text);
    print_at(m, e->args[0], own, out);
  } else {
    print_at(m, e->args[0], own, out);
    text_printf(out, " %s ", ops[e->op].text);
    print_at(m, e->args[1], own + 1, out);
  }
}

/* Prints 'e', in parentheses if it binds less than 'least'; a conditional
** has them always. */
static void print_at(const model *m, const expr *e, int least, text *out)
{
  int own = binding(e->op);
  if (own == BINDS_MOST) {
    print_primary(m, e, out);
    return;
  }
  bool grouped = own < least || e->op == OP_COND;
  if (grouped)
    text_add_char(out, '(');
  print_operator(m, e, out);
  if (grouped)
    text_add_char(out, ')');
}

void expr_print(const model *m, const expr *e, text *out)
{
  print_at(m, e, BINDS_LEAST, out);
}

/* ---- edges ------------------------------------------------------------ */

static void print_effect(const model *m, const effect *f, text *out)
{
  switch (f->kind) {
  case EFFECT_ASSIGN:
    ref_print(m, f->target, out);
    text_add(out, " = ");
    expr_print(m, f->value, out);
    break;
  case EFFECT_EVAL:
    expr_print(m, f->value, out);
    break;
  case EFFECT_ASSERT:
    text_add(out, "assert(");
    expr_print(m, f->value, out);
    text_add_char(out, ')');
    break;
  case EFFECT_PRINT:
    text_printf(out, "printf(\"%s\"", f->format);
    if (f->args.len)
      text_add(out, ", ");
    print_list(m, f->args.data, f->args.len, out);
    text_add_char(out, ')');
    break;
  case EFFECT_PRINTM:
    text_add(out, "printm(");
    expr_print(m, f->value, out);
    text_add_char(out, ')');
    break;
  case EFFECT_DIE:
    text_add(out, "-end-");
    break;
  }
}

void edge_print(const model *m, const edge *e, text *out)
{
  const char *between = "";
  if (e->flags & EDGE_ELSE)
    text_add(out, "else"), between = " -> ";
  if (e->guard) {
    text_add(out, between);
    expr_print(m, e->guard, out);
    between = " -> ";
  }
  if (e->comm) {
    text_add(out, between);
    print_comm(m, e->comm, e->comm->copy ? "<" : "", e->comm->copy ? ">" : "",
               out);
    between = "; ";
  }
  for (size_t i = 0; i < e->effects.len; i++) {
    text_add(out, between);
    print_effect(m, e->effects.data[i], out);
    between = "; ";
  }
  if (e->flags & EDGE_DSTEP)
    text_printf(out, "%sd_step %d", between,
                e->process->locations.data[e->block].number);
  else if (!*between)
    text_add(out, "skip");
}
