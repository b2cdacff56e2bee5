/* Message sequence charts of a story, as Mermaid text and as SVG.
**
** A chart has one lane for each process that appears, and a row for each event
** worth showing: a message (sent, received, or both at once), a step that
** changes a global variable, prints, starts or ends a process, or waits for
** 'timeout', and the end.  At
** the foot of its lane stands what a process waits for that is stuck. */

#ifndef NUT_REPORT_CHART_CHART_H
#define NUT_REPORT_CHART_CHART_H

#include "report/story.h"

typedef struct lane {
  const process_type *type;
  uint32_t process;
  char *name;         /* "P(2)" */
  size_t first, last; /* steps in which it appears */
  /* "waits at c?x", "c is empty"; NULL: it is not stuck.  Of the story. */
  const char *waits, *because;
} lane;

typedef enum {
  EVENT_STEP,    /* a box: 'label' */
  EVENT_SEND,    /* a message leaves; 'arrival' is the event that takes it */
  EVENT_RECEIVE, /* a message sent by event 'origin' arrives */
  EVENT_MEET     /* rendezvous: from 'lane' to 'other' */
} event_kind;

typedef struct event {
  event_kind kind;
  size_t lane, other; /* indices of lanes */
  const telling *step;
  int64_t origin, arrival; /* events; -1: none */
  char *label;
} event;

typedef struct chart {
  const story *story;
  VEC(lane) lanes;
  VEC(event) events;
  int64_t loop; /* event at which the loop starts, or -1 */
} chart;

/* 'all': also steps that concern only their process, or do not matter. */
void chart_create(chart *, story *, bool all);
void chart_free(chart *);

void chart_mermaid(story *, bool all, text *out);
void chart_svg(story *, bool all, text *out);

#endif
