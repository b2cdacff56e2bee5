/* Files of the workspace, what they include, and the texts made of them. */

#include "cli/lsp/units.h"
#include "base/alloc.h"
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* More is not looked at: a question of an editor must not take long. */
enum {
  MOST_FILES = 1000,
  MOST_FOLDERS = 8,     /* inside of each other */
  MOST_ENTRIES = 20000, /* of all folders */
  MOST_NESTED = 32,     /* includes inside of each other */
  MOST_UNITS = 64
};
static const size_t MOST_BYTES = (size_t)32 << 20;

/* ---- files -------------------------------------------------------------- */

static char *real_path(const char *path)
{
  char real[PATH_MAX];
  return mem_copy_string(realpath(path, real) ? real : path);
}

static uint32_t find_file(const unit_set *u, const char *path)
{
  for (uint32_t i = 0; i < u->files.len; i++)
    if (!strcmp(u->files.data[i].path, path))
      return i;
  return UINT32_MAX;
}

/* The content of a regular file; false: it is none, or too much. */
static bool read_whole(unit_set *u, const char *path, text *out)
{
  struct stat s;
  char block[8192];
  size_t n;
  if (stat(path, &s) != 0 || !S_ISREG(s.st_mode) ||
      (size_t)s.st_size > MOST_BYTES - u->bytes)
    return false;
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  while ((n = fread(block, 1, sizeof block, file)) > 0 &&
         out->len <= (size_t)s.st_size)
    text_add_bytes(out, block, n);
  fclose(file);
  u->bytes += out->len;
  return true;
}

static void take_file(unit_set *u, document *d, const char *path, bool owned)
{
  vec_push(&u->files,
           ((unit_file){
               .document = d, .path = mem_copy_string(path), .owned = owned}));
}

/* The file of a path without links, which must lie below the root; UINT32_MAX:
** it cannot be had. */
static uint32_t add_file(unit_set *u, const char *path)
{
  uint32_t known = find_file(u, path);
  text content = {0};
  if (known != UINT32_MAX)
    return known;
  if (u->files.len >= MOST_FILES || !path_lies_in(path, u->root) ||
      !read_whole(u, path, &content)) {
    text_free(&content);
    return UINT32_MAX;
  }
  char *uri = uri_of_path(path);
  take_file(u, document_make(uri, text_string(&content), content.len), path,
            true);
  mem_free_string(uri);
  text_free(&content);
  return (uint32_t)u->files.len - 1;
}

/* What the editor has open, the document first. */
static void add_open(unit_set *u, document *first)
{
  const lsp_server *s = u->server;
  for (size_t i = 0; i <= s->documents.len; i++) {
    document *d = i ? s->documents.data[i - 1] : first;
    char *path = real_path(d->path);
    if (find_file(u, path) == UINT32_MAX)
      take_file(u, d, path, false);
    mem_free_string(path);
  }
}

/* Models in a folder and in those below; links are not followed. */
static void add_folder(unit_set *u, const char *folder, int depth)
{
  DIR *dir = depth < MOST_FOLDERS ? opendir(folder) : NULL;
  struct stat s;
  char path[PATH_MAX];
  for (struct dirent *e;
       dir && u->entries < MOST_ENTRIES && (e = readdir(dir));) {
    u->entries++;
    int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (e->d_name[0] == '.' || n >= (int)sizeof path || lstat(path, &s) != 0)
      continue;
    if (S_ISDIR(s.st_mode))
      add_folder(u, path, depth + 1);
    else if (S_ISREG(s.st_mode) && nut_language_of(path).is_edited)
      add_file(u, path);
  }
  if (dir)
    closedir(dir);
}

/* ---- includes ----------------------------------------------------------- */

/* The path that '"name"' means in a file. */
static bool included_path(const document *d, const tokens *t, uint32_t i,
                          char path[PATH_MAX])
{
  const char *slash = strrchr(d->path, '/');
  const token *name = &t->list[i];
  char joined[PATH_MAX];
  if (name->kind != TOKEN_STRING || name->length < 3 || !slash)
    return false;
  const char *word = t->text + name->start + 1;
  int length = (int)name->length - 2;
  int folder = *word == '/' ? 0 : (int)(slash + 1 - d->path);
  int n = snprintf(joined, sizeof joined, "%.*s%.*s", folder, d->path, length,
                   word);
  if (n >= (int)sizeof joined)
    return false;
  /* One that is not there may be open. */
  if (!realpath(joined, path))
    snprintf(path, PATH_MAX, "%s", joined);
  return true;
}

static void find_includes(unit_set *u, uint32_t index)
{
  const document *d = u->files.data[index].document;
  if (!memmem(d->content, d->length, "include", strlen("include")))
    return;
  arena *a = arena_create();
  tokens t = tokens_of(a, d->content, d->length, true);
  char path[PATH_MAX];
  for (uint32_t i = 0; i + 1 < t.count; i++) {
    if (!t.list[i].directive || !token_is(&t, i, "include") ||
        !included_path(d, &t, i + 1, path))
      continue;
    uint32_t found = add_file(u, path);
    if (found == UINT32_MAX || found == index)
      continue;
    uint32_t line = t.list[i].line + 1;
    uint32_t place =
        line < d->lines.len ? d->lines.data[line] : (uint32_t)d->length;
    vec_push(&u->files.data[index].includes, found);
    vec_push(&u->files.data[index].places, place);
  }
  arena_destroy(a);
}

