/* Pivots a dense dictionary; the greatest promise enters, the first row to run
** out leaves. */

#include "net/proof/simplex.h"

#include "base/alloc.h"
#include <math.h>
#include <string.h>

#define TINY 1e-9
enum { ENTRIES_MAX = 1 << 23 };

struct simplex {
  uint32_t columns, rows, room; /* of rows; one column more for a helper */
  double *entries;              /* room + 1 rows; the last is the objective */
  double *right;                /* likewise */
  uint32_t *basic, *nonbasic;   /* variables by row and by column */
  uint32_t *nonzero;            /* columns of a row, while pivoting */
  uint32_t variables;
  uint32_t width; /* columns in use: with the helper, one more */
  double *kept;   /* entries and right sides */
  uint32_t *kept_names;
  uint32_t kept_rows, kept_variables;
};

static double *row_of(const simplex *s, uint32_t row)
{
  return s->entries + (size_t)row * (s->columns + 1);
}

static size_t entry_count(const simplex *s)
{
  return (size_t)(s->room + 1) * (s->columns + 1);
}

/* ---- making ------------------------------------------------------------- */

simplex *simplex_create(uint32_t columns, uint32_t rows, uint32_t more)
{
  if ((uint64_t)(rows + more + 1) * (columns + 1) > ENTRIES_MAX)
    return NULL;
  simplex *s = mem_try_alloc(sizeof *s);
  if (!s)
    return NULL;
  s->columns = s->width = columns;
  s->rows = rows;
  s->room = rows + more;
  s->variables = columns + rows;
  size_t all = entry_count(s) + s->room + 1, names = s->room + columns + 2;
  s->entries = mem_try_alloc(all * sizeof *s->entries);
  s->kept = mem_try_alloc(all * sizeof *s->kept);
  s->basic = mem_try_alloc(names * sizeof *s->basic);
  s->kept_names = mem_try_alloc(names * sizeof *s->kept_names);
  s->nonzero = mem_try_alloc((columns + 1) * sizeof *s->nonzero);
  if (!s->entries || !s->kept || !s->basic || !s->kept_names || !s->nonzero) {
    simplex_destroy(s);
    return NULL;
  }
  s->right = s->entries + entry_count(s);
  s->nonbasic = s->basic + s->room;
  for (uint32_t i = 0; i < rows; i++)
    s->basic[i] = columns + i;
  for (uint32_t j = 0; j < columns; j++)
    s->nonbasic[j] = j;
  return s;
}

void simplex_destroy(simplex *s)
{
  if (!s)
    return;
  size_t all = entry_count(s) + s->room + 1, names = s->room + s->columns + 2;
  mem_free(s->entries, all * sizeof *s->entries);
  mem_free(s->kept, all * sizeof *s->kept);
  mem_free(s->basic, names * sizeof *s->basic);
  mem_free(s->kept_names, names * sizeof *s->kept_names);
  mem_free(s->nonzero, (s->columns + 1) * sizeof *s->nonzero);
  mem_free(s, sizeof *s);
}

void simplex_set(simplex *s, uint32_t row, uint32_t column, double entry)
{
  row_of(s, row)[column] = entry;
}

void simplex_set_right(simplex *s, uint32_t row, double right)
{
  s->right[row] = right;
}

void simplex_keep(simplex *s)
{
  size_t used = (size_t)s->rows * (s->columns + 1);
  memcpy(s->kept, s->entries, used * sizeof *s->kept);
  memcpy(s->kept + entry_count(s), s->right, s->rows * sizeof *s->right);
  memcpy(s->kept_names, s->basic,
         (s->room + s->columns + 2) * sizeof *s->basic);
  s->kept_rows = s->rows;
  s->kept_variables = s->variables;
}

void simplex_restore(simplex *s)
{
  size_t used = (size_t)s->kept_rows * (s->columns + 1);
  memcpy(s->entries, s->kept, used * sizeof *s->kept);
  memcpy(s->right, s->kept + entry_count(s), s->kept_rows * sizeof *s->right);
  memcpy(s->basic, s->kept_names,
         (s->room + s->columns + 2) * sizeof *s->basic);
  s->rows = s->kept_rows;
  s->variables = s->kept_variables;
  s->width = s->columns;
}

/* ---- sums in terms of the nonbasic variables ----------------------------- */

/* Adds 'factor' times a variable to a row, whose entries are subtracted when
** 'sign' is -1 (a row) and added when it is 1 (the objective). */
static void add_variable(simplex *s, uint32_t to, uint32_t variable,
                         double factor, double sign)
{
  double *row = row_of(s, to);
  for (uint32_t j = 0; j < s->width; j++)
    if (s->nonbasic[j] == variable) {
      row[j] += sign * factor;
      return;
    }
  for (uint32_t i = 0; i < s->rows; i++) {
    const double *other = row_of(s, i);
    if (i == to || s->basic[i] != variable)
      continue;
    s->right[to] += factor * s->right[i];
    for (uint32_t j = 0; j < s->width; j++)
      row[j] -= sign * factor * other[j];
    return;
  }
}

static void clear_row(simplex *s, uint32_t row)
{
  memset(row_of(s, row), 0, (s->columns + 1) * sizeof *s->entries);
  s->right[row] = 0;
}

/* missing = limit - sum */
void simplex_add(simplex *s, const simplex_term *terms, uint32_t count,
                 double limit)
{
  uint32_t row = s->rows;
  if (row == s->room)
    return;
  clear_row(s, row);
  for (uint32_t i = 0; i < count; i++)
    add_variable(s, row, terms[i].variable, -terms[i].factor, -1);
  s->right[row] += limit;
  s->basic[row] = s->variables++;
  s->rows++;
}

