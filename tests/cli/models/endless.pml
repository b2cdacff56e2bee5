/* Infinite runs in which much does not matter. */
byte x, z, rounds;
bool done;

active proctype Ends()
{
  do
  :: done = true; break
  :: x = 1; x = 0
  od
}

active proctype Turns()
{
  do
  :: rounds = (rounds + 1) % 3
  od
}

active proctype Starts()
{
  z = 1;
  z = 2;
  z = 3
}

ltl ends   { <> done }
ltl avoids { [] !done }
ltl counts { [] <> (rounds == 2) }
ltl soon   { [] (z == 1 -> X X (z == 3)) }