/* ---- units -------------------------------------------------------------- */

static void add_part(unit *x, document *d, uint32_t from, uint32_t end)
{
  if (end <= from)
    return;
  vec_push(&x->parts,
           ((unit_part){d, (uint32_t)x->content.len, from, end - from}));
  text_add_bytes(&x->content, d->content + from, end - from);
}

/* The text of a file with what it includes; each file once. */
static void add_text(unit_set *u, unit *x, uint32_t index, bool *done,
                     int nested)
{
  const unit_file *f = &u->files.data[index];
  uint32_t at = 0;
  done[index] = true;
  for (size_t i = 0; i < f->includes.len; i++) {
    uint32_t other = f->includes.data[i];
    if (done[other] || nested >= MOST_NESTED || x->content.len > MOST_BYTES)
      continue;
    add_part(x, f->document, at, f->places.data[i]);
    at = f->places.data[i];
    text_add_char(&x->content, '\n');
    add_text(u, x, other, done, nested + 1);
  }
  add_part(x, f->document, at, (uint32_t)f->document->length);
  text_add_char(&x->content, '\n'); /* its last line may have no end */
}

static void add_unit(unit_set *u, uint32_t main)
{
  unit x = {.arena = arena_create()};
  bool *done = ARENA_ARRAY(x.arena, bool, u->files.len);
  memset(done, 0, u->files.len * sizeof *done);
  add_text(u, &x, main, done, 0);
  x.names = symbols_of(x.arena, text_string(&x.content), x.content.len,
                       u->files.data[main].document->language.has_states);
  vec_push(&u->list, x);
}

static bool is_included(const unit_set *u, uint32_t index)
{
  for (size_t i = 0; i < u->files.len; i++)
    for (size_t k = 0; k < u->files.data[i].includes.len; k++)
      if (u->files.data[i].includes.data[k] == index)
        return true;
  return false;
}

/* Marks the first file and all that include it, directly or not; with 'related'
** also what these include, and so on. */
static void mark_files(const unit_set *u, bool related, bool *marked)
{
  marked[0] = true;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < u->files.len; i++)
      for (size_t k = 0; k < u->files.data[i].includes.len; k++) {
        bool *other = &marked[u->files.data[i].includes.data[k]];
        more |= *other ? !marked[i] : related && marked[i];
        marked[i] |= *other;
        *other |= related && marked[i];
      }
  }
}

void units_open(unit_set *u, lsp_server *s, document *d, bool related)
{
  char folder[4096];
  *u = (unit_set){.server = s};
  u->root = real_path(document_root(s, d, folder));
  add_open(u, d);
  add_folder(u, u->root, 0);
  for (uint32_t i = 0; i < u->files.len; i++)
    find_includes(u, i);
  bool *marked = mem_alloc(u->files.len);
  mark_files(u, related, marked);
  for (uint32_t i = 0; i < u->files.len && u->list.len < MOST_UNITS; i++)
    if (marked[i] && !is_included(u, i))
      add_unit(u, i);
  if (!u->list.len)
    add_unit(u, 0);
  mem_free(marked, u->files.len);
}

void units_close(unit_set *u)
{
  for (size_t i = 0; i < u->list.len; i++) {
    arena_destroy(u->list.data[i].arena);
    text_free(&u->list.data[i].content);
    vec_free(&u->list.data[i].parts);
  }
  for (size_t i = 0; i < u->files.len; i++) {
    if (u->files.data[i].owned)
      document_free(u->files.data[i].document);
    mem_free_string(u->files.data[i].path);
    vec_free(&u->files.data[i].includes);
    vec_free(&u->files.data[i].places);
  }
  vec_free(&u->list);
  vec_free(&u->files);
  mem_free_string(u->root);
}

/* ---- places ------------------------------------------------------------- */

uint32_t unit_token_at(const unit *x, const document *d, uint32_t offset)
{
  for (size_t i = 0; i < x->parts.len; i++) {
    const unit_part *p = &x->parts.data[i];
    if (p->file == d && offset >= p->from && offset <= p->from + p->length) {
      uint32_t at = token_at(&x->names->tokens, p->start + offset - p->from);
      if (at != NO_TOKEN)
        return at;
    }
  }
  return NO_TOKEN;
}

document *unit_file_of(const unit *x, uint32_t index, uint32_t *offset)
{
  uint32_t start = x->names->tokens.list[index].start;
  size_t i = 0;
  while (i + 1 < x->parts.len && x->parts.data[i + 1].start <= start)
    i++;
  *offset = start - x->parts.data[i].start + x->parts.data[i].from;
  return x->parts.data[i].file;
}
