/* The model from its text (docs/model.md, "Models as text"). */

#include "certify.h"

#include <string.h>

typedef struct maker {
  model *m;
  const process_type *self; /* whose locals expressions may use, or NULL */
} maker;

static expr *read_expr(maker *, const list *);
static comm *read_comm(maker *, const list *);

/* ---- types and variables ------------------------------------------------ */

static uint32_t index_of(const list *l, uint32_t count)
{
  return (uint32_t)number_between(l, 0, (int64_t)count - 1);
}

static type read_type(const model *m, const list *l)
{
  static const struct {
    const char *word;
    uint8_t bits;
    bool is_signed;
  } plain[] = {{"bit", 1, false},   {"bool", 1, false},  {"byte", 8, false},
               {"pid", 8, false},   {"mtype", 8, false}, {"chan", 8, false},
               {"short", 16, true}, {"int", 32, true}};
  type t = {.record = NO_RECORD};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (is_word(l, plain[i].word)) {
      t.keep = (keep){plain[i].bits, plain[i].is_signed, false, 0, 0};
      return t;
    }
  if (is_about(l, "unsigned")) {
    t.keep.bits = (uint8_t)number_between(item(l, 1), 1, 32);
    t.keep.is_signed = t.keep.bits == 32;
  } else if (is_about(l, "range")) {
    t.keep.is_range = true;
    t.keep.lo = (int32_t)number_between(item(l, 1), INT32_MIN, INT32_MAX);
    t.keep.hi = (int32_t)number_between(item(l, 2), t.keep.lo, INT32_MAX);
  } else if (is_about(l, "record")) {
    t.record = index_of(item(l, 1), m->record_count);
  } else {
    damaged("'%s' is not a type", l->word ? l->word : "()");
  }
  return t;
}

/* Elements of an array have whole bytes. */
static void widen(keep *k)
{
  if (k->is_range || k->is_signed)
    return;
  k->bits = k->bits <= 8 ? 8 : k->bits <= 16 ? 16 : 32;
  k->is_signed = k->bits == 32;
}

static void read_var(const model *m, const list *l, var *v, uint32_t *at)
{
  enum { LONGEST = 1 << 24 };
  if (!is_about(l, "var"))
    damaged("a variable is missing");
  v->type = read_type(m, item(l, 2));
  v->length = (uint32_t)number_between(item(l, 3), 1, LONGEST);
  v->size = v->type.record == NO_RECORD ? 1 : m->records[v->type.record].size;
  for (uint32_t i = 4; i < l->count; i++) {
    const list *x = &l->items[i];
    if (is_word(x, "array"))
      v->is_array = true;
    else if (is_word(x, "hidden"))
      v->is_hidden = true;
    else if (is_about(x, "init") || is_about(x, "create"))
      v->init = x;
    else
      damaged("a variable has something unknown");
  }
  if (v->is_array)
    widen(&v->type.keep);
  v->at = *at;
  if ((uint64_t)v->length * v->size > LONGEST - *at)
    damaged("a state is too long");
  if (!v->is_hidden)
    *at += v->length * v->size;
}

static void read_record(model *m, const list *l)
{
  record *r = &m->records[m->record_count];
  r->fields = have((l->count + 1) * sizeof *r->fields);
  for (uint32_t i = 2; i < l->count; i++)
    read_var(m, &l->items[i], &r->fields[r->count++], &r->size);
  m->record_count++;
}

static void read_channel(model *m, const list *l)
{
  channel_type *c = &m->channels[m->channel_count++];
  c->capacity = (uint32_t)number_between(item(l, 2), 0, 65535);
  c->fields = have((l->count + 1) * sizeof *c->fields);
  for (uint32_t i = 3; i < l->count; i++) {
    type t = read_type(m, &l->items[i]);
    if (t.record != NO_RECORD)
      damaged("a field of a message is a record");
    c->fields[c->count++] = t.keep;
  }
}

/* ---- expressions -------------------------------------------------------- */

