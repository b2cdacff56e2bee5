/* Channels in emitted code.  Most are known: a global channel variable that is
** never assigned names the same channel in every state, so its offset is a
** constant (or, for an array, an index away).  The others are looked up by
** their number, and the code is repeated for every layout they can have. */

#include "program/emit/emit_internal.h"

enum { LAYOUTS_MAX = 6 };

/* ---- which are known -------------------------------------------------- */

static void add_write(emitter *e, const address *a)
{
  if (!a || a->base != BASE_STATE)
    return;
  place p = emit_place_of(a);
  vec_push(&e->writes, emit_extent(&p));
}

static void find_writes(emitter *e)
{
  /* Embedded C writes to any of them. */
  if (e->model->flags & MODEL_HAS_C)
    vec_push(&e->writes, ((extent){BASE_STATE, 0, UINT32_MAX}));
  for (size_t i = 0; i < e->model->edges.len; i++) {
    const cedge *k = &e->code->edges[i];
    for (uint32_t j = 0; j < k->effect_count; j++)
      add_write(e, k->effects[j].target);
    for (uint32_t j = 0; k->comm && j < k->comm->arg_count; j++)
      if (k->comm->args[j].kind == ARG_STORE)
        add_write(e, k->comm->args[j].target);
  }
}

static bool is_written(const emitter *e, const extent *x)
{
  for (size_t i = 0; i < e->writes.len; i++)
    if (emit_overlap(&e->writes.data[i], x))
      return true;
  return false;
}

static void find_known(emitter *e)
{
  uint32_t number = 1;
  for (size_t i = 0; i < e->model->initial_channels.len; i++, number++) {
    known_channel k = {NO_VARIABLE, 1, 1, number,
                       e->model->initial_channels.data[i]->index};
    vec_push(&e->known, k);
  }
  find_writes(e);
  for (uint32_t i = 0; i < e->code->init_count; i++) {
    const cinit *c = &e->code->inits[i];
    if (!c->channel)
      continue;
    uint32_t at = c->target->offset;
    extent x = {BASE_STATE, at, at + c->stride * c->length};
    known_channel k = {at, c->stride, c->length, number, c->channel->index};
    number += c->length;
    if (!is_written(e, &x) && number - 1 <= e->shape->channels)
      vec_push(&e->known, k);
  }
}

static bool same_layout(const channel_layout *a, const channel_layout *b)
{
  if (a->capacity != b->capacity || a->field_count != b->field_count ||
      a->size != b->size)
    return false;
  for (uint32_t i = 0; i < a->field_count; i++) {
    keep x = a->keeps[i], y = b->keeps[i];
    if (x.kind != y.kind || x.bits != y.bits || x.lo != y.lo || x.hi != y.hi)
      return false;
  }
  return true;
}

void emit_find_channels(emitter *e)
{
  const layout *l = e->layout;
  find_known(e);
  e->alike = ARENA_ARRAY(e->memory, uint32_t, l->channel_types + 1);
  for (uint32_t i = 0; i < l->channel_types; i++) {
    while (!same_layout(&l->channels[e->alike[i]], &l->channels[i]))
      e->alike[i]++;
    if (l->channels[i].capacity == 0)
      e->has_rendezvous = true;
  }
  for (size_t i = 0; e->has_rendezvous && i < e->model->edges.len; i++) {
    const cedge *k = &e->code->edges[i];
    if (k->comm && k->comm->kind == COMM_SEND && k->effect_count)
      e->meets_with_effects = true; /* at least if it is no queue */
  }
}

site emit_site(const emitter *e, const node *n)
{
  site result = {.number = n};
  for (size_t i = 0; i < e->known.len; i++) {
    const known_channel *k = &e->known.data[i];
    uint32_t distance = (uint32_t)n->value - k->offset;
    if (k->offset == NO_VARIABLE) {
      if (n->op == NODE_CONST && (uint32_t)n->value == k->first)
        result.known = k;
    } else if (n->op == NODE_G8 && distance % k->stride == 0 &&
               distance / k->stride < k->count) {
      result.known = k;
      result.element = distance / k->stride;
    } else if (n->op == NODE_GX8 && distance == 0 && n->u.x.bound == k->count &&
               n->u.x.stride == k->stride) {
      result.known = k;
      result.index = n->a;
    }
  }
  return result;
}

