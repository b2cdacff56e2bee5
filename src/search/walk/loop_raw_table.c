/* The searches over 'raw+table'. */

#include "store/table/raw_table.h"

#define STORE_TYPE raw_table
#define STORE_FETCHES 1
#define STORE_DENSE 1
#define STORE_LEVELS 1
#include "search/walk/loop.inc"
