#include "net/proof/state_equation.h"

#include "net/proof/exact.h"
#include "net_kit.h"

enum { NETS = 4000, CLAIMS = 5 };

typedef struct tally {
  uint32_t unreachable, refuted, bounds, tight;
} tally;

static void check_claims(equation *e, arena *a, random_state *dice,
                         const petri *net, const kit_space *space, tally *sum)
{
  for (int i = 0; i < CLAIMS; i++) {
    const claim *c = i ? kit_claim(a, dice, net, 2) : claim_dead(a, net);
    bool can = kit_reaches(space, net, c);
    bool refuted = equation_refutes(e, c, 100);
    assert_false(refuted && can);
    sum->unreachable += space->complete && !can;
    sum->refuted += space->complete && refuted;
    const claim *simple = claim_simplify(a, c, equation_knows, e);
    for (uint32_t k = 0; k < space->count; k++)
      assert_int_equal(claim_holds(simple, space->markings[k]),
                       claim_holds(c, space->markings[k]));
  }
}

static void check_bounds(equation *e, const petri *net, const kit_space *space,
                         tally *sum)
{
  for (uint32_t p = 0; p < net->place_count; p++) {
    int64_t most, seen = 0;
    for (uint32_t k = 0; k < space->count; k++)
      if (space->markings[k][p] > seen)
        seen = space->markings[k][p];
    if (!equation_most(e, &(claim_term){p, 1}, 1, &most))
      continue;
    assert_true(most >= seen);
    sum->bounds += space->complete;
    sum->tight += space->complete && most == seen;
  }
}

/* What is refuted is not reachable, and bounds are; most of what is there to be
** refuted is, so that the test would notice if nothing were. */
static void proofs_are_true(void **state)
{
  (void)state;
  random_state dice;
  kit_space *space = mem_alloc(sizeof *space);
  tally sum = {0};
  limits none;
  limits_start(&none, &(limits_asked){0});
  random_seed(&dice, 22);
  for (uint32_t i = 0; i < NETS; i++) {
    arena *a = arena_create();
    const petri *net = kit_net(a, &dice);
    kit_explore(space, net);
    equation *e = equation_create(net, &none, true);
    check_claims(e, a, &dice, net, space, &sum);
    check_bounds(e, net, space, &sum);
    equation_destroy(e);
    arena_destroy(a);
  }
  print_message("refuted %u of %u, tight bounds %u of %u\n", sum.refuted,
                sum.unreachable, sum.tight, sum.bounds);
  assert_true(sum.refuted > sum.unreachable / 2);
  assert_true(sum.tight > sum.bounds / 2);
  mem_free(space, sizeof *space);
}

/* Without simplex Z3 gives the proofs; those are as true, and as many. */
static void exact_proofs_are_true(void **state)
{
  (void)state;
  enum { FEW = 10 };
  random_state dice;
  kit_space *space = mem_alloc(sizeof *space);
  limits none;
  uint32_t both = 0;
  limits_start(&none, &(limits_asked){0});
  random_seed(&dice, 5);
  for (uint32_t i = 0; i < FEW && exact_is_installed(); i++) {
    arena *a = arena_create();
    const petri *net = kit_net(a, &dice);
    const claim *c = kit_claim(a, &dice, net, 1);
    equation *e = equation_create(net, &none, true);
    equation *other = equation_create(net, &none, false);
    kit_explore(space, net);
    assert_false(equation_refutes(other, c, 100) && c->op != CLAIM_FALSE);
    equation_allow_exact(other, 10);
    bool refuted = equation_refutes(other, c, 100);
    assert_false(refuted && kit_reaches(space, net, c));
    both += refuted;
    assert_true(refuted || !equation_refutes(e, c, 100));
    equation_destroy(e);
    equation_destroy(other);
    arena_destroy(a);
  }
  assert_true(both || !exact_is_installed());
  mem_free(space, sizeof *space);
}

/* Two places that pass one token on are never both marked; a trap that is
** marked is never empty, which no weights alone can prove. */
static void traps_are_used(void **state)
{
  (void)state;
  limits none;
  limits_start(&none, &(limits_asked){0});
  arena *a = arena_create();
  /* t: p -> q + q, u: q + q -> p: weights alone allow fractions. */
  petri_arc arcs[] = {{0, 1, 0, 0}, {1, 0, 2, 0}, {0, 0, 1, 0}, {1, 1, 0, 0}};
  const petri *net =
      petri_make(a, 2, (int32_t[]){1, 0}, 2, arcs, (uint32_t[]){0, 2, 4});
  equation *e = equation_create(net, &none, true);
  const claim *empty[] = {claim_sum(a, &(claim_term){0, 1}, 1, 0),
                          claim_sum(a, &(claim_term){1, 1}, 1, 0)};
  assert_true(equation_refutes(e, claim_join(a, CLAIM_AND, empty, 2), 50));
  equation_destroy(e);
  arena_destroy(a);
}

/* t: b -> v while there is a token in p; u: 2 d -> p, and d has one: weights
** alone say that t can fire. */
static void looks_are_noticed(void **state)
{
  (void)state;
  limits none;
  limits_start(&none, &(limits_asked){0});
  arena *a = arena_create();
  petri_arc arcs[] = {
      {0, 1, 1, 0}, {1, 1, 0, 0}, {2, 0, 1, 0}, {3, 2, 0, 0}, {0, 0, 1, 0}};
  const petri *net =
      petri_make(a, 4, (int32_t[]){0, 1, 0, 1}, 2, arcs, (uint32_t[]){0, 3, 5});
  equation *e = equation_create(net, &none, true);
  assert_true(equation_refutes(e, claim_at_least(a, 2, 1), 50));
  assert_false(equation_refutes(e, claim_at_least(a, 1, 1), 50));
  equation_destroy(e);
  arena_destroy(a);
}

UNIT_MAIN(UNIT(proofs_are_true), UNIT(exact_proofs_are_true),
          UNIT(traps_are_used), UNIT(looks_are_noticed))
