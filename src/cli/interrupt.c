#include "cli/interrupt.h"
#include "cli/commands.h"
#include "nutshell.h"
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

/* A signal handler has no other way to talk to the program. */
volatile sig_atomic_t interrupt_flag, interrupt_keeps, progress_flag;

static time_t first_signal;

static time_t now(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

/* A second request does not wait.  A signal that comes at once is the
** same one: timeout(1) sends it to the program and to its group. */
static void on_signal(int signal_number)
{
  if (!interrupt_flag) {
    first_signal = now();
    interrupt_flag =
        signal_number == SIGINT || signal_number == SIGUSR2 ? 1 : NUT_HURRY;
    return;
  }
  if (now() <= first_signal + 1)
    return;
  if (!interrupt_keeps || interrupt_flag == NUT_GIVE_UP)
    _exit(STATUS_UNKNOWN);
  first_signal = now();
  interrupt_flag = NUT_GIVE_UP;
}

static void on_question(int signal_number)
{
  (void)signal_number;
  progress_flag = 1;
}

void interrupt_by_launcher(void)
{
  struct sigaction action = {0};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR2, &action, NULL);
}

void interrupt_by_input(void)
{
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  fcntl(STDIN_FILENO, F_SETOWN, getpid());
  fcntl(STDIN_FILENO, F_SETSIG, SIGUSR2);
  fcntl(STDIN_FILENO, F_SETFL, O_ASYNC | O_NONBLOCK);
  if (poll(&input, 1, 0) > 0 && input.revents & POLLIN)
    on_signal(SIGINT);
}

void interrupt_install(void)
{
  struct sigaction action = {0};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  /* A terminal that goes away, unless nobody minds (nohup). */
  struct sigaction before;
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
  action.sa_handler = on_question;
  sigaction(SIGUSR1, &action, NULL);
  /* A closed pipe and a file that may not grow are seen as write errors, not as
  ** signals. */
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, NULL);
  sigaction(SIGXFSZ, &action, NULL);
}
