/* From elements of XML to places, transitions and arcs, with what is not
** supported refused. */

#include "lang/pnml/pnml_net.h"

#include "base/hash.h"
#include "lang/pnml/colours.h"
#include <string.h>
#include <strings.h>

typedef struct building {
  pnml_net *net;
  arena *arena;
  names *names;
  diags *diags;
  uint32_t nodes, arcs;         /* elements in the file */
  const xml_element **arc_list; /* all arcs, of all pages */
  const xml_element *tool;      /* the units, or NULL */
  const char *kind;             /* of the tokens, where the net names it */
  const xml_element *timed, *priority; /* of the first transition with one */
  bool warned;                         /* that these are not looked at */
} building;

/* ---- names ------------------------------------------------------------- */

uint32_t pnml_slot(const pnml_net *net, const char *id)
{
  uint32_t at = (uint32_t)hash_mix((uintptr_t)id) & net->node_mask;
  while (net->nodes[at].id && net->nodes[at].id != id)
    at = (at + 1) & net->node_mask;
  return at;
}

static bool is_reference(const pnml_node *n)
{
  return n->kind == PNML_PLACE_REFERENCE ||
         n->kind == PNML_TRANSITION_REFERENCE;
}

/* References can form a ring, so a chain of them has an end here. */
enum { CHAIN_MAX = 1000 };

const pnml_node *pnml_find(const pnml_net *net, const char *id)
{
  for (uint32_t i = 0; id && i < CHAIN_MAX; i++) {
    const pnml_node *n = &net->nodes[pnml_slot(net, id)];
    if (!n->id || !is_reference(n))
      return n->id ? n : NULL;
    id = xml_value(n->element, "ref");
  }
  return NULL;
}

/* ---- nodes ------------------------------------------------------------- */

bool pnml_kind_of(const xml_element *e, pnml_kind *kind)
{
  static const char *const tags[] = {"place", "transition", "referencePlace",
                                     "referenceTransition"};
  for (unsigned i = 0; i < sizeof tags / sizeof tags[0]; i++)
    if (!strcmp(e->name, tags[i])) {
      *kind = (pnml_kind)i;
      return true;
    }
  return false;
}

/* Counts what is to be stored.  Pages nest no deeper than XML may. */
static void count_page(building *b, const xml_element *page)
{
  pnml_kind kind;
  for (const xml_element *e = page->children; e; e = e->next)
    if (pnml_kind_of(e, &kind)) {
      b->nodes++;
      b->net->place_count += kind == PNML_PLACE;
      b->net->transition_count += kind == PNML_TRANSITION;
    } else if (!strcmp(e->name, "arc")) {
      b->arcs++;
    } else if (!strcmp(e->name, "page")) {
      count_page(b, e);
    }
}

/* Tools that know capacities write 0 where there is none. */
static void read_capacity(building *b, const xml_element *e, pnml_place *p)
{
  const xml_element *capacity = pnml_label(e, "capacity");
  if (capacity && *capacity->text &&
      pnml_number(capacity, b->diags, 0, "the capacity", &p->capacity) &&
      p->capacity && p->tokens > p->capacity)
    diag_warn(b->diags, capacity->text_where,
              "place '%s' begins with more tokens than its capacity", p->id);
}

static void add_place(building *b, const xml_element *e, pnml_node *node)
{
  const xml_element *name = pnml_label(e, "name");
  const xml_element *marking = pnml_said(e, "initialMarking", b->arena);
  pnml_place *p = &b->net->places[b->net->place_count];
  node->index = p->rank = b->net->place_count++;
  p->id = node->id;
  p->name = name && *name->text ? name->text : p->id;
  p->where = e->where;
  if (xml_child(e, "hlinitialMarking"))
    diag_error(b->diags, e->where,
               "place '%s' has coloured tokens; only place/transition nets are "
               "supported",
               p->id);
  if (marking && *marking->text)
    pnml_tokens_of(marking, b->names, b->diags, &b->kind, "the initial marking",
                   &p->tokens);
  read_capacity(b, e, p);
}

/* Warns when a transition differs from an earlier one in the label 'name',
** which decides in other tools who goes first. */
static void compare_label(building *b, const xml_element *e, const char *name,
                          const xml_element **first)
{
  const xml_element *own = pnml_label(e, name);
  if (!own)
    return;
  if (!*first) {
    *first = own;
  } else if (!b->warned && strcmp((*first)->text, own->text)) {
    diag_warn(b->diags, own->text_where,
              "transitions differ in '%s'; that is not looked at, so more may "
              "happen than in tools where some transitions go first",
              name);
    b->warned = true;
  }
}