/* Follows (index E) and (field N) from a variable on. */
static void follow(maker *k, ref *r, const var *v, const list *l, uint32_t i)
{
  for (;; i++) {
    bool indexed = i < l->count && is_about(&l->items[i], "index");
    if (indexed) {
      if (r->dimensions == sizeof r->dims / sizeof *r->dims)
        damaged("a reference has too many indices");
      r->dims[r->dimensions++] =
          (dimension){read_expr(k, item(&l->items[i], 1)), v->length, v->size};
      i++;
    }
    if (i == l->count)
      break;
    if (!is_about(&l->items[i], "field") || v->type.record == NO_RECORD)
      damaged("a reference has something unknown");
    const record *in = &k->m->records[v->type.record];
    v = &in->fields[index_of(item(&l->items[i], 1), in->count)];
    r->at += v->at;
  }
  if (v->type.record != NO_RECORD)
    damaged("a reference does not lead to a number");
  r->keep = v->type.keep;
}

static ref *read_ref(maker *k, const list *l, const process_type *owner)
{
  ref *r = have(sizeof *r);
  r->is_local = is_about(l, "local");
  if (!r->is_local && !is_about(l, "global"))
    damaged("a reference is missing");
  if (r->is_local && !owner)
    damaged("a local variable of nobody");
  const var *v = r->is_local
                     ? &owner->locals[index_of(item(l, 1), owner->local_count)]
                     : &k->m->globals[index_of(item(l, 1), k->m->global_count)];
  r->at = v->at;
  r->is_hidden = v->is_hidden;
  follow(k, r, v, l, 2);
  return r;
}

static const process_type *process_at(const maker *k, uint32_t i)
{
  return &k->m->processes[i];
}

/* (RUN P (E...) [E]) */
static void read_run(maker *k, const list *l, expr *x)
{
  const list *args = item(l, 2);
  x->process = index_of(item(l, 1), k->m->process_count);
  x->values = have((args->count + 1) * sizeof *x->values);
  for (uint32_t i = 0; i < args->count; i++)
    x->values[x->value_count++] = read_expr(k, item(args, i));
  if (l->count > 3)
    x->priority = read_expr(k, item(l, 3));
}

/* What stands before the operands of (AT P L [E]) and (REMOTE P REF [E]). */
static uint32_t read_subject(maker *k, const list *l, expr *x)
{
  if (x->op == OP_POLL) {
    x->comm = read_comm(k, item(l, 1));
    return l->count;
  }
  if (x->op == OP_RUN) {
    read_run(k, l, x);
    return l->count;
  }
  if (x->op != OP_AT && x->op != OP_REMOTE)
    return 1;
  x->process = index_of(item(l, 1), k->m->process_count);
  if (x->op == OP_AT)
    x->location = (uint32_t)number_between(item(l, 2), 0, UINT32_MAX);
  else
    x->ref = read_ref(k, item(l, 2), process_at(k, x->process));
  return 3;
}

static operator operator_of(const list *l)
{
  static const char *const words[] = {
#define OP(name) #name,
      OPERATORS(OP)
#undef OP
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_about(l, words[i]))
      return (operator)(OP_VAR + 1 + i);
  damaged("an expression has an unknown operator");
}

static uint32_t operands(operator o)
{
  switch (o) {
  case OP_COND:
    return 3;
  case OP_NEG:
  case OP_NOT:
  case OP_COMPL:
  case OP_LEN:
  case OP_EMPTY:
  case OP_NEMPTY:
  case OP_FULL:
  case OP_NFULL:
  case OP_ENABLED:
  case OP_PC_VALUE:
  case OP_PRIORITY:
    return 1;
  case OP_POLL:
  case OP_RUN:
  case OP_PID:
  case OP_NR_PR:
  case OP_LAST:
  case OP_TIMEOUT:
  case OP_NP:
  case OP_CONST:
  case OP_VAR:
    return 0;
  default:
    return 2;
  }
}

static expr *read_expr(maker *k, const list *l)
{
  expr *x = have(sizeof *x);
  if (l->word) {
    x->op = OP_CONST;
    x->value = (int32_t)number_between(l, INT32_MIN, INT32_MAX);
    return x;
  }
  if (is_about(l, "global") || is_about(l, "local")) {
    x->op = OP_VAR;
    x->ref = read_ref(k, l, k->self);
    return x;
  }
  x->op = operator_of(l);
  if (x->op == OP_LAST && !k->m->has_last)
    damaged("'_last' is not in the states");
  uint32_t first = read_subject(k, l, x);
  bool optional = x->op == OP_AT || x->op == OP_REMOTE;
  uint32_t wanted = optional ? l->count - first : operands(x->op);
  if (l->count - first != wanted || wanted > 3 || (optional && wanted > 1))
    damaged("an operator has another number of operands");
  for (uint32_t i = 0; i < wanted; i++)
    x->args[i] = read_expr(k, item(l, first + i));
  return x;
}

