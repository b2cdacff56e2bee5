/* The program 'nutshell': finds the command, reads its options, runs it. */

#include "base/alloc.h"
#include "base/system/settle.h"
#include "base/text/nearest.h"
#include "cli/help/help.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/ranks/as_rank.h"
#include "cli/ranks/started.h"
#include <malloc.h>
#include <string.h>
#include <unistd.h>

const command commands[COMMAND_COUNT_] = {
#define COMMAND(name, usage, summary, text)                                    \
  {#name, usage, summary, text, 1u << COMMAND_##name, command_##name},
    COMMANDS(COMMAND)
#undef COMMAND
};

const command *command_find(const char *name)
{
  for (size_t i = 0; i < COMMAND_COUNT_; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static int show(void (*print)(text *))
{
  text out = {0};
  print(&out);
  say_text(&out);
  text_free(&out);
  return STATUS_HOLDS;
}

static int show_command(const command *c)
{
  text out = {0};
  help_command(c, &out);
  say_text(&out);
  text_free(&out);
  return STATUS_HOLDS;
}

int command_unknown(const char *word)
{
  const char *names[COMMAND_COUNT_];
  for (size_t i = 0; i < COMMAND_COUNT_; i++)
    names[i] = commands[i].name;
  const char *near = nearest_word(word, names, COMMAND_COUNT_);
  complain("there is no command '%s'", word);
  if (access(word, R_OK) == 0)
    note("to check a model: nutshell check %s", word);
  else if (near)
    note("did you mean '%s'?", near);
  else
    note("'nutshell --help' lists the commands");
  return STATUS_BAD;
}

/* How many words each command wants after its options. */
static bool right_number_of_files(const options *o)
{
  size_t least = 1, most = 1, n = o->files.len;
  command_id id = (command_id)(o->command - commands);
  if (id == COMMAND_replay || id == COMMAND_diff || id == COMMAND_certificate)
    least = most = 2;
  else if (id == COMMAND_stores || id == COMMAND_lsp || id == COMMAND_dap)
    least = most = 0;
  else if (id == COMMAND_help || id == COMMAND_mcp)
    least = 0;
  else if (id == COMMAND_state)
    most = 2;
  else if (id == COMMAND_check || id == COMMAND_count || id == COMMAND_test ||
           id == COMMAND_explore)
    most = n;
  if (n >= least && n <= most)
    return true;
  if (n < least)
    complain("'%s' needs %s", o->command->name, o->command->usage);
  else if (most == 0)
    complain("'%s' takes no file", o->command->name);
  else
    complain("'%s' takes %s, but there is also '%s'", o->command->name,
             o->command->usage, o->files.data[most]);
  note("usage: nutshell %s [OPTION]...%s%s", o->command->name,
       *o->command->usage ? " " : "", o->command->usage);
  return false;
}

/* All words belong to the command. */
static int run_spin(int argc, char **argv)
{
  options o = {.command = command_find("spin")};
  if (argc == 1 && !strcmp(argv[0], "--help"))
    return show_command(o.command);
  for (int i = 0; i < argc; i++)
    vec_push(&o.files, argv[i]);
  int status = o.command->run(&o);
  vec_free(&o.files);
  return status;
}

/* Whether the program was called 'spin', by a link of that name. */
static bool is_called_spin(const char *name)
{
  const char *slash = name ? strrchr(name, '/') : NULL;
  return name && !strcmp(slash ? slash + 1 : name, "spin");
}

/* By this process, by several that a launcher started, or by some that we start. */
static int run_or_start(options *o)
{
  uint32_t own, count;
  if (o->hosts && !o->ranks)
    return complain("--hosts goes with --ranks N");
  if (o->ranks > 1 && !nut_ranks_launched(&own, &count))
    return rank_suits(o) ? start_ranks(o) : STATUS_BAD;
  if (!rank_join(o))
    return STATUS_BAD;
  int status = o->command->run(o);
  rank_leave(o);
  return status;
}

static int run_command(const command *c, int argc, char **argv)
{
  options o;
  text error = {0}, hint = {0};
  int status = STATUS_BAD;
  if (!options_parse(&o, c, argc, argv, 2, &error, &hint)) {
    complain("%s", text_string(&error));
    if (hint.len)
      note("%s", text_string(&hint));
    else
      note("'nutshell help %s' lists the options", c->name);
  } else if (o.help) {
    status = show_command(c);
  } else if (o.version) {
    status = show(help_version);
  } else if (right_number_of_files(&o)) {
    status = run_or_start(&o);
  }
  text_free(&error);
  text_free(&hint);
  options_free(&o);
  return status;
}

/* The commands, for somebody who named none. */
static void show_usage(void)
{
  text out = {0};
  help_overview(&out);
  say_error("\n");
  say_error(text_string(&out));
  text_free(&out);
}

static int run(int argc, char **argv)
{
  if (is_called_spin(argv[0]))
    return run_spin(argc - 1, argv + 1);
  if (argc < 2) {
    complain("which command?");
    show_usage();
    return STATUS_BAD;
  }
  const char *word = argv[1];
  if (!strcmp(word, "--help") || !strcmp(word, "-h"))
    return show(help_overview);
  if (!strcmp(word, "--version") || !strcmp(word, "-V"))
    return show(help_version);
  const command *c = command_find(word);
  if (c && c->mask & ON(spin))
    return run_spin(argc - 2, argv + 2);
  return c ? run_command(c, argc, argv) : command_unknown(word);
}

enum { LARGE_BLOCK = 256 << 10 };

typedef struct call {
  int argc;
  char **argv;
  int status;
} call;

static void do_run(void *what)
{
  call *c = what;
  c->status = rank_end(finish_output(run(c->argc, c->argv)));
}

int main(int argc, char **argv)
{
  interrupt_install();
  rank_begin();
  settle_allow();
  /* Large blocks go back to the system when they are freed, and grow without
  ** being copied: what is counted is what is resident. */
#ifdef M_MMAP_THRESHOLD /* musl does so anyway */
  mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
#endif
  /* The library protects its own entries; this is for the rest. */
  call c = {argc, argv, STATUS_UNKNOWN};
  if (!mem_protect(do_run, &c))
    complain("out of memory");
  return c.status;
}
