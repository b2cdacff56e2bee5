/* The model from its text (docs/model.md, "Models as text"). */

#include "certify.h"

#include <string.h>

typedef struct maker {
  model *m;
  const process_type *self; /* whose locals expressions may use, or NULL */
} maker;

/* ---- types and variables ------------------------------------------------ */

static keep read_type(const model *m, const list *l, const record **in)
{
  static const char *const words[] = {"bit",   "bool", "byte",  "pid",
                                      "mtype", "chan", "short", "int"};
  static const uint8_t bits[] = {1, 1, 8, 8, 8, 8, 16, 32};
  keep k = {0};
  *in = NULL;
  for (int i = 0; i < 8; i++)
    if (is_word(l, words[i]))
      return (keep){.bits = bits[i], .is_signed = bits[i] > 8};
  if (is_about(l, "unsigned")) {
    k.bits = (uint8_t)number_between(item(l, 1), 1, 32);
    k.is_signed = k.bits == 32;
  } else if (is_about(l, "range")) {
    k.is_range = true;
    k.lo = (int32_t)number_between(item(l, 1), INT32_MIN, INT32_MAX);
    k.hi = (int32_t)number_between(item(l, 2), k.lo, INT32_MAX);
  } else if (is_about(l, "record")) {
    *in = &m->records[index_of(item(l, 1), m->record_count)];
  } else {
    damaged("'%s' is not a type", l->word ? l->word : "()");
  }
  return k;
}

/* Elements of an array have whole bytes. */
static void read_var(const model *m, const list *l, var *v, uint32_t *at)
{
  v->keep = read_type(m, item(l, 2), &v->record);
  v->length = (uint32_t)number_between(item(l, 3), 1, MANY);
  v->size = v->record ? v->record->size : 1;
  v->is_hidden = has_word(l, 4, "hidden");
  for (uint32_t i = 4; i < l->count; i++)
    if (is_about(&l->items[i], "init") || is_about(&l->items[i], "create"))
      v->init = &l->items[i];
  if (has_word(l, 4, "array") && !v->keep.is_range && !v->keep.is_signed) {
    v->keep.bits = v->keep.bits <= 8 ? 8 : v->keep.bits <= 16 ? 16 : 32;
    v->keep.is_signed = v->keep.bits == 32;
  }
  v->at = *at;
  if ((uint64_t)v->length * v->size > MANY - *at)
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
  const record *in;
  channel_type *c = &m->channels[m->channel_count++];
  c->capacity = (uint32_t)number_between(item(l, 2), 0, 65535);
  c->fields = have((l->count + 1) * sizeof *c->fields);
  for (uint32_t i = 3; i < l->count; i++) {
    c->fields[c->count++] = read_type(m, &l->items[i], &in);
    if (in)
      damaged("a field of a message is a record");
  }
}

/* ---- expressions -------------------------------------------------------- */

static node *read_node(maker *, const list *);

static node *new_node(operator op, uint32_t room)
{
  node *n = have(sizeof *n);
  n->op = op;
  n->args = have((room + 1) * sizeof *n->args);
  return n;
}

/* Follows (index E) and (field N) from a variable on. */
static void follow(maker *k, node *n, const var *v, const list *l)
{
  for (uint32_t i = 2;; i++) {
    if (i < l->count && is_about(&l->items[i], "index")) {
      node *index = n->args[n->count++] = read_node(k, &l->items[i++]);
      index->value = (int32_t)v->length;
      index->at = v->size;
    }
    if (i == l->count)
      break;
    if (!is_about(&l->items[i], "field") || !v->record)
      damaged("a reference has something unknown");
    v = &v->record->fields[index_of(item(&l->items[i], 1), v->record->count)];
    n->at += v->at;
  }
  if (v->record)
    damaged("a reference does not lead to a number");
  n->keep = v->keep;
}

