/* The states of 'collapse+tree' in a file: its tables as they are, row by row,
** then the pairs at the roots, each with its mark.
**
** Who reads it trusts nothing: numbers are looked up only where there are so
** many rows, pieces are put only where a state has room, and a state that comes
** out is cut into its components once more.  What the values in it mean is the
** program's to check.  The store that the states go to is another one, with a
** plan of its own: the tables here only serve to read.
**
**   stream of kind 'rows'     the plan; rows of all tables
**   stream of kind 'roots'    so many pairs, in so many bytes each */

#ifndef NUT_STORE_TREE_TREE_IMAGE_H
#define NUT_STORE_TREE_TREE_IMAGE_H

#include "base/system/block_file.h"
#include "store/tree/collapse_tree.h"

/* Writes it; takes no memory.  With 'marks' the roots have them. */
void tree_image_write(const collapse_tree *, bool marks, block_writer *,
                      uint32_t rows_kind, uint32_t roots_kind);

typedef struct tree_image tree_image;

/* Reads the tables, of states that are cut by this map; NULL: the reader knows
** why. */
tree_image *tree_image_read(block_reader *, const component_map *,
                            uint32_t rows_kind);
void tree_image_destroy(tree_image *); /* NULL is fine */

/* Bytes of the longest state. */
uint32_t tree_image_longest(const tree_image *);

/* Begins to read the roots: how many there are. */
uint64_t tree_image_begin(tree_image *, block_reader *, uint32_t roots_kind);
/* The next one; false: it is damaged. */
bool tree_image_next(tree_image *, block_reader *, store_handle *,
                     bool *marked);
/* The state with this handle in the file; valid until the next call.  NULL:
** there is no such state.  CODEC_SLACK bytes can be read behind it. */
const uint8_t *tree_image_state(tree_image *, store_handle, uint32_t *length);

/* Whether the map cuts these bytes into components, with nothing left. */
bool tree_image_is_cut(const component_map *, const uint8_t *state,
                       uint32_t length);

#endif
