#include "cli/options.h"
#include "cli/output.h"

int command_stores(const options *o)
{
  nut_store s;
  for (size_t i = 0; (s = nut_store_at(i)).codec; i++) {
    text name = {0};
    text_printf(&name, "%s+%s", s.codec, s.set);
    if (o->quiet)
      say("%s\n", text_string(&name));
    else
      say("%-20s %-6s %s\n", text_string(&name), s.exact ? "exact" : "lossy",
          s.summary);
    text_free(&name);
  }
  return STATUS_HOLDS;
}
