/* dump-model FILE: prints the control structure of a Promela model, for
** tools/compare-pan.  With -p prints the whole model for people. */

#include "lang/promela/promela.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
  bool people = argc == 3 && strcmp(argv[1], "-p") == 0;
  if (argc != 2 && !people) {
    fprintf(stderr, "usage: dump-model [-p] FILE\n");
    return 2;
  }
  arena *a = arena_create();
  names *n = names_create();
  sources *s = sources_create();
  diags *d = diags_create(s);
  text out = {0};
  const char *error = NULL;
  uint32_t file = source_read(s, argv[argc - 1], &error);
  model *m = file ? promela_read(a, n, s, d, file, NULL) : NULL;
  if (error)
    diag_error(d, NO_SPAN, "%s", error);
  if (m && people)
    model_print(m, &out);
  else if (m)
    model_dump(m, &out);
  fputs(text_string(&out), stdout);
  text_clear(&out);
  diags_print(d, &out);
  fputs(text_string(&out), stderr);
  text_free(&out);
  model_destroy(m);
  diags_destroy(d);
  sources_destroy(s);
  names_destroy(n);
  arena_destroy(a);
  return m ? 0 : 2;
}
