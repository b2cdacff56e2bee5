/* Runs the system's preprocessor, and reports what it says at the lines of the
** model. */

#include "lang/promela/cpp.h"
#include "base/alloc.h"
#include "base/system/path.h"
#include "lang/command.h"
#include "lang/loading.h"
#include <errno.h>
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

/* Where messages come from and go to. */
typedef struct place {
  arena *mem;
  sources *files;
  diags *messages;
  const pml_folders *folders;
  uint32_t main_file;
} place;

/* The source that the preprocessor calls 'name'. */
static uint32_t named_file(const place *at, const char *name)
{
  if (name[0] == '<')
    return at->main_file;
  const char *written = pml_written_name(at->folders, at->mem, name);
  uint32_t file = source_find(at->files, written);
  if (!file)
    file = source_add_label(at->files, name);
  return file ? file : at->main_file;
}

/* The files that were really included are told as '. file', with a dot for each
** file around it.  They become sources; those that must not be shown,
** labels. */
static void note_includes(const place *at, const text *messages)
{
  for (const char *line = text_string(messages), *end; *line; line = end) {
    size_t length = strcspn(line, "\n"), dots = strspn(line, ".");
    end = line + length + (line[length] == '\n');
    if (!dots || line[dots] != ' ')
      continue;
    const char *name = arena_copy(at->mem, line + dots + 1, length - dots - 1);
    source_include(at->files, pml_written_name(at->folders, at->mem, name));
  }
  if (messages->len >= COMMAND_MESSAGES_MAX)
    source_distrust(at->files);
}

/* Columns count from 1, within the file. */
static uint32_t column_of(const sources *files, span where, unsigned column)
{
  size_t length, start = where.start + (column ? column - 1 : 0);
  source_text(files, where.file, &length);
  return (uint32_t)(start < length ? start : length);
}

/* 'file:line:column: [fatal ]error: text' becomes a diagnostic of ours. */
static bool report_line(const place *at, char *line)
{
  char *error = strstr(line, "error: ");
  if (!error)
    return false;
  char *what = error + strlen("error: ");
  span where = {at->main_file, 0, 0};
  char *colon = strchr(line, ':');
  unsigned row = 0, column = 0;
  if (colon && colon < error && sscanf(colon, ":%u:%u", &row, &column) >= 1) {
    *colon = 0;
    where.file = named_file(at, line);
    where.start = source_line_start(at->files, where.file, row);
    if (!source_is_label(at->files, where.file))
      where.start = column_of(at->files, where, column);
  }
  /* Advice about options of the preprocessor is of no use to our users. */
  char *advice = strstr(what, " (use -");
  if (advice)
    *advice = 0;
  /* Helpers of the preprocessor are ended when they hit a limit. */
  if (strstr(what, "signal terminated"))
    what = "it needs too much time or memory; do files include each other?";
  else if (source_hides(at->files))
    what = "an error (not told: it may cite a file that lies outside the "
           "folders of the model)";
  diag_error(at->messages, where, "preprocessor: %s", what);
  return true;
}

/* The messages of the preprocessor, which are taken apart. */
static void report_lines(const place *at, char *line)
{
  bool told = false;
  while (line && *line && !diags_full(at->messages)) {
    char *next = strchr(line, '\n');
    if (next)
      *next++ = 0;
    told |= report_line(at, line);
    line = next;
  }
  if (!told)
    diag_error(at->messages, (span){at->main_file, 0, 0},
               "the C preprocessor failed");
}

static void report(const place *at, command_result result, filter_command *c)
{
  span where = {at->main_file, 0, 0};
  switch (result) {
  case COMMAND_LARGE:
    diag_error(at->messages, where,
               "preprocessor: more than %d MiB of output; do files include"
               " each other?",
               MAX_OUTPUT >> 20);
    break;
  case COMMAND_SLOW:
    diag_error(at->messages, where,
               "preprocessor: it needs too much time; do files include each"
               " other?");
    break;
  case COMMAND_MISSING:
  case COMMAND_FAILED:
    if (c->error) {
      diag_error(at->messages, where,
                 "this model has preprocessor directives, but the C"
                 " preprocessor 'cpp' cannot be started: %s",
                 strerror(c->error));
      break;
    }
    /* fallthrough */
  case COMMAND_DONE:
    text_add_char(&c->messages, 0);
    report_lines(at, c->messages.data);
  }
}

/*------------------------------------------------------------------------*/

/* The words of a command line; it ends with a NULL. */
typedef struct words {
  const char **list;
  uint32_t count;
} words;

