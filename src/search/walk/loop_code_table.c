/* The searches over any codec with the table. */

#include "store/table/code_table.h"

#define STORE_TYPE code_table
#define STORE_FETCHES 1
#define STORE_DENSE 1
#include "search/walk/loop.inc"
