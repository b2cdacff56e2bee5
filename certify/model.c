/* The model from its text (docs/model.md, "Models as text"), which is made of
** nested lists: (edge 0 1 0 (guard (EQ (global 0) 1))). */

#include "certify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---------------------------------------------------------------- */

enum { DEPTH_MAX = 20000 };
static const char blanks[] = " \n\t", behind[] = " \n\t()\"";

static list read_word(const char **at)
{
  bool quoted = **at == '"';
  const char *from = *at + quoted;
  size_t length = strcspn(from, quoted ? "\"\n" : behind);
  if (quoted && from[length] != '"')
    damaged("a name has no end");
  *at = from + length + quoted;
  return (list){.word = memcpy(have(length + 1), from, length)};
}

/* Items up to the closing parenthesis or, at depth 0, to the end of the text. */
static list read_items(const char **at, uint32_t depth)
{
  list l = {0};
  size_t cap = 0;
  if (depth == DEPTH_MAX)
    damaged("lists are nested more than %d deep", DEPTH_MAX);
  for (;;) {
    *at += strspn(*at, blanks);
    if (!**at || **at == ')')
      break;
    l.items = grow(l.items, &cap, l.count + 1, sizeof *l.items);
    const char *from = *at;
    *at += *from == '(';
    list one = *from == '(' ? read_items(at, depth + 1) : read_word(at);
    one.text = from;
    one.length = (size_t)(*at - from);
    l.items[l.count++] = one;
  }
  if (!**at != !depth)
    damaged("parentheses do not match");
  *at += depth > 0;
  return l;
}

const list *read_lists(const bytes *text)
{
  const char *at = (const char *)text->data;
  if (strlen(at) != text->len)
    damaged("a text has a zero byte");
  list *all = have(sizeof *all);
  *all = read_items(&at, 0);
  return all;
}

const list *item(const list *l, uint32_t i)
{
  if (l->word || i >= l->count)
    damaged("'%.*s' is too short", (int)l->length, l->text);
  return &l->items[i];
}

int64_t number_between(const list *l, int64_t lo, int64_t hi)
{
  char *end = NULL;
  errno = 0;
  long long value = l->word ? strtoll(l->word, &end, 10) : 0;
  if (!l->word || end == l->word || *end || errno || value < lo || value > hi)
    damaged("'%s' is not a number from %lld to %lld", l->word ? l->word : "()",
            (long long)lo, (long long)hi);
  return value;
}

uint32_t index_of(const list *l, size_t count)
{
  return (uint32_t)number_between(l, 0, (int64_t)count - 1);
}

uint32_t which_word(const list *l, const char *words)
{
  size_t length = l->word ? strlen(l->word) : 0, end;
  uint32_t i = 0;
  for (; *words; i++, words += end + (words[end] != 0)) {
    end = strcspn(words, " ");
    if (length == end && !memcmp(l->word, words, end))
      break;
  }
  return i;
}

uint32_t about_which(const list *l, const char *words)
{
  return which_word(!l->word && l->count ? &l->items[0] : &(list){0}, words);
}

uint32_t words_of(const list *l, uint32_t from, const char *words)
{
  uint32_t found = 0;
  for (uint32_t i = from; i < l->count; i++)
    found |= 1u << which_word(&l->items[i], words);
  return found;
}

