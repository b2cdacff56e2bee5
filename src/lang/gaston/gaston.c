#include "lang/gaston/gaston.h"

#include "lang/gaston/lower.h"
#include "lang/loading.h"

/* ---- whole files ------------------------------------------------------- */

typedef struct file_work {
  uint32_t file;
  names *names;
  sources *sources;
  const gst_options *options;
} file_work;

static void read_file(loading *g, void *with)
{
  const file_work *w = with;
  size_t before = diags_errors(g->diags);
  scan_begin(&g->scanner, &gst_language, w->names, w->sources, g->diags);
  scan_text(&g->scanner, w->file, NULL);
  gst_parser p = {&g->scanner, g->arena, &g->scratch};
  const gst_declaration *tree = gst_parse(&p);
  if (diags_errors(g->diags) > before)
    return;
  gst_lower *l = ARENA_NEW(g->arena, gst_lower);
  g->model = model_create(g->arena, w->names, w->sources, &gst_facts);
  g->model->front_end = l;
  g->model->file = source_name(w->sources, w->file);
  l->m = g->model;
  l->diags = g->diags;
  l->options = w->options;
  l->declarations = tree;
  if (gst_lower_file(l) && model_check(g->model, g->diags))
    return;
  model_destroy(g->model);
  g->model = NULL;
}

model *gst_read(arena *a, names *n, sources *s, diags *d, uint32_t file,
                const gst_options *options)
{
  file_work w = {file, n, s, options};
  loading g = {.arena = a, .diags = d};
  loading_run(&g, read_file, &w);
  return g.model;
}

/* ---- conditions -------------------------------------------------------- */

static void *parse_condition(loading *g, model *m)
{
  gst_parser p = {&g->scanner, g->arena, &g->scratch};
  (void)m;
  return gst_parse_expr(&p);
}

static expr *lower_condition(model *m, diags *d, void *tree)
{
  gst_context nobody = {.l = m->front_end};
  nobody.l->diags = d;
  return gst_lower_typed(&nobody, tree, nobody.l->boolean);
}

expr *gst_read_condition(model *m, diags *d, uint32_t file)
{
  static const condition_rules rules = {&gst_language, parse_condition,
                                        lower_condition};
  return loading_condition(m, d, file, &rules);
}

const model_language gst_facts = {.name = "gaston",
                                  .endings = ".gst",
                                  .line_comment = "--",
                                  .has_strings = true,
                                  .condition = gst_read_condition};
