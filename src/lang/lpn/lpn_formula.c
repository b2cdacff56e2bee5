/* Properties of a file, as ATACS has them, from weak to strong:
**
**   formula = conjunction { ( "|" | "->" | "=>" ) conjunction }
**   conjunction = negation { "&" negation }
**   negation = { "~" } operand
**   operand = ( "AG" | "AF" | "EG" | "EF" ) "(" formula ")"
**           | "{" formula ( "AU" | "EU" ) formula "}"
**           | "(" formula ")" | relation
**
** What has no path operator is an expression as a whole.  Lines with bounds of
** time or probabilities are not understood. */

#include "lang/lpn/lpn_net.h"

#include <string.h>

static const struct {
  const char *word;
  ctl_op op;
  bool between; /* two formulas, in braces */
} paths[] = {{"AG", CTL_AG, false}, {"AF", CTL_AF, false},
             {"EG", CTL_EG, false}, {"EF", CTL_EF, false},
             {"AU", CTL_AU, true},  {"EU", CTL_EU, true}};
enum { PATHS = sizeof paths / sizeof paths[0] };

/* The path operator at token 'at'; PATHS when there is none. */
static size_t path_at(const scanner *s, size_t at)
{
  const token *t = &s->tokens.data[at];
  size_t i = 0;
  if (t->kind != SCAN_NAME)
    return PATHS;
  while (i < PATHS && strcmp(t->name, paths[i].word) != 0)
    i++;
  bool called = i < PATHS && !paths[i].between;
  return called && t[1].kind != T_LPAR ? PATHS : i;
}

static size_t line_end(const scanner *s)
{
  size_t at = s->at;
  while (s->tokens.data[at].kind != SCAN_END &&
         (at == s->at || !s->tokens.data[at].first_of_line))
    at++;
  return at;
}

static bool has_path(const scanner *s, size_t from, size_t to)
{
  for (size_t i = from; i < to; i++)
    if (path_at(s, i) < PATHS)
      return true;
  return false;
}

/* Whether all words of the line are ones we know. */
static bool is_understood(const scanner *s, size_t from, size_t to)
{
  for (size_t i = from; i < to; i++) {
    const token *t = &s->tokens.data[i];
    bool called = t->kind == SCAN_NAME && t[1].kind == T_LPAR;
    if (t->kind == T_LBRACKET ||
        (called && path_at(s, i) == PATHS && !net_is_function(t->name)) ||
        (t->kind == SCAN_NAME && !strcmp(t->name, "imp")))
      return false;
  }
  return has_path(s, from, to);
}

/* Where the formula at hand ends: at a bracket that was opened before it, at AU
** or EU, or with the line. */
static size_t formula_end(const scanner *s)
{
  size_t end = line_end(s);
  int depth = 0;
  for (size_t i = s->at; i < end; i++) {
    uint8_t kind = s->tokens.data[i].kind;
    size_t which = path_at(s, i);
    depth += (kind == T_LPAR || kind == T_LBRACE) -
             (kind == T_RPAR || kind == T_RBRACE);
    if (depth < 0 || (!depth && which < PATHS && paths[which].between))
      return i;
  }
  return end;
}

/* ---- formulas ---------------------------------------------------------- */

static net_formula *make(net_parser *p, ctl_op what, net_formula *a,
                         net_formula *b)
{
  net_formula *f = ARENA_NEW(p->arena, net_formula);
  *f = (net_formula){.op = what, .a = a, .b = b};
  return f;
}

static net_formula *make_atom(net_parser *p, net_expr *e)
{
  net_formula *f = e ? make(p, CTL_ATOM, NULL, NULL) : NULL;
  if (f)
    f->atom = e;
  return f;
}

static net_formula *parse_formula(net_parser *p);

static net_formula *parse_until(net_parser *p, span opened)
{
  net_formula *a = parse_formula(p);
  size_t which = a ? path_at(p->s, p->s->at) : PATHS;
  if (a && (which == PATHS || !paths[which].between))
    scan_wanted(p->s, "'AU' or 'EU'");
  if (which == PATHS || !paths[which].between)
    return NULL;
  scan_next(p->s);
  net_formula *b = parse_formula(p);
  return b && scan_close(p->s, T_RBRACE, opened)
             ? make(p, paths[which].op, a, b)
             : NULL;
}

