/* A place/transition net as PNML tells it, and its units (NUPN).
**
** All of it lives in the arena it was read into.  Places and transitions are
** known by number, in the order of the file; 'pnml_find' goes from an
** identifier to the number.  Arcs between the same two nodes are one, with the
** sum of their weights (inhibitor arcs: the least, which says it all). */

#ifndef NUT_LANG_PNML_PNML_NET_H
#define NUT_LANG_PNML_PNML_NET_H

#include "lang/pnml/xml.h"
#include "model/model.h"

enum { PNML_TOKENS_MAX = INT32_MAX };

typedef struct pnml_place {
  const char *id, *name; /* name: the same as 'id' when it has none */
  int32_t tokens;        /* at the start */
  int32_t room;          /* coloured: the most of a value of its place */
  int32_t capacity;      /* the most it may hold; 0: any number */
  uint32_t rank;         /* places of a unit have ranks side by side */
  bool safe;             /* said to hold one token at most */
  span where;
  var *var;
} pnml_place;

/* What a transition does with one place. */
typedef struct pnml_touch {
  uint32_t place;
  int32_t take, put;
  int32_t below; /* inhibitor: fewer tokens than this; 0: no inhibitor */
} pnml_touch;

typedef struct pnml_transition {
  const char *id, *name;
  span where;
  pnml_touch *touches;
  uint32_t touch_count;
  expr *guard; /* NULL: always enabled */
} pnml_transition;

typedef enum {
  PNML_PLACE,
  PNML_TRANSITION,
  PNML_PLACE_REFERENCE,
  PNML_TRANSITION_REFERENCE
} pnml_kind;

typedef struct pnml_node {
  const char *id; /* interned; NULL: a free slot */
  const xml_element *element;
  pnml_kind kind;
  uint32_t index; /* of the place or transition */
  uint32_t count; /* one; coloured: so many, from 'index' on */
} pnml_node;

/* What a node of the file has become: itself, or, in a coloured net, 'count'
** places or transitions side by side. */
typedef struct pnml_group {
  uint32_t first, count;
} pnml_group;

typedef struct pnml_net {
  const char *id;
  pnml_place *places;
  uint32_t place_count;
  pnml_transition *transitions;
  uint32_t transition_count;
  bool inhibited;     /* some arc inhibits */
  bool safe;          /* NUPN: every place of a unit is */
  bool coloured;      /* it was unfolded: see colours.h */
  const char *merged; /* sorts whose values are one each, since it is too large
                      ** otherwise: its markings cannot be counted; or NULL */
  /* The places and the transitions of the file, in its order. */
  pnml_group *place_groups, *transition_groups;
  uint32_t place_group_count, transition_group_count;
  uint32_t *ranked; /* the places by rank */
  pnml_node *nodes; /* a hash table, 'node_mask' + 1 slots */
  uint32_t node_mask;
  span where;
} pnml_net;

/* NULL with diagnostics when the file is not a place/transition net. */
pnml_net *pnml_read_net(arena *, names *, sources *, diags *, uint32_t file);

/* The node with this (interned) identifier, references followed; NULL: there
** is none. */
const pnml_node *pnml_find(const pnml_net *, const char *id);

/* Where the node with this identifier is in the table, or has room. */
uint32_t pnml_slot(const pnml_net *, const char *id);
/* What a page element stands for, if it is a node. */
bool pnml_kind_of(const xml_element *, pnml_kind *);

/* nupn.c: reads units from a 'toolspecific' element.  Sets ranks and what is
** safe; what cannot be understood is a warning. */
void pnml_read_units(pnml_net *, arena *, names *, diags *,
                     const xml_element *tool);

/* labels.c: the element with the text of the label 'name', <name><text>..; NULL
** when there is no such label. */
const xml_element *pnml_label(const xml_element *, const char *name);
/* The same, or an attribute of that name, as an element with its text. */
const xml_element *pnml_said(const xml_element *, const char *name, arena *);

/* A number of tokens, written as the text of 'e': "3", or "Default,3" by tools
** that know several kinds of tokens.  All tokens of a net must be of one kind;
** '*kind' is the first one met, interned, or NULL. */
bool pnml_tokens_of(const xml_element *e, names *, diags *, const char **kind,
                    const char *what, int32_t *value);

/* A whole number from 'least' up, written as the text of 'e'. */
bool pnml_number(const xml_element *e, diags *, int32_t least, const char *what,
                 int32_t *value);

#endif
