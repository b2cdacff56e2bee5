/* What a step needs and does.  The order is that of docs/model.md, section 4:
** all receive, then come the effects of the sender, then those of the
** receivers; the locations change last, where nobody looks at them. */

#include "convert/writer.h"

#include <string.h>

/* ---- statements -------------------------------------------------------- */

static void add_statement(writer *w, statement_kind kind, const text *t)
{
  statement s = {kind, arena_copy(w->f.arena, text_string(t), t->len)};
  vec_push(&w->statements, s);
}

static const type *type_of(const ref *r)
{
  while (r->field)
    r = r->field;
  return &r->var->type;
}

static const var *last_var(const ref *r)
{
  while (r->field)
    r = r->field;
  return r->var;
}

/* Where the word for the type holds more than the type does. */
static void write_kept(writer *w, const ref *target, const char *value,
                       text *out)
{
  const type *t = type_of(target);
  bool packed = (t->kind == TYPE_BIT || t->kind == TYPE_BOOL ||
                 t->kind == TYPE_UNSIGNED) &&
                !(last_var(target)->flags & VAR_ARRAY);
  if (packed && !w->dialect->has_records)
    text_printf(out, "(%s & %d)", value, t->hi);
  else
    text_add(out, value);
}

/* A value outside of a range is a fault, and then there is no step. */
static void check_range(writer *w, const type *t, const char *value,
                        const int32_t *known)
{
  if (t->kind != TYPE_RANGE || (known && *known >= t->lo && *known <= t->hi))
    return;
  text c = {0};
  text_printf(&c, "(%s >= ", value);
  text_printf(&c, t->lo < 0 ? "(%d)" : "%d", t->lo);
  text_printf(&c, " && %s <= ", value);
  text_printf(&c, t->hi < 0 ? "(%d))" : "%d)", t->hi);
  add_statement(w, DO_CHECK, &c);
  text_free(&c);
}

/* Places of nets have no end, but the numbers of a language may. */
static void check_tokens(writer *w, const char *value, const int32_t *known)
{
  type places = type_range(0, w->dialect->tokens_max);
  if (w->dialect->tokens_max && w->f.m->language->is_net)
    check_range(w, &places, value, known);
}

/* 'known' is the value if it is a constant, or else one that is in the range
** of the target only if all are; else NULL. */
static void assign(writer *w, uint32_t who, const ref *target,
                   const char *value, const int32_t *known)
{
  text s = {0};
  check_range(w, type_of(target), value, known);
  check_tokens(w, value, known);
  write_ref(w, who, target, &s);
  text_add(&s, " = ");
  write_kept(w, target, value, &s);
  add_statement(w, DO_ASSIGN, &s);
  text_free(&s);
}

/* ---- values on their way ----------------------------------------------- */

/* A variable for a value, of a type with this word. */
static const char *carrier(writer *w, const char *word)
{
  size_t kinds = sizeof w->carriers / sizeof w->carriers[0], k = 0;
  while (k < kinds && w->carriers[k].type &&
         strcmp(w->carriers[k].type, word) != 0)
    k++;
  if (k == kinds)
    return "";
  w->carriers[k].type = word;
  if (w->carriers[k].used == w->carriers[k].words.len)
    vec_push(&w->carriers[k].words,
             writer_word(w, arena_printf(w->f.arena, "carry_%s_%u", word,
                                         w->carriers[k].used)));
  return w->carriers[k].words.data[w->carriers[k].used++];
}

/* The carriers are 0 between steps, so that they tell no states apart. */
static void clear_carriers(writer *w)
{
  size_t kinds = sizeof w->carriers / sizeof w->carriers[0];
  for (size_t k = 0; k < kinds; k++) {
    for (uint32_t i = 0; i < w->carriers[k].used; i++) {
      text s = {0};
      text_printf(&s, "%s = 0", w->carriers[k].words.data[i]);
      add_statement(w, DO_ASSIGN, &s);
      text_free(&s);
    }
    w->carriers[k].used = 0;
  }
}

/* Puts the value of an expression into a carrier; the word for it. */
static const char *carry(writer *w, uint32_t who, const expr *e,
                         const char *word)
{
  text s = {0};
  const char *name = carrier(w, word);
  text_printf(&s, "%s = ", name);
  write_expr(w, who, e, &s);
  add_statement(w, DO_ASSIGN, &s);
  text_free(&s);
  return name;
}

static const char *plain(writer *w, uint32_t who, const expr *e)
{
  text s = {0};
  write_expr(w, who, e, &s);
  const char *copy = arena_copy(w->f.arena, text_string(&s), s.len);
  text_free(&s);
  return copy;
}

/* ---- messages ---------------------------------------------------------- */

