#include "symbolic/base.h"

const char *base_text(base_kind which)
{
  switch (which) {
#define BASE(name, text)                                                       \
  case BASE_##name:                                                            \
    return text;
    BASES(BASE)
#undef BASE
  }
  return "";
}

set_base *base_create(base_kind which, const base_options *o)
{
  switch (which) {
  case BASE_MDD:
    return mdd_base_create(o);
  case BASE_BDD:
    return bdd_base_create(o);
  }
  return NULL;
}

void base_destroy(set_base *b)
{
  if (b)
    b->class->destroy(b);
}

bool base_add_shift(set_base *b, const mdd_shift *shifts, uint32_t count)
{
  return b->class->add_shift(b, shifts, count);
}

bool base_add_relation(set_base *b, const mdd_touch *touch)
{
  return b->class->add_relation(b, touch);
}
