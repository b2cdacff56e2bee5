/* Reads elements, attributes and statements; modules are made once for each
** instance. */

#include "lang/lpn/platu.h"

#include <string.h>

enum { ELEMENTS_MAX = 1000, INSTANCES_MAX = 255 };

bool platu_is(const char *content, size_t length)
{
  size_t at = 0;
  while (at < length && strchr(" \t\r\n\f\v", content[at]) && content[at])
    at++;
  return at < length && content[at] == '<';
}

/* ---- tags -------------------------------------------------------------- */

static bool is_word(const token *t, const char *word)
{
  return t->kind == SCAN_NAME && !strcmp(t->name, word);
}

/* "<word" */
static bool at_element(const platu *x, const char *word)
{
  return scan_at(x->p.s, T_LT) && is_word(scan_peek(x->p.s, 1), word);
}

/* "<word>" */
static bool open_element(platu *x, const char *word)
{
  if (!at_element(x, word))
    return false;
  scan_next(x->p.s);
  scan_next(x->p.s);
  return true;
}

static bool at_close(const platu *x)
{
  return scan_at(x->p.s, P_TAG) || scan_at(x->p.s, SCAN_END);
}

/* "</word>" */
static bool close_element(platu *x, const char *word, span opened)
{
  scanner *s = x->p.s;
  if (!scan_close(s, P_TAG, opened))
    return false;
  if (!is_word(scan_token(s), word)) {
    scan_wanted(s, arena_printf(x->p.arena, "</%s>", word));
    return false;
  }
  scan_next(s);
  return scan_expect(s, T_GT);
}

/* name '="', with the cursor behind the quote; the caller reads the rest. */
static bool open_attribute(platu *x, const char *name)
{
  scanner *s = x->p.s;
  if (!is_word(scan_token(s), name)) {
    scan_wanted(s, name);
    return false;
  }
  scan_next(s);
  return scan_expect(s, T_BECOMES) && scan_expect(s, T_QUOTE);
}

static const char *parse_named(platu *x, const char *attribute, span *where)
{
  if (!open_attribute(x, attribute))
    return NULL;
  const char *name = scan_name(x->p.s, "a name", where);
  return name && scan_expect(x->p.s, T_QUOTE) ? name : NULL;
}

/* ---- constants and variables ------------------------------------------- */

static bool parse_constants(platu *x, span opened)
{
  scanner *s = x->p.s;
  while (!at_close(x)) {
    int32_t value;
    const char *name = scan_name(s, "a name", NULL);
    if (!name || !scan_expect(s, T_BECOMES) ||
        !platu_parse_constant(x, &value) || !scan_expect(s, T_SEMICOLON))
      return false;
    net_enter(&x->constants, x->p.arena, name, (uint32_t)x->values.len);
    arena_push(x->p.arena, &x->values, value);
  }
  return close_element(x, "const", opened);
}

static bool declare(platu *x, const char *name, int32_t value, span where)
{
  net_module *m = x->p.module;
  if (net_find(&m->variable_of, name) != NET_NONE) {
    diag_error(x->p.s->diags, where, "'%s' is declared twice", name);
    return false;
  }
  net_variable v = {.name = name,
                    .role = NET_OUTPUT,
                    .integer = true,
                    .given = true,
                    .first = value,
                    .where = where};
  net_enter(&m->variable_of, x->p.arena, name, (uint32_t)m->variables.len);
  arena_push(x->p.arena, &m->variables, v);
  return true;
}

static const char *own_name(const platu *x, const char *name)
{
  return x->prefix ? name_of(x->p.s->names,
                             arena_printf(x->p.arena, "%s.%s", x->prefix, name))
                   : name;
}

