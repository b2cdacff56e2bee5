/* Other programs, run under limits: what they get, what comes back, and that
** nobody is left behind, also when we are killed. */

#include "unit.h"

#include "base/system/spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A run of sh, and what it wrote. */
typedef struct run {
  const char *words[4];
  text output, messages;
  spawn s;
} run;

static void prepare(run *r, const char *script)
{
  *r = (run){.words = {"sh", "-c", script, NULL}};
  r->s = (spawn){.arguments = r->words,
                 .output = &r->output,
                 .output_max = 1 << 20,
                 .messages = &r->messages,
                 .messages_max = 1 << 10};
}

static void forget(run *r)
{
  text_free(&r->output);
  text_free(&r->messages);
}

static bool always(void *calls)
{
  ++*(int *)calls;
  return true;
}

static bool told(void *flag)
{
  return *(volatile int *)flag != 0;
}

/* ---- tests ------------------------------------------------------------ */

static void streams(void **unused)
{
  (void)unused;
  run r;
  prepare(&r, "cat; echo no >&2; exit 7");
  r.s.input = "hello";
  r.s.input_length = 5;
  assert_int_equal(spawn_run(&r.s), SPAWN_DONE);
  assert_int_equal(r.s.status, 7);
  assert_string_equal(text_string(&r.output), "hello");
  assert_string_equal(text_string(&r.messages), "no\n");
  forget(&r);
  /* Without texts the streams lead nowhere, and the input is empty. */
  prepare(&r, "cat; echo a; echo b >&2");
  r.s.output = r.s.messages = NULL;
  assert_int_equal(spawn_run(&r.s), SPAWN_DONE);
  assert_int_equal(r.s.status, 0);
}

/* Words are not read by anybody on the way. */
static void words(void **unused)
{
  (void)unused;
  run r;
  prepare(&r, "");
  const char *plain[] = {"printf", "%s|", "a b", "$HOME;`id`", "", NULL};
  r.s.arguments = plain;
  assert_int_equal(spawn_run(&r.s), SPAWN_DONE);
  assert_string_equal(text_string(&r.output), "a b|$HOME;`id`||");
  forget(&r);
}

static void missing(void **unused)
{
  (void)unused;
  run r;
  prepare(&r, "");
  r.words[0] = "no-such-program-anywhere";
  assert_int_equal(spawn_run(&r.s), SPAWN_MISSING);
  assert_int_equal(r.s.error, ENOENT);
  r.s.program = "/dev/null";
  assert_int_equal(spawn_run(&r.s), SPAWN_FAILED);
  assert_int_equal(r.s.error, EACCES);
  r.s.program = "/bin/sh";
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  r.s.folder = &file;
  assert_int_equal(spawn_run(&r.s), SPAWN_FAILED);
  assert_int_equal(r.s.error, ENOTDIR);
  close(file);
  forget(&r);
}

/* Folder and environment; and no descriptor that a host forgot to close. */
static void surroundings(void **unused)
{
  (void)unused;
  run r;
  int folder = open("/", O_RDONLY | O_DIRECTORY);
  int other = fcntl(folder, F_DUPFD, 77);
  const char *environment[] = {"COLOUR=red", NULL};
  prepare(&r, "pwd; echo $COLOUR $HOME; [ -e /proc/$$/fd/77 ] && echo 77");
  r.s.folder = &folder;
  r.s.environment = environment;
  r.s.program = "/bin/sh";
  assert_int_equal(other, 77);
  assert_int_equal(spawn_run(&r.s), SPAWN_DONE);
  assert_string_equal(text_string(&r.output), "/\nred\n");
  close(folder);
  close(other);
  forget(&r);
}

/* Signals that we ignore or block are not ignored there. */
static void signals(void **unused)
{
  (void)unused;
  run r;
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  signal(SIGPIPE, SIG_IGN);
  sigprocmask(SIG_BLOCK, &some, NULL);
  prepare(&r, "grep -E '^Sig(Blk|Ign)' /proc/self/status");
  assert_int_equal(spawn_run(&r.s), SPAWN_DONE);
  assert_string_equal(text_string(&r.output), "SigBlk:\t0000000000000000\n"
                                              "SigIgn:\t0000000000000000\n");
  sigprocmask(SIG_UNBLOCK, &some, NULL);
  signal(SIGPIPE, SIG_DFL);
  forget(&r);
}

static void standard_streams_closed(void **unused)
{
  (void)unused;
  int saved = dup(0);
  run r;
  close(0);
  prepare(&r, "cat; echo x >&2");
  r.s.input = "y";
  r.s.input_length = 1;
  assert_int_equal(spawn_run(&r.s), SPAWN_DONE);
  assert_string_equal(text_string(&r.output), "y");
  assert_string_equal(text_string(&r.messages), "x\n");
  dup2(saved, 0);
  close(saved);
  forget(&r);
}

