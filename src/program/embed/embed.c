/* Compiling and loading the embedded C of a model, and telling the user what
** the compiler complains about, at the places in the model. */

#include "program/embed/embed.h"
#include "base/alloc.h"
#include "base/system/path.h"
#include "program/embed/embed_internal.h"
#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- complaints ------------------------------------------------------- */

/* Reads 'NAME:LINE:COLUMN: error: MESSAGE'; false when the line is another. */
static bool is_error(const char *line, size_t length, size_t *name,
                     unsigned *row, unsigned *column, const char **said)
{
  static const char *const words[] = {" error: ", " fatal error: "};
  for (size_t i = 0; i < length; i++) {
    int n = 0;
    if (line[i] != ':' || sscanf(line + i, ":%u:%u:%n", row, column, &n) != 2 ||
        !n)
      continue;
    for (size_t k = 0; k < 2; k++)
      if (!strncmp(line + i + n, words[k], strlen(words[k]))) {
        *name = i;
        *said = line + i + n + strlen(words[k]);
        return true;
      }
  }
  return false;
}

static span place_of(const model *m, const char *name, size_t length,
                     unsigned row, unsigned column)
{
  char *path = arena_copy(m->arena, name, length);
  uint32_t file = source_find(m->sources, path);
  if (!file)
    return NO_SPAN;
  uint32_t start = source_line_start(m->sources, file, row);
  uint32_t next = source_line_start(m->sources, file, row + 1);
  uint32_t at = start + (column ? column - 1 : 0);
  return (span){file, at < next ? at : start, 1};
}

