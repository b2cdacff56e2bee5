/* Folders walked, names sorted, outputs named after their models. */

#include "cli/many/models.h"
#include "cli/common.h"
#include "cli/output.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_DEPTH = 64 }; /* folders inside of folders */

static bool has_ending(const char *name, const char *ending)
{
  size_t n = strlen(name), m = strlen(ending);
  return n > m && !strcmp(name + n - m, ending);
}

static bool is_model(const char *name)
{
  return nut_language_of(name).name && !has_ending(name, ".xml");
}

/* ---- folders ------------------------------------------------------------ */

typedef VEC(const char *) path_list;

static int by_name(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The entries of a folder that are not hidden, as paths, sorted; false with
** errno when it cannot be read. */
static bool list_folder(arena *a, const char *folder, path_list *out)
{
  DIR *dir = opendir(folder);
  if (!dir)
    return false;
  size_t n = strlen(folder);
  const char *slash = n && folder[n - 1] == '/' ? "" : "/";
  for (struct dirent *e; (e = readdir(dir));)
    if (e->d_name[0] != '.')
      arena_push(a, out, arena_printf(a, "%s%s%s", folder, slash, e->d_name));
  closedir(dir);
  if (out->len)
    qsort(out->data, out->len, sizeof *out->data, by_name);
  return true;
}

static void add_model(model_list *l, const char **files, size_t count)
{
  arena_push(l->arena, &l->models,
             ((named_model){.files = files, .count = count}));
}

static void add_file(model_list *l, const char *file)
{
  const char **files = ARENA_ARRAY(l->arena, const char *, 2);
  files[0] = file;
  add_model(l, files, 1);
}

static bool add_folder(model_list *l, const char *folder, int depth)
{
  path_list entries = {0};
  if (!list_folder(l->arena, folder, &entries)) {
    complain("cannot read %s: %s", folder, strerror(errno));
    return false;
  }
  for (size_t i = 0; i < entries.len; i++) {
    struct stat s;
    if (lstat(entries.data[i], &s) != 0)
      continue;
    if (S_ISDIR(s.st_mode)) {
      if (depth < MOST_DEPTH && !add_folder(l, entries.data[i], depth + 1))
        return false;
    } else if (is_model(entries.data[i])) {
      add_file(l, entries.data[i]);
    }
  }
  return true;
}

/* ---- words -------------------------------------------------------------- */

static bool is_folder(const char *path)
{
  struct stat s;
  return strcmp(path, "-") && stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* Whether a net of this language may be a part of another one. */
static bool composes(const options *o, const char *file)
{
  return language_for(o, file).has_parts && strcmp(file, "-");
}

/* All words are parts of one system. */
static bool is_one_system(const options *o)
{
  for (size_t i = 0; i < o->files.len; i++)
    if (!composes(o, o->files.data[i]) || is_folder(o->files.data[i]))
      return false;
  return true;
}

static bool add_word(model_list *l, const char *word)
{
  size_t before = l->models.len;
  if (!is_folder(word)) {
    add_file(l, word);
    return true;
  }
  l->several = true;
  if (!add_folder(l, word, 0))
    return false;
  if (l->models.len > before)
    return true;
  complain("%s: there is no model in this folder", word);
  return false;
}

/* Parts of names are different from each other, however files are called. */
static void name_parts(model_list *l)
{
  taken *used = NULL;
  for (size_t i = 0; i < l->models.len; i++) {
    const char *file = l->models.data[i].files[0];
    const char *slash = strrchr(file, '/');
    file = !strcmp(file, "-") ? "stdin" : slash ? slash + 1 : file;
    l->models.data[i].part = file_part(l->arena, &used, file);
  }
}

bool models_find(model_list *l, const options *o)
{
  *l = (model_list){.arena = arena_create(), .several = o->files.len > 1};
  if (is_one_system(o)) {
    add_model(l, o->files.data, o->files.len);
    l->several = false;
  } else {
    for (size_t i = 0; i < o->files.len; i++)
      if (!add_word(l, o->files.data[i]))
        return false;
  }
  name_parts(l);
  return true;
}

void models_free(model_list *l)
{
  arena_destroy(l->arena);
}

options models_options(model_list *l, const options *o, size_t index)
{
  const named_model *m = &l->models.data[index];
  options one = *o;
  one.files.data = m->files;
  one.files.len = one.files.cap = m->count;
  if (!l->several)
    return one;
  const char **names[] = {&one.trace, &one.msc, &one.growth, &one.certificate};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (*names[i])
      *names[i] = with_suffix(l->arena, *names[i], m->part);
  const char **optional[] = {&one.trail, &one.coverage};
  for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
    if (*optional[i] && **optional[i])
      *optional[i] = with_suffix(l->arena, *optional[i], m->part);
  return one;
}
