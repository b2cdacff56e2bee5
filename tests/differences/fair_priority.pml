/* A process that a higher priority stops does not count as blocked in pan. */
/* spin -a: errors 1 */
/* spin -a -f: errors 0 */
/* expect f: violated */
/* expect f: violated; with --fair weak */
byte a;
active proctype P() { skip }
active proctype Q() priority 2 { do :: a = 0 od }
ltl f { <> (a == 5) }