/* ---- where it is ------------------------------------------------------ */

const char *emit_whole_state(const emitter *e)
{
  return e->mode == FROM_SOURCE ? "s" : e->mode == FROM_BEFORE ? "g" : "d";
}

/* Declares 'q', and 'k' or 'i'. */
static void declare_site(emitter *e, const site *at, text *out)
{
  const known_channel *k = at->known;
  const uint32_t *offsets = e->shape->channel_offset;
  if (k && !at->index) {
    text_printf(out, "const uint32_t q = %u;", offsets[k->first + at->element]);
  } else if (k) {
    text_add(out, "const uint32_t i = NUT_INDEX(");
    emit_value(e, at->index, out);
    text_printf(out, ", %u), q = %u + i * %u;", k->count, offsets[k->first],
                e->layout->channels[k->kind].size);
  } else {
    text_add(out, "const uint32_t k = NUT_CHANNEL(");
    emit_value(e, at->number, out);
    text_printf(out, ", %s), q = %s[k];", emit_channels(e),
                emit_table(e, "channel_offset"));
  }
}

void emit_open_site(emitter *e, const site *at)
{
  text *line = emit_text(e);
  emit_open(e, "{");
  declare_site(e, at, line);
  emit_line(e, "%s", text_string(line));
  emit_done(e, line);
}

void emit_site_number(const emitter *e, const site *at, text *out)
{
  (void)e;
  if (at->known && !at->index)
    text_printf(out, "%u", at->known->first + at->element);
  else if (at->known)
    text_printf(out, "%u + i", at->known->first);
  else
    text_add(out, "k");
}

void emit_site_bit(const emitter *e, const site *at, text *out)
{
  const known_channel *k = at->known;
  const uint16_t *components = e->shape->channel_component;
  if (k && !at->index)
    text_printf(
        out, "UINT64_C(0x%llx)",
        (unsigned long long)component_bit(components[k->first + at->element]));
  else if (k)
    text_printf(out, "nut_bit(%u + i)", components[k->first]);
  else
    text_printf(out, "%s[k]", emit_table(e, "channel_bit"));
}

void emit_channel_number(emitter *e, const site *at, text *out)
{
  if (at->known && at->index) {
    text_printf(out, "(int32_t)(%u + NUT_INDEX(", at->known->first);
    emit_value(e, at->index, out);
    text_printf(out, ", %u))", at->known->count);
  } else if (at->known) {
    text_printf(out, "%u", at->known->first + at->element);
  } else {
    emit_value(e, at->number, out);
  }
}

/* ---- for every layout ------------------------------------------------- */

/* Whether the communication can be meant for channels like this one. */
static bool is_candidate(const emitter *e, const ccomm *c, uint32_t kind)
{
  const layout *l = e->layout;
  bool some = false;
  for (uint32_t i = 0; i < l->channel_types; i++)
    some |= l->channels[i].field_count == c->arg_count;
  return e->alike[kind] == kind &&
         (!some || l->channels[kind].field_count == c->arg_count);
}

static uint32_t count_layouts(const emitter *e)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->layout->channel_types; i++)
    n += e->alike[i] == i;
  return n;
}

/* "case 1: case 4: {" */
static void open_case(emitter *e, uint32_t kind)
{
  text *line = emit_text(e);
  for (uint32_t i = 0; i < e->layout->channel_types; i++)
    if (e->alike[i] == kind)
      text_printf(line, "case %u: ", i);
  emit_open(e, "%s{", text_string(line));
  emit_done(e, line);
}

void emit_each_layout(emitter *e, const site *at, const ccomm *c,
                      site_body *body, void *context)
{
  uint32_t done = 0;
  if (at->known) {
    body(e, at, &e->layout->channels[at->known->kind], context);
    return;
  }
  if (count_layouts(e) == 1) {
    body(e, at, &e->layout->channels[0], context);
    return;
  }
  emit_open(e, "switch (%s[k]) {", emit_table(e, "channel_type"));
  for (uint32_t i = 0; i < e->layout->channel_types; i++) {
    if (!is_candidate(e, c, i))
      continue;
    if (++done > LAYOUTS_MAX) {
      e->problem = "a channel of too many possible types";
      break;
    }
    open_case(e, i);
    body(e, at, &e->layout->channels[i], context);
    emit_line(e, "break;");
    emit_close(e);
  }
  emit_line(e, "default: goto bail;");
  emit_close(e);
}

