/* Commands: steps, choices and loops.
**
** After an error the parser skips to the end of the step and goes on, so that
** one run shows several errors. */

#include "lang/gaston/ast.h"

#include <string.h>

/* ---- communication ----------------------------------------------------- */

/* argument = expression | "=" expression | "_"     the last two: of a receive
 */
static gst_arg *parse_arg(gst_parser *p, bool sends)
{
  scanner *s = p->s;
  size_t first = s->at;
  gst_arg *a = ARENA_NEW(p->arena, gst_arg);
  if (!sends && scan_at(s, SCAN_NAME) && !strcmp(scan_token(s)->name, "_")) {
    scan_next(s);
    a->kind = GST_ANY;
  } else {
    a->kind = !sends && scan_accept(s, T_EQ) ? GST_EQUAL : GST_GIVE;
    a->value = gst_parse_expr(p);
    if (!a->value)
      return NULL;
  }
  a->where = scan_span(s, first);
  return a;
}

static bool begins_arg(const scanner *s)
{
  switch (scan_token(s)->kind) {
  case SCAN_NAME:
  case SCAN_NUMBER:
  case T_TRUE:
  case T_FALSE:
  case T_MINUS:
  case T_NOT:
  case T_EQ:
    return true;
  default:
    return false;
  }
}

/* communication = NAME ( "!" | "?" )
**                 [ argument | "(" argument { "," argument } ")" ] */
static gst_comm *parse_comm(gst_parser *p)
{
  scanner *s = p->s;
  size_t first = s->at;
  gst_comm *c = ARENA_NEW(p->arena, gst_comm);
  gst_arg **tail = &c->args;
  c->port.name = scan_name(s, "the name of a port", &c->port.where);
  c->sends = scan_next(s)->kind == T_SEND;
  span opened = scan_token(s)->where;
  bool list = scan_accept(s, T_LPAR);
  while (list || begins_arg(s)) {
    gst_arg *a = parse_arg(p, c->sends);
    if (!a)
      return NULL;
    GST_APPEND(tail, a);
    if (!list || !scan_accept(s, T_COMMA))
      break;
  }
  if (list && !scan_close(s, T_RPAR, opened))
    return NULL;
  c->where = scan_span(s, first);
  return c;
}

/* ---- steps ------------------------------------------------------------- */

static gst_effect *parse_effect(gst_parser *p);

/* "for" NAME "in" type ":" */
static bool parse_for(gst_parser *p, gst_name *name, gst_type_tree **over)
{
  scanner *s = p->s;
  scan_next(s);
  name->name = scan_name(s, "a name", &name->where);
  return name->name && scan_expect(s, T_IN) && (*over = gst_parse_type(p)) &&
         scan_expect(s, T_COLON);
}

static bool parse_repeated(gst_parser *p, gst_effect *e)
{
  e->kind = GST_FOR;
  if (!parse_for(p, &e->name, &e->over) || !scan_enter(p->s))
    return false;
  e->body = parse_effect(p);
  scan_leave(p->s);
  return e->body;
}

/* effect = path ":=" expression | "assert" expression
**        | "for" NAME "in" type ":" effect */
static gst_effect *parse_effect(gst_parser *p)
{
  scanner *s = p->s;
  size_t first = s->at;
  gst_effect *e = ARENA_NEW(p->arena, gst_effect);
  if (scan_at(s, T_FOR)) {
    if (!parse_repeated(p, e))
      return NULL;
  } else if (scan_accept(s, T_ASSERT)) {
    e->kind = GST_ASSERT;
    e->value = gst_parse_expr(p);
  } else {
    e->kind = GST_ASSIGN;
    e->target = gst_parse_expr(p);
    if (!e->target)
      return NULL;
    if (!scan_accept(s, T_BECOMES)) {
      scan_wanted(s, "':=' (a condition needs 'await')");
      return NULL;
    }
    e->value = gst_parse_expr(p);
  }
  if (!e->value && !e->body)
    return NULL;
  e->where = scan_span(s, first);
  return e;
}

static bool at_comm(const scanner *s)
{
  uint8_t next = scan_peek(s, 1)->kind;
  return scan_at(s, SCAN_NAME) && (next == T_SEND || next == T_ASK);
}

/* Whether the item here is a condition: an expression without ':='. */
static bool at_condition(gst_parser *p)
{
  const scanner *s = p->s;
  if (scan_at(s, T_ASSERT) || scan_at(s, T_FOR) || at_comm(s))
    return false;
  size_t depth = 0;
  for (size_t i = 0;; i++) {
    uint8_t kind = scan_peek(s, i)->kind;
    depth += kind == T_LPAR || kind == T_LBRACKET;
    if (kind == T_BECOMES)
      return false;
    if (kind == SCAN_END || kind == T_SEMI || kind == T_ARROW ||
        kind == T_BOX || (kind == T_COMMA && !depth))
      return true;
    if ((kind == T_RPAR || kind == T_RBRACKET) && depth)
      depth--;
  }
}

/* step = [ condition "," ] [ communication "," ] effect { "," effect }
** of which each part may be missing, but not all. */
static bool parse_items(gst_parser *p, gst_step *t, bool condition)
{
  scanner *s = p->s;
  gst_effect **tail = &t->effects;
  if (condition) {
    t->condition = gst_parse_expr(p);
    if (!t->condition)
      return false;
    if (!scan_accept(s, T_COMMA))
      return true;
  }
  if (at_comm(s)) {
    t->comm = parse_comm(p);
    if (!t->comm)
      return false;
    if (!scan_accept(s, T_COMMA))
      return true;
  }
  do {
    if (at_comm(s)) {
      scan_wanted(s, "an assignment (a step communicates once, before it "
                     "assigns)");
      return false;
    }
    gst_effect *e = parse_effect(p);
    if (!e)
      return false;
    GST_APPEND(tail, e);
  } while (scan_accept(s, T_COMMA));
  return true;
}

