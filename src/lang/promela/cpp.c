#include "lang/promela/cpp.h"
#include "base/alloc.h"
#include "lang/command.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A preprocessor that needs more is caught in something like files that
** include each other; it is stopped. */
enum { MAX_OUTPUT = 64 << 20, MAX_WORK_SECONDS = 1, MAX_MEMORY = 1 << 30 };

bool pml_has_directives(const char *p, size_t length)
{
  const char *end = p + length;
  while (p < end) {
    while (p < end && (*p == ' ' || *p == '\t'))
      p++;
    if (p < end && *p == '#')
      return true;
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p)
      return false;
    p++;
  }
  return false;
}

/*------------------------------------------------------------------------*/
/* Its messages                                                            */

/* 'file:line:column: [fatal ]error: text' becomes a diagnostic of ours. */
static bool report_line(sources *files, diags *messages, uint32_t main_file,
                        char *line)
{
  char *error = strstr(line, "error: ");
  if (!error)
    return false;
  char *what = error + strlen("error: ");
  span where = {main_file, 0, 0};
  char *colon = strchr(line, ':');
  unsigned row = 0, column = 0;
  if (colon && colon < error && sscanf(colon, ":%u:%u", &row, &column) >= 1) {
    *colon = 0;
    uint32_t file = source_find(files, line);
    if (!file && line[0] != '<')
      file = source_read_plain(files, line);
    where.file = file ? file : main_file;
    where.start = source_line_start(files, where.file, row);
    where.start += column ? column - 1 : 0;
    size_t length;
    source_text(files, where.file, &length);
    if (where.start > length)
      where.start = (uint32_t)length;
  }
  /* Advice about options of the preprocessor is of no use to our users. */
  char *advice = strstr(what, " (use -");
  if (advice)
    *advice = 0;
  /* Helpers of the preprocessor are ended when they hit a limit. */
  if (strstr(what, "signal terminated"))
    what = "it needs too much time or memory; do files include each other?";
  diag_error(messages, where, "preprocessor: %s", what);
  return true;
}

/* The messages of the preprocessor, which are taken apart. */
static void report_lines(sources *files, diags *messages, uint32_t file,
                         char *line)
{
  bool told = false;
  while (line && *line && !diags_full(messages)) {
    char *next = strchr(line, '\n');
    if (next)
      *next++ = 0;
    told |= report_line(files, messages, file, line);
    line = next;
  }
  if (!told)
    diag_error(messages, (span){file, 0, 0}, "the C preprocessor failed");
}

static void report(sources *files, diags *messages, uint32_t file,
                   command_result result, command *c)
{
  span where = {file, 0, 0};
  switch (result) {
  case COMMAND_LARGE:
    diag_error(messages, where,
               "preprocessor: more than %d MiB of output; do files include"
               " each other?",
               MAX_OUTPUT >> 20);
    break;
  case COMMAND_SLOW:
    diag_error(messages, where,
               "preprocessor: it needs too much time; do files include each"
               " other?");
    break;
  case COMMAND_MISSING:
  case COMMAND_FAILED:
    if (c->error) {
      diag_error(messages, where,
                 "this model has preprocessor directives, but the C"
                 " preprocessor 'cpp' cannot be started: %s",
                 strerror(c->error));
      break;
    }
    /* fallthrough */
  case COMMAND_DONE:
    text_add_char(&c->messages, 0);
    report_lines(files, messages, file, c->messages.data);
  }
}

/*------------------------------------------------------------------------*/

/* 'cpp ARGS... FILE', or the same through the compiler. */
static const char **make_arguments(arena *mem, bool compiler,
                                   const char *const *args, uint32_t arg_count,
                                   const char *path)
{
  /* The first error ends it: files that include each other would otherwise
  ** give an error per path. */
  static const char *const words[] = {
      "gcc", "-E", "-x", "c", "cpp", "-std=gnu99", "-w", "-Wfatal-errors"};
  enum { WORDS = sizeof words / sizeof *words, CPP = 4 };
  const char **list = ARENA_ARRAY(mem, const char *, WORDS + arg_count + 2);
  uint32_t n = 0;
  for (uint32_t i = compiler ? 0 : CPP; i < WORDS; i++)
    if (!compiler || i != CPP)
      list[n++] = words[i];
  for (uint32_t i = 0; i < arg_count; i++)
    list[n++] = args[i];
  list[n++] = path;
  return list;
}

/* Is this source still a file of the same size?  Then the preprocessor reads
** it itself and finds what it includes next to it.  Text from elsewhere is
** given to it as standard input. */
static bool on_disk(const char *path, size_t length)
{
  struct stat info;
  return !stat(path, &info) && S_ISREG(info.st_mode) &&
         (size_t)info.st_size == length;
}

/* Runs the preprocessor and reports its errors. */
static bool run(arena *mem, sources *files, diags *messages, uint32_t file,
                const char *const *args, uint32_t arg_count, command *c)
{
  size_t length;
  const char *data = source_text(files, file, &length);
  const char *path = source_name(files, file);
  if (!on_disk(path, length)) {
    path = "-";
    c->input = data;
    c->input_length = length;
  } else if (path[0] == '-')
    path = arena_printf(mem, "./%s", path);
  c->arguments = make_arguments(mem, false, args, arg_count, path);
  command_result result = command_run(c);
  if (result == COMMAND_MISSING) {
    c->arguments = make_arguments(mem, true, args, arg_count, path);
    result = command_run(c);
  }
  if (result == COMMAND_DONE && !c->status)
    return true;
  report(files, messages, file, result, c);
  return false;
}

typedef struct running {
  arena *mem;
  sources *files;
  diags *messages;
  uint32_t file;
  const char *const *args;
  uint32_t arg_count;
  command *command;
  bool good;
} running;

static void do_run(void *work)
{
  running *w = work;
  w->good = run(w->mem, w->files, w->messages, w->file, w->args, w->arg_count,
                w->command);
}

static void undo_run(void *work)
{
  command *c = ((running *)work)->command;
  text_free(&c->output);
  text_free(&c->messages);
}

bool pml_preprocess(arena *mem, sources *files, diags *messages, uint32_t file,
                    const char *const *args, uint32_t arg_count, text *out)
{
  command *c = ARENA_NEW(mem, command);
  c->seconds = MAX_WORK_SECONDS;
  c->output_max = MAX_OUTPUT;
  c->memory_max = MAX_MEMORY;
  running work = {mem, files, messages, file, args, arg_count, c, false};
  mem_protect_undo(do_run, undo_run, &work);
  text_free(&c->messages);
  text_free(out);
  *out = c->output;
  return work.good;
}
