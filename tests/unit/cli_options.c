/* The lists of the command line: sorted, complete, and without contradiction.
** The lists are macros, so nothing of the command line is linked. */

#include "unit.h"

#include "cli/options.h"
#include <ctype.h>

typedef struct entry {
  option_kind kind;
  const char *name, *argument, *help;
  uint64_t standard, lo, hi;
  unsigned on;
} entry;

static const entry entries[] = {
#define OPTION(kind, field, name, arg, standard, lo, hi, on, help)             \
  {KIND_##kind, name, arg, help, standard, lo, hi, on},
    OPTIONS(OPTION)
#undef OPTION
};
enum { COUNT = sizeof entries / sizeof *entries };

static void options_are_sorted(void **state)
{
  (void)state;
  for (size_t i = 1; i < COUNT; i++)
    assert_true(strcmp(entries[i - 1].name, entries[i].name) < 0);
}

static void options_are_described(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT; i++) {
    const entry *e = &entries[i];
    assert_true(strlen(e->help) > 0 && strlen(e->help) < 70);
    /* A word in lower case, or the name of a logic or an argument. */
    assert_true(islower((unsigned char)e->help[0]) ||
                isupper((unsigned char)e->help[1]));
    assert_true(e->help[strlen(e->help) - 1] != '.');
    assert_true((e->kind == KIND_FLAG) == (e->argument[0] == 0));
    assert_true(e->on != 0 && e->on < 1u << COMMAND_COUNT_);
    for (const char *c = e->name; *c; c++)
      assert_true(islower((unsigned char)*c) || *c == '-');
  }
}

static void defaults_are_in_range(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT; i++) {
    const entry *e = &entries[i];
    assert_true(e->lo <= e->hi);
    assert_true(e->standard >= e->lo && e->standard <= e->hi);
    if (e->kind != KIND_PICK)
      continue;
    uint64_t words = 1;
    for (const char *c = e->argument; *c; c++)
      words += *c == '|';
    assert_int_equal(e->hi, words - 1);
  }
}

static void commands_are_sorted(void **state)
{
  (void)state;
  static const char *const names_of[] = {
#define COMMAND(name, usage, summary, text) #name,
      COMMANDS(COMMAND)
#undef COMMAND
  };
  size_t count = sizeof names_of / sizeof *names_of;
  for (size_t i = 2; i < count; i++) /* 'help' comes last */
    assert_true(strcmp(names_of[i - 2], names_of[i - 1]) < 0);
  assert_string_equal(names_of[count - 1], "help");
}

static void exits_are_the_four(void **state)
{
  (void)state;
  int next = 0;
#define EXIT(number, name, text) assert_int_equal(number, next++);
  EXITS(EXIT)
#undef EXIT
  assert_int_equal(next, 4);
}

UNIT_MAIN(UNIT(options_are_sorted), UNIT(options_are_described),
          UNIT(defaults_are_in_range), UNIT(commands_are_sorted),
          UNIT(exits_are_the_four))
