/* The line is made of parts, the most important first; those that do not fit
** the terminal are left out. */

#include "cli/progress.h"
#include "cli/output.h"
#include <stdlib.h>
#include <string.h>

enum { USUAL_WIDTH = 80 };

typedef struct parts {
  text line, next;
  size_t width; /* 0: any */
} parts;

/* Adds the part in 'next', unless it is too long; then nothing follows. */
static void add_part(parts *p)
{
  const char *comma = p->line.len ? ", " : "";
  size_t length = p->line.len + strlen(comma) + p->next.len;
  if (!p->width || length < p->width)
    text_printf(&p->line, "%s%s", comma, text_string(&p->next));
  else
    p->width = 1;
  text_clear(&p->next);
}

static void add_memory(const nut_progress *p, parts *to)
{
  text_add_size(&to->next, p->memory_bytes);
  add_part(to);
}

static void add_seconds(const nut_progress *p, parts *to)
{
  text_printf(&to->next, "%.0f s", p->seconds);
  add_part(to);
}

static void add_symbolic(const nut_progress *p, parts *to)
{
  text_printf(&to->next, "about %.3g states", p->symbolic_states);
  add_part(to);
  add_seconds(p, to);
  add_memory(p, to);
  text_add_number(&to->next, p->nodes);
  text_add(&to->next, " nodes");
  add_part(to);
  text_add(&to->next, "round ");
  text_add_number(&to->next, p->iterations);
  add_part(to);
}

/* What is not the store is the stack or the frontier, for the most part. */
static void add_shares(const nut_progress *p, parts *to)
{
  text_add(&to->next, "store ");
  text_add_size(&to->next, p->store_bytes);
  add_part(to);
  text_add(&to->next, "search ");
  text_add_size(&to->next, p->memory_bytes > p->store_bytes
                               ? p->memory_bytes - p->store_bytes
                               : 0);
  add_part(to);
}

static void add_explicit(const nut_progress *p, parts *to)
{
  text_add_number(&to->next, p->states);
  text_add(&to->next, " states");
  add_part(to);
  add_seconds(p, to);
  add_memory(p, to);
  text_add_number(&to->next, (uint64_t)p->states_per_second);
  text_add(&to->next, "/s");
  add_part(to);
  text_add(&to->next, "depth ");
  text_add_number(&to->next, p->depth);
  add_part(to);
  text_add_number(&to->next, p->waiting);
  text_add(&to->next, " waiting");
  add_part(to);
  add_shares(p, to);
}

static void show(void *context, const nut_progress *p)
{
  progress_line *line = context;
  parts to = {.width = line->terminal ? error_width(USUAL_WIDTH) : 0};
  if (p->symbolic)
    add_symbolic(p, &to);
  else
    add_explicit(p, &to);
  say_error(line->terminal ? "\r\033[K" : "");
  say_error(text_string(&to.line));
  say_error(line->terminal ? "" : "\n");
  text_free(&to.line);
  text_free(&to.next);
  line->shown = true;
}

/* A dumb terminal knows no escapes. */
static bool can_overwrite(void)
{
  const char *term = getenv("TERM");
  return !term || strcmp(term, "dumb") != 0;
}

bool progress_is_wanted(const options *o)
{
  return o->progress == WHEN_ALWAYS ||
         (o->progress == WHEN_AUTO && error_is_terminal() && can_overwrite());
}

void progress_attach(progress_line *line, nut_options *search)
{
  line->terminal = error_is_terminal() && can_overwrite();
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
