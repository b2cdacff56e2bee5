/* A process that 'provided' stops does not count as blocked in pan. */
/* spin -a: errors 1 */
/* spin -a -f: errors 0 */
/* expect f: violated */
/* expect f: violated; with --fair weak */
byte a;
active proctype P() provided (a == 1) { skip }
active proctype Q() { do :: a = 0 od }
ltl f { <> (a == 5) }
