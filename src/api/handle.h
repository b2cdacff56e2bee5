/* What the handles of nutshell.h hold.  The command line looks in here where
** the public interface is not enough (simulation, drawings). */

#ifndef NUT_API_HANDLE_H
#define NUT_API_HANDLE_H

#include "nutshell.h"
#include "report/account.h"

typedef VEC(const expr *) expr_list;

struct nut_model {
  arena *arena;
  names *names;
  sources *sources;
  diags *diags;
  model *model; /* NULL: not good */
  text messages;
  char *file;
  limits limits; /* of the command, from loading on */
  bool unread;   /* a limit was reached before it was read */
};

struct nut_trace {
  story *story;
  const char *property; /* name of what it shows */
};

struct nut_result {
  nut_model *model;
  limits *limits;           /* of the model, */
  struct limits own_limits; /* or, where there is none, of its own */
  program *program;
  program *squeezed; /* what is searched instead, or NULL */
  outcome outcome;
  text messages;
  text remarks;
  struct ctl_questions *ctl;   /* NULL: none are asked; see ctl.h */
  struct net_watch *net;       /* NULL: not a Petri net; see net.h */
  struct coding_watch *coding; /* NULL: not asked for; see coding.h */
  questions questions;         /* what is asked */
  account account;             /* of the outcome, for reports */
  VEC(nut_trace) traces; /* of each answer, without story when it has none */
};

/* A program of a good model; NULL with diagnostics. */
program *nut_program(nut_model *, bool check_overflow);
/* One for finite runs that leaves out steps and values of no account, or NULL
** when there are none. */
program *nut_squeezed_program(nut_model *, const nut_options *,
                              const expr_list *seen);
/* Writes the diagnostics collected so far into model->messages. */
void nut_collect_messages(nut_model *);

#endif
