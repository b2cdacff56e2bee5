/* DVE: its facts, and reading a model from a file or a text of it. */

#include "lang/dve/dve.h"

#include "lang/dve/lower.h"
#include "lang/dve/m4.h"
#include "lang/loading.h"

#include <string.h>

/* ---- whole files ------------------------------------------------------- */

typedef struct file_work {
  uint32_t file;
  names *names;
  sources *sources;
  const dve_options *options;
} file_work;

static bool has_macros(const sources *s, uint32_t file)
{
  const char *name = source_name(s, file), *dot = strrchr(name, '.');
  return dot && !strcmp(dot, ".mdve");
}

/* The tokens of the file, or of what m4 makes of it. */
static bool scan_file(loading *g, const file_work *w)
{
  m4_map lines;
  scan_map map = {m4_locate, &lines};
  scan_begin(&g->scanner, &dve_language, w->names, w->sources, g->diags);
  if (!has_macros(w->sources, w->file)) {
    scan_text(&g->scanner, w->file, NULL);
    return true;
  }
  if (!m4_expand(g->arena, w->sources, g->diags, w->file, w->options,
                 &g->filter, &lines))
    return false;
  scan_text(&g->scanner, lines.output, &map);
  return true;
}

static void read_file(loading *g, void *with)
{
  const file_work *w = with;
  size_t before = diags_errors(g->diags);
  if (!scan_file(g, w))
    return;
  dve_parser p = {&g->scanner, g->arena, &g->scratch};
  const dve_module *module = dve_parse(&p);
  if (diags_errors(g->diags) > before)
    return;
  dve_lower *l = ARENA_NEW(g->arena, dve_lower);
  g->model = model_create(g->arena, w->names, w->sources, &dve_facts);
  g->model->front_end = l;
  g->model->file = source_name(w->sources, w->file);
  l->m = g->model;
  l->diags = g->diags;
  l->module = module;
  if (dve_lower_module(l) && model_check(g->model, g->diags))
    return;
  model_destroy(g->model);
  g->model = NULL;
}

model *dve_read(arena *a, names *n, sources *s, diags *d, uint32_t file,
                const dve_options *options)
{
  file_work w = {file, n, s, options};
  loading g = {.arena = a, .diags = d};
  loading_run(&g, read_file, &w);
  return g.model;
}

/* ---- conditions -------------------------------------------------------- */

static void *parse_condition(loading *g, model *m)
{
  dve_parser p = {&g->scanner, g->arena, &g->scratch};
  (void)m;
  return dve_parse_expr(&p);
}

static expr *lower_condition(model *m, diags *d, void *tree)
{
  dve_context nobody = {.l = m->front_end};
  nobody.l->diags = d;
  return dve_lower_expr(&nobody, tree);
}

expr *dve_read_condition(model *m, diags *d, uint32_t file)
{
  static const condition_rules rules = {&dve_language, parse_condition,
                                        lower_condition};
  return loading_condition(m, d, file, &rules);
}

const model_language dve_facts = {.name = "dve",
                                  .endings = ".dve.mdve",
                                  .line_comment = "//",
                                  .comment = "/*",
                                  .comment_end = "*/",
                                  .has_strings = true,
                                  .is_edited = true,
                                  .has_states = true,
                                  .no_assertions = true,
                                  .condition = dve_read_condition};
