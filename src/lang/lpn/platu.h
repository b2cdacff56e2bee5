/* Platu's own form of labelled Petri nets, which looks like XML and computes
** like C:
**
**   file   = { "<mod" name ">" body "</mod>" | "<class" name arg ">" body
**            "</class>" | "<!--" comment "-->" }
**   body   = { "<const>" { NAME "=" constant ";" } "</const>"
**            | "<var>" { NAME [ "[" constant "]" ] "=" values ";" } "</var>"
**            | "<marking>" [ place { "," place } ] "</marking>"
**            | "<transition label= preset= postset= >" { statement }
**              "</transition>"
**            | "<inst>" { CLASS NAME "(" [ NAME { "," NAME } ] ")" ";" }
**              "</inst>" }
**   statement = condition ";" | "condition" "(" condition ")" ";"
**            | "(" low "," high ")" ";" | "delay" "(" low "," high ")" ";"
**            | element "=" expression ";" | "assert" "(" condition ")" ";"
**
** platu.c reads elements, platu_expr.c expressions.  All variables are
** integers.  A class is read once for each of its instances, whose variables
** are called "instance.name"; elements of arrays are variables of their own,
** called "name.number". */

#ifndef NUT_LANG_LPN_PLATU_H
#define NUT_LANG_LPN_PLATU_H

#include "lang/lpn/lpn_net.h"

enum {
  P_TAG = T_QUOTE + 1, /* "</" */
  P_ARROW,
  P_ANDAND,
  P_OROR,
  P_NE,
  P_SHL,
  P_SHR,
  P_QUESTION,
  P_BANG
};

typedef struct platu_class {
  const char *name;
  VEC(const char *) formals;
  size_t body; /* its first token */
  span where;
} platu_class;

typedef struct platu_binding {
  const char *formal, *actual;
} platu_binding;

typedef struct platu {
  net_parser p; /* of the module being read */
  net *net;
  VEC(platu_class) classes;
  net_table constants; /* name to index of 'values' */
  VEC(int32_t) values;
  /* An instance: its name, and what the arguments of its class stand for. */
  const char *prefix; /* NULL: not in an instance */
  VEC(platu_binding) bindings;
} platu;

extern const scan_language platu_language;

/* NULL after an error. */
net_expr *platu_parse_expr(platu *);
bool platu_parse_constant(platu *, int32_t *value);
/* A variable or an element of an array: the name of its variable. */
const char *platu_parse_name(platu *, span *where);
bool platu_is_constant(const platu *, const char *name, int32_t *value);

/* Whether a text is of this form: its first character is '<'. */
bool platu_is(const char *content, size_t length);
/* Reads the modules of a file, whose tokens are in p.s, into the net. */
void platu_parse(platu *);

#endif
