/* Copying between the bytes of a state and the C variables of embedded C. */

#include "program/embed/embed_internal.h"

/* ---- copying ---------------------------------------------------------- */

/* A variable with a range is kept as its distance from the lowest value. */
static void copy_ranged(const emission *e, keep k, const char *name,
                        const char *at, bool out)
{
  static const char *const casts[] = {"", "", "(uint16_t)", "", "(uint32_t)"};
  uint32_t bytes = keep_bytes(k);
  if (out)
    text_printf(e->out, "nut_put%u(%s, nut_within(%s, %d, %d));\n", bytes, at,
                name, k.lo, k.hi);
  else
    text_printf(e->out, "%s = (int)(%snut_get%u(%s) + %uu);\n", name,
                casts[bytes], bytes, at, (uint32_t)k.lo);
}

/* One scalar between the C variable 'name' and the bytes at 'at'. */
static void copy_scalar(const emission *e, const var *v, const char *name,
                        const char *at, bool out)
{
  keep k = keep_of_var(v);
  uint32_t bytes = keep_bytes(k);
  bool is_unsigned = embed_c_type(v)[0] == 'u';
  if (k.kind >= KEEP_RANGE8) {
    copy_ranged(e, k, name, at, out);
    return;
  }
  if (!out) {
    text_printf(e->out, "%s = %snut_get%u(%s);\n", name,
                is_unsigned && bytes == 2 ? "(uint16_t)" : "", bytes, at);
    return;
  }
  text_printf(e->out, "nut_put%u(%s, (uint32_t)%s", bytes, at, name);
  if (embed_is_packed(v) && k.bits < 32)
    text_printf(e->out, " & %uu", (1u << k.bits) - 1);
  text_add(e->out, ");\n");
}

static void copy_element(const emission *e, const var *v, const char *name,
                         const char *at, bool out)
{
  if (v->type.kind == TYPE_RECORD)
    text_printf(e->out, "nut_%s_%s(&%s, %s);\n", out ? "out" : "in",
                v->type.record->name, name, at);
  else
    copy_scalar(e, v, name, at, out);
}

static void copy_variable(const emission *e, const var *v, const char *name,
                          const char *at, bool out)
{
  if (!(v->flags & VAR_ARRAY)) {
    copy_element(e, v, name, at, out);
    return;
  }
  text_printf(e->out, "for (uint32_t i = 0; i < %u; i++)\n  ", v->length);
  copy_element(
      e, v, arena_printf(e->m->arena, "%s[i]", name),
      arena_printf(e->m->arena, "%s + i * %u", at, type_bytes(&v->type)), out);
}

static void add_record_copy(const emission *e, const record *r, bool out)
{
  text_printf(e->out, "static void nut_%s_%s(struct %s *v, %suint8_t *s)\n{\n",
              out ? "out" : "in", r->name, r->name, out ? "" : "const ");
  for (size_t i = 0; i < r->fields.len; i++) {
    const var *f = r->fields.data[i];
    copy_variable(e, f, arena_printf(e->m->arena, "v->%s", f->name),
                  arena_printf(e->m->arena, "s + %u", f->offset), out);
  }
  text_add(e->out, "}\n");
}

static void add_globals_copy(const emission *e, bool out)
{
  text_printf(e->out, "static void nut_%s(const nut_embed_call *c)\n{\n",
              out ? "out" : "in");
  text_add(e->out, "uint8_t *s = c->state;\n");
  if (!out)
    text_add(e->out, "now._nr_pr = (uchar)c->processes;\n"
                     "now._nr_qs = (uchar)c->channels;\n"
                     "now._last = (uchar)c->last;\n");
  for (size_t i = 0; i < e->m->globals.len; i++) {
    const var *v = e->m->globals.data[i];
    if (!embed_is_visible(v))
      continue;
    copy_variable(e, v,
                  arena_printf(e->m->arena, "%s%s",
                               v->flags & VAR_HIDDEN ? "" : "now.", v->name),
                  arena_printf(e->m->arena, "s + c->globals[%zu]", i), out);
  }
  text_add(e->out, "}\n");
}

static void add_process_copy(const emission *e, const process_type *t, bool out)
{
  text_printf(e->out,
              "static void nut_%s_%u(const nut_embed_call *c)\n{\n"
              "uint8_t *s = c->process;\n",
              out ? "out" : "in", t->index);
  if (!out)
    text_printf(e->out, "nut_process_%u._pid = c->number;\n", t->index);
  for (size_t i = 0; i < t->locals.len; i++) {
    const var *v = t->locals.data[i];
    if (!embed_is_visible(v))
      continue;
    copy_variable(e, v,
                  arena_printf(e->m->arena, "nut_process_%u.%s", t->index,
                               embed_local_name(e, t, i)),
                  arena_printf(e->m->arena, "s + c->locals[%zu]", i), out);
  }
  text_add(e->out, "}\n");
}

