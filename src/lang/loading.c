#include "lang/loading.h"

#include "base/alloc.h"

static void give_back(loading *g)
{
  scan_free(&g->scanner);
  text_free(&g->scratch);
  text_free(&g->filter.output);
  text_free(&g->filter.messages);
}

void loading_run(loading *g, void (*work)(loading *, void *), void *with)
{
  jmp_buf here;
  jmp_buf *volatile outer = mem_guard(&here);
  if (!outer)
    mem_guard(NULL);
  if (setjmp(here)) {
    give_back(g);
    model_destroy(g->model);
    mem_pass_on(outer);
  }
  work(g, with);
  mem_guard(outer);
  give_back(g);
}
