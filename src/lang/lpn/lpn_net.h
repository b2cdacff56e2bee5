/* Labelled Petri nets and signal transition graphs, between text and model.
**
**   lines.c       lines, comments and directives made ready for the scanner
**   parse.c       sections
**   parse_graph.c nodes, arcs and markings
**   parse_expr.c  expressions
**   fireable.c    whether a transition can be fired, in conditions
**   lower.c       variables, places and edges of the model
**   lower_expr.c  expressions of the model
**   signals.c     first values of signals that the file does not give
**   lpn_formula.c properties that the file has
**   requirements.c  what is checked: failure, disabling, safeness...
**   signal_codes.c  codes of states
**   name_table.c  from names to numbers
**   platu.c       another form of the same nets; see platu.h
**
** All of it lives in the arena of the model. */

#ifndef NUT_LANG_LPN_LPN_NET_H
#define NUT_LANG_LPN_LPN_NET_H

#include "base/arena.h"
#include "base/vec.h"
#include "lang/lpn/signal_codes.h"
#include "lang/scan.h"
#include "model/ctl.h"

/* From interned names to numbers. */
typedef struct net_table {
  const char **keys;
  uint32_t *values;
  uint32_t len, cap;
} net_table;

#define NET_NONE UINT32_MAX
uint32_t net_find(const net_table *, const char *key); /* NET_NONE: no such */
void net_enter(net_table *, arena *, const char *key, uint32_t value);

/* ---- expressions ------------------------------------------------------ */

typedef enum {
  NET_NUMBER,
  NET_NAME,
  NET_OP,
  NET_INTERVAL,
  NET_FIREABLE /* the transition called so can be fired */
} net_expr_kind;

typedef struct net_expr {
  net_expr_kind kind;
  op op;     /* NET_OP */
  bool real; /* a division whose result need not be an integer */
  int32_t value;
  const char *name;
  struct net_expr *args[3];
  uint32_t weight, depth; /* nodes when written out, and levels */
  span where;
} net_expr;

/* ---- nets -------------------------------------------------------------- */

typedef enum { NET_INPUT, NET_OUTPUT, NET_INTERNAL } net_role;

typedef struct net_variable {
  const char *name;
  net_role role;
  bool integer;
  bool given; /* the file says its first value */
  int32_t first;
  span where;
} net_variable;

typedef struct net_place {
  const char *name;
  uint32_t tokens;
  span where;
  var *var;
} net_place;

typedef struct net_assignment {
  const char *name;
  net_expr *value;
  bool logical; /* of a Boolean */
  span where;
} net_assignment;

typedef struct net_transition {
  const char *name;   /* "t", "a+/2" */
  const char *signal; /* or NULL */
  char direction;     /* + - ~, 0 */
  bool fails, persists;
  bool may_stop; /* being disabled is no error */
  VEC(uint32_t) pre;
  VEC(uint32_t) post;
  net_expr *guard; /* NULL: true */
  VEC(net_assignment) assignments;
  VEC(net_expr *) asserts; /* must be so after it has fired */
  span where;
  /* Set by 'net_lower'. */
  expr *enabled;   /* over the model; of all but the tokens: */
  expr *condition; /* NULL: true */
  var *kept;       /* persistent ones: whether it is enabled */
  VEC(edge *) edges;
} net_transition;

typedef struct net_formula {
  ctl_op op;
  net_expr *atom; /* CTL_ATOM */
  struct net_formula *a, *b;
} net_formula;

typedef struct net_property {
  net_formula *formula; /* NULL: not understood */
  const char *text;
  span where;
} net_property;

typedef struct net_module {
  const char *name;
  bool has_signals; /* some transition is an edge of a signal */
  span where;
  VEC(net_variable) variables;
  VEC(net_place) places;
  VEC(net_transition) transitions;
  VEC(net_property) properties;
  net_table variable_of, place_of, transition_of, dummy_of;
  process_type *process;
} net_module;

typedef struct net {
  model *m;
  diags *diags;
  VEC(net_module *) modules;
  /* The variables of all modules together. */
  VEC(net_variable) variables;
  VEC(var *) vars; /* of the model */
  net_table variable_of;
  net_coding *coding; /* NULL: states have no codes */
} net;

