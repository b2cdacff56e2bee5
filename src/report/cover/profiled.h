/* Where the states come from (verify/profile/profile.h), told. */

#ifndef NUT_REPORT_COVER_PROFILED_H
#define NUT_REPORT_COVER_PROFILED_H

#include "report/plain.h"
#include "verify/profile/profile.h"

/* A statement: its edges together. */
typedef struct told_edge {
  const edge *edge;
  span where;
  position at;
  profiled_edge sum;
} told_edge;

typedef VEC(told_edge) told_edges;

/* Statements that begin transitions, by place. */
void profile_statements(const profile *, told_edges *);
void profile_print(const profile *, const char *file, plain_style, text *out);
/* False: no memory. */
bool profile_json(const profile *, const char *file, text *out);

#endif
