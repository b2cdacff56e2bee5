/* A loop in which one process goes round, and another with it for nothing. */
byte p, q;

active proctype busy()
{
  do
  :: q = (q + 1) % 5
  od
}

active proctype idle()
{
  do
  :: p = (p + 1) % 7
  od
}

ltl rests { (<> [] (q != 1)) || (<> [] (q != 3)) }
