/* COUNT processes that each count to three by themselves: what
** reduction is made for.  counters.pml is the same in Promela.  -D LIES: the
** first process also writes what it does not declare; -D MANY: it has more steps
** than it declares; -D FAILS: its last step fails; -D HIGH: it counts too far; -D
** PEEKS: it looks at another one. */

#include <nutshell-model.h>
#include <string.h>

enum { COUNT = 4, TOP = 3 };

static bool lies, many, fails, high, peeks;
static const nut_variable variables[] = {{"x", COUNT, 0, TOP, NULL},
                                         {"other", 0, 0, 1, NULL}};
static const char *const processes[] = {"A", "B", "C", "D"};
static const uint32_t parts[] = {0, 1, 2, 3};
static nut_group groups[COUNT];
static nut_plugin counters;

static void steps(const nut_plugin *p, uint32_t group, const int32_t *s,
                  nut_steps *to)
{
  nut_part up[] = {{group, s[group] + 1}, {COUNT, 1}};
  (void)p;
  if (peeks && group == 0 && s[1] == 2)
    return;
  if (s[group] == TOP && !(high && group == 0))
    return;
  if (fails && group == 0 && s[0] == TOP - 1)
    to->fail(to);
  else
    to->add(to, up, lies && group == 0 ? 2 : 1);
  if (many && group == 0)
    to->add(to, up, 1);
}

const nut_plugin *nutshell_model(const nut_parameters *given)
{
  for (size_t i = 0; i < given->count; i++) {
    lies |= !strcmp(given->words[i], "LIES");
    many |= !strcmp(given->words[i], "MANY");
    fails |= !strcmp(given->words[i], "FAILS");
    high |= !strcmp(given->words[i], "HIGH");
    peeks |= !strcmp(given->words[i], "PEEKS");
  }
  for (uint32_t i = 0; i < COUNT; i++)
    groups[i] = (nut_group){.name = "up",
                            .process = processes[i],
                            .sets = true,
                            .reads = &parts[i],
                            .read_count = 1,
                            .writes = &parts[i],
                            .write_count = 1};
  counters = (nut_plugin){.api = NUT_PLUGIN_API,
                          .name = "counters",
                          .variables = variables,
                          .variable_count = 2,
                          .groups = groups,
                          .group_count = COUNT,
                          .may_end = true,
                          .steps = steps};
  return &counters;
}
