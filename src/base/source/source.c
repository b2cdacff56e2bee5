/* Files in memory, and the way from a byte of a preprocessed text to the line
** and column that the user wrote. */

#include "base/source/source.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/source/shown.h"
#include "base/vec.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_BYTES = 64 << 20, FIRST_READ = 16 << 10, LABELS_MAX = 1000 };

/* 'lines' holds the offset of each line's first byte.  It is filled when a
** position is asked for the first time; afterwards it is never empty. */
typedef struct file {
  const char *name;
  const char *shown; /* the name, harmless on a terminal */
  char *text;        /* 'length' bytes and a 0 */
  size_t capacity;   /* bytes of the block that 'text' is */
  size_t length;
  VEC(uint32_t) lines;
  span origin;          /* of a part of another file */
  source_recipe recipe; /* of a text made of others */
  bool was_read;        /* there is a file of this name */
  bool label;  /* it has lines, but no text; 'start' of a span is its line */
  bool hidden; /* a label because its text must not be shown */
} file;

/* Files are numbered from 1; they stay where they are when more are added. */
struct sources {
  arena *memory; /* names, error texts and the 'file' structs */
  VEC(file *) files;
  VEC(const char *) folders; /* whose files may be shown, by their real names */
  uint32_t labels;
  const char *within;     /* no file is opened elsewhere; NULL: anywhere */
  bool hides;             /* there is a file that must not be shown */
  const kept_text *taken; /* read instead of files; NULL: files are read */
  size_t taken_count;
  VEC(kept_text) kept; /* texts that are no sources */
};

sources *sources_create(void)
{
  sources *s = mem_alloc(sizeof *s);
  return s;
}

void sources_destroy(sources *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->files.len; i++) {
    file *f = s->files.data[i];
    mem_free(f->text, f->capacity);
    vec_free(&f->lines);
    vec_free(&f->recipe.pieces);
    vec_free(&f->recipe.uses);
  }
  vec_free(&s->files);
  vec_free(&s->folders);
  vec_free(&s->kept);
  arena_destroy(s->memory);
  mem_free(s, sizeof *s);
}

static arena *memory_of(sources *s)
{
  if (!s->memory)
    s->memory = arena_create();
  return s->memory;
}

/* Adds a file without text, to be filled at once or taken off again. */
static file *add_file(sources *s, const char *name)
{
  file *f = ARENA_NEW(memory_of(s), file);
  f->name = arena_copy(s->memory, name, strlen(name));
  f->shown = shown(s->memory, f->name);
  vec_push(&s->files, f);
  return f;
}

uint32_t source_add(sources *s, const char *name, const char *bytes, size_t n)
{
  if (n > MAX_BYTES)
    return 0;
  file *f = add_file(s, name);
  f->text = mem_try_alloc(n + 1);
  if (!f->text) {
    /* 'files' must not keep a file without text. */
    s->files.len--;
    mem_give_up();
  }
  f->capacity = n + 1;
  f->length = n;
  if (n)
    memcpy(f->text, bytes, n);
  return (uint32_t)s->files.len;
}

uint32_t source_add_part(sources *s, span part)
{
  const file *whole = s->files.data[part.file - 1];
  uint32_t number =
      source_add(s, whole->name, whole->text + part.start, part.length);
  s->files.data[number - 1]->origin = part;
  return number;
}

static const char *why_not(sources *s, const char *path, const char *reason)
{
  return arena_printf(memory_of(s), "cannot read '%s': %s",
                      shown(memory_of(s), path), reason);
}

/* What went wrong when no memory is left, which is no fault of the file. */
static const char no_memory[] = "not enough memory";

/* Reads all there is into 'f', leaving room for the final 0.  Returns NULL, or
** what went wrong.  Uses no allocation that jumps, because 'fd' is open. */
static const char *read_all(file *f, int fd)
{
  for (;;) {
    if (f->length > MAX_BYTES)
      return "it is longer than 64 MiB";
    if (f->capacity - f->length < 2) {
      size_t wanted = f->capacity ? 2 * f->capacity : FIRST_READ;
      char *larger = mem_try_resize(f->text, f->capacity, wanted);
      if (!larger)
        return no_memory;
      f->text = larger;
      f->capacity = wanted;
    }
    ssize_t n = read(fd, f->text + f->length, f->capacity - f->length - 1);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return strerror(errno);
    if (n == 0)
      break;
    f->length += (size_t)n;
  }
  f->text[f->length] = 0;
  return NULL;
}

