#include "report/cover/listing.h"
#include "base/source/shown.h"
#include <string.h>

void listing_line(size_t width, const text *beside, uint32_t number,
                  const char *line, size_t length, text *out)
{
  text_printf(out, "%*s |", (int)width, text_string(beside));
  while (length && (line[length - 1] == '\r' || line[length - 1] == ' '))
    length--;
  if (!line)
    text_printf(out, " line %u", number);
  else if (length)
    text_add_char(out, ' ');
  for (size_t i = 0, end; line && i < length; i = end + 1) {
    const char *tab = memchr(line + i, '\t', length - i);
    end = tab ? (size_t)(tab - line) : length;
    text_add_shown(out, line + i, end - i);
    if (tab)
      text_add_char(out, '\t');
  }
  text_add_char(out, '\n');
}

void listing_source(const sources *s, uint32_t file, size_t width,
                    listing_margin *add, void *context, text *out)
{
  size_t length, from = 0;
  const char *content = source_text(s, file, &length);
  text beside = {0};
  for (uint32_t line = 1; from < length; line++) {
    const char *stop = memchr(content + from, '\n', length - from);
    size_t to = stop ? (size_t)(stop - content) : length;
    text_clear(&beside);
    add(context, line, &beside);
    listing_line(width, &beside, line, content + from, to - from, out);
    from = to + 1;
  }
  text_free(&beside);
}