/* 'cpp ARGS... -', or the same through the compiler. */
static words make_words(arena *mem, bool compiler, const words *args)
{
  /* The first error ends it: files that include each other would otherwise
  ** give an error per path. */
  static const char *const fixed[] = {"gcc", "-E",  "-x",
                                      "c",   "cpp", "-std=gnu99",
                                      "-w",  "-H",  "-Wfatal-errors"};
  enum { FIXED = sizeof fixed / sizeof *fixed, CPP = 4 };
  words all = {ARENA_ARRAY(mem, const char *, FIXED + args->count + 2), 0};
  for (uint32_t i = compiler ? 0 : CPP; i < FIXED; i++)
    if (!compiler || i != CPP)
      all.list[all.count++] = fixed[i];
  for (uint32_t i = 0; i < args->count; i++)
    all.list[all.count++] = args->list[i];
  all.list[all.count++] = "-";
  return all;
}

/* An option with the absolute name of a file or folder, in one word; the first
** folder that this name lies in is noted as 'written'.  False when the system
** does not tell where we are. */
static bool add_path(arena *mem, words *args, pml_folder *noted,
                     const char *option, const char *path, size_t folder)
{
  char absolute[PATH_MAX];
  if (!path_absolute(path, absolute))
    return false;
  args->list[args->count++] = arena_printf(mem, "%s%s", option, absolute);
  size_t rest = strlen(path) - folder;
  bool slash = folder && path[folder - 1] != '/';
  noted->absolute = arena_printf(mem, "%.*s%s", (int)(strlen(absolute) - rest),
                                 absolute, slash ? "/" : "");
  noted->written =
      arena_printf(mem, "%.*s%s", (int)folder, path, slash ? "/" : "");
  return true;
}

/* The arguments of the user and the file of macros. */
static bool add_arguments(arena *mem, sources *files, const char *macros,
                          const pml_cpp *how, words *args, pml_folders *folders)
{
  uint32_t most = how->arg_count + 1;
  pml_folder *list = ARENA_ARRAY(mem, pml_folder, most);
  args->list = ARENA_ARRAY(mem, const char *, most);
  folders->list = list;
  for (uint32_t i = 0; i < how->arg_count; i++) {
    const char *word = how->args[i], *path = word + 2;
    if (word[1] == 'I')
      source_show_folder(files, path);
    if (word[1] != 'I')
      args->list[args->count++] = word;
    else if (!add_path(mem, args, &list[folders->count++], "-I", path,
                       strlen(path)))
      return false;
  }
  return !macros || add_path(mem, args, &list[folders->count++], "-imacros",
                             macros, path_folder_length(macros));
}

const char *pml_folder_of(arena *mem, const char *path)
{
  struct stat info;
  size_t length = path_folder_length(path);
  if (!length || (!stat(path, &info) && !S_ISREG(info.st_mode)))
    return NULL;
  const char *folder = arena_copy(mem, path, length);
  return !stat(folder, &info) && S_ISDIR(info.st_mode) ? folder : NULL;
}

/* Runs the preprocessor and reports its errors. */
static bool preprocess(arena *mem, sources *files, diags *messages,
                       const pml_cpp *how, pml_folders *folders,
                       filter_command *c)
{
  words args = {0};
  const char *macros = how->macros ? source_name(files, how->macros) : NULL;
  c->input = source_text(files, how->file, &c->input_length);
  c->folder = folders->model =
      pml_folder_of(mem, macros ? macros : source_name(files, how->file));
  source_show_folder(files, c->folder ? c->folder : "");
  if (!loading_check_words(messages, how->args, how->arg_count))
    return false;
  if (!add_arguments(mem, files, macros, how, &args, folders)) {
    diag_error(messages, (span){how->file, 0, 0},
               "preprocessor: the current folder is unknown: %s",
               strerror(errno));
    return false;
  }
  c->arguments = make_words(mem, false, &args).list;
  command_result result = command_run_for(files, c);
  if (result == COMMAND_MISSING) {
    c->arguments = make_words(mem, true, &args).list;
    result = command_run_for(files, c);
  }
  place at = {mem, files, messages, folders, how->file};
  note_includes(&at, &c->messages);
  if (result == COMMAND_DONE && !c->status)
    return true;
  report(&at, result, c);
  return false;
}

typedef struct running {
  arena *mem;
  sources *files;
  diags *messages;
  const pml_cpp *how;
  pml_folders *folders;
  filter_command *command;
  bool good;
} running;

static void do_run(void *work)
{
  running *w = work;
  w->good =
      preprocess(w->mem, w->files, w->messages, w->how, w->folders, w->command);
}

static void undo_run(void *work)
{
  filter_command *c = ((running *)work)->command;
  text_free(&c->output);
  text_free(&c->messages);
}

bool pml_preprocess(arena *mem, sources *files, diags *messages,
                    const pml_cpp *how, pml_folders *folders, text *out)
{
  filter_command *c = ARENA_NEW(mem, filter_command);
  c->seconds = MAX_WORK_SECONDS;
  c->output_max = MAX_OUTPUT;
  c->memory_max = MAX_MEMORY;
  running work = {mem, files, messages, how, folders, c, false};
  mem_protect_undo(do_run, undo_run, &work);
  text_free(&c->messages);
  text_free(out);
  *out = c->output;
  return work.good;
}
