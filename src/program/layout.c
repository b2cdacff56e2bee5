/* Decides how wide a variable is kept, and places all of them; refuses models
** that do not fit. */

#include "program/layout.h"
#include "base/alloc.h"

enum { VALUES_MAX = 1 << 20 };

keep keep_of(const type *t)
{
  keep k = {KEEP_U8, 0, t->lo, t->hi};
  uint64_t values;
  switch (t->kind) {
  case TYPE_BIT:
  case TYPE_BOOL:
    k.kind = KEEP_BITS8;
    k.bits = 1;
    break;
  case TYPE_BYTE:
  case TYPE_PID:
  case TYPE_MTYPE:
  case TYPE_CHAN:
  case TYPE_RECORD:
    break;
  case TYPE_SHORT:
    k.kind = KEEP_S16;
    break;
  case TYPE_INT:
    k.kind = KEEP_S32;
    break;
  case TYPE_UNSIGNED:
    k.bits = t->bits;
    k.kind = t->bits <= 8    ? KEEP_BITS8
             : t->bits <= 16 ? KEEP_BITS16
                             : KEEP_BITS32;
    break;
  case TYPE_RANGE:
    values = (uint64_t)((int64_t)t->hi - t->lo);
    k.kind = values <= 255     ? KEEP_RANGE8
             : values <= 65535 ? KEEP_RANGE16
                               : KEEP_RANGE32;
    break;
  }
  return k;
}

static keep keep_as(const var *v, const type *t)
{
  keep k = keep_of(t);
  if (v->flags & VAR_ARRAY && k.kind >= KEEP_BITS8 && k.kind <= KEEP_BITS32)
    k.kind = k.kind == KEEP_BITS8    ? KEEP_U8
             : k.kind == KEEP_BITS16 ? KEEP_U16
                                     : KEEP_S32;
  return k;
}

keep keep_of_var(const var *v)
{
  return keep_as(v, &v->type);
}

keep layout_keep(const layout *l, const var *v)
{
  return keep_as(v, layout_type(l, v));
}

uint32_t keep_bytes(keep k)
{
  switch ((keep_kind)k.kind) {
  case KEEP_U8:
  case KEEP_BITS8:
  case KEEP_RANGE8:
    return 1;
  case KEEP_U16:
  case KEEP_S16:
  case KEEP_BITS16:
  case KEEP_RANGE16:
    return 2;
  case KEEP_S32:
  case KEEP_BITS32:
  case KEEP_RANGE32:
    return 4;
  }
  return 4;
}

/* Bytes of a variable with all its elements, saturating above STATE_MAX. */
static uint64_t var_bytes(const layout *l, const var *v)
{
  uint64_t bytes = (uint64_t)type_bytes(layout_type(l, v)) * v->length;
  return bytes > STATE_MAX ? (uint64_t)STATE_MAX + 1 : bytes;
}

static bool place(uint32_t *at, uint64_t bytes, const var *v, diags *d)
{
  if (*at + bytes > STATE_MAX) {
    diag_error(d, v->where,
               "'%s' makes a state larger than %d bytes, the most that "
               "is supported",
               v->name, STATE_MAX);
    return false;
  }
  *at += (uint32_t)bytes;
  return true;
}

/* Hidden globals come first, so that the identity of a state is one slice. */
static bool place_globals(layout *l, const model *m, diags *d)
{
  uint32_t at = 0;
  l->globals = ARENA_ARRAY(m->arena, uint32_t, m->globals.len + 1);
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    if (!(v->flags & VAR_HIDDEN))
      continue;
    l->globals[i] = at;
    if (!place(&at, var_bytes(l, v), v, d))
      return false;
  }
  l->hidden = at;
  if (l->has_last)
    l->last_offset = at++;
  if (l->has_trace)
    l->trace_offset = at, at += 2;
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    if (v->flags & VAR_HIDDEN)
      continue;
    l->globals[i] = at;
    if (!place(&at, var_bytes(l, v), v, d))
      return false;
  }
  l->globals_end = at;
  l->slice_shift = 3;
  while ((at - l->hidden) >> l->slice_shift >= SLICES_MAX)
    l->slice_shift++;
  l->slices = ((at - l->hidden) >> l->slice_shift) + 1;
  if (l->slices > 1 && (at - l->hidden) % (1u << l->slice_shift) == 0)
    l->slices--;
  return true;
}

