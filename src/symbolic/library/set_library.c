#include "symbolic/library/set_library.h"

const char *library_text(library_kind which)
{
  switch (which) {
#define LIBRARY(name, text)                                                    \
  case LIBRARY_##name:                                                         \
    return text;
    LIBRARIES(LIBRARY)
#undef LIBRARY
  }
  return "";
}

set_library *library_create(library_kind which, const library_options *o)
{
  switch (which) {
  case LIBRARY_MDD:
    return mdd_base_create(o);
  case LIBRARY_BDD:
    return bdd_base_create(o);
  }
  return NULL;
}

void library_destroy(set_library *b)
{
  if (b)
    b->class->destroy(b);
}

bool library_add_shift(set_library *b, const mdd_shift *shifts, uint32_t count)
{
  return b->class->add_shift(b, shifts, count);
}

bool library_add_relation(set_library *b, const mdd_touch *touch)
{
  return b->class->add_relation(b, touch);
}
