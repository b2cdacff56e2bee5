/* Sharing trees: sets of tuples as graphs whose nodes carry the values, with
** equal beginnings and equal ends stored once.
**
**   (1,3,5) (1,4,5) (1,4,6) (2,4,5) (2,4,6)
**
**            root            layer 0
**            /  \
**           1    2           a node has a value and a set of sons
**          / \   |
**         3   4--+           two nodes of a layer with the same value have
**         |  / \             different sets of sons, and two sons of a node
**         5-+   6            have different values
**         |     |
**          [end]
**
** After Gregoire, Zampunieris: State space compression with sharing trees
** (sections 3.1 to 3.3).  There are two ways to insert.
**
** Canonical insertion (theirs): the longest prefix that is there is walked
** down; the longest suffix that is there is found from the last layer upwards;
** new nodes are made between; then the sets of sons are adjusted upwards,
** which may make a node equal to another of its layer, and ends where a node
** stays the one it was.  The tree is a sharing tree at any time.
**
** Original insertion: no suffix is looked for, nodes that several fathers have
** are copied, and every n insertions a reduction merges equal nodes, from the
** last layer upwards.
**
** Where we differ.  Tuples of several lengths are not in one tree: each length
** has its root, and layers count from the end, so that suffixes are shared
** among lengths too.  To find equal nodes they search a layer; we hash value
** and sons.  They keep sons as lists; ours are arrays in the order of values.
** Nodes count their fathers, so what is not needed any more is free at once,
** and whether a node may be changed where it is, is known.  Both walks begin
** where the tuple differs from the one before: successors of a state are
** nearly equal.
**
** A node is a block of words, its number the place of the first:
**
**   word 0   value
**        1   number of fathers, and flags
**        2   next node of the bucket
**        3   the son, or with several (flag) their number,
**        4   the sum of their hashes,
**        5.. and the sons, ordered by value
**
** Always: no node but a root has no fathers; sons are on the next layer; after
** a canonical insertion or a reduction no two nodes are equal. */

#ifndef NUT_STORE_DIAGRAM_SHARING_H
#define NUT_STORE_DIAGRAM_SHARING_H

#include "base/system/reserve.h"
#include "base/text/diagram_labels.h"
#include "store/store_result.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHARING_NONE ((uint32_t)0)
#define SHARING_END ((uint32_t)1) /* below the last layer */

enum { SHARING_BINS = 256 };

typedef struct sharing {
  uint32_t *words;
  uint32_t *roots;  /* by length; of length 0: SHARING_END when it is there */
  uint32_t lengths; /* roots there are */
  uint32_t top;     /* words in blocks, the first two left out */
  uint32_t room;    /* 'top' may grow up to here without asking */
  uint32_t nodes;
  uint32_t *buckets;
  unsigned shift; /* 64 - binary logarithm of the number of buckets */
  uint32_t bins[SHARING_BINS]; /* free blocks by size */
  uint64_t count;              /* of tuples */
  /* The last tuple looked for: path[i] is the node of its i-th layer and
  ** path[i+1] the son 'place[i]' of it, up to path[known]. */
  uint32_t *path, *place, *walked;
  uint32_t walked_length, known;
  /* The last tuple inserted: chain[i] is the node of its values from i on, for
  ** i from 'chained'. */
  uint32_t *chain, *inserted;
  uint32_t inserted_length, chained;
  uint32_t depth;        /* elements the five arrays have room for */
  unsigned reduce_every; /* 0: canonical insertion */
  unsigned unreduced;    /* insertions since the last reduction */
  uint64_t reductions;
  size_t max_bytes;
  uint64_t *drawn; /* a bit for each word, of nodes being drawn */
  size_t drawn_bytes;
  reserve pool;
} sharing;

/* 'reduce_every' is 0 for canonical insertion.  False: no memory. */
bool sharing_create(sharing *, size_t max_bytes, unsigned reduce_every);
void sharing_destroy(sharing *); /* an all-zero one is fine */
/* On STORE_FULL the set is as it was. */
store_result sharing_insert(sharing *, const uint32_t *tuple, uint32_t length);
void sharing_reduce(sharing *); /* merges all equal nodes */
size_t sharing_bytes(const sharing *);
/* Walks everything; do the invariants hold.  A tree that waits for a reduction
** may have equal nodes. */
bool sharing_check(const sharing *);
/* In the language of Graphviz.  Writes nothing when there is no memory for the
** walk; may leave by the memory guard, nothing is lost then. */
void sharing_draw(sharing *, const diagram_labels *, text *dot);

#endif
