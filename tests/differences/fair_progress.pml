/* The same for loops without progress. */
/* spin -l: errors 1 */
/* spin -l -f: errors 0 */
/* expect non-progress: violated */
/* expect non-progress: violated; with --fair weak */
chan q = [2] of { byte };
active proctype A() { do :: q?1; progress: q!0 od }
active proctype C() { q!1; do :: q?0; q!0 :: break od }