bool are_same(const list *a, const list *b)
{
  return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* ---- types and variables ------------------------------------------------ */

static keep in_bits(uint32_t bits, bool is_signed)
{
  int64_t half = INT64_C(1) << (bits - 1);
  return (keep){.wraps = true,
                .lo = (int32_t)(is_signed ? -half : 0),
                .hi = (int32_t)(is_signed ? half - 1 : 2 * half - 1)};
}

static keep read_type(const model *m, const list *l, const record **in)
{
  static const uint8_t bits[] = {1, 1, 8, 8, 8, 8, 16, 32};
  uint32_t word = which_word(l, "bit bool byte pid mtype chan short int");
  keep k = {0};
  *in = NULL;
  if (word < 8)
    return in_bits(bits[word], bits[word] > 8);
  if (is_about(l, "unsigned")) {
    uint32_t count = (uint32_t)number_between(item(l, 1), 1, 32);
    k = in_bits(count, count == 32);
  } else if (is_about(l, "range")) {
    k.lo = (int32_t)number_between(item(l, 1), INT32_MIN, INT32_MAX);
    k.hi = (int32_t)number_between(item(l, 2), k.lo, INT32_MAX);
  } else if (is_about(l, "record")) {
    *in = m->records.data[index_of(item(l, 1), m->records.len)];
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
  v->is_hidden = words_of(l, 4, "hidden") & 1;
  for (uint32_t i = 4; i < l->count; i++)
    if (is_about(&l->items[i], "init") || is_about(&l->items[i], "create"))
      v->init = &l->items[i];
  if (words_of(l, 4, "array") & 1 && v->keep.wraps && !v->keep.lo)
    v->keep = v->keep.hi <= UINT8_MAX    ? in_bits(8, false)
              : v->keep.hi <= UINT16_MAX ? in_bits(16, false)
                                         : in_bits(32, true);
  v->at = *at;
  if ((uint64_t)v->length * v->size > MANY - *at)
    damaged("a state is too long");
  if (!v->is_hidden)
    *at += v->length * v->size;
}

static void read_record(model *m, const list *l)
{
  record *r = have(sizeof *r);
  for (uint32_t i = 2; i < l->count; i++)
    read_var(m, &l->items[i], more(&r->fields), &r->size);
  *more(&m->records) = r;
}

static void read_channel(model *m, const list *l)
{
  const record *in;
  channel_type *c = more(&m->channels);
  c->capacity = (uint32_t)number_between(item(l, 2), 0, 65535);
  for (uint32_t i = 3; i < l->count; i++) {
    *more(&c->fields) = read_type(m, &l->items[i], &in);
    if (in)
      damaged("a field of a message is a record");
  }
}

/* ---- expressions -------------------------------------------------------- */

static node *new_node(operator op, uint32_t room)
{
  node *n = have(sizeof *n);
  n->op = op;
  n->args = have((room + 1) * sizeof *n->args);
  return n;
}

/* (global N STEP...) or (local N STEP...): follows (index E) and (field N) from
** the variable on. */
static void read_variable(model *m, const list *l, node *n,
                          const record *locals)
{
  const record *in = n->op == OP_local ? locals : &m->system.vars;
  if (!in)
    damaged("a local variable of nobody");
  const var *v = &in->fields.data[index_of(item(l, 1), in->fields.len)];
  n->at = v->at;
  n->is_hidden = v->is_hidden;
  for (uint32_t i = 2;; i++) {
    if (i < l->count && is_about(&l->items[i], "index")) {
      node *index = n->args[n->count++] = read_node(m, &l->items[i++]);
      index->value = (int32_t)v->length;
      index->at = v->size;
    }
    if (i == l->count)
      break;
    if (!is_about(&l->items[i], "field") || !v->record)
      damaged("a reference has something unknown");
    uint32_t field = index_of(item(&l->items[i], 1), v->record->fields.len);
    v = &v->record->fields.data[field];
    n->at += v->at;
  }
  if (v->record)
    damaged("a reference does not lead to a number");
  n->keep = v->keep;
}

/* What stands before the operands of (AT P L [E]), (REMOTE P REF [E]) and (RUN P
** (E...) [E]); where they begin. */
static uint32_t read_subject(model *m, const list *l, node *n)
{
  if (n->op != OP_AT && n->op != OP_REMOTE && n->op != OP_RUN)
    return 1;
  n->process = index_of(item(l, 1), m->processes.len);
  const list *next = item(l, 2);
  if (n->op == OP_AT)
    n->value = (int32_t)number_between(next, 0, INT32_MAX);
  if (n->op == OP_REMOTE) {
    node *v = n->args[n->count++] = new_node(OP_local, next->count);
    read_variable(m, next, v, &m->processes.data[n->process].vars);
  }
  if (n->op == OP_RUN) {
    n->value = (int32_t)next->count;
    n->args = have((l->count + next->count + 1) * sizeof *n->args);
    for (uint32_t i = 0; i < next->count; i++)
      n->args[n->count++] = read_node(m, &next->items[i]);
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

static void check_node(const model *m, const node *n)
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
  if (n->op == OP_LAST && !(m->flags & LAST))
    damaged("'_last' is not in the states");
}

node *read_node(model *m, const list *l)
{
  node *n = new_node(OP_number, l->count);
  const char *word = l->word ? l->word : item(l, 0)->word;
  size_t op = 0;
  if (l->word && !is_word(l, "any")) {
    n->value = (int32_t)number_between(l, INT32_MIN, INT32_MAX);
    return n;
  }
  while (word && op < OP_number &&
         !is_called(word, operators[op].word, &n->value))
    op++;
  if (!word || op == OP_number)
    damaged("'%s' is unknown", word ? word : "()");
  n->op = (operator)op;
  if (n->op == OP_global || n->op == OP_local)
    read_variable(m, l, n, m->locals);
  else
    for (uint32_t i = read_subject(m, l, n); i < l->count; i++)
      n->args[n->count++] = read_node(m, &l->items[i]);
  check_node(m, n);
  return n;
}

/* ---- values at the start ------------------------------------------------ */

/* That of element 'i' of a variable; NULL: 0. */
static node *first_value(model *m, const var *v, uint32_t i)
{
  node *n = NULL;
  uint32_t values = v->init ? v->init->count - 1 : 0;
  if (v->init && is_about(v->init, "create")) {
    n = new_node(OP_create, 0);
    n->value = (int32_t)index_of(item(v->init, 1), m->channels.len);
  } else if (values == 1 || i < values) {
    n = read_node(m, item(v->init, values == 1 ? 1 : i + 1));
  } else if (!v->init && !v->keep.wraps && v->keep.lo) {
    n = new_node(OP_number, 0);
    n->value = v->keep.lo;
  }
  return n;
}

/* Of all variables in a record whose first number is at 'at'. */
static void add_starts(model *m, const record *r, uint32_t at, bool hidden,
                       process_type *p)
{
  for (size_t f = 0; f < r->fields.len; f++) {
    const var *v = &r->fields.data[f];
    bool hides = hidden || v->is_hidden;
    for (uint32_t i = 0; i < v->length; i++) {
      node *value = v->record ? NULL : first_value(m, v, i);
      uint32_t first = at + v->at + i * v->size;
      if (v->record)
        add_starts(m, v->record, first, hides, p);
      if (!value)
        continue;
      node *to = new_node(m->locals ? OP_local : OP_global, 0);
      to->at = first;
      to->is_hidden = hides;
      to->keep = v->keep;
      node *assign = *more(&p->starts[v->init != NULL]) =
          new_node(OP_assign, 2);
      assign->args[0] = to;
      assign->args[1] = value;
    }
  }
}

/* ---- processes ---------------------------------------------------------- */

static void read_location(model *m, const list *l, location *to)
{
  to->number = (int32_t)number_between(item(l, 1), INT32_MIN, INT32_MAX);
  to->flags = words_of(l, 2, "end accept progress committed inner");
  m->has_committed |= to->flags & COMMITTED;
}

/* Edges stand by their locations. */
static void read_edge(model *m, const list *l, process_type *p)
{
  edge *e = &p->edges[p->edge_count++];
  e->source = index_of(item(l, 1), p->locations.len);
  if (e > p->edges && e->source < e[-1].source)
    damaged("edges are not in the order of their locations");
  location *at = &p->locations.data[e->source];
  at->edges = at->end ? at->edges : e;
  at->end = e + 1;
  e->target = index_of(item(l, 2), p->locations.len);
  e->rank = (uint32_t)number_between(item(l, 3), 0, UINT32_MAX);
  e->flags = words_of(l, 4, "atomic else parallel");
  for (uint32_t i = 4; i < l->count; i++) {
    const list *x = &l->items[i];
    if (is_about(x, "block")) {
      e->block = &p->locations.data[index_of(item(x, 1), p->locations.len)];
    } else if (is_about(x, "guard")) {
      e->guard = read_node(m, item(x, 1));
    } else if (!x->word) {
      node *n = read_node(m, x);
      e->dies |= n->op == OP_die;
      if (n->op >= OP_assign)
        *more(&e->effects) = n;
      else if (n->op >= OP_send && n->op <= OP_join && !(e->flags & ELSE))
        e->comm = n;
      else
        damaged("an edge has something unknown");
    }
  }
  if (e->block && (at->flags & INNER || !(e->block->flags & INNER)))
    damaged("a d_step begins in another, or outside itself");
}

/* First what others refer to: variables and locations. */
static void declare_process(model *m, const list *l, process_kind kind)
{
  process_type *p = more(&m->processes);
  p->text = l;
  p->kind = kind;
  p->priority = (int32_t)number_between(item(l, 3), INT32_MIN, INT32_MAX);
  for (uint32_t i = 5; i < l->count; i++) {
    const list *x = &l->items[i];
    if (is_about(x, "var"))
      read_var(m, x, more(&p->vars.fields), &p->vars.size);
    if (is_about(x, "var") &&
        p->vars.fields.data[p->vars.fields.len - 1].is_hidden)
      damaged("a local variable is hidden");
    if (is_about(x, "location"))
      read_location(m, x, more(&p->locations));
  }
  p->start = index_of(item(l, 2), p->locations.len);
  p->parameters = (uint32_t)number_between(item(l, 4), 0, p->vars.fields.len);
}

/* Where the observer of events has run out of them: its edges, if any, only
** end it. */
static uint32_t end_of(const process_type *p)
{
  for (uint32_t i = (uint32_t)p->locations.len; i-- > 0;) {
    const location *at = &p->locations.data[i];
    bool ends = at->flags & AT_END;
    for (const edge *g = at->edges; g < at->end; g++)
      ends &= g->effects.len == 1 && g->dies;
    if (ends)
      return i;
  }
  return UINT32_MAX;
}

static void define_process(model *m, process_type *p)
{
  const list *l = p->text;
  m->locals = &p->vars;
  p->edges = have((l->count + 1) * sizeof *p->edges);
  for (uint32_t i = 5; i < l->count; i++) {
    const list *x = &l->items[i];
    bool sends = is_about(x, "only-sends");
    if (is_about(x, "edge"))
      read_edge(m, x, p);
    if (is_about(x, "provided"))
      p->provided = read_node(m, item(x, 1));
    if (sends || is_about(x, "only-reads"))
      *more(&p->only[sends]) = read_node(m, item(x, 1));
  }
  add_starts(m, &p->vars, 0, false, p);
  m->locals = NULL;
  if (p->kind == TRACE || p->kind == NOTRACE) {
    m->trace = p;
    m->trace_end = end_of(p);
  }
}

/* ---- the whole ---------------------------------------------------------- */

static void read_indices(const list *l, size_t count, numbers *to)
{
  to->len = 0;
  for (uint32_t i = 1; i < l->count; i++)
    *more(to) = (int32_t)index_of(&l->items[i], count);
}

static void declare(model *m, const list *l)
{
  uint32_t kind = about_which(l, "process claim automaton trace notrace");
  if (kind < 5)
    declare_process(m, l, (process_kind)kind);
  else if (is_about(l, "model") && number_between(item(l, 1), 1, 1))
    m->flags = words_of(l, 2, "last priorities synchronous changing overflow");
  else if (is_about(l, "record"))
    read_record(m, l);
  else if (is_about(l, "channel"))
    read_channel(m, l);
  else if (is_about(l, "var"))
    read_var(m, l, more(&m->system.vars.fields), &m->system.vars.size);
  else if (is_about(l, "channels"))
    read_indices(l, m->channels.len, &m->initial_channels);
  else if (is_about(l, "start"))
    read_indices(l, m->processes.len, &m->initial);
  else if (is_about(l, "property"))
    *more(&m->properties) = l;
  else
    damaged("the model has something unknown");
}

model *read_model(const list *all)
{
  model *m = have(sizeof *m);
  for (uint32_t i = 0; i < all->count; i++)
    declare(m, &all->items[i]);
  for (size_t i = 0; i < m->processes.len; i++)
    define_process(m, &m->processes.data[i]);
  add_starts(m, &m->system.vars, 0, false, &m->system);
  m->last_at = m->system.vars.size;
  m->trace_at = m->last_at + !!(m->flags & LAST);
  m->count_at = m->trace_at + (m->trace != NULL);
  m->locals_at = 2u + !!(m->flags & PRIORITIES) + !!(m->flags & CHANGING);
  return m;
}
