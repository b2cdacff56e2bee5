/* 'replay': the choices in a file executed again, and told. */

#include "cli/common.h"
#include "cli/output.h"
#include "report/tracefile.h"
#include <string.h>

/* The trace file as it is; false after a complaint. */
static bool read_trace(const char *path, const model *m, recorded *r)
{
  sources *files = sources_create();
  const char *error = NULL;
  size_t length = 0;
  text message = {0};
  uint32_t file = source_read(files, path, &error);
  bool good = false;
  if (!file) {
    complain("%s", error);
  } else {
    const char *content = source_text(files, file, &length);
    good = recorded_read(r, m, content, length, &message);
    if (!good)
      complain("%s: %s", path, text_string(&message));
  }
  text_free(&message);
  sources_destroy(files);
  return good;
}

/* What keeps a choice from being followed, for people. */
static void report_stop(const options *o, const recorded *r, size_t followed,
                        const model *m)
{
  const choice *c = &r->choices.data[followed];
  uint32_t where = r->lines.data[followed] + (r->json ? 1 : 0);
  const char *statement = NULL;
  for (size_t i = 0; i < m->edges.len && !statement; i++) {
    const edge *e = m->edges.data[i];
    if (r->json ? e->index == c->id : e->number == (int32_t)c->id)
      statement = e->text;
  }
  complain("%s: %s %u does not match the model", o->files.data[1],
           r->json ? "step" : "line", where);
  note("process %u cannot execute %s%s%s here", c->process,
       statement ? "'" : "that statement", statement ? statement : "",
       statement ? "'" : "");
}

static int tell(const options *o, const recorded *r, program *p, worker *w)
{
  size_t followed = 0;
  int status = STATUS_HOLDS;
  text out = {0}, message = {0};
  trace *t =
      trail_replay(w, p, r->kind, r->choices.data, r->choices.len, &followed);
  if (!t) {
    complain("out of memory");
    return STATUS_UNKNOWN;
  }
  story *s = story_of_trace(p, t);
  if (!o->quiet)
    plain_story(s, style_of(o), &out);
  const char *end = s->ending ? s->ending : trace_end_text(t->end);
  text_printf(&out, "%s%u step%s: %s\n", o->quiet ? "" : "\n", s->shown,
              s->shown == 1 ? "" : "s",
              followed < r->choices.len ? "stopped" : end);
  say_text(&out);
  int64_t differs = r->json ? recorded_compare(r, s, &message) : -1;
  if (followed < r->choices.len) {
    report_stop(o, r, followed, program_model(p));
    status = STATUS_VIOLATED;
  } else if (differs >= 0) {
    complain("%s: step %u: %s", o->files.data[1], (unsigned)differs + 1,
             text_string(&message));
    status = STATUS_VIOLATED;
  }
  arena *a = arena_create();
  if (!write_traces(o, s, NULL, NULL, a, NULL))
    status = STATUS_BAD;
  arena_destroy(a);
  story_destroy(s);
  trace_destroy(t);
  text_free(&out);
  text_free(&message);
  return status;
}

int command_replay(const options *o)
{
  int status = STATUS_BAD;
  recorded r = {0};
  nut_model *m = outputs_good(o) ? load_model(o, &status) : NULL;
  if (!m)
    return status;
  status = STATUS_BAD;
  program *p = loaded_program(m, o->check.check_overflow);
  if (!p) {
    loaded_collect_messages(m);
    say_error(nut_model_messages(m));
  } else if (read_trace(o->files.data[1], m->model, &r)) {
    worker *w = worker_create(p);
    status = tell(o, &r, p, w);
    worker_destroy(w);
  }
  recorded_free(&r);
  program_destroy(p);
  nut_model_free(m);
  return status;
}
