#include "model/model.h"

const char *property_kind_name(property_kind kind)
{
  static const char *const names_of[] = {
#define KIND(name, text, scope) text,
      PROPERTY_KINDS(KIND)
#undef KIND
  };
  return kind < PROPERTY_KINDS_ ? names_of[kind] : "";
}

property_scope property_about(property_kind kind)
{
  static const property_scope scopes[] = {
#define KIND(name, text, scope) ABOUT_##scope,
      PROPERTY_KINDS(KIND)
#undef KIND
  };
  return scopes[kind];
}
