/* Documents of the editor, and how places in them are counted. */

#include "base/alloc.h"
#include "cli/lsp/lsp.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- URIs --------------------------------------------------------------- */

static int hex(char c)
{
  return isdigit((unsigned char)c) ? c - '0'
         : c >= 'a' && c <= 'f'    ? c - 'a' + 10
         : c >= 'A' && c <= 'F'    ? c - 'A' + 10
                                   : -1;
}

char *path_of_uri(const char *uri)
{
  if (!uri || strncmp(uri, "file://", 7) != 0 || uri[7] != '/')
    return NULL;
  char *path = mem_copy_string(uri + 7);
  char *to = path;
  for (const char *c = uri + 7; *c; c++) {
    int high = *c == '%' ? hex(c[1]) : -1;
    int low = high >= 0 ? hex(c[2]) : -1;
    if (low >= 0 && high * 16 + low == 0) {
      mem_free_string(path);
      return NULL;
    }
    *to++ = low >= 0 ? (char)(high * 16 + low) : *c;
    c += low >= 0 ? 2 : 0;
  }
  /* The block keeps its size, which is that of its string. */
  char *exact = mem_alloc((size_t)(to - path) + 1);
  memcpy(exact, path, (size_t)(to - path));
  mem_free(path, strlen(uri + 7) + 1);
  return exact;
}

char *uri_of_path(const char *path)
{
  static const char plain[] = "/-._~";
  text out = {0};
  text_add(&out, "file://");
  for (const char *c = path; *c; c++)
    if (isalnum((unsigned char)*c) || strchr(plain, *c))
      text_add_char(&out, *c);
    else
      text_printf(&out, "%%%02X", (unsigned char)*c);
  char *uri = mem_copy_string(text_string(&out));
  text_free(&out);
  return uri;
}

bool path_lies_in(const char *path, const char *folder)
{
  size_t n = strlen(folder);
  return !strncmp(path, folder, n) &&
         (path[n] == '/' || (n && folder[n - 1] == '/'));
}

const char *document_root(const lsp_server *s, const document *d,
                          char folder[4096])
{
  for (size_t i = 0; i < s->roots.len; i++)
    if (path_lies_in(d->path, s->roots.data[i]))
      return s->roots.data[i];
  if (s->roots.len)
    return s->roots.data[0];
  const char *slash = strrchr(d->path, '/');
  size_t n = slash ? (size_t)(slash - d->path) : 0;
  if (!n || n >= 4096)
    return "/dev/null"; /* there is nothing in it */
  memcpy(folder, d->path, n);
  folder[n] = 0;
  return folder;
}

/* ---- documents ---------------------------------------------------------- */

document *document_find(const lsp_server *s, const char *uri)
{
  for (size_t i = 0; uri && i < s->documents.len; i++)
    if (!strcmp(s->documents.data[i]->uri, uri))
      return s->documents.data[i];
  return NULL;
}

static void forget_names(document *d)
{
  arena_destroy(d->arena);
  d->arena = NULL;
  d->names = NULL;
}

void document_set(document *d, const char *content, size_t length)
{
  char *copy = mem_alloc(length + 1);
  memcpy(copy, content, length);
  mem_free(d->content, d->length + 1);
  d->content = copy;
  d->length = length;
  d->dirty = true;
  if (d->arena)
    forget_names(d);
  vec_clear(&d->lines);
  vec_push(&d->lines, 0);
  for (uint32_t i = 0; i < length; i++)
    if (copy[i] == '\n')
      vec_push(&d->lines, i + 1);
}

document *document_make(const char *uri, const char *content, size_t length)
{
  document *d = mem_alloc(sizeof *d);
  d->uri = mem_copy_string(uri);
  d->path = path_of_uri(uri);
  if (!d->path)
    d->path = mem_copy_string(uri);
  d->language = nut_language_of(d->path);
  if (!d->language.name)
    d->language = nut_language_at(0);
  document_set(d, content, length);
  return d;
}

document *document_open(lsp_server *s, const char *uri, const char *content,
                        size_t length)
{
  document *d = document_find(s, uri);
  if (d) {
    document_set(d, content, length);
  } else {
    d = document_make(uri, content, length);
    vec_push(&s->documents, d);
  }
  return d;
}

void document_free(document *d)
{
  if (d->arena)
    forget_names(d);
  vec_free(&d->lines);
  mem_free(d->content, d->length + 1);
  mem_free_string(d->uri);
  mem_free_string(d->path);
  mem_free_string(d->verdict);
  mem_free(d, sizeof *d);
}

void document_close(lsp_server *s, document *d)
{
  for (size_t i = 0; i < s->documents.len; i++)
    if (s->documents.data[i] == d)
      s->documents.data[i--] = s->documents.data[--s->documents.len];
  document_free(d);
}

const symbols *document_names(document *d)
{
  if (!d->names) {
    d->arena = arena_create();
    d->names =
        symbols_of(d->arena, d->content, d->length, d->language.has_states);
  }
  return d->names;
}

/* ---- places ------------------------------------------------------------- */

/* Bytes and units of the character that begins with 'c'. */
static uint32_t bytes_of(unsigned char c)
{
  return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static uint32_t units_of(const lsp_server *s, unsigned char c)
{
  return s->utf8 ? bytes_of(c) : c < 0xf0 ? 1 : 2;
}

static uint32_t line_end(const document *d, uint32_t line)
{
  return line + 1 < d->lines.len ? d->lines.data[line + 1] - 1
                                 : (uint32_t)d->length;
}

uint32_t offset_of(const lsp_server *s, const document *d, const json_t *at)
{
  json_int_t line = json_integer_value(json_object_get(at, "line"));
  json_int_t left = json_integer_value(json_object_get(at, "character"));
  if (line < 0 || left < 0)
    return 0;
  if (line >= (json_int_t)d->lines.len)
    return (uint32_t)d->length;
  uint32_t offset = d->lines.data[line], end = line_end(d, (uint32_t)line);
  while (left > 0 && offset < end) {
    unsigned char c = (unsigned char)d->content[offset];
    left -= units_of(s, c);
    offset += bytes_of(c);
  }
  return offset < end ? offset : end;
}

uint32_t document_line(const document *d, uint32_t offset)
{
  size_t low = 0, high = d->lines.len;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (d->lines.data[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return (uint32_t)low;
}

json_t *position_of(const lsp_server *s, const document *d, uint32_t offset)
{
  uint32_t low = document_line(d, offset);
  uint32_t units = 0;
  for (uint32_t i = d->lines.data[low]; i < offset && i < d->length;) {
    unsigned char c = (unsigned char)d->content[i];
    units += units_of(s, c);
    i += bytes_of(c);
  }
  return json_pack("{s:I,s:I}", "line", (json_int_t)low, "character",
                   (json_int_t)units);
}

json_t *range_of(const lsp_server *s, const document *d, uint32_t from,
                 uint32_t end)
{
  return json_pack("{s:o,s:o}", "start", position_of(s, d, from), "end",
                   position_of(s, d, end));
}

uint32_t offset_at(const document *d, uint32_t line, uint32_t column)
{
  if (!line || line > d->lines.len)
    return 0;
  uint32_t end = line_end(d, line - 1);
  uint32_t offset = d->lines.data[line - 1] + (column ? column - 1 : 0);
  return offset < end ? offset : end;
}