static net_formula *parse_operand(net_parser *p)
{
  scanner *s = p->s;
  size_t which = path_at(s, s->at);
  bool path = which < PATHS && !paths[which].between;
  if (path)
    scan_next(s);
  span opened = scan_token(s)->where;
  if (scan_accept(s, T_LBRACE))
    return parse_until(p, opened);
  /* Brackets without a path operator belong to an expression. */
  bool bracket = path;
  if (!path && scan_at(s, T_LPAR)) {
    s->at++;
    bracket = has_path(s, s->at, formula_end(s));
    s->at--;
  }
  if (!bracket)
    return make_atom(p, net_parse_relation(p));
  scan_next(s);
  net_formula *f = parse_formula(p);
  if (!f || !scan_close(s, T_RPAR, opened))
    return NULL;
  return path ? make(p, paths[which].op, f, NULL) : f;
}

static net_formula *parse_negation(net_parser *p)
{
  size_t count = 0;
  while (scan_accept(p->s, T_NOT))
    count++;
  net_formula *f = parse_operand(p);
  return f && count % 2 ? make(p, CTL_NOT, f, NULL) : f;
}

static net_formula *parse_conjunction(net_parser *p)
{
  net_formula *a = parse_negation(p);
  while (a && scan_accept(p->s, T_AND)) {
    net_formula *b = parse_negation(p);
    a = b ? make(p, CTL_AND, a, b) : NULL;
  }
  return a;
}

static net_formula *parse_disjunction(net_parser *p)
{
  net_formula *a = parse_conjunction(p);
  bool arrow = false;
  while (a && (scan_at(p->s, T_OR) || (arrow = net_at_arrow(p)))) {
    p->s->at += arrow ? 2 : 1;
    net_formula *b = parse_conjunction(p);
    a = b ? make(p, arrow ? CTL_IMPLIES : CTL_OR, a, b) : NULL;
    arrow = false;
  }
  return a;
}

static net_formula *parse_formula(net_parser *p)
{
  if (!has_path(p->s, p->s->at, formula_end(p->s)))
    return make_atom(p, net_parse_expr(p));
  if (!scan_enter(p->s))
    return NULL;
  net_formula *f = parse_disjunction(p);
  scan_leave(p->s);
  return f;
}

void net_parse_property(net_parser *p)
{
  size_t first = p->s->at, end = line_end(p->s);
  net_property made = {.where = scan_token(p->s)->where};
  if (is_understood(p->s, first, end)) {
    made.formula = parse_formula(p);
    bool short_of = p->s->at < end, whole = made.formula && p->s->at == end;
    if (!short_of)
      p->s->at = end; /* it must not take words of the next line */
    if (made.formula && !whole)
      scan_wanted(p->s, short_of ? "the end of the line" : "a formula");
    if (!whole)
      made.text = "";
  }
  p->s->at = end;
  if (made.text)
    return;
  text out = {0};
  scan_excerpt(p->s, first, end, &out);
  made.text = arena_copy(p->arena, text_string(&out), out.len);
  text_free(&out);
  arena_push(p->arena, &p->module->properties, made);
}

/* ---- lowering ---------------------------------------------------------- */

static const ctl *lower(net *n, const net_module *m, const net_formula *f)
{
  if (f->op == CTL_ATOM) {
    expr *e = net_lower_truth(n, m, f->atom);
    return e ? ctl_atom(n->m->arena, e) : NULL;
  }
  const ctl *a = lower(n, m, f->a);
  const ctl *b = a && f->b ? lower(n, m, f->b) : NULL;
  return a && (b || !f->b) ? ctl_new(n->m->arena, f->op, a, b) : NULL;
}

static property_kind kind_of(const net_formula *f)
{
  if (!f)
    return PROPERTY_LTL; /* without a formula: stays unknown */
  if (f->op == CTL_AG && f->a->op == CTL_ATOM)
    return PROPERTY_INVARIANT;
  if (f->op == CTL_EF && f->a->op == CTL_ATOM)
    return PROPERTY_REACH;
  return PROPERTY_CTL;
}

void net_add_property(net *n, const net_module *m, const net_property *p,
                      uint32_t number)
{
  const char *name = arena_printf(n->m->arena, "property-%u", number);
  const ctl *made = p->formula ? lower(n, m, p->formula) : NULL;
  if (p->formula && !made)
    return;
  property *new = model_add_property(n->m, kind_of(p->formula), name, p->where);
  new->formula = p->text;
  if (new->kind == PROPERTY_CTL)
    new->ctl = made;
  else if (made)
    new->expr = made->a->atom;
}
