/* Unfolds a coloured net: places by the values of their sorts, transitions by
** the bindings of their variables.
**
** Bindings are tried variable by variable; a part of the condition is looked at
** as soon as all its variables have values. */

#include "lang/pnml/colours.h"

#include <string.h>

enum { PARTS_MAX = 64, VARIABLES_MAX = 200 };

typedef struct coloured_place {
  const xml_element *element;
  const colour_sort *sort;
  uint32_t first; /* of the unfolded places */
} coloured_place;

typedef struct coloured_arc {
  uint32_t place; /* coloured */
  bool to_place;
  const xml_element *term; /* NULL: one dot, */
  int32_t weight;          /* so many times */
  const xml_element *element;
} coloured_arc;

typedef struct coloured_transition {
  const xml_element *element;
  coloured_arc *arcs;
  uint32_t arc_count;
} coloured_transition;

typedef struct unfolding {
  colours colours;
  pnml_net *net;
  arena *arena;
  names *names;
  diags *diags;
  coloured_place *places;
  coloured_transition *transitions;
  const xml_element **arcs;
  uint32_t place_count, transition_count, arc_count, node_count;
  uint32_t variable_count;
  uint32_t room; /* of net->transitions */
  /* The transition at hand. */
  const coloured_transition *at;
  colour_binding binding;
  const xml_element *parts[PARTS_MAX]; /* of its condition, */
  uint32_t part_needs[PARTS_MAX];      /* variables needed, from the first on */
  uint32_t part_count;
  bool counts; /* bindings are only counted, */
  uint32_t counted;
  bool good;
} unfolding;

/* ---- nodes ---------------------------------------------------------------- */

static void count_page(unfolding *u, const xml_element *page)
{
  pnml_kind kind;
  for (const xml_element *e = page->children; e; e = e->next)
    if (pnml_kind_of(e, &kind)) {
      u->place_count += kind == PNML_PLACE;
      u->transition_count += kind == PNML_TRANSITION;
      u->node_count++;
    } else if (!strcmp(e->name, "arc")) {
      u->arc_count++;
    } else if (!strcmp(e->name, "page")) {
      count_page(u, e);
    }
}

static void make_table(pnml_net *net, arena *a, uint64_t nodes)
{
  uint32_t slots = 16;
  while (slots < 2 * nodes)
    slots *= 2;
  net->nodes = ARENA_ARRAY(a, pnml_node, slots);
  net->node_mask = slots - 1;
}

static void add_node(unfolding *u, const xml_element *e, pnml_kind kind)
{
  const char *id = xml_value(e, "id");
  if (!id || !*id) {
    diag_error(u->diags, e->where, "<%s> has no id", e->name);
    return;
  }
  pnml_node *node = &u->net->nodes[pnml_slot(u->net, id)];
  if (node->id) {
    diag_error(u->diags, e->where, "there are two nodes with the id '%s'", id);
    return;
  }
  *node = (pnml_node){id, e, kind, 0, 1};
  if (kind == PNML_PLACE) {
    node->index = u->place_count;
    u->places[u->place_count++] = (coloured_place){.element = e};
  } else if (kind == PNML_TRANSITION) {
    node->index = u->transition_count;
    u->transitions[u->transition_count++] = (coloured_transition){.element = e};
  }
}

static void read_page(unfolding *u, const xml_element *page)
{
  pnml_kind kind;
  for (const xml_element *e = page->children; e && !diags_full(u->diags);
       e = e->next)
    if (pnml_kind_of(e, &kind))
      add_node(u, e, kind);
    else if (!strcmp(e->name, "arc"))
      u->arcs[u->arc_count++] = e;
    else if (!strcmp(e->name, "page"))
      read_page(u, e);
}

/* ---- arcs ----------------------------------------------------------------- */

static const xml_element *structure_of(const xml_element *e, const char *label)
{
  const xml_element *outer = xml_child(e, label);
  const xml_element *inner = outer ? xml_child(outer, "structure") : NULL;
  return inner ? inner->children : NULL;
}