expr *read_condition(const model *m, const list *l)
{
  maker k = {(model *)(uintptr_t)m, NULL};
  return read_expr(&k, l);
}

static bool read_comm_kind(comm *c, const char *word)
{
  static const char *const words[] = {"send", "receive", "multicast", "join"};
  for (int i = 0; i < 4; i++) {
    size_t n = strlen(words[i]);
    if (strncmp(word, words[i], n) || (word[n] && word[n] != '-'))
      continue;
    c->kind = (comm_kind)i;
    c->is_sorted = strstr(word, "-sorted");
    c->is_anywhere = strstr(word, "-anywhere");
    c->is_copy = strstr(word, "-copy");
    return true;
  }
  return false;
}

static comm *read_comm(maker *k, const list *l)
{
  comm *c = have(sizeof *c);
  if (l->word || !l->count || !l->items[0].word ||
      !read_comm_kind(c, l->items[0].word))
    damaged("a communication is missing");
  c->channel = read_expr(k, item(l, 1));
  c->args = have((l->count + 1) * sizeof *c->args);
  for (uint32_t i = 2; i < l->count; i++) {
    arg *a = &c->args[c->count++];
    const list *x = &l->items[i];
    if (is_word(x, "any")) {
      a->kind = ARG_ANY;
    } else if (is_about(x, "store")) {
      a->kind = ARG_STORE;
      a->target = read_ref(k, item(x, 1), k->self);
    } else {
      a->value = read_expr(k, x);
    }
    if (a->kind != ARG_VALUE && k->self && k->self->kind == PROCESS &&
        (c->kind == SEND || c->kind == MULTICAST))
      damaged("a send has something to receive");
  }
  return c;
}

/* ---- values at the start ------------------------------------------------ */

typedef struct starts {
  start_value *list;
  size_t cap;
  uint32_t count;
} starts;

/* For a variable whose first number is at 'at', and all in its records. */
static void add_starts(maker *k, const var *v, uint32_t at, bool hidden,
                       starts *s)
{
  if (v->type.record != NO_RECORD) {
    const record *r = &k->m->records[v->type.record];
    for (uint32_t i = 0; i < v->length; i++)
      for (uint32_t f = 0; f < r->count; f++)
        add_starts(k, &r->fields[f], at + i * v->size + r->fields[f].at, hidden,
                   s);
    return;
  }
  if (!v->init && !(v->type.keep.is_range && v->type.keep.lo))
    return;
  s->list = grow(s->list, &s->cap, s->count + 1, sizeof *s->list);
  start_value *to = &s->list[s->count++];
  *to = (start_value){.is_hidden = hidden,
                      .at = at,
                      .length = v->length,
                      .stride = 1,
                      .keep = v->type.keep,
                      .channel = NO_CHANNEL};
  if (!v->init) {
    to->is_default = true;
    to->values = have(sizeof *to->values);
    to->values[to->count++] = have(sizeof(expr));
    to->values[0]->value = v->type.keep.lo;
  } else if (is_about(v->init, "create")) {
    to->channel = index_of(item(v->init, 1), k->m->channel_count);
  } else {
    to->values = have((v->init->count + 1) * sizeof *to->values);
    for (uint32_t i = 1; i < v->init->count; i++)
      to->values[to->count++] = read_expr(k, item(v->init, i));
  }
}

static starts all_starts(maker *k, const var *vars, uint32_t count)
{
  starts s = {0};
  for (uint32_t i = 0; i < count; i++)
    add_starts(k, &vars[i], vars[i].at, vars[i].is_hidden, &s);
  return s;
}

/* ---- processes ---------------------------------------------------------- */

