/* Two lamps and a switch that chooses: what fairness changes.
 *
 * expect: one violated weak holds
 * expect: two violated weak holds
 * expect: third violated weak violated strong holds
 * expect: never_both holds
 * expect: non-progress violated weak holds
 */
bool a, b, c, turn;

active proctype A() { do :: a = !a od }
active proctype B() { do :: b = !b; progress: skip od }
active proctype Turn() { do :: turn = !turn od }
active proctype C() { do :: turn -> c = !c od }

ltl one { []<> a && []<> !a }
ltl two { []<> a && []<> b }
ltl third { []<> c }
ltl never_both { [] ((a && b) -> (a || b)) }
