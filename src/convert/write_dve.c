/* DVE: one process with one state, whose transitions are the steps.  There are
** no records, so each field is a variable; and no range, so a value outside of
** one is made an index outside of an array. */

#include "convert/simplify.h"
#include "convert/writer.h"

static const char *const keywords[] = {
    "and",      "or",      "not",    "imply",   "true",     "false",
    "const",    "byte",    "int",    "channel", "process",  "state",
    "init",     "commit",  "accept", "assert",  "trans",    "guard",
    "sync",     "effect",  "system", "async",   "property", "buchi",
    "genbuchi", "streett", "rabin",  "muller",  NULL};

/* An int has 16 bits. */
static bool fits(const type *t)
{
  return t->kind != TYPE_INT && t->lo >= INT16_MIN && t->hi <= INT16_MAX;
}

static bool has_places(const flat *f)
{
  return f->m->language->is_net;
}

static const char *type_word(const flat *f, const type *t)
{
  return t->lo >= 0 && t->hi <= 255 && !has_places(f) ? "byte" : "int";
}

static const dialect dve = {keywords, false, false, INT16_MAX, type_word};

/* ---- declarations ------------------------------------------------------ */

static void write_init(writer *w, const var *v, const leaf *l, text *out)
{
  int32_t value = l->type->kind == TYPE_RANGE ? l->type->lo : 0;
  uint32_t count = v->init.len > 1 ? (uint32_t)v->init.len : l->length;
  bool given = v->init.len && v == l->var;
  if (!given && !value)
    return;
  text_add(out, l->is_array ? " = {" : " = ");
  for (uint32_t i = 0; i < count && !w->f.why->len; i++) {
    if (given)
      writer_constant(w, v->init.data[v->init.len > 1 ? i : 0], &value);
    if (given && !l->is_array)
      value = type_truncate(l->type, value);
    text_printf(out, "%s%d", i ? ", " : "", value);
  }
  if (l->is_array)
    text_add_char(out, '}');
}

static void write_var(writer *w, const word_list *words, const var *v,
                      text *out)
{
  leaf l;
  if (v->init_channel || v->type.kind == TYPE_CHAN)
    writer_refuse(w, "variables hold channels");
  for (uint32_t i = 0; i < words->count && leaf_at(v, i, &l); i++) {
    if (!fits(l.type) && !has_places(&w->f))
      writer_refuse(w, "a variable needs more than 16 bits");
    if (l.var != v && l.var->init.len)
      writer_refuse(w, "a field of a record has an initial value");
    text_printf(out, "%s %s", type_word(&w->f, l.type), words->words[i]);
    if (l.is_array)
      text_printf(out, "[%u]", l.length);
    write_init(w, v, &l, out);
    text_add(out, ";\n");
  }
}

static void write_channels(writer *w, text *out)
{
  const model *m = w->f.m;
  for (size_t i = 0; i < m->initial_channels.len; i++) {
    const channel_type *c = m->initial_channels.data[i];
    if (!w->channels[i])
      continue;
    text_add(out, "channel {");
    for (size_t k = 0; k < c->fields.len; k++) {
      const type *t = &c->fields.data[k];
      if (t->kind != TYPE_BYTE && t->kind != TYPE_SHORT)
        writer_refuse(w, "messages are not bytes or 16-bit numbers");
      text_printf(out, "%s%s", k ? ", " : "", type_word(&w->f, t));
    }
    text_printf(out, "} %s[%u];\n", w->channels[i], c->capacity);
  }
}

static void write_variables(writer *w, text *out)
{
  const model *m = w->f.m;
  for (size_t i = 0; i < m->globals.len; i++)
    write_var(w, &w->globals[i], m->globals.data[i], out);
  for (uint32_t who = 0; who < m->initial.len; who++) {
    const process_type *p = flat_type(&w->f, who);
    if (p->locations.len > 1)
      text_printf(out, "%s %s = %u;\n", p->locations.len > 256 ? "int" : "byte",
                  w->locations[who], p->start);
    for (size_t i = 0; i < p->locals.len; i++)
      write_var(w, &w->locals[who][i], p->locals.data[i], out);
  }
  size_t kinds = sizeof w->carriers / sizeof w->carriers[0];
  for (size_t k = 0; k < kinds; k++)
    for (size_t i = 0; i < w->carriers[k].words.len; i++)
      text_printf(out, "%s %s;\n", w->carriers[k].type,
                  w->carriers[k].words.data[i]);
  write_channels(w, out);
}

