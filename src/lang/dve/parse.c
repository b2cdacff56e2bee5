/* Declarations, processes and the system line.
**
** After an error the parser skips to the end of the declaration or of the
** transition and goes on, so that one run shows several errors. */

#include "lang/dve/ast.h"

#include "base/text/text.h"

#include <string.h>

static const scan_word operators[] = {
#define X(kind, text) {text, kind},
    DVE_OPERATORS(X)
#undef X
        {NULL, 0}};

static const scan_word keywords[] = {
#define X(kind, text) {text, kind},
    DVE_KEYWORDS(X, X)
#undef X
        {NULL, 0}};

static const scan_comment comments[] = {
    {"//", NULL, false}, {"/*", "*/", false}, {NULL, NULL, false}};

const scan_language dve_language = {
    .operators = operators, .keywords = keywords, .comments = comments};

/* Appends to a list whose end is 'tail', a pointer to its last 'next'. */
#define APPEND(tail, node) (*(tail) = (node), (tail) = &(node)->next)

/* Kinds to stop at when skipping. */
#define STOPS(...) ((const char[]){__VA_ARGS__, 0})

static void skip_past_semicolon(dve_parser *p)
{
  scan_skip(p->s, STOPS(T_SEMI, T_PROCESS, T_SYSTEM), T_LBRACE, T_RBRACE);
  scan_accept(p->s, T_SEMI);
}

/* ";" at the end of a declaration. */
static void end_declaration(dve_parser *p)
{
  if (!scan_expect(p->s, T_SEMI))
    skip_past_semicolon(p);
}

static const char *excerpt(dve_parser *p, size_t first)
{
  text_clear(p->scratch);
  scan_excerpt(p->s, first, p->s->at, p->scratch);
  return arena_copy(p->arena, text_string(p->scratch), p->scratch->len);
}

/* list = expression { "," expression } */
static dve_expr *parse_list(dve_parser *p)
{
  dve_expr *list = NULL, **tail = &list;
  do {
    dve_expr *e = dve_parse_expr(p);
    if (!e)
      return NULL;
    APPEND(tail, e);
  } while (scan_accept(p->s, T_COMMA));
  return list;
}

/* names = NAME { "," NAME } */
static dve_name *parse_names(dve_parser *p, const char *what)
{
  dve_name *list = NULL, **tail = &list;
  do {
    dve_name *n = ARENA_NEW(p->arena, dve_name);
    n->name = scan_name(p->s, what, &n->where);
    if (!n->name)
      break;
    APPEND(tail, n);
  } while (scan_accept(p->s, T_COMMA));
  return list;
}

/* ---- variables and channels -------------------------------------------- */

/* variable = NAME [ "[" expression "]" ]
**            [ "=" ( expression | "{" list "}" ) ] */
static bool parse_variable(dve_parser *p, dve_variable *v)
{
  scanner *s = p->s;
  span opened;
  v->name.name = scan_name(s, "the name of a variable", &v->name.where);
  if (!v->name.name)
    return false;
  opened = scan_token(s)->where;
  if (scan_accept(s, T_LBRACKET)) {
    v->is_array = true;
    v->length = dve_parse_expr(p);
    if (!v->length || !scan_close(s, T_RBRACKET, opened))
      return false;
  }
  if (!scan_accept(s, T_ASSIGN))
    return true;
  opened = scan_token(s)->where;
  v->braces = scan_accept(s, T_LBRACE);
  v->init = v->braces ? parse_list(p) : dve_parse_expr(p);
  if (v->init && v->braces)
    return scan_close(s, T_RBRACE, opened);
  return v->init;
}

/* "input int n = 3;" says that another tool may be told another value.  The
** word is a name elsewhere. */
static bool at_input(const dve_parser *p)
{
  uint8_t next = scan_peek(p->s, 1)->kind;
  return scan_at(p->s, SCAN_NAME) && !strcmp(scan_token(p->s)->name, "input") &&
         (next == T_INT || next == T_BYTE);
}

/* variables = [ "const" | "input" ] ( "byte" | "int" )
**             variable { "," variable } ";" */
static void parse_variables(dve_parser *p, dve_variable ***tail)
{
  scanner *s = p->s;
  bool is_const = scan_at(s, T_CONST) || at_input(p);
  if (is_const)
    scan_next(s);
  bool is_int = scan_at(s, T_INT);
  if (!scan_accept(s, T_INT) && !scan_accept(s, T_BYTE)) {
    scan_wanted(s, "'byte' or 'int'");
    skip_past_semicolon(p);
    return;
  }
  do {
    dve_variable *v = ARENA_NEW(p->arena, dve_variable);
    v->is_const = is_const;
    v->is_int = is_int;
    if (!parse_variable(p, v)) {
      skip_past_semicolon(p);
      return;
    }
    APPEND(*tail, v);
  } while (scan_accept(s, T_COMMA));
  end_declaration(p);
}

