/* A variable that is not part of states, and states of many lengths. */
hidden int scratch;
byte x, left = 2;

proctype Child()
{
  byte steps = 1;
  do
  :: steps < 3 -> steps++; scratch = steps
  :: else -> x = (x + 1) % 2; break
  od
}

active proctype Parent()
{
  do
  :: left > 0 -> left--; run Child()
  :: else -> break
  od
}