/* ---- steps ------------------------------------------------------------- */

static void write_sync(writer *w, const flat_part *p, text *out)
{
  const comm *c = p->edge->comm;
  bool sends = c->kind == COMM_SEND;
  text_printf(out, " sync %s%s{", w->channels[c->channel->value - 1],
              sends ? "!" : "?");
  if (c->args.len != flat_channel(&w->f, c)->fields.len)
    writer_refuse(w, "a message is not taken as a whole");
  for (size_t i = 0; i < c->args.len; i++) {
    const comm_arg *a = &c->args.data[i];
    text_add(out, i ? ", " : "");
    if (sends)
      write_expr(w, p->who, a->value, out);
    else if (a->kind == ARG_STORE)
      write_ref(w, p->who, a->target, out);
    else
      writer_refuse(w, "a receive from a buffer asks for values");
  }
  text_add(out, "};");
}

static void write_effects(writer *w, const char *in_range, text *out)
{
  const char *before = " effect ";
  for (size_t i = 0; i < w->statements.len; i++) {
    const statement *s = &w->statements.data[i];
    switch (s->kind) {
    case DO_ASSIGN:
      text_printf(out, "%s%s", before, s->text);
      before = ", ";
      break;
    case DO_CHECK:
      text_printf(out, "%s%s[1 - %s] = 0", before, in_range, s->text);
      before = ", ";
      break;
    case DO_ASSERT: /* the comment of the step still has it */
      break;
    }
  }
  if (*before == ',')
    text_add_char(out, ';');
}

static void write_transition(writer *w, const flat_step *s,
                             const char *in_range, const char *last, text *out)
{
  write_step(w, s);
  text_add(out, "    // ");
  write_comment(w, s, out);
  text_add(out, "\n    s -> s {");
  if (w->guard.len)
    text_printf(out, " guard %s;", text_string(&w->guard));
  if (flat_is_buffered(&w->f, s))
    write_sync(w, &w->f.parts.data[s->first], out);
  write_effects(w, in_range, out);
  text_printf(out, " }%s\n", last);
}

static void write_process(writer *w, const char *in_range, text *out)
{
  text_printf(out, "process %s {\n  state s;\n  init s;\n",
              writer_word(w, "system_steps"));
  size_t count = w->f.steps.len;
  if (count)
    text_add(out, "  trans\n");
  for (size_t i = 0; i < count && !w->f.why->len; i++)
    write_transition(w, &w->f.steps.data[i], in_range,
                     i + 1 == count ? ";" : ",", out);
  /* What must hold in every state is asserted of the only state there is. */
  const model *m = w->f.m;
  for (size_t i = 0; i < m->properties.len; i++) {
    const property *p = &m->properties.data[i];
    if (p->kind == PROPERTY_INVARIANT && p->expr) {
      text_add(out, "  assert s: ");
      write_expr(w, 0, p->expr, out);
      text_add(out, ";\n");
    } else if (p->kind == PROPERTY_NEVER || p->kind == PROPERTY_LTL ||
               p->kind == PROPERTY_CTL) {
      text_add(out, "  // A property of the model is not carried over.\n");
    }
  }
  text_add(out, "}\nsystem async;\n");
}

bool convert_to_dve(model *m, text *out, text *why)
{
  static const abilities able = {true, false};
  writer w;
  text body = {0};
  simplify(m, &able);
  if (writer_create(&w, m, &dve, why)) {
    const char *in_range = writer_word(&w, "in_range");
    write_process(&w, in_range, &body);
    text_printf(out,
                "// Made from a model in another language (%s): one "
                "process makes all steps.\n",
                m->language->name);
    text_printf(out, "byte %s[1];\n", in_range);
    write_variables(&w, out);
    text_add(out, text_string(&body));
  }
  text_free(&body);
  writer_free(&w);
  return !why->len;
}
