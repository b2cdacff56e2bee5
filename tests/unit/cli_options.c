/* The lists of the command line: sorted, complete, and without contradiction.
** The lists are macros, so nothing of the command line is linked. */

#include "unit.h"

#include "cli/options.h"
#include <ctype.h>

static const option_entry entries[] = {OPTION_ENTRIES};
enum { COUNT = sizeof entries / sizeof *entries };

static void options_are_sorted(void **state)
{
  (void)state;
  for (size_t i = 1; i < COUNT; i++)
    assert_true(
        strcmp(entries[i - 1].name, entries[i].name) < 0 ||
        (!strcmp(entries[i - 1].name, entries[i].name) &&
         !(entries[i - 1].on & entries[i].on & ((1u << COMMAND_COUNT_) - 1))));
}

static void options_are_described(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT; i++) {
    const option_entry *e = &entries[i];
    assert_true(strlen(e->help) > 0 && strlen(e->help) < 70);
    /* A word in lower case, or the name of a logic or an argument. */
    assert_true(islower((unsigned char)e->help[0]) ||
                isupper((unsigned char)e->help[1]));
    assert_true(e->help[strlen(e->help) - 1] != '.');
    bool flag = e->kind == KIND_FLAG || e->kind == KIND_LEAVE;
    assert_true(flag == (e->argument[0] == 0));
    unsigned on = e->on & ((1u << GROUP_SHIFT) - 1);
    assert_true(on != 0 && on < 1u << COMMAND_COUNT_);
    for (const char *c = e->name; *c; c++)
      assert_true(islower((unsigned char)*c) || *c == '-');
  }
}

/* A number of the library, as it is when no option is given. */
static uint64_t number_of_library(const option_entry *e)
{
  options o = {.check = nut_default_options(), .load = nut_load_defaults()};
  const char *field = (const char *)&o + e->offset;
  return e->bytes == sizeof(uint32_t) ? *(const uint32_t *)field
                                      : *(const uint64_t *)field;
}

static void defaults_are_in_range(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT; i++) {
    const option_entry *e = &entries[i];
    if (e->kind != KIND_NUMBER)
      continue;
    uint64_t standard =
        e->standard == AS_LIBRARY ? number_of_library(e) : e->standard;
    assert_true(e->lo <= e->hi);
    assert_true(standard >= e->lo && standard <= e->hi);
    assert_true(e->bytes == sizeof(uint64_t) || e->hi <= UINT32_MAX);
  }
}

/* The parser writes by kind, whatever the library's type is. */
static void fields_have_room(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT; i++) {
    const option_entry *e = &entries[i];
    if (e->kind == KIND_FLAG || e->kind == KIND_LEAVE || e->kind == KIND_SWITCH)
      assert_int_equal(e->bytes, sizeof(bool));
    else if (e->kind == KIND_PICK)
      assert_int_equal(e->bytes, sizeof(unsigned));
    else
      assert_true(e->bytes == sizeof(uint64_t) || e->kind == KIND_NUMBER);
  }
}

/* The usual word of a switch comes first. */
static void switches_begin_with_the_default(void **state)
{
  (void)state;
  options o = {.check = nut_default_options()};
  for (size_t i = 0; i < COUNT; i++) {
    const option_entry *e = &entries[i];
    bool on = *((const char *)&o + e->offset);
    if (e->kind == KIND_SWITCH)
      assert_string_equal(e->argument, on ? "on|off" : "off|on");
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
          UNIT(defaults_are_in_range), UNIT(fields_have_room),
          UNIT(switches_begin_with_the_default), UNIT(commands_are_sorted),
          UNIT(exits_are_the_four))