static void read_variable(maker *k, const list *l, node *n,
                          const process_type *owner)
{
  const process_type *p = n->op == OP_local ? owner : &k->m->system;
  if (!p)
    damaged("a local variable of nobody");
  const var *v = &p->vars[index_of(item(l, 1), p->var_count)];
  n->at = v->at;
  n->is_hidden = v->is_hidden;
  follow(k, n, v, l);
}

/* What stands before the operands of (AT P L [E]), (REMOTE P REF [E]) and (RUN P
** (E...) [E]); where they begin. */
static uint32_t read_subject(maker *k, const list *l, node *n)
{
  if (n->op != OP_AT && n->op != OP_REMOTE && n->op != OP_RUN)
    return 1;
  n->process = index_of(item(l, 1), k->m->process_count);
  const list *next = item(l, 2);
  if (n->op == OP_AT)
    n->value = (int32_t)number_between(next, 0, INT32_MAX);
  if (n->op == OP_REMOTE) {
    node *v = n->args[n->count++] = new_node(OP_local, next->count);
    read_variable(k, next, v, &k->m->processes[n->process]);
  }
  if (n->op == OP_RUN) {
    n->value = (int32_t)next->count;
    n->args = have((l->count + next->count + 1) * sizeof *n->args);
    for (uint32_t i = 0; i < next->count; i++)
      n->args[n->count++] = read_node(k, &next->items[i]);
  }
  return 3;
}

/* Communications have what is special of them behind their word. */
static bool is_called(const char *word, const char *name, int32_t *flags)
{
  size_t n = strlen(name);
  if (strncmp(word, name, n) || (word[n] && word[n] != '-'))
    return false;
  *flags = (strstr(word, "-sorted") ? SORTED : 0) |
           (strstr(word, "-anywhere") ? ANYWHERE : 0) |
           (strstr(word, "-copy") ? COPY : 0);
  return true;
}

static const struct {
  const char *word;
  uint32_t least, most;
} operators[] = {
#define OP(name, least, most) {#name, least, most},
    OPERATORS(OP)
#undef OP
};

static void check_node(const maker *k, const node *n)
{
  bool assigns = n->op == OP_assign || n->op == OP_store || n->op == OP_REMOTE;
  if (n->count < operators[n->op].least || n->count > operators[n->op].most)
    damaged("'%s' has another number of operands", operators[n->op].word);
  operator first = n->count ? n->args[0]->op : OP_number;
  if (assigns && first != OP_global && first != OP_local)
    damaged("'%s' is not about a variable", operators[n->op].word);
  if (n->op == OP_POLL && first != OP_receive)
    damaged("a poll is not one of a receive");
  if (n->op == OP_send && n->value & COPY)
    damaged("a send leaves its message");
  if (n->op == OP_LAST && !k->m->has_last)
    damaged("'_last' is not in the states");
}

static node *read_node(maker *k, const list *l)
{
  node *n = new_node(OP_number, l->count);
  const char *word = l->word ? l->word : item(l, 0)->word;
  size_t op = 0, all = sizeof operators / sizeof *operators;
  if (l->word && !is_word(l, "any")) {
    n->value = (int32_t)number_between(l, INT32_MIN, INT32_MAX);
    return n;
  }
  while (word && op < all && !is_called(word, operators[op].word, &n->value))
    op++;
  if (!word || op == all || op == OP_number)
    damaged("'%s' is unknown", word ? word : "()");
  n->op = (operator)op;
  if (n->op == OP_global || n->op == OP_local)
    read_variable(k, l, n, k->self);
  else
    for (uint32_t i = read_subject(k, l, n); i < l->count; i++)
      n->args[n->count++] = read_node(k, &l->items[i]);
  check_node(k, n);
  return n;
}

node *read_condition(model *m, const list *l)
{
  maker k = {m, NULL};
  return read_node(&k, l);
}

/* ---- values at the start ------------------------------------------------ */

