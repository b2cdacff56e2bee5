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

/* ---- words of the user --------------------------------------------------- */

/* Names of macros may have letters beyond ASCII. */
static bool begins_name(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || (unsigned char)c >= 0x80;
}

static bool is_fine(const char *word)
{
  if (word[0] != '-' || !word[1])
    return false;
  return word[1] == 'I'
             ? word[2] != 0
             : (word[1] == 'D' || word[1] == 'U') && begins_name(word[2]);
}

bool loading_check_words(diags *d, const char *const *words, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (!is_fine(words[i])) {
      diag_error(d, NO_SPAN,
                 "'%s' is not for a preprocessor: -DNAME, -DNAME=VALUE, "
                 "-UNAME or -IDIR is",
                 words[i]);
      return false;
    }
  return true;
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
