#include "search/live.h"
void live_components(live *l)
{
  search_stop(&l->host, REASON_NOT_CHECKED);
}
