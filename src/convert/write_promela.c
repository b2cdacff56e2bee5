/* Promela: one process whose steps are d_steps.  Where only some locations are
** places to end at, the process has two loops, one for the states in which all
** processes are at such places; which of them it is in follows from the state,
** so no states are added. */

#include "convert/simplify.h"
#include "convert/writer.h"

#include <string.h>

static const char *const keywords[] = {
    "active",     "assert",   "atomic",     "bit",      "bool",
    "break",      "byte",     "chan",       "do",       "d_step",
    "else",       "empty",    "enabled",    "eval",     "false",
    "fi",         "for",      "full",       "goto",     "hidden",
    "if",         "in",       "init",       "inline",   "int",
    "len",        "local",    "ltl",        "mtype",    "nempty",
    "never",      "nfull",    "notrace",    "od",       "of",
    "pc_value",   "pid",      "printf",     "printm",   "priority",
    "proctype",   "provided", "return",     "run",      "select",
    "short",      "show",     "skip",       "timeout",  "trace",
    "true",       "typedef",  "unless",     "unsigned", "value",
    "subrange",   "xr",       "xs",         "system",   "c_code",
    "c_expr",     "c_decl",   "c_state",    "c_track",  "STDIN",
    "D_proctype", "always",   "eventually", "until",    "weakuntil",
    "release",    "implies",  "equivalent", "next",     "stronguntil",
    "U",          "V",        "W",          "X",        "now",
    NULL};

/* Places of nets grow when they must; here they have room from the start. */
static bool has_places(const flat *f)
{
  return f->m->language->is_net;
}

static const char *type_word(const flat *f, const type *t)
{
  bool places = has_places(f);
  switch (t->kind) {
  case TYPE_BIT:
    return places ? "byte" : "bit";
  case TYPE_BOOL:
    return "bool";
  case TYPE_BYTE:
  case TYPE_PID:
  case TYPE_MTYPE:
    return places ? "int" : "byte";
  case TYPE_SHORT:
    return "short";
  case TYPE_UNSIGNED:
    return places ? "int" : "unsigned";
  case TYPE_RANGE:
    return t->lo >= 0 && t->hi <= 255          ? "byte"
           : t->lo >= -32768 && t->hi <= 32767 ? "short"
                                               : "int";
  case TYPE_INT:
  case TYPE_CHAN:
  case TYPE_RECORD:
    break;
  }
  return "int";
}

static const dialect promela = {keywords, true, true, 0, type_word};

/* ---- declarations ------------------------------------------------------ */

static void write_type(writer *w, const type *t, text *out)
{
  if (t->kind == TYPE_CHAN)
    writer_refuse(w, "variables hold channels");
  if (t->kind != TYPE_RECORD) {
    text_add(out, type_word(&w->f, t));
    return;
  }
  size_t i = 0;
  while (w->f.m->records.data[i] != t->record)
    i++;
  text_add(out, w->records[i]);
}

/* "byte name[3]", "unsigned name : 5". */
static void write_declared(writer *w, const var *v, const char *name, text *out)
{
  write_type(w, &v->type, out);
  text_printf(out, " %s", name);
  bool width = v->type.kind == TYPE_UNSIGNED && !has_places(&w->f);
  if (width && (v->flags & VAR_ARRAY))
    writer_refuse(w, "there are no arrays of unsigned");
  if (width)
    text_printf(out, " : %u", v->type.bits);
  if (v->flags & VAR_ARRAY)
    text_printf(out, "[%u]", v->length);
}

static bool contains(const type *t, const record *r)
{
  if (t->kind != TYPE_RECORD)
    return false;
  for (size_t i = 0; i < t->record->fields.len; i++)
    if (contains(&t->record->fields.data[i]->type, r))
      return true;
  return t->record == r;
}

/* Front ends may make records that no variable has. */
static bool is_used(const model *m, const record *r)
{
  for (size_t i = 0; i < m->globals.len; i++)
    if (contains(&m->globals.data[i]->type, r))
      return true;
  for (size_t i = 0; i < m->processes.len; i++)
    for (size_t k = 0; k < m->processes.data[i]->locals.len; k++)
      if (contains(&m->processes.data[i]->locals.data[k]->type, r))
        return true;
  return false;
}

