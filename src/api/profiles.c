/* Profiles of the public header. */

#include "api/workspace.h"
#include "base/alloc.h"
#include "report/cover/profiled.h"
#include <stdlib.h>

struct nut_profile {
  nut_workspace *workspace;
  profile profile;
  text out; /* of a report that is made */
  nut_format format;
  nut_style style;
  bool good;
};

static model *read_again(void *workspace)
{
  return handle_read_again(((nut_workspace *)workspace)->model);
}

static int by_factor(const void *x, const void *y)
{
  const profiled_variable *a = x, *b = y;
  return a->factor < b->factor ? 1 : a->factor > b->factor ? -1 : 0;
}

static void do_profile(void *what)
{
  nut_profile *p = what;
  nut_workspace *w = p->workspace;
  profile *to = &p->profile;
  if (!workspace_program(w))
    return;
  to->program = w->program;
  to->limits = &w->model->limits;
  to->arena = arena_create();
  to->again = read_again;
  to->context = w;
  profile_run(to);
  if (to->variables.len)
    qsort(to->variables.data, to->variables.len, sizeof *to->variables.data,
          by_factor);
}

nut_profile *nut_profile_states(nut_workspace *w, uint64_t states)
{
  nut_profile *p = mem_try_alloc(sizeof *p);
  if (!p)
    return NULL;
  p->workspace = w;
  p->profile.most = states;
  limits *l = &w->model->limits;
  bool polled = limits_set_polled(l, true);
  workspace_do(w, do_profile, p);
  limits_set_polled(l, polled);
  if (p->profile.program)
    return p;
  nut_profile_free(p);
  return NULL;
}

void nut_profile_free(nut_profile *p)
{
  if (!p)
    return;
  mem_budget *outer = limits_enter(&p->workspace->model->limits);
  profile_free(&p->profile);
  arena_destroy(p->profile.arena);
  text_free(&p->out);
  limits_leave(outer);
  mem_free(p, sizeof *p);
}

nut_verdict nut_profile_verdict(const nut_profile *p)
{
  return p->profile.reason == REASON_NONE ? NUT_HOLDS : NUT_UNKNOWN;
}

nut_profiled nut_profile_variable(nut_profile *p, size_t index)
{
  if (index >= p->profile.variables.len)
    return (nut_profiled){0};
  const profiled_variable *v = &p->profile.variables.data[index];
  return (nut_profiled){v->name,   v->factor,  v->error,
                        v->values, v->changes, v->states};
}

static void do_write(void *what)
{
  nut_profile *p = what;
  const char *file = p->workspace->model->file;
  text_clear(&p->out);
  p->good = p->format == NUT_TEXT || p->format == NUT_JSON;
  if (p->format == NUT_JSON)
    p->good = profile_json(&p->profile, file, &p->out);
  else if (p->good)
    profile_print(&p->profile, file, p->style, &p->out);
}

bool nut_profile_text(nut_profile *p, nut_format format, nut_style style,
                      nut_sink *sink, void *context)
{
  p->format = format;
  p->style = style;
  if (!mem_protect(do_write, p) || !p->good)
    return false;
  sink(context, text_string(&p->out), p->out.len);
  return true;
}
