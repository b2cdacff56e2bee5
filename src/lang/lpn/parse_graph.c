/* Nodes, arcs and markings:
**
**   arcs = node { node } [ "#@" annotation ]
**   state-arc = place transition place
**   node = NAME [ "+" | "-" | "~" ] [ "/" NUMBER ] | NAME "@" NUMBER
**   mark = node [ "=" NUMBER ] | "<" node "," node ">" [ "=" NUMBER ]
**        | "<" node "=" NUMBER ">"
**   annotation = { "<" expression ">" [ "d" ] | "(" expression ")" [ "d" ]
**                | "[" expression "]" [ "d" ] | "[" bound "," bound "]" }
**
** The parts of a node stand together, without blanks. */

#include "lang/lpn/lpn_net.h"

#include <string.h>

/* ---- nodes ------------------------------------------------------------- */

/* The next token, if it is of this kind and follows the last at once. */
static const token *accept_close(net_parser *p, uint8_t kind)
{
  const scanner *s = p->s;
  const token *next = scan_token(s), *last = next - 1;
  if (!s->at || next->kind != kind || last->start + last->length != next->start)
    return NULL;
  return scan_next(p->s);
}

static char parse_direction(net_parser *p)
{
  if (accept_close(p, T_PLUS))
    return '+';
  if (accept_close(p, T_MINUS))
    return '-';
  return accept_close(p, T_NOT) ? '~' : 0;
}

/* "/2" and "@2"; 0 when there is none. */
static bool parse_instance(net_parser *p, uint8_t mark, int32_t *number)
{
  *number = 0;
  if (!accept_close(p, mark))
    return true;
  const token *t = accept_close(p, SCAN_NUMBER);
  if (!t) {
    scan_wanted(p->s, "a number");
    return false;
  }
  *number = t->value;
  return true;
}

static void name_node(net_parser *p, net_node *n, const char *word, char sign,
                      int32_t instance, int32_t copy)
{
  char direction[2] = {sign, 0};
  const char *made = arena_printf(p->arena, "%s%s", word, direction);
  if (instance)
    made = arena_printf(p->arena, "%s/%d", made, instance);
  if (copy)
    made = arena_printf(p->arena, "%s@%d", made, copy);
  n->name = name_of(p->s->names, made);
}

bool net_parse_node(net_parser *p, net_node *n)
{
  size_t first = p->s->at;
  int32_t instance, copy;
  *n = (net_node){0};
  const char *word = scan_name(p->s, "a place or a transition", NULL);
  if (!word)
    return false;
  char written = parse_direction(p);
  if (!parse_instance(p, T_SLASH, &instance) || !parse_instance(p, T_AT, &copy))
    return false;
  n->where = scan_span(p->s, first);
  const net_module *m = p->module;
  uint32_t known = net_find(&m->variable_of, word);
  bool dummy = net_find(&m->dummy_of, word) != NET_NONE;
  /* The "edges" of a dummy are transitions without a signal.  In '.g' files the
  ** name of a signal alone is any of its edges. */
  if (!dummy || known != NET_NONE)
    n->direction = written;
  if (!n->direction && p->strict && !dummy && known != NET_NONE)
    n->direction = written = '~';
  if (n->direction) {
    n->signal = word;
    if (known == NET_NONE || m->variables.data[known].integer) {
      diag_error(p->s->diags, n->where, "there is no signal '%s'", word);
      return false;
    }
  }
  n->is_transition = dummy || n->direction;
  name_node(p, n, word, written, instance, copy);
  return true;
}

uint32_t net_place_of(net_parser *p, const net_node *n)
{
  net_module *m = p->module;
  uint32_t at = net_find(&m->place_of, n->name);
  if (at != NET_NONE)
    return at;
  net_place made = {.name = n->name, .where = n->where};
  net_enter(&m->place_of, p->arena, n->name, (uint32_t)m->places.len);
  arena_push(p->arena, &m->places, made);
  return (uint32_t)m->places.len - 1;
}

