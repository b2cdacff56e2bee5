/* expect: 6:16: warning: taken as one operand; SPIN takes only its first part, and checks something else: write it in parentheses
** expect: 7:37: warning: taken as one operand; SPIN takes only its first part, and checks something else: write it in parentheses
*/
byte x;
active proctype P() { do :: x = 1 - x od }
ltl small { [] x < 2 }
ltl both { x == 0 U x == 1 && [] <> x + 1 == 1 }
