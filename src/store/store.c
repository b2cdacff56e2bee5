#include "store/store.h"

#include "store/collapse_tree.h"
#include "store/raw_table.h"

#include <string.h>

const store_class *const store_classes[] = {&store_collapse_tree,
                                            &store_raw_table, NULL};

/* True when 'name' is codec, plus sign, set. */
static bool is_named(const store_class *class, const char *name)
{
  size_t n = strlen(class->codec);
  return !strncmp(name, class->codec, n) && name[n] == '+' &&
         !strcmp(name + n + 1, class->set);
}

const store_class *store_find(const char *name)
{
  for (size_t i = 0; store_classes[i]; i++)
    if (is_named(store_classes[i], name))
      return store_classes[i];
  return NULL;
}
