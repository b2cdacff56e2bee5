/* A loop in which one process goes round, and the other with it for nothing. */
byte p, q;

active proctype idle()
{
  do
  :: p = (p + 1) % 3
  od
}

active proctype busy()
{
  do
  :: q = (q + 1) % 5
  od
}

ltl rests { <> [] (q != 1) }
