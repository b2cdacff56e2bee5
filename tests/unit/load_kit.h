/* Models read from files, in any language, for tests of whatever works on
** models. */

#ifndef NUT_TESTS_LOAD_KIT_H
#define NUT_TESTS_LOAD_KIT_H

#include "model_kit.h"

#include "lang/dve/dve.h"
#include "lang/gaston/gaston.h"
#include "lang/lpn/lpn.h"
#include "lang/pnml/pnml.h"
#include "lang/promela/promela.h"
#include <stdio.h>

static inline void print_indented(const char *lines)
{
  for (; *lines; lines++) {
    printf("# ");
    for (; *lines && *lines != '\n'; lines++)
      putchar(*lines);
    putchar('\n');
    if (!*lines)
      break;
  }
}

static inline bool ends_in(const char *path, const char *suffix)
{
  size_t n = strlen(path), s = strlen(suffix);
  return n > s && !strcmp(path + n - s, suffix);
}

static inline void read_path(kit *k, const char *path)
{
  static const gst_options none = {NULL, 0};
  const char *error = NULL;
  uint32_t file = source_read(k->sources, path, &error);
  if (!file)
    diag_error(k->diags, NO_SPAN, "%s", error);
  else if (ends_in(path, ".gst"))
    k->m = gst_read(k->arena, k->names, k->sources, k->diags, file, &none);
  else if (ends_in(path, ".pnml"))
    k->m = pnml_read(k->arena, k->names, k->sources, k->diags, file);
  else if (ends_in(path, ".lpn") || ends_in(path, ".g"))
    k->m = lpn_read(k->arena, k->names, k->sources, k->diags, &file, 1,
                    ends_in(path, ".g"));
  else if (ends_in(path, "dve"))
    k->m = dve_read(k->arena, k->names, k->sources, k->diags, file, NULL);
  else
    k->m = promela_read(k->arena, k->names, k->sources, k->diags, file, NULL);
}

/* Reads a model; false, with its messages printed, when it is refused. */
static inline bool kit_load(kit *k, const char *path)
{
  *k = kit_for_reading();
  read_path(k, path);
  if (k->m)
    return true;
  text t = {0};
  diags_print(k->diags, &t);
  print_indented(text_string(&t));
  text_free(&t);
  return false;
}

#endif
