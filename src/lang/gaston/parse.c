/* Declarations: constants, types, variables, ports, processes, invariants. */

#include "lang/gaston/ast.h"

#include "base/text/text.h"

static const scan_word operators[] = {
#define X(kind, text) {text, kind},
    GST_OPERATORS(X)
#undef X
        {NULL, 0}};

static const scan_word keywords[] = {
#define X(kind, text) {text, kind},
    GST_KEYWORDS(X)
#undef X
        {NULL, 0}};

static const scan_comment comments[] = {{"--", NULL, false},
                                        {NULL, NULL, false}};

const scan_language gst_language = {
    .operators = operators, .keywords = keywords, .comments = comments};

const char *gst_excerpt(gst_parser *p, size_t first)
{
  text_clear(p->scratch);
  scan_excerpt(p->s, first, p->s->at, p->scratch);
  return arena_copy(p->arena, text_string(p->scratch), p->scratch->len);
}

static bool begins_declaration(const scanner *s)
{
  switch (scan_token(s)->kind) {
  case T_CONST:
  case T_TYPE:
  case T_VAR:
  case T_PORT:
  case T_PROCESS:
  case T_INVARIANT:
    return true;
  default:
    return false;
  }
}

/* To behind the ';' that ends what was wrong, or to the next declaration. */
static void skip_declaration(gst_parser *p)
{
  scan_skip(p->s,
            GST_STOPS(T_SEMI, T_CONST, T_TYPE, T_VAR, T_PORT, T_PROCESS,
                      T_INVARIANT, T_BEGIN),
            T_RECORD, T_END);
  scan_accept(p->s, T_END);
  scan_accept(p->s, T_SEMI);
}

/* names = NAME { "," NAME } */
static gst_name *parse_names(gst_parser *p, const char *what)
{
  gst_name *list = NULL, **tail = &list;
  do {
    gst_name *n = ARENA_NEW(p->arena, gst_name);
    n->name = scan_name(p->s, what, &n->where);
    if (!n->name)
      return NULL;
    GST_APPEND(tail, n);
  } while (scan_accept(p->s, T_COMMA));
  return list;
}

/* ---- types ------------------------------------------------------------- */

/* record = "record" names ":" type { ";" names ":" type } [ ";" ] "end" */
static bool parse_record(gst_parser *p, gst_type_tree *t)
{
  scanner *s = p->s;
  gst_field **tail = &t->fields;
  span opened = scan_next(s)->where;
  t->kind = GST_TYPE_RECORD;
  do {
    gst_field *f = ARENA_NEW(p->arena, gst_field);
    f->names = parse_names(p, "the name of a field");
    if (!f->names || !scan_expect(s, T_COLON) || !(f->type = gst_parse_type(p)))
      return false;
    GST_APPEND(tail, f);
  } while (scan_accept(s, T_SEMI) && !scan_at(s, T_END));
  return scan_close(s, T_END, opened);
}

/* array = "array" "[" type "]" "of" type */
static bool parse_array(gst_parser *p, gst_type_tree *t)
{
  scanner *s = p->s;
  scan_next(s);
  t->kind = GST_TYPE_ARRAY;
  span opened = scan_token(s)->where;
  return scan_expect(s, T_LBRACKET) && (t->index = gst_parse_type(p)) &&
         scan_close(s, T_RBRACKET, opened) && scan_expect(s, T_OF) &&
         (t->element = gst_parse_type(p));
}

/* range = expression ".." expression */
static bool parse_range(gst_parser *p, gst_type_tree *t)
{
  scanner *s = p->s;
  if (scan_at(s, SCAN_NAME) && scan_peek(s, 1)->kind != T_RANGE &&
      scan_peek(s, 1)->kind != T_PLUS && scan_peek(s, 1)->kind != T_MINUS &&
      scan_peek(s, 1)->kind != T_STAR && scan_peek(s, 1)->kind != T_SLASH &&
      scan_peek(s, 1)->kind != T_MOD) {
    t->kind = GST_TYPE_NAMED;
    t->name.name = scan_name(s, "a type", &t->name.where);
    return true;
  }
  t->kind = GST_TYPE_RANGE;
  if (!scan_at(s, SCAN_NAME) && !scan_at(s, SCAN_NUMBER) &&
      !scan_at(s, T_MINUS)) {
    scan_wanted(s, "a type");
    return false;
  }
  return (t->lo = gst_parse_expr(p)) && scan_expect(s, T_RANGE) &&
         (t->hi = gst_parse_expr(p));
}