static void add_transition(building *b, const xml_element *e, pnml_node *node)
{
  const xml_element *name = pnml_label(e, "name");
  const xml_element *condition = xml_child(e, "condition");
  const char *guard = xml_value(e, "guard"); /* of nets with data */
  pnml_transition *t = &b->net->transitions[b->net->transition_count];
  node->index = b->net->transition_count++;
  t->id = node->id;
  t->name = name && *name->text ? name->text : t->id;
  t->where = e->where;
  if (condition || (guard && *guard && strcmp(guard, "true")))
    diag_error(b->diags, condition ? condition->where : e->where,
               "transition '%s' has a condition; only place/transition nets "
               "are supported",
               t->id);
  if (xml_child(e, "delay") && !b->warned) {
    diag_warn(b->diags, xml_child(e, "delay")->where,
              "times are not looked at: transitions fire in any order");
    b->warned = true;
  }
  compare_label(b, e, "timed", &b->timed);
  compare_label(b, e, "priority", &b->priority);
}

static void add_node(building *b, const xml_element *e, pnml_kind kind)
{
  const char *id = xml_value(e, "id");
  if (!id || !*id) {
    diag_error(b->diags, e->where, "<%s> has no id", e->name);
    return;
  }
  pnml_node *node = &b->net->nodes[pnml_slot(b->net, id)];
  if (node->id) {
    diag_error(b->diags, e->where, "there are two nodes with the id '%s'", id);
    diag_note(b->diags, node->element->where, "the other one");
    return;
  }
  *node = (pnml_node){id, e, kind, 0, 1};
  if (kind == PNML_PLACE)
    add_place(b, e, node);
  else if (kind == PNML_TRANSITION)
    add_transition(b, e, node);
}

/* <inputArc>, <inhibitorArc>, ...: passing over them would give another net. */
static bool ends_with_arc(const char *name)
{
  size_t n = strlen(name);
  return n > 3 && !strcmp(name + n - 3, "Arc");
}

static void read_page(building *b, const xml_element *page)
{
  pnml_kind kind;
  for (const xml_element *e = page->children; e && !diags_full(b->diags);
       e = e->next)
    if (pnml_kind_of(e, &kind))
      add_node(b, e, kind);
    else if (!strcmp(e->name, "arc"))
      b->arc_list[b->arcs++] = e;
    else if (!strcmp(e->name, "page"))
      read_page(b, e);
    else if (!strcmp(e->name, "toolspecific") && xml_value(e, "tool") &&
             !strcmp(xml_value(e, "tool"), "nupn"))
      b->tool = e;
    else if (!strcmp(e->name, "net"))
      diag_error(b->diags, e->where,
                 "a net inside of another one, the subprocess of a transition, "
                 "is not supported");
    else if (ends_with_arc(e->name))
      diag_error(b->diags, e->where, "<%s> is not known; arcs are called <arc>",
                 e->name);
}

static void check_reference(building *b, const xml_element *e)
{
  const char *id = xml_value(e, "id");
  const pnml_node *n = id ? &b->net->nodes[pnml_slot(b->net, id)] : NULL, *to;
  if (!n || n->element != e || !is_reference(n))
    return;
  to = pnml_find(b->net, id);
  if (!to)
    diag_error(b->diags, e->where, "'%s' refers to nothing", id);
  else if ((to->kind == PNML_PLACE) != (n->kind == PNML_PLACE_REFERENCE))
    diag_error(b->diags, e->where, "'%s' refers to a node of the other kind",
               id);
}

/* In the order of the file, not in that of the table of nodes, which differs
** from run to run. */
static void check_references(building *b, const xml_element *page)
{
  pnml_kind kind;
  for (const xml_element *e = page->children; e; e = e->next)
    if (pnml_kind_of(e, &kind))
      check_reference(b, e);
    else if (!strcmp(e->name, "page"))
      check_references(b, e);
}

/* ---- arcs -------------------------------------------------------------- */

typedef enum { ARC_NORMAL, ARC_INHIBITOR, ARC_READ, ARC_UNKNOWN } arc_kind;

/* An attribute, <type value=".."/>, or a label called "type" or "arctype":
** tools do not agree.  NULL: nothing is said. */
static const char *name_of_kind(const xml_element *e)
{
  const xml_element *child = xml_child(e, "type");
  const xml_element *label = pnml_label(e, "type");
  if (!label)
    label = pnml_label(e, "arctype");
  if (xml_value(e, "type"))
    return xml_value(e, "type");
  if (child && xml_value(child, "value"))
    return xml_value(child, "value");
  return label ? label->text : NULL;
}

static arc_kind kind_of_arc(building *b, const xml_element *e)
{
  const char *kind = name_of_kind(e);
  if (!kind || !*kind || !strcasecmp(kind, "normal"))
    return ARC_NORMAL;
  if (!strcasecmp(kind, "inhibitor"))
    return ARC_INHIBITOR;
  if (!strcasecmp(kind, "read") || !strcasecmp(kind, "test"))
    return ARC_READ;
  diag_error(b->diags, e->where, "arcs of type '%s' are not supported", kind);
  return ARC_UNKNOWN;
}