/* In a guard a condition stands by itself, elsewhere behind 'await'. */
static gst_step *parse_step(gst_parser *p, bool guard)
{
  scanner *s = p->s;
  size_t first = s->at;
  gst_step *t = ARENA_NEW(p->arena, gst_step);
  bool done = true;
  if (guard && scan_accept(s, T_ELSE)) {
    t->is_else = true;
    done = !scan_accept(s, T_COMMA) || parse_items(p, t, false);
  } else if (!guard && scan_accept(s, T_SKIP)) {
    done = !scan_accept(s, T_COMMA) || parse_items(p, t, false);
  } else if (!guard && scan_accept(s, T_AWAIT)) {
    done = parse_items(p, t, !at_comm(s));
  } else {
    done = parse_items(p, t, guard && at_condition(p));
  }
  if (!done)
    return NULL;
  t->where = scan_span(s, first);
  t->text = gst_excerpt(p, first);
  return t;
}

/* ---- choices and loops ------------------------------------------------- */

static void skip_step(gst_parser *p)
{
  scan_skip(p->s,
            GST_STOPS(T_SEMI, T_BOX, T_ARROW, T_FI, T_OD, T_END, T_PROCESS,
                      T_INVARIANT),
            T_LPAR, T_RPAR);
  if (scan_at(p->s, T_RPAR))
    scan_next(p->s);
}

/* alternative = [ "for" NAME "in" type ":" ] guard [ "->" commands ] */
static void parse_alternative(gst_parser *p, gst_alternative ***tail)
{
  scanner *s = p->s;
  gst_alternative *a = ARENA_NEW(p->arena, gst_alternative);
  bool fine = !scan_at(s, T_FOR) || parse_for(p, &a->name, &a->over);
  a->step = fine ? parse_step(p, true) : NULL;
  if (!a->step) {
    size_t before = s->at;
    skip_step(p);
    if (s->at == before && scan_at(s, T_SEMI))
      scan_next(s);
  }
  if (scan_accept(s, T_ARROW))
    a->body = gst_parse_commands(p);
  if (a->step)
    GST_APPEND(*tail, a);
}

/* choice = "if" [ "[]" ] alternative { "[]" alternative } "fi"
** loop   = "do" [ "forever" ] [ "[]" ] alternative { "[]" alternative } "od" */
static bool parse_choices(gst_parser *p, gst_command *c)
{
  scanner *s = p->s;
  gst_alternative **tail = &c->choices;
  span opened = scan_token(s)->where;
  uint8_t close = scan_next(s)->kind == T_IF ? T_FI : T_OD;
  if (!scan_enter(s))
    return false;
  c->forever = c->kind == GST_DO && scan_accept(s, T_FOREVER);
  scan_accept(s, T_BOX);
  do {
    parse_alternative(p, &tail);
  } while (scan_accept(s, T_BOX));
  scan_leave(s);
  return scan_close(s, close, opened);
}

/* ---- commands ---------------------------------------------------------- */

static void parse_labels(gst_parser *p, gst_command *c)
{
  gst_name **tail = &c->labels;
  while (scan_at(p->s, SCAN_NAME) && scan_peek(p->s, 1)->kind == T_COLON) {
    gst_name *n = ARENA_NEW(p->arena, gst_name);
    n->name = scan_name(p->s, "a label", &n->where);
    scan_next(p->s);
    GST_APPEND(tail, n);
  }
}

/* command = { NAME ":" } ( step | choice | loop | "exit" ) */
static gst_command *parse_command(gst_parser *p)
{
  scanner *s = p->s;
  gst_command *c = ARENA_NEW(p->arena, gst_command);
  parse_labels(p, c);
  size_t first = s->at;
  bool fine = true;
  c->where = scan_token(s)->where;
  if (scan_at(s, T_IF) || scan_at(s, T_DO)) {
    c->kind = scan_at(s, T_IF) ? GST_IF : GST_DO;
    fine = parse_choices(p, c);
  } else if (scan_accept(s, T_EXIT)) {
    c->kind = GST_EXIT;
    if (c->labels)
      scan_error(s, first, "'exit' is no step and cannot have a label");
  } else {
    c->kind = GST_STEP;
    c->step = parse_step(p, false);
    fine = c->step;
    if (fine)
      c->where = scan_span(s, first);
  }
  return fine ? c : NULL;
}

static bool ends_commands(const scanner *s)
{
  return scan_stuck(s) || scan_at(s, T_FI) || scan_at(s, T_OD) ||
         scan_at(s, T_END) || scan_at(s, T_BOX) || scan_at(s, T_PROCESS) ||
         scan_at(s, T_INVARIANT);
}

/* commands = command { ";" command } [ ";" ] */
gst_command *gst_parse_commands(gst_parser *p)
{
  scanner *s = p->s;
  gst_command *list = NULL, **tail = &list;
  while (!ends_commands(s)) {
    gst_command *c = parse_command(p);
    if (c)
      GST_APPEND(tail, c);
    else
      skip_step(p);
    if (scan_accept(s, T_SEMI) || ends_commands(s))
      continue;
    scan_wanted(s, "';'");
    scan_next(s);
    skip_step(p);
    scan_accept(s, T_SEMI);
  }
  return list;
}