/* ---- pivots ------------------------------------------------------------- */

static uint32_t list_nonzero(simplex *s, double *row)
{
  uint32_t n = 0;
  for (uint32_t j = 0; j < s->width; j++)
    if (fabs(row[j]) > TINY)
      s->nonzero[n++] = j;
    else
      row[j] = 0;
  return n;
}

/* Puts what the pivot row says of the entering variable into another row. */
static void eliminate(simplex *s, uint32_t row, const double *by, double right,
                      uint32_t column, uint32_t n, double sign)
{
  double *to = row_of(s, row), factor = to[column];
  if (factor == 0)
    return;
  to[column] = 0;
  for (uint32_t k = 0; k < n; k++)
    to[s->nonzero[k]] -= factor * by[s->nonzero[k]];
  s->right[row] -= sign * factor * right;
  if (sign > 0 && s->right[row] < 0 && s->right[row] > -1e-7)
    s->right[row] = 0;
}

/* Rows: basic = right - sum; objective: right + sum; hence the sign. */
static void pivot(simplex *s, uint32_t row, uint32_t column, uint64_t *work)
{
  double *by = row_of(s, row), scale = 1 / by[column];
  for (uint32_t j = 0; j < s->width; j++)
    by[j] *= scale;
  by[column] = scale;
  s->right[row] *= scale;
  uint32_t n = list_nonzero(s, by);
  for (uint32_t i = 0; i < s->rows; i++)
    if (i != row) {
      if (row_of(s, i)[column] != 0)
        *work += n;
      eliminate(s, i, by, s->right[row], column, n, 1);
    }
  eliminate(s, s->room, by, s->right[row], column, n, -1);
  *work += s->width + s->rows;
  uint32_t leaves = s->basic[row];
  s->basic[row] = s->nonbasic[column];
  s->nonbasic[column] = leaves;
}

/* The column that promises most; width: none is better. */
static uint32_t entering(const simplex *s)
{
  const double *objective = row_of(s, s->room);
  uint32_t best = s->width;
  for (uint32_t j = 0; j < s->width; j++)
    if (objective[j] > TINY &&
        (best == s->width || objective[j] > objective[best]))
      best = j;
  return best;
}

/* The row that runs out first; rows: none does. */
static uint32_t leaving(const simplex *s, uint32_t column)
{
  uint32_t best = s->rows;
  double least = 0;
  for (uint32_t i = 0; i < s->rows; i++) {
    double entry = row_of(s, i)[column];
    if (entry <= 1e-7)
      continue;
    double ratio = s->right[i] / entry;
    if (best == s->rows || ratio < least - TINY ||
        (ratio < least + TINY && entry > row_of(s, best)[column])) {
      best = i;
      least = ratio;
    }
  }
  return best;
}

static simplex_end improve(simplex *s, uint64_t *work, uint64_t most, limits *l)
{
  for (;;) {
    uint32_t column = entering(s);
    if (column == s->width)
      return SIMPLEX_BEST;
    uint32_t row = leaving(s, column);
    if (row == s->rows)
      return SIMPLEX_UNBOUNDED;
    if (*work > most || limits_reached(l))
      return SIMPLEX_ENDED;
    pivot(s, row, column, work);
  }
}

/* A program takes so much work in proportion to its size, or is given up. */
static uint64_t patience(const simplex *s, const uint64_t *work)
{
  return *work + 200 * ((uint64_t)s->rows + s->width) * 64 + (1 << 22);
}

simplex_end simplex_maximize(simplex *s, const simplex_term *terms,
                             uint32_t count, uint64_t *work, limits *l)
{
  clear_row(s, s->room);
  for (uint32_t i = 0; i < count; i++)
    add_variable(s, s->room, terms[i].variable, terms[i].factor, 1);
  return improve(s, work, patience(s, work), l);
}

/* With a helper, a column that is added to every violated row: it enters for
** the row that is violated most, and then is made as small as possible. */
simplex_end simplex_satisfy(simplex *s, bool *feasible, uint64_t *work,
                            limits *l)
{
  uint32_t worst = s->rows, helper = s->columns;
  for (uint32_t i = 0; i < s->rows; i++) {
    bool violated = s->right[i] < -TINY;
    row_of(s, i)[helper] = violated ? -1 : 0;
    if (violated && (worst == s->rows || s->right[i] < s->right[worst]))
      worst = i;
  }
  *feasible = worst == s->rows;
  if (*feasible)
    return SIMPLEX_BEST;
  clear_row(s, s->room);
  row_of(s, s->room)[helper] = -1;
  s->nonbasic[helper] = s->variables++;
  s->width = s->columns + 1;
  pivot(s, worst, helper, work);
  simplex_end end = improve(s, work, patience(s, work), l);
  *feasible = s->right[s->room] > -1e-7;
  return end;
}

/* ---- what was found ----------------------------------------------------- */

void simplex_values(const simplex *s, double *values)
{
  memset(values, 0, s->variables * sizeof *values);
  for (uint32_t i = 0; i < s->rows; i++)
    values[s->basic[i]] = s->right[i];
}

void simplex_prices(const simplex *s, double *prices)
{
  memset(prices, 0, s->variables * sizeof *prices);
  for (uint32_t j = 0; j < s->width; j++)
    prices[s->nonbasic[j]] = -row_of(s, s->room)[j];
}
