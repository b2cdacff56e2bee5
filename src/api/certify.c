/* Certificates of results, and what is in them. */

#include "api/handle.h"
#include "api/workspace.h"
#include "base/alloc.h"
#include "base/sha256.h"
#include "certificate/certificate.h"
#include "certificate/certificate_read.h"
#include "certificate/model_text.h"
#include "nutshell-config.h"
#include "program/layout.h"
#include <string.h>

const char *nut_certificate_refused(const nut_model *m, const nut_options *o)
{
  return loaded_good(m) ? certificate_refused(m->model, o) : NULL;
}

/* What reports tell of it. */
static void keep_figures(verification *v, const certificate_figures *f)
{
  v->certificate = (certificate_report){.states = f->states,
                                        .bytes = f->bytes,
                                        .product_states = f->product_states,
                                        .rank_bytes = f->rank_bytes,
                                        .left_out = f->left_out};
}

void nut_result_certificate_is_in(nut_result *r, const char *file)
{
  r->asked.certificate.file = file;
  r->asked.outcome.certificate = &r->asked.certificate;
}

nut_certificate nut_result_certificate(nut_result *r, const nut_options *o,
                                       nut_sink *sink, void *context)
{
  verification *v = &r->asked;
  certificate_figures figures;
  char digest[SHA256_TEXT];
  nut_source source = nut_model_source(v->model, 0);
  if (v->outcome.verdict != VERDICT_HOLDS)
    return (nut_certificate){.why = "the model does not hold"};
  sha256_text(source.text ? source.text : "", source.length, digest);
  certificate_order order = {.program = v->program,
                             .answers = &v->outcome.answers,
                             .options = o,
                             .limits = v->limits,
                             .file = v->model->file,
                             .source = digest,
                             .version = NUT_VERSION};
  limits_open(v->limits);
  mem_budget *outer = limits_enter(v->limits);
  const char *why = certificate_write(&order, sink, context, &figures);
  limits_close(v->limits);
  limits_leave(outer);
  if (!why)
    keep_figures(v, &figures);
  return (nut_certificate){why,
                           figures.states,
                           figures.bytes,
                           figures.left_out,
                           figures.product_states,
                           figures.rank_bytes};
}

/* ---- the model as text ---------------------------------------------------- */

bool workspace_model_text(nut_workspace *w, text *out, text *why)
{
  const layout *l = program_layout(w->program);
  model_text_options o = {.types = l->types,
                          .check_overflow = w->check_overflow,
                          .is_changing = !l->fixed};
  const char *refused = model_text(program_model(w->program), &o, out);
  if (refused)
    text_add(why, refused);
  return !refused;
}

typedef struct comparison {
  nut_workspace *workspace;
  const char *bytes;
  size_t length;
  text theirs, ours;
} comparison;

static size_t first_difference(const text *a, const text *b)
{
  size_t i = 0;
  while (i < a->len && i < b->len && a->data[i] == b->data[i])
    i++;
  return i;
}

static void do_compare(void *work)
{
  comparison *c = work;
  nut_workspace *w = c->workspace;
  const char *problem = certificate_model(c->bytes, c->length, &c->theirs);
  if (problem) {
    workspace_refuse(w, NUT_ERROR, "%s", problem);
    return;
  }
  /* What counts as a fault is an option, which the first line tells. */
  const char *line = memchr(c->theirs.data, '\n', c->theirs.len);
  if (line)
    w->check_overflow =
        memmem(c->theirs.data, (size_t)(line - c->theirs.data), " overflow", 9);
  if (!workspace_program(w))
    return;
  text_clear(&w->more);
  if (!workspace_model_text(w, &c->ours, &w->more)) {
    workspace_refuse(w, NUT_ERROR, "%s", text_string(&w->more));
    return;
  }
  size_t at = first_difference(&c->theirs, &c->ours), lines = 1;
  if (at == c->theirs.len && at == c->ours.len)
    return;
  for (size_t i = 0; i < at; i++)
    lines += c->theirs.data[i] == '\n';
  workspace_refuse(w, NUT_VIOLATED,
                   "the certificate is of another model: its text differs in "
                   "line %zu",
                   lines);
}

static void tidy_comparison(void *work)
{
  comparison *c = work;
  text_free(&c->theirs);
  text_free(&c->ours);
}

static void compare_tidily(void *work)
{
  mem_protect_tidy(do_compare, tidy_comparison, work);
}

bool nut_certificate_matches(nut_workspace *w, const char *bytes, size_t length)
{
  comparison c = {w, bytes, length, {0}, {0}};
  return workspace_do(w, compare_tidily, &c);
}
