/* The sections of a file, in any order:
**
**   file    = { section | arcs }
**   section = ".inputs" { NAME } | ".dummy" { NAME } | ...  one line each
**           | ".enablings" "{" { "<" node "=" "[" expression "]" ">" } "}"
**           | ".assignments" and ".boolean_assignments" "{" { "<" node "=" "["
**             NAME ":=" value { ";" NAME ":=" value } "]" ">" } "}"
**           | ".init_vals" "{" { "<" NAME "=" number-or-interval ">" } "}"
**           | ".marking" "{" { mark } "}"
**           | ".property" formula
**
** A line that starts with no directive holds arcs, with or without '.graph'
** before it: files without that line exist. */

#include "lang/lpn/lpn_net.h"

#include <string.h>
#include <strings.h>

static const scan_word operators[] = {
    {"+", T_PLUS},    {"-", T_MINUS},      {"*", T_STAR},      {"/", T_SLASH},
    {"%", T_PERCENT}, {"^", T_POWER},      {"&", T_AND},       {"|", T_OR},
    {"~", T_NOT},     {"<=", T_LE},        {"<", T_LT},        {">=", T_GE},
    {">", T_GT},      {"=", T_EQ},         {":=", T_BECOMES},  {"(", T_LPAR},
    {")", T_RPAR},    {"[", T_LBRACKET},   {"]", T_RBRACKET},  {"{", T_LBRACE},
    {"}", T_RBRACE},  {",", T_COMMA},      {";", T_SEMICOLON}, {"@", T_AT},
    {"#@", T_NOTE},   {"\\", T_BACKSLASH}, {":", T_COLON},     {"\"", T_QUOTE},
    {NULL, 0},
};

static const scan_word keywords[] = {{NULL, 0}};

const scan_language net_language = {
    .operators = operators,
    .keywords = keywords,
    .first_of_name = ".!?$",
    .rest_of_name = ".!?$",
};

bool net_at_line_end(const net_parser *p)
{
  return scan_at(p->s, SCAN_END) || scan_token(p->s)->first_of_line;
}

void net_skip_line(net_parser *p)
{
  while (!net_at_line_end(p))
    scan_next(p->s);
}

/* ---- lists of names ---------------------------------------------------- */

static net_variable *declare(net_parser *p, const char *name, span where)
{
  net_module *m = p->module;
  uint32_t known = net_find(&m->variable_of, name);
  if (known != NET_NONE)
    return &m->variables.data[known];
  net_variable v = {.name = name, .role = NET_INTERNAL, .where = where};
  net_enter(&m->variable_of, p->arena, name, (uint32_t)m->variables.len);
  arena_push(p->arena, &m->variables, v);
  return &m->variables.data[m->variables.len - 1];
}

/* The next variable of the line; NULL at its end or after an error. */
static net_variable *next_declared(net_parser *p)
{
  span where;
  const char *name =
      net_at_line_end(p) ? NULL : scan_name(p->s, "a name", &where);
  return name ? declare(p, name, where) : NULL;
}

static void parse_ports(net_parser *p, net_role role)
{
  for (net_variable *v; (v = next_declared(p));)
    v->role = role;
}

static void parse_integers(net_parser *p)
{
  for (net_variable *v; (v = next_declared(p));)
    v->integer = true;
}

static void parse_dummies(net_parser *p)
{
  while (!net_at_line_end(p)) {
    const char *name = scan_name(p->s, "the name of a transition", NULL);
    if (!name)
      return;
    net_enter(&p->module->dummy_of, p->arena, name, 0);
  }
}

static void parse_places(net_parser *p)
{
  while (!net_at_line_end(p)) {
    net_node node;
    if (!net_parse_node(p, &node))
      return;
    if (!node.is_transition)
      net_place_of(p, &node);
  }
}

/* Fail and persistent transitions. */
static void parse_marked(net_parser *p, bool fails)
{
  while (!net_at_line_end(p)) {
    net_node node;
    if (!net_parse_node(p, &node))
      return;
    uint32_t t = net_transition_of(p, &node);
    if (fails)
      p->module->transitions.data[t].fails = true;
    else
      p->module->transitions.data[t].persists = true;
  }
}

/* ".initial_state a !b c=1", also with a blank in the first word. */
static void parse_literals(net_parser *p, const token *word)
{
  const token *next = scan_token(p->s);
  if (!strcasecmp(word->name, ".initial")) {
    if (next->kind != SCAN_NAME || strcasecmp(next->name, "state") != 0) {
      net_skip_line(p);
      return;
    }
    scan_next(p->s);
  }
  while (!net_at_line_end(p)) {
    span where;
    int32_t value = 1;
    const char *name = scan_name(p->s, "a signal", &where);
    if (!name)
      return;
    if (*name == '!') {
      name = name_of(p->s->names, name + 1);
      value = 0;
    } else if (scan_accept(p->s, T_EQ) && !net_parse_number(p, &value)) {
      return;
    }
    if (net_find(&p->module->variable_of, name) == NET_NONE) {
      diag_warn(p->s->diags, where, "there is no signal '%s'", name);
      continue;
    }
    net_variable *v = declare(p, name, where);
    v->given = true;
    v->first = value != 0;
  }
}