static void write_records(writer *w, text *out)
{
  const model *m = w->f.m;
  for (size_t i = 0; i < m->records.len; i++) {
    const record *r = m->records.data[i];
    if (!is_used(m, r))
      continue;
    text_printf(out, "typedef %s {\n", w->records[i]);
    for (size_t k = 0; k < r->fields.len; k++) {
      const var *v = r->fields.data[k];
      if (v->type.kind == TYPE_RANGE && v->type.lo != 0)
        writer_refuse(w, "a field of a record does not begin with 0");
      text_add(out, "  ");
      write_declared(w, v, *v->name ? v->name : "row", out);
      text_add(out, ";\n");
    }
    text_add(out, "}\n");
  }
}

/* A range without an initial value begins with its lowest. */
static void write_init(writer *w, const var *v, text *out)
{
  int32_t value = v->type.kind == TYPE_RANGE ? v->type.lo : 0;
  if (!v->init.len && value)
    text_printf(out, " = %d", value);
  for (size_t i = 0; i < v->init.len; i++) {
    if (!writer_constant(w, v->init.data[i], &value))
      return;
    /* A list has no signs, but a short wraps around. */
    if (v->init.len > 1 && value < 0) {
      value &= 0xFFFF;
      if (strcmp(type_word(&w->f, &v->type), "short") != 0)
        writer_refuse(w, "an array of int has negative initial values");
    }
    text_printf(out, "%s%d",
                i                 ? ", "
                : v->init.len > 1 ? " = { "
                                  : " = ",
                value);
  }
  if (v->init.len > 1)
    text_add(out, " }");
  if (v->init_channel)
    writer_refuse(w, "variables hold channels");
}

static void write_var(writer *w, const word_list *words, const var *v,
                      text *out)
{
  write_declared(w, v, words->words[0], out);
  write_init(w, v, out);
  text_add(out, ";\n");
}

static void write_channels(writer *w, text *out)
{
  const model *m = w->f.m;
  for (size_t i = 0; i < m->initial_channels.len; i++) {
    const channel_type *c = m->initial_channels.data[i];
    if (!w->channels[i])
      continue;
    text_printf(out, "chan %s = [%u] of {", w->channels[i], c->capacity);
    for (size_t k = 0; k < c->fields.len; k++) {
      if (c->fields.data[k].kind == TYPE_UNSIGNED ||
          c->fields.data[k].kind == TYPE_RANGE)
        writer_refuse(w, "messages have values of a range");
      text_printf(out, "%s %s", k ? "," : "",
                  type_word(&w->f, &c->fields.data[k]));
    }
    text_add(out, " };\n");
  }
}

static void write_variables(writer *w, text *out)
{
  const model *m = w->f.m;
  write_records(w, out);
  for (size_t i = 0; i < m->globals.len; i++)
    write_var(w, &w->globals[i], m->globals.data[i], out);
  write_channels(w, out);
  for (uint32_t who = 0; who < m->initial.len; who++) {
    const process_type *p = flat_type(&w->f, who);
    if (p->locations.len > 1)
      text_printf(out, "%s %s = %u;\n", p->locations.len > 256 ? "int" : "byte",
                  w->locations[who], p->start);
    for (size_t i = 0; i < p->locals.len; i++)
      write_var(w, &w->locals[who][i], p->locals.data[i], out);
  }
}

static void write_carriers(writer *w, text *out)
{
  size_t kinds = sizeof w->carriers / sizeof w->carriers[0];
  for (size_t k = 0; k < kinds; k++)
    for (size_t i = 0; i < w->carriers[k].words.len; i++)
      text_printf(out, "%s %s;\n", w->carriers[k].type,
                  w->carriers[k].words.data[i]);
}

/* ---- steps ------------------------------------------------------------- */

