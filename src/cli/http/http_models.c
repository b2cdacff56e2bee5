/* Models of the page: texts read, described, drawn; and the file written, when
** nobody has changed it meanwhile. */

#include "base/alloc.h"
#include "base/source/source.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/http/http.h"
#include "cli/output.h"
#include "cli/serve/model_rows.h"
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one call may take; a check has limits of its own. */
static const double CALL_SECONDS = 20;
enum { ROWS_MOST = 5000 };

/* ---- opening ------------------------------------------------------------ */

nut_workspace *http_workspace(http_server *s, const char *content,
                              size_t length)
{
  nut_load load = s->load;
  load.within = *s->root ? s->root : NULL;
  if (load.plugin)
    return nut_open_file(s->file, &load);
  return nut_open_text(s->file, content, length, &load);
}

/* Reads the file of the command line.  False with the reason. */
static bool read_disk(const http_server *s, text *out, text *why)
{
  sources *files = sources_create();
  const char *error = NULL;
  size_t length = 0;
  uint32_t file = source_read(files, s->file, &error);
  if (file) {
    const char *content = source_text(files, file, &length);
    text_add_bytes(out, content, length);
  } else {
    text_add(why, error);
  }
  sources_destroy(files);
  return file;
}

/* The name of what was read: all its texts and macros. */
static void find_id(const http_server *s, nut_workspace *w, char id[HTTP_ID])
{
  text all = {0};
  char digest[SHA256_TEXT];
  nut_source one;
  const nut_model *m = nut_workspace_model(w);
  for (size_t i = 0; (one = nut_model_source(m, i)).file; i++) {
    text_printf(&all, "%zu\n", one.text ? one.length : 0);
    text_add_bytes(&all, one.text ? one.text : "", one.text ? one.length : 0);
  }
  for (size_t i = 0; i < s->load.preprocessor_count; i++)
    text_printf(&all, "\n%s", s->load.preprocessor[i]);
  sha256_text(text_string(&all), all.len, digest);
  snprintf(id, HTTP_ID, "%.16s", digest);
  text_free(&all);
}

static void free_model(http_model *m)
{
  for (size_t i = 0; i < m->runs.len; i++)
    http_run_free(m->runs.data[i]);
  vec_free(&m->runs);
  nut_close(m->workspace);
  text_free(&m->content);
  pthread_mutex_destroy(&m->lock);
  mem_free(m, sizeof *m);
}

/* Under the lock of the server: the first that nobody uses goes. */
static void make_room(http_server *s)
{
  for (size_t i = 0; s->models.len >= HTTP_MODELS_MOST && i < s->models.len;
       i++)
    if (!s->models.data[i]->users) {
      free_model(s->models.data[i]);
      for (; i + 1 < s->models.len; i++)
        s->models.data[i] = s->models.data[i + 1];
      s->models.len--;
      return;
    }
}

/* Likewise; what was asked for last goes last. */
static http_model *find_model(http_server *s, const char *id)
{
  size_t i = 0;
  while (i < s->models.len && strcmp(s->models.data[i]->id, id) != 0)
    i++;
  if (i == s->models.len)
    return NULL;
  http_model *found = s->models.data[i];
  for (; i + 1 < s->models.len; i++)
    s->models.data[i] = s->models.data[i + 1];
  return s->models.data[i] = found;
}

/* Adds what was opened, unless it is there; the model is in use. */
static http_model *add_model(http_server *s, nut_workspace *w,
                             const text *content)
{
  char id[HTTP_ID];
  find_id(s, w, id);
  pthread_mutex_lock(&s->lock);
  http_model *m = find_model(s, id);
  if (m) {
    nut_close(w);
  } else {
    make_room(s);
    m = mem_alloc(sizeof *m);
    *m = (http_model){.workspace = w};
    snprintf(m->id, sizeof m->id, "%s", id);
    pthread_mutex_init(&m->lock, NULL);
    text_add_bytes(&m->content, text_string(content), content->len);
    vec_push(&s->models, m);
  }
  m->users++;
  pthread_mutex_unlock(&s->lock);
  pthread_mutex_lock(&m->lock);
  nut_resume(m->workspace);
  return m;
}

http_model *http_model_take(http_server *s, const char *id, http_answer *a)
{
  pthread_mutex_lock(&s->lock);
  http_model *m = find_model(s, id);
  if (m)
    m->users++;
  pthread_mutex_unlock(&s->lock);
  if (!m) {
    http_refuse(a, 404, "there is no model of this name; post its text again");
    return NULL;
  }
  pthread_mutex_lock(&m->lock);
  nut_resume(m->workspace);
  return m;
}

void http_model_give_back(http_server *s, http_model *m)
{
  pthread_mutex_unlock(&m->lock);
  pthread_mutex_lock(&s->lock);
  m->users--;
  pthread_mutex_unlock(&s->lock);
}