uint32_t net_transition_of(net_parser *p, const net_node *n)
{
  net_module *m = p->module;
  uint32_t at = net_find(&m->transition_of, n->name);
  if (at != NET_NONE)
    return at;
  net_transition made = {.name = n->name,
                         .signal = n->signal,
                         .direction = n->direction,
                         .where = n->where};
  m->has_signals |= n->signal != NULL;
  net_enter(&m->transition_of, p->arena, n->name, (uint32_t)m->transitions.len);
  arena_push(p->arena, &m->transitions, made);
  return (uint32_t)m->transitions.len - 1;
}

/* ---- arcs -------------------------------------------------------------- */

static net_node between(net_parser *p, const net_node *a, const net_node *b)
{
  const char *name = arena_printf(p->arena, "<%s,%s>", a->name, b->name);
  return (net_node){.name = name_of(p->s->names, name), .where = b->where};
}

/* The second arc between the same two nodes says nothing new. */
static void add_arc(net_parser *p, uint32_t place, uint32_t transition,
                    bool into)
{
  net_transition *t = &p->module->transitions.data[transition];
  for (uint32_t i = 0; i < (into ? t->pre.len : t->post.len); i++)
    if ((into ? t->pre.data[i] : t->post.data[i]) == place)
      return;
  if (into)
    arena_push(p->arena, &t->pre, place);
  else
    arena_push(p->arena, &t->post, place);
}

static bool connect(net_parser *p, const net_node *a, const net_node *b)
{
  if (a->is_transition && b->is_transition) {
    net_node middle = between(p, a, b);
    uint32_t place = net_place_of(p, &middle);
    add_arc(p, place, net_transition_of(p, a), false);
    add_arc(p, place, net_transition_of(p, b), true);
    return true;
  }
  if (!a->is_transition && !b->is_transition) {
    diag_error(p->s->diags, b->where,
               "'%s' and '%s' are both places: an arc needs a transition",
               a->name, b->name);
    return false;
  }
  const net_node *t = a->is_transition ? a : b;
  add_arc(p, net_place_of(p, t == a ? b : a), net_transition_of(p, t), t == b);
  return true;
}

/* ---- annotations ------------------------------------------------------- */

static bool holds_comma(const net_parser *p)
{
  for (size_t i = 1;; i++) {
    uint8_t kind = scan_peek(p->s, i)->kind;
    if (kind == T_COMMA)
      return true;
    if (kind == T_RBRACKET || kind == SCAN_END ||
        scan_peek(p->s, i)->first_of_line)
      return false;
  }
}

/* A level: one more condition of the transition. */
static bool parse_level(net_parser *p, const net_node *of)
{
  span opened = scan_token(p->s)->where;
  uint8_t open = scan_next(p->s)->kind;
  p->in_angles = open == T_LT;
  net_expr *e = net_parse_expr(p);
  p->in_angles = false;
  uint8_t end = open == T_LT ? T_GT : open == T_LPAR ? T_RPAR : T_RBRACKET;
  if (!e || !scan_close(p->s, end, opened))
    return false;
  if (!of->is_transition) {
    diag_error(p->s->diags, e->where,
               "a level belongs to an arc that leads to a transition");
    return false;
  }
  uint32_t at = net_transition_of(p, of);
  net_transition *t = &p->module->transitions.data[at];
  t->guard = t->guard ? net_make(p, OP_AND, t->guard, e, NULL, e->where) : e;
  if (scan_at(p->s, SCAN_NAME) && !strcmp(scan_token(p->s)->name, "d") &&
      !net_at_line_end(p)) {
    scan_next(p->s);
    t->may_stop = true;
  }
  return t->guard != NULL;
}

static bool parse_annotation(net_parser *p, const net_node *of)
{
  while (!net_at_line_end(p)) {
    if (scan_at(p->s, T_LBRACKET) && holds_comma(p)) {
      span opened = scan_token(p->s)->where;
      do
        scan_next(p->s);
      while (!scan_at(p->s, T_RBRACKET) && !net_at_line_end(p));
      if (!scan_close(p->s, T_RBRACKET, opened))
        return false;
    } else if (scan_at(p->s, T_SLASH)) {
      diag_error(p->s->diags, scan_token(p->s)->where,
                 "bounds of a continuous place: continuous and hybrid nets "
                 "are not supported");
      return false;
    } else if (scan_at(p->s, T_LT) || scan_at(p->s, T_LPAR) ||
               scan_at(p->s, T_LBRACKET)) {
      if (!parse_level(p, of))
        return false;
    } else {
      scan_wanted(p->s, "delays or a level");
      return false;
    }
  }
  return true;
}