static uint32_t count_stores(const writer *w, const flat_step *s)
{
  uint32_t n = 0;
  for (uint32_t k = 1; k < s->count; k++) {
    const comm *c = w->f.parts.data[s->first + k].edge->comm;
    for (size_t i = 0; i < c->args.len; i++)
      n += c->args.data[i].kind == ARG_STORE;
  }
  return n;
}

static bool is_stored(const writer *w, const flat_step *s, size_t field)
{
  for (uint32_t k = 1; k < s->count; k++) {
    const comm *c = w->f.parts.data[s->first + k].edge->comm;
    if (field < c->args.len && c->args.data[field].kind == ARG_STORE)
      return true;
  }
  return false;
}

/* A constant needs no carrier if it is the same when it arrives. */
static bool is_kept(const type *t, const expr *e)
{
  return e->op == OP_CONST && (!t || type_truncate(t, e->value) == e->value);
}

static const type *field_type(const writer *w, const comm *c, size_t i)
{
  if (c->kind == COMM_MULTICAST)
    return NULL;
  const channel_type *t = flat_channel(&w->f, c);
  return i < t->fields.len ? &t->fields.data[i] : NULL;
}

static void check_field(writer *w, const type *t)
{
  if (t && (t->kind == TYPE_RANGE || t->kind == TYPE_UNSIGNED))
    writer_refuse(w, "a rendezvous passes values of a range");
}

/* All receivers get the values that the sender had before the step. */
static void pass_message(writer *w, const flat_step *s)
{
  const flat_part *sender = &w->f.parts.data[s->first];
  const comm *c = sender->edge->comm;
  bool single = count_stores(w, s) == 1;
  const char **words = ARENA_ARRAY(w->f.arena, const char *, c->args.len + 1);
  for (size_t i = 0; i < c->args.len; i++) {
    const type *t = field_type(w, c, i);
    const expr *e = c->args.data[i].value;
    check_field(w, t);
    if (!is_stored(w, s, i))
      continue;
    if (is_kept(t, e) || (single && !t))
      words[i] = plain(w, sender->who, e);
    else
      words[i] =
          carry(w, sender->who, e, t ? w->dialect->type_word(&w->f, t) : "int");
  }
  for (uint32_t k = 1; k < s->count; k++) {
    const flat_part *p = &w->f.parts.data[s->first + k];
    const comm *r = p->edge->comm;
    for (size_t i = 0; i < r->args.len && i < c->args.len; i++) {
      const expr *e = c->args.data[i].value;
      if (r->args.data[i].kind == ARG_STORE)
        assign(w, p->who, r->args.data[i].target, words[i],
               e->op == OP_CONST ? &e->value : NULL);
    }
  }
}

/* ---- effects ----------------------------------------------------------- */

/* Whether an effect reads what one before it has assigned. */
static bool must_carry(const edge *e)
{
  for (size_t i = 0; (e->flags & EDGE_PARALLEL) && i < e->effects.len; i++)
    for (size_t k = 0; k < i; k++)
      if (e->effects.data[k]->kind == EFFECT_ASSIGN &&
          e->effects.data[i]->kind == EFFECT_ASSIGN &&
          expr_reads(e->effects.data[i]->value,
                     e->effects.data[k]->target->var))
        return true;
  return false;
}

/* A value that is in the range of the target for sure: the least of the range
** its own variable has stands for all.  Or NULL. */
static const int32_t *known_value(const expr *e, const ref *target)
{
  if (e->op == OP_CONST)
    return &e->value;
  const type *from = e->op == OP_VAR ? type_of(e->ref) : NULL;
  const type *to = type_of(target);
  bool inside = from && from->kind == TYPE_RANGE && from->lo >= to->lo &&
                from->hi <= to->hi;
  return inside ? &from->lo : NULL;
}

static void do_effect(writer *w, uint32_t who, const effect *f,
                      const char *carried)
{
  text t = {0};
  switch (f->kind) {
  case EFFECT_ASSIGN:
    assign(w, who, f->target, carried ? carried : plain(w, who, f->value),
           known_value(f->value, f->target));
    break;
  case EFFECT_ASSERT:
    write_expr(w, who, f->value, &t);
    add_statement(w, DO_ASSERT, &t);
    text_free(&t);
    break;
  case EFFECT_PRINT:
  case EFFECT_PRINTM:
    break;
  default:
    writer_refuse(w, "a step does more than assign to variables");
  }
}

static void do_effects(writer *w, const flat_part *p)
{
  const edge *e = p->edge;
  bool carries = must_carry(e);
  const char **words =
      ARENA_ARRAY(w->f.arena, const char *, e->effects.len + 1);
  for (size_t i = 0; carries && i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_ASSIGN)
      words[i] = carry(w, p->who, e->effects.data[i]->value, "int");
  for (size_t i = 0; i < e->effects.len; i++)
    do_effect(w, p->who, e->effects.data[i], words[i]);
}

