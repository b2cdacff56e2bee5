/* A process that cannot go on inside of an atomic sequence lets others move. */
/* expect end-states: violated; states 82; transitions 121 */
byte lock, open;

active proctype A()
{
  do
  :: atomic { lock < 3 -> open > 0 -> open--; lock++ }
  :: atomic { lock >= 3 -> if :: open > 1 -> lock = 0 :: open < 1 -> break fi }
  od
}

active proctype B()
{
  byte k;
  do
  :: atomic { open < 3 -> open++; if :: k < 9 -> k++ :: k >= 9 -> k = 0; break fi }
  od
}
