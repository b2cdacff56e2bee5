/* Statements that a complete search never executed. */

#ifndef NUT_REPORT_UNREACHED_H
#define NUT_REPORT_UNREACHED_H

#include "report/plain.h"

typedef VEC(const edge *) edge_list;

/* The statements, by process type and then by place.  A statement that stands
** for several edges (an escape that starts in many places) is reached when one
** of them is, and listed once. */
void unreached_collect(const outcome *, edge_list *);

/* As a table for people; nothing when all were reached. */
void plain_unreached(const outcome *, plain_style, text *out);

#endif