/* "[4] = (0, 0, 0, 0)" or "[4] = 0": the elements are variables. */
static bool parse_array(platu *x, const char *name, span where)
{
  scanner *s = x->p.s;
  int32_t count, value = 0;
  if (!platu_parse_constant(x, &count) || !scan_expect(s, T_RBRACKET) ||
      !scan_expect(s, T_BECOMES))
    return false;
  if (count < 1 || count > ELEMENTS_MAX) {
    diag_error(s->diags, where, "an array has 1 to %d elements", ELEMENTS_MAX);
    return false;
  }
  bool list = scan_accept(s, T_LPAR);
  for (int32_t i = 0; i < count; i++) {
    if ((list && i && !scan_expect(s, T_COMMA)) ||
        ((list || !i) && !platu_parse_constant(x, &value)))
      return false;
    const char *element =
        name_of(s->names, arena_printf(x->p.arena, "%s.%d", name, i));
    if (!declare(x, element, value, where))
      return false;
  }
  return !list || scan_expect(s, T_RPAR);
}

static bool parse_variables(platu *x, span opened)
{
  scanner *s = x->p.s;
  while (!at_close(x)) {
    span where;
    int32_t value;
    const char *name = scan_name(s, "a name", &where);
    if (!name)
      return false;
    name = own_name(x, name);
    bool good = scan_accept(s, T_LBRACKET)
                    ? parse_array(x, name, where)
                    : scan_expect(s, T_BECOMES) &&
                          platu_parse_constant(x, &value) &&
                          declare(x, name, value, where);
    if (!good || !scan_expect(s, T_SEMICOLON))
      return false;
  }
  return close_element(x, "var", opened);
}

/* ---- places and transitions -------------------------------------------- */

/* Place 3 is called "p3", so that conditions can name it. */
static bool parse_place(platu *x, uint32_t *place)
{
  scanner *s = x->p.s;
  int32_t number;
  size_t first = s->at;
  if (!platu_parse_constant(x, &number))
    return false;
  net_node node = {.where = scan_span(s, first)};
  node.name = name_of(s->names, arena_printf(x->p.arena, "p%d", number));
  *place = net_place_of(&x->p, &node);
  return true;
}

static bool parse_marking(platu *x, span opened)
{
  uint32_t place;
  if (!at_close(x))
    do {
      if (!parse_place(x, &place))
        return false;
      x->p.module->places.data[place].tokens = 1;
    } while (scan_accept(x->p.s, T_COMMA));
  return close_element(x, "marking", opened);
}

static bool parse_places(platu *x, uint32_t t, bool before)
{
  scanner *s = x->p.s;
  uint32_t place;
  if (!open_attribute(x, before ? "preset" : "postset"))
    return false;
  while (!scan_at(s, T_QUOTE)) {
    if (!parse_place(x, &place))
      return false;
    net_transition *made = &x->p.module->transitions.data[t];
    if (before)
      arena_push(x->p.arena, &made->pre, place);
    else
      arena_push(x->p.arena, &made->post, place);
    if (!scan_at(s, T_QUOTE) && !scan_expect(s, T_COMMA))
      return false;
  }
  return scan_expect(s, T_QUOTE);
}

/* Bounds of a delay: nothing for an untimed checker. */
static bool skip_delay(platu *x)
{
  scanner *s = x->p.s;
  if (!scan_expect(s, T_LPAR))
    return false;
  while (!scan_at(s, T_RPAR) && !scan_at(s, T_SEMICOLON) && !at_close(x))
    scan_next(s);
  return scan_expect(s, T_RPAR);
}

/* "(0, inf)": no expression has a comma. */
static bool at_delay(const platu *x)
{
  return scan_at(x->p.s, T_LPAR) && scan_peek(x->p.s, 2)->kind == T_COMMA;
}

static bool at_assignment(const platu *x)
{
  size_t i = 1;
  if (!scan_at(x->p.s, SCAN_NAME))
    return false;
  if (scan_peek(x->p.s, i)->kind == T_LBRACKET)
    while (scan_peek(x->p.s, i)->kind != T_RBRACKET &&
           scan_peek(x->p.s, i)->kind != SCAN_END &&
           scan_peek(x->p.s, i)->kind != T_SEMICOLON)
      i++;
  i += scan_peek(x->p.s, i)->kind == T_RBRACKET;
  return scan_peek(x->p.s, i)->kind == T_BECOMES;
}

static bool parse_assignment(platu *x, net_transition *t)
{
  net_assignment a = {0};
  a.name = platu_parse_name(x, &a.where);
  if (!a.name || !scan_expect(x->p.s, T_BECOMES))
    return false;
  a.value = platu_parse_expr(x);
  if (a.value)
    arena_push(x->p.arena, &t->assignments, a);
  return a.value;
}

