/* Reads words of the command line by the list in the header. */

#include "cli/options.h"
#include "base/alloc.h"
#include "base/text/nearest.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const option_entry option_table[] = {OPTION_ENTRIES};
const size_t option_count = sizeof option_table / sizeof *option_table;

typedef struct parser {
  options *options;
  char **words; /* what is still to be read, ended by NULL */
  text *error, *hint;
} parser;

static bool fail(parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(parser *p, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  text_vprintf(p->error, format, args);
  va_end(args);
  return false;
}

/* An optional output name never takes such a word from those that follow it: a
** model must not be overwritten. */
static bool is_model_name(const char *word)
{
  return nut_language_of(word).name;
}

/* ---- looking up names --------------------------------------------------- */

/* That of the command, or, if it has none of this name, of others. */
static const option_entry *find_option(const command *c, const char *name,
                                       size_t length)
{
  const option_entry *other = NULL;
  for (size_t i = 0; i < option_count; i++) {
    const option_entry *o = &option_table[i];
    if (strncmp(o->name, name, length) || o->name[length])
      continue;
    if (o->on & c->mask)
      return o;
    other = o;
  }
  return other;
}

/* Adds the commands of 'mask' as "'check' and 'count'". */
static void add_commands(unsigned mask, text *out)
{
  unsigned left = 0;
  for (size_t i = 0; i < COMMAND_COUNT_; i++)
    left += (mask & commands[i].mask) != 0;
  for (size_t i = 0; i < COMMAND_COUNT_; i++) {
    if (!(mask & commands[i].mask))
      continue;
    left--;
    text_printf(out, "'%s'%s", commands[i].name,
                left == 0   ? ""
                : left == 1 ? " and "
                            : ", ");
  }
}

static bool unknown_option(parser *p, const char *word)
{
  const char *names[sizeof option_table / sizeof *option_table];
  size_t count = 0, length = strcspn(word, "=");
  char *name = mem_alloc(length + 1);
  memcpy(name, word, length);
  for (size_t i = 0; i < option_count; i++)
    if (option_table[i].on & p->options->command->mask)
      names[count++] = option_table[i].name;
  const char *near = nearest_word(name, names, count);
  if (near)
    text_printf(p->hint, "did you mean '--%s'?", near);
  fail(p, "unknown option '--%s'", name);
  mem_free(name, length + 1);
  return false;
}

/* ---- values ------------------------------------------------------------- */

static void *field_of(parser *p, const option_entry *o)
{
  return (char *)p->options + o->offset;
}

/* Numbers and choices have fields of four or eight bytes. */
static void set_number(parser *p, const option_entry *o, uint64_t n)
{
  uint32_t narrow = (uint32_t)n;
  assert(o->bytes == sizeof n || (o->bytes == sizeof narrow && narrow == n));
  if (o->bytes == sizeof n)
    memcpy(field_of(p, o), &n, sizeof n);
  else
    memcpy(field_of(p, o), &narrow, sizeof narrow);
}

static bool may_be_auto(const option_entry *o)
{
  return strstr(o->argument, "|auto") != NULL;
}

static bool bad_range(parser *p, const option_entry *o, const char *value)
{
  return fail(p, "--%s %s: must be a number from %" PRIu64 " to %" PRIu64 "%s",
              o->name, value, o->lo, o->hi, may_be_auto(o) ? ", or auto" : "");
}

static bool read_number(parser *p, const option_entry *o, const char *value)
{
  char *end;
  errno = 0;
  unsigned long long n = strtoull(value, &end, 10);
  if (may_be_auto(o) && !strcmp(value, "auto")) {
    set_number(p, o, UINT32_MAX);
    return true;
  }
  if (*value < '0' || *value > '9' || *end || errno || n < o->lo || n > o->hi)
    return bad_range(p, o, value);
  set_number(p, o, n);
  return true;
}

/* A number of bytes; a factor K, M, G or T, perhaps followed by B or iB. */
static bool read_size(parser *p, const option_entry *o, const char *value)
{
  static const char factors[] = "KMGT";
  char *end;
  double n = strtod(value, &end);
  bool good = *value >= '0' && *value <= '9' && n >= 0 && isfinite(n);
  for (int i = 0; good && *end && factors[i]; i++)
    if ((*end & ~0x20) == factors[i]) {
      n = ldexp(n, 10 * (i + 1));
      end++;
      if (strcmp(end, "iB") == 0 || strcmp(end, "B") == 0)
        end += strlen(end);
      break;
    }
  if (!good || *end || n >= 9.2e18)
    return fail(p, "--%s %s: must be a number of bytes, such as 512M or 4G",
                o->name, value);
  set_number(p, o, (uint64_t)n);
  return true;
}

/* A number of seconds, or of what the letter after it says: s, m, h. */
static bool read_seconds(parser *p, const option_entry *o, const char *value)
{
  static const struct {
    char letter;
    double seconds;
  } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
  char *end;
  double n = strtod(value, &end);
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (*end == units[i].letter && !end[1]) {
      n *= units[i].seconds;
      end++;
      break;
    }
  if (*value < '0' || *value > '9' || *end || !(n <= (double)o->hi))
    return fail(p,
                "--%s %s: must be seconds, up to %" PRIu64
                ", or a time such as 90s, 5m, 2h",
                o->name, value, o->hi);
  *(double *)field_of(p, o) = n;
  return true;
}

static bool read_pick(parser *p, const option_entry *o, const char *value)
{
  uint64_t index = 0;
  for (const char *word = o->argument; word; index++) {
    size_t length = strcspn(word, "|");
    if (strlen(value) == length && strncmp(word, value, length) == 0) {
      set_number(p, o, index);
      return true;
    }
    word = word[length] ? word + length + 1 : NULL;
  }
  return fail(p, "--%s %s: must be one of %s", o->name, value, o->argument);
}

static bool read_switch(parser *p, const option_entry *o, const char *value)
{
  bool on = strcmp(value, "on") == 0;
  if (!on && strcmp(value, "off") != 0)
    return fail(p, "--%s %s: must be one of %s", o->name, value, o->argument);
  *(bool *)field_of(p, o) = on;
  return true;
}

/* The texts for the array at 'offset'; several options may have one array. */
static option_list *texts_at(options *o, size_t offset)
{
  for (size_t i = 0; i < o->texts.len; i++)
    if (o->texts.data[i].offset == offset)
      return &o->texts.data[i].list;
  vec_push(&o->texts, ((option_texts){.offset = offset}));
  return &vec_last(&o->texts).list;
}

static void add_text(parser *p, const option_entry *o, const char *value)
{
  option_list *list = texts_at(p->options, o->offset);
  vec_push(list, value);
  *(const char *const **)field_of(p, o) = list->data;
  *(size_t *)((char *)p->options + o->count_offset) = list->len;
}

/* "-DNAME", as the preprocessor knows it. */
static void add_macro(parser *p, const option_entry *o, const char *value)
{
  size_t letter = strlen(o->letter), bytes = letter + strlen(value) + 1;
  char *word = mem_alloc(bytes);
  memcpy(word, o->letter, letter);
  memcpy(word + letter, value, bytes - letter);
  vec_push(&p->options->kept, word);
  add_text(p, o, word);
}

static bool read_value(parser *p, const option_entry *o, const char *value)
{
  vec_push(&p->options->given, ((given_option){o, value}));
  switch (o->kind) {
  case KIND_FLAG:
  case KIND_LEAVE:
    *(bool *)field_of(p, o) = o->kind == KIND_FLAG;
    return true;
  case KIND_NUMBER:
    return read_number(p, o, value);
  case KIND_SIZE:
    return read_size(p, o, value);
  case KIND_SECONDS:
    return read_seconds(p, o, value);
  case KIND_PICK:
    return read_pick(p, o, value);
  case KIND_SWITCH:
    return read_switch(p, o, value);
  case KIND_TEXT:
    if (!*value)
      return fail(p, "--%s needs a %s", o->name, o->argument);
    *(const char **)field_of(p, o) = value;
    return true;
  case KIND_LIST:
  case KIND_MACRO:
    if (!*value)
      return fail(p, "--%s needs a %s", o->name, o->argument);
    (o->kind == KIND_MACRO ? add_macro : add_text)(p, o, value);
    return true;
  case KIND_OPTIONAL:
    *(const char **)field_of(p, o) = value;
    return true;
  }
  return false;
}

/* Whether the word after an option with an optional file name is that name.
** Words that look like options or models are not; before the model is named,
** only a word with the ending of the option ('.json') is. */
static bool takes_next(const parser *p, const option_entry *o)
{
  const char *next = p->words[0];
  if (!next || !*next || is_model_name(next))
    return false;
  if (next[0] == '-')
    return next[1] == 0;
  size_t length = strlen(next), n = strlen(o->name);
  bool ending = length > n + 1 && next[length - n - 1] == '.' &&
                strcmp(next + length - n, o->name) == 0;
  return ending || p->options->files.len > 0;
}

static bool is_flag(const option_entry *o)
{
  return o->kind == KIND_FLAG || o->kind == KIND_LEAVE;
}

static bool read_long(parser *p, const char *word)
{
  size_t length = strcspn(word, "=");
  const char *value = word[length] ? word + length + 1 : NULL;
  const option_entry *o = find_option(p->options->command, word, length);
  if (!o)
    return unknown_option(p, word);
  if (!(o->on & p->options->command->mask)) {
    text_add(p->hint, "it belongs to ");
    add_commands(o->on, p->hint);
    return fail(p, "'%s' has no option --%s", p->options->command->name,
                o->name);
  }
  if (is_flag(o)) {
    if (value)
      return fail(p, "--%s takes no value", o->name);
    return read_value(p, o, "");
  }
  if (o->kind == KIND_OPTIONAL && !value)
    return read_value(p, o, takes_next(p, o) ? *p->words++ : "");
  if (!value) {
    if (!p->words[0])
      return fail(p, "--%s needs a value: %s", o->name, o->argument);
    value = *p->words++;
  }
  return read_value(p, o, value);
}

/* -DNAME or -D NAME, likewise -U and -I; -h, -q, -v, -V. */
static bool read_short(parser *p, const char *word)
{
  static const struct {
    char letter;
    const char *name;
  } letters[] = {{'D', "define"},  {'I', "include"}, {'U', "undefine"},
                 {'h', "help"},    {'o', "output"},  {'q', "quiet"},
                 {'v', "verbose"}, {'V', "version"}};
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
    if (letters[i].letter != word[1])
      continue;
    const option_entry *o = find_option(p->options->command, letters[i].name,
                                        strlen(letters[i].name));
    if (!(o->on & p->options->command->mask))
      break;
    if (is_flag(o) && !word[2])
      return read_value(p, o, "");
    if (is_flag(o))
      break;
    if (!word[2] && !p->words[0])
      return fail(p, "-%c needs a value: %s", word[1], o->argument);
    return read_value(p, o, word[2] ? word + 2 : *p->words++);
  }
  return fail(p, "unknown option '%s'", word);
}

