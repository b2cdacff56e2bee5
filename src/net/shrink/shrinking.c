/* Applies rules to a fixed point, translates claims, and lifts paths. */

#include "net/shrink/shrinking.h"

#include "net/shrink/shrink_internal.h"
#include <string.h>

struct shrinking {
  arena *arena;
  const petri *first, *net;
  unsigned kinds, rules;
  bool *visible;    /* by place of 'net' */
  uint32_t *origin; /* likewise: a place of the first net */
  VEC(shrink_layer) layers;
  shrink_value *values; /* by place of the first net */
  uint32_t uses[SHRINK_RULES_];
  limits *limits; /* or NULL */
  /* For the maker. */
  const shrink_wish *asked;
};

/* ---- rules ----------------------------------------------------------------- */

static const unsigned keeps[] = {
#define RULE(name, text, kinds, meaning) kinds,
    SHRINK_RULES(RULE)
#undef RULE
};

const char *shrink_rule_text(shrink_rule rule)
{
  static const char *const words[] = {
#define RULE(name, text, kinds, meaning) text,
      SHRINK_RULES(RULE)
#undef RULE
  };
  return words[rule];
}

static shrink_apply *const applied[] = {
    [SHRINK_RULE_DEAD] = shrink_dead,
    [SHRINK_RULE_CONSTANT] = shrink_constant,
    [SHRINK_RULE_EQUAL] = shrink_equal,
    [SHRINK_RULE_IDENTICAL] = shrink_identical,
    [SHRINK_RULE_IMPLICIT] = shrink_implicit,
    [SHRINK_RULE_NEUTRAL] = shrink_neutral,
    [SHRINK_RULE_IRRELEVANT] = shrink_irrelevant,
    [SHRINK_RULE_BEHIND] = shrink_behind,
    [SHRINK_RULE_BEFORE] = shrink_before,
    [SHRINK_RULE_MOVES] = NULL, /* layers of their own */
    [SHRINK_RULE_ALIKE] = NULL,
};

static bool is_allowed(const shrinking *s, shrink_rule rule)
{
  return s->rules & 1u << rule && (keeps[rule] & s->kinds) == s->kinds;
}

/* Cheap rules again and again; after a change the first ones are tried again.
** Whether anything changed. */
static bool apply_rules(const shrinking *s, draft *d)
{
  bool any = false;
  for (int rule = 0; rule < SHRINK_RULES_;) {
    bool changed = applied[rule] && is_allowed(s, (shrink_rule)rule) &&
                   draft_works(d, d->place_count + d->transitions.len) &&
                   applied[rule](d);
    any |= changed;
    rule = changed && rule ? 0 : rule + 1;
  }
  return any;
}

/* ---- from drafts to nets ---------------------------------------------------- */

static uint32_t number_places(draft *d, arena *a, shrink_layer *l,
                              int32_t **tokens)
{
  uint32_t count = 0;
  l->values = ARENA_ARRAY(a, shrink_value, d->place_count + 1);
  *tokens = ARENA_ARRAY(a, int32_t, d->place_count + 1);
  for (uint32_t p = 0; p < d->place_count; p++)
    if (!d->places[p].gone) {
      (*tokens)[count] = d->places[p].tokens;
      l->values[p] = (shrink_value){.place = count++, .factor = 1};
    }
  return count;
}

/* x in terms of places whose values 'next' tells. */
static shrink_value through(shrink_value x, const shrink_value *next)
{
  if (x.lost || !x.factor)
    return x;
  shrink_value y = next[x.place];
  return (shrink_value){.lost = y.lost,
                        .place = y.place,
                        .factor = x.factor * y.factor,
                        .base = x.base + x.factor * y.base,
                        .leader = x.members ? x.leader : y.leader,
                        .members = x.members ? x.members : y.members};
}

/* Chains of places that are told by others are short and have no circles. */
static shrink_value value_in(const draft *d, const shrink_layer *l, uint32_t p)
{
  shrink_value x = {.place = p, .factor = 1};
  while (!x.lost && x.factor && d->places[x.place].gone) {
    shrink_value y = d->places[x.place].value;
    x = (shrink_value){.lost = y.lost,
                       .place = y.place,
                       .factor = x.factor * y.factor,
                       .base = x.base + x.factor * y.base};
  }
  return through(x, l->values);
}

static void make_coarse(shrinking *s, draft *d, shrink_layer *l)
{
  arena *a = s->arena;
  int32_t *tokens;
  uint32_t places = number_places(d, a, l, &tokens), count = 0, arcs = 0;
  for (uint32_t t = 0; t < d->transitions.len; t++)
    arcs += d->transitions.data[t].gone ? 0 : d->transitions.data[t].count;
  petri_arc *list = ARENA_ARRAY(a, petri_arc, arcs + 1);
  uint32_t *first = ARENA_ARRAY(a, uint32_t, d->transitions.len + 1);
  l->words = ARENA_ARRAY(a, const shrink_word *, d->transitions.len + 1);
  arcs = 0;
  for (uint32_t t = 0; t < d->transitions.len; t++) {
    const draft_transition *x = &d->transitions.data[t];
    if (x->gone)
      continue;
    for (uint32_t i = 0; i < x->count; i++) {
      list[arcs] = x->arcs[i];
      list[arcs++].place = l->values[x->arcs[i].place].place;
    }
    l->words[count++] = x->word;
    first[count] = arcs;
  }
  for (uint32_t p = 0; p < d->place_count; p++)
    l->values[p] = d->places[p].gone ? value_in(d, l, p) : l->values[p];
  l->fine = d->net;
  l->coarse = petri_make(a, places, tokens, count, list, first);
  l->start = d->start;
  l->last = d->last;
}

