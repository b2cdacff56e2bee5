/* A d_step takes a message and sends two, and a step takes one: what it does to
   the channel goes both ways, so that the other process is not put off for ever. */
/* expect early: violated */
byte y;
chan c = [3] of { byte };

active proctype P()
{
  byte x;
  d_step { c!1; c?x; c!1 };
  do
  :: d_step { c?x; c!1; c!1 }; c?x
  od
}

active proctype Q() { y = 1 }

ltl early { [] (y == 0) }