/* types = "{" ( "byte" | "int" ) { "," ( "byte" | "int" ) } "}" */
static bool parse_types(dve_parser *p, dve_channel *pattern)
{
  scanner *s = p->s;
  span opened = scan_next(s)->where;
  size_t first = s->at;
  do {
    if (!scan_accept(s, T_INT) && !scan_accept(s, T_BYTE)) {
      scan_wanted(s, "'byte' or 'int'");
      return false;
    }
  } while (scan_accept(s, T_COMMA));
  /* Types and commas alternate. */
  pattern->typed = true;
  pattern->fields = (uint32_t)(s->at - first + 1) / 2;
  bool *is_int = ARENA_ARRAY(p->arena, bool, pattern->fields);
  for (uint32_t i = 0; i < pattern->fields; i++)
    is_int[i] = s->tokens.data[first + 2 * i].kind == T_INT;
  pattern->is_int = is_int;
  return scan_close(s, T_RBRACE, opened);
}

/* channel = NAME [ "[" expression "]" ] */
static bool parse_channel(dve_parser *p, dve_channel *c)
{
  scanner *s = p->s;
  c->name.name = scan_name(s, "the name of a channel", &c->name.where);
  if (!c->name.name)
    return false;
  span opened = scan_token(s)->where;
  if (!scan_accept(s, T_LBRACKET))
    return true;
  c->capacity = dve_parse_expr(p);
  return c->capacity && scan_close(s, T_RBRACKET, opened);
}

/* channels = "channel" [ types ] channel { "," channel } ";" */
static void parse_channels(dve_parser *p, dve_channel ***tail)
{
  dve_channel pattern = {0};
  scan_next(p->s);
  if (scan_at(p->s, T_LBRACE) && !parse_types(p, &pattern)) {
    skip_past_semicolon(p);
    return;
  }
  do {
    dve_channel *c = ARENA_NEW(p->arena, dve_channel);
    *c = pattern;
    if (!parse_channel(p, c)) {
      skip_past_semicolon(p);
      return;
    }
    APPEND(*tail, c);
  } while (scan_accept(p->s, T_COMMA));
  end_declaration(p);
}

/* ---- transitions ------------------------------------------------------- */

/* channel = [ NAME "->" ] NAME */
static bool parse_channel_name(dve_parser *p, dve_sync *c)
{
  scanner *s = p->s;
  c->channel.name = scan_name(s, "the name of a channel", &c->channel.where);
  if (!c->channel.name || !scan_accept(s, T_ARROW))
    return c->channel.name;
  c->process = c->channel;
  c->channel.name = scan_name(s, "the name of a channel", &c->channel.where);
  return c->channel.name;
}

/* sync = channel ( "!" | "?" ) [ expression | "{" list "}" ] */
static bool parse_sync(dve_parser *p, dve_transition *t)
{
  scanner *s = p->s;
  size_t first = s->at;
  dve_sync *c = ARENA_NEW(p->arena, dve_sync);
  if (!parse_channel_name(p, c))
    return false;
  c->sends = scan_at(s, T_NOT);
  if (!scan_accept(s, T_NOT) && !scan_accept(s, T_ASK)) {
    scan_wanted(s, "'!' or '?'");
    return false;
  }
  span opened = scan_token(s)->where;
  if (scan_accept(s, T_LBRACE)) {
    c->values = parse_list(p);
    if (!c->values || !scan_close(s, T_RBRACE, opened))
      return false;
  } else if (!scan_at(s, T_SEMI)) {
    c->values = dve_parse_expr(p);
    if (!c->values)
      return false;
  }
  c->where = scan_span(s, first);
  t->sync = c;
  return true;
}