static void move(writer *w, const flat_part *p)
{
  if (p->edge->source == p->edge->target)
    return;
  text t = {0};
  text_printf(&t, "%s = %u", w->locations[p->who], p->edge->target);
  add_statement(w, DO_ASSIGN, &t);
  text_free(&t);
}

/* ---- guards ------------------------------------------------------------ */

static void begin_condition(text *out)
{
  if (out->len && out->data[out->len - 1] != '(')
    text_add(out, " && ");
}

/* The place, the guard, and that values are those expected of 'sender'. */
static void write_ready(writer *w, const flat_part *p, const flat_part *sender,
                        text *out)
{
  if (flat_type(&w->f, p->who)->locations.len > 1) {
    begin_condition(out);
    text_printf(out, "%s == %u", w->locations[p->who], p->edge->source);
  }
  if (p->edge->guard) {
    begin_condition(out);
    write_expr(w, p->who, p->edge->guard, out);
  }
  const comm *c = p->edge->comm;
  for (size_t i = 0; sender && i < c->args.len; i++) {
    const comm_arg *a = &c->args.data[i];
    if (i >= sender->edge->comm->args.len || a->kind != ARG_VALUE)
      continue;
    const expr *sent = sender->edge->comm->args.data[i].value;
    if (a->value->op == OP_CONST && sent->op == OP_CONST)
      continue; /* they are equal, or there were no such step */
    begin_condition(out);
    write_expr(w, p->who, a->value, out);
    text_add(out, " == ");
    write_expr(w, sender->who, sent, out);
  }
}

/* A member is absent when it has no edge by which it could join. */
static void write_absent(writer *w, uint32_t who, const flat_part *sender,
                         text *out)
{
  const process_type *p = flat_type(&w->f, who);
  const char *between = "";
  begin_condition(out);
  text_add(out, "!(");
  for (size_t i = 0; i < p->edges.len; i++) {
    flat_part joins = {who, p->edges.data[i]};
    if (!flat_can_answer(sender->edge, joins.edge))
      continue;
    text_printf(out, "%s(", between);
    size_t before = out->len;
    write_ready(w, &joins, sender, out);
    if (out->len == before)
      text_add_char(out, '1');
    text_add_char(out, ')');
    between = " || ";
  }
  text_add_char(out, ')');
}

/* While a process is at a committed location, only such ones move. */
static void write_committed(writer *w, const flat_step *s, text *out)
{
  const model *m = w->f.m;
  bool all = true;
  for (uint32_t k = 0; k < s->count; k++) {
    const flat_part *p = &w->f.parts.data[s->first + k];
    const location *l =
        &flat_type(&w->f, p->who)->locations.data[p->edge->source];
    all = all && (l->flags & LOC_COMMITTED);
  }
  for (uint32_t who = 0; who < m->initial.len && !all; who++) {
    const process_type *p = flat_type(&w->f, who);
    for (uint32_t i = 0; i < p->locations.len; i++)
      if (p->locations.data[i].flags & LOC_COMMITTED) {
        begin_condition(out);
        if (p->locations.len == 1)
          text_add_char(out, '0'); /* it is always there */
        else
          text_printf(out, "%s != %u", w->locations[who], i);
      }
  }
}

/* ---- steps ------------------------------------------------------------- */

void write_step(writer *w, const flat_step *s)
{
  const flat_part *sender = &w->f.parts.data[s->first];
  bool together = s->count > 1 || s->absent_count;
  text_clear(&w->guard);
  vec_clear(&w->statements);
  for (uint32_t k = 0; k < s->count; k++)
    write_ready(w, &w->f.parts.data[s->first + k], k ? sender : NULL,
                &w->guard);
  for (uint32_t k = 0; k < s->absent_count; k++)
    write_absent(w, w->f.absent.data[s->absent + k], sender, &w->guard);
  write_committed(w, s, &w->guard);
  if (together)
    pass_message(w, s);
  for (uint32_t k = 0; k < s->count; k++)
    do_effects(w, &w->f.parts.data[s->first + k]);
  for (uint32_t k = 0; k < s->count; k++)
    move(w, &w->f.parts.data[s->first + k]);
  clear_carriers(w);
}

void write_comment(writer *w, const flat_step *s, text *out)
{
  for (uint32_t k = 0; k < s->count; k++) {
    const flat_part *p = &w->f.parts.data[s->first + k];
    text t = {0};
    if (p->edge->text)
      text_add(&t, p->edge->text);
    else
      edge_print(w->f.m, p->edge, &t);
    text_printf(out, "%s%s: ", k ? " | " : "", w->instances[p->who]);
    for (size_t i = 0; i < t.len; i++) {
      bool ends = t.data[i] == '*' && t.data[i + 1] == '/';
      bool odd = t.data[i] < ' ' || t.data[i] > '~';
      text_add_char(out, ends || odd ? ' ' : t.data[i]);
    }
    text_free(&t);
  }
}
