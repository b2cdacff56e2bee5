/* Loading with its messages, and traces and trails written to files. */

#include "cli/common.h"
#include "base/source/shown.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Macros by which SPIN's pan is told what to do, and what is meant here. */
static const struct {
  const char *name, *instead;
} pan_flags[] = {
    {"BITSTATE", "here --store raw+bitstate"},
    {"HC", "here --store raw+hashcompact"},
    {"HC4", "here --store raw+hashcompact"},
    {"COLLAPSE", "here that is the default store"},
    {"BFS", "here --search bfs"},
    {"REACH", "here --shortest"},
    {"MEMLIM", "here --memory"},
    {"VECTORSZ", "here it is not needed"},
    {"NOREDUCE", "here --por off"},
    {"SAFETY", "here --no-liveness"},
};

static void hint_pan_flags(const nut_load *load)
{
  for (size_t i = 0; i < load->preprocessor_count; i++) {
    const char *word = load->preprocessor[i];
    word += !strncmp(word, "-D", 2) ? 2 : 0;
    size_t length = strcspn(word, "=");
    for (size_t k = 0; k < sizeof pan_flags / sizeof *pan_flags; k++)
      if (!strncmp(pan_flags[k].name, word, length) &&
          !pan_flags[k].name[length])
        note("%s is an option of pan: %s", pan_flags[k].name,
             pan_flags[k].instead);
  }
}

const char *model_name(const options *o)
{
  const char *file = o->files.data[0];
  return strcmp(file, "-") ? file : "stdin";
}

nut_language language_for(const options *o, const char *file)
{
  nut_language l = nut_language_of(file);
  if (!o->load.language)
    return l.name ? l : nut_language_at(0);
  for (size_t i = 0; (l = nut_language_at(i)).name; i++)
    if (!strcmp(l.name, o->load.language))
      break;
  return l;
}

void read_input(text *out)
{
  enum { MOST = (64 << 20) + 1 };
  char block[1 << 16];
  size_t n;
  while (out->len < MOST && (n = fread(block, 1, sizeof block, stdin)) > 0)
    text_add_bytes(out, block, n);
}

static nut_workspace *open_input(const options *o, const nut_load *load)
{
  text content = {0};
  read_input(&content);
  nut_workspace *w =
      nut_open_text(model_name(o), text_string(&content), content.len, load);
  text_free(&content);
  return w;
}

nut_workspace *open_any_model(const options *o)
{
  nut_load load = o->load;
  hint_pan_flags(&load);
  load.interrupt = &interrupt_flag;
  load.tell = progress_is_wanted(o) ? NULL : &progress_flag;
  /* 'replay' has a trace as its second word. */
  if (o->command->mask & (ON(check) | ON(count) | ON(explore))) {
    load.more = o->files.data + 1;
    load.more_count = o->files.len - 1;
  }
  nut_workspace *w = strcmp(o->files.data[0], "-") || load.checkpoint
                         ? nut_open_file(model_name(o), &load)
                         : open_input(o, &load);
  say_error(nut_model_messages(nut_workspace_model(w)));
  if (w)
    nut_check_overflow(w, o->check.check_overflow);
  return w;
}

nut_workspace *open_model(const options *o, int *status)
{
  nut_workspace *w = open_any_model(o);
  *status = (int)nut_model_verdict(nut_workspace_model(w));
  if (*status == STATUS_HOLDS)
    return w;
  nut_close(w);
  return NULL;
}

int tell_problem(nut_workspace *w)
{
  if (*nut_problem(w))
    complain("%s", nut_problem(w));
  else
    say_error(nut_model_messages(nut_workspace_model(w)));
  if (*nut_hint(w))
    note("%s", nut_hint(w));
  return (int)nut_outcome(w);
}

/* As no-color.org has it, and for terminals that know none. */
static bool colors_are_welcome(void)
{
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return output_is_terminal() && !(no && *no) &&
         !(term && strcmp(term, "dumb") == 0);
}

