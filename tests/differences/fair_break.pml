/* A way out of a fair loop makes pan lose the loop. */
/* spin -a: errors 1 */
/* spin -a -f: errors 0 */
/* expect acceptance: violated */
/* expect acceptance: violated; with --fair weak */
byte x;
active proctype I() { skip }
active proctype P() { accept: do :: x = 1 :: break od }
