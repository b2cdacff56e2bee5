/* Decodes UTF-8 and escapes what a terminal would not show as a character. */

#include "base/source/shown.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FILE_PART_MAX = 100 };

/* The length and the smallest value of characters by their first byte. */
static size_t length_of(unsigned char first, uint32_t *least)
{
  size_t n = first < 0x80                    ? 1
             : first >= 0xC2 && first < 0xE0 ? 2
             : first >= 0xE0 && first < 0xF0 ? 3
             : first >= 0xF0 && first < 0xF5 ? 4
                                             : 0;
  *least = n == 3 ? 0x800 : n == 4 ? 0x10000 : 0;
  return n;
}

/* Reads one character of UTF-8; 0 when it is not well-formed. */
static size_t decode(const char *p, const char *end, uint32_t *value)
{
  unsigned char c = (unsigned char)*p;
  uint32_t least;
  size_t n = length_of(c, &least);
  if (n < 2 || n > (size_t)(end - p)) {
    *value = c;
    return n == 1;
  }
  *value = c & (0xFFu >> (n + 1));
  for (size_t i = 1; i < n; i++) {
    unsigned char next = (unsigned char)p[i];
    if ((next & 0xC0) != 0x80)
      return 0;
    *value = *value << 6 | (next & 0x3F);
  }
  bool surrogate = *value >= 0xD800 && *value < 0xE000;
  return *value < least || *value > 0x10FFFF || surrogate ? 0 : n;
}

static bool is_harmful(uint32_t c)
{
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E ||
         c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

size_t shown_bytes(const char *p, const char *end)
{
  uint32_t value;
  size_t n = decode(p, end, &value);
  return n && is_harmful(value) ? 0 : n;
}

size_t shown_escape(const char *p, const char *end, char escape[SHOWN_ESCAPE])
{
  uint32_t value;
  size_t n = decode(p, end, &value);
  if (*p == '\n' || *p == '\t')
    snprintf(escape, SHOWN_ESCAPE, "\\%c", *p == '\n' ? 'n' : 't');
  else if (n > 1)
    snprintf(escape, SHOWN_ESCAPE, "\\u%04x", (unsigned)(value & 0xFFFF));
  else
    snprintf(escape, SHOWN_ESCAPE, "\\x%02x", (unsigned)(unsigned char)*p);
  return n ? n : 1;
}

void text_add_shown(text *out, const char *p, size_t length)
{
  const char *end = p + length;
  char escape[SHOWN_ESCAPE];
  while (p < end) {
    const char *start = p;
    size_t n;
    while (p < end && (n = shown_bytes(p, end)))
      p += n;
    text_add_bytes(out, start, (size_t)(p - start));
    if (p == end)
      break;
    p += shown_escape(p, end, escape);
    text_add(out, escape);
  }
}

const char *shown(arena *a, const char *string)
{
  const char *p = string, *end = string ? string + strlen(string) : NULL;
  size_t n = 1;
  while (p < end && (n = shown_bytes(p, end)))
    p += n;
  if (p == end)
    return string;
  /* An escape is at most six bytes for one. */
  size_t room = 6 * (size_t)(end - string) + 1;
  text out = {arena_alloc(a, room), 0, room};
  text_add_shown(&out, string, (size_t)(end - string));
  return out.data;
}

const char *shown_file_part(arena *a, const char *string)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ.-";
  size_t length = strlen(string);
  char *part =
      arena_copy(a, string, length < FILE_PART_MAX ? length : FILE_PART_MAX);
  for (char *p = part; *p; p++)
    if (!strchr(plain, *p) || (p == part && (*p == '.' || *p == '-')))
      *p = '_';
  return part;
}
