/* Writes a model as nested lists: everything by number, names for people only.
** A list says what it is with its first word. */

#include "certificate/model_text.h"

#include <stdlib.h>
#include <string.h>

static const char *const op_words[] = {
#define OP(name, arity, text, meaning) [OP_##name] = #name,
    MODEL_OPS(OP)
#undef OP
};

void model_text_name(const char *name, text *out)
{
  text_add_char(out, '"');
  for (; name && *name; name++)
    if (*name >= ' ' && *name < 127 && *name != '"' && *name != '\\')
      text_add_char(out, *name);
  text_add_char(out, '"');
}

/* ---- expressions ------------------------------------------------------ */

static void write_ref(const ref *r, text *out)
{
  text_printf(out, "(%s %u", r->var->owner ? "local" : "global", r->var->index);
  for (;; r = r->field) {
    if (r->index) {
      text_add(out, " (index ");
      model_text_expr(r->index, out);
      text_add_char(out, ')');
    }
    if (!r->field)
      break;
    text_printf(out, " (field %u)", r->field->var->index);
  }
  text_add_char(out, ')');
}

static void write_arg(const comm_arg *a, text *out)
{
  switch (a->kind) {
  case ARG_VALUE:
    text_add_char(out, ' ');
    model_text_expr(a->value, out);
    return;
  case ARG_STORE:
    text_add(out, " (store ");
    write_ref(a->target, out);
    text_add_char(out, ')');
    return;
  case ARG_IGNORE:
    text_add(out, " any");
    return;
  }
}

static void write_comm(const comm *c, text *out)
{
  static const char *const words[] = {[COMM_SEND] = "send",
                                      [COMM_RECEIVE] = "receive",
                                      [COMM_MULTICAST] = "multicast",
                                      [COMM_JOIN] = "join"};
  text_printf(out, "(%s%s%s%s ", words[c->kind], c->sorted ? "-sorted" : "",
              c->anywhere ? "-anywhere" : "", c->copy ? "-copy" : "");
  model_text_expr(c->channel, out);
  for (size_t i = 0; i < c->args.len; i++)
    write_arg(&c->args.data[i], out);
  text_add_char(out, ')');
}

static void write_run(const run *r, text *out)
{
  text_printf(out, "(RUN %u (", r->process->index);
  for (size_t i = 0; i < r->args.len; i++) {
    if (i)
      text_add_char(out, ' ');
    model_text_expr(r->args.data[i], out);
  }
  text_add_char(out, ')');
  if (r->priority) {
    text_add_char(out, ' ');
    model_text_expr(r->priority, out);
  }
  text_add_char(out, ')');
}

/* The head of an expression that is about a process: what it is looked for by
** follows as an argument, if anything does. */
static void write_operator(const expr *e, text *out)
{
  text_printf(out, "(%s", op_words[e->op]);
  if (e->op == OP_AT)
    text_printf(out, " %u %u", e->process->index, e->location);
  if (e->op == OP_REMOTE) {
    text_printf(out, " %u ", e->process->index);
    write_ref(e->ref, out);
  }
  for (int i = 0; i < 3 && e->args[i]; i++) {
    text_add_char(out, ' ');
    model_text_expr(e->args[i], out);
  }
  text_add_char(out, ')');
}

void model_text_expr(const expr *e, text *out)
{
  if (e->op == OP_CONST)
    text_printf(out, "%d", e->value);
  else if (e->op == OP_VAR)
    write_ref(e->ref, out);
  else if (e->op == OP_RUN)
    write_run(e->run, out);
  else if (e->op == OP_POLL) {
    text_add(out, "(POLL ");
    write_comm(e->poll, out);
    text_add_char(out, ')');
  } else {
    write_operator(e, out);
  }
}

/* Operands, each with what stands around it: %a and %b in a pattern. */
static void write_pattern(const char *pattern, const ltl *f, text *out)
{
  for (; *pattern; pattern++)
    if (*pattern == '%')
      model_text_formula(*++pattern == 'a' ? f->a : f->b, out);
    else
      text_add_char(out, *pattern);
}