static bool find_ends(unfolding *u, const xml_element *e, coloured_arc *arc,
                      uint32_t *transition)
{
  const pnml_node *from = pnml_find(u->net, xml_value(e, "source"));
  const pnml_node *to = pnml_find(u->net, xml_value(e, "target"));
  const char *kind = xml_value(e, "type");
  if (!from || !to || from->kind == to->kind) {
    diag_error(u->diags, e->where,
               "an arc joins a place and a transition of the net");
    return false;
  }
  if (kind && strcmp(kind, "normal")) {
    diag_error(u->diags, e->where,
               "arcs of type '%s' are not supported in coloured nets", kind);
    return false;
  }
  arc->to_place = to->kind == PNML_PLACE;
  arc->place = arc->to_place ? to->index : from->index;
  *transition = arc->to_place ? from->index : to->index;
  return true;
}

static bool read_inscription(unfolding *u, const xml_element *e,
                             coloured_arc *arc)
{
  const xml_element *weight = pnml_label(e, "inscription");
  const colour_sort *sort = u->places[arc->place].sort;
  arc->element = e;
  arc->weight = 1;
  arc->term = structure_of(e, "hlinscription");
  if (arc->term)
    return true;
  if (!sort || sort->size != 1) {
    diag_error(u->diags, e->where,
               "the arc has no inscription, and its place is coloured");
    return false;
  }
  return !weight || !*weight->text ||
         pnml_number(weight, u->diags, 0, "the weight of the arc",
                     &arc->weight);
}

/* Arcs are counted for each transition first. */
static void read_arcs(unfolding *u)
{
  coloured_arc *arcs = ARENA_ARRAY(u->arena, coloured_arc, u->arc_count + 1);
  uint32_t *owners = ARENA_ARRAY(u->arena, uint32_t, u->arc_count + 1);
  bool *good = ARENA_ARRAY(u->arena, bool, u->arc_count + 1);
  for (uint32_t i = 0; i < u->arc_count && !diags_full(u->diags); i++) {
    good[i] = find_ends(u, u->arcs[i], &arcs[i], &owners[i]) &&
              read_inscription(u, u->arcs[i], &arcs[i]);
    if (good[i])
      u->transitions[owners[i]].arc_count++;
  }
  for (uint32_t t = 0; t < u->transition_count; t++) {
    coloured_transition *x = &u->transitions[t];
    x->arcs = ARENA_ARRAY(u->arena, coloured_arc, x->arc_count + 1);
    x->arc_count = 0;
  }
  for (uint32_t i = 0; i < u->arc_count; i++)
    if (good[i]) {
      coloured_transition *x = &u->transitions[owners[i]];
      x->arcs[x->arc_count++] = arcs[i];
    }
}

/* ---- places --------------------------------------------------------------- */

static void read_sorts(unfolding *u)
{
  for (uint32_t p = 0; p < u->place_count; p++) {
    coloured_place *x = &u->places[p];
    const xml_element *said = structure_of(x->element, "type");
    x->sort = said ? colours_sort(&u->colours, said) : u->colours.dot;
  }
}

static void place_values(unfolding *u)
{
  uint64_t all = 0;
  for (uint32_t p = 0; p < u->place_count; p++) {
    coloured_place *x = &u->places[p];
    x->first = (uint32_t)all;
    all += x->sort->size;
    if (all > COLOUR_VALUES_MAX) {
      diag_error(u->diags, x->element->where,
                 "the net unfolds to more than %d places", COLOUR_VALUES_MAX);
      return;
    }
  }
  u->net->place_count = (uint32_t)all;
  u->net->places = ARENA_ARRAY(u->arena, pnml_place, all + 1);
  u->net->ranked = ARENA_ARRAY(u->arena, uint32_t, all + 1);
}

