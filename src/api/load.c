/* Models of the public header: loaded, asked, freed. */

#include "api/handle.h"
#include "api/languages.h"
#include "base/alloc.h"
#include "nutshell-config.h"
#include "program/embed/embed.h"
#include "verify/kept/kept.h"
#include <string.h>

const char *nut_version(void)
{
  return NUT_VERSION;
}

const char *nut_built_with(void)
{
  return NUT_BUILT_WITH;
}

int nut_api(void)
{
  return NUT_API;
}

nut_load nut_load_defaults(void)
{
  return (nut_load){0};
}

static const char *const *copy_words(arena *a, const char *const *words,
                                     size_t count)
{
  const char **copy = ARENA_ARRAY(a, const char *, count + 1);
  for (size_t i = 0; i < count; i++)
    copy[i] = arena_copy(a, words[i], strlen(words[i]));
  return copy;
}

/* What is needed to read it again. */
static void keep_load(nut_model *m, const nut_load *load)
{
  m->load = load ? *load : nut_load_defaults();
  m->load.preprocessor =
      copy_words(m->arena, m->load.preprocessor, m->load.preprocessor_count);
  m->load.more = copy_words(m->arena, m->load.more, m->load.more_count);
  m->load.language = m->language;
  if (m->load.within)
    m->load.within =
        arena_copy(m->arena, m->load.within, strlen(m->load.within));
  m->load.interrupt = NULL;
  m->load.tell = NULL;
}

/* What the user wants it to mean. */
static void set_meaning(model *m, const nut_load *load)
{
  if (load->lossy)
    m->flags |= MODEL_LOSES;
  if (load->empty_ends)
    m->flags |= MODEL_ENDS_EMPTY;
}

static void read_model(nut_model *m, const char *content, size_t length,
                       const nut_load *load)
{
  const char *error = NULL;
  uint32_t file = content ? source_add(m->sources, m->file, content, length)
                          : source_read(m->sources, m->file, &error);
  const language *l = language_of(m->file, load);
  if (content && file)
    source_keep(m->sources, KEPT_FILE, m->file, content, length);
  m->source = file;
  keep_load(m, load);
  if (!l)
    diag_error(m->diags, NO_SPAN, "there is no language '%s'", load->language);
  else if (file)
    m->own = l->read(m, file, &m->load);
  else
    diag_error(m->diags, NO_SPAN, "%s%s", content ? m->file : error,
               content ? ": the text is too long" : "");
  m->read = source_count(m->sources);
  if (!m->own)
    return;
  m->own->file = m->file;
  set_meaning(m->own, &m->load);
  if (!embed_build(m->own, &m->limits, m->diags) && limits_reached(&m->limits))
    mem_give_up();
  if (!diags_errors(m->diags))
    m->model = m->own;
}

model *handle_read_again(nut_model *m)
{
  diags *shown_before = m->diags;
  m->diags = diags_create(m->sources);
  model *made = language_of(m->file, &m->load)->read(m, m->source, &m->load);
  diags_destroy(m->diags);
  m->diags = shown_before;
  if (made) {
    made->file = m->file;
    set_meaning(made, &m->load);
    made->embedded = m->own->embedded;
  }
  return made;
}

/* A model and where it comes from. */
typedef struct loading_job {
  nut_model *model;
  const char *name, *content;
  size_t length;
  const nut_load *load;
} loading_job;

/* How its language is called; "" when there is none of the name asked for. */
static const char *language_name(const char *file, const nut_load *load)
{
  const language *l = language_of(file, load);
  return l ? l->facts->name : "";
}

static void fill_model(nut_model *m, const char *name, const nut_load *load)
{
  m->arena = arena_create();
  m->names = names_create();
  m->sources = sources_create();
  if (load && load->within)
    sources_confine(m->sources, load->within);
  if (load && load->checkpoint)
    sources_take(m->sources, load->checkpoint->files.data,
                 load->checkpoint->files.len);
  m->diags = diags_create(m->sources);
  m->file = mem_copy_string(name);
  m->language = language_name(name, load);
}

static void do_load(void *job)
{
  loading_job *j = job;
  fill_model(j->model, j->name, j->load);
  read_model(j->model, j->content, j->length, j->load);
  loaded_collect_messages(j->model);
}