void net_parse_arcs(net_parser *p)
{
  net_node first, next;
  size_t nodes = 1;
  if (!net_parse_node(p, &first))
    return;
  if (first.is_transition)
    net_transition_of(p, &first);
  else
    net_place_of(p, &first);
  for (next = first; !net_at_line_end(p) && !scan_at(p->s, T_NOTE); nodes++)
    if (!net_parse_node(p, &next) || !connect(p, &first, &next))
      return;
  if (!scan_accept(p->s, T_NOTE))
    return;
  if (nodes == 2)
    parse_annotation(p, &next);
  else
    net_skip_line(p);
}

/* An arc of a state graph.  The same event may label several of them; each
** is a transition of its own: "a+", "a+/7". */
void net_parse_state_arc(net_parser *p)
{
  net_node nodes[3];
  for (size_t i = 0; i < 3; i++) {
    if (i && net_at_line_end(p)) {
      scan_wanted(p->s, i == 1 ? "an event" : "a state");
      return;
    }
    if (!net_parse_node(p, &nodes[i]))
      return;
  }
  net_node from = nodes[0], event = nodes[1], to = nodes[2];
  if (from.is_transition || !event.is_transition || to.is_transition) {
    diag_error(p->s->diags, event.where,
               "expected a state, an event and a state, as '.state graph' "
               "says");
    return;
  }
  if (net_find(&p->module->transition_of, event.name) != NET_NONE)
    event.name =
        name_of(p->s->names, arena_printf(p->arena, "%s/%zu", event.name,
                                          p->module->transitions.len));
  add_arc(p, net_place_of(p, &from), net_transition_of(p, &event), true);
  add_arc(p, net_place_of(p, &to), net_transition_of(p, &event), false);
}

/* ---- markings ---------------------------------------------------------- */

/* Marks of places that no arc has are errors in '.g' files; '.lpn' files with
** such marks exist, and are read without them. */
static void put_tokens(net_parser *p, const net_node *n, int32_t tokens)
{
  uint32_t at = net_find(&p->module->place_of, n->name);
  if (at == NET_NONE || n->is_transition) {
    diag_report(p->s->diags, p->strict ? DIAG_ERROR : DIAG_WARNING, n->where,
                "there is no place '%s'", n->name);
    return;
  }
  if (tokens < 0 || tokens > 255)
    diag_error(p->s->diags, n->where, "a place holds 0 to 255 tokens");
  else
    p->module->places.data[at].tokens = (uint32_t)tokens;
}

static bool parse_count(net_parser *p, int32_t *tokens)
{
  *tokens = 1;
  return !scan_accept(p->s, T_EQ) || net_parse_number(p, tokens);
}

static bool parse_mark(net_parser *p)
{
  net_node a, b;
  int32_t tokens;
  bool angle = scan_accept(p->s, T_LT);
  if (!net_parse_node(p, &a))
    return false;
  if (angle && scan_accept(p->s, T_COMMA)) {
    span where = a.where;
    if (!net_parse_node(p, &b))
      return false;
    a = between(p, &a, &b);
    a.where = where;
    /* "<a,b>=2" is cut with ">=" in it. */
    if (scan_accept(p->s, T_GE)) {
      if (!net_parse_number(p, &tokens))
        return false;
    } else if (!scan_expect(p->s, T_GT) || !parse_count(p, &tokens)) {
      return false;
    }
  } else if (!parse_count(p, &tokens) || (angle && !scan_expect(p->s, T_GT))) {
    return false;
  }
  put_tokens(p, &a, tokens);
  return true;
}

void net_parse_marking(net_parser *p)
{
  span opened = scan_token(p->s)->where;
  if (!scan_expect(p->s, T_LBRACE))
    return;
  while (!scan_at(p->s, T_RBRACE) && !scan_at(p->s, SCAN_END))
    if (!parse_mark(p))
      return;
  scan_close(p->s, T_RBRACE, opened);
}
