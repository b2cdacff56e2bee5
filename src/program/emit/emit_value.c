/* Expressions as C.  Arithmetic is that of 32-bit integers that wrap around
** (-fwrapv).  Whatever can be a fault jumps to 'bail' from inside the
** expression. */

#include "program/emit/emit_internal.h"

void emit_constant(int32_t value, text *out)
{
  if (value == INT32_MIN)
    text_add(out, "INT32_MIN");
  else if (value < 0)
    text_printf(out, "(%d)", value);
  else
    text_printf(out, "%d", value);
}

/* All macros that can jump are written in capitals. */
bool emit_can_bail(const char *emitted)
{
  return strstr(emitted, "NUT_") || strstr(emitted, "goto bail");
}

/* ---- reading and writing by pointer ----------------------------------- */

void emit_load(keep k, const char *base, const char *offset, text *out)
{
  switch ((keep_kind)k.kind) {
  case KEEP_U8:
  case KEEP_BITS8:
    text_printf(out, "%s[%s]", base, offset);
    break;
  case KEEP_U16:
  case KEEP_BITS16:
    text_printf(out, "nut_u16(%s + %s)", base, offset);
    break;
  case KEEP_S16:
    text_printf(out, "nut_s16(%s + %s)", base, offset);
    break;
  case KEEP_S32:
  case KEEP_BITS32:
    text_printf(out, "nut_s32(%s + %s)", base, offset);
    break;
  case KEEP_RANGE8:
    text_printf(out, "(%s[%s] + ", base, offset);
    break;
  case KEEP_RANGE16:
    text_printf(out, "(nut_u16(%s + %s) + ", base, offset);
    break;
  case KEEP_RANGE32:
    text_printf(out, "(nut_s32(%s + %s) + ", base, offset);
    break;
  }
  if (k.kind >= KEEP_RANGE8) {
    emit_constant(k.lo, out);
    text_add_char(out, ')');
  }
}

static void within(int32_t lo, int32_t hi, const char *value, text *out)
{
  text_printf(out, "NUT_WITHIN(%s, ", value);
  emit_constant(lo, out);
  text_add(out, ", ");
  emit_constant(hi, out);
  text_add_char(out, ')');
}

static uint32_t mask_of(keep k)
{
  return k.bits < 32 ? (1u << k.bits) - 1 : UINT32_MAX;
}

/* With overflow checked, a value that does not fit is for the interpreter. */
static void checked(keep k, const char *value, text *out)
{
  switch ((keep_kind)k.kind) {
  case KEEP_U8:
    within(0, 255, value, out);
    break;
  case KEEP_U16:
    within(0, 65535, value, out);
    break;
  case KEEP_S16:
    within(-32768, 32767, value, out);
    break;
  case KEEP_S32:
    text_add(out, value);
    break;
  case KEEP_BITS8:
  case KEEP_BITS16:
  case KEEP_BITS32:
    if (k.bits < 32)
      within(0, (int32_t)mask_of(k), value, out);
    else
      text_add(out, value);
    break;
  case KEEP_RANGE8:
  case KEEP_RANGE16:
  case KEEP_RANGE32:
    within(k.lo, k.hi, value, out);
    break;
  }
}

void emit_truncated(const emitter *e, keep k, const char *value, text *out)
{
  if (e->program->options.check_overflow || k.kind >= KEEP_RANGE8) {
    checked(k, value, out);
    return;
  }
  switch ((keep_kind)k.kind) {
  case KEEP_U8:
    text_printf(out, "(uint8_t)(%s)", value);
    break;
  case KEEP_U16:
    text_printf(out, "(uint16_t)(%s)", value);
    break;
  case KEEP_S16:
    text_printf(out, "(int16_t)(%s)", value);
    break;
  case KEEP_BITS8:
  case KEEP_BITS16:
  case KEEP_BITS32:
    if (k.bits < 32) {
      text_printf(out, "((%s) & %u)", value, mask_of(k));
      break;
    }
    text_add(out, value);
    break;
  case KEEP_S32:
  case KEEP_RANGE8:
  case KEEP_RANGE16:
  case KEEP_RANGE32:
    text_add(out, value);
    break;
  }
}