static bool parse_condition(platu *x, net_transition *t)
{
  net_expr *e = platu_parse_expr(x);
  if (!e)
    return false;
  t->guard =
      t->guard ? net_make(&x->p, OP_AND, t->guard, e, NULL, e->where) : e;
  return t->guard;
}

static bool parse_statement(platu *x, net_transition *t)
{
  scanner *s = x->p.s;
  bool call = scan_peek(s, 1)->kind == T_LPAR;
  if (at_delay(x))
    return skip_delay(x);
  if (call && is_word(scan_token(s), "delay"))
    return scan_next(s), skip_delay(x);
  if (call && is_word(scan_token(s), "condition"))
    return scan_next(s), parse_condition(x, t);
  if (call && is_word(scan_token(s), "assert")) {
    scan_next(s);
    net_expr *e = platu_parse_expr(x);
    if (e)
      arena_push(x->p.arena, &t->asserts, e);
    return e;
  }
  return at_assignment(x) ? parse_assignment(x, t) : parse_condition(x, t);
}

static bool parse_transition(platu *x, span opened)
{
  scanner *s = x->p.s;
  net_node node = {.is_transition = true};
  node.name = parse_named(x, "label", &node.where);
  if (!node.name)
    return false;
  if (net_find(&x->p.module->transition_of, node.name) != NET_NONE) {
    diag_error(s->diags, node.where, "there are two transitions '%s'",
               node.name);
    return false;
  }
  uint32_t t = net_transition_of(&x->p, &node);
  if (!parse_places(x, t, true) || !parse_places(x, t, false) ||
      !scan_expect(s, T_GT))
    return false;
  while (!at_close(x))
    if (!parse_statement(x, &x->p.module->transitions.data[t]) ||
        !scan_expect(s, T_SEMICOLON))
      return false;
  return close_element(x, "transition", opened);
}

/* ---- modules, classes and instances ------------------------------------ */

static void begin_module(platu *x, const char *name, span where)
{
  net_module *m = ARENA_NEW(x->p.arena, net_module);
  m->name = name;
  m->where = where;
  x->p.module = m;
  x->constants = (net_table){0};
}

static bool parse_instances(platu *x, span opened);

static bool parse_element(platu *x)
{
  static const struct {
    const char *word;
    bool (*parse)(platu *, span opened);
  } elements[] = {{"const", parse_constants},
                  {"var", parse_variables},
                  {"marking", parse_marking},
                  {"inst", parse_instances}};
  span opened = scan_token(x->p.s)->where;
  if (open_element(x, "transition"))
    return parse_transition(x, opened);
  for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
    if (open_element(x, elements[i].word))
      return scan_expect(x->p.s, T_GT) && elements[i].parse(x, opened);
  scan_wanted(x->p.s, "<const>, <var>, <marking>, <transition> or <inst>");
  return false;
}

/* What stands between "<mod ...>" and "</mod>". */
static bool parse_body(platu *x)
{
  while (!at_close(x))
    if (!parse_element(x))
      return false;
  return true;
}

static const platu_class *find_class(const platu *x, const char *name)
{
  for (uint32_t i = 0; i < x->classes.len; i++)
    if (x->classes.data[i].name == name)
      return &x->classes.data[i];
  return NULL;
}

/* "(other.x, y)": what the arguments of the class stand for. */
static bool parse_actuals(platu *x, const platu_class *c, platu *made)
{
  scanner *s = x->p.s;
  size_t first = s->at;
  if (!scan_expect(s, T_LPAR))
    return false;
  if (!scan_at(s, T_RPAR))
    do {
      span where;
      const char *actual = platu_parse_name(x, &where);
      if (!actual)
        return false;
      platu_binding b = {NULL, actual};
      if (made->bindings.len < c->formals.len)
        b.formal = c->formals.data[made->bindings.len];
      arena_push(x->p.arena, &made->bindings, b);
    } while (scan_accept(s, T_COMMA));
  if (!scan_expect(s, T_RPAR))
    return false;
  if (made->bindings.len == c->formals.len)
    return true;
  scan_error(s, first, "class '%s' has %zu arguments, not %zu", c->name,
             c->formals.len, made->bindings.len);
  return false;
}