static void read_marking(unfolding *u, const coloured_place *x)
{
  const xml_element *term = structure_of(x->element, "hlinitialMarking");
  const xml_element *plain = pnml_label(x->element, "initialMarking");
  pnml_place *places = u->net->places + x->first;
  colour_bag bag = {0};
  if (!term) {
    if (plain && *plain->text && (uint64_t)x->sort->size * x->sort->each == 1)
      pnml_number(plain, u->diags, 0, "the initial marking", &places[0].tokens);
    return;
  }
  if (!colour_add(&u->colours, term, x->sort, NULL, 1, &bag))
    return;
  if (!colour_bag_close(&bag)) {
    diag_error(u->diags, term->where,
               "the initial marking has numbers below 0 or above %d",
               PNML_TOKENS_MAX);
    return;
  }
  for (uint32_t i = 0; i < bag.count; i++)
    places[bag.list[i].value].tokens = (int32_t)bag.list[i].count;
}

static void unfold_place(unfolding *u, const coloured_place *x)
{
  const char *id = xml_value(x->element, "id");
  int32_t most = 0;
  for (uint32_t i = 0; i < x->sort->size; i++) {
    pnml_place *p = &u->net->places[x->first + i];
    const char *value = colour_text(&u->colours, x->sort, i);
    const char *name = *value ? arena_printf(u->arena, "%s.%s", id, value) : id;
    p->id = p->name = name_of(u->names, name);
    p->where = x->element->where;
    p->rank = x->first + i;
    u->net->ranked[x->first + i] = x->first + i;
  }
  read_marking(u, x);
  for (uint32_t i = 0; i < x->sort->size; i++)
    if (u->net->places[x->first + i].tokens > most)
      most = u->net->places[x->first + i].tokens;
  for (uint32_t i = 0; i < x->sort->size; i++)
    u->net->places[x->first + i].room = most;
}

/* ---- transitions ---------------------------------------------------------- */

static pnml_transition *add_transition(unfolding *u)
{
  pnml_net *net = u->net;
  if (net->transition_count == u->room) {
    uint32_t room = 2 * u->room + 16;
    pnml_transition *more = ARENA_ARRAY(u->arena, pnml_transition, room);
    if (net->transition_count)
      memcpy(more, net->transitions, net->transition_count * sizeof *more);
    net->transitions = more;
    u->room = room;
  }
  return &net->transitions[net->transition_count++];
}

/* "take(x=1,y=2)" */
static const char *name_binding(unfolding *u, const char *id)
{
  const colour_binding *b = &u->binding;
  const char *made = id;
  for (uint32_t i = 0; i < b->count; i++)
    made = arena_printf(
        u->arena, "%s%c%s=%s", made, i ? ',' : '(', b->variables[i]->name,
        colour_text(&u->colours, b->variables[i]->sort, b->values[i]));
  return b->count ? arena_printf(u->arena, "%s)", made) : id;
}

static pnml_touch *touch_of(pnml_transition *t, uint32_t place)
{
  for (uint32_t i = 0; i < t->touch_count; i++)
    if (t->touches[i].place == place)
      return &t->touches[i];
  t->touches[t->touch_count] = (pnml_touch){.place = place};
  return &t->touches[t->touch_count++];
}

/* What the arc moves with this binding; false: it cannot be said. */
static bool evaluate(unfolding *u, const coloured_arc *x, colour_bag *bag)
{
  const coloured_place *p = &u->places[x->place];
  if (!x->term) {
    bag->list = bag->few;
    bag->room = COLOUR_FEW;
    bag->few[bag->count++] = (colour_count){0, x->weight};
    return colour_bag_close(bag);
  }
  if (!colour_add(&u->colours, x->term, p->sort, &u->binding, 1, bag))
    return false;
  if (colour_bag_close(bag))
    return true;
  diag_error(u->diags, x->element->where,
             "the arc takes away values that it does not have, or has more "
             "than %d of one",
             PNML_TOKENS_MAX);
  return false;
}

