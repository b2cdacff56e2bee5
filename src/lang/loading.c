#include "lang/loading.h"

#include "base/alloc.h"

static void give_back(loading *g)
{
  scan_free(&g->scanner);
  text_free(&g->scratch);
  text_free(&g->filter.output);
  text_free(&g->filter.messages);
}

typedef struct loading_call {
  loading *loading;
  void (*work)(loading *, void *);
  void *with;
} loading_call;

static void do_work(void *call)
{
  loading_call *c = call;
  c->work(c->loading, c->with);
}

static void undo_work(void *call)
{
  loading_call *c = call;
  give_back(c->loading);
  model_destroy(c->loading->model);
}

void loading_run(loading *g, void (*work)(loading *, void *), void *with)
{
  loading_call call = {g, work, with};
  mem_protect_undo(do_work, undo_work, &call);
  give_back(g);
}

/* ---- conditions -------------------------------------------------------- */

typedef struct condition_work {
  model *model;
  uint32_t file;
  const condition_rules *rules;
  expr *result;
} condition_work;

static void read_condition(loading *g, void *with)
{
  condition_work *w = with;
  model *m = w->model;
  size_t before = diags_errors(g->diags);
  scan_begin(&g->scanner, w->rules->language, m->names, m->sources, g->diags);
  scan_text(&g->scanner, w->file, NULL);
  void *tree = w->rules->parse(g, m);
  if (tree && !scan_at(&g->scanner, SCAN_END))
    scan_wanted(&g->scanner, "an operator or the end of the condition");
  if (tree && diags_errors(g->diags) == before)
    w->result = w->rules->lower(m, g->diags, tree);
}

expr *loading_condition(model *m, diags *d, uint32_t file,
                        const condition_rules *rules)
{
  condition_work w = {m, file, rules, NULL};
  loading g = {.arena = m->arena, .diags = d};
  loading_run(&g, read_condition, &w);
  return w.result;
}
