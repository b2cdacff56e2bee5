/* The list of languages, and how each reads its files. */

#include "api/languages.h"
#include "api/plugin.h"
#include "lang/dve/dve.h"
#include "lang/gaston/gaston.h"
#include "lang/lpn/lpn.h"
#include "lang/pnml/pnml.h"
#include "lang/promela/promela.h"

#include <string.h>

static model *read_promela(nut_model *m, uint32_t file, const nut_load *load)
{
  promela_options *options =
      promela_options_new(m->arena, load ? load->preprocessor : NULL,
                          load ? (uint32_t)load->preprocessor_count : 0);
  if (load && load->system_cpp)
    promela_use_cpp(options);
  if (load && load->allow_c)
    promela_allow_c(options);
  return promela_read(m->arena, m->names, m->sources, m->diags, file, options);
}

static model *read_dve(nut_model *m, uint32_t file, const nut_load *load)
{
  dve_options options = {load ? load->preprocessor : NULL,
                         load ? (uint32_t)load->preprocessor_count : 0};
  return dve_read(m->arena, m->names, m->sources, m->diags, file, &options);
}

static model *read_gaston(nut_model *m, uint32_t file, const nut_load *load)
{
  gst_options *options = ARENA_NEW(m->arena, gst_options);
  *options = (gst_options){load ? load->preprocessor : NULL,
                           load ? (uint32_t)load->preprocessor_count : 0};
  return gst_read(m->arena, m->names, m->sources, m->diags, file, options);
}

static model *read_pnml(nut_model *m, uint32_t file, const nut_load *load)
{
  (void)load;
  return pnml_read(m->arena, m->names, m->sources, m->diags, file);
}

/* All files of the command line together are one net. */
static model *read_nets(nut_model *m, uint32_t file, const nut_load *load,
                        bool strict)
{
  size_t count = 1 + (load ? load->more_count : 0);
  uint32_t *files = ARENA_ARRAY(m->arena, uint32_t, count);
  files[0] = file;
  for (size_t i = 1; i < count; i++) {
    const char *error = NULL;
    files[i] = source_read(m->sources, load->more[i - 1], &error);
    if (!files[i]) {
      diag_error(m->diags, NO_SPAN, "%s", error);
      return NULL;
    }
  }
  return lpn_read(m->arena, m->names, m->sources, m->diags, files, count,
                  strict);
}

static model *read_lpn(nut_model *m, uint32_t file, const nut_load *load)
{
  return read_nets(m, file, load, false);
}

static model *read_stg(nut_model *m, uint32_t file, const nut_load *load)
{
  return read_nets(m, file, load, true);
}

/* No ending and no name is enough: whoever loads it must have said so. */
static model *read_plugin(nut_model *m, uint32_t file, const nut_load *load)
{
  (void)file;
  if (!load || !load->plugin) {
    diag_error(m->diags, NO_SPAN,
               "a plug-in runs code, which only --plugin allows");
    return NULL;
  }
  return plugin_read(m->arena, m->names, m->sources, m->diags, m->file,
                     load->preprocessor, (uint32_t)load->preprocessor_count);
}

static const language languages[] = {
    {&promela_facts, read_promela}, {&dve_facts, read_dve},
    {&gst_facts, read_gaston},      {&lpn_facts, read_lpn},
    {&stg_facts, read_stg},         {&pnml_facts, read_pnml},
    {&plugin_facts, read_plugin},
};

enum { LANGUAGES = sizeof languages / sizeof languages[0] };

/* Whether 'suffix', with its dot, is one of those in 'list'. */
static bool is_in(const char *list, const char *suffix)
{
  size_t n = strlen(suffix);
  for (const char *at = list; (at = strstr(at, suffix)); at++)
    if (at[n] == '.' || !at[n])
      return true;
  return false;
}

/* NULL: the ending is that of no language. */
static const language *by_ending(const char *file)
{
  const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
  if (dot && (!slash || dot > slash))
    for (size_t i = 0; i < LANGUAGES; i++)
      if (is_in(languages[i].facts->endings, dot))
        return &languages[i];
  return NULL;
}

static const language *by_name(const char *name)
{
  for (size_t i = 0; i < LANGUAGES; i++)
    if (!strcmp(languages[i].facts->name, name))
      return &languages[i];
  return NULL;
}

const language *language_of(const char *file, const nut_load *load)
{
  if (load && load->plugin)
    return by_name(plugin_facts.name);
  if (load && load->language)
    return by_name(load->language);
  const language *found = by_ending(file);
  return found ? found : &languages[0];
}

static nut_language public_language(const language *l)
{
  if (!l)
    return (nut_language){0};
  const model_language *f = l->facts;
  return (nut_language){.name = f->name,
                        .endings = f->endings,
                        .line_comment = f->line_comment,
                        .comment = f->comment,
                        .comment_end = f->comment_end,
                        .has_strings = f->has_strings,
                        .has_parts = f->has_parts,
                        .is_edited = f->is_edited,
                        .has_states = f->has_states,
                        .is_net = f->is_net,
                        .is_drawn_as_net = f->picture};
}

nut_language nut_language_at(size_t index)
{
  return public_language(index < LANGUAGES ? &languages[index] : NULL);
}

nut_language nut_language_of(const char *file)
{
  return public_language(by_ending(file));
}