static void read_location(const list *l, location *to)
{
  to->number = (int32_t)number_between(item(l, 1), INT32_MIN, INT32_MAX);
  for (uint32_t i = 2; i < l->count; i++) {
    const list *x = &l->items[i];
    to->is_end |= is_word(x, "end");
    to->is_progress |= is_word(x, "progress");
    to->is_committed |= is_word(x, "committed");
    to->is_inner |= is_word(x, "inner");
  }
}

static bool read_effect(maker *k, const list *l, effect *f)
{
  static const char *const words[] = {"assign", "eval", "assert", "print",
                                      "die"};
  uint32_t first = 1;
  int kind = 0;
  while (kind < 5 && !is_about(l, words[kind]))
    kind++;
  if (kind == 5)
    return false;
  f->kind = (effect_kind)kind;
  if (f->kind == EFFECT_ASSIGN)
    f->target = read_ref(k, item(l, first++), k->self);
  f->values = have((l->count + 1) * sizeof *f->values);
  for (; first < l->count; first++)
    f->values[f->count++] = read_expr(k, &l->items[first]);
  if (f->kind < EFFECT_PRINT && f->count != 1)
    damaged("an effect has another number of values");
  return true;
}

static void read_edge(maker *k, const list *l, edge *e)
{
  e->target = index_of(item(l, 2), k->self->location_count);
  e->rank = (uint32_t)number_between(item(l, 3), 0, UINT32_MAX);
  e->effects = have((l->count + 1) * sizeof *e->effects);
  for (uint32_t i = 4; i < l->count; i++) {
    const list *x = &l->items[i];
    if (is_word(x, "atomic"))
      e->is_atomic = true;
    else if (is_word(x, "else"))
      e->is_else = true;
    else if (is_word(x, "parallel"))
      e->is_parallel = true;
    else if (is_about(x, "block")) {
      e->has_block = true;
      e->block = index_of(item(x, 1), k->self->location_count);
    } else if (is_about(x, "guard"))
      e->guard = read_expr(k, item(x, 1));
    else if (read_effect(k, x, &e->effects[e->effect_count]))
      e->effect_count++;
    else
      e->comm = read_comm(k, x);
  }
}

/* Edges stand by their locations, which are counted before. */
static void read_edges(maker *k, const list *l, process_type *p)
{
  uint32_t last = 0;
  p->edges = have((l->count + 1) * sizeof *p->edges);
  for (uint32_t i = 5; i < l->count; i++) {
    const list *x = &l->items[i];
    if (!is_about(x, "edge"))
      continue;
    uint32_t source = index_of(item(x, 1), p->location_count);
    if (source < last)
      damaged("edges are not in the order of their locations");
    if (!p->locations[source].count++)
      p->locations[source].first = p->edge_count;
    last = source;
    read_edge(k, x, &p->edges[p->edge_count++]);
  }
}

static void read_conditions(maker *k, const list *l, process_type *p)
{
  p->only_reads = have((l->count + 1) * sizeof *p->only_reads);
  p->only_sends = have((l->count + 1) * sizeof *p->only_sends);
  for (uint32_t i = 5; i < l->count; i++) {
    const list *x = &l->items[i];
    if (is_about(x, "provided"))
      p->provided = read_expr(k, item(x, 1));
    if (is_about(x, "only-reads"))
      p->only_reads[p->only_read_count++] = read_expr(k, item(x, 1));
    if (is_about(x, "only-sends"))
      p->only_sends[p->only_send_count++] = read_expr(k, item(x, 1));
  }
  k->m->has_only |= p->only_read_count || p->only_send_count;
}

/* First what others refer to: variables and locations. */
static void declare_process(model *m, const list *l, process_kind kind)
{
  process_type *p = &m->processes[m->process_count++];
  p->kind = kind;
  p->priority = (int32_t)number_between(item(l, 3), INT32_MIN, INT32_MAX);
  p->locals = have((l->count + 1) * sizeof *p->locals);
  p->locations = have((l->count + 1) * sizeof *p->locations);
  for (uint32_t i = 5; i < l->count; i++) {
    const list *x = &l->items[i];
    if (is_about(x, "var"))
      read_var(m, x, &p->locals[p->local_count++], &p->size);
    if (is_about(x, "location"))
      read_location(x, &p->locations[p->location_count++]);
  }
  for (uint32_t i = 0; i < p->local_count; i++)
    if (p->locals[i].is_hidden)
      damaged("a local variable is hidden");
  for (uint32_t i = 0; i < p->location_count; i++)
    m->has_committed |= p->locations[i].is_committed;
  p->start = index_of(item(l, 2), p->location_count);
  p->parameters = (uint32_t)number_between(item(l, 4), 0, p->local_count);
}