void model_text_formula(const ltl *f, text *out)
{
  static const char *const patterns[] = {
      [LTL_FALSE] = "false",
      [LTL_TRUE] = "true",
      [LTL_NOT] = "(not %a)",
      [LTL_NEXT] = "(next %a)",
      [LTL_EVENTUALLY] = "(until true %a)",
      [LTL_ALWAYS] = "(release false %a)",
      [LTL_AND] = "(and %a %b)",
      [LTL_OR] = "(or %a %b)",
      [LTL_IMPLIES] = "(or (not %a) %b)",
      [LTL_EQUIV] = "(or (and %a %b) (and (not %a) (not %b)))",
      [LTL_UNTIL] = "(until %a %b)",
      [LTL_WEAK_UNTIL] = "(release %b (or %a %b))",
      [LTL_RELEASE] = "(release %a %b)",
      [LTL_STRONG_RELEASE] = "(until %b (and %a %b))"};
  if (f->op != LTL_ATOM) {
    write_pattern(patterns[f->op], f, out);
    return;
  }
  text_add(out, "(is ");
  model_text_expr(f->condition, out);
  text_add_char(out, ')');
}

/* ---- variables --------------------------------------------------------- */

uint32_t model_text_numbers(const var *v)
{
  uint32_t one = v->type.kind != TYPE_RECORD;
  for (size_t i = 0; !one && i < v->type.record->fields.len; i++)
    one += model_text_numbers(v->type.record->fields.data[i]);
  return one * v->length;
}

uint32_t model_text_hidden(const model *m)
{
  uint32_t all = 0;
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    if (v->flags & VAR_HIDDEN && !(v->flags & VAR_SCRATCH))
      all += model_text_numbers(v);
  }
  return all;
}

/* ---- declarations ----------------------------------------------------- */

static void write_type(const model *m, const type *t, text *out)
{
  uint32_t i = 0;
  switch (t->kind) {
  case TYPE_UNSIGNED:
    text_printf(out, "(unsigned %u)", t->bits);
    return;
  case TYPE_RANGE:
    text_printf(out, "(range %d %d)", t->lo, t->hi);
    return;
  case TYPE_RECORD:
    while (m->records.data[i] != t->record)
      i++;
    text_printf(out, "(record %u)", i);
    return;
  case TYPE_BIT:
  case TYPE_BOOL:
  case TYPE_BYTE:
  case TYPE_PID:
  case TYPE_MTYPE:
  case TYPE_CHAN:
  case TYPE_SHORT:
  case TYPE_INT:
    text_add(out, type_name(t->kind));
  }
}

/* (var "x" byte 3 array (init 1 2 3)) */
static void write_var(const model *m, const var *v, const type *t, text *out)
{
  text_add(out, "(var ");
  model_text_name(v->name, out);
  text_add_char(out, ' ');
  write_type(m, t, out);
  text_printf(out, " %u", v->length);
  if (v->flags & VAR_ARRAY)
    text_add(out, " array");
  if (!v->owner && v->flags & VAR_HIDDEN)
    text_add(out, " hidden");
  if (v->init_channel)
    text_printf(out, " (create %u)", v->init_channel->index);
  if (v->init.len) {
    text_add(out, " (init");
    for (size_t i = 0; i < v->init.len; i++) {
      text_add_char(out, ' ');
      model_text_expr(v->init.data[i], out);
    }
    text_add_char(out, ')');
  }
  text_add_char(out, ')');
}

static void write_record(const model *m, const record *r, text *out)
{
  text_add(out, "(record ");
  model_text_name(r->name, out);
  for (size_t i = 0; i < r->fields.len; i++) {
    text_add(out, "\n  ");
    write_var(m, r->fields.data[i], &r->fields.data[i]->type, out);
  }
  text_add(out, ")\n");
}

static void write_channel_type(const model *m, const channel_type *c, text *out)
{
  text_add(out, "(channel ");
  model_text_name(c->name, out);
  text_printf(out, " %u", c->capacity);
  for (size_t i = 0; i < c->fields.len; i++) {
    text_add_char(out, ' ');
    write_type(m, &c->fields.data[i], out);
  }
  text_add(out, ")\n");
}