/* Of a variable whose first number is at 'at', and all in its records. */
static void add_starts(maker *k, const var *v, uint32_t at, bool hidden,
                       process_type *p)
{
  bool creates = v->init && is_about(v->init, "create");
  uint32_t values = v->init && !creates ? v->init->count - 1 : 0;
  for (uint32_t i = 0; i < v->length; i++, at += v->size) {
    for (uint32_t f = 0; v->record && f < v->record->count; f++)
      add_starts(k, &v->record->fields[f], at + v->record->fields[f].at, hidden,
                 p);
    if (v->record || (v->init ? !creates && values != 1 && i >= values
                              : !v->keep.is_range || !v->keep.lo))
      continue;
    p->starts =
        grow(p->starts, &p->start_cap, p->start_count + 1, sizeof *p->starts);
    start_value *to = &p->starts[p->start_count++];
    *to = (start_value){hidden, !v->init, at, v->keep, NULL, 0};
    if (creates) {
      to->channel = index_of(item(v->init, 1), k->m->channel_count);
    } else if (v->init) {
      to->value = read_node(k, item(v->init, values == 1 ? 1 : i + 1));
    } else {
      to->value = new_node(OP_number, 0);
      to->value->value = v->keep.lo;
    }
  }
}

static void find_starts(maker *k, process_type *p)
{
  for (uint32_t i = 0; i < p->var_count; i++)
    add_starts(k, &p->vars[i], p->vars[i].at, p->vars[i].is_hidden, p);
}

/* ---- processes ---------------------------------------------------------- */

static void read_location(model *m, const list *l, location *to)
{
  to->number = (int32_t)number_between(item(l, 1), INT32_MIN, INT32_MAX);
  to->is_end = has_word(l, 2, "end");
  to->is_accept = has_word(l, 2, "accept");
  to->is_progress = has_word(l, 2, "progress");
  to->is_committed = has_word(l, 2, "committed");
  to->is_inner = has_word(l, 2, "inner");
  m->has_committed |= to->is_committed;
}