/* ---- describing --------------------------------------------------------- */

/* What is no text, such as a plug-in, is null. */
static json_t *sources_of(const nut_model *m, bool plugin)
{
  json_t *list = json_array();
  nut_source one;
  for (size_t i = 0; (one = nut_model_source(m, i)).file; i++) {
    json_t *j = json_pack("{s:o}", "file", json_shown(one.file));
    json_t *content =
        one.text && !plugin
            ? json_stringn(one.text, strnlen(one.text, one.length))
            : NULL;
    json_put(j, "text", content ? content : json_null());
    json_array_append_new(list, j);
  }
  return list;
}

static nut_language language_of(const nut_model *m)
{
  nut_language l;
  for (size_t i = 0; (l = nut_language_at(i)).name; i++)
    if (nut_model_language(m) && !strcmp(l.name, nut_model_language(m)))
      break;
  return l;
}

static void describe(http_server *s, http_model *m, http_answer *a)
{
  nut_model *model = nut_workspace_model(m->workspace);
  bool good = nut_model_good(model);
  char digest[SHA256_TEXT];
  json_t *j = json_object();
  sha256_text(text_string(&m->content), m->content.len, digest);
  json_put(j, "id", json_string(m->id));
  json_put(j, "good", json_boolean(good));
  json_put(j, "language", json_shown(nut_model_language(model)));
  json_put(j, "net", json_boolean(language_of(model).is_net));
  json_put(
      j, "drawn",
      json_string(language_of(model).is_drawn_as_net ? "net" : "processes"));
  json_put(j, "file", json_shown(s->file));
  json_put(j, "sources", sources_of(model, s->load.plugin));
  json_put(j, "diagnostics", rows_of_diagnostics(m->workspace, ROWS_MOST));
  json_put(j, "properties",
           good ? rows_of_questions(m->workspace, ROWS_MOST) : json_array());
  pthread_mutex_lock(&s->lock);
  json_put(j, "saved", json_boolean(!strcmp(digest, s->disk)));
  pthread_mutex_unlock(&s->lock);
  nut_state first = good ? nut_initial(m->workspace) : 0;
  if (good && !first)
    row_put_text(j, "problem", nut_problem(m->workspace));
  if (first)
    json_put(j, "initial", json_string(nut_state_name(m->workspace, first)));
  a->body = j;
}

static void load(http_server *s, const text *content, http_answer *a)
{
  nut_workspace *w = http_workspace(s, text_string(content), content->len);
  if (!w) {
    http_refuse(a, 503, "there is not enough memory");
    return;
  }
  http_model *m = add_model(s, w, content);
  describe(s, m, a);
  http_model_give_back(s, m);
}

void http_model_read(http_server *s, http_answer *a)
{
  text content = {0}, why = {0};
  if (!s->load.plugin && !read_disk(s, &content, &why)) {
    http_refuse(a, 404, "%s", text_string(&why));
    text_free(&why);
    return;
  }
  pthread_mutex_lock(&s->lock);
  sha256_text(text_string(&content), content.len, s->disk);
  pthread_mutex_unlock(&s->lock);
  load(s, &content, a);
  text_free(&content);
}

void http_model_post(http_server *s, const http_request *r, http_answer *a)
{
  static const char *const names[] = {"text", NULL};
  if (!http_fields(r, a, names))
    return;
  const json_t *given = json_object_get(r->body, "text");
  if (!json_is_string(given) || s->load.plugin) {
    http_refuse(a, 400, "'text' must be the text of the model");
    return;
  }
  text content = {0};
  text_add_bytes(&content, json_string_value(given), json_string_length(given));
  load(s, &content, a);
  text_free(&content);
}

void http_model_get(http_server *s, const http_request *r, http_answer *a)
{
  http_model *m = http_model_take(s, r->parts[1], a);
  if (!m)
    return;
  describe(s, m, a);
  http_model_give_back(s, m);
}

/* ---- saving ------------------------------------------------------------- */

/* Under the lock of the server: only over what was read. */
static void save(http_server *s, const http_model *m, http_answer *a)
{
  text now = {0}, why = {0};
  char digest[SHA256_TEXT];
  if (!read_disk(s, &now, &why)) {
    http_refuse(a, 409, "%s", text_string(&why));
    text_free(&why);
    return;
  }
  sha256_text(text_string(&now), now.len, digest);
  text_free(&now);
  if (strcmp(digest, s->disk) != 0) {
    http_refuse(a, 409, "%s was changed by somebody else since it was read",
                s->file);
  } else if (!write_file(s->file, &m->content)) {
    http_refuse(a, 500, "%s cannot be written", s->file);
  } else {
    sha256_text(text_string(&m->content), m->content.len, s->disk);
    a->body = json_pack("{s:b,s:o}", "saved", 1, "file", json_shown(s->file));
  }
}

