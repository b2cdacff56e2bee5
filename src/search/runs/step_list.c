/* Steps by key, sorted in place as in search/disk/keys.c. */

#include "search/runs/step_list.h"

#include "base/alloc.h"

enum { SMALL = 32, LEAST = 8 };

bool step_list_create(step_list *l, size_t bytes)
{
  size_t most = bytes / sizeof *l->steps;
  *l = (step_list){0};
  for (most = most > LEAST ? most : LEAST; most >= LEAST && !l->steps;) {
    l->steps = mem_try_alloc(most * sizeof *l->steps);
    l->most = most;
    most /= 2;
  }
  return l->steps;
}

void step_list_free(step_list *l)
{
  mem_free(l->steps, l->steps ? l->most * sizeof *l->steps : 0);
  *l = (step_list){0};
}

static void insertion_sort(found_step *steps, size_t count)
{
  for (size_t i = 1; i < count; i++) {
    found_step s = steps[i];
    size_t k = i;
    for (; k && steps[k - 1].key > s.key; k--)
      steps[k] = steps[k - 1];
    steps[k] = s;
  }
}

/* All keys are equal above bit 'shift' + 8. */
static void sort_by(found_step *steps, size_t count, uint32_t shift)
{
  size_t starts[257] = {0}, next[256];
  if (count <= SMALL) {
    insertion_sort(steps, count);
    return;
  }
  for (size_t i = 0; i < count; i++)
    starts[(steps[i].key >> shift & 255) + 1]++;
  for (int b = 0; b < 256; b++) {
    starts[b + 1] += starts[b];
    next[b] = starts[b];
  }
  for (int b = 0; b < 256; b++)
    while (next[b] < starts[b + 1]) {
      found_step s = steps[next[b]];
      for (int to; (to = (int)(s.key >> shift & 255)) != b;) {
        found_step other = steps[next[to]];
        steps[next[to]++] = s;
        s = other;
      }
      steps[next[b]++] = s;
    }
  for (int b = 0; shift && b < 256; b++)
    if (starts[b + 1] - starts[b] > 1)
      sort_by(steps + starts[b], starts[b + 1] - starts[b], shift - 8);
}

void step_list_sort(step_list *l, bool adds)
{
  size_t kept = 0;
  sort_by(l->steps, l->count, 56);
  for (size_t i = 0; i < l->count; i++) {
    found_step s = l->steps[i];
    if (!kept || l->steps[kept - 1].key != s.key)
      l->steps[kept++] = s;
    else if (adds)
      l->steps[kept - 1].value += s.value;
    else
      l->steps[kept - 1].value |= s.value;
  }
  l->count = kept;
}
