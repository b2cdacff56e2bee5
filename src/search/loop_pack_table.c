/* The searches over 'pack+table'. */

#include "store/pack_table.h"

#define STORE(name) pack_table_##name
#define LOOP(name) loop_pack_table_##name
#define STORE_TYPE pack_table
#define STORE_LOOP loop_pack_table
#define STORE_FETCHES 1
#define STORE_DENSE 1
#include "search/loop.inc"
