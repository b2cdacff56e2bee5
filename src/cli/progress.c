/* The line is made of parts, the most important first; those that do not fit
** the terminal are left out. */

#include "cli/progress.h"
#include "cli/output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_WIDTH = 80 };

/* What a line of progress begins with, where somebody else shows it. */
static const char *progress_begin = "";

void progress_for_others(const char *begin)
{
  progress_begin = begin;
}

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

static void add_duration(text *to, double seconds)
{
  if (seconds < 100)
    text_printf(to, "%.0f s", seconds);
  else if (seconds < 6000)
    text_printf(to, "%.0f min", seconds / 60);
  else if (seconds < 100 * 3600)
    text_printf(to, "%.0f h", seconds / 3600);
  else
    text_printf(to, "%.0f days", seconds / 86400);
}

/* What the whole search may come to. */
static void add_expected(const nut_progress *p, parts *to)
{
  const nut_expected *states = &p->expected_states;
  const nut_expected *seconds = &p->expected_seconds;
  const nut_expected *bytes = &p->expected_bytes;
  if (!(states->high > 0))
    return;
  text_add(&to->next, "expected ");
  text_add_range(&to->next, states->low, states->high);
  add_part(to);
  add_duration(&to->next, seconds->low);
  text_add(&to->next, " to ");
  add_duration(&to->next, seconds->high);
  add_part(to);
  text_add_size(&to->next, (uint64_t)bytes->low);
  text_add(&to->next, " to ");
  text_add_size(&to->next, (uint64_t)bytes->high);
  add_part(to);
}

static void add_explicit(const nut_progress *p, parts *to)
{
  text_add_number(&to->next, p->states);
  text_add(&to->next, " states");
  add_part(to);
  add_seconds(p, to);
  add_memory(p, to);
  add_expected(p, to);
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

void progress_show(progress_line *line, const char *words)
{
  say_error(line->terminal ? "\r\033[K" : progress_begin);
  say_error(words);
  say_error(line->terminal ? "" : "\n");
  line->shown = true;
}

static void show(void *context, const nut_progress *p)
{
  progress_line *line = context;
  parts to = {.width = line->terminal ? error_width(USUAL_WIDTH) : 0};
  if (p->symbolic)
    add_symbolic(p, &to);
  else
    add_explicit(p, &to);
  progress_show(line, text_string(&to.line));
  text_free(&to.line);
  text_free(&to.next);
}

/* A dumb terminal knows no escapes. */
static bool can_overwrite(void)
{
  const char *term = getenv("TERM");
  return !term || strcmp(term, "dumb") != 0;
}

bool progress_is_wanted(const options *o)
{
  return *progress_begin || o->progress == WHEN_ALWAYS ||
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
  const nut_expected *e = &p->expected_states;
  text_printf(context, "%" PRIu64 ",%" PRIu64 ",%.3f,%" PRIu64 ",%" PRIu64,
              p->states, p->transitions, p->seconds, p->store_bytes,
              p->memory_bytes);
  text_printf(context, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, p->nodes, p->depth,
              p->waiting);
  text_printf(context, ",%.0f,%.0f,%.0f\n", e->low, e->likely, e->high);
}

void growth_attach(text *table, const options *o, nut_options *search)
{
  if (!o->growth)
    return;
  text_add(table, "states,transitions,seconds,store_bytes,memory_bytes,nodes,"
                  "depth,waiting,expected_low,expected,expected_high\n");
  search->on_growth = add_growth;
  search->growth_context = table;
}
