/* Who receives by a rendezvous moves in pan; here the sender alone does. */
/* spin -a: errors 1 */
/* spin -a -f: errors 1 */
/* expect f: violated */
/* expect f: holds; with --fair weak */
chan r = [0] of { byte };
byte x;
active proctype A() { do :: r!1 od }
active proctype B() { do :: r?1 :: x = 1 od }
ltl f { <> (x == 1) }
