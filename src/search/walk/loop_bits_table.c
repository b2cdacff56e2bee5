/* The searches over 'pack+table'. */

#include "store/table/bits_table.h"

#define STORE_TYPE bits_table
#define STORE_FETCHES 1
#define STORE_DENSE 1
#include "search/walk/loop.inc"