static bool put_arc(unfolding *u, pnml_transition *t, const coloured_arc *x,
                    const colour_bag *bag)
{
  for (uint32_t i = 0; i < bag->count; i++) {
    pnml_touch *touch =
        touch_of(t, u->places[x->place].first + bag->list[i].value);
    int32_t *sum = x->to_place ? &touch->put : &touch->take;
    if (bag->list[i].count > PNML_TOKENS_MAX - *sum) {
      diag_error(u->diags, x->element->where,
                 "the arcs have too much weight together");
      return false;
    }
    *sum += (int32_t)bag->list[i].count;
  }
  return true;
}

/* The transition with the binding as it is. */
static void unfold_binding(unfolding *u)
{
  const coloured_transition *at = u->at;
  colour_bag *bags = ARENA_ARRAY(u->arena, colour_bag, at->arc_count + 1);
  uint32_t all = 0;
  for (uint32_t i = 0; i < at->arc_count && u->good; i++) {
    u->good = evaluate(u, &at->arcs[i], &bags[i]);
    all += bags[i].count;
  }
  if (u->good && u->net->transition_count >= COLOUR_VALUES_MAX) {
    diag_error(u->diags, at->element->where,
               "the net unfolds to more than %d transitions",
               COLOUR_VALUES_MAX);
    u->good = false;
  }
  if (!u->good)
    return;
  pnml_transition *t = add_transition(u);
  t->id = t->name =
      name_of(u->names, name_binding(u, xml_value(at->element, "id")));
  t->where = at->element->where;
  t->touches = ARENA_ARRAY(u->arena, pnml_touch, all + 1);
  for (uint32_t i = 0; i < at->arc_count && u->good; i++)
    u->good = put_arc(u, t, &at->arcs[i], &bags[i]);
}

static bool allows(unfolding *u, uint32_t bound)
{
  for (uint32_t i = 0; i < u->part_count && u->good; i++)
    if (u->part_needs[i] == bound &&
        !colour_holds(&u->colours, u->parts[i], &u->binding, &u->good))
      return false;
  return u->good;
}

/* Gives the variables from 'bound' on all their values. */
static void bind(unfolding *u, uint32_t bound)
{
  mem_poll();
  if (!allows(u, bound))
    return;
  if (bound == u->binding.count) {
    if (!u->counts)
      unfold_binding(u);
    else
      u->good = ++u->counted <= COLOUR_VALUES_MAX;
    return;
  }
  uint32_t size = u->binding.variables[bound]->sort->size;
  for (uint32_t i = 0; i < size && u->good; i++) {
    u->binding.values[bound] = i;
    bind(u, bound + 1);
  }
}

/* Takes a conjunction apart. */
static void add_part(unfolding *u, const xml_element *e)
{
  if (!strcmp(e->name, "and") && u->part_count + 8 < PARTS_MAX) {
    for (const xml_element *s = e->children; s; s = s->next)
      if (s->children)
        add_part(u, s->children);
    return;
  }
  if (u->part_count == PARTS_MAX) {
    diag_error(u->diags, e->where, "the condition has too many parts");
    u->good = false;
    return;
  }
  u->parts[u->part_count++] = e;
}

/* How many of the variables must have values before a part can be looked at. */
static uint32_t needs_of(unfolding *u, const xml_element *part, uint32_t all)
{
  colour_binding own = {ARENA_ARRAY(u->arena, const colour_variable *, all + 1),
                        NULL, 0};
  uint32_t most = 0;
  colour_variables(&u->colours, part, &own);
  for (uint32_t i = 0; i < own.count; i++) {
    uint32_t index = binding_index(&u->binding, own.variables[i]);
    if (index + 1 > most)
      most = index + 1;
  }
  return most;
}

