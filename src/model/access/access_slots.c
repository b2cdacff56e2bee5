/* The numbers of slots, which of them a reference can mean, and their names. */

#include "base/text/text.h"
#include "model/access/access_internal.h"

#include <assert.h>

/* Elements of arrays have slots of their own as long as there are not more of
** them than this in the whole model. */
enum { ELEMENTS_MAX = 4096 };

/* ---- scalars of a variable -------------------------------------------- */

/* Scalars in 'length' elements of a type; more than ELEMENTS_MAX count as one
** more than that, which also bounds the work. */
static uint32_t count_scalars(const type *t, uint32_t length)
{
  uint64_t sum = 1;
  if (t->kind == TYPE_RECORD) {
    sum = 0;
    for (size_t i = 0; i < t->record->fields.len && sum <= ELEMENTS_MAX; i++) {
      const var *f = t->record->fields.data[i];
      sum += count_scalars(&f->type, f->length);
    }
  }
  sum *= length;
  return sum > ELEMENTS_MAX ? ELEMENTS_MAX + 1 : (uint32_t)sum;
}

static uint32_t scalars_before(const record *r, const var *field)
{
  uint32_t sum = 0;
  for (uint32_t i = 0; i < field->index; i++)
    sum += count_scalars(&r->fields.data[i]->type, r->fields.data[i]->length);
  return sum;
}

/* ---- numbering -------------------------------------------------------- */

static var_slots number_variable(access_parts *p, const var *v,
                                 access_slots_list *list)
{
  uint32_t n = count_scalars(&v->type, v->length);
  var_slots s = {.first = (uint32_t)list->len, .whole = false};
  if (n > 1 && p->elements + n > ELEMENTS_MAX)
    s.whole = true;
  else if (n > 1)
    p->elements += n;
  for (uint32_t i = 0; i < (s.whole ? 1 : n); i++)
    vec_push(list, ((slot_info){.kind = SLOT_VARIABLE,
                                .process = v->owner,
                                .var = v,
                                .element = i,
                                .whole = s.whole}));
  return s;
}

static void number_process(access_sets *a, const process_type *t,
                           access_slots_list *own)
{
  process_slots *s = &a->parts->processes[t->index];
  s->location = (uint32_t)own->len;
  vec_push(own, ((slot_info){.kind = SLOT_LOCATION, .process = t}));
  s->priority = (uint32_t)own->len;
  vec_push(own, ((slot_info){.kind = SLOT_PRIORITY, .process = t}));
  s->locals = ARENA_ARRAY(a->arena, var_slots, t->locals.len + 1);
  for (size_t i = 0; i < t->locals.len; i++)
    s->locals[i] = number_variable(a->parts, t->locals.data[i], own);
  s->end = (uint32_t)own->len;
}

static slot_info *keep_slots(access_sets *a, access_slots_list *list)
{
  slot_info *slots = ARENA_ARRAY(a->arena, slot_info, list->len + 1);
  for (size_t i = 0; i < list->len; i++)
    slots[i] = list->data[i];
  vec_free(list);
  return slots;
}

static void number_shared(access_sets *a, access_slots_list *shared)
{
  const model *m = a->model;
  access_parts *p = a->parts;
  for (slot_kind k = SLOT_PROCESSES; k <= SLOT_TRACE; k++)
    vec_push(shared, ((slot_info){.kind = k}));
  p->globals = ARENA_ARRAY(a->arena, var_slots, m->globals.len + 1);
  for (size_t i = 0; i < m->globals.len; i++)
    p->globals[i] = number_variable(p, m->globals.data[i], shared);
  p->first_channel = (uint32_t)shared->len;
  for (uint32_t i = 0; i < a->channels.len; i++) {
    vec_push(shared, ((slot_info){.kind = SLOT_LENGTH, .channel = i}));
    vec_push(shared, ((slot_info){.kind = SLOT_MESSAGES, .channel = i}));
  }
}

/* Channel classes must have been numbered before. */
void access_number_slots(access_sets *a)
{
  const model *m = a->model;
  access_parts *p = a->parts;
  access_slots_list *shared = &a->shared_list, *own = &a->own_list;
  number_shared(a, shared);
  p->processes = ARENA_ARRAY(a->arena, process_slots, m->processes.len + 1);
  for (size_t i = 0; i < m->processes.len; i++)
    number_process(a, m->processes.data[i], own);
  p->shared = (uint32_t)shared->len;
  p->own = (uint32_t)own->len;
  a->shared_words = (p->shared + 63) / 64;
  a->own_words = (p->own + 63) / 64;
  a->words = a->shared_words + 2 * a->own_words;
  p->shared_slots = keep_slots(a, shared);
  p->own_slots = keep_slots(a, own);
}

/* ---- from things to slots --------------------------------------------- */

static uint32_t own_slot(const access_sets *a, uint32_t index, bool remote)
{
  return (a->shared_words + (remote ? a->own_words : 0)) * 64 + index;
}

uint32_t access_shared(const access_sets *a, slot_kind kind)
{
  (void)a;
  assert(kind <= SLOT_TRACE);
  return (uint32_t)kind;
}

uint32_t access_variable(const access_sets *a, const var *v, uint32_t element,
                         bool remote)
{
  const access_parts *p = a->parts;
  const var_slots *s = v->owner
                           ? &p->processes[v->owner->index].locals[v->index]
                           : &p->globals[v->index];
  uint32_t at = s->first + (s->whole ? 0 : element);
  return v->owner ? own_slot(a, at, remote) : at;
}

uint32_t access_location(const access_sets *a, const process_type *t,
                         bool remote)
{
  return own_slot(a, a->parts->processes[t->index].location, remote);
}

