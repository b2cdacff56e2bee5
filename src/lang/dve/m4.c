/* Runs m4 with line markers, and finds where a line of its output or of its
** complaints was written. */

#include "lang/dve/m4.h"

#include "base/hash.h"
#include "base/system/path.h"
#include "lang/loading.h"

#include <stdlib.h>
#include <string.h>

enum {
  M4_SECONDS = 1,
  M4_OUTPUT_MAX = 32 << 20,
  M4_MEMORY_MAX = 1 << 28,
  M4_OPTIONS_MAX = 100
};

/* Without 'builtin' and 'indir' there is no way back to what was taken out.
** 'undivert' copies files without telling; what 'include' reads is told, by
** -di, and without 'debugmode' and 'debugfile' nobody stops that. */
#define M4_FIXED                                                               \
  "m4", "--synclines", "-Usyscmd", "-Uesyscmd", "-Umaketemp", "-Umkstemp",     \
      "-Udebugfile", "-Udebugmode", "-Uundivert", "-Ubuiltin", "-Uindir",      \
      "-di", "-Ddefault=ifdef(`$1',,`define(`$1',`$2')')",                     \
      "-Dforloop=pushdef(`$1',eval($2))forloop_(`$1',eval($3),`$4')"           \
      "popdef(`$1')",                                                          \
      "-Dforloop_=ifelse(eval($1<=$2),1,`$3`'define(`$1',incr($1))"            \
      "forloop_(`$1',`$2',`$3')')"

/* ---- messages ---------------------------------------------------------- */

static const char reads[] = "m4debug: input read from ";

/* Refuses a model that has read a file which must not be shown: what it makes
** of its text could not be told from its own.  A name with a line break in it
** is told in two lines, of which the second is none of m4's. */
static bool may_be_shown(sources *s, diags *d, uint32_t file, text *said)
{
  bool fine = said->len < COMMAND_MESSAGES_MAX;
  for (char *p = said->data; fine && p && (p = strstr(p, reads));) {
    char *name = p + strlen(reads), *end = strchrnul(name, '\n');
    bool last = !*end;
    fine = last || !end[1] || !strncmp(end + 1, "m4", 2);
    *end = 0;
    /* The first is the model itself; another one is a file of this name. */
    if (fine && p > said->data) {
      source_include(s, name);
      fine = !source_hides(s);
    }
    *end = last ? 0 : '\n';
    p = end;
  }
  if (!fine)
    diag_error(d, (span){file, 0, 0},
               "m4: a file is included that lies outside the folder of the "
               "model and those of -I, or a name that cannot be read");
  return fine;
}

/* 'm4:file:line: text' becomes a diagnostic of ours. */
static void report_line(sources *s, diags *d, uint32_t file, char *line)
{
  char *at = !strncmp(line, "m4:", 3) ? line + 3 : line;
  char *colon = strchr(at, ':'), *end;
  unsigned long number = colon ? strtoul(colon + 1, &end, 10) : 0;
  if (!number || *end != ':') {
    diag_error(d, (span){file, 0, 0}, "m4: %s", at);
    return;
  }
  uint32_t start = source_line_start(s, file, (uint32_t)number);
  bool warning = strstr(end, "arning:");
  diag_report(d, warning ? DIAG_WARNING : DIAG_ERROR, (span){file, start, 0},
              "m4:%s", end + 1);
}

static void report_messages(sources *s, diags *d, uint32_t file, text *said)
{
  for (char *line = said->data; line && *line;) {
    char *end = strchr(line, '\n');
    if (end)
      *end = 0;
    if (strncmp(line, "m4debug:", 8))
      report_line(s, d, file, line);
    line = end ? end + 1 : NULL;
  }
}

static bool report_result(sources *s, diags *d, uint32_t file,
                          command_result result, filter_command *c)
{
  span where = {file, 0, 0};
  size_t before = diags_errors(d);
  switch (result) {
  case COMMAND_MISSING:
    diag_error(d, where,
               "this file needs the macro processor m4, which is not "
               "installed");
    return false;
  case COMMAND_FAILED:
    diag_error(d, where, "m4 failed%s%s", c->error ? ": " : "",
               c->error ? strerror(c->error) : "");
    return false;
  case COMMAND_SLOW:
    diag_error(d, where,
               "m4 needs more than %d seconds; are there macros "
               "without end?",
               M4_SECONDS);
    return false;
  case COMMAND_LARGE:
    diag_error(d, where,
               "m4 makes more than %d MiB of text; are there macros "
               "without end?",
               M4_OUTPUT_MAX >> 20);
    return false;
  case COMMAND_DONE:
    break;
  }
  if (!may_be_shown(s, d, file, &c->messages))
    return false;
  report_messages(s, d, file, &c->messages);
  if (c->status && diags_errors(d) == before)
    diag_error(d, where, "m4 failed");
  return diags_errors(d) == before;
}

/* ---- lines ------------------------------------------------------------- */

/* '#line N "file"' at 'p'; its number, or 0. */
static uint32_t line_marker(const char *p, bool *other_file)
{
  char *end;
  *other_file = false;
  if (strncmp(p, "#line ", 6))
    return 0;
  unsigned long n = strtoul(p + 6, &end, 10);
  /* Our input is what m4 calls 'stdin'. */
  if (*end == ' ' && strncmp(end + 1, "\"stdin\"", 7))
    *other_file = true;
  return n > 0 && n < UINT32_MAX ? (uint32_t)n : 0;
}

