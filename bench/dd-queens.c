/* N queens with our decision diagrams and with BuDDy, in one run.
**
**     cc -O2 -D_GNU_SOURCE -Isrc bench/dd-queens.c src/dd/?*.c \
**       src/base/alloc.c src/base/system/reserve.c src/base/text/text.c \
**       -lbdd -lm -o dd-queens && ./dd-queens [FROM [TO]]
**
** Prints for each size and each package the number of solutions, the nodes of
** the result, seconds, and the largest number of nodes (ours) or the size of
** the node table (BuDDy's).  Two ways to build the same function: with binary
** operations, and with ITE only.  BuDDy gets one cache entry for two nodes. */

#include "dd/robdd/robdd.h"

#include "base/alloc.h"

#include <bdd.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 16 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool attacks(int i, int j, int k, int l)
{
  return (i != k || j != l) &&
         (i == k || j == l || i - k == j - l || i - k == l - j);
}

/* ---- ours -------------------------------------------------------------- */

static robdd our_and(robdd_manager *m, robdd f, robdd g, bool by_ite)
{
  return by_ite ? robdd_ite(m, f, g, ROBDD_FALSE) : robdd_and(m, f, g);
}

static robdd our_field(robdd_manager *m, int n, int i, int j, bool by_ite)
{
  robdd queen = robdd_variable(m, (uint32_t)(i * n + j));
  robdd all[2] = {ROBDD_TRUE, queen};
  robdd_protect(m, all, 2);
  for (int k = 0; k < n; k++)
    for (int l = 0; l < n; l++)
      if (attacks(i, j, k, l)) {
        robdd other = robdd_not(robdd_variable(m, (uint32_t)(k * n + l)));
        robdd rule = by_ite ? robdd_ite(m, queen, other, ROBDD_TRUE)
                            : robdd_or(m, robdd_not(queen), other);
        all[0] = our_and(m, all[0], rule, by_ite);
      }
  robdd_unprotect(m, all);
  return all[0];
}

static void ours(int n, bool by_ite)
{
  double start = now();
  robdd_manager *m = robdd_create((uint32_t)(n * n), SIZE_MAX);
  robdd all[2] = {ROBDD_TRUE, ROBDD_FALSE};
  robdd_protect(m, all, 2);
  for (int i = 0; i < n; i++) {
    all[1] = ROBDD_FALSE;
    for (int j = 0; j < n; j++) {
      robdd queen = robdd_variable(m, (uint32_t)(i * n + j));
      all[1] = by_ite ? robdd_ite(m, all[1], ROBDD_TRUE, queen)
                      : robdd_or(m, all[1], queen);
    }
    all[0] = our_and(m, all[0], all[1], by_ite);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      all[1] = our_field(m, n, i, j, by_ite);
      all[0] = our_and(m, all[0], all[1], by_ite);
    }
  bignum count = {0};
  robdd_count(m, all[0], (uint32_t)(n * n), &count);
  robdd_statistics s = robdd_figures(m);
  printf("%3d %-6s %-4s %8.0f %8zu %8.3f %10zu %6.1f MB\n", n, "ours",
         by_ite ? "ite" : "and", bignum_to_double(&count),
         robdd_size(m, all, 1), now() - start, s.peak_nodes,
         (double)s.bytes / 1e6);
  bignum_free(&count);
  robdd_destroy(m);
}

/* ---- BuDDy ------------------------------------------------------------- */

static BDD theirs_and(BDD f, BDD g, bool by_ite)
{
  return by_ite ? bdd_ite(f, g, bddfalse) : bdd_and(f, g);
}

static void replace(BDD *place, BDD new)
{
  bdd_addref(new);
  bdd_delref(*place);
  *place = new;
}

static BDD their_field(int n, int i, int j, bool by_ite)
{
  BDD queen = bdd_ithvar(i * n + j), all = bddtrue;
  for (int k = 0; k < n; k++)
    for (int l = 0; l < n; l++)
      if (attacks(i, j, k, l)) {
        BDD other = bdd_nithvar(k * n + l);
        BDD rule =
            by_ite ? bdd_ite(queen, other, bddtrue) : bdd_imp(queen, other);
        bdd_addref(rule);
        replace(&all, theirs_and(all, rule, by_ite));
        bdd_delref(rule);
      }
  return all;
}

static void quiet(int pre, bddGbcStat *s)
{
  (void)pre, (void)s;
}

static void theirs(int n, bool by_ite)
{
  double start = now();
  bdd_init(1 << 16, 1 << 14);
  bdd_gbc_hook(quiet);
  bdd_setcacheratio(2);
  bdd_setmaxincrease(1 << 22);
  bdd_setvarnum(n * n);
  BDD all = bddtrue;
  for (int i = 0; i < n; i++) {
    BDD row = bddfalse;
    for (int j = 0; j < n; j++) {
      BDD queen = bdd_ithvar(i * n + j);
      replace(&row, by_ite ? bdd_ite(row, bddtrue, queen) : bdd_or(row, queen));
    }
    replace(&all, theirs_and(all, row, by_ite));
    bdd_delref(row);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      BDD field = their_field(n, i, j, by_ite);
      replace(&all, theirs_and(all, field, by_ite));
      bdd_delref(field);
    }
  bddStat s;
  double count = bdd_satcount(all);
  int nodes = bdd_nodecount(all);
  bdd_stats(&s);
  printf("%3d %-6s %-4s %8.0f %8d %8.3f %10d\n", n, "BuDDy",
         by_ite ? "ite" : "and", count, nodes, now() - start, s.nodenum);
  bdd_done();
}

int main(int argc, char **argv)
{
  int from = argc > 1 ? atoi(argv[1]) : 8, to = argc > 2 ? atoi(argv[2]) : 10;
  printf("  n package way solutions    nodes  seconds peak nodes    memory\n");
  for (int n = from; n <= to && n <= MOST; n++)
    for (int by_ite = 0; by_ite < 2; by_ite++) {
      ours(n, by_ite);
      theirs(n, by_ite);
    }
  return 0;
}
