/* Workspaces: opening and closing, limits, problems; diagnostics and questions
** as data. */

#include "api/workspace.h"
#include "base/alloc.h"
#include <string.h>

/* ---- work within limits ------------------------------------------------- */

static void forget_problem(nut_workspace *w)
{
  text_clear(&w->problem);
  text_clear(&w->hint);
  w->reason = NULL;
  w->outcome = NUT_HOLDS;
}

bool workspace_do(nut_workspace *w, mem_work *work, void *context)
{
  limits *l = &w->model->limits;
  forget_problem(w);
  limits_open(l);
  mem_budget *outer = limits_enter(l);
  bool done = mem_protect(work, context);
  limits_close(l);
  limits_leave(outer);
  if (!done) {
    w->reason = reason_text(limits_why(l));
    w->outcome = NUT_UNKNOWN;
  }
  return w->outcome == NUT_HOLDS;
}

bool workspace_refuse(nut_workspace *w, nut_verdict went, const char *format,
                      ...)
{
  va_list args;
  va_start(args, format);
  text_clear(&w->problem);
  text_vprintf(&w->problem, format, args);
  va_end(args);
  w->outcome = went;
  return false;
}

void workspace_hint(nut_workspace *w, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  text_clear(&w->hint);
  text_vprintf(&w->hint, format, args);
  va_end(args);
}

bool workspace_stop(nut_workspace *w)
{
  w->reason = reason_text(limits_why(&w->model->limits));
  w->outcome = NUT_UNKNOWN;
  return false;
}

const char *nut_problem(const nut_workspace *w)
{
  if (!w)
    return "out of memory";
  return w->reason ? w->reason : text_string(&w->problem);
}

const char *nut_hint(const nut_workspace *w)
{
  return w ? text_string(&w->hint) : "";
}

nut_verdict nut_outcome(const nut_workspace *w)
{
  return w ? w->outcome : NUT_UNKNOWN;
}

void nut_cancel(nut_workspace *w)
{
  w->cancelled = 1;
}

void nut_resume(nut_workspace *w)
{
  limits *l = &w->model->limits;
  limits_asked asked = {w->model->load.seconds, w->model->load.memory_bytes,
                        l->asked.interrupt, l->asked.tell};
  w->cancelled = 0;
  limits_restart(l, &asked);
  limits_close(l);
}

bool nut_is_due(const nut_workspace *w)
{
  return limits_are_due(&w->model->limits);
}

/* ---- opening and closing ------------------------------------------------ */

static nut_workspace *open_workspace(const char *name, const char *content,
                                     size_t length, const nut_load *given)
{
  nut_load load = given ? *given : nut_load_defaults();
  nut_workspace *w = mem_try_alloc(sizeof *w);
  if (!w)
    return NULL;
  if (!load.interrupt)
    load.interrupt = &w->cancelled;
  w->model = content ? nut_load_text(name, content, length, &load)
                     : nut_load_file(name, &load);
  if (w->model)
    return w;
  mem_free(w, sizeof *w);
  return NULL;
}

nut_workspace *nut_open_file(const char *path, const nut_load *load)
{
  return open_workspace(path, NULL, 0, load);
}

nut_workspace *nut_open_text(const char *name, const char *content,
                             size_t length, const nut_load *load)
{
  return open_workspace(name, content, length, load);
}

static void free_lists(nut_workspace *w)
{
  for (list_kind k = 0; k < LISTS; k++)
    arena_destroy(w->texts[k]);
  vec_free(&w->diagnostics);
  vec_free(&w->questions);
  questions_free(&w->asked);
  vec_free(&w->values);
  vec_free(&w->processes);
  vec_free(&w->moves);
  vec_free(&w->reasons);
}

static void free_walk(nut_workspace *w)
{
  next_free(&w->next);
  blocked_free(&w->blocked);
  view_free(&w->view);
  numbering_free(&w->states);
  vec_free(&w->canonical);
  vec_free(&w->expressions);
  diags_destroy(w->complaints);
  worker_destroy(w->worker);
  program_destroy(w->program);
  model_annex_free(w->annex);
}

