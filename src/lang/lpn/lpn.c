/* Reads files of either syntax into nets, checks them and makes the model. */

#include "lang/lpn/lpn.h"

#include "lang/loading.h"
#include "lang/lpn/platu.h"

#include <string.h>

typedef struct work {
  arena *arena;
  names *names;
  sources *sources;
  diags *diags;
  const uint32_t *files;
  size_t count;
  bool strict;
} work;

/* Positions of the prepared text are those of the file. */
static span locate(const void *context, uint32_t start, uint32_t length)
{
  return (span){*(const uint32_t *)context, start, length};
}

/* "dir/cell.lpn" is called "cell" unless it says otherwise. */
static const char *name_of_file(const work *w, uint32_t file)
{
  const char *name = source_name(w->sources, file);
  const char *slash = strrchr(name, '/');
  name = slash ? slash + 1 : name;
  const char *dot = strchr(name, '.');
  size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
  return name_intern(w->names, name, length);
}

static net_module *read_module(loading *g, work *w, uint32_t file)
{
  net_module *m = ARENA_NEW(w->arena, net_module);
  net_parser p = {&g->scanner, .arena = w->arena, .module = m};
  p.strict = w->strict;
  m->name = name_of_file(w, file);
  m->where = (span){file, 0, 0};
  uint32_t prepared = net_layout(&p, w->sources, file);
  if (!prepared) {
    diag_error(w->diags, NO_SPAN, "the text is too long");
    return m;
  }
  scan_map map = {locate, &file};
  scan_begin(&g->scanner, &net_language, w->names, w->sources, w->diags);
  scan_text(&g->scanner, prepared, &map);
  net_parse(&p);
  scan_free(&g->scanner);
  return m;
}

static void read_platu(loading *g, work *w, net *n, uint32_t file)
{
  platu x = {.p = {&g->scanner, .arena = w->arena}, .net = n};
  scan_begin(&g->scanner, &platu_language, w->names, w->sources, w->diags);
  scan_text(&g->scanner, file, NULL);
  platu_parse(&x);
  scan_free(&g->scanner);
}

static bool is_platu(const work *w, uint32_t file)
{
  size_t length;
  const char *content = source_text(w->sources, file, &length);
  return platu_is(content, length);
}

static void read_files(loading *g, void *with)
{
  work *w = with;
  size_t before = diags_errors(w->diags);
  net *n = ARENA_NEW(w->arena, net);
  g->model = model_create(w->arena, w->names, w->sources,
                          w->strict ? &stg_facts : &lpn_facts);
  g->model->front_end = n;
  g->model->file = source_name(w->sources, w->files[0]);
  n->m = g->model;
  n->diags = w->diags;
  for (size_t i = 0; i < w->count; i++)
    if (is_platu(w, w->files[i]))
      read_platu(g, w, n, w->files[i]);
    else
      arena_push(w->arena, &n->modules, read_module(g, w, w->files[i]));
  if (diags_errors(w->diags) == before && !n->modules.len)
    diag_error(w->diags, (span){w->files[0], 0, 0}, "there is no module");
  if (diags_errors(w->diags) == before && net_lower(n) &&
      model_check(g->model, w->diags))
    return;
  model_destroy(g->model);
  g->model = NULL;
}

model *lpn_read(arena *a, names *n, sources *s, diags *d, const uint32_t *files,
                size_t count, bool strict)
{
  loading g = {0};
  work w = {a, n, s, d, files, count, strict};
  loading_run(&g, read_files, &w);
  return g.model;
}

static void *parse_condition(loading *g, model *m)
{
  const net *n = m->front_end;
  net_parser p = {&g->scanner, .arena = g->arena, .asks = true};
  if (n->modules.len == 1)
    p.module = n->modules.data[0];
  return net_parse_expr(&p);
}

static expr *lower_condition(model *m, diags *d, void *tree)
{
  net *n = m->front_end;
  n->diags = d;
  return net_lower_truth(n, NULL, tree);
}

expr *lpn_read_condition(model *m, diags *d, uint32_t file)
{
  static const condition_rules rules = {&net_language, parse_condition,
                                        lower_condition};
  return loading_condition(m, d, file, &rules);
}

const net_coding *lpn_coding_of(const model *m)
{
  return ((const net *)m->front_end)->coding;
}

const model_language lpn_facts = {.name = "lpn",
                                  .endings = ".lpn",
                                  .line_comment = "#",
                                  .has_parts = true,
                                  .has_signals = true,
                                  .condition = lpn_read_condition,
                                  .picture = lpn_picture};
const model_language stg_facts = {.name = "stg",
                                  .endings = ".g",
                                  .line_comment = "#",
                                  .has_parts = true,
                                  .has_signals = true,
                                  .condition = lpn_read_condition,
                                  .picture = lpn_picture};
