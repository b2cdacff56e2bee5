#include "store/tree/collapse_tree_internal.h"

#define ENCODE encode_gathered
#define ENCODE_TARGET
#define ENCODE_BLOCK block_gather
#include "store/tree/encode.inc"

#define ENCODE encode_shuffled
#if BLOCK_SHUFFLES
#define ENCODE_TARGET __attribute__((target("ssse3")))
#define ENCODE_BLOCK block_shuffle
#else
#define ENCODE_TARGET
#define ENCODE_BLOCK block_gather
#endif
#include "store/tree/encode.inc"
