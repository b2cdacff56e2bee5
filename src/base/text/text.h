/* Growing text.  All zero is a valid empty text; 'data' is always 0-terminated
** once something was added (use text_string for a sure string). */

#ifndef NUT_BASE_TEXT_TEXT_H
#define NUT_BASE_TEXT_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct text {
  char *data;
  size_t len, cap;
} text;

void text_add(text *, const char *string);
void text_add_bytes(text *, const char *bytes, size_t n);
void text_add_char(text *, char);
/* A byte of a text or an attribute of XML: markup is escaped, and what controls
** becomes a blank. */
void text_add_xml_char(text *, char);
/* A text of XML in ASCII alone: what is not printable becomes a blank. */
void text_add_xml(text *, const char *string);
void text_printf(text *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "123", "1 234 567"; "1.5 MiB", in units as sizes are read. */
void text_add_number(text *, uint64_t);
void text_add_size(text *, uint64_t bytes);
/* About: "280 000 to 1.4 million". */
void text_add_range(text *, double low, double high);
void text_vprintf(text *, const char *format, va_list);
const char *text_string(const text *); /* "" when empty */
void text_clear(text *);
void text_free(text *);

#endif