static const pnml_node *arc_end(building *b, const xml_element *e,
                                const char *which)
{
  const char *id = xml_value(e, which);
  const pnml_node *n = pnml_find(b->net, id);
  if (!id)
    diag_error(b->diags, e->where, "the arc has no %s", which);
  else if (!n)
    diag_error(b->diags, e->where, "there is no node '%s', the %s of this arc",
               id, which);
  return n;
}

/* An arc with all that belongs to it found. */
typedef struct arc {
  uint32_t transition, place;
  arc_kind kind;
  bool to_place;
  int32_t weight;
} arc;

static bool weight_of(building *b, const xml_element *e, int32_t *weight)
{
  const xml_element *inscription = pnml_label(e, "inscription");
  if (!inscription)
    inscription = pnml_said(e, "weight", b->arena);
  *weight = 1;
  if (xml_child(e, "hlinscription")) {
    diag_error(b->diags, e->where,
               "the arc has an inscription of a coloured net; only "
               "place/transition nets are supported");
    return false;
  }
  return !inscription || !*inscription->text ||
         pnml_tokens_of(inscription, b->names, b->diags, &b->kind,
                        "the weight of the arc", weight);
}

static bool read_arc(building *b, const xml_element *e, arc *a)
{
  const pnml_node *from = arc_end(b, e, "source");
  const pnml_node *to = arc_end(b, e, "target");
  a->kind = kind_of_arc(b, e);
  if (!from || !to || a->kind == ARC_UNKNOWN || !weight_of(b, e, &a->weight))
    return false;
  if (from->kind == to->kind) {
    diag_error(b->diags, e->where, "the arc joins two %ss",
               from->kind == PNML_PLACE ? "place" : "transition");
    return false;
  }
  a->to_place = to->kind == PNML_PLACE;
  a->place = a->to_place ? to->index : from->index;
  a->transition = a->to_place ? from->index : to->index;
  if (a->to_place && a->kind == ARC_INHIBITOR) {
    diag_error(b->diags, e->where,
               "an inhibitor arc leads from a place to a transition");
    return false;
  }
  return true;
}

static pnml_touch *touch_of(pnml_transition *t, uint32_t place)
{
  for (uint32_t i = 0; i < t->touch_count; i++)
    if (t->touches[i].place == place)
      return &t->touches[i];
  t->touches[t->touch_count] = (pnml_touch){.place = place};
  return &t->touches[t->touch_count++];
}

/* Adds to a weight; the sum must be a weight as well. */
static void add_weight(building *b, int32_t *sum, int32_t weight, span where)
{
  if (*sum > PNML_TOKENS_MAX - weight)
    diag_error(b->diags, where, "the arcs have too much weight together");
  else
    *sum += weight;
}

/* Enabled only below 'limit' tokens.  Fewer than 0: never; -1 says that. */
static void inhibit(pnml_net *net, pnml_touch *touch, int64_t limit)
{
  int32_t below = limit > 0 ? (int32_t)limit : -1;
  net->inhibited = true;
  if (!touch->below || below < touch->below)
    touch->below = below;
}

static void put_arc(building *b, const arc *a, span where)
{
  if (!a->weight && a->kind != ARC_INHIBITOR)
    return; /* moves nothing */
  pnml_touch *touch = touch_of(&b->net->transitions[a->transition], a->place);
  if (a->kind == ARC_INHIBITOR) {
    inhibit(b->net, touch, a->weight);
    return;
  }
  if (!a->to_place || a->kind == ARC_READ)
    add_weight(b, &touch->take, a->weight, where);
  if (a->to_place || a->kind == ARC_READ)
    add_weight(b, &touch->put, a->weight, where);
}

/* A transition that adds to a place is enabled only when what it leaves there
** is no more than the capacity: an inhibitor arc of the right weight. */
static void keep_capacities(pnml_net *net)
{
  for (uint32_t i = 0; i < net->transition_count; i++)
    for (uint32_t k = 0; k < net->transitions[i].touch_count; k++) {
      pnml_touch *x = &net->transitions[i].touches[k];
      int64_t capacity = net->places[x->place].capacity;
      /* The greatest capacity keeps nobody from anything. */
      if (capacity && capacity < PNML_TOKENS_MAX && x->put > x->take)
        inhibit(net, x, capacity - ((int64_t)x->put - x->take) + 1);
    }
}