/* Reads the body of the class once more, for this instance. */
static bool parse_instance(platu *x)
{
  scanner *s = x->p.s;
  span where;
  const char *word = scan_name(s, "a class", &where);
  const platu_class *c = word ? find_class(x, word) : NULL;
  if (word && !c)
    diag_error(s->diags, where, "there is no class '%s' before here", word);
  const char *name =
      c ? scan_name(s, "the name of the instance", &where) : NULL;
  if (!name)
    return false;
  platu made = *x;
  made.prefix = name;
  memset(&made.bindings, 0, sizeof made.bindings);
  if (!parse_actuals(x, c, &made))
    return false;
  if (x->net->modules.len >= INSTANCES_MAX) {
    diag_error(s->diags, where, "more than %d modules", INSTANCES_MAX);
    return false;
  }
  size_t back = s->at;
  s->at = c->body;
  begin_module(&made, name, where);
  bool good = parse_body(&made);
  s->at = back;
  arena_push(x->p.arena, &x->net->modules, made.p.module);
  return good && scan_expect(s, T_SEMICOLON);
}

static bool parse_instances(platu *x, span opened)
{
  if (x->prefix) {
    diag_error(x->p.s->diags, opened, "a class has no instances inside");
    return false;
  }
  while (!at_close(x))
    if (!parse_instance(x))
      return false;
  return close_element(x, "inst", opened);
}

static bool parse_module(platu *x, span opened)
{
  span where;
  const char *name = parse_named(x, "name", &where);
  if (!name || !scan_expect(x->p.s, T_GT))
    return false;
  begin_module(x, name, where);
  net_module *m = x->p.module;
  if (!parse_body(x))
    return false;
  /* A module that only makes instances does nothing itself. */
  if (m->transitions.len || m->variables.len || !x->net->modules.len)
    arena_push(x->p.arena, &x->net->modules, m);
  return close_element(x, "mod", opened);
}

/* arg="x, y[2]" */
static bool parse_formals(platu *x, platu_class *c)
{
  scanner *s = x->p.s;
  int32_t count;
  if (!open_attribute(x, "arg"))
    return false;
  while (!scan_at(s, T_QUOTE)) {
    const char *name = scan_name(s, "an argument", NULL);
    if (!name)
      return false;
    arena_push(x->p.arena, &c->formals, name);
    if (scan_accept(s, T_LBRACKET) &&
        (!platu_parse_constant(x, &count) || !scan_expect(s, T_RBRACKET)))
      return false;
    if (!scan_at(s, T_QUOTE) && !scan_expect(s, T_COMMA))
      return false;
  }
  return scan_expect(s, T_QUOTE);
}

/* The body is passed over here, and read for each instance. */
static bool parse_class(platu *x, span opened)
{
  scanner *s = x->p.s;
  platu_class c = {.where = opened};
  c.name = parse_named(x, "name", &c.where);
  if (!c.name || (!scan_at(s, T_GT) && !parse_formals(x, &c)) ||
      !scan_expect(s, T_GT))
    return false;
  c.body = s->at;
  while (!scan_at(s, SCAN_END) &&
         !(scan_at(s, P_TAG) && is_word(scan_peek(s, 1), "class")))
    scan_next(s);
  arena_push(x->p.arena, &x->classes, c);
  return close_element(x, "class", opened);
}

static bool parse_outer(platu *x)
{
  scanner *s = x->p.s;
  span opened = scan_token(s)->where;
  if (open_element(x, "mod"))
    return parse_module(x, opened);
  if (open_element(x, "class"))
    return parse_class(x, opened);
  if (at_element(x, "include"))
    diag_error(s->diags, opened,
               "<include> is not supported: name all files when you start");
  else
    scan_wanted(s, "<mod> or <class>");
  return false;
}

void platu_parse(platu *x)
{
  while (!scan_at(x->p.s, SCAN_END))
    if (!parse_outer(x))
      return;
}
