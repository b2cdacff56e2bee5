#include "cli/progress.h"
#include "cli/output.h"

static void add_symbolic(const nut_progress *p, text *t)
{
  text_printf(t, "about %.3g states, ", p->symbolic_states);
  text_add_number(t, p->nodes);
  text_add(t, " nodes, round ");
  text_add_number(t, p->iterations);
  text_add(t, ", ");
  text_add_size(t, p->memory_bytes);
}

static void add_explicit(const nut_progress *p, text *t)
{
  text_add_number(t, p->states);
  text_add(t, " states, ");
  text_add_number(t, (uint64_t)p->states_per_second);
  text_add(t, "/s, depth ");
  text_add_number(t, p->depth);
  text_add(t, ", ");
  text_add_number(t, p->waiting);
  text_add(t, " waiting, ");
  text_add_size(t, p->memory_bytes);
  if (p->states > 0)
    text_printf(t, ", %.1f bytes/state",
                (double)p->store_bytes / (double)p->states);
}

static void show(void *context, const nut_progress *p)
{
  progress_line *line = context;
  text t = {0};
  text_add(&t, line->terminal ? "\r\033[K" : "");
  if (p->symbolic)
    add_symbolic(p, &t);
  else
    add_explicit(p, &t);
  text_printf(&t, ", %.0f s", p->seconds);
  if (!line->terminal)
    text_add_char(&t, '\n');
  say_error(text_string(&t));
  text_free(&t);
  line->shown = true;
}

bool progress_is_wanted(const options *o)
{
  return o->progress == WHEN_ALWAYS ||
         (o->progress == WHEN_AUTO && error_is_terminal());
}

void progress_attach(progress_line *line, nut_options *search)
{
  line->terminal = error_is_terminal();
  line->shown = false;
  search->on_progress = show;
  search->context = line;
}

void progress_clear(progress_line *line)
{
  if (line->shown && line->terminal)
    say_error("\r\033[K");
}

static void add_growth(void *context, const nut_progress *p)
{
  text_printf(context, "%llu,%llu,%.3f,%llu,%llu,%llu\n",
              (unsigned long long)p->states, (unsigned long long)p->transitions,
              p->seconds, (unsigned long long)p->store_bytes,
              (unsigned long long)p->memory_bytes,
              (unsigned long long)p->nodes);
}

void growth_attach(text *table, const options *o, nut_options *search)
{
  if (!o->growth)
    return;
  text_add(table,
           "states,transitions,seconds,store_bytes,memory_bytes,nodes\n");
  search->on_growth = add_growth;
  search->growth_context = table;
}