/* Takes a transition to hand: its variables and the parts of its condition. */
static void begin_transition(unfolding *u, const coloured_transition *x)
{
  const xml_element *condition = structure_of(x->element, "condition");
  uint32_t variables = u->variable_count;
  u->at = x;
  u->binding.count = u->part_count = 0;
  for (uint32_t i = 0; i < x->arc_count; i++)
    if (x->arcs[i].term)
      colour_variables(&u->colours, x->arcs[i].term, &u->binding);
  if (condition) {
    colour_variables(&u->colours, condition, &u->binding);
    add_part(u, condition);
  }
  if (u->binding.count > VARIABLES_MAX) {
    diag_error(u->diags, x->element->where,
               "the transition has more than %d variables", VARIABLES_MAX);
    u->good = false;
    return;
  }
  for (uint32_t i = 0; i < u->part_count; i++)
    u->part_needs[i] = needs_of(u, u->parts[i], variables);
}

static void unfold_transition(unfolding *u, const coloured_transition *x)
{
  begin_transition(u, x);
  if (u->good)
    bind(u, 0);
}

/* ---- values that behave alike --------------------------------------------- */

static void tell_apart(unfolding *u)
{
  colour_binding taken = {
      ARENA_ARRAY(u->arena, const colour_variable *, u->variable_count + 1),
      NULL, 0};
  for (uint32_t p = 0; p < u->place_count; p++)
    colours_use(&u->colours, u->places[p].sort);
  for (uint32_t t = 0; t < u->transition_count; t++) {
    const coloured_transition *x = &u->transitions[t];
    const xml_element *condition = structure_of(x->element, "condition");
    taken.count = 0;
    for (uint32_t i = 0; i < x->arc_count; i++)
      if (x->arcs[i].term && !x->arcs[i].to_place)
        colours_tell_taken(&u->colours, x->arcs[i].term,
                           u->places[x->arcs[i].place].sort, &taken);
    if (condition)
      colours_tell_condition(&u->colours, condition);
  }
}

/* An estimate from above, without conditions. */
static double most_bindings(unfolding *u)
{
  double all = 0;
  for (uint32_t t = 0; t < u->transition_count && u->good; t++) {
    double product = 1;
    begin_transition(u, &u->transitions[t]);
    for (uint32_t i = 0; i < u->binding.count; i++)
      product *= u->binding.variables[i]->sort->size;
    all += product;
  }
  return all;
}

static bool has_too_many_bindings(unfolding *u)
{
  bool good = u->good;
  if (most_bindings(u) <= COLOUR_VALUES_MAX || !u->good)
    return false;
  u->counts = true;
  for (uint32_t t = 0; t < u->transition_count && u->good; t++)
    unfold_transition(u, &u->transitions[t]);
  u->counts = false;
  u->good = good;
  return u->counted > COLOUR_VALUES_MAX;
}

static bool is_too_large(unfolding *u)
{
  uint64_t places = 0;
  for (uint32_t p = 0; p < u->place_count; p++)
    places += u->places[p].sort->size;
  return u->colours.wide || places > COLOUR_VALUES_MAX ||
         has_too_many_bindings(u);
}

static void merge_alike(unfolding *u)
{
  tell_apart(u);
  if (colours_can_merge(&u->colours) && is_too_large(u)) {
    u->net->merged = colours_merge(&u->colours);
    diag_warn(u->diags, u->net->where,
              "the net is too large to be unfolded; the values of %s behave "
              "alike and are not told apart",
              u->net->merged);
  }
  if (u->colours.wide)
    diag_error(u->diags, u->colours.wide->where,
               "the product has more than %d values", COLOUR_VALUES_MAX);
}

/* ---- names ---------------------------------------------------------------- */

/* Places and transitions of the file, and what they have become; a name that
** is taken stays with who has it. */
static void put_node(pnml_net *net, pnml_node node)
{
  pnml_node *slot = &net->nodes[pnml_slot(net, node.id)];
  if (!slot->id)
    *slot = node;
}

