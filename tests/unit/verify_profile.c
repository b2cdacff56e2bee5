/* Profiles of small models, compared with what the states themselves show: how
** many there are, and how many are left when a variable is taken out of them. */

#include "unit.h"

#include "nutshell.h"
#include <stdio.h>
#include <stdlib.h>

enum { STATES_MOST = 1000, LINE = 4000 };

/* Whether "P(1):x[2]" or "x[2]" is a part of "P:x" or "x". */
static bool is_part(const nut_value *v, const char *name)
{
  char plain[200];
  size_t n = 0;
  for (const char *c = v->name; *c && n + 1 < sizeof plain; c++) {
    if (*c == '(')
      while (*c && *c != ')')
        c++;
    else
      plain[n++] = *c;
  }
  plain[n] = 0;
  size_t length = strlen(name);
  return !strncmp(plain, name, length) &&
         (!plain[length] || plain[length] == '[' || plain[length] == '.');
}

static int compare_lines(const void *x, const void *y)
{
  return strcmp(*(char *const *)x, *(char *const *)y);
}

/* States that differ when the variable does not count.  A hidden variable is no
** part of them. */
static size_t count_without(nut_workspace *w, const char *name,
                            const char *hidden)
{
  size_t count = nut_state_count(w), different = 0, n;
  char **lines = calloc(count, sizeof *lines);
  for (nut_state s = 1; s <= count; s++) {
    char *line = lines[s - 1] = calloc(1, LINE);
    size_t used = 0;
    const nut_value *v = nut_values(w, s, &n);
    for (size_t i = 0; i < n; i++)
      if (!is_part(&v[i], name) && !is_part(&v[i], hidden))
        used += (size_t)snprintf(line + used, LINE - used, "%s=%s ", v[i].name,
                                 v[i].text);
    const nut_process *p = nut_processes(w, s, &n);
    for (size_t i = 0; i < n; i++)
      used += (size_t)snprintf(line + used, LINE - used, "@%u:%d ", p[i].number,
                               p[i].location);
    assert_true(used < LINE);
  }
  qsort(lines, count, sizeof *lines, compare_lines);
  for (size_t i = 0; i < count; i++)
    different += !i || strcmp(lines[i - 1], lines[i]) != 0;
  for (size_t i = 0; i < count; i++)
    free(lines[i]);
  free(lines);
  return different;
}

static size_t compared; /* variables that make states */

static void compare(const char *file, const char *hidden)
{
  char path[500];
  size_t n;
  snprintf(path, sizeof path, "%s/%s", NUT_SOURCE_ROOT, file);
  nut_workspace *w = nut_open_file(path, NULL);
  for (nut_state s = nut_initial(w); s && s <= nut_state_count(w); s++)
    (void)nut_moves(w, s, &n);
  assert_in_range(nut_state_count(w), 2, STATES_MOST);
  nut_profile *p = nut_profile_states(w, 0);
  assert_non_null(p);
  nut_profiled v;
  for (size_t i = 0; (v = nut_profile_variable(p, i)).name; i++) {
    double wanted =
        (double)nut_state_count(w) / (double)count_without(w, v.name, hidden);
    if (v.factor < wanted - 1e-9 || v.factor > wanted + 1e-9)
      fail_msg("%s, %s: %f, not %f", file, v.name, v.factor, wanted);
    compared += wanted > 1.001;
  }
  nut_profile_free(p);
  nut_close(w);
}

static void factors(void **state)
{
  (void)state;
  compare("tests/cli/models/mutex.pml", "none");
  compare("tests/cli/models/ring.pml", "none");
  compare("tests/cli/models/cone.pml", "none");
  compare("tests/cli/models/vacuous.pml", "none");
  compare("tests/cli/models/hidden.pml", "scratch");
  assert_true(compared >= 5);
}

UNIT_MAIN(UNIT(factors))
