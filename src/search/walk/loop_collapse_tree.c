/* The searches over 'collapse+tree'. */

#include "store/tree/collapse_tree.h"

#define STORE_TYPE collapse_tree
#define STORE_FETCHES 1
#define STORE_DENSE 0
#define STORE_LEVELS 1
#define STORE_TOGETHER 1
#include "search/walk/loop.inc"