/* ---- values ----------------------------------------------------------- */

void emit_fits(emitter *e, const ccomm *c, const channel_layout *l,
               const char *sent, text *out)
{
  const char *glue = "";
  for (uint32_t i = 0; i < c->arg_count && i < l->field_count; i++) {
    text *offset = emit_text(e);
    if (c->args[i].kind != ARG_VALUE)
      continue;
    text_add(out, glue);
    text_printf(offset, "%u", l->fields[i]);
    if (sent)
      emit_load(l->keeps[i], sent, text_string(offset), out);
    else
      text_printf(out, "x->message[%u]", i);
    text_add(out, " == ");
    emit_value(e, c->args[i].value, out);
    glue = " && ";
    emit_done(e, offset);
  }
  if (!*glue)
    text_add_char(out, '1');
}

/* Sets 'found_' when some message fits. */
static void search_layout(emitter *e, const ccomm *c, const channel_layout *l,
                          text *out)
{
  const char *state = emit_whole_state(e);
  if (l->capacity == 0 || !channel_takes(l, c->arg_count, true)) {
    text_add(out, "goto bail; ");
    return;
  }
  text_printf(out, "const uint8_t *b = %s + q + %u; ", state, l->first);
  text_printf(out, "for (uint32_t j = 0; j < %s%s[q + %u]; j++, b += %u) ",
              c->anywhere ? "" : "!!", state, l->length_offset,
              l->message_size);
  text_add(out, "if (");
  emit_fits(e, c, l, "b", out);
  text_add(out, ") { found_ = 1; break; } ");
}

void emit_poll(emitter *e, const node *n, text *out)
{
  const ccomm *c = n->u.comm;
  site at = emit_site(e, c->channel);
  text_add(out, "({ int32_t found_ = 0; ");
  declare_site(e, &at, out);
  text_add_char(out, ' ');
  if (at.known) {
    search_layout(e, c, &e->layout->channels[at.known->kind], out);
  } else {
    text_printf(out, "switch (%s[k]) { ", emit_table(e, "channel_type"));
    for (uint32_t i = 0; i < e->layout->channel_types; i++) {
      if (!is_candidate(e, c, i))
        continue;
      for (uint32_t j = 0; j < e->layout->channel_types; j++)
        if (e->alike[j] == i)
          text_printf(out, "case %u: ", j);
      text_add(out, "{ ");
      search_layout(e, c, &e->layout->channels[i], out);
      text_add(out, "break; } ");
    }
    text_add(out, "default: goto bail; } ");
  }
  text_add(out, "found_; })");
}

/* len, full and their like, given where the length stands. */
static void length_value(const node *n, const char *at, const char *capacity,
                         text *out)
{
  switch ((node_op)n->op) {
  case NODE_LEN:
    text_printf(out, "(int32_t)nut_messages(%s, %s)", at, capacity);
    break;
  case NODE_EMPTY:
    text_printf(out, "!nut_messages(%s, %s)", at, capacity);
    break;
  case NODE_NEMPTY:
    text_printf(out, "!!nut_messages(%s, %s)", at, capacity);
    break;
  case NODE_FULL:
    text_printf(out, "nut_is_full(%s, %s)", at, capacity);
    break;
  default:
    text_printf(out, "!nut_is_full(%s, %s)", at, capacity);
  }
}

void emit_channel_value(emitter *e, const node *n, text *out)
{
  site at = emit_site(e, n->a);
  text *length = emit_text(e), *capacity = emit_text(e);
  text_printf(length, "%s + q + %u", emit_whole_state(e), e->layout->tag_bytes);
  if (at.known)
    text_printf(capacity, "%u", e->layout->channels[at.known->kind].capacity);
  else
    text_printf(capacity, "model_capacity[%s[k]]",
                emit_table(e, "channel_type"));
  text_add(out, "({ ");
  declare_site(e, &at, out);
  text_add_char(out, ' ');
  length_value(n, text_string(length), text_string(capacity), out);
  text_add(out, "; })");
  emit_done(e, length);
  emit_done(e, capacity);
}