static void limits(void **unused)
{
  (void)unused;
  run r;
  prepare(&r, "while :; do echo 0123456789012345678901234567890; done");
  assert_int_equal(spawn_run(&r.s), SPAWN_LARGE);
  assert_int_equal(r.output.len, 1 << 20);
  forget(&r);
  prepare(&r, "for i in 1 2 3 4 5 6 7 8 9; do printf %0999d 1 >&2; done");
  assert_int_equal(spawn_run(&r.s), SPAWN_DONE);
  assert_int_equal(r.messages.len, 1 << 10);
  forget(&r);
  prepare(&r, "while :; do :; done");
  r.s.work_seconds = 1;
  assert_int_equal(spawn_run(&r.s), SPAWN_SLOW);
  forget(&r);
  prepare(&r, "sleep 1000");
  r.s.clock_seconds = 1;
  assert_int_equal(spawn_run(&r.s), SPAWN_SLOW);
  forget(&r);
  prepare(&r, "ulimit -v; ulimit -f");
  r.s.memory_max = 300 << 20;
  r.s.file_max = 1 << 20;
  assert_int_equal(spawn_run(&r.s), SPAWN_DONE);
  assert_memory_equal(text_string(&r.output), "307200\n", 7);
  assert_null(strstr(text_string(&r.output), "unlimited"));
  forget(&r);
}

static void killed(void **unused)
{
  (void)unused;
  run r;
  prepare(&r, "kill -TERM $$");
  assert_int_equal(spawn_run(&r.s), SPAWN_FAILED);
  forget(&r);
}

static void stopping(void **unused)
{
  (void)unused;
  int calls = 0, flag = 1, wake = eventfd(1, EFD_CLOEXEC);
  run r;
  prepare(&r, "sleep 1000");
  r.s.stop = always;
  r.s.context = &calls;
  assert_int_equal(spawn_run(&r.s), SPAWN_STOPPED);
  assert_int_equal(calls, 1);
  /* The flag is set while the child works. */
  r.s.stop = told;
  r.s.context = &flag;
  r.s.wake = &wake;
  assert_int_equal(spawn_run(&r.s), SPAWN_STOPPED);
  close(wake);
  forget(&r);
}

/* Who answers when the last process that has the pipe is gone. */
static void wait_for_end(int reading)
{
  struct pollfd end = {reading, POLLIN, 0};
  char byte;
  for (;;) {
    assert_int_equal(poll(&end, 1, 60000), 1);
    if (read(reading, &byte, 1) <= 0)
      break;
  }
}

/* What the child started goes with it: after a stop, and after an ordinary
** end, too.  They have a pipe, of which we see the end. */
static void no_grandchildren(void **unused)
{
  (void)unused;
  static const char *const scripts[] = {"sleep 1000 & exit 3",
                                        "sleep 1000 & sleep 1000"};
  for (int i = 0; i < 2; i++) {
    char path[] = "/tmp/nutshell-test-XXXXXX", script[200];
    assert_non_null(mkdtemp(path));
    char fifo[60];
    snprintf(fifo, sizeof fifo, "%s/fifo", path);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int reading = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    snprintf(script, sizeof script, "exec 5>%s; %s", fifo, scripts[i]);
    run r;
    prepare(&r, script);
    r.s.clock_seconds = i;
    assert_int_equal(spawn_run(&r.s), i ? SPAWN_SLOW : SPAWN_DONE);
    assert_int_equal(r.s.status, i ? 0 : 3);
    wait_for_end(reading);
    close(reading);
    unlink(fifo);
    rmdir(path);
    forget(&r);
  }
}

/* A process that runs a program is killed without a chance to say anything:
** the program and what it started are gone. */
static void dies_with_us(void **unused)
{
  (void)unused;
  char path[] = "/tmp/nutshell-test-XXXXXX", fifo[60], script[200];
  assert_non_null(mkdtemp(path));
  snprintf(fifo, sizeof fifo, "%s/fifo", path);
  assert_int_equal(mkfifo(fifo, 0600), 0);
  int reading = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  snprintf(script, sizeof script,
           "exec 5>%s; trap '' TERM HUP; sleep 1000 & echo >&5; sleep 1000",
           fifo);
  pid_t victim = fork();
  if (victim == 0) {
    run r;
    prepare(&r, script);
    spawn_run(&r.s);
    _exit(0);
  }
  struct pollfd begun = {reading, POLLIN, 0};
  assert_int_equal(poll(&begun, 1, 60000), 1);
  assert_int_equal(kill(victim, SIGKILL), 0);
  assert_int_equal(waitpid(victim, NULL, 0), victim);
  wait_for_end(reading);
  close(reading);
  unlink(fifo);
  rmdir(path);
}

/* ---- memory ----------------------------------------------------------- */

static void *run_create(void)
{
  static run r;
  prepare(&r, "head -c 300000 /dev/zero; echo b >&2");
  return &r;
}

static void run_work(void *context)
{
  run *r = context;
  assert_int_equal(spawn_run(&r->s), SPAWN_DONE);
}

static void run_destroy(void *context)
{
  forget(context);
}

static void out_of_memory(void **unused)
{
  (void)unused;
  assert_true(unit_fail_each(run_create, run_work, run_destroy) > 1);
}

UNIT_MAIN(UNIT(streams), UNIT(words), UNIT(missing), UNIT(surroundings),
          UNIT(signals), UNIT(standard_streams_closed), UNIT(limits),
          UNIT(killed), UNIT(stopping), UNIT(no_grandchildren),
          UNIT(dies_with_us), UNIT(out_of_memory))