/* 'value' is what 'emit_truncated' made. */
void emit_put(emitter *e, keep k, const char *base, const char *offset,
              const char *value)
{
  text *less = emit_text(e);
  if (k.kind >= KEEP_RANGE8 && k.lo != 0) {
    text_printf(less, "%s - ", value);
    emit_constant(k.lo, less);
    value = text_string(less);
  }
  switch (keep_bytes(k)) {
  case 1:
    emit_line(e, "%s[%s] = %s;", base, offset, value);
    break;
  case 2:
    emit_line(e, "nut_put16(%s + %s, %s);", base, offset, value);
    break;
  default:
    emit_line(e, "nut_put32(%s + %s, %s);", base, offset, value);
  }
  emit_done(e, less);
}

/* ---- variables -------------------------------------------------------- */

place emit_place_of(const address *a)
{
  return (place){.base = a->base,
                 .hidden = a->hidden,
                 .keep = a->keep,
                 .offset = a->offset,
                 .dimensions = a->dimensions,
                 .dims = a->dims};
}

extent emit_extent(const place *p)
{
  extent x = {p->base, p->offset, p->offset + keep_bytes(p->keep)};
  for (uint32_t i = 0; i < p->dimensions; i++)
    x.to += (p->dims[i].bound - 1) * p->dims[i].stride;
  return x;
}

bool emit_overlap(const extent *a, const extent *b)
{
  return a->base == b->base && a->from < b->to && b->from < a->to;
}

/* Whether the copy may differ from the source there. */
static bool was_written(const emitter *e, const place *p)
{
  extent x = emit_extent(p);
  if (e->mode != FROM_BOTH || p->base == BASE_REMOTE)
    return e->mode == FROM_BOTH || e->mode == FROM_COPY;
  for (size_t i = 0; i < e->written.len; i++)
    if (emit_overlap(&e->written.data[i], &x))
      return true;
  return false;
}

/* Base pointer and offset of a place, as C; 'remote' is the offset of the
** process referred to. */
static void locate(emitter *e, const place *p, bool copy, const char *remote,
                   const char **base, text *offset)
{
  const process_type *t = e->process ? e->process->source : NULL;
  bool before = e->mode == FROM_BEFORE;
  *base = copy ? "d" : before ? "g" : "s";
  if (p->base == BASE_SELF && e->made) {
    *base = "w";
    t = e->made;
  } else if (p->base == BASE_SELF && copy) {
    text_add(offset, "self + ");
  } else if (p->base == BASE_SELF) {
    *base = before ? "h" : "p";
  } else if (p->base == BASE_REMOTE) {
    text_printf(offset, "%s + %u", remote, p->offset);
  }
  if (p->base != BASE_REMOTE)
    emit_offset(e, p->base, t, p->offset, offset);
  for (uint32_t i = 0; i < p->dimensions; i++) {
    const dimension *d = &p->dims[i];
    text_add(offset, " + NUT_INDEX(");
    emit_value(e, d->index, offset);
    text_printf(offset, ", %u)", d->bound);
    if (d->stride > 1)
      text_printf(offset, " * %u", d->stride);
  }
}

static void read_place(emitter *e, const place *p, const char *remote,
                       text *out)
{
  text *offset = emit_text(e);
  const char *base;
  locate(e, p, was_written(e, p), remote, &base, offset);
  emit_load(p->keep, base, text_string(offset), out);
  emit_done(e, offset);
}

void emit_read(emitter *e, const place *p, text *out)
{
  read_place(e, p, "", out);
}

/* Notes the slice of the globals that a store changes.  When the index decides
** which, the offset gets a name, which stands for it in the store as well. */
static void global_changed(emitter *e, const place *p, text *offset)
{
  const layout *l = e->layout;
  extent x = emit_extent(p);
  uint32_t bytes = keep_bytes(p->keep);
  uint64_t first = layout_slices_of(l, x.from, 1);
  if (first == layout_slices_of(l, x.to - 1, 1)) {
    e->slices |= first;
    return;
  }
  if (!p->dimensions) {
    e->slices |= layout_slices_of(l, x.from, bytes);
    return;
  }
  emit_line(e, "const uint32_t a%u = %s;", e->stores, text_string(offset));
  text_printf(&e->bits, " | nut_slices(a%u - %u, %u, %u)", e->stores, l->hidden,
              bytes, l->slice_shift);
  text_clear(offset);
  text_printf(offset, "a%u", e->stores++);
}

