/* Comments found by language, lines of them taken apart. */

#include "cli/many/expectation.h"
#include <ctype.h>
#include <string.h>

const char *expected_figure_name(expected_figure f)
{
  static const char *const words[] = {
#define FIGURE(name, word) word,
      EXPECTED_FIGURES(FIGURE)
#undef FIGURE
  };
  return words[f];
}

/* ---- comments ----------------------------------------------------------- */

typedef struct finder {
  arena *arena;
  const char *end, *at;
  uint32_t line;
  const nut_language *form;
  expectation_list *list;
} finder;

static bool stands(const finder *f, const char *word)
{
  size_t n = word ? strlen(word) : 0;
  return n && (size_t)(f->end - f->at) >= n && !memcmp(f->at, word, n);
}

static void read_line(finder *f, const char *begin, const char *end);

/* The comment goes on to 'close', or to the end of the line. */
static void read_comment(finder *f, const char *close)
{
  const char *begin = f->at;
  for (; f->at < f->end; f->at++) {
    if (close && stands(f, close))
      break;
    if (*f->at != '\n')
      continue;
    if (!close)
      break;
    read_line(f, begin, f->at);
    begin = f->at + 1;
    f->line++;
  }
  read_line(f, begin, f->at);
  if (close && f->at < f->end)
    f->at += strlen(close);
}

static void skip_string(finder *f)
{
  for (f->at++; f->at < f->end && *f->at != '"' && *f->at != '\n'; f->at++)
    if (*f->at == '\\' && f->at + 1 < f->end && f->at[1] != '\n')
      f->at++;
  if (f->at < f->end && *f->at == '"')
    f->at++;
}

/* Texts of nets may begin with '#' and still be no comment ('#@.init_state'),
** but none of them begins with 'expect'. */
static void read_text(finder *f)
{
  while (f->at < f->end) {
    if (stands(f, f->form->line_comment)) {
      f->at += strlen(f->form->line_comment);
      read_comment(f, NULL);
    } else if (stands(f, f->form->comment)) {
      f->at += strlen(f->form->comment);
      read_comment(f, f->form->comment_end);
    } else if (f->form->has_strings && *f->at == '"') {
      skip_string(f);
    } else {
      f->line += *f->at++ == '\n';
    }
  }
}

void expectations_find(arena *a, nut_language language, const char *content,
                       size_t length, expectation_list *list)
{
  finder f = {a, content + length, content, 1, &language, list};
  read_text(&f);
}

/* ---- lines -------------------------------------------------------------- */

static const char *trim(arena *a, const char *begin, const char *end)
{
  while (begin < end && isspace((unsigned char)*begin))
    begin++;
  while (begin < end && isspace((unsigned char)end[-1]))
    end--;
  return arena_copy(a, begin, (size_t)(end - begin));
}

/* The next part, up to 'mark' or the end; '*at' is behind it, or NULL. */
static const char *next_part(arena *a, const char **at, const char *mark)
{
  const char *begin = *at, *end = strstr(begin, mark);
  *at = end ? end + strlen(mark) : NULL;
  return trim(a, begin, end ? end : begin + strlen(begin));
}

static const char **split(arena *a, const char *string, const char *mark,
                          size_t *count)
{
  VEC(const char *) list = {0};
  for (const char *at = string; at;) {
    const char *part = next_part(a, &at, mark);
    if (*part)
      arena_push(a, &list, part);
  }
  *count = list.len;
  arena_push(a, &list, (const char *)NULL);
  return list.data;
}

static bool read_verdict(expectation *e, const char *part)
{
  static const nut_verdict known[] = {NUT_HOLDS, NUT_VIOLATED, NUT_UNKNOWN};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(part, nut_verdict_name(known[i]))) {
      e->has_verdict = true;
      e->verdict = known[i];
      return true;
    }
  return false;
}

static bool read_figure(expectation *e, const char *part)
{
  size_t length = strcspn(part, " ");
  const char *number = part + length + strspn(part + length, " ");
  if (!*number || number[strspn(number, "0123456789")])
    return false;
  for (int i = 0; i < EXPECTED_FIGURES_; i++) {
    const char *word = expected_figure_name((expected_figure)i);
    if (strlen(word) == length && !strncmp(word, part, length)) {
      e->figures[i] = number;
      return true;
    }
  }
  return false;
}

/* "7:39: error: ..." */
static bool is_message(const char *s)
{
  size_t numbers = 0, n;
  while ((n = strspn(s, "0123456789")) && s[n] == ':') {
    s += n + 1;
    numbers++;
  }
  return numbers &&
         (!strncmp(s, " error: ", 8) || !strncmp(s, " warning: ", 10) ||
          !strncmp(s, " note: ", 7));
}

static void read_parts(finder *f, expectation *e, const char *rest)
{
  const char *at = rest;
  while (at && !e->wrong) {
    const char *part = next_part(f->arena, &at, "; ");
    if (!strncmp(part, "says ", 5))
      e->says = part + 5;
    else if (!strncmp(part, "with ", 5))
      e->with = split(f->arena, part + 5, " ", &e->with_count);
    else if (!read_verdict(e, part) && !read_figure(e, part))
      e->wrong = arena_printf(f->arena, "not an expectation: '%s'", part);
  }
}

static void read_line(finder *f, const char *begin, const char *end)
{
  static const char word[] = "expect";
  const size_t n = sizeof word - 1;
  while (begin < end && (isspace((unsigned char)*begin) || *begin == '*'))
    begin++;
  if ((size_t)(end - begin) <= n || memcmp(begin, word, n) ||
      (begin[n] != ' ' && begin[n] != ':'))
    return;
  const char *line = trim(f->arena, begin + n, end);
  const char *colon = strchr(line, ':');
  if (!colon)
    return;
  size_t count;
  expectation e = {.line = f->line, .text = *line == ':' ? line + 1 : line};
  e.text += strspn(e.text, " ");
  const char *names = trim(f->arena, line, colon);
  const char *rest = trim(f->arena, colon + 1, line + strlen(line));
  e.names = split(f->arena, names, ", ", &count);
  e.with = split(f->arena, "", " ", &e.with_count);
  if (!count && is_message(rest))
    e.message = rest;
  else
    read_parts(f, &e, rest);
  arena_push(f->arena, f->list, e);
}

/* ---- options ------------------------------------------------------------ */

const char *expectation_options(arena *a, const expectation *e, options *o)
{
  static const char *const allowed[] = {
      "define", "undefine",    "property",      "fair",
      "depth",  "no-deadlock", "check-overflow"};
  text error = {0}, hint = {0};
  const char *wrong = NULL;
  char **words = ARENA_ARRAY(a, char *, e->with_count + 1);
  for (size_t i = 0; i < e->with_count; i++)
    words[i] = arena_copy(a, e->with[i], strlen(e->with[i]));
  if (!options_parse(o, command_find("check"), (int)e->with_count, words, 0,
                     &error, &hint))
    wrong = arena_printf(a, "%s", text_string(&error));
  for (size_t i = 0; !wrong && i < o->given.len; i++) {
    const char *name = o->given.data[i].entry->name;
    bool good = false;
    for (size_t k = 0; k < sizeof allowed / sizeof *allowed; k++)
      good |= !strcmp(name, allowed[k]);
    if (!good)
      wrong = arena_printf(a, "--%s may not follow 'with'", name);
  }
  if (!wrong && o->files.len)
    wrong = arena_printf(a, "'%s' may not follow 'with'", o->files.data[0]);
  text_free(&error);
  text_free(&hint);
  return wrong;
}
