/* Depth-first searches over 'pack+table'. */

#include "store/table/bits_cells.h"

#define STORE_TYPE bits_cells
#define STORE_FETCHES 1
#define STORE_DENSE 0
#include "search/walk/loop.inc"