void http_model_save(http_server *s, const http_request *r, http_answer *a)
{
  http_model *m = http_model_take(s, r->parts[1], a);
  if (!m)
    return;
  if (s->load.plugin || !strcmp(s->file, "-")) {
    http_refuse(a, 409, "this model is no file that could be written");
  } else {
    pthread_mutex_lock(&s->lock);
    save(s, m, a);
    pthread_mutex_unlock(&s->lock);
  }
  http_model_give_back(s, m);
}

/* ---- drawings and states ------------------------------------------------ */

void http_model_drawing(http_server *s, const http_request *r, http_answer *a)
{
  const char *what = r->query(r->context, "what");
  bool states = what && !strcmp(what, "states");
  http_model *m = http_model_take(s, r->parts[1], a);
  text out = {0};
  if (!m)
    return;
  if (nut_draw(m->workspace, states ? NUT_DRAW_STATES : NUT_DRAW_PROCESSES,
               NULL, gather_text, &out))
    a->body = json_pack("{s:o}", "dot", json_lines(text_string(&out)));
  else
    http_refuse(a, 422, "%s", nut_problem(m->workspace));
  text_free(&out);
  http_model_give_back(s, m);
}

/* The state among those seen whose name begins so; 0 after a refusal.  States
** of the same name differ in nothing that can be seen. */
static nut_state known_state(nut_workspace *w, const char *name, http_answer *a)
{
  nut_state found = 0;
  char first[40] = "";
  size_t n = strlen(name);
  if (n < 10) {
    http_refuse(a, 400, "a name of a state has at least 10 digits");
    return 0;
  }
  for (nut_state i = 1; i <= nut_state_count(w); i++) {
    const char *other = nut_state_name(w, i);
    if (!other || strncmp(other, name, n) != 0 || !strcmp(other, first))
      continue;
    if (found) {
      http_refuse(a, 409, "%s and %s begin so", first, other);
      return 0;
    }
    found = i;
    snprintf(first, sizeof first, "%s", other);
  }
  if (!found)
    http_refuse(a, 404,
                "no state that was seen is called so; 'find' looks for it");
  return found;
}

void http_model_state(http_server *s, const http_request *r, http_answer *a)
{
  http_model *m = http_model_take(s, r->parts[1], a);
  if (!m)
    return;
  nut_state state = known_state(m->workspace, r->parts[3], a);
  if (state) {
    a->body = json_object();
    http_put_state(a->body, m->workspace, state);
  }
  http_model_give_back(s, m);
}

/* ---- the server --------------------------------------------------------- */

/* The folder that has all files of the model, as far as that says something. */
static void find_root(http_server *s, const nut_model *m)
{
  char path[PATH_MAX], copy[PATH_MAX];
  nut_source one;
  if (!realpath(s->file, path))
    return;
  snprintf(s->root, sizeof s->root, "%s", dirname(path));
  for (size_t i = 0; (one = nut_model_source(m, i)).file; i++) {
    if (!realpath(one.file, copy))
      continue;
    size_t n = strlen(s->root);
    while (n > 1 && (strncmp(copy, s->root, n) != 0 || copy[n] != '/')) {
      snprintf(path, sizeof path, "%s", s->root);
      snprintf(s->root, sizeof s->root, "%s", dirname(path));
      n = strlen(s->root);
    }
  }
  if (!strcmp(s->root, "/") && realpath(s->file, path))
    snprintf(s->root, sizeof s->root, "%s", dirname(path));
}

http_server *http_open(const options *o)
{
  http_server *s = mem_alloc(sizeof *s);
  *s = (http_server){.options = o, .file = o->files.data[0], .load = o->load};
  double limit = s->load.seconds;
  s->load.seconds = limit && limit < CALL_SECONDS ? limit : CALL_SECONDS;
  s->load.more = o->files.data + 1;
  s->load.more_count = o->files.len - 1;
  s->load.interrupt = NULL;
  s->load.tell = NULL;
  pthread_mutex_init(&s->lock, NULL);
  nut_workspace *w = nut_open_file(s->file, &s->load);
  find_root(s, nut_workspace_model(w));
  nut_close(w);
  http_answer a = {.status = 200};
  http_model_read(s, &a);
  bool good = a.status == 200;
  if (!good)
    complain("%s", json_get_text(a.body, "error"));
  json_decref(a.body);
  text_free(&a.bytes);
  if (good)
    return s;
  http_close(s);
  return NULL;
}

void http_close(http_server *s)
{
  if (!s)
    return;
  http_checks_close(s);
  for (size_t i = 0; i < s->models.len; i++)
    free_model(s->models.data[i]);
  vec_free(&s->models);
  pthread_mutex_destroy(&s->lock);
  mem_free(s, sizeof *s);
}
