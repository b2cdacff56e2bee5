/* The texts of a list: a function from its enum to them.
**
**   #define VERDICT(name, text, status) [VERDICT_##name] = text,
**   LIST_TEXT(verdict_text, verdict, VERDICTS(VERDICT))
**   #undef VERDICT
**
** defines 'const char *verdict_text(verdict)'.  What is not in the list has the
** text "". */

#ifndef NUT_BASE_TEXT_LIST_TEXT_H
#define NUT_BASE_TEXT_LIST_TEXT_H

#include <stddef.h>

#define LIST_TEXT(function, type, ...)                                         \
  const char *function(type which)                                             \
  {                                                                            \
    static const char *const texts[] = {__VA_ARGS__};                          \
    size_t index = (size_t)which;                                              \
    return index < sizeof texts / sizeof *texts && texts[index] ? texts[index] \
                                                                : "";          \
  }

/* The row of a list of choices in nutshell.h. */
#define CHOICE_TEXT(name, word) [name] = word,

#endif