void emit_store(emitter *e, const address *a, const char *value)
{
  text *offset = emit_text(e), *kept = emit_text(e);
  const char *base;
  place p = emit_place_of(a);
  if (e->program->options.check_overflow || a->keep.kind > KEEP_S32)
    emit_truncated(e, a->keep, value, kept);
  else
    text_add(kept, value); /* the store cuts it off */
  locate(e, &p, true, "", &base, offset);
  if (a->base == BASE_SELF)
    e->self_moved = true;
  else if (!a->hidden)
    global_changed(e, &p, offset);
  emit_put(e, a->keep, base, text_string(offset), text_string(kept));
  vec_push(&e->written, emit_extent(&p));
  emit_done(e, offset);
  emit_done(e, kept);
}

/* ---- other processes -------------------------------------------------- */

/* The number of the process referred to, or -1. */
static void find_process(emitter *e, uint32_t kind, const node *number,
                         text *out)
{
  text_printf(out, "nut_find(%s, %s, %u, ", emit_table(e, "process_type"),
              emit_processes(e), kind);
  if (number)
    emit_value(e, number, out);
  else
    text_add(out, "-1");
  text_add_char(out, ')');
}

/* The variables of a process that is not there are 0. */
static void read_remote(emitter *e, const node *n, text *out)
{
  text *offset = emit_text(e);
  place p = emit_place_of(n->u.address);
  text_printf(offset, "%s[at_]", emit_table(e, "process_offset"));
  text_add(out, "({ int32_t at_ = ");
  find_process(e, (uint32_t)n->value, n->a, out);
  text_add(out, "; at_ < 0 ? 0 : ");
  read_place(e, &p, text_string(offset), out);
  text_add(out, "; })");
  emit_done(e, offset);
}

static void read_at(emitter *e, const node *n, text *out)
{
  text *offset = emit_text(e);
  text_printf(offset, "%s[at_]", emit_table(e, "process_offset"));
  text_add(out, "({ int32_t at_ = ");
  find_process(e, n->u.process, n->a, out);
  text_add(out, "; at_ >= 0 && ");
  emit_location(e, emit_whole_state(e), text_string(offset), n->u.process, out);
  text_printf(out, " == %d; })", n->value);
  emit_done(e, offset);
}

/* ---- operators -------------------------------------------------------- */

/* As C writes them; the list is the model's. */
static const char *const operator_text[] = {
#define OP(name, arity, text, meaning) text,
    MODEL_OPS(OP)
#undef OP
};

static void infix(emitter *e, const node *n, const char *operation, text *out)
{
  text_add_char(out, '(');
  emit_value(e, n->a, out);
  text_printf(out, " %s ", operation);
  emit_value(e, n->b, out);
  text_add_char(out, ')');
}

static void prefix(emitter *e, const node *n, const char *operation, text *out)
{
  text_printf(out, "(%s", operation);
  emit_value(e, n->a, out);
  text_add_char(out, ')');
}

static void divide_by(emitter *e, const node *n, const char *operation,
                      text *out)
{
  if (n->b->op == NODE_CONST && n->b->value != 0 && n->b->value != -1) {
    infix(e, n, operation, out);
    return;
  }
  text_add(out, "NUT_DIVIDE(");
  emit_value(e, n->a, out);
  text_printf(out, ", %s, ", operation);
  emit_value(e, n->b, out);
  text_add_char(out, ')');
}

static void shift_by(emitter *e, const node *n, const char *operation,
                     text *out)
{
  text_add_char(out, '(');
  emit_value(e, n->a, out);
  text_printf(out, " %s (", operation);
  emit_value(e, n->b, out);
  text_add(out, " & 31))");
}

static void choose_value(emitter *e, const node *n, text *out)
{
  text_add_char(out, '(');
  emit_value(e, n->a, out);
  text_add(out, " ? ");
  emit_value(e, n->b, out);
  text_add(out, " : ");
  emit_value(e, n->c, out);
  text_add_char(out, ')');
}

static void load_node(emitter *e, const node *n, text *out)
{
  static const uint8_t kinds[] = {
      [NODE_G8] = KEEP_U8,   [NODE_L8] = KEEP_U8,   [NODE_GX8] = KEEP_U8,
      [NODE_LX8] = KEEP_U8,  [NODE_G16] = KEEP_S16, [NODE_L16] = KEEP_S16,
      [NODE_G32] = KEEP_S32, [NODE_L32] = KEEP_S32};
  bool local = n->op == NODE_L8 || n->op == NODE_LX8 || n->op == NODE_L16 ||
               n->op == NODE_L32;
  place p = {.base = local ? BASE_SELF : BASE_STATE,
             .keep = {.kind = kinds[n->op]},
             .offset = (uint32_t)n->value};
  if (n->op == NODE_GX8 || n->op == NODE_LX8) {
    p.one = (dimension){n->a, n->u.x.bound, n->u.x.stride};
    p.dims = &p.one;
    p.dimensions = 1;
  }
  emit_read(e, &p, out);
}