/* ---- sections in braces ------------------------------------------------ */

/* Calls 'entry' after each "<"; it reads up to the ">". */
static void parse_entries(net_parser *p, bool (*entry)(net_parser *, bool),
                          bool flag)
{
  span opened = scan_token(p->s)->where;
  if (!scan_expect(p->s, T_LBRACE))
    return;
  while (scan_accept(p->s, T_LT))
    if (!entry(p, flag) || !scan_expect(p->s, T_GT))
      return;
  scan_close(p->s, T_RBRACE, opened);
}

/* node "=" : the transition of an entry */
static net_transition *parse_subject(net_parser *p)
{
  net_node node;
  if (!net_parse_node(p, &node))
    return NULL;
  uint32_t known = net_find(&p->module->transition_of, node.name);
  if (known == NET_NONE && !node.is_transition) {
    diag_error(p->s->diags, node.where, "there is no transition '%s'",
               node.name);
    return NULL;
  }
  uint32_t t = net_transition_of(p, &node);
  return scan_expect(p->s, T_EQ) ? &p->module->transitions.data[t] : NULL;
}

static bool parse_enabling(net_parser *p, bool flag)
{
  (void)flag;
  net_transition *t = parse_subject(p);
  if (!t)
    return false;
  span opened = scan_token(p->s)->where;
  if (!scan_expect(p->s, T_LBRACKET))
    return false;
  net_expr *e = net_parse_expr(p);
  if (!e || !scan_close(p->s, T_RBRACKET, opened))
    return false;
  t->guard = t->guard ? net_make(p, OP_AND, t->guard, e, NULL, e->where) : e;
  return t->guard != NULL;
}

static bool parse_assignment(net_parser *p, bool logical)
{
  net_transition *t = parse_subject(p);
  if (!t)
    return false;
  span opened = scan_token(p->s)->where;
  if (!scan_expect(p->s, T_LBRACKET))
    return false;
  do {
    net_assignment a = {.logical = logical};
    a.name = scan_name(p->s, "a variable", &a.where);
    if (!a.name || !scan_expect(p->s, T_BECOMES))
      return false;
    a.value = net_parse_value(p);
    if (!a.value)
      return false;
    arena_push(p->arena, &t->assignments, a);
  } while (scan_accept(p->s, T_SEMICOLON));
  return scan_close(p->s, T_RBRACKET, opened);
}

/* The lower bound of an interval counts. */
static bool parse_first_value(net_parser *p, bool flag)
{
  (void)flag;
  span where;
  int32_t value, other;
  const char *name = scan_name(p->s, "a variable", &where);
  if (!name || !scan_expect(p->s, T_EQ))
    return false;
  if (scan_accept(p->s, T_LBRACKET)) {
    if (!net_parse_number(p, &value) || !scan_expect(p->s, T_COMMA) ||
        !net_parse_number(p, &other) || !scan_expect(p->s, T_RBRACKET))
      return false;
  } else if (!net_parse_number(p, &value)) {
    return false;
  }
  net_variable *v = declare(p, name, where);
  v->given = true;
  v->first = value;
  return true;
}

/* ---- directives -------------------------------------------------------- */

static void refuse(net_parser *p, const token *word, const char *what)
{
  diag_error(p->s->diags, word->where,
             "%s: continuous and hybrid nets are not supported", what);
  net_skip_line(p);
}

/* Sections of hybrid nets, which discrete ones leave empty. */
static void parse_hybrid(net_parser *p, const token *word)
{
  size_t at = 0;
  while (scan_peek(p->s, at)->kind == T_LBRACE)
    at++;
  const token *next = scan_peek(p->s, at);
  if (next->kind == SCAN_END || next->kind == T_RBRACE ||
      (at == 0 && next->first_of_line)) {
    net_skip_line(p);
    return;
  }
  refuse(p, word, word->name);
}

static void parse_name(net_parser *p)
{
  if (scan_at(p->s, SCAN_NAME) && !net_at_line_end(p))
    p->module->name = scan_token(p->s)->name;
  net_skip_line(p);
}

enum {
  D_NAME,
  D_INPUTS,
  D_OUTPUTS,
  D_INTERNAL,
  D_DUMMY,
  D_VARIABLES,
  D_HYBRID,
  D_FAIL,
  D_PERSIST,
  D_PLACES,
  D_GRAPH,
  D_STATES,
  D_MARKING,
  D_INIT_VALS,
  D_ENABLINGS,
  D_ASSIGNMENTS,
  D_BOOLEAN,
  D_PROPERTY,
  D_LITERALS
};

