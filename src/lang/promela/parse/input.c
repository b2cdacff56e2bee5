/* From a source to tokens: which preprocessor reads it, and with what. */

#include "lang/loading.h"
#include "lang/promela/cpp.h"
#include "lang/promela/mask.h"
#include "lang/promela/parse/parse_internal.h"

/* By the system's preprocessor, when there is something to be done for it.
** Macros of the model hold in a formula, too. */
static bool run_system_cpp(parser *p, pml_input *in)
{
  const promela_module *m = p->module;
  uint32_t macros = in->formula && m->preprocessed ? m->file : 0;
  uint32_t arg_count = in->formula && !macros ? 0 : m->cpp_arg_count;
  if (!arg_count && !macros && !pml_has_directives(in->text, in->length))
    return true;
  in->preprocessed = true;
  pml_cpp how = {in->file, macros, m->cpp_args, arg_count};
  if (!pml_preprocess(p->mem, p->sources, p->diags, &how, &in->folders,
                      &p->preprocessed))
    return false;
  in->text = text_string(&p->preprocessed);
  in->length = p->preprocessed.len;
  return true;
}

/* By the one of our own.  A formula finds the macros as the model left them. */
static bool run_built_in(parser *p, pml_input *in)
{
  promela_module *m = p->module;
  const char *folder = pml_folder_of(p->mem, source_name(p->sources, m->file));
  pml_preprocessing how = {in->file, m->cpp_args, m->cpp_arg_count,
                           folder ? folder : "", &m->macros};
  if (!loading_check_words(p->diags, m->cpp_args, m->cpp_arg_count))
    return false;
  source_show_folder(p->sources, how.folder);
  for (uint32_t i = 0; i < m->cpp_arg_count; i++)
    if (m->cpp_args[i][1] == 'I')
      source_show_folder(p->sources, m->cpp_args[i] + 2);
  in->file = pml_expand(p->mem, p->sources, p->diags, &how);
  in->made = true;
  in->text = source_text(p->sources, in->file, &in->length);
  return in->file;
}

bool pml_read_tokens(parser *p, pml_input *in)
{
  promela_module *m = p->module;
  in->text = source_text(p->sources, in->file, &in->length);
  if (!(m->system_cpp ? run_system_cpp(p, in) : run_built_in(p, in)))
    return false;
  size_t before = diags_errors(p->diags);
  pml_lex(p->mem, p->names, p->sources, p->diags, in, &p->tokens);
  if (in->formula)
    pml_mask_formula(&m->aliases, &p->tokens);
  else if (source_hides(p->sources))
    m->aliases = pml_mask(p->mem, p->names, p->sources, &p->tokens);
  /* What is not even made of tokens would only give errors that mislead. */
  return diags_errors(p->diags) == before;
}
