/* Growing text: pieces, formats, XML, and amounts as people read them. */

#include "base/text/text.h"

#include "base/alloc.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

/* Makes room for 'more' bytes and the final 0. */
static void make_room(text *t, size_t more)
{
  assert(t->len < t->cap || !t->cap);
  if (t->cap - t->len > more)
    return;
  size_t needed = more >= SIZE_MAX - t->len ? SIZE_MAX : t->len + more + 1;
  size_t wanted = t->cap ? 2 * t->cap : FIRST_CAPACITY;
  if (wanted < needed)
    wanted = needed;
  t->data = mem_resize(t->data, t->cap, wanted);
  t->cap = wanted;
  t->data[t->len] = 0;
}

void text_add_bytes(text *t, const char *bytes, size_t n)
{
  make_room(t, n);
  if (n)
    memcpy(t->data + t->len, bytes, n);
  t->len += n;
  t->data[t->len] = 0;
}

void text_add(text *t, const char *string)
{
  text_add_bytes(t, string, strlen(string));
}

void text_add_char(text *t, char c)
{
  make_room(t, 1);
  t->data[t->len++] = c;
  t->data[t->len] = 0;
}

void text_add_xml_char(text *t, char c)
{
  switch (c) {
  case '<':
    text_add(t, "&lt;");
    break;
  case '>':
    text_add(t, "&gt;");
    break;
  case '&':
    text_add(t, "&amp;");
    break;
  case '"':
    text_add(t, "&quot;");
    break;
  default:
    text_add_char(t, (unsigned char)c < ' ' ? ' ' : c);
  }
}

void text_add_xml(text *t, const char *s)
{
  for (; *s; s++)
    text_add_xml_char(t, *s >= ' ' && *s <= '~' ? *s : ' ');
}

void text_printf(text *t, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(t, format, arguments);
  va_end(arguments);
}

void text_vprintf(text *t, const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  assert(length >= 0);
  make_room(t, (size_t)length);
  vsnprintf(t->data + t->len, (size_t)length + 1, format, again);
  t->len += (size_t)length;
  va_end(again);
}

const char *text_string(const text *t)
{
  return t->data ? t->data : "";
}

void text_clear(text *t)
{
  t->len = 0;
  if (t->data)
    t->data[0] = 0;
}

void text_free(text *t)
{
  mem_free(t->data, t->cap);
  *t = (text){0};
}

void text_add_number(text *t, uint64_t number)
{
  char digits[24];
  int n = snprintf(digits, sizeof digits, "%" PRIu64, number);
  for (int i = 0; i < n; i++) {
    text_add_char(t, digits[i]);
    /* Four digits are read at a glance; longer numbers get groups. */
    if (n > 4 && i + 1 < n && (n - i - 1) % 3 == 0)
      text_add_char(t, ' ');
  }
}

void text_add_size(text *t, uint64_t bytes)
{
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < sizeof units / sizeof *units) {
    value /= 1024;
    unit++;
  }
  text_printf(t, unit && value < 99.95 ? "%.1f %s" : "%.0f %s", value,
              units[unit]);
}

typedef struct unit {
  double size;
  const char *name;
} unit;

static unit unit_of(double number)
{
  static const unit units[] = {
      {1e12, " trillion"}, {1e9, " billion"}, {1e6, " million"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (number >= units[i].size)
      return units[i];
  return (unit){1, ""};
}

/* Two digits that count. */
static void add_about(text *to, double number, unit in)
{
  double share = number / in.size;
  if (in.size > 1) {
    text_printf(to, share < 9.95 ? "%.1f" : "%.0f", share);
    return;
  }
  uint64_t step = number >= 1e5 ? 10000 : number >= 1e4 ? 1000 : 100;
  text_add_number(to, (uint64_t)(number / (double)step + 0.5) * step);
}

void text_add_range(text *to, double low, double high)
{
  unit first = unit_of(low), last = unit_of(high);
  add_about(to, low, first);
  text_printf(to, "%s to ", first.size < last.size ? first.name : "");
  add_about(to, high, last);
  text_add(to, last.name);
}
