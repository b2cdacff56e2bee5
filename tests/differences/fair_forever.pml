/* The same loop without the way out.
/* spin -a: errors 1 */
/* spin -a -f: errors 1 */
/* expect acceptance: violated */
/* expect acceptance: violated; with --fair weak */
byte x;
active proctype I() { skip }
active proctype P() { accept: do :: x = 1 od }
