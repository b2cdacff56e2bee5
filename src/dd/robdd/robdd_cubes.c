/* Building from literals and assignments; enumeration of cubes. */

#include "dd/robdd/robdd_internal.h"

#include <assert.h>
#include <string.h>

/* What is being built, given to the work of robdd_run. */
typedef struct literals {
  const uint32_t *variables;
  const uint8_t *values;
  size_t count;
} literals;

robdd robdd_variable(robdd_manager *m, uint32_t variable)
{
  assert(variable < m->variables);
  return robdd_find_or_add(m, m->level_of[variable], ROBDD_FALSE, ROBDD_TRUE);
}

/* Literals come in any order; conjoining the deepest first would need a sort,
** so they are spread over the levels and gathered from the last one up. */
static robdd do_cube(robdd_manager *m, robdd f, robdd g, robdd h,
                     const void *context)
{
  (void)f, (void)g, (void)h;
  enum { ABSENT, NEGATIVE, POSITIVE };
  const literals *cube = context;
  memset(m->path, ABSENT, m->variables * sizeof *m->path);
  for (size_t i = 0; i < cube->count; i++) {
    assert(cube->variables[i] < m->variables);
    uint32_t *sign = &m->path[m->level_of[cube->variables[i]]];
    uint32_t new = cube->values && !cube->values[i] ? NEGATIVE : POSITIVE;
    if (*sign != ABSENT && *sign != new)
      return ROBDD_FALSE;
    *sign = new;
  }
  robdd result = ROBDD_TRUE;
  for (uint32_t level = m->variables; level-- && result != ROBDD_FULL;)
    if (m->path[level] == POSITIVE)
      result = robdd_make(m, level, ROBDD_FALSE, result);
    else if (m->path[level] == NEGATIVE)
      result = robdd_make(m, level, result, ROBDD_FALSE);
  return result;
}

robdd robdd_cube(robdd_manager *m, const uint32_t *variables,
                 const uint8_t *values, size_t count)
{
  literals cube = {variables, values, count};
  return robdd_run(m, do_cube, ROBDD_FALSE, ROBDD_FALSE, ROBDD_FALSE, &cube);
}

/* Down along the assignment, remembering what branches off; then up again with
** 1 in place of what was there.  Visser's EncodeOBDD and OR in one pass. */
static robdd do_add_assignment(robdd_manager *m, robdd f, robdd g, robdd h,
                               const void *context)
{
  (void)g, (void)h;
  const uint8_t *values = context;
  robdd at = f;
  for (uint32_t level = 0; level < m->variables; level++) {
    if (at == ROBDD_TRUE)
      return f;
    robdd low = robdd_low_at(m, at, level), high = robdd_high_at(m, at, level);
    uint8_t one = values[m->variable_at[level]];
    assert(one != ROBDD_ANY || low == high);
    m->path[level] = one ? low : high;
    at = one ? high : low;
  }
  if (at == ROBDD_TRUE)
    return f;
  robdd result = ROBDD_TRUE;
  for (uint32_t level = m->variables; level-- && result != ROBDD_FULL;) {
    uint8_t one = values[m->variable_at[level]];
    if (one == ROBDD_ANY)
      continue;
    result = one ? robdd_make(m, level, m->path[level], result)
                 : robdd_make(m, level, result, m->path[level]);
  }
  return result;
}

robdd robdd_add_assignment(robdd_manager *m, robdd f, const uint8_t *values)
{
  if (f == ROBDD_FULL)
    return ROBDD_FULL;
  return robdd_run(m, do_add_assignment, f, ROBDD_FALSE, ROBDD_FALSE, values);
}

/* ---- enumeration ------------------------------------------------------- */

/* Completes a cube from 'level' on with the first path of f to 1, low before
** high.  Every function but 0 has one. */
static void take_first_path(const robdd_manager *m, robdd f, uint32_t level,
                            uint8_t *values)
{
  for (; level < m->variables; level++) {
    uint8_t *value = &values[m->variable_at[level]];
    *value = ROBDD_ANY;
    if (robdd_level(m, f) != level)
      continue;
    robdd low = robdd_low_at(m, f, level);
    *value = low == ROBDD_FALSE;
    f = *value ? robdd_high_at(m, f, level) : low;
  }
  assert(f == ROBDD_TRUE);
}

bool robdd_first_cube(const robdd_manager *m, robdd f, uint8_t *values)
{
  assert(f != ROBDD_FULL);
  if (f == ROBDD_FALSE)
    return false;
  take_first_path(m, f, 0, values);
  return true;
}

bool robdd_next_cube(const robdd_manager *m, robdd f, uint8_t *values)
{
  /* The deepest place where the path went low and may go high instead. */
  uint32_t turn = UINT32_MAX;
  robdd after = ROBDD_FALSE;
  for (uint32_t level = 0; level < m->variables; level++) {
    if (robdd_level(m, f) != level)
      continue;
    robdd high = robdd_high_at(m, f, level);
    bool one = values[m->variable_at[level]] == 1;
    if (!one && high != ROBDD_FALSE) {
      turn = level;
      after = high;
    }
    f = one ? high : robdd_low_at(m, f, level);
  }
  assert(f == ROBDD_TRUE);
  if (turn == UINT32_MAX)
    return false;
  values[m->variable_at[turn]] = 1;
  take_first_path(m, after, turn + 1, values);
  return true;
}