/* type = NAME | range | "(" names ")" | record | array */
gst_type_tree *gst_parse_type(gst_parser *p)
{
  scanner *s = p->s;
  size_t first = s->at;
  gst_type_tree *t = ARENA_NEW(p->arena, gst_type_tree);
  bool fine;
  if (!scan_enter(s))
    return NULL;
  span opened = scan_token(s)->where;
  if (scan_accept(s, T_LPAR)) {
    t->kind = GST_TYPE_ENUM;
    fine = (t->values = parse_names(p, "the name of a value")) &&
           scan_close(s, T_RPAR, opened);
  } else if (scan_at(s, T_RECORD)) {
    fine = parse_record(p, t);
  } else if (scan_at(s, T_ARRAY)) {
    fine = parse_array(p, t);
  } else {
    fine = parse_range(p, t);
  }
  scan_leave(s);
  t->where = scan_span(s, first);
  return fine ? t : NULL;
}

/* ---- declarations ------------------------------------------------------ */

static gst_declaration *new_declaration(gst_parser *p,
                                        gst_declaration_kind kind)
{
  gst_declaration *d = ARENA_NEW(p->arena, gst_declaration);
  d->kind = kind;
  d->where = scan_next(p->s)->where;
  return d;
}

static bool parse_one_name(gst_parser *p, gst_declaration *d, const char *what)
{
  d->names = ARENA_NEW(p->arena, gst_name);
  d->names->name = scan_name(p->s, what, &d->names->where);
  return d->names->name;
}

/* constant = "const" NAME "=" expression ";" */
static bool parse_constant(gst_parser *p, gst_declaration *d)
{
  return parse_one_name(p, d, "the name of a constant") &&
         scan_expect(p->s, T_EQ) && (d->value = gst_parse_expr(p)) &&
         scan_expect(p->s, T_SEMI);
}

/* type = "type" NAME "=" type ";" */
static bool parse_type(gst_parser *p, gst_declaration *d)
{
  return parse_one_name(p, d, "the name of a type") &&
         scan_expect(p->s, T_EQ) && (d->type = gst_parse_type(p)) &&
         scan_expect(p->s, T_SEMI);
}

/* variables = "var" names ":" type
**             [ ":=" ( expression | "[" expression { "," expression } "]" ) ]
**             ";" */
static bool parse_variables(gst_parser *p, gst_declaration *d)
{
  scanner *s = p->s;
  d->names = parse_names(p, "the name of a variable");
  if (!d->names || !scan_expect(s, T_COLON) || !(d->type = gst_parse_type(p)))
    return false;
  if (scan_accept(s, T_BECOMES)) {
    gst_expr **tail = &d->init;
    span opened = scan_token(s)->where;
    d->is_list = scan_accept(s, T_LBRACKET);
    do {
      gst_expr *e = gst_parse_expr(p);
      if (!e)
        return false;
      GST_APPEND(tail, e);
    } while (d->is_list && scan_accept(s, T_COMMA));
    if (d->is_list && !scan_close(s, T_RBRACKET, opened))
      return false;
  }
  return scan_expect(s, T_SEMI);
}

