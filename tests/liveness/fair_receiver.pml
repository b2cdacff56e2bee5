/* Who receives by a rendezvous moves as well as who sends: B is not forgotten in
 * the run in which both meet for ever.  C waits to receive and cannot move, so
 * that nobody owes it anything.
 *
 * expect f: violated
 * expect f: violated; with --fair weak
 * expect f: violated; with --fair strong
 * expect g: violated
 * expect g: violated; with --fair weak
 * expect g: violated; with --fair strong
 * expect h: violated
 * expect h: holds; with --fair weak
 * expect h: holds; with --fair strong
 */
chan r = [0] of { byte };
chan s = [0] of { byte };
byte x, y, z;

active proctype A() { do :: r!1 :: s!1 od }
active proctype B() { do :: r?1 :: x = 1 od }
active proctype C() { do :: s?1; y = 1 od }
active proctype D() { do :: z = 1 - z od }

ltl f { <> (x == 1) }
ltl g { <> (y == 1) }
ltl h { []<> (z == 1) }
