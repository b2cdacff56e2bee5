/* 'help' and '--version', wrapped to a terminal. */

#include "cli/help/help.h"
#include "base/text/nearest.h"
#include "cli/help/topics.h"
#include "cli/output.h"
#include "nutshell.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 79, INDENT = 26 };

void help_spelling(const option_entry *o, text *out)
{
  text_printf(out, "--%s", o->name);
  if (o->kind == KIND_OPTIONAL)
    text_printf(out, " [%s]", o->argument);
  else if (*o->argument)
    text_printf(out, " %s", o->argument);
}

/* Adds words, broken so that no line is longer than WIDTH.  'column' is where
** the text stands now; further lines begin at 'indent'. */
static void add_wrapped(text *out, const char *words, size_t column,
                        size_t indent)
{
  bool first = true;
  while (*words) {
    size_t length = strcspn(words, " ");
    if (!first && column + 1 + length > WIDTH) {
      text_printf(out, "\n%*s", (int)indent, "");
      column = indent;
    } else if (!first) {
      text_add_char(out, ' ');
      column++;
    }
    text_add_bytes(out, words, length);
    column += length;
    words += length;
    while (*words == ' ')
      words++;
    first = false;
  }
  text_add_char(out, '\n');
}

/* What an option does when it is not given, as "(default: N)". */
static void add_default(const option_entry *o, text *out)
{
  if (o->kind == KIND_PICK) {
    const char *word = o->argument;
    for (uint64_t left = option_default(o); left > 0; left--)
      word += strcspn(word, "|") + 1;
    text_printf(out, " (default: %.*s)", (int)strcspn(word, "|"), word);
  } else if (o->kind == KIND_SWITCH) {
    text_printf(out, " (default: %s)", option_default(o) ? "on" : "off");
  } else if (o->kind == KIND_NUMBER && option_default(o) > 0) {
    text_printf(out, " (default: %" PRIu64 ")", option_default(o));
  }
}

static void add_option(const option_entry *o, text *out)
{
  text spelling = {0}, words = {0};
  help_spelling(o, &spelling);
  bool fits = spelling.len + 4 <= INDENT;
  text_printf(out, "  %-*s", fits ? INDENT - 2 : 0, text_string(&spelling));
  size_t column = INDENT;
  if (!fits)
    text_printf(out, "\n%*s", INDENT, "");
  text_add(&words, o->help);
  add_default(o, &words);
  add_wrapped(out, text_string(&words), column, INDENT);
  text_free(&spelling);
  text_free(&words);
}

static void add_exits(text *out)
{
  text_add(out, "Exit status:\n");
#define EXIT(number, name, meaning)                                            \
  text_printf(out, "  %d  ", number);                                          \
  add_wrapped(out, meaning, 5, 5);
  EXITS(EXIT)
#undef EXIT
}

typedef struct topic {
  const char *name, *summary, *text;
} topic;

static const topic topics[] = {
#define TOPIC(name, summary, text) {name, summary, text},
    TOPICS(TOPIC)
#undef TOPIC
};

enum { TOPIC_COUNT = sizeof topics / sizeof *topics };

static const topic *topic_find(const char *name)
{
  for (size_t i = 0; i < TOPIC_COUNT; i++)
    if (!strcmp(topics[i].name, name))
      return &topics[i];
  return NULL;
}

/* A word that is neither a command nor a topic. */
static int topic_unknown(const char *word)
{
  const char *names[TOPIC_COUNT];
  for (size_t i = 0; i < TOPIC_COUNT; i++)
    names[i] = topics[i].name;
  const char *near = nearest_word(word, names, TOPIC_COUNT);
  if (!near)
    return command_unknown(word);
  complain("there is no command or topic '%s'", word);
  note("did you mean '%s'?", near);
  return STATUS_BAD;
}

void help_version(text *out)
{
  text_printf(out, "nutshell %s\nbuilt with %s\n", nut_version(),
              nut_built_with());
}

void help_overview(text *out)
{
  text_printf(out,
              "Nutshell %s: a model checker\n\n"
              "Usage: nutshell COMMAND [OPTION]... [FILE]\n\n"
              "Commands:\n",
              nut_version());
  for (size_t i = 0; i < COMMAND_COUNT_; i++) {
    char usage[64];
    snprintf(usage, sizeof usage, "%s %s", commands[i].name, commands[i].usage);
    text_printf(out, "  %-20s %s\n", usage, commands[i].summary);
  }
  text_add(out, "\n'nutshell help COMMAND' explains a command and its "
                "options.\n\nTopics, for 'nutshell help TOPIC':\n");
  for (size_t i = 0; i < TOPIC_COUNT; i++)
    text_printf(out, "  %-20s %s\n", topics[i].name, topics[i].summary);
  text_add_char(out, '\n');
  add_exits(out);
}

static option_group group_of(const option_entry *o)
{
  option_group g = GROUP_FIRST;
  while (g < GROUP_OTHER && !(o->on >> (GROUP_SHIFT + g) & 1))
    g++;
  return g;
}

static void add_group(const command *c, option_group g, const char *title,
                      text *out)
{
  bool empty = true;
  for (size_t i = 0; i < option_count; i++) {
    const option_entry *o = &option_table[i];
    if (!(o->on & c->mask) || group_of(o) != g)
      continue;
    if (empty)
      text_printf(out, "\n%s:\n", title);
    add_option(o, out);
    empty = false;
  }
}

/* A long list is grouped, a short one is alphabetical. */
static void add_options(const command *c, text *out)
{
  enum { LONG_LIST = 24 };
  size_t n = 0;
  for (size_t i = 0; i < option_count; i++)
    n += (option_table[i].on & c->mask) != 0;
  if (n > LONG_LIST) {
#define GROUP(name, title) add_group(c, GROUP_##name, title, out);
    OPTION_GROUPS(GROUP)
#undef GROUP
    return;
  }
  text_add(out, "\nOptions:\n");
  for (size_t i = 0; i < option_count; i++)
    if (option_table[i].on & c->mask)
      add_option(&option_table[i], out);
}

void help_command(const command *c, text *out)
{
  text_printf(out, "Usage: nutshell %s [OPTION]...%s%s\n\n%s", c->name,
              *c->usage ? " " : "", c->usage, c->text);
  add_options(c, out);
  text_add_char(out, '\n');
  add_exits(out);
}

int command_help(const options *o)
{
  text out = {0};
  int status = STATUS_HOLDS;
  if (o->man) {
    help_man_page(&out);
  } else if (o->bash_completion) {
    help_bash_completion(&out);
  } else if (o->zsh_completion) {
    help_zsh_completion(&out);
  } else if (o->fish_completion) {
    help_fish_completion(&out);
  } else if (o->files.len == 0) {
    help_overview(&out);
  } else {
    const char *word = o->files.data[0];
    const command *c = command_find(word);
    const topic *t = topic_find(word);
    if (c)
      help_command(c, &out);
    if (t)
      text_printf(&out, "%s%s", c ? "\n" : "", t->text);
    if (!c && !t)
      status = topic_unknown(word);
  }
  say_text(&out);
  text_free(&out);
  return status;
}
