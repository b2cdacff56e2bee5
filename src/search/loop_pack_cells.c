/* Depth-first searches over 'pack+table'. */

#include "store/pack_cells.h"

#define STORE(name) pack_cells_##name
#define LOOP(name) loop_pack_cells_##name
#define STORE_TYPE pack_cells
#define STORE_LOOP loop_pack_cells
#define STORE_FETCHES 1
#define STORE_DENSE 0
#include "search/loop.inc"