static const struct {
  const char *word;
  int meaning;
} directives[] = {
    {".name", D_NAME},
    {".model", D_NAME},
    {".inputs", D_INPUTS},
    {".outputs", D_OUTPUTS},
    {".internal", D_INTERNAL},
    {".internals", D_INTERNAL},
    {".dummy", D_DUMMY},
    {".silent", D_DUMMY},
    {".variables", D_VARIABLES},
    {".continuous", D_HYBRID},
    {".rate_assignments", D_HYBRID},
    {".init_rates", D_HYBRID},
    {".rates", D_HYBRID},
    {".failtrans", D_FAIL},
    {".non_disabling", D_PERSIST},
    {".places", D_PLACES},
    {".graph", D_GRAPH},
    {".state", D_STATES},
    {".marking", D_MARKING},
    {".init_vals", D_INIT_VALS},
    {".enablings", D_ENABLINGS},
    {".assignments", D_ASSIGNMENTS},
    {".boolean_assignments", D_BOOLEAN},
    {".property", D_PROPERTY},
    {".initial_state", D_LITERALS},
    {".initial", D_LITERALS},
};

static int directive_of(const char *word)
{
  for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
    if (!strcasecmp(word, directives[i].word))
      return directives[i].meaning;
  return -1;
}

static void parse_directive(net_parser *p)
{
  const token *word = scan_next(p->s);
  switch (directive_of(word->name)) {
  case D_NAME:
    parse_name(p);
    break;
  case D_INPUTS:
    parse_ports(p, NET_INPUT);
    break;
  case D_OUTPUTS:
    parse_ports(p, NET_OUTPUT);
    break;
  case D_INTERNAL:
    parse_ports(p, NET_INTERNAL);
    break;
  case D_DUMMY:
    parse_dummies(p);
    break;
  case D_VARIABLES:
    parse_integers(p);
    break;
  case D_HYBRID:
    parse_hybrid(p, word);
    break;
  case D_FAIL:
    parse_marked(p, true);
    break;
  case D_PERSIST:
    parse_marked(p, false);
    break;
  case D_PLACES:
    parse_places(p);
    break;
  case D_GRAPH:
  case D_STATES: /* ".state graph" */
    p->in_states = directive_of(word->name) == D_STATES;
    net_skip_line(p);
    break;
  case D_MARKING:
    net_parse_marking(p);
    break;
  case D_INIT_VALS:
    parse_entries(p, parse_first_value, false);
    break;
  case D_ENABLINGS:
    parse_entries(p, parse_enabling, false);
    break;
  case D_ASSIGNMENTS:
    parse_entries(p, parse_assignment, false);
    break;
  case D_BOOLEAN:
    parse_entries(p, parse_assignment, true);
    break;
  case D_PROPERTY:
    net_parse_property(p);
    break;
  case D_LITERALS:
    parse_literals(p, word);
    break;
  default:
    diag_warn(p->s->diags, word->where, "'%s' is not known and ignored",
              word->name);
    net_skip_line(p);
  }
}

/* ---- first values of Booleans ------------------------------------------ */

/* One character for each Boolean: inputs, then outputs, then the others. */
static void give_first_values(net_parser *p)
{
  const char *at = p->first_values;
  net_module *m = p->module;
  if (!at)
    return;
  for (int role = NET_INPUT; role <= NET_INTERNAL; role++)
    for (uint32_t i = 0; i < m->variables.len && *at; i++) {
      net_variable *v = &m->variables.data[i];
      if ((int)v->role != role || v->integer)
        continue;
      if (*at != '0' && *at != '1')
        diag_warn(p->s->diags, p->first_where,
                  "the first value of '%s' is '%c': 0 is taken", v->name, *at);
      v->given = true;
      v->first = *at++ == '1';
    }
  if (*at && strspn(at, " \t") != strlen(at))
    diag_warn(p->s->diags, p->first_where,
              "there are more first values than Boolean variables");
}

/* Without a token and without a transition that needs none nothing happens. */
static void warn_of_no_marking(net_parser *p)
{
  const net_module *m = p->module;
  for (size_t i = 0; i < m->places.len; i++)
    if (m->places.data[i].tokens)
      return;
  for (size_t i = 0; i < m->transitions.len; i++)
    if (!m->transitions.data[i].pre.len)
      return;
  if (m->transitions.len)
    diag_warn(p->s->diags, m->transitions.data[0].where,
              "no place is marked, so nothing can happen: '.marking { ... }' "
              "says where tokens are");
}

void net_parse(net_parser *p)
{
  scanner *s = p->s;
  while (!scan_stuck(s)) {
    const token *t = scan_token(s);
    size_t before = diags_errors(s->diags), start = s->at;
    if (t->kind == SCAN_NAME && *t->name == '.')
      parse_directive(p);
    else if (p->in_states)
      net_parse_state_arc(p);
    else
      net_parse_arcs(p);
    if (diags_errors(s->diags) == before && !net_at_line_end(p))
      scan_wanted(s, "the end of the line");
    /* The first token of a line ends the line before: one that nobody took
    ** must be passed over, or it would be looked at for ever. */
    if (s->at == start)
      scan_next(s);
    net_skip_line(p);
  }
  give_first_values(p);
  if (!p->in_states && !diags_errors(s->diags))
    warn_of_no_marking(p);
  if (p->second.length)
    diag_error(s->diags, p->second, "there is more than one net in this file");
}