static const char *read_path(file *f, const char *path)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return strerror(errno);
  struct stat status;
  const char *reason = NULL;
  if (fstat(fd, &status))
    reason = strerror(errno);
  else if (S_ISDIR(status.st_mode))
    reason = "it is a directory";
  else
    reason = read_all(f, fd);
  close(fd);
  return reason;
}

/* Whether a real name lies in, or below, a folder. */
static bool lies_in(const char *real, const char *folder)
{
  size_t n = strlen(folder);
  return !strncmp(real, folder, n) && (real[n] == '/' || folder[n - 1] == '/');
}

void sources_confine(sources *s, const char *folder)
{
  char real[PATH_MAX];
  const char *known = realpath(folder, real) ? real : "/dev/null";
  s->within = arena_copy(memory_of(s), known, strlen(known));
}

bool source_may_open(const sources *s, const char *path)
{
  char real[PATH_MAX];
  if (s->taken)
    return source_taken_file(s, path);
  return !s->within || (realpath(path, real) && lies_in(real, s->within));
}

/* ---- files as they were --------------------------------------------------- */

void sources_take(sources *s, const kept_text *list, size_t count)
{
  s->taken = list;
  s->taken_count = count;
}

bool sources_are_taken(const sources *s)
{
  return s->taken;
}

const kept_text *source_taken(const sources *s, kept_kind kind,
                              const char *name)
{
  for (size_t i = 0; i < s->taken_count; i++)
    if (s->taken[i].kind == kind && !strcmp(s->taken[i].name, name))
      return &s->taken[i];
  return NULL;
}

const kept_text *source_taken_file(const sources *s, const char *name)
{
  const kept_text *found = source_taken(s, KEPT_FILE, name);
  return found ? found : source_taken(s, KEPT_HIDDEN, name);
}

static bool is_kept(const sources *s, kept_kind kind, const char *name)
{
  for (size_t i = 0; i < s->kept.len; i++)
    if (s->kept.data[i].kind == kind && !strcmp(s->kept.data[i].name, name))
      return true;
  return false;
}

void source_keep(sources *s, kept_kind kind, const char *name,
                 const char *bytes, size_t length)
{
  if (is_kept(s, kind, name))
    return;
  vec_grow(&s->kept, 1);
  vec_push(&s->kept,
           ((kept_text){kind, arena_copy(memory_of(s), name, strlen(name)),
                        arena_copy(memory_of(s), bytes, length), length}));
}

kept_text source_kept_at(const sources *s, size_t index)
{
  for (size_t i = 0; i < s->files.len; i++) {
    const file *f = s->files.data[i];
    if (f->was_read && !index--)
      return (kept_text){KEPT_FILE, f->name, f->text, f->length};
  }
  if (index < s->kept.len)
    return s->kept.data[index];
  return (kept_text){KEPT_FILE, NULL, NULL, 0};
}

static uint32_t read_taken(sources *s, const char *path, const char **error)
{
  const kept_text *t = source_taken(s, KEPT_FILE, path);
  uint32_t number = t ? source_add(s, path, t->text, t->length) : 0;
  if (number)
    s->files.data[number - 1]->was_read = true;
  else
    *error = why_not(s, path, "it was not there when the run began");
  return number;
}

uint32_t source_read(sources *s, const char *path, const char **error)
{
  if (s->taken)
    return read_taken(s, path, error);
  file *f = add_file(s, path);
  const char *reason = source_may_open(s, path)
                           ? read_path(f, path)
                           : "it is not in the folder that may be read";
  if (!reason) {
    f->was_read = true;
    return (uint32_t)s->files.len;
  }
  mem_free(f->text, f->capacity);
  s->files.len--;
  if (reason == no_memory)
    mem_give_up();
  *error = why_not(s, path, reason);
  return 0;
}

/* ---- what may be shown --------------------------------------------------- */

void source_show_folder(sources *s, const char *folder)
{
  char real[PATH_MAX];
  if (!realpath(*folder ? folder : ".", real))
    return;
  for (size_t i = 0; i < s->folders.len; i++)
    if (!strcmp(s->folders.data[i], real))
      return;
  vec_grow(&s->folders, 1);
  vec_push(&s->folders, arena_copy(memory_of(s), real, strlen(real)));
}