/* effects = reference "=" expression { "," reference "=" expression } */
static bool parse_effects(dve_parser *p, dve_transition *t)
{
  dve_effect **tail = &t->effects;
  while (*tail)
    tail = &(*tail)->next;
  do {
    size_t first = p->s->at;
    dve_effect *f = ARENA_NEW(p->arena, dve_effect);
    f->target = dve_parse_expr(p);
    if (!f->target || !scan_expect(p->s, T_ASSIGN))
      return false;
    f->value = dve_parse_expr(p);
    if (!f->value)
      return false;
    f->where = scan_span(p->s, first);
    APPEND(tail, f);
  } while (scan_accept(p->s, T_COMMA));
  return true;
}

/* part = "guard" list ";" | "sync" sync ";" | "effect" effects ";" */
static bool parse_part(dve_parser *p, dve_transition *t)
{
  scanner *s = p->s;
  const token *word = scan_token(s);
  bool repeated = (word->kind == T_GUARD && t->guard) ||
                  (word->kind == T_SYNC && t->sync) ||
                  (word->kind == T_EFFECT && t->effects);
  if (repeated) {
    scan_wanted(s, "'}'");
    return false;
  }
  switch (word->kind) {
  case T_GUARD:
    scan_next(s);
    return (t->guard = parse_list(p)) && scan_expect(s, T_SEMI);
  case T_SYNC:
    scan_next(s);
    return parse_sync(p, t) && scan_expect(s, T_SEMI);
  case T_EFFECT:
    scan_next(s);
    return parse_effects(p, t) && scan_expect(s, T_SEMI);
  default:
    scan_wanted(s, "'guard', 'sync', 'effect' or '}'");
    return false;
  }
}

/* body = "{" { part } "}" */
static bool parse_body(dve_parser *p, dve_transition *t)
{
  scanner *s = p->s;
  span opened = scan_token(s)->where;
  if (!scan_expect(s, T_LBRACE))
    return false;
  while (!scan_at(s, T_RBRACE)) {
    if (scan_stuck(s))
      return scan_close(s, T_RBRACE, opened);
    if (parse_part(p, t))
      continue;
    scan_skip(s, STOPS(T_SEMI, T_PROCESS, T_SYSTEM), T_LBRACE, T_RBRACE);
    if (!scan_accept(s, T_SEMI) && !scan_at(s, T_RBRACE))
      return false;
  }
  scan_next(s);
  return true;
}

/* Random choices are for probabilistic model checkers. */
static bool refuse_probabilities(dve_parser *p)
{
  if (!scan_at(p->s, T_WIDE_ARROW))
    return false;
  diag_error(p->s->diags, scan_token(p->s)->where,
             "transitions with probabilities ('=>') are not supported");
  return true;
}

/* transition = [ NAME ] "->" NAME body
** Without its source it has that of the transition before. */
static dve_transition *parse_transition(dve_parser *p, const dve_name *before)
{
  scanner *s = p->s;
  size_t first = s->at;
  dve_transition *t = ARENA_NEW(p->arena, dve_transition);
  if (scan_at(s, T_ARROW) && before->name) {
    t->from = *before;
  } else {
    t->from.name = scan_name(s, "the name of a state", &t->from.where);
    if (!t->from.name)
      return NULL;
  }
  if (refuse_probabilities(p) || !scan_expect(s, T_ARROW))
    return NULL;
  t->to.name = scan_name(s, "the name of a state", &t->to.where);
  if (!t->to.name || !parse_body(p, t))
    return NULL;
  t->where = scan_span(s, first);
  t->text = excerpt(p, first);
  return t;
}

/* transitions = "trans" transition { [ "," ] transition } ";" */
static void parse_transitions(dve_parser *p, dve_process *of)
{
  scanner *s = p->s;
  dve_transition **tail = &of->transitions;
  dve_name before = {0};
  while (*tail)
    tail = &(*tail)->next;
  scan_next(s);
  do {
    dve_transition *t = parse_transition(p, &before);
    if (t) {
      before = t->from;
      APPEND(tail, t);
    } else {
      scan_skip(s, STOPS(T_COMMA, T_SEMI, T_PROCESS, T_SYSTEM), T_LBRACE,
                T_RBRACE);
      /* The brace may be the transition's own. */
      if (scan_at(s, T_RBRACE) &&
          (scan_peek(s, 1)->kind == T_COMMA || scan_peek(s, 1)->kind == T_SEMI))
        scan_next(s);
    }
  } while (scan_accept(s, T_COMMA) || scan_at(s, SCAN_NAME) ||
           scan_at(s, T_ARROW));
  if (!scan_at(s, T_RBRACE))
    end_declaration(p);
}

/* ---- processes --------------------------------------------------------- */