/* Operators that are not worth emitting leave the edge to the interpreter. */
static void give_up(emitter *e, const char *why, text *out)
{
  e->problem = why;
  text_add_char(out, '0');
}

/* C that is evaluated by or about another process is not worth it. */
static void embedded_value(emitter *e, const node *n, text *out)
{
  if (e->made || e->mode == FROM_BEFORE || !e->process)
    give_up(e, "embedded C in a rendezvous or a new process", out);
  else
    text_printf(out, "NUT_EMBED(%d, %s, %u)", n->value, emit_whole_state(e),
                e->process->source->index);
}

static void process_value(emitter *e, const node *n, text *out)
{
  switch ((node_op)n->op) {
  case NODE_PID:
    text_add(out, e->made ? "(int32_t)made" : "(int32_t)pid");
    break;
  case NODE_NR_PR:
    text_printf(out, "(int32_t)%s", emit_processes(e));
    break;
  case NODE_LAST:
    text_printf(out, "%s[%u]", emit_whole_state(e), e->layout->last_offset);
    break;
  case NODE_TIMEOUT:
    text_add(out, "(int32_t)x->timeout");
    break;
  case NODE_AT:
    read_at(e, n, out);
    break;
  case NODE_REMOTE:
    read_remote(e, n, out);
    break;
  case NODE_RUN:
    give_up(e, "run inside an expression", out);
    break;
  case NODE_EMBED:
    embedded_value(e, n, out);
    break;
  default:
    give_up(e, op_name((op)n->op), out);
  }
}

void emit_value(emitter *e, const node *n, text *out)
{
  place p;
  switch ((node_op)n->op) {
  case NODE_CONST:
    emit_constant(n->value, out);
    break;
  case NODE_G8:
  case NODE_L8:
  case NODE_GX8:
  case NODE_LX8:
  case NODE_G16:
  case NODE_L16:
  case NODE_G32:
  case NODE_L32:
    load_node(e, n, out);
    break;
  case NODE_LOAD:
    p = emit_place_of(n->u.address);
    emit_read(e, &p, out);
    break;
  case NODE_NOT:
  case NODE_NEG:
  case NODE_COMPL:
    prefix(e, n, operator_text[n->op], out);
    break;
  case NODE_IMPLY:
    text_add(out, "(!");
    emit_value(e, n->a, out);
    text_add(out, " || ");
    emit_value(e, n->b, out);
    text_add_char(out, ')');
    break;
  case NODE_COND:
    choose_value(e, n, out);
    break;
  case NODE_AND:
  case NODE_OR:
  case NODE_EQ:
  case NODE_NE:
  case NODE_LT:
  case NODE_LE:
  case NODE_GT:
  case NODE_GE:
  case NODE_ADD:
  case NODE_SUB:
  case NODE_MUL:
  case NODE_BITAND:
  case NODE_BITOR:
  case NODE_BITXOR:
    infix(e, n, operator_text[n->op], out);
    break;
  case NODE_DIV:
  case NODE_MOD:
    divide_by(e, n, operator_text[n->op], out);
    break;
  case NODE_SHL:
  case NODE_SHR:
    shift_by(e, n, operator_text[n->op], out);
    break;
  case NODE_LEN:
  case NODE_EMPTY:
  case NODE_NEMPTY:
  case NODE_FULL:
  case NODE_NFULL:
    emit_channel_value(e, n, out);
    break;
  case NODE_POLL:
    emit_poll(e, n, out);
    break;
  case NODE_VAR:
  case NODE_RUN:
  case NODE_PID:
  case NODE_NR_PR:
  case NODE_LAST:
  case NODE_TIMEOUT:
  case NODE_NP:
  case NODE_ENABLED:
  case NODE_PC_VALUE:
  case NODE_PRIORITY:
  case NODE_SET_PRIORITY:
  case NODE_AT:
  case NODE_REMOTE:
  case NODE_EMBED:
    process_value(e, n, out);
    break;
  }
}
