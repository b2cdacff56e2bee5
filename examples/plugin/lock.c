/* Peterson's filter lock for N processes as a plug-in whose states are laid out
** by hand, with read and write sets.
**
**   cc -shared -fPIC -o lock.so lock.c
**   nutshell check --plugin ./lock.so -D N=4
**
** To enter, a process passes N-1 levels.  At each it says that it is there and
** that it came last, and waits until no other process is as far, or another one
** came later.  lock.pml is the same in Promela.
**
**   pc[i]      0 idle   1 came to a level   2 waits   3 inside
**   level[i]   how far process i is; 0: idle
**   last[k]    who came last to level k
**   inside     how many are inside */

#include <nutshell-model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 6, KINDS = 5 };
enum { IDLE, CAME, WAITS, INSIDE };
enum { START, SIGN, RISE, ENTER, LEAVE };

/* Parts of a state. */
static uint32_t n = 3;
static uint32_t pc_of(uint32_t i)
{
  return i;
}
static uint32_t level_of(uint32_t i)
{
  return n + i;
}
static uint32_t last_of(uint32_t level)
{
  return 2 * n + level;
}
static uint32_t inside_part(void)
{
  return 3 * n;
}

static nut_variable variables[4];
static nut_group groups[N_MAX * KINDS];
static char names[N_MAX * KINDS][24], processes[N_MAX][16];
static uint32_t reads[N_MAX * KINDS][3 * N_MAX + 1];
static uint32_t writes[N_MAX * KINDS][4];
static nut_plugin lock;

/* No other is as far as process 'i', or another came later. */
static bool may_pass(const int32_t *s, uint32_t i)
{
  int32_t mine = s[level_of(i)];
  if (s[last_of((uint32_t)mine)] != (int32_t)i)
    return true;
  for (uint32_t k = 0; k < n; k++)
    if (k != i && s[level_of(k)] >= mine)
      return false;
  return true;
}

static void steps(const nut_plugin *p, uint32_t group, const int32_t *s,
                  nut_steps *to)
{
  uint32_t i = group / KINDS;
  int32_t mine = s[level_of(i)];
  int32_t top = (int32_t)n - 1;
  (void)p;
  nut_part start[] = {{level_of(i), 1}, {pc_of(i), CAME}};
  nut_part sign[] = {{last_of((uint32_t)mine), (int32_t)i}, {pc_of(i), WAITS}};
  nut_part rise[] = {{level_of(i), mine + 1}, {pc_of(i), CAME}};
  nut_part enter[] = {{inside_part(), s[inside_part()] + 1},
                      {pc_of(i), INSIDE}};
  nut_part leave[] = {{inside_part(), s[inside_part()] - 1},
                      {level_of(i), 0},
                      {pc_of(i), IDLE}};
  switch (group % KINDS) {
  case START:
    if (s[pc_of(i)] == IDLE)
      to->add(to, start, 2);
    break;
  case SIGN:
    if (s[pc_of(i)] == CAME)
      to->add(to, sign, 2);
    break;
  case RISE:
    if (s[pc_of(i)] == WAITS && mine < top && may_pass(s, i))
      to->add(to, rise, 2);
    break;
  case ENTER:
    if (s[pc_of(i)] == WAITS && mine == top && may_pass(s, i))
      to->add(to, enter, 2);
    break;
  default:
    if (s[pc_of(i)] == INSIDE)
      to->add(to, leave, 3);
  }
}

static void read_part(nut_group *g, uint32_t *list, uint32_t part)
{
  list[g->read_count++] = part;
}

static void write_part(nut_group *g, uint32_t *list, uint32_t part)
{
  list[g->write_count++] = part;
}

static void describe(uint32_t group)
{
  static const char *const verbs[] = {"start", "sign", "rise", "enter",
                                      "leave"};
  uint32_t i = group / KINDS, kind = group % KINDS;
  nut_group *g = &groups[group];
  snprintf(names[group], sizeof names[group], "%s %u", verbs[kind], i);
  snprintf(processes[i], sizeof processes[i], "P%u", i);
  *g = (nut_group){.name = names[group],
                   .process = processes[i],
                   .sets = true,
                   .reads = reads[group],
                   .writes = writes[group]};
  read_part(g, reads[group], pc_of(i));
  write_part(g, writes[group], pc_of(i));
  if (kind == SIGN || kind == RISE || kind == ENTER)
    read_part(g, reads[group], level_of(i));
  for (uint32_t k = 0; k < n; k++) {
    if (kind == SIGN && k > 0)
      write_part(g, writes[group], last_of(k));
    if (kind == RISE || kind == ENTER)
      read_part(g, reads[group], last_of(k));
    if ((kind == RISE || kind == ENTER) && k != i)
      read_part(g, reads[group], level_of(k));
  }
  if (kind == START || kind == RISE || kind == LEAVE)
    write_part(g, writes[group], level_of(i));
  if (kind == ENTER || kind == LEAVE) {
    read_part(g, reads[group], inside_part());
    write_part(g, writes[group], inside_part());
  }
}

static const nut_claim claims[] = {
    {"invariant", "exclusion", "inside <= 1"},
    {"ltl", "enters", "[] (level[0] == 1 -> <> (pc[0] == 3))"}};

const nut_plugin *nutshell_model(const nut_parameters *given)
{
  for (size_t i = 0; i < given->count; i++)
    if (!strncmp(given->words[i], "N=", 2))
      n = (uint32_t)strtoul(given->words[i] + 2, NULL, 10);
  if (n < 2 || n > N_MAX)
    return NULL;
  int32_t top = (int32_t)n - 1;
  variables[0] = (nut_variable){"pc", n, 0, 3, NULL};
  variables[1] = (nut_variable){"level", n, 0, top, NULL};
  variables[2] = (nut_variable){"last", n, 0, top, NULL};
  variables[3] = (nut_variable){"inside", 0, 0, (int32_t)n, NULL};
  for (uint32_t i = 0; i < n * KINDS; i++)
    describe(i);
  lock = (nut_plugin){.api = NUT_PLUGIN_API,
                      .name = "lock",
                      .variables = variables,
                      .variable_count = 4,
                      .groups = groups,
                      .group_count = n * KINDS,
                      .claims = claims,
                      .claim_count = 2,
                      .steps = steps};
  return &lock;
}