static bool place_process(layout *l, const model *m, const process_type *p,
                          diags *d)
{
  process_layout *pl = &l->processes[p->index];
  uint32_t at = l->tag_bytes;
  pl->location_offset = at;
  pl->location_bytes = p->locations.len > 256 ? 2 : 1;
  at += pl->location_bytes;
  if (l->has_priority)
    pl->priority_offset = at++;
  pl->locals = ARENA_ARRAY(m->arena, uint32_t, p->locals.len + 1);
  for (size_t i = 0; i < p->locals.len; i++) {
    pl->locals[i] = at;
    if (!place(&at, var_bytes(l, p->locals.data[i]), p->locals.data[i], d))
      return false;
  }
  pl->size = at;
  return true;
}

static bool place_channel(layout *l, const model *m, const channel_type *c,
                          diags *d)
{
  channel_layout *cl = &l->channels[c->index];
  uint32_t n = (uint32_t)c->fields.len, size = 0;
  cl->capacity = c->capacity;
  cl->field_count = n;
  cl->fields = ARENA_ARRAY(m->arena, uint32_t, n + 1);
  cl->keeps = ARENA_ARRAY(m->arena, keep, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    cl->keeps[i] = keep_of(&c->fields.data[i]);
    cl->fields[i] = size;
    size += keep_bytes(cl->keeps[i]);
  }
  cl->message_size = size;
  cl->length_offset = l->tag_bytes;
  cl->length_bytes = c->capacity > 255 ? 2 : c->capacity > 0;
  cl->first = l->tag_bytes + cl->length_bytes;
  uint64_t bytes = cl->first + (uint64_t)size * c->capacity;
  if (bytes > STATE_MAX) {
    diag_error(d, c->where,
               "channel '%s' makes a state larger than %d bytes, the "
               "most that is supported",
               c->name, STATE_MAX);
    return false;
  }
  cl->size = (uint32_t)bytes;
  return true;
}

/* Whether an edge with EFFECT_DIE can be reached in the graph of locations. */
static bool can_die(const process_type *p, arena *a)
{
  bool found = false;
  bool *seen = ARENA_ARRAY(a, bool, p->locations.len + 1);
  uint32_t *todo = ARENA_ARRAY(a, uint32_t, p->locations.len + 1);
  size_t waiting = 0;
  todo[waiting++] = p->start;
  seen[p->start] = true;
  while (waiting && !found) {
    const location *at = &p->locations.data[todo[--waiting]];
    for (uint32_t i = 0; i < at->edge_count && !found; i++) {
      const edge *e = p->order.data[at->first_edge + i];
      for (size_t k = 0; k < e->effects.len; k++)
        found |= e->effects.data[k]->kind == EFFECT_DIE;
      uint32_t next[2] = {e->target,
                          e->flags & EDGE_DSTEP ? e->block : e->target};
      for (int k = 0; k < 2; k++)
        if (next[k] < p->locations.len && !seen[next[k]]) {
          seen[next[k]] = true;
          todo[waiting++] = next[k];
        }
    }
  }
  return found;
}

static bool is_observer(const process_type *p)
{
  return p->kind != PROCESS_NORMAL && p->kind != PROCESS_INIT;
}

/* Locations, and the tags of types, have at most two bytes. */
static bool check_numbers(const model *m, diags *d)
{
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    if (p->locations.len > NUMBERS_MAX) {
      diag_error(d, p->where,
                 "'%s' has %zu places between statements; at most %d are "
                 "supported",
                 p->name, p->locations.len, NUMBERS_MAX);
      return false;
    }
  }
  size_t types = m->processes.len + m->channels.len;
  if (types <= NUMBERS_MAX)
    return true;
  diag_error(d, m->processes.len ? m->processes.data[0]->where : NO_SPAN,
             "the model has %zu types of processes and channels; at most %d "
             "are supported",
             types, NUMBERS_MAX);
  return false;
}

