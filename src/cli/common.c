/* Loading with its messages, and traces and trails written to files. */

#include "cli/common.h"
#include "base/source/shown.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "report/chart.h"
#include "report/json.h"
#include "report/tracefile.h"
#include <string.h>
#include <strings.h>
#include <unistd.h>

nut_model *load_model(const options *o, int *status)
{
  nut_load load = o->load;
  load.interrupt = &interrupt_flag;
  load.tell = progress_is_wanted(o) ? NULL : &progress_flag;
  /* 'replay' has a trace as its second word. */
  if (o->command->mask & (ON(check) | ON(count))) {
    load.more = o->files.data + 1;
    load.more_count = o->files.len - 1;
  }
  nut_model *m = nut_load_file(o->files.data[0], &load);
  say_error(nut_model_messages(m));
  *status = (int)nut_model_verdict(m);
  bool reported = o->command->mask & ON_SEARCH;
  if (nut_model_good(m) || (m && reported && *status == STATUS_UNKNOWN))
    return m;
  nut_model_free(m);
  return NULL;
}

bool work_within_limits(nut_model *m, mem_work *work, void *context)
{
  limits_open(&m->limits);
  mem_budget *outer = limits_enter(&m->limits);
  bool done = mem_protect(work, context);
  limits_close(&m->limits);
  limits_leave(outer);
  if (!done)
    complain("%s", reason_text(limits_why(&m->limits)));
  return done;
}

plain_style style_of(const options *o)
{
  bool color = o->color == WHEN_ALWAYS ||
               (o->color == WHEN_AUTO && output_is_terminal());
  return (plain_style){
      .color = color, .verbose = o->verbose, .quiet = o->quiet};
}

static bool ends_with(const char *name, const char *ending)
{
  size_t n = strlen(name), m = strlen(ending);
  return n > m && strcmp(name + n - m, ending) == 0;
}

static bool spares_model(const options *o, const char *option, const char *name)
{
  for (size_t i = 0; name && *name && i < o->files.len; i++)
    if (same_file(name, o->files.data[i])) {
      complain("--%s %s: would overwrite the input", option, name);
      return false;
    }
  return true;
}

bool outputs_good(const options *o)
{
  if (o->msc && !ends_with(o->msc, ".svg") && !ends_with(o->msc, ".mmd")) {
    complain("--msc %s: the name must end in .svg or .mmd", o->msc);
    return false;
  }
  return spares_model(o, "json", o->json) &&
         spares_model(o, "growth", o->growth) &&
         spares_model(o, "trace", o->trace) &&
         spares_model(o, "trail", o->trail) && spares_model(o, "msc", o->msc);
}

/* "dir/t.json" with suffix "x" is "dir/t-x.json". */
static const char *with_suffix(arena *a, const char *name, const char *suffix)
{
  if (!suffix)
    return name;
  const char *slash = strrchr(name, '/');
  const char *dot = strrchr(slash ? slash : name, '.');
  int head = dot ? (int)(dot - name) : (int)strlen(name);
  return arena_printf(a, "%.*s-%s%s", head, name, suffix, dot ? dot : "");
}

static const char *trail_name(const options *o, arena *a)
{
  if (*o->trail)
    return o->trail;
  return arena_printf(a, "%s.trail", o->files.data[0]);
}

static bool is_taken(const taken *list, const char *name)
{
  for (; list; list = list->next)
    if (!strcasecmp(list->name, name))
      return true;
  return false;
}

const char *file_part(arena *a, taken **list, const char *name)
{
  const char *base = shown_file_part(a, name), *part = base;
  for (unsigned n = 2; is_taken(*list, part); n++)
    part = arena_printf(a, "%s-%u", base, n);
  taken *new = ARENA_NEW(a, taken);
  *new = (taken){part, *list};
  *list = new;
  return part;
}

static bool write_named(const options *o, const char *option, arena *a,
                        const char *name, const char *suffix,
                        const text *content)
{
  const char *path = with_suffix(a, name, suffix);
  return spares_model(o, option, path) && write_file(path, content);
}

bool write_traces(const options *o, story *s, const char *shows,
                  const char *suffix, arena *a, const char **written)
{
  bool good = true;
  text out = {0};
  if (o->trace) {
    good = json_story(s, &shows, shows ? 1 : 0, &out) &&
           write_named(o, "trace", a, o->trace, suffix, &out);
    if (written)
      *written = with_suffix(a, o->trace, suffix);
  }
  if (good && o->trail) {
    text_clear(&out);
    trail_write(s, &out);
    good = write_named(o, "trail", a, trail_name(o, a), suffix, &out);
  }
  if (good && o->msc) {
    text_clear(&out);
    if (ends_with(o->msc, ".svg"))
      chart_svg(s, &out);
    else
      chart_mermaid(s, &out);
    good = write_named(o, "msc", a, o->msc, suffix, &out);
  }
  text_free(&out);
  return good;
}

void remove_old_trail(const options *o)
{
  if (!o->trail)
    return;
  arena *a = arena_create();
  unlink(trail_name(o, a));
  arena_destroy(a);
}
