/* Runs a program and tells what it used.
**
**     measure SECONDS RESULT PROGRAM [ARGUMENT]...
**
** Writes "user-and-system-seconds peak-resident-bytes status" to the file
** RESULT; status is the exit status, or 128 + the signal that ended it.  More
** than SECONDS of processor time ends it with SIGXCPU.
**
** A process begins with the peak memory of the one that started it, so a
** script cannot measure small programs; this one is smaller than all of them.
** The figures include the children that PROGRAM waited for. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void run(char **line, rlim_t limit)
{
  struct rlimit time = {limit, limit + 5};
  setrlimit(RLIMIT_CPU, &time);
  execvp(line[0], line);
  perror(line[0]);
  _exit(127);
}

int main(int count, char **words)
{
  if (count < 4) {
    fprintf(stderr, "usage: measure SECONDS RESULT PROGRAM [ARGUMENT]...\n");
    return 2;
  }
  pid_t child = fork();
  if (child == 0)
    run(words + 3, (rlim_t)strtoul(words[1], NULL, 10));
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
    perror("measure");
    return 2;
  }
  FILE *out = fopen(words[2], "w");
  if (!out) {
    perror(words[2]);
    return 2;
  }
  fprintf(out, "%.6f %ld %d\n",
          seconds(usage.ru_utime) + seconds(usage.ru_stime),
          usage.ru_maxrss * 1024L,
          WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  return fclose(out) ? 2 : 0;
}