/* ---- layers ------------------------------------------------------------------ */

static void add_layer(shrinking *s, shrink_layer *l)
{
  bool *visible = ARENA_ARRAY(s->arena, bool, l->coarse->place_count + 1);
  uint32_t *origin =
      ARENA_ARRAY(s->arena, uint32_t, l->coarse->place_count + 1);
  for (uint32_t p = l->fine->place_count; p-- > 0;) {
    bool told = !l->values[p].lost && l->values[p].factor;
    if (s->visible[p] && told)
      visible[l->values[p].place] = true;
    if (told || l->merged)
      origin[l->values[p].place] = s->origin[p];
  }
  for (uint32_t p = 0; p < s->first->place_count; p++)
    s->values[p] = through(s->values[p], l->values);
  s->visible = visible;
  s->origin = origin;
  s->net = l->coarse;
  arena_push(s->arena, &s->layers, *l);
}

static bool thin_out(shrinking *s)
{
  draft *d = draft_make(s->arena, s->net, s->visible, s->kinds);
  d->limits = s->limits;
  shrink_layer l = {0};
  if (!apply_rules(s, d))
    return false;
  for (int i = 0; i < SHRINK_RULES_; i++)
    s->uses[i] += d->uses[i];
  make_coarse(s, d, &l);
  add_layer(s, &l);
  return true;
}

static bool join_moves(shrinking *s)
{
  shrink_layer l = {0};
  if (!is_allowed(s, SHRINK_RULE_MOVES) ||
      !shrink_moves(s->arena, s->net, s->visible, s->kinds, &l,
                    &s->uses[SHRINK_RULE_MOVES]))
    return false;
  add_layer(s, &l);
  return true;
}

/* The first layer: blocks are those of the first net. */
static void join_alike(shrinking *s)
{
  const shrink_wish *w = s->asked;
  shrink_layer l = {0};
  uint32_t places = s->first->place_count;
  bool joined = w->block && is_allowed(s, SHRINK_RULE_ALIKE) &&
                shrink_alike(s->arena, s->net, s->visible, w->block, &l,
                             &s->uses[SHRINK_RULE_ALIKE]);
  for (uint32_t p = 0; w->summed && p < places; p++)
    s->visible[p] |= w->summed[p];
  if (joined)
    add_layer(s, &l);
}

static void do_make(void *context)
{
  shrinking *s = context;
  const petri *n = s->first;
  s->arena = arena_create();
  s->visible = ARENA_ARRAY(s->arena, bool, n->place_count + 1);
  s->values = ARENA_ARRAY(s->arena, shrink_value, n->place_count + 1);
  if (s->asked->visible)
    memcpy(s->visible, s->asked->visible, n->place_count * sizeof *s->visible);
  s->origin = ARENA_ARRAY(s->arena, uint32_t, n->place_count + 1);
  for (uint32_t p = 0; p < n->place_count; p++) {
    s->values[p] = (shrink_value){.place = p, .factor = 1};
    s->origin[p] = p;
  }
  join_alike(s);
  thin_out(s);
  while (join_moves(s) && thin_out(s))
    continue;
}

static void undo_make(void *context)
{
  shrinking_destroy(context);
}

shrinking *shrinking_make(const petri *n, const shrink_wish *w)
{
  shrinking *s = mem_alloc(sizeof *s);
  s->first = s->net = n;
  s->kinds = w->kinds;
  s->rules = w->rules;
  s->asked = w;
  s->limits = w->limits;
  mem_protect_undo(do_make, undo_make, s);
  s->asked = NULL;
  return s;
}

void shrinking_destroy(shrinking *s)
{
  if (!s)
    return;
  arena_destroy(s->arena);
  mem_free(s, sizeof *s);
}

const petri *shrinking_net(const shrinking *s)
{
  return s->net;
}

uint32_t shrinking_origin(const shrinking *s, uint32_t place)
{
  return s->origin[place];
}

uint32_t shrinking_uses(const shrinking *s, shrink_rule rule)
{
  return s->uses[rule];
}

/* ---- claims ------------------------------------------------------------------- */

shrink_value shrinking_value(const shrinking *s, uint32_t place)
{
  return s->values[place];
}

/* Whether the sum has all places that share a value, with the same factor. */
static bool has_all_members(const shrinking *s, const claim *c, uint32_t term)
{
  shrink_value x = s->values[c->terms[term].place];
  uint32_t found = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    shrink_value y = s->values[c->terms[i].place];
    found += y.members && y.leader == x.leader &&
             c->terms[i].factor == c->terms[term].factor;
  }
  return found == x.members;
}