uint32_t access_priority(const access_sets *a, const process_type *t,
                         bool remote)
{
  return own_slot(a, a->parts->processes[t->index].priority, remote);
}

uint32_t access_length(const access_sets *a, uint32_t channel)
{
  return a->parts->first_channel + 2 * channel;
}

uint32_t access_messages(const access_sets *a, uint32_t channel)
{
  return a->parts->first_channel + 2 * channel + 1;
}

void access_add_process(const access_sets *a, const process_type *t,
                        uint64_t *set)
{
  const process_slots *s = &a->parts->processes[t->index];
  for (uint32_t i = s->location; i < s->end; i++)
    if (i != s->priority || a->model->flags & MODEL_HAS_PRIORITY)
      slots_add(set, own_slot(a, i, false));
}

void access_add_everything(const access_sets *a, const process_type *self,
                           uint64_t *set)
{
  for (uint32_t i = 0; i < a->parts->shared; i++)
    slots_add(set, i);
  for (uint32_t i = 0; i < a->parts->own; i++)
    slots_add(set, own_slot(a, i, true));
  if (self)
    access_add_process(a, self, set);
}

void access_add_others(const access_sets *a, const process_type *self,
                       uint64_t *to, const uint64_t *from)
{
  uint32_t own = a->shared_words, remote = own + a->own_words;
  for (uint32_t i = 0; i < own; i++)
    to[i] |= from[i];
  for (uint32_t i = 0; i < a->own_words; i++)
    to[remote + i] |= from[own + i] | from[remote + i];
  if (!self)
    return;
  const process_slots *s = &a->parts->processes[self->index];
  for (uint32_t i = s->location; i < s->end; i++)
    if (slots_have(from, own_slot(a, i, true)))
      slots_add(to, own_slot(a, i, false));
}

slot_info access_slot(const access_sets *a, uint32_t number)
{
  const access_parts *p = a->parts;
  if (number < p->shared)
    return p->shared_slots[number];
  uint32_t own = number - a->shared_words * 64;
  bool remote = own >= a->own_words * 64;
  if (remote)
    own -= a->own_words * 64;
  assert(number >= a->shared_words * 64 && own < p->own);
  slot_info s = p->own_slots[own];
  s.remote = remote;
  return s;
}

/* ---- references ------------------------------------------------------- */

typedef struct ref_walk {
  const access_sets *access;
  const process_type *self;
  const var *root;
  uint32_t sides;
  uint64_t *set;
} ref_walk;

static void add_scalar(ref_walk *w, uint32_t element)
{
  if (w->sides & SIDE_OWN)
    slots_add(w->set, access_variable(w->access, w->root, element, false));
  if (w->sides & SIDE_REMOTE)
    slots_add(w->set, access_variable(w->access, w->root, element, true));
}

/* Indices out of range are faults: then nothing is read or written. */
static void add_scalars(ref_walk *w, const ref *r, uint32_t base)
{
  uint32_t stride = count_scalars(&r->var->type, 1);
  value_range i = {0, 0};
  if (r->index)
    i = access_range(w->access, w->self, r->index);
  if (i.lo < 0)
    i.lo = 0;
  if (i.hi >= r->var->length)
    i.hi = (int64_t)r->var->length - 1;
  for (; i.lo <= i.hi; i.lo++) {
    uint32_t at = base + (uint32_t)i.lo * stride;
    if (r->field)
      add_scalars(w, r->field,
                  at + scalars_before(r->var->type.record, r->field->var));
    else
      add_scalar(w, at);
  }
}

void access_add_ref(const access_sets *a, const process_type *self,
                    const ref *r, uint32_t sides, uint64_t *set)
{
  ref_walk w = {a, self, r->var, sides, set};
  const var *v = r->var;
  const var_slots *s =
      v->owner ? &a->parts->processes[v->owner->index].locals[v->index]
               : &a->parts->globals[v->index];
  if (s->whole)
    add_scalar(&w, 0);
  else
    add_scalars(&w, r, 0);
}

/* ---- names ------------------------------------------------------------ */

static void print_scalar(const var *v, uint32_t element, text *out)
{
  uint32_t stride = count_scalars(&v->type, 1);
  text_add(out, v->name);
  if (v->flags & VAR_ARRAY || v->length > 1)
    text_printf(out, "[%u]", element / stride);
  if (v->type.kind != TYPE_RECORD)
    return;
  const record *r = v->type.record;
  element %= stride;
  for (size_t i = 0; i < r->fields.len; i++) {
    const var *f = r->fields.data[i];
    uint32_t n = count_scalars(&f->type, f->length);
    if (element < n) {
      if (*f->name)
        text_add_char(out, '.');
      print_scalar(f, element, out);
      return;
    }
    element -= n;
  }
}

/* "x", "own y[2]", "P:y[2]" (of another process), "q[1] length". */
void slot_print(const access_sets *a, uint32_t number, text *out)
{
  static const char *const texts[] = {
#define KIND(name, text) text,
      SLOT_KINDS(KIND)
#undef KIND
  };
  slot_info s = access_slot(a, number);
  if (s.process)
    text_printf(out, "%s:", s.remote ? s.process->name : "own");
  if (s.kind == SLOT_VARIABLE && s.whole)
    text_add(out, s.var->name);
  else if (s.kind == SLOT_VARIABLE)
    print_scalar(s.var, s.element, out);
  if (s.kind == SLOT_LENGTH || s.kind == SLOT_MESSAGES) {
    const channel_class *c = &a->channels.data[s.channel];
    text_printf(out, "%s#%u ", c->type->name, s.channel + 1);
  }
  text_add(out, texts[s.kind]);
}