/* A send or receive on a channel with a buffer, and when it can be done. */
static void write_buffered(writer *w, const flat_part *p, text *guard,
                           text *out)
{
  const comm *c = p->edge->comm;
  const char *name = c ? w->channels[c->channel->value - 1] : NULL;
  const channel_type *t = flat_channel(&w->f, c);
  bool sends = c->kind == COMM_SEND;
  text_printf(guard, "%s%s(%s)", guard->len ? " && " : "",
              sends ? "nfull" : "nempty", name);
  text_printf(out, "%s%s", name, sends ? "!" : "?");
  for (size_t i = 0; i < t->fields.len; i++) {
    const comm_arg *a = i < c->args.len ? &c->args.data[i] : NULL;
    if (i)
      text_add_char(out, ',');
    if (a && a->kind == ARG_VALUE && !sends)
      writer_refuse(w, "a receive from a buffer asks for values");
    else if (a && a->kind == ARG_VALUE)
      write_expr(w, p->who, a->value, out);
    else if (a && a->kind == ARG_STORE)
      write_ref(w, p->who, a->target, out);
    else
      text_add_char(out, sends ? '0' : '_');
  }
  text_add(out, "; ");
}

static void write_statements(writer *w, text *out)
{
  for (size_t i = 0; i < w->statements.len; i++) {
    const statement *s = &w->statements.data[i];
    switch (s->kind) {
    case DO_ASSIGN:
    case DO_CHECK:
      text_printf(out, "%s; ", s->text);
      break;
    case DO_ASSERT:
      text_printf(out, "assert(%s); ", s->text);
      break;
    }
  }
}

/* Everything of a step but its last words; the guard has 'more' added. */
static void write_alternative(writer *w, const flat_step *s, const char *more,
                              text *out)
{
  text first = {0};
  write_step(w, s);
  if (flat_is_buffered(&w->f, s))
    write_buffered(w, &w->f.parts.data[s->first], &w->guard, &first);
  if (*more)
    text_printf(&w->guard, "%s%s", w->guard.len ? " && " : "", more);
  text_add(out, "  /* ");
  write_comment(w, s, out);
  text_printf(out, " */\n  :: d_step { %s -> ",
              w->guard.len ? text_string(&w->guard) : "true");
  text_add(out, text_string(&first));
  write_statements(w, out);
  text_add(out, w->statements.len || first.len ? "}" : "skip }");
  text_free(&first);
}

/* ---- places to end at -------------------------------------------------- */

static bool is_end(const process_type *p, uint32_t at)
{
  return p->locations.data[at].flags & LOC_END;
}

typedef enum { ENDS_NOWHERE, ENDS_SOMEWHERE, ENDS_EVERYWHERE } ends;

static ends where_ends(const writer *w)
{
  bool all = true;
  for (uint32_t who = 0; who < w->f.m->initial.len; who++) {
    const process_type *p = flat_type(&w->f, who);
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->locations.len; i++)
      count += is_end(p, i);
    if (!count)
      return ENDS_NOWHERE;
    all = all && count == p->locations.len;
  }
  return all ? ENDS_EVERYWHERE : ENDS_SOMEWHERE;
}

static bool takes_part(const writer *w, const flat_step *s, uint32_t who)
{
  for (uint32_t k = 0; k < s->count; k++)
    if (w->f.parts.data[s->first + k].who == who)
      return true;
  return false;
}

/* That all who take no part are at places to end at. */
static const char *others_ended(writer *w, const flat_step *s)
{
  text t = {0};
  for (uint32_t who = 0; who < w->f.m->initial.len; who++) {
    const process_type *p = flat_type(&w->f, who);
    const char *between = "(";
    if (takes_part(w, s, who) || p->locations.len == 1)
      continue;
    if (t.len)
      text_add(&t, " && ");
    for (uint32_t i = 0; i < p->locations.len; i++)
      if (is_end(p, i)) {
        text_printf(&t, "%s%s == %u", between, w->locations[who], i);
        between = " || ";
      }
    text_add_char(&t, ')');
  }
  const char *copy = arena_copy(w->f.arena, t.len ? text_string(&t) : "true",
                                t.len ? t.len : 4);
  text_free(&t);
  return copy;
}