static bool is_name_byte(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* The text, of 'length' bytes, has 'name' as a whole word. */
static bool mentions(const char *said, size_t length, const char *name)
{
  size_t n = strlen(name);
  for (size_t i = 0; i + n <= length; i++)
    if (!memcmp(said + i, name, n) && (!i || !is_name_byte(said[i - 1])) &&
        (i + n == length || !is_name_byte(said[i + n])))
      return true;
  return false;
}

/* Models written for SPIN may use what its verifier consists of; "undeclared"
** alone would not tell their authors why it worked there. */
static void note_names_of_spin(diags *d, span where, const char *said,
                               size_t length)
{
  static const char *const parts[] = {
      "Nr_Trails", "putrail", "pptr", "qptr", "q_len", "q_sz", "trpt",
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (mentions(said, length, parts[i]))
      diag_note(d, where,
                "'%s' is a part of SPIN's verifier; C knows only the variables "
                "of the model here",
                parts[i]);
}

/* What was noticed behind the user's text only, or what was said at all. */
static void tell_rest(const model *m, diags *d, const char *log,
                      const char *behind)
{
  span where = m->c_code.len ? m->c_code.data[0].where : NO_SPAN;
  const char *said = behind ? behind : log;
  int length = (int)strcspn(said, "\n");
  diag_error(d, where, "embedded C does not compile%s%.*s",
             !length  ? ""
             : behind ? "; behind it the compiler says: "
                      : ": ",
             length, said);
}

/* Every error of the compiler in the user's text becomes one of ours; if there
** is none, the first of the others is told. */
static void tell_complaints(const model *m, diags *d, const char *log)
{
  size_t before = diags_errors(d);
  const char *behind = NULL;
  for (const char *line = log; *line && !diags_full(d);) {
    size_t length = strcspn(line, "\n"), name;
    unsigned row, column;
    const char *said;
    if (is_error(line, length, &name, &row, &column, &said)) {
      span where = place_of(m, line, name, row, column);
      size_t rest = (size_t)(line + length - said);
      if (where.file) {
        diag_error(d, where, "embedded C: %.*s", (int)rest, said);
        note_names_of_spin(d, where, said, rest);
      } else if (!behind) {
        behind = said;
      }
    }
    line += length + (line[length] == '\n');
  }
  if (diags_errors(d) == before)
    tell_rest(m, d, log, behind);
}

/* ---- compiling -------------------------------------------------------- */

/* The folder of the model, where its C looks for headers. */
static const char *folder_of(const model *m)
{
  span where = m->c_code.len
                   ? source_origin(m->sources, m->c_code.data[0].where)
                   : NO_SPAN;
  const char *name = where.file ? source_name(m->sources, where.file) : NULL;
  size_t length = name ? path_folder_length(name) : 0;
  const char *folder = length ? arena_copy(m->arena, name, length) : ".";
  char real[PATH_MAX];
  if (!realpath(folder, real))
    return NULL;
  return arena_copy(m->arena, real, strlen(real));
}

/* A header of the user's may change without us knowing: what includes one is
** compiled each time. */
static bool may_be_kept(const model *m)
{
  for (size_t i = 0; i < m->c_code.len; i++)
    if (strstr(m->c_code.data[i].text, "include"))
      return false;
  return true;
}

/* The file is ours to close. */
static bool load(embedded *e, int file, char note[NOTE_MAX])
{
  void *library = native_load(file);
  if (!library) {
    const char *why = dlerror(), *rest = strstr(why, "undefined symbol: ");
    snprintf(note, NOTE_MAX, "%.300s", rest ? rest : why);
    close(file);
    return false;
  }
  const nut_embedded_model *made = dlsym(library, NUT_EMBEDDED_SYMBOL);
  if (!made || made->abi != NUT_EMBED_ABI || strcmp(made->key, e->key) != 0) {
    snprintf(note, NOTE_MAX, "what was compiled is not what it should be");
    dlclose(library);
    close(file);
    return false;
  }
  e->library = library;
  e->file = file;
  e->code = made;
  return true;
}

static bool shall_stop(void *of_command)
{
  return of_command && limits_are_due(of_command);
}

/* Compiles and loads; false with a note, or with the log of the job when the
** compiler has something to say. */
static bool compile(const model *m, embedded *e, char note[NOTE_MAX])
{
  bool kept = may_be_kept(m);
  int file = kept ? cache_find(&e->cache, e->key) : -1;
  if (file >= 0 && load(e, file, note))
    return true;
  e->job = (compiler_job){.place = {.folder = -1},
                          .key = e->key,
                          .foreign = true,
                          .include = folder_of(m),
                          .stop = shall_stop,
                          .context = e->limits};
  bool begun = native_begin_job(&e->cache, &e->source, &e->job);
  if (begun && !compiler_run(&e->compiler, &e->job, note))
    return false;
  file = begun ? native_take(&e->cache, &e->job, kept) : -1;
  if (file >= 0)
    return load(e, file, note);
  snprintf(note, NOTE_MAX, "no file can be written in %.300s", e->cache.path);
  return false;
}

/* ---- sizes ------------------------------------------------------------ */

static bool measure(model *m, diags *d)
{
  const nut_embedded_model *c = m->embedded->code;
  for (size_t i = 0; i < m->c_memory.len && i < c->memory_count; i++) {
    const embed_memory *memory = &m->c_memory.data[i];
    uint64_t bytes = c->sizes[i];
    if (!memory->var)
      continue;
    if (bytes > STATE_MAX) {
      diag_error(d, memory->where,
                 "'%.64s' makes a state larger than %d bytes, the most that "
                 "is supported",
                 memory->name, STATE_MAX);
      return false;
    }
    memory->var->length = bytes ? (uint32_t)bytes : 1;
  }
  return true;
}

/* ---- the whole -------------------------------------------------------- */

bool embed_build(model *m, limits *l, diags *d)
{
  char note[NOTE_MAX] = "";
  if (!(m->flags & MODEL_HAS_C))
    return true;
  span where =
      m->c_code.len ? m->c_code.data[0].where : m->c_memory.data[0].where;
  embedded *e = m->embedded = mem_alloc(sizeof *e);
  pthread_mutex_init(&e->lock, NULL);
  e->job.place.folder = -1;
  e->limits = l;
  embed_emit(m, &e->source);
  if (!compiler_find(&e->compiler)) {
    diag_error(d, where,
               "embedded C needs a C compiler, and there is none (cc, gcc or "
               "clang)");
    return false;
  }
  native_key(&e->source, &e->compiler, true, e->key);
  e->cache_is_open = cache_open(
      &e->cache, NULL, cache_allowed(NUT_CACHE_RUN) != NUT_CACHE_OFF, note);
  bool good = e->cache_is_open && compile(m, e, note);
  if (!good) {
    if (e->job.log.len) {
      tell_complaints(m, d, text_string(&e->job.log));
    } else {
      diag_error(d, where, "embedded C: %s", note);
      note_names_of_spin(d, where, note, strlen(note));
    }
    return false;
  }
  native_clear_job(&e->cache, &e->job);
  embed_catch_signals();
  e->code->open(&embed_host);
  return measure(m, d);
}

void embed_close(embedded *e)
{
  if (!e)
    return;
  if (e->library) {
    dlclose(e->library);
    close(e->file);
  }
  native_clear_job(&e->cache, &e->job);
  if (e->cache_is_open)
    cache_close(&e->cache);
  pthread_mutex_destroy(&e->lock);
  text_free(&e->source);
  mem_free(e->said, e->said_room);
  mem_free(e, sizeof *e);
}
