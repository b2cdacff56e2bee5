/* Starts a filter under limits. */

#include "lang/command.h"

#include "base/alloc.h"
#include "base/system/path.h"
#include "base/system/spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A program gets the seconds it may work, and more on the clock, because the
** machine may be busy with other things. */
enum { WAITING = 5 };

static command_result result_of(spawn_result r)
{
  switch (r) {
  case SPAWN_DONE:
    return COMMAND_DONE;
  case SPAWN_MISSING:
    return COMMAND_MISSING;
  case SPAWN_SLOW:
  case SPAWN_STOPPED:
    return COMMAND_SLOW;
  case SPAWN_LARGE:
    return COMMAND_LARGE;
  case SPAWN_FAILED:
    break;
  }
  return COMMAND_FAILED;
}

/* The program is looked for from where we are: a folder in $PATH that is not
** absolute must not become one below the folder of a model. */
static int find(const filter_command *c, char path[PATH_MAX])
{
  char found[PATH_MAX];
  if (!path_find_program(c->arguments[0], found))
    return ENOENT;
  return path_absolute(found, path) ? 0 : errno;
}

static bool shall_stop(void *unused)
{
  (void)unused;
  return mem_is_over();
}

static command_result run_in(filter_command *c, const char *path,
                             const int *folder)
{
  spawn s = {.arguments = c->arguments,
             .program = path,
             .folder = folder,
             .input = c->input,
             .input_length = c->input_length,
             .work_seconds = (unsigned)c->seconds,
             .clock_seconds = WAITING * (unsigned)c->seconds,
             .memory_max = c->memory_max,
             .output = &c->output,
             .output_max = c->output_max,
             .messages = &c->messages,
             .messages_max = COMMAND_MESSAGES_MAX,
             .stop = shall_stop};
  spawn_result result = spawn_run(&s);
  c->status = s.status;
  c->error = s.error;
  return result_of(result);
}

command_result command_run(filter_command *c)
{
  char path[PATH_MAX];
  c->error = find(c, path);
  if (c->error)
    return c->error == ENOENT ? COMMAND_MISSING : COMMAND_FAILED;
  if (!c->folder)
    return run_in(c, path, NULL);
  int folder = open(c->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    c->error = errno;
    return COMMAND_FAILED;
  }
  command_result result = run_in(c, path, &folder);
  close(folder);
  return result;
}
