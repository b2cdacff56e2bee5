/* Coloured nets: symmetric nets of PNML, read and unfolded.
**
** A sort is a finite list of values, numbered from 0; a product has the last
** part change first.  A place of a sort becomes a place for each value, a
** transition one for each binding of its variables that its condition allows:
**
**   fork : {1, 2, 3}          fork.1  fork.2  fork.3
**   take, x : {1, 2, 3}       take(x=1)  take(x=2)  take(x=3)
**
** The coloured node keeps its name: it stands for all of them (pnml_node.count),
** in formulas for the sum of their tokens, or for one of them being enabled. */

#ifndef NUT_LANG_PNML_COLOURS_H
#define NUT_LANG_PNML_COLOURS_H

#include "base/vec.h"
#include "lang/pnml/pnml_net.h"

enum { COLOUR_VALUES_MAX = 1 << 22 }; /* of a sort, and of a net in all */

typedef struct colour_sort colour_sort;
struct colour_sort {
  const char *id;            /* NULL: it has no name */
  uint32_t size;             /* values that are told apart; of products at
                             ** most one more than COLOUR_VALUES_MAX */
  uint32_t each;             /* values that each of these stands for: one,
                             ** unless they were merged (colour_alike.c) */
  bool told;                 /* somebody looks which value it is */
  bool used;                 /* some place has such values */
  const char **constants;    /* enumerations: their ids; or NULL */
  int64_t start;             /* ranges: the first number */
  const colour_sort **parts; /* products; or NULL */
  uint32_t part_count;
  const colour_sort *of; /* partitions: what is divided, */
  uint32_t *class_of;    /* and the number of each value's element */
  colour_sort *next;
};

typedef struct colour_variable {
  const char *id, *name;
  const colour_sort *sort;
  struct colour_variable *next;
} colour_variable;

/* What is declared. */
typedef struct colours {
  arena *arena;
  names *names;
  diags *diags;
  colour_sort *sorts;
  colour_variable *variables;
  const colour_sort *dot;
  const xml_element *wide; /* the first product that is too large; or NULL */
} colours;

/* Reads <declaration>s of the net and its pages; errors are diagnostics. */
void colours_declare(colours *, const xml_element *net);
/* The sort of an element that says one (<usersort>, <dot>, <finiteintrange>, ..);
** NULL with a diagnostic. */
const colour_sort *colours_sort(colours *, const xml_element *);
const colour_variable *colours_variable(const colours *, const char *id);
/* The value of a sort whose constant, or element, is called so; -1: none. */
int64_t colour_constant(const colour_sort *, const char *id);
/* The text of a value, "red", "2", "red.2"; "" for a dot. */
const char *colour_text(colours *, const colour_sort *, uint32_t value);

/* ---- terms (colour_terms.c) ---------------------------------------------- */

/* Values with their numbers; may be negative between. */
typedef struct colour_count {
  uint32_t value;
  int64_t count;
} colour_count;

/* Starts as {0}, and is not copied: a few values need no further memory. */
enum { COLOUR_FEW = 4 };

typedef struct colour_bag {
  colour_count *list; /* NULL: empty so far */
  uint32_t count, room;
  colour_count few[COLOUR_FEW];
} colour_bag;

/* Variables of a transition with their values. */
typedef struct colour_binding {
  const colour_variable **variables;
  uint32_t *values;
  uint32_t count;
} colour_binding;

/* The number of a variable in a binding; 'count': it is not there. */
uint32_t binding_index(const colour_binding *, const colour_variable *);

/* Adds 'times' what a term says to the bag, values of 'sort'; false with a
** diagnostic. */
bool colour_add(colours *, const xml_element *term, const colour_sort *,
                const colour_binding *, int64_t times, colour_bag *);
/* Sorts a bag and makes it small: each value once, none without a number.
** False: some number is negative, or too great. */
bool colour_bag_close(colour_bag *);
/* Whether a condition holds; '*good' becomes false with a diagnostic. */
bool colour_holds(colours *, const xml_element *condition,
                  const colour_binding *, bool *good);
/* Adds the variables of a term that are not in the binding yet, which has room
** for all that are declared. */
void colour_variables(colours *, const xml_element *term, colour_binding *);

/* ---- values that behave alike (colour_alike.c) --------------------------- */

/* Marks the sorts that the values of a place are made of. */
void colours_use(colours *, const colour_sort *);
/* Marks sorts whose values a condition tells apart, or a term of sort 's' that a
** transition takes; 'taken' are its variables so far, with room for all. */
void colours_tell_condition(colours *, const xml_element *condition);
void colours_tell_taken(colours *, const xml_element *term,
                        const colour_sort *s, colour_binding *taken);
/* Whether some sort is left whose values nobody tells apart. */
bool colours_can_merge(colours *);
/* Makes one value of all values of each such sort; their names, with commas. */
const char *colours_merge(colours *);

/* ---- nets (colour_net.c) -------------------------------------------------- */

/* Reads and unfolds a symmetric net; false with diagnostics. */
bool pnml_unfold(pnml_net *, arena *, names *, diags *, const xml_element *net);

#endif
