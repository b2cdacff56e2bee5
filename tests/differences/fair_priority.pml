/* A process that a higher priority stops does not count as blocked in pan. */
/* spin -a: errors 1 */
/* spin -a -f: errors 0 */
/* nutshell check: f violated */
/* nutshell check --fair weak: f violated */
byte a;
active proctype P() { skip }
active proctype Q() priority 2 { do :: a = 0 od }
ltl f { <> (a == 5) }
