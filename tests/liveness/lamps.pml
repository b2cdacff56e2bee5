/* Two lamps and a switch that chooses: what fairness changes.
 *
 * expect one: violated
 * expect one: holds; with --fair weak
 * expect one: holds; with --fair strong
 * expect two: violated
 * expect two: holds; with --fair weak
 * expect two: holds; with --fair strong
 * expect third: violated
 * expect third: violated; with --fair weak
 * expect third: holds; with --fair strong
 * expect never_both: holds
 * expect never_both: holds; with --fair weak
 * expect never_both: holds; with --fair strong
 * expect non-progress: violated
 * expect non-progress: holds; with --fair weak
 * expect non-progress: holds; with --fair strong
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
