/* What fuzz targets demand of the program beside that it does not crash. */

#ifndef NUT_TESTS_FUZZ_DEMAND_H
#define NUT_TESTS_FUZZ_DEMAND_H

#include <stdio.h>
#include <stdlib.h>

#define DEMAND(what)                                                           \
  do {                                                                         \
    if (!(what)) {                                                             \
      fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__,       \
              #what);                                                          \
      abort();                                                                 \
    }                                                                          \
  } while (0)

#endif