static bool may_be_shown(const sources *s, const char *path)
{
  struct stat status;
  char real[PATH_MAX];
  if (!realpath(path, real) || stat(real, &status) || !S_ISREG(status.st_mode))
    return false;
  for (size_t i = 0; i < s->folders.len; i++)
    if (lies_in(real, s->folders.data[i]))
      return true;
  return false;
}

uint32_t source_add_label(sources *s, const char *name)
{
  uint32_t number = source_find(s, name);
  if (number)
    return number;
  if (s->labels == LABELS_MAX)
    return 0;
  number = source_add(s, name, "", 0);
  s->files.data[number - 1]->label = true;
  s->labels++;
  return number;
}

uint32_t source_include(sources *s, const char *path)
{
  const char *error;
  uint32_t number = source_find(s, path);
  if (number)
    return number;
  bool shown_then = s->taken && source_taken(s, KEPT_FILE, path);
  if ((shown_then || (!s->taken && may_be_shown(s, path))) &&
      (number = source_read(s, path, &error)))
    return number;
  number = source_add_label(s, path);
  if (number)
    s->files.data[number - 1]->hidden = true;
  s->hides = true;
  return number;
}

void source_distrust(sources *s)
{
  s->hides = true;
}

bool source_hides(const sources *s)
{
  return s->hides;
}

static file *get_file(const sources *s, uint32_t number)
{
  assert(number <= s->files.len);
  return number ? s->files.data[number - 1] : NULL;
}

bool source_is_label(const sources *s, uint32_t number)
{
  const file *f = get_file(s, number);
  return f && f->label;
}

bool source_is_hidden(const sources *s, uint32_t number)
{
  const file *f = get_file(s, number);
  return f && f->hidden;
}

uint32_t source_count(const sources *s)
{
  return (uint32_t)s->files.len;
}

bool source_is_file(const sources *s, uint32_t number)
{
  const file *f = get_file(s, number);
  return f && (f->was_read || f->hidden);
}

const char *source_text(const sources *s, uint32_t number, size_t *length)
{
  const file *f = get_file(s, number);
  *length = f ? f->length : 0;
  return f ? f->text : "";
}

const char *source_name(const sources *s, uint32_t number)
{
  const file *f = get_file(s, number);
  return f ? f->name : "";
}

uint32_t source_find(const sources *s, const char *path)
{
  for (size_t i = 0; i < s->files.len; i++)
    if (!strcmp(s->files.data[i]->name, path))
      return (uint32_t)i + 1;
  return 0;
}

/* ---- where texts come from ----------------------------------------------- */

uint32_t source_made_of(const sources *s, uint32_t number)
{
  const file *from = get_file(s, number);
  for (size_t i = s->files.len; from && i > number; i--)
    if (s->files.data[i - 1]->recipe.pieces.len &&
        !strcmp(s->files.data[i - 1]->name, from->name))
      return (uint32_t)i;
  return 0;
}

uint32_t source_add_made(sources *s, const char *name, text *made,
                         source_recipe *recipe)
{
  if (made->len > MAX_BYTES)
    return 0;
  text_add_char(made, 0); /* there is a block, and a 0 at the end of it */
  file *f = add_file(s, name);
  f->text = made->data;
  f->capacity = made->cap;
  f->length = made->len - 1;
  f->recipe = *recipe;
  *made = (text){0};
  *recipe = (source_recipe){0};
  return (uint32_t)s->files.len;
}

/* The piece that a byte of a made text is in. */
static const source_piece *piece_at(const file *f, uint32_t start)
{
  size_t low = 0, high = f->recipe.pieces.len;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (f->recipe.pieces.data[middle].start <= start)
      low = middle;
    else
      high = middle;
  }
  return &f->recipe.pieces.data[low];
}

const source_use *source_uses(const sources *s, span where, uint32_t *use)
{
  const file *f = get_file(s, where.file);
  *use = 0;
  if (!f || !f->recipe.pieces.len)
    return NULL;
  *use = piece_at(f, where.start)->use;
  return f->recipe.uses.data;
}

