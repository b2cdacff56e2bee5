/* An atomic sequence is handed from A to B and on to C: three processes move in
 * one step, and none of them is forgotten when it comes again and again.
 *
 * expect never_set: violated
 * expect never_set: violated; with --fair weak
 * expect never_set: violated; with --fair strong
 * expect left: violated
 * expect left: holds; with --fair weak
 * expect left: holds; with --fair strong
 */
chan r = [0] of { byte };
chan s = [0] of { byte };
byte x, d;

active proctype A() { do :: atomic { r!1; skip } od }
active proctype B() { do :: atomic { r?1 -> s!1 } :: atomic { x = 1; d = 0 } od }
active proctype C() { do :: atomic { s?1; skip } :: atomic { x = 2; d = 0 } od }
active proctype D() { d = 1 }

ltl never_set { <> (x > 0) }
ltl left { <> (d == 1) }