/* All that a model holds, but for itself. */
static void empty_model(nut_model *m)
{
  if (m->own)
    embed_close(m->own->embedded);
  model_destroy(m->own);
  diags_destroy(m->diags);
  sources_destroy(m->sources);
  names_destroy(m->names);
  arena_destroy(m->arena);
  text_free(&m->messages);
  mem_free_string(m->file);
}

/* What is left of a model whose reading met a limit. */
static void do_say_unread(void *job)
{
  loading_job *j = job;
  nut_model *m = j->model;
  m->file = mem_copy_string(j->name);
  m->language = language_name(j->name, j->load);
  text_printf(&m->messages, "%s\n", reason_text(limits_why(&m->limits)));
  if (limits_too_small(&m->limits))
    text_printf(&m->messages, "the program itself needs %d MB\n",
                LIMITS_PROGRAM_BYTES >> 20);
}

static bool say_unread(loading_job *j)
{
  nut_model *m = j->model;
  empty_model(m);
  *m = (nut_model){.limits = m->limits, .unread = true};
  return mem_protect(do_say_unread, j);
}

/* Without content the file is read.  NULL when there is no memory at all. */
static nut_model *load_model(const char *name, const char *content,
                             size_t length, const nut_load *load)
{
  loading_job job = {mem_try_alloc(sizeof *job.model), name, content, length,
                     load};
  nut_model *m = job.model;
  if (!m)
    return NULL;
  limits_asked none = {0};
  limits_start(&m->limits,
               load ? &(limits_asked){load->seconds, load->memory_bytes,
                                      load->interrupt, load->tell}
                    : &none);
  mem_budget *outer = limits_enter(&m->limits);
  bool read = mem_protect(do_load, &job);
  limits_close(&m->limits);
  read = read || say_unread(&job);
  limits_leave(outer);
  if (read)
    return m;
  nut_model_free(m);
  return NULL;
}

nut_model *nut_load_file(const char *path, const nut_load *load)
{
  return load_model(path, NULL, 0, load);
}

nut_model *nut_load_text(const char *name, const char *content, size_t length,
                         const nut_load *load)
{
  return load_model(name, content, length, load);
}

void nut_model_free(nut_model *m)
{
  if (!m)
    return;
  mem_budget *outer = limits_enter(&m->limits);
  empty_model(m);
  limits_leave(outer);
  mem_free(m, sizeof *m);
}

nut_verdict nut_model_verdict(const nut_model *m)
{
  if (nut_model_good(m))
    return NUT_HOLDS;
  return !m || m->unread ? NUT_UNKNOWN : NUT_ERROR;
}

bool nut_model_good(const nut_model *m)
{
  return loaded_good(m);
}

const char *nut_model_messages(const nut_model *m)
{
  return m ? text_string(&m->messages) : "out of memory\n";
}

const char *nut_model_language(const nut_model *m)
{
  return m ? m->language : "promela";
}

const char *nut_model_file(const nut_model *m)
{
  return m->file;
}

nut_source nut_model_source(const nut_model *m, size_t index)
{
  for (uint32_t i = 1; m && m->sources && i <= m->read; i++) {
    bool is_read = i == m->source || source_is_file(m->sources, i);
    if (!is_read || index-- > 0)
      continue;
    nut_source s = {.file = source_name(m->sources, i)};
    if (!source_is_hidden(m->sources, i))
      s.text = source_text(m->sources, i, &s.length);
    return s;
  }
  return (nut_source){0};
}

const char *nut_model_property(const nut_model *m, size_t index)
{
  return nut_model_good(m) ? question_name(m->model, index) : NULL;
}

const char *nut_model_find_property(const nut_model *m, const char *given)
{
  const char *name;
  for (size_t k = 0; (name = nut_model_property(m, k)); k++)
    if (strcmp(name, given) == 0)
      return name;
  for (size_t k = 0; nut_model_good(m) && k < m->model->properties.len; k++) {
    const property *p = &m->model->properties.data[k];
    if (p->alias && strcmp(p->alias, given) == 0)
      return p->name;
  }
  return NULL;
}
