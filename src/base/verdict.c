#include "base/verdict.h"

const char *verdict_text(verdict v)
{
  switch (v) {
#define VERDICT(name, text, status)                                            \
  case VERDICT_##name:                                                         \
    return text;
    VERDICTS(VERDICT)
#undef VERDICT
  }
  return "";
}

const char *reason_text(reason r)
{
  switch (r) {
#define REASON(name, number, text)                                             \
  case REASON_##name:                                                          \
    return text;
    REASONS(REASON)
#undef REASON
  }
  return "";
}