static void set_defaults(options *o)
{
  parser p = {.options = o};
  o->check = nut_default_options();
  o->check.cache = NUT_CACHE_LEAVE; /* a command ends with its run */
  o->load = nut_load_defaults();
  for (size_t i = 0; i < option_count; i++) {
    const option_entry *e = &option_table[i];
    if (e->kind == KIND_NUMBER && e->standard != AS_LIBRARY)
      set_number(&p, e, e->standard);
  }
}

uint64_t option_default(const option_entry *e)
{
  options o = {0};
  uint64_t wide = 0;
  uint32_t narrow = 0;
  set_defaults(&o);
  const char *field = (const char *)&o + e->offset;
  if (e->kind == KIND_SWITCH)
    return *(const bool *)field;
  if (e->bytes == sizeof wide)
    memcpy(&wide, field, sizeof wide);
  else
    memcpy(&narrow, field, sizeof narrow);
  return wide + narrow;
}

bool options_parse(options *o, const command *c, int argc, char **argv,
                   int first, text *error, text *hint)
{
  assert(argv[argc] == NULL);
  (void)argc;
  parser p = {o, argv + first, error, hint};
  bool words_only = false;
  memset(o, 0, sizeof *o);
  o->command = c;
  set_defaults(o);
  while (*p.words) {
    const char *word = *p.words++;
    bool good = true;
    if (words_only || word[0] != '-' || !word[1])
      vec_push(&o->files, word);
    else if (strcmp(word, "--") == 0)
      words_only = true;
    else if (word[1] == '-')
      good = read_long(&p, word + 2);
    else
      good = read_short(&p, word);
    if (!good)
      return false;
  }
  return true;
}

void options_free(options *o)
{
  for (size_t i = 0; i < o->kept.len; i++)
    mem_free(o->kept.data[i], strlen(o->kept.data[i]) + 1);
  vec_free(&o->kept);
  vec_free(&o->given);
  vec_free(&o->files);
  for (size_t i = 0; i < o->texts.len; i++)
    vec_free(&o->texts.data[i].list);
  vec_free(&o->texts);
}
