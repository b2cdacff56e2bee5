#include "net/proof/exact.h"

#include "net_kit.h"

enum { NETS = 30, SUMS = 2 };

/* A proof, looked at as its definition says. */
static void check_proof(const petri *n, const claim *const *sums,
                        const exact_answer *found)
{
  int64_t rest = 0;
  for (uint32_t p = 0; p < n->place_count; p++)
    assert_true(found->weights[p] >= 0);
  for (int k = 0; k < SUMS; k++)
    assert_true(found->factors[k] >= 0);
  for (uint32_t t = 0; t <= n->transition_count; t++) {
    int64_t grows = 0;
    for (uint32_t p = 0; p < n->place_count; p++) {
      int64_t weight = found->weights[p], by = 0;
      for (int k = 0; k < SUMS; k++)
        for (uint32_t i = 0; i < sums[k]->count; i++)
          if (sums[k]->terms[i].place == p)
            weight -= found->factors[k] * sums[k]->terms[i].factor;
      if (t == n->transition_count)
        rest -= weight * n->tokens[p];
      for (uint32_t i = n->first[t];
           t < n->transition_count && i < n->first[t + 1]; i++)
        if (n->arcs[i].place == p)
          by = petri_effect(&n->arcs[i]);
      grows += weight * by;
    }
    assert_true(grows <= 0);
  }
  for (int k = 0; k < SUMS; k++)
    rest -= found->factors[k] * sums[k]->limit;
  assert_true(rest > 0);
}

static void check_solution(const petri *n, const claim *const *sums,
                           const double *values)
{
  const double *tokens = values + n->transition_count;
  for (uint32_t t = 0; t < n->transition_count; t++)
    assert_true(values[t] >= 0);
  for (uint32_t p = 0; p < n->place_count; p++)
    assert_true(tokens[p] >= -1e-9);
  for (int k = 0; k < SUMS; k++) {
    double sum = 0;
    for (uint32_t i = 0; i < sums[k]->count; i++)
      sum += sums[k]->terms[i].factor * tokens[sums[k]->terms[i].place];
    assert_true(sum <= (double)sums[k]->limit + 1e-9);
  }
}

static const claim *sum_of_chance(arena *a, random_state *dice,
                                  const petri *net)
{
  const claim *c = kit_sum(a, dice, net);
  while (c->op != CLAIM_SUM)
    c = kit_sum(a, dice, net);
  return c;
}

/* Each question has a solution or a proof, and they are what they are said to
** be; no reachable marking contradicts a proof. */
static void answers_are_true(void **state)
{
  (void)state;
  random_state dice;
  kit_space *space = mem_alloc(sizeof *space);
  limits none;
  uint32_t solved = 0, refuted = 0;
  if (!exact_is_installed()) {
    print_message("Z3 is not installed\n");
    mem_free(space, sizeof *space);
    skip();
  }
  limits_start(&none, &(limits_asked){0});
  random_seed(&dice, 7);
  for (int i = 0; i < NETS; i++) {
    arena *a = arena_create();
    const petri *net = kit_net(a, &dice);
    double values[KIT_PLACES + KIT_TRANSITIONS];
    int64_t weights[KIT_PLACES], factors[SUMS];
    exact_answer found = {values, weights, factors};
    const claim *sums[SUMS];
    for (int k = 0; k < SUMS; k++)
      sums[k] = sum_of_chance(a, &dice, net);
    exact_end end = exact_ask(net, sums, SUMS, &none, &found);
    assert_int_not_equal(end, EXACT_ENDED);
    solved += end == EXACT_SOLVED;
    refuted += end == EXACT_REFUTED;
    if (end == EXACT_SOLVED)
      check_solution(net, sums, values);
    else {
      kit_explore(space, net);
      check_proof(net, sums, &found);
      assert_false(
          kit_reaches(space, net, claim_join(a, CLAIM_AND, sums, SUMS)));
    }
    arena_destroy(a);
  }
  assert_true(solved > NETS / 10 && refuted > NETS / 10);
  mem_free(space, sizeof *space);
}

UNIT_MAIN(UNIT(answers_are_true))