void nut_close(nut_workspace *w)
{
  if (!w)
    return;
  mem_budget *outer = limits_enter(&w->model->limits);
  free_walk(w);
  free_lists(w);
  text_free(&w->scratch);
  text_free(&w->more);
  text_free(&w->out);
  text_free(&w->problem);
  text_free(&w->hint);
  limits_leave(outer);
  nut_model_free(w->model);
  mem_free(w, sizeof *w);
}

nut_model *nut_workspace_model(nut_workspace *w)
{
  return w ? w->model : NULL;
}

/* ---- the program -------------------------------------------------------- */

static bool is_impatient(void *of_model)
{
  return limits_reached(of_model);
}

bool workspace_program(nut_workspace *w)
{
  nut_model *m = w->model;
  if (w->worker)
    return true;
  if (!nut_model_good(m))
    return workspace_refuse(w, NUT_ERROR, "the model cannot be used");
  if (!w->annex)
    w->annex = model_annex(m->model);
  if (!w->program)
    w->program = loaded_program(m, w->annex, w->check_overflow);
  if (!w->program) {
    loaded_collect_messages(m);
    w->outcome = NUT_ERROR;
    return false;
  }
  w->worker = worker_create(w->program);
  worker_set_patience(w->worker, is_impatient, &m->limits);
  return true;
}

void nut_check_overflow(nut_workspace *w, bool check)
{
  w->check_overflow = check;
}

/* ---- lists -------------------------------------------------------------- */

arena *workspace_texts(nut_workspace *w, list_kind kind)
{
  arena_destroy(w->texts[kind]);
  w->texts[kind] = NULL;
  return w->texts[kind] = arena_create();
}

const char *workspace_keep(nut_workspace *w, list_kind kind, text *t)
{
  const char *copy = arena_copy(w->texts[kind], text_string(t), t->len);
  text_clear(t);
  return copy;
}

nut_place workspace_place(const nut_workspace *w, span where)
{
  return place_of_span(w->model->sources, where);
}

static void list_diagnostics(void *workspace)
{
  nut_workspace *w = workspace;
  static const nut_severity severities[] = {[DIAG_ERROR] = NUT_SEVERITY_ERROR,
                                            [DIAG_WARNING] =
                                                NUT_SEVERITY_WARNING,
                                            [DIAG_NOTE] = NUT_SEVERITY_NOTE};
  const diags *d = w->model->diags;
  vec_clear(&w->diagnostics);
  arena *a = workspace_texts(w, LIST_DIAGNOSTICS);
  for (size_t i = 0; d && i < diags_count(d); i++) {
    const diagnostic *g = diags_get(d, i);
    vec_push(
        &w->diagnostics,
        ((nut_diagnostic){severities[g->level], workspace_place(w, g->where),
                          arena_copy(a, g->message, strlen(g->message))}));
  }
}

const nut_diagnostic *nut_diagnostics(nut_workspace *w, size_t *count)
{
  bool done = workspace_do(w, list_diagnostics, w);
  *count = done ? w->diagnostics.len : 0;
  return done ? w->diagnostics.data : NULL;
}

static void list_questions(void *workspace)
{
  nut_workspace *w = workspace;
  vec_clear(&w->questions);
  if (!nut_model_good(w->model)) {
    workspace_refuse(w, NUT_ERROR, "the model cannot be used");
    return;
  }
  questions_free(&w->asked);
  questions_start(&w->asked, workspace_texts(w, LIST_QUESTIONS),
                  w->model->model);
  for (size_t i = 0; i < w->asked.list.len; i++) {
    const question *q = w->asked.list.data[i];
    span where = q->property ? q->property->where : NO_SPAN;
    vec_push(&w->questions,
             ((nut_question){.name = q->name,
                             .kind = property_kind_name(q->kind),
                             .formula = q->formula,
                             .infinite = property_is_live(q->kind),
                             .at = workspace_place(w, where)}));
  }
}

const nut_question *nut_questions(nut_workspace *w, size_t *count)
{
  bool done = workspace_do(w, list_questions, w);
  *count = done ? w->questions.len : 0;
  return done ? w->questions.data : NULL;
}