static void name_all(unfolding *u, const uint32_t *first, uint32_t old_mask,
                     const pnml_node *old)
{
  pnml_net *net = u->net;
  make_table(net, u->arena,
             (uint64_t)u->node_count + net->place_count +
                 net->transition_count);
  for (uint32_t i = 0; i <= old_mask; i++) {
    pnml_node n = old[i];
    if (!n.id)
      continue;
    if (n.kind == PNML_PLACE) {
      n.count = u->places[n.index].sort->size;
      n.index = u->places[n.index].first;
    } else if (n.kind == PNML_TRANSITION) {
      n.count = first[n.index + 1] - first[n.index];
      n.index = first[n.index];
    }
    put_node(net, n);
  }
  for (uint32_t i = 0; i < net->place_count; i++)
    put_node(net, (pnml_node){net->places[i].id, NULL, PNML_PLACE, i, 1});
  for (uint32_t i = 0; i < net->transition_count; i++)
    put_node(net,
             (pnml_node){net->transitions[i].id, NULL, PNML_TRANSITION, i, 1});
}

static void group_all(unfolding *u, const uint32_t *first)
{
  pnml_net *net = u->net;
  net->place_group_count = u->place_count;
  net->transition_group_count = u->transition_count;
  net->place_groups = ARENA_ARRAY(u->arena, pnml_group, u->place_count + 1);
  net->transition_groups =
      ARENA_ARRAY(u->arena, pnml_group, u->transition_count + 1);
  for (uint32_t p = 0; p < u->place_count; p++)
    net->place_groups[p] =
        (pnml_group){u->places[p].first, u->places[p].sort->size};
  for (uint32_t t = 0; t < u->transition_count; t++)
    net->transition_groups[t] = (pnml_group){first[t], first[t + 1] - first[t]};
}

/* ---- the whole net -------------------------------------------------------- */

static void unfold_all(unfolding *u)
{
  const pnml_node *old = u->net->nodes;
  uint32_t old_mask = u->net->node_mask;
  uint32_t *first = ARENA_ARRAY(u->arena, uint32_t, u->transition_count + 1);
  for (uint32_t p = 0; p < u->place_count; p++)
    unfold_place(u, &u->places[p]);
  for (uint32_t t = 0; t < u->transition_count && u->good; t++) {
    unfold_transition(u, &u->transitions[t]);
    first[t + 1] = u->net->transition_count;
  }
  if (!u->good)
    return;
  name_all(u, first, old_mask, old);
  group_all(u, first);
}

static void make_binding(unfolding *u)
{
  for (const colour_variable *v = u->colours.variables; v; v = v->next)
    u->variable_count++;
  u->binding.variables =
      ARENA_ARRAY(u->arena, const colour_variable *, u->variable_count + 1);
  u->binding.values = ARENA_ARRAY(u->arena, uint32_t, u->variable_count + 1);
}

bool pnml_unfold(pnml_net *net, arena *a, names *n, diags *d,
                 const xml_element *e)
{
  size_t before = diags_errors(d);
  unfolding *u = ARENA_NEW(a, unfolding);
  *u = (unfolding){.colours = {.arena = a, .names = n, .diags = d},
                   .net = net,
                   .arena = a,
                   .names = n,
                   .diags = d,
                   .good = true};
  net->coloured = true;
  colours_declare(&u->colours, e);
  count_page(u, e);
  u->places = ARENA_ARRAY(a, coloured_place, u->place_count + 1);
  u->transitions = ARENA_ARRAY(a, coloured_transition, u->transition_count + 1);
  u->arcs = ARENA_ARRAY(a, const xml_element *, u->arc_count + 1);
  make_table(net, a, u->node_count);
  u->place_count = u->transition_count = u->arc_count = 0;
  read_page(u, e);
  read_sorts(u);
  if (diags_errors(d) == before)
    read_arcs(u);
  if (diags_errors(d) == before) {
    make_binding(u);
    merge_alike(u);
  }
  if (diags_errors(d) == before)
    place_values(u);
  if (diags_errors(d) == before)
    unfold_all(u);
  return diags_errors(d) == before;
}
