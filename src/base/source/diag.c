/* Diagnostics: collecting them, and printing them with the line they are
** about.  What is printed may come from hostile input: control characters are
** replaced, long lines and long messages are clipped. */

#include "base/source/source.h"

#include "base/alloc.h"
#include "base/source/shown.h"
#include "base/vec.h"

#include <assert.h>
#include <string.h>

enum {
  MAX_KEPT = 10 * DIAG_MAX, /* of all levels together */
  MESSAGE_HEAD = 300,       /* what is kept of a long message */
  MESSAGE_TAIL = 150,
  LINE_WHOLE = 120, /* longest line shown whole */
  LINE_BEFORE = 50, /* bytes shown before the caret otherwise */
  LINE_SHOWN = 100, /* bytes shown at all otherwise */
  TAB_STOP = 8,
  USES_TOLD = 5 /* of macros in each other */
};

struct diags {
  sources *files;
  VEC(diagnostic) list;
  size_t errors;
  size_t dropped;
  size_t next;   /* where a note on the last error or warning goes */
  bool dropping; /* the last error or warning was dropped, so are its notes */
};

diags *diags_create(sources *files)
{
  diags *d = mem_alloc(sizeof *d);
  d->files = files;
  return d;
}

void diags_destroy(diags *d)
{
  if (!d)
    return;
  for (size_t i = 0; i < d->list.len; i++)
    mem_free_string(d->list.data[i].message);
  vec_free(&d->list);
  mem_free(d, sizeof *d);
}

static bool continues_character(char c)
{
  return ((unsigned char)c & 0xC0) == 0x80;
}

/* Takes the middle out of a long message, between whole UTF-8 characters. */
static void clip_message(text *t)
{
  if (t->len <= MESSAGE_HEAD + MESSAGE_TAIL + 3)
    return;
  size_t head = MESSAGE_HEAD, tail = t->len - MESSAGE_TAIL;
  while (head > 0 && continues_character(t->data[head]))
    head--;
  while (tail < t->len && continues_character(t->data[tail]))
    tail++;
  memcpy(t->data + head, "...", 3);
  memmove(t->data + head + 3, t->data + tail, t->len - tail);
  t->len = head + 3 + (t->len - tail);
  t->data[t->len] = 0;
}

static bool must_drop(diags *d, diag_level level)
{
  if (level != DIAG_NOTE)
    d->dropping = diags_full(d) || d->list.len >= MAX_KEPT;
  return d->dropping || d->list.len >= 2 * MAX_KEPT;
}

/* Text that a macro puts into several places is wrong once. */
static bool is_told(const diags *d, diag_level level, span where,
                    const char *message)
{
  for (size_t i = 0; i < d->list.len; i++) {
    const diagnostic *g = &d->list.data[i];
    if (g->level == level && g->where.file == where.file &&
        g->where.start == where.start && !strcmp(g->message, message))
      return true;
  }
  return false;
}

/* The message, in a block of its own size. */
static char *make_message(const diags *d, diag_level level, span where,
                          const char *format, va_list arguments)
{
  text message = {0};
  if (source_is_hidden(d->files, where.file))
    text_printf(&message,
                "%s (the text of this file is not shown: it lies "
                "outside the folders of the model)",
                level == DIAG_NOTE ? "here" : "something is wrong here");
  else
    text_vprintf(&message, format, arguments);
  clip_message(&message);
  char *string = mem_try_resize(message.data, message.cap, message.len + 1);
  if (!string) {
    text_free(&message);
    mem_give_up();
  }
  return string;
}

static bool comes_before(span a, span b)
{
  return a.file != b.file ? a.file < b.file : a.start < b.start;
}

/* Where an error or warning goes: in the order of the source, behind the notes
** of the one before it.  One without a place stays where it was reported. */
static size_t place_of(const diags *d, span where)
{
  size_t at = d->list.len;
  if (!where.file)
    return at;
  for (size_t i = at; i-- > 0;) {
    const diagnostic *g = &d->list.data[i];
    if (g->level == DIAG_NOTE)
      continue;
    if (!g->where.file || !comes_before(where, g->where))
      break;
    at = i;
  }
  return at;
}