/* assertions = "assert" NAME ":" expression { "," NAME ":" expression } ";" */
static void parse_assertions(dve_parser *p, dve_process *of)
{
  scanner *s = p->s;
  dve_assertion **tail = &of->assertions;
  while (*tail)
    tail = &(*tail)->next;
  scan_next(s);
  do {
    dve_assertion *a = ARENA_NEW(p->arena, dve_assertion);
    a->state.name = scan_name(s, "the name of a state", &a->state.where);
    size_t first = s->at + 1;
    if (!a->state.name || !scan_expect(s, T_COLON) ||
        !(a->condition = dve_parse_expr(p))) {
      skip_past_semicolon(p);
      return;
    }
    a->where = scan_span(s, first);
    a->text = excerpt(p, first);
    APPEND(tail, a);
  } while (scan_accept(s, T_COMMA));
  end_declaration(p);
}

/* accept = "accept" [ "buchi" ] names ";" */
static void parse_accept(dve_parser *p, dve_process *of)
{
  scanner *s = p->s;
  scan_next(s);
  scan_accept(s, T_BUCHI);
  if (scan_at(s, T_GENBUCHI) || scan_at(s, T_STREETT) || scan_at(s, T_RABIN) ||
      scan_at(s, T_MULLER)) {
    scan_next(s);
    scan_error(s, s->at - 1,
               "only Buchi acceptance is supported ('accept NAME, ...')");
    /* There are semicolons inside the parentheses. */
    scan_skip(s, STOPS(T_SEMI, T_RBRACE), T_LPAR, T_RPAR);
    scan_accept(s, T_SEMI);
    return;
  }
  dve_name **tail = &of->accepting;
  while (*tail)
    tail = &(*tail)->next;
  *tail = parse_names(p, "the name of a state");
  end_declaration(p);
}

/* states = "state" names ";" | "commit" names ";" */
static void parse_states(dve_parser *p, dve_name **list)
{
  while (*list)
    list = &(*list)->next;
  scan_next(p->s);
  *list = parse_names(p, "the name of a state");
  end_declaration(p);
}

/* init = "init" NAME ";" */
static void parse_init(dve_parser *p, dve_process *of)
{
  scan_next(p->s);
  dve_name before = of->init;
  of->init.name = scan_name(p->s, "the name of a state", &of->init.where);
  if (before.name && of->init.name) {
    diag_error(p->s->diags, of->init.where, "a second initial state");
    diag_note(p->s->diags, before.where, "the first one is here");
  }
  end_declaration(p);
}

/* One section of a process; false when there is none. */
static bool parse_section(dve_parser *p, dve_process *of, dve_variable ***tail,
                          dve_channel ***channels)
{
  switch (scan_token(p->s)->kind) {
  case T_CONST:
  case T_BYTE:
  case T_INT:
    parse_variables(p, tail);
    return true;
  case T_STATE:
    parse_states(p, &of->states);
    return true;
  case T_COMMIT:
    parse_states(p, &of->committed);
    return true;
  case T_INIT:
    parse_init(p, of);
    return true;
  case T_ACCEPT:
    parse_accept(p, of);
    return true;
  case T_ASSERT:
    parse_assertions(p, of);
    return true;
  case T_TRANS:
    parse_transitions(p, of);
    return true;
  case T_CHANNEL:
    parse_channels(p, channels);
    return true;
  default:
    return false;
  }
}

/* Processes that are made several times by another version of DiVinE:
** "process P(key i) { ... }" and "process P(1);". */
static void refuse_instances(dve_parser *p, const dve_process *of)
{
  scanner *s = p->s;
  diag_error(s->diags, scan_token(s)->where,
             "process '%s' has parameters; write a process for each instance, "
             "or use the macros of '.mdve' files",
             of->name.name);
  scan_skip(s, STOPS(T_SEMI, T_LBRACE, T_PROCESS, T_SYSTEM), T_LPAR, T_RPAR);
  scan_accept(s, T_RPAR);
  if (!scan_accept(s, T_SEMI) && scan_accept(s, T_LBRACE)) {
    scan_skip(s, STOPS(T_PROCESS, T_SYSTEM), T_LBRACE, T_RBRACE);
    scan_accept(s, T_RBRACE);
  }
}

