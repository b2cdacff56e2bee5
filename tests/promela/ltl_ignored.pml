/* ltl blocks, named and unnamed, with all operators and with remote
 * references, are no part of the plain count of states. */
/* expect assertions, end-states, bounds: holds; states 21; transitions 33 */
#define p (x > 1)
byte x;
bool q;

active [2] proctype P() {
start:
  x++;
  q = !q;
crit:
  x--
}

ltl safe { [] (x <= 2) }
ltl live { <> (q || p) -> (p U q) }
ltl weak { !q W p }
ltl rel { always ((x == 0) implies eventually (x == 2 || !(x == 2))) }
ltl ref { [] !(P[0]@crit && P[1]@crit && q) }
