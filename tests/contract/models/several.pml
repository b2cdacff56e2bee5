byte x;
active proctype Q() { do :: x == 0 -> x = 1 :: x == 1 -> x = 0 :: x == 1 -> x = 2 :: x == 2 -> x = 0 od }
ltl p1 { [] <> (x == 2) }
ltl p2 { [] <> (x == 0) }
ltl p3 { [] <> (x == 3) }
