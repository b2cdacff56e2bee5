/* A ticket lock whose numbers grow for ever, and a customer who may go on
** looking at the display.
** expect non-progress: violated */

int next, serving;

active [2] proctype Customer()
{
  int mine;
  do
  :: atomic { mine = next; next++ };
     do
     :: serving == mine -> break
     :: else
     od;
progress:
     serving++
  od
}
