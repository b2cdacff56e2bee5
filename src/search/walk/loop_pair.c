/* The searches over any codec with any set; the search keeps the states. */

#include "store/pair.h"

#define STORE_TYPE pair
#define STORE_FETCHES 0
#define STORE_DENSE 0
#include "search/walk/loop.inc"