/* Arcs come in any order: they are counted for each transition first. */
static void read_arcs(building *b)
{
  pnml_net *net = b->net;
  arc *arcs = ARENA_ARRAY(b->arena, arc, b->arcs + 1);
  bool *good = ARENA_ARRAY(b->arena, bool, b->arcs + 1);
  uint32_t *counts = ARENA_ARRAY(b->arena, uint32_t, net->transition_count + 1);
  for (uint32_t i = 0; i < b->arcs && !diags_full(b->diags); i++) {
    good[i] = read_arc(b, b->arc_list[i], &arcs[i]);
    if (good[i])
      counts[arcs[i].transition]++;
  }
  for (uint32_t i = 0; i < net->transition_count; i++)
    net->transitions[i].touches =
        ARENA_ARRAY(b->arena, pnml_touch, counts[i] + 1);
  for (uint32_t i = 0; i < b->arcs; i++)
    if (good[i])
      put_arc(b, &arcs[i], b->arc_list[i]->where);
  keep_capacities(net);
}

/* ---- whole nets -------------------------------------------------------- */

static bool contains(const char *kind, const char *word)
{
  return strcasestr(kind, word) != NULL;
}

/* Place/transition nets have had several names. */
static bool is_supported(diags *d, const xml_element *net)
{
  const char *kind = xml_value(net, "type");
  if (!kind || !*kind || contains(kind, "ptnet") || contains(kind, "P/T") ||
      contains(kind, "pnmlcore") || contains(kind, "epnml") ||
      contains(kind, "basicpnml") || contains(kind, "symmetric"))
    return true;
  if (contains(kind, "highlevel") || contains(kind, "hlpn") ||
      contains(kind, "colo"))
    diag_error(d, net->where,
               "this is a coloured net of a general kind ('%s'); only "
               "place/transition nets and symmetric nets are supported: unfold "
               "it first",
               kind);
  else
    diag_error(d, net->where,
               "nets of type '%s' are not supported, only place/transition "
               "nets",
               kind);
  return false;
}

static const xml_element *only_net(diags *d, const xml_element *root)
{
  if (strcmp(root->name, "pnml")) {
    diag_error(d, root->where, "expected <pnml>, found <%s>", root->name);
    return NULL;
  }
  const xml_element *net = xml_child(root, "net");
  if (!net) {
    diag_error(d, root->where, "there is no net in this file");
    return NULL;
  }
  for (const xml_element *e = net->next; e; e = e->next)
    if (!strcmp(e->name, "net")) {
      diag_error(d, e->where, "there is more than one net in this file");
      diag_note(d, net->where, "the first one");
      return NULL;
    }
  return is_supported(d, net) ? net : NULL;
}

static void make_room(building *b)
{
  pnml_net *net = b->net;
  uint32_t slots = 16;
  while (slots < 2 * (uint64_t)b->nodes)
    slots *= 2;
  net->places = ARENA_ARRAY(b->arena, pnml_place, net->place_count + 1);
  net->ranked = ARENA_ARRAY(b->arena, uint32_t, net->place_count + 1);
  net->transitions =
      ARENA_ARRAY(b->arena, pnml_transition, net->transition_count + 1);
  net->nodes = ARENA_ARRAY(b->arena, pnml_node, slots);
  net->node_mask = slots - 1;
  b->arc_list = ARENA_ARRAY(b->arena, const xml_element *, b->arcs + 1);
  net->place_count = net->transition_count = b->arcs = 0;
}

static pnml_group *single_groups(arena *a, uint32_t count)
{
  pnml_group *list = ARENA_ARRAY(a, pnml_group, count + 1);
  for (uint32_t i = 0; i < count; i++)
    list[i] = (pnml_group){i, 1};
  return list;
}

static void make_groups(pnml_net *net, arena *a)
{
  net->place_groups = single_groups(a, net->place_count);
  net->transition_groups = single_groups(a, net->transition_count);
  net->place_group_count = net->place_count;
  net->transition_group_count = net->transition_count;
}

pnml_net *pnml_read_net(arena *a, names *n, sources *s, diags *d, uint32_t file)
{
  size_t before = diags_errors(d);
  const xml_element *root = xml_read(a, n, s, d, file, "graphics");
  const xml_element *e = root ? only_net(d, root) : NULL;
  if (!e)
    return NULL;
  building b = {
      .net = ARENA_NEW(a, pnml_net), .arena = a, .names = n, .diags = d};
  b.net->where = e->where;
  b.net->id = xml_value(e, "id");
  if (xml_value(e, "type") && contains(xml_value(e, "type"), "symmetric"))
    return pnml_unfold(b.net, a, n, d, e) ? b.net : NULL;
  count_page(&b, e);
  make_room(&b);
  read_page(&b, e);
  check_references(&b, e);
  read_arcs(&b);
  for (uint32_t i = 0; i < b.net->place_count; i++)
    b.net->ranked[i] = i;
  make_groups(b.net, a);
  if (b.tool)
    pnml_read_units(b.net, a, n, d, b.tool);
  return diags_errors(d) > before ? NULL : b.net;
}
