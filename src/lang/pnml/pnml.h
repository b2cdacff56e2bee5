/* PNML, the interchange format of Petri nets: from a file to a model, and the
** formulas of the Model Checking Contest over it.
**
** A net becomes one process with one location and an edge per transition;
** its places are global variables.  How many tokens a place may get is not
** known before the states are: a place begins with a bit (NUPN says that it is
** safe) or a byte, and a step that does not fit is a fault (programs of nets
** are always made with 'check_overflow').  Then the search starts over with a
** program whose places 'pnml_widen' made wider, so that no state is lost. */

#ifndef NUT_LANG_PNML_PNML_H
#define NUT_LANG_PNML_PNML_H

#include "lang/pnml/pnml_net.h"

/* A checked model of the net in the source 'file'; NULL with diagnostics. */
model *pnml_read(arena *, names *, sources *, diags *, uint32_t file);

/* The same of a net that was not read but made; 'name' is that of the file. */
model *pnml_model(arena *, names *, sources *, diags *, pnml_net *,
                  const char *name);

/* The net of a model read by 'pnml_read'. */
const pnml_net *pnml_net_of(const model *);

/* A condition over places: "p1 + p2 <= 3 && fireable(t1, t2)". */
expr *pnml_read_condition(model *, diags *, uint32_t file);
extern const model_language pnml_facts;
/* pnml_picture.c: the net, to be drawn. */
void pnml_picture(const model *, struct net_picture *);

/* The place that a fault at 'where' (an overflow) is about, or NULL. */
const pnml_place *pnml_place_at(const model *, span where);
/* The types of the globals as the model has them, for program_options. */
type *pnml_types(const model *, arena *);
/* Gives 'place', and all others of its width, the next one in 'types'.  False:
** there is none. */
bool pnml_widen(const model *, const pnml_place *, type *types);

/* ---- formulas ---------------------------------------------------------- */

typedef enum {
  FORMULA_INVARIANT, /* AG expr */
  FORMULA_REACH,     /* EF expr */
  FORMULA_BOUND,     /* greatest sum of tokens in 'places' */
  FORMULA_LTL,       /* 'ltl' is true of all runs */
  FORMULA_CTL,       /* 'ctl' */
  FORMULA_OTHER      /* neither: not checked here */
} formula_kind;

typedef struct pnml_formula {
  const char *id;
  formula_kind kind;
  expr *expr;
  const struct ltl *ltl; /* LTL */
  const struct ctl *ctl; /* CTL */
  const char *text;      /* INVARIANT, REACH, LTL, CTL: in our notation */
  uint32_t *places;
  uint32_t place_count;
  span where;
} pnml_formula;

typedef struct pnml_formulas {
  pnml_formula *list;
  uint32_t count;
} pnml_formulas;

/* Reads the contest's XML; false with diagnostics. */
bool pnml_read_formulas(model *, diags *, uint32_t file, pnml_formulas *);

/* ---- parts of the reader, for its files -------------------------------- */

typedef struct pnml_translating {
  model *model;
  const pnml_net *net;
  diags *diags;
  bool other; /* a path operator where none is expected: CTL or LTL */
  text shown; /* the formula being read, in our notation */
} pnml_translating;

/* An expression from an element without path operators; NULL, with 'other' set
** where it has one, or with diagnostics. */
expr *pnml_read_state(pnml_translating *, const xml_element *);
/* A formula of CTL (pnml_formula_ctl.c); NULL likewise, when it is LTL. */
const struct ctl *pnml_read_ctl(pnml_translating *, const xml_element *);

expr *pnml_tokens(model *, const pnml_place *, span);
/* Whether a transition is enabled. */
expr *pnml_fireable(model *, const pnml_transition *, span);
/* The same for all that a node stands for: the sum of their tokens, whether one
** of them is enabled. */
expr *pnml_tokens_of_node(model *, const pnml_node *, span);
expr *pnml_fireable_node(model *, const pnml_node *, span);

#endif