/* lpn_picture.c: the nets of a model, to be drawn. */
void lpn_picture(const model *, struct net_picture *);

/* ---- reading ----------------------------------------------------------- */

extern const scan_language net_language;

enum {
  T_PLUS = SCAN_OWN,
  T_MINUS,
  T_STAR,
  T_SLASH,
  T_PERCENT,
  T_POWER,
  T_AND,
  T_OR,
  T_NOT,
  T_LT,
  T_LE,
  T_GT,
  T_GE,
  T_EQ,
  T_BECOMES,
  T_LPAR,
  T_RPAR,
  T_LBRACKET,
  T_RBRACKET,
  T_LBRACE,
  T_RBRACE,
  T_COMMA,
  T_SEMICOLON,
  T_AT,
  T_NOTE, /* "#@" after an arc */
  T_BACKSLASH,
  T_COLON,
  T_QUOTE
};

/* A node of the graph as it is written. */
typedef struct net_node {
  const char *name;   /* interned: "t", "a+/2", "p@1", "<a+,b->" */
  const char *signal; /* or NULL */
  char direction;
  bool is_transition;
  span where;
} net_node;

typedef struct net_parser {
  scanner *s;
  arena *arena;
  net_module *module;
  bool asks;      /* reads a condition of a user, who may ask for transitions */
  bool in_angles; /* inside <...>: '>' is no operator */
  bool strict;    /* '.g': marks of what does not exist are errors */
  bool in_states; /* after '.state graph': lines are arcs between states */
  span second;    /* where another net begins; length 0: there is none */
  /* The digits of '.init_state', which are no number. */
  const char *first_values;
  span first_where;
} net_parser;

/* The text of 'file' with comments, and what an untimed checker does not look
** at, made blank, as a new source; every byte stays in its place.  Fills in
** 'first_values' and 'second' of the parser.  0 when it is too long. */
uint32_t net_layout(net_parser *, sources *, uint32_t file);
/* Reads the tokens of one file into p->module. */
void net_parse(net_parser *);
void net_parse_arcs(net_parser *);
void net_parse_state_arc(net_parser *);
void net_parse_marking(net_parser *);
bool net_parse_node(net_parser *, net_node *);
/* The place or transition of a node; made when it is not there. */
uint32_t net_place_of(net_parser *, const net_node *);
uint32_t net_transition_of(net_parser *, const net_node *);
net_expr *net_parse_expr(net_parser *); /* NULL after an error */
/* The part of one that has no operators of truth outside of brackets. */
net_expr *net_parse_relation(net_parser *);
bool net_at_arrow(const net_parser *); /* "->" or "=>": two tokens */
/* 'fireable(t, ...)', from the parenthesis on; 'first': where it begins. */
net_expr *net_parse_fireable(net_parser *, size_t first);
/* The rest of a line '#@.property'. */
void net_parse_property(net_parser *);
/* An expression, or an interval [a,b] where a value is wanted. */
net_expr *net_parse_value(net_parser *);
bool net_parse_number(net_parser *, int32_t *value); /* with sign */
net_expr *net_make(net_parser *, op, net_expr *, net_expr *, net_expr *, span);
bool net_at_line_end(const net_parser *);
void net_skip_line(net_parser *);
bool net_is_function(const char *name);

/* ---- making the model -------------------------------------------------- */

/* Lowers all modules; false when there were errors. */
bool net_lower(net *);
/* NULL after an error.  'module' says whose places are meant; NULL: any. */
expr *net_lower_expr(net *, const net_module *, const net_expr *);
expr *net_lower_fireable(net *, const net_expr *);
/* As a truth value, 0 or 1. */
expr *net_lower_truth(net *, const net_module *, const net_expr *);
/* Values of signals that no file gives, from the first edges that can occur. */
void net_guess_signals(net *);
/* Adds the properties. */
void net_judge(net *);
void net_add_coding(net *);
void net_add_property(net *, const net_module *, const net_property *,
                      uint32_t number);

#endif
