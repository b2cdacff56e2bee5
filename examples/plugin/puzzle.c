/* The sliding puzzle as a plug-in: numbered tiles on a board with one hole, into
** which a neighbour can be moved.
**
**   cc -shared -fPIC -o puzzle.so puzzle.c
**   nutshell count --plugin ./puzzle.so -D WIDTH=3 -D HEIGHT=3
**
** A state is the board, row by row, with 0 for the hole, and where the hole is.
** A group is a direction, in which the hole moves.  puzzle.pml is the same in
** Promela. */

#include <nutshell-model.h>
#include <stdlib.h>
#include <string.h>

enum { TILES_MAX = 16 };

static uint32_t width = 3, height = 2;
static int32_t start[TILES_MAX];

static const char *const directions[] = {"left", "right", "up", "down"};
static nut_group groups[4];
static nut_variable variables[2];
static nut_plugin puzzle;

/* Where the hole goes; where it is when it cannot. */
static uint32_t target(uint32_t direction, uint32_t hole)
{
  switch (direction) {
  case 0:
    return hole % width > 0 ? hole - 1 : hole;
  case 1:
    return hole % width < width - 1 ? hole + 1 : hole;
  case 2:
    return hole >= width ? hole - width : hole;
  default:
    return hole + width < width * height ? hole + width : hole;
  }
}

static void steps(const nut_plugin *p, uint32_t group, const int32_t *state,
                  nut_steps *to)
{
  uint32_t cells = p->variables[0].length;
  uint32_t hole = (uint32_t)state[cells], next = target(group, hole);
  nut_part changed[] = {{hole, state[next]}, {next, 0}, {cells, (int32_t)next}};
  if (next != hole)
    to->add(to, changed, 3);
}

/* The value of NAME=VALUE, if the word is that. */
static void read_size(const char *word, const char *name, uint32_t *value)
{
  size_t n = strlen(name);
  if (!strncmp(word, name, n) && word[n] == '=')
    *value = (uint32_t)strtoul(word + n + 1, NULL, 10);
}

const nut_plugin *nutshell_model(const nut_parameters *given)
{
  for (size_t i = 0; i < given->count; i++) {
    read_size(given->words[i], "WIDTH", &width);
    read_size(given->words[i], "HEIGHT", &height);
  }
  if (width < 1 || height < 1 || width > TILES_MAX || height > TILES_MAX ||
      width * height > TILES_MAX)
    return NULL;
  for (uint32_t i = 0; i < width * height; i++)
    start[i] = (int32_t)i;
  variables[0] = (nut_variable){"board", width * height, 0,
                                (int32_t)(width * height) - 1, start};
  variables[1] =
      (nut_variable){"hole", 0, 0, (int32_t)(width * height) - 1, NULL};
  for (uint32_t i = 0; i < 4; i++)
    groups[i] = (nut_group){.name = directions[i]};
  puzzle = (nut_plugin){.api = NUT_PLUGIN_API,
                        .name = "puzzle",
                        .variables = variables,
                        .variable_count = 2,
                        .groups = groups,
                        .group_count = 4,
                        .steps = steps};
  return &puzzle;
}
