#include "base/ranks/launcher.h"
#include "nutshell.h"

bool nut_ranks_launched(uint32_t *own, uint32_t *count)
{
  launch l;
  if (!launcher_find(&l))
    return false;
  *own = l.own;
  *count = l.count;
  return true;
}

nut_ranks *nut_ranks_join(const char **why)
{
  launch l;
  if (!launcher_find(&l)) {
    *why = "no launcher of MPI started this process";
    return NULL;
  }
  return (nut_ranks *)launcher_join(&l, why);
}

const char *nut_ranks_library(const nut_ranks *r)
{
  return ranks_name((const ranks *)r);
}

void nut_ranks_leave(nut_ranks *r)
{
  ranks_close((ranks *)r);
}
