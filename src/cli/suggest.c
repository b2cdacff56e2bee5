#include "cli/options.h"
#include <string.h>

enum { WORD_MAX = 32 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
  unsigned m = a < b ? a : b;
  return m < c ? m : c;
}

/* Levenshtein distance, one row at a time; words over WORD_MAX are far. */
static unsigned distance(const char *a, const char *b)
{
  unsigned row[WORD_MAX + 1];
  size_t n = strlen(a), m = strlen(b);
  if (n > WORD_MAX || m > WORD_MAX)
    return WORD_MAX;
  for (size_t j = 0; j <= m; j++)
    row[j] = (unsigned)j;
  for (size_t i = 1; i <= n; i++) {
    unsigned corner = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
      unsigned above = row[j];
      row[j] =
          least(above + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1]));
      corner = above;
    }
  }
  return row[m];
}

const char *nearest_word(const char *word, const char *const *candidates,
                         size_t count)
{
  const char *best = NULL;
  unsigned best_distance = (unsigned)strlen(word) / 3 + 2;
  for (size_t i = 0; i < count; i++) {
    unsigned d = distance(word, candidates[i]);
    if (d < best_distance) {
      best_distance = d;
      best = candidates[i];
    }
  }
  return best;
}