/* ---- processes -------------------------------------------------------- */

typedef struct flag_word {
  uint32_t flag;
  const char *word;
} flag_word;

static void write_flags(uint32_t flags, const flag_word *words, text *out)
{
  for (; words->word; words++)
    if (flags & words->flag)
      text_printf(out, " %s", words->word);
}

static void write_location(const location *l, text *out)
{
  static const flag_word words[] = {
      {LOC_END, "end"},           {LOC_ACCEPT, "accept"},
      {LOC_PROGRESS, "progress"}, {LOC_COMMITTED, "committed"},
      {LOC_DSTEP, "inner"},       {0, NULL}};
  text_printf(out, "  (location %d", l->number);
  write_flags(l->flags, words, out);
  text_add(out, ")\n");
}

static void write_effect(const effect *f, text *out)
{
  switch (f->kind) {
  case EFFECT_ASSIGN:
    text_add(out, " (assign ");
    write_ref(f->target, out);
    break;
  case EFFECT_EVAL:
    text_add(out, " (eval");
    break;
  case EFFECT_ASSERT:
    text_add(out, " (assert");
    break;
  case EFFECT_PRINT:
  case EFFECT_PRINTM:
    text_add(out, " (print");
    break;
  case EFFECT_DIE:
    text_add(out, " (die");
    break;
  }
  if (f->value) {
    text_add_char(out, ' ');
    model_text_expr(f->value, out);
  }
  for (size_t i = 0; i < f->args.len; i++) {
    text_add_char(out, ' ');
    model_text_expr(f->args.data[i], out);
  }
  text_add_char(out, ')');
}

static void write_edge(const edge *e, text *out)
{
  static const flag_word words[] = {{EDGE_ATOMIC, "atomic"},
                                    {EDGE_ELSE, "else"},
                                    {EDGE_PARALLEL, "parallel"},
                                    {0, NULL}};
  text_printf(out, "  (edge %u %u %u", e->source, e->target, e->rank);
  write_flags(e->flags, words, out);
  if (e->flags & EDGE_DSTEP)
    text_printf(out, " (block %u)", e->block);
  if (e->guard) {
    text_add(out, " (guard ");
    model_text_expr(e->guard, out);
    text_add_char(out, ')');
  }
  if (e->comm) {
    text_add_char(out, ' ');
    write_comm(e->comm, out);
  }
  for (size_t i = 0; i < e->effects.len; i++)
    write_effect(e->effects.data[i], out);
  text_add(out, ")\n");
}

static void write_exprs(const char *word, expr *const *list, size_t count,
                        text *out)
{
  for (size_t i = 0; i < count; i++) {
    text_printf(out, "  (%s ", word);
    model_text_expr(list[i], out);
    text_add(out, ")\n");
  }
}

static void write_process(const model *m, const process_type *p, text *out)
{
  static const char *const kinds[] = {
      [PROCESS_NORMAL] = "process",  [PROCESS_INIT] = "process",
      [PROCESS_NEVER] = "claim",     [PROCESS_TRACE] = "trace",
      [PROCESS_NOTRACE] = "notrace", [PROCESS_BUCHI] = "automaton"};
  text_printf(out, "(%s ", kinds[p->kind]);
  model_text_name(p->name, out);
  text_printf(out, " %u %d %u\n", p->start, p->priority, p->parameters);
  for (size_t i = 0; i < p->locals.len; i++) {
    text_add(out, "  ");
    write_var(m, p->locals.data[i], &p->locals.data[i]->type, out);
    text_add_char(out, '\n');
  }
  for (size_t i = 0; i < p->locations.len; i++)
    write_location(&p->locations.data[i], out);
  for (size_t i = 0; i < p->order.len; i++)
    write_edge(p->order.data[i], out);
  if (p->provided)
    write_exprs("provided", &p->provided, 1, out);
  write_exprs("only-reads", p->only_reads.data, p->only_reads.len, out);
  write_exprs("only-sends", p->only_sends.data, p->only_sends.len, out);
  text_add(out, ")\n");
}