static bool parts_at_end(const writer *w, const flat_step *s, bool before)
{
  for (uint32_t k = 0; k < s->count; k++) {
    const flat_part *p = &w->f.parts.data[s->first + k];
    if (!is_end(flat_type(&w->f, p->who),
                before ? p->edge->source : p->edge->target))
      return false;
  }
  return true;
}

/* The steps that can be made while all are at places to end at, or not. */
static void write_loop(writer *w, bool resting, text *out)
{
  for (size_t i = 0; i < w->f.steps.len && !w->f.why->len; i++) {
    const flat_step *s = &w->f.steps.data[i];
    if (resting && !parts_at_end(w, s, true))
      continue;
    if (!parts_at_end(w, s, false)) {
      write_alternative(w, s, "", out);
      text_add(out, "; goto busy\n");
      continue;
    }
    const char *ended = others_ended(w, s);
    write_alternative(w, s, ended, out);
    text_add(out, "; goto end_rest\n");
    if (resting || !strcmp(ended, "true"))
      continue;
    write_alternative(w, s, arena_printf(w->f.arena, "!(%s)", ended), out);
    text_add(out, "; goto busy\n");
  }
}

static bool starts_at_rest(const writer *w)
{
  for (uint32_t who = 0; who < w->f.m->initial.len; who++)
    if (!is_end(flat_type(&w->f, who), flat_type(&w->f, who)->start))
      return false;
  return true;
}

static void write_both_loops(writer *w, text *out)
{
  bool rest = starts_at_rest(w);
  for (int k = 0; k < 2; k++) {
    bool resting = rest != (k == 1);
    text_add(out, resting ? "end_rest:\n  do\n" : "busy:\n  do\n");
    write_loop(w, resting, out);
    text_add(out, "  :: false\n  od;\n");
  }
}

static void write_process(writer *w, text *out)
{
  ends where = where_ends(w);
  text_printf(out, "active proctype %s()\n{\n", writer_word(w, "system_steps"));
  if (where == ENDS_SOMEWHERE) {
    write_both_loops(w, out);
    text_add(out, "}\n");
    return;
  }
  text_add(out, where == ENDS_EVERYWHERE ? "end:\n  do\n" : "  do\n");
  for (size_t i = 0; i < w->f.steps.len && !w->f.why->len; i++) {
    write_alternative(w, &w->f.steps.data[i], "", out);
    text_add_char(out, '\n');
  }
  text_add(out, "  :: false\n  od\n}\n");
}

/* ---- properties -------------------------------------------------------- */

/* Formulas have no conditional. */
static bool has_conditional(const expr *e)
{
  return e && (e->op == OP_COND || has_conditional(e->args[0]) ||
               has_conditional(e->args[1]) || has_conditional(e->args[2]));
}

static void write_properties(writer *w, text *out)
{
  const model *m = w->f.m;
  for (size_t i = 0; i < m->properties.len; i++) {
    const property *p = &m->properties.data[i];
    if (p->kind == PROPERTY_INVARIANT && p->expr && !has_conditional(p->expr)) {
      text_printf(out, "ltl %s { [] ", writer_word(w, p->name));
      write_expr(w, 0, p->expr, out);
      text_add(out, " }\n");
    } else if (p->kind == PROPERTY_NEVER || p->kind == PROPERTY_LTL ||
               p->kind == PROPERTY_CTL || p->expr) {
      text_add(out, "/* A property of the model is not carried over. */\n");
    }
  }
}

bool convert_to_promela(model *m, text *out, text *why)
{
  static const abilities able = {true, true};
  writer w;
  text body = {0};
  simplify(m, &able);
  if (writer_create(&w, m, &promela, why)) {
    write_process(&w, &body);
    text_printf(out,
                "/* Made from a model in another language (%s): one "
                "process makes all steps. */\n",
                m->language->name);
    write_variables(&w, out);
    write_carriers(&w, out);
    text_add(out, text_string(&body));
    write_properties(&w, out);
  }
  text_free(&body);
  writer_free(&w);
  return !why->len;
}