static void insert(diags *d, diagnostic new)
{
  size_t at = new.level == DIAG_NOTE ? d->next : place_of(d, new.where);
  vec_push(&d->list, new);
  diagnostic *list = d->list.data;
  memmove(list + at + 1, list + at, (d->list.len - 1 - at) * sizeof *list);
  list[at] = new;
  d->next = at + 1;
}

void diag_vreport(diags *d, diag_level level, span place, const char *format,
                  va_list arguments)
{
  if (must_drop(d, level)) {
    d->dropped += level != DIAG_NOTE;
    /* An error counts even when the list is full of warnings: an input with
    ** errors must never pass for a good one. */
    d->errors += level == DIAG_ERROR;
    return;
  }
  vec_grow(&d->list, 1);
  span where = source_written(d->files, place);
  uint32_t use;
  const source_use *uses = source_uses(d->files, place, &use);
  char *message = make_message(d, level, where, format, arguments);
  if (use && level != DIAG_NOTE && is_told(d, level, where, message)) {
    mem_free_string(message);
    d->dropping = true;
    return;
  }
  d->errors += level == DIAG_ERROR;
  insert(d, (diagnostic){level, where, message});
  if (use && level != DIAG_NOTE)
    diag_note_uses(d, uses, use, where);
}

void diag_report(diags *d, diag_level level, span where, const char *format,
                 ...)
{
  va_list arguments;
  va_start(arguments, format);
  diag_vreport(d, level, where, format, arguments);
  va_end(arguments);
}

/* Behind the name that a use begins with. */
static bool lies_in(span inner, span outer)
{
  return inner.file == outer.file && inner.start > outer.start &&
         (uint64_t)inner.start < (uint64_t)outer.start + outer.length;
}

static void note_use(diags *d, const source_use *u)
{
  size_t length, n = strlen(u->macro);
  const char *bytes = source_text(d->files, u->where.file, &length);
  bool stands = u->where.start + n <= length &&
                !memcmp(bytes + u->where.start, u->macro, n);
  /* A name that does not stand there may come from a file that must not be
  ** shown. */
  if (stands)
    diag_note(d, u->where, "in the expansion of macro '%s'", u->macro);
  else
    diag_note(d, u->where, "in the expansion of a macro");
}

/* What is written in the arguments of a macro is seen there. */
void diag_note_uses(diags *d, const source_use *uses, uint32_t use,
                    span written)
{
  uint32_t first = use;
  for (uint32_t u = use; u; u = uses[u - 1].around)
    if (lies_in(written, uses[u - 1].where))
      first = uses[u - 1].around;
  for (int told = 0; first && told < USES_TOLD; told++) {
    note_use(d, &uses[first - 1]);
    first = uses[first - 1].around;
  }
}

size_t diags_errors(const diags *d)
{
  return d->errors;
}

size_t diags_count(const diags *d)
{
  return d->list.len;
}

const diagnostic *diags_get(const diags *d, size_t i)
{
  assert(i < d->list.len);
  return d->list.data + i;
}

void diags_cut(diags *d, size_t kept)
{
  while (d->list.len > kept)
    mem_free_string(vec_pop(&d->list).message);
  d->errors = d->dropped = 0;
  d->next = d->list.len;
  d->dropping = false;
  for (size_t i = 0; i < d->list.len; i++)
    d->errors += d->list.data[i].level == DIAG_ERROR;
}

bool diags_full(const diags *d)
{
  return d->errors >= DIAG_MAX;
}

/* Adds one character, '?' for a byte of a harmful one, so that marks below it
** can be aligned; returns the bytes it had. */
static size_t add_harmless(text *out, const char *p, const char *end)
{
  size_t n = shown_bytes(p, end);
  if (n)
    text_add_bytes(out, p, n);
  else
    text_add_char(out, '?');
  return n ? n : 1;
}

static void add_harmless_string(text *out, const char *string)
{
  const char *end = string + strlen(string);
  while (string < end)
    string += add_harmless(out, string, end);
}

