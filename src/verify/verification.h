/* The room where a verdict is made.
**
**   options, model      what is asked of which model
**     v  ask.h          questions, each selected or not
**     v  plan.h         which engine answers which of them
**     v  engines        search, symbolic, graph
**   answers             one for each question that was to be answered
**     v  outcome.h      the verdict
**   report, api         render, and tell */

#ifndef NUT_VERIFY_VERIFICATION_H
#define NUT_VERIFY_VERIFICATION_H

#include "verify/loaded.h"
#include "verify/outcome.h"

typedef struct verification {
  loaded *model;            /* NULL: there was no memory for one */
  limits *limits;           /* of the model, */
  struct limits own_limits; /* or, where there is none, of its own */
  struct model *annex;      /* of the model, for what the questions need */
  program *program;         /* of the annex */
  program *squeezed;        /* what is searched instead, or NULL */
  outcome outcome;
  certificate_report certificate; /* that the outcome tells of */
  text messages; /* what is wrong with the options or the model */
  text remarks;
  struct ctl_questions *ctl;   /* NULL: none are asked; see ctl_check.h */
  struct net_watch *net;       /* NULL: not a Petri net; see examination.h */
  struct coding_watch *coding; /* NULL: not asked for; see state_coding.h */
  questions questions;         /* what is asked */
  struct kept_run *kept;       /* NULL: no file keeps it; see kept/kept.h */
} verification;

/* An outcome that is an error so far.  The model may be NULL. */
void verification_start(verification *, loaded *, bool count);
/* Checks, or counts.  Afterwards the limits are closed, and the thread is under
** them: the caller reports, and then calls 'limits_leave'. */
mem_budget *verification_run(verification *, const nut_options *, bool count);
/* Reads a condition that is a source of the model; NULL with diagnostics. */
expr *verification_condition(verification *, uint32_t file);
/* Takes the diagnostics over as messages, those of the model first.  Returns
** false. */
bool verification_complain(verification *);
/* What was found out is not certain any more, for want of memory or time. */
void verification_give_up(verification *);
/* The program that was searched; NULL: none. */
const program *verification_searched(const verification *);
void verification_free(verification *);

#endif
