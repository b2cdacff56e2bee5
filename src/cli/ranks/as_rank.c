/* What makes a rank of the program; see as_rank.h. */

#include "cli/ranks/as_rank.h"

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/ranks/started.h"
#include <stdlib.h>
#include <string.h>

void rank_begin(void)
{
  uint32_t own, count;
  if (!nut_ranks_launched(&own, &count))
    return;
  interrupt_by_launcher();
  be_handed_on();
  if (own)
    fall_silent();
  else if (getenv(STARTED_VARIABLE)) {
    static const char progress[] = {STARTED_MARK, STARTED_PROGRESS, 0};
    mark_error_lines(STARTED_MARK);
    interrupt_by_input();
    progress_for_others(progress);
  }
}

int rank_end(int status)
{
  uint32_t own, count;
  if (!getenv(STARTED_VARIABLE) || !nut_ranks_launched(&own, &count))
    return status;
  text line = {0};
  text_printf(&line, "%c%c%d\n", STARTED_MARK, STARTED_STATUS, status);
  if (!own)
    say_error(text_string(&line));
  text_free(&line);
  return 0;
}

static bool has_standard_input(const options *o)
{
  for (size_t i = 0; i < o->files.len; i++)
    if (!strcmp(o->files.data[i], "-"))
      return true;
  return false;
}

/* What one process must do alone is not done by each of them. */
static const char *why_not(const options *o)
{
  if (!(o->command->mask & ON_RUN))
    return "only 'check', 'count' and 'resume' run on several";
  if (has_standard_input(o))
    return "all must read the model, and only one has the standard input";
  if (o->certificate)
    return "a certificate is made by one process";
  return NULL;
}

bool rank_suits(const options *o)
{
  const char *why = why_not(o);
  if (why)
    complain("--ranks %u: %s", (unsigned)o->ranks, why);
  return !why;
}

bool rank_join(options *o)
{
  uint32_t own, count;
  if (!nut_ranks_launched(&own, &count))
    return true;
  const char *why = o->ranks ? "--ranks would start more" : why_not(o);
  if (why) {
    complain("started as %u ranks: %s", (unsigned)count, why);
    return false;
  }
  o->check.ranks = nut_ranks_join(&why);
  if (!o->check.ranks) {
    complain("started as %u ranks: %s", (unsigned)count, why);
    return false;
  }
  return true;
}

void rank_leave(options *o)
{
  nut_ranks_leave(o->check.ranks);
  o->check.ranks = NULL;
}
