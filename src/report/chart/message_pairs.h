/* Who said what to whom: finds for each receive the send it answers. */

#ifndef NUT_REPORT_CHART_MESSAGE_PAIRS_H
#define NUT_REPORT_CHART_MESSAGE_PAIRS_H

#include "report/story.h"

enum { CHANNEL_NUMBERS = 256 };

typedef VEC(int64_t) step_list;

/* For each channel the steps that sent the messages now in it, in the order
** of the messages. */
typedef struct story_channels {
  step_list senders[CHANNEL_NUMBERS];
} story_channels;

/* Fills the talk part of step 'index', which leads from story.now to 'next'.
** To be called for all steps, in order. */
void talk_note(story *, const view *next, size_t index);
void talk_free(story_channels *);

#endif