static const claim *translate_sum(const shrinking *s, arena *a, const claim *c)
{
  enum { FACTOR_MAX = 1 << 24 };
  claim_term *terms = ARENA_ARRAY(a, claim_term, c->count + 1);
  uint32_t count = 0;
  int64_t limit = c->limit;
  for (uint32_t i = 0; i < c->count; i++) {
    shrink_value x = s->values[c->terms[i].place];
    int64_t factor = c->terms[i].factor * x.factor;
    if (x.lost || factor > FACTOR_MAX || factor < -FACTOR_MAX ||
        (x.members && !has_all_members(s, c, i)))
      return NULL;
    if (x.members && x.leader != c->terms[i].place)
      continue; /* the first one stands for all */
    limit -= c->terms[i].factor * x.base;
    if (factor)
      terms[count++] = (claim_term){x.place, (int32_t)factor};
  }
  return claim_sum(a, terms, count, limit);
}

const claim *shrinking_claim(const shrinking *s, arena *a, const claim *c)
{
  if (c->op <= CLAIM_TRUE)
    return c;
  if (c->op == CLAIM_SUM)
    return translate_sum(s, a, c);
  const claim **parts = ARENA_ARRAY(a, const claim *, c->count + 1);
  for (uint32_t i = 0; i < c->count; i++) {
    parts[i] = shrinking_claim(s, a, c->parts[i]);
    if (!parts[i])
      return NULL;
  }
  return claim_join(a, c->op, parts, c->count);
}

/* ---- lifting -------------------------------------------------------------------- */

/* Fires a word wherever it leads; false, and nothing has changed: it cannot. */
static bool fire_word(const petri *n, const shrink_word *w, int32_t *marking,
                      int32_t *scratch, firing_path *out)
{
  size_t before = out->len;
  if (!shrink_spell(w, out))
    return false;
  memcpy(scratch, marking, n->place_count * sizeof *scratch);
  for (size_t i = before; i < out->len; i++)
    if (!petri_enabled(n, out->data[i], scratch) ||
        !petri_fire(n, out->data[i], scratch)) {
      out->len = before;
      return false;
    }
  memcpy(marking, scratch, n->place_count * sizeof *scratch);
  return true;
}

typedef struct lifting {
  const shrinking *shrinking;
  const uint32_t *path;
  size_t length;
  bool dead, good;
  firing_path now, next, *out;
  int32_t *marking, *scratch;
} lifting;

/* What was waiting before places that are gone fires until it cannot. */
static void fire_last(lifting *l, const shrink_layer *layer)
{
  if (!petri_replay(layer->fine, l->next.data, l->next.len, l->marking)) {
    l->good = false;
    return;
  }
  for (size_t i = layer->last.len; i-- > 0;)
    while (fire_word(layer->fine, layer->last.data[i], l->marking, l->scratch,
                     &l->next))
      continue;
}

static void lift_words(lifting *l, const shrink_layer *layer)
{
  for (size_t i = 0; i < layer->start.len && l->good; i++)
    l->good = shrink_spell(layer->start.data[i], &l->next);
  for (size_t i = 0; i < l->now.len && l->good; i++)
    l->good = shrink_spell(layer->words[l->now.data[i]], &l->next);
  if (l->good && l->dead && layer->last.len)
    fire_last(l, layer);
}

static void do_lift(void *context)
{
  lifting *l = context;
  const shrinking *s = l->shrinking;
  size_t bytes = (s->first->place_count + 1) * sizeof *l->marking;
  l->good = true;
  l->marking = mem_alloc(bytes);
  l->scratch = mem_alloc(bytes);
  for (size_t i = 0; i < l->length; i++)
    vec_push(&l->now, l->path[i]);
  for (size_t i = s->layers.len; i-- > 0 && l->good;) {
    const shrink_layer *layer = &s->layers.data[i];
    vec_clear(&l->next);
    if (layer->words)
      lift_words(l, layer);
    else if (layer->classes)
      l->good = shrink_lift_alike(layer, l->now.data, l->now.len, l->marking,
                                  &l->next);
    else
      l->good = shrink_lift_moves(layer, l->now.data, l->now.len, &l->next);
    firing_path swapped = l->now;
    l->now = l->next;
    l->next = swapped;
  }
  for (size_t i = 0; i < l->now.len && l->good; i++)
    vec_push(l->out, l->now.data[i]);
}

static void tidy_lift(void *context)
{
  lifting *l = context;
  size_t bytes = (l->shrinking->first->place_count + 1) * sizeof *l->marking;
  vec_free(&l->now);
  vec_free(&l->next);
  mem_free(l->marking, bytes);
  mem_free(l->scratch, bytes);
}

bool shrinking_lift(const shrinking *s, const uint32_t *path, size_t length,
                    bool dead, firing_path *out)
{
  lifting job = {
      .shrinking = s, .path = path, .length = length, .dead = dead, .out = out};
  mem_protect_tidy(do_lift, tidy_lift, &job);
  return job.good;
}