/* port = "port" NAME [ "(" type { "," type } ")" ] ":" names ";" */
static bool parse_port(gst_parser *p, gst_declaration *d)
{
  scanner *s = p->s;
  gst_field **tail = &d->carried;
  if (!parse_one_name(p, d, "the name of a port"))
    return false;
  span opened = scan_token(s)->where;
  if (scan_accept(s, T_LPAR)) {
    do {
      gst_field *f = ARENA_NEW(p->arena, gst_field);
      f->type = gst_parse_type(p);
      if (!f->type)
        return false;
      GST_APPEND(tail, f);
    } while (scan_accept(s, T_COMMA));
    if (!scan_close(s, T_RPAR, opened))
      return false;
  }
  return scan_expect(s, T_COLON) &&
         (d->members = parse_names(p, "the name of a process")) &&
         scan_expect(s, T_SEMI);
}

/* invariant = "invariant" NAME ":" expression ";" */
static bool parse_invariant(gst_parser *p, gst_declaration *d)
{
  if (!parse_one_name(p, d, "the name of the invariant") ||
      !scan_expect(p->s, T_COLON))
    return false;
  size_t first = p->s->at;
  d->value = gst_parse_expr(p);
  if (!d->value)
    return false;
  d->text = gst_excerpt(p, first);
  return scan_expect(p->s, T_SEMI);
}

/* ---- processes --------------------------------------------------------- */

static void parse_locals(gst_parser *p, gst_declaration *d)
{
  gst_declaration **tail = &d->locals;
  while (scan_at(p->s, T_VAR)) {
    gst_declaration *v = new_declaration(p, GST_VARIABLES);
    if (parse_variables(p, v))
      GST_APPEND(tail, v);
    else
      skip_declaration(p);
  }
}

/* "(" NAME ":" type ")" */
static bool parse_parameter(gst_parser *p, gst_declaration *d)
{
  span opened = scan_next(p->s)->where;
  d->parameter.name =
      scan_name(p->s, "the name of a parameter", &d->parameter.where);
  return d->parameter.name && scan_expect(p->s, T_COLON) &&
         (d->type = gst_parse_type(p)) && scan_close(p->s, T_RPAR, opened);
}

/* process = "process" NAME [ "(" NAME ":" type ")" ] { variables }
**           "begin" commands "end" ";" */
static bool parse_process(gst_parser *p, gst_declaration *d)
{
  scanner *s = p->s;
  if (!parse_one_name(p, d, "the name of a process"))
    return false;
  if (scan_at(s, T_LPAR) && !parse_parameter(p, d))
    return false;
  parse_locals(p, d);
  span opened = scan_token(s)->where;
  if (!scan_expect(s, T_BEGIN))
    return false;
  d->body = gst_parse_commands(p);
  return scan_close(s, T_END, opened) && scan_expect(s, T_SEMI);
}

/* After an error in a process whose commands may follow. */
static void skip_process(gst_parser *p)
{
  while (!scan_stuck(p->s) &&
         (!begins_declaration(p->s) || scan_at(p->s, T_VAR)))
    scan_next(p->s);
}

/* file = { constant | type | variables | port | process | invariant } */
gst_declaration *gst_parse(gst_parser *p)
{
  static bool (*const parsers[])(gst_parser *, gst_declaration *) = {
      [GST_CONST] = parse_constant,      [GST_TYPE] = parse_type,
      [GST_VARIABLES] = parse_variables, [GST_PORT] = parse_port,
      [GST_PROCESS] = parse_process,     [GST_INVARIANT] = parse_invariant};
  static const uint8_t words[] = {T_CONST, T_TYPE,    T_VAR,
                                  T_PORT,  T_PROCESS, T_INVARIANT};
  scanner *s = p->s;
  gst_declaration *list = NULL, **tail = &list;
  while (!scan_stuck(s)) {
    uint8_t kind = 0;
    while (kind < sizeof words && !scan_at(s, words[kind]))
      kind++;
    if (kind == sizeof words) {
      scan_wanted(s, "a declaration, 'process' or 'invariant'");
      scan_next(s);
      skip_process(p);
      continue;
    }
    gst_declaration *d = new_declaration(p, (gst_declaration_kind)kind);
    if (parsers[kind](p, d))
      GST_APPEND(tail, d);
    else if (kind == GST_PROCESS)
      skip_process(p);
    else
      skip_declaration(p);
  }
  return list;
}
