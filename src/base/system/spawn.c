/* Starting, feeding, watching and ending another program. */

#include "base/system/spawn.h"

#include "base/alloc.h"
#include "base/system/usage.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A flag of close_range(2), for which not every C library has a function. */
enum { CLOSE_ON_EXEC = 4 };

extern char **environ;

enum {
  BUFFER_BYTES = 1 << 16,
  POLL_MS = 50,      /* between two looks at 'stop' */
  MOURNING_MS = 1000 /* given to killed processes to be gone */
};

/* The child and our ends of its pipes; -1 when closed. */
typedef struct child {
  pid_t pid; /* 0 when there is none to wait for */
  int out, err, alive;
} child;

static void shut(int *fd)
{
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

/* ---- descriptors ------------------------------------------------------ */

/* All that is made for a child. */
typedef struct ends {
  int in, out[2], err[2], alive[2]; /* read, write */
} ends;

/* Who closed standard streams gets their numbers for new descriptors, and they
** would be in the way when the child's are put there. */
static int above_standard(int fd)
{
  if (fd < 0 || fd > 2)
    return fd;
  int higher = fcntl(fd, F_DUPFD_CLOEXEC, 3), error = errno;
  close(fd);
  errno = error;
  return higher;
}

/* What the child reads: an anonymous file with the given contents; or -1. */
static int open_input(const char *data, size_t length)
{
  if (!data)
    return above_standard(open("/dev/null", O_RDONLY | O_CLOEXEC));
  int fd = above_standard(memfd_create("input", MFD_CLOEXEC));
  while (fd >= 0 && length) {
    ssize_t n = write(fd, data, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      shut(&fd);
      break;
    }
    data += n;
    length -= (size_t)n;
  }
  if (fd >= 0)
    lseek(fd, 0, SEEK_SET);
  return fd;
}

static bool open_pipe(int pair[2])
{
  if (pipe2(pair, O_CLOEXEC))
    return false;
  pair[0] = above_standard(pair[0]);
  pair[1] = above_standard(pair[1]);
  return pair[0] >= 0 && pair[1] >= 0;
}

static void close_ends(ends *e)
{
  shut(&e->in);
  for (int i = 0; i < 2; i++) {
    shut(&e->out[i]);
    shut(&e->err[i]);
    shut(&e->alive[i]);
  }
}

/* A pipe for a stream that somebody wants; else it leads nowhere. */
static bool open_stream(const text *wanted, int pair[2])
{
  if (wanted)
    return open_pipe(pair);
  pair[1] = above_standard(open("/dev/null", O_WRONLY | O_CLOEXEC));
  return pair[1] >= 0;
}

/* 0 or an error number; then everything is closed. */
static int open_ends(const spawn *s, ends *e)
{
  *e = (ends){-1, {-1, -1}, {-1, -1}, {-1, -1}};
  e->in = open_input(s->input, s->input_length);
  if (e->in >= 0 && open_stream(s->output, e->out) &&
      open_stream(s->messages, e->err) && open_pipe(e->alive))
    return 0;
  int error = errno;
  close_ends(e);
  return error;
}

/* ---- in the child ----------------------------------------------------- */

/* Between vfork and exec the child runs in our memory, while our thread waits:
** it may only make system calls. */

static bool limit(int what, rlim_t most)
{
  struct rlimit l;
  if (!most)
    return true;
  if (prlimit(0, what, NULL, &l))
    return false;
  if (l.rlim_cur > most)
    l.rlim_cur = most;
  return prlimit(0, what, &l, NULL) == 0;
}

/* Has the kernel kill the group when 'alive' has no writer any more, which is
** when our parent is gone.  That may be so already: then nothing is begun. */
static bool die_with_parent(const ends *e)
{
  close(e->alive[1]);
  struct pollfd end = {e->alive[0], POLLIN, 0};
  return fcntl(e->alive[0], F_SETFD, 0) == 0 &&
         fcntl(e->alive[0], F_SETOWN, -getpid()) == 0 &&
         fcntl(e->alive[0], F_SETSIG, SIGKILL) == 0 &&
         fcntl(e->alive[0], F_SETFL, O_ASYNC) == 0 && poll(&end, 1, 0) == 0;
}

/* Our handlers would run in our memory, and what we ignore is not the
** program's business.  All signals are blocked until there are no handlers. */
bool spawn_forget_signals(void)
{
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigset_t none;
  for (int i = 1; i < NSIG; i++)
    sigaction(i, &usual, NULL); /* some cannot be changed */
  sigemptyset(&none);
  return sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

static void become(const spawn *s, const ends *e)
{
  char *const *words = (char *const *)(uintptr_t)s->arguments;
  char *const *environment =
      s->environment ? (char *const *)(uintptr_t)s->environment : environ;
  /* Our own descriptors do not need this; a host may have others. */
  syscall(SYS_close_range, 3, ~0U, CLOSE_ON_EXEC);
  if (setpgid(0, 0) || !die_with_parent(e) || dup2(e->in, 0) < 0 ||
      dup2(e->out[1], 1) < 0 || dup2(e->err[1], 2) < 0 ||
      (s->folder && fchdir(*s->folder)) ||
      !limit(RLIMIT_CPU, s->work_seconds) || !limit(RLIMIT_AS, s->memory_max) ||
      !limit(RLIMIT_FSIZE, s->file_max) || !spawn_forget_signals())
    return;
  if (s->program)
    execve(s->program, words, environment);
  else
    execvpe(words[0], words, environment);
}

/* ---- starting --------------------------------------------------------- */

/* Not fork: that would copy the tables of all our memory, and whatever we write
** while the child lives.  0 or an error number. */
static int start_child(const spawn *s, const ends *e, child *c)
{
  sigset_t all, before;
  volatile int error = 0;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  c->pid = vfork();
  if (c->pid == 0) {
    become(s, e);
    error = errno ? errno : ECANCELED;
    _exit(127);
  }
  if (c->pid < 0)
    error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

static int start(const spawn *s, child *c)
{
  ends e;
  int error = open_ends(s, &e);
  if (error)
    return error;
  error = start_child(s, &e, c);
  if (error && c->pid > 0)
    waitpid(c->pid, NULL, 0);
  if (error) {
    c->pid = 0;
  } else {
    *c = (child){c->pid, e.out[0], e.err[0], e.alive[1]};
    e.out[0] = e.err[0] = e.alive[1] = -1;
  }
  close_ends(&e);
  return error;
}

/* ---- watching --------------------------------------------------------- */

/* Takes what is there, up to 'most' bytes in all; closes the end when there
** will be no more.  False when it was too much. */
static bool take(int *fd, text *into, size_t most)
{
  char buffer[BUFFER_BYTES];
  ssize_t n = read(*fd, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR)
    return true;
  if (n <= 0) {
    shut(fd);
    return true;
  }
  size_t room = most - into->len;
  text_add_bytes(into, buffer, (size_t)n < room ? (size_t)n : room);
  return (size_t)n <= room;
}

/* Whether the child itself is through; it stays there to be waited for. */
static bool has_ended(const child *c)
{
  siginfo_t info = {0};
  int got = waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT);
  return got < 0 ? errno != EINTR : info.si_pid == c->pid;
}

/* Reads both streams until the child has ended and they are at their end, or
** there is a reason not to go on.  What a child that has ended left behind is
** killed; should its streams be open even then, nobody waits for more. */
static spawn_result watch(child *c, spawn *s)
{
  double deadline = usage_seconds() + s->clock_seconds;
  int nap = 1;
  for (;;) {
    if (s->stop && s->stop(s->context))
      return SPAWN_STOPPED;
    if (s->clock_seconds && usage_seconds() >= deadline)
      return SPAWN_SLOW;
    bool ended = has_ended(c), open = c->out >= 0 || c->err >= 0;
    if (ended)
      kill(-c->pid, SIGKILL);
    if (ended && !open)
      return SPAWN_DONE;
    struct pollfd ready[3] = {{c->out, POLLIN, 0},
                              {c->err, POLLIN, 0},
                              {s->wake ? *s->wake : -1, POLLIN, 0}};
    int count = poll(ready, 3, open ? POLL_MS : nap);
    nap = nap < POLL_MS / 2 ? 2 * nap : POLL_MS;
    if (count == 0 && ended)
      return SPAWN_DONE;
    if (count <= 0)
      continue;
    if (ready[0].revents && !take(&c->out, s->output, s->output_max))
      return SPAWN_LARGE;
    if (ready[1].revents)
      take(&c->err, s->messages, s->messages_max);
  }
}

/* ---- ending ----------------------------------------------------------- */

/* Kills what is left of the group and waits for the child.  Those below it are
** not ours to wait for; but while one of them lives it has the other end of
** 'alive', and might still write files. */
static int end(child *c, bool early)
{
  int status = SIGKILL; /* in case that nobody can tell */
  kill(-c->pid, SIGKILL);
  shut(&c->out);
  shut(&c->err);
  struct pollfd gone = {c->alive, 0, 0};
  if (early)
    poll(&gone, 1, MOURNING_MS);
  shut(&c->alive);
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  c->pid = 0;
  return status;
}

static spawn_result attend(child *c, spawn *s)
{
  spawn_result result = watch(c, s);
  int status = end(c, result != SPAWN_DONE);
  if (result == SPAWN_DONE && !WIFEXITED(status))
    result = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                 ? SPAWN_SLOW
                 : SPAWN_FAILED;
  s->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return result;
}

typedef struct attending {
  child *child;
  spawn *spawn;
  spawn_result result;
} attending;

static void do_attend(void *work)
{
  attending *a = work;
  a->result = attend(a->child, a->spawn);
}

/* Running out of memory must not leave the child behind. */
static void undo_attend(void *work)
{
  end(((attending *)work)->child, true);
}

spawn_result spawn_run(spawn *s)
{
  child c = {0, -1, -1, -1};
  s->error = start(s, &c);
  if (s->error)
    return s->error == ENOENT ? SPAWN_MISSING : SPAWN_FAILED;
  attending work = {&c, s, SPAWN_FAILED};
  mem_protect_undo(do_attend, undo_attend, &work);
  return work.result;
}
