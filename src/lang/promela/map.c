/* Walks along original lines beside the tokens of the output. */

#include "lang/promela/map.h"
#include <string.h>

const char *pml_written_name(const pml_folders *f, arena *mem, const char *name)
{
  if (name[0] != '/')
    return f->model ? arena_printf(mem, "%s%s", f->model, name) : name;
  const pml_folder *best = NULL;
  size_t longest = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    size_t length = strlen(f->list[i].absolute);
    if (length <= longest || strncmp(name, f->list[i].absolute, length) != 0)
      continue;
    longest = length;
    best = &f->list[i];
  }
  return best ? arena_printf(mem, "%s%s", best->written, name + longest) : name;
}

void pml_map_start(pml_map *map, arena *mem, sources *files,
                   const pml_folders *folders, uint32_t main_file)
{
  *map = (pml_map){.mem = mem,
                   .sources = files,
                   .folders = folders,
                   .main_file = main_file,
                   .file = main_file,
                   .line = 1};
}

void pml_map_newline(pml_map *map)
{
  map->line++;
  map->loaded = false;
}

static bool blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static bool word_char(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

/* One character of a quoted name: bytes that are not printable ASCII are
** written as three octal digits. */
static const char *unescape(const char *p, const char *stop, char *out)
{
  unsigned value = 0, digits = 0;
  if (*p != '\\' || p + 1 >= stop) {
    *out = *p;
    return p + 1;
  }
  p++;
  while (digits < 3 && p + digits < stop && p[digits] >= '0' &&
         p[digits] <= '7')
    value = 8 * value + (unsigned)(p[digits++] - '0');
  *out = digits == 3 ? (char)value : *p;
  return digits == 3 ? p + 3 : p + 1;
}

/* The file a marker names; 0 for names like <built-in>. */
static uint32_t marker_file(pml_map *map, const char *quoted, const char *stop)
{
  char *read = arena_alloc(map->mem, (size_t)(stop - quoted) + 1), *end = read;
  for (const char *p = quoted + 1; p < stop && *p != '"'; end++)
    p = unescape(p, stop, end);
  const char *main_name = source_name(map->sources, map->main_file);
  if (!strcmp(read, "<stdin>") || !strcmp(read, main_name))
    return map->main_file;
  if (!read[0] || read[0] == '<')
    return 0;
  /* What was really included is among the sources; all else is a label. */
  const char *name = pml_written_name(map->folders, map->mem, read);
  if (!strcmp(name, main_name))
    return map->main_file;
  uint32_t file = source_find(map->sources, name);
  return file ? file : source_add_label(map->sources, read);
}

/* '# 12 "file" flags' and '#line 12 "file"'; all else is passed over and
** stands for one line. */
void pml_map_marker(pml_map *map, const char *p, const char *stop)
{
  p++;
  while (p < stop && blank(*p))
    p++;
  if (stop - p > 4 && !memcmp(p, "line", 4))
    p += 4;
  while (p < stop && blank(*p))
    p++;
  if (p == stop || *p < '0' || *p > '9') {
    pml_map_newline(map);
    return;
  }
  uint32_t line = 0;
  while (p < stop && *p >= '0' && *p <= '9')
    line = line * 10 + (uint32_t)(*p++ - '0');
  while (p < stop && blank(*p))
    p++;
  if (p < stop && *p == '"') {
    uint32_t file = marker_file(map, p, stop);
    map->file = file ? file : map->main_file;
  }
  map->line = line;
  map->loaded = false;
}

/* Looks at the original line again. */
static void load_line(pml_map *map)
{
  size_t length;
  map->text = source_text(map->sources, map->file, &length);
  uint32_t start = source_line_start(map->sources, map->file, map->line);
  map->cursor = map->text + start;
  map->stop = memchr(map->cursor, '\n', length - start);
  if (!map->stop)
    map->stop = map->text + length;
  map->macro = NULL;
  map->loaded = true;
}

/* Next place that is neither blank nor comment. */
static const char *next_place(const pml_map *map, const char *p)
{
  while (p < map->stop) {
    if (blank(*p))
      p++;
    else if (p + 1 < map->stop && p[0] == '/' && p[1] == '*') {
      p += 2;
      while (p < map->stop && !(p[-1] == '*' && p[0] == '/'))
        p++;
      if (p < map->stop)
        p++;
    } else
      break;
  }
  return p;
}

/* A macro's name and, when it has some, its arguments on this line. */
static void begin_macro(pml_map *map, const char *p)
{
  map->macro = p;
  while (p < map->stop && word_char(*p))
    p++;
  map->macro_end = p;
  const char *q = next_place(map, p);
  int depth = 0;
  if (q < map->stop && *q == '(')
    for (; q < map->stop; q++) {
      depth += *q == '(' ? 1 : *q == ')' ? -1 : 0;
      if (!depth) {
        map->macro_end = q + 1;
        break;
      }
    }
  map->cursor = map->macro_end;
}

static span make_span(const pml_map *map, const char *from, const char *to)
{
  return (span){map->file, (uint32_t)(from - map->text), (uint32_t)(to - from)};
}

span pml_map_token(pml_map *map, const char *token, size_t length)
{
  if (source_is_label(map->sources, map->file))
    return (span){map->file, map->line ? map->line - 1 : 0, 1};
  if (!map->loaded)
    load_line(map);
  const char *p = next_place(map, map->cursor);
  bool word = length && word_char(token[0]);
  if (length && (size_t)(map->stop - p) >= length &&
      !memcmp(p, token, length) &&
      !(word && p + length < map->stop && word_char(p[length]))) {
    map->cursor = p + length;
    map->macro = NULL;
    return make_span(map, p, p + length);
  }
  if (!map->macro && p < map->stop && word_char(*p))
    begin_macro(map, p);
  if (map->macro)
    return make_span(map, map->macro, map->macro_end);
  return make_span(map, p, p < map->stop ? p + 1 : p);
}
