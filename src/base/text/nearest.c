/* Edit distances between names, those of Damerau and Levenshtein. */

#include "base/text/nearest.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 40 };

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Letters to insert, drop, change or swap with their neighbour to make one of
** the other.  'row' is the i-th row of the table, 'above' the one before and
** 'above2' the one before that. */
static size_t distance(const char *a, const char *b)
{
  size_t rows[3][NAME_MAX_LENGTH + 1], n = strlen(b);
  size_t *above2 = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t *spare = above2;
    above2 = above;
    above = row;
    row = spare;
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]),
                     1 + least(row[j - 1], above[j]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], above2[j - 2] + 1);
    }
  }
  return row[n];
}

bool nearest_try(nearest *n, const char *candidate)
{
  size_t limit = n->best ? n->distance : strlen(n->name) / 3 + n->more + 1;
  if (strlen(n->name) > NAME_MAX_LENGTH || strlen(candidate) > NAME_MAX_LENGTH)
    return false;
  size_t d = distance(n->name, candidate);
  if (d > limit ||
      (d == limit && (!n->best || strcmp(candidate, n->best) >= 0)))
    return false;
  n->best = candidate;
  n->distance = d;
  return true;
}

const char *nearest_word(const char *word, const char *const *candidates,
                         size_t count)
{
  nearest n = {.name = word, .more = 1};
  for (size_t i = 0; i < count; i++)
    nearest_try(&n, candidates[i]);
  return n.best;
}