static void read_edge(maker *k, const list *l, edge *e)
{
  e->target = index_of(item(l, 2), k->self->location_count);
  e->rank = (uint32_t)number_between(item(l, 3), 0, UINT32_MAX);
  e->effects = have((l->count + 1) * sizeof *e->effects);
  e->is_atomic = has_word(l, 4, "atomic");
  e->is_else = has_word(l, 4, "else");
  e->is_parallel = has_word(l, 4, "parallel");
  for (uint32_t i = 4; i < l->count; i++) {
    const list *x = &l->items[i];
    if (is_about(x, "block")) {
      e->has_block = true;
      e->block = index_of(item(x, 1), k->self->location_count);
    } else if (is_about(x, "guard")) {
      e->guard = read_node(k, item(x, 1));
    } else if (!x->word) {
      node *n = read_node(k, x);
      if (n->op >= OP_assign)
        e->effects[e->effect_count++] = n;
      else if (n->op >= OP_send && n->op <= OP_join && !e->is_else)
        e->comm = n;
      else
        damaged("an edge has something unknown");
    }
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

/* First what others refer to: variables and locations. */
static void declare_process(model *m, const list *l, process_kind kind)
{
  process_type *p = &m->processes[m->process_count++];
  p->kind = kind;
  p->priority = (int32_t)number_between(item(l, 3), INT32_MIN, INT32_MAX);
  p->vars = have((l->count + 1) * sizeof *p->vars);
  p->locations = have((l->count + 1) * sizeof *p->locations);
  for (uint32_t i = 5; i < l->count; i++) {
    const list *x = &l->items[i];
    if (is_about(x, "var"))
      read_var(m, x, &p->vars[p->var_count++], &p->size);
    if (p->var_count && p->vars[p->var_count - 1].is_hidden)
      damaged("a local variable is hidden");
    if (is_about(x, "location"))
      read_location(m, x, &p->locations[p->location_count++]);
  }
  p->start = index_of(item(l, 2), p->location_count);
  p->parameters = (uint32_t)number_between(item(l, 4), 0, p->var_count);
}

static void define_process(model *m, const list *l, process_type *p)
{
  maker k = {m, p};
  read_edges(&k, l, p);
  p->only[0] = have((l->count + 1) * sizeof *p->only[0]);
  p->only[1] = have((l->count + 1) * sizeof *p->only[1]);
  for (uint32_t i = 5; i < l->count; i++) {
    const list *x = &l->items[i];
    if (is_about(x, "provided"))
      p->provided = read_node(&k, item(x, 1));
    bool sends = is_about(x, "only-sends");
    if (sends || is_about(x, "only-reads")) {
      p->only[sends][p->only_count[sends]++] = read_node(&k, item(x, 1));
      m->has_only = true;
    }
  }
  find_starts(&k, p);
}

/* ---- the whole ---------------------------------------------------------- */

static const char *const process_words[] = {"process", "claim", "automaton",
                                            "trace", "notrace"};
enum { KINDS = 5 };

static void read_facts(model *m, const list *l)
{
  number_between(item(l, 1), 1, 1);
  m->has_last = has_word(l, 2, "last");
  m->has_priorities = has_word(l, 2, "priorities");
  m->is_synchronous = has_word(l, 2, "synchronous");
  m->checks_overflow = has_word(l, 2, "overflow");
  m->is_changing = has_word(l, 2, "changing");
}

static void declare(model *m, const list *l)
{
  process_type *s = &m->system;
  uint32_t kind = about_which(l, process_words, KINDS);
  if (kind < KINDS)
    declare_process(m, l, (process_kind)kind);
  else if (is_about(l, "model"))
    read_facts(m, l);
  else if (is_about(l, "record"))
    read_record(m, l);
  else if (is_about(l, "channel"))
    read_channel(m, l);
  else if (is_about(l, "var"))
    read_var(m, l, &s->vars[s->var_count++], &s->size);
  else if (is_about(l, "property"))
    m->properties[m->property_count++] = l;
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
      ends &= e->effect_count == 1 && e->effects[0]->op == OP_die;
    }
    if (ends)
      return i;
  }
  return UINT32_MAX;
}

static void define(model *m, const list *all)
{
  uint32_t next = 0;
  for (uint32_t i = 0; i < all->count; i++) {
    const list *l = &all->items[i];
    uint32_t kind = about_which(l, process_words, KINDS);
    if (kind < KINDS)
      define_process(m, l, &m->processes[next++]);
    if (kind == TRACE || kind == NOTRACE) {
      m->trace = next - 1;
      m->trace_end = end_of(&m->processes[next - 1]);
    }
    if (is_about(l, "channels"))
      m->initial_channels =
          read_indices(l, m->channel_count, &m->initial_channel_count);
    if (is_about(l, "start"))
      m->initial = read_indices(l, m->process_count, &m->initial_count);
  }
}

model *read_model(const list *all)
{
  model *m = have(sizeof *m);
  m->trace = NO_TRACE;
  m->records = have((all->count + 1) * sizeof *m->records);
  m->channels = have((all->count + 1) * sizeof *m->channels);
  m->system.vars = have((all->count + 1) * sizeof *m->system.vars);
  m->processes = have((all->count + 1) * sizeof *m->processes);
  m->properties = have((all->count + 1) * sizeof *m->properties);
  for (uint32_t i = 0; i < all->count; i++)
    declare(m, &all->items[i]);
  define(m, all);
  maker k = {m, NULL};
  find_starts(&k, &m->system);
  m->last_at = m->system.size;
  m->trace_at = m->last_at + m->has_last;
  m->count_at = m->trace_at + (m->trace != NO_TRACE);
  m->locals_at = 2u + m->has_priorities + m->is_changing;
  return m;
}