/* What of a line is shown: the bytes 'from' .. 'to' of the file. */
typedef struct window {
  const char *from, *to;
  bool more_before, more_after;
} window;

static window find_window(const char *line, const char *end, const char *caret)
{
  if (end - line <= LINE_WHOLE)
    return (window){line, end, false, false};
  const char *from = caret - line > LINE_BEFORE ? caret - LINE_BEFORE : line;
  const char *to = end - from > LINE_SHOWN ? from + LINE_SHOWN : end;
  /* Cut between characters; the caret itself stays inside. */
  while (from < caret && continues_character(*from))
    from++;
  while (to < end && to > caret && continues_character(*to))
    to--;
  return (window){from, to, from > line, to < end};
}

static size_t columns_of(char c, size_t column)
{
  return c == '\t' ? TAB_STOP - column % TAB_STOP : 1;
}

/* Tabs become blanks, so that the marks below can be aligned. */
static void add_line(text *out, window w)
{
  size_t column = w.more_before ? 3 : 0;
  if (w.more_before)
    text_add(out, "...");
  for (const char *p = w.from; p < w.to;) {
    size_t width = columns_of(*p, column);
    column += width;
    if (*p != '\t')
      p += add_harmless(out, p, w.to);
    else
      for (p++; width; width--)
        text_add_char(out, ' ');
  }
  if (w.more_after)
    text_add(out, "...");
}

/* The marks below a line: from 'start' to 'stop', at least one. */
static void add_marks(text *out, window w, const char *start, const char *stop)
{
  size_t column = w.more_before ? 3 : 0;
  if (w.more_before)
    text_add(out, "   ");
  for (const char *p = w.from; p < w.to && (p <= start || p < stop);) {
    size_t n = shown_bytes(p, w.to);
    size_t width = columns_of(*p, column);
    column += width;
    size_t after = n ? n : 1;
    char mark = p + after <= start ? ' ' : p <= start ? '^' : '~';
    for (; width; width--, mark = mark == '^' ? '~' : mark)
      text_add_char(out, mark);
    p += after;
  }
  if (start >= w.to)
    text_add_char(out, '^');
}

static void add_source_line(const diags *d, span where, uint32_t number,
                            text *out)
{
  size_t length;
  const char *all = source_text(d->files, where.file, &length);
  const char *file_end = all + length;
  const char *line = all + source_line_start(d->files, where.file, number);
  const char *end = memchr(line, '\n', (size_t)(file_end - line));
  if (!end)
    end = file_end;
  if (end > line && end[-1] == '\r')
    end--;
  const char *start = where.start < length ? all + where.start : file_end;
  const char *stop = where.length < (size_t)(file_end - start)
                         ? start + where.length
                         : file_end;
  if (start > end)
    start = end;
  window w = find_window(line, end, start);
  text_printf(out, "%5u | ", number);
  add_line(out, w);
  text_add(out, "\n      | ");
  add_marks(out, w, start, stop);
  text_add_char(out, '\n');
}

static void print_one(const diags *d, const diagnostic *g, text *out)
{
  static const char *const levels[] = {"error", "warning", "note"};
  position where = source_position(d->files, g->where);
  if (g->where.file) {
    add_harmless_string(out, where.name);
    text_printf(out, ":%u", where.line);
    if (where.column)
      text_printf(out, ":%u", where.column);
    text_add(out, ": ");
  }
  text_printf(out, "%s: ", levels[g->level]);
  add_harmless_string(out, g->message);
  text_add_char(out, '\n');
  /* A note only points; the error before it has shown what it is about. */
  if (g->where.file && g->level != DIAG_NOTE &&
      !source_is_label(d->files, g->where.file))
    add_source_line(d, g->where, where.line, out);
}

void diags_print(const diags *d, text *out)
{
  for (size_t i = 0; i < d->list.len; i++)
    print_one(d, d->list.data + i, out);
  if (d->dropped)
    text_printf(out, "%zu more not shown\n", d->dropped);
  else if (diags_full(d))
    text_printf(out, "there may be more: reading stops after %d errors\n",
                DIAG_MAX);
}