/* Takes the markers out of the output, line by line, and notes what they say.
** Lines of included files are those of the line before them. */
static void unmark(arena *a, text *out, m4_map *map)
{
  uint32_t lines = 1, line = 1, count = 0;
  bool other = false, now_other;
  for (size_t i = 0; i < out->len; i++)
    lines += out->data[i] == '\n';
  m4_line *list = ARENA_ARRAY(a, m4_line, lines);
  size_t to = 0;
  for (char *p = out->data; p && *p;) {
    char *end = strchr(p, '\n');
    size_t n = end ? (size_t)(end - p) + 1 : strlen(p);
    uint32_t marked = line_marker(p, &now_other);
    if (marked) {
      other = now_other;
      line = other ? line : marked;
    } else {
      list[count++] = (m4_line){(uint32_t)to, line};
      memmove(out->data + to, p, n);
      to += n;
      line += !other;
    }
    p += n;
  }
  out->len = to;
  map->lines = list;
  map->count = count;
}

static uint32_t line_at(const m4_map *map, uint32_t start)
{
  uint32_t low = 0, high = map->count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (map->lines[middle].start <= start)
      low = middle;
    else
      high = middle;
  }
  return map->count ? map->lines[low].line : 1;
}

/* ---- words ------------------------------------------------------------- */

static bool is_word(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (c >= '0' && c <= '9');
}

/* The entry of a word, or the free place where it belongs. */
static m4_word *find_word(const m4_map *map, const char *source,
                          const char *word, uint32_t length)
{
  uint64_t at = hash_bytes(word, length);
  for (;; at++) {
    m4_word *w = &map->words[at & (map->table - 1)];
    if (!w->length ||
        (w->length == length && !memcmp(source + w->start, word, length)))
      return w;
  }
}

static void index_words(arena *a, m4_map *map)
{
  size_t size;
  const char *source = source_text(map->sources, map->file, &size);
  uint32_t words = 0;
  for (size_t i = 0; i < size; i++)
    words += is_word(source[i]) && !is_word(source[i + 1]);
  for (map->table = 64; map->table < 2 * words;)
    map->table *= 2;
  map->words = ARENA_ARRAY(a, m4_word, map->table);
  for (uint32_t i = 0, end; i < size; i = end + 1) {
    for (end = i; is_word(source[end]);)
      end++;
    if (end == i)
      continue;
    m4_word *w = find_word(map, source, source + i, end - i);
    w->repeated = w->length > 0;
    w->start = i;
    w->length = end - i;
  }
}

/* The line is known; the piece itself may stand in it.  If not, a macro made
** it: a word that stands in one place of the file was written there, and
** otherwise all of the line is meant. */
span m4_locate(const void *context, uint32_t start, uint32_t length)
{
  const m4_map *map = context;
  size_t size, made;
  uint32_t line = line_at(map, start);
  const char *source = source_text(map->sources, map->file, &size);
  const char *piece = source_text(map->sources, map->output, &made) + start;
  uint32_t first = source_line_start(map->sources, map->file, line);
  const char *begin = source + first;
  const char *end = memchr(begin, '\n', size - first);
  size_t rest = end ? (size_t)(end - begin) : size - first;
  const char *found = length ? memmem(begin, rest, piece, length) : NULL;
  if (found)
    return (span){map->file, (uint32_t)(found - source), length};
  const m4_word *w = length ? find_word(map, source, piece, length) : NULL;
  if (w && w->length && !w->repeated)
    return (span){map->file, w->start, length};
  for (; rest && (*begin == ' ' || *begin == '\t'); rest--)
    begin++;
  return (span){map->file, (uint32_t)(begin - source), (uint32_t)rest};
}

/* ---- running it -------------------------------------------------------- */

/* What 'include' names lies beside the file. */
static const char *folder_option(arena *a, const char *path)
{
  size_t length = path_folder_length(path);
  return length ? arena_printf(a, "-I%.*s", (int)length, path) : "-I.";
}

static bool add_options(sources *s, diags *d, const dve_options *o,
                        const char **arguments, size_t *n)
{
  uint32_t count = o ? o->m4_arg_count : 0;
  if (o && !loading_check_words(d, o->m4_args, count))
    return false;
  if (count > M4_OPTIONS_MAX) {
    diag_error(d, NO_SPAN, "more than %d options for m4", M4_OPTIONS_MAX);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    arguments[(*n)++] = o->m4_args[i];
    if (o->m4_args[i][1] == 'I')
      source_show_folder(s, o->m4_args[i] + 2);
  }
  return true;
}

/* 'c' keeps what must be given back. */
bool m4_expand(arena *a, sources *s, diags *d, uint32_t file,
               const dve_options *options, filter_command *c, m4_map *map)
{
  static const char *const fixed[] = {M4_FIXED};
  enum { FIXED = sizeof fixed / sizeof fixed[0] };
  const char *arguments[FIXED + M4_OPTIONS_MAX + 3] = {M4_FIXED};
  size_t n = FIXED, length;
  arguments[n++] = folder_option(a, source_name(s, file));
  source_show_folder(s, arguments[n - 1] + 2);
  if (!add_options(s, d, options, arguments, &n))
    return false;
  arguments[n] = "-";
  const char *input = source_text(s, file, &length);
  *c = (filter_command){.arguments = arguments,
                        .input = input,
                        .input_length = length,
                        .seconds = M4_SECONDS,
                        .output_max = M4_OUTPUT_MAX,
                        .memory_max = M4_MEMORY_MAX};
  command_result result = command_run_for(s, c);
  c->arguments = NULL;
  if (!report_result(s, d, file, result, c))
    return false;
  *map = (m4_map){.sources = s, .file = file};
  unmark(a, &c->output, map);
  index_words(a, map);
  map->output = source_add(s, source_name(s, file), text_string(&c->output),
                           c->output.len);
  return true;
}
