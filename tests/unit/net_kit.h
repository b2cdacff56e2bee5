/* Random nets, random claims, and an explorer of a few lines that is the truth
** about them. */

#ifndef NUT_TESTS_NET_KIT_H
#define NUT_TESTS_NET_KIT_H

#include "base/random.h"
#include "net/claim.h"
#include "unit.h"

/* KIT_ROOM: places that a net may have which is made from such a net. */
enum {
  KIT_PLACES = 7,
  KIT_TRANSITIONS = 8,
  KIT_MARKINGS = 600,
  KIT_ROOM = KIT_PLACES + 4
};

/* Every kind of net in turn: all weights one; with weights; with read arcs; with
** inhibitor arcs; with few tokens and transitions that keep their number. */
static inline petri *kit_net(arena *a, random_state *dice)
{
  uint32_t kind = (uint32_t)random_below(dice, 5);
  uint32_t places = 2 + (uint32_t)random_below(dice, KIT_PLACES - 1);
  uint32_t transitions = 1 + (uint32_t)random_below(dice, KIT_TRANSITIONS);
  petri_arc arcs[KIT_TRANSITIONS * KIT_PLACES];
  uint32_t first[KIT_TRANSITIONS + 1] = {0}, n = 0;
  int32_t tokens[KIT_PLACES];
  for (uint32_t p = 0; p < places; p++)
    tokens[p] = random_below(dice, 3) ? 0 : 1 + (int32_t)random_below(dice, 2);
  for (uint32_t t = 0; t < transitions; t++) {
    uint32_t from = (uint32_t)random_below(dice, places);
    uint32_t to = (uint32_t)random_below(dice, places);
    for (uint32_t p = 0; p < places; p++) {
      petri_arc x = {.place = p, .take = p == from, .put = p == to};
      if (kind && random_below(dice, 4) == 0)
        x.take = (int32_t)random_below(dice, kind == 1 ? 4 : 2);
      if (kind && random_below(dice, 6) == 0)
        x.put = (int32_t)random_below(dice, kind == 1 ? 4 : 2);
      if (kind == 2 && random_below(dice, 5) == 0)
        x.take = x.put = 1 + (int32_t)random_below(dice, 2);
      if (kind == 3 && random_below(dice, 5) == 0)
        x.below = 1 + (int32_t)random_below(dice, 3);
      if (kind == 3 && random_below(dice, 40) == 0)
        x.below = -1;
      if (x.take || x.put || x.below)
        arcs[n++] = x;
    }
    first[t + 1] = n;
  }
  return petri_make(a, places, tokens, transitions, arcs, first);
}

static inline const claim *kit_sum(arena *a, random_state *dice,
                                   const petri *net)
{
  claim_term terms[3];
  uint32_t count = 1 + (uint32_t)random_below(dice, 3);
  for (uint32_t i = 0; i < count; i++)
    terms[i] = (claim_term){(uint32_t)random_below(dice, net->place_count),
                            (int32_t)random_below(dice, 5) - 2};
  return claim_sum(a, terms, count, (int64_t)random_below(dice, 7) - 3);
}

static inline const claim *kit_claim(arena *a, random_state *dice,
                                     const petri *net, uint32_t depth)
{
  uint32_t kind = (uint32_t)random_below(dice, depth ? 6 : 2);
  if (kind == 0)
    return claim_fireable(a, net,
                          (uint32_t)random_below(dice, net->transition_count));
  if (kind == 1)
    return kit_sum(a, dice, net);
  const claim *parts[3];
  uint32_t count = 2 + (uint32_t)random_below(dice, 2);
  for (uint32_t i = 0; i < count; i++)
    parts[i] = kit_claim(a, dice, net, depth - 1);
  if (kind == 2)
    return claim_not(a, claim_join(a, CLAIM_AND, parts, count));
  return claim_join(a, kind & 1 ? CLAIM_AND : CLAIM_OR, parts, count);
}

/* All markings, the first one first. */
typedef struct kit_space {
  uint32_t count;
  bool complete; /* false: there are too many */
  int32_t markings[KIT_MARKINGS][KIT_ROOM];
} kit_space;

static inline void kit_add(kit_space *s, const petri *net, const int32_t *m)
{
  for (uint32_t i = 0; i < s->count; i++)
    if (!memcmp(s->markings[i], m, net->place_count * sizeof *m))
      return;
  if (s->count == KIT_MARKINGS) {
    s->complete = false;
    return;
  }
  memcpy(s->markings[s->count++], m, net->place_count * sizeof *m);
}

static inline void kit_explore(kit_space *s, const petri *net)
{
  s->count = 0;
  s->complete = true;
  kit_add(s, net, net->tokens);
  for (uint32_t i = 0; i < s->count && s->complete; i++)
    for (uint32_t t = 0; t < net->transition_count; t++) {
      int32_t next[KIT_ROOM];
      memcpy(next, s->markings[i], sizeof next);
      bool can = true;
      for (uint32_t k = net->first[t]; k < net->first[t + 1]; k++) {
        const petri_arc *x = &net->arcs[k];
        can &= next[x->place] >= x->take &&
               (!x->below || next[x->place] < x->below);
      }
      for (uint32_t k = net->first[t]; can && k < net->first[t + 1]; k++)
        next[net->arcs[k].place] += net->arcs[k].put - net->arcs[k].take;
      if (can)
        kit_add(s, net, next);
    }
}

/* Whether a claim (NULL: nothing is enabled) is true of some marking. */
static inline bool kit_reaches(const kit_space *s, const petri *net,
                               const claim *c)
{
  for (uint32_t i = 0; i < s->count; i++)
    if (c ? claim_holds(c, s->markings[i]) : petri_is_dead(net, s->markings[i]))
      return true;
  return false;
}

#endif
