/* A sender that counts its attempts, and a line that may lose all of them.
** expect delivered: violated */

int attempts;
bool delivered_once;
chan line = [1] of { bit };

active proctype Sender()
{
  do
  :: attempts++; line!1
  :: line!0
  od
}

active proctype Line()
{
  bit b;
  do
  :: line?b ->
     if
     :: b -> delivered_once = true
     :: true
     fi
  od
}

ltl delivered { <> delivered_once }
