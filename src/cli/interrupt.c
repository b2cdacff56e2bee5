#include "cli/interrupt.h"
#include "cli/commands.h"
#include <stddef.h>
#include <unistd.h>

/* A signal handler has no other way to talk to the program. */
volatile sig_atomic_t interrupt_flag;

static void on_signal(int signal_number)
{
  (void)signal_number;
  if (interrupt_flag)
    _exit(STATUS_UNKNOWN);
  interrupt_flag = 1;
}

void interrupt_install(void)
{
  struct sigaction action = {0};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  /* A closed pipe is seen as a write error, not as a signal. */
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, NULL);
}
