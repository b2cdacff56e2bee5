/* What is refused at once, rather than when memory is used up. */

#include "verify/kept/disk_use.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Why such a search stays in memory; NULL: it need not. */
static const char *why_not_asked(const nut_options *o)
{
  if (o->symbolic)
    return "sets of states (--symbolic) stay in memory";
  if (o->search == NUT_DFS && !o->shortest)
    return "a depth-first search (--search dfs) stays in memory";
  if (o->store && strcmp(o->store, "collapse+tree"))
    return "only the store collapse+tree can use a disk";
  if (o->coverage)
    return "how often statements are executed (--coverage) is not counted with "
           "a disk";
  if (o->examination || o->formulas)
    return "examinations of nets stay in memory";
  return NULL;
}

static const char *why_not_model(const verification *v, const nut_options *o,
                                 bool count)
{
  if (program_model(v->program)->flags & MODEL_HAS_C)
    return "the model has embedded C, whose memory is not that of a state";
  if (program_hidden(v->program))
    return "the model has hidden variables, which hold what the first path "
           "brought";
  if (v->net && !o->store)
    return "nets are searched in turns, which stay in memory (choose one by "
           "--store collapse+tree)";
  if (count)
    return NULL;
  if (questions_ask(&v->questions, ABOUT_TREES))
    return "formulas of branching time are checked in memory";
  if (questions_ask(&v->questions, ABOUT_PAIRS))
    return "properties of pairs of states are checked in memory (choose others "
           "by --property)";
  if (o->liveness && questions_ask(&v->questions, ABOUT_RUNS) && o->ranks &&
      (o->checkpoint || o->resume))
    return "searches for infinite runs of several ranks are kept in a "
           "checkpoint only without a disk (leave such properties out by "
           "--no-liveness, or choose others by --property)";
  return NULL;
}

bool disk_use_suits(const verification *v, const nut_options *o, bool count)
{
  return !why_not_asked(o) && !why_not_model(v, o, count);
}

bool disk_use_start(verification *v, const nut_options *o, bool count)
{
  struct stat s;
  if (!o->disk)
    return true;
  const char *why = why_not_asked(o);
  if (!why)
    why = why_not_model(v, o, count);
  if (why) {
    text_printf(&v->messages, "--disk: %s\n", why);
    return false;
  }
  int error = stat(o->disk, &s)                     ? errno
              : !S_ISDIR(s.st_mode)                 ? ENOTDIR
              : access(o->disk, R_OK | W_OK | X_OK) ? errno
                                                    : 0;
  if (error)
    text_printf(&v->messages, "--disk: cannot use '%s': %s\n", o->disk,
                strerror(error));
  return !error;
}