/* process = "process" NAME "{" { variables } { channels } states
**           { init | commit | accept | assertions } [ transitions ] "}"
** The sections may come in any order. */
static dve_process *parse_process(dve_parser *p, dve_process ***tail)
{
  scanner *s = p->s;
  dve_process *of = ARENA_NEW(p->arena, dve_process);
  dve_variable **variables = &of->variables;
  dve_channel **channels = &of->channels;
  scan_next(s);
  of->name.name = scan_name(s, "the name of a process", &of->name.where);
  span opened = scan_token(s)->where;
  if (of->name.name && scan_at(s, T_LPAR)) {
    refuse_instances(p, of);
    return of;
  }
  if (!of->name.name || !scan_expect(s, T_LBRACE)) {
    scan_skip(s, STOPS(T_PROCESS, T_SYSTEM), T_LBRACE, T_RBRACE);
    scan_accept(s, T_RBRACE);
    return of;
  }
  while (!scan_stuck(s) && !scan_at(s, T_RBRACE) && !scan_at(s, T_PROCESS) &&
         !scan_at(s, T_SYSTEM)) {
    if (parse_section(p, of, &variables, &channels))
      continue;
    scan_wanted(s, "a declaration, 'state', 'init', 'trans' or '}'");
    skip_past_semicolon(p);
  }
  scan_close(s, T_RBRACE, opened);
  APPEND(*tail, of);
  return of;
}

/* ---- the file ---------------------------------------------------------- */

static void set_property(dve_parser *p, dve_module *m, const dve_name *name)
{
  if (m->property.name && name->name) {
    diag_error(p->s->diags, name->where, "a second property");
    diag_note(p->s->diags, m->property.where, "the first one is here");
    return;
  }
  m->property = *name;
}

/* property = "property" process
** The same as naming the process after 'system'. */
static void parse_property(dve_parser *p, dve_module *m, dve_process ***tail)
{
  span where = scan_next(p->s)->where;
  if (scan_at(p->s, T_PROCESS)) {
    set_property(p, m, &parse_process(p, tail)->name);
    return;
  }
  diag_error(p->s->diags, where,
             "only processes can be properties in a file; formulas are given "
             "by the option --ltl");
  scan_skip(p->s, STOPS(T_PROPERTY, T_CHANNEL, T_PROCESS, T_SYSTEM), T_LBRACE,
            T_RBRACE);
}

/* system = "system" ( "async" | "sync" ) [ "property" NAME ] ";" */
static void parse_system(dve_parser *p, dve_module *m)
{
  scanner *s = p->s;
  size_t first = s->at;
  scan_next(s);
  m->synchronous = scan_at(s, T_SYNC);
  if (!scan_accept(s, T_ASYNC) && !scan_accept(s, T_SYNC))
    scan_wanted(s, "'async' or 'sync'");
  if (scan_accept(s, T_PROPERTY)) {
    dve_name name = {0};
    name.name = scan_name(s, "the name of a process", &name.where);
    set_property(p, m, &name);
  }
  span whole = scan_span(s, first);
  if (m->system.file) {
    diag_error(s->diags, whole, "a second 'system'");
    diag_note(s->diags, m->system, "the first one is here");
  }
  m->system = whole;
  end_declaration(p);
}

/* file = { variables | channels | process | property } system */
dve_module *dve_parse(dve_parser *p)
{
  scanner *s = p->s;
  dve_module *m = ARENA_NEW(p->arena, dve_module);
  dve_variable **variables = &m->variables;
  dve_channel **channels = &m->channels;
  dve_process **processes = &m->processes;
  while (!scan_stuck(s)) {
    switch (scan_token(s)->kind) {
    case T_CONST:
    case T_BYTE:
    case T_INT:
      parse_variables(p, &variables);
      break;
    case T_CHANNEL:
      parse_channels(p, &channels);
      break;
    case T_PROCESS:
      parse_process(p, &processes);
      break;
    case T_PROPERTY:
      parse_property(p, m, &processes);
      break;
    case T_SYSTEM:
      parse_system(p, m);
      break;
    default:
      if (at_input(p)) {
        parse_variables(p, &variables);
        break;
      }
      scan_wanted(s, "a declaration, 'process' or 'system'");
      scan_next(s);
      scan_skip(s,
                STOPS(T_CONST, T_BYTE, T_INT, T_CHANNEL, T_PROCESS, T_SYSTEM),
                T_LBRACE, T_RBRACE);
      scan_accept(s, T_RBRACE);
    }
  }
  if (!m->system.file && !diags_full(s->diags))
    diag_error(s->diags, scan_token(s)->where,
               "expected 'system async;' at the end of the file");
  return m;
}
