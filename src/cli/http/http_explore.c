/* 'explore': the page of a model, served until somebody interrupts. */

#include "base/system/path.h"
#include "cli/common.h"
#include "cli/http/http.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Beside the program, or where it is installed; "": nowhere. */
static void find_page(char page[PATH_MAX])
{
  static const char *const places[] = {"page", "../share/nutshell/page"};
  char program[PATH_MAX], file[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  *page = 0;
  while (n > 0 && program[n - 1] != '/')
    n--;
  for (size_t i = 0; n > 0 && i < sizeof places / sizeof places[0]; i++) {
    if (snprintf(file, sizeof file, "%.*s%s/page.js", (int)n, program,
                 places[i]) >= (int)sizeof file ||
        access(file, R_OK) != 0)
      continue;
    snprintf(page, PATH_MAX, "%.*s%s", (int)n, program, places[i]);
    return;
  }
}

/* Gives the address to the desktop, if there is one, and does not wait; the
** process, or 0. */
static pid_t open_browser(const char *address)
{
  char program[PATH_MAX];
  char *words[] = {"xdg-open", (char *)address, NULL};
  posix_spawn_file_actions_t actions;
  pid_t child = 0;
  if ((!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) ||
      !path_find_program("xdg-open", program) ||
      posix_spawn_file_actions_init(&actions))
    return 0;
  for (int i = 0; i < 3; i++)
    posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
  if (posix_spawn(&child, program, &actions, NULL, words, environ))
    child = 0;
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

static int serve(const options *o, http_server *s)
{
  char page[PATH_MAX];
  find_page(page);
  http_place place = {.host = o->host ? o->host : "127.0.0.1",
                      .port = (unsigned)o->port,
                      .page = page};
  http_service *h = http_serve(s, &place);
  text address = {0};
  if (!h)
    return STATUS_BAD;
  if (!*page)
    note("the page is not built, only the API is served; "
         "tools/install --page gets what it needs");
  if (!place.here)
    note("whoever can reach %s and knows the address can use this",
         place.anywhere ? "this computer" : place.shown);
  text_printf(&address, "http://%s:%u/#token=%s",
              place.anywhere ? "localhost" : place.shown, place.port,
              place.token);
  say("%s\n", text_string(&address));
  fflush(stdout);
  pid_t browser =
      !o->no_open && *page ? open_browser(text_string(&address)) : 0;
  text_free(&address);
  /* Other children belong to those who compile. */
  while (!interrupt_flag) {
    sleep(1);
    if (browser && waitpid(browser, NULL, WNOHANG) != 0)
      browser = 0;
  }
  http_stop(h);
  return STATUS_HOLDS;
}

int command_explore(const options *o)
{
  if (!http_can_serve())
    return complain("'explore' needs libmicrohttpd, when the program is made "
                    "(Debian: libmicrohttpd-dev) and when it runs "
                    "(libmicrohttpd12)");
  if (!strcmp(o->files.data[0], "-"))
    return complain("'explore' needs a file");
  http_server *s = http_open(o);
  if (!s)
    return STATUS_BAD;
  int status = serve(o, s);
  http_close(s);
  return status;
}
