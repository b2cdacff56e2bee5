#include "symbolic/library/set_library.h"

#include "base/text/list_text.h"

LIST_TEXT(library_text, nut_base, NUT_BASES(CHOICE_TEXT))

set_library *library_create(nut_base which, const library_options *o)
{
  switch (which) {
  case NUT_BASE_MDD:
    return mdd_base_create(o);
  case NUT_BASE_BDD:
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