/* Where the piece with this byte comes from: the byte alone, when that can be
** told, and otherwise all of it. */
static span byte_written(const sources *s, const file *f, uint32_t at)
{
  const source_piece *p = piece_at(f, at);
  uint32_t inside = at > p->start ? at - p->start : 0;
  if (source_is_label(s, p->from.file) || p->whole)
    return p->from;
  if (inside > p->from.length)
    inside = p->from.length;
  return (span){p->from.file, p->from.start + inside, inside < p->from.length};
}

/* The outermost use of a macro that the byte comes from, or the byte. */
static span byte_used(const sources *s, const file *f, uint32_t at)
{
  uint32_t use = piece_at(f, at)->use;
  if (!use)
    return byte_written(s, f, at);
  const source_use *uses = f->recipe.uses.data;
  while (uses[use - 1].around)
    use = uses[use - 1].around;
  return uses[use - 1].where;
}

typedef span byte_place(const sources *, const file *, uint32_t at);

/* From the first byte of a span to its last, when both are in one file. */
static span made_place(const sources *s, const file *f, span where,
                       byte_place *place)
{
  span first = place(s, f, where.start), last = first;
  if (!where.length)
    return (span){first.file, first.start, 0};
  if (where.length > 1)
    last = place(s, f, where.start + where.length - 1);
  uint64_t end = (uint64_t)last.start + last.length;
  if (last.file == first.file && end > (uint64_t)first.start + first.length)
    first.length = (uint32_t)(end - first.start);
  return first;
}

static span original(const sources *s, span where, byte_place *place)
{
  for (const file *f; (f = get_file(s, where.file));)
    if (f->recipe.pieces.len)
      where = made_place(s, f, where, place);
    else if (f->origin.file) {
      where.file = f->origin.file;
      where.start += f->origin.start;
    } else
      break;
  return where;
}

span source_origin(const sources *s, span where)
{
  return original(s, where, byte_used);
}

span source_written(const sources *s, span where)
{
  return original(s, where, byte_written);
}

/* ---- lines --------------------------------------------------------------- */

/* Counts first, so that there is one allocation and, should it fail, the table
** is still unfilled instead of half filled. */
static void find_lines(file *f)
{
  if (f->lines.len)
    return;
  const char *end = f->text + f->length;
  size_t count = 1;
  for (const char *p = f->text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
    count++;
  vec_grow(&f->lines, count);
  vec_push(&f->lines, 0);
  for (const char *p = f->text; (p = memchr(p, '\n', (size_t)(end - p)));)
    vec_push(&f->lines, (uint32_t)(++p - f->text));
  assert(f->lines.len == count);
}

position source_position(const sources *s, span within)
{
  span where = source_origin(s, within);
  file *f = get_file(s, where.file);
  if (!f)
    return (position){"", 0, 0};
  if (f->label)
    return (position){f->shown, where.start + 1, 0};
  find_lines(f);
  uint32_t start = where.start < f->length ? where.start : (uint32_t)f->length;
  /* The last line that starts at or before 'start'. */
  size_t low = 0, high = f->lines.len;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (f->lines.data[middle] <= start)
      low = middle;
    else
      high = middle;
  }
  return (position){f->shown, (uint32_t)low + 1,
                    start - f->lines.data[low] + 1};
}

uint32_t source_line_start(const sources *s, uint32_t number, uint32_t line)
{
  file *f = get_file(s, number);
  if (!f)
    return 0;
  if (f->label)
    return line ? line - 1 : 0;
  find_lines(f);
  if (line > f->lines.len)
    return (uint32_t)f->length;
  return f->lines.data[line ? line - 1 : 0];
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void source_excerpt(const sources *s, span part, text *out)
{
  size_t length;
  span where = source_origin(s, part);
  const char *p = source_text(s, where.file, &length);
  size_t i = where.start < length ? where.start : length;
  size_t end = where.length < length - i ? i + where.length : length;
  while (i < end) {
    size_t after = i;
    bool broken = false;
    while (after < end && is_blank(p[after]))
      broken |= p[after++] == '\n';
    if (broken)
      text_add_char(out, ' ');
    else
      text_add_bytes(out, p + i, after - i);
    i = after;
    while (after < end && !is_blank(p[after]))
      after++;
    text_add_bytes(out, p + i, after - i);
    i = after;
  }
}
