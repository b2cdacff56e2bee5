/* Looks at the moves of a claim under every letter, and asks whether letters
** may come twice or once less. */

#include "search/observer/stutter.h"

#include "base/alloc.h"

enum {
  ATOMS_MAX = 10, /* all letters over them are tried */
  PLACES_TRIED = 200
};

typedef struct letters {
  const process_type *claim;
  const expr *atoms[ATOMS_MAX];
  uint32_t atom_count;
  uint32_t places; /* of the claim, and the one after a failed assertion */
  uint32_t letter;
  uint8_t *moves; /* by place and place: can be moved to */
  VEC(uint32_t) pending;
  const char *trouble; /* the answer */
} letters;

/* ---- conditions -------------------------------------------------------- */

static uint32_t find_atom(const letters *l, const expr *e)
{
  uint32_t i = 0;
  while (i < l->atom_count && !expr_same(l->atoms[i], e))
    i++;
  return i;
}

/* False: there are too many of them. */
static bool collect_atoms(letters *l, const expr *e)
{
  if (!e || e->op == OP_CONST)
    return true;
  if (op_is_connective(e->op))
    return collect_atoms(l, e->args[0]) && collect_atoms(l, e->args[1]);
  uint32_t i = find_atom(l, e);
  if (i == ATOMS_MAX)
    return false;
  if (i == l->atom_count)
    l->atoms[l->atom_count++] = e;
  return true;
}

static bool is_true(const letters *l, const expr *e)
{
  switch (e->op) {
  case OP_CONST:
    return e->value;
  case OP_NOT:
    return !is_true(l, e->args[0]);
  case OP_AND:
    return is_true(l, e->args[0]) && is_true(l, e->args[1]);
  case OP_OR:
    return is_true(l, e->args[0]) || is_true(l, e->args[1]);
  case OP_IMPLY:
    return !is_true(l, e->args[0]) || is_true(l, e->args[1]);
  default:
    return l->letter >> find_atom(l, e) & 1;
  }
}

static bool collect_all(letters *l)
{
  for (size_t i = 0; i < l->claim->edges.len; i++) {
    const edge *e = l->claim->edges.data[i];
    if (!collect_atoms(l, e->guard))
      return false;
    for (size_t k = 0; k < e->effects.len; k++)
      if (e->effects.data[k]->kind == EFFECT_ASSERT &&
          !collect_atoms(l, e->effects.data[k]->value))
        return false;
  }
  return true;
}

/* ---- moves ------------------------------------------------------------- */

/* At its end a claim has seen enough, whatever follows. */
static bool is_last(const letters *l, uint32_t place)
{
  return place + 1 == l->places ||
         (l->claim->kind == PROCESS_NEVER &&
          l->claim->locations.data[place].flags & LOC_END);
}

static bool accepts(const letters *l, uint32_t place)
{
  return is_last(l, place) ||
         l->claim->locations.data[place].flags & LOC_ACCEPT;
}

static bool can_move(const letters *l, uint32_t from, uint32_t to)
{
  return l->moves[from * l->places + to];
}

static bool asserts(const letters *l, const edge *e)
{
  for (size_t i = 0; i < e->effects.len; i++)
    if (e->effects.data[i]->kind == EFFECT_ASSERT &&
        !is_true(l, e->effects.data[i]->value))
      return false;
  return true;
}

/* The moves from 'place', for one that began in 'first'. */
static void look_place(letters *l, uint32_t first, uint32_t place)
{
  const location *at = l->claim->locations.data + place;
  uint8_t *moves = l->moves + first * l->places;
  bool moved = false;
  for (uint32_t i = 0; i < at->edge_count; i++) {
    const edge *e = l->claim->order.data[at->first_edge + i];
    if (e->flags & EDGE_ELSE ? moved : e->guard && !is_true(l, e->guard))
      continue;
    moved = true;
    if (!asserts(l, e))
      moves[l->places - 1] = 1;
    else if (e->flags & EDGE_ATOMIC)
      vec_push(&l->pending, e->target);
    else
      moves[e->target] = 1;
  }
}

static void find_moves(letters *l, uint32_t first)
{
  for (uint32_t i = 0; i < l->places; i++)
    l->moves[first * l->places + i] = is_last(l, first) && i == first;
  if (is_last(l, first))
    return;
  vec_clear(&l->pending);
  vec_push(&l->pending, first);
  for (size_t i = 0; i < l->pending.len; i++) {
    bool seen = false;
    for (size_t k = 0; k < i; k++)
      seen |= l->pending.data[k] == l->pending.data[i];
    if (!seen)
      look_place(l, first, l->pending.data[i]);
  }
}

/* ---- the two conditions ------------------------------------------------ */

static bool takes_two(const letters *l, uint32_t from, uint32_t to)
{
  for (uint32_t i = 0; i < l->places; i++)
    if (can_move(l, from, i) && can_move(l, i, to))
      return true;
  return false;
}

/* Two moves by way of 'middle' can be one. */
static bool takes_one(const letters *l, uint32_t from, uint32_t middle)
{
  for (uint32_t i = 0; i < l->places; i++)
    if (can_move(l, middle, i) &&
        (!can_move(l, from, i) ||
         (accepts(l, middle) && !accepts(l, from) && !accepts(l, i))))
      return false;
  return true;
}

static bool is_closed(letters *l)
{
  for (uint32_t i = 0; i < l->places; i++)
    find_moves(l, i);
  for (uint32_t i = 0; i < l->places; i++)
    for (uint32_t k = 0; k < l->places; k++)
      if (can_move(l, i, k) && (!takes_two(l, i, k) || !takes_one(l, i, k)))
        return false;
  return true;
}

static const char *look_at_claim(letters *l)
{
  if (l->claim->locals.len)
    return "the claim has variables";
  l->places = (uint32_t)l->claim->locations.len + 1;
  if (l->places > PLACES_TRIED || !collect_all(l))
    return "the claim is too large to tell whether it counts steps";
  l->moves = mem_alloc((size_t)l->places * l->places);
  for (l->letter = 0; l->letter < 1u << l->atom_count; l->letter++)
    if (!is_closed(l))
      return "the claim may count steps";
  return NULL;
}

static void do_look(void *work)
{
  letters *l = work;
  l->trouble = look_at_claim(l);
}

static void tidy_letters(void *work)
{
  letters *l = work;
  if (l->moves)
    mem_free(l->moves, (size_t)l->places * l->places);
  vec_free(&l->pending);
}

const char *stutter_trouble(observer *o)
{
  if (o->kind == PROPERTY_LTL)
    return ltl_ignores_stuttering(o->context, o->formula)
               ? NULL
               : "the formula counts steps (X)";
  if (o->kind != PROPERTY_NEVER)
    return NULL;
  letters l = {.claim = o->claim};
  mem_protect_tidy(do_look, tidy_letters, &l);
  return l.trouble;
}