/* Bytes of the channels that the initial values of 'v' make. */
static uint64_t channels_of(const layout *l, const var *v)
{
  return v->init_channel
             ? (uint64_t)l->channels[v->init_channel->index].size * v->length
             : 0;
}

/* Initial values of fields, which are kept one by one. */
static uint64_t values_of(const var *v)
{
  uint64_t sum = 0;
  if (v->type.kind != TYPE_RECORD)
    return v->init.len || v->init_channel;
  const record *r = v->type.record;
  for (size_t i = 0; i < r->fields.len; i++)
    sum += values_of(r->fields.data[i]);
  return sum * v->length;
}

static bool check_values(var *const *vars, size_t count, diags *d)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += values_of(vars[i]);
    if (sum > VALUES_MAX) {
      diag_error(d, vars[i]->where,
                 "'%s' makes more than %d initial values of fields, the most "
                 "that is supported",
                 vars[i]->name, VALUES_MAX);
      return false;
    }
  }
  return true;
}

/* Everything that is there from the start must fit into a state; what comes
** later is checked when it does. */
static bool check_initial(const layout *l, const model *m, diags *d)
{
  uint64_t bytes = l->globals_end;
  for (size_t i = 0; i < m->initial_channels.len; i++)
    bytes += l->channels[m->initial_channels.data[i]->index].size;
  for (size_t i = 0; i < m->globals.len; i++)
    bytes += channels_of(l, m->globals.data[i]);
  for (size_t i = 0; i < m->initial.len && bytes <= STATE_MAX; i++) {
    const process_type *p = m->initial.data[i];
    bytes += l->processes[p->index].size;
    for (size_t k = 0; k < p->locals.len; k++)
      bytes += channels_of(l, p->locals.data[k]);
  }
  if (bytes <= STATE_MAX)
    return true;
  diag_error(d, m->processes.len ? m->processes.data[0]->where : NO_SPAN,
             "the initial state has more than %d bytes, the most that is "
             "supported",
             STATE_MAX);
  return false;
}

bool layout_create(layout *l, const model *m, const type *types, diags *d)
{
  memset(l, 0, sizeof *l);
  l->types = types;
  if (!check_numbers(m, d))
    return false;
  l->fixed = !(m->flags & MODEL_HAS_RUN);
  for (size_t i = 0; i < m->processes.len; i++) {
    const process_type *p = m->processes.data[i];
    if (p->kind == PROCESS_TRACE || p->kind == PROCESS_NOTRACE)
      l->has_trace = true;
    if (!is_observer(p) && can_die(p, m->arena))
      l->fixed = false;
  }
  l->has_last = m->flags & MODEL_HAS_LAST;
  l->has_priority = m->flags & MODEL_HAS_PRIORITY;
  l->process_types = (uint32_t)m->processes.len;
  l->channel_types = (uint32_t)m->channels.len;
  /* One tag more than there are types: for what an observer adds to states. */
  l->tag_bytes = l->fixed                                    ? 0
                 : l->process_types + l->channel_types < 256 ? 1
                                                             : 2;
  l->processes = ARENA_ARRAY(m->arena, process_layout, m->processes.len + 1);
  l->channels = ARENA_ARRAY(m->arena, channel_layout, m->channels.len + 1);
  if (!place_globals(l, m, d))
    return false;
  for (size_t i = 0; i < m->processes.len; i++)
    if (!place_process(l, m, m->processes.data[i], d))
      return false;
  for (size_t i = 0; i < m->channels.len; i++)
    if (!place_channel(l, m, m->channels.data[i], d))
      return false;
  if (!check_values(m->globals.data, m->globals.len, d))
    return false;
  for (size_t i = 0; i < m->processes.len; i++)
    if (!check_values(m->processes.data[i]->locals.data,
                      m->processes.data[i]->locals.len, d))
      return false;
  return check_initial(l, m, d);
}