nut_style style_of(const options *o)
{
  bool color = o->color == WHEN_ALWAYS ||
               (o->color == WHEN_AUTO && colors_are_welcome());
  return (nut_style){.color = color, .verbose = o->verbose, .quiet = o->quiet};
}

void gather_text(void *to, const char *bytes, size_t length)
{
  text_add_bytes(to, bytes, length);
}

bool name_ends_with(const char *name, const char *ending)
{
  size_t n = strlen(name), m = strlen(ending);
  return n > m && strcmp(name + n - m, ending) == 0;
}

bool spares_model(const options *o, const char *option, const char *name)
{
  for (size_t i = 0; name && *name && i < o->files.len; i++)
    if (same_file(name, o->files.data[i])) {
      complain("--%s %s: would overwrite the input", option, name);
      return false;
    }
  return true;
}

/* Not the model itself, and a file that can be written. */
static bool is_good_output(const options *o, const char *option,
                           const char *name)
{
  return !name || !*name ||
         (spares_model(o, option, name) && can_write_file(name));
}

bool outputs_good(const options *o)
{
  if (o->msc && strcmp(o->msc, "-") && !name_ends_with(o->msc, ".svg") &&
      !name_ends_with(o->msc, ".mmd")) {
    complain("--msc %s: the name must end in .svg or .mmd", o->msc);
    return false;
  }
  return spares_model(o, "json", o->json) &&
         is_good_output(o, "certificate", o->certificate) &&
         is_good_output(o, "growth", o->growth) &&
         is_good_output(o, "coverage", o->coverage) &&
         is_good_output(o, "trace", o->trace) &&
         is_good_output(o, "trail", o->trail) &&
         is_good_output(o, "msc", o->msc);
}

const char *with_suffix(arena *a, const char *name, const char *suffix)
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
  return arena_printf(a, "%s.trail", model_name(o));
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

/* Where files are written from: a trace, and what goes into their names. */
typedef struct trace_files {
  const options *options;
  const nut_trace *trace;
  const char *suffix;
  arena *arena;
} trace_files;

static bool write_named(const trace_files *f, const char *option,
                        const char *path, nut_format format)
{
  text out = {0};
  nut_style style = {.verbose = f->options->verbose};
  bool good = nut_trace_text(f->trace, format, 0, style, gather_text, &out) &&
              spares_model(f->options, option, path) && write_file(path, &out);
  text_free(&out);
  return good;
}

static bool write_json(const trace_files *f, nut_result *r)
{
  const char *path = with_suffix(f->arena, f->options->trace, f->suffix);
  bool good = write_named(f, "trace", path, NUT_JSON);
  if (r)
    nut_trace_saved(r, f->trace, path);
  return good;
}

static bool write_trail(const trace_files *f)
{
  const char *name = trail_name(f->options, f->arena);
  return write_named(f, "trail", with_suffix(f->arena, name, f->suffix),
                     NUT_TRAIL);
}

static bool write_chart(const trace_files *f)
{
  const char *name = f->options->msc;
  return write_named(f, "msc", with_suffix(f->arena, name, f->suffix),
                     name_ends_with(name, ".mmd") ? NUT_MERMAID : NUT_SVG);
}

/* The standard output has room for the first one. */
static bool is_wanted(const char *name, const char *suffix)
{
  return name && (!suffix || strcmp(name, "-"));
}

bool write_traces(const options *o, const nut_trace *t, const char *suffix,
                  nut_result *r)
{
  trace_files f = {o, t, suffix, arena_create()};
  bool good = (!is_wanted(o->trace, suffix) || write_json(&f, r)) &&
              (!is_wanted(o->trail, suffix) || write_trail(&f)) &&
              (!is_wanted(o->msc, suffix) || write_chart(&f));
  arena_destroy(f.arena);
  return good;
}

void remove_old_trail(const options *o)
{
  if (!o->trail || is_silent())
    return;
  arena *a = arena_create();
  unlink(trail_name(o, a));
  arena_destroy(a);
}
