/* Runs of which parts can be left out only together. */
byte z, w, go, p, q;

/* 'z = 1' and what follows in the other process: both, or none of them. */
active proctype first()
{
  do
  :: z == 0 && w == 0 -> z = 1
  :: z == 0 && go == 0 -> go = 1
  od
}

active proctype second()
{
  do
  :: d_step { z == 1 -> z = 0; w = 1 }
  :: z == 0 && go == 1 -> go = 2
  od
}

ltl early { [] (go < 2) }
