/* The files are made of lines, and their comments hide directives: '#@' and
** '#|' belong to the file, any other '#' starts a comment.  Here a file
** becomes text that the scanner can cut: what is not to be read becomes
** blanks, so that all positions stay. */

#include "lang/lpn/lpn_net.h"

#include <string.h>
#include <strings.h>

typedef struct line {
  char *text;
  uint32_t start, end; /* without the line break */
} line;

/* Delays, priorities and layouts say nothing about an untimed net. */
static const char *const ignored[] = {".delay_assignments",
                                      ".priority_assignments",
                                      ".transition_rates",
                                      ".mode",
                                      ".keep",
                                      ".invariants",
                                      ".coords",
                                      ".capacity",
                                      ".coordinates",
                                      ".slowenv",
                                      NULL};

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void blank(const line *l, uint32_t from, uint32_t to)
{
  for (uint32_t i = from; i < to; i++)
    l->text[i] = ' ';
}

/* Whether the word from 'at' on is 'word', in small or capital letters. */
static bool is_word(const line *l, uint32_t at, const char *word)
{
  size_t n = strlen(word);
  if (l->end - at < n || strncasecmp(l->text + at, word, n) != 0)
    return false;
  char after = at + n < l->end ? l->text[at + n] : ' ';
  return is_blank(after) || after == '{' || after == '[';
}

/* '#@' and '#|' at the start of a line go away; where one stands after an arc,
** '#@' stays.  Any other '#' ends the line. */
static void lay_comment(const line *l, uint32_t first)
{
  for (uint32_t i = first; i < l->end; i++) {
    if (l->text[i] != '#')
      continue;
    char next = i + 1 < l->end ? l->text[i + 1] : ' ';
    if (i == first && (next == '@' || next == '|')) {
      blank(l, i, i + 2);
    } else if (next != '@') {
      blank(l, i, l->end);
      return;
    }
  }
}

/* The characters in brackets: '[01X]'. */
static void take_first_values(net_parser *p, const line *l, uint32_t at)
{
  const char *open = memchr(l->text + at, '[', l->end - at);
  if (!open)
    return;
  uint32_t start = (uint32_t)(open - l->text) + 1, end = start;
  while (end < l->end && l->text[end] != ']')
    end++;
  p->first_values = arena_copy(p->arena, l->text + start, end - start);
  p->first_where.start = start;
  p->first_where.length = end - start;
  blank(l, at, l->end);
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_of_name(char c)
{
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || (c && strchr(".!?$", c));
}

/* "3.0" becomes "3  "; any other fraction stays, and is an error. */
static void lay_numbers(const line *l, uint32_t first)
{
  for (uint32_t i = first; i < l->end; i++) {
    uint32_t start = i, point;
    while (i < l->end && is_of_name(l->text[i]))
      i++;
    for (point = start; point < i && is_digit(l->text[point]);)
      point++;
    if (point == start || point == i || l->text[point] != '.')
      continue;
    uint32_t zeros = point + 1;
    while (zeros < i && l->text[zeros] == '0')
      zeros++;
    if (zeros == i)
      blank(l, point, i);
  }
}

static void lay_line(net_parser *p, const line *l)
{
  uint32_t first = l->start;
  while (first < l->end && is_blank(l->text[first]))
    first++;
  lay_comment(l, first);
  while (first < l->end && is_blank(l->text[first]))
    first++;
  if (first == l->end || l->text[first] != '.')
    return;
  if (is_word(l, first, ".init_state"))
    take_first_values(p, l, first);
  for (size_t i = 0; ignored[i]; i++)
    if (is_word(l, first, ignored[i]))
      blank(l, first, l->end);
  lay_numbers(l, first);
}

static bool begins_with(const line *l, const char *word)
{
  uint32_t at = l->start;
  while (at < l->end && is_blank(l->text[at]))
    at++;
  return is_word(l, at, word);
}

static line line_from(char *made, uint32_t start, size_t length)
{
  line l = {made, start, start};
  while (l.end < length && made[l.end] != '\n')
    l.end++;
  return l;
}

/* What stands after '.end' is nobody's, but another net must not be passed
** over in silence. */
static void find_second(net_parser *p, char *made, uint32_t from, size_t length)
{
  for (uint32_t at = from; at < length && !p->second.length;) {
    line l = line_from(made, at, length);
    if (begins_with(&l, ".graph") || begins_with(&l, ".state"))
      p->second = (span){p->first_where.file, l.start, l.end - l.start};
    at = l.end + 1;
  }
}

uint32_t net_layout(net_parser *p, sources *s, uint32_t file)
{
  size_t length;
  const char *given = source_text(s, file, &length);
  char *made = arena_copy(p->arena, given, length);
  p->first_where.file = file;
  for (uint32_t at = 0; at < length;) {
    line l = line_from(made, at, length);
    if (begins_with(&l, ".end")) {
      find_second(p, made, l.end, length);
      l.end = (uint32_t)length;
      blank(&l, at, l.end);
    }
    lay_line(p, &l);
    at = l.end + 1;
  }
  return source_add(s, source_name(s, file), made, length);
}
