#include "verify/loaded.h"

bool loaded_good(const loaded *m)
{
  return m && m->model;
}

void loaded_collect_messages(loaded *m)
{
  text_clear(&m->messages);
  diags_print(m->diags, &m->messages);
}

program *loaded_program(loaded *m, const model *of, bool check_overflow)
{
  /* What does not fit into a place must be known: see lang/pnml/pnml.h. */
  bool is_net = m->model->language->is_net;
  program_options options = {.check_overflow = check_overflow || is_net};
  return program_create(of, &options, m->diags);
}