static void define_process(model *m, const list *l, process_type *p)
{
  maker k = {m, p};
  read_edges(&k, l, p);
  read_conditions(&k, l, p);
  starts s = all_starts(&k, p->locals, p->local_count);
  p->starts = s.list;
  p->start_count = s.count;
}

/* ---- the whole ---------------------------------------------------------- */

static bool process_kind_of(const list *l, process_kind *kind)
{
  static const char *const words[] = {"process", "claim", "trace", "notrace"};
  for (int i = 0; i < 4; i++)
    if (is_about(l, words[i])) {
      *kind = (process_kind)i;
      return true;
    }
  return false;
}

static void read_facts(model *m, const list *l)
{
  number_between(item(l, 1), 1, 1);
  for (uint32_t i = 2; i < l->count; i++) {
    const list *x = &l->items[i];
    m->has_last |= is_word(x, "last");
    m->has_priorities |= is_word(x, "priorities");
    m->is_synchronous |= is_word(x, "synchronous");
    m->checks_overflow |= is_word(x, "overflow");
    m->is_changing |= is_word(x, "changing");
  }
}

static void declare(model *m, const list *l)
{
  process_kind kind;
  if (is_about(l, "model"))
    read_facts(m, l);
  else if (is_about(l, "record"))
    read_record(m, l);
  else if (is_about(l, "channel"))
    read_channel(m, l);
  else if (is_about(l, "var"))
    read_var(m, l, &m->globals[m->global_count++], &m->global_size);
  else if (process_kind_of(l, &kind))
    declare_process(m, l, kind);
  else if (!is_about(l, "channels") && !is_about(l, "start"))
    damaged("the model has something unknown");
}

static uint32_t *read_indices(const list *l, uint32_t count, uint32_t *length)
{
  uint32_t *all = have((l->count + 1) * sizeof *all);
  for (uint32_t i = 1; i < l->count; i++)
    all[(*length)++] = index_of(&l->items[i], count);
  return all;
}

/* Where the observer of events has run out of them: its edges, if any, only
** end it. */
static uint32_t end_of(const process_type *p)
{
  for (uint32_t i = p->location_count; i-- > 0;) {
    const location *at = &p->locations[i];
    bool ends = at->is_end;
    for (uint32_t k = 0; k < at->count; k++) {
      const edge *e = &p->edges[at->first + k];
      ends &= e->effect_count == 1 && e->effects[0].kind == EFFECT_DIE;
    }
    if (ends)
      return i;
  }
  return UINT32_MAX;
}

static void define(model *m, const list *all)
{
  uint32_t next = 0;
  process_kind kind;
  for (uint32_t i = 0; i < all->count; i++) {
    const list *l = &all->items[i];
    if (process_kind_of(l, &kind))
      define_process(m, l, &m->processes[next++]);
    if (is_about(l, "channels"))
      m->initial_channels =
          read_indices(l, m->channel_count, &m->initial_channel_count);
    if (is_about(l, "start"))
      m->initial = read_indices(l, m->process_count, &m->initial_count);
  }
  for (uint32_t i = 0; i < m->process_count; i++)
    if (m->processes[i].kind == TRACE || m->processes[i].kind == NOTRACE) {
      m->trace = i;
      m->trace_end = end_of(&m->processes[i]);
    }
}

model *read_model(const list *all)
{
  model *m = have(sizeof *m);
  m->trace = NO_TRACE;
  m->records = have((all->count + 1) * sizeof *m->records);
  m->channels = have((all->count + 1) * sizeof *m->channels);
  m->globals = have((all->count + 1) * sizeof *m->globals);
  m->processes = have((all->count + 1) * sizeof *m->processes);
  for (uint32_t i = 0; i < all->count; i++)
    declare(m, &all->items[i]);
  define(m, all);
  maker k = {m, NULL};
  starts s = all_starts(&k, m->globals, m->global_count);
  m->starts = s.list;
  m->start_count = s.count;
  return m;
}