/* ---- memory of its own ------------------------------------------------ */

bool embed_is_tracked(const embed_memory *m)
{
  return m->kind == MEMORY_MATCHED || m->kind == MEMORY_UNMATCHED;
}

/* Where 'm' is in a state, and in C. */
static void add_place(const emission *e, const embed_memory *m)
{
  if (m->kind == MEMORY_LOCAL)
    text_printf(e->out, "c->process + c->locals[%u]", m->var->index);
  else
    text_printf(e->out, "c->state + c->globals[%u]", m->var->index);
}

void embed_add_lvalue(const emission *e, const embed_memory *m)
{
  if (m->kind == MEMORY_LOCAL)
    text_printf(e->out, "nut_process_%u.%s", m->owner->index, m->name);
  else
    text_printf(e->out, "%s%s", m->kind == MEMORY_GLOBAL ? "now." : "",
                m->name);
}

static void add_declared_copy(const emission *e, const embed_memory *m,
                              bool out)
{
  if (m->kind == MEMORY_LOCAL)
    text_printf(e->out, "if (c->process && c->type == %u)\n", m->owner->index);
  text_add(e->out, "memcpy(");
  if (out)
    add_place(e, m);
  else
    text_add_char(e->out, '&'), embed_add_lvalue(e, m);
  text_add(e->out, ", ");
  if (!out)
    add_place(e, m);
  else
    text_add_char(e->out, '&'), embed_add_lvalue(e, m);
  text_add(e->out, ", sizeof ");
  embed_add_lvalue(e, m);
  text_add(e->out, ");\n");
}

/* Tracked memory may have no address yet: then there is nothing to restore, and
** nothing but zeros to keep. */
static void add_tracked_copy(const emission *e, const embed_memory *m, size_t i,
                             bool out)
{
  text_printf(e->out, "if (nut_address_%zu())\n", i);
  if (out)
    text_add(e->out, "  memcpy("), add_place(e, m),
        text_printf(e->out, ", nut_address_%zu(), nut_size_%zu);\n", i, i);
  else
    text_printf(e->out, "  memcpy(nut_address_%zu(), ", i), add_place(e, m),
        text_printf(e->out, ", nut_size_%zu);\n", i);
  if (!out)
    return;
  text_add(e->out, "else\n  memset(");
  add_place(e, m);
  text_printf(e->out, ", 0, nut_size_%zu);\n", i);
}

static void add_memory_copy(const emission *e, bool out)
{
  text_printf(e->out, "static void nut_memory_%s(const nut_embed_call *c)\n{\n",
              out ? "out" : "in");
  for (size_t i = 0; i < e->m->c_memory.len; i++) {
    const embed_memory *m = &e->m->c_memory.data[i];
    if (embed_is_tracked(m))
      add_tracked_copy(e, m, i, out);
    else if (m->kind != MEMORY_NOWHERE)
      add_declared_copy(e, m, out);
  }
  text_add(e->out, "}\n");
}

/* ---- all of it -------------------------------------------------------- */

static void add_switch(const emission *e, const char *direction)
{
  text_add(e->out, "if (c->process)\nswitch (c->type) {\n");
  for (size_t i = 0; i < e->m->processes.len; i++)
    text_printf(e->out,
                "case %zu: _this = (uchar *)&nut_process_%zu; nut_%s_%zu(c); "
                "break;\n",
                i, i, direction, i);
  text_add(e->out, "}\n");
}

void embed_add_copies(const emission *e)
{
  const model *m = e->m;
  for (int out = 0; out < 2; out++) {
    for (size_t i = 0; i < m->records.len; i++)
      add_record_copy(e, m->records.data[i], out);
    add_globals_copy(e, out);
    for (size_t i = 0; i < m->processes.len; i++)
      add_process_copy(e, m->processes.data[i], out);
    add_memory_copy(e, out);
  }
  text_add(e->out, "static void nut_enter(const nut_embed_call *c)\n{\n"
                   "_this = NULL;\nnut_in(c);\n");
  add_switch(e, "in");
  text_add(e->out, "nut_memory_in(c);\n}\n"
                   "static void nut_leave(const nut_embed_call *c)\n{\n"
                   "nut_out(c);\n");
  add_switch(e, "out");
  text_add(e->out, "nut_memory_out(c);\n}\n");
}
