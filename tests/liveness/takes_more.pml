/* A d_step sends a message and takes two, and a step sends one: see sends_more. */
/* expect early: violated */
byte y;
chan c = [3] of { byte };

active proctype P()
{
  byte x;
  c!1;
  do
  :: d_step { c!1; c?x; c?x }; c!1
  od
}

active proctype Q() { y = 1 }

ltl early { [] (y == 0) }