/* ---- the whole -------------------------------------------------------- */

/* What the numbers of a state and the rules of its steps depend on. */
static void write_facts(const model *m, const model_text_options *o, text *out)
{
  static const flag_word words[] = {{MODEL_HAS_LAST, "last"},
                                    {MODEL_HAS_PRIORITY, "priorities"},
                                    {MODEL_SYNCHRONOUS, "synchronous"},
                                    {0, NULL}};
  text_add(out, "(model 1");
  write_flags(m->flags, words, out);
  if (o->check_overflow)
    text_add(out, " overflow");
  if (o->is_changing)
    text_add(out, " changing");
  text_add(out, ")\n");
}

static void write_start(const model *m, text *out)
{
  text_add(out, "(channels");
  for (size_t i = 0; i < m->initial_channels.len; i++)
    text_printf(out, " %u", m->initial_channels.data[i]->index);
  text_add(out, ")\n(start");
  for (size_t i = 0; i < m->initial.len; i++)
    text_printf(out, " %u", m->initial.data[i]->index);
  text_add(out, ")\n");
}

/* How many words its text has: equivalences have their operands twice. */
static double formula_size(const ltl *f)
{
  bool twice = f->op == LTL_EQUIV,
       again = f->op == LTL_WEAK_UNTIL || f->op == LTL_STRONG_RELEASE;
  double a = f->a ? formula_size(f->a) : 0, b = f->b ? formula_size(f->b) : 0;
  return 1 + (twice ? 2 * a + 2 * b : a + b * (again ? 2 : 1));
}

bool model_text_has_formula(const property *p)
{
  enum { LARGEST = 100000 };
  return p->kind == PROPERTY_LTL && p->ltl && formula_size(p->ltl) < LARGEST;
}

/* What the model itself says of states and runs, beside its claims. */
static void write_property(const property *p, text *out)
{
  if (p->kind != PROPERTY_INVARIANT && !model_text_has_formula(p))
    return;
  text_add(out, "(property ");
  model_text_name(p->name, out);
  text_add(out, p->kind == PROPERTY_LTL ? " (ltl " : " (invariant ");
  if (p->kind == PROPERTY_LTL)
    model_text_formula(p->ltl, out);
  else
    model_text_expr(p->expr, out);
  text_add(out, "))\n");
}

static bool is_before(const text *t, size_t at, const char *word)
{
  size_t n = strlen(word);
  return at >= n && !memcmp(t->data + at - n, word, n);
}

bool model_text_reads_hidden(const model *m, const text *t)
{
  static const char word[] = "(global ";
  const char *at = t->data, *end = t->data + t->len;
  while (at && (at = memmem(at, (size_t)(end - at), word, sizeof word - 1))) {
    size_t place = (size_t)(at - t->data);
    at += sizeof word - 1;
    unsigned long number = strtoul(at, NULL, 10);
    if (m->globals.data[number]->flags & VAR_HIDDEN &&
        !is_before(t, place, "(assign ") && !is_before(t, place, "(store "))
      return true;
  }
  return false;
}

const char *model_text(const model *m, const model_text_options *o, text *out)
{
  if (m->flags & MODEL_HAS_C)
    return "it has embedded C";
  if (m->flags & MODEL_HAS_PLUGIN)
    return "it is a plug-in";
  if (m->flags & MODEL_LOSES)
    return "messages may be lost";
  write_facts(m, o, out);
  for (size_t i = 0; i < m->records.len; i++)
    write_record(m, m->records.data[i], out);
  for (size_t i = 0; i < m->channels.len; i++)
    write_channel_type(m, m->channels.data[i], out);
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    write_var(m, v, o->types ? &o->types[i] : &v->type, out);
    text_add_char(out, '\n');
  }
  for (size_t i = 0; i < m->processes.len; i++)
    write_process(m, m->processes.data[i], out);
  write_start(m, out);
  for (size_t i = 0; i < m->properties.len; i++)
    write_property(&m->properties.data[i], out);
  return NULL;
}
